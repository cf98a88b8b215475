//! How much the search of late moves is reduced.

use crate::params;

/// Late move reductions in hundredths of a ply, by depth and move count.
#[derive(Debug)]
pub(crate) struct Reductions(Box<[[i16; 64]; 64]>);

impl Reductions {
    /// Fills the table by integer logarithms, so that every platform has the same.
    pub(crate) fn new() -> Reductions {
        // 1024 · ln(n), exact enough and free of floating point.
        fn ln(n: usize) -> i64 {
            let mut sum = 0;
            let mut scaled = (n as i64) << 20;
            // Binary logarithm, ten fractional bits, then times ln 2.
            while scaled >= 2 << 20 {
                scaled >>= 1;
                sum += 1 << 10;
            }
            for bit in (0..10).rev() {
                scaled = (scaled * scaled) >> 20;
                if scaled >= 2 << 20 {
                    scaled >>= 1;
                    sum += 1 << bit;
                }
            }
            sum * 710 / 1024
        }
        let mut table = Box::new([[0; 64]; 64]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (count, entry) in row.iter_mut().enumerate().skip(1) {
                let product = (ln(depth) * ln(count)) >> 10;
                let value =
                    i64::from(params::lmr_base()) + product * 100 * 100 / 1024 / i64::from(params::lmr_divisor());
                *entry = value as i16;
            }
        }
        Reductions(table)
    }

    /// The reduction of the move with this number, from 1, at a node of this depth.
    #[inline]
    pub(super) fn get(&self, depth: i32, count: usize) -> i32 {
        i32::from(self.0[depth.clamp(0, 63) as usize][count.min(63)])
    }
}
