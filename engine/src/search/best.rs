//! The best move of a node while its moves are tried.

use chuhe_movegen::Move;

use crate::path::PathDependence;
use crate::{Bound, Score};

/// How a move compares with the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// It does not reach above alpha.
    FailsLow,
    /// It is the best so far, within the window.
    RaisesAlpha,
    /// It reaches beta: the others need not be tried.
    FailsHigh,
}

/// The best that the moves of a node have come to so far (fail-soft).
#[derive(Clone, Copy, Debug)]
pub(super) struct Best {
    /// The highest score; it may be below alpha.
    pub(super) score: Score,
    /// The move that raised alpha last.
    pub(super) mv: Option<Move>,
    /// How to read the score.
    pub(super) bound: Bound,
    /// What the score hangs on.
    pub(super) dependence: PathDependence,
}

impl Best {
    /// Nothing tried yet; `score` is what the node has without a move.
    #[inline]
    pub(super) fn new(score: Score) -> Best {
        Best { score, mv: None, bound: Bound::Upper, dependence: PathDependence::NONE }
    }

    /// Counts in a move with its score, which hangs on `dependence`.
    #[inline]
    pub(super) fn add(
        &mut self,
        mv: Move,
        score: Score,
        alpha: Score,
        beta: Score,
        dependence: PathDependence,
    ) -> Verdict {
        self.score = self.score.max(score);
        if score <= alpha {
            self.dependence = self.dependence.with_lesser(dependence);
            return Verdict::FailsLow;
        }
        self.mv = Some(mv);
        if score >= beta {
            // One move is enough: what the others hang on does not matter.
            self.bound = Bound::Lower;
            self.dependence = dependence;
            return Verdict::FailsHigh;
        }
        self.bound = Bound::Exact;
        self.dependence = self.dependence.with_best(dependence);
        Verdict::RaisesAlpha
    }
}
