//! Game files of other programs, with what is in them.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The files of the crate, and the larger collection where it lies beside the project.
fn folders() -> Vec<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let collection = here.join("../../shared/cases/games");
    let mut folders = vec![here.join("tests/data")];
    if collection.is_dir() {
        folders.push(collection);
    } else {
        println!("skipped: no collection of game files beside the project");
    }
    folders
}

/// Each file with its line of `expected.jsonl`.
pub(crate) fn cases() -> impl Iterator<Item = (PathBuf, Value)> {
    folders().into_iter().flat_map(|folder| {
        let text = fs::read_to_string(folder.join("expected.jsonl")).unwrap();
        let cases: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        cases.into_iter().map(move |case| (folder.join(case["file"].as_str().unwrap()), case))
    })
}
