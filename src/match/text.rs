//! Results as text.

use std::io::{self, Write};

use chuhe_arena::journal::FinishedGame;
use chuhe_arena::stats::Estimate;
use chuhe_arena::summary::{EngineSummary, PairingSummary, SprtSummary, Summary};
use chuhe_arena::systems::{Criterion, CrossCell, CrossTable, PlaceRow};

use unicode_width::UnicodeWidthStr;

use super::results::{Results, verdict_text};

/// Stands where there is no value.
pub(super) const NONE: &str = "-";

/// Marks of a cell of the cross table that are shown one by one.
const MARKS_SHOWN: usize = 8;

/// One game on one line.
pub(super) fn game(out: &mut impl Write, game: &FinishedGame) -> io::Result<()> {
    let FinishedGame { number, red, black, report, .. } = game;
    let result = report.outcome.score_text();
    writeln!(
        out,
        "{number}: {red} - {black} {result} {}, {} plies: {}",
        report.termination, report.plies, report.reason
    )
}

/// Everything that there is to say.
pub(super) fn results(out: &mut impl Write, results: &Results<'_>) -> io::Result<()> {
    let summary = &results.summary;
    let state = if results.finished { "" } else { ", not finished" };
    writeln!(out, "\n{} ({}), {} games{state}", results.event, results.system.name(), summary.games)?;
    standings(out, &summary.standings.rows, &summary.entrants)?;
    for (number, group) in (1..).zip(&summary.groups) {
        writeln!(out, "\ngroup {number}")?;
        standings(out, &group.rows, &summary.entrants)?;
    }
    if let Some(qualified) = qualified(summary) {
        writeln!(out, "\n{qualified}")?;
    }
    rounds(out, summary)?;
    if summary.entrants.len() > 2 {
        cross_table(out, &summary.cross_table, &summary.entrants)?;
    }
    for pairing in &summary.pairings {
        self::pairing(out, pairing)?;
    }
    if let Some(test) = &summary.sprt {
        sprt(out, test)?;
    }
    engines(out, &summary.engines, summary.entrants.len() > 2)?;
    if !summary.terminations.is_empty() {
        let counts: Vec<String> = summary.terminations.iter().map(|(why, count)| format!("{count} {why}")).collect();
        writeln!(out, "\ngames ended by: {}", counts.join(", "))?;
    }
    for warning in &summary.warnings {
        writeln!(out, "warning: {warning}")?;
    }
    Ok(())
}

fn name(row: &PlaceRow, names: &[String]) -> String {
    let index = usize::from(row.entrant.number()).checked_sub(1);
    index.and_then(|i| names.get(i)).cloned().unwrap_or_else(|| row.entrant.to_string())
}

/// A place; those who are not ranked have none.
pub(super) fn place(row: &PlaceRow) -> String {
    if row.unranked { NONE.to_owned() } else { row.place.to_string() }
}

/// The name of a criterion.
pub(super) const fn criterion(criterion: Criterion) -> (&'static str, &'static str) {
    match criterion {
        Criterion::SmallScore => ("小分", "small"),
        Criterion::OpponentScore => ("对手分", "opponents"),
        Criterion::Wins => ("胜局", "wins"),
        Criterion::DirectEncounter => ("直胜", "direct"),
        Criterion::Fouls => ("犯规", "fouls"),
        Criterion::BoardPoints => ("局分", "boards"),
        Criterion::MatchWins => ("胜场", "matches won"),
    }
}

fn standings(out: &mut impl Write, rows: &[PlaceRow], names: &[String]) -> io::Result<()> {
    let mut table = vec![vec!["".to_owned(), "name".to_owned(), "points".to_owned(), "games".to_owned()]];
    table[0].extend(["won", "drawn", "lost"].map(str::to_owned));
    let columns = StandingsColumns::of(rows);
    table[0].extend(columns.headings().into_iter().map(|(_, english)| english.to_owned()));
    for row in rows {
        let mut cells = vec![place(row), name(row, names), row.points.to_string(), row.games.to_string()];
        cells.extend(row.won_drawn_lost.map(|count| count.to_string()));
        cells.extend(columns.cells(row));
        table.push(cells);
    }
    print_table(out, &table)
}

/// The columns of standings that not all systems have.
pub(super) struct StandingsColumns {
    matches: bool,
    byes: bool,
    /// Those of any line: in finals others count than in groups.
    criteria: Vec<Criterion>,
}

impl StandingsColumns {
    pub(super) fn of(rows: &[PlaceRow]) -> StandingsColumns {
        let mut criteria = Vec::new();
        for (kind, _) in rows.iter().flat_map(|row| &row.criteria) {
            if !criteria.contains(kind) {
                criteria.push(*kind);
            }
        }
        let matches = rows.iter().any(|row| row.matches.is_some());
        StandingsColumns { matches, byes: rows.iter().any(|row| row.byes > 0), criteria }
    }

    /// In Chinese and English.
    pub(super) fn headings(&self) -> Vec<(&'static str, &'static str)> {
        let matches = self.matches.then_some(("场次胜和负", "matches +=-"));
        let byes = self.byes.then_some(("轮空", "byes"));
        matches.into_iter().chain(byes).chain(self.criteria.iter().map(|kind| criterion(*kind))).collect()
    }

    /// The cells of a line.
    pub(super) fn cells(&self, row: &PlaceRow) -> Vec<String> {
        let none = || NONE.to_owned();
        let matches = || row.matches.map_or_else(none, |[won, drawn, lost]| format!("+{won} ={drawn} -{lost}"));
        let value = |wanted: &Criterion| {
            let found = row.criteria.iter().find(|(kind, _)| kind == wanted);
            found.map_or_else(none, |(_, value)| value.to_string())
        };
        let matches = self.matches.then(matches);
        let byes = self.byes.then(|| row.byes.to_string());
        matches.into_iter().chain(byes).chain(self.criteria.iter().map(value)).collect()
    }
}

/// Who reached the finals of groups.
pub(super) fn qualified(summary: &Summary) -> Option<String> {
    let name = |number: u16| usize::from(number).checked_sub(1).and_then(|i| summary.entrants.get(i));
    let names: Vec<&str> =
        summary.qualified.iter().filter_map(|entrant| name(entrant.number())).map(String::as_str).collect();
    (!names.is_empty()).then(|| format!("in the finals: {}", names.join(", ")))
}

/// Rounds by encounters and byes: round, table, the two, points, marks.
pub(super) fn round_lines(summary: &Summary) -> Vec<Vec<String>> {
    let mut lines = Vec::new();
    for round in &summary.rounds {
        let number = match (summary.groups.is_empty(), round.stage) {
            (true, _) => round.round.to_string(),
            (false, 1) => format!("groups {}", round.round),
            (false, _) => format!("finals {}", round.round),
        };
        for encounter in &round.encounters {
            let open = if encounter.complete { "" } else { " (open)" };
            let [first, second] = encounter.points;
            lines.push(vec![
                number.clone(),
                encounter.table.to_string(),
                encounter.first.clone(),
                encounter.second.clone(),
                format!("{first} : {second}{open}"),
                if encounter.marks.chars().count() <= MARKS_SHOWN { encounter.marks.clone() } else { NONE.to_owned() },
            ]);
        }
        for name in &round.byes {
            let none = NONE.to_owned();
            lines.push(vec![number.clone(), none.clone(), name.clone(), "bye".to_owned(), none.clone(), none]);
        }
    }
    lines
}

fn rounds(out: &mut impl Write, summary: &Summary) -> io::Result<()> {
    if summary.rounds.is_empty() {
        return Ok(());
    }
    let head = ["round", "table", "first", "second", "points", "games of the first"];
    let mut table = vec![head.map(str::to_owned).to_vec()];
    table.extend(round_lines(summary));
    writeln!(out)?;
    print_table(out, &table)
}

fn cross_table(out: &mut impl Write, cross: &CrossTable, names: &[String]) -> io::Result<()> {
    let mut head = vec!["".to_owned(), "name".to_owned()];
    head.extend((1..=cross.rows.len()).map(|line| line.to_string()));
    let mut table = vec![head];
    for (line, row) in cross.rows.iter().enumerate() {
        let mut cells = vec![(line + 1).to_string(), name(&row.standing, names)];
        cells.extend(row.cells.iter().map(|cell| match cell {
            CrossCell::Own => "*".to_owned(),
            CrossCell::Games(marks) if marks.chars().count() <= MARKS_SHOWN => marks.clone(),
            CrossCell::Games(marks) => {
                let [won, drawn, lost] = count(marks);
                format!("+{won}={drawn}-{lost}")
            }
        }));
        table.push(cells);
    }
    writeln!(out)?;
    print_table(out, &table)
}

/// Games won, drawn and lost by their marks.
pub(super) fn count(marks: &str) -> [u32; 3] {
    let of = |wanted: &[char]| marks.chars().filter(|mark| wanted.contains(mark)).count() as u32;
    [of(&['1', '+']), of(&['½']), of(&['0', '-'])]
}

/// A number with its sign; nothing is ever less than nothing.
fn signed(value: f64) -> String {
    let text = format!("{value:+.1}");
    if text == "-0.0" { "+0.0".to_owned() } else { text }
}

/// Elo with its error; the bound that there is when all games were won, or all lost.
pub(super) fn elo(estimate: &Estimate) -> String {
    match (estimate.elo.zip(estimate.elo_error), estimate.elo_low, estimate.elo_high) {
        (Some((elo, error)), ..) => format!("{} ± {error:.1}", signed(elo)),
        (None, Some(low), _) => format!("beyond measure (all won), at least {}", signed(low)),
        (None, None, Some(high)) => format!("beyond measure (all lost), at most {}", signed(high)),
        (None, None, None) => "unknown".to_owned(),
    }
}

fn pairing(out: &mut impl Write, pairing: &PairingSummary) -> io::Result<()> {
    let [won, drawn, lost] = pairing.won_drawn_lost;
    write!(out, "\n{} against {}: +{won} ={drawn} -{lost}", pairing.first, pairing.second)?;
    let Some(estimate) = &pairing.estimate else { return writeln!(out) };
    let games = (won + drawn + lost).max(1);
    writeln!(out, ", {:.1} %", 100.0 * (won as f64 + drawn as f64 / 2.0) / games as f64)?;
    write!(out, "  Elo {} (95 %)", elo(estimate))?;
    if let Some((normalized, error)) = estimate.normalized_elo.zip(estimate.normalized_elo_error) {
        write!(out, ", normalised {} ± {error:.1}", signed(normalized))?;
    }
    writeln!(out, ", likelihood of superiority {:.1} %", 100.0 * estimate.superiority)?;
    let [a, b, c, d, e] = pairing.pairs.counts();
    writeln!(out, "  pairs of 0, ½, 1, 1½, 2 points: {a} {b} {c} {d} {e}")
}

fn sprt(out: &mut impl Write, sprt: &SprtSummary) -> io::Result<()> {
    let state = &sprt.state;
    let (ratio, verdict) = (state.llr, verdict_text(state.verdict));
    writeln!(out, "  SPRT {}: LLR {ratio:.2} of {:.2} to {:.2}, {verdict}", sprt.test, state.lower, state.upper)
}

fn engines(out: &mut impl Write, engines: &[EngineSummary], with_field: bool) -> io::Result<()> {
    let number = |value: Option<f64>, digits: usize| value.map_or(NONE.to_owned(), |value| format!("{value:.digits$}"));
    let mut head = vec!["engine", "games"];
    if with_field {
        head.push("Elo against the field");
    }
    head.extend(["ms/move", "depth", "nodes/s", "cpu/s", "oversteps", "largest ms", "faults"]);
    let mut table = vec![head.into_iter().map(str::to_owned).collect::<Vec<_>>()];
    for engine in engines {
        let mut cells = vec![engine.name.clone(), engine.games.to_string()];
        if with_field {
            cells.push(engine.against_field.as_ref().map_or(NONE.to_owned(), elo));
        }
        cells.extend([
            number(engine.mean_time_ms, 1),
            number(engine.mean_depth, 1),
            number(engine.nodes_per_second, 0),
            number(engine.cpu_per_second, 2),
            engine.oversteps.to_string(),
            format!("{:.0}", engine.overstep_max_ms),
            faults(engine),
        ]);
        table.push(cells);
    }
    writeln!(out)?;
    print_table(out, &table)
}

/// An engine's faults by kind, those that lost games first.
pub(super) fn faults(engine: &EngineSummary) -> String {
    let lost = engine.failures.iter().map(|(kind, count)| format!("{count} {kind}"));
    let minor = engine.minor_faults.iter().map(|(kind, count)| format!("{count} {kind} (minor)"));
    let all: Vec<String> = lost.chain(minor).collect();
    if all.is_empty() { "none".to_owned() } else { all.join(", ") }
}

/// Prints lines of cells; the first line is the head. Numbers stand right, words left.
fn print_table(out: &mut impl Write, table: &[Vec<String>]) -> io::Result<()> {
    let columns = table.iter().map(Vec::len).max().unwrap_or(0);
    let cell = |row: &[String], i: usize| row.get(i).cloned().unwrap_or_default();
    let widths: Vec<usize> = (0..columns)
        .map(|i| table.iter().map(|row| UnicodeWidthStr::width(cell(row, i).as_str())).max().unwrap_or(0))
        .collect();
    let is_number = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || "+-.± ".contains(c));
    let right: Vec<bool> = (0..columns).map(|i| table.iter().skip(1).all(|row| is_number(&cell(row, i)))).collect();
    for row in table {
        let mut line = String::new();
        for i in 0..columns {
            let text = cell(row, i);
            let space = " ".repeat(widths[i].saturating_sub(UnicodeWidthStr::width(text.as_str())));
            if i > 0 {
                line.push_str("  ");
            }
            line.push_str(&if right[i] { format!("{space}{text}") } else { format!("{text}{space}") });
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
