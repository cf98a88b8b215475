//! Sizes of the layers.

use std::fmt;

use super::features::{ATTACKERS_MAX, INPUTS, KING_PLACES, Perspective};

/// The hidden layer's size is a multiple of this.
pub const HIDDEN_STEP: usize = 64;
/// The largest hidden layer. The sums of the output layer fit 32 bits up to here.
pub const HIDDEN_MAX: usize = 1024;
/// Classes of material when there is more than one output bucket.
const OUTPUT_CLASSES: usize = 8;

/// The sizes of a network's layers, within what the kernels can do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Architecture {
    input_buckets: u16,
    hidden: u16,
    output_buckets: u16,
}

/// A network of these sizes is not supported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ArchitectureError {
    /// Number of sets of input weights.
    #[error("{0} input buckets, expected 1 or {KING_PLACES}")]
    InputBuckets(usize),
    /// Size of the hidden layer.
    #[error("hidden layer of {0}, expected a multiple of {HIDDEN_STEP} up to {HIDDEN_MAX}")]
    Hidden(usize),
    /// Number of output layers.
    #[error("{0} output buckets, expected 1 or {OUTPUT_CLASSES}")]
    OutputBuckets(usize),
}

impl Architecture {
    /// An architecture with one set of input weights for each place of the own king (`input_buckets` 6) or for all of
    /// them (1), `hidden` units a perspective, and one output layer for each class of material (`output_buckets` 8) or
    /// for all (1).
    ///
    /// # Errors
    /// [`ArchitectureError`] names the first size that is not supported.
    pub const fn new(
        input_buckets: usize,
        hidden: usize,
        output_buckets: usize,
    ) -> Result<Architecture, ArchitectureError> {
        if input_buckets != 1 && input_buckets != KING_PLACES {
            return Err(ArchitectureError::InputBuckets(input_buckets));
        }
        if hidden == 0 || hidden > HIDDEN_MAX || !hidden.is_multiple_of(HIDDEN_STEP) {
            return Err(ArchitectureError::Hidden(hidden));
        }
        if output_buckets != 1 && output_buckets != OUTPUT_CLASSES {
            return Err(ArchitectureError::OutputBuckets(output_buckets));
        }
        Ok(Architecture {
            input_buckets: input_buckets as u16,
            hidden: hidden as u16,
            output_buckets: output_buckets as u16,
        })
    }

    /// Sets of input weights: 1, or 6 chosen by the place of the own king.
    #[inline]
    pub const fn input_buckets(self) -> usize {
        self.input_buckets as usize
    }

    /// Hidden units of one perspective.
    #[inline]
    pub const fn hidden(self) -> usize {
        self.hidden as usize
    }

    /// Output layers: 1, or 8 chosen by material.
    #[inline]
    pub const fn output_buckets(self) -> usize {
        self.output_buckets as usize
    }

    /// The set of input weights for a perspective.
    #[inline]
    pub const fn input_bucket(self, perspective: Perspective) -> usize {
        if self.input_buckets == 1 { 0 } else { perspective.bucket() }
    }

    /// The output layer for a number of rooks, horses and cannons on the board (see [`super::features::attackers`]).
    #[inline]
    pub const fn output_bucket(self, attackers: u32) -> usize {
        let attackers = if attackers < ATTACKERS_MAX { attackers } else { ATTACKERS_MAX };
        attackers as usize * self.output_buckets() / (ATTACKERS_MAX as usize + 1)
    }

    /// Number of feature weights, in the order `[input bucket][feature][hidden unit]`.
    pub const fn feature_weights(self) -> usize {
        self.input_buckets() * INPUTS * self.hidden()
    }

    /// Number of feature biases, one a hidden unit.
    pub const fn feature_biases(self) -> usize {
        self.hidden()
    }

    /// Number of output weights, in the order `[output bucket][perspective][hidden unit]`; the side to move comes first.
    pub const fn output_weights(self) -> usize {
        self.output_buckets() * 2 * self.hidden()
    }

    /// Number of output biases, one an output bucket.
    pub const fn output_biases(self) -> usize {
        self.output_buckets()
    }
}

impl fmt::Display for Architecture {
    /// As `689 x 6 -> 512 x 2 -> 8`; a single set of input weights is not mentioned.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{INPUTS}")?;
        if self.input_buckets > 1 {
            write!(f, " x {}", self.input_buckets)?;
        }
        write!(f, " -> {} x 2 -> {}", self.hidden, self.output_buckets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_out_of_range_are_refused_by_name() {
        assert_eq!(Architecture::new(2, 256, 1), Err(ArchitectureError::InputBuckets(2)));
        for hidden in [0, 32, 100, 1088, 1 << 16 | 64] {
            assert_eq!(Architecture::new(1, hidden, 1), Err(ArchitectureError::Hidden(hidden)));
        }
        let error = Architecture::new(1, 256, 9).expect_err("nine classes");
        assert_eq!(error.to_string(), "9 output buckets, expected 1 or 8");
    }

    #[test]
    fn names() {
        let name = |input, hidden, output| Architecture::new(input, hidden, output).expect("supported").to_string();
        assert_eq!(name(1, 256, 1), "689 -> 256 x 2 -> 1");
        assert_eq!(name(6, 1024, 8), "689 x 6 -> 1024 x 2 -> 8");
    }

    #[test]
    fn output_buckets_rise_with_material_and_are_all_used() {
        let architecture = Architecture::new(1, 64, 8).expect("supported");
        let buckets: Vec<_> = (0..=12).map(|attackers| architecture.output_bucket(attackers)).collect();
        assert_eq!(buckets, [0, 0, 1, 1, 2, 3, 3, 4, 4, 5, 6, 6, 7]);
        assert_eq!(architecture.output_bucket(40), 7, "composed placements hold more");
        let single = Architecture::new(1, 64, 1).expect("supported");
        assert!((0..=12).all(|attackers| single.output_bucket(attackers) == 0));
    }
}
