//! A placement with its side to move and two bits for a result in 28 bytes: what game files and training records have in
//! common.
//!
//! | bytes | content |
//! |---|---|
//! | 0–11 | little endian: bits 0–89 occupied squares by index; bit 90 Black to move; bits 91–92 for a `GameOutcome::code`; bits 93–95 zero |
//! | 12–27 | a nibble for each piece in the order of the squares, the lower half of a byte first: [`Piece::index`]; zero beyond |

use chuhe_movegen::{Board, Color, FenError, Piece, PieceType, SQUARES, Square};

/// Bytes of a packed placement.
pub(crate) const SIZE: usize = 28;

/// Bytes of occupancy and flags.
const OCCUPANCY: usize = 12;
const SQUARES_MASK: u128 = (1 << SQUARES) - 1;
const SIDE: u32 = SQUARES as u32;
const OUTCOME: u32 = SIDE + 1;
const SPARE: u32 = OUTCOME + 2;

/// Pieces that fit.
const MAX_PIECES: u32 = 32;

/// Pieces by code.
const PIECES: [Piece; Piece::NUM] = {
    let mut table = [Piece::new(Color::Red, PieceType::King); Piece::NUM];
    let mut code = 0;
    while code < Piece::NUM {
        let color = if code < PieceType::NUM { Color::Red } else { Color::Black };
        table[code] = Piece::new(color, PieceType::ALL[code % PieceType::NUM]);
        code += 1;
    }
    table
};

/// Why bytes are not a packed placement.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PackedError {
    /// More pieces than two armies.
    #[error("{0} squares are occupied, expected at most {MAX_PIECES}")]
    TooManyPieces(u32),
    /// A nibble that is no piece.
    #[error("piece {index}: code {code}, expected 0-13")]
    PieceCode {
        /// Number of the piece in the order of the squares, from 0.
        index: usize,
        /// The nibble.
        code: u8,
    },
    /// Bits that have no meaning are set.
    #[error("unused bits are not zero")]
    SpareBits,
    /// The result is none.
    #[error("result code {0}, expected 0 (loss), 1 (draw) or 2 (win)")]
    Outcome(u8),
    /// The placement is no position of the game.
    #[error("the position is not legal: {0}")]
    Position(#[from] FenError),
}

/// Packs the placement and side to move of a board, and two bits.
///
/// A board of the game never has more than 32 pieces; of a composed one that has, the rest is left out.
pub(crate) fn pack(board: &Board, result: u8) -> [u8; SIZE] {
    let mut bytes = [0; SIZE];
    let mut bits: u128 = 0;
    let pieces = board.occupied().into_iter().filter_map(|square| Some((board.piece_at(square)?, square)));
    for (index, (piece, square)) in pieces.take(MAX_PIECES as usize).enumerate() {
        bits |= 1 << square.index();
        bytes[OCCUPANCY + index / 2] |= (piece.index() as u8) << (4 * (index % 2));
    }
    bits |= u128::from(board.side_to_move() == Color::Black) << SIDE | u128::from(result & 3) << OUTCOME;
    bytes[..OCCUPANCY].copy_from_slice(&bits.to_le_bytes()[..OCCUPANCY]);
    bytes
}

/// Occupancy and flags.
fn bits(bytes: &[u8; SIZE]) -> u128 {
    let mut whole = [0; 16];
    whole[..OCCUPANCY].copy_from_slice(&bytes[..OCCUPANCY]);
    u128::from_le_bytes(whole)
}

/// Whose turn it is.
pub(crate) fn side_to_move(bytes: &[u8; SIZE]) -> Color {
    if bits(bytes) >> SIDE & 1 == 0 { Color::Red } else { Color::Black }
}

/// The two bits for a result.
pub(crate) fn result(bytes: &[u8; SIZE]) -> u8 {
    (bits(bytes) >> OUTCOME & 3) as u8
}

/// The pieces and where they stand, in the order of the squares. A code that is no piece reads as another.
#[inline]
pub(crate) fn pieces(bytes: &[u8; SIZE]) -> impl Iterator<Item = (Piece, Square)> + '_ {
    let mut occupied = bits(bytes) & SQUARES_MASK;
    let mut index = 0;
    std::iter::from_fn(move || {
        if occupied == 0 || index >= MAX_PIECES as usize {
            return None;
        }
        let square = Square::new(occupied.trailing_zeros() as u8)?;
        occupied &= occupied - 1;
        let code = bytes[OCCUPANCY + index / 2] >> (4 * (index % 2)) & 15;
        index += 1;
        Some((PIECES[usize::from(code) % Piece::NUM], square))
    })
}

/// Validates everything but the result, and gives the board, its counters as told, and the two bits for the result.
///
/// # Errors
/// [`PackedError`] says what is wrong.
pub(crate) fn unpack(
    bytes: &[u8; SIZE],
    halfmove_clock: u16,
    fullmove_number: u16,
) -> Result<(Board, u8), PackedError> {
    let bits = bits(bytes);
    let count = (bits & SQUARES_MASK).count_ones();
    if count > MAX_PIECES {
        return Err(PackedError::TooManyPieces(count));
    }
    if bits >> SPARE != 0 {
        return Err(PackedError::SpareBits);
    }
    for index in 0..MAX_PIECES as usize {
        let code = bytes[OCCUPANCY + index / 2] >> (4 * (index % 2)) & 15;
        if index >= count as usize && code != 0 {
            return Err(PackedError::SpareBits);
        }
        if usize::from(code) >= Piece::NUM {
            return Err(PackedError::PieceCode { index, code });
        }
    }
    let board = Board::from_pieces(pieces(bytes), side_to_move(bytes), halfmove_clock, fullmove_number)?;
    Ok((board, result(bytes)))
}
