//! Ways to write down a tournament.
#![allow(dead_code, reason = "every test file uses some of it")]

use chuhe_arena::Outcome;
use chuhe_arena::systems::{Bye, Encounter, EntrantId, GameRecord, GameSlot, History, Next, System};

pub(crate) fn id(number: u16) -> EntrantId {
    EntrantId::new(number)
}

pub(crate) fn encounter(round: u16, table: u16, first: u16, second: u16) -> Encounter {
    Encounter { stage: 1, round, table, first: id(first), second: id(second) }
}

pub(crate) fn bye(round: u16, entrant: u16) -> Bye {
    Bye { stage: 1, round, entrant: id(entrant) }
}

/// Single games: round, table, Red, Black and the outcome.
pub(crate) fn games(list: &[(u16, u16, u16, u16, Outcome)]) -> Vec<GameRecord> {
    list.iter()
        .map(|&(round, table, red, black, outcome)| GameRecord {
            slot: GameSlot { encounter: encounter(round, table, red, black), board: 1, game: 1 },
            outcome,
            fouls: [0, 0],
        })
        .collect()
}

/// Plays a tournament to its end, one game after the other.
pub(crate) fn play_all(system: &dyn System, outcome: impl FnMut(&GameSlot) -> Outcome) -> History {
    play_on(system, History::default(), outcome)
}

/// Plays a tournament that has begun to its end.
pub(crate) fn play_on(
    system: &dyn System,
    mut history: History,
    mut outcome: impl FnMut(&GameSlot) -> Outcome,
) -> History {
    for _ in 0..100_000 {
        match system.next(&history).unwrap() {
            Next::Finished => return history,
            Next::Play(plan) => {
                history.announce(&plan);
                for slot in &plan.games {
                    history.games.push(GameRecord { slot: *slot, outcome: outcome(slot), fouls: [0, 0] });
                }
            }
        }
    }
    panic!("the tournament does not end");
}

/// The smaller number wins.
pub(crate) fn favourite(slot: &GameSlot) -> Outcome {
    if slot.red() < slot.black() { Outcome::RedWins } else { Outcome::BlackWins }
}
