//! Points of the board, their files and ranks.

use std::fmt;

/// Number of files (columns), a to i.
pub const FILES: usize = 9;
/// Number of ranks (rows), 0 to 9.
pub const RANKS: usize = 10;
/// Number of points on the board.
pub const SQUARES: usize = FILES * RANKS;

/// One of the 90 points of the board, `rank * 9 + file`: a0 = 0 … i9 = 89, seen from Red.
///
/// The value is always below 90: only checked constructors exist.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// Number of squares.
    pub const NUM: usize = SQUARES;

    /// The square with this index, if it is below 90.
    #[inline]
    pub const fn new(index: u8) -> Option<Square> {
        if index < SQUARES as u8 { Some(Square(index)) } else { None }
    }

    /// The square with this index; for indices known to be on the board.
    ///
    /// # Panics
    /// If `index` is 90 or more.
    #[inline]
    pub const fn at(index: usize) -> Square {
        assert!(index < SQUARES);
        Square(index as u8)
    }

    /// The square with this index, clamped to the board: for indices known to be on it, without a branch that can panic.
    #[inline]
    pub(crate) const fn saturating(index: u8) -> Square {
        if index < SQUARES as u8 { Square(index) } else { Square(SQUARES as u8 - 1) }
    }

    /// The square on `file` (0–8, from Red's left) and `rank` (0–9, from Red's back rank).
    #[inline]
    pub const fn from_coords(file: u8, rank: u8) -> Option<Square> {
        if file < FILES as u8 && rank < RANKS as u8 { Some(Square(rank * FILES as u8 + file)) } else { None }
    }

    /// All squares in index order.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator + Clone {
        (0..SQUARES as u8).map(Square)
    }

    /// Index, 0–89.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// File, 0 (a, Red's left) to 8 (i).
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 % FILES as u8
    }

    /// Rank, 0 (Red's back rank) to 9 (Black's).
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 / FILES as u8
    }

    /// The point seen from the other player: files and ranks both reversed.
    #[inline]
    pub const fn rotate(self) -> Square {
        Square(SQUARES as u8 - 1 - self.0)
    }

    /// The point mirrored left–right (file a ↔ file i).
    #[inline]
    pub const fn mirror_file(self) -> Square {
        Square(self.0 - self.file() + (FILES as u8 - 1 - self.file()))
    }

    /// Parses two ASCII characters such as `e0`; upper case is accepted.
    pub const fn from_ascii(file: u8, rank: u8) -> Option<Square> {
        let file = file.to_ascii_lowercase();
        if file < b'a' || rank < b'0' || rank > b'9' {
            return None;
        }
        Square::from_coords(file - b'a', rank - b'0')
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, (b'0' + self.rank()) as char)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
