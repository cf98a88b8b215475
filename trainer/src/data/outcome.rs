//! How a game ended.

use chuhe_movegen::Color;

/// How a game ended for one side: for Red where nothing else is said.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameOutcome {
    /// It lost.
    Loss,
    /// Nobody won.
    Draw,
    /// It won.
    Win,
}

impl GameOutcome {
    /// All outcomes, from the worst to the best.
    pub const ALL: [GameOutcome; 3] = [GameOutcome::Loss, GameOutcome::Draw, GameOutcome::Win];

    /// The outcome for Red of a game that `loser` lost, or nobody.
    pub fn of_loser(loser: Option<Color>) -> GameOutcome {
        match loser {
            Some(Color::Red) => GameOutcome::Loss,
            None => GameOutcome::Draw,
            Some(Color::Black) => GameOutcome::Win,
        }
    }

    /// The outcome for `color` when this is the outcome for Red, and the other way round.
    pub fn seen_by(self, color: Color) -> GameOutcome {
        match (color, self) {
            (Color::Black, GameOutcome::Loss) => GameOutcome::Win,
            (Color::Black, GameOutcome::Win) => GameOutcome::Loss,
            _ => self,
        }
    }

    /// Points: 0, 0.5 or 1.
    pub fn points(self) -> f64 {
        match self {
            GameOutcome::Loss => 0.0,
            GameOutcome::Draw => 0.5,
            GameOutcome::Win => 1.0,
        }
    }

    /// 0 for a loss, 1 for a draw, 2 for a win: the code in files.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The outcome of a [`GameOutcome::code`].
    pub fn from_code(code: u8) -> Option<GameOutcome> {
        GameOutcome::ALL.get(usize::from(code)).copied()
    }
}
