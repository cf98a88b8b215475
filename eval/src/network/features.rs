//! The inputs of a network: piece-squares as one side sees them.
//!
//! There is an input for every piece on every square it can stand on, and for no other: [`INPUTS`] in all, where a full
//! product would have 1,260. Each side sees the board from its own chair, its own back rank as rank 0, and left–right
//! mirrored when that brings its king onto the left file or the centre, or, with that king on the centre file, the enemy
//! king. Position and mirror image have the same inputs then, unless both kings stand on the centre file. (Both ideas
//! are known from Pikafish.)
//!
//! Inputs are numbered by piece, own king, advisors, elephants, horses, rooks, cannons and pawns first, then the enemy's
//! in the same order; the squares of a piece by index, as seen by the viewing side:
//!
//! | piece | squares | own from | enemy from |
//! |---|---|---|---|
//! | king | own 6 (mirrored into files d and e), enemy 9 | 0 | 343 |
//! | advisor | 5 | 6 | 352 |
//! | elephant | 7 | 11 | 357 |
//! | horse | 90 | 18 | 364 |
//! | rook | 90 | 108 | 454 |
//! | cannon | 90 | 198 | 544 |
//! | pawn | 55 | 288 | 634 |

use arrayvec::ArrayVec;
use chuhe_movegen::attacks::{ADVISOR_POINTS, ELEPHANT_POINTS, PALACES, pawn_points};
use chuhe_movegen::{Bitboard, Board, Color, FILES, Piece, PieceType, SQUARES, Square};

use crate::layout::seen_by;

/// Number of inputs of one perspective.
pub const INPUTS: usize = 689;
/// Places of the own king, mirrored: two files, three ranks.
pub const KING_PLACES: usize = 6;
/// Rooks, horses and cannons at the start of a game.
pub const ATTACKERS_MAX: u32 = 12;

/// The inputs that are 1. As many as there are squares: composed placements hold more than the initial 32 pieces.
pub type Active = ArrayVec<u16, SQUARES>;

/// Marks a square that a piece cannot stand on.
const NONE: u16 = u16::MAX;
/// Index of the centre file.
const CENTRE: u8 = FILES as u8 / 2;

/// Where a piece of a side can stand, seen by Red; Red's king on its mirrored half only.
const fn zone(owner: Color, kind: PieceType) -> Bitboard {
    let home = Bitboard::home(owner).bits();
    let bits = match kind {
        PieceType::King => {
            let right = match owner {
                Color::Red => Bitboard::file(CENTRE + 1).bits(),
                Color::Black => 0,
            };
            PALACES.bits() & home & !right
        }
        PieceType::Advisor => ADVISOR_POINTS.bits() & home,
        PieceType::Elephant => ELEPHANT_POINTS.bits() & home,
        PieceType::Pawn => pawn_points(owner).bits(),
        PieceType::Horse | PieceType::Rook | PieceType::Cannon => Bitboard::ALL.bits(),
    };
    Bitboard::from_bits(bits)
}

/// Squares as a side sees them, as they are and mirrored.
static SEEN: [[[u8; SQUARES]; 2]; Color::NUM] = {
    let mut table = [[[0; SQUARES]; 2]; Color::NUM];
    let mut side = 0;
    while side < Color::NUM {
        let mut square = 0;
        while square < SQUARES {
            let seen = seen_by(Color::ALL[side], Square::at(square));
            table[side][0][square] = seen.index() as u8;
            table[side][1][square] = seen.mirror_file().index() as u8;
            square += 1;
        }
        side += 1;
    }
    table
};

/// Inputs by piece (own pieces as Red's) and square, as the viewing side sees it.
static INDEX: [[u16; SQUARES]; Piece::NUM] = {
    let mut table = [[NONE; SQUARES]; Piece::NUM];
    let mut next = 0;
    let mut piece = 0;
    while piece < Piece::NUM {
        let owner = if piece < PieceType::NUM { Color::Red } else { Color::Black };
        let zone = zone(owner, PieceType::ALL[piece % PieceType::NUM]);
        let mut square = 0;
        while square < SQUARES {
            if zone.contains(Square::at(square)) {
                table[piece][square] = next;
                next += 1;
            }
            square += 1;
        }
        piece += 1;
    }
    assert!(next as usize == INPUTS);
    table
};

/// For each piece, in the order of the inputs: how many inputs it has, and how many of it a side has at most.
pub(crate) fn pieces() -> impl Iterator<Item = (usize, u32)> {
    INDEX.iter().enumerate().map(|(piece, squares)| {
        let inputs = squares.iter().filter(|&&index| index != NONE).count();
        (inputs, PieceType::ALL[piece % PieceType::NUM].max_count())
    })
}

/// How one side sees the board. Depends on the kings alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Perspective {
    color: Color,
    mirrored: bool,
    /// 0–5: rank × 2, plus 1 on the centre file.
    king_place: u8,
}

impl Perspective {
    /// The view of `color`, whose king stands on `own_king` (squares as on the board, from Red).
    #[inline]
    pub const fn of(color: Color, own_king: Square, enemy_king: Square) -> Perspective {
        let (own, enemy) = (seen_by(color, own_king), seen_by(color, enemy_king));
        let mirrored = own.file() > CENTRE || own.file() == CENTRE && enemy.file() > CENTRE;
        let rank = if own.rank() < 2 { own.rank() } else { 2 };
        Perspective { color, mirrored, king_place: rank * 2 + (own.file() == CENTRE) as u8 }
    }

    /// The view of `color` of a board.
    #[inline]
    pub fn on(board: &Board, color: Color) -> Perspective {
        Perspective::of(color, board.king(color), board.king(!color))
    }

    /// The viewing side.
    #[inline]
    pub const fn color(self) -> Color {
        self.color
    }

    /// Whether left and right are exchanged, after the board was turned to the viewing side.
    #[inline]
    pub const fn is_mirrored(self) -> bool {
        self.mirrored
    }

    /// The place of the own king, 0–5: rank × 2, plus 1 on the centre file. The input bucket of networks with six.
    #[inline]
    pub const fn bucket(self) -> usize {
        self.king_place as usize
    }

    /// The input for a piece on a square; `None` where no game brings that piece (composed placements).
    #[inline]
    pub fn index(self, piece: Piece, square: Square) -> Option<u16> {
        let seen = SEEN[self.color.index()][self.mirrored as usize][square.index()] as usize;
        let owner = self.color.index() ^ piece.color.index();
        match INDEX[owner * PieceType::NUM + piece.kind.index()][seen] {
            NONE => None,
            index => Some(index),
        }
    }
}

/// The set of input weights for networks with one a king's place ([`Perspective::bucket`]), and the inputs that are 1,
/// as `perspective` sees the board.
pub fn active(board: &Board, perspective: Color) -> (usize, Active) {
    let view = Perspective::on(board, perspective);
    let pieces = board.occupied().into_iter().filter_map(|square| Some((board.piece_at(square)?, square)));
    (view.bucket(), pieces.filter_map(|(piece, square)| view.index(piece, square)).collect())
}

/// Rooks, horses and cannons on the board, both sides together: what chooses the output bucket
/// ([`super::Architecture::output_bucket`]). Advisors and elephants say little about the phase of a game.
#[inline]
pub fn attackers(board: &Board) -> u32 {
    (board.kind(PieceType::Rook) | board.kind(PieceType::Horse) | board.kind(PieceType::Cannon)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(name: &str) -> Square {
        let bytes = name.as_bytes();
        Square::from_ascii(bytes[0], bytes[1]).expect("a square")
    }

    fn view(color: Color, own_king: &str, enemy_king: &str) -> Perspective {
        Perspective::of(color, square(own_king), square(enemy_king))
    }

    #[test]
    fn the_table_of_the_documentation() {
        let first = |piece: usize| INDEX[piece].iter().copied().filter(|&index| index != NONE).min();
        let starts: Vec<_> = (0..Piece::NUM).map(|piece| first(piece).expect("squares")).collect();
        assert_eq!(starts, [0, 6, 11, 18, 108, 198, 288, 343, 352, 357, 364, 454, 544, 634]);
    }

    #[test]
    fn every_input_has_one_meaning() {
        for kings in [("d0", "e9"), ("e1", "d8"), ("f2", "f7"), ("e0", "f9")] {
            for color in Color::ALL {
                let (red, black) = kings;
                let view = if color == Color::Red { view(color, red, black) } else { view(color, black, red) };
                let mut seen = [false; INPUTS];
                for own in Color::ALL {
                    for kind in PieceType::ALL {
                        for square in Square::all() {
                            let Some(index) = view.index(Piece::new(own, kind), square) else { continue };
                            assert!(!std::mem::replace(&mut seen[usize::from(index)], true), "{index} twice");
                        }
                    }
                }
                assert!(seen.iter().all(|&seen| seen));
            }
        }
    }

    #[test]
    fn mirrored_by_the_own_king_then_by_the_enemy_king() {
        assert!(!view(Color::Red, "d0", "f9").is_mirrored());
        assert!(view(Color::Red, "f0", "d9").is_mirrored());
        assert!(view(Color::Red, "e0", "f9").is_mirrored());
        assert!(!view(Color::Red, "e0", "d9").is_mirrored());
        assert!(!view(Color::Red, "e0", "e9").is_mirrored());
        // Black sits on the other side: its left is Red's right.
        assert!(!view(Color::Black, "f9", "d0").is_mirrored());
        assert!(view(Color::Black, "d9", "e0").is_mirrored());
        assert!(view(Color::Black, "e9", "d0").is_mirrored());
    }

    #[test]
    fn buckets_are_the_places_of_the_own_king() {
        for (king, bucket) in [("d0", 0), ("f0", 0), ("e0", 1), ("d1", 2), ("e1", 3), ("f2", 4), ("e2", 5)] {
            assert_eq!(view(Color::Red, king, "e9").bucket(), bucket);
            let king = square(king).rotate().to_string();
            assert_eq!(view(Color::Black, &king, "e0").bucket(), bucket);
            let own = view(Color::Red, "d0", "e9").index(Piece::new(Color::Red, PieceType::King), square("d1"));
            assert_eq!(own, Some(2), "the own king's inputs are numbered as the buckets");
        }
    }

    #[test]
    fn some_inputs_by_hand() {
        let red = view(Color::Red, "e0", "e9");
        let rook = Piece::new(Color::Red, PieceType::Rook);
        assert_eq!(red.index(rook, square("a0")), Some(108));
        assert_eq!(red.index(rook, square("i9")), Some(197));
        // Mirrored, a0 is i0.
        assert_eq!(view(Color::Red, "f0", "e9").index(rook, square("a0")), Some(108 + 8));
        // To Black it is an enemy rook on its own i9.
        assert_eq!(view(Color::Black, "e9", "e0").index(rook, square("a0")), Some(454 + 89));
        let pawn = Piece::new(Color::Black, PieceType::Pawn);
        assert_eq!(red.index(pawn, square("a0")), Some(634));
        assert_eq!(red.index(pawn, square("b6")), None, "not across the river, and not on its file");
        assert_eq!(red.index(Piece::new(Color::Red, PieceType::Advisor), square("a4")), None);
    }

    #[test]
    fn both_sides_see_the_same_at_the_start() {
        let board = Board::startpos();
        let sorted = |color| {
            let (bucket, mut inputs) = active(&board, color);
            inputs.sort_unstable();
            (bucket, inputs)
        };
        assert_eq!(sorted(Color::Red), sorted(Color::Black));
        assert_eq!(sorted(Color::Red).1.len(), 32);
        assert_eq!(attackers(&board), ATTACKERS_MAX);
    }

    #[test]
    fn mirror_images_look_alike_unless_both_kings_are_central() {
        let sorted = |board: &Board, color| {
            let (bucket, mut inputs) = active(board, color);
            inputs.sort_unstable();
            (bucket, inputs)
        };
        for (fen, alike) in [
            ("2bak4/4a4/4b4/9/2P1p4/4R4/6n2/4B4/4A4/2BAK4 w", false),
            ("2ba1k3/4a4/4b4/9/2P1p4/4R4/6n2/4B4/4A4/2BAK4 w", true),
            ("2bak4/4a4/4b4/9/2P1p4/4R4/6n2/4B4/4A4/2B1KA3 b", false),
            ("2bak4/4a4/4b4/9/2P1p4/4R4/6n2/4B4/4A4/2BK1A3 b", true),
        ] {
            let board = Board::from_fen(fen).expect("a position");
            let mirror = board.mirror_files();
            for color in Color::ALL {
                assert_eq!(sorted(&board, color) == sorted(&mirror, color), alike, "{fen} {color}");
            }
        }
    }
}
