//! Running counts: memory does not grow with the number of games.

use std::collections::BTreeMap;

use chuhe_client::player::FaultKind;
use chuhe_movegen::Color;

use super::roster::EngineId;
use crate::journal::{FinishedGame, Usage};
use crate::played::Termination;
use crate::stats::{MatchTally, PairHalf, Sprt, SprtState, Verdict};

/// Pairs before a sequential test may decide: the ratio of a handful of pairs rests on what stands for the results not
/// seen yet.
const LEAST_PAIRS: u64 = 20;

/// Games between two engines, the first of the list of engines first.
pub type Pairing = (EngineId, EngineId);

/// How engines did against each other.
#[derive(Clone, Debug, Default)]
pub struct Meetings {
    tallies: BTreeMap<Pairing, MatchTally>,
}

impl Meetings {
    /// Counts a game; one without a result on the board, and one of an engine against itself, say nothing.
    pub(super) fn add(&mut self, red: EngineId, black: EngineId, opening: u64, outcome: crate::Outcome) {
        let (pairing, side, half) = match red.cmp(&black) {
            std::cmp::Ordering::Less => ((red, black), Color::Red, PairHalf::First),
            std::cmp::Ordering::Greater => ((black, red), Color::Black, PairHalf::Reversed),
            std::cmp::Ordering::Equal => return,
        };
        let Some(score) = outcome.score(side) else { return };
        let tally = self.tallies.entry(pairing).or_default();
        if tally.add(opening, half, score).is_err() {
            tally.add_single(score);
        }
    }

    /// The games of each two engines that met, from the first one's view.
    #[must_use]
    pub fn tallies(&self) -> &BTreeMap<Pairing, MatchTally> {
        &self.tallies
    }
}

/// A sequential test and what it has decided.
#[derive(Clone, Debug)]
pub struct SequentialTest {
    sprt: Sprt,
    decided: Option<Verdict>,
}

impl SequentialTest {
    /// A test without any results.
    #[must_use]
    pub const fn new(sprt: Sprt) -> SequentialTest {
        SequentialTest { sprt, decided: None }
    }

    /// The test.
    #[must_use]
    pub const fn sprt(&self) -> &Sprt {
        &self.sprt
    }

    /// What was decided; games that were in progress then and counted later do not change it.
    #[must_use]
    pub const fn decided(&self) -> Option<Verdict> {
        self.decided
    }

    /// Where it stands.
    #[must_use]
    pub fn state(&self, tally: &MatchTally) -> SprtState {
        let state = self.sprt.judge(tally.pairs());
        SprtState { verdict: self.decided.unwrap_or(Verdict::Continue), ..state }
    }

    /// Looks at the results once more.
    pub(super) fn look(&mut self, tally: &MatchTally) {
        if self.decided.is_none() && tally.pairs().samples() >= LEAST_PAIRS {
            let verdict = self.sprt.judge(tally.pairs()).verdict;
            self.decided = (verdict != Verdict::Continue).then_some(verdict);
        }
    }

    pub(super) fn forget(&mut self) {
        self.decided = None;
    }
}

/// What one engine did, over all its games.
#[derive(Clone, Debug, Default)]
pub struct Conduct {
    /// Games played.
    pub games: u64,
    /// Moves, time, depth, nodes, oversteps and processor time in all.
    pub usage: Total,
    /// Games decided by a failure of this engine, by its kind.
    pub failures: BTreeMap<Termination, u64>,
    /// Faults that did not decide a game, by kind.
    pub minor_faults: BTreeMap<FaultKind, u64>,
}

/// Sums of [`Usage`].
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Total {
    /// Moves.
    pub moves: u64,
    /// Time for them.
    pub time_ms: f64,
    /// Moves with a depth told, and the sum of these depths.
    pub depths: [u64; 2],
    /// Positions searched.
    pub nodes: u64,
    /// Time of the moves with nodes told.
    pub nodes_time_ms: f64,
    /// Moves beyond the time allowed.
    pub oversteps: u64,
    /// The largest excess.
    pub overstep_max_ms: f64,
    /// Processor time, and the thinking time of the games in which it was measured.
    pub cpu_s: f64,
    /// See [`cpu_s`](Self::cpu_s).
    pub cpu_time_ms: f64,
}

impl Total {
    fn add(&mut self, usage: &Usage) {
        self.moves += u64::from(usage.moves);
        self.time_ms += usage.time_ms;
        self.depths[0] += usage.depths[0];
        self.depths[1] += usage.depths[1];
        self.nodes += usage.nodes;
        self.nodes_time_ms += usage.nodes_time_ms;
        self.oversteps += u64::from(usage.oversteps);
        self.overstep_max_ms = self.overstep_max_ms.max(usage.overstep_max_ms);
        if let Some(cpu_s) = usage.cpu_s {
            self.cpu_s += cpu_s;
            self.cpu_time_ms += usage.time_ms;
        }
    }

    /// Mean depth, where any was told.
    #[must_use]
    pub fn mean_depth(&self) -> Option<f64> {
        let [moves, sum] = self.depths;
        (moves > 0).then(|| sum as f64 / moves as f64)
    }

    /// Positions a second, where any were told.
    #[must_use]
    pub fn nodes_per_second(&self) -> Option<f64> {
        (self.nodes_time_ms > 0.0).then(|| self.nodes as f64 / (self.nodes_time_ms / 1e3))
    }

    /// Mean time for a move.
    #[must_use]
    pub fn mean_time_ms(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.time_ms / self.moves as f64)
    }

    /// Processor seconds for each second of its own thinking.
    #[must_use]
    pub fn cpu_per_second(&self) -> Option<f64> {
        (self.cpu_time_ms > 0.0).then(|| self.cpu_s / (self.cpu_time_ms / 1e3))
    }
}

impl Conduct {
    pub(super) fn add(&mut self, game: &FinishedGame, side: Color) {
        self.games += 1;
        self.usage.add(&game.report.usage[side as usize]);
        for fault in game.report.minor_faults.iter().filter(|fault| fault.side == side) {
            *self.minor_faults.entry(fault.fault.kind).or_default() += 1;
        }
        let lost = game.report.outcome.points(side) == crate::Points::ZERO;
        if game.report.termination.is_failure() && lost {
            *self.failures.entry(game.report.termination).or_default() += 1;
        }
    }
}
