//! The files of small programs and game servers: a line of moves and little else. Layouts as in `XQFTOOLS` of ElephantEye;
//! no files of these programs themselves were to be had.

pub(crate) mod ccm;
pub(crate) mod che;
pub(crate) mod chn;
pub(crate) mod mxq;

use chuhe_movegen::{Move, Square};

use crate::damage::{Damage, Flaw, Omitted};
use crate::draft::Draft;

/// Columns and rows of a move: from, then to.
type Points = [u16; 4];

/// The move from column and row to column and row, rows from Red's side.
fn mv([from_column, from_row, to_column, to_row]: Points) -> Option<Move> {
    let square = |column: u16, row: u16| Square::from_coords(u8::try_from(column).ok()?, u8::try_from(row).ok()?);
    Move::new(square(from_column, from_row)?, square(to_column, to_row)?)
}

/// The same move with rows counted from the top of the screen, where Black sits; or where Red sits if the first move of
/// the game shows that.
fn from_top(points: Points, is_turned: bool) -> Points {
    let [from_column, from_row, to_column, to_row] = points;
    let turn = |value: u16, last: u16, is_turned: bool| if is_turned { last.wrapping_sub(value) } else { value };
    [
        turn(from_column, 8, is_turned),
        turn(from_row, 9, !is_turned),
        turn(to_column, 8, is_turned),
        turn(to_row, 9, !is_turned),
    ]
}

/// Whether Red sits at the top: then the first move begins there.
fn is_turned(first: Option<&Points>) -> bool {
    first.is_some_and(|&[_, from_row, ..]| from_row < 5)
}

/// Makes the main line of a draft; `None` is a move off the board.
fn add_line(draft: &mut Draft, moves: impl IntoIterator<Item = Option<Move>>) {
    let mut moves = moves.into_iter();
    for mv in &mut moves {
        let ply = draft.tree.len() + 1;
        let Some(mv) = mv else {
            draft.damage = Some(Damage::at(ply, Flaw::OffBoard));
            Omitted::add(&mut draft.omitted, 1 + moves.count() as u64, ply);
            return;
        };
        draft.tree.push(mv);
    }
}
