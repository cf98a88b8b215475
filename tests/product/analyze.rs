//! `chuhe analyze`: the contract of its results, and what is left of runs that end early.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::{among_others, program};

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(program());
    command.arg("analyze").args(args).env_remove("RUST_LOG");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs `chuhe analyze` with this on standard input.
fn analyze(args: &[&str], input: &str) -> Output {
    let mut process = command(args).spawn().expect("chuhe starts");
    let mut pipe = process.stdin.take().expect("piped");
    let input = input.to_owned();
    // A program that refuses its arguments reads nothing.
    let writer = std::thread::spawn(move || drop(pipe.write_all(input.as_bytes())));
    let output = process.wait_with_output().expect("chuhe ends");
    writer.join().expect("the writer ends");
    output
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Standard output of a run that must succeed in silence.
fn good(args: &[&str], input: &str) -> String {
    let output = analyze(args, input);
    assert!(output.status.success() && errors(&output).is_empty(), "{args:?}: {}: {}", output.status, errors(&output));
    String::from_utf8(output.stdout).expect("results are UTF-8")
}

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))).collect()
}

/// The objects of a run in JSON, its exit code, and what it said on standard error.
fn answers(args: &[&str], input: &str) -> (Vec<Value>, Option<i32>, String) {
    let output = analyze(&[args, &["--format", "json"]].concat(), input);
    (objects(&String::from_utf8_lossy(&output.stdout)), output.status.code(), errors(&output))
}

/// A quick search that is the same everywhere.
const QUICK: [&str; 2] = ["--nodes", "3000"];

fn quick<'a>(args: &[&'a str]) -> Vec<&'a str> {
    [&QUICK, args].concat()
}

/// Black lets a rook mate that he could have taken; Red mates.
const BLUNDER: &str = "position fen 4k4/R8/9/4p4/2r6/9/9/9/9/2R1K4 b - - 0 1 moves c5i5 c0c9";
const OPENING: &str = "position startpos moves h2e2 h9g7 h0g2 i9h9 i0h0 b9c7";
const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
const MATED: &str = "1R2k4/R8/9/9/9/9/9/9/9/3K5 b - - 1 1";
const MATE_IN_1: &str = "4k4/R8/1R7/9/9/9/9/9/9/3K5 w - - 0 1";

/// Three short games, the second of which has an illegal move.
const PGN: &str = "[Event \"Cup\"]\n[Red \"胡荣华\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n\
    1. 炮二平五 马8进7 2. 马二进三 车9平8 1-0\n\n\
    [Event \"Cup\"]\n\n1. h2e2 h9g7 2. e2e9 *\n\n\
    [Event \"Cup\"]\n\n1. H2-E2 H9-G7 *\n";

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn path(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

fn written(folder: &tempfile::TempDir, name: &str, text: &str) -> String {
    let path = path(folder, name);
    fs::create_dir_all(Path::new(&path).parent().expect("a folder")).expect("it can be made");
    fs::write(&path, text).expect("it can be written");
    path
}

/// The names of the files in a folder, in order.
fn files(path: &str) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(path)
        .expect("it is there")
        .map(|entry| entry.expect("it can be read").file_name().into_string().expect("UTF-8"))
        .collect();
    names.sort();
    names
}

#[test]
fn mates_and_blunders_are_told() {
    let _machine = among_others();
    let (games, code, errors) = answers(&["--nodes", "20000"], BLUNDER);
    assert_eq!((games.len(), code, errors.as_str()), (1, Some(0), ""));
    let game = &games[0];
    let [blunder, mate] = [&game["moves"][0], &game["moves"][1]];
    assert_eq!((&blunder["judgement"], &blunder["mate"]), (&json!("blunder"), &json!({"allowed": 1})));
    assert_eq!((&blunder["score"], &blunder["lines"][0]["pv"][0]), (&json!({"mate": -1}), &json!("c5c0")));
    assert_eq!(
        (&mate["score"], &mate["mate"], &mate["loss"]),
        (&json!({"mate": 1}), &json!({"found": 1}), &json!(0.0))
    );
    assert_eq!((&game["ruling"]["ended_by"], &game["ruling"]["loser"]), (&json!("checkmate"), &json!("black")));
    assert_eq!(
        (&game["players"]["black"]["blunders"], &game["players"]["red"]["accuracy"]),
        (&json!(1), &json!(100.0))
    );
}

#[test]
fn the_judge_is_asked() {
    let _machine = among_others();
    // World Xiangqi Federation manual, diagram 1: the rook checks for ever.
    let line = json!({
        "id": "diagram 1", "fen": "c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1",
        "moves": "h8h9 f9f8 h9h8 f8f9 h8h9 f9f8 h9h8 f8f9",
    });
    let (games, code, _) = answers(&quick(&[]), &line.to_string());
    assert_eq!((&games[0]["id"], code), (&json!("diagram 1"), Some(0)));
    let ruling = &games[0]["ruling"];
    assert_eq!((&ruling["verdict"], &ruling["ruleset"]), (&json!("red_loses"), &json!("axf")));
    assert_eq!(games[0]["moves"][7]["score"], json!({"rule": 1}), "the last move has won");
    let mut line = line;
    line["ruleset"] = json!("alwaysdraw");
    let (games, ..) = answers(&quick(&[]), &line.to_string());
    assert_eq!(games[0]["ruling"]["verdict"], json!("draw"));
    assert_eq!(games[0]["moves"][7]["wdl"], json!([0, 1000, 0]));
}

/// All keys of an object and of what is in it, as `moves.lines.pv`.
fn keys(value: &Value, at: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                found.insert(key.clone());
                keys(value, &format!("{at}.{key}"), found);
            }
        }
        Value::Array(list) => list.iter().for_each(|value| keys(value, at, found)),
        _ => {}
    }
}

#[test]
fn every_key_is_in_the_schema_and_every_key_of_the_schema_is_used() {
    let _machine = among_others();
    let docs = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/analysis.md")).expect("the page");
    let schema = docs.split("\n## JSON\n").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("a section");
    let mut found = BTreeSet::new();
    let input = format!("{BLUNDER}\n{OPENING}\n{MATE_IN_1}\nno move\n");
    let (lines, code, _) = answers(&quick(&["--multipv", "2"]), &input);
    assert_eq!((lines.len(), code), (4, Some(1)));
    lines.iter().for_each(|line| keys(line, "", &mut found));
    let words = |text: &str| {
        let quoted = text.split('`').skip(1).step_by(2);
        quoted.flat_map(|code| code.split(['{', '}', ':', '"', ' ', ','])).map(str::to_owned).collect::<BTreeSet<_>>()
    };
    let documented = words(schema);
    let missing: Vec<_> = found.difference(&documented).collect();
    assert!(missing.is_empty(), "not in docs/analysis.md: {missing:?}");
    // The first column of the tables holds keys only.
    let first_column = schema.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    let named: BTreeSet<String> = first_column.flat_map(|cell| words(&format!("`{cell}"))).collect();
    let unused: Vec<_> = named.iter().filter(|key| !key.is_empty() && !found.contains(*key)).collect();
    assert!(named.len() > 40 && unused.is_empty(), "only in docs/analysis.md: {unused:?}");
}

#[test]
fn a_line_that_is_a_position_is_answered_before_the_next_is_written() {
    let _machine = among_others();
    let args = [&QUICK[..], &["--lines", "--format", "json", "--multipv", "2", "--jobs", "2"]].concat();
    let mut process = command(&args).spawn().expect("chuhe starts");
    let mut input = process.stdin.take().expect("piped");
    let mut output = BufReader::new(process.stdout.take().expect("piped"));
    let mut ask = |line: &str| {
        writeln!(input, "{line}").and_then(|()| input.flush()).expect("chuhe reads");
        let mut answer = String::new();
        output.read_line(&mut answer).expect("chuhe answers");
        serde_json::from_str::<Value>(&answer).unwrap_or_else(|error| panic!("{answer}: {error}"))
    };
    // Not even a first line that is nothing is taken for the beginning of a file.
    assert!(ask("nothing")["error"].is_string());
    let answer = ask(MATE_IN_1);
    assert_eq!(
        (&answer["id"], &answer["fen"], &answer["best"]),
        (&json!("stdin:2"), &json!(MATE_IN_1), &json!("b7b9"))
    );
    assert_eq!((&answer["score"], answer["lines"].as_array().map(Vec::len)), (&json!({"mate": 1}), Some(2)));
    let answer = ask("4k4/R8/1R7/9/9 w");
    assert!(answer["error"].as_str().is_some_and(|error| error.contains("position")), "{answer}");
    let answer = ask(MATED);
    assert_eq!(
        (&answer["best"], &answer["ended_by"], &answer["nodes"]),
        (&Value::Null, &json!("checkmate"), &json!(0))
    );
    let answer = ask(OPENING);
    assert_eq!(answer["moves"].as_array().map(Vec::len), Some(6));
    assert_eq!(answer["moves"][0]["book"], true);
    drop(input);
    let output = process.wait_with_output().expect("chuhe ends");
    assert_eq!(output.status.code(), Some(1), "two lines were no positions");
    assert!(errors(&output).contains("2 of 5 games could not be analyzed"), "{}", errors(&output));
}

#[test]
fn results_are_the_same_whatever_the_number_of_jobs() {
    let _machine = among_others();
    let input: String = (0..6).flat_map(|_| [BLUNDER, OPENING, MATE_IN_1]).map(|line| format!("{line}\n")).collect();
    let run = |jobs| good(&quick(&["--format", "json", "--multipv", "2", "--jobs", jobs]), &input);
    let alone = run("1");
    assert_eq!(alone.lines().count(), 18);
    assert_eq!(alone, run("3"));
    // Nor does it matter what was analyzed before.
    let without_id = |line: &Value| {
        let mut line = line.clone();
        line["id"] = Value::Null;
        line
    };
    let lines = objects(&alone);
    assert_eq!(without_id(&lines[1]), without_id(&lines[16]));
}

#[test]
fn a_bad_game_keeps_no_other_from_being_analyzed() {
    let _machine = among_others();
    let here = folder();
    let cup = written(&here, "cup.pgn", PGN);
    let (games, code, said) = answers(&quick(&[&cup]), "");
    assert_eq!((games.len(), code), (3, Some(1)));
    assert_eq!(games[0]["red"], "胡荣华");
    let error = games[1]["error"].as_str().expect("an error");
    assert!(games[1]["id"] == json!(format!("{cup}:2")) && error.contains("e2e9"), "{}", games[1]);
    assert_eq!(games[1]["moves"].as_array().map(Vec::len), Some(2), "as far as it could be read");
    assert_eq!(games[2]["moves"].as_array().map(Vec::len), Some(2));
    let damaged = "1 of 3 games is damaged and analyzed up to the damage";
    assert_eq!(said, format!("chuhe: {damaged}\n"));

    // All forms say it.
    for form in ["text", "csv", "pgn", "html"] {
        let output = analyze(&quick(&[&cup, "--format", form]), "");
        assert_eq!((output.status.code(), errors(&output)), (Some(1), format!("chuhe: {damaged}\n")), "{form}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("e2e9"), "{form}");
    }
    // So does what `chuhe convert` has made of it, and what stands in a folder, each time.
    let converted = Command::new(program()).args(["convert", "--to", "json", &cup]).output().expect("chuhe ends");
    let (again, code, said) = answers(&quick(&[]), &String::from_utf8_lossy(&converted.stdout));
    assert_eq!((&again[1]["error"], code), (&games[1]["error"], Some(1)));
    assert!(again[1]["moves"] == games[1]["moves"] && said.contains(damaged), "{said}");
    let out = path(&here, "out");
    for resume in [None, Some("--resume"), Some("--resume")] {
        let args = [&quick(&[&cup, "-o", &out, "--format", "json"])[..], resume.as_slice()].concat();
        let output = analyze(&args, "");
        assert_eq!(output.status.code(), Some(1));
        assert!(errors(&output).contains("cup.pgn:2: ") && errors(&output).contains(damaged), "{}", errors(&output));
        assert_eq!(files(&out), ["cup-0001.json", "cup-0002.json", "cup-0003.json", "journal.jsonl"]);
    }
    let missing = path(&here, "missing.pgn");
    let (games, code, said) = answers(&quick(&[&missing, &cup]), "");
    assert_eq!((games.len(), code), (3, Some(2)));
    assert!(said.contains("cannot read") && said.contains("missing.pgn"), "{said}");
}

#[test]
fn bad_arguments_get_one_line() {
    let _machine = among_others();
    let here = folder();
    let broken = written(&here, "book", "no book");
    for (args, words) in [
        (&["--nodes", "0"][..], "--nodes"),
        (&["--multipv", "0"], "--multipv"),
        (&["--jobs", "0"], "--jobs"),
        (&["--jobs", "1000"], "--jobs"),
        (&["--lang", "de"], "--lang"),
        (&["--format", "xml"], "--format"),
        (&["--format", "json,csv"], "-o"),
        (&["--resume"], "--output"),
        (&["--lines", "games.pgn"], "--lines"),
        (&["--rules", "chess"], "--rules"),
        (&["--book", &broken], "--book"),
        (&["--engine", "no-such-engine-anywhere"], "no-such-engine-anywhere"),
        (&["--engine", "cat", "--threads", "2"], "--threads"),
        (&["--engine", "'"], "quotation mark"),
        (&["--engine", "cmd=x colour=red"], "colour"),
        (&["--evalfile", &broken], "--evalfile"),
    ] {
        let output = analyze(args, "");
        let said = errors(&output);
        assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{args:?}: {said}");
        assert!(said.starts_with("chuhe: ") && said.contains(words), "{args:?}: {said}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
    let (games, code, said) = answers(&[], "");
    assert_eq!((games.len(), code), (0, Some(1)));
    assert!(said.contains("no games found"), "{said}");
}

#[test]
fn a_folder_may_be_empty_or_hold_nothing_good() {
    let _machine = among_others();
    let here = folder();
    let (games, out) = (path(&here, "games"), path(&here, "out"));
    fs::create_dir(&games).expect("it can be made");
    let run = |args: &[&str]| answers(&[&[games.as_str()], args].concat(), "");
    let (results, code, said) = run(&[]);
    assert_eq!((results.len(), code, said.as_str()), (0, Some(1), "chuhe: no games found\n"));
    written(&here, "games/broken.pgn", "[Event \"x\"]\n\n1. h2h2 *\n");
    let (results, code, said) = run(&[]);
    assert_eq!((results.len(), code), (1, Some(1)));
    assert!(results[0]["error"].is_string() && said.contains("1 of 1 game could not be analyzed"), "{said}");
    // It is told each time, and there is nothing to keep.
    for args in [&["-o", &out][..], &["-o", &out, "--resume"]] {
        let (results, code, said) = run(args);
        assert_eq!((results.len(), code), (0, Some(1)));
        assert!(said.contains("broken.pgn:1: ") && said.contains("1 of 1 game "), "{said}");
        assert_eq!(files(&out), ["journal.jsonl"]);
    }
}

/// Names as old Chinese systems wrote them: they cannot be told apart by those of their characters that are in UTF-8.
#[cfg(target_os = "linux")]
#[test]
fn files_with_names_in_gbk_are_told_apart() {
    use std::os::unix::ffi::OsStrExt as _;

    let _machine = among_others();
    let here = folder();
    let (games, out) = (path(&here, "games"), path(&here, "out"));
    fs::create_dir(&games).expect("it can be made");
    for (name, game) in [("对局一.pgn", "1. h2e2 *"), ("对局二.pgn", "1. b2e2 *")] {
        let (name, ..) = encoding_rs::GBK.encode(name);
        let path = Path::new(&games).join(std::ffi::OsStr::from_bytes(&name));
        fs::write(path, game).expect("it can be written");
    }
    let args = ["--nodes", "100", &games, "-o", &out, "--format", "json"];
    good(&args, "");
    let names = ["对局一-0001.json", "对局二-0001.json"];
    let mut made = files(&out);
    made.retain(|name| name != "journal.jsonl");
    assert_eq!(made, names);
    let game = fs::read_to_string(Path::new(&out).join(names[1])).expect("a game");
    assert!(game.contains("对局二.pgn:1") && game.contains("b2e2"), "{game}");
    // Both are known to be done.
    names.iter().for_each(|name| fs::write(Path::new(&out).join(name), "kept").expect("it can be written"));
    good(&[&args[..], &["--resume"]].concat(), "");
    for name in names {
        assert_eq!(fs::read_to_string(Path::new(&out).join(name)).expect("a game"), "kept");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_gets_one_line_and_costs_nothing_that_is_done() {
    let _machine = among_others();
    let here = folder();
    let full = fs::File::options().write(true).open("/dev/full").expect("a full disk");
    let input = written(&here, "game.jsonl", r#"{"moves": "h2e2 h9g7 h0g2"}"#);
    let run = command(&quick(&[&input])).stdout(full).output().expect("chuhe ends");
    let said = errors(&run);
    assert_eq!((run.status.code(), said.lines().count()), (Some(2), 1), "{said}");
    assert!(said.contains("No space left"), "{said}");

    // No file may grow beyond a kilobyte: less than such a game takes.
    let out = path(&here, "out");
    let words = [&QUICK[..], &["-o", &out, "--format", "json", &input]].concat().join("' '");
    let program = program().into_string().expect("UTF-8");
    let script = format!("trap '' XFSZ; ulimit -f 2; exec '{program}' analyze '{words}'");
    let run = Command::new("sh").args(["-c", &script]).output().expect("sh starts");
    let said = errors(&run);
    assert_eq!((run.status.code(), said.lines().count()), (Some(2), 1), "{said}");
    assert!(said.contains("cannot write") && said.contains("game-0001.json"), "{said}");
    // Nothing that is not whole is taken for a result, and once there is room the run goes on.
    good(&quick(&["-o", &out, "--format", "json", &input, "--resume"]), "");
    assert_eq!(files(&out), ["game-0001.json", "journal.jsonl"]);
    assert_eq!(objects(&fs::read_to_string(Path::new(&out).join("game-0001.json")).expect("a game")).len(), 1);
}

#[test]
fn each_form_is_what_it_says() {
    let _machine = among_others();
    let text = good(&quick(&[]), &format!("{BLUNDER}\n{MATE_IN_1}\n"));
    assert!(text.contains("stdin:1") && text.contains("车3平9") && text.contains("blunder, lost "), "{text}");
    assert!(text.contains("stdin:2  4k4/R8/1R7") && text.contains("车八进二"), "{text}");
    assert!(good(&quick(&["--notation", "wxf"]), BLUNDER).contains("R3=9"));

    let csv = good(&quick(&["--format", "csv"]), &format!("{OPENING}\n{BLUNDER}\n"));
    assert_eq!(csv.lines().count(), 1 + 6 + 2);
    assert_eq!(csv.matches("game,ply,").count(), 1, "one header: {csv}");
    // A position that is over has its row, and so has one that is none.
    let rows = analyze(&quick(&["--format", "csv", "--lines"]), &format!("{MATED}\n4k4/9/9/9/9/9/9/9/9/4K4 w\n"));
    let csv = String::from_utf8_lossy(&rows.stdout);
    assert!(csv.lines().count() == 3 && csv.contains(",checkmate,") && csv.contains("start position: "), "{csv}");

    let page = good(&quick(&["--format", "html"]), &format!("{OPENING}\n{BLUNDER}\n"));
    assert!(page.starts_with("<!DOCTYPE html>") && page.matches("<html").count() == 1, "one page");
    let games = page.split("id=\"games\">").nth(1).and_then(|rest| rest.split("</script>").next()).expect("games");
    let games: Value = serde_json::from_str(games).expect("JSON");
    assert_eq!(games.as_array().map(Vec::len), Some(2));
    assert_eq!((&games[1]["moves"], &games[1]["scores"]), (&json!("c5i5c0c9"), &json!(["#1", "#1"])));

    let pgn = good(&quick(&["--format", "pgn"]), &format!("{OPENING}\n{BLUNDER}\n"));
    assert_eq!(pgn.matches("[Annotator \"Chuhe ").count(), 2, "{pgn}");
    assert!(pgn.contains("C5-I5 $4 {-M2/"), "{pgn}");
    // And can be analyzed again: it is the same game.
    let again = objects(&good(&quick(&["--format", "json"]), &pgn));
    assert_eq!(again.iter().map(|game| game["moves"].as_array().map(Vec::len)).collect::<Vec<_>>(), [Some(6), Some(2)]);
}

#[test]
fn files_of_every_kind_are_analyzed() {
    let _machine = among_others();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("records/tests/data");
    let cases = fs::read_to_string(data.join("expected.jsonl")).expect("the cases are there");
    let cases = objects(&cases);
    let files: Vec<String> =
        cases.iter().map(|case| data.join(case["file"].as_str().expect("a name")).display().to_string()).collect();
    let args: Vec<&str> = ["--nodes", "100"].into_iter().chain(files.iter().map(String::as_str)).collect();
    let (games, code, said) = answers(&args, "");
    assert_eq!((games.len(), code, said.as_str()), (cases.len(), Some(0), ""));
    for (game, case) in games.iter().zip(&cases) {
        let moves: Vec<&Value> =
            game["moves"].as_array().expect("a list").iter().map(|played| &played["move"]).collect();
        assert_eq!(moves, case["moves"].as_array().expect("a list").iter().collect::<Vec<_>>(), "{}", case["file"]);
        assert_eq!((&game["start_fen"], &game["result"]), (&case["start_fen"], &case["result"]), "{}", case["file"]);
    }
    // Liu Dahua against Liu Yici in the championship of China: screen horses against the central cannon are C in ECCO.
    let famous = games.iter().find(|game| game["red"] == "LIU DaHua").expect("it is among them");
    assert_eq!((&famous["black"], famous["moves"].as_array().map(Vec::len)), (&json!("LIU YiCi"), Some(95)));
    assert!(famous["opening"]["code"].as_str().is_some_and(|code| code.starts_with('C')), "{}", famous["opening"]);
    assert_eq!(famous["moves"][0]["chinese"], "炮二平五");
}

#[test]
fn folders_in_and_out() {
    let _machine = among_others();
    let here = folder();
    written(&here, "in/b/cup.pgn", "[Event \"x\"]\n\n1. h2e2 h9g7 *\n\n[Event \"x\"]\n\n1. b2e2 *\n");
    written(&here, "in/a.jsonl", &json!({"id": "own/id", "moves": "h2e2"}).to_string());
    written(&here, "in/CUP.PGN", "1. h0g2 *\n");
    written(&here, "in/notes.doc", "no game");
    let (input, out) = (path(&here, "in"), path(&here, "out"));
    let said = good(&quick(&[&input, "-o", &out, "--format", "json,html", "--jobs", "1"]), "");
    assert_eq!(said, format!("4 games analyzed, in {out}\n"));
    assert_eq!(files(&out), ["CUP-0001.html", "CUP-0001.json", "a-0001.html", "a-0001.json", "b", "journal.jsonl"]);
    let below = path(&here, "out/b");
    assert_eq!(files(&below), ["cup-0001.html", "cup-0001.json", "cup-0002.html", "cup-0002.json"]);
    let game = |name: &str| objects(&fs::read_to_string(Path::new(&out).join(name)).expect("it is there")).remove(0);
    let first = game("b/cup-0001.json");
    assert!(first["id"].as_str().is_some_and(|id| id.ends_with("cup.pgn:1")), "{first}");
    assert_eq!(first["moves"][1]["move"], "h9g7");
    assert_eq!(game("a-0001.json")["id"], "own/id");
    let page = fs::read_to_string(Path::new(&below).join("cup-0001.html")).expect("it is there");
    assert!(page.contains("h2e2h9g7") && page.contains("cup.pgn:1"));

    // Files of one name from several folders; and what was written is no input when the folder is read again.
    let (one, other) = (path(&here, "in/b/cup.pgn"), written(&here, "in/c/cup.pgn", "1. c3c4 *"));
    let out = path(&here, "in/out");
    good(&quick(&[&one, &other, "-o", &out, "--format", "pgn"]), "");
    assert_eq!(files(&out), ["cup-0001.pgn", "cup-0002.pgn", "cup_2-0001.pgn", "journal.jsonl"]);
    good(&quick(&[&input, "-o", &out, "--format", "pgn", "--resume"]), "");
    // What is done is not done again under another name, and no name is taken twice whatever the case.
    let names = ["CUP-0001_2.pgn", "a-0001.pgn", "cup-0001.pgn", "cup-0002.pgn", "cup_2-0001.pgn", "journal.jsonl"];
    assert_eq!(files(&out), names);
}

#[test]
fn a_file_of_somebody_else_stays() {
    let _machine = among_others();
    let here = folder();
    let cup = written(&here, "cup.pgn", "1. h2e2 h9g7 *\n");
    let mine = written(&here, "out/cup-0001.pgn", "mine");
    let out = path(&here, "out");
    let args = quick(&[&cup, "-o", &out, "--format", "json,pgn"]);
    let output = analyze(&args, "");
    assert!(output.status.success(), "{}", errors(&output));
    assert!(errors(&output).contains("cup-0001.pgn already exists"), "{}", errors(&output));
    let names = ["cup-0001.pgn", "cup-0001_2.json", "cup-0001_2.pgn", "journal.jsonl"];
    assert_eq!(files(&out), names);
    // What a run that was killed has left is its own.
    let journal = path(&here, "out/journal.jsonl");
    let text = fs::read_to_string(&journal).expect("a journal");
    let begun: Vec<&str> = text.lines().take(2).collect();
    fs::write(&journal, format!("{}\n", begun.join("\n"))).expect("it can be written");
    assert!(analyze(&[&args[..], &["--resume"]].concat(), "").status.success());
    assert_eq!(files(&out), names);
    assert_eq!(fs::read_to_string(mine).expect("it is there"), "mine");
}

#[test]
fn a_folder_is_gone_on_with_only_when_asked_and_by_the_same_run() {
    let _machine = among_others();
    let here = folder();
    let cup = written(&here, "cup.pgn", "1. h2e2 h9g7 *\n\n[Event \"x\"]\n\n1. b2e2 *\n");
    let out = path(&here, "out");
    let run = |args: &[&str]| analyze(&[&quick(&[&cup, "-o", &out, "--format", "json"])[..], args].concat(), "");
    assert!(run(&["--resume"]).status.success(), "a script can always say it");
    let refused = run(&[]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(errors(&refused).contains("--resume"), "{}", errors(&refused));
    for (args, words) in [
        (["--resume", "--depth", "3"], "limits"),
        (["--resume", "--multipv", "2"], "multipv"),
        (["--resume", "--rules", "cxa"], "rules"),
        (["--resume", "--evalfile", "<none>"], "engine"),
        (["--resume", "--hash", "8"], "hash"),
    ] {
        let refused = run(&args);
        assert_eq!(refused.status.code(), Some(2));
        assert!(errors(&refused).contains(words), "{}", errors(&refused));
    }
    // What is there is kept; what is missing or has changed, or is new, is done.
    let file = |name: &str| Path::new(&out).join(name);
    fs::write(file("cup-0001.json"), "mine").unwrap();
    fs::remove_file(file("cup-0002.json")).unwrap();
    assert!(run(&["--resume"]).status.success());
    assert_eq!(fs::read_to_string(file("cup-0001.json")).unwrap(), "mine");
    assert!(file("cup-0002.json").is_file());
    written(&here, "cup.pgn", "1. h2e2 b9c7 *\n\n[Event \"x\"]\n\n1. b2e2 *\n\n[Event \"x\"]\n\n1. c3c4 *\n");
    assert!(run(&["--resume"]).status.success());
    assert!(fs::read_to_string(file("cup-0001.json")).unwrap().contains("b9c7"));
    assert_eq!(files(&out), ["cup-0001.json", "cup-0002.json", "cup-0003.json", "journal.jsonl"]);
    // Something else that lies there is not taken for a journal.
    fs::write(file("journal.jsonl"), "{\"a\": 1}\n").unwrap();
    let refused = run(&["--resume"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(errors(&refused).contains("journal.jsonl:1"), "{}", errors(&refused));
}

/// Many games of some moves: a second's work or two.
fn many_games() -> String {
    (0..40).map(|number| format!("{}\n", json!({"id": number, "moves": "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7"}))).collect()
}

/// Starts a run into a folder and waits for its first results.
fn begun(input: &str, out: &str) -> Child {
    let mut process = command(&["--nodes", "20000", input, "-o", out, "--format", "json", "--jobs", "2"])
        .stdin(Stdio::null())
        .spawn()
        .expect("chuhe starts");
    let deadline = Instant::now() + Duration::from_secs(60);
    while !Path::new(out).is_dir() || files(out).len() < 4 {
        assert!(Instant::now() < deadline && process.try_wait().expect("it runs").is_none(), "no results");
        std::thread::sleep(Duration::from_millis(5));
    }
    process
}

fn contents(folder: &str) -> Vec<(String, Vec<u8>)> {
    files(folder)
        .into_iter()
        .filter(|name| name.ends_with(".json"))
        .map(|name| (name.clone(), fs::read(Path::new(folder).join(name)).expect("it can be read")))
        .collect()
}

#[test]
fn a_run_that_was_killed_goes_on() {
    let _machine = among_others();
    let here = folder();
    let (input, whole, out) = (written(&here, "games.jsonl", &many_games()), path(&here, "whole"), path(&here, "out"));
    let args = ["--nodes", "20000", &input, "--format", "json", "--jobs", "2", "-o"];
    good(&[&args[..], &[&whole]].concat(), "");
    let mut process = begun(&input, &out);
    process.kill().expect("it can be killed");
    process.wait().expect("it ends");
    let kept = contents(&out);
    assert!(kept.len() < 40, "it was killed too late to tell anything");
    // Every file is whole, and the journal may end in the midst of a line.
    for (name, bytes) in &kept {
        assert!(serde_json::from_slice::<Value>(bytes).is_ok(), "{name}");
    }
    let journal = PathBuf::from(&out).join("journal.jsonl");
    let mut text = fs::read(&journal).expect("there is one");
    text.extend_from_slice(b"{\"source\":\"ga");
    fs::write(&journal, text).expect("it can be written");
    let time = |name: &str| fs::metadata(Path::new(&out).join(name)).and_then(|data| data.modified()).expect("a time");
    let first = &kept[0].0;
    let before = time(first);
    good(&[&args[..], &[&out, "--resume"]].concat(), "");
    assert_eq!(time(first), before, "what was done is not done again");
    assert_eq!(contents(&out), contents(&whole));
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_is_done() {
    let _machine = among_others();
    let here = folder();
    let (input, out) = (written(&here, "games.jsonl", &many_games()), path(&here, "out"));
    let process = begun(&input, &out);
    let killed = Command::new("kill").args(["-INT", &process.id().to_string()]).status().expect("kill is there");
    assert!(killed.success());
    let output = process.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(2), "{}", errors(&output));
    assert_eq!(errors(&output).lines().count(), 1, "{}", errors(&output));
    assert!(errors(&output).contains("interrupted") && errors(&output).contains("--resume"), "{}", errors(&output));
    let kept = contents(&out).len();
    assert!((1..40).contains(&kept) && errors(&output).contains(&format!("keeps {kept} games")), "{}", errors(&output));
    assert_eq!(files(&out).iter().filter(|name| name.starts_with('.')).count(), 0);
    good(&["--nodes", "20000", &input, "-o", &out, "--format", "json", "--resume"], "");
    assert_eq!(contents(&out).len(), 40);
}

/// Games that are done but wait for earlier ones, and a page that is written last, are kept as well.
#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_standard_output_is_owed() {
    let _machine = among_others();
    let interrupt = |process: &Child| {
        let status = Command::new("kill").args(["-INT", &process.id().to_string()]).status();
        assert!(status.expect("kill is there").success());
    };
    // A position that takes a minute stands before two that take no time.
    let args = ["--movetime", "60000", "--lines", "--jobs", "2", "--format"];
    for form in ["json", "html"] {
        let mut process = command(&[&args[..], &[form]].concat()).spawn().expect("chuhe starts");
        let mut input = process.stdin.take().expect("piped");
        writeln!(input, "{START}\n{MATED}\n{MATED}").and_then(|()| input.flush()).expect("chuhe reads");
        std::thread::sleep(Duration::from_secs(3));
        interrupt(&process);
        let output = process.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(2), "{}", errors(&output));
        assert!(errors(&output).contains("interrupted after 2 games"), "{}", errors(&output));
        let text = String::from_utf8_lossy(&output.stdout);
        match form {
            "json" => assert_eq!(objects(&text).len(), 2, "{text}"),
            _ => assert!(text.contains("2 games") && text.trim_end().ends_with("</html>"), "{text}"),
        }
    }
}

#[test]
fn two_runs_do_not_share_a_folder() {
    let _machine = among_others();
    let here = folder();
    let (input, out) = (written(&here, "games.jsonl", &many_games()), path(&here, "out"));
    let mut process = begun(&input, &out);
    let refused = analyze(&["--nodes", "20000", &input, "-o", &out, "--format", "json", "--resume"], "");
    assert_eq!(refused.status.code(), Some(2));
    assert!(errors(&refused).contains("another run"), "{}", errors(&refused));
    process.kill().expect("it can be killed");
    process.wait().expect("it ends");
}

#[test]
fn another_engine_can_analyze() {
    let _machine = among_others();
    let own = program().into_string().expect("UTF-8");
    for protocol in ["uci", "ucci"] {
        let engine = format!("cmd='{own}' proto={protocol}");
        let args = ["--engine", &engine, "--nodes", "20000"];
        let (lines, code, said) = answers(&args, &format!("{BLUNDER}\n{MATE_IN_1}\n"));
        assert_eq!((lines.len(), code, said.as_str()), (2, Some(0), ""), "{protocol}");
        let engine = lines[0]["engine"].as_str().expect("a name");
        assert!(engine.starts_with("Chuhe"), "{engine}");
        assert_eq!(lines[0]["moves"][0]["mate"], json!({"allowed": 1}), "{protocol}");
        assert_eq!((&lines[1]["best"], &lines[1]["score"]), (&json!("b7b9"), &json!({"mate": 1})), "{protocol}");
    }
    // It tells what our engine tells: the searches are the same, the hash table too.
    let engine = format!("cmd='{own}' proto=uci option.Hash=16");
    let line = |args: &[&str]| {
        let (mut lines, ..) = answers(&quick(&[args, &["--multipv", "2"]].concat()), MATE_IN_1);
        let mut line = lines.remove(0);
        line["engine"] = Value::Null;
        line
    };
    assert_eq!(line(&["--engine", &engine]), line(&[]));
}

#[cfg(unix)]
#[test]
fn an_engine_that_crashes_costs_one_game() {
    let _machine = among_others();
    let here = folder();
    // Answers like an engine, but leaves when it hears of a horse's move.
    let script = "while read -r line; do case \"$line\" in \
        uci) echo id name Fragile; echo uciok;; isready) echo readyok;; *h0g2*) exit 3;; \
        position*moves*) best=h9g7;; position*2n1b4*) best=e8d7;; position*) best=h2e2;; \
        go*) echo \"info depth 1 score cp 5 nodes 9 pv $best\"; echo bestmove $best;; quit) exit 0;; esac; done";
    let engine = written(&here, "fragile.sh", script);
    let engine = format!("cmd='sh {engine}' proto=uci ranks=0 letters=NB");
    let input = "position startpos moves h2e2\nposition startpos moves h0g2\nposition startpos moves h2e2\n";
    let (games, code, said) = answers(&["--engine", &engine, "--depth", "3", "--jobs", "1"], input);
    assert_eq!((games.len(), code), (3, Some(1)), "{said}");
    assert!(games[1]["error"].as_str().is_some_and(|error| error.contains("Fragile: crash")), "{}", games[1]);
    for game in [&games[0], &games[2]] {
        assert_eq!((&game["moves"][0]["judgement"], &game["moves"][0]["nodes"]), (&json!("best"), &json!(9)), "{game}");
    }
}

/// An engine as a shell script: at what it does wrong after `go`.
#[cfg(unix)]
fn bad_engine(folder: &tempfile::TempDir, go: &str, stop: &str) -> String {
    let script = format!(
        "while read -r line; do case \"$line\" in uci) echo id name Bad; echo uciok;; isready) echo readyok;; \
        position*2n1b4*) probe=1;; position*) probe=;; \
        go*) if [ $probe ]; then echo bestmove e8d7; else {go}; fi;; stop) {stop};; quit) exit 0;; esac; done"
    );
    let name = format!("{:x}.sh", go.len() * 1000 + stop.len());
    format!("cmd='sh {}' proto=uci ranks=0 letters=NB", written(folder, &name, &script))
}

#[cfg(unix)]
#[test]
fn an_engine_that_lies_is_not_believed() {
    let _machine = among_others();
    let here = folder();
    // A line that goes on with an illegal move, one that is illegal from its beginning, and no sense at all.
    let lines = "echo info depth 3 multipv 1 score cp 30 nodes 9 pv h2e2 h9g7 h9g7 a0a1; \
        echo info depth 3 multipv 2 score mate 1 pv a0a9; echo info depth x score cp y pv z; echo info score cp 3; \
        echo info depth 4 score cp 99999999999 pv b2e2; echo bestmove h2e2";
    let (games, code, said) =
        answers(&["--engine", &bad_engine(&here, lines, ":"), "--depth", "3"], "position startpos\n");
    assert_eq!((games.len(), code, said.as_str()), (1, Some(0), ""));
    let told = games[0]["lines"].as_array().expect("lines");
    assert_eq!((told.len(), &told[0]["pv"], &told[0]["score"]), (1, &json!(["h2e2", "h9g7"]), &json!({"cp": 30})));
    // A move that cannot be made is none.
    for go in ["echo bestmove a0a9", "echo bestmove", "echo nonsense; echo bestmove 0000"] {
        let (games, code, said) = answers(&["--engine", &bad_engine(&here, go, ":"), "--depth", "3"], OPENING);
        assert_eq!((games.len(), code, said.as_str()), (1, Some(0), ""), "{go}");
        for played in games[0]["moves"].as_array().expect("moves") {
            assert_eq!((&played["lines"], &played["loss"]), (&json!([]), &json!(0.0)), "{go}");
        }
    }
}

#[cfg(unix)]
#[test]
fn an_engine_that_hangs_costs_one_game() {
    let _machine = among_others();
    let here = folder();
    // One does not even answer when it is told to stop.
    let engines = [":", "echo bestmove h2e2"].map(|stop| bad_engine(&here, ":", stop));
    std::thread::scope(|scope| {
        for (engine, words) in engines.iter().zip(["none to `stop`", "only after `stop`"]) {
            scope.spawn(move || {
                let (games, code, _) =
                    answers(&["--engine", engine, "--movetime", "10", "--jobs", "1"], "position startpos\n");
                let error = games[0]["error"].as_str().unwrap_or_default();
                assert_eq!((games.len(), code), (1, Some(1)), "{error}");
                assert!(error.starts_with("Bad: ") && error.contains(words), "{error}");
            });
        }
    });
}

#[test]
fn a_reader_that_has_gone_away_is_no_fault() {
    let _machine = among_others();
    let mut process = command(&quick(&["--format", "json"])).spawn().expect("chuhe starts");
    drop(process.stdout.take());
    let mut input = process.stdin.take().expect("piped");
    // Nobody waits for the end of the input.
    let written = writeln!(input, "{MATE_IN_1}");
    assert!(written.is_ok());
    let output = process.wait_with_output().expect("chuhe ends");
    assert_eq!((output.status.code(), errors(&output).as_str()), (Some(0), ""));
    drop(input);
}
