//! What a tournament came to, for people and for programs.

use std::io::{self, Write as _};

use chuhe_arena::config::SystemKind;
use chuhe_arena::summary::Summary;
use chuhe_arena::tournament::Tournament;
use serde::Serialize;

use super::text;
use crate::failure::{CommandResult, Failure};
use crate::format::Format;
use crate::screen::for_stdout;

/// A summary and whose it is.
#[derive(Serialize)]
pub(super) struct Results<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    pub(super) event: &'a str,
    pub(super) system: SystemKind,
    /// Whether nothing is left to be played.
    pub(super) finished: bool,
    #[serde(flatten)]
    pub(super) summary: Summary,
}

impl<'a> Results<'a> {
    /// The results so far.
    pub(super) fn of(
        event: &'a str,
        system: SystemKind,
        tournament: &Tournament,
        finished: bool,
    ) -> Result<Results<'a>, Failure> {
        let summary = Summary::of(tournament).map_err(|error| Failure::Input(error.to_string()))?;
        Ok(Results { kind: "summary", event, system, finished, summary })
    }

    /// Prints them.
    pub(super) fn print(&self, format: Format) -> CommandResult {
        let mut out = io::stdout().lock();
        match format {
            Format::Text => text::results(&mut out, self)?,
            Format::Json => {
                out.write_all(&for_stdout(&serde_json::to_vec(self).map_err(io::Error::from)?))?;
                writeln!(out)?;
            }
        }
        out.flush()?;
        Ok(())
    }
}
