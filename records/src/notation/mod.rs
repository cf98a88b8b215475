//! The names of moves.
//!
//! A notation reads a word in a position and gives the legal move it means. Readers of game files ask [`parse`], which
//! finds out the notation from the word itself, so that a new notation needs no change to them.

mod chinese;
mod relative;
mod winboard;
mod wxf;

use chuhe_movegen::{Board, Color, Move, Square};

pub use chinese::{ChineseStyle, Digits, Length, PawnNames, Script};
pub(crate) use chinese::{is_sign as is_chinese_sign, len as chinese_len};

/// A way to write moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Notation {
    /// Coordinates: `H2-E2`; `h2e2`, `H2E2` and `h2-e2` are read too.
    Iccs,
    /// Letter of the piece and target, as WinBoard writes: `Che2`, `Cxb0`, `e4`.
    WinBoard,
    /// Letter, file, sign and number, as the World Xiangqi Federation writes: `C2=5`, `H2+3`, `R+-1`.
    Wxf,
    /// 炮二平五. The style matters for writing only: every style is read.
    Chinese(ChineseStyle),
}

/// Why a word is not a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveError {
    /// It does not look like a move.
    #[error("expected a move in Chinese (`炮二平五`), WXF (`C2=5`), ICCS (`H2-E2`) or WinBoard notation (`Che2`)")]
    Unreadable,
    /// It looks like one, but there is no such legal move.
    #[error("expected a legal move of {0}")]
    Illegal(Color),
    /// Several legal moves answer to it.
    #[error("{0} moves answer to it, expected one")]
    Ambiguous(usize),
}

impl Notation {
    /// All of them, in the order in which words are tried.
    pub const ALL: [Notation; 4] =
        [Notation::Iccs, Notation::WinBoard, Notation::Wxf, Notation::Chinese(ChineseStyle::CUSTOMARY)];

    /// The legal move that a word means in this notation.
    ///
    /// # Errors
    /// [`MoveError`]; [`MoveError::Unreadable`] when the word has not the shape of this notation.
    pub fn parse(self, word: &str, board: &Board) -> Result<Move, MoveError> {
        match self {
            Notation::Iccs => {
                let mv = coordinates(word).ok_or(MoveError::Unreadable)?;
                let is_legal = board.is_pseudo_legal(mv) && board.is_legal(mv);
                if is_legal { Ok(mv) } else { Err(MoveError::Illegal(board.side_to_move())) }
            }
            Notation::WinBoard => winboard::parse(word, board),
            Notation::Wxf => wxf::parse(word, board),
            Notation::Chinese(_) => chinese::parse(word, board),
        }
    }

    /// Writes a legal move.
    #[must_use]
    pub fn write(self, mv: Move, board: &Board) -> String {
        match self {
            Notation::Iccs => iccs(mv),
            Notation::WinBoard => winboard::write(mv, board),
            Notation::Wxf => wxf::write(mv, board),
            Notation::Chinese(style) => chinese::write(mv, board, style),
        }
    }
}

/// The legal move that a word means, whatever the notation.
///
/// # Errors
/// [`MoveError`] of the notation whose shape the word has.
pub fn parse(word: &str, board: &Board) -> Result<Move, MoveError> {
    let mut error = MoveError::Unreadable;
    for notation in Notation::ALL {
        match notation.parse(word, board) {
            Ok(mv) => return Ok(mv),
            Err(MoveError::Unreadable) => {}
            Err(better) => error = better,
        }
    }
    Err(error)
}

/// Where the numbers of ranks begin in coordinates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Ranks {
    /// With 0, as ICCS, WinBoard and nearly all programs have it.
    #[default]
    FromZero,
    /// With 1, as Fairy-Stockfish and some web sites have it: `h3e3`, `Che3`, `Rih10`.
    FromOne,
}

/// As [`parse`], with another way to number the ranks of coordinates.
pub(crate) fn parse_with(word: &str, board: &Board, ranks: Ranks) -> Result<Move, MoveError> {
    if ranks == Ranks::FromOne
        && let Some(word) = from_zero(word)
        && let Ok(mv) = Notation::Iccs.parse(&word, board).or_else(|_| Notation::WinBoard.parse(&word, board))
    {
        return Ok(mv);
    }
    parse(word, board)
}

/// Coordinates with all numbers less by one.
fn from_zero(word: &str) -> Option<String> {
    let mut out = String::with_capacity(word.len());
    let mut rest = word;
    while let Some(c) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            let rank = rest[..digits].parse::<u8>().ok()?.checked_sub(1)?;
            out.push(char::from_digit(u32::from(rank), 10)?);
        } else {
            out.push(c);
        }
        rest = &rest[digits.max(c.len_utf8())..];
    }
    Some(out)
}

/// Takes coordinates apart. Other than parsing a [`Move`], failing costs nothing: most words are in other notations.
fn coordinates(word: &str) -> Option<Move> {
    let (from_file, from_rank, to_file, to_rank) = match *word.as_bytes() {
        [a, b, c, d] | [a, b, b'-', c, d] => (a, b, c, d),
        _ => return None,
    };
    // `E4e2` is an elephant in WinBoard's notation: coordinates keep to one case.
    if from_file.is_ascii_uppercase() != to_file.is_ascii_uppercase() {
        return None;
    }
    Move::new(Square::from_ascii(from_file, from_rank)?, Square::from_ascii(to_file, to_rank)?)
}

/// A move in ICCS as PGN files have it: `H2-E2`.
#[must_use]
pub fn iccs(mv: Move) -> String {
    format!("{}-{}", mv.from(), mv.to()).to_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_may_begin_with_one() {
        let board = Board::startpos();
        for (word, mv) in
            [("h3e3", "h2e2"), ("H1-G3", "h0g2"), ("Che3", "h2e2"), ("Nhg3", "h0g2"), ("Pg5", "g3g4"), ("C2=5", "h2e2")]
        {
            let found = parse_with(word, &board, Ranks::FromOne).map(|mv| mv.to_string());
            assert_eq!(found.as_deref(), Ok(mv), "{word}");
        }
        let black = Board::from_fen(&Board::START_FEN.replace(" w ", " b ")).unwrap();
        for (word, mv) in [("i10i9", "i9i8"), ("Rii9", "i9i8"), ("h10-g8", "h9g7")] {
            assert_eq!(parse_with(word, &black, Ranks::FromOne).map(|mv| mv.to_string()).as_deref(), Ok(mv), "{word}");
        }
        for word in ["h11g2", "h3e4", "Che11", "h"] {
            assert!(parse_with(word, &board, Ranks::FromOne).is_err(), "{word}");
        }
        assert!(parse_with("h3e3", &board, Ranks::FromZero).is_err());
    }

    #[test]
    fn coordinates_are_read_in_every_form() {
        let board = Board::startpos();
        let mv: Move = "h2e2".parse().unwrap();
        for word in ["H2-E2", "h2e2", "H2E2", "h2-e2"] {
            assert_eq!(parse(word, &board), Ok(mv), "{word}");
            assert_eq!(Notation::Iccs.parse(word, &board), Ok(mv), "{word}");
        }
        assert_eq!(Notation::Iccs.write(mv, &board), "H2-E2");
        assert_eq!(parse("h9g7", &board), Err(MoveError::Illegal(Color::Red)));
        assert_eq!(Notation::Iccs.parse("Che2", &board), Err(MoveError::Unreadable));
        let elephants = Board::from_fen("3k5/9/9/9/9/2B6/9/9/9/2B1K4 w - - 0 1").unwrap();
        assert_eq!(parse("E4e2", &elephants).map(|mv| mv.to_string()).as_deref(), Ok("c4e2"));
        for word in ["", "h", "h2e", "h2e22", "h2--e2", "j2e2", "h2－e2", "炮", "炮二平0", "C2=0"] {
            assert_eq!(parse(word, &board), Err(MoveError::Unreadable), "{word}");
        }
    }
}
