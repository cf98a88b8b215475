//! What is shown while a tournament is played.

use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use chuhe_arena::journal::{Entry, FinishedGame, OrganiserAct, milliseconds};
use chuhe_arena::report::{Results, Seen, decision_text, game_line, running_score};
use chuhe_arena::tournament::{Observer, Tournament};
use chuhe_text::printable;
use indicatif::ProgressBar;
use serde::Serialize;

use crate::failure::{CommandResult, say};
use crate::format::Format;
use crate::progress;
use crate::screen::write_json;

/// How often the running score is worked out anew.
const REFRESH: Duration = Duration::from_millis(500);

/// Whether what is played outlives the output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Keeping {
    /// In a journal, a file of games or a report: a run goes on when nobody can see it any more.
    Files,
    /// Nowhere: such a run is of no use.
    Nothing,
}

/// Shows games as they end, and a running score on a terminal.
pub(super) struct Show {
    format: Format,
    bar: ProgressBar,
    refreshed: Option<Instant>,
    keeps_games: bool,
    keeping: Keeping,
    /// Why nothing is shown any more.
    muted: Option<io::Error>,
    seen: Seen,
}

/// A line of JSON.
#[derive(Serialize)]
struct Tagged<'a, T> {
    r#type: &'static str,
    #[serde(flatten)]
    what: &'a T,
}

impl Show {
    pub(super) fn new(format: Format, tournament: &Tournament, keeps_games: bool, keeping: Keeping) -> Show {
        let template = "{pos}/{len} {elapsed} (about {eta} to go) {wide_msg}";
        let bar = progress::bar(Some(tournament.games_known()), template, true);
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_secs(1));
        }
        Show { format, bar, refreshed: None, keeps_games, keeping, muted: None, seen: Seen::default() }
    }

    /// An event of the journal that is gone through again.
    pub(super) fn replayed(&mut self, tournament: &Tournament, entry: &Entry) {
        self.seen.entry(tournament, entry);
        self.bar.set_position(tournament.history().games.len() as u64);
        self.bar.reset_eta();
    }

    /// The end: what was seen, and why not all of it could be shown.
    pub(super) fn close(self) -> (Seen, Option<io::Error>) {
        self.bar.finish_and_clear();
        (self.seen, self.muted)
    }

    /// Goes on in silence when the output is lost and files keep the games.
    fn mute(&mut self, error: io::Error) -> io::Result<()> {
        if self.keeping == Keeping::Nothing {
            return Err(error);
        }
        self.note(&format!("standard output is lost ({error}); the run continues and writes its files"));
        self.muted = Some(error);
        Ok(())
    }

    /// A line of JSON or text on standard output, above the bar.
    fn line<T: Serialize>(&self, kind: &'static str, what: &T, text: impl FnOnce() -> String) -> io::Result<()> {
        if self.muted.is_some() {
            return Ok(());
        }
        self.bar.suspend(|| {
            let mut out = io::stdout().lock();
            match self.format {
                Format::Json => write_json(&mut out, &Tagged { r#type: kind, what })?,
                Format::Text => writeln!(out, "{}", text())?,
            }
            out.flush()
        })
    }
}

impl Observer for Show {
    fn game_over(&mut self, tournament: &Tournament, game: &FinishedGame, pgn: &str) -> io::Result<()> {
        if self.keeps_games {
            self.seen.game(game.number, pgn);
        }
        self.seen.ratio(tournament);
        if let Err(error) = self.line("game", game, || game_line(game)) {
            self.mute(error)?;
        }
        if !self.bar.is_hidden() {
            self.bar.set_length(tournament.games_known());
            self.bar.set_position(tournament.history().games.len() as u64);
            if self.refreshed.is_none_or(|at| at.elapsed() >= REFRESH) {
                self.bar.set_message(running_score(tournament));
                self.refreshed = Some(Instant::now());
            }
        }
        Ok(())
    }

    fn act(&mut self, tournament: &Tournament, act: &OrganiserAct, result: Result<(), String>) {
        match result {
            Ok(()) => {
                self.seen.act(milliseconds(std::time::SystemTime::now()), act.clone());
                // If it cannot be shown now, the next game tells so.
                let said = decision_text(&act.act, tournament);
                let _ =
                    self.line("act", act, || printable(&format!("organiser: {said} ({})", act.reason)).into_owned());
            }
            Err(problem) => self.note(&format!("a decision of the organiser is rejected: {problem}")),
        }
    }

    fn note(&mut self, text: &str) {
        self.bar.suspend(|| say(text));
    }
}

/// Prints results.
pub(super) fn print(results: &Results<'_>, format: Format) -> CommandResult {
    let mut out = io::stdout().lock();
    match format {
        Format::Text => out.write_all(results.to_text().as_bytes())?,
        Format::Json => write_json(&mut out, results)?,
    }
    out.flush()?;
    Ok(())
}
