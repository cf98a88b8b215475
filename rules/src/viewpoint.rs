//! An order of pieces that does not hang on which chair one looks from.

use chuhe_movegen::{Board, Color, FILES, Move, PieceType, SQUARES, Square};

/// A position seen by the side that has moved, turned left or right in one way, whichever of its two mirror images it is.
///
/// What is named first among equals is then the same piece in a game, in its mirror image and with the colours exchanged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Viewpoint {
    mover: Color,
    mirrored: bool,
}

impl Viewpoint {
    /// The view of `mover` on a position and the move that led to it.
    pub(crate) fn of(board: &Board, mv: Move, mover: Color) -> Viewpoint {
        let seen = |square: Square| if mover == Color::Red { square } else { square.rotate() };
        let content =
            |square: Square| board.piece_at(seen(square)).map(|piece| (piece.color == mover, piece.kind.index()));
        let pieces = Square::all().map(|square| content(square).cmp(&content(square.mirror_file())));
        // The seen squares of the move come last: they tell the sides of a symmetric position apart.
        let ends = [mv.from(), mv.to()].map(|end| seen(end).file().cmp(&(FILES as u8 - 1 - seen(end).file())));
        let first = pieces.chain(ends).find(|order| order.is_ne());
        Viewpoint { mover, mirrored: first.is_some_and(std::cmp::Ordering::is_gt) }
    }

    /// The place of a piece in the order: the most valuable first, then the ones farther forward.
    pub(crate) fn rank(self, kind: PieceType, square: Square) -> (usize, usize) {
        use PieceType::{Advisor, Cannon, Elephant, Horse, King, Pawn, Rook};
        let by_value = [Rook, Cannon, Horse, Elephant, Advisor, Pawn, King];
        let square = if self.mover == Color::Red { square } else { square.rotate() };
        let square = if self.mirrored { square.mirror_file() } else { square };
        (by_value.iter().position(|&other| other == kind).unwrap_or(by_value.len()), SQUARES - square.index())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_the_same_from_every_chair() {
        let board = Board::from_fen("3k1a3/9/2n6/r8/9/9/4R3n/9/9/4K1B2 b - - 0 1").unwrap();
        let mv: Move = "e4e3".parse().unwrap();
        let victims = |board: &Board, mover: Color, mv: Move| {
            let viewpoint = Viewpoint::of(board, mv, mover);
            let mut squares: Vec<Square> = board.color(!mover).into_iter().collect();
            squares.sort_by_key(|&square| board.piece_at(square).map(|piece| viewpoint.rank(piece.kind, square)));
            squares
        };
        let order = victims(&board, Color::Red, mv);
        assert_eq!(order.iter().map(ToString::to_string).collect::<Vec<_>>(), ["a6", "c7", "i3", "f9", "d9"]);
        let mirrored = victims(&board.mirror_files(), Color::Red, mv.mirror_file());
        assert_eq!(mirrored, order.iter().map(|square| square.mirror_file()).collect::<Vec<_>>());
        let turned = victims(&board.swap_colors(), Color::Black, mv.rotate());
        assert_eq!(turned, order.iter().map(|square| square.rotate()).collect::<Vec<_>>());
    }
}
