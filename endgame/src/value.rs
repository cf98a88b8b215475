//! What a table says of a position.

use chuhe_movegen::Color;

/// The value of a position for the side to move, when both sides play well from there on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Value {
    /// Lost, whatever the rules of repetition are.
    Loss = 0,
    /// Drawn, whatever the rules of repetition are.
    Draw = 1,
    /// Won, whatever the rules of repetition are.
    Win = 2,
    /// Nobody can force mate, but somebody may have to check or chase for ever: the rules of repetition decide.
    RulesDecide = 3,
}

impl Value {
    /// The value with this number.
    #[inline]
    pub(crate) const fn from_bits(bits: u8) -> Value {
        match bits & 3 {
            0 => Value::Loss,
            1 => Value::Draw,
            2 => Value::Win,
            _ => Value::RulesDecide,
        }
    }

    /// The value of a position that is decided after so many plies: the winner moves when their number is odd.
    #[inline]
    pub(crate) const fn decided(plies: u16) -> Value {
        if plies % 2 == 1 { Value::Win } else { Value::Loss }
    }
}

/// Who may win by the rules of repetition alone, in positions of a class where these decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RuleWins {
    /// The strong side: the weak side may have no way but to check or chase for ever.
    pub strong: bool,
    /// The weak side.
    pub weak: bool,
}

impl RuleWins {
    /// Whether the strong side (Red) or the weak side may.
    pub(crate) const fn of(self, color: Color) -> bool {
        match color {
            Color::Red => self.strong,
            Color::Black => self.weak,
        }
    }
}
