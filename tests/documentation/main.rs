//! The documentation says what is so: the map of the house against the manifests, links and paths against the tree, and
//! tables that the program prints as well against what it prints.

mod architecture;
mod links;
mod tables;

use std::path::Path;

/// The folder of the repository.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A file of the repository, by its path from there.
fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// What stands in code in a text: `like this`.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The section of a page below this heading, as far as the next heading of the same rank.
fn section<'a>(page: &'a str, heading: &str) -> &'a str {
    let rank = heading.split(' ').next().unwrap_or_default();
    let (_, rest) = page.split_once(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("no section {heading:?}"));
    rest.split(&format!("\n{rank} ")).next().unwrap_or_default()
}

/// The cells of the first table in a text, without its heading.
fn table(text: &str) -> Vec<Vec<&str>> {
    let lines = text.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    let rows: Vec<Vec<&str>> =
        lines.skip(2).map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect()).collect();
    assert!(!rows.is_empty(), "no table");
    rows
}
