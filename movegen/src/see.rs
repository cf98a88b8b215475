//! Static exchange evaluation: what a capture is worth when both sides go on taking on its square.
//!
//! Every removal can make or break a cannon's screen, free a horse's leg or open a rook's line, so the attackers are
//! found anew after each capture. Attackers that do not attack yet are not anticipated.

use crate::attacks::{between, king_zone};
use crate::{Bitboard, Board, Color, Move, PieceType, Square};

/// Exchange values by [`PieceType::index`], in hundredths of a pawn: only their order and rough ratios matter. The
/// king's value is never won.
pub const SEE_VALUES: [i32; PieceType::NUM] = [10_000, 200, 210, 430, 1000, 420, 100];

/// Kinds from the least to the most valuable: the order in which attackers take.
const BY_VALUE: [PieceType; PieceType::NUM] = [
    PieceType::Pawn,
    PieceType::Advisor,
    PieceType::Elephant,
    PieceType::Cannon,
    PieceType::Horse,
    PieceType::Rook,
    PieceType::King,
];

impl Board {
    /// Whether the exchange that the pseudo-legal move starts on its target square yields at least `threshold` for
    /// the mover, each side taking with its least valuable legal attacker and stopping when it likes. Quiet moves
    /// start at zero.
    ///
    /// Source of the idea: the swap algorithm with early return as used by Stockfish's `see_ge`.
    pub fn see_at_least(&self, mv: Move, threshold: i32) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let value = |square| self.piece_at(square).map_or(0, |piece| SEE_VALUES[piece.kind.index()]);
        // What the side that moves next still needs to win to refute (or save) the threshold.
        let mut balance = value(to) - threshold;
        if balance < 0 {
            return false;
        }
        balance -= value(from);
        if balance >= 0 {
            return true;
        }
        let mut occupied = self.occupied().without(from).with(to);
        let mut side = !self.side_to_move();
        // Here `balance` is negative: the side to take turns the exchange unless it cannot take.
        while let Some((attacker, kind)) = self.least_attacker(to, side, occupied) {
            occupied = occupied.without(attacker);
            if kind == PieceType::King {
                // The king takes last, and only what is not protected; a pinned piece protects, too.
                if (self.attackers_to(to, occupied) & self.color(!side)).is_empty() {
                    side = !side;
                }
                break;
            }
            side = !side;
            balance = -balance - 1 - SEE_VALUES[kind.index()];
            if balance >= 0 {
                // Even losing this piece does not undo the gain.
                break;
            }
        }
        // The side left without a good capture loses the exchange.
        side != self.side_to_move()
    }

    /// The least valuable piece of `side` that may legally take on `target`.
    fn least_attacker(&self, target: Square, side: Color, occupied: Bitboard) -> Option<(Square, PieceType)> {
        let attackers = self.attackers_to(target, occupied) & self.color(side);
        if attackers.is_empty() {
            return None;
        }
        for kind in BY_VALUE {
            for from in attackers & self.kind(kind) {
                if self.may_recapture(from, target, side, occupied) {
                    return Some((from, kind));
                }
            }
        }
        None
    }

    /// Whether taking leaves the own king safe. The first move was legal, so only what the exchange has changed can
    /// expose a king: the origins it emptied, and the target if it was empty.
    fn may_recapture(&self, from: Square, target: Square, side: Color, occupied: Bitboard) -> bool {
        let king = self.king(side);
        let after = occupied.without(from);
        if from == king {
            // Whether the king is taken back on the square is left to the exchange; facing kings are not.
            let other = self.king(!side);
            return target.file() != other.file() || (between(target, other) & after).any();
        }
        let changed = self.occupied() ^ after;
        (changed & king_zone(king)).is_empty()
            || !self.king_attacked(king, side, after, self.color(!side) & after.without(target))
    }
}
