//! Positions as text.

use std::fmt::Display;

use chuhe_movegen::{Board, CheckInfo, Move};

/// No message needs more characters to say what is wrong.
const MAX_MESSAGE_LEN: usize = 200;

/// Reads the bytes as FEN, of a position of the game and of a composed one, and puts accepted boards to the test.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match (Board::from_fen(&text), Board::from_composed_fen(&text)) {
        (Ok(board), composed) => {
            assert_eq!(Ok(&board), composed.as_ref(), "every position of the game is a composed one");
            check_board(&board, Board::from_fen);
        }
        (Err(strict), Ok(board)) => {
            check_message(&strict);
            check_board(&board, Board::from_composed_fen);
        }
        (Err(strict), Err(composed)) => {
            check_message(&strict);
            check_message(&composed);
        }
    }
}

fn check_message(error: &impl Display) {
    let message = error.to_string();
    assert!(!message.is_empty() && message.chars().count() <= MAX_MESSAGE_LEN, "{message}");
}

fn check_board<E: PartialEq + std::fmt::Debug>(board: &Board, read: impl Fn(&str) -> Result<Board, E>) {
    check_fields(board, &read);
    let moves = board.legal_moves();
    assert_eq!(board.has_legal_move(), !moves.is_empty());
    assert_eq!(board.count_legal_moves(), moves.len() as u64);
    assert_eq!(board.mirror_files().count_legal_moves(), moves.len() as u64);
    assert_eq!(board.swap_colors().count_legal_moves(), moves.len() as u64);

    let info = CheckInfo::new(board);
    for (index, &mv) in moves.iter().enumerate() {
        assert!(board.is_pseudo_legal(mv) && board.is_legal(mv), "{mv}");
        assert!(!moves[..index].contains(&mv), "{mv} twice");
        let child = board.make(mv);
        assert_eq!(child, child.recomputed(), "{mv}");
        assert_eq!(child.in_check(), board.gives_check(mv, &info), "{mv}");
        assert_eq!(child.halfmove_clock() == 0, board.is_capture(mv), "{mv}");
        // Writing and reading is the slow part; a few children stand for all.
        if index % 16 == 0 {
            check_fields(&child, &read);
        }
    }
    // A few moves that have nothing to do with the board, the same for the same board.
    for shift in 0..8 {
        if let Some(mv) = Move::from_bits((board.key() >> (8 * shift)) as u16) {
            assert_eq!(board.play(mv).is_ok(), moves.contains(&mv), "{mv}");
        }
    }
}

/// A board is what its parts say, and what is written of it reads back as the same board.
fn check_fields<E: PartialEq + std::fmt::Debug>(board: &Board, read: impl Fn(&str) -> Result<Board, E>) {
    assert_eq!(board, &board.recomputed());
    let fen = board.to_fen();
    assert_eq!(read(&fen).as_ref(), Ok(board), "{fen}");
    assert_eq!(board.mirror_files().mirror_files(), *board);
    assert_eq!(board.swap_colors().swap_colors(), *board);
}
