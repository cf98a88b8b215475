//! `chuhe endgame`: tables built, ended and gone on with, checked, listed and asked.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::{among_others, program};

fn endgame(args: &[&str]) -> Output {
    Command::new(program()).arg("endgame").args(args).env_remove("RUST_LOG").output().expect("chuhe starts")
}

/// Standard output of a command that must succeed in silence.
fn good(args: &[&str]) -> String {
    let output = endgame(args);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{args:?}: {}: {errors}", output.status);
    String::from_utf8(output.stdout).expect("results are UTF-8")
}

/// The one line on standard error of a command that must fail with this code.
fn refused(args: &[&str], code: i32) -> String {
    let output = endgame(args);
    let errors = String::from_utf8(output.stderr).expect("messages are UTF-8");
    assert_eq!(output.status.code(), Some(code), "{args:?}: {errors}");
    assert_eq!(errors.lines().count(), 1, "{args:?}: {errors}");
    errors
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// The finished tables of a folder.
fn tables(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path());
    let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "cet"));
    files.map(|path| (text(&path).rsplit('/').next().unwrap().to_owned(), fs::read(&path).unwrap())).collect()
}

#[test]
fn a_position_is_probed_with_its_moves() {
    let _machine = among_others();
    let fen = "3k5/9/9/9/9/9/9/9/R8/4K4 w - - 0 1";
    let answer = good(&["probe", "--fen", fen]);
    assert!(answer.starts_with("KRvK, Red to move: won\n"), "{answer}");
    assert!(answer.contains("\na1d1 won\n"), "{answer}");
    let answer: Value = serde_json::from_str(&good(&["probe", "--fen", fen, "--format", "json"])).unwrap();
    assert_eq!((&answer["class"], &answer["value"]), (&"KRvK".into(), &"won".into()));
    assert_eq!(answer["moves"].as_array().map(Vec::len), Some(19));
}

#[test]
fn the_embedded_tables_are_listed() {
    let _machine = among_others();
    let lines = good(&["list", "--format", "json"]);
    let rows: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 78);
    let rook = rows.iter().find(|row| row["class"] == "KRvKAABB").unwrap();
    assert_eq!((&rook["strong_to_move"]["wins"], &rook["strong_to_move"]["legal"]), (&295_047.into(), &359_766.into()));
    let table = good(&["list"]);
    let line = table.lines().find(|line| line.starts_with("KRvKAABB ")).unwrap();
    assert!(
        line.split_whitespace().collect::<Vec<_>>().starts_with(&["KRvKAABB", "578340", "295047", "64719"]),
        "{line}"
    );
}

#[test]
fn a_killed_build_goes_on_and_gives_the_same_bytes() {
    let _machine = among_others();
    let folder = tempfile::tempdir().unwrap();
    let [whole, killed] = ["whole", "killed"].map(|name| folder.path().join(name));
    assert!(good(&["build", "R v AAB", "-o", text(&whole)]).starts_with("6 tables in "));
    let mut process = Command::new(program())
        .args(["endgame", "build", "RvAAB", "--threads", "1", "-o", text(&killed)])
        .stdout(Stdio::null())
        .spawn()
        .expect("chuhe starts");
    let started = Instant::now();
    while tables_there(&killed) < 2 && started.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    process.kill().expect("it can be killed");
    process.wait().expect("it ends");
    good(&["build", "RvAAB", "-o", text(&killed)]);
    assert!(tables(&whole) == tables(&killed));
    assert_eq!(fs::read_dir(&killed).unwrap().count(), 6, "nothing unfinished is left");

    let report = good(&["verify", "--tables", text(&whole), "--sample", "2000"]);
    let (classes, end) = report.trim_end().rsplit_once('\n').expect("several lines");
    assert_eq!(classes.lines().count(), 6);
    assert!(classes.lines().all(|line| line.ends_with(" 0 wrong")), "{report}");
    assert_eq!(end, "6 tables checked, none wrong");
    let fen = "3ak4/4a4/4b4/9/9/9/9/9/4R4/3K5 w";
    let answer = good(&["probe", "--tables", text(&whole), "--fen", fen]);
    assert!(answer.starts_with("KRvKAAB, Red to move: won in "), "{answer}");
}

fn tables_there(folder: &Path) -> usize {
    fs::read_dir(folder).map_or(0, |files| {
        files.filter(|file| file.as_ref().is_ok_and(|file| text(&file.path()).ends_with(".cet"))).count()
    })
}

#[test]
fn what_cannot_be_done_is_told_in_a_line() {
    let _machine = among_others();
    let folder = tempfile::tempdir().unwrap();
    let path = text(folder.path());
    assert!(refused(&["build", "RxN", "-o", path], 2).contains("`RxN` is not a material class"));
    assert!(refused(&["build", "RCAABBvRAABB", "-o", path], 2).contains("too big"));
    assert!(refused(&["build", "--set", "huge", "-o", path], 2).contains("expected standard or large"));
    assert!(refused(&["verify", "PvP"], 2).contains("KPvKP"));
    assert!(refused(&["probe", "--fen", "nonsense"], 2).contains("--fen"));
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
    assert!(refused(&["probe", "--fen", start], 2).contains("no table has the class"));
    assert!(refused(&["list", "--tables", text(&folder.path().join("nowhere"))], 2).contains("cannot read"));

    good(&["build", "Rv", "-o", path]);
    let file = folder.path().join("KRvK.cet");
    let whole = fs::read(&file).unwrap();
    let mut damaged = whole.clone();
    damaged[100] ^= 1;
    let mut other = whole.clone();
    other[8] = 9;
    for (bytes, reason) in [(&whole[..whole.len() / 2], "cut off"), (&damaged, "checksum"), (&other, "version 9")] {
        fs::write(&file, bytes).unwrap();
        for args in [["build", "RvA", "-o", path], ["list", "--format=json", "--tables", path]] {
            let message = refused(&args, 2);
            assert!(message.contains("KRvK.cet") && message.contains(reason), "{message}");
        }
        assert!(fs::read(&file).unwrap() == bytes, "it is left as it was");
    }
}
