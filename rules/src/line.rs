//! The line of play a search thread stands on.

use chuhe_movegen::{Board, Move};

use crate::judge::{judge_in_search, judge_once};
use crate::repetition::{Judgement, find_cycle};
use crate::{Game, Ply, RuleSet};

/// Slots of the key filter; a power of two well above the plies that can matter.
const FILTER: usize = 1 << 12;
/// Rounds that a line remembers the judgement of; a power of two.
const ROUNDS: usize = 1 << 9;

/// A growing and shrinking line of plies: the game's tail since its last capture, then the moves of the search.
///
/// A counting filter over the low bits of the keys answers "never seen" in one load, so that the walk back through
/// the plies is rare. Source of the idea: Pikafish's key filter.
#[derive(Clone, Debug)]
pub struct Line {
    plies: Vec<Ply>,
    filter: Box<[u8]>,
    root: usize,
    /// Rounds judged at the second occurrence of their position: a search comes by the same ones again and again.
    rounds: Box<[Option<JudgedRound>]>,
    /// The rules they were judged by.
    judged_by: &'static str,
}

/// A round, by a number made of the keys of its positions, and what comes of it.
#[derive(Clone, Copy, Debug)]
struct JudgedRound {
    number: u64,
    judgement: Option<Judgement>,
}

impl Line {
    /// The line of a game up to now, with room for `depth` further plies without allocation.
    pub fn new(game: &Game, depth: usize) -> Line {
        let mut line = Line {
            plies: Vec::new(),
            filter: vec![0; FILTER].into_boxed_slice(),
            root: 0,
            rounds: vec![None; ROUNDS].into_boxed_slice(),
            judged_by: "",
        };
        line.reset(game, depth);
        line
    }

    /// Starts again from a game, keeping allocated memory.
    pub fn reset(&mut self, game: &Game, depth: usize) {
        let tail = game.reversible_tail();
        self.plies.clear();
        self.plies.reserve(tail.len() + depth);
        self.filter.fill(0);
        for ply in tail {
            self.count(ply.board.key(), true);
            self.plies.push(ply.clone());
        }
        self.root = self.plies.len() - 1;
    }

    #[inline]
    fn count(&mut self, key: u64, add: bool) {
        let slot = &mut self.filter[key as usize % FILTER];
        // A slot that ever saturates stays so: the filter may only err towards "seen".
        if *slot != u8::MAX {
            *slot = if add { *slot + 1 } else { slot.saturating_sub(1) };
        }
    }

    /// The position at the end of the line.
    #[inline]
    pub fn board(&self) -> &Board {
        // A line is never empty: the root is never popped.
        &self.plies[self.plies.len() - 1].board
    }

    /// All plies, oldest first.
    #[inline]
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// Index of the last ply.
    #[inline]
    pub fn last(&self) -> usize {
        self.plies.len() - 1
    }

    /// Plies since the root of the search.
    #[inline]
    pub fn height(&self) -> usize {
        self.plies.len() - 1 - self.root
    }

    /// Makes a legal move.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        let ply = Ply::after(self.board(), mv);
        self.count(ply.board.key(), true);
        self.plies.push(ply);
    }

    /// Passes the turn; repetitions are not sought across it.
    #[inline]
    pub fn push_null(&mut self) {
        let ply = Ply::start(self.board().make_null());
        self.count(ply.board.key(), true);
        self.plies.push(ply);
    }

    /// Takes back the last move of the search; the root stays.
    #[inline]
    pub fn pop(&mut self) {
        if self.height() > 0
            && let Some(ply) = self.plies.pop()
        {
            self.count(ply.board.key(), false);
        }
    }

    /// The repetition that ends the line, judged, if there is one to be judged.
    ///
    /// A position that comes for the third time is ruled on as the game would be, by all the moves since the first. One
    /// that recurs within the search is judged at its second time already, since the search could repeat it again; but not
    /// if the side that would lose might escape by mixing this way of repeating with another one: then the search has to go
    /// on. One that was there only once, before the root, is not judged either: the game has not come to that yet.
    ///
    /// Mate threats and gains through checks or exchanges, which the Chinese rules punish, are looked for only in so far as
    /// they may save a side from losing.
    #[inline]
    pub fn repetition(&mut self, rules: &RuleSet) -> Option<Recurrence> {
        let seen = self.filter[self.board().key() as usize % FILTER];
        if seen < 2 { None } else { self.judge_repetition(rules, seen) }
    }

    /// The walk back that the filter makes rare. `seen` is how often the position may have been there.
    fn judge_repetition(&mut self, rules: &RuleSet, seen: u8) -> Option<Recurrence> {
        let second = find_cycle(&self.plies, 0)?.first;
        let earlier = if seen < 3 { None } else { find_cycle(&self.plies[..=second], 0) };
        let (judgement, first) = match earlier {
            Some(cycle) => (judge_in_search(&self.plies[cycle.first..], rules), cycle.first),
            None if second >= self.root => (self.judge_round(second, rules)?, second),
            None => return None,
        };
        Some(Recurrence { judgement, first })
    }

    /// Judges the round that the line ends with, from the ply with this index on.
    fn judge_round(&mut self, first: usize, rules: &RuleSet) -> Option<Judgement> {
        if self.judged_by != rules.name() {
            self.rounds.fill(None);
            self.judged_by = rules.name();
        }
        let round = &self.plies[first..];
        let number = round
            .iter()
            .fold(0, |number: u64, ply| (number.rotate_left(25) ^ ply.board.key()).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let slot = &mut self.rounds[(number >> 32) as usize % ROUNDS];
        match slot {
            Some(known) if known.number == number => known.judgement,
            _ => {
                let judgement = judge_once(round, rules);
                *slot = Some(JudgedRound { number, judgement });
                judgement
            }
        }
    }
}

/// A repetition at the end of a [`Line`], judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recurrence {
    /// Who loses, if anybody.
    pub judgement: Judgement,
    /// Index in the line of the ply that the judged moves begin after. What the judgement is worth hangs on the path
    /// from there.
    pub first: usize,
}

#[cfg(test)]
mod tests {
    use chuhe_movegen::Color;

    use super::*;

    /// A perpetual chase by a piece that has nothing else to attack.
    const HORSE_AND_PAWN: (&str, &str) = ("3k5/9/9/9/9/2N6/9/2p6/9/4K4 w - - 0 1", "c4a3 c2d2 a3c4 d2c2");

    fn judged(fen: &str, moves: &str, rules: &RuleSet) -> Option<Judgement> {
        let mut line = Line::new(&Game::new(Board::from_fen(fen).unwrap()), 16);
        for mv in moves.split_whitespace() {
            assert_eq!(line.repetition(rules), None, "before {mv}");
            line.push(mv.parse().unwrap());
        }
        line.repetition(rules).map(|recurrence| recurrence.judgement)
    }

    #[test]
    fn a_repetition_within_the_search_is_judged_at_once() {
        // A horse chases a pawn, and can do no other harm.
        let (fen, moves) = HORSE_AND_PAWN;
        for rules in [RuleSet::COMPUTER, RuleSet::ASIAN, RuleSet::CHINESE] {
            assert_eq!(judged(fen, moves, &rules), Some(Judgement::Loses(Color::Red)), "{rules}");
        }
        assert_eq!(judged(fen, moves, &RuleSet::CHECK_ONLY), Some(Judgement::Draw));
    }

    /// World Xiangqi Federation rule 12: a rook may check and chase in turn, though neither may be all it does.
    #[test]
    fn a_loss_from_which_a_mixture_escapes_is_not_final() {
        let fen = "3aka3/4n4/9/9/9/9/2C6/9/6r2/3AK4 b - - 0 1";
        let (chase, check) = ("g1c1 c3g3 c1g1 g3c3", "g1g0 e0e1 g0g1 e1e0");
        for rules in [RuleSet::COMPUTER, RuleSet::ASIAN] {
            for once in [chase, check] {
                assert_eq!(judged(fen, once, &rules), None, "{once} under {rules}");
            }
            for both in [format!("{chase} {check}"), format!("{check} {chase}")] {
                assert_eq!(judged(fen, &both, &rules), Some(Judgement::Draw), "{both} under {rules}");
            }
            for again in [chase, check] {
                let again = format!("{again} {again}");
                assert_eq!(judged(fen, &again, &rules), Some(Judgement::Loses(Color::Black)), "{again} under {rules}");
            }
        }
        // Where only checks are forbidden there is nothing to mix. By the Chinese rules Red threatens mate with every move, and
        // what both sides do is as bad unless Black checks all the time.
        assert_eq!(judged(fen, check, &RuleSet::CHECK_ONLY), Some(Judgement::Loses(Color::Black)));
        assert_eq!(judged(fen, chase, &RuleSet::CHINESE), Some(Judgement::Draw));
        assert_eq!(judged(fen, check, &RuleSet::CHINESE), None);
    }

    /// The rook that checks for ever could attack the cannon, too, but has no time for it.
    #[test]
    fn who_is_mated_at_once_cannot_mix() {
        let checks = "f4e4 e9f9 e4f4 f9e9";
        for (fen, expected) in [
            ("4k4/9/9/9/8c/5R3/9/9/9/3K5 w - - 0 1", None),
            ("4k4/9/9/9/8c/5R3/9/1r7/r8/3K5 w - - 0 1", Some(Judgement::Loses(Color::Red))),
        ] {
            assert_eq!(judged(fen, checks, &RuleSet::ASIAN), expected, "{fen}");
        }
    }

    #[test]
    fn mate_threats_draw_in_the_search() {
        // Case axf-d-006: forbidden by the Chinese rules, but not looked for here.
        let fen = "3ak1b2/4a4/4b4/r3C2R1/p8/9/P8/4p4/4p4/5K3 w - - 0 1";
        assert_eq!(judged(fen, "h6g6 g9i7 g6h6 i7g9", &RuleSet::CHINESE), Some(Judgement::Draw));
    }

    #[test]
    fn what_was_there_before_the_root_counts_at_the_third_time() {
        let (fen, moves) = HORSE_AND_PAWN;
        let moves: Vec<Move> = moves.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
        let mut game = Game::new(Board::from_fen(fen).unwrap());
        for &mv in &moves[..3] {
            game.play(mv).unwrap();
        }
        let mut line = Line::new(&game, 8);
        for mv in [moves[3], moves[0], moves[1]] {
            line.push(mv);
            assert_eq!(line.repetition(&RuleSet::ASIAN), None, "{mv}");
        }
        // The root itself comes again: that is within the search.
        line.push(moves[2]);
        let recurrence = Recurrence { judgement: Judgement::Loses(Color::Red), first: 3 };
        assert_eq!(line.repetition(&RuleSet::ASIAN), Some(recurrence));
    }

    #[test]
    fn a_third_occurrence_is_ruled_on_by_all_the_moves_since_the_first() {
        // As before, but Red's first loop chased with one move only: under the rules nobody is at fault then.
        let fen = "2ba1k3/4a4/b8/7R1/9/9/1r2p4/9/4A4/2B1KAB1c w - - 0 1";
        let mut game = Game::new(Board::from_fen(fen).unwrap());
        for mv in ["h6h5", "e8d7", "h5h6", "d7e8"] {
            game.play(mv.parse().unwrap()).unwrap();
        }
        let mut line = Line::new(&game, 8);
        for mv in ["h6i6", "i0h0", "i6h6", "h0i0"] {
            assert_eq!(line.repetition(&RuleSet::ASIAN), None, "{mv}");
            line.push(mv.parse().unwrap());
        }
        assert_eq!(line.repetition(&RuleSet::ASIAN), Some(Recurrence { judgement: Judgement::Draw, first: 0 }));
    }
}
