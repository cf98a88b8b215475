use chuhe_movegen::*;
fn main() {
    let b = Board::startpos();
    for l in [Leaves::Counted, Leaves::Made] {
        for _ in 0..2 {
            let t = std::time::Instant::now();
            let n = perft(&b, 5, l);
            let e = t.elapsed();
            println!("{n} {e:?} {:.1} Mnps", n as f64 / e.as_secs_f64() / 1e6);
        }
    }
    println!("{}", std::mem::size_of::<Board>());
}
