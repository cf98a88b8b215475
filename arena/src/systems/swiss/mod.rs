//! Swiss (积分编排制, article 11.4): everyone meets someone of about the same score.
//!
//! The articles leave how to pair to an appendix that is not at hand. The rule used is the FIDE (Dutch) system
//! ([`dutch`]), which is published in full; Red takes the place of White.

pub mod dutch;
mod matching;

use chuhe_movegen::Color;
use serde::{Deserialize, Serialize};

use self::dutch::{Card, Float, RoundPairing, RoundRules, pair_round};
use super::cross_table::CrossTable;
use super::ledger::Ledger;
use super::lots::{Purpose, coin};
use super::standings::{Criterion, Standings, full_points, primary, rank};
use super::{
    Bye, Encounter, EntrantId, Format, History, Next, Plan, System, SystemError, all_entrants, check_entrants,
};
use crate::outcome::Points;

/// The most entrants of a Swiss: pairing takes time with the cube of their number.
const MOST: usize = 100;

/// A Swiss tournament.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Swiss {
    entrants: usize,
    rounds: u16,
    format: Format,
    seed: u64,
}

impl Swiss {
    /// A Swiss of a number of rounds; the seed draws the colour of number 1 in the first one.
    ///
    /// # Errors
    /// With fewer than two entrants or more than 100, without rounds or with more than it takes to meet everyone, or
    /// with an empty format.
    pub fn new(entrants: usize, rounds: u16, format: Format, seed: u64) -> Result<Swiss, SystemError> {
        check_entrants(entrants, 2)?;
        format.check()?;
        if entrants > MOST {
            return Err(SystemError::Entrants { found: entrants, least: 2, most: MOST });
        }
        let most = entrants - 1 + entrants % 2;
        if !(1..=most).contains(&usize::from(rounds)) {
            return Err(SystemError::Setting { what: "the number of rounds", found: rounds.into(), least: 1, most });
        }
        Ok(Swiss { entrants, rounds, format, seed })
    }

    fn read(&self, history: &History) -> Result<Ledger, SystemError> {
        Ledger::of_announced(self.entrants, self.format, 0, history)
    }

    fn criteria(&self) -> &'static [Criterion] {
        if self.format.is_team() { Criterion::TEAM_SWISS } else { Criterion::SWISS }
    }

    /// What the pairing of a round must know of everyone who is still in.
    fn cards(&self, ledger: &Ledger, history: &History, round: u16) -> Vec<Card> {
        let full = full_points(ledger);
        // Scores before each round, to tell who floated.
        let mut scores = vec![vec![Points::ZERO; self.entrants]];
        for past in 1..round {
            let mut after = scores.last().cloned().unwrap_or_default();
            for meeting in ledger.meetings.iter().filter(|meeting| meeting.encounter.round == past) {
                for entrant in [meeting.encounter.first, meeting.encounter.second] {
                    if let Some(score) = entrant.index().and_then(|i| after.get_mut(i)) {
                        *score += primary(ledger, meeting, entrant);
                    }
                }
            }
            for bye in ledger.byes.iter().filter(|bye| bye.round == past) {
                if let Some(score) = bye.entrant.index().and_then(|i| after.get_mut(i)) {
                    *score += full;
                }
            }
            scores.push(after);
        }
        let score = |round: u16, entrant: EntrantId| {
            let before = scores.get(usize::from(round) - 1);
            before.zip(entrant.index()).and_then(|(scores, i)| scores.get(i)).copied().unwrap_or_default()
        };
        let stays = |entrant: &EntrantId| !history.has_withdrawn(*entrant);
        all_entrants(self.entrants)
            .filter(stays)
            .map(|entrant| {
                let mut card = Card {
                    entrant,
                    score: score(round, entrant).halves(),
                    colors: Vec::new(),
                    opponents: Vec::new(),
                    floats: [Float::None; 2],
                    won_without_playing: false,
                    unplayed: 0,
                };
                for past in 1..round {
                    let meeting = ledger.meetings_of(entrant).find(|meeting| meeting.encounter.round == past);
                    let mut float = Float::None;
                    match meeting {
                        Some(meeting) if meeting.was_played() => {
                            let opponent = meeting.opponent(entrant);
                            card.colors.push(if meeting.encounter.first == entrant {
                                Color::Red
                            } else {
                                Color::Black
                            });
                            card.opponents.push(opponent);
                            float = match score(past, entrant).cmp(&score(past, opponent)) {
                                std::cmp::Ordering::Greater => Float::Down,
                                std::cmp::Ordering::Less => Float::Up,
                                std::cmp::Ordering::Equal => Float::None,
                            };
                        }
                        unplayed => {
                            card.unplayed += 1;
                            let free = ledger.byes.iter().any(|bye| bye.round == past && bye.entrant == entrant);
                            if free || unplayed.is_some_and(|meeting| primary(ledger, meeting, entrant) == full) {
                                card.won_without_playing = true;
                                float = Float::Down;
                            }
                        }
                    }
                    match round - past {
                        1 => card.floats[0] = float,
                        2 => card.floats[1] = float,
                        _ => {}
                    }
                }
                card
            })
            .collect()
    }

    fn pair(&self, ledger: &Ledger, history: &History, round: u16) -> RoundPairing {
        let initial = coin(self.seed, Purpose::Colors, (1, 1, 1));
        let rules = RoundRules {
            rounds_played: u32::from(round) - 1,
            last_round: round == self.rounds,
            win: full_points(ledger).halves(),
            initial_color: if initial { Color::Red } else { Color::Black },
        };
        pair_round(&self.cards(ledger, history, round), &rules)
    }
}

impl System for Swiss {
    fn entrants(&self) -> usize {
        self.entrants
    }

    fn next(&self, history: &History) -> Result<Next, SystemError> {
        let ledger = self.read(history)?;
        let open: Vec<_> = ledger.open_games().collect();
        let rounds_begun = ledger.meetings.iter().map(|meeting| meeting.encounter.round).max().unwrap_or(0);
        if !open.is_empty() {
            let byes = ledger.byes.iter().copied().filter(|bye| bye.round == rounds_begun).collect();
            return Ok(Next::Play(Plan { games: open, byes, qualified: Vec::new() }));
        }
        if rounds_begun >= self.rounds {
            return Ok(Next::Finished);
        }
        let round = rounds_begun + 1;
        let pairing = self.pair(&ledger, history, round);
        if pairing.pairs.is_empty() {
            return Ok(Next::Finished);
        }
        let games = (1..)
            .zip(pairing.pairs)
            .map(|(table, (first, second))| Encounter { stage: 1, round, table, first, second })
            .flat_map(|encounter| self.format.slots(encounter))
            .collect();
        let byes = pairing.bye.map(|entrant| Bye { stage: 1, round, entrant }).into_iter().collect();
        Ok(Next::Play(Plan { games, byes, qualified: Vec::new() }))
    }

    fn standings(&self, history: &History) -> Result<Standings, SystemError> {
        Ok(rank(&self.read(history)?, self.criteria()))
    }

    fn cross_table(&self, history: &History) -> Result<CrossTable, SystemError> {
        let ledger = self.read(history)?;
        Ok(CrossTable::new(&ledger, rank(&ledger, self.criteria())))
    }
}
