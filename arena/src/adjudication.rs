//! Ending games early when the scores of both sides have agreed for long enough.

use chuhe_movegen::Color;
use chuhe_protocol::Score;
use serde::{Deserialize, Serialize};

/// When scores end a game. Nothing set: never.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// When a game is won.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub win: Option<WinByScore>,
    /// When a game is drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawByScore>,
}

/// A game is won when both sides say that the same side is ahead by so much.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WinByScore {
    /// At least this score, in hundredths. A mate is beyond every score.
    pub score: u32,
    /// For so many moves of each side in a row.
    pub moves: u32,
}

/// A game is drawn when both sides say that it is even.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawByScore {
    /// At most this score either way, in hundredths.
    pub score: u32,
    /// For so many moves of each side in a row.
    pub moves: u32,
    /// Not before the game has this many half-moves, the opening's among them.
    pub from_ply: u32,
}

/// What the scores have agreed on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Agreed {
    /// This side wins.
    Win(Color, WinByScore),
    /// Nobody does.
    Draw(DrawByScore),
}

/// Follows the scores of a game.
#[derive(Clone, Debug)]
pub(crate) struct ScoreKeeper {
    rules: Adjudication,
    /// Half-moves in a row that claim a win of Red, of Black.
    wins: [u32; Color::NUM],
    /// Half-moves in a row that claim a draw.
    draws: u32,
}

impl ScoreKeeper {
    pub(crate) fn new(rules: Adjudication) -> ScoreKeeper {
        ScoreKeeper { rules, wins: [0; Color::NUM], draws: 0 }
    }

    /// Takes the score that `mover` gave with the half-move that made `plies` of them. A move without a score agrees
    /// with nothing.
    pub(crate) fn add(&mut self, mover: Color, score: Option<Score>, plies: usize) -> Option<Agreed> {
        let score = score.map(|score| match score {
            Score::Cp(score) => i64::from(score),
            // The mover is mated when the number is zero or negative.
            Score::Mate(1..) => i64::MAX,
            Score::Mate(_) => -i64::MAX,
        });
        let Adjudication { win, draw } = self.rules;
        if let Some(rule) = win {
            for winner in Color::ALL {
                let claims = score.is_some_and(|score| {
                    let score = if winner == mover { score } else { score.saturating_neg() };
                    score >= i64::from(rule.score)
                });
                if count(&mut self.wins[winner.index()], claims, rule.moves) {
                    return Some(Agreed::Win(winner, rule));
                }
            }
        }
        let rule = draw?;
        let claims = score.is_some_and(|score| score.unsigned_abs() <= u64::from(rule.score));
        let agreed = count(&mut self.draws, claims, rule.moves) && plies >= rule.from_ply as usize;
        agreed.then_some(Agreed::Draw(rule))
    }
}

/// Counts half-moves in a row; whether there are as many as `moves` of each side.
fn count(run: &mut u32, claims: bool, moves: u32) -> bool {
    *run = if claims { run.saturating_add(1) } else { 0 };
    claims && *run >= moves.max(1).saturating_mul(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIN: WinByScore = WinByScore { score: 500, moves: 2 };
    const DRAW: DrawByScore = DrawByScore { score: 20, moves: 2, from_ply: 8 };

    /// Feeds scores from each mover's view, Red first; the half-move at which they agree.
    fn first(scores: &[Option<Score>]) -> Option<(usize, Agreed)> {
        let mut keeper = ScoreKeeper::new(Adjudication { win: Some(WIN), draw: Some(DRAW) });
        scores
            .iter()
            .enumerate()
            .find_map(|(index, &score)| Some((index + 1, keeper.add(Color::ALL[index % 2], score, index + 1)?)))
    }

    fn cp(scores: &[i32]) -> Vec<Option<Score>> {
        scores.iter().map(|&score| Some(Score::Cp(score))).collect()
    }

    #[test]
    fn both_sides_must_see_the_same_winner_for_so_many_moves_each() {
        assert_eq!(first(&cp(&[500, -500, 500, -500])), Some((4, Agreed::Win(Color::Red, WIN))));
        assert_eq!(first(&cp(&[-900, 700, -500, 501])), Some((4, Agreed::Win(Color::Black, WIN))));
        assert_eq!(first(&cp(&[500, -500, 500, -499, 500, -500, 500])), None, "interrupted");
        assert_eq!(first(&cp(&[500, 500, 500, 500])), None, "each claims to win");
        assert_eq!(first(&cp(&[500, -500, 500])), None);
    }

    #[test]
    fn a_mate_is_beyond_every_score() {
        let mate = |plies| Some(Score::Mate(plies));
        assert_eq!(first(&[mate(3), mate(-2), mate(2), mate(0)]), Some((4, Agreed::Win(Color::Red, WIN))));
        assert_eq!(first(&[mate(-3), mate(2), mate(-2), mate(1)]), Some((4, Agreed::Win(Color::Black, WIN))));
    }

    #[test]
    fn even_scores_draw_from_a_ply_on() {
        assert_eq!(first(&cp(&[0, 20, -20, 5, 0, 0, 0])), None, "too early");
        assert_eq!(first(&cp(&[0, 20, -20, 5, 0, 0, 0, 0])), Some((8, Agreed::Draw(DRAW))));
        assert_eq!(first(&cp(&[0, 0, 0, 0, 0, 21, 0, 0, 0])), None);
        assert_eq!(first(&cp(&[0, 0, 0, 0, 0, 21, 0, 0, 0, 0])), Some((10, Agreed::Draw(DRAW))));
    }

    #[test]
    fn a_move_without_a_score_agrees_with_nothing() {
        let mut scores = cp(&[500, -500, 500, -500]);
        scores[2] = None;
        assert_eq!(first(&scores), None);
        assert_eq!(first(&[None; 40]), None);
    }

    #[test]
    fn nothing_set_never_ends_a_game() {
        let mut keeper = ScoreKeeper::new(Adjudication::default());
        for ply in 1..100 {
            assert_eq!(keeper.add(Color::ALL[(ply + 1) % 2], Some(Score::Mate(1)), ply), None);
        }
    }
}
