//! What an idle move does (闲). For display: it never changes a verdict (article 25.2).

use chuhe_movegen::attacks::{between, horse_leg};
use chuhe_movegen::{Board, Color, Move, MoveList, PieceType, Square};

use crate::chase::{Attack, Attackers, ChaseDefinition, counts_as_piece, is_exchange_offer};
use crate::exchange::{PawnWorth, can_retake, exchange_gain};
use crate::round::Step;

/// What an idle move looks like.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IdleKind {
    /// 应将: it answers a check.
    CheckAnswer,
    /// The king attacks, as it may for ever (27.1).
    KingAttack,
    /// A pawn attacks, as it may for ever (27.2).
    PawnAttack,
    /// 兑: the moved piece meets one of its own kind, and each may take the other.
    ExchangeOffer,
    /// 从捉到捉: the moved piece goes on with an attack that it had before.
    KeptAttack,
    /// 避捉: the moved piece was to be won, and no longer is.
    Escape,
    /// 献: the moved piece may be taken for nothing, and could not be before.
    Sacrifice,
    /// 拦: the moved piece closes the line or leg of an enemy piece that attacked another.
    Block,
    /// 跟: the moved piece follows the protected piece that has just moved.
    Follow,
    /// Nothing of these.
    Plain,
}

impl IdleKind {
    /// The label of an idle move, with the attacks that it makes or keeps and that do not count.
    pub(crate) fn of(step: &Step<'_>, chases: &ChaseDefinition) -> (IdleKind, Vec<Attack>) {
        let permitted = ChaseDefinition { attackers: Attackers::KingAndPawns, ..*chases };
        let allowed = permitted.new_attacks(step);
        let kind_of = |attack: &Attack| step.after.piece_at(attack.attacker).map(|piece| piece.kind);
        let label = if step.before().in_check() {
            IdleKind::CheckAnswer
        } else if allowed.iter().any(|attack| kind_of(attack) == Some(PieceType::King)) {
            IdleKind::KingAttack
        } else if !allowed.is_empty() {
            IdleKind::PawnAttack
        } else {
            let kept = chases.kept_attacks(step);
            let label = label(step, !kept.is_empty());
            return (label, if label == IdleKind::KeptAttack { kept.to_vec() } else { Vec::new() });
        };
        (label, allowed.to_vec())
    }
}

/// The label of a move that answers no check and makes no attack of any kind.
fn label(step: &Step<'_>, keeps_attack: bool) -> IdleKind {
    let (before, after, mv) = (step.before(), step.after, step.mv);
    let own = after.turned();
    let mut captures = MoveList::new();
    own.generate_captures(&mut captures);
    captures.retain(|capture| capture.from() == mv.to() && own.is_legal(*capture));
    let was_lost = can_be_won(&before.turned(), mv.from());
    let is_lost = can_be_won(after, mv.to());
    let follows = |capture: &Move| {
        let just_moved = step.past.back().is_some_and(|(last, _)| last.to() == capture.to());
        just_moved
            && own.piece_at(capture.to()).is_some_and(|piece| counts_as_piece(piece, capture.to()))
            && can_retake(&own.make(*capture), capture.to())
    };
    if captures.iter().any(|capture| is_exchange_offer(after, mv.to(), capture.to())) {
        IdleKind::ExchangeOffer
    } else if keeps_attack {
        IdleKind::KeptAttack
    } else if was_lost && !is_lost {
        IdleKind::Escape
    } else if is_lost && !was_lost {
        IdleKind::Sacrifice
    } else if closes_an_attack(before, mv, after, step.mover()) {
        IdleKind::Block
    } else if captures.iter().any(follows) {
        IdleKind::Follow
    } else {
        IdleKind::Plain
    }
}

/// Whether the side to move wins something by the exchange on a square.
fn can_be_won(board: &Board, square: Square) -> bool {
    let mut captures = MoveList::new();
    board.generate_captures(&mut captures);
    captures.iter().any(|capture| {
        capture.to() == square && board.is_legal(*capture) && exchange_gain(board, *capture, PawnWorth::Little) > 0
    })
}

/// Whether an enemy attack on another piece of the mover's is closed by the piece that now stands in between.
fn closes_an_attack(before: &Board, mv: Move, after: &Board, mover: Color) -> bool {
    after.color(mover).without(mv.to()).into_iter().any(|target| {
        let attackers = |board: &Board| board.attackers_to(target, board.occupied()) & board.color(!mover);
        let gone = attackers(before) & !attackers(after);
        gone.into_iter().any(|attacker| match after.piece_at(attacker).map(|piece| piece.kind) {
            Some(PieceType::Rook | PieceType::Cannon) => between(attacker, target).contains(mv.to()),
            Some(PieceType::Horse) => horse_leg(attacker, target) == mv.to(),
            _ => false,
        })
    })
}
