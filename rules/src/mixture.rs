//! Whether a side that would lose by repeating a round may escape by mixing it with another.
//!
//! Two ways of repeating can each be forbidden, and both together be permitted: chases by a round, checks by the next, as
//! the Asian rules and the rule of engines have it, or chases of two pieces in turn. In a game the verdict falls at the third
//! occurrence, over both rounds. A search that takes the verdict on one round for the last word sees a loss where there is
//! none.
//!
//! Suppose that the side at fault has been through one forbidden round. The other side has no reason to leave it, so it is the
//! side at fault that must play something else, at one of its turns in the round. Whatever it does then it could have done the
//! first time, without the round, and it would have been the same but for one thing: a position that comes for the third
//! time is judged together with the moves of the round. That helps only if the new way round is forbidden by itself, else
//! it would have been good enough alone, and if it is forbidden in another way, else both together are as forbidden as each.
//! So its first move already is an attack of another kind: a check where the round chases; a chase, but of a piece that the
//! round does not chase with every move, where it checks or chases. And the move can be taken back. Where the side has no such
//! move at any of its turns, no mixture escapes, and the verdict on one round is final.
//!
//! Nor does a move help that lets the other side mate at once.

use chuhe_movegen::{Bitboard, Board, Color, Move, PieceType};

use crate::chase::mates_at_once;
use crate::round::{Past, Step, step};
use crate::ruling::Pattern;
use crate::{Ply, RuleSet};

/// Whether the loser of a round may begin a round that is forbidden in another way, so that both together are not.
pub(crate) fn may_escape(round: &[Ply], loser: Color, patterns: &[Pattern; Color::NUM], rules: &RuleSet) -> bool {
    let levels = &rules.levels;
    let pattern = &patterns[loser.index()];
    let others_level = patterns[(!loser).index()].level(rules, true);
    // Where mixtures are forbidden, too, they escape only if the other side does what is as bad.
    let is_forbidden_in_any_mixture = levels.other_attacks > others_level;
    if !levels.punishes_chases() || is_forbidden_in_any_mixture {
        return false;
    }
    let kind = if pattern.is_perpetual_check() { Kind::Checks } else { Kind::Chases };
    // The pieces that are chased with every move, where they stand after each move of the round.
    let mut victims = pattern.common_victims;
    if pattern.leg_pinned_victims.any() && levels.chase_of_one_piece <= others_level {
        // Chased in another way, the rook makes a lesser offence, which is no more than the other side's.
        victims = Bitboard::EMPTY;
    }
    (1..round.len()).rev().any(|at| {
        let Some(step) = step(round, at) else { return false };
        if step.mover() == loser {
            let past = step.past;
            turns_from(past, step.mv).any(|(mv, after)| kind.is_left_by(past, mv, &after, victims, rules))
        } else {
            // A move of the other side, perhaps by a victim.
            if victims.contains(step.mv.to()) {
                victims = victims.without(step.mv.to()).with(step.mv.from());
            }
            false
        }
    })
}

/// What the moves of a forbidden round have in common.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Checks,
    Chases,
}

impl Kind {
    /// Whether a move may belong to a forbidden round of another kind; `victims` are the pieces that this one chases.
    fn is_left_by(self, past: Past<'_>, mv: Move, after: &Board, victims: Bitboard, rules: &RuleSet) -> bool {
        let is_attack = if after.in_check() {
            self == Kind::Chases
        } else {
            // With mate threats and the like, almost every move may be an attack.
            rules.kill_is_attack
                || rules
                    .chase
                    .new_attacks(&Step { past, mv, after })
                    .iter()
                    .any(|attack| !victims.contains(attack.victim))
        };
        is_attack && !mates_at_once(after)
    }
}

/// The other moves in a position that can be taken back: no captures, and no pawn's steps forward.
fn turns_from(past: Past<'_>, played: Move) -> impl Iterator<Item = (Move, Board)> {
    let board = past.board();
    let can_be_taken_back = move |mv: &Move| {
        let is_pawn = board.piece_at(mv.from()).is_some_and(|piece| piece.kind == PieceType::Pawn);
        let is_step_forward = is_pawn && mv.from().rank() != mv.to().rank();
        !board.is_capture(*mv) && !is_step_forward
    };
    let moves = board.legal_moves().into_iter().filter(move |mv| *mv != played).filter(can_be_taken_back);
    moves.map(|mv| (mv, board.make(mv)))
}
