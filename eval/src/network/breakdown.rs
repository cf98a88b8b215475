//! The value of a network taken apart, for people.

use chuhe_movegen::{Board, Color, Piece, PieceType, Square};

use super::features::{self, INPUTS, Perspective};
use super::model::Network;

/// A network's value for a position, and what makes it. All values are in internal units and from Red's view.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkBreakdown {
    /// The static evaluation from Red's view.
    pub red_view: i32,
    /// The static evaluation from the view of the side to move, as search sees it.
    pub mover_view: i32,
    /// The output bucket in use.
    pub output_bucket: usize,
    /// What each output bucket makes of the position.
    pub by_bucket: Vec<i32>,
    /// By how much the value would be lower without a piece, for each but the kings, in the order of squares.
    pub pieces: Vec<(Square, Piece, i32)>,
}

impl NetworkBreakdown {
    /// Takes a position apart.
    pub fn of(network: &Network, board: &Board) -> NetworkBreakdown {
        let architecture = network.architecture();
        let us = board.side_to_move();
        let views = [us, !us].map(|color| Perspective::on(board, color));
        let sums = [us, !us].map(|color| network.sums(board, color));
        let from_red = |value: i32| if us == Color::Red { value } else { -value };
        let attackers = features::attackers(board);
        let output_bucket = architecture.output_bucket(attackers);
        let mover_view = network.output(sums.clone(), output_bucket);

        let without = |piece: Piece, square: Square| {
            let mut sums = sums.clone();
            for (sums, view) in sums.iter_mut().zip(views) {
                if let Some(index) = view.index(piece, square) {
                    sums.adjust(network, &[architecture.input_bucket(view) * INPUTS + usize::from(index)], &[]);
                }
            }
            let is_attacker = matches!(piece.kind, PieceType::Rook | PieceType::Horse | PieceType::Cannon);
            network.output(sums, architecture.output_bucket(attackers - u32::from(is_attacker)))
        };
        let occupied = board.occupied() & !board.kind(PieceType::King);
        let pieces = occupied.into_iter().filter_map(|square| {
            let piece = board.piece_at(square)?;
            Some((square, piece, from_red(mover_view) - from_red(without(piece, square))))
        });
        NetworkBreakdown {
            red_view: from_red(mover_view),
            mover_view,
            output_bucket,
            by_bucket: (0..architecture.output_buckets())
                .map(|bucket| from_red(network.output(sums.clone(), bucket)))
                .collect(),
            pieces: pieces.collect(),
        }
    }
}
