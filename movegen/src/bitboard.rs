//! Sets of squares.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::{Color, FILES, RANKS, SQUARES, Square};

/// A set of squares; bit `n` is the square with index `n`. Bits 90–127 are always zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(u128);

const BOARD: u128 = (1 << SQUARES) - 1;

/// The set of each single square: one load, where shifting a 128-bit one takes eight instructions.
static SINGLE: [u128; SQUARES] = {
    let mut table = [0; SQUARES];
    let mut s = 0;
    while s < SQUARES {
        table[s] = 1 << s;
        s += 1;
    }
    table
};

impl Bitboard {
    /// No squares.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All 90 squares.
    pub const ALL: Bitboard = Bitboard(BOARD);

    /// The set with these bits; bits off the board are dropped.
    #[inline]
    pub const fn from_bits(bits: u128) -> Bitboard {
        Bitboard(bits & BOARD)
    }

    /// The bits, square index = bit number.
    #[inline]
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// The set of one square.
    #[inline]
    pub const fn square(square: Square) -> Bitboard {
        Bitboard(SINGLE[square.index()])
    }

    /// All squares of a file (0–8).
    #[inline]
    pub const fn file(file: u8) -> Bitboard {
        let mut bits = 0u128;
        let mut rank = 0;
        while rank < RANKS {
            bits |= 1 << (rank * FILES + file as usize);
            rank += 1;
        }
        Bitboard(bits & BOARD)
    }

    /// All squares of a rank (0–9).
    #[inline]
    pub const fn rank(rank: u8) -> Bitboard {
        Bitboard((0x1ff << (rank as usize * FILES)) & BOARD)
    }

    /// The half of the board on which `color` starts (its own side of the river).
    #[inline]
    pub const fn home(color: Color) -> Bitboard {
        const HALF: u128 = (1 << (SQUARES / 2)) - 1;
        match color {
            Color::Red => Bitboard(HALF),
            Color::Black => Bitboard(HALF << (SQUARES / 2)),
        }
    }

    /// Whether the square is in the set.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 & SINGLE[square.index()] != 0
    }

    /// The set with the square added.
    #[inline]
    pub const fn with(self, square: Square) -> Bitboard {
        Bitboard(self.0 | SINGLE[square.index()])
    }

    /// The set with the square removed.
    #[inline]
    pub const fn without(self, square: Square) -> Bitboard {
        Bitboard(self.0 & !SINGLE[square.index()])
    }

    /// Whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has at least one square.
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Number of squares.
    #[inline]
    pub const fn count(self) -> u32 {
        (self.0 as u64).count_ones() + ((self.0 >> 64) as u64).count_ones()
    }

    /// Whether the set has two squares or more.
    #[inline]
    pub const fn more_than_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The square with the lowest index.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::saturating(self.0.trailing_zeros() as u8)) }
    }

    /// Squares one rank further up (towards rank 9) or down, as the pawns of `color` walk.
    #[inline]
    pub const fn forward(self, color: Color) -> Bitboard {
        match color {
            Color::Red => Bitboard((self.0 << FILES) & BOARD),
            Color::Black => Bitboard(self.0 >> FILES),
        }
    }

    /// Squares one file to the left (towards file a).
    #[inline]
    pub const fn left(self) -> Bitboard {
        Bitboard((self.0 & !Bitboard::file(0).0) >> 1)
    }

    /// Squares one file to the right (towards file i).
    #[inline]
    pub const fn right(self) -> Bitboard {
        Bitboard((self.0 & !Bitboard::file(FILES as u8 - 1).0) << 1)
    }
}

macro_rules! operator {
    ($trait:ident, $function:ident, $assign_trait:ident, $assign:ident, $op:tt) => {
        impl $trait for Bitboard {
            type Output = Bitboard;
            #[inline]
            fn $function(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0 $op other.0)
            }
        }
        impl $assign_trait for Bitboard {
            #[inline]
            fn $assign(&mut self, other: Bitboard) {
                self.0 = self.0 $op other.0;
            }
        }
    };
}
operator!(BitAnd, bitand, BitAndAssign, bitand_assign, &);
operator!(BitOr, bitor, BitOrAssign, bitor_assign, |);
operator!(BitXor, bitxor, BitXorAssign, bitxor_assign, ^);

impl Not for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(!self.0 & BOARD)
    }
}

/// Iterates over the squares of a set, lowest index first.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;
    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0.wrapping_sub(1);
        Some(square)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;
    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<T: IntoIterator<Item = Square>>(squares: T) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, Bitboard::with)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}
