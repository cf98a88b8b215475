//! How far a score hangs on the path to its node.
//!
//! A verdict on a repetition holds only where the earlier occurrence is on the path. A score that rests on one is true
//! for this path and may be wrong for another, so the hash table, which knows positions and no paths, must not hold it
//! (the graph-history interaction problem; M. Campbell, "The graph-history interaction: on ignoring position history").

use chuhe_rules::{Judgement, Recurrence};

/// The earliest positions on the line that a score rests on, by their index in the line.
///
/// A cycle that closes within the subtree of a node is the node's own affair: it would close on any path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PathDependence {
    /// By a loss for breaking the rules.
    loss: usize,
    /// By a draw.
    draw: usize,
}

impl PathDependence {
    /// The score is true on every path.
    pub(crate) const NONE: PathDependence = PathDependence { loss: usize::MAX, draw: usize::MAX };

    /// What the score of a judged repetition rests on.
    pub(crate) fn of(recurrence: &Recurrence) -> PathDependence {
        match recurrence.judgement {
            Judgement::Loses(_) => PathDependence { loss: recurrence.first, ..PathDependence::NONE },
            Judgement::Draw => PathDependence { draw: recurrence.first, ..PathDependence::NONE },
        }
    }

    /// What two scores together rest on.
    #[inline]
    pub(crate) fn join(self, other: PathDependence) -> PathDependence {
        PathDependence { loss: self.loss.min(other.loss), draw: self.draw.min(other.draw) }
    }

    /// What the score of a node rests on when one more of its moves, on which `other` tells, turns out not to be better.
    ///
    /// That a move draws instead of being worse or better seldom matters then; that it loses by rule does.
    #[inline]
    pub(crate) fn with_lesser(self, other: PathDependence) -> PathDependence {
        PathDependence { loss: self.loss.min(other.loss), draw: self.draw }
    }

    /// The same when that move turns out to be the best: the score is its score.
    #[inline]
    pub(crate) fn with_best(self, other: PathDependence) -> PathDependence {
        PathDependence { loss: self.loss.min(other.loss), draw: other.draw }
    }

    /// Whether the score of the node with this index may be wrong as a bound on another path.
    ///
    /// Draws are not counted: very many bounds rest on one, and they are seldom far off.
    #[inline]
    pub(crate) fn spoils_bound(self, node: usize) -> bool {
        self.loss < node
    }

    /// Whether the score of the node with this index may not be exact on another path.
    #[inline]
    pub(crate) fn spoils_exact(self, node: usize) -> bool {
        self.loss.min(self.draw) < node
    }
}

#[cfg(test)]
mod tests {
    use chuhe_movegen::Color;

    use super::*;

    #[test]
    fn a_cycle_within_the_subtree_is_no_dependence() {
        let loss = PathDependence::of(&Recurrence { judgement: Judgement::Loses(Color::Red), first: 5 });
        assert_eq!([4, 5, 6].map(|node| loss.spoils_bound(node)), [false, false, true]);
        let draw = PathDependence::of(&Recurrence { judgement: Judgement::Draw, first: 5 });
        assert_eq!(
            [5, 6].map(|node| (draw.spoils_bound(node), draw.spoils_exact(node))),
            [(false, false), (false, true)]
        );
        assert!(draw.join(loss).spoils_bound(6) && !PathDependence::NONE.spoils_exact(6));
        // A draw matters when it is the best, a loss also when it is not.
        assert!(PathDependence::NONE.with_best(draw).spoils_exact(6));
        assert!(!PathDependence::NONE.with_lesser(draw).spoils_exact(6));
        assert!(!draw.with_best(PathDependence::NONE).spoils_exact(6));
        assert!(PathDependence::NONE.with_lesser(loss).spoils_bound(6));
        assert!(loss.with_best(PathDependence::NONE).spoils_bound(6));
    }
}
