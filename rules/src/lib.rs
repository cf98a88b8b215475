//! Everything true of a **sequence** of xiangqi positions: games, repetition, move limits, dead material, results.
//!
//! A line of play is a slice of [`Ply`]s. A finished game and the line a search thread stands on are the same thing
//! here, so one judge serves both.

mod game;
mod line;
mod material;
mod ply;
mod repetition;
mod ruleset;

pub use game::{Ending, Game};
pub use line::Line;
pub use material::is_dead_material;
pub use ply::Ply;
pub use repetition::{Cycle, Judgement, find_cycle, judge_cycle};
pub use ruleset::{RuleSet, UnknownRuleSet};

/// Half-moves without a capture after which the game is drawn (自然限着, 60 rounds).
pub const NATURAL_LIMIT: u16 = 120;
