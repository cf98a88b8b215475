//! The weights of a network, and the value of one board by them.

use std::fmt;

use arrayvec::ArrayVec;
use chuhe_movegen::{Board, Color, SQUARES};

use super::architecture::{Architecture, HIDDEN_MAX};
use super::block::{Block, LANES, blocks, numbers};
use super::features::{self, INPUTS, Perspective};
use super::file::{DESCRIPTION_MAX, NetworkError, seal};
use super::kernels::Kernel;
use crate::EVAL_LIMIT;

/// The integer that stands for 1 in the hidden layer: feature weights and biases are stored as multiples of 1/255, and
/// sums are clamped to 0 … 255.
pub const ACTIVATION_ONE: i32 = 255;
/// The integer that stands for 1 among output weights.
pub const WEIGHT_ONE: i32 = 64;
/// Output weights lie between minus and plus this, so that the product with a clamped sum fits 16 bits.
pub const OUTPUT_WEIGHT_MAX: i16 = 127;
/// Internal units of evaluation for an output of 1, unless the network says otherwise.
pub const DEFAULT_SCALE: u16 = 400;
/// The largest scale.
pub const SCALE_MAX: u16 = 4000;

/// What a network is made of; see [`Architecture`] for the order of weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parts {
    /// Sizes of the layers.
    pub architecture: Architecture,
    /// Internal units of evaluation for an output of 1, 1 to [`SCALE_MAX`].
    pub scale: u16,
    /// Where the network comes from and how it may be used; at most [`DESCRIPTION_MAX`] bytes.
    pub description: String,
    /// Feature weights, `[input bucket][feature][hidden unit]`, in units of 1 / [`ACTIVATION_ONE`].
    pub feature_weights: Vec<i16>,
    /// Feature biases, `[hidden unit]`, in units of 1 / [`ACTIVATION_ONE`].
    pub feature_biases: Vec<i16>,
    /// Output weights, `[output bucket][perspective][hidden unit]`, the side to move first, in units of
    /// 1 / [`WEIGHT_ONE`].
    pub output_weights: Vec<i16>,
    /// Output biases, `[output bucket]`, in units of 1 / ([`ACTIVATION_ONE`] · [`WEIGHT_ONE`]).
    pub output_biases: Vec<i32>,
}

/// Tells networks apart: the checksum of the file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NetworkHash(pub u64);

impl fmt::Display for NetworkHash {
    /// 16 hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// A network that can be evaluated: all sizes agree, and no sum overflows in any position of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    architecture: Architecture,
    scale: u16,
    description: String,
    hash: NetworkHash,
    feature_weights: Box<[Block]>,
    feature_biases: Box<[Block]>,
    output_weights: Box<[Block]>,
    output_biases: Box<[i32]>,
}

impl Network {
    /// A network of these parts.
    ///
    /// # Errors
    /// [`NetworkError`] when sizes do not agree or a number is out of range.
    pub fn from_parts(parts: &Parts) -> Result<Network, NetworkError> {
        check(parts)?;
        let mut network = Network {
            architecture: parts.architecture,
            scale: parts.scale,
            description: parts.description.clone(),
            hash: NetworkHash(0),
            feature_weights: blocks(&parts.feature_weights),
            feature_biases: blocks(&parts.feature_biases),
            output_weights: blocks(&parts.output_weights),
            output_biases: parts.output_biases.as_slice().into(),
        };
        network.hash = seal(&network).1;
        Ok(network)
    }

    /// The parts of which [`Network::from_parts`] makes the same network.
    pub fn to_parts(&self) -> Parts {
        Parts {
            architecture: self.architecture,
            scale: self.scale,
            description: self.description.clone(),
            feature_weights: numbers(&self.feature_weights).collect(),
            feature_biases: numbers(&self.feature_biases).collect(),
            output_weights: numbers(&self.output_weights).collect(),
            output_biases: self.output_biases.to_vec(),
        }
    }

    /// Sizes of the layers.
    #[inline]
    pub fn architecture(&self) -> Architecture {
        self.architecture
    }

    /// Internal units of evaluation for an output of 1.
    #[inline]
    pub fn scale(&self) -> u16 {
        self.scale
    }

    /// Where the network comes from and how it may be used.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// What tells it from other networks.
    pub fn hash(&self) -> NetworkHash {
        self.hash
    }

    /// Static evaluation of a board from its side to move, in internal units (about a hundred to the pawn).
    ///
    /// Computes everything afresh by plain loops: for tests and for looking at single positions. Search uses
    /// [`crate::Evaluator`], whose values are the same.
    pub fn evaluate(&self, board: &Board) -> i32 {
        let bucket = self.architecture.output_bucket(features::attackers(board));
        let us = board.side_to_move();
        self.output([us, !us].map(|color| self.sums(board, color)), bucket)
    }

    /// The sums of the hidden layer as one side sees the board. On the stack: debug builds of the search come here and
    /// are not to allocate.
    pub(super) fn sums(&self, board: &Board, color: Color) -> Sums {
        let mut sums = Sums { blocks: [Block::ZERO; HIDDEN_MAX / LANES], len: self.feature_biases.len() };
        sums.blocks[..sums.len].copy_from_slice(&self.feature_biases);
        let bucket = self.architecture.input_bucket(Perspective::on(board, color));
        let active = features::active(board, color).1;
        let rows: ArrayVec<usize, SQUARES> =
            active.into_iter().map(|index| bucket * INPUTS + usize::from(index)).collect();
        sums.adjust(self, &[], &rows);
        sums
    }

    /// The evaluation for the sums of the side to move and of the other.
    pub(super) fn output(&self, [own, other]: [Sums; 2], bucket: usize) -> i32 {
        let sums = [&own.blocks[..own.len], &other.blocks[..other.len]];
        self.value(Kernel::Scalar.output(sums, self.output_rows(bucket)), bucket)
    }

    /// The weights of one input.
    #[inline]
    pub(crate) fn row(&self, bucket: usize, index: u16) -> &[Block] {
        let len = self.architecture.hidden() / LANES;
        &self.feature_weights[(bucket * INPUTS + usize::from(index)) * len..][..len]
    }

    /// The output weights of a bucket: for the side to move, for the other side.
    #[inline]
    pub(crate) fn output_rows(&self, bucket: usize) -> [&[Block]; Color::NUM] {
        let len = self.architecture.hidden() / LANES;
        let rows = &self.output_weights[bucket * 2 * len..][..2 * len];
        let (own, other) = rows.split_at(len);
        [own, other]
    }

    /// The evaluation for the sum that the output layer gives, before its bias.
    #[inline]
    pub(crate) fn value(&self, sum: i64, bucket: usize) -> i32 {
        let one = i64::from(ACTIVATION_ONE);
        let output = sum / one + i64::from(self.output_biases[bucket]);
        let value = output * i64::from(self.scale) / (one * i64::from(WEIGHT_ONE));
        let limit = i64::from(EVAL_LIMIT - 1);
        value.clamp(-limit, limit) as i32
    }

    /// The biases of the hidden layer.
    #[inline]
    pub(crate) fn feature_biases(&self) -> &[Block] {
        &self.feature_biases
    }

    /// All feature weights.
    #[inline]
    pub(crate) fn feature_weights(&self) -> &[Block] {
        &self.feature_weights
    }

    /// All output weights.
    pub(crate) fn output_weights(&self) -> &[Block] {
        &self.output_weights
    }

    /// All output biases.
    pub(crate) fn output_biases(&self) -> &[i32] {
        &self.output_biases
    }
}

/// Sums of the hidden layer that are not kept.
#[derive(Clone)]
pub(super) struct Sums {
    blocks: [Block; HIDDEN_MAX / LANES],
    /// Blocks in use.
    len: usize,
}

impl Sums {
    /// Takes rows of feature weights off and adds others.
    pub(super) fn adjust(&mut self, network: &Network, removed: &[usize], added: &[usize]) {
        Kernel::Scalar.adjust(&mut self.blocks[..self.len], &network.feature_weights, removed, added);
    }
}

/// Checks all that the type promises.
fn check(parts: &Parts) -> Result<(), NetworkError> {
    let architecture = parts.architecture;
    for (part, found, expected) in [
        ("feature weights", parts.feature_weights.len(), architecture.feature_weights()),
        ("feature biases", parts.feature_biases.len(), architecture.feature_biases()),
        ("output weights", parts.output_weights.len(), architecture.output_weights()),
        ("output biases", parts.output_biases.len(), architecture.output_biases()),
    ] {
        if found != expected {
            return Err(NetworkError::Count { part, found, expected });
        }
    }
    if parts.description.len() > DESCRIPTION_MAX {
        return Err(NetworkError::DescriptionLength { found: parts.description.len() });
    }
    if parts.scale == 0 || parts.scale > SCALE_MAX {
        return Err(NetworkError::Scale { found: parts.scale });
    }
    let is_too_large = |weight: &i16| weight.unsigned_abs() > OUTPUT_WEIGHT_MAX.unsigned_abs();
    if let Some(index) = parts.output_weights.iter().position(is_too_large) {
        return Err(NetworkError::OutputWeight { index, found: parts.output_weights[index] });
    }
    check_sums(parts)
}

/// Bounds the sums of the hidden layer over all positions of a game: each piece on its best square, each on its worst.
fn check_sums(parts: &Parts) -> Result<(), NetworkError> {
    let hidden = parts.architecture.hidden();
    for (bucket, rows) in parts.feature_weights.chunks_exact(INPUTS * hidden).enumerate() {
        let mut highest: Vec<i64> = parts.feature_biases.iter().copied().map(i64::from).collect();
        let mut lowest = highest.clone();
        let mut rows = rows.chunks_exact(hidden);
        for (squares, count) in features::pieces() {
            // A piece need not be on the board.
            let (mut best, mut worst) = (vec![0; hidden], vec![0; hidden]);
            for row in rows.by_ref().take(squares) {
                for ((best, worst), &weight) in best.iter_mut().zip(&mut worst).zip(row) {
                    *best = weight.max(*best);
                    *worst = weight.min(*worst);
                }
            }
            for unit in 0..hidden {
                highest[unit] += i64::from(count) * i64::from(best[unit]);
                lowest[unit] += i64::from(count) * i64::from(worst[unit]);
            }
        }
        let overflows = |unit: &usize| highest[*unit] > i16::MAX.into() || lowest[*unit] < i16::MIN.into();
        if let Some(unit) = (0..hidden).find(overflows) {
            return Err(NetworkError::Sum { bucket, unit, lowest: lowest[unit], highest: highest[unit] });
        }
    }
    Ok(())
}
