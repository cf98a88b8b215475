//! Endgames known exactly.
mod guards;
mod layout;
mod material;
mod scene;
#[cfg(feature = "build")]
mod solve;
mod table;

pub use layout::ClassTooBig;
pub use material::{Army, Class, ParseClassError};
pub use table::{MissingClass, RuleWins, Value};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::*; use crate::table::*; use chuhe_movegen::Color;
    use std::collections::BTreeMap;
    fn build(class: Class, tables: &mut BTreeMap<Class, Table>) {
        if tables.contains_key(&class) { return; }
        for c in class.conversions() { build(c, tables); }
        let layout = Layout::new(class).unwrap();
        let t = std::time::Instant::now();
        let conv = Conversions::new(&layout, |c| tables.get(&c)).unwrap();
        let d = solve::solve(&layout, &conv, &|_| ()).unwrap();
        let mut line = format!("{class} {} {:?}", layout.size(), t.elapsed());
        let mut longest = 0;
        for color in Color::ALL {
            let (mut legal, mut w, mut l) = (0, 0, 0);
            for i in 0..layout.size() {
                match d.get(slot(&layout, i, color)) {
                    Depth::Void => {}
                    Depth::Undecided => legal += 1,
                    Depth::Plies(p) => { legal += 1; longest = longest.max(p); if p % 2 == 1 { w += 1 } else { l += 1 } }
                }
            }
            line += &format!(" | {color}: legal {legal} w {w} l {l}");
        }
        println!("{line} longest {longest}");
        let values = PackedValues::pack((0..0).map(|_| Value::Draw));
        tables.insert(class, Table { layout, distances: d, values, rule_wins: RuleWins::default() });
    }
    #[test]
    fn try_it() {
        let mut tables = BTreeMap::new();
        for c in std::env::var("CLASSES").unwrap_or("RvN".into()).split(',') { build(c.parse().unwrap(), &mut tables); }
    }
}
