//! Pins: pieces that may not leave their point because their own king would be attacked.

use chuhe_movegen::attacks::{between, cross, horse_attackers_unblocked, horse_leg};
use chuhe_movegen::{Bitboard, Board, Color, PieceType, Square};

/// How a piece is pinned on its king.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PinKind {
    /// It is the only piece between its king and a rook.
    Rook,
    /// It is one of two pieces between its king and a cannon.
    Cannon,
    /// It stands on the leg of a horse that would give check.
    HorseLeg,
    /// It is the only piece between the kings.
    FacingKings,
}

/// A pinned piece and what pins it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pin {
    /// Where the pinned piece stands.
    pub pinned: Square,
    /// Where the pinning piece stands.
    pub by: Square,
    /// How.
    pub kind: PinKind,
}

/// All pins of the pieces of `color`, whoever is to move. A piece can be pinned more than once.
pub fn pins(board: &Board, color: Color) -> Vec<Pin> {
    let mut found = Vec::new();
    let king = board.king(color);
    let own = board.color(color);
    let lines = board.kind(PieceType::Rook) | board.kind(PieceType::Cannon) | board.kind(PieceType::King);
    for by in cross(king) & lines & board.color(!color) {
        let screens = between(king, by) & board.occupied();
        let (kind, pinning_screens) = match board.piece_at(by).map(|piece| piece.kind) {
            Some(PieceType::Rook) => (PinKind::Rook, 1),
            Some(PieceType::King) => (PinKind::FacingKings, 1),
            _ => (PinKind::Cannon, 2),
        };
        if screens.count() == pinning_screens {
            found.extend((screens & own).into_iter().map(|pinned| Pin { pinned, by, kind }));
        }
    }
    let horses = horse_attackers_unblocked(king) & board.pieces(!color, PieceType::Horse);
    found.extend(horses.into_iter().filter_map(|by| {
        let pinned = horse_leg(by, king);
        own.contains(pinned).then_some(Pin { pinned, by, kind: PinKind::HorseLeg })
    }));
    found
}

/// The rooks of `color` that stand on the leg of a horse which would otherwise give check (Asian rule 19).
pub(crate) fn leg_pinned_rooks(board: &Board, color: Color) -> Bitboard {
    let king = board.king(color);
    let rooks = board.pieces(color, PieceType::Rook);
    let horses = horse_attackers_unblocked(king) & board.pieces(!color, PieceType::Horse);
    horses.into_iter().map(|horse| horse_leg(horse, king)).filter(|&leg| rooks.contains(leg)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pinned(fen: &str, color: Color) -> Vec<(String, String, PinKind)> {
        let board = Board::from_fen(fen).unwrap();
        let mut found: Vec<_> =
            pins(&board, color).into_iter().map(|pin| (pin.pinned.to_string(), pin.by.to_string(), pin.kind)).collect();
        found.sort_by(|a, b| a.0.cmp(&b.0));
        found
    }

    fn pin(pinned: &str, by: &str, kind: PinKind) -> (String, String, PinKind) {
        (pinned.to_owned(), by.to_owned(), kind)
    }

    #[test]
    fn every_kind_of_pin() {
        // A rook on the file, kings that would face each other, a cannon over two pieces, a horse's leg.
        assert_eq!(pinned("4k4/9/4n4/9/9/9/4R4/9/9/3K5 w - - 0 1", Color::Black), [pin("e7", "e3", PinKind::Rook)]);
        assert_eq!(
            pinned("4k4/9/9/9/9/4n4/9/9/9/4K4 w - - 0 1", Color::Black),
            [pin("e4", "e0", PinKind::FacingKings)]
        );
        assert_eq!(
            pinned("4k4/4a4/9/4n4/9/4C4/9/9/9/3K5 w - - 0 1", Color::Black),
            [pin("e6", "e4", PinKind::Cannon), pin("e8", "e4", PinKind::Cannon)]
        );
        assert_eq!(pinned("4k4/3r5/3N5/9/9/9/9/9/9/3K5 w - - 0 1", Color::Black), [pin("d8", "d7", PinKind::HorseLeg)]);
    }

    #[test]
    fn a_second_screen_ends_a_pin() {
        for fen in ["4k4/9/4n4/4p4/9/9/4R4/9/9/3K5 w - - 0 1", "4k4/4a4/9/4n4/4p4/4C4/9/9/9/3K5 w - - 0 1"] {
            assert!(pinned(fen, Color::Black).is_empty(), "{fen}");
        }
    }
}
