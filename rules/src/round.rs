//! The moves between two occurrences of a position, as the closed round that they are.

use chuhe_movegen::{Board, Color, Move};

use crate::Ply;

/// A move of a round, with what went before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step<'a> {
    /// The position before the move.
    pub(crate) past: Past<'a>,
    pub(crate) mv: Move,
    /// The position after it.
    pub(crate) after: &'a Board,
}

impl<'a> Step<'a> {
    pub(crate) fn before(&self) -> &'a Board {
        self.past.board()
    }

    /// Who moves.
    pub(crate) fn mover(&self) -> Color {
        !self.after.side_to_move()
    }

    /// Whether the move gives check.
    pub(crate) fn gives_check(&self) -> bool {
        self.after.in_check()
    }
}

/// A position of a round that can be followed backwards.
///
/// The two ends of a round are one position, so before its first position stands its last move: what a move is must not
/// hang on where the round is said to begin, nor on how its first position once came about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Past<'a> {
    round: &'a [Ply],
    at: usize,
}

impl<'a> Past<'a> {
    /// The position that has this index in the round.
    pub(crate) fn of(round: &'a [Ply], at: usize) -> Past<'a> {
        Past { round, at }
    }

    pub(crate) fn board(self) -> &'a Board {
        &self.round[self.at].board
    }

    /// Moves of the round: so many steps back the same position stands again.
    pub(crate) fn round_len(self) -> usize {
        self.round.len() - 1
    }

    /// The move that led here, and the position before it; `None` when nothing is known of it.
    pub(crate) fn back(self) -> Option<(Move, Past<'a>)> {
        let at = if self.at == 0 { self.round_len() } else { self.at };
        let earlier = at.checked_sub(1)?;
        Some((self.round[at].mv?, Past { at: earlier, ..self }))
    }
}

/// The moves of a round in the order of play.
pub(crate) fn steps(round: &[Ply]) -> impl Iterator<Item = Step<'_>> + Clone {
    (1..round.len()).filter_map(|at| step(round, at))
}

/// The move that leads to this index of a round.
pub(crate) fn step(round: &[Ply], at: usize) -> Option<Step<'_>> {
    let Ply { board: after, mv, .. } = round.get(at)?;
    Some(Step { past: Past::of(round, at.checked_sub(1)?), mv: (*mv)?, after })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;

    #[test]
    fn a_round_has_no_beginning() {
        let mut game = Game::new(Board::from_fen("3k5/9/9/9/9/9/9/R8/9/5K3 w - - 0 1").unwrap());
        let cycle = ["a2b2", "d9d8", "b2a2", "d8d9"];
        for mv in cycle {
            game.play(mv.parse().unwrap()).unwrap();
        }
        let mut past = Past::of(game.plies(), 1);
        for expected in ["a2b2", "d8d9", "b2a2", "d9d8", "a2b2", "d8d9"] {
            let (mv, earlier) = past.back().unwrap();
            assert_eq!(mv.to_string(), expected);
            assert!(earlier.board().make(mv).key() == past.board().key());
            past = earlier;
        }
        assert_eq!(steps(game.plies()).map(|step| step.mv.to_string()).collect::<Vec<_>>(), cycle);
        assert!(Past::of(&game.plies()[..1], 0).back().is_none());
    }
}
