//! Mates by checks alone (连将杀).
//!
//! Every move of the attacker is a check and every reply is tried, so the tree is thin enough to be searched far beyond
//! the depth of an ordinary search. Deepened by one check at a time, it finds the shortest such mate. Its answers do not
//! depend on the path within it: a line that runs in circles only wastes moves, and so is never the shortest. They do
//! depend on the game: a position that has been there twice may not come again.

use arrayvec::ArrayVec;
use chuhe_movegen::{Board, MAX_MOVES, Move};

use crate::key_map::KeyMap;
use crate::{Ply, recurring_keys};

/// A number of checks that stands for every number.
const ANY: u8 = u8::MAX;

/// The answer to whether a side mates by an unbroken series of checks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MateThreat {
    /// No series of as many checks as were looked for mates.
    None,
    /// This many checks mate by force, the last included.
    In(u8),
    /// The search has reached its limit of positions without an answer.
    Unknown,
}

/// What has been found out about a position with the attacker to move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Finding {
    Mate,
    /// No mate within the checks asked for, but there were more to give.
    NotYet,
    /// No mate by any number of checks.
    Never,
}

/// No more positions may be looked at.
pub(crate) struct LimitReached;

/// What is known of a position with the attacker to move.
#[derive(Clone, Copy, Default, Debug)]
struct Known {
    /// Mate within so many checks; 0: not known.
    mate_in: u8,
    /// No mate within so many checks.
    none_within: u8,
}

/// A search for the shortest mate by checks, which can be taken up again where it has reached its limit.
#[derive(Debug)]
pub struct MateByChecks {
    known: KeyMap<Known>,
    /// How many positions are remembered.
    capacity: usize,
    /// Keys of the positions that the game has had twice. The third time it would be ruled on: no mate lies beyond.
    closed: Vec<u64>,
    /// The longest series that is looked for.
    longest: u8,
    /// The length being tried.
    length: u8,
    nodes: u64,
    limit: u64,
}

impl MateByChecks {
    /// Looks for series of at most `longest` checks and remembers at most `capacity` positions. Memory is allocated
    /// only by [`MateByChecks::run`].
    pub fn new(longest: u8, capacity: usize) -> MateByChecks {
        MateByChecks {
            known: KeyMap::default(),
            capacity,
            closed: Vec::new(),
            longest: longest.min(ANY - 1),
            length: 1,
            nodes: 0,
            limit: 0,
        }
    }

    /// Allocates all the memory now.
    pub fn reserve(&mut self) {
        self.known.reserve(self.capacity.saturating_sub(self.known.len()));
    }

    /// Starts again for the position that a game has come to, keeping what is known. `line` holds the game since its
    /// last capture.
    pub fn reset(&mut self, line: &[Ply]) {
        let closed = recurring_keys(line);
        if closed != self.closed {
            // What was found out went by other positions.
            self.known.clear();
            self.closed = closed;
        }
        self.length = 1;
    }

    /// Forgets all positions, so that games do not depend on those before.
    pub fn forget(&mut self) {
        self.known.clear();
        self.length = 1;
    }

    /// Positions with the attacker to move that the last call of [`MateByChecks::run`] has looked at.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Looks at up to `nodes` more positions for a mate that begins with one of the `allowed` moves. After
    /// [`MateThreat::Unknown`] another call goes on; any other answer is final until [`MateByChecks::reset`], and costs
    /// nothing to ask for again if there was no mate.
    pub fn run(&mut self, board: &Board, allowed: impl Fn(Move) -> bool, nodes: u64) -> MateThreat {
        self.nodes = 0;
        self.limit = nodes;
        while self.length <= self.longest {
            match self.visit().and_then(|()| self.try_checks(board, &allowed, self.length)) {
                Ok(Finding::Mate) => return MateThreat::In(self.length),
                Ok(Finding::NotYet) => self.length += 1,
                Ok(Finding::Never) => self.length = ANY,
                Err(LimitReached) => return MateThreat::Unknown,
            }
        }
        MateThreat::None
    }

    /// The line of the mate that [`MateByChecks::run`] has found, by the same `allowed` moves: the defender holds out
    /// as long as possible.
    pub fn line<L: Default + Extend<Move>>(&mut self, board: &Board, allowed: impl Fn(Move) -> bool) -> Option<L> {
        self.limit = u64::MAX;
        let mut line = L::default();
        let mut left = self.length;
        let mut mv = self.mating_check(board, allowed, left)?;
        let mut board = board.clone();
        loop {
            line.extend([mv]);
            board = board.make(mv);
            let mut longest = None;
            for reply in board.legal_moves() {
                let next = board.make(reply);
                let length = (1..left).find(|&length| matches!(self.attack(&next, length), Ok(Finding::Mate)))?;
                if longest.is_none_or(|(_, known)| length > known) {
                    longest = Some((reply, length));
                }
            }
            let Some((reply, length)) = longest else { return Some(line) };
            line.extend([reply]);
            board = board.make(reply);
            left = length;
            mv = self.mating_check(&board, |_| true, left)?;
        }
    }

    /// An allowed check that mates within so many checks.
    fn mating_check(&mut self, board: &Board, allowed: impl Fn(Move) -> bool, within: u8) -> Option<Move> {
        let mating = |&(mv, _): &(Move, u8)| {
            allowed(mv) && matches!(self.defend(&board.make(mv), within - 1), Ok(Finding::Mate))
        };
        checks(board).into_iter().find(mating).map(|(mv, _)| mv)
    }

    fn visit(&mut self) -> Result<(), LimitReached> {
        if self.nodes >= self.limit {
            return Err(LimitReached);
        }
        self.nodes += 1;
        Ok(())
    }

    /// Whether the side to move mates within so many checks.
    fn attack(&mut self, board: &Board, within: u8) -> Result<Finding, LimitReached> {
        let key = board.key();
        if self.closed.contains(&key) {
            return Ok(Finding::Never);
        }
        if let Some(known) = self.known.get(&key) {
            if known.mate_in != 0 && known.mate_in <= within {
                return Ok(Finding::Mate);
            }
            if known.none_within >= within {
                return Ok(if known.none_within == ANY { Finding::Never } else { Finding::NotYet });
            }
        }
        self.visit()?;
        let finding = self.try_checks(board, &|_| true, within)?;
        if self.known.len() >= self.capacity && !self.known.contains_key(&key) {
            self.known.clear();
        }
        let known = self.known.entry(key).or_default();
        match finding {
            Finding::Mate => known.mate_in = within,
            Finding::NotYet => known.none_within = within,
            Finding::Never => known.none_within = ANY,
        }
        Ok(finding)
    }

    fn try_checks(
        &mut self,
        board: &Board,
        allowed: &impl Fn(Move) -> bool,
        within: u8,
    ) -> Result<Finding, LimitReached> {
        let mut best = Finding::Never;
        for (mv, replies) in checks(board).into_iter().filter(|&(mv, _)| allowed(mv)) {
            let finding = match (replies, within) {
                (0, _) => Finding::Mate,
                (_, 1) => Finding::NotYet,
                _ => self.defend(&board.make(mv), within - 1)?,
            };
            match finding {
                Finding::Mate => return Ok(Finding::Mate),
                // The checks that follow leave as many replies or more.
                Finding::NotYet if within == 1 => return Ok(Finding::NotYet),
                Finding::NotYet => best = Finding::NotYet,
                Finding::Never => {}
            }
        }
        Ok(best)
    }

    /// Whether every reply leads to a mate within so many further checks.
    fn defend(&mut self, board: &Board, within: u8) -> Result<Finding, LimitReached> {
        if self.closed.contains(&board.key()) {
            return Ok(Finding::Never);
        }
        for reply in board.legal_moves() {
            let finding = if within == 0 { Finding::NotYet } else { self.attack(&board.make(reply), within)? };
            if finding != Finding::Mate {
                return Ok(finding);
            }
        }
        Ok(Finding::Mate)
    }
}

/// The legal checks, each with the number of its legal replies, the fewest first: the fewer, the sooner it is decided.
///
/// The list is small on purpose: one stands on the stack for every move of a line.
fn checks(board: &Board) -> ArrayVec<(Move, u8), MAX_MOVES> {
    let mut checks: ArrayVec<(Move, u8), MAX_MOVES> =
        board.legal_checks().into_iter().map(|mv| (mv, board.make(mv).count_legal_moves() as u8)).collect();
    checks.sort_by_key(|&(_, replies)| replies);
    checks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search() -> MateByChecks {
        MateByChecks::new(60, 1 << 17)
    }

    fn mate(fen: &str) -> Option<Vec<Move>> {
        let board = Board::from_fen(fen).unwrap();
        let mut search = search();
        search.run(&board, |_| true, 1_000_000);
        search.line(&board, |_| true)
    }

    #[test]
    fn finds_the_shortest_mate_by_checks() {
        // mates.jsonl mate_168 (适情雅趣): ten moves, every one a check.
        let line = mate("3akab2/1C6c/N3b4/9/1N7/9/9/C8/n4p3/rc2K1p2 w - - 0 1").unwrap();
        assert_eq!(line.len(), 19);
        assert_eq!(line[0], "a7c8".parse().unwrap());
    }

    #[test]
    fn passes_through_no_position_that_has_been_there_twice() {
        let board = Board::from_fen("3k5/9/9/9/9/9/9/8R/4R4/4K4 w - - 0 1").unwrap();
        let mut search = search();
        let mut first = |line: &[Ply]| {
            search.reset(line);
            match search.run(&board, |_| true, 10_000) {
                MateThreat::In(_) => search.line::<Vec<Move>>(&board, |_| true).map(|line| line[0]),
                MateThreat::None | MateThreat::Unknown => None,
            }
        };
        let mate = first(&[]).unwrap();
        let twice = vec![Ply::start(board.make(mate)); 2];
        assert_ne!(first(&twice), Some(mate));
        assert_eq!(first(&[]), Some(mate));
    }

    #[test]
    fn knows_when_there_is_none() {
        let mut search = search();
        assert_eq!(search.run(&Board::startpos(), |_| true, 1_000_000), MateThreat::None);
        assert!(search.nodes() < 1000);
        assert_eq!(search.run(&Board::startpos(), |_| true, 0), MateThreat::None);
    }

    #[test]
    fn taken_in_pieces_or_with_little_memory_it_finds_the_same() {
        let board = Board::from_fen("3akab2/1C6c/N3b4/9/1N7/9/9/C8/n4p3/rc2K1p2 w - - 0 1").unwrap();
        let mut pieces = search();
        let found = loop {
            match pieces.run(&board, |_| true, 5_000) {
                MateThreat::Unknown => {}
                found => break found,
            }
        };
        assert_eq!(found, MateThreat::In(10));
        assert_eq!(MateByChecks::new(60, 1 << 8).run(&board, |_| true, 100_000_000), MateThreat::In(10));
    }
}
