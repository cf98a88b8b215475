//! A king with its advisors and elephants as one number.
//!
//! These pieces have few points: of all placements of a king, two advisors and two elephants only 1,410 are possible,
//! and 714 if mirror images count once. A *key* says which points are taken; a *number* counts the placements of the
//! same material.

use std::sync::LazyLock;

use chuhe_movegen::{Bitboard, Color, PieceType, SQUARES, Square};

use crate::material::Army;

/// Bits of a key: elephants in the low seven, advisors in the next five, the king's point above.
const ELEPHANT_BITS: u32 = 7;
const ADVISOR_BITS: u32 = 5;
const KING_SHIFT: u32 = ELEPHANT_BITS + ADVISOR_BITS;
const PALACE_POINTS: usize = 9;

/// Number of keys, impossible ones included.
const KEYS: usize = PALACE_POINTS << KING_SHIFT;

/// No point of the kind in question.
const NONE: u8 = u8::MAX;

/// Points of one kind, as Red sees its own side: their squares, and their place in the list by square.
struct Points<const N: usize> {
    squares: [u8; N],
    places: [u8; SQUARES],
}

impl<const N: usize> Points<N> {
    const fn new(squares: [u8; N]) -> Points<N> {
        let mut places = [NONE; SQUARES];
        let mut place = 0;
        while place < N {
            places[squares[place] as usize] = place as u8;
            place += 1;
        }
        Points { squares, places }
    }
}

static KING: Points<PALACE_POINTS> = Points::new([3, 4, 5, 12, 13, 14, 21, 22, 23]);
static ADVISOR: Points<{ ADVISOR_BITS as usize }> = Points::new([3, 5, 13, 21, 23]);
static ELEPHANT: Points<{ ELEPHANT_BITS as usize }> = Points::new([2, 6, 18, 22, 26, 38, 42]);

/// Which points the king and its guards stand on, seen from their own side of the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct GuardKey(u16);

/// How a placement folds when mirror images count once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fold {
    /// Number among the placements that stand for their mirror images.
    pub(crate) number: u32,
    /// Whether the placement is the mirror image of the one that is numbered.
    pub(crate) is_mirrored: bool,
    /// Whether the placement is its own mirror image.
    pub(crate) is_symmetric: bool,
}

/// A square as its owner sees it: Black looks from the other side.
#[inline]
const fn own_view(color: Color, square: Square) -> Square {
    match color {
        Color::Red => square,
        Color::Black => square.rotate(),
    }
}

/// Puts a set of points on the board.
const fn spread<const N: usize>(squares: &[u8; N], color: Color, bits: usize) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut place = 0;
    while place < N {
        if bits >> place & 1 == 1 {
            set = set.with(own_view(color, Square::at(squares[place] as usize)));
        }
        place += 1;
    }
    set
}

static ADVISOR_SETS: [[Bitboard; 1 << ADVISOR_BITS]; Color::NUM] = {
    let mut table = [[Bitboard::EMPTY; 1 << ADVISOR_BITS]; Color::NUM];
    let mut bits = 0;
    while bits < 1 << ADVISOR_BITS {
        table[0][bits] = spread(&ADVISOR.squares, Color::Red, bits);
        table[1][bits] = spread(&ADVISOR.squares, Color::Black, bits);
        bits += 1;
    }
    table
};

static ELEPHANT_SETS: [[Bitboard; 1 << ELEPHANT_BITS]; Color::NUM] = {
    let mut table = [[Bitboard::EMPTY; 1 << ELEPHANT_BITS]; Color::NUM];
    let mut bits = 0;
    while bits < 1 << ELEPHANT_BITS {
        table[0][bits] = spread(&ELEPHANT.squares, Color::Red, bits);
        table[1][bits] = spread(&ELEPHANT.squares, Color::Black, bits);
        bits += 1;
    }
    table
};

impl GuardKey {
    /// Adds the king or a guard to a key without it; `None` when it stands where none of its kind can. Other kinds
    /// change nothing.
    #[inline]
    pub(crate) fn with(self, kind: PieceType, color: Color, square: Square) -> Option<GuardKey> {
        let square = own_view(color, square).index();
        let (place, shift) = match kind {
            PieceType::King => {
                let place = KING.places[square];
                return (place != NONE).then(|| GuardKey(self.0 | u16::from(place) << KING_SHIFT));
            }
            PieceType::Advisor => (ADVISOR.places[square], ELEPHANT_BITS),
            PieceType::Elephant => (ELEPHANT.places[square], 0),
            _ => return Some(self),
        };
        (place != NONE).then(|| GuardKey(self.0 | 1 << (u32::from(place) + shift)))
    }

    /// Takes a guard away.
    #[inline]
    pub(crate) fn without(self, kind: PieceType, color: Color, square: Square) -> GuardKey {
        let without = GuardKey::default().with(kind, color, square).unwrap_or_default();
        GuardKey(self.0 & !without.0)
    }

    /// Moves a guard or the king.
    #[inline]
    pub(crate) fn moved(self, kind: PieceType, color: Color, from: Square, to: Square) -> GuardKey {
        if kind == PieceType::King {
            return GuardKey(self.0 & ((1 << KING_SHIFT) - 1)).with(kind, color, to).unwrap_or(self);
        }
        self.without(kind, color, from).with(kind, color, to).unwrap_or(self)
    }

    /// Where the king stands.
    #[inline]
    pub(crate) fn king(self, color: Color) -> Square {
        own_view(color, Square::at(KING.squares[(self.0 >> KING_SHIFT) as usize] as usize))
    }

    /// The advisors.
    #[inline]
    pub(crate) fn advisors(self, color: Color) -> Bitboard {
        ADVISOR_SETS[color.index()][(self.0 >> ELEPHANT_BITS) as usize & ((1 << ADVISOR_BITS) - 1)]
    }

    /// The elephants.
    #[inline]
    pub(crate) fn elephants(self, color: Color) -> Bitboard {
        ELEPHANT_SETS[color.index()][self.0 as usize & ((1 << ELEPHANT_BITS) - 1)]
    }

    /// The placement mirrored left–right.
    #[inline]
    pub(crate) fn mirrored(self) -> GuardKey {
        GuardKey(TABLES.mirror[self.0 as usize])
    }

    /// Number among all placements of the same material.
    #[inline]
    pub(crate) fn number(self) -> u32 {
        u32::from(TABLES.number[self.0 as usize])
    }

    /// Number among the placements of the same material, mirror images counted once.
    #[inline]
    pub(crate) fn fold(self) -> Fold {
        let packed = TABLES.fold[self.0 as usize];
        Fold { number: u32::from(packed >> 2), is_mirrored: packed & 1 != 0, is_symmetric: packed & 2 != 0 }
    }

    /// Mirror image, computed point by point.
    fn mirror_image(self) -> GuardKey {
        let mirror = |places: &[u8; SQUARES], square: Square| places[square.mirror_file().index()];
        let mut key = u16::from(mirror(&KING.places, self.king(Color::Red))) << KING_SHIFT;
        for square in self.advisors(Color::Red) {
            key |= 1 << (u32::from(mirror(&ADVISOR.places, square)) + ELEPHANT_BITS);
        }
        for square in self.elephants(Color::Red) {
            key |= 1 << mirror(&ELEPHANT.places, square);
        }
        GuardKey(key)
    }
}

/// How many advisors and elephants a side may have.
const MAX_GUARDS: usize = 2;

/// All placements of one material.
#[derive(Default)]
pub(crate) struct GuardSpace {
    /// By [`GuardKey::number`].
    pub(crate) all: Vec<GuardKey>,
    /// By [`Fold::number`]: of each pair of mirror images the one that is numbered.
    pub(crate) folded: Vec<GuardKey>,
}

struct Tables {
    spaces: [[GuardSpace; MAX_GUARDS + 1]; MAX_GUARDS + 1],
    number: Vec<u16>,
    fold: Vec<u16>,
    mirror: Vec<u16>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut tables = Tables {
        spaces: Default::default(),
        number: vec![0; KEYS],
        fold: vec![0; KEYS],
        mirror: (0..KEYS as u16).map(|key| GuardKey(key).mirror_image().0).collect(),
    };
    for key in (0..KEYS as u16).map(GuardKey) {
        let (advisors, elephants) = (key.advisors(Color::Red), key.elephants(Color::Red));
        let (a, e) = (advisors.count() as usize, elephants.count() as usize);
        let overlap = advisors & elephants | (advisors | elephants) & Bitboard::square(key.king(Color::Red));
        if a > MAX_GUARDS || e > MAX_GUARDS || overlap.any() {
            continue;
        }
        let space = &mut tables.spaces[a][e];
        tables.number[key.0 as usize] = space.all.len() as u16;
        space.all.push(key);
        let mirror = GuardKey(tables.mirror[key.0 as usize]);
        let is_symmetric = mirror == key;
        if mirror >= key {
            let packed = (space.folded.len() as u16) << 2 | u16::from(is_symmetric) << 1;
            tables.fold[key.0 as usize] = packed;
            tables.fold[mirror.0 as usize] = packed | u16::from(!is_symmetric);
            space.folded.push(key);
        }
    }
    tables
});

/// All placements of an army's king and guards.
pub(crate) fn guard_space(army: Army) -> &'static GuardSpace {
    let (a, e) = (army.count(PieceType::Advisor), army.count(PieceType::Elephant));
    &TABLES.spaces[(a as usize).min(MAX_GUARDS)][(e as usize).min(MAX_GUARDS)]
}

#[cfg(test)]
mod tests {
    use chuhe_movegen::attacks::{ADVISOR_POINTS, ELEPHANT_POINTS, PALACES};

    use super::*;

    #[test]
    fn placements_are_counted_as_by_hand() {
        // King and guards of zero to two advisors (rows) and elephants (columns): all, and with mirror images once.
        let counts = TABLES.spaces.each_ref().map(|row| row.each_ref().map(|s| (s.all.len(), s.folded.len())));
        assert_eq!(
            counts,
            [[(9, 6), (62, 32), (183, 96)], [(40, 21), (275, 138), (810, 408)], [(70, 38), (480, 242), (1410, 714)]]
        );
    }

    #[test]
    fn points_are_those_of_the_rules() {
        let all = |squares: &[u8]| squares.iter().map(|&s| Square::at(s as usize)).collect::<Bitboard>();
        assert_eq!(all(&KING.squares), PALACES & Bitboard::home(Color::Red));
        assert_eq!(all(&ADVISOR.squares), ADVISOR_POINTS & Bitboard::home(Color::Red));
        assert_eq!(all(&ELEPHANT.squares), ELEPHANT_POINTS & Bitboard::home(Color::Red));
    }

    #[test]
    fn keys_say_where_the_pieces_stand() {
        for color in Color::ALL {
            let at = |text: &str| own_view(color, Square::from_ascii(text.as_bytes()[0], text.as_bytes()[1]).unwrap());
            let key = [(PieceType::King, "e1"), (PieceType::Advisor, "d0"), (PieceType::Elephant, "g4")]
                .into_iter()
                .try_fold(GuardKey::default(), |key, (kind, square)| key.with(kind, color, at(square)))
                .unwrap();
            assert_eq!(key.king(color), at("e1"));
            assert_eq!(key.advisors(color), Bitboard::square(at("d0")));
            assert_eq!(key.elephants(color), Bitboard::square(at("g4")));
            let moved = key.moved(PieceType::King, color, at("e1"), at("f1"));
            assert_eq!((moved.king(color), moved.advisors(color)), (at("f1"), key.advisors(color)));
            let moved = key.moved(PieceType::Elephant, color, at("g4"), at("e2"));
            assert_eq!((moved.king(color), moved.elephants(color)), (at("e1"), Bitboard::square(at("e2"))));
            assert_eq!(key.mirrored().king(color), key.king(color).mirror_file());
            assert_eq!(key.mirrored().elephants(color), Bitboard::square(at("g4").mirror_file()));
            assert_eq!(key.mirrored().mirrored(), key);
            assert_eq!(key.without(PieceType::Advisor, color, at("d0")).advisors(color), Bitboard::EMPTY);
            assert_eq!(key.with(PieceType::Advisor, color, at("d1")), None);
            assert_eq!(key.with(PieceType::Elephant, color, at("g9")), None);
        }
    }

    #[test]
    fn a_fold_leads_back_to_the_placement() {
        for space in TABLES.spaces.iter().flatten() {
            for &key in &space.all {
                assert_eq!(space.all[key.number() as usize], key);
                let fold = key.fold();
                let numbered = space.folded[fold.number as usize];
                assert_eq!(if fold.is_mirrored { numbered.mirrored() } else { numbered }, key);
                assert_eq!(fold.is_symmetric, key.mirrored() == key);
            }
        }
    }
}
