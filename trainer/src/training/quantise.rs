//! From the floating-point network in training to the integers that play.

use chuhe_eval::network::features::INPUTS;
use chuhe_eval::network::{ACTIVATION_ONE, Network, NetworkError, OUTPUT_WEIGHT_MAX, Parts, WEIGHT_ONE};
use serde::{Deserialize, Serialize};

use super::target::SCALE;
use super::tensors::{Layout, Row, TILE, Tensors};
use super::trainer::Trainer;
use crate::data::Record;

/// Why a network cannot be written in integers.
#[derive(Debug, thiserror::Error)]
pub enum QuantiseError {
    /// A number does not fit, or is none.
    #[error("{part} {index} is {value}, too large for its integer type")]
    Overflow {
        /// Of which kind.
        part: &'static str,
        /// Its place among them.
        index: usize,
        /// The number, in units of its integer type.
        value: f32,
    },
    /// The integers do not make a network that is safe to evaluate.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

/// How far the integers are from the floating-point network on a sample of positions, in internal units of evaluation.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Fidelity {
    /// Positions looked at.
    pub positions: usize,
    /// Root of the mean square of the floating-point evaluation.
    pub evaluation: f64,
    /// Root of the mean square of the difference.
    pub difference: f64,
    /// The largest difference.
    pub largest: f64,
}

impl Fidelity {
    /// Compares a trainer's network with its integer form.
    pub fn measure(trainer: &mut Trainer, network: &Network, records: &[Record]) -> Fidelity {
        let outputs = trainer.outputs(records);
        let (mut evaluation, mut difference, mut largest) = (0.0, 0.0, 0.0f64);
        for (record, output) in records.iter().zip(outputs) {
            let exact = f64::from(output * SCALE);
            let error = exact - f64::from(network.evaluate(&record.board()));
            evaluation += exact * exact;
            difference += error * error;
            largest = largest.max(error.abs());
        }
        let count = records.len().max(1) as f64;
        Fidelity {
            positions: records.len(),
            evaluation: (evaluation / count).sqrt(),
            difference: (difference / count).sqrt(),
            largest,
        }
    }

    /// The difference as a part of the evaluation.
    pub fn relative(&self) -> f64 {
        self.difference / self.evaluation.max(1.0)
    }
}

impl Trainer {
    /// The network as it is now, in integers. `description` says where it comes from and how it may be used.
    ///
    /// # Errors
    /// [`QuantiseError`] when a number does not fit its integer type or a sum could overflow.
    pub fn quantise(&self, description: &str) -> Result<Network, QuantiseError> {
        let (layout, network) = (self.layout(), self.network());
        let weight_one = ACTIVATION_ONE as f32;
        let output_one = WEIGHT_ONE as f32;
        let scale = scale(&network.outputs);
        let stretch = SCALE / f32::from(scale);
        let output_weights = flat(&network.outputs).map(|weight| weight * stretch);
        let output_biases = network.output_biases.0[..layout.output_buckets].iter().map(|bias| bias * stretch);
        Ok(Network::from_parts(&Parts {
            architecture: self.architecture(),
            scale,
            description: description.into(),
            feature_weights: integers("feature weight", weight_one, feature_weights(layout, network))?,
            feature_biases: integers("feature bias", weight_one, flat(&network.biases))?,
            output_weights: integers("output weight", output_one, output_weights)?,
            output_biases: integers("output bias", weight_one * output_one, output_biases)?,
        })?)
    }
}

/// The scale for the file: the smaller it is, the larger are the output weights, and the less their rounding matters. A
/// trained network's output weights use a small part of their range, so that this is worth more than all other precision.
fn scale(outputs: &[Row]) -> u16 {
    let largest = flat(outputs).fold(0.0f32, |largest, weight| largest.max(weight.abs()));
    let range = f32::from(OUTPUT_WEIGHT_MAX) / WEIGHT_ONE as f32;
    (SCALE * largest / range).ceil().clamp(1.0, SCALE) as u16
}

/// Feature weights in the order of the file, `[bucket][feature][hidden unit]`.
fn feature_weights<'a>(layout: &Layout, network: &'a Tensors) -> impl Iterator<Item = f32> + 'a {
    let (tiles, used) = (layout.tiles, layout.used_rows());
    debug_assert_eq!(used % INPUTS, 0);
    (0..used).flat_map(move |row| (0..tiles).flat_map(move |tile| network.features[tile * used + row].0))
}

/// The numbers of rows one after another.
fn flat(rows: &[Row]) -> impl Iterator<Item = f32> + '_ {
    rows.iter().flat_map(|row: &Row| -> [f32; TILE] { row.0 })
}

/// Rounds numbers to multiples of 1 / `one`.
fn integers<T: TryFrom<i64>>(
    part: &'static str,
    one: f32,
    values: impl Iterator<Item = f32>,
) -> Result<Vec<T>, QuantiseError> {
    values
        .enumerate()
        .map(|(index, value)| {
            let value = (value * one).round();
            let fits = value.is_finite().then_some(value as i64);
            fits.and_then(|integer| T::try_from(integer).ok()).ok_or(QuantiseError::Overflow { part, index, value })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_or_refused() {
        let good: Vec<i16> = integers("weight", 255.0, [0.0, 1.0, -1.98, 0.001, 0.002].into_iter()).expect("small");
        assert_eq!(good, [0, 255, -505, 0, 1]);
        for bad in [f32::NAN, f32::INFINITY, 128.6, -128.6] {
            let result: Result<Vec<i16>, _> = integers("weight", 255.0, [0.5, bad].into_iter());
            assert!(matches!(result, Err(QuantiseError::Overflow { part: "weight", index: 1, .. })), "{bad}");
        }
    }
}
