//! What must hold of the evaluation in every position: symmetry, and agreement of its three ways to the same number.

use chuhe_eval::{Breakdown, EVAL_LIMIT, Evaluator, Score, WEIGHTS, features, phase};
use chuhe_movegen::{Board, Color, Move, MoveList};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A random game from the initial position or from a random ending, with its boards and moves.
fn random_game(seed: u64, plies: usize) -> Vec<(Board, Option<Move>)> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let starts = [
        Board::START_FEN,
        "2bak4/4a4/4b4/9/2P1p4/4R4/6n2/4B4/4A4/2BAK4 w - - 0 1",
        "3k5/4P4/9/4p4/9/2C6/9/3A5/4N4/4K4 b - - 0 1",
        "r2ak2r1/4a4/4bc3/p1p1p3p/9/2P3c2/P3P3P/1C2C1N2/4A4/R1BAK1B1R w - - 0 1",
    ];
    let start = starts[rng.random_range(0..starts.len())];
    let mut board = Board::from_fen(start).expect("a valid start");
    let mut game = Vec::new();
    for _ in 0..plies {
        let moves: MoveList = board.legal_moves();
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

fn evaluate(board: &Board) -> i32 {
    Evaluator::new(board).evaluate(board)
}

/// Composed placements as well, with pieces where no game brings them and more of them than in a game.
fn composed() -> Vec<Board> {
    [
        "4k4/RRRRRR3/9/9/9/9/9/9/9/5K3 b",
        "3k5/9/9/9/9/AAAABBBB1/9/9/9/5K3 w",
        "3k5/4CCC2/9/9/9/9/9/2ccc4/9/5K3 b",
        "4k4/9/9/4C4/9/9/9/9/9/4K4 b",
    ]
    .into_iter()
    .map(|fen| Board::from_composed_fen(fen).expect("a composed placement"))
    .collect()
}

fn check_position(board: &Board) {
    let score = evaluate(board);
    assert!(score.abs() < EVAL_LIMIT);
    assert_eq!(evaluate(&board.swap_colors()), score, "colours exchanged: {board:?}");
    assert_eq!(evaluate(&board.mirror_files()), score, "files mirrored: {board:?}");

    let mut traced = Score::ZERO;
    features(board, &mut |index, count| traced.add(WEIGHTS[index], count));
    let red_view = traced.tapered(phase(board));
    let breakdown = Breakdown::of(board);
    assert_eq!(if board.side_to_move() == Color::Red { score } else { -score }, red_view, "trace of {board:?}");
    assert_eq!(breakdown.total, traced);
    assert_eq!((breakdown.red_view, breakdown.mover_view), (red_view, score));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_position_of_random_games(seed: u64, plies in 0usize..200) {
        for (board, _) in random_game(seed, plies) {
            check_position(&board);
        }
    }

    /// Evaluating now and then only, so that sums left open by king moves are closed in every way.
    #[test]
    fn pushed_sums_equal_fresh_ones(seed: u64, plies in 0usize..200, asked: u64) {
        let game = random_game(seed, plies);
        let mut evaluator = Evaluator::new(&game[0].0);
        let ask = |ply: usize| asked >> (ply % 64) & 1 != 0;
        for (ply, (board, mv)) in game.iter().enumerate() {
            if ask(ply) {
                prop_assert_eq!(evaluator.evaluate(board), evaluate(board));
            }
            if let Some(mv) = mv {
                if !board.in_check() {
                    evaluator.push_null();
                    prop_assert_eq!(evaluator.evaluate(&board.make_null()), evaluate(&board.make_null()));
                    evaluator.pop();
                }
                evaluator.push(board, *mv);
            }
        }
        for (board, mv) in game.iter().rev() {
            if mv.is_some() {
                evaluator.pop();
            }
            prop_assert_eq!(evaluator.evaluate(board), evaluate(board));
        }
        let (last, _) = game.last().expect("at least one position");
        evaluator.reset(last);
        prop_assert_eq!(evaluator.evaluate(last), evaluate(last));
    }
}

#[test]
fn composed_placements() {
    composed().iter().for_each(check_position);
}

/// The better side of some plain comparisons; a sign or an index gone wrong shows here.
#[test]
fn common_sense() {
    let red = |fen: &str| evaluate(&Board::from_fen(&format!("{fen} w")).expect("a valid FEN"));
    let full = red("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR");
    assert!((0..60).contains(&full), "only the move speaks for Red: {full}");
    let no_rook = red("1nbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR");
    assert!((800..1200).contains(&(no_rook - full)), "{no_rook}");
    let crossed = red("4k4/9/9/9/2P6/9/9/9/9/3K5") - red("4k4/9/9/9/9/2P6/9/9/9/3K5");
    assert!(crossed > 40, "{crossed}");
    // In the middlegame, on the king's file with nothing between (空头炮), and beside it; the pawn keeps the kings apart.
    let cannon = |rank: &str| red(&format!("r1bakab1r/9/1cn4n1/p1p3p1p/9/{rank}/P1P1P1P1P/1C4N2/9/RNBAKAB1R"));
    let hollow = cannon("4C4") - cannon("3C5");
    assert!(hollow > 30, "{hollow}");
    // Without elephants against a cannon.
    let bare = red("3akab2/9/4b4/9/9/9/9/2C6/9/3K5") - red("3aka3/9/9/9/9/9/9/2C6/9/3K5");
    assert!(bare < -100, "{bare}");
}
