//! The subcommands: results, exit codes, messages.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use chuhe_eval::network::{Architecture, Network, Parts};
use chuhe_movegen::Board;
use serde_json::Value;

use crate::{alone, among_others, program};

fn chuhe(args: &[&str]) -> Output {
    Command::new(program()).args(args).env_remove("RUST_LOG").output().expect("chuhe starts")
}

/// Standard output of a command that must succeed in silence.
fn good(args: &[&str]) -> String {
    let output = chuhe(args);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{args:?}: {}: {errors}", output.status);
    String::from_utf8(output.stdout).expect("results are UTF-8")
}

fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or_default()
}

/// The number before this word in a last line such as `44 nodes 0 ms 1.0 Mnps`.
fn number(line: &str, unit: &str) -> f64 {
    let words: Vec<&str> = line.split(' ').collect();
    let at = words.iter().position(|&word| word == unit).unwrap_or_else(|| panic!("no {unit} in {line:?}"));
    words[at - 1].parse().unwrap_or_else(|_| panic!("no number before {unit} in {line:?}"))
}

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

const COMMANDS: [&str; 12] = [
    "analyze",
    "bench",
    "perft",
    "eval",
    "endgame",
    "judge",
    "match",
    "solve",
    "book",
    "convert",
    "completions",
    "man",
];

#[test]
fn help_and_version() {
    let _machine = among_others();
    let help = good(&["--help"]);
    for command in COMMANDS {
        assert!(help.contains(command), "{help}");
        assert!(good(&[command, "--help"]).contains("Usage: chuhe"), "{command}");
    }
    assert_eq!(good(&["--version"]), concat!("chuhe ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn bad_arguments_get_one_line() {
    let _machine = among_others();
    let cases: [&[&str]; 13] = [
        &["fly"],
        &["--fly"],
        &["perft"],
        &["perft", "five"],
        &["perft", "3", "--fen", "nonsense"],
        &["perft", "3", "--fen"],
        &["perft", "3", "--threads", "0"],
        &["bench", "--depth", "0"],
        &["bench", "--threads", "many"],
        &["eval", "--fen", "9/9/9/9/9/9/9/9/9/9 w"],
        &["solve"],
        &["solve", "no/such/file.jsonl"],
        &["solve", "no/such/file.jsonl", "--format", "xml"],
    ];
    for args in cases {
        let output = chuhe(args);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{args:?}: {errors}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}

#[test]
fn misspelt_words_bring_a_suggestion() {
    let _machine = among_others();
    for (args, meant) in [
        (&["analise"][..], "analyze"),
        (&["judge", "--lnag", "zh"], "--lang"),
        (&["judge", "--rules", "axff"], "axf"),
        (&["match", "--engine", "cmd=x porto=uci", "--engine", "y"], "proto"),
    ] {
        let output = chuhe(args);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), errors.lines().count()), (Some(2), 1), "{args:?}: {errors}");
        assert!(errors.contains(&format!("did you mean `{meant}`?")), "{args:?}: {errors}");
    }
}

#[test]
fn shells_and_readers_of_manuals_get_all_commands() {
    let _machine = among_others();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = good(&["completions", shell]);
        for command in COMMANDS {
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
    let page = good(&["man"]);
    assert!(page.contains(".TH chuhe 1") && COMMANDS.iter().all(|command| page.contains(command)), "{page}");
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = folder.path().to_str().expect("scratch folders have simple names");
    good(&["man", "-o", path]);
    for name in ["chuhe.1", "chuhe-analyze.1", "chuhe-match.1", "chuhe-match-standings.1"] {
        let page = std::fs::read_to_string(folder.path().join(name)).expect(name);
        assert!(page.contains(".SH NAME") && page.contains(".SH OPTIONS"), "{name}");
    }
    assert_eq!(chuhe(&["man", "-o", path]).status.code(), Some(2), "existing pages are kept");
}

/// With the program `script` of util-linux, which makes a terminal.
#[cfg(target_os = "linux")]
#[test]
fn somebody_at_a_terminal_is_greeted_and_answered() {
    // A program for another system knows no terminal of this one.
    if std::env::var_os("CHUHE_PROGRAM").is_some() {
        return;
    }
    let _machine = among_others();
    let mut script = Command::new("script");
    script.args(["-qec", &format!("'{}'", program().display()), "/dev/null"]);
    let Ok(mut child) = script.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn() else { return };
    let mut input = child.stdin.take().expect("piped");
    std::io::Write::write_all(&mut input, b"help\nquit\n").expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("a xiangqi engine") && said.contains("chuhe --help"), "{said}");
    assert!(said.contains("unknown command `help`"), "{said}");
}

#[test]
fn a_book_of_games_knows_their_moves() {
    let _machine = among_others();
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("scratch folders have simple names").to_owned();
    let games = "[Red \"A\"]\n\n1. h2e2 h9g7 1-0\n\n[Red \"B\"]\n\n1. h2e2 b9c7 *\n\n[Red \"C\"]\n\n1. c3c4 *\n";
    std::fs::write(path("games.pgn"), games).expect("written");
    let said = good(&["book", "build", &path("games.pgn"), "-o", &path("book"), "--plies", "1"]);
    assert!(said.starts_with("3 games, 2 moves of positions"), "{said}");
    let probed = good(&["book", "probe", "--book", &path("book")]);
    let moves: Vec<Vec<&str>> = probed.lines().map(|line| line.split_whitespace().take(2).collect()).collect();
    // A move and its mirror image are one.
    assert!(moves == [["h2e2", "2"], ["c3c4", "1"]] || moves == [["h2e2", "2"], ["g3g4", "1"]], "{probed}");
    assert_eq!(good(&["book", "probe", "--book", &path("book"), "--moves", "h2e2"]), "not in book\n");
    good(&["book", "build", &path("games.pgn"), "-o", &path("other"), "--min-games", "2"]);
    assert_eq!(good(&["book", "probe", "--book", &path("other"), "--moves", "c3c4"]), "not in book\n");
}

#[test]
fn perft_counts() {
    let _machine = among_others();
    for more in [&[][..], &["--no-bulk"], &["--threads", "2"], &["--divide"], &["--divide", "--threads", "2"]] {
        let text = good(&[&["perft", "4"], more].concat());
        let line = last_line(&text);
        assert_eq!(number(line, "nodes"), 3_290_240.0, "{more:?}");
        assert!(number(line, "ms") >= 0.0 && number(line, "Mnps") > 0.0);
        if more.contains(&"--divide") {
            let counts = text.lines().filter_map(|line| line.split_once(": "));
            let counts: Vec<u64> = counts.map(|(_, count)| count.parse().expect("a number")).collect();
            assert_eq!((counts.len(), counts.iter().sum()), (44, 3_290_240u64));
        } else {
            assert_eq!(text.lines().count(), 1);
        }
    }
    assert_eq!(number(last_line(&good(&["perft", "0"])), "nodes"), 1.0);
    let endgame = ["perft", "3", "--fen", "5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w - - 0 1"];
    assert_eq!(number(last_line(&good(&endgame)), "nodes"), 9_850.0);
}

/// Twice the same on one thread, whatever else runs.
#[test]
fn bench_is_deterministic() {
    let _machine = among_others();
    let nodes = || {
        let text = good(&["bench", "--depth", "6"]);
        let words: Vec<String> = last_line(&text).split(' ').map(str::to_owned).collect();
        assert_eq!((words.len(), words[1].as_str(), words[3].as_str()), (4, "nodes", "nps"), "{words:?}");
        words[0].parse::<u64>().expect("a number")
    };
    let count = nodes();
    assert!(count > 10_000, "{count}");
    assert_eq!(count, nodes());
    good(&["bench", "--depth", "4", "--threads", "2"]);
}

#[test]
fn eval_in_text_and_json() {
    let _machine = among_others();
    let fen = "5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w - - 0 1";
    assert!(!good(&["eval"]).is_empty());
    assert!(!good(&["eval", "--fen", fen]).is_empty());
    let json: Value = serde_json::from_str(&good(&["eval", "--fen", fen, "--format", "json"])).expect("JSON");
    assert!(json.is_object());
}

#[test]
fn other_evaluations_by_file_and_by_name() {
    let _machine = among_others();
    let folder = tempfile::tempdir().expect("a scratch folder");
    let file = folder.path().join("net.nnue");
    let network = Network::from_parts(&Parts::random(Architecture::new(6, 64, 8).expect("supported"), 1));
    let network = network.expect("a network");
    std::fs::write(&file, network.to_bytes()).expect("room in the scratch folder");
    let file = file.to_str().expect("scratch folders have simple names");

    let text = good(&["eval", "--evalfile", file]);
    assert!(text.contains(&format!("network {}", network.hash())) && text.contains("output buckets"), "{text}");
    let json: Value = serde_json::from_str(&good(&["eval", "--evalfile", file, "--format", "json"])).expect("JSON");
    assert_eq!(json["internal_mover"], network.evaluate(&Board::startpos()));
    assert_eq!(json["pieces"].as_array().map(Vec::len), Some(30));
    let text = good(&["eval", "--evalfile", "<none>"]);
    assert!(text.contains("hand-written") && text.contains("rook-mobility"), "{text}");

    let nodes = |name: &str| last_line(&good(&["bench", "--depth", "4", "--evalfile", name])).to_owned();
    let count = |name: &str| number(&nodes(name), "nodes");
    assert_eq!(count(file), count(file));
    assert_ne!(count(file), count("hce"));
    let output = chuhe(&["bench", "--evalfile", data("perft.jsonl").to_str().expect("a simple name")]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(message.contains("not a network file: begins with"), "{message}");
}

#[test]
fn solve_reports_each_puzzle_and_each_bad_line() {
    let _machine = among_others();
    let folder = tempfile::tempdir().expect("a scratch folder");
    let file = folder.path().join("puzzles.jsonl");
    let file = file.to_str().expect("scratch folders have simple names");
    let puzzle = r#"{"id": "two rooks", "fen": "3k5/9/9/9/9/9/9/R8/1R7/4K4 w - - 0 1", "mate_in": 2, "first_moves": ["a2a8", "b1b8"]}"#;

    std::fs::write(file, format!("\u{feff}{puzzle}\r\n\r\n{puzzle}")).expect("written");
    let text = good(&["solve", file, "--movetime", "1000", "--hash", "16"]);
    assert_eq!(text.lines().count(), 3, "{text}");
    assert!(text.contains("two rooks: solved") && last_line(&text).starts_with("2 of 2 solved"), "{text}");

    std::fs::write(file, format!("{{\"fen\": 3}}\n{puzzle}\n")).expect("written");
    let output = chuhe(&["solve", file, "--movetime", "1000", "--format", "json", "--threads", "2"]);
    assert_eq!(output.status.code(), Some(1));
    let lines: Vec<Value> = output
        .stdout
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).expect("JSON"))
        .collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0]["line"] == 1 && lines[0]["error"].is_string(), "{}", lines[0]);
    assert!(lines[1]["id"] == "two rooks" && lines[1]["solved"] == true, "{}", lines[1]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("puzzles.jsonl:1: "), "{errors}");
}

/// The shortest of the mates; how many of the long ones fall, and how soon, is measured, not tested.
#[test]
fn short_mates_are_solved() {
    let _machine = alone();
    const MOST_MOVES: u64 = 3;
    let all = std::fs::read_to_string(data("mates.jsonl")).expect("the data are there");
    let short: Vec<&str> = all
        .lines()
        .filter(|line| {
            let puzzle: Value = serde_json::from_str(line).expect("JSON");
            puzzle["mate_in"].as_u64().is_some_and(|moves| moves <= MOST_MOVES)
        })
        .collect();
    let folder = tempfile::tempdir().expect("a scratch folder");
    let file = folder.path().join("short.jsonl");
    std::fs::write(&file, short.join("\n")).expect("written");
    let text = good(&["solve", file.to_str().expect("a simple name"), "--movetime", "4000"]);
    assert!(last_line(&text).starts_with(&format!("{0} of {0} solved", short.len())), "{text}");
}

/// `chuhe … | head -0` is no reason to complain.
#[test]
fn closed_output_is_no_fault() {
    let _machine = among_others();
    let mut process = Command::new(program())
        .args(["perft", "5", "--divide"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("chuhe starts");
    drop(process.stdout.take());
    let output = process.wait_with_output().expect("chuhe ends");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}
