//! `chuhe convert`: from every format to every other, folders, faults and exit codes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use encoding_rs::{BIG5, GBK};
use serde_json::Value;
use tempfile::TempDir;

use crate::{program, run_with_input};

/// Runs `chuhe convert` with this on standard input.
fn convert(args: &[&str], input: &[u8]) -> Output {
    run_with_input("convert", args, input)
}

/// Standard output of a run that must succeed in silence.
fn good(args: &[&str], input: &[u8]) -> Vec<u8> {
    let output = convert(args, input);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{args:?}: {}: {errors}", output.status);
    output.stdout
}

/// Exit code and lines of standard error.
fn faults(args: &[&str], input: &[u8]) -> (Option<i32>, String) {
    let output = convert(args, input);
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn games(json: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(json).expect("JSON is UTF-8");
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))).collect()
}

/// Games as JSON without what they are called.
fn unnamed(json: &[u8]) -> Vec<Value> {
    let mut games = games(json);
    games.iter_mut().for_each(|game| drop(game.as_object_mut().expect("an object").remove("id")));
    games
}

fn data() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("records/tests/data")
}

fn file(name: &str) -> String {
    data().join(name).display().to_string()
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

/// The files below a folder with their contents.
fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("below it").display().to_string().replace('\\', "/");
                files.insert(name, fs::read(path).expect("readable"));
            }
        }
    }
    files
}

fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

/// A game with comments and variations, and one from a position that is set up.
const GAMES: &str = "[Game \"Chinese Chess\"]\n[Event \"赛\"]\n[Red \"许银川\"]\n[Black \"吕钦\"]\n[Result \"1-0\"]\n\n\
    {全局}\n1. 炮二平五 {好} (1. 兵七进一 卒7进1 (1. ... 炮2平3 {名局})) 1. ... 马8进7\n2. 马二进三 1-0\n\n\
    [Event \"残局\"]\n[FEN \"3k5/9/9/9/9/9/9/9/9/R3K4 b - - 0 1\"]\n[Result \"*\"]\n\n1. ... d9d8 2. 车九进八 *\n";

#[test]
fn every_file_of_the_cases_gives_its_game_in_json() {
    let cases = fs::read_to_string(file("expected.jsonl")).expect("the data are there");
    let mut read = 0;
    for case in cases.lines() {
        let case: Value = serde_json::from_str(case).expect("JSON");
        let name = case["file"].as_str().expect("a name");
        let games = games(&good(&[&file(name), "--to", "json"], b""));
        let [game] = &games[..] else { panic!("{name}: {} games", games.len()) };
        for key in ["start_fen", "moves", "result"] {
            assert_eq!(game[key], case[key], "{name}: {key}");
        }
        for (tag, key) in [("Red", "red"), ("Black", "black"), ("Event", "event"), ("Date", "date")] {
            assert!(case[key].is_null() || game["tags"][tag] == case[key], "{name}: {tag}: {game}");
        }
        assert_eq!(game["id"], format!("{}:1", file(name)));
        // From standard input too, which has no name.
        let bytes = fs::read(file(name)).expect("readable");
        assert_eq!(unnamed(&good(&["-", "--to", "json"], &bytes)), unnamed(&good(&[&file(name), "--to", "json"], b"")));
        read += 1;
    }
    assert!(read >= 20, "{read} files");
}

#[test]
fn formats_give_back_what_went_into_them() {
    let expected = unnamed(&good(&["--to", "json"], GAMES.as_bytes()));
    assert_eq!(expected[0]["variations"].as_array().map(Vec::len), Some(2));
    for args in [
        vec!["--to", "pgn"],
        vec!["--to", "pgn", "--notation", "chinese", "--script", "traditional"],
        vec!["--to", "pgn", "--notation", "wxf"],
        vec!["--to", "pgn", "--notation", "winboard", "--encoding", "gbk"],
        vec!["--to", "dhtmlxq", "--encoding", "gbk"],
        vec!["--to", "dhtmlxq"],
        vec!["--to", "json"],
    ] {
        let there = good(&args, GAMES.as_bytes());
        assert_eq!(
            unnamed(&good(&["--to", "json"], &there)),
            expected,
            "{args:?}: {}",
            String::from_utf8_lossy(&there)
        );
    }
    let folder = folder();
    let said = String::from_utf8(good(&["--to", "xqf", "-o", &path(&folder, "")], GAMES.as_bytes())).expect("UTF-8");
    assert_eq!(said, format!("2 games in 2 files in {}\n", path(&folder, "")));
    assert_eq!(tree(folder.path()).keys().collect::<Vec<_>>(), ["stdin-0001.xqf", "stdin-0002.xqf"]);
    assert_eq!(unnamed(&good(&[&path(&folder, ""), "--to", "json"], b"")), expected);
}

#[test]
fn text_holds_a_game_on_each_line() {
    let end = "3k5/9/9/9/9/9/9/9/9/R3K4 b - - 0 1 moves";
    for (to, options, first, second) in [
        ("iccs", &[][..], "H2-E2 H9-G7 H0-G2", "D9-D8 A0-A8"),
        ("wxf", &[], "C2=5 H8+7 H2+3", "K4+1 R9+8"),
        ("chinese", &[], "炮二平五 马8进7 马二进三", "将4进1 车九进八"),
        (
            "chinese",
            &["--script", "traditional", "--digits", "full-width"],
            "炮二平五 馬８進７ 馬二進三",
            "將４進１ 車九進八",
        ),
        ("chinese", &["--digits", "arabic", "--short"], "炮25 马87 马23", "将41 车9进8"),
    ] {
        let text = good(&[&["--to", to], options].concat(), GAMES.as_bytes());
        assert_eq!(String::from_utf8_lossy(&text), format!("{first}\n{end} {second}\n"), "{to} {options:?}");
        let moves = |json: Vec<u8>| games(&json).iter().map(|game| game["moves"].clone()).collect::<Vec<_>>();
        assert_eq!(moves(good(&["--to", "json"], &text)), moves(good(&["--to", "json"], GAMES.as_bytes())));
    }
    // Too short to show what they are.
    for line in ["startpos\n", "startpos moves H2-E2\n"] {
        assert_eq!(String::from_utf8_lossy(&good(&["--to", "iccs"], line.as_bytes())), line);
    }
}

#[test]
fn positions_of_a_game() {
    let starts =
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\n3k5/9/9/9/9/9/9/9/9/R3K4 b - - 0 1\n";
    assert_eq!(String::from_utf8_lossy(&good(&["--to", "fen"], GAMES.as_bytes())), starts);
    let ends = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b - - 3 2\n9/R2k5/9/9/9/9/9/9/9/4K4 b - - 2 2\n";
    assert_eq!(String::from_utf8_lossy(&good(&["--to", "fen", "--positions", "end"], GAMES.as_bytes())), ends);
    let all = good(&["--to", "fen", "--positions", "all"], GAMES.as_bytes());
    assert_eq!(String::from_utf8_lossy(&all).lines().count(), 4 + 3);
    assert_eq!(games(&good(&["--to", "json"], &all)).len(), 7);
}

#[test]
fn text_is_written_in_the_encoding_that_is_asked_for() {
    let pgn = good(&["--to", "pgn", "--encoding", "gbk"], GAMES.as_bytes());
    assert!(std::str::from_utf8(&pgn).is_err() && GBK.decode(&pgn).0.contains("[Red \"许银川\"]"));
    let args = ["--to", "pgn", "--encoding", "big5"];
    let output = convert(&args, GAMES.as_bytes());
    assert!(BIG5.decode(&output.stdout).0.contains("[Red \"?銀川\"]") || output.stdout.contains(&b'?'));
    assert_eq!(output.status.code(), Some(0));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.starts_with("chuhe: note: 2 games with characters that the encoding lacks"), "{message}");
    for (to, expected) in [("json", "JSON is always in UTF-8"), ("xqf", "XQF is always in GBK")] {
        let (code, message) = faults(&["--to", to, "--encoding", "gbk"], b"");
        assert_eq!((code, message), (Some(2), format!("chuhe: --encoding: {expected}\n")));
    }
}

#[test]
fn a_folder_is_converted_with_the_folders_in_it() {
    let folder = folder();
    let input = folder.path().join("in");
    fs::create_dir_all(input.join("sub/deep")).expect("a folder");
    for (name, case) in [
        ("a.xqf", "xqf10_written.xqf"),
        ("a.cbr", "cbr2_written_variations.cbr"),
        ("A.ubb", "dhtmlxq_variations.ubb"),
        ("sub/b.pgn", "pgn_iccs_format_tag.pgn"),
        ("sub/deep/c.TXT", "playok_game.txt"),
        (".hidden.xqf", "xqf10_written.xqf"),
        ("picture.png", "xqf10_written.xqf"),
    ] {
        fs::copy(file(case), input.join(name)).expect("a copy");
    }
    fs::write(input.join("page.html"), "<html>nothing here</html>").expect("written");
    // The results of an earlier run are no input.
    let output = input.join("out");
    fs::create_dir(&output).expect("a folder");
    fs::write(output.join("old.pgn"), "1. h2e2 *").expect("written");
    let args = [&input.display().to_string(), "--to", "json", "-o", &output.display().to_string()];
    let (code, message) = faults(&args, b"");
    assert_eq!((code, message.lines().count()), (Some(0), 1), "{message}");
    assert!(message.ends_with("page.html holds no games\n"), "{message}");
    let files = tree(&output);
    // Names that differ in case only are one file on some systems.
    assert_eq!(
        files.keys().collect::<Vec<_>>(),
        ["A.jsonl", "a_2.jsonl", "a_3.jsonl", "old.pgn", "sub/b.jsonl", "sub/deep/c.jsonl"]
    );
    let moves = |name: &str| games(&files[name])[0]["moves"].as_array().map(Vec::len);
    assert_eq!([moves("A.jsonl"), moves("a_2.jsonl"), moves("a_3.jsonl")], [Some(9), Some(60), Some(40)]);
    // The same again: what is there is replaced only if that is said.
    let (code, message) = faults(&args, b"");
    assert_eq!(code, Some(2));
    assert!(message.contains("A.jsonl already exists (--overwrite replaces it)"), "{message}");
    let again = [&args[..], &["--overwrite"]].concat();
    assert_eq!(faults(&again, b"").0, Some(0));
    assert_eq!(tree(&output), files);
    assert!(files.keys().all(|name| !name.ends_with(".part")));
    // All in one, in the order of names.
    let all = games(&good(&[&path(&folder, "in/sub"), &file("xqf10_written.xqf"), "--to", "json"], b""));
    let lengths: Vec<usize> = all.iter().map(|game| game["moves"].as_array().expect("moves").len()).collect();
    assert_eq!(lengths, [116, 66, 40]);
}

#[test]
fn files_of_others_are_left_alone() {
    let folder = folder();
    fs::create_dir(folder.path().join("out")).expect("a folder");
    fs::write(folder.path().join("out/game.pgn"), "mine").expect("written");
    fs::copy(file("xqf10_written.xqf"), folder.path().join("game.xqf")).expect("a copy");
    let (game, out) = (path(&folder, "game.xqf"), path(&folder, "out"));
    let (code, message) = faults(&[&game, "--to", "pgn", "-o", &out], b"");
    assert!(code == Some(2) && message.contains("game.pgn already exists"), "{message}");
    assert_eq!(tree(Path::new(&out))["game.pgn"], b"mine");
    good(&[&game, "--to", "pgn", "-o", &out, "--overwrite"], b"");
    let files = tree(Path::new(&out));
    assert_eq!(files.len(), 1);
    assert!(files["game.pgn"].starts_with(b"["));
    assert_eq!(faults(&[&game, "--to", "pgn", "--overwrite"], b"").0, Some(2), "there is nothing to replace");
}

#[test]
fn names_that_xqf_has_no_room_for_are_told() {
    let folder = folder();
    let game = format!("[Red \"{}\"]\n\n1. h2e2 *\n", "许银川".repeat(20));
    let (code, message) = faults(&["--to", "xqf", "-o", &path(&folder, "")], game.as_bytes());
    assert_eq!(code, Some(0));
    assert_eq!(message, "chuhe: note: 1 game with tags cut short to fit into XQF, first Red of stdin:1\n");
}

#[test]
fn big5_has_traditional_characters() {
    let text = "1. 炮二平五 马8进7\n";
    let written = good(&["--to", "chinese", "--encoding", "big5"], text.as_bytes());
    assert_eq!(BIG5.decode(&written).0, "startpos moves 炮二平五 馬8進7\n");
    let (code, message) = faults(&["--to", "chinese", "--encoding", "big5", "--script", "simplified"], b"");
    assert!(code == Some(2) && message.contains("simplified"), "{message}");
}

#[test]
fn damaged_text_is_told_with_line_and_words() {
    let text = "1. 炮二平五 马8进7\n2. 马二进三 车9平8\n3. 车一平二 马2进3\n4. 军二进六 卒7进1\n5. 兵七进一 炮8平9\n";
    let (code, message) = faults(&["--to", "json"], text.as_bytes());
    assert_eq!(code, Some(1));
    assert!(message.starts_with("chuhe: stdin:1: game 1, line 4, ply 7: found `军二进六`"), "{message}");
    // Times and other remarks in brackets are no moves.
    good(&["--to", "json"], "1. 炮二平五 (时间 00:12) 马8进7 *\n".as_bytes());
}

#[test]
fn files_that_are_read_are_never_written() {
    let folder = folder();
    let here = path(&folder, "");
    fs::copy(file("pgn_wxf_format_tag.pgn"), folder.path().join("a.pgn")).expect("a copy");
    fs::copy(file("pgn_iccs_format_tag.pgn"), folder.path().join("b.pgn")).expect("a copy");
    let before = tree(folder.path());
    good(&[&path(&folder, "a.pgn"), &path(&folder, "b.pgn"), "--to", "pgn", "-o", &here], b"");
    let after = tree(folder.path());
    assert_eq!(after.keys().collect::<Vec<_>>(), ["a.pgn", "a_2.pgn", "b.pgn", "b_2.pgn"]);
    assert!(before.iter().all(|(name, bytes)| &after[name] == bytes));
    assert!(String::from_utf8_lossy(&after["a_2.pgn"]).contains("[Format \"ICCS\"]"));
    // The same file twice is written twice.
    let out = path(&folder, "out");
    good(&[&path(&folder, "a.pgn"), &path(&folder, "a.pgn"), "--to", "fen", "-o", &out], b"");
    assert_eq!(tree(Path::new(&out)).keys().collect::<Vec<_>>(), ["a.fen", "a_2.fen"]);
}

#[test]
fn damaged_games_are_told_and_kept_as_far_as_they_go() {
    let text = "[Red \"A\"]\n\n1. h2e2 h9g7\n2. h2e2 *\n\n[Red \"B\"]\n\n1. h2e2 *\n\n[FEN \"9/9\"]\n\n*\n";
    let output = convert(&["--to", "json"], text.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = errors.lines().collect();
    assert_eq!(
        lines,
        [
            "chuhe: stdin:1: game 1, line 4, ply 3: found `h2e2`, expected a legal move of Red",
            "chuhe: stdin:3: game 3, line 10: tag FEN: board field: found 2 ranks, expected 10",
            "chuhe: 2 of 3 games damaged, 3 written",
        ]
    );
    let games = games(&output.stdout);
    assert_eq!((games[0]["moves"].as_array().map(Vec::len), games[1]["tags"]["Red"].as_str()), (Some(2), Some("B")));
    assert_eq!(games[0]["error"], "game 1, line 4, ply 3: found `h2e2`, expected a legal move of Red");
    assert!(games[1].get("error").is_none());

    // A file cut short names file, game, move and reason.
    let folder = folder();
    let whole = fs::read(file("xqf10_written.xqf")).expect("readable");
    fs::write(folder.path().join("cut.xqf"), &whole[..1100]).expect("written");
    let (code, message) = faults(&[&path(&folder, "cut.xqf"), "--to", "pgn"], b"");
    let expected = format!("chuhe: {}:1: ply 8: the data end after 1100 bytes, expected ", path(&folder, "cut.xqf"));
    assert!(code == Some(1) && message.starts_with(&expected), "{message}");

    // Variations that cannot be played are noted.
    let (code, message) = faults(&["--to", "pgn"], b"1. h2e2 (1. a0a9) h9g7 *");
    assert_eq!(code, Some(0));
    assert!(message.starts_with("chuhe: note: unplayable variations of 1 game are incomplete"), "{message}");
}

#[test]
fn many_faults_of_one_file_are_counted() {
    let text = "[Red \"A\"]\n\n1. h2e2 h2e2 *\n\n".repeat(500) + "[Red \"B\"]\n\n1. h2e2 *\n";
    let (code, message) = faults(&["--to", "iccs"], text.as_bytes());
    let lines: Vec<&str> = message.lines().collect();
    assert_eq!((code, lines.len()), (Some(1), 22));
    assert_eq!(lines[20], "chuhe: 480 more damaged games in files that have more than 20 of them");
    assert_eq!(lines[21], "chuhe: 500 of 501 games damaged, 501 written");
}

#[test]
fn what_cannot_be_read_keeps_nothing_else_from_being_converted() {
    let folder = folder();
    fs::write(folder.path().join("junk.bin"), b"\x7fELF\0\0\0\0").expect("written");
    let (missing, junk) = (path(&folder, "missing.pgn"), path(&folder, "junk.bin"));
    let output = convert(&[&missing, &junk, &file("xqf10_written.xqf"), "--to", "json"], b"");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), errors.lines().count()), (Some(2), 2), "{errors}");
    assert!(errors.contains("cannot read") && errors.contains("it holds no games in a known format"), "{errors}");
    assert_eq!(games(&output.stdout).len(), 1);
    for (args, code, expected) in [
        (&["--to", "json"][..], 1, "note: stdin holds no games\nchuhe: no games found"),
        (&["--to", "word"], 2, "invalid value 'word'"),
        (&[], 2, "--to"),
        (&["--to", "json", "-o", &file("expected.jsonl")], 2, "cannot make the folder"),
    ] {
        let (found, message) = faults(args, b"");
        assert!(found == Some(code) && message.contains(expected), "{args:?}: {message}");
    }
    let (code, message) = faults(&["--to", "xqf"], GAMES.as_bytes());
    assert_eq!(
        (code, message.as_str()),
        (Some(2), "chuhe: an XQF file holds one game, and there are several: choose a folder with -o\n")
    );
    let alone = good(&[&file("cbr2_written_variations.cbr"), "--to", "xqf"], b"");
    assert!(alone.starts_with(b"XQ\x0a"));
    // What a format cannot hold is a fault of that game.
    let pawns = "3k5/9/9/9/PPPPPP3/9/9/9/9/4K4 w\nstartpos\n";
    let (code, message) = faults(&["--to", "xqf", "-o", &path(&folder, "out")], pawns.as_bytes());
    assert!(code == Some(1) && message.starts_with("chuhe: stdin:1: the start position has more pieces"), "{message}");
    assert_eq!(tree(&folder.path().join("out")).len(), 1);
}

#[test]
fn thousands_of_games_keep_their_order() {
    let text: String = (0..5_000).map(|number| format!("[Event \"{number}\"]\n\n1. h2e2 h9g7 *\n\n")).collect();
    let games = games(&good(&["--to", "json"], text.as_bytes()));
    let events: Vec<&str> = games.iter().map(|game| game["tags"]["Event"].as_str().expect("a tag")).collect();
    assert_eq!(events, (0..5_000).map(|number| number.to_string()).collect::<Vec<_>>());
}

#[test]
fn closed_output_is_no_fault() {
    let mut process = Command::new(program())
        .args(["convert", "--to", "json", &file("xqf10_written.xqf")])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("chuhe starts");
    drop(process.stdout.take());
    let output = process.wait_with_output().expect("chuhe ends");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}
