//! What each side does in a repetition, in the terms that sentences are made of.

use chuhe_movegen::{Board, Color, Piece, Square};
use chuhe_rules::{Game, Ground, JudgedMove, MoveClass, Pattern, Repetition, Ruling};

/// What a side does.
pub(super) struct Play {
    pub(super) color: Color,
    pub(super) pattern: Pattern,
    /// The pieces that every move chases.
    pub(super) victims: Vec<Piece>,
    /// The moves of a round.
    pub(super) moves: Counts,
    /// All pieces that chase, and all that are chased, in the order of the moves.
    pub(super) chasers: Vec<Piece>,
    pub(super) chased: Vec<Piece>,
    /// Whether this is what the rules forbid.
    pub(super) is_offence: bool,
    /// Whether its pawns' attacks count, the other side being at fault (article 27.2 of 1999).
    pub(super) pawns_count: bool,
}

/// How many moves there are of each class.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Counts {
    pub(super) checks: usize,
    pub(super) kills: usize,
    pub(super) chases: usize,
    pub(super) idles: usize,
}

impl Counts {
    fn of<'a>(moves: impl Iterator<Item = &'a JudgedMove>) -> Counts {
        let mut counts = Counts::default();
        for judged in moves {
            match judged.class {
                MoveClass::Check => counts.checks += 1,
                MoveClass::Kill => counts.kills += 1,
                MoveClass::Chase => counts.chases += 1,
                MoveClass::Idle(_) => counts.idles += 1,
            }
        }
        counts
    }
}

impl Play {
    fn of(game: &Game, repetition: &Repetition, color: Color) -> Play {
        let window = repetition.window;
        let end = &game.plies()[window.last()].board;
        let pattern = repetition.patterns[color.index()];
        let of = |moves: &[JudgedMove]| Counts::of(moves.iter().filter(|judged| judged.mover == color));
        let (first, rest) = repetition.moves.split_at(repetition.cycle().len());
        // A round if both are alike in this, else all moves.
        let moves = if rest.is_empty() || of(first) == of(rest) { of(first) } else { of(&repetition.moves) };
        let (chasers, chased) = hunt(&game.plies()[window.first].board, &repetition.moves, color);
        Play {
            color,
            pattern,
            victims: repetition.victims[color.index()].iter().filter_map(|&square| end.piece_at(square)).collect(),
            moves,
            chasers,
            chased,
            is_offence: repetition.loser == Some(color) || repetition.ground == Ground::MutualOffence,
            pawns_count: repetition.ground == Ground::PawnFight && !pattern.only_attacks(),
        }
    }
}

/// Who chases whom, each piece once.
fn hunt(start: &Board, moves: &[JudgedMove], color: Color) -> (Vec<Piece>, Vec<Piece>) {
    // Where the pieces come from, by the squares they are on now.
    let mut origin: Vec<Square> = Square::all().collect();
    let (mut chasers, mut chased): (Vec<Square>, Vec<Square>) = (Vec::new(), Vec::new());
    for judged in moves {
        origin[judged.mv.to().index()] = origin[judged.mv.from().index()];
        if judged.mover != color {
            continue;
        }
        for chase in &judged.chases {
            for (list, square) in [(&mut chasers, chase.attack.attacker), (&mut chased, chase.attack.victim)] {
                let name = origin[square.index()];
                if !list.contains(&name) {
                    list.push(name);
                }
            }
        }
    }
    [chasers, chased].map(|list| list.into_iter().filter_map(|square| start.piece_at(square)).collect()).into()
}

/// What the sentence about a repetition speaks of, beside its ground.
pub(super) struct Statement {
    /// The side that loses or would lose; when there is none, the one whose play is permitted though every move attacks,
    /// if there is one.
    pub(super) subject: Play,
    pub(super) other: Play,
}

impl Statement {
    pub(super) fn of(game: &Game, ruling: &Ruling) -> Option<Statement> {
        let repetition = ruling.repetition.as_ref()?;
        let explains = |color: &Color| {
            let pattern = &repetition.patterns[color.index()];
            pattern.only_attacks()
                && match repetition.ground {
                    Ground::PermittedCheckAndChase => pattern.checks && pattern.chases,
                    Ground::PermittedChecksAndMateThreats => pattern.checks && pattern.kills,
                    Ground::PermittedMateThreats => pattern.kills,
                    _ => true,
                }
        };
        let subject = repetition.loser.or_else(|| Color::ALL.into_iter().find(explains)).unwrap_or(Color::Red);
        let play = |color| Play::of(game, repetition, color);
        Some(Statement { subject: play(subject), other: play(!subject) })
    }
}

/// The plays of both sides, Red's first.
pub(super) fn plays(game: &Game, repetition: &Repetition) -> [Play; Color::NUM] {
    Color::ALL.map(|color| Play::of(game, repetition, color))
}
