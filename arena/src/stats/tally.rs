//! Results of a match as they come in.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::elo::Estimate;
use super::frequencies::{Pentanomial, Trinomial};

/// The result of one game from one engine's view.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameScore {
    /// Lost.
    Loss,
    /// Drawn.
    Draw,
    /// Won.
    Win,
}

/// Which of the two games on an opening.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PairHalf {
    /// The first game on the opening.
    First,
    /// The game with colours reversed.
    Reversed,
}

/// A game was counted twice.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the {half:?} game of pair {pair} has a result already: expected each game once")]
pub struct RepeatedGame {
    /// The pair.
    pub pair: u64,
    /// Which of its games.
    pub half: PairHalf,
}

/// Counts games and pairs of a match between two engines, from the first one's view.
///
/// Games may come in any order, as they do when several are played at once. Only pairs still open are remembered, so
/// the memory used does not grow with the match.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MatchTally {
    games: Trinomial,
    pairs: Pentanomial,
    open: BTreeMap<u64, (PairHalf, GameScore)>,
}

impl MatchTally {
    /// Nothing counted yet.
    #[must_use]
    pub fn new() -> MatchTally {
        MatchTally::default()
    }

    /// Counts one game of a pair.
    ///
    /// # Errors
    /// When that game of a pair still open was counted before.
    pub fn add(&mut self, pair: u64, half: PairHalf, score: GameScore) -> Result<(), RepeatedGame> {
        match self.open.remove(&pair) {
            Some(open @ (seen, _)) if seen == half => {
                self.open.insert(pair, open);
                return Err(RepeatedGame { pair, half });
            }
            Some((_, other)) => self.pairs.record(other as usize + score as usize),
            None => {
                self.open.insert(pair, (half, score));
            }
        }
        self.games.record(score as usize);
        Ok(())
    }

    /// Counts a game that belongs to no pair.
    pub fn add_single(&mut self, score: GameScore) {
        self.games.record(score as usize);
    }

    /// All games.
    #[must_use]
    pub fn games(&self) -> &Trinomial {
        &self.games
    }

    /// The complete pairs.
    #[must_use]
    pub fn pairs(&self) -> &Pentanomial {
        &self.pairs
    }

    /// The difference in strength: from pairs when one is complete, from single games otherwise; `None` without games.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimate> {
        Estimate::from_results(&self.pairs).or_else(|| Estimate::from_results(&self.games))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_joined_whatever_the_order() {
        use GameScore::{Draw, Loss, Win};
        use PairHalf::{First, Reversed};
        let mut tally = MatchTally::new();
        for (pair, half, score) in [
            (1, First, Win),
            (2, Reversed, Draw),
            (3, First, Loss),
            (2, First, Win),
            (1, Reversed, Win),
            (4, First, Draw),
            (3, Reversed, Loss),
        ] {
            tally.add(pair, half, score).unwrap();
        }
        assert_eq!(tally.pairs().counts(), &[1, 0, 0, 1, 1]);
        assert_eq!(tally.games().counts(), &[2, 2, 3]);
        assert_eq!(tally.add(4, First, Win), Err(RepeatedGame { pair: 4, half: First }));
        assert_eq!(tally.games().samples(), 7, "a game refused is not counted");
    }

    #[test]
    fn single_games_serve_until_a_pair_is_complete() {
        let mut tally = MatchTally::new();
        assert_eq!(tally.estimate(), None);
        tally.add(1, PairHalf::First, GameScore::Draw).unwrap();
        assert_eq!(tally.estimate().unwrap().games, 1);
        tally.add(2, PairHalf::First, GameScore::Win).unwrap();
        tally.add(2, PairHalf::Reversed, GameScore::Loss).unwrap();
        assert_eq!(tally.estimate().unwrap().games, 2);
    }
}
