//! The inner loops: one tile of the hidden layer forward and backward over a micro-batch, and AdamW over rows.
//!
//! Written as plain loops over rows of fixed length and compiled twice, once for every processor and once for AVX2,
//! which is chosen at run time. Every number is computed by the same operations in the same order in both (sums go lane
//! by lane, nothing is fused), so that the processor does not decide what network comes out.

use super::batch::{MicroBatch, View};
use super::tensors::{Layout, Row, TILE};

/// Lanes in which a dot product is summed up before they are added.
const LANES: usize = 8;

/// Compiles a function a second time for AVX2 and calls the better version.
macro_rules! dispatch {
    ($(#[$doc:meta])* $vis:vis fn $name:ident($($arg:ident: $type:ty),* $(,)?) = $body:ident) => {
        $(#[$doc])*
        $vis fn $name($($arg: $type),*) {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                fn avx2($($arg: $type),*) {
                    $body($($arg),*);
                }
                if is_x86_feature_detected!("avx2") {
                    // SAFETY: the function needs nothing but a processor with AVX2, and this is one.
                    return unsafe { avx2($($arg),*) };
                }
            }
            $body($($arg),*);
        }
    };
}

/// What a pass over one tile reads of the network.
#[derive(Clone, Copy)]
pub(crate) struct Tile<'a> {
    /// Feature weights of the tile, as the network uses them.
    pub(crate) features: &'a [Row],
    /// Biases of the tile.
    pub(crate) bias: &'a Row,
    /// All output weights.
    pub(crate) outputs: &'a [Row],
    /// How they are laid out.
    pub(crate) layout: Layout,
    /// Number of the tile.
    pub(crate) index: usize,
}

impl Tile<'_> {
    /// The row of output weights that a view meets in this tile.
    #[inline(always)]
    fn output_row(&self, view: &View) -> usize {
        self.layout.output_row(view.output_bucket.into(), view.side.into(), self.index)
    }
}

/// What a backward pass over one tile adds to.
pub(crate) struct TileGradient<'a> {
    /// Of the feature weights of the tile.
    pub(crate) features: &'a mut [Row],
    /// Of its biases.
    pub(crate) bias: &'a mut Row,
    /// Of all output weights.
    pub(crate) outputs: &'a mut [Row],
}

dispatch! {
    /// Computes the hidden layer's sums of every view in a tile into `hidden`, and adds what they contribute to each
    /// position's output to `sums`.
    pub(crate) fn forward(tile: Tile<'_>, batch: &MicroBatch, hidden: &mut [Row], sums: &mut [f32]) = forward_body
}

dispatch! {
    /// Adds the gradient of the loss to `gradient`, given that by each position's output.
    pub(crate) fn backward(
        tile: Tile<'_>,
        batch: &MicroBatch,
        hidden: &[Row],
        slopes: &[f32],
        gradient: TileGradient<'_>,
    ) = backward_body
}

dispatch! {
    /// One update of AdamW.
    pub(crate) fn adamw(
        update: &AdamW,
        weights: &mut [Row],
        first: &mut [Row],
        second: &mut [Row],
        gradient: &[Row],
    ) = adamw_body
}

dispatch! {
    /// Adds rows to rows.
    pub(crate) fn add(sums: &mut [Row], terms: &[Row]) = add_body
}

dispatch! {
    /// Adds rows to rows within the limits that hold for a weight.
    pub(crate) fn add_clipped(sums: &mut [Row], terms: &[Row]) = add_clipped_body
}

#[inline(always)]
fn forward_body(tile: Tile<'_>, batch: &MicroBatch, hidden: &mut [Row], sums: &mut [f32]) {
    for (view, hidden) in batch.views().iter().zip(hidden) {
        let mut sum = tile.bias.0;
        for &row in batch.rows(view) {
            let weights = &tile.features[usize::from(row)].0;
            for i in 0..TILE {
                sum[i] += weights[i];
            }
        }
        hidden.0 = sum;

        let outputs = &tile.outputs[tile.output_row(view)].0;
        let mut lanes = [0.0f32; LANES];
        for i in (0..TILE).step_by(LANES) {
            for lane in 0..LANES {
                let value = sum[i + lane].clamp(0.0, 1.0);
                lanes[lane] += value * value * outputs[i + lane];
            }
        }
        let [a, b, c, d, e, f, g, h] = lanes;
        sums[usize::from(view.position)] += ((a + e) + (c + g)) + ((b + f) + (d + h));
    }
}

#[inline(always)]
fn backward_body(tile: Tile<'_>, batch: &MicroBatch, hidden: &[Row], slopes: &[f32], gradient: TileGradient<'_>) {
    let mut bias = gradient.bias.0;
    for (view, hidden) in batch.views().iter().zip(hidden) {
        let slope = slopes[usize::from(view.position)];
        let output = tile.output_row(view);
        let weights = &tile.outputs[output].0;
        let outputs = &mut gradient.outputs[output].0;
        let mut by_sum = [0.0f32; TILE];
        for i in 0..TILE {
            let value = hidden.0[i].clamp(0.0, 1.0);
            outputs[i] += slope * (value * value);
            // The slope of the square of a clamped value: nothing outside the range, nothing at its upper end.
            let inner = if value < 1.0 { value + value } else { 0.0 };
            by_sum[i] = slope * weights[i] * inner;
            bias[i] += by_sum[i];
        }
        for &row in batch.rows(view) {
            let features = &mut gradient.features[usize::from(row)].0;
            for i in 0..TILE {
                features[i] += by_sum[i];
            }
        }
    }
    gradient.bias.0 = bias;
}

/// The constants of one update of AdamW (Loshchilov and Hutter, "Decoupled Weight Decay Regularization", 2019).
#[derive(Clone, Copy, Debug)]
pub(crate) struct AdamW {
    /// Learning rate, with the first moment's correction for its start from zero.
    pub(crate) rate: f32,
    /// Correction of the second moment for its start from zero.
    pub(crate) second_correction: f32,
    /// What a weight is multiplied by before the step: one less learning rate times decay.
    pub(crate) keep: f32,
}

impl AdamW {
    /// Decay of the mean of gradients.
    pub(crate) const BETA1: f64 = 0.9;
    /// Decay of the mean of their squares.
    pub(crate) const BETA2: f64 = 0.999;
    /// Keeps the division finite.
    const EPSILON: f32 = 1e-8;
}

/// Largest magnitude of a parameter. Times 64, an output weight then stays below 127, and its product with an
/// activation of at most 255 in 16 bits.
pub(crate) const CLIP: f32 = 1.98;

#[inline(always)]
fn adamw_body(update: &AdamW, weights: &mut [Row], first: &mut [Row], second: &mut [Row], gradient: &[Row]) {
    const BETA1: f32 = AdamW::BETA1 as f32;
    const BETA2: f32 = AdamW::BETA2 as f32;
    for (((weight, first), second), gradient) in weights.iter_mut().zip(first).zip(second).zip(gradient) {
        for i in 0..TILE {
            let slope = gradient.0[i];
            first.0[i] = BETA1 * first.0[i] + (1.0 - BETA1) * slope;
            second.0[i] = BETA2 * second.0[i] + (1.0 - BETA2) * (slope * slope);
            let scale = (second.0[i] * update.second_correction).sqrt() + AdamW::EPSILON;
            let step = update.rate * first.0[i] / scale;
            weight.0[i] = (weight.0[i] * update.keep - step).clamp(-CLIP, CLIP);
        }
    }
}

#[inline(always)]
fn add_body(sums: &mut [Row], terms: &[Row]) {
    for (sum, term) in sums.iter_mut().zip(terms) {
        for i in 0..TILE {
            sum.0[i] += term.0[i];
        }
    }
}

#[inline(always)]
fn add_clipped_body(sums: &mut [Row], terms: &[Row]) {
    for (sum, term) in sums.iter_mut().zip(terms) {
        for i in 0..TILE {
            sum.0[i] = (sum.0[i] + term.0[i]).clamp(-CLIP, CLIP);
        }
    }
}

#[cfg(test)]
mod tests {
    use chuhe_eval::network::Architecture;
    use chuhe_eval::network::features::INPUTS;
    use rand::RngExt;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::super::benchmark::random_records;
    use super::*;

    fn rows(count: usize, rng: &mut ChaCha8Rng) -> Vec<Row> {
        (0..count).map(|_| Row(std::array::from_fn(|_| rng.random_range(-0.3..0.5)))).collect()
    }

    /// What is compiled for any processor against what this one runs.
    #[test]
    fn the_processor_does_not_change_a_bit() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let architecture = Architecture::new(1, 64, 1).expect("supported");
        let mut batch = MicroBatch::new(architecture);
        for record in random_records(300, 3) {
            batch.push(&record, false);
        }
        let (features, bias, outputs) = (rows(INPUTS, &mut rng), rows(1, &mut rng), rows(2, &mut rng));
        let tile = Tile {
            features: &features,
            bias: &bias[0],
            outputs: &outputs,
            layout: Layout::new(architecture, false),
            index: 0,
        };
        let (mut hidden, mut sums) = ([vec![Row::ZERO; 600], vec![Row::ZERO; 600]], [[0.0; 300]; 2]);
        forward(tile, &batch, &mut hidden[0], &mut sums[0]);
        forward_body(tile, &batch, &mut hidden[1], &mut sums[1]);
        assert_eq!(hidden[0], hidden[1]);
        assert_eq!(sums[0], sums[1]);

        let mut gradients = [0, 1].map(|_| (vec![Row::ZERO; INPUTS], Row::ZERO, vec![Row::ZERO; 2]));
        let slopes: Vec<f32> = (0..300).map(|_| rng.random_range(-1.0..1.0)).collect();
        for (index, (features, bias, outputs)) in gradients.iter_mut().enumerate() {
            let gradient = TileGradient { features, bias, outputs };
            let run = if index == 0 { backward } else { backward_body };
            run(tile, &batch, &hidden[0], &slopes, gradient);
        }
        assert_eq!(gradients[0], gradients[1]);

        let update = AdamW { rate: 0.01, second_correction: 1.5, keep: 0.999 };
        let states = [0, 1].map(|index| {
            let mut rng = ChaCha8Rng::seed_from_u64(2);
            let (mut weights, mut first) = (rows(9, &mut rng), rows(9, &mut rng));
            let mut second = rows(9, &mut rng);
            second.iter_mut().for_each(|row| row.0.iter_mut().for_each(|value| *value = value.abs()));
            let run = if index == 0 { adamw } else { adamw_body };
            run(&update, &mut weights, &mut first, &mut second, &gradients[0].0[..9]);
            (weights, first, second)
        });
        assert_eq!(states[0], states[1]);
    }

    /// Two steps worked out by hand from the paper's algorithm: gradient 1, then 0, weight 1, rate 0.1, decay 0.01.
    #[test]
    fn adamw_is_that_of_the_paper() {
        let (mut weight, mut first, mut second) = ([Row([1.0; TILE])], [Row::ZERO], [Row::ZERO]);
        let mut step = |count: i32, gradient: f32| {
            let update = AdamW {
                rate: 0.1 / (1.0 - 0.9f32.powi(count)),
                second_correction: 1.0 / (1.0 - 0.999f32.powi(count)),
                keep: 1.0 - 0.1 * 0.01,
            };
            adamw(&update, &mut weight, &mut first, &mut second, &[Row([gradient; TILE])]);
            weight[0].0[5]
        };
        // 1 · 0.999 − 0.1 · 1 / (1 + ε)
        assert!((step(1, 1.0) - 0.899).abs() < 1e-5);
        // Means 0.09 / 0.19 and √(0.000999 / 0.001999): a step of 0.1 · 0.473684 / 0.706930.
        assert!((step(2, 0.0) - (0.899 * 0.999 - 0.0670058)).abs() < 1e-5);
    }

    #[test]
    fn no_parameter_leaves_its_limits() {
        let (mut weight, mut first, mut second) = ([Row([1.97; TILE])], [Row::ZERO], [Row::ZERO]);
        let update = AdamW { rate: 1.0, second_correction: 1000.0, keep: 1.0 };
        adamw(&update, &mut weight, &mut first, &mut second, &[Row([-1.0; TILE])]);
        assert_eq!(weight[0], Row([CLIP; TILE]));
        add_clipped(&mut weight, &[Row([1.0; TILE])]);
        assert_eq!(weight[0], Row([CLIP; TILE]));
    }
}
