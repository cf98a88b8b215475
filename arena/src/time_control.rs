//! Time controls (articles 6.1 to 6.5, and the per-move time with a personal reserve of older rules) and their clocks.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How the time of one side is limited. What is set applies together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TimeControl {
    /// A clock.
    pub clock: Option<ClockRule>,
    /// Limits on each search.
    pub limits: SearchLimits,
}

/// Limits on each search beside the clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchLimits {
    /// Exactly this time for each move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub move_time: Option<Duration>,
    /// Depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// How a clock runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClockRule {
    /// A base, and an increment after each move; an increment of zero is sudden death (article 6.5).
    Increment {
        /// Time at the start.
        base: Duration,
        /// Time added after each move.
        increment: Duration,
    },
    /// Periods with a number of moves each, the last repeated to the end of the game (articles 6.1 to 6.4). Moves made
    /// beyond a period's number do not count for the next; time left over is lost.
    Periods(Vec<Period>),
    /// A time for each move, and a reserve for the whole game that moves beyond it eat up (时间分计制).
    Reserve {
        /// For each move.
        per_move: Duration,
        /// For the game.
        reserve: Duration,
    },
}

/// So many moves in so much time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Period {
    /// Moves to be made.
    pub moves: u32,
    /// In this time.
    pub time: Duration,
}

/// What a clock shows, in the terms that engines know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockReading {
    /// Time left.
    pub left: Duration,
    /// Time that will be added after each move.
    pub increment: Duration,
    /// Moves to be made in the time left, this one included; `None`: all the rest of the game.
    pub moves_to_go: Option<u32>,
}
