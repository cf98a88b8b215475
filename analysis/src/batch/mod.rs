//! Many games, several at once, with the results in their order or in a folder (feature `batch`).
//!
//! One thread takes the games in, each analyst has a thread of its own, and the caller's writes what comes of them:
//!
//! | module | holds |
//! |---|---|
//! | [`task`] | what is asked of every game, and what is written about one |
//! | [`form`] | the forms in which that is written |
//! | [`pool`] | the threads, and what they have to tell |
//! | [`results`] | having results written as they come |
//! | [`printer`] | a stream of results, in the order of the games |
//! | [`folder`] | a folder with files for each game, from which an interrupted run goes on |
//! | [`journal`] | the log in it that tells which games are done |
//!
//! ```
//! use std::sync::Arc;
//!
//! use chuhe_analysis::batch::{AnalysisJob, Form, Incoming, Pool, Printer, Task, write_all};
//! use chuhe_analysis::write::Setup;
//! use chuhe_analysis::{Analyst, EngineSettings, Limits, OwnEngine};
//! use chuhe_records::games::Games;
//!
//! let limits = Limits { nodes: Some(500), ..Limits::default() };
//! let setup = Setup { engine: "Chuhe".into(), limits, multi_pv: 1 };
//! let task = Arc::new(Task { forms: vec![Form::Json], ..Task::new(setup) });
//! let settings = EngineSettings { limits, hash_mib: 1, ..EngineSettings::default() };
//! let analysts: Vec<Box<dyn Analyst>> = vec![Box::new(OwnEngine::new(settings)?)];
//!
//! let text = "1. 炮二平五 马8进7\n";
//! let game = Games::new(text.as_bytes(), None)?.next().expect("a game")?;
//! let job = AnalysisJob::new(0, "game:1".into(), game);
//! let pool = Pool::<()>::start([Incoming::Job(Box::new(job))], analysts, Arc::clone(&task), Default::default())?;
//! let mut written = Vec::new();
//! let summary = write_all(pool, &mut Printer::new(&mut written, task), &mut |_| ())?;
//! assert_eq!(summary.analyzed, 1);
//! assert!(String::from_utf8(written)?.starts_with(r#"{"id":"game:1","#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod folder;
pub mod form;
pub mod journal;
pub mod pool;
pub mod printer;
mod queue;
pub mod results;
pub mod task;

pub use folder::ResultFolder;
pub use form::Form;
pub use journal::{Earlier, JournalError, RunSettings};
pub use pool::{AnalysisJob, Done, DoneGames, Finished, Incoming, News, Pool, Progress};
pub use printer::Printer;
pub use results::{BatchError, Results, Summary, Telling, write_all};
pub use task::{Task, Written};
