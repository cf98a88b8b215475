//! The piece-square weights unfolded for speed: one look-up gives base value and correction together.

use chuhe_movegen::{PieceType, SQUARES, Square};

use crate::layout::{self, PALACE_RANKS};
use crate::weights::WEIGHTS;

/// Weights by kind and square for one place of a king.
pub(crate) type PieceSquare = [[[i16; 2]; SQUARES]; PieceType::NUM];

/// Points of a palace.
const PALACE_POINTS: usize = PALACE_RANKS * 3;

/// Base values with the corrections by own king, by [`palace_index`] of the own king seen by the owner of the piece.
pub(crate) static BY_OWN_KING: [PieceSquare; PALACE_POINTS] = unfolded(true);

/// Corrections by enemy king, by [`palace_index`] of the enemy king seen by the owner of the piece.
pub(crate) static BY_ENEMY_KING: [PieceSquare; PALACE_POINTS] = unfolded(false);

/// Index of a king's place, 0–8; the right depth for either palace.
#[inline]
pub(crate) const fn palace_index(king: Square) -> usize {
    let (depth, side) = layout::palace_point(king);
    depth * 3 + side
}

/// The sum of two weights; one too large is an error of compilation.
const fn sum(a: [i16; 2], b: [i16; 2]) -> [i16; 2] {
    match (a[0].checked_add(b[0]), a[1].checked_add(b[1])) {
        (Some(mg), Some(eg)) => [mg, eg],
        _ => panic!("a base value and its correction add up to more than an i16 holds"),
    }
}

const fn unfolded(own: bool) -> [PieceSquare; PALACE_POINTS] {
    let mut tables = [[[[0; 2]; SQUARES]; PieceType::NUM]; PALACE_POINTS];
    let mut point = 0;
    while point < PALACE_POINTS {
        // Any square with this palace index will do: the own back ranks serve for the enemy palace too.
        let king = Square::at(point / 3 * 9 + 3 + point % 3);
        let mut k = 0;
        while k < PieceType::NUM {
            let kind = PieceType::ALL[k];
            let mut s = 0;
            while s < SQUARES {
                let square = Square::at(s);
                tables[point][k][s] = if own {
                    sum(WEIGHTS[layout::base(kind, square)], WEIGHTS[layout::own_king(king, kind, square)])
                } else {
                    WEIGHTS[layout::enemy_king(king, kind, square)]
                };
                s += 1;
            }
            k += 1;
        }
        point += 1;
    }
    tables
}
