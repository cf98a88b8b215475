//! How a command fails, and which exit code and message that makes.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use chuhe_engine::HashRefused;
use chuhe_files::WriteError;
use chuhe_text::printable;

use crate::paths::readable;
use crate::platform::is_closed_pipe;

/// What every subcommand returns.
pub(crate) type CommandResult = Result<(), Failure>;

/// Why a command did not do its work.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input data have a fault (exit code 1).
    Data(String),
    /// The arguments are wrong (exit code 2).
    Usage(String),
    /// A file that the command needs cannot be read or used (exit code 2).
    Input(String),
    /// Files of games could not be read, each of which has been named when it was met (exit code 2).
    Unreadable,
    /// A file cannot be written, or is there already and may not be replaced (exit code 2).
    File(String),
    /// The system lacks memory or threads, or an engine does not work (exit code 2).
    Resources(String),
    /// Somebody has asked for an end before the work was done (exit code 2).
    Interrupted(String),
    /// The results cannot be written to standard output (exit code 2). A reader that has gone away (`chuhe … | head`) is no
    /// fault.
    Output(io::Error),
}

impl Failure {
    /// A file that cannot be read.
    pub(crate) fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> Failure {
        move |error| Failure::Input(format!("cannot read {}: {error}", readable(path)))
    }

    /// Prints the one line the user is to see, and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        let (message, code) = match self {
            Failure::Data(message) => (message, 1),
            Failure::Usage(message)
            | Failure::Input(message)
            | Failure::File(message)
            | Failure::Resources(message)
            | Failure::Interrupted(message) => (message, 2),
            Failure::Unreadable => return ExitCode::from(2),
            Failure::Output(error) if is_closed_pipe(&error) => return ExitCode::SUCCESS,
            Failure::Output(error) => (format!("cannot write the results: {error}"), 2),
        };
        say(&message);
        ExitCode::from(code)
    }
}

impl From<io::Error> for Failure {
    /// For the `?` of writing results; an unreadable file is a [`Failure::Input`] that names it.
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

impl From<HashRefused> for Failure {
    fn from(refused: HashRefused) -> Failure {
        Failure::Resources(format!("--hash: no memory for {} MiB", refused.requested_mib))
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Failure {
        Failure::File(match &error {
            WriteError::Exists { path } => {
                format!("{} already exists (--overwrite replaces it)", readable(path))
            }
            _ => error.to_string(),
        })
    }
}

/// Tells the user something on standard error, which may itself be closed: one line, whatever the message quotes.
pub(crate) fn say(message: &str) {
    let _ = writeln!(io::stderr(), "chuhe: {}", printable(message));
}
