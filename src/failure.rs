//! How a command fails, and which exit code and message that makes.

use std::io::{self, Write as _};
use std::process::ExitCode;

use chuhe_text::printable;

use crate::platform::is_closed_pipe;

/// What every subcommand returns.
pub(crate) type CommandResult = Result<(), Failure>;

/// Why a command did not do its work.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input data have a fault (exit code 1).
    Data(String),
    /// The arguments are wrong or a file cannot be read (exit code 2).
    Usage(String),
    /// Files could not be read, each of which has been named when it was met (exit code 2).
    Unreadable,
    /// The results cannot be written. A reader that has gone away (`chuhe … | head`) is no fault.
    Output(io::Error),
}

impl Failure {
    /// Prints the one line the user is to see, and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        let (message, code) = match self {
            Failure::Data(message) => (message, 1),
            Failure::Usage(message) => (message, 2),
            Failure::Unreadable => return ExitCode::from(2),
            Failure::Output(error) if is_closed_pipe(&error) => return ExitCode::SUCCESS,
            Failure::Output(error) => (format!("cannot write the results: {error}"), 2),
        };
        say(&message);
        ExitCode::from(code)
    }
}

impl From<io::Error> for Failure {
    /// For the `?` of writing results; an unreadable file is a [`Failure::Usage`] that names it.
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

/// Tells the user something on standard error, which may itself be closed: one line, whatever the message quotes.
pub(crate) fn say(message: &str) {
    let _ = writeln!(io::stderr(), "chuhe: {}", printable(message));
}
