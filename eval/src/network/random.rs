//! Networks of random weights.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{ACTIVATION_ONE, Architecture, DEFAULT_SCALE, OUTPUT_WEIGHT_MAX, Parts};

impl Parts {
    /// Random weights, the same for the same seed, for tests and for measuring speed.
    ///
    /// Sums lie below, within and above the range to which they are clamped, and never overflow.
    pub fn random(architecture: Architecture, seed: u64) -> Parts {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut numbers = |count: usize, most: i16| (0..count).map(|_| rng.random_range(-most..=most)).collect();
        let feature_weights = numbers(architecture.feature_weights(), 100);
        let feature_biases = numbers(architecture.feature_biases(), ACTIVATION_ONE as i16);
        let output_weights = numbers(architecture.output_weights(), OUTPUT_WEIGHT_MAX);
        let most = ACTIVATION_ONE;
        let output_biases = (0..architecture.output_biases()).map(|_| rng.random_range(-most..=most)).collect();
        Parts {
            architecture,
            scale: DEFAULT_SCALE,
            description: format!("random weights by seed {seed}"),
            feature_weights,
            feature_biases,
            output_weights,
            output_biases,
        }
    }
}
