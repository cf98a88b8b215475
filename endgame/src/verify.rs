//! Checking tables by looking one move ahead.
//!
//! Every position of a table is compared with the table's own answers for the positions that its legal moves lead to
//! (the Bellman equations), with boards and moves of `movegen` alone: nothing of what built the table is used but the
//! numbering. A table that satisfies them everywhere, with distances, is right.

use std::sync::atomic::{AtomicU64, Ordering};

use chuhe_movegen::{Board, Color};
use rayon::prelude::*;

use crate::file::Counts;
use crate::layout::Layout;
use crate::material::Class;
use crate::table::MissingClass;
use crate::tables::{Probe, Tables};
use crate::value::Value;

/// Placements that are looked at together.
const CHUNK: u64 = 1 << 12;

/// At most so many faults are told.
const MAX_FAULTS: usize = 10;

/// How much of a table to look at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// Every position.
    Full,
    /// So many placements, chosen by a fixed pseudo-random sequence.
    Sample(u32),
}

/// A position in which a table contradicts itself.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{fen}: the table says {stated}, its moves say {derived}")]
pub struct Fault {
    /// The position.
    pub fen: String,
    /// What the table says.
    pub stated: String,
    /// What follows from the positions one move ahead.
    pub derived: String,
}

/// What a check has found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Positions looked at.
    pub positions: u64,
    /// How many of them are wrong.
    pub wrong: u64,
    /// Some of these.
    pub faults: Vec<Fault>,
    /// Whether the numbers of positions are those that the file states. Not looked at in a sample.
    pub counts_agree: bool,
}

impl Report {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.wrong == 0 && self.counts_agree
    }

    fn join(mut self, other: Report) -> Report {
        self.positions += other.positions;
        self.wrong += other.wrong;
        self.faults.extend(other.faults);
        self.faults.truncate(MAX_FAULTS);
        self.counts_agree &= other.counts_agree;
        self
    }
}

/// A pseudo-random number for each number (the finaliser of SplitMix64).
fn scramble(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Checks the table of a class. `progress` is told of placements looked at, from several threads.
///
/// Without distances, only values can be checked, and a ring of wrong ones that support each other would pass. Whether a
/// position is drawn or left to the rules of repetition cannot be seen one move ahead.
///
/// # Errors
/// [`MissingClass`] if there is no table of the class, or none of one that it converts into.
pub fn verify(
    tables: &Tables,
    class: Class,
    extent: Extent,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Report, MissingClass> {
    let missing = |missing| MissingClass { class, missing };
    let info = tables.info(class).ok_or_else(|| missing(class))?;
    for conversion in class.conversions() {
        tables.info(conversion).ok_or_else(|| missing(conversion))?;
    }
    let layout = Layout::new(class).map_err(|_| missing(class))?;
    let size = u64::from(layout.size());
    let looks = match extent {
        Extent::Full => size,
        Extent::Sample(count) => u64::from(count),
    };
    let totals: [[AtomicU64; 4]; Color::NUM] = Default::default();
    let mut report = (0..looks.div_ceil(CHUNK))
        .into_par_iter()
        .map(|chunk| {
            let mut report = Report { counts_agree: true, ..Report::default() };
            let mut counts = [Counts::default(); Color::NUM];
            let range = chunk * CHUNK..looks.min((chunk + 1) * CHUNK);
            progress(range.end - range.start);
            for look in range {
                let index = if extent == Extent::Full { look } else { scramble(look) % size };
                let placement = layout.placement(index as u32);
                if layout.index(&placement).index != index as u32 {
                    continue;
                }
                for side in Color::ALL {
                    let Some(board) = layout.board(&placement, side) else { continue };
                    let value = check(tables, &board, &mut report);
                    count(&mut counts[side.index()], value);
                }
            }
            for (totals, counts) in totals.iter().zip(counts) {
                for (total, count) in totals.iter().zip([counts.legal, counts.wins, counts.losses, counts.rules_decide])
                {
                    total.fetch_add(u64::from(count), Ordering::Relaxed);
                }
            }
            report
        })
        .reduce(|| Report { counts_agree: true, ..Report::default() }, Report::join);
    if extent == Extent::Full {
        let counts = totals.map(|totals| totals.map(AtomicU64::into_inner));
        let stated =
            info.counts.map(|counts| [counts.legal, counts.wins, counts.losses, counts.rules_decide].map(u64::from));
        report.counts_agree = counts == stated;
    }
    Ok(report)
}

fn count(counts: &mut Counts, value: Option<Value>) {
    counts.legal += 1;
    match value {
        Some(Value::Win) => counts.wins += 1,
        Some(Value::Loss) => counts.losses += 1,
        Some(Value::RulesDecide) => counts.rules_decide += 1,
        Some(Value::Draw) | None => {}
    }
}

/// What a table says, as far as it can be checked by looking ahead.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// Decided, with the plies where they are known.
    Decided(Value, Option<u16>),
    Open,
    Unknown,
}

impl Outcome {
    fn of(probe: Option<Probe>) -> Outcome {
        match probe {
            None => Outcome::Unknown,
            Some(Probe { value: value @ (Value::Win | Value::Loss), plies, .. }) => Outcome::Decided(value, plies),
            Some(_) => Outcome::Open,
        }
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Outcome::Decided(value, plies) => {
                f.write_str(if *value == Value::Win { "won" } else { "lost" })?;
                plies.map_or(Ok(()), |plies| write!(f, " in {plies} plies"))
            }
            Outcome::Open => f.write_str("undecided"),
            Outcome::Unknown => f.write_str("nothing"),
        }
    }
}

/// Compares a position with those one move ahead, and gives its value.
fn check(tables: &Tables, board: &Board, report: &mut Report) -> Option<Value> {
    let probe = tables.probe(board);
    let mut stated = Outcome::of(probe);
    let mut derived = derive(tables, board);
    // Compare what both know.
    if let (Outcome::Decided(_, stated), Outcome::Decided(_, derived)) = (&mut stated, &mut derived)
        && (stated.is_none() || derived.is_none())
    {
        (*stated, *derived) = (None, None);
    }
    report.positions += 1;
    if stated != derived || stated == Outcome::Unknown {
        report.wrong += 1;
        if report.faults.len() < MAX_FAULTS {
            let fault = Fault { fen: board.to_fen(), stated: stated.to_string(), derived: derived.to_string() };
            report.faults.push(fault);
        }
    }
    probe.map(|probe| probe.value)
}

/// What the positions one move ahead say.
fn derive(tables: &Tables, board: &Board) -> Outcome {
    let (mut is_won, mut is_lost, mut is_known) = (false, true, true);
    let (mut soonest, mut latest) = (u16::MAX, 0);
    for mv in board.legal_moves() {
        match Outcome::of(tables.probe(&board.make(mv))) {
            Outcome::Unknown => return Outcome::Unknown,
            Outcome::Open => is_lost = false,
            Outcome::Decided(Value::Loss, plies) => {
                (is_won, is_lost) = (true, false);
                is_known &= plies.is_some();
                soonest = soonest.min(plies.unwrap_or(0) + 1);
            }
            Outcome::Decided(_, plies) => {
                is_known &= plies.is_some();
                latest = latest.max(plies.unwrap_or(0) + 1);
            }
        }
    }
    let plies = |plies| is_known.then_some(plies);
    match (is_won, is_lost) {
        (true, _) => Outcome::Decided(Value::Win, plies(soonest)),
        (_, true) => Outcome::Decided(Value::Loss, plies(latest)),
        _ => Outcome::Open,
    }
}
