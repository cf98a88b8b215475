//! What the search has learnt about moves and evaluations: butterfly, capture and continuation histories, and
//! corrections of the static evaluation.
//!
//! All tables share one bounded update ("gravity"): a value moves towards ±[`LIMIT`] the slower the nearer it is.

use chuhe_movegen::{Board, Color, Move, Piece, PieceType, SQUARES, Square};

use crate::memory::zeroed;
use crate::params;

/// Bound of every history value.
const LIMIT: i32 = 16_384;
/// Entries of a correction table, by the low bits of a key.
const CORRECTIONS: usize = 1 << 14;
/// Bound of every correction value.
const CORRECTION_LIMIT: i32 = 1024;
/// Correction units per unit of evaluation.
const CORRECTION_GRAIN: i32 = 16;

type PieceTo = [[i16; SQUARES]; Piece::NUM];

#[inline]
fn gravity(value: &mut i16, bonus: i32, limit: i32) {
    let bonus = bonus.clamp(-limit, limit);
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / limit) as i16;
}

/// A move in its context: which piece went where. The key of continuation histories.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceMove {
    /// The moving piece.
    pub(crate) piece: Piece,
    /// Its target.
    pub(crate) to: Square,
}

/// The tables of one search thread.
#[derive(Debug)]
pub(crate) struct History {
    /// Quiets by side, origin and target.
    quiet: Box<[i16]>,
    /// Captures by piece, target and victim.
    capture: Box<[i16]>,
    /// Quiets by an earlier move and the move itself.
    continuation: Box<[i16]>,
    /// Evaluation errors by side and key, one table for each class of pieces.
    corrections: [Box<[i16]>; 4],
}

impl History {
    /// Empty tables.
    pub(crate) fn new() -> History {
        History {
            quiet: zeroed(Color::NUM * SQUARES * SQUARES),
            capture: zeroed(Piece::NUM * SQUARES * PieceType::NUM),
            continuation: zeroed((Piece::NUM * SQUARES) * (Piece::NUM * SQUARES)),
            corrections: std::array::from_fn(|_| zeroed(Color::NUM * CORRECTIONS)),
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.quiet.fill(0);
        self.capture.fill(0);
        self.continuation.fill(0);
        self.corrections.iter_mut().for_each(|table| table.fill(0));
    }

    #[inline]
    fn quiet_index(side: Color, mv: Move) -> usize {
        (side.index() * SQUARES + mv.from().index()) * SQUARES + mv.to().index()
    }

    #[inline]
    fn continuation_index(earlier: PieceMove, now: PieceMove) -> usize {
        let row = earlier.piece.index() * SQUARES + earlier.to.index();
        row * size_of::<PieceTo>() / size_of::<i16>() + now.piece.index() * SQUARES + now.to.index()
    }

    #[inline]
    fn capture_index(piece: Piece, to: Square, victim: PieceType) -> usize {
        (piece.index() * SQUARES + to.index()) * PieceType::NUM + victim.index()
    }

    /// How often a quiet move was good, here and after these earlier moves.
    #[inline]
    pub(crate) fn quiet(&self, side: Color, mv: Move, piece: Piece, earlier: &[Option<PieceMove>]) -> i32 {
        let now = PieceMove { piece, to: mv.to() };
        let mut sum = i32::from(self.quiet[History::quiet_index(side, mv)]);
        for earlier in earlier.iter().flatten() {
            sum += i32::from(self.continuation[History::continuation_index(*earlier, now)]);
        }
        sum
    }

    /// Rewards or punishes a quiet move.
    pub(crate) fn update_quiet(
        &mut self,
        side: Color,
        mv: Move,
        piece: Piece,
        earlier: &[Option<PieceMove>],
        bonus: i32,
    ) {
        let now = PieceMove { piece, to: mv.to() };
        gravity(&mut self.quiet[History::quiet_index(side, mv)], bonus, LIMIT);
        for earlier in earlier.iter().flatten() {
            gravity(&mut self.continuation[History::continuation_index(*earlier, now)], bonus, LIMIT);
        }
    }

    /// How often a capture was good.
    #[inline]
    pub(crate) fn capture(&self, piece: Piece, to: Square, victim: PieceType) -> i32 {
        i32::from(self.capture[History::capture_index(piece, to, victim)])
    }

    /// Rewards or punishes a capture.
    pub(crate) fn update_capture(&mut self, piece: Piece, to: Square, victim: PieceType, bonus: i32) {
        gravity(&mut self.capture[History::capture_index(piece, to, victim)], bonus, LIMIT);
    }

    #[inline]
    fn correction_keys(board: &Board) -> [u64; 4] {
        let keys = board.keys();
        [keys.pawns, keys.minors, keys.non_pawns[0], keys.non_pawns[1]]
    }

    #[inline]
    fn correction_index(side: Color, key: u64) -> usize {
        side.index() * CORRECTIONS + key as usize % CORRECTIONS
    }

    /// What to add to the static evaluation of positions like this one.
    #[inline]
    pub(crate) fn correction(&self, board: &Board) -> i32 {
        let side = board.side_to_move();
        let mut sum = 0;
        for (table, key) in self.corrections.iter().zip(History::correction_keys(board)) {
            sum += i32::from(table[History::correction_index(side, key)]);
        }
        sum / CORRECTION_GRAIN
    }

    /// Learns that the static evaluation was too low by `error`.
    pub(crate) fn update_correction(&mut self, board: &Board, depth: i32, error: i32) {
        let side = board.side_to_move();
        let bonus = (error * depth / params::correction_divisor()).clamp(-CORRECTION_LIMIT / 4, CORRECTION_LIMIT / 4);
        for (table, key) in self.corrections.iter_mut().zip(History::correction_keys(board)) {
            gravity(&mut table[History::correction_index(side, key)], bonus, CORRECTION_LIMIT);
        }
    }
}
