//! Groups with finals (分组循环制, article 11.3).

use serde::{Deserialize, Serialize};

use super::bracket::{KnockOut, KnockOutKind};
use super::cross_table::{CrossCell, CrossTable};
use super::round_robin::{Cycles, RoundRobin};
use super::standings::Standings;
use super::{
    Bye, Encounter, EntrantId, Format, GameRecord, GameSlot, History, Next, Plan, System, SystemError, Withdrawal,
    all_entrants, check_entrants,
};

/// What the qualified play.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum FinalStage {
    /// A round robin; games of the groups do not count in it.
    RoundRobin(Cycles),
    /// A knock-out.
    KnockOut {
        /// Single or double.
        kind: KnockOutKind,
        /// See [`KnockOut::new`].
        extra_games: u16,
        /// Draws the lots.
        seed: u64,
    },
}

/// Round robins in groups, whose best play for the first places.
///
/// The starting list is dealt to the groups to and fro (蛇形): with three groups 1, 2, 3, then 6, 5, 4. The best of each
/// group qualify; where a place is shared, the starting list decides who goes through (article 15.6 asks for a rule
/// fixed beforehand). In the finals the winners of the groups come first, then the seconds, and so on.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Groups {
    entrants: usize,
    groups: usize,
    qualify: usize,
    cycles: Cycles,
    finals: FinalStage,
    format: Format,
}

/// Some of the entrants, who play a system of their own.
struct Part {
    /// The stage in the whole tournament.
    stage: u16,
    members: Vec<EntrantId>,
    /// Tables before the part's own in each round.
    tables_before: u16,
    tables: u16,
}

impl Part {
    fn global(&self, local: EntrantId) -> EntrantId {
        local.index().and_then(|i| self.members.get(i)).copied().unwrap_or(local)
    }

    fn local(&self, global: EntrantId) -> Option<EntrantId> {
        self.members.iter().position(|member| *member == global).map(|i| EntrantId(i as u16 + 1))
    }

    fn global_encounter(&self, encounter: Encounter) -> Encounter {
        Encounter {
            stage: self.stage,
            table: encounter.table + self.tables_before,
            first: self.global(encounter.first),
            second: self.global(encounter.second),
            ..encounter
        }
    }

    /// The part's encounter, if it is one of this part's tables.
    fn local_encounter(&self, encounter: Encounter) -> Option<Result<Encounter, SystemError>> {
        let table = encounter.table.checked_sub(self.tables_before)?;
        if encounter.stage != self.stage || table == 0 || table > self.tables {
            return None;
        }
        Some(match (self.local(encounter.first), self.local(encounter.second)) {
            (Some(first), Some(second)) => Ok(Encounter { stage: 1, table, first, second, ..encounter }),
            _ => Err(SystemError::UnknownEncounter { encounter }),
        })
    }

    /// The history as the part's own system sees it.
    fn history(&self, history: &History) -> Result<History, SystemError> {
        let mut own = History::default();
        for encounter in &history.encounters {
            if let Some(encounter) = self.local_encounter(*encounter) {
                own.encounters.push(encounter?);
            }
        }
        for record in &history.games {
            if let Some(encounter) = self.local_encounter(record.slot.encounter) {
                own.games.push(GameRecord { slot: GameSlot { encounter: encounter?, ..record.slot }, ..*record });
            }
        }
        for withdrawal in &history.withdrawals {
            if let Some(entrant) = self.local(withdrawal.entrant) {
                own.withdrawals.push(Withdrawal { entrant, ..*withdrawal });
            }
        }
        Ok(own)
    }

    fn add_plan(&self, plan: Plan, whole: &mut Plan) {
        whole.games.extend(
            plan.games.into_iter().map(|slot| GameSlot { encounter: self.global_encounter(slot.encounter), ..slot }),
        );
        whole.byes.extend(plan.byes.into_iter().map(|bye| Bye {
            stage: self.stage,
            entrant: self.global(bye.entrant),
            ..bye
        }));
    }

    fn standings(&self, standings: Standings) -> Standings {
        let mut standings = standings;
        for row in &mut standings.rows {
            row.entrant = self.global(row.entrant);
        }
        standings
    }
}

impl Groups {
    /// A tournament of `groups` groups, from each of which the best `qualify` reach the finals.
    ///
    /// # Errors
    /// With fewer than two entrants in a group, when nobody or everybody would qualify, or with an empty format.
    pub fn new(
        entrants: usize,
        groups: usize,
        qualify: usize,
        cycles: Cycles,
        finals: FinalStage,
        format: Format,
    ) -> Result<Groups, SystemError> {
        check_entrants(entrants, 4)?;
        format.check()?;
        let setting = |what, found: usize, least, most| {
            if (least..=most).contains(&found) {
                Ok(())
            } else {
                Err(SystemError::Setting { what, found, least, most })
            }
        };
        setting("the number of groups, each of two entrants or more,", groups, 2, entrants / 2)?;
        setting("the number who qualify from each group", qualify, 1, entrants / groups - 1)?;
        let system = Groups { entrants, groups, qualify, cycles, finals, format };
        system.final_system(groups * qualify)?;
        Ok(system)
    }

    /// The groups in order, each a list of its members.
    #[must_use]
    pub fn members(&self) -> Vec<Vec<EntrantId>> {
        let mut members = vec![Vec::new(); self.groups];
        for (i, entrant) in all_entrants(self.entrants).enumerate() {
            let (row, column) = (i / self.groups, i % self.groups);
            members[if row % 2 == 0 { column } else { self.groups - 1 - column }].push(entrant);
        }
        members
    }

    fn parts(&self) -> Vec<(Part, RoundRobin)> {
        let mut tables_before = 0;
        self.members()
            .into_iter()
            .map(|members| {
                let system = RoundRobin { entrants: members.len(), cycles: self.cycles, format: self.format };
                let tables = members.len() as u16 / 2;
                let part = Part { stage: 1, members, tables_before, tables };
                tables_before += tables;
                (part, system)
            })
            .collect()
    }

    fn final_system(&self, finalists: usize) -> Result<Box<dyn System>, SystemError> {
        Ok(match self.finals {
            FinalStage::RoundRobin(cycles) => Box::new(RoundRobin::new(finalists, cycles, self.format)?),
            FinalStage::KnockOut { kind, extra_games, seed } => {
                Box::new(KnockOut::new(finalists, kind, self.format, extra_games, seed)?)
            }
        })
    }

    fn final_part(qualified: Vec<EntrantId>) -> Part {
        Part { stage: 2, members: qualified, tables_before: 0, tables: u16::MAX }
    }

    /// Who plays in the finals, best first; whoever has left does not.
    fn qualified(&self, history: &History) -> Result<Vec<EntrantId>, SystemError> {
        if !history.qualified.is_empty() {
            if let Some(&entrant) =
                history.qualified.iter().find(|entrant| entrant.index().is_none_or(|i| i >= self.entrants))
            {
                return Err(SystemError::UnknownEntrant { entrant, place: "the finals", count: self.entrants });
            }
            return Ok(history.qualified.clone());
        }
        let best: Vec<Vec<EntrantId>> = self
            .groups(history)?
            .into_iter()
            .map(|standings| {
                standings
                    .rows
                    .into_iter()
                    .map(|row| row.entrant)
                    .filter(|entrant| !history.has_withdrawn(*entrant))
                    .take(self.qualify)
                    .collect()
            })
            .collect();
        Ok((0..self.qualify).flat_map(|place| best.iter().filter_map(move |group| group.get(place)).copied()).collect())
    }

    /// The standings of the finals, if they have begun.
    fn final_standings(&self, history: &History) -> Result<Option<Standings>, SystemError> {
        if history.qualified.len() < 2 {
            return Ok(None);
        }
        let part = Groups::final_part(self.qualified(history)?);
        let standings = self.final_system(part.members.len())?.standings(&part.history(history)?)?;
        Ok(Some(part.standings(standings)))
    }
}

impl System for Groups {
    fn entrants(&self) -> usize {
        self.entrants
    }

    fn next(&self, history: &History) -> Result<Next, SystemError> {
        let mut whole = Plan::default();
        for (part, system) in self.parts() {
            if let Next::Play(plan) = system.next(&part.history(history)?)? {
                part.add_plan(plan, &mut whole);
            }
        }
        if !whole.games.is_empty() {
            // Round by round, so that the groups keep step.
            whole.games.sort_by_key(|slot| (slot.encounter.round, slot.encounter.table, slot.game, slot.board));
            return Ok(Next::Play(whole));
        }
        let qualified = self.qualified(history)?;
        if qualified.len() < 2 {
            return Ok(Next::Finished);
        }
        let part = Groups::final_part(qualified.clone());
        Ok(match self.final_system(qualified.len())?.next(&part.history(history)?)? {
            Next::Play(plan) => {
                part.add_plan(plan, &mut whole);
                whole.qualified = qualified;
                Next::Play(whole)
            }
            Next::Finished => Next::Finished,
        })
    }

    /// With the numbers of the whole list.
    fn groups(&self, history: &History) -> Result<Vec<Standings>, SystemError> {
        self.parts()
            .into_iter()
            .map(|(part, system)| Ok(part.standings(system.standings(&part.history(history)?)?)))
            .collect()
    }

    /// Those in the finals by the finals; the others after them, by their places in the groups.
    fn standings(&self, history: &History) -> Result<Standings, SystemError> {
        let finals = self.final_standings(history)?.unwrap_or_default();
        let mut rest: Vec<_> = self
            .groups(history)?
            .into_iter()
            .flat_map(|standings| standings.rows)
            .filter(|row| finals.row(row.entrant).is_none())
            .collect();
        rest.sort_by_key(|row| (row.unranked, row.place, row.entrant));
        let mut rows = finals.rows;
        let ahead = rows.len() as u32;
        let keys: Vec<_> = rest.iter().map(|row| (row.unranked, row.place)).collect();
        for row in &mut rest {
            let own = (row.unranked, row.place);
            row.place = ahead + 1 + keys.iter().filter(|key| **key < own).count() as u32;
        }
        rows.extend(rest);
        Ok(Standings { rows })
    }

    /// One table for all; entrants of different groups meet only in the finals.
    fn cross_table(&self, history: &History) -> Result<CrossTable, SystemError> {
        let standings = self.standings(history)?;
        let mut tables = Vec::new();
        for (part, system) in self.parts() {
            tables.push((system.cross_table(&part.history(history)?)?, part));
        }
        if history.qualified.len() >= 2 {
            let part = Groups::final_part(self.qualified(history)?);
            tables.push((self.final_system(part.members.len())?.cross_table(&part.history(history)?)?, part));
        }
        let marks = |entrant: EntrantId, opponent: EntrantId| {
            let mut marks = String::new();
            for (table, part) in &tables {
                let place =
                    |who: EntrantId| table.rows.iter().position(|row| Some(row.standing.entrant) == part.local(who));
                if let (Some(row), Some(column)) = (place(entrant), place(opponent))
                    && let Some(CrossCell::Games(games)) = table.rows[row].cells.get(column)
                {
                    marks.push_str(games);
                }
            }
            marks
        };
        Ok(CrossTable::of(standings, marks, |_| Vec::new()))
    }
}
