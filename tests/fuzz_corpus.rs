//! The inputs that fuzzing found worth keeping, through the checks of the fuzz targets.

use std::fs;
use std::path::Path;

#[path = "../fuzz/src/lib.rs"]
pub mod checks;

/// Runs a check on every input of a target.
fn replay(target: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let mut inputs = 0;
    for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.unwrap().path();
        // Shown when the check fails.
        println!("{}", path.display());
        check(&fs::read(&path).unwrap());
        inputs += 1;
    }
    assert!(inputs > 0, "no inputs in {}", folder.display());
}

#[test]
fn positions_as_text() {
    replay("fen", checks::fen::check);
}

#[test]
fn lines_of_the_protocols() {
    replay("protocol", checks::protocol::check);
}

#[test]
fn whole_conversations() {
    replay("session", checks::session::check);
}

#[test]
fn game_files_in_pgn() {
    replay("pgn", checks::pgn::check);
}

#[test]
fn game_files_of_every_format() {
    replay("formats", checks::formats::check);
}

#[test]
fn games_on_lines() {
    replay("lines", checks::lines::check);
}

#[test]
fn opening_books() {
    replay("book", checks::book::check);
}

#[test]
fn network_files() {
    replay("network", checks::network::check);
}
