//! The position a GUI has set up.

use std::sync::Arc;

use chuhe_movegen::{Board, Move};
use chuhe_protocol::{Position, Ranks, Start, WireMove, decode_moves};
use chuhe_rules::Game;

/// More moves than a line of 1 MiB holds; what is longer is no game and only eats memory.
const MAX_GAME_LEN: usize = 300_000;

/// The current position with its history and its forbidden moves.
#[derive(Clone, Debug)]
pub(crate) struct CurrentPosition {
    /// The game; `None` when the FEN described no position.
    pub(crate) game: Option<Arc<Game>>,
    /// How the GUI counts ranks.
    pub(crate) ranks: Ranks,
    /// Moves that may not be played (禁着).
    pub(crate) banned: Vec<Move>,
}

impl Default for CurrentPosition {
    fn default() -> CurrentPosition {
        CurrentPosition {
            game: Some(Arc::new(Game::new(Board::startpos()))),
            ranks: Ranks::FromZero,
            banned: Vec::new(),
        }
    }
}

impl CurrentPosition {
    /// Sets up a position as far as it can be understood, and says what could not.
    pub(crate) fn new(position: &Position) -> (CurrentPosition, Option<String>) {
        let (game, trouble) = match &position.start {
            Start::Startpos => play(Board::startpos(), position),
            Start::Fen(fen) => match Board::from_fen(fen) {
                Ok(board) => play(board, position),
                Err(error) => (None, Some(format!("invalid position: {error}"))),
            },
        };
        (CurrentPosition { game: game.map(Arc::new), ranks: position.ranks, banned: Vec::new() }, trouble)
    }

    /// Forbids moves until the next position; unreadable ones do not matter, and illegal ones will not be played.
    pub(crate) fn ban(&mut self, moves: &[WireMove]) {
        self.banned.extend(decode_moves(moves, self.ranks));
        if Ranks::of(moves) == Ranks::FromOne {
            self.ranks = Ranks::FromOne;
        }
    }
}

/// Plays the moves up to the first that is illegal or unreadable.
fn play(start: Board, position: &Position) -> (Option<Game>, Option<String>) {
    let mut game = Game::new(start);
    let mut offender = None;
    for &mv in position.moves.iter().take(MAX_GAME_LEN) {
        if game.play(mv).is_err() {
            offender = Some(format!("illegal move {}", WireMove::new(mv, position.ranks)));
            break;
        }
    }
    if offender.is_none() && position.moves.len() > MAX_GAME_LEN {
        offender = Some(format!("move {} of a longer list", MAX_GAME_LEN + 1));
    }
    let offender =
        offender.or_else(|| position.unreadable.as_deref().map(|text| unreadable(text, position.moves.len() + 1)));
    let trouble = offender.map(|offender| {
        format!("{offender} and all moves after it ignored; the position is now {}", game.board().to_fen())
    });
    (Some(game), trouble)
}

/// A move that cannot be read, by its number if its characters (炮二平五) cannot be shown: all that is said is ASCII.
fn unreadable(text: &str, number: usize) -> String {
    match text.is_ascii() {
        true => format!("unreadable move `{text}`"),
        false => format!("unreadable move {number} (expected coordinates such as h2e2)"),
    }
}
