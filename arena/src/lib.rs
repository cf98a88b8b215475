//! Matches and tournaments between xiangqi engines: who meets whom, what the results are worth, and what they prove.
//!
//! Nothing here starts a process or reads a clock.
//!
//! | module | answers |
//! |---|---|
//! | [`outcome`] | what a game gave each side |
//! | [`stats`] | how strong, how sure: Elo from colour-reversed pairs, likelihood of superiority, SPRT |
//!
//! Articles are those of the Chinese competition rules (象棋竞赛规则). `docs/tournaments.md` holds the rules, formulas
//! and sources in one place.

pub mod outcome;
pub mod stats;

pub use outcome::{Outcome, Points};
