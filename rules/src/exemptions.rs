//! What the older Chinese text (before 1999) lets pass: a side whose every move attacks may be excused.

use chuhe_movegen::{Board, Color, Move, Square};

use crate::chase::Attack;
use crate::kill::{MateThreat, NodeLimit};
use crate::ruling::{Ground, Pattern};
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
        line: &[Ply],
        first: usize,
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
        let own_moves = || (first + 1..line.len()).filter(|&at| line[at].mover() == loser);
        let limit = NodeLimit::for_each_of(line.len() - 1 - first);
        let parries = |at: usize| at >= first + 2 && parries_attack(&line[at - 2..=at], rules, limit);
        if self.parried_attack && own_moves().any(parries) {
            return Some(Ground::AttackParried);
        }
        let strikes_at_hunters =
            || own_moves().all(|at| attacks_hunter_of_trapped(&line[at - 1].board, &line[at], rules));
        (self.trapped_piece && strikes_at_hunters()).then_some(Ground::TrappedPiece)
    }
}

/// Where a piece stands after a move that did not capture it.
fn follow(square: Square, mv: Move) -> Square {
    if square == mv.from() { mv.to() } else { square }
}

/// Whether the last of two moves ends the attack that the first has made.
fn parries_attack(plies: &[Ply], rules: &RuleSet, limit: NodeLimit) -> bool {
    let [start, attack, parry] = plies else { return false };
    let (Some(attack_mv), Some(parry_mv)) = (attack.mv, parry.mv) else { return false };
    if attack.gives_check() {
        return true;
    }
    let made = rules.chase.new_attacks(&start.board, attack_mv, &attack.board);
    if made.is_empty() {
        let threatens = |board: &Board| matches!(MateThreat::of(board, limit), MateThreat::In(_));
        return threatens(&attack.board.turned()) && !threatens(&parry.board);
    }
    let left = rules.chase.attacks(&parry.board, &parry.board.turned());
    !made.iter().any(|made| left.iter().any(|left| left.victim == follow(made.victim, parry_mv)))
}

/// Whether a move chases a piece that would itself win a trapped one.
fn attacks_hunter_of_trapped(board: &Board, after: &Ply, rules: &RuleSet) -> bool {
    let Some(mv) = after.mv else { return false };
    if after.gives_check() {
        return false;
    }
    let hunts = rules.chase.attacks(&board.turned(), board);
    let struck = rules.chase.new_attacks(board, mv, &after.board);
    hunts
        .iter()
        .filter(|hunt| struck.iter().any(|attack| attack.victim == hunt.attacker))
        .any(|&hunt| is_trapped(board, hunt, rules))
}

/// Whether every move but an attack in return leaves the victim to be won by some piece.
fn is_trapped(board: &Board, hunt: Attack, rules: &RuleSet) -> bool {
    board.legal_moves().into_iter().all(|mv| {
        let next = board.make(mv);
        let victim = follow(hunt.victim, mv);
        let still_won = rules.chase.attacks(&next, &next.turned()).iter().any(|attack| attack.victim == victim);
        still_won || next.in_check() || {
            let struck = rules.chase.new_attacks(board, mv, &next);
            mv.to() != hunt.attacker && struck.iter().any(|attack| attack.victim == hunt.attacker)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_is_trapped_when_no_move_saves_it() {
        // The rook on a5 hunts the elephant on a2, whose eyes are blocked.
        let hunt = |fen: &str| {
            let board = Board::from_fen(fen).unwrap();
            let hunts = RuleSet::CHINESE_OLD.chase.attacks(&board.turned(), &board);
            let hunt = hunts.into_iter().find(|hunt| hunt.victim.to_string() == "a2").unwrap();
            is_trapped(&board, hunt, &RuleSet::CHINESE_OLD)
        };
        assert!(hunt("4k4/9/9/9/r8/9/1p7/B8/1p7/5K3 w - - 0 1"));
        // A rook can come to its help; an open eye lets it go.
        assert!(!hunt("4k4/9/9/9/r8/9/1p7/B8/1p7/5K1R1 w - - 0 1"));
        assert!(!hunt("4k4/9/9/9/r8/9/1p7/B8/9/5K3 w - - 0 1"));
    }
}
