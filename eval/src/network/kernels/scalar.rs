//! Plain loops, for every processor; the meaning of the other kernels.

use crate::network::block::Block;
use crate::network::model::ACTIVATION_ONE;

/// Adds a row of feature weights to the sums.
pub(crate) fn add(sums: &mut [Block], row: &[Block]) {
    for (sums, row) in sums.iter_mut().zip(row) {
        for (sum, weight) in sums.0.iter_mut().zip(row.0) {
            *sum = sum.wrapping_add(weight);
        }
    }
}

/// The output layer of one perspective: sums clamped to 0 … [`ACTIVATION_ONE`], squared, weighted, added up.
pub(crate) fn output(sums: &[Block], weights: &[Block]) -> i64 {
    let mut total = 0;
    for (sums, weights) in sums.iter().zip(weights) {
        // At most 32 · 255² · 127 in each block.
        let mut block = 0;
        for (sum, weight) in sums.0.into_iter().zip(weights.0) {
            let value = i32::from(sum.clamp(0, ACTIVATION_ONE as i16));
            block += value * i32::from(weight) * value;
        }
        total += i64::from(block);
    }
    total
}
