//! The scripts: how they are called, and what those find that look at archives.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The scripts of this kind that are run by people, with their names.
fn scripts(extension: &str) -> Vec<(String, PathBuf)> {
    let entries = std::fs::read_dir(root().join("scripts")).expect("the folder is there");
    let mut found: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .map(|path| (path.file_name().expect("a name").to_string_lossy().into_owned(), path))
        .filter(|(name, _)| name != "common.sh" && !name.starts_with("test_"))
        .collect();
    found.sort();
    assert!(found.len() > 5, "{found:?}");
    found
}

#[cfg(unix)]
#[test]
fn every_shell_script_tells_what_it_does_and_how_it_is_called() {
    for (name, path) in scripts("sh") {
        for flag in ["-h", "--help"] {
            let output = Command::new(&path).arg(flag).output().expect("it starts");
            let text = String::from_utf8(output.stdout).expect("UTF-8");
            let lines: Vec<&str> = text.lines().collect();
            assert!(output.status.success() && output.stderr.is_empty(), "{name} {flag}: {text}");
            assert!(lines[0].ends_with(['.', ':']), "{name}: {text}");
            assert!(lines[1].starts_with(&format!("usage: scripts/{name}")), "{name}: {text}");
            assert!(!text.contains("set -eu") && lines.iter().all(|line| !line.starts_with('#')), "{name}: {text}");
        }
    }
}

/// What a script that cannot go on says, called with arguments that nobody takes.
#[cfg(unix)]
#[test]
fn a_script_with_wrong_arguments_says_so_on_one_line() {
    for (name, path) in scripts("sh") {
        // These hand their arguments on.
        if ["test.sh", "with-lock.sh"].contains(&name.as_str()) {
            continue;
        }
        let output = Command::new(&path).args(["--nonsense"; 5]).output().expect("it starts");
        let words = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(2), "{name}: {words}");
        assert!(words.starts_with(&format!("{name}: ")) && words.lines().count() == 1, "{name}: {words}");
    }
}

#[cfg(unix)]
#[test]
fn shellcheck_finds_nothing_in_the_scripts() {
    if Command::new("shellcheck").arg("--version").output().is_err() {
        eprintln!("skipped, since shellcheck is missing");
        return;
    }
    let paths: Vec<PathBuf> = scripts("sh").into_iter().map(|(_, path)| path).chain([root().join(".ci/run")]).collect();
    let output = Command::new("shellcheck").arg("-x").args(paths).current_dir(root()).output().expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[cfg(unix)]
#[test]
fn dead_links_in_an_archive_are_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = "# One\n[here](#one) [there](docs/b.md#two-words) `[code](no)` <https://example.org> [far](https://example.org)\n\
        ![picture](no.png) [nobody](docs/b.md#three) [out](../x.md)\n";
    std::fs::write(folder.path().join("a.md"), page).expect("it can be written");
    std::fs::create_dir(folder.path().join("docs")).expect("it can be made");
    std::fs::write(folder.path().join("docs/b.md"), "## Two *words*\n[back](../a.md)").expect("it can be written");
    let Ok(output) = Command::new("python3").arg(root().join("scripts/links.py")).arg(folder.path()).output() else {
        assert!(std::env::var_os("CI").is_none(), "python3 is missing");
        eprintln!("skipped, since python3 is missing");
        return;
    };
    let told = String::from_utf8(output.stdout).expect("UTF-8");
    let expected = [
        "a.md: no.png is not there",
        "a.md: docs/b.md#three names no heading",
        "a.md: ../x.md is not there",
        "2 pages: 3 dead links",
    ];
    assert_eq!((output.status.code(), told.lines().collect::<Vec<_>>()), (Some(1), expected.to_vec()), "{told}");
}
