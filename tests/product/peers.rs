//! Real games and comparisons with other programs. `scripts/peers.sh`
//! installs the programs. Where one is missing the test says so and passes, except under CI, which must have them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::{alone, among_others};

#[path = "../../rules/tests/cycles/mod.rs"]
mod cycles;
mod distribution;

const CHUHE: &str = env!("CARGO_BIN_EXE_chuhe");

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts").join(name)
}

/// Whether these things are there, by the names that `peers.sh` gives them.
fn are_here(names: &[&str]) -> bool {
    let check = Command::new(script("peers.sh")).arg("--check").args(names).output();
    let missing = match check {
        Ok(check) if check.status.success() => return true,
        Ok(check) => String::from_utf8_lossy(&check.stderr).trim().to_owned(),
        Err(error) => error.to_string(),
    };
    assert!(std::env::var_os("CI").is_none(), "{missing}");
    eprintln!("{missing}");
    false
}

/// Runs a script and shows what it printed if it fails.
fn run(command: &mut Command) -> Output {
    let output = command.output().expect("the script starts");
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    output
}

/// Plays a match of `chuhe` against another engine, in which `chuhe` commits no fault; the games in PGN.
fn play(chuhe: &str, opponent: &str, games: u32, tc: &str) -> String {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let pgn = folder.path().join("games.pgn");
    let output = run(Command::new(CHUHE)
        .args(["match", "--engine", &format!("name=chuhe cmd='{CHUHE}' {chuhe}"), "--engine", opponent])
        .args(["--games", &games.to_string(), "--tc", tc, "--concurrency", "1", "--format", "json", "--pgn"])
        .arg(&pgn));
    let text = String::from_utf8(output.stdout).expect("results are UTF-8");
    let summary = text.lines().last().expect("a summary is printed");
    let summary: serde_json::Value = serde_json::from_str(summary).expect("the summary is JSON");
    assert_eq!(summary["games"], games, "{summary}");
    let chuhe = &summary["engines"][0];
    let none = serde_json::json!({});
    assert_eq!((&chuhe["failures"], &chuhe["minor_faults"]), (&none, &none), "{summary}");
    std::fs::read_to_string(pgn).expect("the games are written")
}

/// What the second referee, `pyffish`, says of games: its exit code and its words.
fn second_referee(games: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = folder.path().join("games.pgn");
    std::fs::write(&path, games).expect("the games are written");
    let output = Command::new(script("check_games.py")).arg(path).output().expect("the script starts");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Plays a match and has it examined by the second referee.
fn play_and_examine(chuhe: &str, opponent: &str, games: u32, tc: &str) -> String {
    let text = play(chuhe, opponent, games, tc);
    let (code, words) = second_referee(&text);
    assert_eq!(code, Some(0), "{words}\n{text}");
    assert!(words.contains(&format!("{games} games, ")), "{words}");
    text
}

#[test]
fn ten_games_against_itself() {
    let _machine = alone();
    if are_here(&["pyffish"]) {
        play_and_examine("proto=uci", &format!("name=self cmd='{CHUHE}' proto=ucci"), 10, "1+0.01");
    }
}

#[test]
fn ten_games_against_fairy_stockfish() {
    let _machine = alone();
    if !are_here(&["fairy-stockfish", "pyffish"]) {
        return;
    }
    let games = play_and_examine("proto=uci", "cmd=fairy-stockfish proto=uci", 8, "1+0.01");
    play_and_examine("proto=ucci", "cmd=fairy-stockfish proto=ucci", 2, "1+0.01");

    let (code, words) = second_referee(&games.replacen("\n1. ", "\n1. A0-A9 ", 1));
    assert_eq!((code, words.contains("ply 1: A0-A9 is no legal move")), (Some(1), true), "{words}");
    let others_won = games.replace("1-0", "won").replace("0-1", "1-0").replace("won", "0-1");
    let (code, words) = second_referee(&others_won);
    assert_eq!((code, words.contains("but the board says")), (Some(1), true), "{words}");
}

#[test]
fn the_second_referee_finds_every_fault() {
    let _machine = among_others();
    if are_here(&["pyffish"]) {
        run(Command::new("python3").arg(script("test_check_games.py")));
    }
}

#[test]
fn move_lists_agree_with_pyffish() {
    let _machine = among_others();
    if are_here(&["pyffish"]) {
        run(Command::new(script("movelists.py")).args(["--engine", &format!("'{CHUHE}'"), "--positions", "2000"]));
    }
}

#[test]
fn rulings_agree_with_pyffish() {
    let _machine = among_others();
    if are_here(&["pyffish"]) {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let path = folder.path().join("games.jsonl");
        let lines: String = cycles::cycles(300)
            .take(300)
            .enumerate()
            .map(|(number, game)| cycles::json_line(&number.to_string(), &game) + "\n")
            .collect();
        std::fs::write(&path, lines).expect("the games are written");
        run(Command::new(script("repetition_pyffish.py"))
            .args(["--judge", CHUHE, "--sample", "30", "--file"])
            .arg(path));
    }
}

#[test]
fn a_game_under_xboard() {
    let _machine = alone();
    if are_here(&["hoichess", "xboard", "uci2wb", "xvfb"]) {
        run(Command::new(script("xboard-game.sh")).arg(CHUHE).env("BASE", "0:05"));
    }
}

/// What `chuhe analyze` says, by another engine.
fn analyzed_by(engine: &str, args: &[&str], input: &str) -> Vec<serde_json::Value> {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = folder.path().join("lines.jsonl");
    std::fs::write(&path, input).expect("the lines are written");
    let output =
        run(Command::new(CHUHE).args(["analyze", "--engine", engine, "--format", "json"]).args(args).arg(path));
    let text = String::from_utf8(output.stdout).expect("results are UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// On one thread its searches are the same everywhere. Asked for one line, it finds each mate in two at depth 12; the depth
/// leaves room for other versions. Asked for three, it cuts late moves so much that a mate in two may be missed far deeper,
/// so that then mates in one are asked for.
#[test]
fn fairy_stockfish_finds_the_mates_of_the_manuals() {
    let _machine = among_others();
    if !are_here(&["fairy-stockfish"]) {
        return;
    }
    let mates = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/mates.jsonl");
    let mates = std::fs::read_to_string(mates).expect("the puzzles are there");
    let puzzles: Vec<serde_json::Value> = mates.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    for engine in ["fairy-stockfish", "cmd=fairy-stockfish proto=ucci"] {
        for (longest, depth, multipv, least) in [(2, "16", 1, 40), (1, "8", 3, 8)] {
            let is_short =
                |puzzle: &&serde_json::Value| puzzle["mate_in"].as_u64().is_some_and(|moves| moves <= longest);
            let puzzles: Vec<_> = puzzles.iter().filter(is_short).collect();
            assert!(puzzles.len() >= least);
            let line =
                |puzzle: &&serde_json::Value| format!("{}\n", serde_json::json!({"fen": puzzle["fen"], "moves": []}));
            let input: String = puzzles.iter().map(line).collect();
            let lines = analyzed_by(engine, &["--depth", depth, "--multipv", &multipv.to_string()], &input);
            assert_eq!(lines.len(), puzzles.len());
            for (line, puzzle) in lines.iter().zip(&puzzles) {
                let first_moves = puzzle["first_moves"].as_array().expect("a list");
                assert_eq!(line["score"]["mate"], puzzle["mate_in"], "{engine}: {line} {puzzle}");
                assert!(first_moves.contains(&line["best"]), "{engine}: {line} {puzzle}");
                assert!(line["lines"].as_array().is_some_and(|lines| (1..=multipv).contains(&lines.len())), "{line}");
            }
        }
    }
}

#[test]
fn an_engine_under_xboard_analyzes_games() {
    let _machine = among_others();
    if !are_here(&["hoichess"]) {
        return;
    }
    // HoiXiangqi knows no position but the first, so that it must be told each game from its beginning.
    let game = r#"{"moves": "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7"}"#;
    let games = analyzed_by("hoixiangqi", &["--depth", "4", "--jobs", "2"], &format!("{game}\n{game}\n"));
    assert_eq!(games.len(), 2);
    for game in games {
        for played in game["moves"].as_array().expect("moves") {
            assert_eq!(played["lines"].as_array().map(Vec::len), Some(1), "{game}");
            assert!(played["score"]["cp"].is_i64(), "{game}");
        }
    }
}
