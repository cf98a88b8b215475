//! Whose work a mate threat is: the move that was just made counts as a kill (杀) only if it has made the threat, or has
//! kept it by a piece that takes part in it.

use chuhe_movegen::{Board, Move, PieceType};

use crate::kill::{MAX_CHECKS, NodeLimit};
use crate::mate::{LimitReached, MateThreat};
use crate::round::Step;

/// What a move has to do with the mate threat that stands after it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ThreatOrigin {
    /// The moved piece takes part in it, or the move opens a line for it; or the threat was not there before, be it that the
    /// other side's last move, a check perhaps, had parried it.
    Move,
    /// It was there, and the move has nothing to do with it.
    Standing,
}

/// A mate threat after a move that gives no check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Threat {
    pub(crate) mate: MateThreat,
    /// What the move has to do with it; `None` when there is no threat, or this could not be settled.
    pub(crate) origin: Option<ThreatOrigin>,
    /// Positions looked at.
    pub(crate) nodes: u32,
}

impl Threat {
    /// The threat after a move; all searches together may look at so many positions.
    pub(crate) fn after(step: &Step<'_>, limit: NodeLimit) -> Threat {
        let mut searches = Searches { left: limit.0 };
        let own = step.after.turned();
        let mate = searches.threat(&own, MAX_CHECKS);
        let origin = match mate {
            MateThreat::In(checks) => searches.origin(step, &own, checks).ok(),
            MateThreat::None | MateThreat::Unknown => None,
        };
        Threat { mate, origin, nodes: limit.0 - searches.left }
    }

    /// Whether it could not be settled if the move is a kill.
    pub(crate) fn is_open(&self) -> bool {
        self.mate != MateThreat::None && self.origin.is_none()
    }

    /// Whether the move is a kill for certain.
    pub(crate) fn is_kill(&self) -> bool {
        self.origin == Some(ThreatOrigin::Move)
    }
}

struct Searches {
    /// Positions that may still be looked at.
    left: u32,
}

impl Searches {
    fn threat(&mut self, board: &Board, checks: u8) -> MateThreat {
        let (threat, nodes) = MateThreat::within(board, checks, NodeLimit(self.left));
        self.left -= nodes;
        threat
    }

    /// Whether the side to move mates by so many checks.
    fn mates(&mut self, board: &Board, checks: u8) -> Result<bool, LimitReached> {
        match self.threat(board, checks) {
            MateThreat::In(_) => Ok(true),
            MateThreat::None => Ok(false),
            MateThreat::Unknown => Err(LimitReached),
        }
    }

    /// Whether a legal check begins a series of so many checks that mates.
    fn mates_by(&mut self, board: &Board, check: Move, checks: u8) -> Result<bool, LimitReached> {
        let checked = board.make(check);
        for reply in checked.legal_moves() {
            if checks < 2 || !self.mates(&checked.make(reply), checks - 1)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// `own` is the position after the move with the mover to move again, and mate threatens by so many checks.
    ///
    /// The move has a part in the threat if some check begins a mate as short as any that could not have begun one so short
    /// before the move, or that is given or supported by the moved piece. If the side stood in check before the move, it
    /// threatened nothing but what answered it.
    fn origin(&mut self, step: &Step<'_>, own: &Board, length: u8) -> Result<ThreatOrigin, LimitReached> {
        let (before, moved) = (step.before(), step.mv.to());
        for check in own.legal_checks().into_iter().filter(|check| check.from() == moved) {
            if self.mates_by(own, check, length)? {
                return Ok(ThreatOrigin::Move);
            }
        }
        if !self.mates(before, length)? {
            return Ok(ThreatOrigin::Move);
        }
        // A king is always needed; what shields it from a check takes part in the parry; and what stands in the way of one's
        // own check is no help.
        let without = own.without(moved);
        let is_king = own.piece_at(moved).is_some_and(|piece| piece.kind == PieceType::King);
        let may_support = !is_king && !without.in_check() && !without.turned().in_check();
        for check in own.legal_checks().into_iter().filter(|check| check.from() != moved) {
            let is_part = self.mates_by(own, check, length)?
                && (!self.could_begin(before, check, length)?
                    || may_support && !self.could_begin(&without, check, length)?);
            if is_part {
                return Ok(ThreatOrigin::Move);
            }
        }
        Ok(ThreatOrigin::Standing)
    }

    /// Whether this move is a check in a position and begins a mate by so many checks.
    fn could_begin(&mut self, board: &Board, check: Move, length: u8) -> Result<bool, LimitReached> {
        Ok(board.legal_checks().contains(&check) && self.mates_by(board, check, length)?)
    }
}
