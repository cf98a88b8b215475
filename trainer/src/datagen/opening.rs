//! Random openings.

use chuhe_engine::{Control, Engine, Limits};
use chuhe_movegen::attacks::{ADVISOR_POINTS, ELEPHANT_POINTS, PALACES, pawn_points};
use chuhe_movegen::{Bitboard, Board, Color, Move, Piece, PieceType, SEE_VALUES, Square};
use chuhe_rules::{Game, RuleSet};
use rand::RngExt as _;
use rand::seq::{IndexedRandom as _, SliceRandom as _};
use rand_chacha::ChaCha8Rng;

use crate::data::game::{Opening, SearchSettings};

/// One game in so many begins with a random placement.
const PLACEMENT_ONE_IN: u32 = 5;
/// Random moves.
const PLIES: std::ops::RangeInclusive<u16> = 6..=10;
/// What a random move may lose by exchange: up to a cannon.
const LARGEST_LOSS: i32 = SEE_VALUES[PieceType::Cannon.index()];
/// Nodes of a first look, which saves most of the searches of openings that are far from level.
const GLANCE_NODES: u64 = 500;
/// Openings that are drawn for one game. Of those drawn by a sane evaluation one in ten is level at the least.
const MOST_DRAWS: usize = 1000;
/// How far a first look may err, in internal units.
const GLANCE_ERROR: i32 = 200;

/// Where a game begins.
#[derive(Clone, Debug)]
pub(super) struct Start {
    /// The position.
    pub(super) board: Board,
    /// Half-moves played before it.
    pub(super) ply: u16,
    /// What they began from.
    pub(super) opening: Opening,
}

impl Start {
    /// Random moves from a position of this kind; nothing where the draw was not legal, or the game is over.
    fn draw(opening: Opening, rng: &mut ChaCha8Rng) -> Option<Start> {
        let board = placement(opening, rng)?;
        // Even plies are Red's.
        let first = u16::from(board.side_to_move() == Color::Black);
        let plies = rng.random_range(PLIES);
        let (board, _) = random_moves(board, plies, rng)?;
        Some(Start { board, ply: first + plies, opening })
    }
}

/// Draws openings until one is level; nothing when there seems to be none.
pub(super) fn draw(
    engine: &mut Engine,
    rng: &mut ChaCha8Rng,
    search: &SearchSettings,
    rules: &RuleSet,
) -> Option<Start> {
    let opening = if rng.random_range(0..PLACEMENT_ONE_IN) > 0 {
        Opening::Initial
    } else if rng.random() {
        Opening::Middlegame
    } else {
        Opening::Endgame
    };
    let mut draws = std::iter::repeat_with(|| Start::draw(opening, rng)).flatten();
    draws.by_ref().take(MOST_DRAWS).find(|start| is_level(engine, &start.board, search, rules))
}

/// Whether a search finds neither side far ahead.
fn is_level(engine: &mut Engine, board: &Board, search: &SearchSettings, rules: &RuleSet) -> bool {
    let game = Game::new(board.clone());
    if game.ending(rules).is_some() {
        return false;
    }
    let mut score = |limits| engine.search(&game, &limits, &Control::new(), &mut |_| {}).score.get().abs();
    let glance = Limits::soft_nodes(GLANCE_NODES, search.opening_nodes);
    score(glance) <= search.opening_limit + GLANCE_ERROR
        && score(Limits::nodes(search.opening_nodes)) <= search.opening_limit
}

/// A board to begin from; nothing where the draw was not legal.
fn placement(opening: Opening, rng: &mut ChaCha8Rng) -> Option<Board> {
    let (red, black) = match opening {
        Opening::Initial => return Some(Board::startpos()),
        Opening::Middlegame => {
            let red = Army::middlegame(rng);
            let black = red.varied(rng);
            (red, black)
        }
        Opening::Endgame => (Army::endgame(rng), Army::endgame(rng)),
    };
    let mut pieces = Vec::with_capacity(32);
    red.deploy(Color::Red, opening, rng, &mut pieces)?;
    black.deploy(Color::Black, opening, rng, &mut pieces)?;
    let side = if rng.random() { Color::Red } else { Color::Black };
    Board::from_pieces(pieces, side, 0, 1).ok()
}

/// How many pieces of each kind a side has, by [`PieceType::index`].
#[derive(Clone, Copy, Debug)]
struct Army([u32; PieceType::NUM]);

impl Army {
    /// Most of the pieces.
    fn middlegame(rng: &mut ChaCha8Rng) -> Army {
        Army(PieceType::ALL.map(|kind| match kind {
            PieceType::King => 1,
            PieceType::Pawn => rng.random_range(3..=5),
            _ => rng.random_range(1..=2),
        }))
    }

    /// Few pieces.
    fn endgame(rng: &mut ChaCha8Rng) -> Army {
        Army(PieceType::ALL.map(|kind| match kind {
            PieceType::King => 1,
            PieceType::Pawn => rng.random_range(0..=3),
            PieceType::Advisor | PieceType::Elephant => rng.random_range(0..=2),
            PieceType::Rook => rng.random_range(0..=1),
            _ => rng.random_range(0..=2u32).min(rng.random_range(0..=2)),
        }))
    }

    /// An army like this one: each number changes by one now and then.
    fn varied(self, rng: &mut ChaCha8Rng) -> Army {
        let mut counts = self.0;
        for (kind, count) in PieceType::ALL.into_iter().zip(&mut counts).skip(1) {
            *count = match rng.random_range(0..8) {
                0 => count.saturating_sub(1),
                1 => (*count + 1).min(kind.max_count()),
                _ => *count,
            };
        }
        Army(counts)
    }

    /// Puts the pieces on random squares that they can reach and that are free; nothing where there is none left.
    fn deploy(
        self,
        color: Color,
        opening: Opening,
        rng: &mut ChaCha8Rng,
        pieces: &mut Vec<(Piece, Square)>,
    ) -> Option<()> {
        for kind in PieceType::ALL {
            let piece = Piece::new(color, kind);
            let mut squares = reachable(piece, opening, rng);
            squares.shuffle(rng);
            for _ in 0..self.0[kind.index()] {
                let at = squares.iter().position(|square| !pieces.iter().any(|(_, taken)| taken == square))?;
                let square = squares.swap_remove(at);
                if kind == PieceType::Pawn && is_home(color, square) {
                    // Before the river a pawn never leaves its file, so no file has two.
                    squares.retain(|other| other.file() != square.file() || !is_home(color, *other));
                }
                pieces.push((piece, square));
            }
        }
        Some(())
    }
}

/// Whether a square is on a side's own half.
fn is_home(color: Color, square: Square) -> bool {
    Bitboard::home(color).contains(square)
}

/// The squares that a piece is to be put on.
fn reachable(piece: Piece, opening: Opening, rng: &mut ChaCha8Rng) -> Vec<Square> {
    let home = Bitboard::home(piece.color);
    let points = match piece.kind {
        PieceType::King => PALACES & home,
        PieceType::Advisor => ADVISOR_POINTS & home,
        PieceType::Elephant => ELEPHANT_POINTS & home,
        PieceType::Pawn => pawn_points(piece.color),
        _ => Bitboard::ALL,
    };
    let mut squares: Vec<Square> = points.into_iter().collect();
    match (opening, piece.kind) {
        // With many attackers on the board a king is mostly at home.
        (Opening::Middlegame, PieceType::King) if rng.random_range(0..4) > 0 => {
            squares.retain(|square| square.rank() == if piece.color == Color::Red { 0 } else { 9 });
        }
        // And most pawns have not crossed.
        (Opening::Middlegame, PieceType::Pawn) => {
            let crossed = rng.random_range(0..3);
            let mut far: Vec<Square> =
                squares.iter().copied().filter(|&square| !is_home(piece.color, square)).collect();
            far.shuffle(rng);
            far.truncate(crossed);
            squares.retain(|square| is_home(piece.color, *square) || far.contains(square));
        }
        _ => {}
    }
    squares
}

/// Plays so many random moves: first a piece is drawn, then one of its moves, which spreads them better than drawing among
/// all moves alike. Moves that hang more than a cannon are passed over. Nothing when the game comes to an end.
pub(crate) fn random_moves(mut board: Board, plies: u16, rng: &mut ChaCha8Rng) -> Option<(Board, Vec<Move>)> {
    let mut played = Vec::with_capacity(plies.into());
    for _ in 0..plies {
        let moves: Vec<Move> =
            board.legal_moves().into_iter().filter(|&mv| board.see_at_least(mv, -LARGEST_LOSS)).collect();
        let mut origins: Vec<Square> = moves.iter().map(|mv| mv.from()).collect();
        origins.sort_unstable();
        origins.dedup();
        let from = *origins.choose(rng)?;
        let own: Vec<Move> = moves.into_iter().filter(|mv| mv.from() == from).collect();
        let mv = *own.choose(rng)?;
        board = board.make(mv);
        played.push(mv);
    }
    Some((board, played))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datagen::new_engine;
    use chuhe_eval::Evaluation;
    use rand::SeedableRng as _;

    fn starts(opening: Opening) -> Vec<Start> {
        let mut rng = ChaCha8Rng::seed_from_u64(9);
        (0..2000).filter_map(|_| Start::draw(opening, &mut rng)).collect()
    }

    #[test]
    fn openings_are_positions_of_the_game() {
        let mut counts = Vec::new();
        for opening in Opening::ALL {
            let starts = starts(opening);
            assert!(starts.len() > 500, "{opening:?}: only {} of 2000 draws are legal", starts.len());
            let mut pieces = 0;
            for Start { board, ply, .. } in &starts {
                assert_eq!(&Board::from_fen(&board.to_fen()).expect("a legal position"), board);
                assert!((6..=11).contains(ply));
                assert_eq!(ply % 2 == 1, board.side_to_move() == Color::Black, "{board:?}");
                assert_eq!(board.fullmove_number(), 1 + ply / 2);
                for color in Color::ALL {
                    let mut files: Vec<u8> = (board.pieces(color, PieceType::Pawn) & Bitboard::home(color))
                        .into_iter()
                        .map(Square::file)
                        .collect();
                    files.sort_unstable();
                    assert!(files.is_sorted_by(|a, b| a < b), "two pawns that no game brings to one file: {board:?}");
                }
                pieces += board.occupied().count();
            }
            counts.push(pieces / starts.len() as u32);
        }
        let [initial, middlegame, endgame] = counts[..] else { panic!("three kinds") };
        assert!(initial > middlegame && middlegame > endgame + 4, "{counts:?} pieces on average");
    }

    #[test]
    fn an_evaluation_that_finds_nothing_level_does_not_draw_for_ever() {
        let mut engine = new_engine(&Evaluation::HandWritten, RuleSet::COMPUTER);
        let mut search = SearchSettings {
            fingerprint: 0,
            network: String::new(),
            soft_nodes: 1,
            hard_nodes: 1,
            hash_mib: 8,
            opening_nodes: 1,
            opening_limit: 300,
        };
        let mut draw = |search: &SearchSettings| {
            draw(&mut engine, &mut ChaCha8Rng::seed_from_u64(1), search, &RuleSet::COMPUTER).is_some()
        };
        assert!(draw(&search));
        search.opening_limit = -GLANCE_ERROR - 1;
        assert!(!draw(&search));
    }
}
