//! Text that others wrote (names, ids, comments, names of files) does nothing to terminals, spreadsheets and pages.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::{among_others, program, run_with_input};

/// A game whose players and comment colour the terminal, clear it, and turn the direction of writing.
const GAME: &str = "[Event \"\u{1b}]0;title\u{7}\"]\n[Red \"\u{202e}der\"]\n[Black \"\u{1b}[31mblack\u{9b}2J\"]\n\
    [FEN \"4k4/R8/9/4p4/2r6/9/9/9/9/2R1K4 b - - 0 1\"]\n\n1... c5i5 {\u{1b}[2J\u{202e}} *\n";

/// Whether a text does more than show itself.
fn is_hostile(text: &str) -> bool {
    text.contains(|c: char| {
        c.is_control() && c != '\n' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    })
}

/// Runs a command of `chuhe` in a folder; what it writes on both outputs must be UTF-8.
fn run_in(folder: &Path, args: &[&str]) -> (Output, String) {
    let output = Command::new(program()).args(args).current_dir(folder).env_remove("RUST_LOG").output();
    let output = output.expect("chuhe runs");
    let text = [&output.stdout[..], &output.stderr].concat();
    (output, String::from_utf8(text).expect("UTF-8"))
}

#[test]
fn reports_for_people_show_hostile_names_without_obeying_them() {
    let _machine = among_others();
    let folder = tempfile::tempdir().expect("a scratch folder");
    let name = "\u{202e}fdp.pgn";
    fs::write(folder.path().join(name), GAME).expect("written");
    for args in [
        &["judge", name][..],
        &["judge", "--lang", "zh", name],
        &["analyze", "--nodes", "10", name],
        &["analyze", "--nodes", "10", "--lang", "zh", name],
        &["analyze", "--nodes", "10", "--format", "csv", name],
        &["analyze", "--nodes", "10", "--format", "html", name],
        &["analyze", "\u{1b}[31m\u{202e}"],
        &["convert", "--to", "pgn", "\u{1b}[31m\u{202e}"],
        &["analyze", "--rules", "\u{1b}[31m\u{202e}", name],
    ] {
        let (_, text) = run_in(folder.path(), args);
        assert!(text.lines().count() > 0 && !is_hostile(&text), "{args:?}: {text:?}");
    }
    let sheets = folder.path().join("sheets");
    let (output, _) = run_in(folder.path(), &["judge", "-o", "sheets", name]);
    assert!(output.status.success());
    for sheet in fs::read_dir(sheets).expect("a folder") {
        let sheet = fs::read_to_string(sheet.expect("a file").path()).expect("UTF-8");
        assert!(sheet.contains("<bdi> der</bdi>") && !is_hostile(&sheet), "{sheet}");
    }
}

/// Ids and names of files begin cells of CSV, which spreadsheets run if they look like formulas.
#[test]
fn spreadsheets_have_nothing_to_run() {
    let _machine = among_others();
    let id = r#"{"id":"=HYPERLINK(\"http://x\")","moves":["h2e2"]}"#;
    let escape = r#"{"id":"\u001b[31mX","moves":["h2e2"]}"#;
    let input = format!("{id}\n{escape}\n");
    let output = run_with_input("analyze", &["--nodes", "10", "--format", "csv"], input.as_bytes());
    let table = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(table.contains("\n\"'=HYPERLINK(\"\"http://x\"\")\",1,"), "{table}");
    assert!(table.contains("\n [31mX,1,") && !is_hostile(&table), "{table:?}");

    let folder = tempfile::tempdir().expect("a scratch folder");
    fs::write(folder.path().join("=x.txt"), "h2e2\n").expect("written");
    let (_, table) = run_in(folder.path(), &["analyze", "--nodes", "10", "--format", "csv", "=x.txt"]);
    assert!(table.contains("\n'=x.txt:1,1,"), "{table}");
}

/// Formats of games keep what others wrote, in files and pipes; on a terminal it does not control that.
#[cfg(target_os = "linux")]
#[test]
fn formats_are_whole_in_a_pipe_and_harmless_on_a_terminal() {
    let _machine = among_others();
    let folder = tempfile::tempdir().expect("a scratch folder");
    fs::write(folder.path().join("game.pgn"), GAME).expect("written");
    for form in ["pgn", "dhtmlxq", "json"] {
        let args = ["convert", "--to", form, "game.pgn"];
        let (_, piped) = run_in(folder.path(), &args);
        assert!(piped.contains('\u{202e}'), "{form}: {piped:?}");
        // `script` (util-linux) gives a command a terminal of its own, which ends lines with carriage returns.
        let command = format!("'{}' {}", program().display(), args.join(" "));
        let terminal = Command::new("script").args(["-qec", &command, "/dev/null"]).current_dir(folder.path()).output();
        let Ok(terminal) = terminal else {
            eprintln!("skipped: there is no `script`");
            return;
        };
        let shown = String::from_utf8(terminal.stdout).expect("UTF-8").replace("\r\n", "\n");
        assert!(shown.contains(" der") && !is_hostile(&shown), "{form}: {shown:?}");
    }
}
