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
