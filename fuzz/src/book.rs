//! Opening books.

use std::sync::LazyLock;

use chuhe_book::{Book, Format, native};
use chuhe_movegen::Board;

/// No message needs more characters to say what is wrong, a word from SQLite included.
const MAX_MESSAGE_LEN: usize = 400;

/// Bytes of a record in memory.
const RECORD_LEN: usize = 16;

/// Positions that the seeds of the corpus know, and a mirror image.
static BOARDS: LazyLock<Vec<Board>> = LazyLock::new(|| {
    let lines: [&[&str]; 6] = [&[], &["h2e2"], &["b2e2"], &["c3c4"], &["h2e2", "h9g7"], &["b0c2"]];
    lines
        .iter()
        .map(|moves| {
            moves
                .iter()
                .fold(Board::startpos(), |board, mv| board.play(mv.parse().expect("a move")).expect("a legal move"))
        })
        .collect()
});

/// Reads the bytes as a book and asks it about a few positions.
///
/// A book of our own format is read a second time with its length and checksum set right, since chance does not find
/// checksums.
pub fn check(bytes: &[u8]) {
    check_book(bytes);
    if Format::detect(bytes) == Some(Format::Chuhe)
        && let Some(sealed) = seal(bytes)
    {
        check_book(&sealed);
    }
}

fn check_book(bytes: &[u8]) {
    let book = match Book::from_bytes(bytes) {
        Ok(book) => book,
        Err(error) => {
            let message = error.to_string();
            assert!(!message.is_empty() && message.chars().count() <= MAX_MESSAGE_LEN, "{message}");
            return;
        }
    };
    assert_eq!(Some(book.format()), Format::detect(bytes));
    assert!(book.len() * RECORD_LEN <= 3 * bytes.len(), "{} records from {} bytes", book.len(), bytes.len());
    for board in BOARDS.iter() {
        let entries = book.probe(board);
        assert!(entries.is_sorted_by(|a, b| a.weight >= b.weight), "{entries:?}");
        for (index, entry) in entries.iter().enumerate() {
            assert!(board.play(entry.mv).is_ok(), "{} is not legal", entry.mv);
            assert!(entries[..index].iter().all(|other| other.mv != entry.mv), "{} twice", entry.mv);
        }
    }
}

/// The bytes as a book of our own format that is sound but for its records.
fn seal(bytes: &[u8]) -> Option<Vec<u8>> {
    let body = bytes.get(24..)?;
    let body = &body[..body.len() / RECORD_LEN * RECORD_LEN];
    let sum = body
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    let mut sealed = native::MAGIC.to_vec();
    sealed.extend_from_slice(&native::VERSION.to_le_bytes());
    sealed.extend_from_slice(&u32::try_from(body.len() / RECORD_LEN).ok()?.to_le_bytes());
    sealed.extend_from_slice(&sum.to_le_bytes());
    sealed.extend_from_slice(body);
    Some(sealed)
}
