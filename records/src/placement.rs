//! Pieces on points, as files hold them that know no FEN.

use chuhe_movegen::{Board, Color, FILES, FenError, Piece, PieceType, RANKS, Square};

use crate::damage::Flaw;

/// A board without a side to move; nothing is known of whether the position can occur.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Placement([Option<Piece>; Square::NUM]);

/// The pieces of a side in the order in which XQF and DhtmlXQ list them.
pub(crate) const LISTED: [PieceType; 16] = {
    use PieceType::{Advisor, Cannon, Elephant, Horse, King, Pawn, Rook};
    [Rook, Horse, Elephant, Advisor, King, Advisor, Elephant, Horse, Rook, Cannon, Cannon, Pawn, Pawn, Pawn, Pawn, Pawn]
};

impl Placement {
    pub(crate) const fn empty() -> Placement {
        Placement([None; Square::NUM])
    }

    pub(crate) fn of(board: &Board) -> Placement {
        Placement(std::array::from_fn(|index| board.piece_at(Square::at(index))))
    }

    /// The pieces at the points of a list in the order of [`LISTED`], Red's first; `None` is off the board.
    pub(crate) fn from_list(points: [Option<Square>; 32]) -> Result<Placement, Flaw> {
        let mut placement = Placement::empty();
        for (index, point) in points.into_iter().enumerate() {
            let color = if index < LISTED.len() { Color::Red } else { Color::Black };
            if let Some(square) = point {
                placement.put(square, Piece::new(color, LISTED[index % LISTED.len()]))?;
            }
        }
        Ok(placement)
    }

    /// The points of all pieces in the order of [`LISTED`], Red's first; `None` if the list has no room for a piece.
    pub(crate) fn to_list(&self) -> Option<[Option<Square>; 32]> {
        let mut points = [None; 32];
        for square in Square::all() {
            let Some(piece) = self.at(square) else { continue };
            let first = LISTED.len() * piece.color.index();
            let free = (0..LISTED.len()).find(|&index| LISTED[index] == piece.kind && points[first + index].is_none());
            points[first + free?] = Some(square);
        }
        Some(points)
    }

    pub(crate) fn at(&self, square: Square) -> Option<Piece> {
        self.0[square.index()]
    }

    pub(crate) fn put(&mut self, square: Square, piece: Piece) -> Result<(), Flaw> {
        match self.0[square.index()].replace(piece) {
            Some(_) => Err(Flaw::Crowded(square)),
            None => Ok(()),
        }
    }

    /// The position with this side to move. Composed placements are accepted: books hold problems that no game leads to.
    pub(crate) fn board(&self, side: Color, fullmove_number: u16) -> Result<Board, FenError> {
        let ranks: Vec<String> = (0..RANKS)
            .rev()
            .map(|rank| {
                let points = (0..FILES).map(|file| self.0[rank * FILES + file]);
                points.map(|piece| piece.map_or('1', Piece::letter)).collect()
            })
            .collect();
        Board::from_composed_fen(&format!("{} {} - - 0 {fullmove_number}", ranks.join("/"), letter(side)))
    }
}

/// The same position with this side to move.
pub(crate) fn with_side(board: &Board, side: Color) -> Result<Board, FenError> {
    let (from, to) = (format!(" {} ", letter(!side)), format!(" {} ", letter(side)));
    Board::from_composed_fen(&board.to_fen().replacen(&from, &to, 1))
}

const fn letter(side: Color) -> char {
    match side {
        Color::Red => 'w',
        Color::Black => 'b',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_position_is_listed_as_every_file_lists_it() {
        let list = Placement::of(&Board::startpos()).to_list().expect("32 pieces");
        assert_eq!(list[0], Square::from_coords(0, 0));
        assert_eq!(list[4], Square::from_coords(4, 0));
        assert_eq!(list[20], Square::from_coords(4, 9));
        assert_eq!(list[31], Square::from_coords(8, 6));
        let placement = Placement::from_list(list).expect("no point is taken twice");
        assert_eq!(placement.board(Color::Red, 1), Ok(Board::startpos()));
    }

    #[test]
    fn what_a_list_cannot_hold() {
        let mut list = [None; 32];
        list[4] = Square::new(4);
        list[5] = Square::new(4);
        assert_eq!(Placement::from_list(list).map(|_| ()), Err(Flaw::Crowded(Square::at(4))));
        let six_pawns = "3k5/9/9/9/PPPPPP3/9/9/9/9/4K4 w - - 0 1";
        assert_eq!(Placement::of(&Board::from_composed_fen(six_pawns).expect("a placement")).to_list(), None);
    }

    #[test]
    fn the_side_can_be_turned() {
        let board = Board::from_fen("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 3 7").expect("a position");
        let turned = with_side(&board, Color::Black).expect("nobody is in check");
        assert_eq!(turned.to_fen(), "3k5/9/9/9/9/9/9/9/9/R3K4 b - - 3 7");
        assert_eq!(with_side(&turned, Color::Black), Ok(turned));
    }
}
