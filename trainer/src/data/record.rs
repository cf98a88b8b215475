//! The training record: one position with its score and the result of its game, in 32 bytes.
//!
//! | bytes | content |
//! |---|---|
//! | 0–27 | placement, side to move, result for the side to move ([`crate::data::packed`]) |
//! | 28–29 | score, i16 little endian, internal units, from the side to move |
//! | 30 | half-moves since the last capture, 0–255, saturated |
//! | 31 | half-moves since the start of the game, halved, saturated |
//!
//! The format follows those of open trainers (Viridithas, Stormphrax), with xiangqi's ninety squares.

use chuhe_movegen::{Board, Color, Piece, Square};

use crate::data::GameOutcome;
use crate::data::packed::{self, PackedError};

/// A position to learn from. Always valid: a legal position of the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Record([u8; Record::SIZE]);

/// Why bytes are not a record.
pub type RecordError = PackedError;

impl Record {
    /// Bytes of a record.
    pub const SIZE: usize = 32;

    /// The record of a position of the game. `outcome` and `score` (internal units) are those of the side to move, `ply`
    /// counts the half-moves since the start of the game.
    ///
    /// A *composed* board with more than 32 pieces does not fit; its last pieces are left out.
    pub fn new(board: &Board, outcome: GameOutcome, score: i16, ply: u16) -> Record {
        let mut bytes = [0; Record::SIZE];
        bytes[..packed::SIZE].copy_from_slice(&packed::pack(board, outcome.code()));
        bytes[28..30].copy_from_slice(&score.to_le_bytes());
        bytes[30] = u8::try_from(board.halfmove_clock()).unwrap_or(u8::MAX);
        bytes[31] = u8::try_from(ply / 2).unwrap_or(u8::MAX);
        Record(bytes)
    }

    /// Reads a record.
    ///
    /// # Errors
    /// [`RecordError`] when the bytes do not describe a legal position.
    pub fn from_bytes(bytes: &[u8; Record::SIZE]) -> Result<Record, RecordError> {
        let record = Record(*bytes);
        let (_, result) = packed::unpack(record.packed(), u16::from(bytes[30]), 1)?;
        GameOutcome::from_code(result).ok_or(PackedError::Outcome(result))?;
        Ok(record)
    }

    /// The bytes of the record.
    pub fn to_bytes(&self) -> [u8; Record::SIZE] {
        self.0
    }

    #[inline]
    fn packed(&self) -> &[u8; packed::SIZE] {
        self.0.first_chunk().expect("a record is longer than a packed placement")
    }

    /// All pieces in the order of their squares, both kings among them.
    #[inline]
    pub fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> + '_ {
        packed::pieces(self.packed())
    }

    /// Whose turn it is.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        packed::side_to_move(self.packed())
    }

    /// The result of the game for the side to move.
    #[inline]
    pub fn outcome(&self) -> GameOutcome {
        GameOutcome::from_code(packed::result(self.packed())).expect("records hold valid results only")
    }

    /// The score of a search, from the side to move, in internal units.
    #[inline]
    pub fn score(&self) -> i16 {
        i16::from_le_bytes([self.0[28], self.0[29]])
    }

    /// Half-moves since the last capture; 255 may be more.
    #[inline]
    pub fn halfmove_clock(&self) -> u8 {
        self.0[30]
    }

    /// Half-moves since the start of the game, rounded down to an even number; 510 may be more.
    #[inline]
    pub fn ply(&self) -> u16 {
        2 * u16::from(self.0[31])
    }

    /// The position. The number of the move is not recorded and is given as 1.
    pub fn board(&self) -> Board {
        let clock = u16::from(self.halfmove_clock());
        Board::from_pieces(self.pieces(), self.side_to_move(), clock, 1).expect("records hold legal positions only")
    }
}

impl std::fmt::Debug for Record {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (outcome, score) = (self.outcome(), self.score());
        write!(f, "Record({}; {outcome:?}; {score}; ply {})", self.board().to_fen(), self.ply())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn records_of_random_games_read_back() {
        let mut rng = ChaCha8Rng::seed_from_u64(11);
        for _ in 0..50 {
            let mut board = Board::startpos();
            for ply in 0..600u16 {
                let outcome = GameOutcome::ALL[rng.random_range(0..3)];
                let score = rng.random_range(i16::MIN..=i16::MAX);
                let record = Record::new(&board, outcome, score, ply);
                assert_eq!(Record::from_bytes(&record.to_bytes()), Ok(record));
                assert_eq!((record.outcome(), record.score()), (outcome, score));
                assert_eq!(record.side_to_move(), board.side_to_move());
                assert_eq!(record.ply(), (ply & !1).min(510));
                assert_eq!(u16::from(record.halfmove_clock()), board.halfmove_clock().min(255));
                let pieces: Vec<_> = Square::all().filter_map(|sq| Some((board.piece_at(sq)?, sq))).collect();
                assert_eq!(record.pieces().collect::<Vec<_>>(), pieces);
                assert_eq!(record.board().key(), board.key());
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                board = board.make(moves[rng.random_range(0..moves.len())]);
            }
        }
    }

    /// The layout is a contract with files on disk: bytes worked out by hand.
    #[test]
    fn the_layout_is_the_documented_one() {
        // Red king e0 (index 4), red rook a1 (index 9), black king d9 (index 84); Black to move and lost.
        let board = Board::from_fen("3k5/9/9/9/9/9/9/9/R8/4K4 b - - 7 30").expect("a position");
        let bytes = Record::new(&board, GameOutcome::Loss, -513, 59).to_bytes();
        let mut expected = [0; 32];
        (expected[0], expected[1]) = (1 << 4, 1 << 1);
        expected[10] = 1 << 4;
        expected[11] = 1 << 2;
        // Codes: red king 0, red rook 4, black king 7.
        (expected[12], expected[13]) = (4 << 4, 7);
        (expected[28], expected[29]) = (0xff, 0xfd);
        (expected[30], expected[31]) = (7, 29);
        assert_eq!(bytes, expected);
    }

    #[test]
    fn damaged_records_are_refused_with_the_reason() {
        let good = Record::new(&Board::startpos(), GameOutcome::Draw, 12, 0).to_bytes();
        let damaged = |change: &dyn Fn(&mut [u8; 32])| {
            let mut bytes = good;
            change(&mut bytes);
            Record::from_bytes(&bytes).expect_err("a fault").to_string()
        };
        assert_eq!(damaged(&|bytes| bytes[0..11].fill(0xff)), "90 squares are occupied, expected at most 32");
        assert_eq!(damaged(&|bytes| bytes[11] |= 0x80), "unused bits are not zero");
        assert_eq!(damaged(&|bytes| bytes[11] |= 0x18), "result code 3, expected 0 (loss), 1 (draw) or 2 (win)");
        assert_eq!(damaged(&|bytes| bytes[12] = 14), "piece 0: code 14, expected 0-13");
        // The rook of a0 gone: one piece fewer than nibbles.
        assert_eq!(damaged(&|bytes| bytes[0] &= !1), "unused bits are not zero");
        let error = damaged(&|bytes| bytes[12] = 0);
        assert!(error.starts_with("the position is not legal: board field: Red has"), "{error}");
    }
}
