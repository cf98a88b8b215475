//! The files of CCBridge (象棋桥): CBR holds one game, CBL a library of them, CBF one game as XML.
//!
//! The layouts follow readers of other programs (vschess for version 1 of CBR, cchess for CBF); version 2 and CBF were
//! checked on real files.

pub(crate) mod cbf;
pub(crate) mod cbl;
pub(crate) mod cbr;

use chuhe_movegen::Square;

use crate::GameResult;

/// The square in a column from Red's left and a row from Black's side.
fn square(column: u8, row: u8) -> Option<Square> {
    Square::from_coords(column, 9_u8.checked_sub(row)?)
}

/// What the number for the result means in all three formats.
const fn result(number: u8) -> GameResult {
    match number {
        1 => GameResult::RedWins,
        2 => GameResult::BlackWins,
        3 | 4 => GameResult::Draw,
        _ => GameResult::Unknown,
    }
}
