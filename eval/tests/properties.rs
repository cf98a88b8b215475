//! What must hold of the hand-written evaluation in every position: symmetry, and agreement of its three ways to the same number.

mod games;

use chuhe_eval::{Breakdown, EVAL_LIMIT, Evaluation, Evaluator, Tapered, WEIGHTS, features, phase};
use chuhe_movegen::{Board, Color};
use games::{composed, random_game};
use proptest::prelude::*;

fn evaluate(board: &Board) -> i32 {
    Evaluator::new(&Evaluation::HandWritten, board).evaluate(board)
}

fn check_position(board: &Board) {
    let score = evaluate(board);
    assert!(score.abs() < EVAL_LIMIT);
    assert_eq!(evaluate(&board.swap_colors()), score, "colours exchanged: {board:?}");
    assert_eq!(evaluate(&board.mirror_files()), score, "files mirrored: {board:?}");

    let mut traced = Tapered::ZERO;
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
        let mut evaluator = Evaluator::new(&Evaluation::HandWritten, &game[0].0);
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
