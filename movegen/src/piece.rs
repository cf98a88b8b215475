//! Colours, kinds of pieces and pieces.

use std::fmt;
use std::ops::Not;

/// A side of the game. Red moves first and sits at the bottom (ranks 0–4).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Color {
    /// 红.
    Red = 0,
    /// 黑.
    Black = 1,
}

impl Color {
    /// Number of sides.
    pub const NUM: usize = 2;
    /// Both sides, Red first.
    pub const ALL: [Color; 2] = [Color::Red, Color::Black];

    /// 0 for Red, 1 for Black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::Red => "Red",
            Color::Black => "Black",
        })
    }
}

impl Not for Color {
    type Output = Color;
    #[inline]
    fn not(self) -> Color {
        match self {
            Color::Red => Color::Black,
            Color::Black => Color::Red,
        }
    }
}

/// The seven kinds of pieces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum PieceType {
    /// 帅 / 将.
    King = 0,
    /// 仕 / 士.
    Advisor = 1,
    /// 相 / 象.
    Elephant = 2,
    /// 马.
    Horse = 3,
    /// 车.
    Rook = 4,
    /// 炮.
    Cannon = 5,
    /// 兵 / 卒.
    Pawn = 6,
}

impl PieceType {
    /// Number of kinds.
    pub const NUM: usize = 7;
    /// All kinds in index order.
    pub const ALL: [PieceType; 7] = [
        PieceType::King,
        PieceType::Advisor,
        PieceType::Elephant,
        PieceType::Horse,
        PieceType::Rook,
        PieceType::Cannon,
        PieceType::Pawn,
    ];

    /// 0 (king) to 6 (pawn).
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// How many of this kind a side has at the start, which is also the most it may ever have.
    #[inline]
    pub const fn max_count(self) -> u32 {
        match self {
            PieceType::King => 1,
            PieceType::Pawn => 5,
            _ => 2,
        }
    }

    /// The most squares a piece of this kind can ever go to in one move.
    #[inline]
    pub const fn max_destinations(self) -> u32 {
        match self {
            PieceType::King | PieceType::Advisor | PieceType::Elephant => 4,
            PieceType::Horse => 8,
            PieceType::Rook | PieceType::Cannon => 17,
            PieceType::Pawn => 3,
        }
    }

    /// FEN letter in upper case: K A B N R C P.
    #[inline]
    pub const fn letter(self) -> char {
        match self {
            PieceType::King => 'K',
            PieceType::Advisor => 'A',
            PieceType::Elephant => 'B',
            PieceType::Horse => 'N',
            PieceType::Rook => 'R',
            PieceType::Cannon => 'C',
            PieceType::Pawn => 'P',
        }
    }
}

/// A piece: a colour and a kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// Whose piece.
    pub color: Color,
    /// What kind.
    pub kind: PieceType,
}

impl Piece {
    /// Number of different pieces.
    pub const NUM: usize = 14;

    /// A piece of this colour and kind.
    #[inline]
    pub const fn new(color: Color, kind: PieceType) -> Piece {
        Piece { color, kind }
    }

    /// `color * 7 + kind`, 0–13: red K A B N R C P, then black.
    #[inline]
    pub const fn index(self) -> usize {
        self.color as usize * PieceType::NUM + self.kind as usize
    }

    /// FEN letter: upper case Red, lower case Black.
    pub const fn letter(self) -> char {
        match self.color {
            Color::Red => self.kind.letter(),
            Color::Black => self.kind.letter().to_ascii_lowercase(),
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}
