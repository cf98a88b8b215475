//! The engine's end of the pipe: a session in UCCI or UCI over any reader and writer.
//!
//! Three threads share the work, so that none ever waits for another: one reads and parses lines, one owns the engine
//! and does everything that may take long, and the calling thread runs the state machine between them. All of them
//! print through one writer, a line at a time.
//!
//! ```no_run
//! use std::io::{self, BufReader};
//!
//! chuhe_uci::run(BufReader::new(io::stdin()), io::stdout(), chuhe_uci::SessionConfig::default())?;
//! # io::Result::Ok(())
//! ```

#![forbid(unsafe_code)]

mod books;
mod decision;
mod go;
mod log_file;
mod options;
mod output;
mod paths;
mod perft;
mod position;
mod probe;
mod reader;
mod reporter;
mod score;
mod session;
mod settings;
mod worker;

pub use reader::MAX_LINE_LEN;
pub use session::{SessionConfig, run};
