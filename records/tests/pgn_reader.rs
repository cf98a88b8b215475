//! The PGN reader on what the field and the hostile write.

use std::io::{self, BufRead, BufReader, Read};

use chuhe_movegen::{Board, Color};
use chuhe_records::pgn::{DamagedGame, Fault, MAX_DEPTH, PgnError, Reader};
use chuhe_records::{GameResult, NodeId, Record};

fn read_bytes(bytes: &[u8]) -> Vec<Result<Record, DamagedGame>> {
    let games = Reader::new(bytes);
    games
        .map(|game| game.map_err(|error| if let PgnError::Game(error) = error { error } else { panic!("{error}") }))
        .collect()
}

fn read(text: &str) -> Vec<Result<Record, DamagedGame>> {
    read_bytes(text.as_bytes())
}

fn one(text: &str) -> Record {
    let mut games = read(text);
    assert_eq!(games.len(), 1, "{games:?}");
    games.remove(0).unwrap_or_else(|error| panic!("{error}"))
}

fn error(text: &str) -> String {
    let mut games = read(text);
    assert_eq!(games.len(), 1, "{games:?}");
    games.remove(0).unwrap_err().to_string()
}

fn moves(record: &Record) -> String {
    record.main_line().map(|(mv, _)| mv.to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn tags_are_read_in_every_form_of_the_field() {
    let record = one("\u{feff}[Game \"Chinese Chess\"]\r\n[Event \"a \\\"b\\\" c\"]\r\n[ Site \"C:\\games\\\" ]\r\n\
         [White \"WukongJS\"]\r\n[Black \"\"中立杯\"赛\"]\r\n[Round 3] [Date \"2006.08.03\"]\r\n[Opening \"\"]\r\n\
         [Result \"0-1\"]\r\n[Format \"ICCS\"]\r\n\r\n1. h2e2 1-0\r\n");
    let tags: Vec<_> = record.tags.iter().collect();
    let expected = [
        ("Event", "a \"b\" c"),
        ("Site", "C:\\games\\"),
        ("Red", "WukongJS"),
        ("Black", "\"中立杯\"赛"),
        ("Round", "3"),
        ("Date", "2006.08.03"),
        ("Opening", ""),
    ];
    assert_eq!(tags, expected);
    assert_eq!(record.tags.opening(), None);
    assert_eq!(record.result, GameResult::BlackWins, "the tag has the last word");
    assert_eq!(moves(&record), "h2e2");
}

#[test]
fn numbers_dots_and_marks_do_not_matter() {
    for text in [
        "1. h2e2 h9g7 2. h0g2 *",
        "1.h2e2 1...h9g7 2.H0-G2",
        "1 H2E2 H9G7 2 H0G2",
        "1. H2-E2!\n1. ... H9-G7?!\n2．h0g2！",
        "1. Che2 Hg7 2. Hg2 {end} 1/2-1/2",
        "1.炮二平五 马8进7 2.马二进三",
        "１．炮二平五　馬８進７！ ２．馬二進三！？",
        "1、炮25 马87 2、马23",
        "[Format \"ICCS\"]\n1.C2=5 h8+7 2.N2+3",
        "[Format \"WXF\"]\n1. 炮二平五 Hg7 2. Ｈ２＋３",
        "1… h2e2 … h9g7 h0g2",
        "%escaped 1. a0a1\n1. h2e2 h9g7 ; to the end of the line a0a1\n2. h0g2",
    ] {
        assert_eq!(moves(&one(text)), "h2e2 h9g7 h0g2", "{text}");
    }
    let record = one("1. h2e2!? h9g7 $6 $18 *");
    let first = record.tree.next(NodeId::ROOT).unwrap();
    assert_eq!(record.tree.nags(first), [5]);
    assert_eq!(record.tree.nags(record.tree.end()), [6, 18]);
}

#[test]
fn comments_stay_where_they_were_written() {
    let record = one(
        "[Red \"A\"]\n\n{before\r\n  the first }\n1. h2e2 {#50,0#}{1. a0a1 (x}\n  h9g7 ;rest }{\n2. h0g2\n1-0\n=====\n\
         www.example.org (\n",
    );
    assert_eq!(record.comment(), "before\nthe first");
    let line: Vec<_> = record.main_line().map(|(mv, comment)| (mv.to_string(), comment)).collect();
    let expected = [("h2e2".into(), "#50,0#\n1. a0a1 (x"), ("h9g7".into(), "rest ｝{"), ("h0g2".into(), "")];
    assert_eq!(line, expected);
    assert_eq!(record.result, GameResult::RedWins);
}

#[test]
fn variations_replace_the_move_before_them() {
    let record = one(
        "1. h2e2 (1. b2e2 {other} b9c7 （1. ... h9g7 2. b0c2） 2. b0c2) ({none}) 1. ... h9g7 ({early} b9c7 *) 2. h0g2 *",
    );
    let tree = &record.tree;
    assert_eq!(moves(&record), "h2e2 h9g7 h0g2");
    let lines: Vec<_> = tree
        .walk()
        .filter(|&(_, id)| tree.next(id).is_none())
        .map(|(_, id)| tree.path_to(id).iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(lines, ["h2e2 h9g7 h0g2", "h2e2 b9c7", "b2e2 b9c7 b0c2", "b2e2 h9g7 b0c2"]);
    let comments: Vec<_> = tree.walk().map(|(_, id)| tree.comment(id)).filter(|text| !text.is_empty()).collect();
    assert_eq!(comments, ["none", "early", "other"]);
}

#[test]
fn a_game_begins_where_its_fen_says() {
    let black = one("[FEN \"5k3/4P4/9/9/9/9/9/9/4r4/3K5 b - - 3 40\"]\n1. ... e1e8 *");
    assert_eq!((black.start.side_to_move(), black.start.halfmove_clock()), (Color::Black, 3));
    // A handicap without the left horse, and a FEN that does not say who moves, or says it wrong.
    let handicap = one("[FEN \"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/R1BAKABNR\"]\nh2e2");
    assert_eq!(handicap.start.occupied().count(), 31);
    let wrong = one("[FEN \"5k3/4P4/9/9/9/9/9/9/4r4/3K5 w\"]\n1. ... e1e8 d0d1 *");
    assert_eq!((wrong.start.side_to_move(), moves(&wrong).as_str()), (Color::Black, "e1e8 d0d1"));
    assert_eq!(one("[FEN \"\"]\nh2e2").start, Board::startpos());
}

#[test]
fn games_without_tags_moves_or_results_are_games() {
    assert_eq!(moves(&one("h2e2 h9g7")), "h2e2 h9g7");
    assert_eq!(one("1-0").result, GameResult::RedWins);
    assert_eq!(one("[Event \"e\"]").tags.event(), Some("e"));
    for nothing in ["", "\n\n", "\u{feff}", "{comment}", "; comment\n\n%", "."] {
        assert_eq!(read(nothing), [], "{nothing:?}");
    }
}

#[test]
fn games_are_told_apart_by_their_tags() {
    let text = "[Event \"1\"]\n[Red \"A\"]\n\n1. h2e2 {[Red \"no tag\"]\n[Site \"no tag\"]\n} 1-0\nfooter\n\n\
                [Event \"2\"]\n\n[Red \"B\"]\n[Event \"3\"]\nh2e2\n[Red \"C\"]\n*";
    let games: Vec<_> = read(text).into_iter().map(Result::unwrap).collect();
    let named: Vec<_> = games.iter().map(|game| (game.tags.event(), game.tags.red(), game.tree.len())).collect();
    let expected = [(Some("1"), Some("A"), 1), (Some("2"), Some("B"), 0), (Some("3"), None, 1), (None, Some("C"), 0)];
    assert_eq!(named, expected);
}

#[test]
fn an_error_names_game_line_ply_and_what_was_expected() {
    let text = "[Event \"1\"]\n\n1. h2e2 *\n\n[Event \"2\"]\n\n1. h2e2 h9g7\n2. h2e2 (\n\n[Event \"3\"]\n1. b2e2";
    let games = read(text);
    assert_eq!(games.len(), 3);
    let damaged = games[1].as_ref().unwrap_err();
    assert_eq!((damaged.game, damaged.line, damaged.ply), (2, 8, Some(3)));
    assert_eq!(damaged.to_string(), "game 2, line 8, ply 3: found `h2e2`, expected a legal move of Red");
    assert_eq!(moves(games[2].as_ref().unwrap()), "b2e2");

    assert_eq!(
        error("1. 炮二平十"),
        "game 1, line 1, ply 1: found `炮二平十`, expected a move in Chinese (`炮二平五`), WXF (`C2=5`), ICCS (`H2-E2`) or \
         WinBoard notation (`Che2`)"
    );
    assert_eq!(error("1. 前车进一"), "game 1, line 1, ply 1: found `前车进一`, 2 moves answer to it, expected one");
    assert_eq!(error("1. 炮二平五 C2=8"), "game 1, line 1, ply 2: found `C2=8`, expected a legal move of Black");
    assert_eq!(error("1. Ce2"), "game 1, line 1, ply 1: found `Ce2`, 2 moves answer to it, expected one");
    assert_eq!(
        error("\n\nh2e2 (b2e2 h9g7"),
        "game 1, line 3, ply 3: the variation that begins here does not end, expected `)`"
    );
    assert_eq!(
        error("h2e2\n\n{ h9g7"),
        "game 1, line 3, ply 2: the comment that begins here does not end, expected `}`"
    );
    assert_eq!(error("h2e2) h9g7"), "game 1, line 1, ply 2: found `)`, expected a move, a comment or a result");
    assert_eq!(error("(h2e2)"), "game 1, line 1, ply 1: found `(h2e2)`, expected a move before its variation");
    assert_eq!(error("h2e2 $999"), "game 1, line 1, ply 2: found `$999`, expected a number from 0 to 255 after `$`");
    let hint = error("h2e2 **** h9g7");
    assert!(hint.starts_with("game 1, line 1, ply 2: found `****`"), "{hint}");
    assert_eq!(error("[Event"), "game 1, line 1: found `[Event`, expected a tag such as `[Red \"name\"]`");
    assert_eq!(
        error("[Red \"A\"]\n[FEN \"9/9\"]\n"),
        "game 1, line 2: tag FEN: board field: found 2 ranks, expected 10"
    );
}

#[test]
fn an_open_comment_spoils_its_own_game_only() {
    let games =
        read("[Event \"1\"]\n\nh2e2 { no end\n1-0\n\n[Event \"2\"]\nh2e2 {x\n[Game \"Chinese Chess\"]\nb2e2 *\n");
    let results: Vec<_> = games.iter().map(|game| game.as_ref().map(moves).map_err(|error| error.line)).collect();
    assert_eq!(results, [Err(3), Err(7), Ok("b2e2".to_owned())]);
}

#[test]
fn encodings_are_found_out_game_by_game() {
    let game = |name: &str| format!("[Red \"{name}\"]\n\nh2e2 {{炮二平五}} h9g7 {{馬八進七}} *\n\n");
    let name = "許銀川";
    let mut bytes = b"\xef\xbb\xbf".to_vec();
    for encoding in [encoding_rs::UTF_8, encoding_rs::GB18030, encoding_rs::BIG5] {
        let text = game(name);
        let (encoded, _, unmappable) = encoding.encode(&text);
        assert!(!unmappable);
        bytes.extend_from_slice(&encoded);
    }
    let names: Vec<_> =
        read_bytes(&bytes).into_iter().map(|game| game.unwrap().tags.red().unwrap().to_owned()).collect();
    assert_eq!(names, [name; 3]);
}

/// Half of the characters 匽 and 亇 in GBK are `{` and `}`.
#[test]
fn halves_of_characters_are_no_brackets() {
    let text = "[Event \"1\"]\nh2e2 {匽亇匽}\n*\n[Event \"2\"]\nh2e2 匽\n";
    let (bytes, ..) = encoding_rs::GB18030.encode(text);
    let games = read_bytes(&bytes);
    assert_eq!(games[0].as_ref().unwrap().main_line().next().unwrap().1, "匽亇匽");
    assert!(games[1].as_ref().unwrap_err().to_string().contains("found `匽`"));
}

#[test]
fn utf_16_is_named() {
    let mut reader = Reader::new(&b"\xff\xfe1\0.\0\n\0x\0"[..]);
    assert_eq!(
        reader.next().unwrap().unwrap_err().to_string(),
        "game 1, line 1: UTF-16 text, expected UTF-8, GB18030 or Big5"
    );
    assert_eq!((reader.games(), reader.next().is_none()), (1, true));
}

#[test]
fn a_game_beyond_the_limit_is_passed_over() {
    let long = format!("[Event \"long\"]\nh2e2 {{{}\n{}}} *\n", "x".repeat(500), "y\n".repeat(300));
    let text = format!("[Event \"1\"]\nh2e2 *\n{long}[Event \"3\"]\nb2e2 *\n");
    let games: Vec<_> = Reader::with_max_game_size(text.as_bytes(), 400).collect();
    assert_eq!(games.len(), 3);
    assert!(games[0].is_ok() && games[2].is_ok());
    assert_eq!(
        games[1].as_ref().unwrap_err().to_string(),
        "game 2, line 3: the game has more than 400 bytes, expected fewer"
    );
}

#[test]
fn deep_variations_need_no_deep_stack() {
    let nested = |depth: usize| {
        let word = |level: usize| if level.is_multiple_of(2) { "h2e2" } else { "b2e2" };
        let open: String = (0..depth).map(|level| format!("{} (", word(level))).collect();
        format!("{open}h2e2{}", ")".repeat(depth))
    };
    assert_eq!(one(&nested(MAX_DEPTH)).tree.len(), MAX_DEPTH + 1);
    assert!(matches!(read(&nested(MAX_DEPTH + 1))[0], Err(DamagedGame { fault: Fault::TooDeep, .. })));
    let tags: String = (0..1000).map(|number| format!("[T{number} \"x\"]\n")).collect();
    assert!(matches!(read(&tags)[0], Err(DamagedGame { fault: Fault::TooManyTags, .. })));
}

/// A stream of games without an end keeps one of them in memory.
#[test]
fn a_stream_is_read_as_it_comes() {
    struct Endless(usize);
    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            const GAME: &[u8] = b"[Event \"e\"]\n1. h2e2 {c} h9g7 *\n";
            for byte in buffer.iter_mut() {
                *byte = GAME[self.0 % GAME.len()];
                self.0 += 1;
            }
            Ok(buffer.len())
        }
    }
    let games = Reader::new(BufReader::with_capacity(100, Endless(0))).take(10_000);
    assert!(games.map(Result::unwrap).all(|game| game.tree.len() == 2));
}

#[test]
fn a_stream_that_breaks_ends_the_reading() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("disk on fire"))
        }
    }
    let input = BufReader::new(b"[Event \"1\"]\n*\n[Event \"2\"]\n".chain(Broken));
    assert!(input.buffer().is_empty());
    let games: Vec<_> = Reader::new(input).collect();
    assert_eq!(games.len(), 2);
    assert_eq!(games[1].as_ref().unwrap_err().to_string(), "line 4: disk on fire");
}

#[test]
fn the_reader_takes_any_buffered_stream() {
    fn assert_reads<R: BufRead>(_: &Reader<R>) {}
    let boxed: Box<dyn BufRead> = Box::new(&b"h2e2"[..]);
    let mut reader = Reader::new(boxed);
    assert_reads(&reader);
    assert!(reader.next().unwrap().is_ok() && reader.next().is_none() && reader.next().is_none());
    assert_eq!(reader.games(), 1);
}

#[test]
fn lines_end_in_every_way() {
    let text = "[Event \"1\"]\n[Red \"A\"]\n\n1. h2e2 {a\nb}\n1. ... h9g7 ; rest\n2. h0g2\n*\n\n[Event \"2\"]\n\n1. h2h2 *\n\
                [Event \"3\"]\n1. b2e2";
    let expected = read(text);
    assert_eq!((expected.len(), expected[0].as_ref().map(moves).as_deref()), (3, Ok("h2e2 h9g7 h0g2")));
    assert!(expected[1].as_ref().unwrap_err().to_string().starts_with("game 2, line 12, ply 1: "));
    for end in ["\r\n", "\r"] {
        assert_eq!(read(&text.replace('\n', end)), expected, "{end:?}");
    }
}

/// As in files of the field: moves without blanks between, placeholders for Red's move, a result in words, a footer behind a
/// line, notes before the first move.
#[test]
fn what_the_field_puts_around_moves_does_not_matter() {
    for text in [
        "1. 炮二平五马８进７ 2. 马二进三",
        "1.炮二平五马8进72.马二进三",
        "1.炮二平五！马8进7?! 2.马二进三*",
        "1. 炮二平五 (1. 炮八平五马2进3) 1. ---- 马8进7 2. 马二进三 红胜",
        "1. 炮二平五\n1. ………… 马8进7\n2. 马二进三\n============\n 推荐用《象棋巫师》 [x]\n",
        "（注：第一局） 1. 炮二平五 马8进7 2. 马二进三\n-------\nhttps://www.example.org/ (1)",
        "======\n1. 炮二平五 马8进7 2. 马二进三",
    ] {
        assert_eq!(moves(&one(text)), "h2e2 h9g7 h0g2", "{text}");
    }
    assert_eq!(one("1. 炮二平五 马8进7 黑方胜\n").result, GameResult::BlackWins);
    assert_eq!(one("[Result \"红先胜\"]\n1. 炮二平五 *\n").result, GameResult::RedWins);
    assert_eq!(one("（注：第一局） 1. 炮二平五").comment(), "注：第一局");
    assert_eq!(moves(&one("(1) 1. 炮二平五")), "h2e2");
    let without_moves = one("[Red \"甲\"]\n\n============\n 欢迎访问《象棋百科全书网》\n");
    assert_eq!((without_moves.tags.red(), without_moves.tree.len()), (Some("甲"), 0));
    let unquoted = one("[Event \"国手赛]\n[Red \"甲\n\n1. 炮二平五 *\n");
    assert_eq!(
        (unquoted.tags.event(), unquoted.tags.red(), moves(&unquoted).as_str()),
        (Some("国手赛"), Some("甲"), "h2e2")
    );
}

/// As elephantchess.io and pychess number them.
#[test]
fn ranks_may_be_counted_from_one() {
    let record = one(
        "[White \"A\"]\n[Variant \"Xiangqi\"]\n\n1. Che3 Nhg8 (1... Cbe8 2. Nhg3) 2. Nhg3 Rih10 3. Rih1 Nbc8 4. Pg5 Pc6",
    );
    assert_eq!(moves(&record), "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 g3g4 c6c5");
    assert_eq!(record.tree.len(), 10);
    assert_eq!(moves(&one("1. h3e3 h10g8 2. h1g3 i10h10 *")), "h2e2 h9g7 h0g2 i9h9");
    // A wrong move is one in either.
    assert!(error("1. h2e2 h9g7 2. h3h4 *").contains("ply 3: found `h3h4`, expected a legal move of Red"));
    assert!(error("1. h3e3 h10g8 2. h9h8 *").contains("ply 3: found `h9h8`, expected a legal move of Red"));
}
