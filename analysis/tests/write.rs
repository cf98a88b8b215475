//! The forms of results, read back.

use std::ops::ControlFlow;
use std::time::Duration;

use chuhe_analysis::write::text::Style;
use chuhe_analysis::write::{Setup, csv, html, json, pgn as annotated, text};
use chuhe_analysis::{
    EngineSettings, GameAnalysis, Judgement, Limits, MateNote, Opening, OwnEngine, References, Score, analyze_game,
};
use chuhe_book::Books;
use chuhe_movegen::{Board, Color};
use chuhe_records::{ChineseStyle, NodeId, Notation, Record, pgn};
use chuhe_report::Language;
use chuhe_report::page::{GameView, Mark, Reading, ShownScore};
use chuhe_rules::RuleSet;
use serde_json::{Value, json as value};

/// Two blunders, a missed mate and a mate; a comment and a variation of the record's own.
fn sample() -> (Record, Setup, GameAnalysis) {
    let source = "[Event \"Cup, \\\"open\\\"\"]\n[Red \"甲\"]\n[Black \"B <i>\"]\n[Result \"1-0\"]\n\
        [FEN \"4k4/R8/9/4p4/2r6/9/9/9/9/2R1K4 b - - 0 1\"]\n\n\
        1... c5i5 {hurried} (1... c5c0 2. e0e1) 2. c0c1 i5i0 {check, at last} 3. e0e1 i0i8 4. a8i8 e6e5 5. c1c9 1-0\n\n";
    let record = pgn::Reader::new(source.as_bytes()).next().expect("a game").expect("a good one");
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    let mut engine = OwnEngine::new(EngineSettings { limits, multi_pv: 2, hash_mib: 4, ..EngineSettings::default() })
        .expect("memory for a table");
    let references = References { rules: &RuleSet::ASIAN, books: &Books::embedded() };
    let analysis = analyze_game(&record, references, &mut engine, &mut |_, _| ControlFlow::Continue(())).unwrap();
    let setup = Setup { engine: OwnEngine::NAME.to_owned(), limits, multi_pv: 2 };
    (record, setup, analysis)
}

const ENGLISH: Style = Style { language: Language::English, notation: Notation::Wxf };
const CHINESE: Style = Style { language: Language::Chinese, notation: Notation::Chinese(ChineseStyle::CUSTOMARY) };

fn id() -> Value {
    Value::from("cup.pgn:1")
}

#[test]
fn the_sample_is_what_it_is_meant_to_be() {
    let (_, _, analysis) = sample();
    let moves = &analysis.moves;
    assert_eq!((moves[0].judgement, moves[0].mate), (Judgement::Blunder, Some(MateNote::Allowed(1))));
    assert_eq!(moves[1].mate, Some(MateNote::Missed(1)));
    assert_eq!(moves.last().map(|mv| mv.mate), Some(Some(MateNote::Found(1))));
}

#[test]
fn json_says_what_the_analysis_says() {
    let (_, setup, analysis) = sample();
    let line = json::analysis(&id(), &setup, &analysis);
    assert!(!line.contains('\n'));
    let game: Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!((&game["id"], &game["red"], &game["result"]), (&id(), &value!("甲"), &value!("1-0")));
    assert_eq!(
        (&game["node_limit"], &game["depth_limit"], &game["multipv"]),
        (&value!(20_000), &Value::Null, &value!(2))
    );
    assert_eq!((&game["ruling"]["ended_by"], &game["ruling"]["loser"]), (&value!("checkmate"), &value!("black")));
    assert_eq!(game["last_position"], Value::Null);
    let moves = game["moves"].as_array().expect("a list");
    assert_eq!(moves.len(), analysis.moves.len());
    for (index, (line, played)) in moves.iter().zip(&analysis.moves).enumerate() {
        assert_eq!((&line["ply"], &line["move"]), (&value!(index + 1), &value!(played.mv.to_string())));
        assert_eq!(line["side"], if played.mover == Color::Red { "red" } else { "black" });
        let red = line["red_win_probability"].as_f64().expect("a number");
        let own = line["win_probability"].as_f64().expect("a number");
        assert!((if played.mover == Color::Red { red - own } else { red + own - 1.0 }).abs() < 1e-9);
        assert_eq!(line["lines"].as_array().map(Vec::len), Some(played.before.lines.len()));
        for (best, known) in line["lines"].as_array().into_iter().flatten().zip(&played.before.lines) {
            let pv: Vec<&str> = best["pv"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
            assert_eq!(pv, known.moves.iter().map(ToString::to_string).collect::<Vec<_>>());
            assert_eq!(best["wdl"].as_array().unwrap().iter().filter_map(Value::as_u64).sum::<u64>(), 1000);
        }
        match played.score {
            Score::Cp(cp) => assert_eq!(line["score"], value!({ "cp": cp })),
            score => assert_eq!(line["score"], value!({ "mate": score.decided_in().unwrap().1 })),
        }
    }
    assert_eq!(moves[0]["mate"], value!({"allowed": 1}));
    assert_eq!(moves[0]["chinese"], "车3平9");
    assert_eq!(moves[0]["wxf"], "R3=9");
    assert_eq!(moves.last().unwrap()["score"], value!({"mate": 1}));
    assert_eq!(game["players"]["black"]["blunders"], analysis.player(Color::Black).count(Judgement::Blunder));
}

#[test]
fn an_opening_is_named() {
    let (record, setup, mut analysis) = sample();
    analysis.opening = Opening::all().find(|opening| opening.code == "C41");
    let game: Value = serde_json::from_str(&json::analysis(&id(), &setup, &analysis)).unwrap();
    let (name, variation) = ("中炮过河车互进七兵对屏风马平炮兑车", "黑退边炮");
    assert_eq!([&game["opening"]["code"], &game["opening"]["chinese"]], ["C41", name]);
    assert_eq!(game["opening"]["variation"]["chinese"], variation);
    let tags = |record: &Record, analysis: &GameAnalysis| {
        let tags = annotated::annotated(record, &setup, analysis, Language::English).tags;
        ["ECCO", "Opening", "Variation"].map(|tag| tags.get(tag).unwrap_or_default().to_owned())
    };
    assert_eq!(tags(&record, &analysis), ["C41", name, variation]);
    let chinese = text::analysis(&id(), &setup, &analysis, CHINESE);
    assert!(chinese.contains(&format!("\n开局：C41 {name}——{variation}\n")), "{chinese}");

    // What the record says stays, and what would not belong to it is not added.
    let mut named = record.clone();
    named.tags.set("ECCO", "");
    named.tags.set("Opening", name);
    assert_eq!(tags(&named, &analysis), ["C41", name, variation]);
    named.tags.set("Opening", "中炮局");
    assert_eq!(tags(&named, &analysis), ["C41", "中炮局", ""]);
    named.tags.set("ECCO", "B00");
    named.tags.set("Opening", "");
    assert_eq!(tags(&named, &analysis), ["B00", "", ""]);
    named.tags.set("Variation", "own");
    assert_eq!(tags(&named, &analysis), ["B00", "", "own"]);

    // One that is not divided further.
    analysis.opening = Opening::all().find(|opening| opening.variation.is_none());
    let [_, opening, variation] = tags(&record, &analysis);
    assert!(!opening.is_empty() && variation.is_empty());
    let game: Value = serde_json::from_str(&json::analysis(&id(), &setup, &analysis)).unwrap();
    assert_eq!(game["opening"]["variation"], Value::Null);
}

/// Whether a text has Chinese characters.
fn has_chinese(text: &str) -> bool {
    text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c))
}

/// The same is said in both languages, and in each all of it.
#[test]
fn both_languages_are_complete() {
    let (record, setup, mut analysis) = sample();
    analysis.opening = Opening::all().find(|opening| opening.code == "C41");
    let english = text::analysis(&id(), &setup, &analysis, ENGLISH).replace('甲', "A");
    assert!(!has_chinese(&english), "{english}");
    let chinese = text::analysis(&id(), &setup, &analysis, CHINESE);
    let words = chinese
        .replace("cup.pgn", "")
        .replace("Cup, \"open\"", "")
        .replace("Chuhe", "")
        .replace("B <i>", "")
        .replace("C41", "");
    // Scores of mates have their letter in both.
    assert!(!words.chars().any(|c| c.is_ascii_alphabetic() && c != 'M'), "{chinese}");
    assert_eq!(english.lines().count(), chinese.lines().count());
    assert!(chinese.contains("漏着，胜率损失 ") && chinese.contains("让对方有 1 步杀；应走 车3进5"), "{chinese}");
    assert!(chinese.contains("错过 1 步杀") && chinese.contains("终局：将死"), "{chinese}");
    for text in [&english, &chinese] {
        let table: Vec<&str> = text.lines().rev().skip(1).take(3).collect();
        assert!(table.iter().all(|line| chuhe_text::width(line) == chuhe_text::width(table[0])), "{text}");
    }

    let limits = Limits { depth: Some(9), nodes: Some(5), move_time: Some(Duration::from_millis(1500)) };
    let setup = Setup { limits, ..setup };
    assert!(text::analysis(&id(), &setup, &analysis, CHINESE).contains("每着 深度 9、5 节点、1.5 秒"));

    let view = |language| html::view(&id(), &record, &analysis, language);
    assert_eq!(view(Language::Chinese).termination, "将死");
    let pgn = |language| pgn::to_string(&annotated::annotated(&record, &setup, &analysis, language));
    assert!(pgn(Language::Chinese).contains("漏着，胜率损失 ") && !pgn(Language::Chinese).contains("blunder"));
}

#[test]
fn rows_of_csv_are_as_long_as_their_header() {
    let (_, _, analysis) = sample();
    let awkward = Value::from("a, \"b\"\nc");
    let table = csv::header() + &csv::rows(&awkward, &analysis, Notation::Wxf);
    let mut reader = ::csv::Reader::from_reader(table.as_bytes());
    let header = reader.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|known| known == name).unwrap();
    let rows: Vec<_> = reader.records().collect::<Result<_, _>>().expect("rows of one length");
    assert_eq!(rows.len(), analysis.moves.len());
    let row = &rows[0];
    assert_eq!(&row[column("game")], "a, \"b\"\nc");
    assert_eq!([&row[column("ply")], &row[column("number")], &row[column("side")]], ["1", "1", "black"]);
    assert_eq!([&row[column("move")], &row[column("name")], &row[column("best")]], ["c5i5", "R3=9", "c5c0"]);
    assert_eq!(
        [&row[column("score")], &row[column("judgement")], &row[column("mate")]],
        ["M-1", "blunder", "allowed 1"]
    );
    assert_eq!(&rows[1][column("number")], "2");
}

/// Ids come from files and their names: `=x.txt` is a name as any other.
#[test]
fn no_cell_of_csv_is_a_formula() {
    let (_, _, analysis) = sample();
    for id in ["=HYPERLINK(\"http://x\")", "=x.txt:1", "+1", "-1", "@SUM(A1)", "\t=1", "'"] {
        let table = csv::rows(&Value::from(id), &analysis, Notation::Wxf) + &csv::error(&id.into(), id);
        let mut reader = ::csv::ReaderBuilder::new().has_headers(false).from_reader(table.as_bytes());
        for row in reader.records().map(|row| row.expect("rows of one length")) {
            assert_eq!(chuhe_text::csv_value(&row[0]), id);
            for cell in &row {
                let is_number = cell.parse::<f64>().is_ok();
                assert!(is_number || !cell.trim_start().starts_with(['=', '+', '-', '@']), "{cell:?}");
            }
        }
    }
}

/// Escape sequences in ids, and marks that turn the direction of writing in tags, do nothing to a terminal or a page.
#[test]
fn what_others_wrote_controls_nothing() {
    let (mut record, mut setup, mut analysis) = sample();
    let hostile = "\u{1b}[31mA\u{202e}B\u{9b}2J\r";
    setup.engine = hostile.to_owned();
    for tags in [&mut record.tags, &mut analysis.tags] {
        for tag in ["Red", "Event", "Date"] {
            tags.set(tag, hostile);
        }
    }
    analysis.damage = Some(hostile.to_owned());
    let id = Value::from(hostile);
    let view = html::view(&id, &record, &analysis, Language::English);
    let page = html::page(&setup, vec![view], vec![(id.clone(), hostile.to_owned())], Reading::default());
    let table = csv::rows(&id, &analysis, Notation::Wxf) + &csv::error(&id, hostile);
    let text = text::analysis(&id, &setup, &analysis, ENGLISH) + &text::error(&id, hostile);
    for written in [page, table, text] {
        assert!(written.contains(" [31mA B 2J ") || written.contains("\\u001b[31mA B 2J"), "{written}");
        let turns = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!written.contains(turns), "{written:?}");
    }
}

#[test]
fn pgn_is_the_same_game_with_remarks() {
    let (record, setup, analysis) = sample();
    let notes = annotated::annotated(&record, &setup, &analysis, Language::English);
    for notation in [Notation::Iccs, Notation::Wxf, Notation::Chinese(ChineseStyle::CUSTOMARY)] {
        let written = pgn::to_string_in(&notes, notation);
        let read = pgn::Reader::new(written.as_bytes()).next().expect("a game").expect("a good one");
        assert_eq!(read, notes, "{written}");
    }
    let moves = |record: &Record| record.main_line().map(|(mv, _)| mv).collect::<Vec<_>>();
    assert_eq!((moves(&notes), &notes.start, notes.result), (moves(&record), &record.start, record.result));

    let tree = &notes.tree;
    let first = tree.next(NodeId::ROOT).unwrap();
    let comment = tree.comment(first);
    assert!(comment.starts_with("-M2/") && comment.ends_with(", allows mate in 1, hurried"), "{comment}");
    assert!(comment.contains(", blunder, lost "), "{comment}");
    assert_eq!(tree.nags(first), [4]);
    // The better move has been in the record already: it is not there twice, and what followed it there still does.
    let variations: Vec<_> = tree.children(NodeId::ROOT).skip(1).collect();
    let better = tree.mv(variations[0]).unwrap();
    assert_eq!(better.to_string(), "c5c0");
    assert!(variations[1..].iter().all(|&id| tree.mv(id) != Some(better)));
    assert!(tree.children(variations[0]).any(|id| tree.mv(id) == Some("e0e1".parse().unwrap())));
    assert!(!tree.comment(variations[0]).is_empty());
}

/// A record that is not whole says so in every form.
#[test]
fn damage_is_told() {
    let (record, setup, mut analysis) = sample();
    let error = "ply 9: found `e9e9`";
    analysis.damage = Some(error.to_owned());
    let game: Value = serde_json::from_str(&json::analysis(&id(), &setup, &analysis)).expect("JSON");
    assert_eq!((&game["error"], game["moves"].as_array().map(Vec::len)), (&value!(error), Some(analysis.moves.len())));
    let table = csv::header() + &csv::rows(&id(), &analysis, Notation::Iccs) + &csv::error(&id(), error);
    let mut reader = ::csv::Reader::from_reader(table.as_bytes());
    let rows: Vec<_> = reader.records().collect::<Result<_, _>>().expect("rows of one length");
    assert_eq!(rows.len(), analysis.moves.len() + 2);
    for row in &rows[analysis.moves.len()..] {
        assert_eq!([row.get(0), row.get(1), row.iter().next_back()], [Some("cup.pgn:1"), Some(""), Some(error)]);
    }
    for (style, words) in [(ENGLISH, "damaged"), (CHINESE, "有损")] {
        let text = text::analysis(&id(), &setup, &analysis, style);
        assert!(text.lines().any(|line| line.contains(words) && line.contains(error)), "{text}");
        let notes = annotated::annotated(&record, &setup, &analysis, style.language);
        assert!(notes.tree.comment(notes.tree.end()).contains(error));
        let view = html::view(&id(), &record, &analysis, style.language);
        assert!(view.study.is_some_and(|study| study.damage.contains(words) && study.damage.contains(error)));
    }
}

/// What an earlier analysis said makes room for what the new one says.
#[test]
fn an_analysis_of_an_analysis_says_everything_once() {
    let (record, setup, analysis) = sample();
    for (first, second) in [(Language::English, Language::Chinese), (Language::Chinese, Language::English)] {
        let once = annotated::annotated(&record, &setup, &analysis, first);
        assert_eq!(annotated::annotated(&once, &setup, &analysis, first), once);
        let written = pgn::to_string(&once);
        let read = pgn::Reader::new(written.as_bytes()).next().expect("a game").expect("a good one");
        let twice = annotated::annotated(&read, &setup, &analysis, second);
        assert_eq!(twice, annotated::annotated(&record, &setup, &analysis, second));
    }
    // What looks so but is another's stays.
    let mut other = record.clone();
    let first = other.tree.next(NodeId::ROOT).expect("a move");
    other.tree.set_comment(first, "+0.35/12, blunder");
    let notes = annotated::annotated(&other, &setup, &analysis, Language::English);
    assert!(notes.tree.comment(first).ends_with(", +0.35/12, blunder"), "{}", notes.tree.comment(first));
}

#[test]
fn text_shows_reds_view() {
    let (_, setup, analysis) = sample();
    let text = text::analysis(&id(), &setup, &analysis, Style { notation: CHINESE.notation, ..ENGLISH });
    let line = |name: &str| text.lines().find(|line| line.contains(name)).unwrap_or_else(|| panic!("{text}"));
    // Black's blunder: Red mates.
    assert!(line("车3平9").contains("1… ") && line("车3平9").contains("+M1"), "{text}");
    assert!(line("车3平9").contains("allows mate in 1; better 车3进5"), "{text}");
    assert!(line("cup.pgn:1").contains("甲 – B <i>"));
    assert!(text.contains("Ended by checkmate") && text.contains("\nCup, \"open\"\n"));
    assert!(text.ends_with("\n\n"));
}

#[test]
fn the_page_shows_what_the_analysis_says() {
    let (record, setup, analysis) = sample();
    let view = html::view(&id(), &record, &analysis, Language::English);
    let study = view.study.as_ref().expect("a study");
    assert_eq!((view.red.as_str(), view.termination.as_str()), ("甲", "checkmate"));
    assert_eq!(study.event, "Cup, \"open\"");
    assert_eq!(study.players[1].blunders, analysis.player(Color::Black).count(Judgement::Blunder));
    assert!(study.last_lines.is_empty());
    let [first, second, ..] = &view.moves[..] else { panic!("moves") };
    assert_eq!((first.score, first.comment.as_deref()), (Some(ShownScore::Mate(-1)), Some("hurried")));
    let told = first.study.as_ref().expect("a study");
    assert_eq!((told.mark, told.red_chance), (Some(Mark::Blunder), 1.0));
    assert_eq!(told.lines.len(), 2);
    assert_eq!(told.lines[0].moves[0].to_string(), "c5c0");
    assert_eq!(second.study.as_ref().and_then(|told| told.mark), Some(Mark::MissedMate));
    let faults = vec![(id(), "ply 3: <b>".to_owned())];
    let page = html::page(&setup, vec![view.clone()], faults, Reading::default());
    assert!(page.contains("<title>甲 – B &lt;i&gt;</title>") && page.contains("ply 3: &lt;b&gt;"));
    // Without players it is called by its event, and without that by where it comes from.
    let titled = |red: &str, event: &str| {
        let mut view = GameView { red: red.to_owned(), black: String::new(), ..view.clone() };
        view.study.as_mut().expect("a study").event = event.to_owned();
        let page = html::page(&setup, vec![view], Vec::new(), Reading::default());
        page.split("<title>").nth(1).and_then(|rest| rest.split('<').next()).expect("a title").to_owned()
    };
    assert_eq!([titled("甲", "Cup"), titled("", "Cup"), titled("", "")], ["甲 – ?", "Cup", "cup.pgn:1"]);
    let page = html::page(&setup, vec![view], Vec::new(), Reading::default());
    assert!(page.starts_with("<!DOCTYPE html>") && !page.contains("<i>") && page.contains("20000 nodes"));
}

#[test]
fn positions_and_errors() {
    let limits = Limits { depth: Some(3), ..Limits::default() };
    let mut engine = OwnEngine::new(EngineSettings { limits, multi_pv: 2, ..EngineSettings::default() }).unwrap();
    let references = References { rules: &RuleSet::ASIAN, books: &Books::embedded() };
    let mut position = |fen: &str| {
        let record = Record::new(Board::from_fen(fen).unwrap());
        analyze_game(&record, references, &mut engine, &mut |_, _| ControlFlow::Continue(())).unwrap()
    };
    let setup = Setup { engine: "x".to_owned(), limits, multi_pv: 2 };
    let mates = "4k4/R8/1R7/9/9/9/9/9/9/3K5 w - - 0 1";
    let analysis = position(mates);
    let line: Value = serde_json::from_str(&json::analysis(&value!(7), &setup, &analysis)).unwrap();
    assert_eq!((&line["id"], &line["fen"], &line["best"]), (&value!(7), &value!(mates), &value!("b7b9")));
    assert_eq!(
        (&line["score"], &line["depth_limit"], &line["side"]),
        (&value!({"mate": 1}), &value!(3), &value!("red"))
    );
    assert_eq!(line["lines"].as_array().map(Vec::len), Some(2));
    assert_eq!(csv::rows(&value!(7), &analysis, Notation::Iccs).lines().count(), 1);
    assert!(
        text::analysis(&value!(7), &setup, &analysis, Style { notation: Notation::Iccs, ..ENGLISH }).contains("B7-B9")
    );

    let mated = position("3k5/9/9/9/9/9/9/9/4R4/3RK4 b - - 0 1");
    let line: Value = serde_json::from_str(&json::analysis(&id(), &setup, &mated)).unwrap();
    assert_eq!((&line["best"], &line["ended_by"]), (&Value::Null, &value!("checkmate")));
    // A position that is over has its row as well.
    let row = csv::rows(&id(), &mated, Notation::Iccs);
    assert!(row.starts_with("cup.pgn:1,0,1,black,") && row.ends_with(",checkmate,\n"), "{row}");

    assert_eq!(json::error(&id(), "ply 3: \"x\""), r#"{"id":"cup.pgn:1","error":"ply 3: \"x\""}"#);
    assert_eq!(text::error(&id(), "a\nb"), "cup.pgn:1: a b\n\n");
}
