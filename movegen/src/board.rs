//! A position: placement, side to move, counters, keys and the checks it stands under.

use std::fmt;

use crate::checks::KingThreats;
use crate::zobrist::Keys;
use crate::{Bitboard, Color, Move, Piece, PieceType, SQUARES, Square};

/// Code of an empty point in the mailbox; pieces are coded by [`Piece::index`].
const EMPTY: u8 = Piece::NUM as u8;

/// Pieces by mailbox code, empty beyond them.
const PIECES: [Option<Piece>; 16] = {
    let mut table = [None; 16];
    let mut code = 0;
    while code < Piece::NUM {
        let color = if code < PieceType::NUM { Color::Red } else { Color::Black };
        table[code] = Some(Piece::new(color, PieceType::ALL[code % PieceType::NUM]));
        code += 1;
    }
    table
};

/// A legal position, as a plain value: making a move gives another board (*copy-make*).
///
/// Every board obtained through the public interface holds one king a side in its palace, at most the initial number
/// of each piece, every piece on a point it can stand on, and the side not to move is not in check.
#[derive(Clone, PartialEq, Eq)]
pub struct Board {
    kinds: [Bitboard; PieceType::NUM],
    colors: [Bitboard; Color::NUM],
    squares: [u8; SQUARES],
    side: Color,
    kings: [Square; Color::NUM],
    halfmove_clock: u16,
    fullmove_number: u16,
    keys: Keys,
    threats: KingThreats,
}

/// A move was not legal in the position it was to be played in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0} is not a legal move here")]
pub struct IllegalMove(pub Move);

impl Board {
    /// The initial array in FEN.
    pub const START_FEN: &'static str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

    /// The initial position.
    pub fn startpos() -> Board {
        Board::from_fen(Board::START_FEN).expect("the initial array is a valid position")
    }

    /// Builds a board from a placement that the caller has validated (see [`Board::from_fen`]).
    pub(crate) fn from_placement(
        placement: &[Option<Piece>; SQUARES],
        side: Color,
        halfmove_clock: u16,
        fullmove_number: u16,
    ) -> Board {
        let mut board = Board {
            kinds: [Bitboard::EMPTY; PieceType::NUM],
            colors: [Bitboard::EMPTY; Color::NUM],
            squares: [EMPTY; SQUARES],
            side,
            kings: [Square::at(4), Square::at(85)],
            halfmove_clock,
            fullmove_number,
            keys: Keys::default(),
            threats: KingThreats::default(),
        };
        for square in Square::all() {
            if let Some(piece) = placement[square.index()] {
                board.put(piece, square);
                if piece.kind == PieceType::King {
                    board.kings[piece.color.index()] = square;
                }
            }
        }
        if side == Color::Black {
            board.keys.toggle_side();
        }
        board.threats = board.threats_against(side);
        board
    }

    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        self.kinds[piece.kind.index()] |= Bitboard::square(square);
        self.colors[piece.color.index()] |= Bitboard::square(square);
        self.squares[square.index()] = piece.index() as u8;
        self.keys.toggle(piece, square);
    }

    /// Whose turn it is.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        PIECES[self.squares[square.index()] as usize & 15]
    }

    /// All occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// All pieces of a side.
    #[inline]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// All pieces of a kind, both sides.
    #[inline]
    pub fn kind(&self, kind: PieceType) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// The pieces of one kind of one side.
    #[inline]
    pub fn pieces(&self, color: Color, kind: PieceType) -> Bitboard {
        self.colors[color.index()] & self.kinds[kind.index()]
    }

    /// Where a side's king stands.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.kings[color.index()]
    }

    /// Half-moves since the last capture, as far as the FEN and the moves made from it tell.
    #[inline]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// Number of the current move of the game, from 1 (0 is accepted from a FEN and kept).
    #[inline]
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// Key of placement and side to move; equal for equal positions whatever the counters.
    #[inline]
    pub fn key(&self) -> u64 {
        self.keys.whole
    }

    /// All keys, those of classes of pieces included.
    #[inline]
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// Pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.threats.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.threats.checkers.any()
    }

    /// Checkers, blockers and hollow-cannon squares of the side to move.
    #[inline]
    pub(crate) fn threats(&self) -> &KingThreats {
        &self.threats
    }

    /// Computes what bears on a side's king; for the side to move it is stored.
    pub(crate) fn threats_against(&self, color: Color) -> KingThreats {
        KingThreats::of(color, self.king(color), self.colors, self.kinds)
    }

    /// Whether a move captures.
    #[inline]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.occupied().contains(mv.to())
    }

    /// Whether the side to move has a piece that can attack across the board: rook, horse or cannon.
    ///
    /// Without one, passing the turn in search is unsound, since no legal move loses (困毙).
    #[inline]
    pub fn has_strong_piece(&self, color: Color) -> bool {
        let strong = self.kind(PieceType::Rook) | self.kind(PieceType::Horse) | self.kind(PieceType::Cannon);
        (strong & self.color(color)).any()
    }

    /// Plays a legal move.
    ///
    /// # Errors
    /// [`IllegalMove`] when the move is not legal here.
    pub fn play(&self, mv: Move) -> Result<Board, IllegalMove> {
        if self.is_pseudo_legal(mv) && self.is_legal(mv) { Ok(self.make(mv)) } else { Err(IllegalMove(mv)) }
    }

    /// Makes a move that is known to be legal; the fast path of search and perft.
    ///
    /// An illegal move never breaks memory safety, but leaves a board that breaks the rules. Use [`Board::play`] for
    /// moves from outside.
    #[inline]
    #[expect(clippy::assign_op_pattern, reason = "an assigning operator borrows, see below")]
    pub fn make(&self, mv: Move) -> Board {
        let (from, to) = (mv.from(), mv.to());
        let us = self.side;
        // Nothing below borrows `board`: only then does the compiler build it in the caller's place instead of copying
        // it there, and that copy cost a third of the time of perft.
        let mut board = self.clone();
        board.halfmove_clock = self.halfmove_clock.saturating_add(1);
        let mut keys = self.keys;
        if let Some(captured) = self.piece_at(to) {
            let (kind, color) = (captured.kind.index(), captured.color.index());
            board.kinds[kind] = board.kinds[kind] ^ Bitboard::square(to);
            board.colors[color] = board.colors[color] ^ Bitboard::square(to);
            keys.toggle(captured, to);
            board.halfmove_clock = 0;
        }
        if let Some(piece) = self.piece_at(from) {
            let path = Bitboard::square(from) ^ Bitboard::square(to);
            let kind = piece.kind.index();
            board.kinds[kind] = board.kinds[kind] ^ path;
            board.colors[us.index()] = board.colors[us.index()] ^ path;
            board.squares[from.index()] = EMPTY;
            board.squares[to.index()] = piece.index() as u8;
            keys.shift(piece, from, to);
            if piece.kind == PieceType::King {
                board.kings[us.index()] = to;
            }
        }
        keys.toggle_side();
        board.keys = keys;
        board.fullmove_number = self.fullmove_number.saturating_add(u16::from(us == Color::Black));
        board.side = !us;
        board.threats = KingThreats::of(!us, board.kings[(!us).index()], board.colors, board.kinds);
        board
    }

    /// Passes the turn (*null move*); only when not in check. The no-capture counter does not advance.
    pub fn make_null(&self) -> Board {
        debug_assert!(!self.in_check(), "passing while in check");
        let mut board = self.clone();
        board.pass_turn();
        board
    }

    /// The same placement with the other side to move, check or no check: what that side could do if it were its turn.
    ///
    /// Unlike every other board this one may have the side not to move in check. It is for looking at, by the judge of
    /// repetitions; a search passes with [`Board::make_null`].
    pub fn turned(&self) -> Board {
        let mut board = self.clone();
        board.pass_turn();
        board
    }

    /// The same placement without the piece on a square: what a piece is good for shows when it is not there.
    ///
    /// Kings stay. Like [`Board::turned`] it is for looking at, and may give a board with the side not to move in check.
    pub fn without(&self, square: Square) -> Board {
        let mut board = self.clone();
        if let Some(piece) = self.piece_at(square).filter(|piece| piece.kind != PieceType::King) {
            board.kinds[piece.kind.index()] = board.kinds[piece.kind.index()].without(square);
            board.colors[piece.color.index()] = board.colors[piece.color.index()].without(square);
            board.squares[square.index()] = EMPTY;
            board.keys.toggle(piece, square);
            board.threats = board.threats_against(board.side);
        }
        board
    }

    #[inline]
    fn pass_turn(&mut self) {
        self.fullmove_number = self.fullmove_number.saturating_add(u16::from(self.side == Color::Black));
        self.side = !self.side;
        self.keys.toggle_side();
        self.threats = self.threats_against(self.side);
    }

    /// The placement as one optional piece a square.
    fn placement(&self) -> [Option<Piece>; SQUARES] {
        std::array::from_fn(|index| self.piece_at(Square::at(index)))
    }

    /// The position mirrored left–right; all values and verdicts stay the same.
    pub fn mirror_files(&self) -> Board {
        let old = self.placement();
        let placement = std::array::from_fn(|index| old[Square::at(index).mirror_file().index()]);
        Board::from_placement(&placement, self.side, self.halfmove_clock, self.fullmove_number)
    }

    /// The position with the colours exchanged and the board turned round: the same game from the other chair.
    pub fn swap_colors(&self) -> Board {
        let old = self.placement();
        let placement = std::array::from_fn(|index| {
            old[Square::at(index).rotate().index()].map(|piece| Piece::new(!piece.color, piece.kind))
        });
        Board::from_placement(&placement, !self.side, self.halfmove_clock, self.fullmove_number)
    }

    /// The same position with every derived field computed anew; equal to `self` unless something is broken.
    pub fn recomputed(&self) -> Board {
        Board::from_placement(&self.placement(), self.side, self.halfmove_clock, self.fullmove_number)
    }
}

impl fmt::Display for Board {
    /// Ten lines of nine points, Black at the top, then the FEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..10).rev() {
            write!(f, "{rank} ")?;
            for file in 0..9 {
                let square = Square::saturating(rank * 9 + file);
                match self.piece_at(square) {
                    Some(piece) => write!(f, " {piece}")?,
                    None => write!(f, " .")?,
                }
            }
            writeln!(f)?;
        }
        writeln!(f, "   a b c d e f g h i")?;
        write!(f, "{}", self.to_fen())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({})", self.to_fen())
    }
}
