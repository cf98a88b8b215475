//! The mate threat (杀): whether a side, if it were its turn, could mate by an unbroken series of checks.

use chuhe_movegen::{Board, MoveList};

use crate::chase::checks;
use crate::key_map::KeyMap;

/// The longest series of checks that is looked for.
pub(crate) const MAX_CHECKS: u8 = 8;
/// Positions that one question may look at.
const QUESTION_LIMIT: u32 = 400_000;
/// Positions that the questions about all moves of a repetition may look at together.
const RULING_LIMIT: u32 = 3_200_000;
/// A depth that stands for every depth.
const ANY_DEPTH: u8 = u8::MAX;

/// The answer to whether a side threatens mate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MateThreat {
    /// No series of at most eight checks mates.
    None,
    /// This many checks mate by force, the last included.
    In(u8),
    /// The search has reached its limit of positions without an answer.
    Unknown,
}

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
        let mut search = MateSearch { limit, nodes: 0, known: KeyMap::default() };
        let threat = search.run(board, checks.min(MAX_CHECKS));
        (threat, search.nodes)
    }
}

/// How one attacker's position came out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Mate,
    /// No mate within the depth asked for, but the checks had not run out.
    NotYet,
    /// No mate at any depth.
    Never,
}

/// The search gave up.
struct LimitReached;

#[derive(Clone, Copy, Default)]
struct Known {
    /// Mate within so many checks; 0: not known.
    mate_in: u8,
    /// No mate within so many checks.
    none_within: u8,
}

struct MateSearch {
    limit: NodeLimit,
    nodes: u32,
    known: KeyMap<Known>,
}

impl MateSearch {
    fn run(&mut self, board: &Board, checks: u8) -> MateThreat {
        for depth in 1..=checks {
            match self.attack(board, depth) {
                Ok(Outcome::Mate) => return MateThreat::In(depth),
                Ok(Outcome::Never) => return MateThreat::None,
                Ok(Outcome::NotYet) => {}
                Err(LimitReached) => return MateThreat::Unknown,
            }
        }
        MateThreat::None
    }

    /// Whether the side to move mates within `depth` checks.
    fn attack(&mut self, board: &Board, depth: u8) -> Result<Outcome, LimitReached> {
        let key = board.key();
        if let Some(known) = self.known.get(&key) {
            if known.mate_in != 0 && known.mate_in <= depth {
                return Ok(Outcome::Mate);
            }
            if known.none_within >= depth {
                return Ok(if known.none_within == ANY_DEPTH { Outcome::Never } else { Outcome::NotYet });
            }
        }
        if self.nodes >= self.limit.0 {
            return Err(LimitReached);
        }
        self.nodes += 1;
        let outcome = self.try_checks(board, depth)?;
        let known = self.known.entry(key).or_default();
        match outcome {
            Outcome::Mate => known.mate_in = depth,
            Outcome::NotYet => known.none_within = depth,
            Outcome::Never => known.none_within = ANY_DEPTH,
        }
        Ok(outcome)
    }

    fn try_checks(&mut self, board: &Board, depth: u8) -> Result<Outcome, LimitReached> {
        let mut tries: Vec<(Board, MoveList)> = Vec::new();
        for check in checks(board) {
            let checked = board.make(check);
            let replies = checked.legal_moves();
            if replies.is_empty() {
                return Ok(Outcome::Mate);
            }
            tries.push((checked, replies));
        }
        if depth == 1 {
            return Ok(if tries.is_empty() { Outcome::Never } else { Outcome::NotYet });
        }
        // The fewer answers, the sooner a check is decided.
        tries.sort_by_key(|(_, replies)| replies.len());
        let mut best = Outcome::Never;
        for (checked, replies) in tries {
            match self.all_replies_lose(&checked, &replies, depth - 1)? {
                Outcome::Mate => return Ok(Outcome::Mate),
                Outcome::NotYet => best = Outcome::NotYet,
                Outcome::Never => {}
            }
        }
        Ok(best)
    }

    fn all_replies_lose(&mut self, checked: &Board, replies: &MoveList, depth: u8) -> Result<Outcome, LimitReached> {
        for &reply in replies {
            let outcome = self.attack(&checked.make(reply), depth)?;
            if outcome != Outcome::Mate {
                return Ok(outcome);
            }
        }
        Ok(Outcome::Mate)
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
