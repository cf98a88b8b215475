//! The characters on the pieces and in the river, as strokes of our own: a machine without Chinese fonts shows the same
//! board as any other, and a picture needs nothing but itself.
//!
//! A glyph is the data of an SVG path in a square of 100 × 100, y downwards, to be stroked with round ends.

use chuhe_movegen::{Color, Piece, PieceType};

use super::Script;

/// The strokes of the character on a piece.
pub(crate) const fn of_piece(piece: Piece, script: Script) -> &'static str {
    let traditional = matches!(script, Script::Traditional);
    match (piece.kind, piece.color) {
        (PieceType::King, Color::Red) if traditional => KING_RED_TRADITIONAL,
        (PieceType::King, Color::Red) => KING_RED,
        (PieceType::King, Color::Black) if traditional => KING_BLACK_TRADITIONAL,
        (PieceType::King, Color::Black) => KING_BLACK,
        (PieceType::Advisor, Color::Red) => ADVISOR_RED,
        (PieceType::Advisor, Color::Black) => ADVISOR_BLACK,
        (PieceType::Elephant, Color::Red) => ELEPHANT_RED,
        (PieceType::Elephant, Color::Black) => ELEPHANT_BLACK,
        (PieceType::Horse, _) if traditional => HORSE_TRADITIONAL,
        (PieceType::Horse, _) => HORSE,
        (PieceType::Rook, _) if traditional => ROOK_TRADITIONAL,
        (PieceType::Rook, _) => ROOK,
        (PieceType::Cannon, Color::Black) if traditional => CANNON_BLACK_TRADITIONAL,
        (PieceType::Cannon, _) => CANNON,
        (PieceType::Pawn, Color::Red) => PAWN_RED,
        (PieceType::Pawn, Color::Black) => PAWN_BLACK,
    }
}

/// 楚河, in Black's half of the river on old boards: the first two characters.
pub(crate) const RIVER: [&str; 2] = [CHU, HE];

/// 漢界 or 汉界: the other two.
pub(crate) const fn border(script: Script) -> [&'static str; 2] {
    [if matches!(script, Script::Traditional) { HAN_TRADITIONAL } else { HAN }, JIE]
}

/// 帅
const KING_RED: &str = "M13 26V58M32 8V46Q32 76 11 92M48 30V76M48 30H90V68Q90 77 80 75M69 8V95";
/// 帥
const KING_RED_TRADITIONAL: &str =
    "M28 5L22 18M13 19V90M13 19H38V46H13M13 60H42V87H13M55 30V76M55 30H93V68Q93 77 84 75M74 8V95";
/// 仕
const ADVISOR_RED: &str = "M34 7Q26 34 7 54M24 38V94M42 37H96M69 8V87M48 87H91";
/// 相
const ELEPHANT_RED: &str =
    "M6 30H48M28 7V95M28 32Q21 56 5 72M30 42L46 60M59 13V92M59 13H92V92M59 37H92M59 61H92M59 85H92";
/// 马
const HORSE: &str = "M18 14H73L69 47M33 28L28 48H87Q86 74 81 86Q77 94 63 89M7 69H65";
/// 馬
const HORSE_TRADITIONAL: &str = "M24 9V58M24 9H82M24 25H78M24 41H78M52 9V58M24 58H87Q87 80 83 88Q79 95 68 91\
    M15 70Q14 84 7 93M31 72L35 88M48 71L53 85M64 69L71 81";
/// 车
const ROOK: &str = "M14 21H86M46 6Q37 31 23 47H84M7 69H93M54 33V96";
/// 車
const ROOK_TRADITIONAL: &str = "M12 17H88M22 32V66M22 32H78V66M22 49H78M22 66H78M6 81H94M50 5V96";
/// 炮
const CANNON: &str = "M11 32Q12 46 6 55M45 28Q43 39 36 46M26 8V44Q26 74 5 93M28 60Q34 73 43 82\
    M62 6Q56 27 45 39M57 23H93Q93 56 89 64Q86 69 76 66M55 42H76V61H55M55 42V81Q55 90 64 90H88Q95 90 95 77";
/// 砲
const CANNON_BLACK_TRADITIONAL: &str = "M5 14H43M22 14Q18 44 4 62M15 48V88M15 48H38V83H15\
    M62 6Q56 27 46 39M57 23H93Q93 56 89 64Q86 69 76 66M55 42H76V61H55M55 42V81Q55 90 64 90H88Q95 90 95 77";
/// 兵
const PAWN_RED: &str = "M72 6Q54 15 26 17M26 17V67M26 40H82M62 40V67M5 67H95M36 77Q28 88 11 95M63 77Q76 84 89 95";
/// 将
const KING_BLACK: &str = "M9 22L18 37M29 7V95M7 70L29 55M61 5Q55 20 42 31M57 15H87Q80 42 42 53M52 31L61 41M70 24L76 33\
    M38 63H95M78 51V84Q78 93 69 93L63 90M50 73L59 84";
/// 將
const KING_BLACK_TRADITIONAL: &str = "M30 7V95M12 12V44H30M6 62H30M15 62Q15 82 6 93\
    M61 5Q55 20 42 31M57 15H87Q80 42 42 53M52 31L61 41M70 24L76 33M40 63H95M78 51V84Q78 93 69 93L63 90M51 73L60 84";
/// 士
const ADVISOR_BLACK: &str = "M7 38H93M50 7V88M17 88H83";
/// 象
const ELEPHANT_BLACK: &str = "M40 3Q34 15 18 25M38 11H66L56 24M21 25V43M21 25H80V43M21 43H80M50 25Q50 50 13 62\
    M35 54Q57 60 57 82Q56 95 43 92M48 64Q35 77 11 80M55 74Q40 90 9 94M84 50Q76 59 62 63M59 59Q70 83 93 92";
/// 卒
const PAWN_BLACK: &str =
    "M50 4V18M11 19H89M32 24Q28 44 11 55M30 38L43 51M68 24Q64 44 48 55M66 38Q74 48 89 55M5 68H95M50 57V96";

/// 楚
const CHU: &str = "M7 19H46M27 4V48M26 20Q20 36 5 44M29 25L44 39M54 19H94M73 4V48M72 20Q66 34 54 42M74 20Q81 36 95 44\
    M16 56H84L75 66M50 56V91M51 74H79M29 67Q26 83 7 95M25 79Q36 93 60 93H95";
/// 河
const HE: &str = "M14 9L27 20M7 36L20 46M8 93Q19 77 27 59M36 16H96M84 16V83Q84 93 74 93L66 90M41 35V68M41 35H66V66H41";
/// 汉
const HAN: &str = "M14 9L27 20M7 36L20 46M8 93Q19 77 27 59M38 18H88Q79 66 34 93M44 36Q60 78 96 93";
/// 漢
const HAN_TRADITIONAL: &str = "M14 9L27 20M7 36L20 46M8 93Q19 77 27 59M33 18H96M50 7V30M79 7V30M42 36H87V54H42ZM64 30V66\
    M40 66H90M33 78H96M64 66Q60 86 33 95M67 79Q76 90 95 95";
/// 界
const JIE: &str =
    "M22 7V49M22 7H78V49M22 28H78M22 49H78M50 7V49M46 49Q36 64 7 72M54 49Q66 64 93 72M38 66V74Q38 88 20 95M65 66V95";

/// 一 to 九, the numbers of the files on Red's side.
pub(crate) const NUMERALS: [&str; 9] = [
    "M8 50H92",
    "M18 26H82M6 78H94",
    "M14 16H86M22 48H78M6 84H94",
    "M10 20V88M10 20H90V88M10 80H90M39 20Q39 46 22 58M60 20V48Q60 57 69 57H88",
    "M12 14H88M46 14L34 86M18 47H74V86M6 86H94",
    "M50 6V22M8 32H92M34 48Q28 72 10 93M64 48Q80 68 90 91",
    "M6 52L94 34M44 8V78Q44 90 56 90H84Q93 90 93 74",
    "M38 20Q34 66 6 91M58 14Q66 68 94 91",
    "M42 6Q42 68 8 94M10 32H70V80Q70 90 78 90H86Q94 90 94 74",
];
