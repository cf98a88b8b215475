//! Search scores.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// The deepest ply a search reaches.
pub const MAX_PLY: usize = 240;

/// A score from the side to move, in the evaluation's internal unit.
///
/// From the outside in: mates at ±(32000 − plies), losses by rule (perpetual check) at ±(31000 − plies), wins and losses
/// that a table of endgames knows at ±(30000 − plies), evaluations well within ±20000. The kinds are kept apart: a rule
/// loss can vanish when a side deviates, and of a win by table the mate has still to be found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Score(i32);

impl Score {
    /// An even score.
    pub const ZERO: Score = Score(0);
    /// Above every score.
    pub const INFINITE: Score = Score(32_500);
    /// Below every score.
    pub(crate) const LEAST: Score = Score(-Score::INFINITE.0);
    /// Mate on the board, seen from the winner.
    const MATE: i32 = 32_000;
    /// A loss by rule on the board, seen from the winner.
    const RULE: i32 = 31_000;
    /// A loss in an endgame that is known, seen from the winner.
    const TABLE: i32 = 30_000;
    /// The lowest winning mate score.
    pub const MATE_IN_MAX_PLY: Score = Score(Score::MATE - MAX_PLY as i32);
    /// The lowest score that is a win by table, by rule or by mate.
    pub const TABLE_IN_MAX_PLY: Score = Score(Score::TABLE - MAX_PLY as i32);
    /// The lowest score that is a win by rule or by mate.
    pub const RULE_IN_MAX_PLY: Score = Score(Score::RULE - MAX_PLY as i32);

    /// A score in internal units.
    #[inline]
    pub const fn new(units: i32) -> Score {
        Score(units)
    }

    /// The units.
    #[inline]
    pub const fn get(self) -> i32 {
        self.0
    }

    /// The side to move is mated (or stalemated) at this ply from the root.
    #[inline]
    pub const fn mated_in(ply: usize) -> Score {
        Score(ply as i32 - Score::MATE)
    }

    /// The side to move mates at this ply from the root.
    #[inline]
    pub const fn mate_in(ply: usize) -> Score {
        Score(Score::MATE - ply as i32)
    }

    /// The side to move has lost by rule at this ply from the root.
    #[inline]
    pub const fn rule_loss(ply: usize) -> Score {
        Score(ply as i32 - Score::RULE)
    }

    /// The side to move stands, at this ply from the root, in an endgame that is known to be lost.
    #[inline]
    pub const fn table_loss(ply: usize) -> Score {
        Score(ply as i32 - Score::TABLE)
    }

    /// Whether this is a mate for or against the side to move.
    #[inline]
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= Score::MATE_IN_MAX_PLY.0
    }

    /// Whether this is decided: by mate, by rule or by a table.
    #[inline]
    pub const fn is_decided(self) -> bool {
        self.0.abs() >= Score::TABLE_IN_MAX_PLY.0
    }

    /// Whether this is a win or loss that a table knows, whose mate has not been found.
    #[inline]
    pub const fn is_by_table(self) -> bool {
        self.is_decided() && self.0.abs() < Score::RULE_IN_MAX_PLY.0
    }

    /// Whether this is a win or loss by rule, which depends on the path to the position.
    #[inline]
    pub const fn is_by_rule(self) -> bool {
        self.0.abs() >= Score::RULE_IN_MAX_PLY.0 && !self.is_mate()
    }

    /// Plies to mate: positive when the side to move mates, negative or zero when it is mated.
    #[inline]
    pub const fn mate_plies(self) -> Option<i32> {
        if !self.is_mate() {
            None
        } else if self.0 > 0 {
            Some(Score::MATE - self.0)
        } else {
            Some(-Score::MATE - self.0)
        }
    }
}

impl Neg for Score {
    type Output = Score;
    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;
    #[inline]
    fn add(self, units: i32) -> Score {
        Score(self.0 + units)
    }
}

impl Sub<i32> for Score {
    type Output = Score;
    #[inline]
    fn sub(self, units: i32) -> Score {
        Score(self.0 - units)
    }
}

impl Sub for Score {
    type Output = i32;
    #[inline]
    fn sub(self, other: Score) -> i32 {
        self.0 - other.0
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_plies() {
            Some(plies) => write!(f, "mate in {plies} plies"),
            None => write!(f, "{}", self.0),
        }
    }
}
