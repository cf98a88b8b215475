//! The page of a tournament.

use std::path::Path;

use chuhe_files::{Existing, Log};
use chuhe_records::pgn;
use chuhe_report::Fact;
use chuhe_report::page::GameView;
use chuhe_report::tournament as report;
use time::OffsetDateTime;
use time::macros::format_description;

use super::{ReportError, Results, Seen, decision_text, tables};
use crate::config::SystemKind;
use crate::journal::{JournalError, OrganiserAct};
use crate::pgn::result;
use crate::tournament::{PlayedEntry, Tournament};

/// Games that the page holds at most, the last ones; about 3 kB each.
pub const MOST_GAMES: usize = 1000;

/// What the page is made from.
pub struct Page<'a> {
    /// How the games were played.
    pub facts: Vec<Fact>,
    /// The tournament.
    pub tournament: &'a Tournament,
    /// What it came to.
    pub results: &'a Results<'a>,
    /// What was remembered for the page.
    pub seen: &'a Seen,
}

/// Writes the page, with the games of the given file.
///
/// # Errors
/// [`ReportError`] when a game of the file cannot be read, or the page cannot be written.
pub fn write_page(path: &Path, page: &Page<'_>, pgn: Option<&mut Log>, existing: Existing) -> Result<(), ReportError> {
    let mut report = tables::report(page.results.event, &page.results.summary);
    report.facts = facts(page);
    for panel in &mut report.sprt {
        panel.history.clone_from(&page.seen.ratios);
    }
    report.acts = page.seen.acts.iter().map(|(at, act)| decision(*at, act, page.tournament)).collect();
    (report.games, report.games_left_out) = games(page, pgn)?;
    Ok(chuhe_files::write(path, report::render(&report).as_bytes(), existing)?)
}

/// The last games that count, and how many are left out. Their text is in the file, or has been seen.
fn games(page: &Page<'_>, mut pgn: Option<&mut Log>) -> Result<(Vec<GameView>, usize), ReportError> {
    let tournament = page.tournament;
    let counting: Vec<(u32, &PlayedEntry)> = (1..).zip(tournament.played()).filter(|(_, entry)| entry.counts).collect();
    let first = counting.len().saturating_sub(MOST_GAMES);
    let mut games = Vec::with_capacity(counting.len() - first);
    for (number, entry) in &counting[first..] {
        let text = match (&mut pgn, entry.pgn) {
            (Some(file), Some(span)) => file.read(span.range()).map_err(JournalError::from)?,
            _ => match page.seen.games.get(number) {
                Some(text) => text.clone().into_bytes(),
                // One of a run before.
                None => continue,
            },
        };
        let Some(Ok(record)) = pgn::Reader::new(&text[..]).next() else {
            return Err(ReportError::Unreadable { game: *number });
        };
        let mut view = GameView::from(&record);
        // The file has games as they were played; what the organiser made of them is in the journal.
        if let Some(now) = tournament.result(&entry.slot).map(|record| record.outcome)
            && result(now) != record.result
        {
            view.result = result(now);
            view.reason = format!("corrected by the organiser from {}; {}", record.result, view.reason);
        }
        games.push(view);
    }
    let left_out = counting.len() - games.len();
    Ok((games, left_out))
}

fn facts(page: &Page<'_>) -> Vec<Fact> {
    let mut facts = vec![Fact::new("赛制", "System", system(page.results.system))];
    facts.extend(page.facts.iter().cloned());
    let state = if page.results.finished { "" } else { ", not finished" };
    facts.push(Fact::new("局数", "Games", format!("{}{state}", page.results.summary.games)));
    facts
}

fn system(kind: SystemKind) -> String {
    let chinese = match kind {
        SystemKind::Match => "对抗赛",
        SystemKind::RoundRobin => "单循环",
        SystemKind::DoubleRoundRobin => "双循环",
        SystemKind::Gauntlet => "擂台赛",
        SystemKind::KnockOut => "淘汰制",
        SystemKind::DoubleKnockOut => "双败淘汰制",
        SystemKind::Groups => "分组循环制",
        SystemKind::Swiss => "积分编排制",
    };
    format!("{chinese} {}", kind.name())
}

fn decision(at: u64, act: &OrganiserAct, tournament: &Tournament) -> report::Act {
    report::Act { when: utc(at), what: decision_text(&act.act, tournament), reason: act.reason.clone() }
}

/// A time as `2026-11-29 23:57 UTC`.
fn utc(milliseconds: u64) -> String {
    let shape = format_description!("[year]-[month]-[day] [hour]:[minute] UTC");
    let seconds = i64::try_from(milliseconds / 1000).unwrap_or(0);
    let at = OffsetDateTime::from_unix_timestamp(seconds).ok().and_then(|at| at.format(shape).ok());
    at.unwrap_or_default()
}
