//! Round robin (大循环制, article 11.2) by Berger tables.

use serde::{Deserialize, Serialize};

use super::cross_table::CrossTable;
use super::ledger::Ledger;
use super::standings::{Criterion, Standings, rank};
use super::{
    Bye, Encounter, EntrantId, Format, History, Next, Plan, System, SystemError, all_entrants, check_entrants,
};

/// How often everyone meets everyone.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cycles {
    /// Once.
    Single,
    /// Twice, with colours exchanged.
    Double,
}

/// The pairs of a round of a Berger table, Red first, numbers from 1. With an odd number of entrants the one paired with
/// `entrants + 1` is free. Empty when there is no such round.
///
/// These are the tables of the FIDE Handbook, C.05 annex 1: the last number alternates colours, the others move round
/// by half a turn.
#[must_use]
pub fn berger_round(entrants: u16, round: u16) -> Vec<(u16, u16)> {
    let n = entrants + entrants % 2;
    if n < 2 || round == 0 || round >= n {
        return Vec::new();
    }
    let pivot = if round % 2 == 1 { round.div_ceil(2) } else { n / 2 + round / 2 };
    let around = |steps: u16| (pivot - 1 + steps) % (n - 1) + 1;
    let mut pairs = vec![if round % 2 == 1 { (pivot, n) } else { (n, pivot) }];
    pairs.extend((1..n / 2).map(|i| (around(i), around(n - 1 - i))));
    pairs
}

/// Everyone meets everyone.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundRobin {
    pub(super) entrants: usize,
    pub(super) cycles: Cycles,
    pub(super) format: Format,
}

impl RoundRobin {
    /// A round robin.
    ///
    /// # Errors
    /// With fewer than two entrants, or an empty format.
    pub fn new(entrants: usize, cycles: Cycles, format: Format) -> Result<RoundRobin, SystemError> {
        check_entrants(entrants, 2)?;
        format.check()?;
        Ok(RoundRobin { entrants, cycles, format })
    }

    /// All encounters and byes, known before the start.
    ///
    /// When somebody leaves before the start and an even number remain, these draw anew (article 20.2), which saves the
    /// byes; when an odd number remain, the place of whoever left is the bye, and the table stays.
    fn schedule(&self, history: &History) -> (Vec<Encounter>, Vec<Bye>) {
        let present: Vec<EntrantId> =
            all_entrants(self.entrants).filter(|entrant| !history.left_before_start(*entrant)).collect();
        let seats: Vec<EntrantId> =
            if present.len().is_multiple_of(2) { present.clone() } else { all_entrants(self.entrants).collect() };
        let seat =
            |number: u16| seats.get(usize::from(number) - 1).copied().filter(|entrant| present.contains(entrant));
        let count = seats.len() as u16;
        let rounds = (count + count % 2).saturating_sub(1);
        let mut encounters = Vec::new();
        let mut byes = Vec::new();
        let cycles = if self.cycles == Cycles::Double { 2 } else { 1 };
        for (cycle, round) in (0..cycles).flat_map(|cycle| (1..=rounds).map(move |round| (cycle, round))) {
            let mut table = 0;
            for (red, black) in berger_round(count, round) {
                let round = cycle * rounds + round;
                match (seat(red), seat(black)) {
                    (Some(red), Some(black)) => {
                        table += 1;
                        let (first, second) = if cycle == 0 { (red, black) } else { (black, red) };
                        encounters.push(Encounter { stage: 1, round, table, first, second });
                    }
                    (Some(entrant), None) | (None, Some(entrant)) => byes.push(Bye { stage: 1, round, entrant }),
                    (None, None) => {}
                }
            }
        }
        (encounters, byes)
    }

    fn read(&self, history: &History) -> Result<(Ledger, Vec<Bye>), SystemError> {
        let (encounters, byes) = self.schedule(history);
        let mut ledger = Ledger::of_schedule(self.entrants, self.format, &encounters, history)?;
        // Everyone is free equally often: it gives nothing.
        ledger.byes.clear();
        Ok((ledger, byes))
    }

    fn criteria(&self) -> &'static [Criterion] {
        if self.format.is_team() { Criterion::TEAM_ROUND_ROBIN } else { Criterion::ROUND_ROBIN }
    }
}

/// The plan of a system whose encounters are all known: every game still open, and the byes of its rounds.
pub(super) fn plan_of_schedule(ledger: &Ledger, byes: &[Bye]) -> Next {
    let games: Vec<_> = ledger.open_games().collect();
    if games.is_empty() {
        return Next::Finished;
    }
    let byes = byes.iter().copied().filter(|bye| games.iter().any(|slot| slot.encounter.round == bye.round)).collect();
    Next::Play(Plan { games, byes, qualified: Vec::new() })
}

impl System for RoundRobin {
    fn entrants(&self) -> usize {
        self.entrants
    }

    fn next(&self, history: &History) -> Result<Next, SystemError> {
        let (ledger, byes) = self.read(history)?;
        Ok(plan_of_schedule(&ledger, &byes))
    }

    fn standings(&self, history: &History) -> Result<Standings, SystemError> {
        Ok(rank(&self.read(history)?.0, self.criteria()))
    }

    fn cross_table(&self, history: &History) -> Result<CrossTable, SystemError> {
        let (ledger, _) = self.read(history)?;
        Ok(CrossTable::new(&ledger, rank(&ledger, self.criteria())))
    }
}
