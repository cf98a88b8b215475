//! The hand-written weights from which tuning starts.
//!
//! Written down as a player would explain them; the tables give the middlegame, the endgame follows by a rule for each
//! kind. Ranks and files are those of the owner of the piece: rank 0 is the own back rank, and the five columns are
//! files a to e, the other four being their mirror images. Points on which a piece cannot stand hold 0.

use chuhe_eval::layout::{self, FILE_LINE, FOLDED_FILES, RANK_LINE};
use chuhe_movegen::attacks::horse_attacks;
use chuhe_movegen::{Bitboard, PieceType, RANKS, Square};

use crate::hce::source::Weights;

/// One row a rank, from the own back rank on.
type Table = [[i16; FOLDED_FILES]; RANKS];

/// A king is safest at home and on the central file, behind its guards.
const KING: Table = {
    let mut table = [[0; FOLDED_FILES]; RANKS];
    table[0] = [0, 0, 0, -8, 0];
    table[1] = [0, 0, 0, -30, -24];
    table[2] = [0, 0, 0, -52, -46];
    table
};

/// The advisor of the centre holds the pair together; the high ones are exposed.
const ADVISOR: Table = {
    let mut table = [[0; FOLDED_FILES]; RANKS];
    table[0] = [0, 0, 0, 120, 0];
    table[1] = [0, 0, 0, 0, 128];
    table[2] = [0, 0, 0, 108, 0];
    table
};

/// The central elephant guards its twin; at the edge it is clumsy (边象), by the river soon lost.
const ELEPHANT: Table = {
    let mut table = [[0; FOLDED_FILES]; RANKS];
    table[0] = [0, 0, 118, 0, 0];
    table[2] = [100, 0, 0, 0, 130];
    table[4] = [0, 0, 112, 0, 0];
    table
};

/// A horse belongs in the centre and across the river. At home it is blocked; on e1 it smothers its own king
/// (窝心马). The points of attack: c8 (卧槽马), d7 (挂角马), c7 (钓鱼马).
const HORSE: Table = [
    [402, 418, 424, 416, 412],
    [412, 426, 430, 430, 390],
    [420, 434, 450, 436, 440],
    [428, 444, 448, 452, 450],
    [432, 450, 458, 460, 458],
    [434, 454, 462, 466, 466],
    [438, 458, 466, 470, 468],
    [438, 460, 478, 474, 456],
    [430, 452, 480, 448, 434],
    [414, 426, 434, 434, 420],
];

/// A rook wants open lines: the files beside the centre (肋道), the two river ranks (巡河, 骑河), the pawn rank and the
/// rank below the enemy palace's middle. In its corner it has not entered the game.
#[rustfmt::skip]
const ROOK: Table = [
    [ 972,  996, 1004, 1012, 1000],
    [ 990, 1004, 1000, 1014, 1000],
    [ 988, 1006, 1005, 1014, 1006],
    [ 992, 1008, 1006, 1016, 1010],
    [1006, 1016, 1010, 1020, 1016],
    [1008, 1018, 1014, 1024, 1020],
    [1010, 1020, 1018, 1028, 1028],
    [1006, 1014, 1014, 1026, 1028],
    [1010, 1018, 1016, 1030, 1034],
    [1004, 1010, 1010, 1020, 1016],
];

/// A cannon needs screens and distance: the central file (中炮), its own half, and the enemy's bottom rank towards the
/// edge (沉底炮); next to the enemy palace it is in the way.
const CANNON: Table = [
    [480, 485, 485, 490, 494],
    [480, 483, 488, 488, 486],
    [482, 484, 486, 488, 502],
    [482, 484, 486, 486, 494],
    [482, 485, 485, 488, 497],
    [480, 482, 484, 486, 492],
    [482, 485, 485, 484, 490],
    [486, 488, 486, 475, 472],
    [489, 495, 488, 470, 465],
    [505, 505, 495, 472, 465],
];

/// A pawn doubles on crossing the river, is best on the two ranks around the palace's upper edge, and is old on the
/// last rank (老兵). On its own side it can stand on five files only.
#[rustfmt::skip]
const PAWN: Table = [
    [  0,   0,   0,   0,   0],
    [  0,   0,   0,   0,   0],
    [  0,   0,   0,   0,   0],
    [ 62,   0,  72,   0,  85],
    [ 66,   0,  80,   0,  95],
    [125, 138, 150, 158, 162],
    [142, 160, 172, 184, 188],
    [146, 172, 190, 214, 216],
    [130, 168, 192, 222, 226],
    [ 62,  82, 100, 118, 118],
];

/// Rook mobility.
const ROOK_MOBILITY: [i16; 18] = [-110, -70, -48, -34, -22, -13, -6, 0, 5, 9, 12, 15, 17, 19, 21, 22, 23, 24];
/// Horse mobility.
const HORSE_MOBILITY: [i16; 9] = [-90, -45, -18, -3, 6, 12, 17, 21, 24];
/// Cannon mobility.
const CANNON_MOBILITY: [i16; 18] = [-70, -45, -30, -20, -13, -8, -5, -2, 0, 2, 4, 6, 8, 10, 11, 12, 13, 14];

/// Hollow cannon on a file by empty points between: from afar it cannot be dislodged.
const HOLLOW_ON_FILE: [i16; 9] = [0, 55, 75, 90, 102, 112, 120, 120, 120];

/// The weights as written here.
pub fn weights() -> Weights {
    let mut weights = vec![[0; 2]; layout::COUNT];
    for (kind, table) in PieceType::ALL.into_iter().zip([KING, ADVISOR, ELEPHANT, HORSE, ROOK, CANNON, PAWN]) {
        for square in Square::all() {
            let mg = table[usize::from(square.rank())][usize::from(square.file().min(8 - square.file()))];
            weights[layout::base(kind, square)] = [mg, endgame(kind, square, mg)];
            for king in own_view_of_enemy_palace() {
                let [mg, eg] = aim(kind, square, king);
                weights[layout::enemy_king(king, kind, square)] = [mg, eg];
            }
        }
    }
    for (count, mg) in ROOK_MOBILITY.into_iter().enumerate() {
        weights[layout::ROOK_MOBILITY + count] = [mg, mg];
    }
    for (count, mg) in HORSE_MOBILITY.into_iter().enumerate() {
        weights[layout::HORSE_MOBILITY + count] = [mg, mg * 5 / 4];
    }
    for (count, mg) in CANNON_MOBILITY.into_iter().enumerate() {
        weights[layout::CANNON_MOBILITY + count] = [mg, mg];
    }
    for (points, mg) in HOLLOW_ON_FILE.into_iter().enumerate() {
        weights[layout::HOLLOW_CANNON + FILE_LINE * 9 + points] = [mg, mg / 2];
        weights[layout::HOLLOW_CANNON + RANK_LINE * 9 + points] = [mg / 3, mg / 4];
    }
    // Two enemy screens are pinned to each other; an own one may step away with check.
    for (own, mg) in [20, 18, 8].into_iter().enumerate() {
        weights[layout::SCREENED_CANNON + FILE_LINE * 3 + own] = [mg, mg / 2];
        weights[layout::SCREENED_CANNON + RANK_LINE * 3 + own] = [mg / 2, mg / 4];
    }
    for (attacker, kind) in layout::ATTACKERS.into_iter().enumerate() {
        for advisors in 0..=2 {
            for elephants in 0..=2 {
                weights[layout::guards(attacker, advisors, elephants)] =
                    guards(kind, 2 - advisors as usize, 2 - elephants as usize);
            }
        }
    }
    weights[layout::TEMPO] = [20, 12];
    weights
}

/// The endgame value of a piece with this middlegame value.
fn endgame(kind: PieceType, square: Square, mg: i16) -> i16 {
    if mg == 0 {
        return 0;
    }
    match kind {
        // With few attackers left an open king is in little danger, and on the central file it helps to win.
        PieceType::King => mg / 4 + if square.file() == 4 { 4 } else { 0 },
        PieceType::Advisor | PieceType::Elephant => mg + 6,
        // As legs come free, a horse gains on the cannon, which runs out of screens.
        PieceType::Horse => 470 + (mg - 440) * 2 / 3,
        PieceType::Rook => 1040 + (mg - 1000) / 2,
        PieceType::Cannon => 450 + (mg - 480) / 2,
        PieceType::Pawn => match square.rank() {
            3 | 4 => mg + 22,
            5 | 6 => mg + 24,
            7 => mg + 12,
            8 => mg - 14,
            _ => mg - 12,
        },
    }
}

/// Places of the enemy king, seen by the side that attacks it.
fn own_view_of_enemy_palace() -> impl Iterator<Item = Square> {
    chuhe_movegen::attacks::PALACES.into_iter().filter(|king| king.rank() >= 7)
}

/// What aiming at the enemy king is worth, other pieces aside. Zero for points out of reach of it, so that the mean of
/// the table is left to the base values.
fn aim(kind: PieceType, square: Square, king: Square) -> [i16; 2] {
    let files = i16::from(square.file().abs_diff(king.file()));
    let ranks = i16::from(square.rank().abs_diff(king.rank()));
    match kind {
        PieceType::Rook if files == 0 => [14, 8],
        PieceType::Rook if files == 1 => [8, 4],
        PieceType::Rook if ranks == 0 => [6, 4],
        PieceType::Cannon if files == 0 => [10, 5],
        PieceType::Cannon if ranks == 0 => [8, 4],
        // A horse whose jump reaches the king or the points beside it.
        PieceType::Horse => {
            let jumps = horse_attacks(square, Bitboard::EMPTY);
            let beside = chuhe_movegen::attacks::king_attacks(king);
            let near = (jumps & beside).count() as i16;
            if jumps.contains(king) { [16, 10] } else { [5 * near, 4 * near] }
        }
        PieceType::Pawn if square.rank() >= 5 => {
            let distance = files + ranks;
            let value = (24 - 6 * distance).max(0);
            [value, value]
        }
        _ => [0, 0],
    }
}

/// What the guards lost cost for one enemy attacker. Advisors are missed against rooks (缺士怕车), elephants against
/// cannons (缺象怕炮); a cannon finds fewer screens where advisors are gone.
fn guards(attacker: PieceType, advisors_lost: usize, elephants_lost: usize) -> [i16; 2] {
    let (advisors, elephants): ([i16; 3], [i16; 3]) = match attacker {
        PieceType::Rook => ([0, -14, -34], [0, -4, -10]),
        PieceType::Horse => ([0, -9, -20], [0, -6, -12]),
        _ => ([0, -2, 6], [0, -13, -28]),
    };
    let mg = advisors[advisors_lost] + elephants[elephants_lost];
    [mg, mg * 2 / 3]
}
