//! All that was found out about a game.

use chuhe_movegen::{Board, Color, Move};
use chuhe_records::{GameResult, Tags};
use chuhe_rules::{Ending, Game, Ruling};

use crate::{Chances, Decision, Judgement, Kill, Opening, PositionAnalysis, Score, accuracy};

/// Scores beyond this count as this much in [`PlayerSummary::average_cp_loss`]: in a won position hundreds more or less
/// say nothing about a move.
const CP_LIMIT: i32 = 1000;

/// A game, analyzed.
#[derive(Clone, Debug)]
pub struct GameAnalysis {
    /// What its record says about it: players, event, date.
    pub tags: Tags,
    /// The result that its record states.
    pub result: GameResult,
    /// The position before the first move.
    pub start: Board,
    /// The moves of the main line, all legal; side by side with what is known of them.
    pub moves: Vec<MoveAnalysis>,
    /// What the engine thinks of the last position; `None` when the game is over there.
    pub last_position: Option<PositionAnalysis>,
    /// How each side played, Red first.
    pub players: [PlayerSummary; Color::NUM],
    /// What the rules say of the game and its repetition. Its own account of how the game ended is that of an arbiter, who
    /// stops it there; records go on, see [`GameAnalysis::ended_by`].
    pub ruling: Ruling,
    /// How the game ended with its last move, if it did.
    pub ended_by: Option<Ending>,
    /// What is wrong with the record, if it is not whole: the moves are those that could be read before that.
    pub damage: Option<String>,
    /// The opening, when it has a name.
    pub opening: Option<&'static Opening>,
    /// What the final mate is called (杀法), the most telling name first; none when the game did not end so, or the mate
    /// has no name.
    pub kills: Vec<Kill>,
}

impl GameAnalysis {
    /// The game itself.
    #[must_use]
    pub fn game(&self) -> Game {
        let mut game = Game::new(self.start.clone());
        // The moves have been played once, so that there is no illegal one among them.
        let _ = self.moves.iter().try_for_each(|played| game.play(played.mv));
        game
    }

    /// Moves after which the rules of repetition would have ended the game, had the record not gone on.
    #[must_use]
    pub fn played_through(&self) -> Option<usize> {
        let is_repetition = |ending| matches!(ending, Some(Ending::Repetition(_)));
        let by_rule = is_repetition(self.ruling.ended_by) && !is_repetition(self.ended_by);
        self.ruling.over_after.filter(|&moves| by_rule && moves < self.moves.len())
    }

    /// How one side played.
    #[must_use]
    pub const fn player(&self, color: Color) -> &PlayerSummary {
        &self.players[color as usize]
    }
}

/// A move of the game and what is known of it. Scores and chances are the mover's.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveAnalysis {
    /// The move.
    pub mv: Move,
    /// Who made it.
    pub mover: Color,
    /// What the engine found in the position before it: the mover's best lines.
    pub before: PositionAnalysis,
    /// The score of the move itself: of its line when it is the best one, else of the search of the position after it, as
    /// also where the rules of repetition would have ended the game and the record went on.
    pub score: Score,
    /// The chances that this score stands for.
    pub chances: Chances,
    /// Win probability lost against the best move, 0 to 1.
    pub loss: f64,
    /// What that is called; a move of an opening book is good at worst.
    pub judgement: Judgement,
    /// What the move did about a mate on the board.
    pub mate: Option<MateNote>,
    /// Whether an opening book knows it.
    pub is_book: bool,
    /// Whether there was no other legal move.
    pub is_forced: bool,
}

impl MoveAnalysis {
    /// The score of the move as Red sees it, whoever made it.
    #[must_use]
    pub const fn red_score(&self) -> Score {
        match self.mover {
            Color::Red => self.score,
            Color::Black => self.score.seen_by_other(),
        }
    }

    /// The chances after the move as Red sees them, whoever made it.
    #[must_use]
    pub const fn red_chances(&self) -> Chances {
        match self.mover {
            Color::Red => self.chances,
            Color::Black => self.chances.seen_by_other(),
        }
    }

    /// Hundredths of [`Score::Cp`] lost against the best move, scores counted within ±1000.
    #[must_use]
    pub fn cp_loss(&self) -> i32 {
        match self.before.best() {
            Some(best) if self.judgement != Judgement::Best => {
                (best.score.capped_cp(CP_LIMIT) - self.score.capped_cp(CP_LIMIT)).max(0)
            }
            _ => 0,
        }
    }
}

/// What a move did about a mate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MateNote {
    /// There was a mate, and the move keeps it; in so many moves of the mover, this one included.
    Found(u32),
    /// There was a mate in so many moves of the mover, and after the move there is none.
    Missed(u32),
    /// The mover could still fight; after the move it is mated in so many moves of the opponent.
    Allowed(u32),
}

impl MateNote {
    /// What is to be noted when the best move is worth `best` to the mover and the one played `played`.
    pub(crate) fn new(best: Score, played: Score) -> Option<MateNote> {
        // The mover's moves to a mate by it, this one included, and the opponent's to a mate by him.
        let mates = |score| match score {
            Score::Win { by: Decision::Mate, plies } => Some(plies.div_ceil(2)),
            _ => None,
        };
        let is_mated = |score: Score| mates(score.seen_by_other());
        match (mates(best), mates(played), is_mated(played)) {
            (_, Some(moves), _) => Some(MateNote::Found(moves)),
            (Some(moves), None, _) => Some(MateNote::Missed(moves)),
            (None, None, Some(moves)) if is_mated(best).is_none() => Some(MateNote::Allowed(moves)),
            _ => None,
        }
    }
}

/// How one side played.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PlayerSummary {
    /// Its moves.
    pub moves: u32,
    /// Those of them where it had a choice; the means are over these.
    pub choices: u32,
    /// Mean accuracy of a move in percent ([`crate::accuracy`]); `None` without a choice.
    pub accuracy: Option<f64>,
    /// Mean win probability lost by a move, 0 to 1.
    pub average_loss: Option<f64>,
    /// Mean loss of a move in hundredths of [`Score::Cp`], scores counted within ±1000.
    pub average_cp_loss: Option<f64>,
    /// How many moves were best, good, inaccuracies, mistakes and blunders, in the order of [`Judgement::ALL`].
    pub judgements: [u32; Judgement::ALL.len()],
    /// Moves that an opening book knows.
    pub book_moves: u32,
    /// Mates that were on the board and missed.
    pub missed_mates: u32,
}

impl PlayerSummary {
    /// Sums up the moves of one side.
    pub(crate) fn of<'a>(moves: impl Iterator<Item = &'a MoveAnalysis>) -> PlayerSummary {
        let mut summary = PlayerSummary::default();
        let (mut accuracies, mut losses, mut cp_losses) = (0.0, 0.0, 0.0);
        for played in moves {
            summary.moves += 1;
            summary.judgements[played.judgement as usize] += 1;
            summary.book_moves += u32::from(played.is_book);
            summary.missed_mates += u32::from(matches!(played.mate, Some(MateNote::Missed(_))));
            if !played.is_forced {
                summary.choices += 1;
                accuracies += accuracy(played.loss);
                losses += played.loss;
                cp_losses += f64::from(played.cp_loss());
            }
        }
        let mean = |sum: f64| (summary.choices > 0).then(|| sum / f64::from(summary.choices));
        summary.accuracy = mean(accuracies);
        summary.average_loss = mean(losses);
        summary.average_cp_loss = mean(cp_losses);
        summary
    }

    /// How many moves were judged so.
    #[must_use]
    pub const fn count(&self, judgement: Judgement) -> u32 {
        self.judgements[judgement as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_of_mates() {
        let win = |plies| Score::Win { by: Decision::Mate, plies };
        let loss = |plies| Score::Loss { by: Decision::Mate, plies };
        let by_rule = Score::Loss { by: Decision::Rule, plies: 2 };
        for (best, played, note) in [
            (win(5), win(5), Some(MateNote::Found(3))),
            (win(5), win(9), Some(MateNote::Found(5))),
            // The search after the move has seen more than the one before it.
            (Score::Cp(300), win(7), Some(MateNote::Found(4))),
            (win(1), Score::Cp(900), Some(MateNote::Missed(1))),
            (win(1), loss(2), Some(MateNote::Missed(1))),
            (Score::Cp(-300), loss(6), Some(MateNote::Allowed(3))),
            (by_rule, loss(6), Some(MateNote::Allowed(3))),
            (loss(8), loss(6), None),
            (loss(8), Score::Cp(0), None),
            (Score::Cp(10), by_rule, None),
        ] {
            assert_eq!(MateNote::new(best, played), note, "{best:?} {played:?}");
        }
    }
}
