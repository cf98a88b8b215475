//! Gauntlet: a few entrants against all others.

use serde::{Deserialize, Serialize};

use super::cross_table::CrossTable;
use super::ledger::Ledger;
use super::round_robin::plan_of_schedule;
use super::standings::{Criterion, Standings, rank};
use super::{Encounter, EntrantId, Format, History, Next, System, SystemError, check_entrants};

/// The first entrants of the list meet each of the others, and nobody else.
///
/// The articles do not know it; it is a part of a round robin and counts like one.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gauntlet {
    entrants: usize,
    challengers: usize,
    format: Format,
}

impl Gauntlet {
    /// A gauntlet of the first `challengers` entrants.
    ///
    /// # Errors
    /// Without a challenger or without an opponent, or with an empty format.
    pub fn new(entrants: usize, challengers: usize, format: Format) -> Result<Gauntlet, SystemError> {
        check_entrants(entrants, 2)?;
        format.check()?;
        if !(1..entrants).contains(&challengers) {
            return Err(SystemError::Setting {
                what: "the number of challengers",
                found: challengers,
                least: 1,
                most: entrants - 1,
            });
        }
        Ok(Gauntlet { entrants, challengers, format })
    }

    /// Each round every challenger meets the next opponent; Red changes from round to round and from challenger to
    /// challenger.
    fn schedule(&self, history: &History) -> Vec<Encounter> {
        let opponents = self.entrants - self.challengers;
        let mut encounters = Vec::new();
        for round in 0..opponents.max(self.challengers) {
            let mut table = 0;
            for place in 0..opponents.min(self.challengers) {
                // The longer side stands still, the shorter one moves along it.
                let (challenger, opponent) = if opponents >= self.challengers {
                    (place, (place + round) % opponents)
                } else {
                    ((place + round) % self.challengers, place)
                };
                let challenger = EntrantId(challenger as u16 + 1);
                let opponent = EntrantId((self.challengers + opponent) as u16 + 1);
                if history.left_before_start(challenger) || history.left_before_start(opponent) {
                    continue;
                }
                table += 1;
                let (first, second) =
                    if (round + place) % 2 == 0 { (challenger, opponent) } else { (opponent, challenger) };
                encounters.push(Encounter { stage: 1, round: round as u16 + 1, table, first, second });
            }
        }
        encounters
    }

    fn read(&self, history: &History) -> Result<Ledger, SystemError> {
        let mut ledger = Ledger::of_schedule(self.entrants, self.format, &self.schedule(history), history)?;
        ledger.byes.clear();
        Ok(ledger)
    }

    fn criteria(&self) -> &'static [Criterion] {
        if self.format.is_team() { Criterion::TEAM_ROUND_ROBIN } else { Criterion::ROUND_ROBIN }
    }
}

impl System for Gauntlet {
    fn entrants(&self) -> usize {
        self.entrants
    }

    fn next(&self, history: &History) -> Result<Next, SystemError> {
        Ok(plan_of_schedule(&self.read(history)?, &[]))
    }

    fn standings(&self, history: &History) -> Result<Standings, SystemError> {
        Ok(rank(&self.read(history)?, self.criteria()))
    }

    fn cross_table(&self, history: &History) -> Result<CrossTable, SystemError> {
        let ledger = self.read(history)?;
        Ok(CrossTable::new(&ledger, rank(&ledger, self.criteria())))
    }
}
