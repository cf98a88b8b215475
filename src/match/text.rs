//! Results as text.

use std::io::{self, Write};

use chuhe_arena::journal::FinishedGame;
use chuhe_report::tournament;
use chuhe_text::printable;

use super::results::Results;
use super::tables;

/// One game on one line.
pub(super) fn game(out: &mut impl Write, game: &FinishedGame) -> io::Result<()> {
    let FinishedGame { number, red, black, report, .. } = game;
    let result = report.outcome.score_text();
    let line = format!("{red} - {black} {result} {}, {} plies: {}", report.termination, report.plies, report.reason);
    writeln!(out, "{number}: {}", printable(&line))
}

/// Everything that there is to say.
pub(super) fn results(out: &mut impl Write, results: &Results<'_>) -> io::Result<()> {
    let Results { event, system, summary, .. } = results;
    let state = if results.finished { "" } else { ", not finished" };
    writeln!(out, "\n{} ({}), {} games{state}", printable(event), system.name(), summary.games)?;
    out.write_all(tournament::to_text(&tables::report(event, summary)).as_bytes())
}
