//! A mate as its patterns see it.

use chuhe_movegen::attacks::{
    PALACES, between, cannon_attacks, horse_attacks, king_attacks, pawn_attacks, rook_attacks,
};
use chuhe_movegen::{Bitboard, Board, Color, Move, Piece, PieceType, Square};
use chuhe_rules::Game;

/// The winner's last moves that patterns look at.
const MOST_STEPS: usize = 6;

/// A mate seen from the winner's chair: the winner is Red here, whoever it was, and Black's king cannot move.
pub(super) struct Mate {
    board: Board,
    /// The winner's last moves, the mating one first.
    steps: Vec<Step>,
}

/// A move of the winner.
pub(super) struct Step {
    /// The move.
    pub(super) mv: Move,
    /// What moved.
    pub(super) piece: PieceType,
    /// What it took.
    pub(super) captured: Option<PieceType>,
    /// The position after it.
    pub(super) after: Board,
    /// The answer took the piece that had moved.
    pub(super) sacrificed: bool,
}

fn is_mate(board: &Board) -> bool {
    board.in_check() && !board.has_legal_move()
}

impl Step {
    /// Whether the move uncovered a check by another piece of this kind.
    pub(super) fn uncovers(&self, kind: PieceType) -> bool {
        (self.after.checkers() & self.after.kind(kind)).without(self.mv.to()).any()
    }
}

impl Mate {
    /// The mate that a game ended with; `None` when it did not.
    pub(super) fn of(game: &Game) -> Option<Mate> {
        let last = game.board();
        if !is_mate(last) {
            return None;
        }
        let winner = !last.side_to_move();
        let seen = |board: &Board| if winner == Color::Red { board.clone() } else { board.swap_colors() };
        let turned = |mv: Move| if winner == Color::Red { mv } else { mv.rotate() };
        let plies = game.plies();
        let steps = (1..plies.len())
            .rev()
            .step_by(2)
            .take(MOST_STEPS)
            .filter_map(|index| {
                let (ply, mv) = (&plies[index], plies[index].mv?);
                Some(Step {
                    mv: turned(mv),
                    piece: plies[index - 1].board.piece_at(mv.from())?.kind,
                    captured: ply.captured.map(|piece| piece.kind),
                    after: seen(&ply.board),
                    sacrificed: plies
                        .get(index + 1)
                        .and_then(|reply| reply.mv)
                        .is_some_and(|reply| reply.to() == mv.to()),
                })
            })
            .collect();
        Some(Mate { board: seen(last), steps })
    }

    /// The winner's last moves as long as each gave check, the mating one first; at most `most`.
    pub(super) fn checking_steps(&self, most: usize) -> impl Iterator<Item = &Step> {
        self.steps.iter().take(most).take_while(|step| step.after.in_check())
    }

    /// Where the mated king stands: on ranks 7 to 9.
    pub(super) fn king(&self) -> Square {
        self.board.king(Color::Black)
    }

    /// The winner's pieces of a kind.
    pub(super) fn winners(&self, kind: PieceType) -> Bitboard {
        self.board.pieces(Color::Red, kind)
    }

    /// The loser's pieces of a kind.
    pub(super) fn losers(&self, kind: PieceType) -> Bitboard {
        self.board.pieces(Color::Black, kind)
    }

    /// The pieces of a kind that give check.
    pub(super) fn checkers(&self, kind: PieceType) -> Bitboard {
        self.board.checkers() & self.board.kind(kind)
    }

    /// Whether pieces of this kind, and no others, give check.
    pub(super) fn only_checked_by(&self, kind: PieceType) -> bool {
        self.board.checkers() == self.checkers(kind)
    }

    /// What stands between a checking cannon and the king, and where.
    pub(super) fn screen(&self, cannon: Square) -> Option<(Piece, Square)> {
        let square = (between(cannon, self.king()) & self.board.occupied()).first()?;
        Some((self.board.piece_at(square)?, square))
    }

    /// The points beside the king within its palace that its own side leaves to it.
    pub(super) fn flights(&self) -> Bitboard {
        king_attacks(self.king()) & !self.board.color(Color::Black)
    }

    /// The flights that a piece of the winner takes from the king.
    pub(super) fn held_by(&self, square: Square) -> Bitboard {
        let Some(piece) = self.board.piece_at(square) else { return Bitboard::EMPTY };
        // The king that steps aside no longer shields the points behind it.
        let occupied = self.board.occupied().without(self.king());
        let attacks = match piece.kind {
            PieceType::Rook => rook_attacks(square, occupied),
            PieceType::Cannon => cannon_attacks(square, occupied),
            PieceType::Horse => horse_attacks(square, occupied),
            PieceType::Pawn => pawn_attacks(Color::Red, square),
            // The kings may not face each other.
            PieceType::King => rook_attacks(square, occupied) & Bitboard::file(square.file()),
            PieceType::Advisor | PieceType::Elephant => Bitboard::EMPTY,
        };
        attacks & self.flights()
    }

    /// Whether it would be no mate without this piece.
    pub(super) fn needs(&self, square: Square) -> bool {
        let others = self.board.occupied().without(square);
        let pieces = others.into_iter().filter_map(|square| Some((self.board.piece_at(square)?, square)));
        // Where the winner's own king would stand in check without the piece, nothing can be said of the mate.
        Board::from_pieces(pieces, Color::Black, 0, 1).is_ok_and(|board| !is_mate(&board))
    }

    /// Whether it would be no mate if the kings might face each other: moved to another file, where it closes nothing, the
    /// winner's king would be missed.
    pub(super) fn needs_facing_kings(&self) -> bool {
        let (king, mated) = (self.board.king(Color::Red), self.king());
        let elsewhere = (PALACES & Bitboard::home(Color::Red) & !self.board.occupied())
            .into_iter()
            .filter(|square| ![king.file(), mated.file()].contains(&square.file()))
            .filter(|square| (Bitboard::file(square.file()) & self.flights()).is_empty());
        let others = self.board.occupied().without(king);
        let mut missed = elsewhere.filter_map(|square| {
            let pieces = others.into_iter().filter_map(|square| Some((self.board.piece_at(square)?, square)));
            let moved = pieces.chain([(Piece::new(Color::Red, PieceType::King), square)]);
            // Squares where it would stand in check tell nothing.
            Board::from_pieces(moved, Color::Black, 0, 1).ok().map(|board| !is_mate(&board))
        });
        missed.next().is_some_and(|first| first && missed.all(|missed| missed))
    }

    /// Whether a piece of the winner has a part in the mate: it checks, holds a flight, or is needed in another way, as
    /// the screen of a cannon or because it pins.
    pub(super) fn takes_part(&self, square: Square) -> bool {
        self.board.checkers().contains(square) || self.held_by(square).any() || self.needs(square)
    }

    /// The winner's pieces of a kind that have a part in the mate.
    pub(super) fn parties(&self, kind: PieceType) -> Bitboard {
        self.winners(kind).into_iter().filter(|&square| self.takes_part(square)).collect()
    }

    /// The winner's pieces of a kind without which it would be no mate.
    pub(super) fn needed(&self, kind: PieceType) -> Bitboard {
        self.winners(kind).into_iter().filter(|&square| self.needs(square)).collect()
    }
}
