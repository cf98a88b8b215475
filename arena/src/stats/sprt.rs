//! The sequential probability ratio test: a match that stops when it has proved something.
//!
//! Two hypotheses, H0: the difference is `elo0`, H1: it is `elo1`. After every pair the generalised log-likelihood
//! ratio is compared with Wald's bounds ln(β / (1 − α)) and ln((1 − β) / α). The draws and the openings' bias are not
//! parameters: their most likely values under each hypothesis are put in (GSPRT: X. Li, J. Liu, Z. Ying, *Generalized
//! sequential probability ratio test for separate families of hypotheses*, 2014; for pentanomials see
//! [`likelihood`](super::likelihood)).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::elo::{NORMALIZED_ELO_PER_T, score_of_elo};
use super::frequencies::Frequencies;
use super::likelihood;

/// The scale in which the hypotheses are stated.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// The usual Elo: a statement about the expected score.
    Logistic,
    /// Normalised Elo: a statement about the expected score in units of the deviation of a game, so that the length of
    /// a test depends little on draws and openings.
    Normalized,
}

impl EloModel {
    /// The largest hypothesis that can be stated.
    ///
    /// Logistic: beyond, an expected score is hardly to be told from 1. Normalised: beyond, no distribution of pairs
    /// near an even one has so large a t-value, and the iteration for the most likely one has no place to start.
    #[must_use]
    pub const fn limit(self) -> f64 {
        match self {
            EloModel::Logistic => 800.0,
            EloModel::Normalized => 200.0,
        }
    }
}

/// A test that cannot be run.
#[derive(Copy, Clone, PartialEq, Debug, thiserror::Error)]
pub enum SprtError {
    /// A hypothesis is no number or too large.
    #[error("hypothesis {name} is {value}: expected a {model:?} Elo from {} to {}", -.model.limit(), .model.limit())]
    Hypothesis {
        /// `elo0` or `elo1`.
        name: &'static str,
        /// What was given.
        value: f64,
        /// The scale.
        model: EloModel,
    },
    /// The hypotheses are not in order.
    #[error("elo0 is {elo0} and elo1 is {elo1}: expected elo0 below elo1")]
    Order {
        /// The null hypothesis.
        elo0: f64,
        /// The alternative.
        elo1: f64,
    },
    /// An error probability makes no test.
    #[error("{name} is {value}: expected a probability above 0 and below 0.5")]
    Probability {
        /// `alpha` or `beta`.
        name: &'static str,
        /// What was given.
        value: f64,
    },
}

/// Where a test stands.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Not decided: more games.
    Continue,
    /// The difference is not shown: H0 is accepted.
    AcceptH0,
    /// The difference is shown: H1 is accepted.
    AcceptH1,
}

/// Log-likelihood ratio and verdict.
#[derive(Copy, Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SprtState {
    /// Log-likelihood ratio of H1 against H0.
    pub llr: f64,
    /// The bound below which H0 is accepted.
    pub lower: f64,
    /// The bound above which H1 is accepted.
    pub upper: f64,
    /// The decision.
    pub verdict: Verdict,
}

/// A sequential test between two hypotheses on the difference in strength.
#[derive(Copy, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Stated", into = "Stated")]
pub struct Sprt {
    model: EloModel,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

impl Sprt {
    /// A test of `elo1` against `elo0` that accepts H1 wrongly with probability `alpha` and H0 with `beta`.
    ///
    /// # Errors
    /// When a number is out of range or the hypotheses are not in order.
    pub fn new(model: EloModel, elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        for (name, value) in [("elo0", elo0), ("elo1", elo1)] {
            if value.is_nan() || value.abs() > model.limit() {
                return Err(SprtError::Hypothesis { name, value, model });
            }
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order { elo0, elo1 });
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(SprtError::Probability { name, value });
            }
        }
        Ok(Sprt { model, elo0, elo1, alpha, beta })
    }

    /// The scale of the hypotheses.
    #[must_use]
    pub const fn model(&self) -> EloModel {
        self.model
    }

    /// The null hypothesis.
    #[must_use]
    pub const fn elo0(&self) -> f64 {
        self.elo0
    }

    /// The alternative.
    #[must_use]
    pub const fn elo1(&self) -> f64 {
        self.elo1
    }

    /// The bounds of the log-likelihood ratio: H0 is accepted at the first, H1 at the second.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of the results; 0 without any.
    #[must_use]
    pub fn llr<const N: usize>(&self, results: &Frequencies<N>) -> f64 {
        if results.samples() == 0 {
            return 0.0;
        }
        let seen = results.distribution();
        match self.model {
            EloModel::Logistic => {
                likelihood::of_means(&seen, score_of_elo(self.elo0), score_of_elo(self.elo1)).unwrap_or(0.0)
            }
            EloModel::Normalized => {
                // A pair's deviation per game is √2 times smaller than a game's.
                let scale = seen.games_per_sample.sqrt() / NORMALIZED_ELO_PER_T;
                likelihood::of_t_values(&seen, self.elo0 * scale, self.elo1 * scale)
            }
        }
    }

    /// What the results so far decide. To be asked after each pair, and no more once it has decided.
    #[must_use]
    pub fn judge<const N: usize>(&self, results: &Frequencies<N>) -> SprtState {
        let llr = self.llr(results);
        let (lower, upper) = self.bounds();
        let verdict = if llr <= lower {
            Verdict::AcceptH0
        } else if llr >= upper {
            Verdict::AcceptH1
        } else {
            Verdict::Continue
        };
        SprtState { llr, lower, upper, verdict }
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = match self.model {
            EloModel::Logistic => "logistic",
            EloModel::Normalized => "normalised",
        };
        let Sprt { elo0, elo1, alpha, beta, .. } = self;
        write!(f, "of {elo1} against {elo0} Elo ({model}), errors {alpha} and {beta}")
    }
}

/// A test as it is written down, not checked yet.
#[derive(Serialize, Deserialize)]
struct Stated {
    model: EloModel,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

impl TryFrom<Stated> for Sprt {
    type Error = SprtError;

    fn try_from(stated: Stated) -> Result<Sprt, SprtError> {
        Sprt::new(stated.model, stated.elo0, stated.elo1, stated.alpha, stated.beta)
    }
}

impl From<Sprt> for Stated {
    fn from(Sprt { model, elo0, elo1, alpha, beta }: Sprt) -> Stated {
        Stated { model, elo0, elo1, alpha, beta }
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::super::frequencies::Pentanomial;
    use super::*;

    fn llr<const N: usize>(model: EloModel, elo0: f64, elo1: f64, counts: [u64; N]) -> f64 {
        Sprt::new(model, elo0, elo1, 0.05, 0.05).unwrap().llr(&Frequencies::new(counts))
    }

    /// The examples of fastchess's `app/tests/sprt_test.cpp` (revision 0cbac49) in which every result occurs; where
    /// one does not, fastchess fills the gap differently.
    #[test]
    fn agrees_with_fastchess() {
        use EloModel::{Logistic, Normalized};
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 0.006, "{found} for {expected}");
        near(llr(Normalized, 0.0, 2.0, [36_027, 68_692, 36_433]), 0.92);
        near(llr(Normalized, -1.75, 0.25, [10_650, 20_431, 10_871]), 2.30);
        near(llr(Logistic, 0.5, 2.5, [21_184, 40_708, 21_404]), -1.57);
        near(llr(Logistic, 0.0, 2.0, [57_030, 106_593, 57_433]), -2.59);
        near(llr(Normalized, 0.0, 2.0, [365, 16_618, 36_229, 16_974, 390]), 2.25);
        near(llr(Normalized, -1.75, 0.25, [127, 4_883, 10_712, 5_150, 104]), 3.01);
        near(llr(Logistic, 0.5, 2.5, [223, 9_863, 21_279, 10_037, 246]), -3.07);
        near(llr(Logistic, 0.0, 2.0, [871, 26_175, 55_983, 26_678, 821]), -4.98);
    }

    /// The sample run in the README of jw1912/SPRT: 4307 won, 4063 lost, 8620 drawn.
    #[test]
    fn agrees_with_a_published_gsprt() {
        let found = llr(EloModel::Logistic, 0.0, 3.0, [4_063, 8_620, 4_307]);
        assert!((found - 2.99).abs() < 0.006, "{found}");
    }

    /// The data of fishtest's own checks (`stat_util.py`); the ratios were computed from the formulas of proposition
    /// 1.1 and section 4.1 in a separate Python program, by bisection to the last digit.
    #[test]
    fn agrees_with_a_second_computation() {
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-5, "{found} for {expected}");
        near(llr(EloModel::Logistic, -3.0, 1.0, [10_789, 19_328, 33_806, 19_402, 10_543]), 2.131_068);
        near(llr(EloModel::Logistic, 0.2, 0.9, [39, 2_226, 31_451, 2_412, 40]), 2.162_543);
        near(llr(EloModel::Normalized, 0.764, 3.439, [39, 2_226, 31_451, 2_412, 40]), 2.162_941);
        near(llr(EloModel::Normalized, 0.0, 2.0, [365, 16_618, 36_229, 16_974, 390]), 2.250_368);
    }

    #[test]
    fn bounds_are_walds() {
        let (lower, upper) = Sprt::new(EloModel::Logistic, 0.0, 5.0, 0.05, 0.05).unwrap().bounds();
        assert!((lower + 2.944).abs() < 1e-3 && (upper - 2.944).abs() < 1e-3);
        let (lower, upper) = Sprt::new(EloModel::Logistic, 0.0, 5.0, 0.05, 0.10).unwrap().bounds();
        assert!((lower + 2.251).abs() < 1e-3 && (upper - 2.890).abs() < 1e-3);
    }

    #[test]
    fn nothing_played_decides_nothing() {
        let state = Sprt::new(EloModel::Normalized, 0.0, 5.0, 0.05, 0.05).unwrap().judge(&Pentanomial::default());
        assert_eq!((state.llr, state.verdict), (0.0, Verdict::Continue));
    }

    #[test]
    fn one_sided_results_stay_finite_and_decide_rightly() {
        for model in [EloModel::Logistic, EloModel::Normalized] {
            for limit in [5.0, model.limit()] {
                let sprt = Sprt::new(model, 0.0, limit, 0.05, 0.05).unwrap();
                let won = sprt.judge(&Pentanomial::new([0, 0, 0, 0, 5_000]));
                assert!(won.llr.is_finite() && won.verdict == Verdict::AcceptH1, "{model:?} {limit}: {won:?}");
                let lost = sprt.judge(&Pentanomial::new([5_000, 0, 0, 0, 0]));
                assert!(lost.llr.is_finite() && lost.verdict == Verdict::AcceptH0, "{model:?} {limit}: {lost:?}");
            }
        }
    }

    #[test]
    fn tests_that_make_no_sense_are_refused() {
        let new = |elo0, elo1, alpha, beta| Sprt::new(EloModel::Logistic, elo0, elo1, alpha, beta).unwrap_err();
        assert_eq!(new(5.0, 0.0, 0.05, 0.05).to_string(), "elo0 is 5 and elo1 is 0: expected elo0 below elo1");
        assert!(matches!(new(0.0, f64::NAN, 0.05, 0.05), SprtError::Hypothesis { name: "elo1", .. }));
        assert!(matches!(new(-900.0, 0.0, 0.05, 0.05), SprtError::Hypothesis { name: "elo0", .. }));
        assert!(matches!(new(0.0, 5.0, 0.0, 0.05), SprtError::Probability { name: "alpha", .. }));
        assert!(matches!(new(0.0, 5.0, 0.05, 0.5), SprtError::Probability { name: "beta", .. }));
        let text = r#"{"model":"logistic","elo0":5,"elo1":0,"alpha":0.05,"beta":0.05}"#;
        assert!(serde_json::from_str::<Sprt>(text).is_err());
    }

    /// A pair's result for a distribution given by cumulative probabilities.
    fn draw(p: &[f64; 5], rng: &mut impl Rng) -> usize {
        let mut x: f64 = rng.random();
        for (i, p) in p.iter().enumerate() {
            x -= p;
            if x < 0.0 {
                return i;
            }
        }
        4
    }

    /// How often a test accepts H1 when pairs really come from `p`.
    fn accepted(sprt: &Sprt, p: [f64; 5], runs: u32, rng: &mut impl Rng) -> f64 {
        let accepted = (0..runs)
            .filter(|_| {
                let mut pairs = Pentanomial::default();
                loop {
                    pairs.record(draw(&p, rng));
                    // The ratio of a handful of pairs rests on what stands for the results not seen yet.
                    match if pairs.samples() < 20 { Verdict::Continue } else { sprt.judge(&pairs).verdict } {
                        Verdict::Continue => {}
                        verdict => break verdict == Verdict::AcceptH1,
                    }
                }
            })
            .count();
        accepted as f64 / f64::from(runs)
    }

    /// Error rates by simulation: pairs with the mean of each hypothesis, spread as between engines that draw much.
    #[test]
    fn wrong_decisions_are_as_rare_as_promised() {
        const RUNS: u32 = 600;
        // 600 runs see a rate of 5 % as at most 7.3 % in 995 of 1000 cases.
        const MOST: f64 = 0.073;
        let mut rng = ChaCha8Rng::seed_from_u64(20_261_129);
        let even = [0.05, 0.2, 0.5, 0.2, 0.05];
        let logistic = Sprt::new(EloModel::Logistic, 0.0, 40.0, 0.05, 0.05).unwrap();
        // Shifting s from the best and second-best results to the worst ones moves the mean by s·(1 + ½).
        let shifted = |mean: f64| {
            let s = (mean - 0.5) / 1.5;
            [0.05 - s, 0.2 - s, 0.5, 0.2 + s, 0.05 + s]
        };
        let h1 = shifted(score_of_elo(40.0));
        assert!(accepted(&logistic, even, RUNS, &mut rng) <= MOST);
        assert!(accepted(&logistic, h1, RUNS, &mut rng) >= 1.0 - MOST);

        // Its t-value, said in normalised Elo, is the other hypothesis of the second test.
        let (mean, variance) = super::super::frequencies::moments(&h1);
        let nelo = (mean - 0.5) / (2.0 * variance).sqrt() * NORMALIZED_ELO_PER_T;
        let normalized = Sprt::new(EloModel::Normalized, 0.0, nelo, 0.05, 0.05).unwrap();
        assert!(accepted(&normalized, even, RUNS, &mut rng) <= MOST);
        assert!(accepted(&normalized, h1, RUNS, &mut rng) >= 1.0 - MOST);
    }
}
