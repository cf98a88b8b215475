//! Our own format against damage and forgery.

use chuhe_book::{Book, BookError, Fault, Format, build, native, parse_lines};
use chuhe_movegen::Board;
use proptest::prelude::*;

fn sample() -> Vec<u8> {
    let text = "A\tb\t\t2\th2e2 h9g7 h0g2 b9c7 i0h0\nA\tb\t\t3\tc3c4 g6g5 b0c2 h9g7\n";
    build(&parse_lines(text).unwrap())
}

/// Gives changed records the checksum they need to be looked at.
fn seal(bytes: &mut [u8]) {
    let hash = bytes[24..]
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    bytes[16..24].copy_from_slice(&hash.to_le_bytes());
}

fn error(bytes: &[u8]) -> BookError {
    Book::from_bytes(bytes).unwrap_err()
}

#[test]
fn the_layout_is_the_documented_one() {
    let bytes = build(&parse_lines("A\tb\t\t3\tb2e2").unwrap());
    assert_eq!(bytes.len(), 24 + 16);
    assert_eq!(&bytes[..8], native::MAGIC);
    assert_eq!(bytes[8..16], [1, 0, 0, 0, 1, 0, 0, 0]);
    // The key of the initial array is part of the format: this number never changes.
    assert_eq!(bytes[24..32], START_KEY.to_le_bytes());
    assert_eq!(bytes[32..36], [3, 0, 0, 0]);
    // h2e2 stands for both central cannons: (2 * 9 + 7) * 128 + 2 * 9 + 4.
    assert_eq!(bytes[36..40], [0x96, 0x0c, 0, 0]);
}

/// Key of the initial array, computed independently from the formula in the documentation.
const START_KEY: u64 = 0x6691_4eb7_1213_9aaa;

#[test]
fn damage_is_told_exactly() {
    let good = sample();
    assert!(Book::from_bytes(&good).is_ok());
    let format = Format::Chuhe;
    let len = good.len();
    assert_eq!(error(&good[..10]), BookError::Length { format, found: 10, expected: 24 });
    assert_eq!(error(&good[..len - 1]), BookError::Length { format, found: len - 1, expected: len as u64 });
    assert_eq!(error(&[&good[..], &[0]].concat()), BookError::Length { format, found: len + 1, expected: len as u64 });

    let mut bytes = good.clone();
    bytes[8] = 2;
    assert_eq!(error(&bytes), BookError::Version { found: 2, expected: 1 });

    let mut bytes = good.clone();
    bytes[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(error(&bytes), BookError::Length { format, found: len, expected: 24 + 16 * u64::from(u32::MAX) });

    let mut bytes = good.clone();
    bytes[30] ^= 1;
    assert!(matches!(error(&bytes), BookError::Checksum { .. }));

    let mut bytes = good.clone();
    bytes[24..32].copy_from_slice(&u64::MAX.to_le_bytes());
    seal(&mut bytes);
    assert!(matches!(
        error(&bytes),
        BookError::Record { index: 1, fault: Fault::Unsorted { previous: u64::MAX, .. }, .. }
    ));

    let mut bytes = good.clone();
    bytes[36..38].copy_from_slice(&[0xff, 0xff]);
    seal(&mut bytes);
    let fault = Fault::Move { found: 0xffff };
    assert_eq!(error(&bytes), BookError::Record { format, index: 0, fault });

    let mut bytes = good;
    bytes[38] = 1;
    seal(&mut bytes);
    assert_eq!(error(&bytes), BookError::Record { format, index: 0, fault: Fault::Reserved { found: 1 } });
}

#[test]
fn nothing_known_is_no_book() {
    assert_eq!(error(b""), BookError::UnknownFormat { len: 0 });
    assert_eq!(error(b"<html>404</html>"), BookError::UnknownFormat { len: 16 });
    assert_eq!(error(&[0xff; 4096]), BookError::UnknownFormat { len: 4096 });
}

proptest! {
    #[test]
    fn forged_moves_are_never_played(record in 0usize..4, bits in any::<u16>(), key in any::<bool>()) {
        let mut bytes = sample();
        let at = 24 + 16 * (record % ((bytes.len() - 24) / 16));
        bytes[at + 12..at + 14].copy_from_slice(&bits.to_le_bytes());
        if key {
            bytes.truncate(40);
            bytes[12..16].copy_from_slice(&1u32.to_le_bytes());
            bytes[24..32].copy_from_slice(&START_KEY.to_le_bytes());
        }
        seal(&mut bytes);
        if let Ok(book) = Book::from_bytes(&bytes) {
            let board = Board::startpos();
            prop_assert!(book.probe(&board).iter().all(|entry| board.play(entry.mv).is_ok()));
        }
    }

    #[test]
    fn no_bytes_panic(changes in prop::collection::vec((any::<u16>(), any::<u8>()), 0..8), sealed in any::<bool>(),
                      cut in any::<u16>()) {
        let mut bytes = sample();
        for (at, byte) in changes {
            let at = usize::from(at) % bytes.len();
            bytes[at] = byte;
        }
        if sealed {
            seal(&mut bytes);
        } else if cut % 2 == 0 {
            bytes.truncate(usize::from(cut) % bytes.len());
        }
        if let Ok(book) = Book::from_bytes(&bytes) {
            book.probe(&Board::startpos());
        }
    }

    #[test]
    fn no_garbage_panics(mut bytes in prop::collection::vec(any::<u8>(), 0..200), magic in 0..3) {
        match magic {
            1 => bytes.splice(0..0, *native::MAGIC).for_each(drop),
            2 => bytes.splice(0..0, *b"SQLite format 3\0").for_each(drop),
            _ => {}
        }
        let _ = Book::from_bytes(&bytes);
    }
}
