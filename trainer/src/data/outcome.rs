//! How a game ended.

use chuhe_movegen::Color;

/// How a game ended for one side: for Red where nothing else is said.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// It lost.
    Loss,
    /// Nobody won.
    Draw,
    /// It won.
    Win,
}

impl Outcome {
    /// All outcomes, from the worst to the best.
    pub const ALL: [Outcome; 3] = [Outcome::Loss, Outcome::Draw, Outcome::Win];

    /// The outcome for Red of a game that `loser` lost, or nobody.
    pub fn of_loser(loser: Option<Color>) -> Outcome {
        match loser {
            Some(Color::Red) => Outcome::Loss,
            None => Outcome::Draw,
            Some(Color::Black) => Outcome::Win,
        }
    }

    /// The outcome for `color` when this is the outcome for Red, and the other way round.
    pub fn seen_by(self, color: Color) -> Outcome {
        match (color, self) {
            (Color::Black, Outcome::Loss) => Outcome::Win,
            (Color::Black, Outcome::Win) => Outcome::Loss,
            _ => self,
        }
    }

    /// Points: 0, 0.5 or 1.
    pub fn points(self) -> f64 {
        match self {
            Outcome::Loss => 0.0,
            Outcome::Draw => 0.5,
            Outcome::Win => 1.0,
        }
    }

    /// 0 for a loss, 1 for a draw, 2 for a win: the code in files.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The outcome of a [`Outcome::code`].
    pub fn from_code(code: u8) -> Option<Outcome> {
        Outcome::ALL.get(usize::from(code)).copied()
    }
}
