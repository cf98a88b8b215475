//! What the older Chinese text (before 1999) lets pass: a side whose every move attacks may be excused.

use chuhe_movegen::{Color, Move, Square};

use crate::chase::Attack;
use crate::kill::NodeLimit;
use crate::mate::MateThreat;
use crate::round::{Past, Step, steps};
use crate::ruling::{Ground, Pattern};
use crate::threat::Threat;
use crate::{Ply, RuleSet};

/// The exemptions of the older text, each a switch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Exemptions {
    /// Perpetual check is drawn when the other side checks back at all (二将一还将).
    pub(crate) checks_back: bool,
    /// Perpetual attack is drawn when one of its moves parries an attack of the other side (两打一还打).
    pub(crate) parried_attack: bool,
    /// A piece that cannot be saved may have its hunter attacked for ever.
    pub(crate) trapped_piece: bool,
}

impl Exemptions {
    /// Nothing is excused.
    pub(crate) const NONE: Exemptions = Exemptions { checks_back: false, parried_attack: false, trapped_piece: false };
    /// As in the older text.
    pub(crate) const OLD_CHINESE: Exemptions =
        Exemptions { checks_back: true, parried_attack: true, trapped_piece: true };

    /// Why the side that would lose is excused, if it is.
    pub(crate) fn excuse(
        self,
        round: &[Ply],
        rules: &RuleSet,
        patterns: &[Pattern; Color::NUM],
        loser: Color,
    ) -> Option<Ground> {
        if self == Exemptions::NONE {
            return None;
        }
        if patterns[loser.index()].is_perpetual_check() {
            return (self.checks_back && patterns[(!loser).index()].checks).then_some(Ground::ChecksAnswered);
        }
        let mut own_moves = steps(round).filter(|step| step.mover() == loser);
        let limit = NodeLimit::for_each_of(round.len() - 1);
        if self.parried_attack && own_moves.clone().any(|step| parries_attack(&step, rules, limit)) {
            return Some(Ground::AttackParried);
        }
        (self.trapped_piece && own_moves.all(|step| attacks_hunter_of_trapped(&step, rules)))
            .then_some(Ground::TrappedPiece)
    }
}

/// Where a piece stands after a move that did not capture it.
fn follow(square: Square, mv: Move) -> Square {
    if square == mv.from() { mv.to() } else { square }
}

/// Whether a move ends the attack that the move before it has made.
fn parries_attack(parry: &Step<'_>, rules: &RuleSet, limit: NodeLimit) -> bool {
    let before = parry.before();
    if before.in_check() {
        return true;
    }
    let Some((mv, past)) = parry.past.back() else { return false };
    let attack = Step { past, mv, after: before };
    let made = rules.chase.new_attacks(&attack);
    if made.is_empty() {
        let is_parried = || MateThreat::of(&parry.after.clone(), limit) == MateThreat::None;
        return Threat::after(&attack, limit).is_kill() && is_parried();
    }
    let left = rules.chase.attacks(parry.after, &parry.after.turned());
    !made.iter().any(|made| left.iter().any(|left| left.victim == follow(made.victim, parry.mv)))
}

/// Whether a move chases a piece that would itself win a trapped one.
fn attacks_hunter_of_trapped(step: &Step<'_>, rules: &RuleSet) -> bool {
    if step.gives_check() {
        return false;
    }
    let board = step.before();
    let hunts = rules.chase.attacks(&board.turned(), board);
    let struck = rules.chase.new_attacks(step);
    hunts
        .iter()
        .filter(|hunt| struck.iter().any(|attack| attack.victim == hunt.attacker))
        .any(|&hunt| is_trapped(step.past, hunt, rules))
}

/// Whether every move but an attack in return leaves the victim to be won by some piece.
fn is_trapped(past: Past<'_>, hunt: Attack, rules: &RuleSet) -> bool {
    let board = past.board();
    board.legal_moves().into_iter().all(|mv| {
        let next = board.make(mv);
        let victim = follow(hunt.victim, mv);
        let still_won = rules.chase.attacks(&next, &next.turned()).iter().any(|attack| attack.victim == victim);
        still_won || next.in_check() || {
            let struck = rules.chase.new_attacks(&Step { past, mv, after: &next });
            mv.to() != hunt.attacker && struck.iter().any(|attack| attack.victim == hunt.attacker)
        }
    })
}

#[cfg(test)]
mod tests {
    use chuhe_movegen::Board;

    use super::*;

    #[test]
    fn a_piece_is_trapped_when_no_move_saves_it() {
        // The rook on a5 hunts the elephant on a2, whose eyes are blocked.
        let hunt = |fen: &str| {
            let board = Board::from_fen(fen).unwrap();
            let hunts = RuleSet::CHINESE_OLD.chase.attacks(&board.turned(), &board);
            let hunt = hunts.into_iter().find(|hunt| hunt.victim.to_string() == "a2").unwrap();
            let line = [Ply::start(board)];
            is_trapped(Past::of(&line, 0), hunt, &RuleSet::CHINESE_OLD)
        };
        assert!(hunt("4k4/9/9/9/r8/9/1p7/B8/1p7/5K3 w - - 0 1"));
        // A rook can come to its help; an open eye lets it go.
        assert!(!hunt("4k4/9/9/9/r8/9/1p7/B8/1p7/5K1R1 w - - 0 1"));
        assert!(!hunt("4k4/9/9/9/r8/9/1p7/B8/9/5K3 w - - 0 1"));
    }
}
