//! What an engine found in one position.

use chuhe_movegen::Move;

use crate::{Chances, Score};

/// The result of one search. All of it is seen by the side to move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PositionAnalysis {
    /// The best lines, the best first: as many as were asked for and as there are legal moves. None only when the engine
    /// gave no move.
    pub lines: Vec<Line>,
    /// Half-moves that the search looked ahead: its last completed iteration.
    pub depth: u32,
    /// Positions searched.
    pub nodes: u64,
}

impl PositionAnalysis {
    /// The best line.
    #[must_use]
    pub fn best(&self) -> Option<&Line> {
        self.lines.first()
    }
}

/// A line of play and what it leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Its score for the side to move in the position searched.
    pub score: Score,
    /// Its chances for that side.
    pub chances: Chances,
    /// Half-moves that the search looked ahead.
    pub depth: u32,
    /// The moves, all legal; never empty.
    pub moves: Vec<Move>,
}
