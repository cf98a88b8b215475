//! CHE (QQ): decimal numbers. After a first one and the number of moves come ten a move, of which the fourth to seventh
//! are row from, column from, row to and column to, rows from Red's side.

use super::{Points, add_line, mv};
use crate::damage::{Damage, Flaw};
use crate::draft::Draft;

/// Numbers before the moves.
const HEADER: usize = 2;
/// Numbers of a move.
const RECORD: usize = 10;

/// Whether the beginning of a text can be that of a file: numbers and nothing else.
pub(crate) fn is_likely(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_digit() || c.is_ascii_whitespace();
    text.chars().all(is_part) && numbers(text).nth(HEADER + RECORD - 1).is_some()
}

/// Reads a file.
///
/// # Errors
/// [`Damage`] when the number of moves is missing.
pub(crate) fn read(text: &str) -> Result<Draft, Damage> {
    let mut numbers = numbers(text);
    let Some(count) = numbers.nth(HEADER - 1) else {
        return Err(Flaw::Cut { len: text.len(), expected: "the number of moves" }.into());
    };
    let mut draft = Draft::default();
    let mut points: Vec<Points> = Vec::new();
    let mut is_cut = false;
    for _ in 0..count {
        let mut record = [0; RECORD];
        let found = record.iter_mut().zip(&mut numbers).map(|(place, number)| *place = number).count();
        if found < RECORD {
            is_cut = true;
            break;
        }
        let [_, _, _, from_row, from_column, to_row, to_column, ..] = record;
        points.push([from_column, from_row, to_column, to_row]);
    }
    let plies = points.len();
    add_line(&mut draft, points.into_iter().map(mv));
    if is_cut {
        let cut = Flaw::Cut { len: text.len(), expected: "a move of ten numbers" };
        draft.damage.get_or_insert(Damage::at(plies + 1, cut));
    }
    Ok(draft)
}

/// The numbers of a text, whatever stands between them; those too large for a point or a count are the largest.
fn numbers(text: &str) -> impl Iterator<Item = u16> {
    let words = text.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty());
    words.map(|word| word.parse().unwrap_or(u16::MAX))
}
