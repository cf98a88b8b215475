//! The mate threat (杀): whether a side, if it were its turn, could mate by an unbroken series of checks.

use chuhe_movegen::Board;

use crate::mate::{MateByChecks, MateThreat};

/// The longest series of checks that is looked for.
pub(crate) const MAX_CHECKS: u8 = 8;
/// Positions that one question may look at.
const QUESTION_LIMIT: u32 = 400_000;
/// Positions that the questions about all moves of a repetition may look at together.
const RULING_LIMIT: u32 = 3_200_000;

/// How many positions the search for a mate threat may look at: positions with the attacker to move.
///
/// Each move of a repetition gets the same share, however the others fare. So the time that a ruling takes is bounded,
/// and what is found does not depend on the order in which the moves are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NodeLimit(pub(crate) u32);

impl NodeLimit {
    /// The share of a move in a search, which cannot wait: enough for the threats that a player sees.
    pub(crate) const OF_SEARCH: NodeLimit = NodeLimit(200);

    /// The share of one of so many moves.
    pub(crate) fn for_each_of(moves: usize) -> NodeLimit {
        let moves = u32::try_from(moves.max(1)).unwrap_or(u32::MAX);
        NodeLimit((RULING_LIMIT / moves).min(QUESTION_LIMIT))
    }
}

impl MateThreat {
    /// The threat of the side to move, which is not in check: the board after a move, [turned](Board::turned).
    pub(crate) fn of(board: &Board, limit: NodeLimit) -> MateThreat {
        MateThreat::counted(board, limit).0
    }

    /// The same with the number of positions that the search has looked at.
    pub(crate) fn counted(board: &Board, limit: NodeLimit) -> (MateThreat, u32) {
        MateThreat::within(board, MAX_CHECKS, limit)
    }

    /// The same with at most so many checks.
    pub(crate) fn within(board: &Board, checks: u8, limit: NodeLimit) -> (MateThreat, u32) {
        let mut search = MateByChecks::new(checks.min(MAX_CHECKS), limit.0 as usize);
        let threat = search.run(board, |_| true, u64::from(limit.0));
        // Not more than the limit, which fits.
        (threat, search.nodes() as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn threat(fen: &str) -> MateThreat {
        MateThreat::of(&Board::from_fen(fen).unwrap(), NodeLimit::for_each_of(1))
    }

    #[test]
    fn mates_by_checks_only() {
        // Two rooks: one check mates.
        assert_eq!(threat("4k4/8R/9/9/9/9/9/9/9/R2K5 w - - 0 1"), MateThreat::In(1));
        // The rooks alternate: the king steps down between two checks.
        assert_eq!(threat("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1"), MateThreat::None);
    }

    #[test]
    fn a_search_keeps_its_limit_and_says_so() {
        // Three rooks' worth of checks that lead nowhere soon.
        let board = Board::from_fen("3aka3/4c4/R3c2r1/2p5p/4P4/8P/2r6/4B4/4N4/2BAKA3 b - - 4 34").unwrap();
        let (threat, nodes) = MateThreat::counted(&board, NodeLimit::for_each_of(1));
        assert!(threat != MateThreat::Unknown && nodes > 1_000, "{threat:?} after {nodes}");
        for limit in [1, 10, 1_000] {
            assert_eq!(MateThreat::counted(&board, NodeLimit(limit)), (MateThreat::Unknown, limit));
        }
    }

    #[test]
    fn the_moves_of_a_repetition_share_the_limit() {
        for moves in [0, 1, 4, 8, 9, 100, 3_200_000, usize::MAX] {
            let NodeLimit(share) = NodeLimit::for_each_of(moves);
            assert!(
                share <= QUESTION_LIMIT && u128::from(share) * moves as u128 <= u128::from(RULING_LIMIT),
                "{moves}"
            );
        }
        // Two loops of four moves, the ordinary case, are not short of anything.
        assert_eq!(NodeLimit::for_each_of(8), NodeLimit(QUESTION_LIMIT));
    }

    #[test]
    fn a_quiet_move_breaks_the_series() {
        // Stalemate by a quiet move wins, but is no mate by checks.
        assert_eq!(threat("3k5/9/3P5/9/9/9/9/9/9/4K4 w - - 0 1"), MateThreat::None);
    }

    #[test]
    fn perpetual_check_is_no_mate() {
        assert_eq!(threat("4k4/9/9/9/9/5R3/9/9/9/3K5 w - - 0 1"), MateThreat::None);
    }
}
