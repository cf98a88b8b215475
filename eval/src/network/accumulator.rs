//! The sums of the hidden layer along the line of a search.
//!
//! Each move of the line has a slot with the sums of both perspectives, made up only when somebody asks: many positions
//! are never evaluated. Then the sums of the nearest move below that has some are carried up, one move after the other,
//! each by the two or three inputs it changes. Where a king move has changed a perspective (its mirror or its set of
//! weights), all inputs are others; the sums are rebuilt then from those of the last position that was rebuilt under the
//! same perspective, by the pieces that differ (a *refresh cache*, the idea of Koivisto's “Finny tables”, 2023).

use std::sync::Arc;

use arrayvec::ArrayVec;
use chuhe_movegen::{Bitboard, Board, Color, Move, Piece, PieceType, SQUARES, Square};

use super::HIDDEN_MAX;
use super::Network;
use super::block::{Block, LANES};
use super::features::{self, INPUTS, Perspective};
use super::kernels::Kernel;

/// Slots allocated at the start: more than any search line has moves, so that nothing allocates in search.
const CAPACITY: usize = 256;

/// Stands in for the row of an input that does not exist.
static NO_ROW: [Block; HIDDEN_MAX / LANES] = [Block::ZERO; HIDDEN_MAX / LANES];

/// What a move does to the pieces.
#[derive(Clone, Copy, Debug)]
struct Change {
    piece: Piece,
    from: Square,
    to: Square,
    captured: Option<Piece>,
}

/// One position of the line.
#[derive(Clone, Debug)]
struct Slot {
    /// What led here from the slot below; nothing at the bottom.
    change: Option<Change>,
    /// How both sides see it.
    views: [Perspective; Color::NUM],
    /// Whose sums are made up.
    is_computed: [bool; Color::NUM],
    /// Null moves on top of it: they change no input.
    passes: u16,
}

/// The last position whose sums were rebuilt under one perspective.
#[derive(Clone, Debug)]
struct Cached {
    pieces: [[Bitboard; PieceType::NUM]; Color::NUM],
}

impl Cached {
    /// The empty board.
    const EMPTY: Cached = Cached { pieces: [[Bitboard::EMPTY; PieceType::NUM]; Color::NUM] };
}

/// The state of a network for one search thread.
#[derive(Clone, Debug)]
pub(crate) struct Accumulators {
    network: Arc<Network>,
    kernel: Kernel,
    /// Blocks in the sums of one perspective.
    len: usize,
    /// The line, never empty.
    slots: Vec<Slot>,
    /// Sums by slot and colour.
    sums: Vec<Block>,
    /// By colour, mirror and input bucket, see [`Accumulators::cache_index`].
    cache: Box<[Cached]>,
    /// The sums that belong to the cache.
    cached_sums: Box<[Block]>,
}

impl Accumulators {
    /// A line whose bottom is `root`.
    pub(crate) fn new(network: Arc<Network>, root: &Board) -> Accumulators {
        Accumulators::with_kernel(Kernel::fastest(), network, root)
    }

    /// As [`Accumulators::new`], with the loops of `kernel`.
    fn with_kernel(kernel: Kernel, network: Arc<Network>, root: &Board) -> Accumulators {
        let len = network.architecture().hidden() / LANES;
        let cached = Color::NUM * 2 * network.architecture().input_buckets();
        let mut accumulators = Accumulators {
            kernel,
            len,
            slots: Vec::with_capacity(CAPACITY),
            sums: vec![Block::ZERO; CAPACITY * Color::NUM * len],
            cache: vec![Cached::EMPTY; cached].into(),
            cached_sums: network.feature_biases().repeat(cached).into(),
            network,
        };
        accumulators.reset(root);
        accumulators
    }

    /// Starts again from `root`, keeping allocated memory.
    pub(crate) fn reset(&mut self, root: &Board) {
        self.slots.clear();
        self.slots.push(Slot {
            change: None,
            views: Color::ALL.map(|color| Perspective::on(root, color)),
            is_computed: [false; Color::NUM],
            passes: 0,
        });
        for color in Color::ALL {
            self.rebuild(color, root);
        }
    }

    /// Follows a move about to be made on `before`.
    #[inline]
    pub(crate) fn push(&mut self, before: &Board, mv: Move) {
        let mut views = self.slots[self.slots.len() - 1].views;
        let piece = before.piece_at(mv.from());
        debug_assert!(piece.is_some(), "no piece on {}", mv.from());
        if let Some(Piece { kind: PieceType::King, color }) = piece {
            let enemy = before.king(!color);
            views[color.index()] = Perspective::of(color, mv.to(), enemy);
            views[(!color).index()] = Perspective::of(!color, enemy, mv.to());
        }
        let captured = before.piece_at(mv.to());
        self.slots.push(Slot {
            change: piece.map(|piece| Change { piece, from: mv.from(), to: mv.to(), captured }),
            views,
            is_computed: [false; Color::NUM],
            passes: 0,
        });
    }

    /// Follows a null move.
    #[inline]
    pub(crate) fn push_null(&mut self) {
        let top = self.slots.len() - 1;
        self.slots[top].passes += 1;
    }

    /// Takes back the last push.
    #[inline]
    pub(crate) fn pop(&mut self) {
        let top = self.slots.len() - 1;
        if self.slots[top].passes > 0 {
            self.slots[top].passes -= 1;
        } else {
            debug_assert!(top > 0, "more pops than pushes");
            self.slots.truncate(top.max(1));
        }
    }

    /// Static evaluation of `board`, the position reached by the pushes, from its side to move.
    #[inline]
    pub(crate) fn evaluate(&mut self, board: &Board) -> i32 {
        for color in Color::ALL {
            self.make_up(color, board);
        }
        let network = &*self.network;
        let bucket = network.architecture().output_bucket(features::attackers(board));
        let top = self.slots.len() - 1;
        let us = board.side_to_move();
        let sums = [us, !us].map(|color| &self.sums[self.place(top, color)..][..self.len]);
        let value = network.value(self.kernel.output(sums, network.output_rows(bucket)), bucket);
        debug_assert_eq!(value, network.evaluate(board), "the sums are not those of {board:?}");
        value
    }

    /// Where the sums of a slot begin.
    #[inline]
    fn place(&self, slot: usize, color: Color) -> usize {
        (slot * Color::NUM + color.index()) * self.len
    }

    /// Sees to it that the top has the sums of `color`.
    #[inline]
    fn make_up(&mut self, color: Color, board: &Board) {
        let top = self.slots.len() - 1;
        let view = self.slots[top].views[color.index()];
        // The nearest slot below with sums under the same perspective.
        let mut base = top;
        while !self.slots[base].is_computed[color.index()] {
            if base == 0 || self.slots[base - 1].views[color.index()] != view {
                return self.rebuild(color, board);
            }
            base -= 1;
        }
        for slot in base + 1..=top {
            self.carry_up(slot, color, view);
        }
    }

    /// Makes up the sums of a slot from those of the one below, which has the same perspective.
    #[inline]
    fn carry_up(&mut self, slot: usize, color: Color, view: Perspective) {
        self.make_room(slot);
        let (start, len) = (self.place(slot, color), self.len);
        let below = self.place(slot - 1, color);
        let (before, after) = self.sums.split_at_mut(start);
        let (before, after) = (&before[below..][..len], &mut after[..len]);
        let network = &*self.network;
        let bucket = network.architecture().input_bucket(view);
        let row = |piece, square| view.index(piece, square).map_or(&NO_ROW[..len], |index| network.row(bucket, index));
        match self.slots[slot].change {
            Some(Change { piece, from, to, captured: None }) => {
                self.kernel.advance(before, after, [row(piece, from)], row(piece, to));
            }
            Some(Change { piece, from, to, captured: Some(captured) }) => {
                self.kernel.advance(before, after, [row(piece, from), row(captured, to)], row(piece, to));
            }
            None => after.copy_from_slice(before),
        }
        self.slots[slot].is_computed[color.index()] = true;
    }

    /// Makes up the sums of the top, which stands for `board`, from the cache.
    #[cold]
    fn rebuild(&mut self, color: Color, board: &Board) {
        let top = self.slots.len() - 1;
        self.make_room(top);
        let view = self.slots[top].views[color.index()];
        debug_assert_eq!(view, Perspective::on(board, color), "not the perspective of {board:?}");
        let bucket = self.network.architecture().input_bucket(view);
        let index = self.cache_index(view, bucket);
        let cached = &mut self.cache[index];
        let mut removed = ArrayVec::<usize, SQUARES>::new();
        let mut added = ArrayVec::<usize, SQUARES>::new();
        for owner in Color::ALL {
            for kind in PieceType::ALL {
                let piece = Piece::new(owner, kind);
                let row = |square| Some(bucket * INPUTS + usize::from(view.index(piece, square)?));
                let pieces = board.pieces(owner, kind);
                let old = std::mem::replace(&mut cached.pieces[owner.index()][kind.index()], pieces);
                removed.extend((old & !pieces).into_iter().filter_map(row));
                added.extend((pieces & !old).into_iter().filter_map(row));
            }
        }
        let (start, len) = (self.place(top, color), self.len);
        let sums = &mut self.cached_sums[index * len..][..len];
        self.kernel.adjust(sums, self.network.feature_weights(), &removed, &added);
        self.sums[start..][..len].copy_from_slice(sums);
        self.slots[top].is_computed[color.index()] = true;
    }

    fn cache_index(&self, view: Perspective, bucket: usize) -> usize {
        let side = 2 * view.color().index() + usize::from(view.is_mirrored());
        side * self.network.architecture().input_buckets() + bucket
    }

    /// Lines may be longer than [`CAPACITY`], though no search makes them so.
    #[inline]
    fn make_room(&mut self, slot: usize) {
        let needed = (slot + 1) * Color::NUM * self.len;
        if self.sums.len() < needed {
            self.sums.resize(needed, Block::ZERO);
        }
    }
}
