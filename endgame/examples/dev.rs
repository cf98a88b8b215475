use chuhe_endgame::*;
use std::sync::Mutex;
struct W(Mutex<std::time::Instant>);
impl Watcher for W {
    fn started(&self, _: Class) { *self.0.lock().unwrap() = std::time::Instant::now(); }
    fn finished(&self, t: &TableInfo, old: bool) {
        let [a, b] = t.counts;
        println!("{} {} old {old} {:?} strong {} w {} r {} | weak {} w {} l {} r {} longest {} {:?}", t.class, t.placements, self.0.lock().unwrap().elapsed(), a.legal, a.wins, a.rules_decide, b.legal, b.wins, b.losses, b.rules_decide, t.longest, t.rule_wins);
    }
}
fn main() {
    let mut args = std::env::args().skip(1);
    let dir = args.next().unwrap();
    let classes: Vec<Class> = args.map(|a| a.parse().unwrap()).collect();
    let classes = if classes.is_empty() { ClassSet::Standard.classes() } else { classes };
    let dir = std::path::Path::new(&dir);
    let t = std::time::Instant::now();
    build_in_folder(dir, &classes, &W(Mutex::new(t))).unwrap();
    println!("total {:?}", t.elapsed());
    println!("set {}", pack_set(dir, &classes, std::path::Path::new("/tmp/egdump/set.cets")).unwrap());
    let tables = Tables::open(dir).unwrap();
    for c in plan(&classes).unwrap() {
        if std::env::var("VERIFY").is_ok() {
            let t = std::time::Instant::now();
            let r = verify(&tables, c, Extent::Sample(20000), &|_| ()).unwrap();
            println!("{c} verify {} wrong {} counts {} {:?} {:?}", r.positions, r.wrong, r.counts_agree, r.faults.first().map(|f| f.to_string()), t.elapsed());
        }
    }
}
