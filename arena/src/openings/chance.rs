//! Openings by chance: from a book, or from moves that are only legal.

use chuhe_book::Book;
use chuhe_movegen::{Board, Color, PieceType};
use chuhe_rules::Game;
use rand::{Rng, RngExt};

/// So many tries are made for a balanced position before a ply is given up.
const TRIES: u32 = 2000;

/// An exchange that wins more than a pawn, in units of [`chuhe_movegen::SEE_VALUES`].
const MORE_THAN_A_PAWN: i32 = 101;

/// Walks through a book, each move as often as its weight says, until it is so many plies long or the book ends.
pub(super) fn walk<R: Rng>(book: &Book, plies: usize, rng: &mut R) -> Game {
    let mut game = Game::new(Board::startpos());
    for _ in 0..plies {
        let Some(mv) = book.choose(game.board(), rng) else { break };
        let before = game.clone();
        if game.play(mv).is_err() || !game.board().has_legal_move() {
            return before;
        }
    }
    game
}

/// So many random moves from the initial array that lead to a [balanced](is_balanced) position.
///
/// The more plies, the rarer such positions are; when none is found for long, a ply less is made.
pub(super) fn random<R: Rng>(plies: usize, rng: &mut R) -> Game {
    for plies in (1..=plies).rev() {
        let found = (0..TRIES).find_map(|_| random_game(plies, rng).filter(|game| is_balanced(game.board())));
        if let Some(game) = found {
            return game;
        }
    }
    Game::new(Board::startpos())
}

/// Random legal moves; `None` when the game ends too early.
fn random_game<R: Rng>(plies: usize, rng: &mut R) -> Option<Game> {
    let mut game = Game::new(Board::startpos());
    for _ in 0..plies {
        let moves = game.board().legal_moves();
        if moves.is_empty() {
            return None;
        }
        game.play(moves[rng.random_range(0..moves.len())]).ok()?;
    }
    Some(game)
}

/// Whether both sides have the same pieces and nothing is lost at once: the side to move is not in check and has moves,
/// none of which mates or wins more than a pawn by exchanges.
fn is_balanced(board: &Board) -> bool {
    let has_equal_material = PieceType::ALL
        .iter()
        .all(|&kind| board.pieces(Color::Red, kind).count() == board.pieces(Color::Black, kind).count());
    if !has_equal_material || board.in_check() || !board.has_legal_move() {
        return false;
    }
    board.legal_moves().iter().all(|&mv| {
        let wins = board.is_capture(mv) && board.see_at_least(mv, MORE_THAN_A_PAWN);
        !wins && board.make(mv).has_legal_move()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_that_are_lost_at_once_are_not_balanced() {
        let is_balanced = |fen: &str| is_balanced(&Board::from_fen(fen).unwrap());
        assert!(is_balanced(Board::START_FEN));
        // A rook hangs; Red lacks a pawn; Black is in check; Red mates.
        for fen in [
            "3k5/9/9/9/9/4r4/9/9/4R4/5K3 w - - 0 1",
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/2P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
            "rnbakabnr/9/1c5c1/p1p1p1p1p/4C4/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 1",
            "3k5/1R7/9/9/9/9/9/9/6rr1/R4K3 w - - 0 1",
        ] {
            assert!(!is_balanced(fen), "{fen}");
        }
    }
}
