//! What the writer writes, and that it reads back.

mod common;

use chuhe_movegen::Board;
use chuhe_records::{ChineseStyle, GameResult, MoveError, NodeId, Notation, Record, notation, pgn};
use common::random_record;
use proptest::prelude::*;

fn read_back(text: &str) -> Record {
    let mut reader = pgn::Reader::new(text.as_bytes());
    let record = reader.next().expect("there is a game").unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert!(reader.next().is_none(), "{text}");
    record
}

#[test]
fn a_game_is_written_as_programs_expect_it() {
    let mut record = Record::default();
    record.tags.set("Event", "a \"b\" \\");
    record.tags.set("Red", "甲\n乙");
    record.result = GameResult::Draw;
    let first = record.tree.push("h2e2".parse().unwrap());
    record.tree.push("h9g7".parse().unwrap());
    record.tree.push("h0g2".parse().unwrap());
    record.tree.set_comment(first, "+0.31/9 1.2s");
    assert_eq!(
        pgn::to_string(&record),
        "[Game \"Chinese Chess\"]\n[Event \"a \\\"b\\\" \\\\\"]\n[Red \"甲 乙\"]\n[Result \"1/2-1/2\"]\n[Format \"ICCS\"]\n\n\
         1. H2-E2 {+0.31/9 1.2s} H9-G7\n2. H0-G2 1/2-1/2\n\n"
    );
}

#[test]
fn black_first_variations_and_notes_have_their_marks() {
    let mut record = Record::new(Board::from_fen("5k3/4P4/9/9/9/9/9/9/4r4/3K5 b - - 0 1").unwrap());
    record.set_comment("a } b\n[Event \"x\"]");
    let first = record.tree.push("e1i1".parse().unwrap());
    record.tree.add_nag(first, 1);
    record.tree.push("d0e0".parse().unwrap());
    record.tree.push("i1i2".parse().unwrap());
    record.tree.add(NodeId::ROOT, "e1e2".parse().unwrap());
    let variation = record.tree.add(first, "e8d8".parse().unwrap());
    assert_eq!(variation, record.tree.children(first).nth(1).unwrap());
    let text = pgn::to_string(&record);
    let body = text.split_once("\n\n").unwrap().1;
    assert_eq!(
        body,
        "{a ｝ b\n [Event \"x\"]}\n1. ... E1-I1 $1 (1. ... E1-E2)\n2. D0-E0 (2. E8-D8) 2. ... I1-I2 *\n\n"
    );
    record.set_comment("a ｝ b\n[Event \"x\"]");
    assert_eq!(read_back(&text), record);
}

#[test]
fn a_game_is_written_in_every_notation() {
    let mut record = Record::default();
    let first = record.tree.push("h2e2".parse().unwrap());
    record.tree.push("h9g7".parse().unwrap());
    record.tree.add(first, "b9c7".parse().unwrap());
    record.tree.push("h0g2".parse().unwrap());
    for (notation, body) in [
        (Notation::Chinese(ChineseStyle::CUSTOMARY), "1. 炮二平五 马8进7 (1. ... 马2进3)\n2. 马二进三 *"),
        (Notation::Wxf, "1. C2=5 H8+7 (1. ... H2+3)\n2. H2+3 *"),
        (Notation::WinBoard, "1. Che2 Hg7 (1. ... Hc7)\n2. Hg2 *"),
    ] {
        let text = pgn::to_string_in(&record, notation);
        assert_eq!(text.split_once("\n\n").unwrap().1.trim_end(), body);
        assert_eq!(read_back(&text), record);
    }
    // What is illegal has no name.
    record.tree.push("a9a0".parse().unwrap());
    record.tree.push("a0a1".parse().unwrap());
    let text = pgn::to_string_in(&record, Notation::Wxf);
    assert!(text.contains("[Format \"WXF\"]") && text.ends_with("2. H2+3 A9-A0\n3. A0-A1 *\n\n"), "{text}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_games_read_back(
        seed: u64,
        plies in 0..150usize,
        variations in 0..6usize,
        values in prop::collection::vec("[^\\p{Cc}]{0,20}", 0..4),
        comments in prop::collection::vec(("[^}\\r\\x00]{0,30}", 0..200usize), 0..8),
        result in prop::sample::select(vec![GameResult::RedWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown]),
        black_first: bool,
    ) {
        let fen = if black_first { Board::START_FEN.replace(" w ", " b ") } else { Board::START_FEN.to_owned() };
        let mut record = random_record(seed, Board::from_fen(&fen).unwrap(), plies, variations);
        record.result = result;
        for (name, value) in ["Event", "Red", "Black", "Whatever"].into_iter().zip(values) {
            record.tags.set(name, value);
        }
        for (comment, place) in comments {
            let lines: Vec<&str> = comment.trim_ascii().split('\n').map(str::trim_ascii).collect();
            let (_, id) = record.tree.walk().nth(place % (record.tree.len() + 1)).unwrap();
            record.tree.set_comment(id, lines.join("\n"));
        }
        for notation in Notation::ALL {
            prop_assert_eq!(read_back(&pgn::to_string_in(&record, notation)), record.clone());
        }
    }

    #[test]
    fn many_games_read_back_in_order(seeds in prop::collection::vec(0..1000u64, 0..6)) {
        let records: Vec<Record> = seeds.iter().map(|&seed| random_record(seed, Board::startpos(), 20, 2)).collect();
        let text: String = records.iter().map(pgn::to_string).collect();
        let read: Vec<Record> = pgn::Reader::new(text.as_bytes()).map(Result::unwrap).collect();
        prop_assert_eq!(read, records);
    }

    #[test]
    fn moves_have_one_meaning_in_every_notation(seed: u64) {
        let record = random_record(seed, Board::startpos(), 150, 0);
        for ply in record.to_game().unwrap().plies() {
            for mv in ply.board.legal_moves() {
                for notation in Notation::ALL {
                    let word = notation.write(mv, &ply.board);
                    prop_assert_eq!(notation.parse(&word, &ply.board), Ok(mv), "{} in {}", word, ply.board.to_fen());
                    prop_assert_eq!(notation::parse(&word, &ply.board), Ok(mv));
                }
            }
        }
        prop_assert_eq!(notation::parse("", &record.start), Err(MoveError::Unreadable));
    }
}
