//! What is shown while a tournament is played.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use chuhe_arena::journal::{Entry, Event, FinishedGame, OrganiserAct, milliseconds};
use chuhe_arena::tournament::{Observer, Tournament};
use chuhe_text::printable;
use indicatif::ProgressBar;
use serde::Serialize;

use super::page::{MOST_GAMES, decision_text};
use super::{tables, text};
use crate::failure::say;
use crate::format::Format;
use crate::progress;
use crate::screen::for_stdout;

/// How often the running score is worked out anew.
const REFRESH: Duration = Duration::from_millis(500);
/// Ratios of a sequential test that are kept at most.
const RATIOS_KEPT: usize = 2000;

/// What must be remembered for the report.
#[derive(Default)]
pub(super) struct Seen {
    /// Decisions with their time in milliseconds since 1970.
    pub(super) acts: Vec<(u64, OrganiserAct)>,
    /// The ratio of the sequential test after each pair, thinned out.
    pub(super) ratios: Vec<f64>,
    /// The last games of this run as PGN, by number, if they are not in a file.
    pub(super) games: BTreeMap<u32, String>,
}

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
    /// Every so many pairs the ratio is kept.
    stride: u64,
    pairs: u64,
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
        Show {
            format,
            bar,
            refreshed: None,
            keeps_games,
            keeping,
            muted: None,
            seen: Seen::default(),
            stride: 1,
            pairs: 0,
        }
    }

    /// An event of the journal that is gone through again.
    pub(super) fn replayed(&mut self, tournament: &Tournament, entry: &Entry) {
        match &entry.event {
            Event::Act(act) => self.seen.acts.push((entry.at, act.clone())),
            Event::Game(_) => self.keep_ratio(tournament),
            _ => {}
        }
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

    fn keep_ratio(&mut self, tournament: &Tournament) {
        let Some(test) = tournament.test() else { return };
        let Some(tally) = tournament.meetings().tallies().values().next() else { return };
        let pairs = tally.pairs().samples();
        if pairs <= self.pairs || !pairs.is_multiple_of(self.stride) {
            return;
        }
        self.pairs = pairs;
        self.seen.ratios.push(test.state(tally).llr);
        if self.seen.ratios.len() > RATIOS_KEPT {
            let mut index = 0;
            self.seen.ratios.retain(|_| {
                index += 1;
                index % 2 == 0
            });
            self.stride *= 2;
        }
    }

    /// A line of JSON or text on standard output, above the bar.
    fn line<T: Serialize>(
        &self,
        kind: &'static str,
        what: &T,
        text: impl FnOnce(&mut io::StdoutLock<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        if self.muted.is_some() {
            return Ok(());
        }
        self.bar.suspend(|| {
            let mut out = io::stdout().lock();
            match self.format {
                Format::Json => {
                    out.write_all(&for_stdout(&serde_json::to_vec(&Tagged { r#type: kind, what })?))?;
                    writeln!(out)?;
                }
                Format::Text => text(&mut out)?,
            }
            out.flush()
        })
    }
}

impl Observer for Show {
    fn game_over(&mut self, tournament: &Tournament, game: &FinishedGame, pgn: &str) -> io::Result<()> {
        if self.keeps_games {
            self.seen.games.insert(game.number, pgn.to_owned());
            if self.seen.games.len() > MOST_GAMES {
                self.seen.games.pop_first();
            }
        }
        self.keep_ratio(tournament);
        if let Err(error) = self.line("game", game, |out| text::game(out, game)) {
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
                self.seen.acts.push((milliseconds(std::time::SystemTime::now()), act.clone()));
                // If it cannot be shown now, the next game tells so.
                let said = decision_text(&act.act, tournament);
                let _ = self.line("act", act, |out| {
                    writeln!(out, "organiser: {}", printable(&format!("{said} ({})", act.reason)))
                });
            }
            Err(problem) => self.note(&format!("a decision of the organiser is rejected: {problem}")),
        }
    }

    fn note(&mut self, text: &str) {
        self.bar.suspend(|| say(text));
    }
}

/// The score on one line.
fn running_score(tournament: &Tournament) -> String {
    let roster = tournament.roster();
    let mut parts = Vec::new();
    if let Ok(standings) = tournament.course().standings(tournament.history()) {
        let leaders = standings.rows.iter().take(4);
        parts.extend(leaders.map(|row| format!("{} {}", roster.name(row.entrant), row.points)));
    }
    let mut line = parts.join(", ");
    let tallies = tournament.meetings().tallies();
    if let (1, Some(tally)) = (tallies.len(), tallies.values().next()) {
        if let Some(estimate) = tally.estimate() {
            line.push_str(&format!(", Elo of {} {}", roster.engines()[0], tables::elo(&estimate)));
        }
        if let Some(test) = tournament.test() {
            let state = test.state(tally);
            line.push_str(&format!(", LLR {:.2} ({:.2}, {:.2})", state.llr, state.lower, state.upper));
        }
    }
    line
}
