//! Prints random games that end when a position comes for the third time, as lines that `chuhe judge` reads:
//! `random_cycles NUMBER [SEED]`.

use std::io::{self, BufWriter, Write as _};

#[path = "../tests/cycles/mod.rs"]
mod cycles;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let number: usize = arguments.next().ok_or("usage: random_cycles NUMBER [SEED]")?.parse()?;
    let seed: u64 = arguments.next().map_or(Ok(1), |seed| seed.parse())?;
    let mut out = BufWriter::new(io::stdout().lock());
    for (index, game) in cycles::cycles(seed).take(number).enumerate() {
        writeln!(out, "{}", cycles::json_line(&format!("cycle-{seed}-{}", index + 1), &game))?;
    }
    Ok(out.flush()?)
}
