//! Writes the report of an invented tournament: `cargo run -p chuhe-report --example sample -- FILE [ENTRANTS GAMES]`.

#[path = "../tests/common/mod.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod common;

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default| arguments.get(at).and_then(|word| word.parse().ok()).unwrap_or(default);
    let file = arguments.first().map_or("report.html", String::as_str);
    let names: Vec<String> = (0..number(1, 6))
        .map(|index| {
            let known =
                ["Chuhe 0.2", "Fairy-Stockfish 14.0.1", "hoixiangqi", "Sjaak II 1.4.1", "ElephantEye 3.3", "楚河 beta"];
            known.get(index).map_or_else(|| format!("Entrant {}", index + 1), |name| (*name).to_owned())
        })
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let page = common::tournament(&names, number(2, 30), 120);
    std::fs::write(file, chuhe_report::tournament::render(&page))
}
