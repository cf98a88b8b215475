//! The difference in strength that results speak for.

use serde::{Deserialize, Serialize};

use super::frequencies::Frequencies;

/// Normalised Elo of one unit of (mean − ½) / deviation, both per game: 800 / ln 10.
///
/// The factor makes normalised and logistic Elo agree for small differences when no game is drawn (Van den Bergh,
/// *Normalized Elo*).
pub const NORMALIZED_ELO_PER_T: f64 = 800.0 / std::f64::consts::LN_10;

/// The 97.5 % quantile of the normal law: a two-sided interval of 95 %.
const Z95: f64 = 1.959_963_984_540_054;

/// Scores are kept this far from 0 and 1, where Elo is infinite.
const SCORE_MARGIN: f64 = 1e-3;

/// The logistic Elo difference that gives an expected score, kept to about ±1200.
#[must_use]
pub fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(SCORE_MARGIN, 1.0 - SCORE_MARGIN);
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The expected score of a game at a logistic Elo difference.
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The difference in strength between two engines as their games show it.
#[derive(Copy, Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Estimate {
    /// Games it rests on.
    pub games: u64,
    /// Mean score of a game, 0 to 1.
    pub score: f64,
    /// Logistic Elo.
    pub elo: f64,
    /// Half the width of the 95 % interval of [`elo`](Self::elo).
    pub elo_error: f64,
    /// Normalised Elo, which says how many games a proof takes, whatever the openings and the draws.
    pub normalized_elo: f64,
    /// Half the width of the 95 % interval of [`normalized_elo`](Self::normalized_elo).
    pub normalized_elo_error: f64,
    /// Likelihood of superiority: how probable it is that the first engine is the stronger one.
    pub superiority: f64,
}

impl Estimate {
    /// The difference that results show; `None` without games.
    ///
    /// The formulas are fishtest's (`stat_util.py`, `get_elo`): the score's 95 % interval is taken from the variance of
    /// a sample and carried over to Elo. The error of normalised Elo is the quantile over the root of the games, since
    /// its estimate has unit variance per game to first order.
    #[must_use]
    pub fn from_results<const N: usize>(results: &Frequencies<N>) -> Option<Estimate> {
        let games = results.games();
        if games == 0 {
            return None;
        }
        let distribution = results.distribution();
        let (score, variance) = distribution.moments();
        let deviation = (variance / distribution.samples).sqrt();
        let game_deviation = (variance * distribution.games_per_sample).sqrt();
        Some(Estimate {
            games,
            score,
            elo: elo_of_score(score),
            elo_error: (elo_of_score(score + Z95 * deviation) - elo_of_score(score - Z95 * deviation)) / 2.0,
            normalized_elo: (score - 0.5) / game_deviation * NORMALIZED_ELO_PER_T,
            normalized_elo_error: Z95 * NORMALIZED_ELO_PER_T / (games as f64).sqrt(),
            superiority: normal_cdf((score - 0.5) / deviation),
        })
    }
}

/// The normal law's distribution function.
fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::super::frequencies::{Pentanomial, Trinomial};
    use super::*;

    /// Rows: Elo, its error, superiority, normalised Elo, its error; `None` where the source gives no number.
    fn check<const N: usize>(counts: [u64; N], expected: [Option<f64>; 5]) {
        let estimate = Estimate::from_results(&Frequencies::new(counts)).unwrap();
        let found = [
            estimate.elo,
            estimate.elo_error,
            estimate.superiority,
            estimate.normalized_elo,
            estimate.normalized_elo_error,
        ];
        for (found, expected) in found.into_iter().zip(expected) {
            if let Some(expected) = expected {
                assert!((found - expected).abs() < 0.011, "{counts:?}: {found} for {expected}");
            }
        }
    }

    /// The examples of fastchess's `app/tests/elo_test.cpp` (revision 2f5e888), which names results in the order
    /// won, lost, drawn.
    #[test]
    fn agrees_with_fastchess_on_single_games() {
        check([89, 123, 76], [None, None, Some(0.1553), Some(-20.76), Some(40.13)]);
        check([96, 111, 136], [Some(40.70), Some(30.43), Some(0.9960), Some(49.77), Some(36.77)]);
        check([356, 0, 34], [None, None, None, Some(-508.44), Some(34.48)]);
    }

    /// As above; its third and fourth numbers (won and lost, both drawn) are one result.
    #[test]
    fn agrees_with_fastchess_on_pairs() {
        check([34, 54, 31 + 32, 64, 75], [Some(55.58), Some(27.65), Some(1.0), Some(57.94), Some(28.28)]);
        check([332, 433, 457 + 41, 333, 334], [Some(-8.64), Some(10.33), Some(0.0505), Some(-9.17), Some(10.96)]);
        check([7895, 8757, 5485 + 200, 568, 9999], [Some(-21.04), Some(2.95), None, Some(-19.01), Some(2.65)]);
    }

    /// Worked by hand: 10 lost, 20 drawn and 30 won have mean (0·10 + ½·20 + 1·30) / 60 = ⅔, variance
    /// (10·⁴⁄₉ + 20·¹⁄₃₆ + 30·¹⁄₉) / 60 = ⁵⁄₃₆, hence a standard error √(5/36/60) = 0.048113; Elo 400·lg 2 = 120.41.
    #[test]
    fn worked_by_hand() {
        let estimate = Estimate::from_results(&Trinomial::new([10, 20, 30])).unwrap();
        assert!((estimate.score - 2.0 / 3.0).abs() < 1e-12);
        assert!((estimate.elo - 120.412).abs() < 1e-3, "{}", estimate.elo);
        // An even score is 3.4641 standard errors below the mean: Φ(3.4641) = 0.999734.
        assert!((estimate.superiority - 0.999_734).abs() < 1e-6, "{}", estimate.superiority);
    }

    #[test]
    fn all_won_stays_finite() {
        let estimate = Estimate::from_results(&Pentanomial::new([0, 0, 0, 0, 7])).unwrap();
        assert!(estimate.elo > 1000.0 && estimate.elo.is_finite());
        assert!(estimate.elo_error.is_finite() && estimate.normalized_elo.is_finite());
        assert_eq!(Estimate::from_results(&Pentanomial::default()), None);
    }

    #[test]
    fn score_and_elo_are_inverse() {
        for elo in [-800.0, -100.0, 0.0, 3.5, 400.0] {
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9);
        }
    }
}
