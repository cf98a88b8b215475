//! Everything true of **one** xiangqi position.

mod bitboard;
mod moves;
mod piece;
mod square;

pub use bitboard::{Bitboard, Squares};
pub use moves::{MAX_MOVES, Move, MoveList, ParseMoveError};
pub use piece::{Color, Piece, PieceType};
pub use square::{FILES, RANKS, SQUARES, Square};
