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

/// What a one-sided bound of 95 % leaves to chance.
const CHANCE: f64 = 0.05;

/// The logistic Elo difference that gives an expected score from 0 to 1, at both of which it is infinite.
#[must_use]
pub fn elo_of_score(score: f64) -> f64 {
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
    /// Logistic Elo; `None` when all games were won, or all lost: no number is large enough.
    pub elo: Option<f64>,
    /// Half the width of the 95 % interval of [`elo`](Self::elo); `None` when it has one end only.
    pub elo_error: Option<f64>,
    /// The lower end of that interval; `None` when all games were lost.
    pub elo_low: Option<f64>,
    /// The upper end; `None` when all games were won.
    pub elo_high: Option<f64>,
    /// Normalised Elo, which says how many games a proof takes, whatever the openings and the draws. `None` when all
    /// samples are of one kind, and so say nothing about the deviation.
    pub normalized_elo: Option<f64>,
    /// Half the width of the 95 % interval of [`normalized_elo`](Self::normalized_elo).
    pub normalized_elo_error: Option<f64>,
    /// Likelihood of superiority: how probable it is that the first engine is the stronger one.
    pub superiority: f64,
}

impl Estimate {
    /// The difference that results show; `None` without games.
    ///
    /// The formulas are fishtest's (`stat_util.py`, `get_elo`): the score's 95 % interval is taken from the variance of
    /// a sample and carried over to Elo. The error of normalised Elo is the quantile over the root of the games, since
    /// its estimate has unit variance per game to first order.
    ///
    /// Where fishtest's interval rests on what stands for results never seen, or leaves the scores that there are,
    /// another one takes its place: the exact one of samples that are all of one kind, or Wilson's.
    #[must_use]
    pub fn from_results<const N: usize>(results: &Frequencies<N>) -> Option<Estimate> {
        let (score, games) = (results.score()?, results.games());
        let samples = results.samples() as f64;
        let distribution = results.distribution();
        let (mean, variance) = distribution.moments();
        let deviation = (variance / distribution.samples).sqrt();
        let normal = (score - Z95 * deviation, score + Z95 * deviation);
        let is_one_kind = results.counts().iter().filter(|&&count| count > 0).count() == 1;
        let (low, high) = if is_one_kind {
            one_kind(score, samples)
        } else if normal.0 > 0.0 && normal.1 < 1.0 {
            normal
        } else {
            wilson(score, samples)
        };
        let [elo, elo_low, elo_high] =
            [score, low, high].map(|score| Some(elo_of_score(score)).filter(|elo| elo.is_finite()));
        let normalized_elo = || {
            let game_deviation = (variance * distribution.games_per_sample).sqrt();
            (mean - 0.5) / game_deviation * NORMALIZED_ELO_PER_T
        };
        Some(Estimate {
            games,
            score,
            elo,
            elo_error: elo_low.zip(elo_high).map(|(low, high)| (high - low) / 2.0),
            elo_low,
            elo_high,
            normalized_elo: (!is_one_kind).then(normalized_elo),
            normalized_elo_error: (!is_one_kind).then(|| Z95 * NORMALIZED_ELO_PER_T / (games as f64).sqrt()),
            // The deviation that is not known is at most ½, which it has when there are wins and losses alone.
            superiority: normal_cdf(if is_one_kind {
                (score - 0.5) * 2.0 * samples.sqrt()
            } else {
                (mean - 0.5) / deviation
            }),
        })
    }
}

/// The 95 % interval of the mean when all samples are worth `score`: their kind has at least the probability
/// 0.05^(1/samples), about 1 − 3/samples, and nothing is known about the value of the rest.
///
/// This is the exact bound (C. J. Clopper, E. S. Pearson, *The use of confidence or fiducial limits*, 1934) and its
/// "rule of three" (J. A. Hanley, A. Lippman-Hand, *If nothing goes wrong, is everything all right?*, 1983).
fn one_kind(score: f64, samples: f64) -> (f64, f64) {
    let least = CHANCE.powf(1.0 / samples);
    let low = least * score;
    // Not `low + (1 - least)`, which may miss 1 by a rounding.
    (low, 1.0 - least * (1.0 - score))
}

/// The score interval (E. B. Wilson, *Probable inference, the law of succession, and statistical inference*, 1927),
/// which never leaves 0 to 1. It takes the variance of samples with this mean for as large as it can be.
fn wilson(score: f64, samples: f64) -> (f64, f64) {
    let z2 = Z95 * Z95;
    let middle = score + z2 / (2.0 * samples);
    let half = Z95 * (score * (1.0 - score) / samples + z2 / (4.0 * samples * samples)).sqrt();
    let scale = 1.0 + z2 / samples;
    ((middle - half) / scale, (middle + half) / scale)
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
            estimate.elo.unwrap(),
            estimate.elo_error.unwrap(),
            estimate.superiority,
            estimate.normalized_elo.unwrap(),
            estimate.normalized_elo_error.unwrap(),
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
        assert!(near(estimate.elo, 120.412), "{estimate:?}");
        // An even score is 3.4641 standard errors below the mean: Φ(3.4641) = 0.999734.
        assert!((estimate.superiority - 0.999_734).abs() < 1e-6, "{}", estimate.superiority);
    }

    fn near(found: Option<f64>, expected: f64) -> bool {
        found.is_some_and(|found| (found - expected).abs() < 1e-3)
    }

    /// Ten pairs won: with 95 % a pair is won with probability 0.05^(1/10) = 0.741134 or more, which is 182.73 Elo. The
    /// superiority is that of ten won games without draws, Φ(√10).
    #[test]
    fn all_won_is_beyond_measure_and_has_a_lower_bound() {
        let won = Estimate::from_results(&Pentanomial::new([0, 0, 0, 0, 10])).unwrap();
        assert_eq!((won.games, won.score), (20, 1.0));
        assert_eq!((won.elo, won.elo_error, won.elo_high), (None, None, None));
        assert!((won.elo_low.unwrap() - 182.73).abs() < 0.01, "{won:?}");
        assert_eq!((won.normalized_elo, won.normalized_elo_error), (None, None));
        assert!((won.superiority - 0.999_217).abs() < 1e-6, "{won:?}");
        let lost = Estimate::from_results(&Pentanomial::new([10, 0, 0, 0, 0])).unwrap();
        assert_eq!((lost.elo, lost.elo_low), (None, None));
        assert!(near(lost.elo_high, -won.elo_low.unwrap()), "{lost:?}");
        // The rule of three.
        for samples in [30.0, 100.0, 1000.0] {
            assert!((one_kind(1.0, samples).0 - (1.0 - 3.0 / samples)).abs() < 0.006, "{samples}");
        }
        assert_eq!(Estimate::from_results(&Pentanomial::default()), None);
    }

    /// Pairs of one kind hide how far others may lie: no interval of no width.
    #[test]
    fn all_pairs_even_is_not_certain() {
        for (count, error) in [(1, 636.4), (10, 92.03), (1000, 1.039)] {
            let even = Estimate::from_results(&Pentanomial::new([0, 0, count, 0, 0])).unwrap();
            assert!(near(even.elo, 0.0) && near(even.elo_low, -even.elo_high.unwrap()), "{even:?}");
            assert!((even.elo_error.unwrap() / error - 1.0).abs() < 0.01, "{even:?}");
            assert_eq!(even.superiority, 0.5);
        }
    }

    /// The interval of 9½ of 10 would reach beyond 1. Wilson's, by hand for μ = 0.975 and n = 10.
    #[test]
    fn an_interval_ends_before_all_won() {
        let (low, high) = wilson(0.975, 10.0);
        assert!((low - 0.6881).abs() < 5e-4 && (high - 0.9985).abs() < 5e-4, "{low} {high}");
        let estimate = Estimate::from_results(&Pentanomial::new([0, 0, 0, 1, 9])).unwrap();
        assert!(near(estimate.elo, 636.426) && near(estimate.elo_low, elo_of_score(low)), "{estimate:?}");
        assert!(near(estimate.elo_high, elo_of_score(high)), "{estimate:?}");
    }

    #[test]
    fn score_and_elo_are_inverse() {
        for elo in [-800.0, -100.0, 0.0, 3.5, 400.0] {
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9);
        }
    }
}
