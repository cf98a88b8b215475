//! What a tournament came to, for people and for programs.

use chuhe_report::tournament;
use chuhe_text::printable;
use serde::Serialize;

use super::{ReportError, tables};
use crate::config::SystemKind;
use crate::journal::FinishedGame;
use crate::summary::Summary;
use crate::tournament::Tournament;

/// A summary and whose it is; as JSON, what `chuhe match` prints.
#[derive(Serialize)]
pub struct Results<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    /// The name of the tournament.
    pub event: &'a str,
    /// Its system.
    pub system: SystemKind,
    /// Whether nothing is left to be played.
    pub finished: bool,
    /// Everything else.
    #[serde(flatten)]
    pub summary: Summary,
}

impl<'a> Results<'a> {
    /// The results so far.
    ///
    /// # Errors
    /// [`ReportError::History`] when the games cannot be those of the tournament.
    pub fn of(
        event: &'a str,
        system: SystemKind,
        tournament: &Tournament,
        finished: bool,
    ) -> Result<Results<'a>, ReportError> {
        let summary = Summary::of(tournament).map_err(|error| ReportError::History(error.to_string()))?;
        Ok(Results { kind: "summary", event, system, finished, summary })
    }

    /// Everything that there is to say, for a terminal.
    #[must_use]
    pub fn to_text(&self) -> String {
        let Results { event, system, summary, .. } = self;
        let state = if self.finished { "" } else { ", not finished" };
        let tables = tournament::to_text(&tables::report(event, summary));
        format!("\n{} ({}), {} games{state}\n{tables}", printable(event), system.name(), summary.games)
    }
}

/// One game on one line.
#[must_use]
pub fn game_line(game: &FinishedGame) -> String {
    let FinishedGame { number, red, black, report, .. } = game;
    let result = report.outcome.score_text();
    let line = format!("{red} - {black} {result} {}, {} plies: {}", report.termination, report.plies, report.reason);
    format!("{number}: {}", printable(&line))
}
