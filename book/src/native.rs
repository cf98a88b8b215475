//! Our own format: sorted fixed-size records behind a small header, all numbers little endian.
//!
//! | offset | bytes | field |
//! |---|---|---|
//! | 0 | 8 | magic `CHUHEBK` and a zero byte |
//! | 8 | 4 | version, 1 |
//! | 12 | 4 | number of records |
//! | 16 | 8 | FNV-1a (64 bits) of all bytes behind the header |
//! | 24 | 16 each | records |
//!
//! | offset | bytes | field of a record |
//! |---|---|---|
//! | 0 | 8 | key of the position |
//! | 8 | 4 | weight: how many master games went this way |
//! | 12 | 2 | move, from × 128 + to, points numbered rank × 9 + file from Red's left corner |
//! | 14 | 2 | zero |
//!
//! Records ascend by key; within one position by weight from the heaviest.
//!
//! # The key
//! The key is a Zobrist key of its own rather than the engine's, so that a change of the engine's random numbers never
//! invalidates a file. Its words come from a formula instead of a table: word *n* is the *n*-th output of SplitMix64
//! started at state 0, that is, with all arithmetic modulo 2⁶⁴,
//!
//! ```text
//! z = n × 0x9e3779b97f4a7c15
//! z = (z ⊕ z >> 30) × 0xbf58476d1ce4e5b9
//! z = (z ⊕ z >> 27) × 0x94d049bb133111eb
//! word(n) = z ⊕ z >> 31
//! ```
//!
//! and the key is the exclusive or of `word(1 + piece × 90 + point)` over all pieces (0–6 red K A B N R C P, 7–13
//! black), and of `word(1261)` when Black is to move.
//!
//! # Mirror images
//! Of a position and its left–right mirror image only the one with the smaller key is stored, with its moves mirrored
//! accordingly. In a position that is its own mirror image, such as the initial array, two moves that mirror each other
//! are one; the one that starts, or else ends, further to Red's right stands for both.

use std::borrow::Cow;

use chuhe_movegen::{Board, Color, Move};

use crate::keys::pieces;
use crate::records::{RECORD_LEN, Record, Records, split};
use crate::{BookError, Fault, Format};

/// The first bytes of a book in our format.
pub const MAGIC: &[u8; 8] = b"CHUHEBK\0";
/// The version of the format that is read and written.
pub const VERSION: u32 = 1;

const HEADER_LEN: usize = 24;

/// The finaliser of SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014), applied
/// to the `index`-th state of a generator that starts at zero.
fn split_mix(index: u64) -> u64 {
    let mut word = index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// Key of a position, defined above: it must never change within a version of the format.
pub(crate) fn key(board: &Board) -> u64 {
    let side = if board.side_to_move() == Color::Black { split_mix(1261) } else { 0 };
    pieces(board).fold(side, |key, (piece, square)| key ^ split_mix((1 + piece.index() * 90 + square.index()) as u64))
}

/// FNV-1a, 64 bits (Fowler, Noll, Vo).
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// Key and move under which a move of a position is stored.
pub(crate) fn canonical(board: &Board, mv: Move) -> (u64, Move) {
    let (key, mirrored) = (key(board), key(&board.mirror_files()));
    let twin = mv.mirror_file();
    let wing = |mv: Move| (mv.from().file(), mv.to().file());
    if mirrored < key || mirrored == key && wing(twin) > wing(mv) { (mirrored, twin) } else { (key, mv) }
}

/// The file of a set of records.
pub(crate) fn write(records: Vec<Record>) -> Vec<u8> {
    let records = Records::from_unsorted(records);
    let mut bytes = Vec::with_capacity(HEADER_LEN + records.as_bytes().len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&(records.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&fnv1a(records.as_bytes()).to_le_bytes());
    bytes.extend_from_slice(records.as_bytes());
    bytes
}

/// Checks a file completely and gives its records, in place.
pub(crate) fn read(bytes: Cow<'static, [u8]>) -> Result<Records, BookError> {
    let format = Format::Chuhe;
    let found = bytes.len();
    let Some((header, body)) = bytes.split_first_chunk::<HEADER_LEN>() else {
        return Err(BookError::Length { format, found, expected: HEADER_LEN as u64 });
    };
    let number = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    if number(8) != VERSION {
        return Err(BookError::Version { found: number(8), expected: VERSION });
    }
    let expected = HEADER_LEN as u64 + u64::from(number(12)) * RECORD_LEN as u64;
    if found as u64 != expected {
        return Err(BookError::Length { format, found, expected });
    }
    let stated = u64::from(number(16)) | u64::from(number(20)) << 32;
    if fnv1a(body) != stated {
        return Err(BookError::Checksum { found: fnv1a(body), expected: stated });
    }
    // The checksum only tells accidents from intent; a file made on purpose must not break the search by halving.
    let mut previous = 0;
    for (index, record) in body.as_chunks().0.iter().enumerate() {
        let (key, _, bits, reserved) = split(record);
        let fault = if key < previous {
            Some(Fault::Unsorted { found: key, previous })
        } else if Move::from_bits(bits).is_none() {
            Some(Fault::Move { found: bits })
        } else if reserved != 0 {
            Some(Fault::Reserved { found: reserved })
        } else {
            None
        };
        if let Some(fault) = fault {
            return Err(BookError::Record { format, index: index as u64, fault });
        }
        previous = key;
    }
    Ok(Records::from_sorted_bytes(match bytes {
        Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[HEADER_LEN..]),
        Cow::Owned(mut bytes) => {
            bytes.drain(..HEADER_LEN);
            Cow::Owned(bytes)
        }
    }))
}
