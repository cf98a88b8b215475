//! Every link and every path in the documentation leads somewhere.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{code, read, root};

/// The pages, by their paths from the root.
fn pages() -> Vec<String> {
    let in_folder = |folder: &str| {
        let entries = fs::read_dir(root().join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
        let names = entries.map(|entry| entry.expect("readable").file_name().into_string().expect("a simple name"));
        names.filter(|name| name.ends_with(".md")).map(|name| format!("{folder}{name}")).collect::<Vec<_>>()
    };
    let pages = [in_folder("./"), in_folder("docs/")].concat();
    let mut pages: Vec<String> = pages.iter().map(|page| page.trim_start_matches("./").to_owned()).collect();
    pages.sort();
    assert!(pages.len() > 10 && pages.contains(&"README.md".to_owned()), "{pages:?}");
    pages
}

/// A page without its blocks of code.
fn prose(page: &str) -> String {
    let mut is_code = false;
    let lines = page.lines().filter(|line| {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence && !line.starts_with("    ")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Text outside of `code`.
fn without_code(text: &str) -> String {
    text.split('`').step_by(2).collect::<Vec<_>>().join("…")
}

/// What links and pictures lead to: `[text](target)`.
fn targets(prose: &str) -> Vec<String> {
    let after = without_code(prose);
    let targets = after.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0.to_owned()));
    targets.collect()
}

/// The anchors that GitHub gives to the headings of a page.
fn anchors(page: &str) -> BTreeSet<String> {
    let headings = prose(page);
    let headings =
        headings.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let anchor = |heading: &str| {
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.collect::<String>().to_lowercase().replace(' ', "-")
    };
    headings.map(anchor).collect()
}

/// Whether a link from one page leads to what archives hold: the pages at the top and the folder of documents, which
/// lie beside each other there too. The sources do not.
fn is_in_archives(link: &str) -> bool {
    let path = link.trim_start_matches("../");
    path.is_empty()
        || path.ends_with(".md")
        || ["docs/", "images/", "examples/"].iter().any(|folder| path.starts_with(folder))
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let mut dead = Vec::new();
    let mut checked = 0;
    for page in pages() {
        let text = read(&page);
        for target in targets(&prose(&text)) {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            checked += 1;
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let path =
                if file.is_empty() { PathBuf::from(&page) } else { Path::new(&page).with_file_name("").join(file) };
            let full = root().join(&path);
            if !full.exists() {
                dead.push(format!("{page}: {target}"));
            } else if !is_in_archives(file) {
                dead.push(format!("{page}: {target}: is not in the archives that players download"));
            } else if !anchor.is_empty() && !anchors(&fs::read_to_string(&full).unwrap_or_default()).contains(anchor) {
                dead.push(format!("{page}: {target}: no such heading"));
            }
        }
    }
    assert!(checked > 40 && dead.is_empty(), "dead links: {dead:#?}");
}

/// Code that names a file or folder of the repository, such as `docs/rules.md`, names one that is there.
#[test]
fn every_path_that_is_named_is_there() {
    // What is made by building is not in a clone.
    let made = ["target", "dist", ".git"];
    let entries = fs::read_dir(root()).expect("the root");
    let folders: BTreeSet<String> = entries
        .map(|entry| entry.expect("readable"))
        .filter(|entry| entry.path().is_dir())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| !made.contains(&name.as_str()))
        .collect();
    let mut missing = Vec::new();
    let mut checked = 0;
    // Old entries of the changelog may name what is gone.
    for page in pages().iter().filter(|page| *page != "CHANGELOG.md") {
        let text = read(page);
        for word in code(&prose(&text)).filter_map(|code| code.split(' ').next()) {
            let Some((folder, _)) = word.split_once('/') else { continue };
            let is_path =
                folders.contains(folder) && word.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
            if is_path {
                checked += 1;
                if !root().join(word).exists() {
                    missing.push(format!("{page}: {word}"));
                }
            }
        }
    }
    assert!(checked > 40 && missing.is_empty(), "named, but not there: {missing:#?}");
}

#[test]
fn every_page_can_be_reached_from_the_readme() {
    let mut reached = BTreeSet::from(["README.md".to_owned()]);
    let mut left = vec!["README.md".to_owned()];
    while let Some(page) = left.pop() {
        for target in targets(&prose(&read(&page))) {
            let file = target.split('#').next().unwrap_or_default();
            if !file.ends_with(".md") || file.contains("://") {
                continue;
            }
            let path = match file.strip_prefix("../") {
                Some(above) => above.to_owned(),
                None => Path::new(&page).with_file_name("").join(file).to_string_lossy().into_owned(),
            };
            if reached.insert(path.clone()) {
                left.push(path);
            }
        }
    }
    let lost: Vec<String> = pages().into_iter().filter(|page| !reached.contains(page)).collect();
    assert!(lost.is_empty(), "no way leads from the README to {lost:?}");
}
