//! Games as the viewer shows them.

use std::time::Duration;

use chuhe_movegen::{Board, Move};

/// A game.
#[derive(Clone, PartialEq, Debug)]
pub struct GameView {
    /// Red's name.
    pub red: String,
    /// Black's name.
    pub black: String,
    /// The result.
    pub result: GameResult,
    /// Why it ended, in a word or two; may be empty, as all texts.
    pub termination: String,
    /// The evidence, in a sentence.
    pub reason: String,
    /// What the opening is called.
    pub opening: String,
    /// How many of the moves the opening gave.
    pub opening_plies: usize,
    /// Where it begins.
    pub start: Board,
    /// The moves. They are shown as given: legality is the referee's business.
    pub moves: Vec<MoveView>,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GameResult {
    /// Red won.
    RedWins,
    /// Black won.
    BlackWins,
    /// Drawn.
    Draw,
    /// No result (yet).
    #[default]
    Open,
}

impl GameResult {
    /// As PGN writes it.
    #[must_use]
    pub const fn mark(self) -> &'static str {
        match self {
            GameResult::RedWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Open => "*",
        }
    }
}

/// A move, and what is known of it.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveView {
    /// The move.
    pub mv: Move,
    /// What it is called, where coordinates are not wanted (炮二平五).
    pub name: Option<String>,
    /// The score that the mover's engine told, from the mover's view; the page shows all scores from Red's.
    pub score: Option<Score>,
    /// The depth of its search, in plies.
    pub depth: Option<u32>,
    /// Time used.
    pub time: Option<Duration>,
    /// What the clock showed after the move.
    pub clock: Option<Duration>,
    /// A remark.
    pub comment: Option<String>,
}

impl From<Move> for MoveView {
    /// A move of which nothing more is known.
    fn from(mv: Move) -> MoveView {
        MoveView { mv, name: None, score: None, depth: None, time: None, clock: None, comment: None }
    }
}

/// What an engine thinks of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// In hundredths of a pawn.
    Cp(i32),
    /// Mate in so many moves of the mover; negative: the mover is mated.
    Mate(i32),
}
