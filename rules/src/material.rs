//! Positions that neither side can win.

use chuhe_movegen::{Board, PieceType};

/// Whether no rook, horse, cannon or pawn is left: nothing that can cross the river, so nobody can win.
pub fn is_dead_material(board: &Board) -> bool {
    let attackers = board.kind(PieceType::Rook)
        | board.kind(PieceType::Horse)
        | board.kind(PieceType::Cannon)
        | board.kind(PieceType::Pawn);
    attackers.is_empty()
}
