//! The tables of small classes against a solver of another kind.
//!
//! It sets up every position with boards of `movegen` (strong side Red, mirror images by themselves), lists
//! the positions one move ahead, and iterates: lost in `n` plies when every move leads to a win of the other side, the
//! longest in `n − 1`; won in `n` when the shortest loss is in `n − 1`. No index, no un-moves, no counters.

mod common;

use std::collections::HashMap;

use chuhe_endgame::{Class, Tables, Value};
use chuhe_movegen::attacks::{ADVISOR_POINTS, ELEPHANT_POINTS, PALACES, pawn_points};
use chuhe_movegen::{Bitboard, Board, Color, Piece, PieceType, Square};

/// Where a piece can stand.
fn points(piece: Piece) -> Bitboard {
    let home = Bitboard::home(piece.color);
    match piece.kind {
        PieceType::King => PALACES & home,
        PieceType::Advisor => ADVISOR_POINTS & home,
        PieceType::Elephant => ELEPHANT_POINTS & home,
        PieceType::Pawn => pawn_points(piece.color),
        _ => Bitboard::ALL,
    }
}

/// The pieces of a class, with the strong side Red.
fn pieces(class: Class) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (color, army) in [(Color::Red, class.strong()), (Color::Black, class.weak())] {
        for kind in PieceType::ALL {
            pieces.extend((0..army.count(kind)).map(|_| Piece::new(color, kind)));
        }
    }
    pieces
}

/// Calls `visit` with every legal position of these pieces.
fn for_each_board(pieces: &[Piece], placed: &mut Vec<(Piece, Square)>, visit: &mut impl FnMut(Board)) {
    let Some(&piece) = pieces.get(placed.len()) else {
        for side in Color::ALL {
            if let Ok(board) = Board::from_pieces(placed.iter().copied(), side, 0, 1) {
                visit(board);
            }
        }
        return;
    };
    for square in points(piece) {
        // Equal pieces in rising order.
        let is_new = placed.iter().all(|&(other, at)| at != square && (other != piece || at < square));
        if is_new {
            placed.push((piece, square));
            for_each_board(pieces, placed, visit);
            placed.pop();
        }
    }
}

/// Plies to the end of every decided position of these classes and of all that they convert into.
fn solve(classes: &[Class]) -> HashMap<u64, u16> {
    let mut all = Vec::new();
    let mut open = classes.to_vec();
    while let Some(class) = open.pop() {
        if !all.contains(&class) {
            all.push(class);
            open.extend(class.conversions());
        }
    }
    let mut ids: HashMap<u64, usize> = HashMap::new();
    let mut boards = Vec::new();
    for &class in &all {
        for_each_board(&pieces(class), &mut Vec::new(), &mut |board| {
            ids.insert(board.key(), boards.len());
            boards.push(board);
        });
    }
    // What is nowhere has no attackers left, and is drawn.
    let drawn = boards.len();
    let id = |board: Board| {
        // A capture may make Black the strong side.
        let id = ids.get(&board.key()).or_else(|| ids.get(&board.swap_colors().key()));
        id.copied().unwrap_or(drawn) as u32
    };
    let moves: Vec<Vec<u32>> =
        boards.iter().map(|board| board.legal_moves().into_iter().map(|mv| id(board.make(mv))).collect()).collect();
    const OPEN: u16 = u16::MAX;
    let mut plies = vec![OPEN; drawn + 1];
    for n in 0.. {
        let decided: Vec<usize> = (0..drawn)
            .filter(|&at| {
                let of = |&next: &u32| plies[next as usize];
                plies[at] == OPEN
                    && if n % 2 == 0 {
                        moves[at].iter().map(of).all(|next| next != OPEN && next % 2 == 1)
                    } else {
                        moves[at].iter().map(of).any(|next| next != OPEN && next + 1 == n)
                    }
            })
            .collect();
        // Wins follow losses and losses wins, so that one empty round is the end.
        if decided.is_empty() {
            break;
        }
        for at in decided {
            plies[at] = n;
        }
    }
    boards.iter().zip(plies).filter(|(_, plies)| *plies != OPEN).map(|(board, plies)| (board.key(), plies)).collect()
}

/// Compares every position of a class, in both colours, and mirrored.
fn compare(tables: &Tables, solved: &HashMap<u64, u16>, class: Class) -> usize {
    let mut compared = 0;
    for_each_board(&pieces(class), &mut Vec::new(), &mut |board| {
        let plies = solved.get(&board.key()).copied();
        for board in [board.mirror_files(), board.swap_colors(), board] {
            let probe = tables.probe(&board).unwrap();
            assert_eq!(probe.plies, plies, "{}", board.to_fen());
            let value = plies.map(|plies| if plies % 2 == 1 { Value::Win } else { Value::Loss });
            match value {
                Some(value) => assert_eq!(probe.value, value, "{}", board.to_fen()),
                None => assert!(matches!(probe.value, Value::Draw | Value::RulesDecide), "{}", board.to_fen()),
            }
        }
        compared += 1;
    });
    compared
}

#[test]
fn small_classes_are_solved_alike_by_iterated_values() {
    const NAMES: &str = "Rv Nv Pv RvA NvB PvA CAv CAvA CvAA RvB PPv PvP";
    let tables = common::built(NAMES);
    let classes = common::classes(NAMES);
    let solved = solve(&classes);
    let compared: usize = classes.iter().map(|&class| compare(&tables, &solved, class)).sum();
    assert!(compared > 500_000, "{compared}");
}
