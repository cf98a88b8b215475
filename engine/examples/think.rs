//! think
use chuhe_engine::*;
use chuhe_movegen::Board;
use chuhe_rules::Game;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let fen = a.get(1).map(|s| s.as_str()).unwrap_or(Board::START_FEN);
    let fen = if fen == "-" { Board::START_FEN } else { fen };
    let ms: u64 = a.get(2).map(|s| s.parse().unwrap()).unwrap_or(3000);
    let g = Game::new(Board::from_fen(fen).unwrap());
    let mut e = Engine::new();
    let t = std::time::Instant::now();
    let o = e.search(&g, &Limits::move_time(std::time::Duration::from_millis(ms)), &Control::new(), &mut |ev| {
        if let Event::Line(r) = ev {
            println!(
                "d{} sd{} {} n{} {:?} hf{} {}",
                r.depth,
                r.seldepth,
                r.score,
                r.nodes,
                r.elapsed,
                r.hashfull,
                r.pv.iter().map(|m| m.to_string()).collect::<Vec<_>>().join(" ")
            )
        }
    });
    println!("{o:?} {:.2} Mnps", o.nodes as f64 / t.elapsed().as_secs_f64() / 1e6);
}
