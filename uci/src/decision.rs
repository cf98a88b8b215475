//! Draw offers and giving up.

use chuhe_engine::Outcome;
use chuhe_movegen::Board;
use chuhe_rules::NATURAL_LIMIT;

use crate::score;

/// What goes with a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Gesture {
    /// A draw is offered or accepted.
    pub(crate) draw: bool,
    /// The game is given up.
    pub(crate) resign: bool,
}

/// What the user allows the engine to say unasked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Licence {
    /// It may offer a draw.
    pub(crate) offer: bool,
    /// It may give up.
    pub(crate) give_up: bool,
}

/// Scores within this are unclear: either side may still win.
const UNCLEAR: i32 = 60;
/// A draw is accepted in an unclear position when this few half-moves are left before one comes by itself.
const NEAR_LIMIT: u16 = 20;
/// A draw is offered when the score was this close to even for [`EVEN_SEARCHES`] searches.
const EVEN: i32 = 15;
const EVEN_SEARCHES: u32 = 10;
/// A draw is offered only after this many half-moves without a capture.
const QUIET: u16 = 30;
/// The game is given up when the score was this low for [`LOST_SEARCHES`] searches; 300 is clearly lost.
const LOST: i32 = -700;
const LOST_SEARCHES: u32 = 3;
/// A search this shallow proves nothing.
const MIN_DEPTH: u32 = 6;

/// The course of a game as far as it bears on ending it early.
#[derive(Clone, Debug, Default)]
pub(crate) struct GameCourse {
    even_searches: u32,
    lost_searches: u32,
}

impl GameCourse {
    /// Takes note of a search for a move of the game and decides what to say with the move.
    ///
    /// A draw offer is accepted when the engine sees no advantage, or only an unclear one shortly before the natural
    /// limit. Unasked it speaks only by `licence`, and never gives up with a single legal move.
    pub(crate) fn decide(&mut self, board: &Board, outcome: &Outcome, is_offered: bool, licence: Licence) -> Gesture {
        let shown = score::to_number(outcome.score);
        let is_sound = outcome.depth >= MIN_DEPTH;
        let count = |before: u32, holds: bool| if holds && is_sound { before + 1 } else { 0 };
        self.even_searches = count(self.even_searches, shown.abs() <= EVEN);
        // A loss by repetition is no reason: the opponent may deviate.
        self.lost_searches = count(self.lost_searches, shown <= LOST && !outcome.score.is_by_rule());

        let quiet_plies = board.halfmove_clock();
        if is_offered {
            let is_near_limit = quiet_plies.saturating_add(NEAR_LIMIT) >= NATURAL_LIMIT;
            let accepts = shown <= 0 || (is_near_limit && shown <= UNCLEAR);
            return Gesture { draw: accepts, resign: false };
        }
        let resign = licence.give_up && self.lost_searches >= LOST_SEARCHES && board.count_legal_moves() > 1;
        let draw = licence.offer && !resign && self.even_searches >= EVEN_SEARCHES && quiet_plies >= QUIET;
        Gesture { draw, resign }
    }
}

#[cfg(test)]
mod tests {
    use chuhe_engine::Score;

    use super::*;

    fn outcome(score: Score) -> Outcome {
        Outcome { score, depth: 12, ..Outcome::default() }
    }

    #[test]
    fn accepts_without_an_advantage_only() {
        let quiet = Board::from_fen("3k5/9/9/9/9/9/9/9/R8/4K4 w - - 105 80").unwrap();
        let accepts =
            |board: &Board, score| GameCourse::default().decide(board, &outcome(score), true, Licence::default()).draw;
        assert!(accepts(&Board::startpos(), Score::ZERO));
        assert!(accepts(&Board::startpos(), Score::mated_in(4)));
        assert!(!accepts(&Board::startpos(), Score::new(10)));
        assert!(!accepts(&quiet, Score::mate_in(5)));
        assert!(accepts(&quiet, Score::new(10)));
    }

    #[test]
    fn speaks_unasked_only_when_allowed() {
        let quiet = Board::from_fen("3k5/9/9/9/9/9/9/9/R8/4K4 w - - 40 80").unwrap();
        let both = Licence { offer: true, give_up: true };
        let after = |board: &Board, score, licence| {
            let mut course = GameCourse::default();
            (0..20).map(|_| course.decide(board, &outcome(score), false, licence)).last()
        };
        assert_eq!(after(&quiet, Score::ZERO, Licence::default()), Some(Gesture::default()));
        assert_eq!(after(&quiet, Score::ZERO, both), Some(Gesture { draw: true, resign: false }));
        assert_eq!(after(&Board::startpos(), Score::ZERO, both), Some(Gesture::default()));
        assert_eq!(after(&quiet, Score::mated_in(8), both), Some(Gesture { draw: false, resign: true }));
        assert_eq!(after(&quiet, Score::mated_in(8), Licence::default()), Some(Gesture::default()));
        assert_eq!(after(&quiet, Score::rule_loss(2), both), Some(Gesture::default()));
    }
}
