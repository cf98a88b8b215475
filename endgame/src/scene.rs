//! A placement with what is needed to move in it, forwards and backwards.
//!
//! [`chuhe_movegen::Board`] keeps much that a table has no use for, and has no un-moves. What is here is checked against
//! it: the verifier and the independent solver of the tests use boards only.

use chuhe_movegen::attacks::{
    advisor_attacks, between, cannon_attacks, cross, elephant_attacks, horse_attackers, horse_attackers_unblocked,
    horse_attacks, horse_leg, king_attacks, pawn_attackers, pawn_attacks, pawn_points, rook_attacks,
};
use chuhe_movegen::{Bitboard, Color, PieceType, Square};

use crate::layout::{Layout, Placement};

/// A piece of a placement: a guard or king by its kind, an attacker by its place in the layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Man {
    /// King, advisor or elephant.
    Guard(PieceType),
    /// Place in [`Placement::attackers`].
    Attacker(usize),
}

/// A legal move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) man: Man,
    pub(crate) from: Square,
    pub(crate) to: Square,
}

/// What bears on one king.
#[derive(Clone, Copy, Default)]
struct Threats {
    is_check: bool,
    /// Pieces whose leaving may open a check.
    blockers: Bitboard,
    /// Points on which a piece would be the screen of a cannon.
    hollow: Bitboard,
}

/// A placement in which no two pieces share a point.
pub(crate) struct Scene<'a> {
    layout: &'a Layout,
    placement: Placement,
    kings: [Square; Color::NUM],
    colors: [Bitboard; Color::NUM],
    occupied: Bitboard,
    threats: [Threats; Color::NUM],
}

impl<'a> Scene<'a> {
    /// Sets a placement up; `None` if two pieces share a point.
    #[inline]
    pub(crate) fn new(layout: &'a Layout, placement: Placement) -> Option<Scene<'a>> {
        let mut colors = Color::ALL.map(|color| {
            let key = placement.guards[color.index()];
            (key.advisors(color) | key.elephants(color)).with(key.king(color))
        });
        for (piece, &square) in layout.attackers().iter().zip(&placement.attackers) {
            if (colors[0] | colors[1]).contains(square) {
                return None;
            }
            let color = &mut colors[piece.color.index()];
            *color = color.with(square);
        }
        let kings = Color::ALL.map(|color| placement.guards[color.index()].king(color));
        let occupied = colors[0] | colors[1];
        let mut scene = Scene { layout, placement, kings, colors, occupied, threats: [Threats::default(); Color::NUM] };
        scene.threats = Color::ALL.map(|color| scene.threats_against(color));
        Some(scene)
    }

    /// The placement.
    pub(crate) fn placement(&self) -> &Placement {
        &self.placement
    }

    /// Whether a side stands in check; the other one may be to move only if it does not.
    #[inline]
    pub(crate) fn is_in_check(&self, color: Color) -> bool {
        self.threats[color.index()].is_check
    }

    /// Attackers of a side with their squares and places.
    #[inline]
    fn attackers(&self, color: Color) -> impl Iterator<Item = (usize, PieceType, Square)> {
        let pieces = self.layout.attackers().iter().zip(self.placement.attackers).enumerate();
        pieces.filter(move |(_, (piece, _))| piece.color == color).map(|(at, (piece, square))| (at, piece.kind, square))
    }

    fn threats_against(&self, color: Color) -> Threats {
        let king = self.kings[color.index()];
        let mut threats = Threats::default();
        for (_, kind, square) in self.attackers(!color) {
            match kind {
                PieceType::Rook | PieceType::Cannon if cross(king).contains(square) => {
                    let segment = between(king, square);
                    let screens = segment & self.occupied;
                    match (kind, screens.count()) {
                        (PieceType::Rook, 0) | (PieceType::Cannon, 1) => threats.is_check = true,
                        (PieceType::Rook, 1) | (PieceType::Cannon, 2) => threats.blockers |= screens,
                        (PieceType::Cannon, 0) => threats.hollow |= segment,
                        _ => {}
                    }
                }
                PieceType::Horse if horse_attackers_unblocked(king).contains(square) => {
                    let leg = horse_leg(square, king);
                    if self.occupied.contains(leg) {
                        threats.blockers = threats.blockers.with(leg);
                    } else {
                        threats.is_check = true;
                    }
                }
                PieceType::Pawn => threats.is_check |= pawn_attackers(!color, king).contains(square),
                _ => {}
            }
        }
        let other = self.kings[(!color).index()];
        if king.file() == other.file() {
            let screens = between(king, other) & self.occupied;
            match screens.count() {
                0 => threats.is_check = true,
                1 => threats.blockers |= screens,
                _ => {}
            }
        }
        threats
    }

    /// Whether a king of `color` on `king` stands in check, with these points occupied, after a capture on `taken`.
    fn is_attacked(&self, color: Color, king: Square, occupied: Bitboard, taken: Square) -> bool {
        let other = self.kings[(!color).index()];
        if king.file() == other.file() && (between(king, other) & occupied).is_empty() {
            return true;
        }
        self.attackers(!color).filter(|&(_, _, square)| square != taken).any(|(_, kind, square)| match kind {
            PieceType::Rook => cross(king).contains(square) && (between(king, square) & occupied).is_empty(),
            PieceType::Cannon => cross(king).contains(square) && (between(king, square) & occupied).count() == 1,
            PieceType::Horse => horse_attackers(king, occupied).contains(square),
            PieceType::Pawn => pawn_attackers(!color, king).contains(square),
            _ => false,
        })
    }

    /// Where a piece may go by its way of moving, own pieces excluded.
    #[inline]
    fn destinations(&self, kind: PieceType, color: Color, from: Square) -> Bitboard {
        let set = match kind {
            PieceType::King => king_attacks(from),
            PieceType::Advisor => advisor_attacks(from),
            PieceType::Elephant => elephant_attacks(from, self.occupied),
            PieceType::Horse => horse_attacks(from, self.occupied),
            PieceType::Rook => rook_attacks(from, self.occupied),
            PieceType::Cannon => {
                rook_attacks(from, self.occupied) & !self.occupied | cannon_attacks(from, self.occupied) & self.occupied
            }
            PieceType::Pawn => pawn_attacks(color, from),
        };
        set & !self.colors[color.index()]
    }

    /// Those destinations of a piece that leave its own king safe.
    #[inline]
    fn legal_destinations(&self, kind: PieceType, color: Color, from: Square) -> Bitboard {
        let set = self.destinations(kind, color, from);
        let threats = &self.threats[color.index()];
        let unsure = if kind == PieceType::King || threats.is_check || threats.blockers.contains(from) {
            set
        } else {
            set & threats.hollow
        };
        let mut legal = set;
        for to in unsure {
            let king = if kind == PieceType::King { to } else { self.kings[color.index()] };
            if self.is_attacked(color, king, self.occupied.without(from).with(to), to) {
                legal = legal.without(to);
            }
        }
        legal
    }

    /// Hands every piece of a side, with its kind and square, to `visit`, until that returns `false`.
    #[inline]
    fn for_each_man(&self, color: Color, mut visit: impl FnMut(Man, PieceType, Square) -> bool) {
        let key = self.placement.guards[color.index()];
        if !visit(Man::Guard(PieceType::King), PieceType::King, self.kings[color.index()]) {
            return;
        }
        for (kind, squares) in [(PieceType::Advisor, key.advisors(color)), (PieceType::Elephant, key.elephants(color))]
        {
            for square in squares {
                if !visit(Man::Guard(kind), kind, square) {
                    return;
                }
            }
        }
        for (at, kind, square) in self.attackers(color) {
            if !visit(Man::Attacker(at), kind, square) {
                return;
            }
        }
    }

    /// Number of legal moves that capture nothing; the captures go to `capture`.
    #[inline]
    pub(crate) fn count_moves(&self, color: Color, mut capture: impl FnMut(Step)) -> u32 {
        let mut quiet = 0;
        self.for_each_man(color, |man, kind, from| {
            let legal = self.legal_destinations(kind, color, from);
            quiet += (legal & !self.occupied).count();
            for to in legal & self.occupied {
                capture(Step { man, from, to });
            }
            true
        });
        quiet
    }

    /// Hands every legal move to `visit`, until that returns `false`.
    #[inline]
    pub(crate) fn for_each_move(&self, color: Color, mut visit: impl FnMut(Step) -> bool) {
        self.for_each_man(color, |man, kind, from| {
            self.legal_destinations(kind, color, from).into_iter().all(|to| visit(Step { man, from, to }))
        });
    }

    /// Whether a move captures.
    #[inline]
    pub(crate) fn is_capture(&self, step: Step) -> bool {
        self.occupied.contains(step.to)
    }

    /// The enemy piece on a square.
    pub(crate) fn man_at(&self, color: Color, square: Square) -> Option<(Man, PieceType)> {
        let mut found = None;
        self.for_each_man(color, |man, kind, at| {
            if at == square {
                found = Some((man, kind));
            }
            found.is_none()
        });
        found
    }

    /// Hands to `visit` the placement before each move without capture by which a side may have come here. Whether
    /// the position before was legal is not looked at.
    #[inline]
    pub(crate) fn for_each_unmove(&self, color: Color, mut visit: impl FnMut(Placement)) {
        self.for_each_man(color, |man, kind, to| {
            let origins = match kind {
                PieceType::King => king_attacks(to),
                PieceType::Advisor => advisor_attacks(to),
                PieceType::Elephant => elephant_attacks(to, self.occupied),
                // The leg stands beside the origin.
                PieceType::Horse => horse_attackers(to, self.occupied),
                PieceType::Rook | PieceType::Cannon => rook_attacks(to, self.occupied),
                PieceType::Pawn => pawn_attackers(color, to) & pawn_points(color),
            };
            for from in origins & !self.occupied {
                visit(self.moved(color, man, to, from));
            }
            true
        });
    }

    /// The placement with one piece on another point; a captured piece stays.
    #[inline]
    pub(crate) fn moved(&self, color: Color, man: Man, from: Square, to: Square) -> Placement {
        let mut placement = self.placement;
        match man {
            Man::Guard(kind) => {
                let key = &mut placement.guards[color.index()];
                *key = key.moved(kind, color, from, to);
            }
            Man::Attacker(at) => placement.attackers[at] = to,
        }
        placement
    }

    /// Whether a piece of a side, other than king or pawn, attacks an enemy piece other than the king.
    pub(crate) fn attacks_pieces(&self, color: Color) -> bool {
        let targets = self.colors[(!color).index()].without(self.kings[(!color).index()]);
        let mut attacks = false;
        if targets.any() {
            self.for_each_man(color, |_, kind, from| {
                attacks |= !matches!(kind, PieceType::King | PieceType::Pawn)
                    && (self.destinations(kind, color, from) & targets).any();
                !attacks
            });
        }
        attacks
    }
}
