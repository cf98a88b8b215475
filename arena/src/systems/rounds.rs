//! The rounds as they were announced, with what has come of them.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use chuhe_movegen::Color;

use super::{Encounter, EntrantId, Format, GameSlot, History};
use crate::outcome::{Outcome, Points};

/// An encounter and its results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EncounterResult {
    /// Who met.
    pub encounter: Encounter,
    /// Points of the games, of the first and of the second.
    pub points: [Points; 2],
    /// The marks of the games from the view of the first, in the order of play.
    pub marks: String,
    /// Whether every game of the format has a result.
    pub complete: bool,
}

/// A round.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Round {
    /// The stage, counted from 1.
    pub stage: u16,
    /// The round, counted from 1.
    pub number: u16,
    /// Its encounters by table, those whose results were struck later among them.
    pub encounters: Vec<EncounterResult>,
    /// Who was free.
    pub byes: Vec<EntrantId>,
}

/// The rounds announced so far. Games left of an entrant who has gone are lost, as in the tables.
#[must_use]
pub fn rounds(history: &History, format: Format) -> Vec<Round> {
    let outcomes: BTreeMap<GameSlot, Outcome> =
        history.games.iter().map(|record| (record.slot, record.outcome)).collect();
    let gone: BTreeSet<EntrantId> = history.withdrawals.iter().map(|withdrawal| withdrawal.entrant).collect();
    let mut rounds: BTreeMap<(u16, u16), Round> = BTreeMap::new();
    for &encounter in &history.encounters {
        let result = result(encounter, format, &outcomes, &gone);
        rounds.entry((encounter.stage, encounter.round)).or_default().encounters.push(result);
    }
    for bye in &history.byes {
        rounds.entry((bye.stage, bye.round)).or_default().byes.push(bye.entrant);
    }
    let finish = |((stage, number), mut round): ((u16, u16), Round)| {
        round.encounters.sort_by_key(|result| result.encounter.table);
        Round { stage, number, ..round }
    };
    rounds.into_iter().map(finish).collect()
}

fn result(
    encounter: Encounter,
    format: Format,
    outcomes: &BTreeMap<GameSlot, Outcome>,
    gone: &BTreeSet<EntrantId>,
) -> EncounterResult {
    let first = GameSlot { encounter, board: 0, game: 0 };
    let last = GameSlot { encounter, board: u16::MAX, game: u16::MAX };
    // Undecided encounters of a knock-out go on beyond the format.
    let mut games: BTreeMap<(u16, u16), (Color, Outcome)> = outcomes
        .range(first..=last)
        .map(|(slot, outcome)| ((slot.game, slot.board), (slot.color_of_first(), *outcome)))
        .collect();
    let mut complete = true;
    for slot in format.slots(encounter) {
        let left = [slot.red(), slot.black()].map(|entrant| gone.contains(&entrant));
        let forfeit = match left {
            [true, true] => Some(Outcome::BothForfeit),
            [true, false] => Some(Outcome::RedForfeits),
            [false, true] => Some(Outcome::BlackForfeits),
            [false, false] => None,
        };
        if let Entry::Vacant(missing) = games.entry((slot.game, slot.board)) {
            match forfeit {
                Some(outcome) => {
                    missing.insert((slot.color_of_first(), outcome));
                }
                None => complete = false,
            }
        }
    }
    EncounterResult {
        encounter,
        points: [
            games.values().map(|(color, outcome)| outcome.points(*color)).sum(),
            games.values().map(|(color, outcome)| outcome.points(!*color)).sum(),
        ],
        marks: games.values().map(|(color, outcome)| outcome.mark(*color)).collect(),
        complete,
    }
}
