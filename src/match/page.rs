//! The report of a tournament.

use std::path::Path;

use chuhe_arena::config::SystemKind;
use chuhe_arena::journal::{Act, JournalError, OrganiserAct};
use chuhe_arena::pgn::result;
use chuhe_arena::stats::{EloModel, Estimate, Verdict, elo_of_score};
use chuhe_arena::summary::SprtSummary;
use chuhe_arena::systems::{CrossCell as Cell, PlaceRow};
use chuhe_arena::tournament::{PlayedEntry, Tournament};
use chuhe_files::{Existing, Log};
use chuhe_records::pgn;
use chuhe_report::page::GameView;
use chuhe_report::tournament::{
    self as report, Balance, CrossCell, CrossRow, CrossTable, EloBar, Fact, SprtPanel, SprtVerdict, StandingRow,
    Standings, TournamentPage,
};
use chuhe_report::{Column, Heading, Table};

use super::results::Results;
use super::show::Seen;
use super::text;
use crate::failure::Failure;

/// Games that the page holds at most, the last ones; about 3 kB each.
pub(super) const MOST_GAMES: usize = 1000;

/// What the page is made from.
pub(super) struct Page<'a> {
    /// How the games were played.
    pub(super) facts: Vec<Fact>,
    pub(super) tournament: &'a Tournament,
    pub(super) results: &'a Results<'a>,
    pub(super) seen: &'a Seen,
}

/// Writes the report, with the games of the given file.
pub(super) fn write_page(
    path: &Path,
    page: &Page<'_>,
    pgn: Option<&mut Log>,
    existing: Existing,
) -> Result<(), Failure> {
    let (games, games_left_out) = games(page, pgn)?;
    let summary = &page.results.summary;
    let report = TournamentPage {
        title: page.results.event.to_owned(),
        facts: facts(page),
        standings: all_standings(page),
        cross_tables: if summary.entrants.len() > 2 { vec![cross_table(page)] } else { Vec::new() },
        elo: elo(page),
        sprt: summary.sprt.iter().map(|test| sprt(test, page)).collect(),
        tables: rounds(page).into_iter().chain([pairings(page)]).collect(),
        terminations: Some(terminations(page)),
        engines: Some(engines(page)),
        acts: page.seen.acts.iter().map(|(at, act)| decision(*at, act, page.tournament)).collect(),
        games,
        games_left_out,
    };
    Ok(chuhe_files::write(path, report::render(&report).as_bytes(), existing)?)
}

/// The last games that count, and how many are left out. Their text is in the file, or has been seen.
fn games(page: &Page<'_>, mut pgn: Option<&mut Log>) -> Result<(Vec<GameView>, usize), Failure> {
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
            return Err(Failure::Data(format!("game {number} of the game file cannot be read")));
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

fn name(row: &PlaceRow, page: &Page<'_>) -> String {
    page.tournament.roster().name(row.entrant)
}

/// The whole table, then those of groups.
fn all_standings(page: &Page<'_>) -> Vec<Standings> {
    let summary = &page.results.summary;
    let mut all = vec![standings(String::new(), &summary.standings.rows, page)];
    let groups = (1..).zip(&summary.groups);
    all.extend(groups.map(|(number, group)| standings(format!("group {number}"), &group.rows, page)));
    all
}

fn standings(title: String, rows: &[PlaceRow], page: &Page<'_>) -> Standings {
    let columns = text::StandingsColumns::of(rows);
    let row = |row: &PlaceRow| StandingRow {
        place: text::place(row),
        name: name(row, page),
        points: row.points.to_string(),
        games: row.games,
        won_drawn_lost: row.won_drawn_lost,
        more: columns.cells(row),
    };
    Standings {
        title,
        more: columns.headings().into_iter().map(|(chinese, english)| Heading::new(chinese, english)).collect(),
        rows: rows.iter().map(row).collect(),
    }
}

fn cross_table(page: &Page<'_>) -> CrossTable {
    let cell = |cell: &Cell| match cell {
        Cell::Own => CrossCell::Own,
        Cell::Games(marks) if marks.is_empty() => CrossCell::Empty,
        Cell::Games(marks) => {
            let [won, drawn, lost] = text::count(marks);
            let balance = match won.cmp(&lost) {
                std::cmp::Ordering::Greater => Balance::Ahead,
                std::cmp::Ordering::Equal => Balance::Level,
                std::cmp::Ordering::Less => Balance::Behind,
            };
            let points = chuhe_arena::Points::from_halves(2 * won + drawn).to_string();
            CrossCell::Met { marks: marks.clone(), points, balance }
        }
    };
    let rows = page.results.summary.cross_table.rows.iter().map(|row| CrossRow {
        place: text::place(&row.standing),
        name: name(&row.standing, page),
        points: row.standing.points.to_string(),
        cells: row.cells.iter().map(cell).collect(),
    });
    CrossTable { title: String::new(), rows: rows.collect() }
}

/// A match has one difference; of more engines each has a strength against the field.
fn elo(page: &Page<'_>) -> Vec<EloBar> {
    let summary = &page.results.summary;
    let bar = |name: String, estimate: &Estimate| EloBar {
        name,
        elo: estimate.elo.unwrap_or_else(|| elo_of_score(estimate.score)),
        low: estimate.elo_low.unwrap_or(f64::NEG_INFINITY),
        high: estimate.elo_high.unwrap_or(f64::INFINITY),
        games: estimate.games,
        los: Some(estimate.superiority),
    };
    if let [pairing] = &summary.pairings[..] {
        let name = format!("{} – {}", pairing.first, pairing.second);
        return pairing.estimate.iter().map(|estimate| bar(name.clone(), estimate)).collect();
    }
    let known = summary.engines.iter().filter_map(|engine| Some((engine, engine.against_field.as_ref()?)));
    let mut bars: Vec<EloBar> = known.map(|(engine, estimate)| bar(engine.name.clone(), estimate)).collect();
    bars.sort_by(|a, b| b.elo.total_cmp(&a.elo));
    bars
}

fn sprt(test: &SprtSummary, page: &Page<'_>) -> SprtPanel {
    let SprtSummary { test: sprt, state } = test;
    let model = match sprt.model() {
        EloModel::Logistic => "logistic",
        EloModel::Normalized => "normalised",
    };
    SprtPanel {
        contest: page.tournament.roster().engines().join(" – "),
        model: model.to_owned(),
        elo0: sprt.elo0(),
        elo1: sprt.elo1(),
        llr: state.llr,
        lower: state.lower,
        upper: state.upper,
        verdict: match state.verdict {
            Verdict::Continue => SprtVerdict::Undecided,
            Verdict::AcceptH0 => SprtVerdict::AcceptsH0,
            Verdict::AcceptH1 => SprtVerdict::AcceptsH1,
        },
        history: page.seen.ratios.clone(),
    }
}

/// What was announced and what came of it; a match has no rounds.
fn rounds(page: &Page<'_>) -> Option<Table> {
    let summary = &page.results.summary;
    if summary.rounds.is_empty() {
        return None;
    }
    Some(Table {
        title: Heading::new("轮次", "Rounds"),
        columns: vec![
            Column::words("轮次", "Round"),
            Column::numbers("台次", "Table"),
            Column::words("先走", "First"),
            Column::words("后走", "Second"),
            Column::words("局分", "Points"),
            Column::words("各局", "Games of the first"),
        ],
        rows: text::round_lines(summary),
        note: text::qualified(summary).unwrap_or_default(),
    })
}

fn pairings(page: &Page<'_>) -> Table {
    let none = || text::NONE.to_owned();
    let rows = page.results.summary.pairings.iter().map(|pairing| {
        let [won, drawn, lost] = pairing.won_drawn_lost;
        let estimate = pairing.estimate.as_ref();
        vec![
            pairing.first.clone(),
            pairing.second.clone(),
            format!("+{won} ={drawn} -{lost}"),
            pairing.pairs.counts().map(|count| count.to_string()).join(" "),
            estimate.map_or_else(none, text::elo),
            estimate.map_or_else(none, |estimate| format!("{:.1} %", 100.0 * estimate.superiority)),
        ]
    });
    Table {
        title: Heading::new("两两成绩", "Pairings"),
        columns: vec![
            Column::words("引擎", "Engine"),
            Column::words("对手", "Opponent"),
            Column::words("胜和负", "Results"),
            Column::words("双局", "Pairs"),
            Column::numbers("等级分差", "Elo"),
            Column::numbers("优势概率", "LOS"),
        ],
        rows: rows.collect(),
        note: "Pairs: games on one opening with colours reversed that gave 0, ½, 1, 1½ and 2 points.".to_owned(),
    }
}

fn terminations(page: &Page<'_>) -> Table {
    let rows = page.results.summary.terminations.iter().map(|(why, count)| vec![why.to_string(), count.to_string()]);
    Table {
        title: Heading::new("终局原因", "How games ended"),
        columns: vec![Column::words("原因", "Reason"), Column::numbers("局数", "Games")],
        rows: rows.collect(),
        note: String::new(),
    }
}

fn engines(page: &Page<'_>) -> Table {
    let number =
        |value: Option<f64>, digits: usize| value.map_or(text::NONE.to_owned(), |value| format!("{value:.digits$}"));
    let rows = page.results.summary.engines.iter().map(|engine| {
        vec![
            engine.name.clone(),
            engine.games.to_string(),
            number(engine.mean_time_ms, 1),
            number(engine.mean_depth, 1),
            number(engine.nodes_per_second, 0),
            number(engine.cpu_per_second, 2),
            engine.oversteps.to_string(),
            format!("{:.0}", engine.overstep_max_ms),
            text::faults(engine),
        ]
    });
    Table {
        title: Heading::new("引擎", "Engines"),
        columns: vec![
            Column::words("引擎", "Engine"),
            Column::numbers("局数", "Games"),
            Column::numbers("每步毫秒", "ms/move"),
            Column::numbers("深度", "Depth"),
            Column::numbers("每秒结点", "Nodes/s"),
            Column::numbers("处理器/秒", "CPU/s"),
            Column::numbers("超时步数", "Oversteps"),
            Column::numbers("最多毫秒", "Largest ms"),
            Column::words("故障", "Faults"),
        ],
        rows: rows.collect(),
        note: page.results.summary.warnings.join(". "),
    }
}

fn decision(at: u64, act: &OrganiserAct, tournament: &Tournament) -> report::Act {
    report::Act { when: utc(at), what: decision_text(&act.act, tournament), reason: act.reason.clone() }
}

/// What was decided, in words.
pub(super) fn decision_text(act: &Act, tournament: &Tournament) -> String {
    let roster = tournament.roster();
    match *act {
        Act::Correct { game, outcome } => format!("game {game} is {}", outcome.score_text()),
        Act::ForfeitGame { game, entrant } => format!("{} forfeits game {game}", roster.name(entrant)),
        Act::ForfeitRound { stage, round, entrant } => {
            let stage = if stage == 1 { String::new() } else { format!(" of stage {stage}") };
            format!("{} forfeits what it has left of round {round}{stage}", roster.name(entrant))
        }
        Act::Withdraw { entrant, before_start } => {
            let when = if before_start { " before the start" } else { "" };
            format!("{} withdraws{when}", roster.name(entrant))
        }
        Act::Replay { game } => format!("game {game} is played again"),
    }
}

/// A time as `2026-11-29 23:57 UTC`.
fn utc(milliseconds: u64) -> String {
    let seconds = i64::try_from(milliseconds / 1000).unwrap_or(0);
    time::OffsetDateTime::from_unix_timestamp(seconds).map_or_else(
        |_| String::new(),
        |at| {
            let (hour, minute, _) = at.to_hms();
            let (year, month, day) = at.to_calendar_date();
            format!("{year}-{:02}-{day:02} {hour:02}:{minute:02} UTC", u8::from(month))
        },
    )
}
