//! Where each weight lives in the flat array [`crate::WEIGHTS`].
//!
//! | from | count | weights |
//! |---|---|---|
//! | [`BASE`] | 7 × 50 | value of a kind on a square, whatever the kings |
//! | [`OWN_KING`] | 7 × 420 | correction by the place of the king on the piece's own side |
//! | [`ENEMY_KING`] | 7 × 420 | correction by the place of the enemy king |
//! | [`ROOK_MOBILITY`] | 18 | rook that can go to this many squares |
//! | [`HORSE_MOBILITY`] | 9 | the same for horses |
//! | [`CANNON_MOBILITY`] | 18 | the same for cannons |
//! | [`HOLLOW_CANNON`] | 2 × 9 | cannon facing the king on a file or rank with this many empty points between |
//! | [`SCREENED_CANNON`] | 2 × 3 | cannon with two pieces before the king, of which this many are its own |
//! | [`GUARDS`] | 3 × 3 × 3 | for each enemy rook, horse or cannon: advisors and elephants left |
//! | [`TEMPO`] | 1 | having the move |
//!
//! Squares are seen from the side that owns the piece. Left–right symmetry is built into the indices: without a king in
//! sight, or with that king on the central file, a square and its mirror image share a weight (50 *folded* squares);
//! with the king beside the central file, all 90 squares differ, and the board is mirrored so that this king stands on
//! the left. That makes 3 × 90 + 3 × 50 = 420 weights for a kind and one king.

use chuhe_movegen::{Color, FILES, PieceType, RANKS, SQUARES, Square};

/// Files that differ after folding the board: a to e.
pub const FOLDED_FILES: usize = FILES.div_ceil(2);
/// Squares that differ after folding the board.
pub const FOLDED: usize = RANKS * FOLDED_FILES;
/// Ranks of a palace.
pub const PALACE_RANKS: usize = 3;
/// Weights of one kind for the places of one king: king on the left file for each rank, then on the central file.
pub const KING_TABLE: usize = PALACE_RANKS * (SQUARES + FOLDED);

/// Start of the values by kind and folded square.
pub const BASE: usize = 0;
/// Start of the corrections by own king, kind and square.
pub const OWN_KING: usize = BASE + PieceType::NUM * FOLDED;
/// Start of the corrections by enemy king, kind and square.
pub const ENEMY_KING: usize = OWN_KING + PieceType::NUM * KING_TABLE;
/// Start of rook mobility, by number of squares (0–17).
pub const ROOK_MOBILITY: usize = ENEMY_KING + PieceType::NUM * KING_TABLE;
/// Start of horse mobility, by number of squares (0–8).
pub const HORSE_MOBILITY: usize = ROOK_MOBILITY + 18;
/// Start of cannon mobility, by number of squares, quiet moves and captures together (0–17).
pub const CANNON_MOBILITY: usize = HORSE_MOBILITY + 9;
/// Start of the hollow cannons, by line ([`FILE_LINE`], [`RANK_LINE`]) and empty points between (0–8).
pub const HOLLOW_CANNON: usize = CANNON_MOBILITY + 18;
/// Start of the cannons with two screens, by line and number of own screens (0–2).
pub const SCREENED_CANNON: usize = HOLLOW_CANNON + 2 * 9;
/// Start of the guards, by attacking kind (see [`guards`]), advisors and elephants left.
pub const GUARDS: usize = SCREENED_CANNON + 2 * 3;
/// The tempo.
pub const TEMPO: usize = GUARDS + ATTACKERS.len() * 9;
/// Number of weights.
pub const COUNT: usize = TEMPO + 1;

/// First index of [`HOLLOW_CANNON`] and [`SCREENED_CANNON`]: cannon and king share a file.
pub const FILE_LINE: usize = 0;
/// First index of [`HOLLOW_CANNON`] and [`SCREENED_CANNON`]: cannon and king share a rank.
pub const RANK_LINE: usize = 1;

/// The kinds that guards are counted against, in the order of [`GUARDS`].
pub const ATTACKERS: [PieceType; 3] = [PieceType::Rook, PieceType::Horse, PieceType::Cannon];

/// A square as `color` sees it: its own back rank is rank 0.
#[inline]
pub(crate) const fn seen_by(color: Color, square: Square) -> Square {
    match color {
        Color::Red => square,
        Color::Black => square.rotate(),
    }
}

/// Index of a square among the folded ones: `rank * 5 + file`, files f–i counted as d–a.
#[inline]
pub const fn folded(square: Square) -> usize {
    let file = square.file() as usize;
    let mirrored = FILES - 1 - file;
    square.rank() as usize * FOLDED_FILES + if file < mirrored { file } else { mirrored }
}

/// Rank of a king within its palace, 0 (back rank) to 2, and its file: 0 left, 1 centre, 2 right.
pub(crate) const fn palace_point(king: Square) -> (usize, usize) {
    let rank = king.rank() as usize;
    let depth = if rank < RANKS / 2 { rank } else { RANKS - 1 - rank };
    let side = match king.file() {
        0..=3 => 0,
        4 => 1,
        _ => 2,
    };
    (if depth < PALACE_RANKS { depth } else { PALACE_RANKS - 1 }, side)
}

/// Index of (king, square) within a [`KING_TABLE`]; both seen by the side that owns the piece.
pub const fn king_table(king: Square, square: Square) -> usize {
    let (depth, side) = palace_point(king);
    match side {
        0 => depth * SQUARES + square.index(),
        1 => PALACE_RANKS * SQUARES + depth * FOLDED + folded(square),
        _ => depth * SQUARES + square.mirror_file().index(),
    }
}

/// Index of the base value of a kind on a square seen by its owner.
pub const fn base(kind: PieceType, square: Square) -> usize {
    BASE + kind.index() * FOLDED + folded(square)
}

/// Index of the correction by own king; king and square seen by the owner of the piece.
pub const fn own_king(king: Square, kind: PieceType, square: Square) -> usize {
    OWN_KING + kind.index() * KING_TABLE + king_table(king, square)
}

/// Index of the correction by enemy king; king and square seen by the owner of the piece.
pub const fn enemy_king(king: Square, kind: PieceType, square: Square) -> usize {
    ENEMY_KING + kind.index() * KING_TABLE + king_table(king, square)
}

/// Index of the guards against [`ATTACKERS`]`[attacker]` with so many advisors and elephants left; more than two
/// (only in composed placements) count as two.
#[inline]
pub const fn guards(attacker: usize, advisors: u32, elephants: u32) -> usize {
    let advisors = if advisors < 2 { advisors as usize } else { 2 };
    let elephants = if elephants < 2 { elephants as usize } else { 2 };
    GUARDS + attacker * 9 + advisors * 3 + elephants
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirrored_squares_share_their_weights() {
        for square in Square::all() {
            assert_eq!(folded(square), folded(square.mirror_file()));
            for king in chuhe_movegen::attacks::PALACES {
                assert_eq!(king_table(king, square), king_table(king.mirror_file(), square.mirror_file()));
                assert!(king_table(king, square) < KING_TABLE);
            }
        }
    }

    #[test]
    fn different_situations_have_different_weights() {
        let mut seen = vec![false; KING_TABLE];
        for king in chuhe_movegen::attacks::PALACES.into_iter().filter(|king| king.rank() < 3 && king.file() < 5) {
            for square in Square::all().filter(|square| king.file() < 4 || square.file() < 5) {
                assert!(!std::mem::replace(&mut seen[king_table(king, square)], true));
            }
        }
        assert!(seen.iter().all(|&seen| seen));
    }
}
