//! CHN (联众, Ourgame): a header of 188 bytes, then 32 a move; words 2 to 5 of these are column from, row from, column to
//! and row to.

use super::{Points, add_line, from_top, is_turned, mv};
use crate::damage::{Damage, Flaw};
use crate::draft::Draft;

const HEADER: usize = 188;
const RECORD: usize = 32;

/// Whether bytes can be a file: moves of points on the board, and nothing else.
pub(crate) fn is_likely(bytes: &[u8]) -> bool {
    let Some((_, body)) = bytes.split_at_checked(HEADER) else { return false };
    let (records, rest) = body.as_chunks::<RECORD>();
    !records.is_empty() && rest.is_empty() && records.iter().all(|record| mv(points(record)).is_some())
}

/// Reads a file.
///
/// # Errors
/// [`Damage`] when there is no whole header.
pub(crate) fn read(bytes: &[u8]) -> Result<Draft, Damage> {
    let Some((_, body)) = bytes.split_at_checked(HEADER) else {
        return Err(Flaw::Cut { len: bytes.len(), expected: "a header of 188 bytes" }.into());
    };
    let (records, rest) = body.as_chunks::<RECORD>();
    let points: Vec<Points> = records.iter().map(points).collect();
    let is_turned = is_turned(points.first());
    let mut draft = Draft::default();
    add_line(&mut draft, points.into_iter().map(|points| mv(from_top(points, is_turned))));
    if !rest.is_empty() {
        let cut = Flaw::Cut { len: bytes.len(), expected: "a move of 32 bytes" };
        draft.damage.get_or_insert(Damage::at(records.len() + 1, cut));
    }
    Ok(draft)
}

fn points(record: &[u8; RECORD]) -> Points {
    std::array::from_fn(|index| u16::from_le_bytes([record[4 + 2 * index], record[5 + 2 * index]]))
}
