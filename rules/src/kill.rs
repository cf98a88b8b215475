//! The mate threat (杀): whether a side, if it were its turn, could mate by an unbroken series of checks.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use chuhe_movegen::{Board, MoveList};

use crate::chase::checks;

/// The longest series of checks that is looked for.
const MAX_CHECKS: u8 = 8;
/// Positions with the attacker to move that one question may look at.
const NODE_LIMIT: u32 = 400_000;
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

impl MateThreat {
    /// The threat of the side to move, which is not in check: the board after a move, [turned](Board::turned).
    pub fn of(board: &Board) -> MateThreat {
        MateSearch::default().run(board)
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

#[derive(Default)]
struct MateSearch {
    nodes: u32,
    known: HashMap<u64, Known, BuildHasherDefault<KeyHasher>>,
}

impl MateSearch {
    fn run(&mut self, board: &Board) -> MateThreat {
        for depth in 1..=MAX_CHECKS {
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
        self.nodes += 1;
        if self.nodes > NODE_LIMIT {
            return Err(LimitReached);
        }
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

/// Position keys are random already.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }
    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn threat(fen: &str) -> MateThreat {
        MateThreat::of(&Board::from_fen(fen).unwrap())
    }

    #[test]
    fn mates_by_checks_only() {
        // Two rooks: one check mates.
        assert_eq!(threat("4k4/8R/9/9/9/9/9/9/9/R2K5 w - - 0 1"), MateThreat::In(1));
        // The rooks alternate: the king steps down between two checks.
        assert_eq!(threat("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1"), MateThreat::None);
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
