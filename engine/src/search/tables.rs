//! Tables of endgames seen from the search.

use chuhe_movegen::Move;

use super::{NodeType, Search};
use crate::tables::{Extent, after_capture};
use crate::tt::Entry;
use crate::{Bound, Score, root};

/// A score from a table is worth a search this much deeper than the one that met it.
const TABLE_DEPTH: i32 = 6;

impl Search<'_> {
    /// Whether a table may know the node at the end of the line: a capture has led to it and few pieces are left.
    #[inline]
    pub(super) fn may_be_known(&self) -> bool {
        let board = self.board();
        board.occupied().count() <= self.shared.tables.max_pieces() && board.halfmove_clock() == 0
    }

    /// What the tables know of the node at the end of the line, where [`Search::may_be_known`] holds.
    #[cold]
    pub(super) fn extent_by_table(&mut self, ply: usize) -> Extent {
        let extent = after_capture(&self.shared.tables, self.board(), ply, self.shared.options.natural_limit);
        self.table_hits += u64::from(extent != Extent::UNKNOWN);
        extent
    }

    /// The score of a node that its extent settles. The hash table remembers it, for those who come there by a way that
    /// does not end with a capture.
    pub(super) fn settled<N: NodeType>(&self, extent: Extent, depth: i32, ply: usize) -> Score {
        let (score, bound) = match extent {
            Extent { least, most } if least == most => (least, Bound::Exact),
            Extent { most: Score::INFINITE, least } => (least, Bound::Lower),
            Extent { most, .. } => (most, Bound::Upper),
        };
        let score_of_node = super::to_table(score, ply);
        let entry = Entry { mv: None, score: score_of_node, eval: None, depth: depth + TABLE_DEPTH, bound, pv: N::PV };
        self.shared.table.store(self.board().key(), entry);
        score
    }

    /// Whether a root move is searched in the running line: it is none of the lines before, and of those left no other
    /// is better by the tables.
    pub(super) fn is_searched_at_root(&self, mv: Move) -> bool {
        let left = &self.thread.root_moves[self.pv_index..];
        left.iter().take_while(|root| root.standing.rank == left[0].standing.rank).any(|root| root.mv == mv)
    }

    /// Whether the tables leave but one root move to choose.
    pub(super) fn has_one_choice(&self) -> bool {
        let moves = &self.thread.root_moves;
        moves.get(1).is_none_or(|second| second.standing.rank < moves[0].standing.rank)
    }

    /// Puts the mates that tables know in the place of what was searched.
    pub(super) fn settle_by_distance(&mut self) {
        let moves = &mut self.thread.root_moves[..self.shared.multi_pv];
        for root in moves.iter_mut() {
            if let Some(line) = &root.line_to_mate {
                (root.score, root.pv) = line.clone();
                root.seldepth = root.pv.len();
            }
        }
        root::sort(moves);
    }

    /// Whether all lines asked for are mates that tables know: no search will better them.
    pub(super) fn all_lines_known(&self) -> bool {
        self.thread.root_moves[..self.shared.multi_pv].iter().all(|root| root.line_to_mate.is_some())
    }
}
