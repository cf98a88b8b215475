//! The incremental state of the hand-written evaluation.

use chuhe_movegen::{Board, ByColor, Color, Move, Piece, PieceType, Square};

use crate::layout::seen_by;
use crate::tables::{BY_ENEMY_KING, BY_OWN_KING, PieceSquare, palace_index};
use crate::tapered::{Tapered, phase};
use crate::terms::{positional, sign};

/// Frames allocated at the start: deeper than any search line, so that pushing does not allocate.
const CAPACITY: usize = 512;

/// Piece-square sums of one position, Red's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Frame {
    /// The part of the sum that depends on each side's king: the pieces of that side by their own king and those of the
    /// other by their enemy king. `None` after that king has moved, until somebody asks.
    by_king: ByColor<Option<Tapered>>,
}

/// A stack of incremental sums, one a ply.
#[derive(Clone, Debug)]
pub(crate) struct HandWritten {
    /// The frame of the position reached by the pushes.
    top: Frame,
    /// The frames below it.
    stack: Vec<Frame>,
}

impl HandWritten {
    /// A state whose bottom is `root`.
    pub(crate) fn new(root: &Board) -> HandWritten {
        HandWritten { top: Frame::of(root), stack: Vec::with_capacity(CAPACITY) }
    }

    /// Starts again from `root`, keeping allocated memory.
    pub(crate) fn reset(&mut self, root: &Board) {
        self.top = Frame::of(root);
        self.stack.clear();
    }

    /// Follows a move about to be made on `before`.
    #[inline]
    pub(crate) fn push(&mut self, before: &Board, mv: Move) {
        self.stack.push(self.top);
        let Some(moved) = before.piece_at(mv.from()) else {
            debug_assert!(false, "no piece on {}", mv.from());
            return;
        };
        let captured = before.piece_at(mv.to());
        for owner in Color::ALL {
            if moved.kind == PieceType::King && moved.color == owner {
                self.top.by_king[owner] = None;
                continue;
            }
            // A sum left open by an earlier king move is made up now, as the board that it belongs to is at hand.
            let kings = Kings::of(before, owner);
            let mut sum = self.top.by_king[owner].unwrap_or_else(|| kings.sum(before));
            kings.add(&mut sum, moved, mv.from(), -1);
            kings.add(&mut sum, moved, mv.to(), 1);
            if let Some(captured) = captured {
                kings.add(&mut sum, captured, mv.to(), -1);
            }
            self.top.by_king[owner] = Some(sum);
        }
    }

    /// Follows a null move.
    #[inline]
    pub(crate) fn push_null(&mut self) {
        self.stack.push(self.top);
    }

    /// Takes back the last push.
    #[inline]
    pub(crate) fn pop(&mut self) {
        debug_assert!(!self.stack.is_empty(), "more pops than pushes");
        if let Some(frame) = self.stack.pop() {
            self.top = frame;
        }
    }

    /// Static evaluation of `board`, the position reached by the pushes, from its side to move.
    #[inline]
    pub(crate) fn evaluate(&mut self, board: &Board) -> i32 {
        let mut total = Tapered::ZERO;
        for owner in Color::ALL {
            total += *self.top.by_king[owner].get_or_insert_with(|| Kings::of(board, owner).sum(board));
        }
        debug_assert_eq!(self.top, Frame::of(board), "the sums are not those of {board:?}");
        positional(board, &mut total);
        sign(board.side_to_move()) * total.tapered(phase(board))
    }
}

impl Frame {
    fn of(board: &Board) -> Frame {
        Frame { by_king: ByColor::from_fn(|owner| Some(Kings::of(board, owner).sum(board))) }
    }
}

/// The tables selected by the place of one king.
struct Kings {
    owner: Color,
    /// Index of the king as its own side sees it.
    own: usize,
    /// Index of the king as the other side sees it.
    enemy: usize,
}

impl Kings {
    #[inline]
    fn of(board: &Board, owner: Color) -> Kings {
        let king = board.king(owner);
        Kings { owner, own: palace_index(seen_by(owner, king)), enemy: palace_index(seen_by(!owner, king)) }
    }

    /// The values of the pieces of a side.
    #[inline]
    fn table(&self, color: Color) -> &'static PieceSquare {
        if color == self.owner { &BY_OWN_KING[self.own] } else { &BY_ENEMY_KING[self.enemy] }
    }

    /// Adds (`count` 1) or removes (−1) a piece.
    #[inline]
    fn add(&self, sum: &mut Tapered, piece: Piece, square: Square, count: i32) {
        sum.add(
            self.table(piece.color)[piece.kind.index()][seen_by(piece.color, square).index()],
            count * sign(piece.color),
        );
    }

    /// The sum over all pieces.
    fn sum(&self, board: &Board) -> Tapered {
        let mut sum = Tapered::ZERO;
        for color in Color::ALL {
            let table = self.table(color);
            for kind in PieceType::ALL {
                for square in board.pieces(color, kind) {
                    sum.add(table[kind.index()][seen_by(color, square).index()], sign(color));
                }
            }
        }
        sum
    }
}
