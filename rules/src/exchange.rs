//! Protection (根) and the exchange on one square, with legal moves only.
//!
//! Everything is looked at on the board after the capture: the capturing piece may itself have been the screen or the
//! blocker of a protector.

use chuhe_movegen::{Bitboard, Board, Color, Move, Piece, PieceType, Square};

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
        let value = |square| PawnWorth::Little.value_on(board, square);
        let is_even = value(capture.from()) >= value(square);
        if is_even && wins_exchange(board, capture, Checks::MustBeAnswered) {
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

/// What a crossed pawn is worth. Its value floats, and one pawn for several pieces, or one piece for several pawns, wins
/// nothing (article 25.3); so an exchange wins only if it does whatever a pawn is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PawnWorth {
    /// Less than any other piece.
    Little,
    /// More than all other pieces.
    Much,
}

impl PawnWorth {
    pub(crate) const ALL: [PawnWorth; 2] = [PawnWorth::Little, PawnWorth::Much];

    /// What a piece counts for in an exchange (article 25.3: a rook is two minor pieces; uncrossed pawns are nothing).
    fn value(self, piece: Piece, square: Square) -> i32 {
        match piece.kind {
            // Never taken: captures are legal moves only.
            PieceType::King => 0,
            PieceType::Rook => 8,
            PieceType::Horse | PieceType::Cannon => 4,
            PieceType::Advisor | PieceType::Elephant => 2,
            PieceType::Pawn if !has_crossed(piece, square) => 0,
            PieceType::Pawn if self == PawnWorth::Little => 1,
            PieceType::Pawn => 100,
        }
    }

    /// The exchange value of what stands on a square; 0 when it is empty.
    pub(crate) fn value_on(self, board: &Board, square: Square) -> i32 {
        board.piece_at(square).map_or(0, |piece| self.value(piece, square))
    }
}

/// Whether a pawn on this square is across the river.
pub(crate) fn has_crossed(pawn: Piece, square: Square) -> bool {
    Bitboard::home(!pawn.color).contains(square)
}

/// Whether the side to move, if it is in check, may take only what answers the check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Checks {
    /// As the game is played.
    MustBeAnswered,
    /// The check that there is stays out of account: what the side attacks but for it.
    LeftOut,
}

/// Whether a pseudo-legal move is legal, or would be but for the check that the mover is in.
pub(crate) fn is_legal(board: &Board, mv: Move, checks: Checks) -> bool {
    board.is_legal(mv)
        || checks == Checks::LeftOut && (attackers_of_mover(&board.make(mv)) & !board.checkers()).is_empty()
}

/// The pieces that attack the king of the side that has moved.
fn attackers_of_mover(after: &Board) -> Bitboard {
    after.turned().checkers()
}

/// What a capture wins when both sides go on taking on its square, each stopping when it likes.
///
/// `standing` are the pieces whose check `side` need not answer.
fn gain(board: &Board, capture: Move, pawns: PawnWorth, side: Color, standing: Bitboard) -> i32 {
    let square = capture.to();
    let won = pawns.value_on(board, square);
    let after = board.make(capture);
    let takers = after.attackers_to(square, after.occupied()) & after.color(after.side_to_move());
    let is_legal = |mv: &Move| {
        after.is_legal(*mv)
            || after.side_to_move() == side
                && standing.any()
                && (attackers_of_mover(&after.make(*mv)) & !standing).is_empty()
    };
    let retakes = takers.into_iter().filter_map(|from| Move::new(from, square)).filter(is_legal);
    let lost = retakes.map(|retake| gain(&after, retake, pawns, side, standing)).max();
    won - lost.unwrap_or(0).max(0)
}

/// What a legal capture wins when both sides go on taking on its square with legal moves, each stopping when it likes.
pub(crate) fn exchange_gain(board: &Board, capture: Move, pawns: PawnWorth) -> i32 {
    gain(board, capture, pawns, board.side_to_move(), Bitboard::EMPTY)
}

/// Whether a capture wins material by the exchange on its square, whatever a pawn is worth.
pub(crate) fn wins_exchange(board: &Board, capture: Move, checks: Checks) -> bool {
    let standing = if checks == Checks::LeftOut { board.checkers() } else { Bitboard::EMPTY };
    PawnWorth::ALL.into_iter().all(|pawns| gain(board, capture, pawns, board.side_to_move(), standing) > 0)
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
        let gain = |fen: &str, capture: &str| {
            exchange_gain(&Board::from_fen(fen).unwrap(), capture.parse().unwrap(), PawnWorth::Little)
        };
        // Rook takes a protected cannon: 4 - 8. Horse takes a protected rook: 8 - 4.
        assert_eq!(gain("3k5/9/9/9/9/1R3c2r/9/9/9/4K4 w - - 0 1", "b4f4"), -4);
        assert_eq!(gain("3k5/9/9/3N5/9/4r3r/9/9/9/5K3 w - - 0 1", "d6e4"), 4);
        // Two rooks take a cannon with one rook behind it: Black does better not to take back.
        assert_eq!(gain("3k5/9/9/5R3/9/1R3c2r/9/9/9/4K4 w - - 0 1", "b4f4"), 4);
    }
    /// Article 25.3: the value of a pawn floats.
    #[test]
    fn a_pawn_for_a_piece_wins_nothing() {
        let wins = |fen: &str, capture: &str| {
            wins_exchange(&Board::from_fen(fen).unwrap(), capture.parse().unwrap(), Checks::MustBeAnswered)
        };
        // Horse for cannon, then a pawn for a horse.
        assert!(!wins("5kr2/9/9/8n/5Pc2/9/5N3/9/9/3K5 w - - 0 1", "f3g5"));
        // A horse for two pawns.
        assert!(!wins("3k5/9/9/4p4/4p4/9/3N5/9/9/5K3 w - - 0 1", "d3e5"));
        // A bare pawn is won, and so is one that comes on top of an even exchange.
        assert!(wins("3k5/9/9/9/9/9/3N5/1p7/9/5K3 w - - 0 1", "d3b2"));
        assert!(wins("3k5/9/9/9/4R4/9/4c4/3p5/9/5K3 w - - 0 1", "e5e3"));
        // A rook for a cannon and a rook, with a pawn that nobody takes.
        assert!(wins("3k5/9/9/r1c5R/2P6/9/9/9/9/5K3 w - - 0 1", "i6c6"));
    }

    #[test]
    fn a_check_can_be_left_out_of_account() {
        // The rook on i0 checks; the elephant on a2 attacks the rook on c4 all the same.
        let board = Board::from_fen("5k3/9/9/9/9/2r6/9/B8/4B4/3K4r w - - 0 1");
        // The elephant stands on a point of its own only on e2.
        assert!(board.is_err());
        let board = Board::from_fen("5k3/9/9/9/9/2r6/9/B3B4/9/3K4r w - - 0 1").unwrap();
        let capture: Move = "a2c4".parse().unwrap();
        assert!(!is_legal(&board, capture, Checks::MustBeAnswered) && is_legal(&board, capture, Checks::LeftOut));
        assert!(wins_exchange(&board, capture, Checks::LeftOut));
        // A piece that is pinned beside the check stays pinned.
        let board = Board::from_fen("3rk4/9/9/1n7/9/2N6/9/9/3N5/3K4r w - - 0 1").unwrap();
        assert!(!is_legal(&board, "d1c3".parse().unwrap(), Checks::LeftOut));
    }
}
