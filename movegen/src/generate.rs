//! Move generation: captures, quiets and evasions, each by itself.
//!
//! The generators give *pseudo-legal* moves (every piece moves as it may; the own king may be left attacked);
//! [`Board::is_legal`] tells the rest cheaply. [`Board::legal_moves`] does both.

use crate::attacks::{
    advisor_attacks, between, elephant_attacks, horse_attacks, horse_leg, king_attacks, rook_and_cannon_attacks,
    rook_attacks,
};
use crate::{Bitboard, Board, CheckInfo, Color, Move, MoveList, PieceType, Square};

/// Receives the destinations of one piece after another.
trait Sink {
    fn destinations(&mut self, from: Square, to: Bitboard);
    /// Pawns come as a set of targets, each reached from the square `delta` before it.
    fn pawns(&mut self, to: Bitboard, delta: i8);
}

impl Sink for MoveList {
    #[inline]
    fn destinations(&mut self, from: Square, to: Bitboard) {
        for to in to {
            self.push(Move::pack(from, to));
        }
    }
    #[inline]
    fn pawns(&mut self, to: Bitboard, delta: i8) {
        for to in to {
            self.push(Move::pack(Square::saturating((to.index() as i8 - delta) as u8), to));
        }
    }
}

/// Counts instead of listing.
struct Counter(u64);

impl Sink for Counter {
    #[inline]
    fn destinations(&mut self, _: Square, to: Bitboard) {
        self.0 += u64::from(to.count());
    }
    #[inline]
    fn pawns(&mut self, to: Bitboard, _: i8) {
        self.0 += u64::from(to.count());
    }
}

impl Board {
    /// Hands the pseudo-legal moves of the pieces in `movers` (the king is never among them) that end in `targets`
    /// to the sink. `targets` must exclude own pieces.
    #[inline]
    fn scatter(&self, movers: Bitboard, targets: Bitboard, sink: &mut impl Sink) {
        let us = self.side_to_move();
        let occupied = self.occupied();
        let pawns = self.kind(PieceType::Pawn) & movers;
        let forward = if us == Color::Red { 9 } else { -9 };
        sink.pawns(pawns.forward(us) & targets, forward);
        let crossed = pawns & Bitboard::home(!us);
        if crossed.any() {
            sink.pawns(crossed.left() & targets, -1);
            sink.pawns(crossed.right() & targets, 1);
        }
        for from in self.kind(PieceType::Rook) & movers {
            sink.destinations(from, rook_attacks(from, occupied) & targets);
        }
        for from in self.kind(PieceType::Cannon) & movers {
            let (rook, cannon) = rook_and_cannon_attacks(from, occupied);
            sink.destinations(from, (rook & !occupied | cannon & occupied) & targets);
        }
        for from in self.kind(PieceType::Horse) & movers {
            sink.destinations(from, horse_attacks(from, occupied) & targets);
        }
        for from in self.kind(PieceType::Elephant) & movers {
            sink.destinations(from, elephant_attacks(from, occupied) & targets);
        }
        for from in self.kind(PieceType::Advisor) & movers {
            sink.destinations(from, advisor_attacks(from) & targets);
        }
    }

    #[inline]
    fn scatter_with_king(&self, targets: Bitboard, sink: &mut impl Sink) {
        let us = self.side_to_move();
        let king = self.king(us);
        sink.destinations(king, king_attacks(king) & targets);
        self.scatter(self.color(us), targets, sink);
    }

    /// Appends the pseudo-legal captures.
    pub fn generate_captures(&self, list: &mut MoveList) {
        self.scatter_with_king(self.color(!self.side_to_move()), list);
    }

    /// Appends the pseudo-legal moves that capture nothing.
    pub fn generate_quiets(&self, list: &mut MoveList) {
        self.scatter_with_king(!self.occupied(), list);
    }

    /// Appends the pseudo-legal moves that may end a check; only for a side in check.
    ///
    /// Against one checker: king moves, captures of it, interpositions, and, when a cannon checks, every move of the
    /// own piece that serves as its screen. Against more than one: all pseudo-legal moves.
    pub fn generate_evasions(&self, list: &mut MoveList) {
        let us = self.side_to_move();
        let free = !self.color(us);
        let checkers = self.checkers();
        let Some(checker) = checkers.first().filter(|_| !checkers.more_than_one()) else {
            return self.scatter_with_king(free, list);
        };
        let king = self.king(us);
        list.destinations(king, king_attacks(king) & free);
        let mut movers = self.color(us);
        let mut targets = Bitboard::square(checker);
        match self.piece_at(checker).map(|piece| piece.kind) {
            Some(PieceType::Rook | PieceType::King) => targets |= between(king, checker),
            Some(PieceType::Horse) => targets |= Bitboard::square(horse_leg(checker, king)),
            Some(PieceType::Cannon) => {
                let segment = between(king, checker);
                let screen = segment & self.occupied();
                // Taking the screen leaves a screen: only empty points and the cannon itself help.
                targets |= segment & !screen;
                let own_screen = screen & self.color(us);
                if own_screen.any() {
                    movers &= !own_screen;
                    self.scatter(own_screen, free, list);
                }
            }
            _ => {}
        }
        self.scatter(movers, targets, list);
    }

    /// Appends all pseudo-legal moves: evasions when in check, else captures, then quiets.
    pub fn generate_all(&self, list: &mut MoveList) {
        if self.in_check() {
            self.generate_evasions(list);
        } else {
            self.generate_captures(list);
            self.generate_quiets(list);
        }
    }

    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        if self.in_check() {
            self.generate_evasions(&mut list);
        } else {
            self.scatter_with_king(!self.color(self.side_to_move()), &mut list);
        }
        list.retain(|mv| self.is_legal(*mv));
        list
    }

    /// All legal moves that give check.
    pub fn legal_checks(&self) -> MoveList {
        let info = CheckInfo::new(self);
        let mut list = MoveList::new();
        self.generate_all(&mut list);
        list.retain(|mv| self.gives_check(*mv, &info) && self.is_legal(*mv));
        list
    }

    /// Whether the side to move has a legal move; without one it has lost, in check (将死) or not (困毙).
    pub fn has_legal_move(&self) -> bool {
        let mut list = MoveList::new();
        self.generate_all(&mut list);
        list.iter().any(|&mv| self.is_legal(mv))
    }

    /// Number of legal moves, without listing those that need no look at the king's lines.
    pub fn count_legal_moves(&self) -> u64 {
        if self.in_check() {
            return self.legal_moves().len() as u64;
        }
        let us = self.side_to_move();
        let threats = self.threats();
        let king = self.king(us);
        let free = !self.color(us);
        let mut counter = Counter(0);
        self.scatter(self.color(us) & !threats.blockers, free & !threats.hollow, &mut counter);
        let mut unsure = MoveList::new();
        unsure.destinations(king, king_attacks(king) & free);
        let blockers = threats.blockers & self.color(us);
        if blockers.any() {
            self.scatter(blockers, free, &mut unsure);
        }
        counter.0 + unsure.iter().filter(|&&mv| self.is_legal(mv)).count() as u64
    }
}
