//! The commands that make and read game files, as users see them.

use std::collections::HashSet;
use std::fs;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use chuhe_movegen::{Board, Move};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_chuhe-train")).args(arguments).output().expect("chuhe-train runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// The line of a refusal with this exit code.
fn refusal(arguments: &[&str], code: i32) -> String {
    let output = run(arguments);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
    assert!(output.stdout.is_empty() || code == 1, "{}", text(&output.stdout));
    message
}

#[test]
fn a_file_is_made_shown_and_damaged() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games");
    let file = path.to_str().expect("UTF-8");
    let arguments = ["datagen", "--games", "3", "--nodes", "20", "--seed", "5", "--evalfile", "hce", "-o", file];
    let output = run(&arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report = text(&output.stdout);
    assert!(report.starts_with("games      3\n") && report.contains("this run   3 games, "), "{report}");

    let output = run(&["inspect", file]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report = text(&output.stdout);
    for expected in
        ["seed = 5\n", "rules = \"computer\"\n", "network = \"hce\"\n", "soft_nodes = 20\n", "games      3\n"]
    {
        assert!(report.contains(expected), "{expected} in {report}");
    }

    // Continued with nothing left to do; not continued by another run.
    assert!(text(&run(&arguments).stdout).contains("this run   0 games"));
    let mut other = arguments;
    other[4] = "30";
    let message = refusal(&other, 2);
    assert!(
        message.ends_with("the file was started with other settings: search.soft_nodes = 20, now 30\n"),
        "{message}"
    );
    assert_eq!(message.lines().count(), 1);

    let mut bytes = fs::read(&path).expect("the file");
    let last = bytes.len() - 20;
    bytes[last] ^= 1;
    fs::write(&path, &bytes).expect("written");
    let message = refusal(&["inspect", file], 1);
    assert!(message.contains("damaged: the checksum does not match"), "{message}");
}

#[test]
fn what_cannot_be_used_is_refused_in_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("text");
    fs::write(&path, "not a game file").expect("written");
    let file = path.to_str().expect("UTF-8");
    assert_eq!(refusal(&["inspect", file], 1), format!("{file}: not a game file: it does not begin with CHUHEGAM\n"));
    assert_eq!(refusal(&["inspect", "no-such-file"], 2).lines().count(), 1);
    let output = folder.path().join("out");
    let out = output.to_str().expect("UTF-8");
    let message = refusal(&["datagen", "--seed", "1", "--evalfile", file, "-o", out], 2);
    assert!(message.starts_with(file) && message.lines().count() == 1, "{message}");
    assert!(!output.exists(), "nothing is begun without its network");
    assert!(refusal(&["rescore", file, out], 1).starts_with(file));
    assert!(refusal(&["datagen", "--seed", "1", "--rules", "chess", "-o", out], 2).contains("unknown rule set"));
}

/// Scripts go on only when a run has come to its end.
#[cfg(unix)]
#[test]
fn an_interrupted_run_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe-train"));
    command.current_dir(folder.path()).args("datagen -o games --seed 1 --nodes 20 --positions 100000000".split(' '));
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program starts");
    while std::fs::metadata(folder.path().join("games")).map_or(0, |file| file.len()) < 2000 {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill").success());
    let output = child.wait_with_output().expect("an end");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{errors}");
    assert!(errors.contains("interrupted: ") && errors.contains(" of 100000000 positions"), "{errors}");
}

/// The openings of a suite: scores and moves.
fn openings(arguments: &[&str]) -> Vec<(i32, Vec<Move>)> {
    let output = run(&[&["openings", "--nodes", "1000", "--evalfile", "hce"], arguments].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let lines = text(&output.stdout);
    assert!(lines.starts_with("# "), "{lines}");
    let lines = lines.lines().filter(|line| !line.starts_with('#'));
    let opening = |line: &str| {
        let (score, moves) = line.split_once('\t').expect("two columns");
        (score.parse().expect("a score"), moves.split(' ').map(|mv| mv.parse().expect("a move")).collect())
    };
    lines.map(opening).collect()
}

#[test]
fn a_suite_holds_different_openings_with_scores_in_the_window() {
    let suite = openings(&["--lines", "20", "--score", "20..200", "--plies", "2", "--seed", "3"]);
    assert_eq!(suite.len(), 20);
    let mut seen = HashSet::new();
    for (score, moves) in &suite {
        assert!((20..=200).contains(&score.abs()), "{score}");
        let board = moves.iter().fold(Board::startpos(), |board, &mv| board.play(mv).expect("a legal move"));
        assert_eq!(moves.len(), 2);
        assert!(seen.insert(board.to_fen()) && seen.insert(board.mirror_files().to_fen()), "{moves:?}");
    }
    assert!(
        suite.iter().any(|(score, _)| *score > 0) && suite.iter().any(|(score, _)| *score < 0),
        "either side is better"
    );
}

#[test]
fn a_suite_depends_on_its_seed_alone() {
    let base = ["--lines", "12", "--score", "0..60", "--seed", "4"];
    let suite = openings(&[&base[..], &["--threads", "1"]].concat());
    assert_eq!(openings(&[&base[..], &["--threads", "3"]].concat()), suite);
    assert_eq!(
        openings(&["--lines", "5", "--score", "0..60", "--seed", "4"]),
        suite[..5],
        "a shorter one is its beginning"
    );
    assert_ne!(openings(&["--lines", "12", "--score", "0..60", "--seed", "5"]), suite);
}

#[test]
fn a_window_without_openings_is_refused() {
    for window in ["60", "130..60", "-5..5", "a..b"] {
        let message = refusal(&["openings", &format!("--score={window}")], 2);
        assert!(message.contains("expected two scores"), "{message}");
    }
}
