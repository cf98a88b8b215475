//! `BOOK.DAT`, the book of ElephantEye, 象棋小巫师 (XQWLight) and programs derived from them.
//!
//! The file is nothing but 8-byte records, little endian, ascending by key:
//!
//! | offset | bytes | field |
//! |---|---|---|
//! | 0 | 4 | key of the position |
//! | 4 | 1 | from |
//! | 5 | 1 | to |
//! | 6 | 2 | weight |
//!
//! Points are those of a 16 × 16 board: column + 3 in the low four bits, row from Black's side + 3 in the high four
//! (0x33 = a9, 0xcb = i0). Only one of two mirror images is stored.
//!
//! The key is the third of three Zobrist words. A stream of RC4, keyed with four zero bytes, read as 32-bit words,
//! gives such triples for "Black to move" first and then for 14 pieces (red K A B N R C P, then black) × 256 points.
//!
//! The layout is a fact of the files; everything here was written from this description, not from ElephantEye's source
//! (LGPL-2.1, `xqbase/eleeye`).

use std::sync::LazyLock;

use chuhe_movegen::{Board, Color, Move, Piece, SQUARES};

use crate::keys::{pieces, square_from_256};
use crate::records::{Record, Records};
use crate::{BookError, Fault, Format};

const RECORD_LEN: usize = 8;

/// The stream cipher RC4, here a generator of random numbers that every program agrees on.
struct Rc4 {
    state: [u8; 256],
    i: u8,
    j: u8,
}

impl Rc4 {
    /// Schedules a key of zero bytes, of whatever length.
    fn with_zero_key() -> Rc4 {
        let mut state = std::array::from_fn(|index| index as u8);
        let mut j = 0u8;
        for i in 0..state.len() {
            j = j.wrapping_add(state[i]);
            state.swap(i, usize::from(j));
        }
        Rc4 { state, i: 0, j: 0 }
    }

    fn next_byte(&mut self) -> u8 {
        self.i = self.i.wrapping_add(1);
        self.j = self.j.wrapping_add(self.state[usize::from(self.i)]);
        self.state.swap(usize::from(self.i), usize::from(self.j));
        let sum = self.state[usize::from(self.i)].wrapping_add(self.state[usize::from(self.j)]);
        self.state[usize::from(sum)]
    }

    fn next_word(&mut self) -> u32 {
        u32::from_le_bytes(std::array::from_fn(|_| self.next_byte()))
    }

    /// The last word of the next triple.
    fn next_lock(&mut self) -> u32 {
        self.next_word();
        self.next_word();
        self.next_word()
    }
}

/// Words of the key.
struct Words {
    black_to_move: u32,
    pieces: [[u32; SQUARES]; Piece::NUM],
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let mut rc4 = Rc4::with_zero_key();
    let black_to_move = rc4.next_lock();
    let mut pieces = [[0; SQUARES]; Piece::NUM];
    for words in &mut pieces {
        for code in 0..=255 {
            let word = rc4.next_lock();
            if let Some(square) = square_from_256(code) {
                words[square.index()] = word;
            }
        }
    }
    Words { black_to_move, pieces }
});

/// The key of a position in `BOOK.DAT`.
pub fn key(board: &Board) -> u32 {
    let words = &*WORDS;
    let side = if board.side_to_move() == Color::Black { words.black_to_move } else { 0 };
    pieces(board).fold(side, |key, (piece, square)| key ^ words.pieces[piece.index()][square.index()])
}

/// Reads the record at `index`: key, move and weight.
fn parse(index: usize, bytes: [u8; RECORD_LEN]) -> Result<Record, BookError> {
    let [k0, k1, k2, k3, from, to, w0, w1] = bytes;
    let mv = square_from_256(from).zip(square_from_256(to)).and_then(|(from, to)| Move::new(from, to));
    let Some(mv) = mv else {
        let fault = Fault::Move { found: u16::from_le_bytes([from, to]) };
        return Err(BookError::Record { format: Format::ElephantEye, index: index as u64, fault });
    };
    let key = u64::from(u32::from_le_bytes([k0, k1, k2, k3]));
    Ok(Record { key, weight: u32::from(u16::from_le_bytes([w0, w1])), mv })
}

/// Whether bytes may be such a file. It has no magic, so this asks for whole records, of which the first is one.
pub(crate) fn looks_like(bytes: &[u8]) -> bool {
    let (records, rest) = bytes.as_chunks();
    rest.is_empty() && records.first().is_some_and(|&record| parse(0, record).is_ok())
}

/// Reads a whole file.
pub(crate) fn read(bytes: &[u8]) -> Result<Records, BookError> {
    let (chunks, _) = bytes.as_chunks();
    let mut records = Vec::with_capacity(chunks.len());
    let mut previous = 0;
    for (index, &chunk) in chunks.iter().enumerate() {
        let record = parse(index, chunk)?;
        // Order is not needed here, since records are sorted again; its lack tells that this is no such file.
        if record.key < previous {
            let fault = Fault::Unsorted { found: record.key, previous };
            return Err(BookError::Record { format: Format::ElephantEye, index: index as u64, fault });
        }
        previous = record.key;
        records.push(record);
    }
    Ok(Records::from_unsorted(records))
}
