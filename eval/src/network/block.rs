//! Weights and sums in units of a cache line.

/// Numbers in a [`Block`].
pub(crate) const LANES: usize = 32;

/// A cache line of numbers, aligned as the widest vector registers like it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(crate) struct Block(pub(crate) [i16; LANES]);

impl Block {
    /// All zeros.
    pub(crate) const ZERO: Block = Block([0; LANES]);
}

/// Cuts numbers into blocks; their count is a multiple of [`LANES`].
pub(crate) fn blocks(numbers: &[i16]) -> Box<[Block]> {
    debug_assert!(numbers.len().is_multiple_of(LANES));
    numbers
        .chunks_exact(LANES)
        .map(|chunk| {
            let mut block = Block::ZERO;
            block.0.copy_from_slice(chunk);
            block
        })
        .collect()
}

/// The numbers of some blocks.
pub(crate) fn numbers(blocks: &[Block]) -> impl Iterator<Item = i16> + '_ {
    blocks.iter().flat_map(|block| block.0)
}
