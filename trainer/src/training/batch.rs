//! A few thousand positions, decoded for the kernels.

use arrayvec::ArrayVec;
use chuhe_eval::network::Architecture;
use chuhe_eval::network::features::{INPUTS, Perspective};
use chuhe_movegen::{Color, Piece, PieceType, Square};

use super::target::Target;
use crate::data::Record;

/// Positions decoded at a time. Every tile's weights and gradients are loaded once for so many: with six king buckets,
/// which together do not fit into a core's cache, 8,192 are twice as fast as 512; with one there is no difference.
pub(crate) const MICRO_BATCH: usize = 8192;

/// A position as one side sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    /// Where its rows begin and end.
    rows: (u32, u32),
    /// First row of the king bucket.
    set: u16,
    /// Which position of the micro-batch.
    pub(crate) position: u16,
    /// The position's output bucket.
    pub(crate) output_bucket: u8,
    /// 0 if the view is that of the side to move, 1 if it is the other's.
    pub(crate) side: u8,
}

/// Positions decoded for the kernels.
#[derive(Debug)]
pub(crate) struct MicroBatch {
    architecture: Architecture,
    rows: Vec<u16>,
    views: Vec<View>,
    targets: Vec<Target>,
    output_buckets: Vec<u8>,
}

impl MicroBatch {
    /// An empty micro-batch for a network of this shape.
    pub(crate) fn new(architecture: Architecture) -> MicroBatch {
        MicroBatch {
            architecture,
            rows: Vec::with_capacity(MICRO_BATCH * 2 * 32),
            views: Vec::with_capacity(MICRO_BATCH * 2),
            targets: Vec::with_capacity(MICRO_BATCH),
            output_buckets: Vec::with_capacity(MICRO_BATCH),
        }
    }

    /// Forgets all positions.
    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.views.clear();
        self.targets.clear();
        self.output_buckets.clear();
    }

    /// Adds a position, with files exchanged if `mirrored`.
    pub(crate) fn push(&mut self, record: &Record, mirrored: bool) {
        let position = self.targets.len() as u16;
        let mut pieces = ArrayVec::<(Piece, Square), 32>::new();
        let mut kings = [Square::at(0); Color::NUM];
        let mut attackers = 0;
        for (piece, square) in record.pieces() {
            let square = if mirrored { square.mirror_file() } else { square };
            match piece.kind {
                PieceType::King => kings[piece.color.index()] = square,
                PieceType::Rook | PieceType::Horse | PieceType::Cannon => attackers += 1,
                _ => {}
            }
            pieces.push((piece, square));
        }
        let output_bucket = self.architecture.output_bucket(attackers);
        let mover = record.side_to_move();
        for (side, color) in [mover, !mover].into_iter().enumerate() {
            let perspective = Perspective::of(color, kings[color.index()], kings[(!color).index()]);
            let set = self.architecture.input_bucket(perspective) * INPUTS;
            let start = self.rows.len() as u32;
            let inputs = pieces.iter().filter_map(|&(piece, square)| perspective.index(piece, square));
            self.rows.extend(inputs.map(|input| set as u16 + input));
            let rows = (start, self.rows.len() as u32);
            self.views.push(View {
                rows,
                position,
                set: set as u16,
                output_bucket: output_bucket as u8,
                side: side as u8,
            });
        }
        self.targets.push(Target::of(record));
        self.output_buckets.push(output_bucket as u8);
    }

    /// Orders the views by king bucket, so that the kernels go through one bucket's weights after another's.
    pub(crate) fn sort(&mut self) {
        if self.architecture.input_buckets() > 1 {
            self.views.sort_by_key(|view| view.set);
        }
    }

    /// The views, two a position.
    pub(crate) fn views(&self) -> &[View] {
        &self.views
    }

    /// The feature rows of a view.
    #[inline(always)]
    pub(crate) fn rows(&self, view: &View) -> &[u16] {
        &self.rows[view.rows.0 as usize..view.rows.1 as usize]
    }

    /// What the outputs should be, by position.
    pub(crate) fn targets(&self) -> &[Target] {
        &self.targets
    }

    /// The output layer that each position uses.
    pub(crate) fn output_buckets(&self) -> &[u8] {
        &self.output_buckets
    }
}
