//! `BOOK.DAT`, made here from the description of the format.

use chuhe_book::{Book, BookError, Fault, Format, eleeye};
use chuhe_movegen::{Board, Move, Square};
use proptest::prelude::*;

fn code(square: Square) -> u8 {
    (9 - square.rank() + 3) << 4 | (square.file() + 3)
}

fn record(board: &Board, mv: &str, weight: u16) -> (u32, [u8; 8]) {
    let mv: Move = mv.parse().unwrap();
    let key = eleeye::key(board);
    let mut bytes = [0; 8];
    bytes[..4].copy_from_slice(&key.to_le_bytes());
    bytes[4] = code(mv.from());
    bytes[5] = code(mv.to());
    bytes[6..].copy_from_slice(&weight.to_le_bytes());
    (key, bytes)
}

fn file(mut records: Vec<(u32, [u8; 8])>) -> Vec<u8> {
    records.sort();
    records.into_iter().flat_map(|(_, bytes)| bytes).collect()
}

fn sample() -> Vec<u8> {
    let start = Board::startpos();
    let next = start.play("b2e2".parse().unwrap()).unwrap();
    file(vec![
        record(&start, "b2e2", 1473),
        record(&start, "c3c4", 546),
        record(&start, "a0a5", 9999),
        record(&next, "b9c7", 700),
    ])
}

#[test]
fn keys_and_squares_are_those_of_real_files() {
    assert_eq!(eleeye::key(&Board::startpos()), 0x0526_56d5);
    let bytes = record(&Board::startpos(), "b2e2", 1473).1;
    assert_eq!(bytes, [0xd5, 0x56, 0x26, 0x05, 0xa4, 0xa7, 0xc1, 0x05]);
}

#[test]
fn moves_are_found_in_both_mirror_images() {
    let book = Book::from_bytes(&sample()).unwrap();
    assert_eq!((book.format(), book.len()), (Format::ElephantEye, 4));
    let start = Board::startpos();
    let probe = |board: &Board| -> Vec<_> {
        book.probe(board).iter().map(|entry| (entry.mv.to_string(), entry.weight)).collect()
    };
    // The illegal move has the greatest weight and is not there.
    assert_eq!(probe(&start), [("b2e2".to_owned(), 1473), ("c3c4".to_owned(), 546)]);
    assert_eq!(probe(&start.play("b2e2".parse().unwrap()).unwrap()), [("b9c7".to_owned(), 700)]);
    assert_eq!(probe(&start.play("h2e2".parse().unwrap()).unwrap()), [("h9g7".to_owned(), 700)]);
    assert_eq!(probe(&start.play("c3c4".parse().unwrap()).unwrap()), []);
}

#[test]
fn damage_is_told_exactly() {
    let good = sample();
    assert_eq!(Book::from_bytes(&good[..13]).unwrap_err(), BookError::UnknownFormat { len: 13 });
    let mut bytes = good.clone();
    bytes[20] = 0;
    let fault = Fault::Move { found: u16::from(bytes[21]) << 8 };
    assert_eq!(
        Book::from_bytes(&bytes).unwrap_err(),
        BookError::Record { format: Format::ElephantEye, index: 2, fault }
    );
    let mut bytes = good;
    bytes[..4].copy_from_slice(&[0xff; 4]);
    assert!(matches!(
        Book::from_bytes(&bytes).unwrap_err(),
        BookError::Record { index: 1, fault: Fault::Unsorted { previous: 0xffff_ffff, .. }, .. }
    ));
}

proptest! {
    #[test]
    fn no_bytes_panic(changes in prop::collection::vec((any::<u16>(), any::<u8>()), 0..6), cut in 0usize..40) {
        let mut bytes = sample();
        for (at, byte) in changes {
            let at = usize::from(at) % bytes.len();
            bytes[at] = byte;
        }
        bytes.truncate(bytes.len().min(cut));
        if let Ok(book) = Book::from_bytes(&bytes) {
            let board = Board::startpos();
            prop_assert!(book.probe(&board).iter().all(|entry| board.play(entry.mv).is_ok()));
        }
    }
}
