//! Pairs of middlegame and endgame values, and the phase that blends them.

use std::ops::{AddAssign, SubAssign};

use chuhe_movegen::{Board, PieceType};

use crate::EVAL_LIMIT;

/// Phase of a position with all rooks, horses and cannons; 0 is one with none.
pub const PHASE_MAX: i32 = 16;

/// A middlegame and an endgame value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tapered {
    /// Value with all strong pieces on the board.
    pub mg: i32,
    /// Value with none.
    pub eg: i32,
}

impl Tapered {
    /// No value.
    pub const ZERO: Tapered = Tapered { mg: 0, eg: 0 };

    /// Adds a weight `count` times.
    #[inline]
    pub fn add(&mut self, weight: [i16; 2], count: i32) {
        self.mg += i32::from(weight[0]) * count;
        self.eg += i32::from(weight[1]) * count;
    }

    /// One value for a phase, strictly within the limits of the evaluation.
    ///
    /// The division truncates towards zero, so that negating a score negates its value.
    #[inline]
    pub fn tapered(self, phase: i32) -> i32 {
        let blended = (self.mg * phase + self.eg * (PHASE_MAX - phase)) / PHASE_MAX;
        blended.clamp(1 - EVAL_LIMIT, EVAL_LIMIT - 1)
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Tapered) {
        self.mg += other.mg;
        self.eg += other.eg;
    }
}

impl SubAssign for Tapered {
    #[inline]
    fn sub_assign(&mut self, other: Tapered) {
        self.mg -= other.mg;
        self.eg -= other.eg;
    }
}

/// How much of the middlegame is left, [`PHASE_MAX`] to 0: a rook counts two, a horse or a cannon one.
#[inline]
pub fn phase(board: &Board) -> i32 {
    let rooks = board.kind(PieceType::Rook);
    let minors = board.kind(PieceType::Horse) | board.kind(PieceType::Cannon);
    // Composed placements may hold more than the initial army.
    ((2 * rooks.count() + minors.count()) as i32).min(PHASE_MAX)
}
