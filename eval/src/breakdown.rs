//! The evaluation taken apart, for people.

use std::fmt;

use chuhe_movegen::{Board, ByColor, Color};

use crate::layout;
use crate::tapered::{Tapered, phase};
use crate::terms::{features, sign};
use crate::weights::WEIGHTS;

/// A group of weights that people think of as one thing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Term {
    /// Base values of pieces on squares.
    Pieces,
    /// Corrections by own king.
    OwnKing,
    /// Corrections by enemy king.
    EnemyKing,
    /// Rook mobility.
    RookMobility,
    /// Horse mobility.
    HorseMobility,
    /// Cannon mobility.
    CannonMobility,
    /// Cannons on a line with the enemy king, hollow or behind two screens.
    CannonLines,
    /// Advisors and elephants against the enemy's attackers.
    Guards,
    /// Having the move.
    Tempo,
}

impl Term {
    /// All terms, in the order of their weights.
    pub const ALL: [Term; 9] = [
        Term::Pieces,
        Term::OwnKing,
        Term::EnemyKing,
        Term::RookMobility,
        Term::HorseMobility,
        Term::CannonMobility,
        Term::CannonLines,
        Term::Guards,
        Term::Tempo,
    ];

    /// The term that a weight belongs to.
    pub const fn of(index: usize) -> Term {
        match index {
            layout::BASE..layout::OWN_KING => Term::Pieces,
            layout::OWN_KING..layout::ENEMY_KING => Term::OwnKing,
            layout::ENEMY_KING..layout::ROOK_MOBILITY => Term::EnemyKing,
            layout::ROOK_MOBILITY..layout::HORSE_MOBILITY => Term::RookMobility,
            layout::HORSE_MOBILITY..layout::CANNON_MOBILITY => Term::HorseMobility,
            layout::CANNON_MOBILITY..layout::HOLLOW_CANNON => Term::CannonMobility,
            layout::HOLLOW_CANNON..layout::GUARDS => Term::CannonLines,
            layout::GUARDS..layout::TEMPO => Term::Guards,
            _ => Term::Tempo,
        }
    }

    /// Name in lower case, words joined by hyphens.
    pub const fn name(self) -> &'static str {
        match self {
            Term::Pieces => "pieces",
            Term::OwnKing => "own-king",
            Term::EnemyKing => "enemy-king",
            Term::RookMobility => "rook-mobility",
            Term::HorseMobility => "horse-mobility",
            Term::CannonMobility => "cannon-mobility",
            Term::CannonLines => "cannon-lines",
            Term::Guards => "guards",
            Term::Tempo => "tempo",
        }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What one term gives either side, each from its own view: more is better for that side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line {
    /// The term.
    pub term: Term,
    /// Red's and Black's score.
    pub sides: ByColor<Tapered>,
}

impl Line {
    /// Red's score less Black's.
    pub fn difference(&self) -> Tapered {
        let mut score = self.sides.red;
        score -= self.sides.black;
        score
    }
}

/// The static evaluation of a position by terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breakdown {
    /// One line a term, in the order of [`Term::ALL`].
    pub lines: [Line; Term::ALL.len()],
    /// [`phase`] of the position.
    pub phase: i32,
    /// The sum of the lines, Red's view.
    pub total: Tapered,
    /// The evaluation in internal units, Red's view.
    pub red_view: i32,
    /// The evaluation in internal units from the side to move: what [`Evaluator::evaluate`](crate::Evaluator) returns.
    pub mover_view: i32,
}

impl Breakdown {
    /// Takes the evaluation of a position apart.
    pub fn of(board: &Board) -> Breakdown {
        let mut lines = Term::ALL.map(|term| Line { term, sides: ByColor::default() });
        features(board, &mut |index, count| {
            // The sign of a count says whose feature it is.
            let color = if count < 0 { Color::Black } else { Color::Red };
            lines[Term::of(index) as usize].sides[color].add(WEIGHTS[index], count.abs());
        });
        let mut total = Tapered::ZERO;
        for line in &lines {
            total += line.difference();
        }
        let phase = phase(board);
        let red_view = total.tapered(phase);
        Breakdown { lines, phase, total, red_view, mover_view: sign(board.side_to_move()) * red_view }
    }
}
