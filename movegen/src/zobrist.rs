//! Zobrist keys of positions and of classes of pieces.
//!
//! Source of the idea: A. L. Zobrist, "A New Hashing Method with Application for Game Playing", 1970.

use crate::{Color, Piece, PieceType, SQUARES, Square};

include!(concat!(env!("OUT_DIR"), "/zobrist.rs"));

/// Keys of a position: the whole and four classes of pieces, all kept incrementally.
///
/// The class keys hold placement only (no side to move); correction histories are indexed by them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Keys {
    /// Placement of all pieces and side to move.
    pub whole: u64,
    /// Placement of the pawns of both sides.
    pub pawns: u64,
    /// Placement of the horses and cannons of both sides.
    pub minors: u64,
    /// Placement of everything but pawns, by side.
    pub non_pawns: [u64; Color::NUM],
}

impl Keys {
    /// Adds or removes (it is the same) a piece on a square.
    #[inline]
    pub(crate) fn toggle(&mut self, piece: Piece, square: Square) {
        self.change(piece, PIECE_SQUARE[piece.index()][square.index()]);
    }

    /// Moves a piece.
    #[inline]
    pub(crate) fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        let keys = &PIECE_SQUARE[piece.index()];
        self.change(piece, keys[from.index()] ^ keys[to.index()]);
    }

    #[inline]
    fn change(&mut self, piece: Piece, key: u64) {
        self.whole ^= key;
        match piece.kind {
            PieceType::Pawn => self.pawns ^= key,
            PieceType::Horse | PieceType::Cannon => {
                self.minors ^= key;
                self.non_pawns[piece.color.index()] ^= key;
            }
            _ => self.non_pawns[piece.color.index()] ^= key,
        }
    }

    /// Passes the turn.
    #[inline]
    pub(crate) fn toggle_side(&mut self) {
        self.whole ^= BLACK_TO_MOVE;
    }
}
