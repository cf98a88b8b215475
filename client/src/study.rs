//! What an engine tells of a position that is searched outside of any game.

use chuhe_movegen::Move;
use chuhe_protocol::{Bound, Info, Ranks, Score, Wdl};

use crate::player::{Decision, SearchReport};

/// The search of a position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Study {
    /// The move that the engine would play. Its legality is not checked, nor is that of the lines.
    pub best: Option<Move>,
    /// The lines in the order in which they were told, those of each depth again; the last ones of a long search.
    pub lines: Vec<StudyLine>,
    /// Positions searched.
    pub nodes: Option<u64>,
}

/// A line that an engine told, from the view of the side to move.
#[derive(Clone, PartialEq, Debug)]
pub struct StudyLine {
    /// Its rank among those of its depth, from 1.
    pub rank: usize,
    /// Its score.
    pub score: Score,
    /// The chances that the engine gives, in per mille.
    pub wdl: Option<Wdl>,
    /// Depth in plies.
    pub depth: u32,
    /// The moves; never empty.
    pub moves: Vec<Move>,
}

impl Study {
    /// Takes in what the engine told. Bounds are no scores and are passed over.
    pub(crate) fn note(&mut self, info: &Info, ranks: Ranks) {
        self.nodes = info.nodes.or(self.nodes);
        let moves: Vec<Move> = info.pv.iter().map_while(|mv| mv.decode(ranks)).collect();
        if let Some(score) = info.score
            && info.bound == Bound::Exact
            && !moves.is_empty()
        {
            let rank = info.multipv.map_or(1, |rank| rank.max(1) as usize);
            self.lines.push(StudyLine { rank, score, wdl: info.wdl, depth: info.depth.unwrap_or(0), moves });
        }
    }

    /// What an engine told that tells of one line only.
    pub(crate) fn of_search(decision: &Decision, report: SearchReport) -> Study {
        let best = match decision {
            Decision::Move(mv) => Some(*mv),
            Decision::Resign | Decision::NoMove | Decision::Unreadable(_) => None,
        };
        let SearchReport { score, depth, nodes, line } = report;
        let moves = if line.is_empty() { best.into_iter().collect() } else { line };
        let line = score.filter(|_| !moves.is_empty());
        let line = line.map(|score| StudyLine { rank: 1, score, wdl: None, depth: depth.unwrap_or(0), moves });
        Study { best, lines: line.into_iter().collect(), nodes }
    }
}
