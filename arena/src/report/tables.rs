//! What a tournament came to as the tables of its report, made once for page and text.

use chuhe_report::tournament::{
    CrossCell, CrossRow, CrossTable, Difference, EloBar, Pairing, SprtPanel, SprtVerdict, Standings, TournamentReport,
};
use chuhe_report::{Column, ColumnKind, Heading, Table};

use crate::stats::{EloModel, Estimate, Verdict, elo_of_score};
use crate::summary::{EngineSummary, PairingSummary, RoundSummary, SprtSummary, Summary};
use crate::systems::{Criterion, CrossCell as Cell, EntrantId, PlaceRow};

/// Stands where there is no value.
const NONE: &str = "-";

/// Marks of an encounter that are shown one by one.
const MARKS_SHOWN: usize = 8;

/// Everything that the summary tells.
pub(super) fn report(title: &str, summary: &Summary) -> TournamentReport {
    let has_field = summary.entrants.len() > 2;
    let groups = (1..).zip(&summary.groups).map(|(number, group)| (format!("group {number}"), &group.rows));
    let all_standings = std::iter::once((String::new(), &summary.standings.rows)).chain(groups);
    TournamentReport {
        title: title.to_owned(),
        standings: all_standings.map(|(stage, rows)| Standings { stage, table: standings(rows, summary) }).collect(),
        qualified: summary.qualified.iter().map(|entrant| name(*entrant, summary)).collect(),
        cross_tables: if has_field { vec![cross_table(summary)] } else { Vec::new() },
        elo: elo_bars(summary),
        sprt: summary.sprt.iter().map(|test| sprt(test, summary)).collect(),
        rounds: (!summary.rounds.is_empty()).then(|| rounds(summary)),
        pairings: summary.pairings.iter().map(pairing).collect(),
        terminations: summary.terminations.iter().map(|(why, count)| (why.to_string(), *count)).collect(),
        engines: Some(engines(&summary.engines, has_field)),
        warnings: summary.warnings.clone(),
        ..TournamentReport::default()
    }
}

fn name(entrant: EntrantId, summary: &Summary) -> String {
    let index = usize::from(entrant.number()).checked_sub(1);
    index.and_then(|i| summary.entrants.get(i)).cloned().unwrap_or_else(|| entrant.to_string())
}

/// A place; those who are not ranked have none.
fn place(row: &PlaceRow) -> String {
    if row.unranked { NONE.to_owned() } else { row.place.to_string() }
}

/// The standings, with the columns that this system has.
fn standings(rows: &[PlaceRow], summary: &Summary) -> Table {
    let has_matches = rows.iter().any(|row| row.matches.is_some());
    let has_byes = rows.iter().any(|row| row.byes > 0);
    // Those of any line: in finals others count than in groups.
    let mut criteria: Vec<Criterion> = Vec::new();
    for (kind, _) in rows.iter().flat_map(|row| &row.criteria) {
        if !criteria.contains(kind) {
            criteria.push(*kind);
        }
    }
    let columns = [
        Column::new("名次", "Place", ColumnKind::Places),
        Column::new("棋手", "Name", ColumnKind::Names),
        Column::new("积分", "Points", ColumnKind::Points),
        Column::numbers("局", "Games"),
        Column::numbers("胜", "Won"),
        Column::numbers("和", "Drawn"),
        Column::numbers("负", "Lost"),
    ];
    let matches = has_matches.then(|| Column::words("场次胜和负", "matches +=-"));
    let byes = has_byes.then(|| Column::numbers("轮空", "byes"));
    let cells = |row: &PlaceRow| -> Vec<String> {
        let none = || NONE.to_owned();
        let value = |wanted: &Criterion| {
            let found = row.criteria.iter().find(|(kind, _)| kind == wanted);
            found.map_or_else(none, |(_, value)| value.to_string())
        };
        let counts = row.won_drawn_lost.map(|count| count.to_string());
        let matches = || row.matches.map_or_else(none, |[won, drawn, lost]| format!("+{won} ={drawn} -{lost}"));
        [place(row), name(row.entrant, summary), row.points.to_string(), row.games.to_string()]
            .into_iter()
            .chain(counts)
            .chain(has_matches.then(matches))
            .chain(has_byes.then(|| row.byes.to_string()))
            .chain(criteria.iter().map(value))
            .collect()
    };
    Table {
        columns: columns.into_iter().chain(matches).chain(byes).chain(criteria.iter().map(criterion)).collect(),
        rows: rows.iter().map(cells).collect(),
        ..Table::default()
    }
}

fn criterion(criterion: &Criterion) -> Column {
    let (chinese, english) = match criterion {
        Criterion::SmallScore => ("小分", "small"),
        Criterion::OpponentScore => ("对手分", "opponents"),
        Criterion::Wins => ("胜局", "wins"),
        Criterion::DirectEncounter => ("直胜", "direct"),
        Criterion::Fouls => ("犯规", "fouls"),
        Criterion::BoardPoints => ("局分", "boards"),
        Criterion::MatchWins => ("胜场", "matches won"),
    };
    Column::numbers(chinese, english)
}

/// What was announced and what came of it: encounters, and those who were free.
fn rounds(summary: &Summary) -> Table {
    let has_groups = !summary.groups.is_empty();
    let number = |round: &RoundSummary| match (has_groups, round.stage) {
        (false, _) => round.round.to_string(),
        (true, 1) => format!("groups {}", round.round),
        (true, _) => format!("finals {}", round.round),
    };
    let mut rows = Vec::new();
    for round in &summary.rounds {
        for encounter in &round.encounters {
            let open = if encounter.complete { "" } else { " (open)" };
            let [first, second] = encounter.points;
            let is_short = encounter.marks.chars().count() <= MARKS_SHOWN;
            rows.push(vec![
                number(round),
                encounter.table.to_string(),
                encounter.first.clone(),
                encounter.second.clone(),
                format!("{first} : {second}{open}"),
                if is_short { encounter.marks.clone() } else { NONE.to_owned() },
            ]);
        }
        for name in &round.byes {
            let none = NONE.to_owned();
            rows.push(vec![number(round), none.clone(), name.clone(), "bye".to_owned(), none.clone(), none]);
        }
    }
    let kind = if has_groups { ColumnKind::Words } else { ColumnKind::Numbers };
    Table {
        title: Heading::new("轮次", "Rounds"),
        columns: vec![
            Column::new("轮次", "Round", kind),
            Column::numbers("台次", "Table"),
            Column::words("先走", "First"),
            Column::words("后走", "Second"),
            Column::words("局分", "Points"),
            Column::words("各局", "Games of the first"),
        ],
        rows,
        note: String::new(),
    }
}

fn cross_table(summary: &Summary) -> CrossTable {
    let cell = |cell: &Cell| match cell {
        Cell::Own => CrossCell::Own,
        Cell::Games(marks) if marks.is_empty() => CrossCell::Empty,
        Cell::Games(marks) => CrossCell::Met { marks: marks.clone(), won_drawn_lost: count(marks) },
    };
    let rows = summary.cross_table.rows.iter().map(|row| CrossRow {
        place: place(&row.standing),
        name: name(row.standing.entrant, summary),
        points: row.standing.points.to_string(),
        cells: row.cells.iter().map(cell).collect(),
    });
    CrossTable { title: String::new(), rows: rows.collect() }
}

/// Games won, drawn and lost by their marks.
fn count(marks: &str) -> [u32; 3] {
    let of = |wanted: &[char]| marks.chars().filter(|mark| wanted.contains(mark)).count() as u32;
    [of(&['1', '+']), of(&['½']), of(&['0', '-'])]
}

fn pairing(pairing: &PairingSummary) -> Pairing {
    let difference = pairing.estimate.as_ref().map(|estimate| Difference {
        elo: elo(estimate),
        normalised: estimate
            .normalized_elo
            .zip(estimate.normalized_elo_error)
            .map_or_else(String::new, |(elo, error)| format!("{} ± {error:.1}", signed(elo))),
        los: estimate.superiority,
    });
    Pairing {
        first: pairing.first.clone(),
        second: pairing.second.clone(),
        won_drawn_lost: pairing.won_drawn_lost,
        pairs: *pairing.pairs.counts(),
        difference,
    }
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
        (None, Some(low), _) => format!("all won, at least {}", signed(low)),
        (None, None, Some(high)) => format!("all lost, at most {}", signed(high)),
        (None, None, None) => "unknown".to_owned(),
    }
}

/// A match has one difference; of more engines each has a strength against the field.
fn elo_bars(summary: &Summary) -> Vec<EloBar> {
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

/// A sequential test, without its course.
fn sprt(test: &SprtSummary, summary: &Summary) -> SprtPanel {
    let SprtSummary { test: sprt, state } = test;
    let model = match sprt.model() {
        EloModel::Logistic => "logistic",
        EloModel::Normalized => "normalised",
    };
    let names: Vec<&str> = summary.engines.iter().map(|engine| engine.name.as_str()).collect();
    SprtPanel {
        contest: names.join(" – "),
        test: sprt.to_string(),
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
        history: Vec::new(),
    }
}

/// How the engines behaved; of more than two also their strength against all others together.
fn engines(engines: &[EngineSummary], has_field: bool) -> Table {
    let number = |value: Option<f64>, digits: usize| value.map_or(NONE.to_owned(), |value| format!("{value:.digits$}"));
    let field = |engine: &EngineSummary| engine.against_field.as_ref().map_or(NONE.to_owned(), elo);
    let row = |engine: &EngineSummary| -> Vec<String> {
        let more = [
            number(engine.mean_time_ms, 1),
            number(engine.mean_depth, 1),
            number(engine.nodes_per_second, 0),
            number(engine.cpu_per_second, 2),
            engine.oversteps.to_string(),
            format!("{:.0}", engine.overstep_max_ms),
            faults(engine),
        ];
        let first = [engine.name.clone(), engine.games.to_string()].into_iter();
        first.chain(has_field.then(|| field(engine))).chain(more).collect()
    };
    let first = [Column::words("引擎", "Engine"), Column::numbers("局数", "Games")].into_iter();
    let more = [
        Column::numbers("每步毫秒", "ms/move"),
        Column::numbers("深度", "Depth"),
        Column::numbers("每秒结点", "Nodes/s"),
        Column::numbers("处理器/秒", "CPU/s"),
        Column::numbers("超时步数", "Oversteps"),
        Column::numbers("最多毫秒", "Largest ms"),
        Column::words("故障", "Faults"),
    ];
    let field = has_field.then(|| Column::numbers("对全体等级分", "Elo against the field"));
    Table {
        title: Heading::new("引擎", "Engines"),
        columns: first.chain(field).chain(more).collect(),
        rows: engines.iter().map(row).collect(),
        note: String::new(),
    }
}

/// An engine's faults by kind, those that lost games first.
fn faults(engine: &EngineSummary) -> String {
    let lost = engine.failures.iter().map(|(kind, count)| format!("{count} {kind}"));
    let minor = engine.minor_faults.iter().map(|(kind, count)| format!("{count} {kind} (minor)"));
    let all: Vec<String> = lost.chain(minor).collect();
    if all.is_empty() { "none".to_owned() } else { all.join(", ") }
}
