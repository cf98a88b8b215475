//! Fits the model that turns scores into chances: `P(win) = 1 / (1 + exp((a − score) / b))`, and the same of the
//! negative score for a loss; see `chuhe_eval::wdl`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::data::GameOutcome;
use crate::data::labelled::{self, DataError};

/// The constants of the model.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Model {
    /// Score at which the chance to win is one half.
    pub a: f64,
    /// Spread of the curve.
    pub b: f64,
}

impl Model {
    fn win(self, score: f64) -> f64 {
        1.0 / (1.0 + ((self.a - score) / self.b).exp())
    }

    /// How unlikely an outcome was: the negative logarithm of its chance.
    fn surprise(self, score: f64, outcome: GameOutcome) -> f64 {
        let (win, loss) = (self.win(score), self.win(-score));
        let chance = match outcome {
            GameOutcome::Win => win,
            GameOutcome::Loss => loss,
            GameOutcome::Draw => 1.0 - win - loss,
        };
        -chance.max(1e-9).ln()
    }
}

/// Outcomes by score, both from the side that the score favours.
#[derive(Clone, Default, Debug)]
pub struct Histogram {
    /// Losses, draws and wins.
    by_score: BTreeMap<u32, [u64; 3]>,
    total: u64,
}

impl Histogram {
    /// Reads the scores and results of files; returns how many positions were passed over too, those without a score
    /// among them.
    pub fn read(paths: &[PathBuf]) -> Result<(Histogram, usize), DataError> {
        let mut histogram = Histogram::default();
        let mut unscored = 0;
        let skipped = labelled::read(
            paths,
            |position| (position.score, position.outcome),
            |(score, outcome)| match score {
                Some(score) => histogram.add(score, outcome),
                None => unscored += 1,
            },
        )?;
        Ok((histogram, skipped + unscored))
    }

    fn add(&mut self, score: i32, outcome: GameOutcome) {
        let outcome = match (score < 0, outcome) {
            (true, GameOutcome::Win) => GameOutcome::Loss,
            (true, GameOutcome::Loss) => GameOutcome::Win,
            (_, outcome) => outcome,
        };
        self.by_score.entry(score.unsigned_abs()).or_default()[outcome as usize] += 1;
        self.total += 1;
    }

    /// Number of positions.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Mean surprise of a position.
    pub fn loss(&self, model: Model) -> f64 {
        let mut sum = 0.0;
        for (&score, counts) in &self.by_score {
            for (outcome, &count) in [GameOutcome::Loss, GameOutcome::Draw, GameOutcome::Win].into_iter().zip(counts) {
                if count > 0 {
                    sum += count as f64 * model.surprise(score.into(), outcome);
                }
            }
        }
        sum / self.total as f64
    }

    /// The likeliest model, found by a pattern search from `start`.
    pub fn fit(&self, start: Model) -> Result<Model, DataError> {
        if self.total < 1000 {
            return Err(DataError::TooLittle("too few positions with a score: a thousand are needed at least"));
        }
        let mut best = start;
        let mut loss = self.loss(best);
        let mut step = 0.5;
        while step > 1e-4 {
            // Both constants are positive: steps are factors.
            let (up, down) = (1.0 + step, 1.0 / (1.0 + step));
            let neighbours =
                [(up, 1.0), (down, 1.0), (1.0, up), (1.0, down), (up, up), (down, down), (up, down), (down, up)]
                    .map(|(a, b)| Model { a: (best.a * a).clamp(1.0, 1e5), b: (best.b * b).clamp(1.0, 1e5) })
                    .map(|model| (self.loss(model), model));
            let nearest = neighbours.into_iter().min_by(|x, y| x.0.total_cmp(&y.0));
            match nearest {
                Some((better, model)) if better < loss => (loss, best) = (better, model),
                _ => step /= 2.0,
            }
        }
        Ok(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn planted_constants_are_recovered() {
        let planted = Model { a: 310.0, b: 95.0 };
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut histogram = Histogram::default();
        for _ in 0..100_000 {
            let score = rng.random_range(-900..=900);
            let chance: f64 = rng.random_range(0.0..1.0);
            let (win, loss) = (planted.win(score.into()), planted.win(-f64::from(score)));
            let outcome = match chance {
                c if c < win => GameOutcome::Win,
                c if c < win + loss => GameOutcome::Loss,
                _ => GameOutcome::Draw,
            };
            histogram.add(score, outcome);
        }
        let fitted = histogram.fit(Model { a: 400.0, b: 150.0 }).expect("enough data");
        assert!((fitted.a - planted.a).abs() < 6.0 && (fitted.b - planted.b).abs() < 4.0, "{fitted:?}");
        assert!(histogram.loss(fitted) <= histogram.loss(planted));
    }

    #[test]
    fn too_little_data_are_refused() {
        assert!(Histogram::default().fit(Model { a: 1.0, b: 1.0 }).is_err());
    }
}
