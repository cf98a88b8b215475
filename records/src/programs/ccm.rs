//! CCM (中游, China Game Center): seven bytes a move; bytes 3 to 6 are column from, column to, row from and row to.

use super::{Points, add_line, from_top, is_turned, mv};
use crate::damage::{Damage, Flaw};
use crate::draft::Draft;

const RECORD: usize = 7;

/// Whether bytes can be a file: moves of points on the board, and nothing else.
pub(crate) fn is_likely(bytes: &[u8]) -> bool {
    let (records, rest) = bytes.as_chunks::<RECORD>();
    !records.is_empty() && rest.is_empty() && records.iter().all(|record| mv(points(record)).is_some())
}

/// Reads a file.
pub(crate) fn read(bytes: &[u8]) -> Draft {
    let (records, rest) = bytes.as_chunks::<RECORD>();
    let points: Vec<Points> = records.iter().map(points).collect();
    let is_turned = is_turned(points.first());
    let mut draft = Draft::default();
    add_line(&mut draft, points.into_iter().map(|points| mv(from_top(points, is_turned))));
    if !rest.is_empty() {
        let cut = Flaw::Cut { len: bytes.len(), expected: "a move of seven bytes" };
        draft.damage.get_or_insert(Damage::at(records.len() + 1, cut));
    }
    draft
}

fn points(&[_, _, _, from_column, to_column, from_row, to_row]: &[u8; RECORD]) -> Points {
    [from_column, from_row, to_column, to_row].map(u16::from)
}
