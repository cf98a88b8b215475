//! Games as the JSON that the page's program reads.

use std::fmt::Write as _;
use std::time::Duration;

use chuhe_movegen::{Board, Color};
use serde::{Serialize, Serializer};

use super::game::{GameView, MoveView, Score};

/// All games as JSON that can stand within a `script` element: `<`, `>` and `&` are written as escapes, so that no text
/// can end the element or begin a comment.
pub(crate) fn json(games: &[GameView]) -> String {
    let games: Vec<Game<'_>> = games.iter().map(Game::from).collect();
    // Strings, numbers and lists of them: there is nothing here that could fail to be written.
    let text = serde_json::to_string(&games).unwrap_or_else(|_| String::from("[]"));
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            // All of these can only occur within strings.
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                let _ = write!(safe, "\\u{:04x}", u32::from(character));
            }
            _ => safe.push(character),
        }
    }
    safe
}

/// A game. What is known of its moves stands in columns, which are left out when nothing is known.
#[derive(Serialize)]
struct Game<'a> {
    red: &'a str,
    black: &'a str,
    result: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    termination: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    reason: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    opening: &'a str,
    #[serde(skip_serializing_if = "is_zero")]
    given: usize,
    /// Left out when it is the start position.
    #[serde(skip_serializing_if = "Option::is_none")]
    fen: Option<String>,
    /// Four characters a move.
    moves: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    scores: Vec<Option<RedScore>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    depths: Vec<Option<u32>>,
    /// Milliseconds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    times: Vec<Option<u64>>,
    /// Milliseconds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    clocks: Vec<Option<u64>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    names: Vec<Option<&'a str>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comments: Vec<Option<&'a str>>,
}

impl<'a> From<&'a GameView> for Game<'a> {
    fn from(game: &'a GameView) -> Game<'a> {
        let red_first = game.start.side_to_move() == Color::Red;
        let scores = game.moves.iter().enumerate().map(|(ply, mv)| {
            let by_red = (ply % 2 == 0) == red_first;
            mv.score.map(|score| RedScore::new(score, by_red))
        });
        Game {
            red: &game.red,
            black: &game.black,
            result: game.result.as_str(),
            termination: &game.termination,
            reason: &game.reason,
            opening: &game.opening,
            given: game.opening_plies,
            fen: (game.start != Board::startpos()).then(|| game.start.to_fen()),
            moves: game.moves.iter().fold(String::with_capacity(4 * game.moves.len()), |mut moves, mv| {
                let _ = write!(moves, "{}", mv.mv);
                moves
            }),
            scores: column(scores),
            depths: column(game.moves.iter().map(|mv| mv.depth)),
            times: column(game.moves.iter().map(|mv| mv.time.map(milliseconds))),
            clocks: column(game.moves.iter().map(|mv| mv.clock.map(milliseconds))),
            names: column(game.moves.iter().map(|mv| mv.name.as_deref())),
            comments: column(game.moves.iter().map(|mv: &MoveView| mv.comment.as_deref())),
        }
    }
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A column without what is missing at its end: empty when nothing is known.
fn column<T>(values: impl Iterator<Item = Option<T>>) -> Vec<Option<T>> {
    let mut values: Vec<Option<T>> = values.collect();
    while values.last().is_some_and(Option::is_none) {
        values.pop();
    }
    values
}

/// A score from Red's view: a number of hundredths, or a text such as `#5` or `#-5` for a mate.
struct RedScore(Score);

impl RedScore {
    fn new(score: Score, by_red: bool) -> RedScore {
        RedScore(match score {
            _ if by_red => score,
            Score::Cp(value) => Score::Cp(value.saturating_neg()),
            Score::Mate(moves) => Score::Mate(moves.saturating_neg()),
        })
    }
}

impl Serialize for RedScore {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Score::Cp(value) => serializer.serialize_i32(value),
            Score::Mate(moves) => serializer.collect_str(&format_args!("#{moves}")),
        }
    }
}
