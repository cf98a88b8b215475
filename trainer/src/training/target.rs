//! What the network is to learn of a position.

use crate::data::Record;

/// Scores are divided by this before they are squashed to a chance to win; the network's output is in the same unit.
pub(crate) const SCALE: f32 = 400.0;

/// How results and scores are blended.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Target {
    /// Weight of the result; the rest is that of the score.
    pub(crate) lambda: f32,
}

impl Target {
    /// The chance to win that the side to move should be shown to have.
    pub(crate) fn of(&self, record: &Record) -> f32 {
        let score = sigmoid(f32::from(record.score()) / SCALE);
        self.lambda * record.outcome().points() as f32 + (1.0 - self.lambda) * score
    }
}

/// The logistic function.
pub(crate) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-x))
}
