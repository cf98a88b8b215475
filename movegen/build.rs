//! Writes the Zobrist tables from a portable generator, so that every build of every platform has the same keys.

use std::fmt::Write;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let mut rng = ChaCha20Rng::seed_from_u64(0x0063_6875_6865);
    let mut text = String::from("static PIECE_SQUARE: [[u64; SQUARES]; Piece::NUM] = [\n");
    for _ in 0..14 {
        text.push('[');
        for _ in 0..90 {
            write!(text, "{:#018x},", rng.next_u64()).expect("writing to a string");
        }
        text.push_str("],\n");
    }
    write!(text, "];\nconst BLACK_TO_MOVE: u64 = {:#018x};\n", rng.next_u64()).expect("writing to a string");
    let folder = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    std::fs::write(std::path::Path::new(&folder).join("zobrist.rs"), text).expect("the build folder is writable");
}
