//! What is written in XQF, DhtmlXQ and JSON, and that it reads back.

mod common;

use chuhe_movegen::{Board, Color};
use chuhe_records::games::{Entry, Format, Games};
use chuhe_records::json::About;
use chuhe_records::{GameResult, NodeId, Record, dhtmlxq, json, xqf};
use common::random_record;
use proptest::prelude::*;
use serde_json::{Value, json};

fn read_back(bytes: &[u8], format: Format) -> Entry {
    let mut games = Games::new(bytes, None).unwrap();
    assert_eq!(games.format(), format);
    let entry = games.next().expect("there is a game").unwrap().read();
    assert!(games.next().is_none());
    assert_eq!(entry.omitted, None);
    entry
}

fn record(bytes: &[u8], format: Format) -> Record {
    read_back(bytes, format).record.unwrap_or_else(|damaged| panic!("{damaged}\n{}", String::from_utf8_lossy(bytes)))
}

/// A game with everything in it that all these formats can hold.
fn sample() -> Record {
    let mut record = Record::new(Board::from_fen("5k3/4P4/9/9/9/9/9/9/4r4/3K5 b - - 0 1").unwrap());
    record.tags.set("Title", "残局[一]");
    record.tags.set("Event", "全国赛");
    record.tags.set("Date", "1999.12.09");
    record.tags.set("Red", "许银川");
    record.tags.set("Black", "吕  钦");
    record.tags.set("Type", "endgame");
    record.result = GameResult::BlackWins;
    record.set_comment("第一行\n[/DhtmlXQ] || \\u4e00 第二行");
    let first = record.tree.push("e1i1".parse().unwrap());
    record.tree.set_comment(first, "好棋");
    record.tree.push("d0e0".parse().unwrap());
    let other = record.tree.add(NodeId::ROOT, "e1e2".parse().unwrap());
    record.tree.set_comment(other, "变着");
    record.tree.add(first, "e8d8".parse().unwrap());
    let third = record.tree.add(other, "d0d1".parse().unwrap());
    record.tree.add(other, "e8d8".parse().unwrap());
    record.tree.set_comment(third, "x");
    record
}

#[test]
fn a_game_is_whole_again_in_every_format() {
    let record = sample();
    assert_eq!(self::record(&xqf::to_bytes(&record).unwrap(), Format::Xqf), record);
    assert_eq!(self::record(dhtmlxq::to_string(&record).as_bytes(), Format::DhtmlXq), record);
    let text = json::to_string(&record, About::default());
    assert_eq!(self::record(text.as_bytes(), Format::Json), record);
}

#[test]
fn xqf_is_laid_out_as_its_readers_expect() {
    let bytes = xqf::to_bytes(&sample()).unwrap();
    assert_eq!(&bytes[..3], b"XQ\x0a");
    assert_eq!((bytes[0x32], bytes[0x33], bytes[0x40]), (1, 2, 3));
    // Red's king on d0, Black's on f9, and what is not there off the board.
    assert_eq!((bytes[16 + 4], bytes[16 + 20], bytes[16]), (30, 59, 0xff));
    let (gbk, ..) = encoding_rs::GBK.encode("许银川");
    assert_eq!(bytes[0x130], 6);
    assert_eq!(bytes[0x131..0x137], gbk[..]);
    // The root, then e1i1 with a move behind it and another in its place.
    let root = &bytes[0x400..0x408];
    let len = u32::from_le_bytes(root[4..].try_into().unwrap()) as usize;
    assert_eq!((root[2], len), (0xf0, encoding_rs::GBK.encode("第一行\r\n[/DhtmlXQ] || \\u4e00 第二行").0.len()));
    assert_eq!(bytes[0x408 + len..][..4], [41 + 24, 81 + 32, 0xff, 0]);
}

#[test]
fn what_xqf_has_no_room_for_is_cut_between_characters() {
    let mut record = Record::default();
    record.tags.set("Red", "一二三四五六七八九");
    record.tags.set("Black", "a一二三四五六七八");
    record.tags.set("Title", "𠀀");
    record.set_comment("𠀀好");
    let back = self::record(&xqf::to_bytes(&record).unwrap(), Format::Xqf);
    assert_eq!((back.tags.red(), back.tags.black()), (Some("一二三四五六七"), Some("a一二三四五六七")));
    assert_eq!((back.tags.get("Title"), back.comment()), (Some("?"), "?好"));
    let six_pawns = Board::from_composed_fen("3k5/9/9/9/PPPPPP3/9/9/9/9/4K4 w - - 0 1").unwrap();
    assert!(xqf::to_bytes(&Record::new(six_pawns)).is_err());
}

#[test]
fn dhtmlxq_is_written_as_the_forum_has_it() {
    let mut record = Record::default();
    record.tags.set("Red", "甲");
    record.result = GameResult::RedWins;
    let first = record.tree.push("h2e2".parse().unwrap());
    record.tree.push("h9g7".parse().unwrap());
    let variation = record.tree.add(first, "b9c7".parse().unwrap());
    record.tree.set_comment(variation, "a\nb");
    let expected = "[DhtmlXQ]\n[DhtmlXQ_ver]www_dpxq_com[/DhtmlXQ_ver]\n[DhtmlXQ_red]甲[/DhtmlXQ_red]\n\
        [DhtmlXQ_result]红胜[/DhtmlXQ_result]\n\
        [DhtmlXQ_binit]0919293949596979891777062646668600102030405060708012720323436383[/DhtmlXQ_binit]\n\
        [DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]\n[DhtmlXQ_move_0_2_1]1022[/DhtmlXQ_move_0_2_1]\n\
        [DhtmlXQ_comment1_2]a||b[/DhtmlXQ_comment1_2]\n[/DhtmlXQ]\n\n";
    assert_eq!(dhtmlxq::to_string(&record), expected);
}

#[test]
fn json_is_written_as_documented() {
    let mut record = Record::default();
    record.tags.set("Red", "甲");
    record.tags.set("Event", "\"x\"");
    record.result = GameResult::Draw;
    let first = record.tree.push("h2e2".parse().unwrap());
    record.tree.push("h9g7".parse().unwrap());
    let variation = record.tree.add(first, "b9c7".parse().unwrap());
    record.tree.set_comment(first, "good");
    record.tree.add_nag(first, 1);
    record.tree.set_comment(variation, "or");
    let about = About { id: Some(&Value::from("a")), error: Some("damaged") };
    let expected = json!({
        "id": "a",
        "start_fen": Board::START_FEN,
        "moves": ["h2e2", "h9g7"],
        "result": "1/2-1/2",
        "tags": {"Red": "甲", "Event": "\"x\""},
        "comments": [
            {"line": 0, "ply": 1, "text": "good", "nags": [1]},
            {"line": 1, "ply": 2, "text": "or"},
        ],
        "variations": [{"line": 0, "ply": 2, "moves": ["b9c7"]}],
        "error": "damaged",
    });
    let text = json::to_string(&record, about);
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), expected);
    assert!(text.contains("\"tags\":{\"Red\":\"甲\",\"Event\""), "tags keep their order: {text}");
    assert!(!text.contains('\n'));
    let entry = read_back(text.as_bytes(), Format::Json);
    assert_eq!(entry.id, Some(Value::from("a")));
    let damaged = entry.record.expect_err("a game that is said to be damaged");
    assert_eq!((damaged.to_string().as_str(), damaged.salvaged.as_deref()), ("damaged", Some(&record)));
    let bare: Value = serde_json::from_str(&json::to_string(&Record::default(), About::default())).unwrap();
    assert_eq!(
        bare,
        json!({"start_fen": Board::START_FEN, "moves": [], "result": "*", "tags": {}}),
        "what is not there is not written"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_games_read_back(
        seed: u64,
        plies in 0..150usize,
        variations in 0..12usize,
        names in prop::collection::vec("[ -~一-龥]{0,7}", 4),
        comments in prop::collection::vec(("[ -~\n一-龥]{0,30}", 0..200usize), 0..8),
        result in prop::sample::select(vec![GameResult::RedWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown]),
        black_first: bool,
    ) {
        let fen = if black_first { Board::START_FEN.replace(" w ", " b ") } else { Board::START_FEN.to_owned() };
        let mut record = random_record(seed, Board::from_fen(&fen).unwrap(), plies, variations);
        record.result = result;
        for (tag, name) in ["Title", "Event", "Red", "Black"].into_iter().zip(&names) {
            if !name.trim().is_empty() {
                record.tags.set(tag, name.trim());
            }
        }
        for (comment, place) in comments {
            let lines: Vec<&str> = comment.trim_ascii().split('\n').map(str::trim_ascii).collect();
            let (_, id) = record.tree.walk().nth(place % (record.tree.len() + 1)).unwrap();
            record.tree.set_comment(id, lines.join("\n"));
        }
        prop_assert_eq!(&self::record(json::to_string(&record, About::default()).as_bytes(), Format::Json), &record);
        prop_assert_eq!(&self::record(dhtmlxq::to_string(&record).as_bytes(), Format::DhtmlXq), &record);
        let is_gbk = |text: &str| !encoding_rs::GBK.encode(text).2;
        if names.iter().all(|name| is_gbk(name)) && record.tree.walk().all(|(_, id)| is_gbk(record.tree.comment(id))) {
            prop_assert_eq!(&self::record(&xqf::to_bytes(&record).unwrap(), Format::Xqf), &record);
        }
    }

    #[test]
    fn set_ups_read_back(seed: u64, plies in 0..200usize) {
        let game = random_record(seed, Board::startpos(), plies, 0).to_game().unwrap();
        let board = game.board();
        let side = board.side_to_move();
        let mut record = Record::new(board.clone());
        for bytes in [json::to_string(&record, About::default()), dhtmlxq::to_string(&record)] {
            let back = Games::new(bytes.as_bytes(), None).unwrap().next().unwrap().unwrap().read().record.unwrap();
            prop_assert_eq!(&back, &record);
        }
        // XQF counts neither moves nor those without a capture.
        let [placement, ..] = &board.to_fen().split(' ').map(str::to_owned).collect::<Vec<_>>()[..] else { panic!() };
        let letter = if side == Color::Red { 'w' } else { 'b' };
        record.start = Board::from_fen(&format!("{placement} {letter} - - 0 1")).unwrap();
        prop_assert_eq!(&self::record(&xqf::to_bytes(&record).unwrap(), Format::Xqf), &record);
    }
}
