//! What a game gave each side (articles 14.1 and 21.4).

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};

use chuhe_client::player::GameEnd;
use chuhe_movegen::Color;
use serde::{Deserialize, Serialize};

use crate::stats::GameScore;

/// Points in a table, counted in halves so that they stay exact. Written as a number such as 3.5.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(into = "f64", try_from = "f64")]
pub struct Points(u32);

/// A number that no points make.
#[derive(Copy, Clone, PartialEq, Debug, thiserror::Error)]
#[error("{0} points: expected whole, half or quarter points")]
pub struct NoPoints(pub f64);

impl Points {
    /// No points.
    pub const ZERO: Points = Points(0);
    /// A draw (article 14.1).
    pub const DRAW: Points = Points(1);
    /// A win (article 14.1).
    pub const WIN: Points = Points(2);

    /// Points from a number of half points.
    #[must_use]
    pub const fn from_halves(halves: u32) -> Points {
        Points(halves)
    }

    /// The number of half points.
    #[must_use]
    pub const fn halves(self) -> u32 {
        self.0
    }
}

impl From<Points> for f64 {
    fn from(points: Points) -> f64 {
        f64::from(points.0) / 2.0
    }
}

impl TryFrom<f64> for Points {
    type Error = NoPoints;

    fn try_from(number: f64) -> Result<Points, NoPoints> {
        let halves = 2.0 * number;
        let is_whole = (0.0..=f64::from(u32::MAX)).contains(&halves) && halves.fract() == 0.0;
        if is_whole { Ok(Points(halves as u32)) } else { Err(NoPoints(number)) }
    }
}

impl Add for Points {
    type Output = Points;

    fn add(self, other: Points) -> Points {
        Points(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Points {
    fn add_assign(&mut self, other: Points) {
        *self = *self + other;
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Points>>(points: I) -> Points {
        points.fold(Points::ZERO, Add::add)
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.0 / 2, if self.0 % 2 == 1 { ".5" } else { "" })
    }
}

/// How a game ended, as the table sees it.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Red won on the board.
    RedWins,
    /// Black won on the board.
    BlackWins,
    /// Drawn on the board.
    Draw,
    /// Red did not play; Black wins without a game (article 21.4).
    RedForfeits,
    /// Black did not play; Red wins without a game (article 21.4).
    BlackForfeits,
    /// Neither side played (article 21.3).
    BothForfeit,
}

impl Outcome {
    /// All of them.
    pub const ALL: [Outcome; 6] = [
        Outcome::RedWins,
        Outcome::BlackWins,
        Outcome::Draw,
        Outcome::RedForfeits,
        Outcome::BlackForfeits,
        Outcome::BothForfeit,
    ];

    /// Whether a game was really played.
    #[must_use]
    pub const fn is_played(self) -> bool {
        matches!(self, Outcome::RedWins | Outcome::BlackWins | Outcome::Draw)
    }

    /// The points of one side: 1, ½ or 0.
    #[must_use]
    pub const fn points(self, side: Color) -> Points {
        match (self, side) {
            (Outcome::RedWins | Outcome::BlackForfeits, Color::Red)
            | (Outcome::BlackWins | Outcome::RedForfeits, Color::Black) => Points::WIN,
            (Outcome::Draw, _) => Points::DRAW,
            _ => Points::ZERO,
        }
    }

    /// What the players of the game are told.
    #[must_use]
    pub const fn told(self) -> GameEnd {
        match self {
            Outcome::RedWins | Outcome::BlackForfeits => GameEnd::Won(Color::Red),
            Outcome::BlackWins | Outcome::RedForfeits => GameEnd::Won(Color::Black),
            Outcome::Draw => GameEnd::Drawn,
            Outcome::BothForfeit => GameEnd::Void,
        }
    }

    /// As results are written, Red's points first: `1-0`, `1/2-1/2`, `0-1`; `+--`, `--+` and `---` without a game.
    #[must_use]
    pub const fn score_text(self) -> &'static str {
        match self {
            Outcome::RedWins => "1-0",
            Outcome::BlackWins => "0-1",
            Outcome::Draw => "1/2-1/2",
            Outcome::BlackForfeits => "+--",
            Outcome::RedForfeits => "--+",
            Outcome::BothForfeit => "---",
        }
    }

    /// The outcome of a text made by [`score_text`](Self::score_text).
    #[must_use]
    pub fn from_score_text(text: &str) -> Option<Outcome> {
        Outcome::ALL.into_iter().find(|outcome| outcome.score_text() == text)
    }

    /// The result of a played game from one side's view; forfeits say nothing about strength and have none.
    #[must_use]
    pub const fn score(self, side: Color) -> Option<GameScore> {
        match (self, side) {
            (Outcome::RedWins, Color::Red) | (Outcome::BlackWins, Color::Black) => Some(GameScore::Win),
            (Outcome::RedWins | Outcome::BlackWins, _) => Some(GameScore::Loss),
            (Outcome::Draw, _) => Some(GameScore::Draw),
            _ => None,
        }
    }

    /// The mark of one side in a cross table: `1`, `½`, `0`, and `+`, `-` for games not played (article 21.4).
    #[must_use]
    pub const fn mark(self, side: Color) -> char {
        match (self, side) {
            (Outcome::RedWins, Color::Red) | (Outcome::BlackWins, Color::Black) => '1',
            (Outcome::RedWins | Outcome::BlackWins, _) => '0',
            (Outcome::Draw, _) => '½',
            (Outcome::BlackForfeits, Color::Red) | (Outcome::RedForfeits, Color::Black) => '+',
            _ => '-',
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Articles 14.1 and 21.4.
    #[test]
    fn a_game_is_worth_one_point_or_two_halves() {
        let table = [
            (Outcome::RedWins, "1", '1', "0", '0'),
            (Outcome::BlackWins, "0", '0', "1", '1'),
            (Outcome::Draw, "0.5", '½', "0.5", '½'),
            (Outcome::RedForfeits, "0", '-', "1", '+'),
            (Outcome::BlackForfeits, "1", '+', "0", '-'),
            (Outcome::BothForfeit, "0", '-', "0", '-'),
        ];
        for (outcome, red, red_mark, black, black_mark) in table {
            assert_eq!(outcome.points(Color::Red).to_string(), red, "{outcome:?}");
            assert_eq!(outcome.points(Color::Black).to_string(), black, "{outcome:?}");
            assert_eq!(outcome.mark(Color::Red), red_mark, "{outcome:?}");
            assert_eq!(outcome.mark(Color::Black), black_mark, "{outcome:?}");
            assert_eq!(outcome.score(Color::Red).is_some(), outcome.is_played(), "{outcome:?}");
            let told = match red.cmp(black) {
                std::cmp::Ordering::Greater => GameEnd::Won(Color::Red),
                std::cmp::Ordering::Less => GameEnd::Won(Color::Black),
                std::cmp::Ordering::Equal if red == "0" => GameEnd::Void,
                std::cmp::Ordering::Equal => GameEnd::Drawn,
            };
            assert_eq!(outcome.told(), told, "{outcome:?}");
        }
    }

    #[test]
    fn points_are_numbers() {
        assert_eq!(serde_json::to_string(&[Points::ZERO, Points::from_halves(7)]).unwrap(), "[0.0,3.5]");
        assert_eq!(serde_json::from_str::<[Points; 2]>("[3.5,2]").unwrap().map(Points::halves), [7, 4]);
        for wrong in ["-1", "0.25", "1e300"] {
            assert!(serde_json::from_str::<Points>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn outcomes_keep_their_names_in_a_journal() {
        let text = serde_json::to_string(&[Outcome::RedWins, Outcome::BothForfeit]).unwrap();
        assert_eq!(text, r#"["red-wins","both-forfeit"]"#);
        assert_eq!(serde_json::from_str::<Vec<Outcome>>(&text).unwrap(), [Outcome::RedWins, Outcome::BothForfeit]);
    }
}
