//! What the network is to learn of a position.

use crate::data::Record;

/// Scores are divided by this before they are squashed to a chance to win; the network's output is in the same unit.
pub(crate) const SCALE: f32 = 400.0;

/// What is known of a position's worth to the side to move, in chances to win.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Target {
    /// The result of the game.
    result: f32,
    /// The chance to win that the score of the search stands for.
    score: f32,
}

impl Target {
    /// What a record tells.
    pub(crate) fn of(record: &Record) -> Target {
        let score = sigmoid(f32::from(record.score()) / SCALE);
        Target { result: record.outcome().points() as f32, score }
    }

    /// The chance to win that the network should foretell; `lambda` is the weight of the result.
    pub(crate) fn blend(self, lambda: f32) -> f32 {
        lambda * self.result + (1.0 - lambda) * self.score
    }
}

/// The logistic function.
pub(crate) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-x))
}
