//! The line of play a search thread stands on.

use chuhe_movegen::{Board, Move};

use crate::judge::judge_cycle;
use crate::repetition::{Judgement, find_cycle};
use crate::{Game, Ply, RuleSet};

/// Slots of the key filter; a power of two well above the plies that can matter.
const FILTER: usize = 1 << 12;

/// A growing and shrinking line of plies: the game's tail since its last capture, then the moves of the search.
///
/// A counting filter over the low bits of the keys answers "never seen" in one load, so that the walk back through
/// the plies is rare. Source of the idea: Pikafish's key filter.
#[derive(Clone, Debug)]
pub struct Line {
    plies: Vec<Ply>,
    filter: Box<[u8]>,
    root: usize,
}

impl Line {
    /// The line of a game up to now, with room for `depth` further plies without allocation.
    pub fn new(game: &Game, depth: usize) -> Line {
        let mut line = Line { plies: Vec::new(), filter: vec![0; FILTER].into_boxed_slice(), root: 0 };
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
    /// that recurs within the search is judged at its second time already, since the search could repeat it again; one
    /// that was there only once, before the root, is not: the game has not come to that yet.
    ///
    /// Mate threats and gains through checks or exchanges, which the Chinese rules punish, are not searched for here.
    #[inline]
    pub fn repetition(&self, rules: &RuleSet) -> Option<Recurrence> {
        let seen = self.filter[self.board().key() as usize % FILTER];
        if seen < 2 { None } else { self.judge_repetition(rules, seen) }
    }

    /// The walk back that the filter makes rare. `seen` is how often the position may have been there.
    fn judge_repetition(&self, rules: &RuleSet, seen: u8) -> Option<Recurrence> {
        let second = find_cycle(&self.plies, 0)?.first;
        let earlier = if seen < 3 { None } else { find_cycle(&self.plies[..=second], 0) };
        let first = match earlier {
            Some(cycle) => cycle.first,
            None if second >= self.root => second,
            None => return None,
        };
        Some(Recurrence { judgement: judge_cycle(&self.plies, first, &rules.in_search()), first })
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
        // A rook chases a bare cannon, case axf-d-017.
        let fen = "2ba1k3/4a4/b8/7R1/9/9/1r2p4/9/4A4/2B1KAB1c w - - 0 1";
        let moves = "h6i6 i0h0 i6h6 h0i0";
        for rules in [RuleSet::COMPUTER, RuleSet::ASIAN, RuleSet::CHINESE] {
            assert_eq!(judged(fen, moves, &rules), Some(Judgement::Loses(Color::Red)), "{rules}");
        }
        assert_eq!(judged(fen, moves, &RuleSet::CHECK_ONLY), Some(Judgement::Draw));
    }

    #[test]
    fn mate_threats_draw_in_the_search() {
        // Case axf-d-006: forbidden by the Chinese rules, but not looked for here.
        let fen = "3ak1b2/4a4/4b4/r3C2R1/p8/9/P8/4p4/4p4/5K3 w - - 0 1";
        assert_eq!(judged(fen, "h6g6 g9i7 g6h6 i7g9", &RuleSet::CHINESE), Some(Judgement::Draw));
    }

    #[test]
    fn what_was_there_before_the_root_counts_at_the_third_time() {
        let fen = "2ba1k3/4a4/b8/7R1/9/9/1r2p4/9/4A4/2B1KAB1c w - - 0 1";
        let mut game = Game::new(Board::from_fen(fen).unwrap());
        for mv in ["h6i6", "i0h0", "i6h6"] {
            game.play(mv.parse().unwrap()).unwrap();
        }
        let mut line = Line::new(&game, 8);
        for mv in ["h0i0", "h6i6", "i0h0"] {
            line.push(mv.parse().unwrap());
            assert_eq!(line.repetition(&RuleSet::ASIAN), None, "{mv}");
        }
        // The root itself comes again: that is within the search.
        line.push("i6h6".parse().unwrap());
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
