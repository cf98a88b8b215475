//! OBK, the SQLite books of the interface 兵河五四 (BHGUI) and of programs that took them over.
//!
//! A table `bhobk` holds one move a row: `vkey` the key of the position, `vmove` the move, `vscore` how much it is
//! preferred, `vvalid` whether it may be used (1), and numbers of games and remarks that do not matter here. `pfBook`
//! is the same table by another name. `vmove` is from × 256 + to on the 16 × 16 board of [`crate::eleeye`] (43687 =
//! 0xaaa7 = h2e2).
//!
//! The key is a 64-bit Zobrist key. Its words follow from the `rand()` of Microsoft's C library, seeded with 0: the
//! upper half, without its top bit, of `state = state × 214013 + 2531011` modulo 2³². A word takes five numbers of 15
//! bits, the first one lowest; of the fifth only four bits fit. First come the words of 14 pieces (red K A B N R C P,
//! then black) × 256 points, and then one that is added when **Red** is to move. Programs that read these books carry
//! the words as a table; the generator was found by solving it for the first word of the table in `walker8088/cchess`,
//! and all its 3585 words agree.
//!
//! A trap: writers bind the key as if its bits were a double where its top bit is set, so half of all keys stand in the
//! file as `REAL` numbers that make no sense as such. Three things follow, all handled here: a `REAL` means the key
//! that has its bits; one that happens to be a whole number may have been turned into an `INTEGER` by SQLite; and one
//! whose bits are no number at all became `NULL` and is lost.
//!
//! The file is read once, from memory, into sorted records. A negative score marks a bad move; it is left out.
//!
//! Reading takes SQLite, and so the feature `obk` of this crate. Without it such a file is refused with
//! [`crate::BookError::ObkUnsupported`].

#[cfg(feature = "obk")]
mod sqlite;

use std::sync::LazyLock;

use chuhe_movegen::{Board, Color, Piece, SQUARES};

use crate::BookError;
use crate::keys::{pieces, square_from_256};
use crate::records::Records;

/// The first bytes of every SQLite file.
pub(crate) const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// Words of the key.
struct Words {
    pieces: [[u64; SQUARES]; Piece::NUM],
    red_to_move: u64,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let mut state = 0u32;
    let mut rand = || {
        state = state.wrapping_mul(214_013).wrapping_add(2_531_011);
        u64::from(state >> 16 & 0x7fff)
    };
    let mut next_word = || (0..5).fold(0, |word, at| word | rand() << (15 * at));
    let mut pieces = [[0; SQUARES]; Piece::NUM];
    for words in &mut pieces {
        for code in 0..=255 {
            let word = next_word();
            if let Some(square) = square_from_256(code) {
                words[square.index()] = word;
            }
        }
    }
    Words { pieces, red_to_move: next_word() }
});

/// The key of a position in an OBK, as the signed integer that SQL shows.
pub fn key(board: &Board) -> i64 {
    let words = &*WORDS;
    let side = if board.side_to_move() == Color::Red { words.red_to_move } else { 0 };
    pieces(board).fold(side, |key, (piece, square)| key ^ words.pieces[piece.index()][square.index()]) as i64
}

/// Reads a whole file.
#[cfg(feature = "obk")]
pub(crate) fn read(bytes: &[u8]) -> Result<Records, BookError> {
    sqlite::read(bytes)
}

/// Refuses the file, for want of SQLite.
#[cfg(not(feature = "obk"))]
pub(crate) fn read(_: &[u8]) -> Result<Records, BookError> {
    Err(BookError::ObkUnsupported)
}
