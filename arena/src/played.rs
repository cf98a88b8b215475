//! A game that was played: moves, result and evidence.

use std::fmt;
use std::time::{Duration, SystemTime};

use chuhe_client::player::{Fault, SearchReport};
use chuhe_movegen::{Color, Move};
use chuhe_rules::Game;
use serde::{Deserialize, Serialize};

use crate::outcome::Outcome;

/// Where a game begins.
#[derive(Clone, Debug)]
pub struct Opening {
    /// What it is called, if anything.
    pub name: String,
    /// Start position and the moves given.
    pub game: Game,
}

/// A game from its first to its last move.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// Start position and all moves.
    pub game: Game,
    /// The opening's name.
    pub opening: String,
    /// How many moves the opening gave.
    pub opening_plies: usize,
    /// One for each move after the opening.
    pub moves: Vec<PlayedMove>,
    /// How it ended.
    pub ending: GameEnding,
    /// Faults that did not decide the game, with who committed them.
    pub minor_faults: Vec<(Color, Fault)>,
    /// When it began.
    pub started: SystemTime,
    /// How long it took.
    pub duration: Duration,
}

/// A move as it was played.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedMove {
    /// The move.
    pub mv: Move,
    /// Time used.
    pub elapsed: Duration,
    /// What the clock showed before the move; `None` without a clock.
    pub left_before: Option<Duration>,
    /// What it showed after the move, increment included; `None` without a clock.
    pub left_after: Option<Duration>,
    /// How far the time allowed was overstepped; within the margin this does not lose.
    pub overstep: Duration,
    /// What the player told about its search.
    pub search: SearchReport,
    /// Whether a draw was offered with it.
    pub draw_offer: bool,
}

/// How a game ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameEnding {
    /// The result.
    pub outcome: Outcome,
    /// Why.
    pub termination: Termination,
    /// The evidence in one line fit to be read out: who did what, and what the rules say.
    pub reason: String,
    /// The fault that decided it, with the dialogue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// Checkmate (将死).
    Checkmate,
    /// Stalemate (困毙), which loses.
    Stalemate,
    /// A repetition that the rules decide (棋例).
    Repetition,
    /// The natural limit of moves without a capture (自然限着).
    NaturalLimit,
    /// Nobody can win.
    DeadMaterial,
    /// Draw by agreement.
    Agreement,
    /// Resignation.
    Resignation,
    /// Both scores agreed.
    Adjudication,
    /// The game reached the length at which it is drawn.
    MaxLength,
    /// Time overstepped (超时).
    Time,
    /// An illegal move.
    IllegalMove,
    /// The player said that it has no move, or nothing that is a move, in a position with legal moves.
    NoMove,
    /// The process ended.
    Crash,
    /// No answer.
    Silence,
    /// The engine could not be started, or refused the game.
    Refusal,
    /// Decided by the organiser.
    Organiser,
}

impl Termination {
    /// All of them.
    pub const ALL: [Termination; 16] = [
        Termination::Checkmate,
        Termination::Stalemate,
        Termination::Repetition,
        Termination::NaturalLimit,
        Termination::DeadMaterial,
        Termination::Agreement,
        Termination::Resignation,
        Termination::Adjudication,
        Termination::MaxLength,
        Termination::Time,
        Termination::IllegalMove,
        Termination::NoMove,
        Termination::Crash,
        Termination::Silence,
        Termination::Refusal,
        Termination::Organiser,
    ];

    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Termination::Checkmate => "checkmate",
            Termination::Stalemate => "stalemate",
            Termination::Repetition => "repetition",
            Termination::NaturalLimit => "natural limit",
            Termination::DeadMaterial => "dead material",
            Termination::Agreement => "agreement",
            Termination::Resignation => "resignation",
            Termination::Adjudication => "adjudication",
            Termination::MaxLength => "maximal length",
            Termination::Time => "time",
            Termination::IllegalMove => "illegal move",
            Termination::NoMove => "no move",
            Termination::Crash => "crash",
            Termination::Silence => "silence",
            Termination::Refusal => "refusal",
            Termination::Organiser => "organiser",
        }
    }

    /// Whether an engine failed, rather than lost or drew at the board.
    #[must_use]
    pub const fn is_failure(self) -> bool {
        matches!(
            self,
            Termination::Time
                | Termination::IllegalMove
                | Termination::NoMove
                | Termination::Crash
                | Termination::Silence
                | Termination::Refusal
        )
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
