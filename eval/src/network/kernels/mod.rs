//! The inner loops, by instruction set. A kernel is chosen once; every kernel gives the same numbers, bit for bit.
//!
//! Sums of the hidden layer wrap around at 16 bits. In positions of a game they never do, since [`super::Network`]
//! refuses weights that could; in composed placements with more pieces all kernels wrap alike.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod scalar;

use super::block::Block;

/// The loops for one instruction set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kernel {
    /// For every processor.
    Scalar,
    /// For x86-64 processors with AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2(avx2::Avx2),
}

/// Calls a function of the kernel's module.
macro_rules! dispatch {
    ($kernel:expr, $function:ident($($argument:expr),*)) => {
        match $kernel {
            Kernel::Scalar => scalar::$function($($argument),*),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(avx2) => avx2.$function($($argument),*),
        }
    };
}

impl Kernel {
    /// The fastest kernel that this processor can run.
    pub(crate) fn fastest() -> Kernel {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = avx2::Avx2::detect() {
            return Kernel::Avx2(avx2);
        }
        Kernel::Scalar
    }

    /// Sums after a move: those before it, without the rows of what left, with the row of what came.
    #[inline]
    pub(crate) fn advance<const N: usize>(
        self,
        before: &[Block],
        after: &mut [Block],
        removed: [&[Block]; N],
        added: &[Block],
    ) {
        dispatch!(self, advance(before, after, removed, added));
    }

    /// Takes rows of `weights` off `sums` and adds others. Rows are as long as `sums`.
    #[inline]
    pub(crate) fn adjust(self, sums: &mut [Block], weights: &[Block], removed: &[usize], added: &[usize]) {
        dispatch!(self, adjust(sums, weights, removed, added));
    }

    /// The output layer without its bias: the sums of both perspectives clamped, squared, weighted, added up.
    #[inline]
    pub(crate) fn output(self, sums: [&[Block]; 2], weights: [&[Block]; 2]) -> i64 {
        dispatch!(self, output(sums, weights))
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::network::block::blocks;
    use crate::network::{HIDDEN_MAX, HIDDEN_STEP, OUTPUT_WEIGHT_MAX};

    struct Random(ChaCha8Rng);

    impl Random {
        fn blocks(&mut self, count: usize, range: std::ops::RangeInclusive<i16>) -> Box<[Block]> {
            let numbers: Vec<i16> = (0..count).map(|_| self.0.random_range(range.clone())).collect();
            blocks(&numbers)
        }
    }

    /// Runs a check with random numbers for every size of the hidden layer, if there is a kernel to compare.
    fn for_all_sizes(check: impl Fn(Kernel, usize, &mut Random)) {
        let kernel = Kernel::fastest();
        if kernel == Kernel::Scalar {
            println!("no other kernel here");
        }
        for hidden in (HIDDEN_STEP..=HIDDEN_MAX).step_by(HIDDEN_STEP) {
            check(kernel, hidden, &mut Random(ChaCha8Rng::seed_from_u64(hidden as u64)));
        }
    }

    #[test]
    fn advancing_is_the_same_also_when_sums_wrap() {
        for_all_sizes(|kernel, hidden, random| {
            let any = i16::MIN..=i16::MAX;
            let [before, a, b, c] = [(); 4].map(|()| random.blocks(hidden, any.clone()));
            let after = |kernel: Kernel, capture: bool| {
                let mut after = vec![Block::ZERO; before.len()];
                if capture {
                    kernel.advance(&before, &mut after, [&a, &b], &c);
                } else {
                    kernel.advance(&before, &mut after, [&a], &c);
                }
                after
            };
            for capture in [false, true] {
                assert_eq!(after(kernel, capture), after(Kernel::Scalar, capture));
            }
            let expected = before[0].0[0].wrapping_sub(a[0].0[0]).wrapping_add(c[0].0[0]);
            assert_eq!(after(Kernel::Scalar, false)[0].0[0], expected);
            assert_eq!(after(Kernel::Scalar, true)[0].0[0], expected.wrapping_sub(b[0].0[0]));
        });
    }

    #[test]
    fn adjusting_is_the_same_and_the_sum_of_single_steps() {
        for_all_sizes(|kernel, hidden, random| {
            let weights = random.blocks(hidden * 8, i16::MIN..=i16::MAX);
            let sums = random.blocks(hidden, i16::MIN..=i16::MAX);
            let row = |index: usize| &weights[index * sums.len()..][..sums.len()];
            for (removed, added) in [(&[][..], &[][..]), (&[1], &[]), (&[], &[7, 0]), (&[3, 2, 5], &[1, 4, 6, 7])] {
                let adjusted = |kernel: Kernel| {
                    let mut sums = sums.to_vec();
                    kernel.adjust(&mut sums, &weights, removed, added);
                    sums
                };
                assert_eq!(adjusted(kernel), adjusted(Kernel::Scalar));
                let mut steps = sums.to_vec();
                let zero = vec![Block::ZERO; sums.len()];
                for &index in removed {
                    Kernel::Scalar.advance(&steps.clone(), &mut steps, [row(index)], &zero);
                }
                for &index in added {
                    Kernel::Scalar.advance(&steps.clone(), &mut steps, [&zero], row(index));
                }
                assert_eq!(adjusted(Kernel::Scalar), steps);
            }
        });
    }

    #[test]
    fn output_is_the_same_also_at_its_bounds() {
        for_all_sizes(|kernel, hidden, random| {
            let most = OUTPUT_WEIGHT_MAX;
            for (sums, weights) in [
                (i16::MIN..=i16::MAX, -most..=most),
                (-50..=350, -most..=most),
                (i16::MAX..=i16::MAX, most..=most),
                (255..=255, -most..=-most),
                (i16::MIN..=0, most..=most),
            ] {
                let sums = [(); 2].map(|()| random.blocks(hidden, sums.clone()));
                let weights = [(); 2].map(|()| random.blocks(hidden, weights.clone()));
                let sums = [&*sums[0], &*sums[1]];
                let weights = [&*weights[0], &*weights[1]];
                let output = Kernel::Scalar.output(sums, weights);
                assert_eq!(kernel.output(sums, weights), output);
                let by_definition: i64 = sums
                    .into_iter()
                    .flatten()
                    .zip(weights.into_iter().flatten())
                    .flat_map(|(sums, weights)| sums.0.into_iter().zip(weights.0))
                    .map(|(sum, weight)| i64::from(sum.clamp(0, 255)).pow(2) * i64::from(weight))
                    .sum();
                assert_eq!(output, by_definition);
            }
        });
    }
}
