//! Openings by their code: lines and games whose codes others have told.

use std::path::Path;

use chuhe_analysis::Opening;
use chuhe_movegen::{Board, Move};
use chuhe_records::pgn;
use chuhe_report::Language;
use chuhe_rules::Game;

fn game(moves: &[Move]) -> Game {
    let mut game = Game::new(Board::startpos());
    for &mv in moves {
        game.play(mv).expect("legal");
    }
    game
}

fn code(moves: &[Move]) -> &'static str {
    Opening::of_game(&game(moves)).expect("a game from the initial array").code
}

fn parse(moves: &str) -> Vec<Move> {
    moves.split_whitespace().map(|mv| mv.parse().expect("a move")).collect()
}

/// The lines of master games in the opening book, with codes and names that another program computed; what stands behind
/// `|` was added to them later.
#[test]
fn lines_of_master_games_have_their_codes_from_both_wings() {
    let lines = include_str!("../../book/data/openings.txt");
    let mut seen = 0;
    for line in lines.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        let moves = parse(columns[4].split('|').next().expect("moves"));
        let opening = Opening::of_game(&game(&moves)).expect("a game from the initial array");
        let variation = opening.variation.map_or("", |variation| variation.chinese);
        assert_eq!([opening.code, opening.name.chinese, variation], columns[..3], "{line}");
        let mirrored: Vec<Move> = moves.iter().map(|mv| mv.mirror_file()).collect();
        assert_eq!(code(&mirrored), opening.code, "mirrored: {line}");
        seen += 1;
    }
    assert!(seen > 300, "{seen}");
}

/// Games of files that carry codes: of other programs and of people.
#[test]
fn games_have_the_codes_that_their_files_tell() {
    let cases = [
        ("pgn_chinese_gbk_01.pgn", "C48"),
        ("pgn_chinese_gbk_07.pgn", "A02"),
        ("pgn_chinese_gbk_13.pgn", "C16"),
        ("pgn_chinese_juzhongmi_1_01.pgn", "D04"),
        ("pgn_chinese_juzhongmi_1_17.pgn", "D50"),
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/cases/games");
    if !folder.is_dir() {
        eprintln!("skipped, since the case files are not there: {}", folder.display());
        return;
    }
    for (file, expected) in cases {
        let file = std::fs::read(folder.join(file)).expect("a case file");
        let record = pgn::Reader::new(&file[..]).next().expect("a game").expect("readable");
        assert_eq!(record.tags.ecco(), Some(expected));
        let opening = Opening::of_game(&record.to_game().expect("legal")).expect("from the initial array");
        assert_eq!(opening.code, expected, "{:?}", record.tags);
    }
}

#[test]
fn transpositions_have_one_code() {
    for (expected, orders) in [
        // 中炮过河车互进七兵对屏风马平炮兑车, with the pawns before and after the rook.
        (
            "C40",
            &[
                "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 h0h6 h7i7",
                "h2e2 h9g7 h0g2 i9h9 i0h0 g6g5 h0h6 b9c7 c3c4 h7i7",
                "h2e2 b9c7 h0g2 h9g7 c3c4 g6g5 i0h0 i9h9 h0h6 h7i7",
            ][..],
        ),
        ("B41", &["h2e2 b9c7 h0g2 h7f7 i0h0 h9g7 b2d2 g6g5 b0c2", "h2e2 b9c7 h0g2 h7f7 b2d2 h9g7 b0c2"][..]),
        ("D20", &["h2e2 h7e7 h0g2 h9g7 i0h0 i9i8", "h2e2 h7e7 h0g2 i9i8 i0h0 h9g7"][..]),
    ] {
        for moves in orders {
            assert_eq!(code(&parse(moves)), expected, "{moves}");
        }
    }
}

/// One further move tells more; a move that says nothing changes nothing.
#[test]
fn a_longer_game_goes_deeper() {
    let moves = parse("h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 h0h6 h7i7 h6g6 i7i8 b0c2 d9e8 c2d4 i8g8 g6h6");
    let codes: Vec<&str> = (1..=moves.len()).map(|count| code(&moves[..count])).collect();
    let expected =
        ["B00", "B05", "B05", "B05", "B05", "C00", "C00", "C00", "C30", "C40", "C40", "C41", "C42", "C43", "C44"];
    assert_eq!(codes[..15], expected);
    assert_eq!(codes[15..], ["C44", "C44"]);
}

#[test]
fn an_unusual_first_move_has_a_code_and_a_set_up_position_has_none() {
    assert_eq!(code(&parse("e0e1 h9g7")), "A00");
    assert_eq!(code(&parse("d0e1")), "A01");
    assert_eq!(Opening::of_game(&Game::new(Board::startpos())), None);
    // Without Red's left horse.
    let handicap = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/R1BAKABNR w - - 0 1";
    let mut handicap = Game::new(Board::from_fen(handicap).expect("a position"));
    handicap.play("h2e2".parse().expect("a move")).expect("legal");
    assert_eq!(Opening::of_game(&handicap), None);
}

#[test]
fn names_hold_opening_and_variation() {
    let game = game(&parse("h2e2 h7e7 h0g2 h9g7 i0h0 i9i8 b0a2"));
    let opening = Opening::of_game(&game).expect("a code");
    assert_eq!(opening.code, "D22");
    let english = "Same-direction cannons, filed rook against ranked rook: left edge horse of Red";
    assert_eq!(
        [Language::Chinese, Language::English].map(|language| opening.full_name(language)),
        ["顺炮直车对横车——红左边马", english]
    );
}
