//! How much a move lost, and what that is called.
//!
//! Loss is measured in win probability, because a hundred points matter much in an even position and little in a won one.
//! The idea, the thresholds and the formula of accuracy are those that Lichess publishes (lichess.org/page/accuracy and
//! its open source): its thresholds are 0.1, 0.2 and 0.3 on a scale from −1 (lost) to 1 (won), which is twice ours. The
//! win probability itself is ours, fitted on games of xiangqi.

use crate::Chances;

/// What a move is called by what it lost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Judgement {
    /// The engine's choice, or the only legal move.
    Best,
    /// Another move that lost less than [`Judgement::INACCURACY`].
    Good,
    /// Lost at least [`Judgement::INACCURACY`] (缓着).
    Inaccuracy,
    /// Lost at least [`Judgement::MISTAKE`] (错着).
    Mistake,
    /// Lost at least [`Judgement::BLUNDER`] (漏着).
    Blunder,
}

impl Judgement {
    /// Points ([`Chances::points`]) lost by an inaccuracy: a twentieth of a game.
    pub const INACCURACY: u16 = Chances::MOST_POINTS / 20;
    /// Points lost by a mistake: a tenth of a game.
    pub const MISTAKE: u16 = Chances::MOST_POINTS / 10;
    /// Points lost by a blunder: three twentieths of a game.
    pub const BLUNDER: u16 = 3 * (Chances::MOST_POINTS / 20);

    /// All of them, the best first.
    pub const ALL: [Judgement; 5] =
        [Judgement::Best, Judgement::Good, Judgement::Inaccuracy, Judgement::Mistake, Judgement::Blunder];

    /// What a move is called that is not the best and lost so many points ([`Chances::points`]).
    #[must_use]
    pub const fn of_loss(points: u16) -> Judgement {
        match points {
            Judgement::BLUNDER.. => Judgement::Blunder,
            Judgement::MISTAKE.. => Judgement::Mistake,
            Judgement::INACCURACY.. => Judgement::Inaccuracy,
            _ => Judgement::Good,
        }
    }

    /// The word for it in English.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Judgement::Best => "best",
            Judgement::Good => "good",
            Judgement::Inaccuracy => "inaccuracy",
            Judgement::Mistake => "mistake",
            Judgement::Blunder => "blunder",
        }
    }

    /// The numeric annotation glyph of PGN: 6 (`?!`), 2 (`?`) and 4 (`??`) for what is worth a remark.
    #[must_use]
    pub const fn nag(self) -> Option<u8> {
        match self {
            Judgement::Best | Judgement::Good => None,
            Judgement::Inaccuracy => Some(6),
            Judgement::Mistake => Some(2),
            Judgement::Blunder => Some(4),
        }
    }
}

/// How accurate a move was that lost so much win probability (0 to 1), in percent: 100 for one that lost nothing.
#[must_use]
pub fn accuracy(loss: f64) -> f64 {
    (103.1668 * (-4.354 * loss).exp() - 3.1669).clamp(0.0, 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_inclusive() {
        for (points, judgement) in [
            (0, Judgement::Good),
            (99, Judgement::Good),
            (100, Judgement::Inaccuracy),
            (199, Judgement::Inaccuracy),
            (200, Judgement::Mistake),
            (299, Judgement::Mistake),
            (300, Judgement::Blunder),
            (Chances::MOST_POINTS, Judgement::Blunder),
        ] {
            assert_eq!(Judgement::of_loss(points), judgement, "{points}");
        }
    }

    /// The table at lichess.org/page/accuracy says: no loss is 100 %, and the curve falls to nothing at a loss of 80 %.
    #[test]
    fn accuracy_falls_with_the_loss() {
        assert_eq!(accuracy(0.0).round(), 100.0);
        assert_eq!((accuracy(1.0), accuracy(0.81)), (0.0, 0.0));
        assert!(
            (0..100).all(|percent| accuracy(f64::from(percent) / 100.0) >= accuracy(f64::from(percent + 1) / 100.0))
        );
    }
}
