//! The moves at the root and what is known of each.

use arrayvec::ArrayVec;
use chuhe_movegen::Move;

use crate::tables::Standing;
use crate::{MAX_PLY, Score};

/// A principal variation.
pub(crate) type PvLine = ArrayVec<Move, MAX_PLY>;

/// A root move.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    /// The move.
    pub(crate) mv: Move,
    /// Score of the running iteration; minus infinity while it is only known to be worse than another.
    pub(crate) score: Score,
    /// Score of the last iteration.
    pub(crate) previous: Score,
    /// Nodes spent below the move in the whole search.
    pub(crate) nodes: u64,
    /// Deepest ply below the move.
    pub(crate) seldepth: usize,
    /// The line, the move itself first.
    pub(crate) pv: PvLine,
    /// What tables of endgames say.
    pub(crate) standing: Standing,
    /// The mate to which it leads by the tables, with its score.
    pub(crate) line_to_mate: Option<(Score, PvLine)>,
}

impl RootMove {
    /// A move of which nothing is known yet.
    pub(crate) fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            score: -Score::INFINITE,
            previous: -Score::INFINITE,
            nodes: 0,
            seldepth: 0,
            pv: PvLine::from_iter([mv]),
            standing: Standing::default(),
            line_to_mate: None,
        }
    }

    /// The score of the running iteration, or of the last when the running one has not come to this move. What a table
    /// knows goes before an evaluation.
    pub(crate) fn known_score(&self) -> Score {
        let searched =
            if self.score > -Score::INFINITE { self.score } else { self.previous.max(-Score::MATE_IN_MAX_PLY) };
        self.standing.score.filter(|_| !searched.is_decided()).unwrap_or(searched)
    }
}

/// Best first, what tables know before anything else; a move without a score of this iteration keeps its place by the
/// last one. Stable, so equal moves keep their order.
pub(crate) fn sort(moves: &mut [RootMove]) {
    moves.sort_by_key(|root| std::cmp::Reverse((root.standing.rank, root.score, root.previous)));
}
