//! Plain loops, which compilers turn into whatever vector instructions the build may use.

use crate::network::block::Block;
use crate::network::model::ACTIVATION_ONE;

/// See [`super::Kernel::advance`].
pub(super) fn advance<const N: usize>(before: &[Block], after: &mut [Block], removed: [&[Block]; N], added: &[Block]) {
    after.copy_from_slice(before);
    for row in removed {
        subtract(after, row);
    }
    add(after, added);
}

/// See [`super::Kernel::adjust`].
pub(super) fn adjust(sums: &mut [Block], weights: &[Block], removed: &[usize], added: &[usize]) {
    let len = sums.len();
    for &row in removed {
        subtract(sums, &weights[row * len..][..len]);
    }
    for &row in added {
        add(sums, &weights[row * len..][..len]);
    }
}

/// See [`super::Kernel::output`].
pub(super) fn output(sums: [&[Block]; 2], weights: [&[Block]; 2]) -> i64 {
    let mut total = 0;
    for (sums, weights) in sums.into_iter().zip(weights) {
        for (sums, weights) in sums.iter().zip(weights) {
            // At most 32 · 255² · 127 in each block.
            let mut block = 0;
            for (sum, weight) in sums.0.into_iter().zip(weights.0) {
                let value = sum.clamp(0, ACTIVATION_ONE as i16);
                block += i32::from(value * weight) * i32::from(value);
            }
            total += i64::from(block);
        }
    }
    total
}

fn add(sums: &mut [Block], row: &[Block]) {
    for (sums, row) in sums.iter_mut().zip(row) {
        for (sum, weight) in sums.0.iter_mut().zip(row.0) {
            *sum = sum.wrapping_add(weight);
        }
    }
}

fn subtract(sums: &mut [Block], row: &[Block]) {
    for (sums, row) in sums.iter_mut().zip(row) {
        for (sum, weight) in sums.0.iter_mut().zip(row.0) {
            *sum = sum.wrapping_sub(weight);
        }
    }
}
