//! Mates by checks alone (连将杀).
//!
//! Every move of the attacker is a check and every reply is tried, so the tree is thin enough to be searched far beyond
//! the depth of the main search. Deepened by one attacking move at a time, it finds the shortest such mate. Its answers
//! do not depend on the path within it: a line that runs in circles only wastes moves, and so is never the shortest.
//! They do depend on the game: a position that has been there twice may not come again.

use arrayvec::ArrayVec;
use chuhe_movegen::{Board, CheckInfo, MAX_MOVES, Move, MoveList};
use chuhe_rules::{Ply, recurring_keys};

use crate::MAX_PLY;
use crate::root::PvLine;

/// Entries of the table; a power of two.
const ENTRIES: usize = 1 << 17;
/// The longest mate sought, in moves of the attacker.
const LONGEST: u8 = (MAX_PLY / 4) as u8;
/// Mate length of positions in which none has been found.
const NONE_FOUND: u8 = u8::MAX;

/// What is known of a position with the attacker to move.
#[derive(Clone, Copy, Debug)]
struct Known {
    key: u64,
    /// No mate by checks within this many moves.
    fails: u8,
    /// Mate by checks within this many moves.
    mates: u8,
}

/// An empty entry.
const UNKNOWN: Known = Known { key: 0, fails: 0, mates: NONE_FOUND };

/// How one step of the search ended.
enum Step {
    Mate,
    NoMate,
    OutOfNodes,
}

/// A search for a mate by checks, which can be taken up again where it ran out of nodes.
#[derive(Debug)]
pub(crate) struct MateSearch {
    table: Box<[Known]>,
    /// Keys of the positions that the game has had twice. The third time it would be ruled on: no mate lies beyond.
    closed: Vec<u64>,
    /// Length being tried.
    length: u8,
    nodes: u64,
    limit: u64,
    /// Whether the running length cut lines off that might go on.
    cut_off: bool,
    finished: bool,
}

impl MateSearch {
    /// Nothing known yet. The table is allocated by the first call of [`MateSearch::run`].
    pub(crate) fn new() -> MateSearch {
        MateSearch {
            table: Box::default(),
            closed: Vec::new(),
            length: 1,
            nodes: 0,
            limit: 0,
            cut_off: false,
            finished: false,
        }
    }

    /// Starts again for the position that a game has come to, keeping what is known. `line` holds the game since its
    /// last capture.
    pub(crate) fn reset(&mut self, line: &[Ply]) {
        let closed = recurring_keys(line);
        if closed != self.closed {
            // What was found out went by other positions.
            self.table.fill(UNKNOWN);
            self.closed = closed;
        }
        self.length = 1;
        self.finished = false;
    }

    /// Forgets all positions, so that games do not depend on those before.
    pub(crate) fn forget(&mut self) {
        self.table.fill(UNKNOWN);
        self.length = 1;
        self.finished = false;
    }

    /// Nodes of the last call of [`MateSearch::run`].
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Goes on for at most `nodes` nodes. Gives the line of the shortest mate that begins with one of the `allowed`
    /// moves once it is found; afterwards, or when the tree is exhausted, there is nothing more to find.
    pub(crate) fn run(&mut self, board: &Board, allowed: impl Fn(Move) -> bool, nodes: u64) -> Option<PvLine> {
        self.nodes = 0;
        self.limit = nodes;
        if self.finished {
            return None;
        }
        if self.table.is_empty() {
            self.table = vec![UNKNOWN; ENTRIES].into_boxed_slice();
        }
        while self.length <= LONGEST {
            self.cut_off = false;
            for (mv, _) in checks(board) {
                if !allowed(mv) {
                    continue;
                }
                match self.defend(&board.make(mv), self.length - 1) {
                    Step::Mate => {
                        self.finished = true;
                        return self.line(board, mv);
                    }
                    Step::NoMate => {}
                    Step::OutOfNodes => return None,
                }
            }
            if !self.cut_off {
                break;
            }
            self.length += 1;
        }
        self.finished = true;
        None
    }

    /// Whether every reply leads to a mate within `moves` further moves of the attacker.
    fn defend(&mut self, board: &Board, moves: u8) -> Step {
        if self.closed.contains(&board.key()) {
            return Step::NoMate;
        }
        for reply in board.legal_moves() {
            match self.attack(&board.make(reply), moves) {
                Step::Mate => {}
                other => return other,
            }
        }
        Step::Mate
    }

    /// Whether some check leads to mate within `moves` moves, this one included.
    fn attack(&mut self, board: &Board, moves: u8) -> Step {
        self.nodes += 1;
        if self.nodes > self.limit {
            return Step::OutOfNodes;
        }
        if self.closed.contains(&board.key()) {
            return Step::NoMate;
        }
        if moves == 0 {
            self.cut_off = true;
            return Step::NoMate;
        }
        let slot = board.key() as usize % ENTRIES;
        let mut known = self.table[slot];
        if known.key != board.key() {
            known = Known { key: board.key(), ..UNKNOWN };
        }
        if known.mates <= moves {
            return Step::Mate;
        }
        if known.fails >= moves {
            // The failure may have been one of length only.
            self.cut_off = true;
            return Step::NoMate;
        }
        for (mv, _) in checks(board) {
            match self.defend(&board.make(mv), moves - 1) {
                Step::Mate => {
                    self.table[slot] = Known { mates: moves, ..known };
                    return Step::Mate;
                }
                Step::NoMate => {}
                Step::OutOfNodes => return Step::OutOfNodes,
            }
        }
        self.table[slot] = Known { fails: moves, ..known };
        Step::NoMate
    }

    /// The line of a mate that begins with `first`: the defender holds out as long as possible.
    fn line(&mut self, root: &Board, first: Move) -> Option<PvLine> {
        self.limit = u64::MAX;
        let mut line = PvLine::new();
        let mut mv = first;
        let mut board = root.clone();
        let mut left = self.length;
        loop {
            line.try_push(mv).ok()?;
            board = board.make(mv);
            let mut longest = None;
            for reply in board.legal_moves() {
                let next = board.make(reply);
                let length = (1..left).find(|&length| matches!(self.attack(&next, length), Step::Mate))?;
                if longest.is_none_or(|(_, known)| length > known) {
                    longest = Some((reply, length));
                }
            }
            let Some((reply, length)) = longest else { return Some(line) };
            line.try_push(reply).ok()?;
            board = board.make(reply);
            left = length;
            mv = checks(&board)
                .into_iter()
                .find(|(mv, _)| matches!(self.defend(&board.make(*mv), left - 1), Step::Mate))?
                .0;
        }
    }
}

/// The legal moves that give check, each with the number of its legal replies, the fewest first.
///
/// The list is small on purpose: one stands on the stack for every move of a line.
fn checks(board: &Board) -> ArrayVec<(Move, u8), MAX_MOVES> {
    let info = CheckInfo::new(board);
    let mut moves = MoveList::new();
    board.generate_all(&mut moves);
    let mut checks: ArrayVec<(Move, u8), MAX_MOVES> = moves
        .into_iter()
        .filter(|&mv| board.gives_check(mv, &info) && board.is_legal(mv))
        .map(|mv| (mv, board.make(mv).count_legal_moves() as u8))
        .collect();
    checks.sort_by_key(|&(_, replies)| replies);
    checks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mate(fen: &str) -> Option<PvLine> {
        MateSearch::new().run(&Board::from_fen(fen).unwrap(), |_| true, 1_000_000)
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
        let mut search = MateSearch::new();
        let mut first = |line: &[Ply]| {
            search.reset(line);
            search.run(&board, |_| true, 10_000).map(|line| line[0])
        };
        let mate = first(&[]).unwrap();
        let twice = vec![Ply::start(board.make(mate)); 2];
        assert_ne!(first(&twice), Some(mate));
        assert_eq!(first(&[]), Some(mate));
    }

    #[test]
    fn knows_when_there_is_none() {
        let mut search = MateSearch::new();
        assert_eq!(search.run(&Board::startpos(), |_| true, 1_000_000), None);
        assert!(search.finished && search.nodes() < 1000);
    }
}
