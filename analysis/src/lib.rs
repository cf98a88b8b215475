//! What happened in a game, move by move: what an engine thinks of each position, what each move lost, and how well each
//! side played.
//!
//! | module | holds |
//! |---|---|
//! | [`score`] | scores and the chances they stand for |
//! | [`position`] | what an engine found in a position |
//! | [`lines`] | how that is gathered from what it tells while it searches |
//! | [`judgement`] | how much a move lost, and what that is called |
//! | [`game`] | all of a game |
//! | [`ecco`] | what an opening is called |
//! | [`kills`] | what a mate is called |
//! | [`name`] | names in two languages |
//! | [`analyst`] | who analyzes: anything that answers for a position |
//! | [`own_engine`] | our engine as an analyst |
//! | `other_engine` | any other, as a process (feature `client`) |
//! | [`analyze`] | walking through a game |
//! | [`puzzle`] | mate puzzles, and what the engine makes of them |
//! | [`mod@write`] | results as JSON, CSV, PGN, text and HTML |
//! | `batch` | many games at once, and folders of results (feature `batch`) |
//!
//! Scores and chances are always those of one side, and every field says which: the side to move of the position that
//! was searched (for a move: its mover). [`Score::seen_by_other`] and [`Chances::seen_by_other`] turn them round.
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use chuhe_analysis::{EngineSettings, Limits, OwnEngine, References, analyze_game};
//! use chuhe_book::Books;
//! use chuhe_movegen::Board;
//! use chuhe_records::Record;
//! use chuhe_rules::RuleSet;
//!
//! let limits = Limits { nodes: Some(2_000), ..Limits::default() };
//! let mut engine = OwnEngine::new(EngineSettings { limits, hash_mib: 1, ..EngineSettings::default() })?;
//! // A rook could mate at b9; the other one leaves its post instead.
//! let mut record = Record::new(Board::from_fen("4k4/R8/1R7/9/9/9/9/9/9/3K5 w - - 0 1")?);
//! record.tree.push("a8a0".parse()?);
//! let references = References { rules: &RuleSet::ASIAN, books: &Books::embedded() };
//! let game = analyze_game(&record, references, &mut engine, &mut |_, _| ControlFlow::Continue(()))?;
//! assert_eq!(game.moves[0].before.lines[0].moves, ["b7b9".parse()?]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod analyst;
pub mod analyze;
#[cfg(feature = "batch")]
pub mod batch;
pub mod ecco;
pub mod game;
pub mod judgement;
pub mod kills;
pub mod lines;
pub mod name;
#[cfg(feature = "client")]
pub mod other_engine;
pub mod own_engine;
pub mod position;
pub mod puzzle;
pub mod score;
pub mod write;

pub use analyst::{Analyst, AnalystError, Limits};
pub use analyze::{GameError, References, analyze_game};
pub use ecco::Opening;
pub use game::{GameAnalysis, MateNote, MoveAnalysis, PlayerSummary};
pub use judgement::{Judgement, accuracy};
pub use kills::Kill;
pub use lines::Lines;
pub use name::Name;
#[cfg(feature = "client")]
pub use other_engine::{FoundEngine, NotFound, OtherEngine};
pub use own_engine::{EngineSettings, OwnEngine};
pub use position::{Line, PositionAnalysis};
pub use score::{Chances, Decision, Score};
