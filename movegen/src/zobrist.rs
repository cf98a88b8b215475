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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::Board;

    /// The sum over the pieces of these kinds and sides, taken from the tables.
    fn sum(board: &Board, wanted: impl Fn(Piece) -> bool) -> u64 {
        Square::all()
            .filter_map(|square| board.piece_at(square).filter(|&piece| wanted(piece)).map(|piece| (piece, square)))
            .fold(0, |key, (piece, square)| key ^ PIECE_SQUARE[piece.index()][square.index()])
    }

    #[test]
    fn keys_are_sums_over_the_pieces() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..100 {
            let mut board = Board::startpos();
            for _ in 0..150 {
                let side = if board.side_to_move() == Color::Black { BLACK_TO_MOVE } else { 0 };
                let keys = Keys {
                    whole: sum(&board, |_| true) ^ side,
                    pawns: sum(&board, |piece| piece.kind == PieceType::Pawn),
                    minors: sum(&board, |piece| matches!(piece.kind, PieceType::Horse | PieceType::Cannon)),
                    non_pawns: Color::ALL
                        .map(|color| sum(&board, |piece| piece.color == color && piece.kind != PieceType::Pawn)),
                };
                assert_eq!(board.keys(), &keys, "{board:?}");
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                board = board.make(moves[rng.random_range(0..moves.len())]);
            }
        }
    }

    #[test]
    fn every_build_has_the_same_distinct_keys() {
        let all: HashSet<u64> = PIECE_SQUARE.iter().flatten().copied().chain([0, BLACK_TO_MOVE]).collect();
        assert_eq!(all.len(), Piece::NUM * SQUARES + 2);
        // Opening books are stored by key.
        assert_eq!(Board::startpos().key(), 0x11ff_0249_5ff9_20e6);
    }
}
