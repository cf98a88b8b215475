//! Loops for processors with AVX2: 16 numbers an instruction.

use std::arch::x86_64::{
    __m256i, _mm_add_epi64, _mm_cvtsi128_si64, _mm_extract_epi64, _mm256_add_epi16, _mm256_add_epi32, _mm256_add_epi64,
    _mm256_castsi256_si128, _mm256_cvtepi32_epi64, _mm256_extracti128_si256, _mm256_load_si256, _mm256_madd_epi16,
    _mm256_max_epi16, _mm256_min_epi16, _mm256_mullo_epi16, _mm256_set1_epi16, _mm256_setzero_si256,
    _mm256_store_si256, _mm256_sub_epi16,
};

use crate::network::block::{Block, LANES};
use crate::network::model::{ACTIVATION_ONE, OUTPUT_WEIGHT_MAX};
use crate::network::{HIDDEN_MAX, HIDDEN_STEP};

/// A product of a clamped sum and an output weight fits 16 bits.
const _: () = assert!(ACTIVATION_ONE * (OUTPUT_WEIGHT_MAX as i32) <= i16::MAX as i32);
/// All products that end in one 32-bit lane fit it together: a lane takes two of every 16, of both perspectives.
const _: () = assert!(
    (2 * HIDDEN_MAX / 16 * 2) as i64 * (ACTIVATION_ONE * ACTIVATION_ONE) as i64 * (OUTPUT_WEIGHT_MAX as i64)
        <= i32::MAX as i64
);
/// [`adjust`] works on two blocks at a time.
const _: () = assert!(HIDDEN_STEP.is_multiple_of(2 * LANES));

/// Proof that the processor has AVX2: there is no value of this type elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// The kernel, if this processor can run it.
    pub(super) fn detect() -> Option<Avx2> {
        is_x86_feature_detected!("avx2").then_some(Avx2(()))
    }

    /// See [`super::Kernel::advance`].
    #[inline]
    pub(super) fn advance<const N: usize>(
        self,
        before: &[Block],
        after: &mut [Block],
        removed: [&[Block]; N],
        added: &[Block],
    ) {
        // SAFETY: `self` proves that the processor has AVX2.
        unsafe { advance(before, after, removed, added) }
    }

    /// See [`super::Kernel::adjust`].
    #[inline]
    pub(super) fn adjust(self, sums: &mut [Block], weights: &[Block], removed: &[usize], added: &[usize]) {
        // SAFETY: `self` proves that the processor has AVX2.
        unsafe { adjust(sums, weights, removed, added) }
    }

    /// See [`super::Kernel::output`].
    #[inline]
    pub(super) fn output(self, sums: [&[Block]; 2], weights: [&[Block]; 2]) -> i64 {
        // SAFETY: `self` proves that the processor has AVX2.
        unsafe { output(sums, weights) }
    }
}

/// A block in two registers.
#[inline]
#[target_feature(enable = "avx2")]
fn load(block: &Block) -> [__m256i; 2] {
    let pointer = block.0.as_ptr().cast::<__m256i>();
    // SAFETY: a block is 64 bytes long and aligned to 64, so both halves can be read, and are aligned to 32.
    unsafe { [_mm256_load_si256(pointer), _mm256_load_si256(pointer.add(1))] }
}

/// Writes two registers to a block.
#[inline]
#[target_feature(enable = "avx2")]
fn store(block: &mut Block, values: [__m256i; 2]) {
    let pointer = block.0.as_mut_ptr().cast::<__m256i>();
    // SAFETY: a block is 64 bytes long and aligned to 64, so both halves can be written, and are aligned to 32.
    unsafe {
        _mm256_store_si256(pointer, values[0]);
        _mm256_store_si256(pointer.add(1), values[1]);
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn add(sums: [__m256i; 2], row: [__m256i; 2]) -> [__m256i; 2] {
    [_mm256_add_epi16(sums[0], row[0]), _mm256_add_epi16(sums[1], row[1])]
}

#[inline]
#[target_feature(enable = "avx2")]
fn subtract(sums: [__m256i; 2], row: [__m256i; 2]) -> [__m256i; 2] {
    [_mm256_sub_epi16(sums[0], row[0]), _mm256_sub_epi16(sums[1], row[1])]
}

#[target_feature(enable = "avx2")]
fn advance<const N: usize>(before: &[Block], after: &mut [Block], removed: [&[Block]; N], added: &[Block]) {
    // One length for all, so that no access needs a check.
    let len = after.len();
    let (before, added) = (&before[..len], &added[..len]);
    let removed = removed.map(|row| &row[..len]);
    for index in 0..len {
        let mut sums = add(load(&before[index]), load(&added[index]));
        for row in removed {
            sums = subtract(sums, load(&row[index]));
        }
        store(&mut after[index], sums);
    }
}

/// Goes through all rows with a part of the sums in registers, then to the next part.
#[target_feature(enable = "avx2")]
fn adjust(sums: &mut [Block], weights: &[Block], removed: &[usize], added: &[usize]) {
    let len = sums.len();
    for (part, sums) in sums.chunks_exact_mut(2).enumerate() {
        let (mut a, mut b) = (load(&sums[0]), load(&sums[1]));
        for &row in removed {
            let row = &weights[row * len + 2 * part..][..2];
            (a, b) = (subtract(a, load(&row[0])), subtract(b, load(&row[1])));
        }
        for &row in added {
            let row = &weights[row * len + 2 * part..][..2];
            (a, b) = (add(a, load(&row[0])), add(b, load(&row[1])));
        }
        store(&mut sums[0], a);
        store(&mut sums[1], b);
    }
}

#[target_feature(enable = "avx2")]
fn output(sums: [&[Block]; 2], weights: [&[Block]; 2]) -> i64 {
    let zero = _mm256_setzero_si256();
    let one = _mm256_set1_epi16(ACTIVATION_ONE as i16);
    // Two, so that one addition need not wait for the other.
    let mut totals = [zero; 2];
    for (sums, weights) in sums.into_iter().zip(weights) {
        for (sums, weights) in sums.iter().zip(weights) {
            let (sums, weights) = (load(sums), load(weights));
            for half in 0..2 {
                let value = _mm256_min_epi16(_mm256_max_epi16(sums[half], zero), one);
                let product = _mm256_mullo_epi16(value, weights[half]);
                totals[half] = _mm256_add_epi32(totals[half], _mm256_madd_epi16(product, value));
            }
        }
    }
    let total = _mm256_add_epi32(totals[0], totals[1]);
    let low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(total));
    let high = _mm256_cvtepi32_epi64(_mm256_extracti128_si256::<1>(total));
    let four = _mm256_add_epi64(low, high);
    let two = _mm_add_epi64(_mm256_castsi256_si128(four), _mm256_extracti128_si256::<1>(four));
    _mm_cvtsi128_si64(two) + _mm_extract_epi64::<1>(two)
}
