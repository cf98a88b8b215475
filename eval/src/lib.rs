//! A number for a position, kept incrementally.
//!
//! There are two ways to that number: a [`network`], trained on games, and the hand-written evaluation, whose numbers
//! are fitted on games too. An [`Evaluation`] says which; an [`Evaluator`] follows the moves of a search with it.
//!
//! The hand-written evaluation has four terms and nothing else, every one linear in its weights (see [`layout`]), so that
//! all numbers can be fitted at once:
//!
//! * **piece-square tables indexed by the kings**: each piece is worth a base value by square, a correction by where its
//!   own king stands and one by where the enemy king stands. A palace has nine points, so the tables are small, and they
//!   are a linear network in disguise (the idea of the king-indexed tables of akimbo and Reckless, 2023);
//! * **mobility** of rooks, horses and cannons;
//! * **cannon lines**: a cannon that faces the enemy king with nothing between (空头炮), or with two screens;
//! * **guards**: which advisors and elephants are left against which attackers (缺士怕车, 缺象怕炮);
//!
//! and a bonus for the turn. Every term has a middlegame and an endgame weight, blended by the rooks, horses and cannons
//! left on the board (*tapered evaluation*, known from Fruit).
//!
//! Both are exactly symmetric: exchanging the colours negates the value. Mirroring the files leaves the hand-written
//! evaluation alone, and a network too unless both kings stand on the centre file.
//!
//! ```
//! use chuhe_eval::{Evaluation, Evaluator};
//! use chuhe_movegen::Board;
//!
//! let board = Board::startpos();
//! let mut evaluator = Evaluator::new(&Evaluation::embedded(), &board);
//! let mv = "h2e2".parse()?;
//! evaluator.push(&board, mv);
//! let score = evaluator.evaluate(&board.play(mv)?);
//! assert!(score.abs() < chuhe_eval::EVAL_LIMIT);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod breakdown;
mod embedded;
mod evaluator;
mod hand_written;
pub mod layout;
pub mod network;
mod tables;
mod tapered;
mod terms;
mod wdl;
mod weights;

pub use breakdown::{Breakdown, Line, Term};
pub use evaluator::{Evaluation, Evaluator};
pub use tapered::{PHASE_MAX, Tapered, phase};
pub use terms::features;
pub use wdl::{EVEN_CHANCE, SPREAD, shown, wdl};
pub use weights::WEIGHTS;

/// Every static evaluation lies strictly between minus and plus this.
pub const EVAL_LIMIT: i32 = 20_000;
