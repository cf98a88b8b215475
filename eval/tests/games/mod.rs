//! Positions and games to try evaluations on.

use chuhe_movegen::{Board, Move, MoveList, PieceType};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Beginnings of games: the initial position, and endings in which kings can walk.
pub(crate) const STARTS: [&str; 5] = [
    Board::START_FEN,
    "2bak4/4a4/4b4/9/2P1p4/4R4/6n2/4B4/4A4/2BAK4 w - - 0 1",
    "3k5/4P4/9/4p4/9/2C6/9/3A5/4N4/4K4 b - - 0 1",
    "r2ak2r1/4a4/4bc3/p1p1p3p/9/2P3c2/P3P3P/1C2C1N2/4A4/R1BAK1B1R w - - 0 1",
    "5k3/9/9/9/9/9/9/9/4p4/3K5 w - - 0 1",
];

/// A random game with its boards and moves; the last board has none. Kings walk more than they would by chance.
pub(crate) fn random_game(seed: u64, plies: usize) -> Vec<(Board, Option<Move>)> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let start = STARTS[rng.random_range(0..STARTS.len())];
    let mut board = Board::from_fen(start).expect("a valid start");
    let mut game = Vec::new();
    for _ in 0..plies {
        let moves: MoveList = board.legal_moves();
        let king = board.kind(PieceType::King);
        let walks: MoveList = moves.iter().copied().filter(|mv| king.contains(mv.from())).collect();
        let moves = if !walks.is_empty() && rng.random_range(0..4) == 0 { walks } else { moves };
        if moves.is_empty() {
            break;
        }
        let mv = moves[rng.random_range(0..moves.len())];
        let next = board.make(mv);
        game.push((board, Some(mv)));
        board = next;
    }
    game.push((board, None));
    game
}

/// Composed placements, with pieces where no game brings them and more of them than in a game.
pub(crate) fn composed() -> Vec<Board> {
    [
        "4k4/RRRRRR3/9/9/9/9/9/9/9/5K3 b",
        "3k5/9/9/9/9/AAAABBBB1/9/9/9/5K3 w",
        "3k5/4CCC2/9/9/9/9/9/2ccc4/9/5K3 b",
        "4k4/9/9/4C4/9/9/9/9/9/4K4 b",
        "3k5/ppppppppp/ppppppppp/ppppppppp/pppppp3/9/PPPPPPPPP/PPPPPPPPP/PPPPPPPPP/3K1PPP1 w",
    ]
    .into_iter()
    .map(|fen| Board::from_composed_fen(fen).expect("a composed placement"))
    .collect()
}
