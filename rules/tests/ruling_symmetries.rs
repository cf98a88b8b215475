//! A ruling is the same from every chair: over random cycles, seen in a mirror, with the colours exchanged, begun at
//! another move of the round, with other moves in front, and with the round played a third time. The classes of all
//! moves, the victims with their chasers, the window and the article go with it.
//!
//! `cargo test` looks at some hundred cycles; `CHUHE_CYCLES=20000 cargo test -p chuhe-rules --test ruling_symmetries`
//! at as many as one likes.

mod cycles;

use chuhe_movegen::{Board, Color, Move, Piece, Square};
use chuhe_rules::{
    Chase, ChaseWay, Game, Ground, IdleKind, MateThreat, MoveClass, Protection, RuleSet, Ruling, ThreatOrigin, Verdict,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Cycles that plain `cargo test` looks at.
const FEW: usize = 300;

const RULES: [RuleSet; 6] = [
    RuleSet::COMPUTER,
    RuleSet::ASIAN,
    RuleSet::CHINESE,
    RuleSet::CHINESE_1999,
    RuleSet::CHINESE_OLD,
    RuleSet::CHECK_ONLY,
];

fn number_of_cycles() -> usize {
    std::env::var("CHUHE_CYCLES").map_or(FEW, |number| number.parse().expect("CHUHE_CYCLES is a number"))
}

/// Another way to look at a game.
#[derive(Clone, Copy)]
struct Chair {
    is_mirrored: bool,
    is_turned: bool,
}

impl Chair {
    const OWN: Chair = Chair { is_mirrored: false, is_turned: false };
    const MIRROR: Chair = Chair { is_mirrored: true, is_turned: false };
    const OPPOSITE: Chair = Chair { is_mirrored: false, is_turned: true };

    fn square(self, square: Square) -> Square {
        let square = if self.is_mirrored { square.mirror_file() } else { square };
        if self.is_turned { square.rotate() } else { square }
    }

    fn mv(self, mv: Move) -> Move {
        Move::new(self.square(mv.from()), self.square(mv.to())).unwrap()
    }

    fn color(self, color: Color) -> Color {
        if self.is_turned { !color } else { color }
    }

    fn piece(self, piece: Piece) -> Piece {
        Piece::new(self.color(piece.color), piece.kind)
    }

    fn board(self, board: &Board) -> Board {
        let board = if self.is_mirrored { board.mirror_files() } else { board.clone() };
        if self.is_turned { board.swap_colors() } else { board }
    }

    fn game(self, game: &Game) -> Game {
        play(self.board(game.start()), game.moves().map(|mv| self.mv(mv)))
    }
}

fn play(start: Board, moves: impl IntoIterator<Item = Move>) -> Game {
    let mut game = Game::new(start);
    for mv in moves {
        game.play(mv).unwrap();
    }
    game
}

/// What a move is.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Told {
    mv: Move,
    class: MoveClass,
    threat: MateThreat,
    origin: Option<ThreatOrigin>,
    chases: Vec<ToldChase>,
}

type ToldChase = (Piece, Square, Piece, Square, ChaseWay, Option<Protection>);

/// What a ruling says, seen from a chair; the first move of the window apart.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Said {
    verdict: Verdict,
    ground: Ground,
    article: Option<&'static str>,
    lengths: (usize, Option<usize>),
    moves: Vec<Told>,
    victims: [Vec<Square>; 2],
    is_certain: bool,
}

fn said(ruling: &Ruling, chair: Chair) -> Said {
    let repetition = ruling.repetition.as_ref().unwrap();
    let chase = |chase: &Chase| {
        let attack = chase.attack;
        (
            chair.piece(chase.attacker),
            chair.square(attack.attacker),
            chair.piece(chase.victim),
            chair.square(attack.victim),
            chase.way,
            chase.protection,
        )
    };
    let moves = repetition.moves.iter().map(|judged| Told {
        mv: chair.mv(judged.mv),
        class: judged.class,
        threat: judged.threat,
        origin: judged.origin,
        chases: judged.chases.iter().chain(&judged.permitted).map(chase).collect(),
    });
    let victims = |color: Color| {
        repetition.victims[chair.color(color).index()].iter().map(|&square| chair.square(square)).collect()
    };
    Said {
        verdict: match ruling.verdict {
            Verdict::Loses(color) => Verdict::Loses(chair.color(color)),
            same => same,
        },
        ground: repetition.ground,
        article: ruling.article(),
        lengths: (repetition.window.cycle_len(), repetition.window.third.map(|third| third - repetition.window.first)),
        moves: moves.collect(),
        victims: [victims(Color::Red), victims(Color::Black)],
        is_certain: repetition.is_certain,
    }
}

/// Whether two pieces of the game cannot be told apart, so that either may be named.
fn is_symmetric(game: &Game) -> bool {
    game.plies().iter().any(|ply| ply.board.mirror_files().key() == ply.board.key())
}

/// The round as moves, if both rounds of the game are alike.
fn round(game: &Game, ruling: &Ruling) -> Option<(usize, Vec<Move>)> {
    let window = ruling.repetition.as_ref()?.window;
    let moves: Vec<Move> = game.moves().collect();
    let (first, second) = (&moves[window.first..window.second], &moves[window.second..window.third?]);
    (first == second).then(|| (window.first, first.to_vec()))
}

/// A game with two quiet moves in front of the position from which the round begins.
fn with_moves_in_front(start: &Board, round: &[Move], rng: &mut ChaCha8Rng) -> Option<Game> {
    let mut positions = vec![start.clone()];
    for &mv in round {
        positions.push(positions[positions.len() - 1].make(mv));
    }
    let mut front: Vec<Move> = Vec::new();
    let mut board = start.clone();
    while front.len() < 2 {
        let (mv, before) = (0..200).find_map(|_| {
            let before = taken_back(&board, rng)?;
            let is_new = positions.iter().all(|known| known.key() != before.1.key());
            is_new.then_some(before)
        })?;
        front.insert(0, mv);
        positions.push(before.clone());
        board = before;
    }
    Some(play(board, front.into_iter().chain(round.iter().copied()).chain(round.iter().copied())))
}

/// A quiet move that may have led to a position, and the position before it.
fn taken_back(board: &Board, rng: &mut ChaCha8Rng) -> Option<(Move, Board)> {
    let mover = !board.side_to_move();
    let squares: Vec<Square> = board.color(mover).into_iter().collect();
    let to = squares[rng.random_range(0..squares.len())];
    let from = Square::at(rng.random_range(0..90));
    if board.piece_at(from).is_some() {
        return None;
    }
    let pieces = Square::all().filter_map(|square| {
        let piece = board.piece_at(square)?;
        Some((piece, if square == to { from } else { square }))
    });
    let before = Board::from_pieces(pieces, mover, 0, 1).ok()?;
    let mv = Move::new(from, to)?;
    (before.play(mv).ok()?.key() == board.key()).then_some((mv, before))
}

#[test]
fn rulings_are_the_same_from_every_chair() {
    let mut rng = ChaCha8Rng::seed_from_u64(77);
    let (mut losses, mut fronts, mut shifts) = (0, 0, 0);
    for game in cycles::cycles(7).take(number_of_cycles()) {
        for rules in RULES {
            let ruling = game.ruling(&rules);
            let told = said(&ruling, Chair::OWN);
            let name = || cycles::json_line(rules.name(), &game);
            losses += usize::from(matches!(told.verdict, Verdict::Loses(_)));
            for chair in [Chair::MIRROR, Chair::OPPOSITE] {
                // In a symmetric position the mirror images of the pieces may be named.
                if chair.is_mirrored && is_symmetric(&game) {
                    continue;
                }
                let other = said(&chair.game(&game).ruling(&rules), chair);
                assert_eq!(other, told, "{}", name());
            }
            let Some((first, moves)) = round(&game, &ruling) else { continue };
            let start = &game.plies()[first].board;
            // Once more the same round.
            let thrice = play(start.clone(), moves.iter().copied().cycle().take(3 * moves.len()));
            assert_eq!(said(&thrice.ruling(&rules), Chair::OWN), told, "{}", name());
            if let Some(later) = with_moves_in_front(start, &moves, &mut rng) {
                let later = later.ruling(&rules);
                assert_eq!(later.repetition.as_ref().map(|repetition| repetition.window.first), Some(2), "{}", name());
                assert_eq!(said(&later, Chair::OWN), told, "{}", name());
                fronts += 1;
            }
            // The round begun at each of its other moves.
            for shift in 1..moves.len() {
                let start = game.plies()[first + shift].board.clone();
                let shifted = moves.iter().copied().cycle().skip(shift).take(2 * moves.len());
                let shifted = said(&play(start, shifted).ruling(&rules), Chair::OWN);
                let mut expected = told.clone();
                expected.moves.rotate_left(shift);
                // The victims stand where they stood then.
                expected.victims.clone_from(&shifted.victims);
                assert_eq!(shifted, expected, "begun at {shift}: {}", name());
                assert_eq!(
                    shifted.victims.each_ref().map(Vec::len),
                    told.victims.each_ref().map(Vec::len),
                    "{}",
                    name()
                );
                shifts += 1;
            }
        }
    }
    // The properties must not hold for want of cases.
    assert!(
        losses > 100 && fronts > 100 && shifts > 1_000,
        "{losses} lost, {fronts} with moves in front, {shifts} shifted"
    );
}

/// An old attack and an idle move are labels too; here only that the label tells no lies about checks.
#[test]
fn answers_to_checks_are_called_so() {
    for game in cycles::cycles(8).take(100) {
        let ruling = game.ruling(&RuleSet::CHINESE);
        for judged in &ruling.repetition.unwrap().moves {
            let was_in_check = game.plies()[judged.ply - 1].board.in_check();
            if let MoveClass::Idle(kind) = judged.class {
                assert_eq!(kind == IdleKind::CheckAnswer, was_in_check, "{}", cycles::json_line("cxa", &game));
            }
        }
    }
}
