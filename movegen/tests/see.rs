//! The exchange evaluation against a search of the exchange itself.

mod common;

use chuhe_movegen::{Board, Move, PieceType, SEE_VALUES, Square};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn value_on(board: &Board, square: Square) -> i32 {
    board.piece_at(square).map_or(0, |piece| SEE_VALUES[piece.kind.index()])
}

/// Which captures on the square a side considers.
#[derive(Clone, Copy)]
enum Takers {
    /// All legal ones.
    All,
    /// The legal one by the least valuable piece, the lowest square among equals.
    LeastValuable,
}

/// What the side to move gains on the square when it may take or leave it.
fn gain(board: &Board, square: Square, takers: Takers) -> i32 {
    let mut captures: Vec<Move> = board.legal_moves().into_iter().filter(|mv| mv.to() == square).collect();
    if let Takers::LeastValuable = takers {
        captures.sort_by_key(|mv| (value_on(board, mv.from()), mv.from()));
        captures.truncate(1);
    }
    captures.into_iter().map(|mv| value(board, mv, takers)).fold(0, i32::max)
}

/// What the mover gains by the move and the exchange that follows.
fn value(board: &Board, mv: Move, takers: Takers) -> i32 {
    value_on(board, mv.to()) - gain(&board.make(mv), mv.to(), takers)
}

/// Whether the threshold test says that the move is worth just this much.
fn agrees(board: &Board, mv: Move, value: i32) -> bool {
    [-1000, -200, -10, -1, 0].iter().all(|below| board.see_at_least(mv, value + below))
        && ![1, 10, 200, 1000].iter().any(|above| board.see_at_least(mv, value + above))
}

/// Boards of random games.
fn boards() -> Vec<Board> {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut boards = Vec::new();
    for root in common::roots() {
        let mut board = root;
        for _ in 0..60 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            boards.push(board.clone());
            board = board.make(moves[rng.random_range(0..moves.len())]);
        }
    }
    boards
}

#[test]
fn the_exchange_agrees_with_a_search_of_it() {
    let (mut captures, mut agreed) = (0, 0);
    for board in boards() {
        for mv in board.legal_moves() {
            let plain = value(&board, mv, Takers::LeastValuable);
            assert!(agrees(&board, mv, plain), "{mv} is worth {plain} in {board:?}");
            if board.is_capture(mv) {
                captures += 1;
                agreed += u32::from(agrees(&board, mv, value(&board, mv, Takers::All)));
            }
        }
    }
    println!("{captures} captures, {agreed} as in the full search");
    assert!(captures > 20_000);
    // The least valuable piece is not always the best to take with: another may keep a screen or a leg in place.
    assert!(agreed * 1000 > captures * 995, "{agreed} of {captures}");
}

/// Exchange value of a move in a position, by hand.
#[track_caller]
fn check(fen: &str, mv: &str, expected: i32) {
    let board = Board::from_fen(fen).expect("a valid position");
    let mv: Move = mv.parse().expect("a move");
    assert!(board.play(mv).is_ok(), "{mv} is legal");
    assert_eq!(value(&board, mv, Takers::All), expected, "the position is not what it is meant to be");
    assert!(agrees(&board, mv, expected), "{mv} should be worth {expected} in {fen}");
}

const PAWN: i32 = SEE_VALUES[PieceType::Pawn.index()];
const HORSE: i32 = SEE_VALUES[PieceType::Horse.index()];
const ROOK: i32 = SEE_VALUES[PieceType::Rook.index()];
const CANNON: i32 = SEE_VALUES[PieceType::Cannon.index()];
const ADVISOR: i32 = SEE_VALUES[PieceType::Advisor.index()];

#[test]
fn a_screen_that_leaves_silences_the_cannon() {
    // The rook was itself the screen between cannon and horse.
    check("3k5/9/9/9/3n1R1c1/9/9/9/9/4K4 w", "f5d5", HORSE);
    // With another screen the cannon takes back.
    check("3k5/9/9/9/3nPR1c1/9/9/9/9/5K3 w", "e5d5", HORSE);
    check("3k5/9/9/9/3npc3/9/9/3R5/9/5K3 w", "d2d5", HORSE - ROOK);
}

#[test]
fn two_screens_of_which_one_takes_leave_one() {
    check("4rk3/9/9/9/C1PRn4/9/9/9/9/3K5 w", "d5e5", HORSE);
    check("4rk3/9/9/9/2PRn4/9/9/9/9/3K5 w", "d5e5", HORSE - ROOK);
}

#[test]
fn a_rook_behind_a_rook_joins_in() {
    check("3kr4/9/9/9/RR2p4/9/9/9/9/5K3 w", "b5e5", PAWN);
    check("3kr4/4r4/9/9/RR2p4/9/9/9/9/5K3 w", "b5e5", PAWN - ROOK);
}

#[test]
fn nothing_steps_before_a_hollow_cannon() {
    // The pawn on e3 is the screen of a check, and so would be the rook that takes it.
    check("3k5/9/9/4c4/9/9/R2p5/9/9/4K4 b", "d3e3", 0);
    check("3k5/9/9/9/9/9/R2p5/9/9/4K4 b", "d3e3", -PAWN);
}

#[test]
fn a_leg_that_takes_frees_the_horse_behind() {
    check("3k5/4r4/9/9/9/9/9/9/4p4/2NA1K3 w", "d0e1", PAWN);
    check("3k5/4r4/9/9/9/9/9/9/4p4/3A1K3 w", "d0e1", PAWN - ADVISOR);
}

#[test]
fn pinned_pieces_do_not_take_back() {
    // By a rook, and between the kings.
    check("4k4/9/4n4/9/R2c5/9/9/9/4R4/5K3 w", "a5d5", CANNON);
    check("4k4/9/4n4/9/R2c5/9/9/9/9/4K4 w", "a5d5", CANNON);
    check("4k4/9/4n4/9/R2c5/9/9/9/9/5K3 w", "a5d5", CANNON - ROOK);
}

#[test]
fn a_discovered_check_forbids_taking_back() {
    check("4k4/2r6/9/9/2p6/4N4/9/9/4R4/3K5 w", "e4c5", PAWN);
    check("4k4/2r6/9/9/2p6/4N4/9/9/9/3K5 w", "e4c5", PAWN - HORSE);
}

#[test]
fn a_king_takes_only_what_is_not_protected() {
    check("4k4/4a4/9/9/4R4/9/9/9/9/3K5 w", "e5e8", ADVISOR - ROOK);
    // A pinned horse protects as well.
    check("3rk4/4a4/9/3N5/4R4/9/9/9/9/3K5 w", "e5e8", ADVISOR);
    // So does the other king, along the file.
    check("9/3ka4/9/9/4R4/9/9/9/9/4K4 w", "e5e8", ADVISOR);
}
