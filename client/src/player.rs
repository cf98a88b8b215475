//! What can be asked of a player, whatever stands behind it: an engine process or, in tests, a list of moves.

use std::fmt;
use std::time::Duration;

use chuhe_movegen::{Color, Move};
use chuhe_protocol::Score;
use chuhe_rules::Game;
use serde::{Deserialize, Serialize};

use crate::time_control::{ClockReading, SearchLimits};

/// A turn to move.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The game so far; the player to move is the side to move.
    pub game: &'a Game,
    /// The clocks of Red and of Black; `None` for a side that plays without one.
    pub clocks: [Option<ClockReading>; 2],
    /// Limits other than the clock.
    pub limits: SearchLimits,
    /// Moves that the rules forbid in this position (禁着), for players that can be told.
    pub banned: &'a [Move],
    /// Whether the opponent offered a draw with its last move.
    pub draw_offered: bool,
    /// How long to wait at most; an answer later than this will not be waited for ([`FaultKind::Silence`]).
    pub patience: Duration,
}

/// What a player answered.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The decision.
    pub decision: Decision,
    /// Whether it offers a draw, or accepts the one offered.
    pub draw: bool,
    /// The reply it expects and would like to think about.
    pub expects: Option<Move>,
    /// Time on its own clock, from just before the request was written until the answer was read.
    pub elapsed: Duration,
    /// What it last told about its search.
    pub search: SearchReport,
}

/// What a player chose to do. Legality is the referee's business.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decision {
    /// Plays this move.
    Move(Move),
    /// Resigns.
    Resign,
    /// Says that there is no move.
    NoMove,
    /// Answered something that is no move; the word, shortened.
    Unreadable(String),
}

/// What an engine tells about a search.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SearchReport {
    /// The score from the mover's view.
    pub score: Option<Score>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// The line it expects, the move itself first.
    pub line: Vec<Move>,
}

/// What an engine did wrong.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, thiserror::Error)]
#[error("{kind}: {detail}")]
pub struct Fault {
    /// The kind.
    pub kind: FaultKind,
    /// What was seen, in one line.
    pub detail: String,
    /// The last lines that went back and forth, oldest first, `>` to the engine and `<` from it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dialogue: Vec<String>,
}

/// Kinds of faults that a player can commit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// The program cannot be started.
    NoStart,
    /// It does not finish its introduction in time.
    NoHandshake,
    /// The process ended or closed its output.
    Crash,
    /// No answer within the time allowed.
    Silence,
    /// It refused the position, the variant or a command it must know.
    Refusal,
    /// It answered more than once, or without being asked.
    Stray,
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FaultKind::NoStart => "does not start",
            FaultKind::NoHandshake => "no handshake",
            FaultKind::Crash => "crash",
            FaultKind::Silence => "silence",
            FaultKind::Refusal => "refusal",
            FaultKind::Stray => "stray answer",
        })
    }
}

/// How a game ended, as far as the players are told.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameEnd {
    /// This side won.
    Won(Color),
    /// Nobody won.
    Drawn,
    /// There is no result.
    Void,
}

/// One side of a game.
pub trait Player: Send {
    /// Gets ready for a game that begins with `game` (opening moves included).
    ///
    /// # Errors
    /// [`Fault`]: the player loses this game.
    fn new_game(&mut self, game: &Game, side: Color) -> Result<(), Fault>;

    /// Thinks and answers.
    ///
    /// # Errors
    /// [`Fault`]: the player loses this game.
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault>;

    /// May think about `turn`, whose last move is the one it expects the opponent to play; called after its own move.
    /// The next [`Player::choose`] or [`Player::end_game`] ends this.
    fn ponder(&mut self, turn: &Turn<'_>);

    /// The game is over. Tells the faults that did not decide the game and were seen late.
    fn end_game(&mut self, end: GameEnd) -> Vec<Fault>;
}
