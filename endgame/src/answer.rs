//! What the tables say about a position and its moves.

use std::fmt;

use chuhe_movegen::{Board, Color, Move};
use serde::{Serialize, Serializer};

use crate::{Class, Probe, Tables, Value};

/// What the tables say about a position, and about each of its moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Answer {
    /// The position.
    fen: String,
    #[serde(skip)]
    side_to_move: Color,
    #[serde(serialize_with = "as_text")]
    class: Class,
    /// For the side to move.
    #[serde(flatten)]
    position: Outlook,
    moves: Vec<Step>,
}

/// A value, and the plies to mate where they are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
struct Outlook {
    #[serde(serialize_with = "as_word")]
    value: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<u16>,
}

/// A move and its value for the side that makes it; none where it leads out of the tables.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Step {
    #[serde(rename = "move", serialize_with = "as_text")]
    mv: Move,
    #[serde(flatten)]
    outlook: Option<Outlook>,
}

impl Tables {
    /// What the tables say about a position, the best moves first; nothing if they do not have its class.
    #[must_use]
    pub fn answer(&self, board: &Board) -> Option<Answer> {
        let Probe { value, plies, .. } = self.probe(board)?;
        let step = |mv| Step { mv, outlook: self.probe(&board.make(mv)).map(Outlook::before) };
        let mut moves: Vec<Step> = board.legal_moves().into_iter().map(step).collect();
        moves.sort_by_key(|step| (step.rank(), step.mv));
        let position = Outlook { value, plies };
        Some(Answer {
            fen: board.to_fen(),
            side_to_move: board.side_to_move(),
            class: Class::of(board).0,
            position,
            moves,
        })
    }
}

impl Outlook {
    /// What a probe of the position after a move says for the side that has moved.
    fn before(Probe { value, plies, .. }: Probe) -> Outlook {
        let value = match value {
            Value::Win => Value::Loss,
            Value::Loss => Value::Win,
            other => other,
        };
        Outlook { value, plies: plies.map(|plies| plies + 1) }
    }
}

impl Step {
    /// The best moves first: wins, the sooner the better, then draws and what the rules decide, moves out of the tables, and
    /// losses, the later the better.
    fn rank(&self) -> (u8, i32) {
        let Some(Outlook { value, plies }) = self.outlook else { return (2, 0) };
        let plies = i32::from(plies.unwrap_or(0));
        match value {
            Value::Win => (0, plies),
            Value::Draw | Value::RulesDecide => (1, 0),
            Value::Loss => (3, -plies),
        }
    }
}

/// The value in a word.
const fn word(value: Value) -> &'static str {
    match value {
        Value::Win => "won",
        Value::Draw => "drawn",
        Value::Loss => "lost",
        Value::RulesDecide => "rules decide",
    }
}

fn as_word<S: Serializer>(value: &Value, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(word(*value))
}

fn as_text<T: fmt::Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

impl fmt::Display for Outlook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(word(self.value))?;
        self.plies.map_or(Ok(()), |plies| write!(f, " in {plies} plies"))
    }
}

impl fmt::Display for Answer {
    /// Lines for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}, {} to move: {}", self.class, self.side_to_move, self.position)?;
        self.moves.iter().try_for_each(|step| match step.outlook {
            Some(outlook) => writeln!(f, "{} {outlook}", step.mv),
            None => writeln!(f, "{} not in the tables", step.mv),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_that_win_come_before_moves_that_draw() {
        // A rook against a bare king wins with either side's pieces anywhere (单车必胜光将).
        let board = Board::from_fen("3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1").expect("a position");
        let answer = Tables::embedded().answer(&board).expect("a small class is embedded");
        assert_eq!(answer.position.value, Value::Win);
        let values: Vec<u8> = answer.moves.iter().map(|step| step.rank().0).collect();
        assert!(values.is_sorted() && values[0] == 0, "{values:?}");
        assert!(answer.to_string().starts_with("KRvK, Red to move: won"), "{answer}");
    }
}
