//! Everything true of a **sequence** of xiangqi positions: games, repetition, move limits, dead material, results.
//!
//! A line of play is a slice of [`Ply`]s. A finished game and the line a search thread stands on are the same thing
//! here, so one judge serves both.

#![forbid(unsafe_code)]

mod chase;
mod exchange;
mod exemptions;
mod game;
mod idle;
mod judge;
mod key_map;
mod kill;
mod limits;
mod line;
mod mate;
mod material;
mod mixture;
mod pins;
mod ply;
mod repetition;
mod round;
mod ruleset;
mod ruling;
mod threat;
mod viewpoint;

pub use chase::{Attack, ChaseWay};
pub use exchange::Protection;
pub use game::{Ending, Game};
pub use idle::IdleKind;
pub use judge::judge_cycle;
pub use limits::{ARBITER_LIMIT, CheckCounting, ClaimOutcome, LimitClaim, NATURAL_LIMIT};
pub use line::{Line, Recurrence};
pub use mate::{MateByChecks, MateThreat};
pub use material::is_dead_material;
pub use pins::{Pin, PinKind, pins};
pub use ply::Ply;
pub use repetition::{Cycle, Judgement, find_cycle, find_repetition, recurring_keys};
pub use ruleset::{RuleSet, UnknownRuleSet};
pub use ruling::{Chase, Ground, JudgedMove, MoveClass, Pattern, Procedure, Repetition, Ruling, Verdict, Window};
pub use threat::ThreatOrigin;
