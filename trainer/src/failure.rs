//! How a command fails, and which exit code and message that makes.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use chuhe_trainer::data::game::GameFileError;
use chuhe_trainer::data::labelled::DataError;
use chuhe_trainer::progress::RunError;

/// What every subcommand returns.
pub(crate) type CommandResult = Result<(), Failure>;

/// Why a command did not do its work.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The data cannot be used.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A game file cannot be used.
    #[error("{}: {error}", path.display())]
    GameFile {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: GameFileError,
    },
    /// A run that fills a game file has failed.
    #[error("{}: {error}", path.display())]
    Run {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: RunError,
    },
    /// Faults have been found and told.
    #[error("{0}")]
    Faults(String),
    /// A file cannot be written.
    #[error("{}: {source}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The system has no threads to give.
    #[error("cannot start {threads} threads: {source}")]
    Threads {
        /// How many were asked for.
        threads: u16,
        /// What the system says.
        source: rayon::ThreadPoolBuildError,
    },
    /// The results cannot be written to standard output.
    #[error("cannot write the results: {0}")]
    Output(#[from] io::Error),
}

impl Failure {
    /// 1 for a fault in the data, 2 for everything else.
    fn exit_code(&self) -> u8 {
        match self {
            Failure::Faults(_) => 1,
            Failure::Data(error) if error.is_data_fault() => 1,
            Failure::GameFile { error, .. } if error.is_data_fault() => 1,
            Failure::Run { error, .. } if error.is_data_fault() => 1,
            _ => 2,
        }
    }

    /// Prints the line the user is to see, and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        say(&self.to_string());
        ExitCode::from(self.exit_code())
    }
}

/// Tells the user something on standard error, which may be closed.
pub(crate) fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
