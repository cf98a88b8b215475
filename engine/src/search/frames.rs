//! What the nodes on the current line leave for their descendants, by ply.

use std::ops::{Index, IndexMut};

use chuhe_movegen::Move;

use crate::history::PieceMove;
use crate::{MAX_PLY, Score};

/// Frames kept before the root so that looking back needs no test.
const LOOKBACK: usize = 4;

/// What a node leaves for its descendants.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    /// Corrected static evaluation; `None` in check.
    pub(super) eval: Option<Score>,
    /// The move being searched; `None` for a null move.
    pub(super) mv: Option<PieceMove>,
    /// The move that a singular search leaves out.
    pub(super) excluded: Option<Move>,
}

/// The frames of a line, indexed by ply. Those before the root are empty.
#[derive(Debug)]
pub(super) struct Frames(Box<[Frame; LOOKBACK + MAX_PLY + 4]>);

impl Frames {
    /// Empty frames.
    pub(super) fn new() -> Frames {
        Frames(Box::new([Frame::default(); LOOKBACK + MAX_PLY + 4]))
    }

    /// Empties all frames.
    pub(super) fn clear(&mut self) {
        self.0.fill(Frame::default());
    }

    /// The frames of the four plies before this one, the nearest last.
    #[inline]
    fn before(&self, ply: usize) -> &[Frame] {
        &self.0[ply..ply + LOOKBACK]
    }

    /// The frame of the ply before.
    #[inline]
    pub(super) fn parent(&self, ply: usize) -> &Frame {
        &self.before(ply)[LOOKBACK - 1]
    }

    /// The frame of two plies before: the same side was to move.
    #[inline]
    pub(super) fn grandparent(&self, ply: usize) -> &Frame {
        &self.before(ply)[LOOKBACK - 2]
    }

    /// The moves one, two and four plies ago.
    #[inline]
    pub(super) fn earlier(&self, ply: usize) -> [Option<PieceMove>; 3] {
        let before = self.before(ply);
        [before[LOOKBACK - 1].mv, before[LOOKBACK - 2].mv, before[LOOKBACK - 4].mv]
    }
}

impl Index<usize> for Frames {
    type Output = Frame;

    #[inline]
    fn index(&self, ply: usize) -> &Frame {
        &self.0[ply + LOOKBACK]
    }
}

impl IndexMut<usize> for Frames {
    #[inline]
    fn index_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[ply + LOOKBACK]
    }
}

#[cfg(test)]
mod tests {
    use chuhe_movegen::{Color, Piece, PieceType, Square};

    use super::*;

    #[test]
    fn looking_back_finds_the_moves_of_earlier_plies_and_nothing_before_the_root() {
        let mut frames = Frames::new();
        let piece = Piece { color: Color::Red, kind: PieceType::Rook };
        let moves: Vec<PieceMove> = Square::all().take(5).map(|to| PieceMove { piece, to }).collect();
        for (ply, &mv) in moves.iter().enumerate() {
            frames[ply].mv = Some(mv);
        }
        assert_eq!(frames.earlier(0), [None; 3]);
        assert_eq!(frames.earlier(2), [Some(moves[1]), Some(moves[0]), None]);
        assert_eq!(frames.earlier(5), [Some(moves[4]), Some(moves[3]), Some(moves[1])]);
        assert_eq!(frames.parent(5).mv, Some(moves[4]));
        assert_eq!(frames.grandparent(5).mv, Some(moves[3]));
    }
}
