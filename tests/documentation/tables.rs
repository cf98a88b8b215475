//! Tables of the documentation that the program knows as well.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::{code, read, section, table};

/// Runs the program with this input.
fn chuhe(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_chuhe"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that does not read its input may close it.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    child.wait_with_output().expect("the program ends")
}

fn output(args: &[&str], input: &str) -> String {
    String::from_utf8(chuhe(args, input).stdout).expect("UTF-8")
}

/// The code in a column of the first table of a text.
fn column(text: &str, index: usize) -> BTreeSet<String> {
    let rows = table(text);
    rows.iter().flat_map(|row| code(row[index]).map(str::to_owned).collect::<Vec<_>>()).collect()
}

fn set<'a>(names: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    names.into_iter().map(str::to_owned).collect()
}

#[test]
fn every_command_is_documented() {
    let help = output(&["--help"], "");
    let commands = section(&help, "Commands:").split("\n\n").next().unwrap_or_default();
    let commands = commands.lines().filter_map(|line| line.split_whitespace().next());
    let page = read("docs/command-line.md");
    let documented: BTreeSet<String> =
        table(&page).iter().filter_map(|row| Some(code(row[0]).next()?.strip_prefix("chuhe ")?.to_owned())).collect();
    assert_eq!(documented, set(commands));
}

#[test]
fn every_option_is_documented_under_the_names_it_is_announced_by() {
    let page = read("docs/options.md");
    let ucci = output(&[], "ucci\nquit\n");
    let ucci = ucci.lines().filter_map(|line| line.strip_prefix("option ")?.split(" type ").next());
    // The last row holds options without effect.
    assert_eq!(column(&page, 0), set(ucci));
    let uci = output(&[], "uci\nquit\n");
    let uci = uci.lines().filter_map(|line| line.strip_prefix("option name ")?.split(" type ").next());
    assert_eq!(column(&page, 1), set(uci));
}

#[test]
fn every_key_of_an_engine_is_documented() {
    let refused = chuhe(&["match", "--engine", "cmd=x nonsense=1", "--engine", "cmd=y"], "");
    let message = String::from_utf8(refused.stderr).expect("UTF-8");
    let (_, keys) = message.split_once("expected one of ").unwrap_or_else(|| panic!("{message}"));
    let keys = keys.split(|c: char| c.is_whitespace() || c == ',' || c == '(').take_while(|key| !key.starts_with('-'));
    let page = read("docs/tournaments.md");
    assert_eq!(column(section(&page, "## Engines"), 0), set(keys.filter(|key| !key.is_empty())));
}

#[test]
fn every_key_of_a_game_in_json_is_documented() {
    let games = "[Red \"A\"]\n\n{start} 1. h2e2 $1 (1. c3c4 {quiet} g6g5) h9g7 *\n\n[Red \"B\"]\n\n1. h2e2 h2e2 *\n";
    let lines = output(&["convert", "-", "--to", "json"], games);
    let mut keys = BTreeSet::new();
    for line in lines.lines() {
        let game: Value = serde_json::from_str(line).expect("JSON");
        keys.extend(game.as_object().expect("an object").keys().cloned());
    }
    let page = read("docs/formats.md");
    assert_eq!(column(section(&page, "### JSON"), 0), keys);
}

#[test]
fn both_readmes_name_the_rust_that_is_needed() {
    let manifest = read("Cargo.toml");
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = ")).expect("a version");
    let version = version.trim_matches('"');
    for page in ["README.md", "README.zh.md"] {
        assert!(
            read(page).contains(&format!("[Rust](https://www.rust-lang.org) {version} ")),
            "{page}: Rust {version}"
        );
    }
}

/// The README in Chinese repeats the table of strength, so that its reader needs no other page.
#[test]
fn both_readmes_state_the_same_strength() {
    let (english, chinese) = (read("README.md"), read("README.zh.md"));
    let results = |page: &str, heading: &str| {
        let rows = table(section(page, heading));
        let figures = rows.iter().map(|row| row.last().and_then(|cell| cell.split("**").nth(1)).map(str::to_owned));
        figures.collect::<Vec<_>>()
    };
    assert_eq!(results(&english, "## How strong"), results(&chinese, "## 棋力"));
}

/// The English page and the Chinese one show what the program prints.
#[test]
fn the_examples_of_judging_are_what_the_program_prints() {
    let (english, chinese) = (read("docs/judging.md"), read("README.zh.md"));
    let (_, example) = english.split_once("$ echo '").expect("an example");
    let (input, _) = example.split_once("' | chuhe judge\n").expect("the command");
    let blocks = |page: &str| page.split("```").skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let shown = |page: &str, word: &str| {
        blocks(page).into_iter().find(|block| block.contains(word)).unwrap_or_else(|| panic!("no example with {word}"))
    };
    for (language, block) in [
        ("en", shown(&english, "chases unprotected cannon")),
        ("zh", shown(&english, "捉无根黑")),
        ("zh", shown(&chinese, "捉无根黑")),
    ] {
        let printed = output(&["judge", "--lang", language], input);
        let printed: Vec<&str> = printed.lines().collect();
        for line in block.trim().lines().filter(|line| *line != "…" && !line.starts_with('$')) {
            assert!(printed.contains(&line), "{line}\n{printed:#?}");
        }
    }
}
