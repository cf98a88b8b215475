//! Everything besides the data that decides what a run of training gives.

use std::ops::RangeInclusive;

use chuhe_eval::network::{Architecture, ArchitectureError};
use serde::{Deserialize, Serialize};

/// What is left of the learning rate after each drop of [`Schedule::Step`], and its cube at the end of
/// [`Schedule::Cosine`].
const DROP: f64 = 0.3;
/// Parts of the run after which [`Schedule::Step`] drops the rate.
const DROPS: [f64; 2] = [0.4, 0.75];

/// How the learning rate falls during a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Schedule {
    /// Constant, times 0.3 after 40 % and again after 75 % of the run.
    Step,
    /// Half a cosine wave from the full rate down to 0.3³ of it.
    Cosine,
}

/// The recipe of a run: with the same data it gives the same network, bit for bit.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Recipe {
    /// Sets of input weights by the own king's place: 1 or 6.
    pub input_buckets: usize,
    /// Width of the hidden layer, a side.
    pub hidden: usize,
    /// Output layers by the material left: 1 or 8.
    pub output_buckets: usize,
    /// Passes over the data.
    pub epochs: u32,
    /// Positions an update.
    pub batch: usize,
    /// Learning rate at its highest.
    pub learning_rate: f64,
    /// How it falls.
    pub schedule: Schedule,
    /// Updates over which the learning rate rises from nothing at the start.
    pub warm_up: u64,
    /// Weight of the game's result in the target, at the start of the run; the rest is the score of the search.
    pub lambda_start: f64,
    /// The same at the end; linear between the two.
    pub lambda_end: f64,
    /// Decoupled weight decay of AdamW (times the learning rate, an update).
    pub weight_decay: f64,
    /// With several input buckets, learn a set of weights that all of them share beside their own (*factoriser*).
    pub factoriser: bool,
    /// Show positions that the inputs do not mirror by themselves from either side of the board, at random.
    pub mirror: bool,
    /// Seed of the first weights, of the order of positions and of the mirroring.
    pub seed: u64,
    /// Threads. The sums of the gradient depend on how many there are, not on how they are scheduled.
    pub threads: usize,
}

impl Default for Recipe {
    fn default() -> Recipe {
        Recipe {
            input_buckets: 1,
            hidden: 256,
            output_buckets: 1,
            epochs: 16,
            batch: 4096,
            learning_rate: 1e-3,
            schedule: Schedule::Step,
            warm_up: 200,
            lambda_start: 0.0,
            lambda_end: 0.3,
            weight_decay: 0.01,
            factoriser: true,
            mirror: true,
            seed: 1,
            threads: 2,
        }
    }
}

/// What is wrong with a recipe.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum RecipeError {
    /// No network has this shape.
    #[error(transparent)]
    Architecture(#[from] ArchitectureError),
    /// A number is out of its range.
    #[error("{name} is {value}, expected {} to {}", expected.start(), expected.end())]
    Range {
        /// Of what.
        name: &'static str,
        /// What it is.
        value: f64,
        /// What it may be.
        expected: RangeInclusive<f64>,
    },
}

impl Recipe {
    /// The shape of the network.
    ///
    /// # Errors
    /// When there is no such network.
    pub fn architecture(&self) -> Result<Architecture, ArchitectureError> {
        Architecture::new(self.input_buckets, self.hidden, self.output_buckets)
    }

    /// Checks every number.
    ///
    /// # Errors
    /// The first number that is out of its range.
    pub fn validate(&self) -> Result<(), RecipeError> {
        self.architecture()?;
        let ranges = [
            ("epochs", f64::from(self.epochs), 1.0..=100_000.0),
            ("batch", self.batch as f64, 1.0..=1_048_576.0),
            ("learning_rate", self.learning_rate, 1e-8..=1.0),
            ("lambda_start", self.lambda_start, 0.0..=1.0),
            ("lambda_end", self.lambda_end, 0.0..=1.0),
            ("weight_decay", self.weight_decay, 0.0..=1.0),
            ("threads", self.threads as f64, 1.0..=64.0),
        ];
        match ranges.into_iter().find(|(_, value, range)| !range.contains(value)) {
            Some((name, value, expected)) => Err(RecipeError::Range { name, value, expected }),
            None => Ok(()),
        }
    }

    /// The first setting in which two recipes differ, with its value in each, as it stands in a file.
    #[must_use]
    pub fn difference(&self, other: &Recipe) -> Option<(String, String, String)> {
        let table = |recipe: &Recipe| toml::Table::try_from(recipe).unwrap_or_default();
        let theirs = table(other);
        let value = |value: Option<&toml::Value>| value.map_or_else(|| "nothing".to_owned(), ToString::to_string);
        table(self).into_iter().find_map(|(name, ours)| match theirs.get(&name) {
            Some(same) if *same == ours => None,
            other => Some((name, value(Some(&ours)), value(other))),
        })
    }

    /// The learning rate of an update, counted from 0, in a run of `total` updates.
    pub fn learning_rate_at(&self, update: u64, total: u64) -> f64 {
        let progress = update as f64 / total.max(1) as f64;
        let factor = match self.schedule {
            Schedule::Step => DROPS.into_iter().filter(|&drop| progress >= drop).map(|_| DROP).product(),
            Schedule::Cosine => {
                let end = DROP * DROP * DROP;
                end + (1.0 - end) * 0.5 * (1.0 + libm::cos(std::f64::consts::PI * progress))
            }
        };
        let warm_up = if update < self.warm_up { (update + 1) as f64 / self.warm_up as f64 } else { 1.0 };
        self.learning_rate * factor * warm_up
    }

    /// The weight of the result in the target at an update, counted from 0, in a run of `total` updates.
    pub fn lambda_at(&self, update: u64, total: u64) -> f64 {
        let progress = (update as f64 / total.max(1) as f64).min(1.0);
        self.lambda_start + (self.lambda_end - self.lambda_start) * progress
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    #[test]
    fn the_rate_warms_up_and_drops_twice() {
        let recipe = Recipe { warm_up: 10, learning_rate: 0.01, ..Recipe::default() };
        let rate = |update| recipe.learning_rate_at(update, 1000);
        assert!(close(rate(0), 0.001) && close(rate(4), 0.005) && close(rate(10), 0.01));
        assert!(close(rate(399), 0.01) && close(rate(400), 0.003));
        assert!(close(rate(749), 0.003) && close(rate(750), 0.0009) && close(rate(999), 0.0009));
    }

    #[test]
    fn the_cosine_falls_from_the_rate_to_its_end() {
        let recipe = Recipe { warm_up: 0, learning_rate: 1.0, schedule: Schedule::Cosine, ..Recipe::default() };
        let rates: Vec<f64> = (0..=100).map(|update| recipe.learning_rate_at(update, 100)).collect();
        assert!(close(rates[0], 1.0) && close(rates[50], (1.0 + 0.027) / 2.0) && close(rates[100], 0.027));
        assert!(rates.is_sorted_by(|a, b| a > b));
    }

    #[test]
    fn lambda_is_linear() {
        let recipe = Recipe { lambda_start: 0.2, lambda_end: 0.6, ..Recipe::default() };
        assert!(close(recipe.lambda_at(0, 10), 0.2));
        assert!(close(recipe.lambda_at(5, 10), 0.4));
        assert!(close(recipe.lambda_at(10, 10), 0.6));
    }

    #[test]
    fn a_recipe_survives_its_text_and_is_checked() {
        let recipe = Recipe { schedule: Schedule::Cosine, seed: 77, ..Recipe::default() };
        let text = toml::to_string(&recipe).expect("a recipe is plain data");
        assert_eq!(toml::from_str::<Recipe>(&text), Ok(recipe.clone()));
        assert_eq!(recipe.validate(), Ok(()));
        let wrong = Recipe { lambda_end: 1.5, ..recipe.clone() };
        assert!(matches!(wrong.validate(), Err(RecipeError::Range { name: "lambda_end", .. })));
        assert_eq!(recipe.difference(&recipe), None);
        assert_eq!(recipe.difference(&wrong), Some(("lambda_end".into(), "0.3".into(), "1.5".into())));
        assert!(matches!(Recipe { hidden: 100, ..recipe }.validate(), Err(RecipeError::Architecture(_))));
    }
}
