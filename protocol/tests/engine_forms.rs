//! What engines in the field really answer, what it means, and what ours answers.

use chuhe_protocol::{
    BestMove, Bound, Choice, Dialect, IdField, Info, OptionDecl, OptionKind, PopHash, PopHashBound, Reply, Score, Wdl,
    WireMove, canonical_name, same_name,
};

fn parse(line: &str) -> Reply {
    Reply::parse(line.as_bytes())
}

fn mv(text: &str) -> WireMove {
    text.parse().unwrap()
}

fn moves(text: &str) -> Vec<WireMove> {
    text.split(' ').map(mv).collect()
}

fn info(line: &str) -> Info {
    match parse(line) {
        Reply::Info(info) => *info,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn terminal_lines() {
    let best = |text: &str| BestMove::new(mv(text), None);
    let cases = [
        ("bestmove h2e2", best("h2e2")),
        ("bestmove H2-E2 \r\n", best("h2e2")),
        ("bestmove h10g8", best("h10g8")),
        ("bestmove h2e2 ponder h9g7", BestMove::new(mv("h2e2"), Some(mv("h9g7")))),
        ("bestmove h2e2 ponder (none)", best("h2e2")),
        ("bestmove h2e2 ponder h9g7 draw", BestMove { draw: true, ..BestMove::new(mv("h2e2"), Some(mv("h9g7"))) }),
        ("bestmove h2e2 resign", BestMove { resign: true, ..best("h2e2") }),
        ("bestmove e1e1", best("e1e1")),
        ("nobestmove", BestMove::NONE),
        ("bestmove (none)", BestMove::NONE),
        ("bestmove null", BestMove::NONE),
        ("bestmove 0000", BestMove::NONE),
        ("bestmove NULL ponder (none)", BestMove::NONE),
        ("bestmove", BestMove::NONE),
        ("bestmove resign", BestMove { resign: true, ..BestMove::NONE }),
        ("bestmove draw", BestMove { draw: true, ..BestMove::NONE }),
        ("bestmove h2", BestMove { choice: Choice::Unreadable("h2".to_owned()), ..BestMove::NONE }),
    ];
    for (line, expected) in cases {
        assert_eq!(parse(line), Reply::BestMove(expected), "{line}");
    }
}

#[test]
fn no_move_in_the_words_of_the_dialect() {
    let none = Reply::BestMove(BestMove::NONE);
    assert_eq!(none.to_line(Dialect::Ucci), "nobestmove");
    assert_eq!(none.to_line(Dialect::Uci), "bestmove (none)");
}

#[test]
fn infos_of_other_engines() {
    let elephant_eye = info("info depth 6 score 9999 pv h2e2 h9g7");
    assert_eq!((elephant_eye.depth, elephant_eye.score), (Some(6), Some(Score::Cp(9999))));
    assert_eq!(elephant_eye.pv, moves("h2e2 h9g7"));
    assert_eq!(info("info time 120 nodes 4000").nodes, Some(4000));

    let fairy = info("info depth 3 seldepth 3 multipv 1 score mate -2 nodes 9 nps 9 tbhits 0 time 1 pv a1a2");
    assert_eq!(fairy.score, Some(Score::Mate(-4)));

    let pikafish = info(
        "info depth 9 seldepth 12 multipv 2 score cp -31 upperbound wdl 20 930 50 nodes 100 nps 200 hashfull 3 \
         tbhits 0 time 500 pv h2e2 h9g7 b2c2",
    );
    let expected = Info {
        depth: Some(9),
        seldepth: Some(12),
        multipv: Some(2),
        score: Some(Score::Cp(-31)),
        bound: Bound::Upper,
        wdl: Some(Wdl { win: 20, draw: 930, loss: 50 }),
        nodes: Some(100),
        nps: Some(200),
        hashfull: Some(3),
        tbhits: Some(0),
        time: Some(500),
        pv: moves("h2e2 h9g7 b2c2"),
        ..Info::default()
    };
    assert_eq!(pikafish, expected);

    assert_eq!(info("info currmove h2e2 currmovenumber 3").currmove, Some(mv("h2e2")));
    assert_eq!(info("info string NNUE evaluation using x"), Info::message("NNUE evaluation using x"));
    assert_eq!(info("info message book score 1 pv"), Info::message("book score 1 pv"));
    assert_eq!(info("info depth x score y pv z nodes 5"), Info { nodes: Some(5), ..Info::default() });
}

#[test]
fn scores() {
    let cases = [
        (Score::Cp(-12), "-12", "cp -12"),
        (Score::Cp(28_500), "28000", "cp 28500"),
        (Score::Cp(i32::MIN), "-28000", "cp -2147483648"),
        (Score::Mate(1), "29999", "mate 1"),
        (Score::Mate(2), "29998", "mate 1"),
        (Score::Mate(5), "29995", "mate 3"),
        (Score::Mate(0), "-30000", "mate 0"),
        (Score::Mate(-2), "-29998", "mate -1"),
        (Score::Mate(-1), "-29999", "mate -1"),
        (Score::Mate(1500), "29000", "mate 750"),
        (Score::Mate(i32::MIN), "-29000", "mate -1073741824"),
    ];
    for (score, ucci, uci) in cases {
        let reply = Reply::from(Info { score: Some(score), ..Info::default() });
        assert_eq!(reply.to_line(Dialect::Ucci), format!("info score {ucci}"));
        assert_eq!(reply.to_line(Dialect::Uci), format!("info score {uci}"));
    }
    for (text, score) in [
        ("30000", Score::Cp(30_000)),
        ("-30000", Score::Mate(0)),
        ("28999", Score::Cp(28_999)),
        ("cp 29999", Score::Cp(29_999)),
        ("mate 99999999999", Score::Mate(i32::MAX - 1)),
    ] {
        assert_eq!(info(&format!("info score {text}")).score, Some(score), "{text}");
    }
}

#[test]
fn our_info_lines() {
    let info = Info {
        depth: Some(9),
        seldepth: Some(12),
        multipv: Some(1),
        score: Some(Score::Cp(35)),
        bound: Bound::Lower,
        wdl: Some(Wdl { win: 90, draw: 900, loss: 10 }),
        nodes: Some(1000),
        nps: Some(2000),
        hashfull: Some(5),
        tbhits: Some(0),
        time: Some(500),
        pv: moves("h2e2 h9g7"),
        ..Info::default()
    };
    assert_eq!(
        Reply::from(info.clone()).to_line(Dialect::Uci),
        "info depth 9 seldepth 12 multipv 1 score cp 35 lowerbound wdl 90 900 10 nodes 1000 nps 2000 hashfull 5 \
         tbhits 0 time 500 pv h2e2 h9g7"
    );
    assert_eq!(
        Reply::from(Info { multipv: None, ..info }).to_line(Dialect::Ucci),
        "info depth 9 score 35 time 500 nodes 1000 nps 2000 pv h2e2 h9g7"
    );
    assert_eq!(Reply::message("no book").to_line(Dialect::Ucci), "info message no book");
    assert_eq!(Reply::message("no book").to_line(Dialect::Uci), "info string no book");
}

#[test]
fn options_as_printed() {
    let cases = [
        (OptionKind::spin(16, 4096, 64), "spin min 16 max 4096 default 64", "spin default 64 min 16 max 4096"),
        (OptionKind::check(true), "check default true", "check default true"),
        (OptionKind::Button, "button", "button"),
        (OptionKind::Label, "label", "label"),
        (
            OptionKind::combo("none", ["none", "small"]),
            "combo var none var small default none",
            "combo default none var none var small",
        ),
        (OptionKind::string(""), "string", "string default <empty>"),
        (OptionKind::string("a b.dat"), "string default a b.dat", "string default a b.dat"),
    ];
    for (kind, ucci, uci) in cases {
        let reply = Reply::Option(OptionDecl::new("x", kind));
        assert_eq!(reply.to_line(Dialect::Ucci), format!("option x type {ucci}"));
        assert_eq!(reply.to_line(Dialect::Uci), format!("option name x type {uci}"));
    }
}

#[test]
fn options_of_other_engines() {
    let cases = [
        ("option usemillisec type check", "usemillisec", OptionKind::Check { default: None }),
        ("option usebook type check default on", "usebook", OptionKind::check(true)),
        ("option bookfiles type string default", "bookfiles", OptionKind::string("")),
        ("option bookfiles type string default C:\\max var\\b", "bookfiles", OptionKind::string("C:\\max var\\b")),
        ("option name EvalFile type string default <empty>", "EvalFile", OptionKind::string("")),
        (
            "option name Move Overhead type spin default 10 min 0 max 5000",
            "Move Overhead",
            OptionKind::spin(0, 5000, 10),
        ),
        ("option hashsize type spin default 16 min 1 max 99", "hashsize", OptionKind::spin(1, 99, 16)),
        (
            "option name Repetition Rule type combo default Asian Rule var Asian Rule var Chinese",
            "Repetition Rule",
            OptionKind::combo("Asian Rule", ["Asian Rule", "Chinese"]),
        ),
        ("option dualtime type label", "dualtime", OptionKind::Label),
        ("option name Clear Hash type button", "Clear Hash", OptionKind::Button),
        ("option name type button", "name", OptionKind::Button),
        ("OPTION NAME Hash TYPE SPIN", "Hash", OptionKind::Spin { min: None, max: None, default: None }),
    ];
    for (line, name, kind) in cases {
        assert_eq!(parse(line), Reply::Option(OptionDecl::new(name, kind)), "{line}");
    }
    for line in ["option", "option x", "option x type", "option x type wheel", "option name"] {
        assert_eq!(parse(line), Reply::Text(line.to_owned()));
    }
}

#[test]
fn names_are_compared_loosely() {
    assert_eq!(canonical_name("Clear_Hash "), "clearhash");
    assert!(same_name("UCI_Show WDL", "ucishowwdl"));
    assert!(!same_name("Hash", "hashsize") && !same_name("", "x"));
}

#[test]
fn the_rest() {
    let cases = [
        ("id name ElephantEye 3.31", Reply::Id(IdField::Name, "ElephantEye 3.31".to_owned())),
        ("id version 3.31", Reply::Id(IdField::Version, "3.31".to_owned())),
        ("ucciok", Reply::HandshakeOk(Dialect::Ucci)),
        ("uciok\r", Reply::HandshakeOk(Dialect::Uci)),
        ("readyok", Reply::ReadyOk),
        ("uccierror", Reply::UcciError),
        ("bye", Reply::Bye),
        ("copyprotection ok", Reply::Text("copyprotection ok".to_owned())),
        ("id colour red", Reply::Text("id colour red".to_owned())),
        ("", Reply::Text(String::new())),
        (
            "pophash bestmove h2e2 lowerbound 5 depth 7 upperbound -3 depth 2",
            Reply::PopHash(PopHash {
                best: Some(mv("h2e2")),
                lower: Some(PopHashBound { value: 5, depth: 7 }),
                upper: Some(PopHashBound { value: -3, depth: 2 }),
            }),
        ),
        ("pophash", Reply::PopHash(PopHash::default())),
    ];
    for (line, expected) in cases {
        assert_eq!(parse(line), expected, "{line}");
    }
}
