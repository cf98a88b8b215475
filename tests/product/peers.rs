//! Real games and comparisons with other programs, by the scripts that also measure strength. `scripts/peers.sh`
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

/// Whether everything that `peers.sh` installs is there.
fn peers_are_here() -> bool {
    let check = Command::new(script("peers.sh")).arg("--check").output();
    let missing = match check {
        Ok(check) if check.status.success() => return true,
        Ok(check) => String::from_utf8_lossy(&check.stderr).trim().to_owned(),
        Err(error) => error.to_string(),
    };
    assert!(std::env::var_os("CI").is_none(), "{missing}");
    eprintln!("skipped, since programs are missing: {missing}");
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

/// Plays a match; engine 1 is `chuhe`. The script fails when that commits any fault.
fn play(chuhe: &str, opponent: &str, games: u32, tc: &str) {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let summary = folder.path().join("summary.json");
    run(Command::new(script("match.py"))
        .args(["--engine", &format!("cmd={CHUHE} name=chuhe {chuhe}"), "--engine", opponent])
        .args(["--games", &games.to_string(), "--tc", tc, "--json"])
        .arg(&summary));
    let summary = std::fs::read_to_string(summary).expect("a summary is written");
    let summary: serde_json::Value = serde_json::from_str(&summary).expect("the summary is JSON");
    assert_eq!(summary["games"], games, "{summary}");
}

#[test]
fn ten_games_against_itself() {
    let _machine = alone();
    if peers_are_here() {
        play("proto=uci", &format!("cmd={CHUHE} name=self proto=ucci"), 10, "1+0.01");
    }
}

#[test]
fn ten_games_against_fairy_stockfish() {
    let _machine = alone();
    if peers_are_here() {
        play("proto=uci", "cmd=fairy-stockfish proto=uci", 8, "1+0.01");
        play("proto=ucci", "cmd=fairy-stockfish proto=ucci", 2, "1+0.01");
    }
}

#[test]
fn move_lists_agree_with_pyffish() {
    let _machine = among_others();
    if peers_are_here() {
        run(Command::new(script("movelists.py")).args(["--engine", &format!("cmd={CHUHE}"), "--positions", "2000"]));
    }
}

#[test]
fn rulings_agree_with_pyffish() {
    let _machine = among_others();
    if peers_are_here() {
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
    if peers_are_here() {
        run(Command::new(script("xboard-game.sh")).arg(CHUHE).env("BASE", "0:05"));
    }
}

/// What `chuhe analyze` says, by another engine.
fn analysed_by(engine: &str, args: &[&str], input: &str) -> Vec<serde_json::Value> {
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
    if !peers_are_here() {
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
            let lines = analysed_by(engine, &["--depth", depth, "--multipv", &multipv.to_string()], &input);
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
fn an_engine_under_xboard_analyses_games() {
    let _machine = among_others();
    if !peers_are_here() {
        return;
    }
    // HoiXiangqi knows no position but the first, so that it must be told each game from its beginning.
    let game = r#"{"moves": "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7"}"#;
    let games = analysed_by("hoixiangqi", &["--depth", "4", "--jobs", "2"], &format!("{game}\n{game}\n"));
    assert_eq!(games.len(), 2);
    for game in games {
        for played in game["moves"].as_array().expect("moves") {
            assert_eq!(played["lines"].as_array().map(Vec::len), Some(1), "{game}");
            assert!(played["score"]["cp"].is_i64(), "{game}");
        }
    }
}
