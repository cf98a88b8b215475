//! Random games that end when a position comes for the third time, rich in checks and attacks.
//!
//! Shared by the properties of the judge, by the example that prints such games, and by the comparison with pyffish.

use chuhe_movegen::{Board, Color, Move, PieceType, Square};
use chuhe_rules::{Game, find_repetition};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Games without end; the same ones for the same seed.
///
/// They begin in positions of random games and in random placements of few pieces. Up to two moves lead in; then either
/// side makes a round of two, three or four moves until the position has come three times. The second round is
/// sometimes another than the first. Nothing is played after the third occurrence, and no position comes three times
/// before.
pub(crate) fn cycles(seed: u64) -> impl Iterator<Item = Game> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    std::iter::repeat_with(move || cycle(&mut rng)).flatten()
}

/// A game as a line of JSON that `chuhe judge` reads.
pub(crate) fn json_line(id: &str, game: &Game) -> String {
    let moves: Vec<String> = game.moves().map(|mv| format!("\"{mv}\"")).collect();
    format!("{{\"id\":\"{id}\",\"fen\":\"{}\",\"moves\":[{}]}}", game.start().to_fen(), moves.join(","))
}

/// What a side looks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Liking {
    Nothing,
    Checks,
    /// Attacks on pieces of one kind: mostly one piece.
    Attacks(PieceType),
    /// The same, but only where none of them could be taken before the move.
    NewAttacks(PieceType),
}

/// How a side makes its moves.
#[derive(Clone, Copy)]
struct Manner {
    liking: Liking,
    /// Whether it makes no other moves.
    strict: bool,
}

impl Manner {
    fn random(rng: &mut impl Rng) -> Manner {
        let prey = [PieceType::Rook, PieceType::Horse, PieceType::Cannon, PieceType::Advisor, PieceType::Elephant];
        let liking = match rng.random_range(0..10) {
            0..2 => Liking::Nothing,
            2..4 => Liking::Checks,
            4..6 => Liking::Attacks(prey[rng.random_range(0..prey.len())]),
            _ => Liking::NewAttacks(prey[rng.random_range(0..prey.len())]),
        };
        Manner { liking, strict: rng.random_bool(0.8) }
    }

    fn likes(self, before: &Board, after: &Board) -> bool {
        match self.liking {
            Liking::Nothing => true,
            Liking::Checks => after.in_check(),
            Liking::NewAttacks(prey) => {
                !after.in_check() && !attacks_some(prey, before) && attacks_some(prey, &after.turned())
            }
            Liking::Attacks(prey) => !after.in_check() && attacks_some(prey, &after.turned()),
        }
    }
}

/// Whether the side to move could take a piece of this kind.
fn attacks_some(prey: PieceType, board: &Board) -> bool {
    board.legal_moves().iter().any(|mv| board.piece_at(mv.to()).is_some_and(|piece| piece.kind == prey))
}

fn cycle(rng: &mut ChaCha8Rng) -> Option<Game> {
    let start = if rng.random_bool(0.5) { position_of_a_game(rng) } else { placement(rng)? };
    let mut game = Game::new(start);
    for _ in 0..rng.random_range(0..3) {
        let moves = game.board().legal_moves();
        game.play(*moves.choose(rng)?).ok()?;
    }
    let rounds = rng.random_range(2..=4);
    let manners = [Manner::random(rng), Manner::random(rng)];
    let mut attempt = Round { base: game.board().clone(), manners, budget: 100 };
    let first = attempt.moves(rounds, rng)?;
    let second = if rng.random_bool(0.2) { attempt.moves(rounds, rng)? } else { first.clone() };
    for mv in first.into_iter().chain(second) {
        game.play(mv).ok()?;
    }
    // A round may hold a shorter one.
    let third = find_repetition(game.plies())?.third?;
    let mut short = Game::new(game.start().clone());
    for mv in game.moves().take(third) {
        short.play(mv).ok()?;
    }
    Some(short)
}

/// A search for a round: moves that are no captures and lead back to where they began.
struct Round {
    base: Board,
    manners: [Manner; Color::NUM],
    /// Moves that may still be tried.
    budget: u32,
}

impl Round {
    /// A round of so many moves a side.
    fn moves(&mut self, rounds: usize, rng: &mut impl Rng) -> Option<Vec<Move>> {
        let mut line = Vec::new();
        self.extend(&self.base.clone(), 2 * rounds, &mut line, rng).then_some(line)
    }

    fn extend(&mut self, board: &Board, left: usize, line: &mut Vec<Move>, rng: &mut impl Rng) -> bool {
        if left == 0 {
            return board.key() == self.base.key();
        }
        let mover = board.side_to_move();
        let manner = self.manners[mover.index()];
        // Each piece that stands elsewhere needs a move to go home.
        let can_go_home = |after: &Board| {
            let away = (self.base.color(mover) & !after.color(mover)).count() as usize;
            away <= (left - 1) / 2
        };
        let mut moves: Vec<(Move, Board)> = board
            .legal_moves()
            .into_iter()
            .filter(|&mv| !board.is_capture(mv))
            .map(|mv| (mv, board.make(mv)))
            .filter(|(_, after)| can_go_home(after))
            .collect();
        moves.shuffle(rng);
        // What is liked comes first, or alone.
        let (mut moves, others): (Vec<_>, Vec<_>) =
            moves.into_iter().partition(|(_, after)| manner.likes(board, after));
        if !manner.strict {
            moves.extend(others);
        }
        for (mv, after) in moves {
            let Some(budget) = self.budget.checked_sub(1) else { return false };
            self.budget = budget;
            line.push(mv);
            if self.extend(&after, left - 1, line, rng) {
                return true;
            }
            line.pop();
        }
        false
    }
}

/// Plays random moves from the start, captures preferred so that boards of every size come up.
fn position_of_a_game(rng: &mut impl Rng) -> Board {
    let mut board = Board::startpos();
    for _ in 0..rng.random_range(4..160) {
        let moves = board.legal_moves();
        let captures: Vec<Move> = moves.iter().copied().filter(|&mv| board.is_capture(mv)).collect();
        let pool = if !captures.is_empty() && rng.random_range(0..3) == 0 { captures } else { moves.to_vec() };
        let Some(&mv) = pool.choose(rng) else { break };
        board = board.make(mv);
    }
    board
}

/// Both kings with a few other pieces, wherever they may stand.
fn placement(rng: &mut impl Rng) -> Option<Board> {
    let mut army = *b"RRNNCCAABBPPPPP";
    let mut cells = [b'.'; Square::NUM];
    for is_red in [true, false] {
        let most = [3, 5, 8][rng.random_range(0..3)];
        let number = rng.random_range(1..=most);
        army.shuffle(rng);
        for &letter in std::iter::once(&b'K').chain(&army[..number]) {
            let place = places(letter).choose(rng).copied()?;
            let place = if is_red { place } else { Square::NUM - 1 - place };
            if cells[place] != b'.' {
                return None;
            }
            cells[place] = if is_red { letter } else { letter.to_ascii_lowercase() };
        }
    }
    let rows: Vec<String> = cells
        .rchunks(9)
        .map(|row| row.iter().map(|&cell| if cell == b'.' { '1' } else { char::from(cell) }).collect())
        .collect();
    Board::from_fen(&format!("{} {} - - 0 1", rows.join("/"), ["w", "b"][rng.random_range(0..2)])).ok()
}

/// Where a red piece may stand, as rank × 9 + file.
fn places(letter: u8) -> Vec<usize> {
    let named = |names: &str| -> Vec<usize> {
        names
            .as_bytes()
            .split(|&byte| byte == b' ')
            .map(|name| usize::from(name[1] - b'0') * 9 + usize::from(name[0] - b'a'))
            .collect()
    };
    match letter {
        b'K' => named("d0 e0 f0 d1 e1 f1 d2 e2 f2"),
        b'A' => named("d0 f0 e1 d2 f2"),
        b'B' => named("c0 g0 a2 e2 i2 c4 g4"),
        b'P' => named("a3 c3 e3 g3 i3 a4 c4 e4 g4 i4").into_iter().chain(45..Square::NUM).collect(),
        _ => (0..Square::NUM).collect(),
    }
}
