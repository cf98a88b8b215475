//! Standard output as a screen. Text for people is fit to be shown wherever it is written; formats of games and of data keep
//! what others wrote as it is, unless they are written straight to a terminal.

use std::borrow::Cow;
use std::io::{self, IsTerminal as _};
use std::sync::LazyLock;

use chuhe_text::printable_bytes;
use serde::Serialize;

/// Bytes for standard output: on a terminal blanks stand for what would not show itself but control the terminal.
pub(crate) fn for_stdout(bytes: &[u8]) -> Cow<'_, [u8]> {
    static IS_TERMINAL: LazyLock<bool> = LazyLock::new(|| io::stdout().is_terminal());
    if *IS_TERMINAL { printable_bytes(bytes) } else { Cow::Borrowed(bytes) }
}

/// Writes a value as a line of JSON to standard output.
pub(crate) fn write_json(out: &mut impl io::Write, value: &impl Serialize) -> io::Result<()> {
    out.write_all(&for_stdout(&serde_json::to_vec(value)?))?;
    writeln!(out)
}

/// Standard output, each write passed through [`for_stdout`].
pub(crate) struct Screen;

impl io::Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        io::stdout().write_all(&for_stdout(bytes))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush()
    }
}
