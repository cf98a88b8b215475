//! Reading opening lines and weighing their moves.

use chuhe_book::{Book, Books, Entry, LineFault, build, parse_lines, pick};
use chuhe_movegen::{Board, Move};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

fn book(text: &str) -> Book {
    Book::from_bytes(&build(&parse_lines(text).unwrap())).unwrap()
}

fn after(moves: &str) -> Board {
    moves.split_whitespace().fold(Board::startpos(), |board, mv| board.play(mv.parse().unwrap()).unwrap())
}

fn weights(book: &Book, moves: &str) -> Vec<(String, u32)> {
    book.probe(&after(moves)).iter().map(|entry| (entry.mv.to_string(), entry.weight)).collect()
}

fn expect(found: Vec<(String, u32)>, expected: &[(&str, u32)]) {
    let found: Vec<_> = found.iter().map(|(mv, weight)| (mv.as_str(), *weight)).collect();
    assert_eq!(found, expected);
}

#[test]
fn faults_name_line_and_place() {
    let fault = |text: &str| parse_lines(text).unwrap_err();
    let error = fault("# comment\n\nA00\tname\t\t3\th2e2 h9g7 h2e2");
    assert_eq!(error.line, 3);
    assert_eq!(error.to_string(), "line 3: ply 3: h2e2 is not a legal move here");
    assert!(matches!(fault("A00 h2e2").fault, LineFault::Columns { found: 1 }));
    assert!(matches!(fault("A\tb\tc\t0\th2e2").fault, LineFault::Games { .. }));
    assert!(matches!(fault("A\tb\tc\t-3\th2e2").fault, LineFault::Games { .. }));
    assert!(matches!(fault("A\tb\tc\t99999999999\th2e2").fault, LineFault::Games { .. }));
    assert!(matches!(fault("A\tb\tc\t3\t").fault, LineFault::NoMoves));
    assert!(matches!(fault("A\tb\tc\t3\t| h2e2").fault, LineFault::NoMoves));
    assert!(matches!(fault("A\tb\tc\t3\th2e2 | h9g7 |").fault, LineFault::Bar { ply: 3 }));
    assert!(matches!(fault("A\tb\tc\t3\th2e2 炮8平5").fault, LineFault::Parse { ply: 2, .. }));
    assert_eq!(parse_lines("").unwrap(), []);
    assert_eq!(parse_lines("A\tb\tc\t3\tH2-E2 h9g7\r\n").unwrap()[0].moves().len(), 2);
}

#[test]
fn a_beginning_is_not_counted_twice() {
    let book = book("A\tb\t\t5\th2e2 h9g7\nA\tb\t\t3\th2e2 h9g7 h0g2\nA\tb\t\t4\th2e2 h9g7 b0c2\n");
    expect(weights(&book, ""), &[("h2e2", 7)]);
    expect(weights(&book, "h2e2"), &[("h9g7", 7)]);
    expect(weights(&book, "h2e2 h9g7"), &[("b0c2", 4), ("h0g2", 3)]);
}

#[test]
fn a_continuation_by_theory_weighs_one() {
    let book = book("A\tb\t\t5\th2e2 h9g7 | h0g2");
    expect(weights(&book, "h2e2"), &[("h9g7", 5)]);
    expect(weights(&book, "h2e2 h9g7"), &[("h0g2", 1)]);
}

#[test]
fn orders_of_moves_and_mirror_images_meet() {
    let book = book("A\tb\t\t2\th2e2 h9g7 h0g2 b9c7 i0h0\nA\tb\t\t3\tb2e2 b9c7 b0c2 h9g7 a0b0\n");
    expect(weights(&book, ""), &[("h2e2", 5)]);
    expect(weights(&book, "h2e2"), &[("h9g7", 5)]);
    expect(weights(&book, "b2e2"), &[("b9c7", 5)]);
    expect(weights(&book, "b2e2 b9c7 b0c2 h9g7"), &[("a0b0", 5)]);
    expect(weights(&book, "h2e2 b9c7 h0g2 h9g7"), &[("i0h0", 5)]);
}

#[test]
fn moves_are_chosen_as_often_as_they_weigh() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let entry = |mv: &str, weight| Entry { mv: mv.parse().unwrap(), weight };
    let mut count = |entries: &[Entry]| {
        let mut counts = vec![0; entries.len()];
        for _ in 0..4000 {
            let mv = pick(entries, &mut rng).unwrap();
            counts[entries.iter().position(|entry| entry.mv == mv).unwrap()] += 1;
        }
        counts
    };
    let counts = count(&[entry("h2e2", 3), entry("c3c4", 1), entry("a0a1", 0)]);
    assert!((2850..3150).contains(&counts[0]) && counts[2] == 0, "{counts:?}");
    let counts = count(&[entry("h2e2", 0), entry("c3c4", 0)]);
    assert!((1800..2200).contains(&counts[0]), "{counts:?}");
    let counts = count(&[entry("h2e2", u32::MAX), entry("c3c4", u32::MAX), entry("g3g4", u32::MAX)]);
    assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
    assert_eq!(pick(&[], &mut rng), None);
}

#[test]
fn the_first_book_that_knows_answers() {
    let first = book("A\tb\t\t1\tc3c4 g6g5");
    let second = book("A\tb\t\t9\th2e2 h9g7");
    let books: Books = [first, second].into_iter().collect();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut choose = |moves: &str| books.choose(&after(moves), &mut rng).map(|mv| mv.to_string());
    // The initial array is its own mirror image: one of c3c4 and g3g4 is stored.
    assert_eq!(choose("").as_deref(), Some("g3g4"));
    assert_eq!(choose("h2e2").as_deref(), Some("h9g7"));
    assert_eq!(choose("h2e2 h9g7"), None);
    assert!(Books::new().is_empty() && Books::new().probe(&Board::startpos()).is_empty());
}

/// Plays legal moves chosen by numbers.
fn walk(numbers: &[u8]) -> Vec<Move> {
    let mut board = Board::startpos();
    let mut moves = Vec::new();
    for &number in numbers {
        let legal = board.legal_moves();
        let Some(&mv) = legal.get(usize::from(number) % legal.len().max(1)) else { break };
        moves.push(mv);
        board = board.make(mv);
    }
    moves
}

proptest! {
    #[test]
    fn whatever_is_built_is_found(
        walks in prop::collection::vec((1u32..1000, prop::collection::vec(any::<u8>(), 1..30)), 1..12)
    ) {
        let mut text = String::new();
        for (games, numbers) in &walks {
            let moves: Vec<String> = walk(numbers).iter().map(Move::to_string).collect();
            text += &format!("A00\tname\t\t{games}\t{}\n", moves.join(" "));
        }
        let book = book(&text);
        for (games, numbers) in &walks {
            let mut board = Board::startpos();
            for mv in walk(numbers) {
                for (board, mv) in [(board.clone(), mv), (board.mirror_files(), mv.mirror_file())] {
                    let symmetric = board == board.mirror_files();
                    let entries = book.probe(&board);
                    let entry = entries.iter().find(|e| e.mv == mv || symmetric && e.mv == mv.mirror_file());
                    prop_assert!(entry.is_some_and(|entry| entry.weight >= *games));
                    prop_assert!(entries.iter().all(|entry| board.play(entry.mv).is_ok()));
                }
                board = board.make(mv);
            }
        }
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,80}", columns in "[A-E0-9\t |a-i\n#]{0,120}") {
        let _ = parse_lines(&text);
        let _ = parse_lines(&columns);
        let _ = parse_lines(&format!("A\tb\tc\t1\t{columns}"));
    }
}
