//! Everything true of **one** xiangqi position: squares, bitboards, attacks, [`Board`], moves, FEN, keys, exchange
//! evaluation and perft.
//!
//! ```
//! use chuhe_movegen::Board;
//!
//! let board = Board::startpos();
//! assert_eq!(board.legal_moves().len(), 44);
//! let next = board.play("h2e2".parse()?)?;
//! assert!(!next.in_check());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod attacks;
mod bitboard;
mod board;
mod by_color;
mod checks;
mod fen;
mod generate;
mod moves;
mod perft;
mod piece;
mod see;
mod square;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use board::{Board, IllegalMove};
pub use by_color::ByColor;
pub use checks::CheckInfo;
pub use fen::FenError;
pub use moves::{MAX_MOVES, Move, MoveList, ParseMoveError};
pub use perft::{Leaves, perft, perft_divide};
pub use piece::{Color, Piece, PieceType};
pub use see::SEE_VALUES;
pub use square::{FILES, RANKS, SQUARES, Square};
pub use zobrist::Keys;
