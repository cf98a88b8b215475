//! `chuhe judge`: the contract of its answers, from every kind of input.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::{among_others, program, run_with_input};

/// Runs `chuhe judge` with this on standard input.
fn judge(args: &[&str], input: &[u8]) -> Output {
    run_with_input("judge", args, input)
}

/// The answers in JSON, the exit code, and the lines of standard error.
fn answers(args: &[&str], input: &[u8]) -> (Vec<Value>, Option<i32>, String) {
    let output = judge(&[args, &["--format", "json"]].concat(), input);
    let text = String::from_utf8(output.stdout).expect("results are UTF-8");
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")));
    (lines.collect(), output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Standard output of a run that must succeed in silence.
fn good(args: &[&str], input: &[u8]) -> String {
    let output = judge(args, input);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{args:?}: {}: {errors}", output.status);
    String::from_utf8(output.stdout).expect("results are UTF-8")
}

fn cases_file() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/repetition.jsonl").display().to_string()
}

fn cases() -> Vec<Value> {
    let text = std::fs::read_to_string(cases_file()).expect("the data are there");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// A rook that chases a bare cannon, case axf-d-017.
const CHASE_FEN: &str = "2ba1k3/4a4/b8/7R1/9/9/1r2p4/9/4A4/2B1KAB1c w - - 0 1";
const CHASE: &str = "h6i6 i0h0 i6h6 h0i0 h6i6 i0h0 i6h6 h0i0";

/// A game that opens with two cannons and shuffles a horse.
const SHUFFLE: &str = "h2e2 h7e7 b0c2 b9c7 c2b0 c7b9 b0c2 b9c7 c2b0 c7b9";

const PGN: &str = "[Event \"Cup\"]\n[Red \"胡荣华\"]\n[Black \"B/<i>\"]\n[Result \"1/2-1/2\"]\n\n\
    1. 炮二平五 炮8平5 2. 马八进七 马2进3 3. 马七退八 马3退2 4. 马八进七 马2进3 5. 马七退八 马3退2 1/2-1/2\n\n\
    [Event \"Cup\"]\n\n1. h2e2 h9g7 2. e2e9 *\n\n\
    [Event \"Cup\"]\n\n1. H2-E2 H9-G7 *\n";

#[test]
fn every_case_gets_the_verdict_and_the_classes_of_the_case_file() {
    let _machine = among_others();
    let cases = cases();
    let (answers, code, errors) = answers(&[&cases_file()], b"");
    assert_eq!((answers.len(), code, errors.as_str()), (cases.len(), Some(0), ""));
    for (case, answer) in cases.iter().zip(&answers) {
        let id = case["id"].as_str().expect("an id");
        assert_eq!(answer["id"], id, "the order of the file is kept");
        let verdict = case["verdict"].as_str().expect("a verdict");
        assert!(answer["why"].as_str().is_some_and(|why| why.len() > 10), "{answer}");
        // A diagram that is judged otherwise than its manual says, and a case that says itself what else may be right;
        // docs/rules.md argues both.
        if ["axf-d-053", "cxa-g-031"].contains(&id) {
            continue;
        }
        assert_eq!(answer["verdict"], verdict, "{answer}");
        for key in ["ruleset", "cycle_start_ply", "cycle_len"] {
            assert_eq!(answer[key], case[key], "{key}: {answer}");
        }
        let loser = match verdict {
            "red_loses" => json!("red"),
            "black_loses" => json!("black"),
            _ => Value::Null,
        };
        assert_eq!((&answer["loser"], &answer["must_deviate"]), (&loser, &loser), "{answer}");
        let ended_by = if verdict == "undecided" { Value::Null } else { json!("repetition") };
        assert_eq!(answer["ended_by"], ended_by, "{answer}");
        let classes = answer["classes"].as_array().expect("classes");
        assert_eq!(classes.len() as u64, case["cycle_len"].as_u64().expect("a length"), "{answer}");
        for (class, expected) in classes.iter().zip(case["classes"].as_array().into_iter().flatten()) {
            let (class, expected) = (class.as_str().expect("a word"), expected.as_str().expect("a word"));
            // Of several victims any may be named.
            assert_eq!(class.split(':').next(), expected.split(':').next(), "{answer}");
        }
        if ["axf", "cxa", "cxa1999"].contains(&answer["ruleset"].as_str().unwrap_or_default()) && verdict != "undecided"
        {
            assert!(answer["article"].is_string(), "{answer}");
        }
        assert!(answer.get("error").is_none(), "{answer}");
    }
}

#[test]
fn answers_hold_all_keys_and_the_rule_set_of_the_line_wins() {
    let _machine = among_others();
    let moves: Vec<&str> = CHASE.split(' ').collect();
    let lines = [
        json!({"id": "own", "fen": CHASE_FEN, "moves": moves, "ruleset": "checkonly"}),
        json!({"id": 7, "fen": CHASE_FEN, "moves": CHASE}),
        json!({"fen": CHASE_FEN, "moves": moves[..4], "ruleset": "AsianRule"}),
        json!({"id": "none", "fen": CHASE_FEN, "moves": moves[..3]}),
    ];
    let input = lines.map(|line| line.to_string()).join("\n");
    let (answers, code, errors) = answers(&["--rules", "chineserule"], input.as_bytes());
    assert_eq!((answers.len(), code, errors.as_str()), (4, Some(0), ""));
    let keys = ["id", "ruleset", "verdict", "loser", "must_deviate", "ended_by", "cycle_start_ply", "cycle_len"];
    let keys = [&keys[..], &["classes", "window", "article", "why", "is_certain"]].concat();
    for answer in &answers {
        let mut found: Vec<&str> = answer.as_object().expect("an object").keys().map(String::as_str).collect();
        let mut expected = keys.clone();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
    let told: Vec<[&Value; 3]> =
        answers.iter().map(|answer| ["id", "ruleset", "verdict"].map(|key| &answer[key])).collect();
    assert_eq!(
        json!(told),
        json!([
            ["own", "checkonly", "draw"],
            [7, "cxa", "red_loses"],
            ["stdin:3", "axf", "undecided"],
            ["none", "cxa", "none"]
        ])
    );
    assert_eq!(answers[1]["classes"], json!(["chase:ci0", "idle", "chase:ch0", "idle"]));
    assert_eq!(answers[1]["article"], "26.4");
    assert_eq!((&answers[3]["classes"], &answers[3]["cycle_len"]), (&json!([]), &Value::Null));
}

#[test]
fn bad_games_are_named_and_the_others_judged() {
    let _machine = among_others();
    let line = |id: &str, fen: &str, moves: &str, rules: &str| {
        json!({"id": id, "fen": fen, "moves": moves, "ruleset": rules}).to_string()
    };
    let good_line = line("good", CHASE_FEN, CHASE, "axf");
    let cases = [
        (
            "illegal",
            line("illegal", CHASE_FEN, "h6i6 i0i9", "axf"),
            "move 2: found \"i0i9\", expected a legal move of Black",
        ),
        ("nonsense", line("nonsense", CHASE_FEN, "h6i6 x", "axf"), "move 2: found \"x\""),
        ("fen", line("fen", "9/9 w", "", "axf"), "start position: "),
        ("rules", line("rules", CHASE_FEN, CHASE, "fide"), "unknown rule set `fide`"),
        ("sky", line("sky", CHASE_FEN, CHASE, "sky"), "not available"),
        ("stdin:6", "{\"id\": \"cut".to_owned(), "cut off after column 11"),
        ("stdin:7", "[1]".to_owned(), "found \"[1]\", expected a JSON object such as {\"fen\": …, \"moves\": "),
        ("stdin:8", "\0\u{1}\u{fffd}".to_owned(), "expected a JSON object"),
        ("stdin:9", format!("{{\"id\": {}", "[".repeat(100_000)), "recursion limit"),
        ("stdin:10", "x".repeat(2 << 20), "more than 1 MiB"),
        ("empty", json!({"id": "empty"}).to_string(), "\"moves\" is missing"),
    ];
    let mut input = cases.iter().map(|(_, line, _)| line.as_str()).collect::<Vec<_>>().join("\n");
    input.push_str(&format!("\n\n{good_line}\n"));
    let (answers, code, errors) = answers(&[], input.as_bytes());
    assert_eq!((answers.len(), code), (cases.len() + 1, Some(1)));
    for ((id, _, expected), answer) in cases.iter().zip(&answers) {
        assert_eq!((&answer["id"], &answer["verdict"]), (&json!(id), &Value::Null));
        assert!(answer["error"].as_str().is_some_and(|error| error.contains(expected)), "{answer}");
    }
    assert_eq!(answers[cases.len()]["verdict"], "red_loses");
    assert_eq!(errors.lines().count(), 1, "{errors}");
    assert_eq!(errors, "chuhe: 11 of 12 games could not be judged\n");
    let text = judge(&[], input.as_bytes());
    assert_eq!(text.status.code(), Some(1));
    let text = String::from_utf8(text.stdout).expect("results are UTF-8");
    assert!(text.contains("illegal: Not judged\nmove 2") && text.contains("good: Red loses"), "{text}");
}

#[test]
fn bad_arguments_and_missing_files_get_one_line() {
    let _machine = among_others();
    let cases: [&[&str]; 5] =
        [&["no/such/file.pgn"], &["--rules", "fide"], &["--lang", "fr"], &["--format", "html"], &["--rounds", "40"]];
    for args in cases {
        let output = judge(args, b"h2e2");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{args:?}: {errors}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
    for input in [&b""[..], b"\n\n", b"no game is here\n"] {
        assert_eq!(judge(&[], input).status.code(), Some(1), "{input:?}");
    }
}

#[test]
fn moves_on_standard_input() {
    let _machine = among_others();
    let input = format!(
        "# remark\n{SHUFFLE}\nposition fen {CHASE_FEN} moves {CHASE}\n{CHASE_FEN} {CHASE}\nstartpos moves h2e2\n"
    );
    let (answers, code, _) = answers(&["-"], input.as_bytes());
    let verdicts: Vec<&Value> = answers.iter().map(|answer| &answer["verdict"]).collect();
    assert_eq!((json!(verdicts), code), (json!(["draw", "red_loses", "red_loses", "none"]), Some(0)));
    assert_eq!((&answers[0]["id"], &answers[0]["cycle_start_ply"]), (&json!("stdin:2"), &json!(2)));
}

#[test]
fn a_file_that_cannot_be_read_keeps_no_other_from_being_judged() {
    let _machine = among_others();
    let missing = "no/such/file.pgn";
    for args in [&["-", missing][..], &[missing, "-"], &[missing, "-", "no/such/either.pgn"]] {
        let (found, code, errors) = answers(args, SHUFFLE.as_bytes());
        assert_eq!((found.len(), code), (1, Some(2)), "{args:?}: {errors}");
        assert_eq!(found[0]["verdict"], "draw");
        assert_eq!(errors.lines().count(), args.len() - 1, "{args:?}: {errors}");
        assert!(errors.contains("chuhe: cannot read no/such/file.pgn: "), "{errors}");
    }
    let (found, code, errors) = answers(&[missing, "-"], b"h2e2 h2e2\n");
    assert_eq!((found.len(), code), (1, Some(2)), "{errors}");
    assert!(errors.ends_with("\nchuhe: 1 of 1 games could not be judged\n"), "{errors}");
}

/// As a line of JSON does, a game in PGN names the rule set that it was played by.
#[test]
fn the_rule_set_that_a_game_in_pgn_names() {
    let _machine = among_others();
    let game = |tag: &str| format!("[Event \"a\"]\n{tag}[FEN \"{CHASE_FEN}\"]\n\n{CHASE} *\n\n");
    let tags = ["[Ruleset \"checkonly\"]\n", "[Ruleset \"?\"]\n", "", "[Ruleset \"fide\"]\n"];
    let (answers, code, errors) = answers(&["--rules", "cxa"], tags.map(game).concat().as_bytes());
    let told: Vec<[&Value; 2]> = answers.iter().map(|answer| ["ruleset", "verdict"].map(|key| &answer[key])).collect();
    let expected =
        json!([["checkonly", "draw"], ["cxa", "red_loses"], ["cxa", "red_loses"], [Value::Null, Value::Null]]);
    assert_eq!((json!(told), code), (expected, Some(1)), "{errors}");
    assert!(answers[3]["error"].as_str().is_some_and(|error| error.contains("unknown rule set `fide`")), "{answers:?}");
}

/// A game whose record states another result than the ruling is judged all the same, but not without a word.
#[test]
fn results_that_contradict_the_ruling_are_noted() {
    let _machine = among_others();
    let game =
        |result: &str| format!("[Event \"a\"]\n[FEN \"{CHASE_FEN}\"]\n[Result \"{result}\"]\n\n{CHASE} {result}\n");
    for (result, english, chinese) in [
        ("1-0", Some("says otherwise: 1-0, Red won."), "棋谱所记结果为1-0（红方胜），与此裁定不符"),
        ("1/2-1/2", Some("says otherwise: 1/2-1/2, a draw."), "1/2-1/2（和棋）"),
        ("0-1", None, ""),
        ("*", None, ""),
    ] {
        let pgn = game(result);
        let (answers, code, _) = answers(&[], pgn.as_bytes());
        assert_eq!((&answers[0]["verdict"], code), (&json!("red_loses"), Some(0)));
        let note = answers[0].get("contradiction").and_then(Value::as_str);
        assert_eq!(note.is_some(), english.is_some(), "{result}: {answers:?}");
        let text = good(&[], pgn.as_bytes());
        assert_eq!(text.contains("otherwise"), english.is_some(), "{text}");
        assert!(
            english.is_none_or(|english| text.contains(english) && note.is_some_and(|note| note.contains(english)))
        );
        assert!(good(&["--lang", "zh"], pgn.as_bytes()).contains(chinese), "{result}");
    }
    let folder = tempfile::tempdir().expect("a scratch folder");
    good(&["-o", folder.path().to_str().expect("a simple name")], game("1-0").as_bytes());
    let page = std::fs::read_to_string(folder.path().join("0001-stdin_1.html")).expect("readable");
    assert!(page.contains("says otherwise: 1-0"), "{page}");
}

/// As they come from Chinese programs: in GBK, and of both kinds.
#[test]
fn lines_in_gbk_and_of_both_kinds() {
    let _machine = among_others();
    let game = "车二平一 炮9平8 车一平二 炮8平9 车二平一 炮9平8 车一平二 炮8平9";
    let line = format!("position fen {CHASE_FEN} moves {game}\n");
    let lines = [json!({"id": "对局", "fen": CHASE_FEN, "moves": game}), json!({"id": 2, "moves": SHUFFLE})];
    let json_line = lines[0].to_string();
    let (bytes, ..) = encoding_rs::GB18030.encode(&line);
    let (json_bytes, ..) = encoding_rs::GB18030.encode(&json_line);
    let input = [&bytes, &json_bytes, b"\n".as_slice(), lines[1].to_string().as_bytes()].concat();
    let (answers, code, errors) = answers(&[], &input);
    let told: Vec<[&Value; 2]> = answers.iter().map(|answer| ["id", "verdict"].map(|key| &answer[key])).collect();
    assert_eq!(json!(told), json!([["stdin:1", "red_loses"], ["对局", "red_loses"], [2, "draw"]]), "{errors}");
    assert_eq!(code, Some(0));
}

/// A pipe that is named like a file, as `<(…)` makes them, can be read but once.
#[cfg(unix)]
#[test]
fn pipes_with_names() {
    let _machine = among_others();
    let (answers, code, errors) = answers(&["/dev/stdin"], SHUFFLE.as_bytes());
    assert_eq!((answers.len(), code), (1, Some(0)), "{errors}");
    assert_eq!(answers[0]["verdict"], "draw");
}

/// A program that sends games one at a time gets each answer before it sends the next.
#[test]
fn answers_do_not_wait_for_more_games() {
    use std::io::{BufRead as _, BufReader};
    let _machine = among_others();
    let mut process = Command::new(program())
        .args(["judge", "--format", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("chuhe starts");
    let mut input = process.stdin.take().expect("piped");
    let mut output = BufReader::new(process.stdout.take().expect("piped")).lines();
    for number in 1..=3 {
        writeln!(input, "{SHUFFLE}").expect("chuhe listens");
        let line = output.next().expect("an answer").expect("readable");
        assert_eq!(serde_json::from_str::<Value>(&line).expect("JSON")["id"], format!("stdin:{number}"));
    }
    drop(input);
    assert!(process.wait().expect("chuhe ends").success());
}

#[test]
fn game_files_in_both_languages() {
    let _machine = among_others();
    let folder = tempfile::tempdir().expect("a scratch folder");
    let file = folder.path().join("games.pgn");
    std::fs::write(&file, PGN).expect("written");
    let file = file.to_str().expect("a simple name");

    let (answers, code, errors) = answers(&[file, &cases_file()], b"");
    assert_eq!((answers.len(), code), (3 + cases().len(), Some(1)), "{errors}");
    assert_eq!((&answers[0]["verdict"], &answers[2]["verdict"]), (&json!("draw"), &json!("none")));
    assert_eq!(answers[0]["id"], format!("{file}:1"));
    assert!(answers[1]["error"].as_str().is_some_and(|error| error.contains("e2e9")), "{}", answers[1]);

    let english = String::from_utf8(judge(&[file], b"").stdout).expect("results are UTF-8");
    assert!(english.contains("The repetition is a draw: neither side does anything forbidden"), "{english}");
    assert!(english.contains("games.pgn:1 (胡荣华 – B/<i>): Draw") && english.contains("b0-c2"), "{english}");
    let chinese = String::from_utf8(judge(&[file, "--lang", "zh"], b"").stdout).expect("results are UTF-8");
    assert!(chinese.contains("判和：双方均为允许着法，双方不变作和"), "{chinese}");
    assert!(chinese.contains("马八进七") && chinese.contains("马2进3"), "{chinese}");
    // The name of a file does not decide against its content.
    let renamed = folder.path().join("games.txt");
    std::fs::write(&renamed, PGN).expect("written");
    let again = judge(&[renamed.to_str().expect("a simple name"), "--format", "json"], b"");
    assert_eq!(String::from_utf8_lossy(&again.stdout).lines().count(), 3);
}

#[test]
fn folders_are_judged_with_all_that_is_in_them() {
    let _machine = among_others();
    let folder = tempfile::tempdir().expect("a scratch folder");
    std::fs::create_dir(folder.path().join("sub")).expect("a folder");
    std::fs::write(folder.path().join("a.pgn"), PGN).expect("written");
    std::fs::write(folder.path().join("sub/b.PGN"), PGN).expect("written");
    std::fs::write(folder.path().join("readme.md"), PGN).expect("written");
    let output = judge(&[folder.path().to_str().expect("a simple name"), "--format", "json"], b"");
    // One game of each file is damaged.
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stdout).lines().count()), (Some(1), 6));
}

#[test]
fn a_folder_gets_a_page_for_each_game() {
    let _machine = among_others();
    let folder = tempfile::tempdir().expect("a scratch folder");
    let pages = folder.path().join("new/pages");
    let target = pages.to_str().expect("a simple name");
    let output = judge(&["-", "-o", target, "--lang", "zh"], PGN.as_bytes());
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!((output.status.code(), said.as_ref()), (Some(1), format!("3 rulings in {target}\n").as_str()));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("1 of 3 games could not be judged, first stdin:2: "), "{errors}");
    let names = || {
        let mut names: Vec<String> = std::fs::read_dir(&pages)
            .expect("the folder is there")
            .map(|entry| entry.expect("readable").file_name().into_string().expect("a simple name"))
            .collect();
        names.sort();
        names
    };
    assert_eq!(names(), ["0001-stdin_1.html", "0002-stdin_2.html", "0003-stdin_3.html"]);
    let page = std::fs::read_to_string(pages.join("0001-stdin_1.html")).expect("readable");
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("lang=\"zh-CN\"") && page.contains("<svg"));
    assert!(page.contains("胡荣华") && page.contains("B/&lt;i&gt;") && page.contains("判和："));

    let said = good(&["-", "-o", target, "--format", "json"], SHUFFLE.as_bytes());
    assert_eq!(said, format!("1 ruling in {target}\n"));
    let line = std::fs::read_to_string(pages.join("0001-stdin_1.json")).expect("readable");
    assert_eq!(serde_json::from_str::<Value>(&line).expect("JSON")["verdict"], "draw");

    let blocked = folder.path().join("file");
    std::fs::write(&blocked, "").expect("written");
    let output = judge(&["-", "-o", blocked.to_str().expect("a simple name")], SHUFFLE.as_bytes());
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn claims_of_the_natural_limit() {
    let _machine = among_others();
    let fen = "3k5/9/9/9/9/9/9/9/R8/4K4 w - - 99 80";
    let claim = |rounds: &str| {
        let (answers, code, _) = answers(&["--claim", "red", "--rounds", rounds], format!("{fen} a1a2").as_bytes());
        assert_eq!(code, Some(0), "a refused claim is a result");
        answers[0]["claim"].clone()
    };
    let granted = claim("50");
    assert_eq!((&granted["by"], &granted["granted"], &granted["counted"]), (&json!("red"), &json!(true), &json!(100)));
    assert_eq!((&claim("51")["granted"], &claim("51")["required"]), (&json!(false), &json!(102)));
    assert!(good(&["--claim", "black"], format!("{fen} a1a2").as_bytes()).contains("refused"));
}

/// What has ended the game before a claim stands, in every form and both languages.
#[test]
fn a_claim_after_the_end_is_void() {
    let _machine = among_others();
    let checks = "4k4/9/9/9/9/3R5/9/9/9/5K3 w - - 96 60 moves d4e4 e9d9 e4d4 d9e9 d4e4 e9d9 e4d4 d9e9";
    let mate = "3k5/4P4/9/9/9/9/9/9/9/R3K4 w - - 119 1 moves a0a9";
    for (input, rounds, verdict, ended_by, ply) in
        [(checks, "40", "red_loses", "repetition", 8), (mate, "60", "none", "checkmate", 1)]
    {
        let args = ["--claim", "black", "--rounds", rounds];
        let (answers, code, _) = answers(&args, input.as_bytes());
        assert_eq!(
            (code, &answers[0]["verdict"], &answers[0]["ended_by"]),
            (Some(0), &json!(verdict), &json!(ended_by))
        );
        let claim = &answers[0]["claim"];
        assert_eq!((&claim["granted"], &claim["over_after_ply"]), (&json!(false), &json!(ply)));
        assert!(claim["why"].as_str().is_some_and(|why| why.contains("void")), "{claim}");
        let english = good(&args, input.as_bytes());
        assert!(english.contains(&format!("void: the game was over after half-move {ply}.")), "{english}");
        let folder = tempfile::tempdir().expect("a scratch folder");
        let target = folder.path().to_str().expect("a simple name");
        good(&[&args[..], &["--lang", "zh", "-o", target]].concat(), input.as_bytes());
        let page = std::fs::read_to_string(folder.path().join("0001-stdin_1.html")).expect("readable");
        assert!(page.contains(&format!("无效：第{ply}着后对局已告结束")) && !page.contains("判和"), "{page}");
    }
}

/// Nothing is drawn by the natural limit before somebody claims it.
#[test]
fn the_natural_limit_waits_for_a_claim() {
    let _machine = among_others();
    let input = b"4k4/9/9/9/9/3R5/9/9/9/5K3 w - - 118 60 moves d4d3 e9e8";
    let (unclaimed, _, _) = answers(&[], input);
    assert_eq!((&unclaimed[0]["ended_by"], &unclaimed[0]["may_claim_draw"]), (&Value::Null, &json!(["red", "black"])));
    assert!(good(&[], input).contains("the game is drawn when a player claims it"));
    let (granted, _, _) = answers(&["--claim", "red"], input);
    assert_eq!((&granted[0]["ended_by"], &granted[0]["claim"]["granted"]), (&json!("natural_limit"), &json!(true)));
    assert!(granted[0].get("may_claim_draw").is_none());
    let refused = good(&["--claim", "black", "--rounds", "63"], input);
    assert!(
        refused.contains("refused: 120 half-moves count, 126 are needed") && !refused.contains("drawn"),
        "{refused}"
    );
}

/// What a ruling rests on is in the JSON: the targets of kills, and a second loop that is unlike the first.
#[test]
fn json_has_every_move_of_the_window_with_its_targets() {
    let _machine = among_others();
    let kill = cases().into_iter().find(|case| case["id"] == "axf-d-047").expect("the case is there");
    let (kills, _, _) = answers(&[], kill.to_string().as_bytes());
    assert_eq!((&kills[0]["verdict"], &kills[0]["is_certain"]), (&json!("red_loses"), &json!(true)));
    let window = kills[0]["window"].as_array().expect("moves");
    let victims: Vec<&str> = window
        .iter()
        .filter(|mv| mv["class"] == "kill")
        .map(|mv| {
            assert!(mv["mate_in"].as_u64().is_some_and(|checks| checks > 0), "{mv}");
            mv["chases"][0].as_str().and_then(|victim| victim.get(..1)).expect("a victim")
        })
        .collect();
    assert!(victims.len() >= 4 && victims.iter().all(|&victim| victim == victims[0]), "{window:?}");

    let unlike = "4k4/9/9/5c3/R8/9/9/4B4/4A4/2BAK4 w moves a5a6 f6f5 a6a5 f5f6 a5b5 e9f9 b5a5 f9e9";
    let (loops, _, _) = answers(&[], unlike.as_bytes());
    let window = loops[0]["window"].as_array().expect("moves");
    let moves: Vec<&str> = window.iter().filter_map(|mv| mv["move"].as_str()).collect();
    assert_eq!(moves, unlike.split(' ').skip(3).collect::<Vec<_>>());
    let classes = loops[0]["classes"].as_array().expect("classes");
    assert_eq!((classes.len(), &loops[0]["cycle_len"]), (4, &json!(4)));
    let of_first_loop: Vec<&Value> = window[..4].iter().map(|mv| &mv["class"]).collect();
    assert_eq!(json!(of_first_loop), json!(classes));
    assert_eq!((&window[4]["ply"], &window[7]["ply"]), (&json!(5), &json!(8)));
}

/// Rulings of an earlier run are not taken for this one's.
#[test]
fn stale_rulings_in_a_folder_are_told() {
    let _machine = among_others();
    let folder = tempfile::tempdir().expect("a scratch folder");
    let target = folder.path().to_str().expect("a simple name");
    let run = |more: &[&str], input: &str| {
        let output = judge(&[&["-", "-o", target], more].concat(), input.as_bytes());
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let again = ["--overwrite"];
    std::fs::write(folder.path().join("notes.html"), "mine").expect("written");
    let game = |id: &str| json!({"id": id, "fen": CHASE_FEN, "moves": CHASE}).to_string();
    assert_eq!(run(&[], &game("one")), (Some(0), String::new()));
    let (code, refused) = run(&[], &game("one"));
    assert!(code == Some(2) && refused.contains("0001-one.html already exists"), "{refused}");
    assert_eq!(run(&again, &game("one")), (Some(0), String::new()), "the same again takes its place");
    let (code, note) = run(&[], &game("two"));
    assert!(code == Some(0) && note.contains("also holds 1 ruling") && note.contains("0001-one.html"), "{note}");
    assert_eq!(note.lines().count(), 1);
}

#[test]
fn thousands_of_games_keep_their_order() {
    let _machine = among_others();
    const GAMES: usize = 5000;
    let input: String = (0..GAMES).map(|number| {
        let moves = if number % 3 == 0 { "h2e2" } else { SHUFFLE };
        format!("{}\n", json!({"id": number, "fen": "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1", "moves": moves}))
    }).collect();
    let (answers, code, _) = answers(&[], input.as_bytes());
    assert_eq!((answers.len(), code), (GAMES, Some(0)));
    for (number, answer) in answers.iter().enumerate() {
        assert_eq!(
            (&answer["id"], &answer["verdict"]),
            (&json!(number), &json!(if number % 3 == 0 { "none" } else { "draw" }))
        );
    }
}

#[test]
fn closed_output_is_no_fault() {
    let _machine = among_others();
    let mut process = Command::new(program())
        .args(["judge", &cases_file()])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("chuhe starts");
    drop(process.stdout.take());
    let output = process.wait_with_output().expect("chuhe ends");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}
