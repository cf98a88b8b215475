//! The inputs that fuzzing found worth keeping, through the check of the fuzz target.

use std::fs;
use std::path::Path;

#[path = "../../fuzz/src/games.rs"]
mod games;

#[test]
fn packed_games_and_records() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus/games");
    let mut inputs = 0;
    for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.unwrap().path();
        // Shown when the check fails.
        println!("{}", path.display());
        games::check(&fs::read(&path).unwrap());
        inputs += 1;
    }
    assert!(inputs > 0, "no inputs in {}", folder.display());
}
