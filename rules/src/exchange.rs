//! Protection (根) and the exchange on one square, with legal moves only.
//!
//! Everything is looked at on the board after the capture: the capturing piece may itself have been the screen or the
//! blocker of a protector.

use chuhe_movegen::{Bitboard, Board, Move, Piece, PieceType, Square};

/// How well a piece stands against one capture.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Protection {
    /// 无根: nothing can take back.
    None,
    /// 假根: a piece reaches the square but may not legally take back.
    False,
    /// 少根: something takes back, but the full exchange wins material.
    Insufficient,
    /// 暗根: the taking back becomes possible only through the capture.
    Hidden,
    /// 有根, 真根: something takes back.
    Real,
}

impl Protection {
    /// The protection of the piece that a legal capture would take.
    pub fn against(board: &Board, capture: Move) -> Protection {
        let square = capture.to();
        let after = board.make(capture);
        let reach = after.attackers_to(square, after.occupied()) & after.color(after.side_to_move());
        let mut takers = legal_retakes(&after, square).map(Move::from).peekable();
        if takers.peek().is_none() {
            return if reach.any() { Protection::False } else { Protection::None };
        }
        // What reaches the square only once the capturer has left its own.
        let before = board.attackers_to(square, board.occupied());
        let hidden = takers.all(|from| !before.contains(from));
        // A better piece may be won however well it is protected; that is no fault of its root.
        let is_even = value_on(board, capture.from()) >= value_on(board, square);
        if is_even && exchange_gain(board, capture) > 0 {
            Protection::Insufficient
        } else if hidden {
            Protection::Hidden
        } else {
            Protection::Real
        }
    }
}

/// The legal captures on `square` by the side to move.
fn legal_retakes(board: &Board, square: Square) -> impl Iterator<Item = Move> {
    let takers = board.attackers_to(square, board.occupied()) & board.color(board.side_to_move());
    takers.into_iter().filter_map(move |from| Move::new(from, square)).filter(move |&mv| board.is_legal(mv))
}

/// Whether the side to move can legally take on `square`: the real root of the piece that was just taken there.
pub(crate) fn can_retake(board: &Board, square: Square) -> bool {
    legal_retakes(board, square).next().is_some()
}

/// Where the pieces stand that can legally take on `square`.
pub(crate) fn retakers(board: &Board, square: Square) -> impl Iterator<Item = Square> {
    legal_retakes(board, square).map(Move::from)
}

/// What a piece counts for in an exchange (article 25.3: a rook is two minor pieces; uncrossed pawns are nothing).
pub(crate) fn exchange_value(piece: Piece, square: Square) -> i32 {
    match piece.kind {
        // Never taken: captures are legal moves only.
        PieceType::King => 0,
        PieceType::Rook => 8,
        PieceType::Horse | PieceType::Cannon => 4,
        PieceType::Advisor | PieceType::Elephant => 2,
        PieceType::Pawn => i32::from(has_crossed(piece, square)),
    }
}

/// The exchange value of what stands on a square; 0 when it is empty.
pub(crate) fn value_on(board: &Board, square: Square) -> i32 {
    board.piece_at(square).map_or(0, |piece| exchange_value(piece, square))
}

/// Whether a pawn on this square is across the river.
pub(crate) fn has_crossed(pawn: Piece, square: Square) -> bool {
    Bitboard::home(!pawn.color).contains(square)
}

/// What a legal capture wins when both sides go on taking on its square with legal moves, each stopping when it likes.
pub(crate) fn exchange_gain(board: &Board, capture: Move) -> i32 {
    let square = capture.to();
    let won = value_on(board, square);
    let after = board.make(capture);
    let lost = legal_retakes(&after, square).map(|retake| exchange_gain(&after, retake)).max();
    won - lost.unwrap_or(0).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn protection(fen: &str, capture: &str) -> Protection {
        Protection::against(&Board::from_fen(fen).unwrap(), capture.parse().unwrap())
    }

    #[test]
    fn roots_of_every_kind() {
        // A bare cannon; one protected by a rook.
        assert_eq!(protection("3k5/9/9/9/9/1R3c3/9/9/9/4K4 w - - 0 1", "b4f4"), Protection::None);
        assert_eq!(protection("3k5/9/9/9/9/1R3c2r/9/9/9/4K4 w - - 0 1", "b4f4"), Protection::Real);
        // The protecting horse is pinned on its king.
        assert_eq!(protection("4k4/9/4n4/9/1R3c3/9/9/9/4R4/3K5 w - - 0 1", "b5f5"), Protection::False);
        // The red rook leaves the rank open for the black rook behind it.
        assert_eq!(protection("3k5/9/9/9/9/rR3c3/9/9/9/4K4 w - - 0 1", "b4f4"), Protection::Hidden);
        // Two rooks against a cannon with one root.
        assert_eq!(protection("3k5/9/9/5R3/9/1R3c2r/9/9/9/4K4 w - - 0 1", "b4f4"), Protection::Insufficient);
    }

    #[test]
    fn the_capturer_is_no_screen_for_the_protector() {
        // The cannon on b7 would protect b3 over the rook on b4, but that rook is what takes.
        assert_eq!(protection("5k3/9/9/1c7/9/1R7/1c7/9/9/4K4 w - - 0 1", "b4b3"), Protection::None);
    }

    #[test]
    fn exchanges_stop_when_they_cost() {
        let gain = |fen: &str, capture: &str| exchange_gain(&Board::from_fen(fen).unwrap(), capture.parse().unwrap());
        // Rook takes a protected cannon: 4 - 8. Horse takes a protected rook: 8 - 4.
        assert_eq!(gain("3k5/9/9/9/9/1R3c2r/9/9/9/4K4 w - - 0 1", "b4f4"), -4);
        assert_eq!(gain("3k5/9/9/3N5/9/4r3r/9/9/9/5K3 w - - 0 1", "d6e4"), 4);
        // Two rooks take a cannon with one rook behind it: Black does better not to take back.
        assert_eq!(gain("3k5/9/9/5R3/9/1R3c2r/9/9/9/4K4 w - - 0 1", "b4f4"), 4);
    }
}
