//! The order in which moves are tried: a staged picker that generates no more than it must.

use chuhe_movegen::{Board, Move, MoveList, SEE_VALUES};

use crate::history::{History, PieceMove};
use crate::params;

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum Stage {
    Hash,
    GenerateCaptures,
    GoodCaptures,
    GenerateQuiets,
    Quiets,
    BadCaptures,
    GenerateEvasions,
    Evasions,
    Done,
}

/// Hands out the pseudo-legal moves of a position, the most promising first.
///
/// Order: hash move; captures that win or keep material by exchange, by victim; quiets by history; losing captures.
/// In check: hash move, then evasions with captures first.
pub(crate) struct MovePicker {
    stage: Stage,
    hash_move: Option<Move>,
    earlier: [Option<PieceMove>; 3],
    moves: MoveList,
    scores: [i32; chuhe_movegen::MAX_MOVES],
    next: usize,
    bad: MoveList,
    next_bad: usize,
    threshold: i32,
    captures_only: bool,
}

/// Lifts every capture above every quiet among evasions.
const CAPTURE_FIRST: i32 = 1 << 20;

impl MovePicker {
    /// All moves of the position. `earlier` are the moves one, two and four plies ago.
    pub(crate) fn new(board: &Board, hash_move: Option<Move>, earlier: [Option<PieceMove>; 3]) -> MovePicker {
        MovePicker::build(board, hash_move, earlier, 0, false)
    }

    /// Only captures whose exchange yields at least `threshold`; all evasions when in check.
    pub(crate) fn captures(board: &Board, hash_move: Option<Move>, threshold: i32) -> MovePicker {
        let hash_move = hash_move.filter(|&mv| board.in_check() || board.is_capture(mv));
        MovePicker::build(board, hash_move, [None; 3], threshold, true)
    }

    fn build(
        board: &Board,
        hash_move: Option<Move>,
        earlier: [Option<PieceMove>; 3],
        threshold: i32,
        captures_only: bool,
    ) -> MovePicker {
        // A hash move may come from another position with the same key.
        let hash_move = hash_move.filter(|&mv| board.is_pseudo_legal(mv));
        let stage = match (hash_move.is_some(), board.in_check()) {
            (true, _) => Stage::Hash,
            (false, true) => Stage::GenerateEvasions,
            (false, false) => Stage::GenerateCaptures,
        };
        MovePicker {
            stage,
            hash_move,
            earlier,
            moves: MoveList::new(),
            scores: [0; chuhe_movegen::MAX_MOVES],
            next: 0,
            bad: MoveList::new(),
            next_bad: 0,
            threshold,
            captures_only,
        }
    }

    /// The next move. With `skip_quiets` no further quiet move comes.
    pub(crate) fn next(&mut self, board: &Board, history: &History, skip_quiets: bool) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Hash => {
                    self.stage = if board.in_check() { Stage::GenerateEvasions } else { Stage::GenerateCaptures };
                    return self.hash_move;
                }
                Stage::GenerateCaptures => {
                    board.generate_captures(&mut self.moves);
                    self.score(board, history);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.best() {
                    Some((mv, _)) if board.see_at_least(mv, self.threshold) => return Some(mv),
                    Some((mv, _)) => self.bad.push(mv),
                    None if self.captures_only => self.stage = Stage::Done,
                    None => self.stage = Stage::GenerateQuiets,
                },
                Stage::GenerateQuiets => {
                    if !skip_quiets {
                        self.moves.clear();
                        self.next = 0;
                        board.generate_quiets(&mut self.moves);
                        self.score(board, history);
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match if skip_quiets { None } else { self.best() } {
                    Some((mv, _)) => return Some(mv),
                    None => self.stage = Stage::BadCaptures,
                },
                Stage::BadCaptures => {
                    let mv = self.bad.get(self.next_bad).copied();
                    self.next_bad += 1;
                    if mv.is_none() {
                        self.stage = Stage::Done;
                    }
                    return mv;
                }
                Stage::GenerateEvasions => {
                    board.generate_evasions(&mut self.moves);
                    self.score(board, history);
                    self.stage = Stage::Evasions;
                }
                Stage::Evasions => match self.best() {
                    Some((_, score)) if skip_quiets && score < CAPTURE_FIRST / 2 => self.stage = Stage::Done,
                    Some((mv, _)) => return Some(mv),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// Whether the last move handed out is a capture that loses material.
    pub(crate) fn in_bad_captures(&self) -> bool {
        self.stage == Stage::BadCaptures
    }

    fn score(&mut self, board: &Board, history: &History) {
        let side = board.side_to_move();
        let evasion = board.in_check();
        for (mv, score) in self.moves.iter().zip(&mut self.scores) {
            let Some(piece) = board.piece_at(mv.from()) else { continue };
            *score = match board.piece_at(mv.to()) {
                Some(victim) => {
                    let value = params::order_victim() * SEE_VALUES[victim.kind.index()];
                    let learnt = history.capture(piece, mv.to(), victim.kind) / params::order_capture_history();
                    value + learnt + if evasion { CAPTURE_FIRST } else { 0 }
                }
                None => history.quiet(side, *mv, piece, &self.earlier),
            };
        }
    }

    /// The best move not yet handed out (one step of a selection sort), without the hash move.
    fn best(&mut self) -> Option<(Move, i32)> {
        while self.next < self.moves.len() {
            let mut best = self.next;
            for i in self.next + 1..self.moves.len() {
                if self.scores[i] > self.scores[best] {
                    best = i;
                }
            }
            self.moves.swap(self.next, best);
            self.scores.swap(self.next, best);
            let found = (self.moves[self.next], self.scores[self.next]);
            self.next += 1;
            if Some(found.0) != self.hash_move {
                return Some(found);
            }
        }
        None
    }
}
