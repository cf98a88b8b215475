//! The numbers of a network in training, laid out for the caches.
//!
//! The hidden layer is cut into *tiles* of [`TILE`] neurons. All feature weights of a tile lie together,
//! `[tile][set][feature][TILE]`, so that the slice in use while a tile is worked on (176 KiB a set) stays in a core's
//! second-level cache, and one feature's row is four cache lines.
//!
//! A *set* is one king bucket's weights. With a factoriser there is one more set in front, shared by all buckets: the
//! network then uses the sum of the two, which is formed once an update and not once a position.

use chuhe_eval::network::Architecture;
use chuhe_eval::network::features::INPUTS;

/// Neurons a tile.
pub(crate) const TILE: usize = 64;

/// One number for each neuron of a tile.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(C, align(64))]
pub(crate) struct Row(pub(crate) [f32; TILE]);

impl Row {
    pub(crate) const ZERO: Row = Row([0.0; TILE]);
}

/// How the numbers are laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    /// Tiles of the hidden layer.
    pub(crate) tiles: usize,
    /// King buckets.
    pub(crate) input_buckets: usize,
    /// Whether there is a set of weights that all buckets share.
    pub(crate) factoriser: bool,
    /// Output layers.
    pub(crate) output_buckets: usize,
}

impl Layout {
    /// The layout for a network of this shape. One bucket alone has nothing to share.
    pub(crate) fn new(architecture: Architecture, factoriser: bool) -> Layout {
        Layout {
            tiles: architecture.hidden() / TILE,
            input_buckets: architecture.input_buckets(),
            factoriser: factoriser && architecture.input_buckets() > 1,
            output_buckets: architecture.output_buckets(),
        }
    }

    /// Rows of a tile that the network uses: one for each feature of each bucket.
    pub(crate) fn used_rows(&self) -> usize {
        self.input_buckets * INPUTS
    }

    /// Rows of a tile that are learnt: those of the shared set, then those of the buckets.
    pub(crate) fn learnt_rows(&self) -> usize {
        self.shared_rows() + self.used_rows()
    }

    /// Rows of the shared set in a tile.
    pub(crate) fn shared_rows(&self) -> usize {
        if self.factoriser { INPUTS } else { 0 }
    }

    /// Neurons of the hidden layer, a side.
    pub(crate) fn hidden(&self) -> usize {
        self.tiles * TILE
    }

    /// The row of output weights for an output bucket, a side (0 to move, 1 the other) and a tile.
    pub(crate) fn output_row(&self, bucket: usize, side: usize, tile: usize) -> usize {
        (bucket * 2 + side) * self.tiles + tile
    }
}

/// One number for each parameter: the parameters themselves, their gradient, or a moment of it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Tensors {
    /// Feature weights, `[tile][set][feature]`.
    pub(crate) features: Vec<Row>,
    /// Biases of the hidden layer, `[tile]`.
    pub(crate) biases: Vec<Row>,
    /// Output weights, `[output bucket][side to move, other side][tile]`.
    pub(crate) outputs: Vec<Row>,
    /// Output biases, `[output bucket]`; the rest of the row is not used.
    pub(crate) output_biases: Row,
}

impl Tensors {
    /// Zero for every learnt parameter.
    pub(crate) fn learnt(layout: &Layout) -> Tensors {
        Tensors::zero(layout, layout.learnt_rows())
    }

    /// Zero for every parameter that the network uses: the shared set is inside those of the buckets.
    pub(crate) fn used(layout: &Layout) -> Tensors {
        Tensors::zero(layout, layout.used_rows())
    }

    fn zero(layout: &Layout, rows: usize) -> Tensors {
        Tensors {
            features: vec![Row::ZERO; layout.tiles * rows],
            biases: vec![Row::ZERO; layout.tiles],
            outputs: vec![Row::ZERO; layout.output_buckets * 2 * layout.tiles],
            output_biases: Row::ZERO,
        }
    }

    /// Every row, in the order in which they are stored.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &Row> {
        self.features.iter().chain(&self.biases).chain(&self.outputs).chain([&self.output_biases])
    }

    /// Every row, in the order in which they are stored.
    pub(crate) fn rows_mut(&mut self) -> impl Iterator<Item = &mut Row> {
        self.features.iter_mut().chain(&mut self.biases).chain(&mut self.outputs).chain([&mut self.output_biases])
    }
}
