//! The index: every placement of a class as one number, mirror images folded.
//!
//! The strong side is Red here, whatever its colour on the board. The number of a placement is built from, in this
//! order: the weak side's king and guards (mirror images once), the strong side's king and guards, and for each kind
//! of attackers, the strong side's first, the combination of points they stand on. If the weak side's king and guards
//! are their own mirror image, the smaller of the numbers of the two mirror images stands for both; the other one is
//! never used. Nor are numbers of placements in which two pieces share a point.

use arrayvec::ArrayVec;
use chuhe_movegen::attacks::pawn_points;
use chuhe_movegen::{Bitboard, Board, Color, Piece, PieceType, SQUARES, Square};

use crate::guards::{GuardKey, guard_space};
use crate::material::{ATTACKERS, Class};

/// The most attackers a class may have.
pub(crate) const MAX_ATTACKERS: usize = 8;

/// The most placements a class may have: slots are counted in 32 bits.
const MAX_SIZE: u64 = 1 << 31;

/// Packed values in a byte.
pub(crate) const CELLS_PER_BYTE: usize = 4;

/// A class is too big for a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0} is too big for a table")]
pub struct ClassTooBig(pub Class);

/// Where all pieces of a class stand, with the strong side as Red.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Placement {
    /// Kings and guards, by colour.
    pub(crate) guards: [GuardKey; Color::NUM],
    /// Squares of the attackers, in the order of the layout's groups; in any order within a group.
    pub(crate) attackers: [Square; MAX_ATTACKERS],
}

/// The number of a placement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Indexed {
    pub(crate) index: u32,
    /// Whether the placement is its own mirror image.
    pub(crate) is_symmetric: bool,
    /// Whether it is the placement itself that has the number, not its mirror image.
    pub(crate) is_plain: bool,
}

/// Attackers of one kind and side.
struct Group {
    color: Color,
    kind: PieceType,
    /// Place of the first in [`Placement::attackers`].
    first: usize,
    count: usize,
    /// Number of each square among the points of the kind.
    points: &'static [u8; SQUARES],
    /// Squares of the points.
    squares: &'static [Square],
    /// Number of combinations.
    combinations: u32,
    /// Of two equal pieces: the points of each combination, the lower one first.
    pairs: Vec<[u8; 2]>,
}

/// Numbers of the points of a kind, and the points by number.
struct PointTable {
    numbers: [u8; SQUARES],
    squares: [Square; SQUARES],
    count: usize,
}

impl PointTable {
    const fn new(points: Bitboard) -> PointTable {
        let mut table = PointTable { numbers: [u8::MAX; SQUARES], squares: [Square::at(0); SQUARES], count: 0 };
        let mut index = 0;
        while index < SQUARES {
            if points.contains(Square::at(index)) {
                table.numbers[index] = table.count as u8;
                table.squares[table.count] = Square::at(index);
                table.count += 1;
            }
            index += 1;
        }
        table
    }
}

static ALL_POINTS: PointTable = PointTable::new(Bitboard::ALL);
static PAWN_POINTS: [PointTable; Color::NUM] =
    [PointTable::new(pawn_points(Color::Red)), PointTable::new(pawn_points(Color::Black))];

/// Binomial coefficients `n` over `k`; what no class can reach is cut off.
static BINOMIAL: [[u32; 6]; SQUARES + 1] = {
    let mut table = [[0u32; 6]; SQUARES + 1];
    let mut n = 0;
    while n <= SQUARES {
        table[n][0] = 1;
        let mut k = 1;
        while k < 6 && n > 0 {
            table[n][k] = table[n - 1][k - 1].saturating_add(table[n - 1][k]);
            k += 1;
        }
        n += 1;
    }
    table
};

impl Group {
    fn new(class: Class, color: Color, kind: PieceType, first: usize) -> Group {
        let points = if kind == PieceType::Pawn { &PAWN_POINTS[color.index()] } else { &ALL_POINTS };
        let count = usize::from(class.army(color).count(kind));
        let pairs = if count == 2 {
            (0..points.count as u8).flat_map(|high| (0..high).map(move |low| [low, high])).collect()
        } else {
            Vec::new()
        };
        Group {
            color,
            kind,
            first,
            count,
            points: &points.numbers,
            squares: &points.squares[..points.count],
            combinations: BINOMIAL[points.count][count],
            pairs,
        }
    }

    fn slots(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.count
    }

    /// Number of a combination: the points in rising order, the `k`-th of them counting `point over k`.
    #[inline]
    fn rank(&self, squares: &[Square]) -> u32 {
        let point = |square: Square| usize::from(self.points[square.index()]);
        match *squares {
            [one] => point(one) as u32,
            [one, two] => {
                let (one, two) = (point(one), point(two));
                BINOMIAL[one.max(two)][2] + one.min(two) as u32
            }
            _ => {
                let mut points: ArrayVec<usize, MAX_ATTACKERS> = squares.iter().map(|&square| point(square)).collect();
                points.sort_unstable();
                points.iter().enumerate().map(|(at, &point)| BINOMIAL[point][at + 1]).sum()
            }
        }
    }

    /// Puts the squares of a combination in place.
    #[inline]
    fn unrank(&self, mut rank: u32, squares: &mut [Square]) {
        match squares {
            [one] => *one = self.squares[rank as usize],
            [one, two] => {
                let [low, high] = self.pairs[rank as usize];
                *one = self.squares[usize::from(low)];
                *two = self.squares[usize::from(high)];
            }
            _ => {
                let mut point = self.squares.len();
                for at in (0..self.count).rev() {
                    while BINOMIAL[point][at + 1] > rank {
                        point -= 1;
                    }
                    rank -= BINOMIAL[point][at + 1];
                    squares[at] = self.squares[point];
                }
            }
        }
    }
}

/// How the placements of a class are numbered.
pub(crate) struct Layout {
    class: Class,
    groups: Vec<Group>,
    /// Kinds of [`Placement::attackers`], Red's first.
    pieces: ArrayVec<Piece, MAX_ATTACKERS>,
    /// Number of placements of the king and guards of the strong side, and folded of the weak side.
    strong_guards: &'static [GuardKey],
    weak_guards: &'static [GuardKey],
    size: u32,
    row: u32,
}

impl Layout {
    /// The numbering of a class.
    pub(crate) fn new(class: Class) -> Result<Layout, ClassTooBig> {
        let mut groups = Vec::new();
        let mut pieces = ArrayVec::new();
        for color in Color::ALL {
            for kind in ATTACKERS {
                let count = usize::from(class.army(color).count(kind));
                if count == 0 {
                    continue;
                }
                if pieces.len() + count > MAX_ATTACKERS {
                    return Err(ClassTooBig(class));
                }
                groups.push(Group::new(class, color, kind, pieces.len()));
                pieces.extend(std::iter::repeat_n(Piece::new(color, kind), count));
            }
        }
        let strong_guards = guard_space(class.strong()).all.as_slice();
        let weak_guards = guard_space(class.weak()).folded.as_slice();
        let guards = strong_guards.len() as u64 * weak_guards.len() as u64;
        let size = groups
            .iter()
            .try_fold(guards, |size, group| size.checked_mul(u64::from(group.combinations)))
            .filter(|&size| size < MAX_SIZE)
            .ok_or(ClassTooBig(class))?;
        let row = groups.last().map_or(1, |group| group.combinations);
        Ok(Layout { class, groups, pieces, strong_guards, weak_guards, size: size as u32, row })
    }

    /// The class.
    pub(crate) fn class(&self) -> Class {
        self.class
    }

    /// How many numbers there are, unused ones included.
    pub(crate) fn size(&self) -> u32 {
        self.size
    }

    /// Numbers in a row, which is what the last group of attackers makes of one placement of all others; and the same
    /// rounded up, so that the rows of packed tables begin at whole bytes.
    #[inline]
    pub(crate) fn row(&self) -> (u32, u32) {
        (self.row, self.row.next_multiple_of(CELLS_PER_BYTE as u32))
    }

    /// Cells that one side to move takes in a packed table.
    #[inline]
    pub(crate) fn cells(&self) -> usize {
        let (row, padded) = self.row();
        (self.size / row) as usize * padded as usize
    }

    /// The cell of a number among those of one side to move.
    #[inline]
    pub(crate) fn cell(&self, index: u32) -> usize {
        let (row, padded) = self.row();
        (index / row) as usize * padded as usize + (index % row) as usize
    }

    /// The attackers, in the order of [`Placement::attackers`].
    pub(crate) fn attackers(&self) -> &[Piece] {
        &self.pieces
    }

    /// Number of a placement if its guards stand for themselves.
    #[inline]
    fn plain(&self, weak: u32, strong: GuardKey, attackers: &[Square; MAX_ATTACKERS]) -> u32 {
        let mut index = weak * self.strong_guards.len() as u32 + strong.number();
        for group in &self.groups {
            index = index * group.combinations + group.rank(&attackers[group.slots()]);
        }
        index
    }

    /// Number of a placement of this class.
    #[inline]
    pub(crate) fn index(&self, placement: &Placement) -> Indexed {
        let [strong, weak] = placement.guards;
        let fold = weak.fold();
        if !fold.is_mirrored && !fold.is_symmetric {
            let index = self.plain(fold.number, strong, &placement.attackers);
            return Indexed { index, is_symmetric: false, is_plain: true };
        }
        let mirror = self.plain(fold.number, strong.mirrored(), &placement.attackers.map(Square::mirror_file));
        if fold.is_mirrored {
            return Indexed { index: mirror, is_symmetric: false, is_plain: false };
        }
        let plain = self.plain(fold.number, strong, &placement.attackers);
        Indexed { index: plain.min(mirror), is_symmetric: plain == mirror, is_plain: plain <= mirror }
    }

    /// The placement with this number, whether or not the number is used.
    #[inline]
    pub(crate) fn placement(&self, mut index: u32) -> Placement {
        let mut attackers = [Square::at(0); MAX_ATTACKERS];
        for group in self.groups.iter().rev() {
            let rank = index % group.combinations;
            index /= group.combinations;
            group.unrank(rank, &mut attackers[group.slots()]);
        }
        let strong_guards = self.strong_guards.len() as u32;
        let strong = self.strong_guards[(index % strong_guards) as usize];
        let weak = self.weak_guards[(index / strong_guards) as usize];
        Placement { guards: [strong, weak], attackers }
    }

    /// Where the pieces of a board of this class stand, `strong` being the colour of the strong side; `None` if one
    /// stands where it can never come to in a game.
    #[inline]
    pub(crate) fn placement_of(&self, board: &Board, strong: Color) -> Option<Placement> {
        let mut guards = [GuardKey::default(); Color::NUM];
        let mut attackers = [Square::at(0); MAX_ATTACKERS];
        let mut filled = 0;
        for color in Color::ALL {
            let side = if strong == Color::Red { color } else { !color };
            let turned = |square: Square| if strong == Color::Red { square } else { square.rotate() };
            let key = &mut guards[color.index()];
            *key = key.with(PieceType::King, color, turned(board.king(side)))?;
            for kind in [PieceType::Advisor, PieceType::Elephant] {
                for square in board.pieces(side, kind) {
                    *key = key.with(kind, color, turned(square))?;
                }
            }
            for group in self.groups.iter().filter(|group| group.color == color) {
                for square in board.pieces(side, group.kind) {
                    let square = turned(square);
                    if group.points[square.index()] == u8::MAX {
                        return None;
                    }
                    *attackers.get_mut(filled)? = square;
                    filled += 1;
                }
            }
        }
        Some(Placement { guards, attackers })
    }

    /// The pieces of a placement with their squares.
    pub(crate) fn pieces<'a>(&'a self, placement: &'a Placement) -> impl Iterator<Item = (Piece, Square)> + 'a {
        let guards = Color::ALL.into_iter().flat_map(|color| {
            let key = placement.guards[color.index()];
            let of = move |kind| move |square| (Piece::new(color, kind), square);
            std::iter::once(of(PieceType::King)(key.king(color)))
                .chain(key.advisors(color).into_iter().map(of(PieceType::Advisor)))
                .chain(key.elephants(color).into_iter().map(of(PieceType::Elephant)))
        });
        guards.chain(self.pieces.iter().copied().zip(placement.attackers))
    }

    /// The board of a placement, strong side Red; `None` if pieces share a square or the other king could be taken.
    pub(crate) fn board(&self, placement: &Placement, side: Color) -> Option<Board> {
        let mut seen = Bitboard::EMPTY;
        for (_, square) in self.pieces(placement) {
            if seen.contains(square) {
                return None;
            }
            seen = seen.with(square);
        }
        Board::from_pieces(self.pieces(placement), side, 0, 1).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mirrored(placement: &Placement) -> Placement {
        Placement {
            guards: placement.guards.map(GuardKey::mirrored),
            attackers: placement.attackers.map(Square::mirror_file),
        }
    }

    fn layout(class: &str) -> Layout {
        Layout::new(class.parse().unwrap()).unwrap()
    }

    #[test]
    fn sizes_are_products_of_placements_and_combinations() {
        for (class, size) in [
            ("RvAABB", 578_340),
            ("RvN", 437_400),
            ("RvPP", 7_217_100),
            ("NPvBB", 4_276_800),
            ("NPvAA", 1_692_900),
            ("PPvAB", 1_844_370),
            ("PPvAA", 507_870),
            ("NNvBB", 3_460_320),
            ("CAvAA", 136_800),
            ("CAvAABB", 2_570_400),
        ] {
            assert_eq!(layout(class).size(), size, "{class}");
        }
    }

    #[test]
    fn classes_beyond_the_bound_are_rejected() {
        for class in ["RRNNCCPPPPPvRRNNCCPPPPP", "RCAABBvRAABB", "PPPPPvPPPP"] {
            let class: Class = class.parse().unwrap();
            assert_eq!(Layout::new(class).err(), Some(ClassTooBig(class)));
        }
    }

    #[test]
    fn numbers_and_placements_correspond() {
        for class in ["RvN", "PvA", "NNvA", "PPPvB", "RvP", "CAvAA"] {
            let layout = layout(class);
            for index in (0..layout.size()).step_by(7) {
                let placement = layout.placement(index);
                let indexed = layout.index(&placement);
                let mirror = mirrored(&placement);
                let mirrored = layout.index(&mirror);
                assert_eq!((mirrored.index, mirrored.is_symmetric), (indexed.index, indexed.is_symmetric));
                assert_eq!(mirrored.is_plain && indexed.is_plain, indexed.is_symmetric);
                // The number itself, or the lower one of its mirror image if the weak side is symmetric.
                assert!(indexed.index <= index, "{class} {index}");
                if indexed.index != index {
                    assert!(placement.guards[1].fold().is_symmetric);
                    assert!(!indexed.is_plain && layout.index(&layout.placement(indexed.index)).is_plain);
                }
            }
        }
    }

    #[test]
    fn a_board_and_its_images_have_one_number() {
        let layout = layout("RPvAAN");
        let board = Board::from_fen("3ak4/4a4/4n4/9/2P6/9/9/9/9/R3K4 w").unwrap();
        let number = |board: &Board, strong| layout.index(&layout.placement_of(board, strong).unwrap()).index;
        let expected = number(&board, Color::Red);
        assert_eq!(number(&board.mirror_files(), Color::Red), expected);
        assert_eq!(number(&board.swap_colors(), Color::Black), expected);
        assert_eq!(number(&board.swap_colors().mirror_files(), Color::Black), expected);
        let placement = layout.placement(expected);
        let again = layout.board(&placement, Color::Red).unwrap();
        assert!(again == board || again == board.mirror_files());
    }
}
