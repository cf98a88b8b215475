//! Games as lines of moves.
//!
//! [`crate::games`] reads them again, in any notation. Tags, comments and variations have no place in them.

use chuhe_movegen::Board;

use crate::{Notation, Record};

/// Moves that show by themselves that a line holds moves.
const TELLING: usize = 3;

/// Writes the main line with blanks between its moves, without the end of line: `H2-E2 H9-G7 …`, behind the start position
/// if it is not the usual one: `FEN moves A0-A1 …`. Records hold legal moves; an illegal one and what follows it are left
/// out.
#[must_use]
pub fn to_string(record: &Record, notation: Notation) -> String {
    let mut board = record.start.clone();
    let mut words = Vec::new();
    for (mv, _) in record.main_line() {
        let Ok(next) = board.play(mv) else { break };
        words.push(notation.write(mv, &board));
        board = next;
    }
    let start = if record.start != Board::startpos() {
        Some(record.start.to_fen())
    } else {
        (words.len() < TELLING).then(|| "startpos".to_owned())
    };
    if let Some(start) = start {
        if !words.is_empty() {
            words.insert(0, "moves".to_owned());
        }
        words.insert(0, start);
    }
    words.join(" ")
}
