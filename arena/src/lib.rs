//! Matches and tournaments between xiangqi engines: who meets whom, what the results are worth, and what they prove.
//!
//! A tournament is a pure function of what has happened so far: the same [`History`](systems::History) always gives the
//! same next games and the same table, so that a tournament which was interrupted at any moment goes on from its
//! records. Engines are processes, and `chuhe_client` makes them play, whatever they speak and however they misbehave.
//!
//! | module | answers |
//! |---|---|
//! | [`outcome`] | what a game gave each side |
//! | [`stats`] | how strong, how sure: Elo from colour-reversed pairs, likelihood of superiority, SPRT |
//! | [`systems`] | who plays whom next, with which colours; scores, places and tie-breaks |
//! | [`clock`] | what a side has left of its time |
//! | [`referee`], [`adjudication`] | which moves are forbidden, when and why a game is over |
//! | [`play`], [`played`], [`pgn`] | one game from its opening to its record |
//! | [`journal`] | what has happened, on the disk |
//! | [`openings`] | where games begin |
//! | [`config`] | what is played, by whom and how, as files and flags say it |
//! | [`tournament`] | what comes next, and who plays it |
//! | [`organisation`] | what is around the games: engines tried out, files opened, decisions of the organiser |
//! | [`summary`] | what it came to |
//! | [`report`] | the same as tables, text and page |
//!
//! Articles are those of the Chinese competition rules (象棋竞赛规则). `docs/tournaments.md` holds the rules, formulas
//! and sources in one place.

#![forbid(unsafe_code)]

pub mod adjudication;
pub mod clock;
pub mod config;
pub mod journal;
pub mod openings;
pub mod organisation;
pub mod outcome;
pub mod pgn;
pub mod play;
pub mod played;
pub mod referee;
pub mod report;
pub mod stats;
pub mod summary;
pub mod systems;
pub mod tournament;

pub use outcome::{Outcome, Points};
