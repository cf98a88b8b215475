//! How the programs of this workspace keep files.
//!
//! | | for | promise |
//! |---|---|---|
//! | [`WholeFile`], [`write()`] | results | the file is there whole, or as it was before; what exists is kept unless it is to be replaced |
//! | [`make_folder`] | folders of results | what killed programs left unfinished is removed |
//! | [`Log`] | what happens, record by record | one writer; a record that could not be written whole is taken back |
//! | [`read`], [`read_text`] | files that others made | never more bytes than a limit |
//!
//! ```
//! use chuhe_files::{Existing, WriteError, write};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("game.pgn");
//! write(&path, b"1. h2e2", Existing::Keep)?;
//! assert!(matches!(write(&path, b"*", Existing::Keep), Err(WriteError::Exists { .. })));
//! write(&path, b"*", Existing::Replace)?;
//! assert_eq!(chuhe_files::read(&path, 100)?, b"*");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod folder;
mod limited;
mod log;
mod whole;

pub use folder::make_folder;
pub use limited::{read, read_text};
pub use log::{Durability, Log, LogError, whole_lines};
pub use whole::{Existing, WholeFile, WriteError, is_unfinished, write};
