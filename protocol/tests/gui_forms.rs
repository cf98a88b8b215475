//! What the GUIs and adapters in the field really send, and what it means.

use chuhe_protocol::{
    Command, Dialect, GoCommand, OptionValue, Position, PositionForm, Ranks, SetOption, Start, WireMove,
};

const FEN: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

fn parse(line: &str) -> Command {
    Command::parse(line.as_bytes())
}

fn canonical(line: &str) -> String {
    String::from_utf8(parse(line).to_line(Dialect::Ucci)).unwrap()
}

fn position(line: &str) -> Position {
    match parse(line) {
        Command::Position(position) => position,
        other => panic!("{line}: {other:?}"),
    }
}

fn go(line: &str) -> GoCommand {
    match parse(line) {
        Command::Go(go) => *go,
        other => panic!("{line}: {other:?}"),
    }
}

fn set(name: &str, value: &str) -> Command {
    Command::SetOption(SetOption::new(name, value))
}

/// Lines as sent, and the same in canonical UCCI.
#[test]
fn lines_from_the_field() {
    let cases: &[(&str, &str, &str)] = &[
        ("TCHESS", "uci\n", "uci"),
        ("TCHESS", "stop\n", "stop"),
        ("TCHESS", "position fen F moves h2e2 h9g7\n", "position fen F moves h2e2 h9g7"),
        ("TCHESS", "go infinite", "go infinite"),
        ("TCHESS in UCCI", "setoption Threads 4", "setoption Threads 4"),
        ("TCHESS in UCCI", "go movetime 3000", "go movetime 3000"),
        ("VinXiangQi", "banmoves h2e2 b2e2", "banmoves h2e2 b2e2"),
        ("VinXiangQi", "go ponder movetime 1000 depth 20", "go ponder depth 20 movetime 1000"),
        ("gmchess", "setoption newgame\n", "setoption newgame"),
        ("gmchess", "position fen 4k4/9/4K4 w -- 0 1  moves e0e1", "position fen 4k4/9/4K4 w - - 0 1 moves e0e1"),
        ("gmchess", "go depth 7 ", "go depth 7"),
        ("gmchess", "go draw", "go draw"),
        ("gmchess", "ponderhit draw", "ponderhit draw"),
        ("GGchessGui", "uccinewgame\r\n", "uccinewgame"),
        ("GGchessGui", "ucinewgame\r\n", "uccinewgame"),
        ("GGchessGui", "setoption usemillisec on", "setoption usemillisec on"),
        ("GGchessGui", "setoption usebook off", "setoption usebook off"),
        ("GGchessGui", "fen 4k4/9/4K4 w - - 0 1 moves", "fen 4k4/9/4K4 w - - 0 1"),
        (
            "GGchessGui",
            "go wtime 800 btime 900 winc 1 binc 2 movestogo 9 ponder",
            "go ponder movestogo 9 wtime 800 btime 900 winc 1 binc 2",
        ),
        ("GGchessGui", "go", "go"),
        ("Sylvan", "newgame", "uccinewgame"),
        ("Sylvan", "fen 4k4/9/4K4 w - - 0 1 moves e0e1", "fen 4k4/9/4K4 w - - 0 1 moves e0e1"),
        ("Sylvan", "go time 3", "go time 3"),
        ("Sylvan", "go ponder wtime 1 btime 2 winc 3 binc 4", "go ponder wtime 1 btime 2 winc 3 binc 4"),
        ("uci2wb", "startpos moves h2e2", "startpos moves h2e2"),
        ("uci2wb", "fen 4k4/9/4K4 r moves e0e1", "fen 4k4/9/4K4 r moves e0e1"),
        (
            "uci2wb",
            "go draw time 60000 opptime 50000 movestogo 40 increment 0 oppincrement 0 depth 9",
            "go draw depth 9 time 60000 movestogo 40 increment 0 opptime 50000 oppincrement 0",
        ),
        ("uci2wb", "go infinite searchmoves h2e2 b2e2", "go infinite searchmoves h2e2 b2e2"),
        ("walker8088", "setoption name hashsize value 128\r\r\n", "setoption hashsize 128"),
        ("walker8088", "go \r\r\n", "go"),
        ("walker8088", "isready\r\r\n", "isready"),
        ("LEAGUE", "setoption promotion false", "setoption promotion false"),
        ("LEAGUE", "setoption loadbook", "setoption loadbook"),
        ("LEAGUE", "position fen 4k4/9/4K4 b - - 0 1", "position fen 4k4/9/4K4 b - - 0 1"),
        ("LEAGUE", "go time 600000 increment 3000", "go time 600000 increment 3000"),
        (
            "LEAGUE",
            "go draw time 600000 increment 3000 opptime 590000 oppincrement 3000",
            "go draw time 600000 increment 3000 opptime 590000 oppincrement 3000",
        ),
        ("XQWizard", "probe startpos moves h2e2", "probe startpos moves h2e2"),
        ("Qianhong", "POSITION STARTPOS MOVES H2-E2 H9-G7", "position startpos moves h2e2 h9g7"),
        ("LiGround", "setoption name UCI_Variant value xiangqi", "setoption UCI_Variant xiangqi"),
        ("Cute Chess", "position startpos moves a10a9 a1a2", "position startpos moves a10a9 a1a2"),
        ("flutter_pikafish", "setoption name EvalFile value /a b/c.nnue", "setoption EvalFile /a b/c.nnue"),
        ("any", "\u{feff}UCCI\0", "ucci"),
        ("any", "\t isready", "isready"),
        ("any", "position 4k4/9/4K4 w moves e0e1", "position 4k4/9/4K4 w moves e0e1"),
        ("any", "probe", "probe"),
        ("any", "go depth 3 nodes 5 mate 2 perft 4", "go depth 3 nodes 5 mate 2 perft 4"),
    ];
    for (gui, line, expected) in cases {
        let (line, expected) =
            (line.replace("fen F", &format!("fen {FEN}")), expected.replace("fen F", &format!("fen {FEN}")));
        assert_eq!(canonical(&line), expected, "{gui}: {line:?}");
    }
}

#[test]
fn words_match_as_a_whole() {
    for line in [
        "stopxyz",
        "goo depth 1",
        "uc",
        "xboard",
        "position",
        "position moves h2e2",
        "position midgamepos",
        "setoption",
        "setoption name",
        "fenfoo",
    ] {
        assert_eq!(parse(line), Command::Unknown(line.to_owned()));
    }
    for line in ["", " \t ", "\r\n", "\0"] {
        assert_eq!(parse(line), Command::Empty);
    }
    assert!(go("go depthh 3 infinitely").is_unlimited());
}

#[test]
fn engine_extras() {
    assert_eq!(parse("d"), Command::Display);
    assert_eq!(parse("eval"), Command::Eval);
    assert_eq!(parse("bench 12"), Command::Bench { depth: Some(12) });
}

#[test]
fn set_option_in_all_forms() {
    let cases = [
        ("setoption hashsize 128", set("hashsize", "128")),
        ("setoption name Hash value 128", set("Hash", "128")),
        ("SETOPTION NAME Clear Hash", set("Clear Hash", "")),
        ("setoption name  Move   Overhead  VALUE  30 ", set("Move Overhead", "30")),
        ("setoption name BookFile value <empty>", set("BookFile", "")),
        ("setoption name BookFile value", set("BookFile", "")),
        ("setoption bookfiles C:\\my books\\a.dat;b.dat", set("bookfiles", "C:\\my books\\a.dat;b.dat")),
        ("setoption newgame", set("newgame", "")),
        // The second `value` belongs to the value.
        ("setoption name X value a value b", set("X", "a value b")),
    ];
    for (line, expected) in cases {
        assert_eq!(parse(line), expected, "{line}");
    }
}

#[test]
fn paths_keep_their_bytes() {
    let gbk = b"setoption bookfiles D:\\\xc6\xe5\xc6\xd7\\book.dat\r\n";
    let Command::SetOption(option) = Command::parse(gbk) else { panic!("not an option") };
    assert_eq!(option.value.as_bytes(), b"D:\\\xc6\xe5\xc6\xd7\\book.dat");
    assert_eq!(option.value.as_str(), None);
}

#[test]
fn option_values() {
    for (text, expected) in
        [("true", Some(true)), ("ON", Some(true)), ("off", Some(false)), ("maybe", None), ("", None)]
    {
        assert_eq!(OptionValue::from(text).to_bool(), expected, "{text}");
    }
    for (text, expected) in [("16", Some(16)), (" -3 ", Some(-3)), ("1e3", None), ("", None)] {
        assert_eq!(OptionValue::from(text).to_int(), expected, "{text}");
    }
}

#[test]
fn newgame_in_the_words_of_the_dialect() {
    assert_eq!(Command::NewGame.to_line(Dialect::Ucci), b"uccinewgame");
    assert_eq!(Command::NewGame.to_line(Dialect::Uci), b"ucinewgame");
    assert_eq!(set("Clear Hash", "").to_line(Dialect::Ucci), b"setoption Clear_Hash");
    assert_eq!(set("Clear Hash", "").to_line(Dialect::Uci), b"setoption name Clear Hash");
}

#[test]
fn positions_remember_how_they_were_written() {
    assert_eq!(position("position startpos").form, PositionForm::Full);
    assert_eq!(position("startpos").form, PositionForm::Short);
    assert_eq!(position(&format!("fen {FEN}")).form, PositionForm::Short);
    let bare = position(&format!("position {FEN} moves h2e2"));
    assert_eq!((bare.form, bare.start, bare.moves.len()), (PositionForm::Bare, Start::Fen(FEN.to_owned()), 1));
}

#[test]
fn ranks_are_counted_as_the_list_shows() {
    let plain = position("position startpos moves d9e8");
    assert_eq!((plain.ranks, format!("{:?}", plain.moves)), (Ranks::FromZero, "[d9e8]".to_owned()));
    let from_one = position("position startpos moves d9e8 a10a9");
    assert_eq!((from_one.ranks, format!("{:?}", from_one.moves)), (Ranks::FromOne, "[d8e7, a9a8]".to_owned()));
    let answer = WireMove::new(from_one.moves[1], from_one.ranks);
    assert_eq!(answer.to_string(), "a10a9");
}

#[test]
fn a_bad_move_keeps_what_came_before() {
    let list = position("position startpos moves h2e2 e1e1 h9g7");
    assert_eq!((list.moves.len(), list.unreadable.as_deref()), (1, Some("e1e1")));
    let list = position("position startpos moves h2e2 \u{8f66}\u{4e00} h9g7");
    assert_eq!((list.moves.len(), list.unreadable.as_deref()), (1, Some("??????")));
}

#[test]
fn a_command_cannot_smuggle_in_another() {
    let hostile = [
        set("bookfiles", "a\nquit"),
        Command::Position(Position::new(Start::Fen("4k4\r\nquit".to_owned()), Vec::new())),
        Command::Unknown("x\nquit".to_owned()),
    ];
    for command in hostile {
        for dialect in Dialect::ALL {
            let line = command.to_line(dialect);
            assert!(!line.iter().any(|byte| b"\r\n\0".contains(byte)), "{command:?}");
        }
    }
}
