//! How strong, and how sure: what the results of a match prove.
//!
//! Games are played in pairs: the same opening twice with colours reversed. The two games of a pair are not
//! independent (an unbalanced opening favours the same *side* in both), so what is counted is the sum of a pair, one of
//! five values: the *pentanomial*. Where no pair is complete, single games serve: the *trinomial*.
//!
//! ```
//! use chuhe_arena::stats::{Pentanomial, Sprt, EloModel, Verdict};
//!
//! // Pairs that gave 0, ½, 1, 1½ and 2 points.
//! let pairs = Pentanomial::new([10_789, 19_328, 33_806, 19_402, 10_543]);
//! let sprt = Sprt::new(EloModel::Logistic, -3.0, 1.0, 0.05, 0.05)?;
//! let state = sprt.judge(&pairs);
//! assert_eq!(state.verdict, Verdict::Continue);
//! assert!((state.llr - 2.131).abs() < 0.001);
//! # Ok::<(), chuhe_arena::stats::SprtError>(())
//! ```

mod elo;
mod frequencies;
mod likelihood;
mod sprt;
mod tally;

pub use elo::{Estimate, NORMALIZED_ELO_PER_T, elo_of_score, score_of_elo};
pub use frequencies::{Frequencies, Pentanomial, Trinomial};
pub use sprt::{EloModel, Sprt, SprtError, SprtState, Verdict};
pub use tally::{GameScore, MatchTally, PairHalf, RepeatedGame};
