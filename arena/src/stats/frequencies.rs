//! Counts of the possible results of a game or of a pair of games.

use serde::{Deserialize, Serialize};

/// How often each result occurred, worst first; the results are equally spaced from 0 to all points.
///
/// `N` is 3 for single games and 5 for pairs.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Frequencies<const N: usize>(#[serde(with = "counts")] [u64; N]);

/// Single games: losses, draws, wins.
pub type Trinomial = Frequencies<3>;

/// Pairs of games with colours reversed: 0, ½, 1, 1½ and 2 points.
pub type Pentanomial = Frequencies<5>;

/// What stands for a result that never occurred, so that likelihoods stay finite; the value is fishtest's
/// (`LLRcalc.py`, `regularize`).
const NEVER_SEEN: f64 = 1e-3;

impl<const N: usize> Frequencies<N> {
    // A sample of one possible result has no spread and no games in it.
    const GAMES_PER_SAMPLE: u64 = {
        assert!(N >= 3 && N % 2 == 1);
        (N as u64 - 1) / 2
    };

    /// Counts of the results, worst first.
    #[must_use]
    pub const fn new(counts: [u64; N]) -> Self {
        Frequencies(counts)
    }

    /// The counts, worst result first.
    #[must_use]
    pub const fn counts(&self) -> &[u64; N] {
        &self.0
    }

    /// One more result of the given index; ones past the best result are not counted.
    pub(crate) fn record(&mut self, result: usize) {
        if let Some(count) = self.0.get_mut(result) {
            *count += 1;
        }
    }

    /// How many games or pairs were counted.
    #[must_use]
    pub fn samples(&self) -> u64 {
        self.0.iter().sum()
    }

    /// How many games were counted.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.samples() * Self::GAMES_PER_SAMPLE
    }

    /// The same results from the opponent's view.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        self.0.reverse();
        self
    }

    /// The mean score of a game, from 0 to 1; `None` without games.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        let samples = self.samples();
        (samples > 0).then(|| {
            let steps: f64 = self.0.iter().enumerate().map(|(i, &count)| i as f64 * count as f64).sum();
            steps / (samples as f64 * (N - 1) as f64)
        })
    }

    /// The empirical distribution, with nothing impossible in it.
    pub(crate) fn distribution(&self) -> Distribution<N> {
        let weights = self.0.map(|count| if count == 0 { NEVER_SEEN } else { count as f64 });
        let total: f64 = weights.iter().sum();
        Distribution { samples: total, games_per_sample: Self::GAMES_PER_SAMPLE as f64, p: weights.map(|w| w / total) }
    }
}

impl<const N: usize> Default for Frequencies<N> {
    fn default() -> Self {
        Frequencies([0; N])
    }
}

/// Probabilities of the results; result `i` is worth `i / (N - 1)`.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) struct Distribution<const N: usize> {
    /// How many samples it was taken from.
    pub(crate) samples: f64,
    /// 1 for single games, 2 for pairs.
    pub(crate) games_per_sample: f64,
    /// Probability of each result.
    pub(crate) p: [f64; N],
}

impl<const N: usize> Distribution<N> {
    /// The worth of each result.
    pub(crate) fn values() -> [f64; N] {
        std::array::from_fn(|i| i as f64 / (N - 1) as f64)
    }

    /// Mean and variance of a sample's score.
    pub(crate) fn moments(&self) -> (f64, f64) {
        moments(&self.p)
    }
}

/// Mean and variance of equally spaced results from 0 to 1 with the given probabilities.
pub(crate) fn moments<const N: usize>(p: &[f64; N]) -> (f64, f64) {
    let values = Distribution::<N>::values();
    let mean: f64 = values.iter().zip(p).map(|(a, p)| a * p).sum();
    let variance: f64 = values.iter().zip(p).map(|(a, p)| p * (a - mean) * (a - mean)).sum();
    (mean, variance)
}

/// Arrays of a generic length are beyond serde's derive.
mod counts {
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(super) fn serialize<const N: usize, S: Serializer>(counts: &[u64; N], out: S) -> Result<S::Ok, S::Error> {
        out.collect_seq(counts)
    }

    pub(super) fn deserialize<'de, const N: usize, D: Deserializer<'de>>(input: D) -> Result<[u64; N], D::Error> {
        let counts = Vec::<u64>::deserialize(input)?;
        let found = counts.len();
        counts.try_into().map_err(|_| D::Error::invalid_length(found, &format!("{N} counts").as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_scores() {
        let pairs = Pentanomial::new([1, 2, 3, 4, 10]);
        assert_eq!(pairs.samples(), 20);
        assert_eq!(pairs.games(), 40);
        // (0·1 + ½·2 + 1·3 + 1½·4 + 2·10) / 40
        assert_eq!(pairs.score(), Some(30.0 / 40.0));
        assert_eq!(pairs.reversed().score(), Some(10.0 / 40.0));
        assert_eq!(Trinomial::default().score(), None);
    }

    #[test]
    fn written_as_a_plain_list() {
        let pairs = Pentanomial::new([1, 2, 3, 4, 5]);
        let text = serde_json::to_string(&pairs).unwrap();
        assert_eq!(text, "[1,2,3,4,5]");
        assert_eq!(serde_json::from_str::<Pentanomial>(&text).unwrap(), pairs);
        let error = serde_json::from_str::<Pentanomial>("[1,2,3]").unwrap_err().to_string();
        assert!(error.contains("expected 5 counts"), "{error}");
    }
}
