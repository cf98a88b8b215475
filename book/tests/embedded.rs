//! The lines in the tree and the book made from them.

use chuhe_book::{Book, Books, Format, build, parse_lines};
use chuhe_movegen::{Board, Move};

const LINES: &str = include_str!("../data/openings.txt");
const BOOK: &[u8] = include_bytes!("../data/chuhe.book");

#[test]
fn the_committed_book_is_what_the_committed_lines_give() {
    let lines = parse_lines(LINES).unwrap();
    assert!(build(&lines) == BOOK, "stale: run `chuhe book build book/data/openings.txt -o book/data/chuhe.book`");
    let mut reversed = lines;
    reversed.reverse();
    assert!(build(&reversed) == BOOK, "the order of the lines makes a difference");
}

/// Legality is part of reading: a line with an illegal move is refused.
#[test]
fn the_lines_are_many_long_and_different() {
    let lines = parse_lines(LINES).unwrap();
    assert!(lines.iter().filter(|line| line.moves().len() >= 8).count() >= 300);
    for line in &lines {
        assert!(line.moves().len() >= 8, "{} has only {} plies", line.ecco(), line.moves().len());
    }
    let mut moves: Vec<&[Move]> = lines.iter().map(|line| line.moves()).collect();
    moves.sort();
    moves.dedup();
    assert_eq!(moves.len(), lines.len());
}

#[test]
fn every_move_of_every_line_is_found_in_both_mirror_images() {
    let book = Book::embedded();
    assert_eq!(book.format(), Format::Chuhe);
    assert_eq!(book.len(), Book::from_bytes(BOOK).unwrap().len());
    for line in parse_lines(LINES).unwrap() {
        let mut board = Board::startpos();
        for &mv in line.moves() {
            let entries = book.probe(&board);
            // In a position that is its own mirror image one move stands for two.
            let found = entries.iter().any(|entry| entry.mv == mv)
                || board == board.mirror_files() && entries.iter().any(|entry| entry.mv == mv.mirror_file());
            assert!(found, "{mv} of {} is missing in {}", line.ecco(), board.to_fen());
            let mirrored = book.probe(&board.mirror_files());
            assert_eq!(mirrored.len(), entries.len());
            if board != board.mirror_files() {
                for (entry, twin) in entries.iter().zip(&mirrored) {
                    assert_eq!((entry.mv.mirror_file(), entry.weight), (twin.mv, twin.weight));
                }
            }
            board = board.play(mv).unwrap();
        }
    }
}

#[test]
fn the_book_opens_the_game_as_masters_do() {
    let entries = Books::embedded().probe(&Board::startpos());
    assert_eq!(entries[0].mv.to_string(), "h2e2", "the central cannon is by far the most frequent first move");
    assert!(entries.is_sorted_by(|a, b| a.weight >= b.weight));
}

#[test]
fn colours_exchanged_is_another_position() {
    let board = Board::startpos();
    let swapped = board.swap_colors();
    assert!(!Book::embedded().probe(&board).is_empty());
    assert!(Book::embedded().probe(&swapped).is_empty());
}
