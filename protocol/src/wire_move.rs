//! Moves as they are written, and how their ranks are counted.

use std::fmt;
use std::str::FromStr;

use chuhe_movegen::{Move, Square};

/// How the other side counts the ranks.
///
/// `d9e8` is good text either way and means different squares, so that the text alone does not always tell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Ranks {
    /// 0 to 9: UCCI and nearly all xiangqi programs.
    #[default]
    FromZero,
    /// 1 to 10: general chess programs that treat xiangqi as one more variant.
    FromOne,
}

impl Ranks {
    /// The counting a list of moves proves: a rank 10 anywhere shows that the list counts from 1.
    pub fn of(moves: &[WireMove]) -> Ranks {
        if moves.iter().any(|mv| mv.has_rank_ten()) { Ranks::FromOne } else { Ranks::FromZero }
    }

    /// What rank 0 is called.
    const fn base(self) -> u8 {
        match self {
            Ranks::FromZero => 0,
            Ranks::FromOne => 1,
        }
    }
}

/// A square as written: a file 0–8 and the number given to the rank, 0–10.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct WireSquare {
    file: u8,
    rank: u8,
}

impl WireSquare {
    fn new(square: Square, ranks: Ranks) -> WireSquare {
        WireSquare { file: square.file(), rank: square.rank() + ranks.base() }
    }

    fn decode(self, ranks: Ranks) -> Option<Square> {
        Square::from_coords(self.file, self.rank.checked_sub(ranks.base())?)
    }

    /// Reads a square at the beginning of `text` and returns what follows it.
    fn parse(text: &[u8]) -> Option<(WireSquare, &[u8])> {
        let (&file, text) = text.split_first()?;
        let file = file.to_ascii_lowercase().checked_sub(b'a').filter(|&file| file < 9)?;
        let (rank, text) = match text {
            [b'1', b'0', rest @ ..] => (10, rest),
            [digit @ b'0'..=b'9', rest @ ..] => (digit - b'0', rest),
            _ => return None,
        };
        Some((WireSquare { file, rank }, text))
    }
}

impl fmt::Display for WireSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file), self.rank)
    }
}

/// A move as written, before it is decided how its ranks are counted.
///
/// Reads `h2e2`, `H2-E2` and `h10g8`; prints lower case without a hyphen. Source and target may be equal, which no
/// [`Move`] can express: ElephantEye writes a promotion that way.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct WireMove {
    from: WireSquare,
    to: WireSquare,
}

impl WireMove {
    /// The text of a move for a reader who counts ranks this way.
    pub fn new(mv: Move, ranks: Ranks) -> WireMove {
        WireMove { from: WireSquare::new(mv.from(), ranks), to: WireSquare::new(mv.to(), ranks) }
    }

    /// The move meant by a writer who counts ranks this way; nothing when a square is off the board or both are the
    /// same.
    pub fn decode(self, ranks: Ranks) -> Option<Move> {
        Move::new(self.from.decode(ranks)?, self.to.decode(ranks)?)
    }

    /// Whether a rank is written as 10, which only those do who count from 1.
    pub const fn has_rank_ten(self) -> bool {
        self.from.rank == 10 || self.to.rank == 10
    }

    /// Reads a whole word as a move.
    pub fn parse(token: &[u8]) -> Option<WireMove> {
        let (from, rest) = WireSquare::parse(token)?;
        let (to, rest) = WireSquare::parse(rest.strip_prefix(b"-").unwrap_or(rest))?;
        rest.is_empty().then_some(WireMove { from, to })
    }
}

impl From<Move> for WireMove {
    /// In the usual counting, ranks 0–9.
    fn from(mv: Move) -> WireMove {
        WireMove::new(mv, Ranks::FromZero)
    }
}

impl fmt::Display for WireMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}

impl fmt::Debug for WireMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text is not written like a move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is not a move: expected two squares such as `h2e2` (files a-i, ranks 0-9 or 1-10)")]
pub struct ParseWireMoveError(String);

impl FromStr for WireMove {
    type Err = ParseWireMoveError;

    fn from_str(text: &str) -> Result<WireMove, ParseWireMoveError> {
        WireMove::parse(text.as_bytes()).ok_or_else(|| ParseWireMoveError(excerpt(text.as_bytes())))
    }
}

/// Reads a list whose unreadable members do not matter (`banmoves`, `searchmoves`): they are left out. `hint` is the
/// counting known from elsewhere, as a rule from the position; a rank 10 in the list itself overrides it.
pub fn decode_moves(moves: &[WireMove], hint: Ranks) -> Vec<Move> {
    let ranks = match Ranks::of(moves) {
        Ranks::FromZero => hint,
        Ranks::FromOne => Ranks::FromOne,
    };
    moves.iter().filter_map(|mv| mv.decode(ranks)).collect()
}

/// The beginning of a word that could not be read, fit to be shown in a message.
pub(crate) fn excerpt(token: &[u8]) -> String {
    chuhe_text::ascii_word(token, 40)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        for (text, shown) in
            [("h2e2", "h2e2"), ("H2-E2", "h2e2"), ("a10a9", "a10a9"), ("a9-a10", "a9a10"), ("e1e1", "e1e1")]
        {
            assert_eq!(text.parse::<WireMove>().map(|mv| mv.to_string()).as_deref(), Ok(shown));
        }
        for text in ["", "h2", "h2e", "h2e22", "h2e2 ", "j0a0", "h11e2", "h2--e2", "0000", "(none)", "h2e2q"] {
            assert!(text.parse::<WireMove>().is_err(), "{text}");
        }
    }

    #[test]
    fn every_move_reads_back_in_both_countings() {
        for from in Square::all() {
            for to in Square::all() {
                let Some(mv) = Move::new(from, to) else { continue };
                for ranks in [Ranks::FromZero, Ranks::FromOne] {
                    let text = WireMove::new(mv, ranks).to_string();
                    assert_eq!(text.parse::<WireMove>().ok().and_then(|wire| wire.decode(ranks)), Some(mv));
                }
            }
        }
    }

    #[test]
    fn a_rank_ten_decides() {
        let list = |words: &[&str]| words.iter().filter_map(|word| word.parse().ok()).collect::<Vec<WireMove>>();
        let plain = |words: &[&str]| words.iter().filter_map(|word| word.parse().ok()).collect::<Vec<Move>>();
        assert_eq!(decode_moves(&list(&["d9e8"]), Ranks::FromZero), plain(&["d9e8"]));
        assert_eq!(decode_moves(&list(&["d9e8"]), Ranks::FromOne), plain(&["d8e7"]));
        assert_eq!(decode_moves(&list(&["d9e8", "a10a9"]), Ranks::FromZero), plain(&["d8e7", "a9a8"]));
        // Rank 0 does not exist for those who count from 1.
        assert_eq!(decode_moves(&list(&["a0a1", "a10a9"]), Ranks::FromZero), plain(&["a9a8"]));
    }
}
