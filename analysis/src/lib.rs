//! What happened in a game, move by move: what an engine thinks of each position, what each move lost, and how well each
//! side played.
//!
//! | module | holds |
//! |---|---|
//! | [`score`] | scores and the chances they stand for |
//! | [`position`] | what an engine found in a position |
//! | [`judgement`] | how much a move lost, and what that is called |
//! | [`game`] | all of a game |
//!
//! Scores and chances are always those of one side, and every field says which: the side to move of the position that
//! was searched (for a move: its mover). [`Score::seen_by_other`] and [`Chances::seen_by_other`] turn them round.

pub mod game;
pub mod judgement;
pub mod position;
pub mod score;

pub use game::{GameAnalysis, MateNote, MoveAnalysis, Name, Opening, PlayerSummary};
pub use judgement::{Judgement, accuracy};
pub use position::{Line, PositionAnalysis};
pub use score::{Chances, Score};
