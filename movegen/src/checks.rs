//! Checks, pins and the legality of moves.
//!
//! For the side to move each board caches three sets, from which almost every move is known to be legal without a
//! look at the lines: only moves by the king, by a *blocker*, or into a *hollow* segment need one.

use crate::attacks::{
    advisor_attacks, between, cannon_attacks, cross, elephant_attacks, horse_attackers, horse_attackers_unblocked,
    horse_attacks, horse_leg, king_attacks, pawn_attackers, pawn_attacks, rook_and_cannon_attacks, rook_attacks,
};
use crate::{Bitboard, Board, Color, Move, PieceType, Square};

/// What bears on one side's king.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct KingThreats {
    /// Enemy pieces that give check.
    pub(crate) checkers: Bitboard,
    /// Pieces of either side whose leaving may open a check: the one piece between king and rook (or the other king),
    /// both pieces between king and cannon, the leg of a horse.
    pub(crate) blockers: Bitboard,
    /// Points between the king and a *hollow cannon* (空头炮: nothing stands between); stepping in makes a screen.
    pub(crate) hollow: Bitboard,
}

impl KingThreats {
    /// Computes the threats against the king of `us` on `king`.
    ///
    /// The sets come by value, as a board holds them, so that [`Board::make`] need not borrow the board it builds.
    #[inline(always)]
    pub(crate) fn of(
        us: Color,
        king: Square,
        colors: [Bitboard; Color::NUM],
        kinds: [Bitboard; PieceType::NUM],
    ) -> KingThreats {
        let them = colors[(!us).index()];
        let occupied = colors[0] | colors[1];
        let cannons = kinds[PieceType::Cannon.index()];
        let mut threats = KingThreats {
            checkers: pawn_attackers(!us, king) & kinds[PieceType::Pawn.index()] & them,
            blockers: Bitboard::EMPTY,
            hollow: Bitboard::EMPTY,
        };
        let line_pieces = kinds[PieceType::Rook.index()] | cannons | kinds[PieceType::King.index()];
        for slider in cross(king) & line_pieces & them {
            let segment = between(king, slider);
            let screens = segment & occupied;
            if cannons.contains(slider) {
                match screens.count() {
                    0 => threats.hollow |= segment,
                    1 => threats.checkers |= Bitboard::square(slider),
                    2 => threats.blockers |= screens,
                    _ => {}
                }
            } else if screens.is_empty() {
                threats.checkers |= Bitboard::square(slider);
            } else if !screens.more_than_one() {
                threats.blockers |= screens;
            }
        }
        for horse in horse_attackers_unblocked(king) & kinds[PieceType::Horse.index()] & them {
            let leg = horse_leg(horse, king);
            if occupied.contains(leg) {
                threats.blockers |= Bitboard::square(leg);
            } else {
                threats.checkers |= Bitboard::square(horse);
            }
        }
        threats
    }
}

/// What a side needs to know about the enemy king to tell which of its moves give check.
#[derive(Clone, Copy, Debug)]
pub struct CheckInfo {
    /// Squares from which each kind of piece of the side to move gives check directly.
    direct: [Bitboard; PieceType::NUM],
    /// Origins whose leaving may discover a check, or on lines with the king.
    unsure_from: Bitboard,
    /// Points between the enemy king and a hollow cannon of the side to move.
    hollow: Bitboard,
}

impl CheckInfo {
    /// Prepares the sets for the side to move of `board`.
    pub fn new(board: &Board) -> CheckInfo {
        let us = board.side_to_move();
        let king = board.king(!us);
        let (rook, cannon) = rook_and_cannon_attacks(king, board.occupied());
        let threats = board.threats_against(!us);
        let mut direct = [Bitboard::EMPTY; PieceType::NUM];
        direct[PieceType::Rook.index()] = rook;
        direct[PieceType::Cannon.index()] = cannon;
        direct[PieceType::Horse.index()] = horse_attackers(king, board.occupied());
        direct[PieceType::Pawn.index()] = pawn_attackers(us, king);
        CheckInfo { direct, unsure_from: threats.blockers | cross(king), hollow: threats.hollow }
    }
}

impl Board {
    /// Whether `color`'s king would be attacked with these occupied squares, counting
    /// only the enemy pieces in `enemies`.
    #[inline]
    pub(crate) fn king_attacked(&self, king: Square, color: Color, occupied: Bitboard, enemies: Bitboard) -> bool {
        let line_pieces = self.kind(PieceType::Rook) | self.kind(PieceType::Cannon) | self.kind(PieceType::King);
        if (cross(king) & line_pieces & enemies).any() {
            let (rook, cannon) = rook_and_cannon_attacks(king, occupied);
            // The enemy king looks along its file like a rook; it is never on a rank of this king.
            let rooks = self.kind(PieceType::Rook) | self.kind(PieceType::King);
            if ((rook & rooks | cannon & self.kind(PieceType::Cannon)) & enemies).any() {
                return true;
            }
        }
        let horses = horse_attackers_unblocked(king) & self.kind(PieceType::Horse) & enemies;
        (horses.any() && (horse_attackers(king, occupied) & horses).any())
            || (pawn_attackers(!color, king) & self.kind(PieceType::Pawn) & enemies).any()
    }

    /// Whether a pseudo-legal move leaves its own king attacked.
    #[inline]
    fn exposes_king(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let (from, to) = (mv.from(), mv.to());
        let king = if from == self.king(us) { to } else { self.king(us) };
        let occupied = self.occupied().without(from).with(to);
        self.king_attacked(king, us, occupied, self.color(!us).without(to))
    }

    /// Whether a pseudo-legal move ([`Board::is_pseudo_legal`], or one from a generator) is legal.
    #[inline]
    pub fn is_legal(&self, mv: Move) -> bool {
        let threats = self.threats();
        let from = mv.from();
        let needs_look = threats.checkers.any()
            || from == self.king(self.side_to_move())
            || threats.blockers.contains(from)
            || threats.hollow.contains(mv.to());
        !needs_look || !self.exposes_king(mv)
    }

    /// Squares to which a piece of the side to move on `from` may go by its way of moving, own pieces excluded.
    pub(crate) fn destinations(&self, from: Square) -> Bitboard {
        let us = self.side_to_move();
        let occupied = self.occupied();
        let set = match self.piece_at(from) {
            Some(piece) if piece.color == us => match piece.kind {
                PieceType::King => king_attacks(from),
                PieceType::Advisor => advisor_attacks(from),
                PieceType::Elephant => elephant_attacks(from, occupied),
                PieceType::Horse => horse_attacks(from, occupied),
                PieceType::Rook => rook_attacks(from, occupied),
                PieceType::Cannon => {
                    rook_attacks(from, occupied) & !occupied | cannon_attacks(from, occupied) & occupied
                }
                PieceType::Pawn => pawn_attacks(us, from),
            },
            _ => Bitboard::EMPTY,
        };
        set & !self.color(us)
    }

    /// Whether the side to move has a piece on the move's origin that moves like this; checks are not looked at.
    #[inline]
    pub fn is_pseudo_legal(&self, mv: Move) -> bool {
        self.destinations(mv.from()).contains(mv.to())
    }

    /// Whether a pseudo-legal move gives check.
    #[inline]
    pub fn gives_check(&self, mv: Move, info: &CheckInfo) -> bool {
        let (from, to) = (mv.from(), mv.to());
        if !info.unsure_from.contains(from) && !info.hollow.contains(to) {
            return match self.piece_at(from) {
                Some(piece) => info.direct[piece.kind.index()].contains(to),
                None => false,
            };
        }
        let us = self.side_to_move();
        let king = self.king(!us);
        let occupied = self.occupied().without(from).with(to);
        let Some(piece) = self.piece_at(from) else { return false };
        // The moved piece checks from its new square.
        let direct = match piece.kind {
            PieceType::Rook => rook_attacks(king, occupied).contains(to),
            PieceType::Cannon => cannon_attacks(king, occupied).contains(to),
            PieceType::Horse => horse_attackers(king, occupied).contains(to),
            PieceType::Pawn => pawn_attackers(us, king).contains(to),
            PieceType::King => to.file() == king.file() && (between(to, king) & occupied).is_empty(),
            PieceType::Advisor | PieceType::Elephant => false,
        };
        direct || self.king_attacked(king, !us, occupied, self.color(us).without(from))
    }

    /// All pieces of either side that attack `square` when only `occupied` is on the board.
    ///
    /// Kings attack their neighbours in the palace only; kings facing each other are not an attack here.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let (rook, cannon) = rook_and_cannon_attacks(square, occupied);
        let elephants = self.kind(PieceType::Elephant);
        let advisors = self.kind(PieceType::Advisor);
        let mut set = rook & self.kind(PieceType::Rook)
            | cannon & self.kind(PieceType::Cannon)
            | horse_attackers(square, occupied) & self.kind(PieceType::Horse)
            | pawn_attackers(Color::Red, square) & self.pieces(Color::Red, PieceType::Pawn)
            | pawn_attackers(Color::Black, square) & self.pieces(Color::Black, PieceType::Pawn)
            | king_attacks(square) & self.kind(PieceType::King);
        // The steps of advisors and elephants are symmetric.
        set |= advisor_attacks(square) & advisors;
        set |= elephant_attacks(square, occupied) & elephants;
        set & occupied
    }
}
