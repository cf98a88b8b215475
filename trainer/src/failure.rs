//! How a command fails, and which exit code and message that makes.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use chuhe_eval::network::NetworkError;
use chuhe_files::WriteError;
use chuhe_trainer::data::game::GameFileError;
use chuhe_trainer::data::labelled::DataError;
use chuhe_trainer::progress::RunError;
use chuhe_trainer::training::dataset::LoadError;
use chuhe_trainer::training::quantise::QuantiseError;
use chuhe_trainer::training::run::TrainingError;
use chuhe_trainer::training::trainer::TrainerError;

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
    #[error(transparent)]
    Run(#[from] RunError),
    /// Game files cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A network cannot be trained.
    #[error(transparent)]
    Training(#[from] TrainingError),
    /// A trainer cannot be set up.
    #[error(transparent)]
    Trainer(#[from] TrainerError),
    /// A network cannot be written in integers.
    #[error("network: {0}")]
    Quantise(#[from] QuantiseError),
    /// A file is no network.
    #[error("{}: {source}", path.display())]
    Network {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: NetworkError,
    },
    /// The record of a run cannot be written as text.
    #[error("run record: {0}")]
    Record(#[from] toml::ser::Error),
    /// A recipe cannot be read.
    #[error("{}: {message}", path.display())]
    Recipe {
        /// Its file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// A file cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Faults have been found and told.
    #[error("{0}")]
    Faults(String),
    /// A run was interrupted before it came to its end.
    #[error("interrupted: {0}")]
    Interrupted(String),
    /// A file cannot be written.
    #[error(transparent)]
    Unwritable(#[from] WriteError),
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
    /// 1 for a fault in the data, 130 for an interrupt as shells have it, 2 for everything else.
    fn exit_code(&self) -> u8 {
        match self {
            Failure::Interrupted(_) => 130,
            Failure::Faults(_) | Failure::Training(TrainingError::NoData) => 1,
            Failure::Load(error) if error.is_data_fault() => 1,
            Failure::Data(error) if error.is_data_fault() => 1,
            Failure::GameFile { error, .. } if error.is_data_fault() => 1,
            Failure::Run(error) if error.is_data_fault() => 1,
            _ => 2,
        }
    }

    /// Prints the line the user is to see, and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        say(&self.to_string());
        ExitCode::from(self.exit_code())
    }
}

/// Tells the user something on standard error, which may be closed: one line, whatever it quotes.
pub(crate) fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{}", chuhe_text::printable(line));
}
