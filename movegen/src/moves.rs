//! Moves and lists of moves.

use std::fmt;
use std::num::NonZeroU16;
use std::str::FromStr;

use arrayvec::ArrayVec;

use crate::Square;

/// No position has more pseudo-legal moves than this: a full army of [`crate::PieceType::max_count`] pieces with
/// [`crate::PieceType::max_destinations`] each has at most 119, and FENs with more are refused.
pub const MAX_MOVES: usize = 120;

/// The moves of one position, without allocation.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// A move: where from and where to. Fits 16 bits (7 + 7 used), and `Option<Move>` is no larger.
///
/// A `Move` says nothing about legality; ask [`crate::Board::is_legal`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU16);

impl Move {
    /// The move from one square to another, or nothing when they are the same.
    #[inline]
    pub const fn new(from: Square, to: Square) -> Option<Move> {
        if from.index() == to.index() { None } else { Some(Move::pack(from, to)) }
    }

    /// As [`Move::new`] for squares known to differ; equal squares would give a move that is never legal.
    #[inline]
    pub(crate) const fn pack(from: Square, to: Square) -> Move {
        // Bit 14 is always set so that the value is never zero (a0 is index 0).
        match NonZeroU16::new(1 << 14 | (from.index() as u16) << 7 | to.index() as u16) {
            Some(bits) => Move(bits),
            None => unreachable!(),
        }
    }

    /// Rebuilds a move from [`Move::bits`]; `None` when a square is off the board or both are equal.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Move> {
        if bits >= 1 << 14 {
            return None;
        }
        match (Square::new((bits >> 7) as u8), Square::new((bits & 127) as u8)) {
            (Some(from), Some(to)) => Move::new(from, to),
            _ => None,
        }
    }

    /// 14 bits: from × 128 + to. Never zero, since the squares differ.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get() & 0x3fff
    }

    /// Where the piece comes from.
    #[inline]
    pub const fn from(self) -> Square {
        Square::saturating(((self.0.get() >> 7) & 127) as u8)
    }

    /// Where the piece goes.
    #[inline]
    pub const fn to(self) -> Square {
        Square::saturating((self.0.get() & 127) as u8)
    }

    /// The move mirrored left–right.
    pub const fn mirror_file(self) -> Move {
        Move::pack(self.from().mirror_file(), self.to().mirror_file())
    }

    /// The move with the board turned by 180 degrees.
    pub const fn rotate(self) -> Move {
        Move::pack(self.from().rotate(), self.to().rotate())
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text is not a move in coordinates.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is not a move: expected four characters such as `h2e2` (files a-i, ranks 0-9)")]
pub struct ParseMoveError(pub String);

impl FromStr for Move {
    type Err = ParseMoveError;

    /// Reads `h2e2`; upper case and a hyphen (`H2-E2`, ICCS) are accepted.
    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        let error = || ParseMoveError(chuhe_text::quoted(text));
        let (a, b, c, d) = match *text.as_bytes() {
            [a, b, c, d] | [a, b, b'-', c, d] => (a, b, c, d),
            _ => return Err(error()),
        };
        match (Square::from_ascii(a, b), Square::from_ascii(c, d)) {
            (Some(from), Some(to)) => Move::new(from, to).ok_or_else(error),
            _ => Err(error()),
        }
    }
}
