//! When a game is broken off because both sides agree on its result, or because the result is known.

use chuhe_endgame::{Tables, Value};
use chuhe_movegen::{Board, Color};
use chuhe_rules::NATURAL_LIMIT;

use crate::data::game::{Adjudication, Verdict};

/// Watches the scores of a game.
#[derive(Clone, Debug)]
pub(super) struct Adjudicator<'a> {
    rules: &'a Adjudication,
    /// Plies in a row that Red was winning.
    red_wins: u32,
    /// Plies in a row that Black was winning.
    black_wins: u32,
    /// Plies in a row that nobody was ahead.
    level: u32,
    /// Plies in a row without a capture in which nobody was far ahead.
    quiet: u32,
}

impl<'a> Adjudicator<'a> {
    /// Nothing seen yet.
    pub(super) fn new(rules: &'a Adjudication) -> Adjudicator<'a> {
        Adjudicator { rules, red_wins: 0, black_wins: 0, level: 0, quiet: 0 }
    }

    /// Takes the score *for Red* of the next ply, which is the given one of the game, and whether its move captures.
    /// Gives the verdict and the loser when the game is to be broken off.
    pub(super) fn see(&mut self, ply: u32, red_score: i32, is_capture: bool) -> Option<(Verdict, Option<Color>)> {
        let rules = self.rules;
        let count = |holds: bool, from: u32, before: u32| if holds && ply >= from { before + 1 } else { 0 };
        self.red_wins = count(red_score >= rules.win_score, rules.win_from_ply, self.red_wins);
        self.black_wins = count(-red_score >= rules.win_score, rules.win_from_ply, self.black_wins);
        self.level = count(red_score.abs() <= rules.draw_score, rules.draw_from_ply, self.level);
        let is_quiet = !is_capture && red_score.abs() <= rules.quiet_score;
        self.quiet = count(is_quiet, 0, self.quiet);
        if self.red_wins >= rules.win_plies {
            Some((Verdict::AdjudicatedWin, Some(Color::Black)))
        } else if self.black_wins >= rules.win_plies {
            Some((Verdict::AdjudicatedWin, Some(Color::Red)))
        } else if self.level >= rules.draw_plies || (rules.quiet_plies > 0 && self.quiet >= rules.quiet_plies) {
            Some((Verdict::AdjudicatedDraw, None))
        } else {
            None
        }
    }
}

/// The verdict of the tables and the loser, just after a capture: then nothing that happened before matters.
pub(super) fn known_result(tables: &Tables, board: &Board) -> Option<(Verdict, Option<Color>)> {
    if board.halfmove_clock() > 0 {
        return None;
    }
    let probe = tables.probe_value(board)?;
    let loser = match probe.value {
        Value::Draw => return Some((Verdict::AdjudicatedDraw, None)),
        Value::Win => !board.side_to_move(),
        Value::Loss => board.side_to_move(),
        Value::RulesDecide => return None,
    };
    (probe.longest < NATURAL_LIMIT).then_some((Verdict::AdjudicatedWin, Some(loser)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capture_into_a_known_endgame_has_its_result() {
        let result = |fen: &str| known_result(&Tables::embedded(), &Board::from_fen(fen).unwrap());
        // 单车对士象全 is a draw; 单车对单马 is won by the rook in most positions, and left to the rules in others.
        assert_eq!(result("2bak1b2/4a4/9/9/9/9/9/9/4R4/3K5 w - - 0 9"), Some((Verdict::AdjudicatedDraw, None)));
        assert_eq!(result("2bak1b2/4a4/9/9/9/9/9/9/4R4/3K5 w - - 1 9"), None, "no capture");
        let win = Some((Verdict::AdjudicatedWin, Some(Color::Black)));
        assert_eq!(result("3k5/9/9/9/9/9/9/9/4R4/4K4 b - - 0 9"), win);
        assert_eq!(result("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"), None);
    }

    /// The ply at which a game with these scores for Red is broken off, and how.
    fn end(first: u32, scores: impl IntoIterator<Item = i32>) -> Option<(u32, Verdict, Option<Color>)> {
        let rules = Adjudication::default();
        let mut adjudicator = Adjudicator::new(&rules);
        let mut plies = (first..).zip(scores);
        plies.find_map(|(ply, score)| adjudicator.see(ply, score, false).map(|(verdict, loser)| (ply, verdict, loser)))
    }

    #[test]
    fn both_sides_must_agree_for_long_enough() {
        let win = |ply, loser| Some((ply, Verdict::AdjudicatedWin, Some(loser)));
        assert_eq!(end(40, [1500; 9]), win(43, Color::Black));
        assert_eq!(end(40, [-1500; 9]), win(43, Color::Red));
        assert_eq!(end(40, [1500, 1500, 1500, 1499, 1500, 1500, 1500, 1499]), None);
        // A score with the wrong sign is no agreement: each side thinks that it wins.
        assert_eq!(end(40, [1600, -1600, 1600, -1600, 1600, -1600]), None);
        assert_eq!(end(30, [2000; 20]), win(43, Color::Black), "not before ply 40");
    }

    #[test]
    fn draws_take_longer_and_come_later() {
        let draw = |ply| Some((ply, Verdict::AdjudicatedDraw, None));
        assert_eq!(end(80, [10, -10].into_iter().cycle().take(20)), draw(91));
        assert_eq!(end(80, [0; 11].into_iter().chain([11]).chain([0; 11])), None);
        assert_eq!(end(0, [0; 200]), draw(65), "the scores say more than 66 quiet plies only from ply 80 on");
    }

    #[test]
    fn a_game_in_which_nothing_happens_is_drawn_though_one_side_is_a_little_ahead() {
        let draw = |ply| Some((ply, Verdict::AdjudicatedDraw, None));
        assert_eq!(end(20, [250; 66]), draw(85));
        assert_eq!(end(20, [250; 65].into_iter().chain([301]).chain([250; 65])), None);
        let rules = Adjudication::default();
        let mut adjudicator = Adjudicator::new(&rules);
        let captures = (0..200).filter(|ply| adjudicator.see(*ply, 200, ply % 60 == 0).is_some());
        assert_eq!(captures.count(), 0, "a capture begins the count anew");
        let older = Adjudication { quiet_plies: 0, ..Adjudication::default() };
        let mut adjudicator = Adjudicator::new(&older);
        assert!((0..200).all(|ply| adjudicator.see(ply, 200, false).is_none()), "files of older rules");
    }
}
