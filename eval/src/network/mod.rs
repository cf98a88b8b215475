//! Inference of networks: what they look at, their file, and their value for a position.
//!
//! ```text
//! 689 piece-squares seen by the side to move  ──► hidden sums ──┐
//!                                                               ├─► clamped, squared ──► one number
//! 689 piece-squares seen by the other side    ──► hidden sums ──┘
//! ```
//!
//! The first layer has the same weights for both sides and inputs that are 0 or 1, so its sums can follow a move by a
//! few additions: an *efficiently updatable* network (NNUE, Yu Nasu 2018, for shogi; in xiangqi since 2021). The layout
//! of two perspectives and one output layer is that of the simplest chess networks of today (as trained by *bullet*).
//! All weights are integers and all arithmetic is exact: every kernel gives the same value, bit for bit.
//!
//! | module | does |
//! |---|---|
//! | [`Architecture`] | sizes of the layers |
//! | [`features`] | the inputs: which piece on which square is which number |
//! | [`Network`] | the weights, and the value of one board |
//! | [`Parts`] | the weights by themselves, for whoever makes networks |
//! | [`NetworkBreakdown`] | the value of a board taken apart |
//! | [`NetworkError`] | why a file is no network |

mod accumulator;
mod architecture;
mod block;
mod breakdown;
pub mod features;
mod file;
mod kernels;
mod model;
mod random;

pub(crate) use accumulator::Accumulators;
pub use architecture::{Architecture, ArchitectureError, HIDDEN_MAX, HIDDEN_STEP};
pub use breakdown::NetworkBreakdown;
pub use file::{DESCRIPTION_MAX, FORMAT_VERSION, MAGIC, NetworkError};
pub use model::{ACTIVATION_ONE, DEFAULT_SCALE, Network, NetworkHash, OUTPUT_WEIGHT_MAX, Parts, SCALE_MAX, WEIGHT_ONE};
