//! Attack sets of every kind of piece.
//!
//! Rooks and cannons use *line tables*: the occupancy of the rank (a shift) and of the file (one multiplication that
//! gathers every ninth bit) index tables of a few KiB that hold the rook set and the cannon set of the line side by
//! side. Horses and elephants index small tables by the occupancy of their four legs or eyes; since a horse's leg
//! stands beside the horse and not beside its target, "who attacks this square" has a table of its own.

use crate::{Bitboard, Color, FILES, PieceType, RANKS, SQUARES, Square};

const EVERY_NINTH: u64 = 0x8040_2010_0804_0201;
const EVERY_EIGHTH: u64 = 0x0101_0101_0101_0101;

/// Rook set in the low 16 bits, cannon set in the high 16, of a piece at `position` on a line of `length` points.
const fn line_entry(length: usize, position: usize, occupied: u32) -> u32 {
    let mut rook = 0u32;
    let mut cannon = 0u32;
    let mut direction = 0;
    while direction < 2 {
        let mut at = position as i32;
        let mut screens = 0;
        loop {
            at += if direction == 0 { 1 } else { -1 };
            if at < 0 || at >= length as i32 {
                break;
            }
            if screens == 0 {
                rook |= 1 << at;
            } else {
                cannon |= 1 << at;
            }
            if occupied & 1 << at != 0 {
                screens += 1;
                if screens == 2 {
                    break;
                }
            }
        }
        direction += 1;
    }
    rook | cannon << 16
}

/// Line sets within a rank, by file and the occupancy of files 1–7.
static RANK_LINES: [[u32; 128]; FILES] = {
    let mut table = [[0; 128]; FILES];
    let mut file = 0;
    while file < FILES {
        let mut inner = 0;
        while inner < 128 {
            table[file][inner] = line_entry(FILES, file, (inner as u32) << 1);
            inner += 1;
        }
        file += 1;
    }
    table
};

/// Line sets within a file, by rank and the occupancy of ranks 1–8.
static FILE_LINES: [[u32; 256]; RANKS] = {
    let mut table = [[0; 256]; RANKS];
    let mut rank = 0;
    while rank < RANKS {
        let mut inner = 0;
        while inner < 256 {
            table[rank][inner] = line_entry(RANKS, rank, (inner as u32) << 1);
            inner += 1;
        }
        rank += 1;
    }
    table
};

/// The rook and cannon sets of one square under one occupancy.
#[derive(Clone, Copy)]
struct Lines {
    rank: u32,
    file: u32,
}

#[inline]
fn lines(square: Square, occupied: Bitboard) -> Lines {
    let bits = occupied.bits();
    let (file, rank) = (square.file() as usize, square.rank() as usize);
    let rank_inner = (bits >> (rank * FILES + 1)) as usize & 127;
    let column = (bits >> (file + FILES)) as u64 & EVERY_NINTH;
    let file_inner = (column.wrapping_mul(EVERY_EIGHTH) >> 56) as usize;
    Lines { rank: RANK_LINES[file][rank_inner], file: FILE_LINES[rank][file_inner] }
}

/// Puts a rank set (9 bits) and a file set (10 bits) back on the board.
#[inline]
fn on_board(square: Square, rank_set: u32, file_set: u32) -> Bitboard {
    let (file, rank) = (square.file() as usize, square.rank() as usize);
    let inner = u64::from((file_set >> 1) as u8).wrapping_mul(EVERY_EIGHTH) & EVERY_NINTH;
    let column = u128::from(inner) << FILES
        | u128::from(file_set & 1)
        | u128::from(file_set >> (RANKS - 1) & 1) << (FILES * (RANKS - 1));
    Bitboard::from_bits(column << file | u128::from(rank_set) << (rank * FILES))
}

/// Squares a rook reaches or captures on: along the lines up to and including the first piece.
#[inline]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let lines = lines(square, occupied);
    on_board(square, lines.rank & 0xffff, lines.file & 0xffff)
}

/// Squares on which a cannon could capture: beyond exactly one screen, up to and including the next piece.
#[inline]
pub fn cannon_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let lines = lines(square, occupied);
    on_board(square, lines.rank >> 16, lines.file >> 16)
}

/// [`rook_attacks`] and [`cannon_attacks`] from one look-up.
#[inline]
pub fn rook_and_cannon_attacks(square: Square, occupied: Bitboard) -> (Bitboard, Bitboard) {
    let lines = lines(square, occupied);
    (on_board(square, lines.rank & 0xffff, lines.file & 0xffff), on_board(square, lines.rank >> 16, lines.file >> 16))
}

/// The square `df` files and `dr` ranks away, as a set (empty off the board).
const fn offset(square: usize, df: i32, dr: i32) -> u128 {
    let file = (square % FILES) as i32 + df;
    let rank = (square / FILES) as i32 + dr;
    if file < 0 || rank < 0 || file >= FILES as i32 || rank >= RANKS as i32 {
        0
    } else {
        1 << (rank * FILES as i32 + file)
    }
}

/// Both palaces.
pub const PALACES: Bitboard = {
    let mut bits = 0u128;
    let mut file = 3;
    while file <= 5 {
        let mut rank = 0;
        while rank <= 2 {
            bits |= 1 << (rank * FILES + file) | 1 << ((RANKS - 1 - rank) * FILES + file);
            rank += 1;
        }
        file += 1;
    }
    Bitboard::from_bits(bits)
};

/// The five points of each palace on which advisors stand.
pub const ADVISOR_POINTS: Bitboard = points(&[3, 5, 13, 21, 23]);
/// The seven points of each side on which elephants stand.
pub const ELEPHANT_POINTS: Bitboard = points(&[2, 6, 18, 22, 26, 38, 42]);

/// These points of Red's side and their images on Black's.
const fn points(red: &[usize]) -> Bitboard {
    let mut bits = 0u128;
    let mut i = 0;
    while i < red.len() {
        bits |= 1 << red[i] | 1 << (SQUARES - 1 - red[i]);
        i += 1;
    }
    Bitboard::from_bits(bits)
}

/// Points on which a pawn of `color` can stand: from its starting rank on, on its own side only on its five files.
pub const fn pawn_points(color: Color) -> Bitboard {
    // Files a, c, e, g, i of ranks 3 and 4.
    let own = 0b1_0101_0101u128 << (3 * FILES) | 0b1_0101_0101u128 << (4 * FILES);
    match color {
        Color::Red => Bitboard::from_bits(own | Bitboard::home(Color::Black).bits()),
        Color::Black => {
            let mirrored = 0b1_0101_0101u128 << (6 * FILES) | 0b1_0101_0101u128 << (5 * FILES);
            Bitboard::from_bits(mirrored | Bitboard::home(Color::Red).bits())
        }
    }
}

/// Steps between points of `zone`; none from outside it, so that the table also tells who attacks a square.
const fn steps_within(from: usize, steps: u128, zone: Bitboard) -> u128 {
    if zone.contains(Square::at(from)) { steps & zone.bits() } else { 0 }
}

static KING: [Bitboard; SQUARES] = {
    let mut table = [Bitboard::EMPTY; SQUARES];
    let mut s = 0;
    while s < SQUARES {
        let steps = offset(s, 1, 0) | offset(s, -1, 0) | offset(s, 0, 1) | offset(s, 0, -1);
        table[s] = Bitboard::from_bits(steps_within(s, steps, PALACES));
        s += 1;
    }
    table
};

static ADVISOR: [Bitboard; SQUARES] = {
    let mut table = [Bitboard::EMPTY; SQUARES];
    let mut s = 0;
    while s < SQUARES {
        let steps = offset(s, 1, 1) | offset(s, -1, 1) | offset(s, 1, -1) | offset(s, -1, -1);
        table[s] = Bitboard::from_bits(steps_within(s, steps, PALACES));
        s += 1;
    }
    table
};

/// The four diagonal neighbours in the order of [`diagonal_index`].
const DIAGONALS: [(i32, i32); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];
/// The four orthogonal neighbours in the order of [`orthogonal_index`].
const ORTHOGONALS: [(i32, i32); 4] = [(0, -1), (-1, 0), (1, 0), (0, 1)];

/// Occupancy of the diagonal neighbours as four bits (neighbours off the board give arbitrary bits).
#[inline]
fn diagonal_index(square: Square, occupied: Bitboard) -> usize {
    let x = ((occupied.bits() << 10) >> square.index()) as u32;
    (x & 1 | x >> 1 & 2 | x >> 16 & 4 | x >> 17 & 8) as usize
}

/// Occupancy of the orthogonal neighbours as four bits (neighbours off the board give arbitrary bits).
#[inline]
fn orthogonal_index(square: Square, occupied: Bitboard) -> usize {
    let x = ((occupied.bits() << 9) >> square.index()) as u32;
    (x & 1 | x >> 7 & 2 | x >> 8 & 4 | x >> 15 & 8) as usize
}

/// Combines what a piece reaches in each of four directions, given the directions that are blocked.
const fn by_blocked_directions(reach: [[u128; 4]; SQUARES]) -> [[Bitboard; 16]; SQUARES] {
    let mut table = [[Bitboard::EMPTY; 16]; SQUARES];
    let mut s = 0;
    while s < SQUARES {
        let mut blocked = 0;
        while blocked < 16 {
            let mut bits = 0;
            let mut d = 0;
            while d < 4 {
                if blocked & (1 << d) == 0 {
                    bits |= reach[s][d];
                }
                d += 1;
            }
            table[s][blocked] = Bitboard::from_bits(bits);
            blocked += 1;
        }
        s += 1;
    }
    table
}

/// The pieces whose moves have legs or eyes.
enum Leaper {
    /// Elephant, blocked by its diagonal neighbours.
    Elephant,
    /// Horse, blocked by its orthogonal neighbours.
    Horse,
    /// The squares from which a horse comes, blocked by the diagonal neighbours of its target, on which its leg stands.
    HorseTo,
}

/// What a leaper reaches from each square in each direction.
const fn reach(leaper: Leaper) -> [[u128; 4]; SQUARES] {
    let mut reach = [[0; 4]; SQUARES];
    let mut s = 0;
    while s < SQUARES {
        let home = Bitboard::home(if s < SQUARES / 2 { Color::Red } else { Color::Black });
        let mut d = 0;
        while d < 4 {
            reach[s][d] = match leaper {
                Leaper::Elephant => {
                    let (df, dr) = DIAGONALS[d];
                    offset(s, 2 * df, 2 * dr) & home.bits()
                }
                Leaper::Horse => {
                    // Two steps along the leg's direction, one to either side.
                    let (df, dr) = ORTHOGONALS[d];
                    offset(s, 2 * df + dr, 2 * dr + df) | offset(s, 2 * df - dr, 2 * dr - df)
                }
                Leaper::HorseTo => {
                    let (df, dr) = DIAGONALS[d];
                    if offset(s, df, dr) == 0 { 0 } else { offset(s, 2 * df, dr) | offset(s, df, 2 * dr) }
                }
            };
            d += 1;
        }
        s += 1;
    }
    reach
}

static ELEPHANT: [[Bitboard; 16]; SQUARES] = by_blocked_directions(reach(Leaper::Elephant));
static HORSE: [[Bitboard; 16]; SQUARES] = by_blocked_directions(reach(Leaper::Horse));
static HORSE_TO: [[Bitboard; 16]; SQUARES] = by_blocked_directions(reach(Leaper::HorseTo));

static PAWN: [[Bitboard; SQUARES]; 2] = {
    let mut table = [[Bitboard::EMPTY; SQUARES]; 2];
    let mut s = 0;
    while s < SQUARES {
        let sides = offset(s, 1, 0) | offset(s, -1, 0);
        let crossed = s >= SQUARES / 2;
        table[0][s] = Bitboard::from_bits(offset(s, 0, 1) | if crossed { sides } else { 0 });
        table[1][s] = Bitboard::from_bits(offset(s, 0, -1) | if crossed { 0 } else { sides });
        s += 1;
    }
    table
};

static PAWN_TO: [[Bitboard; SQUARES]; 2] = {
    let mut table = [[Bitboard::EMPTY; SQUARES]; 2];
    let mut s = 0;
    while s < SQUARES {
        let sides = offset(s, 1, 0) | offset(s, -1, 0);
        let upper = s >= SQUARES / 2;
        table[0][s] = Bitboard::from_bits(offset(s, 0, -1) | if upper { sides } else { 0 });
        table[1][s] = Bitboard::from_bits(offset(s, 0, 1) | if upper { 0 } else { sides });
        s += 1;
    }
    table
};

/// Squares strictly between two squares of one line; empty when they share none.
static BETWEEN: [[Bitboard; SQUARES]; SQUARES] = {
    let mut table = [[Bitboard::EMPTY; SQUARES]; SQUARES];
    let mut s = 0;
    while s < SQUARES {
        let mut d = 0;
        while d < 4 {
            let (df, dr) = ORTHOGONALS[d];
            let mut bits = 0;
            let mut step = 1;
            loop {
                let next = offset(s, df * step, dr * step);
                if next == 0 {
                    break;
                }
                table[s][next.trailing_zeros() as usize] = Bitboard::from_bits(bits);
                bits |= next;
                step += 1;
            }
            d += 1;
        }
        s += 1;
    }
    table
};

/// Steps of a king within its palace (the capture along an open file is not among them).
#[inline]
pub fn king_attacks(square: Square) -> Bitboard {
    KING[square.index()]
}

/// Steps of an advisor.
#[inline]
pub fn advisor_attacks(square: Square) -> Bitboard {
    ADVISOR[square.index()]
}

/// Steps of an elephant whose eyes are free; never across the river.
#[inline]
pub fn elephant_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    ELEPHANT[square.index()][diagonal_index(square, occupied)]
}

/// Jumps of a horse whose legs are free.
#[inline]
pub fn horse_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    HORSE[square.index()][orthogonal_index(square, occupied)]
}

/// Squares from which a horse attacks `square`.
#[inline]
pub fn horse_attackers(square: Square, occupied: Bitboard) -> Bitboard {
    HORSE_TO[square.index()][diagonal_index(square, occupied)]
}

/// Squares from which a horse would attack `square` if no leg were blocked.
#[inline]
pub fn horse_attackers_unblocked(square: Square) -> Bitboard {
    HORSE_TO[square.index()][0]
}

/// The leg square of a horse's jump from `from` to `to`; meaningful only for a horse's jump.
#[inline]
pub fn horse_leg(from: Square, to: Square) -> Square {
    let df = to.file() as i32 - from.file() as i32;
    let dr = to.rank() as i32 - from.rank() as i32;
    // The longer half of the jump tells the direction of the leg.
    Square::saturating((from.index() as i32 + df / 2 + dr / 2 * FILES as i32) as u8)
}

/// Squares a pawn of `color` attacks: one forward, across the river sideways too.
#[inline]
pub fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// Squares from which a pawn of `color` attacks `square`.
#[inline]
pub fn pawn_attackers(color: Color, square: Square) -> Bitboard {
    PAWN_TO[color.index()][square.index()]
}

/// Squares strictly between two squares of one rank or file; empty when they share neither.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The rank and file through a square, without the square itself.
#[inline]
pub fn cross(square: Square) -> Bitboard {
    static CROSS: [Bitboard; SQUARES] = {
        let mut table = [Bitboard::EMPTY; SQUARES];
        let mut s = 0;
        while s < SQUARES {
            let square = Square::at(s);
            let lines = Bitboard::file(square.file()).bits() | Bitboard::rank(square.rank()).bits();
            table[s] = Bitboard::from_bits(lines & !(1 << s));
            s += 1;
        }
        table
    };
    CROSS[square.index()]
}

/// Points on which a piece that comes or goes can open or close an attack on a king: its lines, and the diagonal
/// neighbours, where the legs of attacking horses stand.
#[inline]
pub(crate) fn king_zone(king: Square) -> Bitboard {
    static ZONE: [Bitboard; SQUARES] = {
        let mut table = [Bitboard::EMPTY; SQUARES];
        let mut s = 0;
        while s < SQUARES {
            let square = Square::at(s);
            let mut bits = Bitboard::file(square.file()).bits() | Bitboard::rank(square.rank()).bits();
            let mut d = 0;
            while d < 4 {
                bits |= offset(s, DIAGONALS[d].0, DIAGONALS[d].1);
                d += 1;
            }
            table[s] = Bitboard::from_bits(bits & !(1 << s));
            s += 1;
        }
        table
    };
    ZONE[king.index()]
}

/// Squares on which a piece of this kind and colour at `square` could capture.
pub fn attacks(kind: PieceType, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceType::King => king_attacks(square),
        PieceType::Advisor => advisor_attacks(square),
        PieceType::Elephant => elephant_attacks(square, occupied),
        PieceType::Horse => horse_attacks(square, occupied),
        PieceType::Rook => rook_attacks(square, occupied),
        PieceType::Cannon => cannon_attacks(square, occupied),
        PieceType::Pawn => pawn_attacks(color, square),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks the board step by step: the definition of the line pieces' attacks, kept apart from the tables.
    fn walk(square: Square, occupied: Bitboard) -> (Bitboard, Bitboard) {
        let (mut rook, mut cannon) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for (df, dr) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let (mut f, mut r, mut seen) = (square.file() as i32, square.rank() as i32, 0);
            loop {
                (f, r) = (f + df, r + dr);
                if !(0..9).contains(&f) || !(0..10).contains(&r) || seen == 2 {
                    break;
                }
                let at = Square::from_coords(f as u8, r as u8).unwrap();
                if seen == 0 {
                    rook = rook.with(at);
                } else {
                    cannon = cannon.with(at);
                }
                seen += u32::from(occupied.contains(at));
            }
        }
        (rook, cannon)
    }

    proptest::proptest! {
        #[test]
        fn line_tables_agree_with_walking(bits: u128, thin: u128, s in 0usize..90) {
            let (square, occupied) = (Square::at(s), Bitboard::from_bits(bits & thin));
            proptest::prop_assert_eq!(rook_and_cannon_attacks(square, occupied), walk(square, occupied));
            proptest::prop_assert_eq!(rook_attacks(square, occupied), walk(square, occupied).0);
            proptest::prop_assert_eq!(cannon_attacks(square, occupied), walk(square, occupied).1);
        }

        #[test]
        fn horse_attackers_are_the_horses_that_attack(bits: u128, s in 0usize..90) {
            let (target, occupied) = (Square::at(s), Bitboard::from_bits(bits));
            let expected: Bitboard = Square::all().filter(|&h| horse_attacks(h, occupied).contains(target)).collect();
            proptest::prop_assert_eq!(horse_attackers(target, occupied), expected);
        }
    }

    #[test]
    fn pieces_of_the_palace_stay_at_home() {
        assert_eq!(PALACES.count(), 18);
        assert_eq!(ADVISOR_POINTS.count(), 10);
        assert_eq!(ELEPHANT_POINTS.count(), 14);
        assert_eq!(pawn_points(Color::Red).count(), 55);
        assert_eq!(pawn_points(Color::Black).count(), 55);
        for square in ELEPHANT_POINTS {
            let home = if square.rank() < 5 { Bitboard::home(Color::Red) } else { Bitboard::home(Color::Black) };
            assert!((elephant_attacks(square, Bitboard::EMPTY) & !home).is_empty());
        }
    }

    #[test]
    fn the_leg_stands_beside_the_horse() {
        let horse = Square::at(40);
        for target in horse_attacks(horse, Bitboard::EMPTY) {
            let leg = horse_leg(horse, target);
            assert!(!horse_attacks(horse, Bitboard::square(leg)).contains(target));
            assert_eq!(leg.index().abs_diff(40) % 8, 1);
        }
    }
}
