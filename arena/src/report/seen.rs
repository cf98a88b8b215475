//! What a run remembers for the page.

use std::collections::BTreeMap;

use super::MOST_GAMES;
use crate::journal::{Entry, Event, OrganiserAct};
use crate::tournament::Tournament;

/// Ratios of a sequential test that are kept at most.
const RATIOS_KEPT: usize = 2000;

/// What must be remembered for the page.
#[derive(Default)]
pub struct Seen {
    /// Decisions with their time in milliseconds since 1970.
    pub(super) acts: Vec<(u64, OrganiserAct)>,
    /// The ratio of the sequential test after each pair, thinned out.
    pub(super) ratios: Vec<f64>,
    /// The last games as PGN, by number, if they are not in a file.
    pub(super) games: BTreeMap<u32, String>,
    /// Pairs at the last ratio, and that every `1 << thinned` pairs one is kept.
    pairs: u64,
    thinned: u32,
}

impl Seen {
    /// Takes note of an entry of the journal that has been applied to the tournament.
    pub fn entry(&mut self, tournament: &Tournament, entry: &Entry) {
        match &entry.event {
            Event::Act(act) => self.act(entry.at, act.clone()),
            Event::Game(_) => self.ratio(tournament),
            _ => {}
        }
    }

    /// Takes note of a decision, made at a time in milliseconds since 1970.
    pub fn act(&mut self, at: u64, act: OrganiserAct) {
        self.acts.push((at, act));
    }

    /// Keeps a game, the last ones if there are many.
    pub fn game(&mut self, number: u32, pgn: &str) {
        self.games.insert(number, pgn.to_owned());
        if self.games.len() > MOST_GAMES {
            self.games.pop_first();
        }
    }

    /// Keeps the ratio of the sequential test, if there is one and a pair has been finished.
    pub fn ratio(&mut self, tournament: &Tournament) {
        let Some(test) = tournament.test() else { return };
        let Some(tally) = tournament.meetings().tallies().values().next() else { return };
        let pairs = tally.pairs().samples();
        if pairs <= self.pairs || !pairs.is_multiple_of(1 << self.thinned) {
            return;
        }
        self.pairs = pairs;
        self.ratios.push(test.state(tally).llr);
        if self.ratios.len() > RATIOS_KEPT {
            let mut index = 0;
            self.ratios.retain(|_| {
                index += 1;
                index % 2 == 0
            });
            self.thinned += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_games_are_kept() {
        let mut seen = Seen::default();
        let last = MOST_GAMES as u32 + 7;
        (1..=last).for_each(|number| seen.game(number, "*"));
        assert_eq!(seen.games.len(), MOST_GAMES);
        assert_eq!(
            (seen.games.first_key_value(), seen.games.last_key_value()),
            (Some((&8, &"*".to_owned())), Some((&last, &"*".to_owned())))
        );
    }
}
