//! A game: a start position and the legal moves played from it.

use chuhe_movegen::{Board, Color, IllegalMove, Move, MoveList};

use crate::judge::judge_cycle;
use crate::limits::NATURAL_LIMIT;
use crate::repetition::{Judgement, find_cycle, recurring_keys};
use crate::{Ply, RuleSet, is_dead_material};

/// A validated game. It always has at least its start position.
#[derive(Clone, Debug)]
pub struct Game {
    plies: Vec<Ply>,
}

/// How a game stands after its last move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The side has no legal move and is in check (将死): it has lost.
    Checkmate(Color),
    /// The side has no legal move and is not in check (困毙): it has lost.
    Stalemate(Color),
    /// A position has come for the third time, and this is what the rules say.
    Repetition(Judgement),
    /// The natural limit of moves without a capture is reached: a draw.
    NaturalLimit,
    /// Nobody can win: a draw.
    DeadMaterial,
}

impl Ending {
    /// What it is called in results for programs: `checkmate`, `natural_limit`.
    pub const fn name(&self) -> &'static str {
        match self {
            Ending::Checkmate(_) => "checkmate",
            Ending::Stalemate(_) => "stalemate",
            Ending::Repetition(_) => "repetition",
            Ending::NaturalLimit => "natural_limit",
            Ending::DeadMaterial => "dead_material",
        }
    }

    /// Who has lost; `None` for a draw.
    pub fn loser(&self) -> Option<Color> {
        match *self {
            Ending::Checkmate(color) | Ending::Stalemate(color) | Ending::Repetition(Judgement::Loses(color)) => {
                Some(color)
            }
            _ => None,
        }
    }
}

impl Game {
    /// A game that starts from `board`.
    pub fn new(board: Board) -> Game {
        Game { plies: vec![Ply::start(board)] }
    }

    /// The current position.
    pub fn board(&self) -> &Board {
        &self.plies[self.plies.len() - 1].board
    }

    /// The start position.
    pub fn start(&self) -> &Board {
        &self.plies[0].board
    }

    /// All plies, the start position first.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The moves played.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.plies.iter().filter_map(|ply| ply.mv)
    }

    /// Plays a move.
    ///
    /// # Errors
    /// [`IllegalMove`]; the game stays as it was.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let board = self.board();
        let captured = board.piece_at(mv.to());
        let ply = Ply { board: board.play(mv)?, mv: Some(mv), captured };
        self.plies.push(ply);
        Ok(())
    }

    /// Takes the last move back and gives it; `None` at the start position.
    pub fn take_back(&mut self) -> Option<Move> {
        let mv = self.plies.last()?.mv?;
        self.plies.pop();
        Some(mv)
    }

    /// The plies since the last capture, the position it led to included: all that can still be repeated.
    pub fn reversible_tail(&self) -> &[Ply] {
        let start = self.plies.iter().rposition(Ply::is_irreversible).unwrap_or(0);
        &self.plies[start..]
    }

    /// Whether and how the game has ended under these rules.
    ///
    /// The natural limit ends it unasked, as in matches of engines. [`Game::ruling`] waits for a player's claim.
    pub fn ending(&self, rules: &RuleSet) -> Option<Ending> {
        if !self.board().has_legal_move() {
            return self.ending_without_repetition();
        }
        if let Some(second) = find_cycle(&self.plies, 0)
            && let Some(first) = find_cycle(&self.plies[..=second.first], 0)
        {
            return Some(Ending::Repetition(judge_cycle(&self.plies, first.first, rules)));
        }
        self.ending_without_repetition()
    }

    /// The moves with which the side to move would lose at once by repetition (禁着).
    pub fn losing_repetitions(&self, rules: &RuleSet) -> MoveList {
        self.completions(rules, self.board().side_to_move())
    }

    /// The moves that lose by repetition for certain: at once, or because the other side has an answer that completes
    /// the repetition.
    pub fn moves_lost_by_repetition(&self, rules: &RuleSet) -> MoveList {
        let mut lost = self.losing_repetitions(rules);
        if recurring_keys(self.reversible_tail()).is_empty() {
            return lost;
        }
        let side = self.board().side_to_move();
        for mv in self.board().legal_moves() {
            if !lost.contains(&mv)
                && !self.board().is_capture(mv)
                && !self.after(mv).completions(rules, side).is_empty()
            {
                lost.push(mv);
            }
        }
        lost
    }

    /// The moves that bring a position for the third time in a way by which `loser` loses.
    fn completions(&self, rules: &RuleSet, loser: Color) -> MoveList {
        let recurring = recurring_keys(self.reversible_tail());
        let mut completions = MoveList::new();
        if recurring.is_empty() {
            return completions;
        }
        for mv in self.board().legal_moves() {
            if recurring.contains(&self.board().make(mv).key())
                && self.after(mv).ending(rules) == Some(Ending::Repetition(Judgement::Loses(loser)))
            {
                completions.push(mv);
            }
        }
        completions
    }

    /// The game after a legal move, as far back as repetitions can reach.
    fn after(&self, mv: Move) -> Game {
        let mut plies = self.reversible_tail().to_vec();
        plies.push(Ply::after(self.board(), mv));
        Game { plies }
    }

    /// Whether the game has ended in another way than by repetition.
    fn ending_without_repetition(&self) -> Option<Ending> {
        let limit = || (self.board().halfmove_clock() >= NATURAL_LIMIT).then_some(Ending::NaturalLimit);
        self.ending_by_position().or_else(limit)
    }

    /// Whether the last position ends the game by itself: nobody need claim anything.
    pub(crate) fn ending_by_position(&self) -> Option<Ending> {
        let board = self.board();
        if !board.has_legal_move() {
            let side = board.side_to_move();
            return Some(if board.in_check() { Ending::Checkmate(side) } else { Ending::Stalemate(side) });
        }
        is_dead_material(board).then_some(Ending::DeadMaterial)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(fen: &str, moves: &str) -> Game {
        let mut game = Game::new(Board::from_fen(fen).unwrap());
        for mv in moves.split_whitespace() {
            game.play(mv.parse().unwrap()).unwrap();
        }
        game
    }

    #[test]
    fn moves_are_taken_back_to_the_start_position() {
        let mut game = play(Board::START_FEN, "h2e2 h9g7");
        assert_eq!(game.take_back(), "h9g7".parse().ok());
        assert_eq!(game.moves().collect::<Vec<_>>(), ["h2e2".parse().unwrap()]);
        assert_eq!((game.take_back(), game.take_back()), ("h2e2".parse().ok(), None));
        assert_eq!(game.board(), &Board::startpos());
    }

    #[test]
    fn perpetual_check_loses_at_the_third_occurrence() {
        // World Xiangqi Federation manual, diagram 1: the rook checks for ever.
        let fen = "c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1";
        let cycle = "h8h9 f9f8 h9h8 f8f9";
        let once = play(fen, cycle);
        assert_eq!(once.ending(&RuleSet::CHECK_ONLY), None);
        let twice = play(fen, &format!("{cycle} {cycle}"));
        assert_eq!(twice.ending(&RuleSet::CHECK_ONLY), Some(Ending::Repetition(Judgement::Loses(Color::Red))));
        assert_eq!(twice.ending(&RuleSet::ALWAYS_DRAW), Some(Ending::Repetition(Judgement::Draw)));
    }

    #[test]
    fn moves_that_lose_by_repetition_are_known_before_they_are_played() {
        // The same diagram with Black to move first: Red's own move completes the third occurrence.
        let fen = "c2a1k1R1/2c1a4/b6P1/8p/9/9/9/9/4K4/9 b - - 0 1";
        let game = play(fen, "f9f8 h9h8 f8f9 h8h9 f9f8 h9h8 f8f9");
        assert_eq!(game.losing_repetitions(&RuleSet::COMPUTER).as_slice(), ["h8h9".parse().unwrap()]);
        assert!(game.losing_repetitions(&RuleSet::ALWAYS_DRAW).is_empty());
        let once = play(fen, "f9f8 h9h8 f8f9");
        assert!(once.losing_repetitions(&RuleSet::COMPUTER).is_empty(), "the second occurrence is not judged");
        // Where Black's answer completes it, Red's move before is lost, though not forbidden.
        let fen = "c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1";
        let game = play(fen, "h8h9 f9f8 h9h8 f8f9 h8h9 f9f8");
        assert!(game.losing_repetitions(&RuleSet::COMPUTER).is_empty());
        assert_eq!(game.moves_lost_by_repetition(&RuleSet::COMPUTER).as_slice(), ["h9h8".parse().unwrap()]);
    }

    #[test]
    fn quiet_repetition_draws() {
        let cycle = "b0c2 b9c7 c2b0 c7b9";
        let game = play(Board::START_FEN, &format!("{cycle} {cycle}"));
        assert_eq!(game.ending(&RuleSet::CHECK_ONLY), Some(Ending::Repetition(Judgement::Draw)));
    }

    #[test]
    fn no_legal_move_loses_in_check_or_not() {
        let stalemate = play("3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1", "");
        assert_eq!(stalemate.ending(&RuleSet::CHECK_ONLY), Some(Ending::Stalemate(Color::Black)));
        let mate = play("3k5/9/9/9/9/9/9/9/4R4/3RK4 b - - 0 1", "");
        assert_eq!(mate.ending(&RuleSet::CHECK_ONLY), Some(Ending::Checkmate(Color::Black)));
    }

    #[test]
    fn natural_limit_and_dead_material_draw() {
        let game = play("3k5/9/9/9/9/9/9/9/R8/4K4 w - - 119 80", "a1a2");
        assert_eq!(game.ending(&RuleSet::CHECK_ONLY), Some(Ending::NaturalLimit));
        let bare = play("3k1a3/9/9/9/9/9/9/4B4/9/4K4 w - - 0 1", "");
        assert_eq!(bare.ending(&RuleSet::CHECK_ONLY), Some(Ending::DeadMaterial));
    }
}
