//! What the keys of all formats are made of: the pieces of a position and their points.

use chuhe_movegen::{Board, Piece, Square};

/// Occupied points with their pieces.
pub(crate) fn pieces(board: &Board) -> impl Iterator<Item = (Piece, Square)> + '_ {
    Square::all().filter_map(|square| Some((board.piece_at(square)?, square)))
}

/// A point of the 16 × 16 board on which the older formats number squares: column + 3, row from Black's side + 3.
pub(crate) fn square_from_256(code: u8) -> Option<Square> {
    Square::from_coords((code & 15).checked_sub(3)?, 9u8.checked_sub((code >> 4).checked_sub(3)?)?)
}
