//! The keys under which the formats store positions.

use chuhe_movegen::{Board, Color, Piece, Square};

use crate::{Format, eleeye, obk};

/// Occupied points with their pieces.
pub(crate) fn pieces(board: &Board) -> impl Iterator<Item = (Piece, Square)> + '_ {
    Square::all().filter_map(|square| Some((board.piece_at(square)?, square)))
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014), applied
/// to the `index`-th state of a generator that starts at zero.
fn split_mix(index: u64) -> u64 {
    let mut word = index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// Key of our own format, defined in [`crate::native`]: it must never change within a version of the format.
pub(crate) fn native_key(board: &Board) -> u64 {
    let side = if board.side_to_move() == Color::Black { split_mix(1261) } else { 0 };
    pieces(board).fold(side, |key, (piece, square)| key ^ split_mix((1 + piece.index() * 90 + square.index()) as u64))
}

/// Key of a position in a format.
pub(crate) fn key(format: Format, board: &Board) -> u64 {
    match format {
        Format::Chuhe => native_key(board),
        Format::ElephantEye => u64::from(eleeye::key(board)),
        Format::Obk => obk::key(board) as u64,
    }
}

/// A point of the 16 × 16 board on which the older formats number squares: column + 3, row from Black's side + 3.
pub(crate) fn square_from_256(code: u8) -> Option<Square> {
    Square::from_coords((code & 15).checked_sub(3)?, 9u8.checked_sub((code >> 4).checked_sub(3)?)?)
}
