//! Scores, and the chances they stand for.

use std::cmp::Ordering;
use std::fmt;

use chuhe_eval::EVEN_CHANCE;

/// What a position is worth to one side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Score {
    /// An evaluation, 100 being an even chance to win outright. Engines other than ours count in hundredths of what they
    /// call a pawn.
    Cp(i32),
    /// This side wins by force.
    Win {
        /// How.
        by: Decision,
        /// In so many half-moves from the position searched; 0 when it has won.
        plies: u32,
    },
    /// This side loses by force.
    Loss {
        /// How.
        by: Decision,
        /// In so many half-moves from the position searched; 0 when it has lost.
        plies: u32,
    },
}

/// How a game is decided.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Decision {
    /// By checkmate (将死) or stalemate (困毙).
    Mate,
    /// By the rules of repetition; the side at fault may still deviate.
    Rule,
}

impl Score {
    /// The same position seen by the other side.
    #[must_use]
    pub const fn seen_by_other(self) -> Score {
        match self {
            Score::Cp(cp) => Score::Cp(cp.saturating_neg()),
            Score::Win { by, plies } => Score::Loss { by, plies },
            Score::Loss { by, plies } => Score::Win { by, plies },
        }
    }

    /// What a move is worth to its mover when the position after it is worth this to the other side.
    #[must_use]
    pub const fn before_move(self) -> Score {
        match self.seen_by_other() {
            Score::Cp(cp) => Score::Cp(cp),
            Score::Win { by, plies } => Score::Win { by, plies: plies.saturating_add(1) },
            Score::Loss { by, plies } => Score::Loss { by, plies: plies.saturating_add(1) },
        }
    }

    /// The score as hundredths within ±`limit`, which mates and wins by rule reach.
    #[must_use]
    pub fn capped_cp(self, limit: i32) -> i32 {
        match self {
            Score::Cp(cp) => cp.clamp(-limit, limit),
            Score::Win { .. } => limit,
            Score::Loss { .. } => -limit,
        }
    }

    /// How the game is decided by force, if it is, and in how many moves of the winner: positive when this side wins, zero
    /// or negative when it loses.
    #[must_use]
    pub fn decided_in(self) -> Option<(Decision, i32)> {
        let moves = |plies: u32| i32::try_from(plies.div_ceil(2)).unwrap_or(i32::MAX);
        match self {
            Score::Cp(_) => None,
            Score::Win { by, plies } => Some((by, moves(plies))),
            Score::Loss { by, plies } => Some((by, -moves(plies))),
        }
    }

    /// The chances by the model of our own engine, which is fitted on its games (`chuhe_eval::wdl`).
    #[must_use]
    pub fn chances(self) -> Chances {
        let [win, draw, loss] = match self {
            // Back to the unit that the model is fitted in.
            Score::Cp(cp) => chuhe_eval::wdl(scaled(cp)),
            Score::Win { .. } => [1000, 0, 0],
            Score::Loss { .. } => [0, 0, 1000],
        };
        Chances { win, draw, loss }
    }
}

/// For people: `+0.35`; `+M3` mates in three moves, `-M0` is mated; `-R2` loses by rule.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match *self {
            Score::Cp(cp) if cp < 0 => '-',
            Score::Loss { .. } => '-',
            Score::Cp(_) | Score::Win { .. } => '+',
        };
        f.pad(&match (*self, self.decided_in()) {
            (Score::Cp(cp), _) => format!("{sign}{}.{:02}", cp.unsigned_abs() / 100, cp.unsigned_abs() % 100),
            (_, Some((Decision::Rule, moves))) => format!("{sign}R{}", moves.unsigned_abs()),
            (_, decided) => format!("{sign}M{}", decided.map_or(0, |(_, moves)| moves.unsigned_abs())),
        })
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Score) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The better for this side, the greater: a mate before a win by rule, and the sooner a win the better.
impl Ord for Score {
    fn cmp(&self, other: &Score) -> Ordering {
        // What decides first: the kind of score, then the number.
        let rank = |score: Score| match score {
            Score::Loss { by: Decision::Mate, plies } => (0, i64::from(plies)),
            Score::Loss { by: Decision::Rule, plies } => (1, i64::from(plies)),
            Score::Cp(cp) => (2, i64::from(cp)),
            Score::Win { by: Decision::Rule, plies } => (3, -i64::from(plies)),
            Score::Win { by: Decision::Mate, plies } => (4, -i64::from(plies)),
        };
        rank(*self).cmp(&rank(*other))
    }
}

fn scaled(cp: i32) -> i32 {
    let units = i64::from(cp) * i64::from(EVEN_CHANCE) / 100;
    i32::try_from(units).unwrap_or(if cp < 0 { i32::MIN } else { i32::MAX })
}

/// Chances of one side in per mille; they add up to 1000.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Chances {
    /// To win.
    pub win: u16,
    /// To draw.
    pub draw: u16,
    /// To lose.
    pub loss: u16,
}

impl Chances {
    /// A draw for certain.
    pub const DRAW: Chances = Chances { win: 0, draw: 1000, loss: 0 };

    /// The same position seen by the other side.
    #[must_use]
    pub const fn seen_by_other(self) -> Chances {
        Chances { win: self.loss, draw: self.draw, loss: self.win }
    }

    /// The points to be expected, from 0 (lost) to [`Chances::MOST_POINTS`] (won): two for each per mille of a win, one for
    /// each of a draw. Whole numbers, so that thresholds are exact.
    #[must_use]
    pub const fn points(self) -> u16 {
        2 * self.win + self.draw
    }

    /// The points of a win for certain.
    pub const MOST_POINTS: u16 = 2000;

    /// The win probability, 0 to 1: a draw counts as half a win, so that what a blunder costs shows also where it gives
    /// away no more than the draw.
    #[must_use]
    pub fn win_probability(self) -> f64 {
        f64::from(self.points()) / f64::from(Chances::MOST_POINTS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_turn_round() {
        let mated = Score::Loss { by: Decision::Mate, plies: 0 };
        let mates = mated.before_move();
        assert_eq!(mates, Score::Win { by: Decision::Mate, plies: 1 });
        let decided = [mated, mates, mates.before_move()].map(|score| score.decided_in().map(|(_, moves)| moves));
        assert_eq!(decided, [Some(0), Some(1), Some(-1)]);
        assert_eq!(Score::Cp(i32::MIN).seen_by_other(), Score::Cp(i32::MAX));
        let by_rule = Score::Win { by: Decision::Rule, plies: 3 };
        assert_eq!(by_rule.seen_by_other().seen_by_other(), by_rule);
        assert_eq!(by_rule.decided_in(), Some((Decision::Rule, 2)));
        let texts =
            [Score::Cp(35), Score::Cp(-105), Score::Cp(0), mated, mates, by_rule].map(|score| score.to_string());
        assert_eq!(texts, ["+0.35", "-1.05", "+0.00", "-M0", "+M1", "+R2"]);
    }

    #[test]
    fn better_scores_are_greater() {
        let by_mate = |plies| Score::Win { by: Decision::Mate, plies };
        let by_rule = |plies| Score::Win { by: Decision::Rule, plies };
        let falling =
            [by_mate(1), by_mate(9), by_rule(2), by_rule(8), Score::Cp(9999), Score::Cp(0), Score::Cp(-1)].to_vec();
        let rising = falling.iter().map(|score| score.seen_by_other());
        assert!(falling.windows(2).all(|pair| pair[0] > pair[1]));
        assert!(rising.collect::<Vec<_>>().is_sorted());
        assert_eq!([by_rule(3), Score::Cp(-2000), Score::Cp(7)].map(|score| score.capped_cp(1000)), [1000, -1000, 7]);
    }

    #[test]
    fn a_hundred_is_an_even_chance_to_win() {
        assert_eq!(Score::Cp(100).chances().win, 500);
        assert_eq!(Score::Cp(-100).chances().loss, 500);
        assert_eq!(Score::Cp(0).chances().win_probability(), 0.5);
        assert_eq!(Score::Cp(i32::MIN).chances().win_probability(), 0.0);
        assert_eq!(Score::Cp(i32::MAX).chances(), Score::Win { by: Decision::Rule, plies: 1 }.chances());
    }
}
