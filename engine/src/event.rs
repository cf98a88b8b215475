//! What a search tells while and after it runs.

use std::time::Duration;

use chuhe_movegen::Move;

use crate::Score;

/// Whether a reported score is exact or a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The score itself.
    Exact,
    /// At least this (fail high).
    Lower,
    /// At most this (fail low).
    Upper,
}

/// One line of analysis.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// Completed (or, for bounds, running) iteration.
    pub depth: u32,
    /// Deepest ply reached, by extensions and quiescence.
    pub seldepth: u32,
    /// Rank of the line, from 1.
    pub multipv: usize,
    /// Score for the side to move at the root.
    pub score: Score,
    /// How to read the score.
    pub bound: Bound,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Since the search was asked for (for a ponder search: since `go ponder`).
    pub elapsed: Duration,
    /// Positions that were found in tables of endgames, by all threads.
    pub table_hits: u64,
    /// Share of the hash table filled by this search, in per mille.
    pub hashfull: u16,
    /// The line; never empty, and legal.
    pub pv: &'a [Move],
}

/// Something to tell while a search runs.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// A line of analysis. All lines of one depth come together.
    Line(Report<'a>),
    /// A root move is about to be searched (long searches only).
    CurrentMove {
        /// Running iteration.
        depth: u32,
        /// The move.
        mv: Move,
        /// Its number, from 1.
        number: usize,
    },
}

/// The end of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The move to play; `None` only when no root move is allowed or legal.
    pub best: Option<Move>,
    /// The reply expected, legal after `best`.
    pub ponder: Option<Move>,
    /// Score of the best line.
    pub score: Score,
    /// Depth of the last completed iteration; 0 when there was none.
    pub depth: u32,
    /// Nodes of all threads.
    pub nodes: u64,
}

impl Outcome {
    /// No move is allowed or legal.
    pub(crate) const LOST: Outcome =
        Outcome { best: None, ponder: None, score: Score::mated_in(0), depth: 0, nodes: 0 };
}
