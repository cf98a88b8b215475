//! What the World Xiangqi Federation writes: letter of the piece, file, sign and number, in ASCII: `C2=5`, `H2+3`.
//!
//! Read are also `N` and `B` for horses and elephants, lower case, `.` for `=`, full-width characters, and every way to
//! name one of several pieces on a file: `R+=5` and `+R=5`, pawns by letters (`Pa+1`) or numbers (`1P+1`), and `P.+1`
//! for the middle one.

use chuhe_movegen::{Board, Move, PieceType};

use super::MoveError;
use super::relative::{Direction, Name, Order, Which, Word};

const fn letter(kind: PieceType) -> char {
    match kind {
        PieceType::King => 'K',
        PieceType::Advisor => 'A',
        PieceType::Elephant => 'E',
        PieceType::Horse => 'H',
        PieceType::Rook => 'R',
        PieceType::Cannon => 'C',
        PieceType::Pawn => 'P',
    }
}

const fn kind(letter: u8) -> Option<PieceType> {
    Some(match letter.to_ascii_uppercase() {
        b'K' => PieceType::King,
        b'A' => PieceType::Advisor,
        b'E' | b'B' => PieceType::Elephant,
        b'H' | b'N' => PieceType::Horse,
        b'R' => PieceType::Rook,
        b'C' => PieceType::Cannon,
        b'P' => PieceType::Pawn,
        _ => return None,
    })
}

/// ASCII for an ASCII or full-width character.
fn ascii(c: char) -> Option<u8> {
    match c {
        '\u{ff01}'..='\u{ff5e}' => u8::try_from(u32::from(c) - 0xfee0).ok(),
        '−' | '–' => Some(b'-'),
        _ => u8::try_from(c).ok().filter(u8::is_ascii),
    }
}

fn digit(byte: u8) -> Option<u8> {
    matches!(byte, b'1'..=b'9').then(|| byte - b'0')
}

fn order(byte: u8) -> Option<Order> {
    match byte {
        b'+' => Some(Order::Front),
        b'-' => Some(Order::Rear),
        b'.' => Some(Order::Middle),
        _ => None,
    }
}

/// The place of a pawn: `a` is the first.
fn pawn_order(byte: u8) -> Option<Order> {
    let byte = byte.to_ascii_lowercase();
    matches!(byte, b'a'..=b'e').then(|| Order::Nth(byte - b'a' + 1))
}

fn take_apart(word: &str) -> Option<Word> {
    let mut chars = word.chars();
    let mut next = || chars.next().and_then(ascii);
    let [first, second, sign, number] = [next()?, next()?, next()?, next()?];
    if chars.next().is_some() {
        return None;
    }
    let direction = match sign {
        b'+' => Direction::Forward,
        b'-' => Direction::Back,
        b'=' | b'.' => Direction::Sideways,
        _ => return None,
    };
    let number = digit(number)?;
    let (kind, which) = match (kind(first), kind(second)) {
        (Some(kind), None) => match digit(second) {
            Some(file) => (kind, Which::File(file)),
            None => match order(second) {
                Some(order) => (kind, Which::Order(order, None)),
                None if kind == PieceType::Pawn => (kind, Which::Order(pawn_order(second)?, None)),
                None => return None,
            },
        },
        (None, Some(kind)) => match order(first) {
            Some(order) => (kind, Which::Order(order, None)),
            None if kind == PieceType::Pawn => {
                let order = digit(first).map(Order::Nth).or_else(|| pawn_order(first))?;
                (kind, Which::Order(order, None))
            }
            None => return None,
        },
        // The places of pawns are the letters of other pieces.
        (Some(PieceType::Pawn), Some(_)) => (PieceType::Pawn, Which::Order(pawn_order(second)?, None)),
        (Some(_), Some(PieceType::Pawn)) => (PieceType::Pawn, Which::Order(pawn_order(first)?, None)),
        _ => return None,
    };
    Some(Word { kind, which, direction: Some(direction), number })
}

pub(super) fn parse(word: &str, board: &Board) -> Result<Move, MoveError> {
    take_apart(word).ok_or(MoveError::Unreadable)?.find(board)
}

pub(super) fn write(mv: Move, board: &Board) -> String {
    let Some(name) = Name::of(mv, board) else { return mv.to_string() };
    let which = match name.tandem {
        None => digit_char(name.file),
        Some(place) if place.is_only && place.count == 2 => {
            if place.index == 0 {
                '+'
            } else {
                '-'
            }
        }
        Some(place) => char::from(b'a' + place.number - 1),
    };
    let sign = match name.direction {
        Direction::Forward => '+',
        Direction::Back => '-',
        Direction::Sideways => '=',
    };
    [letter(name.kind), which, sign, digit_char(name.number)].into_iter().collect()
}

fn digit_char(number: u8) -> char {
    char::from(b'0' + number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fen: &str, word: &str) -> Result<String, MoveError> {
        parse(word, &Board::from_fen(fen).unwrap()).map(|mv| mv.to_string())
    }

    #[test]
    fn words_are_read_from_the_side_of_the_mover() {
        let black = Board::START_FEN.replace(" w ", " b ");
        for (word, red, black_mv) in [
            ("C2=5", "h2e2", "b7e7"),
            ("c2.5", "h2e2", "b7e7"),
            ("H8+7", "b0c2", "h9g7"),
            ("N8+7", "b0c2", "h9g7"),
            ("R1+1", "i0i1", "a9a8"),
            ("B3+5", "g0e2", "c9e7"),
            ("E3+5", "g0e2", "c9e7"),
            ("A4+5", "f0e1", "d9e8"),
            ("K5+1", "e0e1", "e9e8"),
            ("P7+1", "c3c4", "g6g5"),
            ("Ｃ２＋７", "h2h9", "b7b0"),
        ] {
            assert_eq!(read(Board::START_FEN, word).as_deref(), Ok(red), "{word}");
            assert_eq!(read(&black, word).as_deref(), Ok(black_mv), "{word}");
        }
        for word in
            ["", "C2=", "C2=55", "C2=0", "C0=5", "C2x5", "X2=5", "Ca=5", "2C=5", "22=5", "RC=5", "炮二=五", "h2e2"]
        {
            assert_eq!(read(Board::START_FEN, word), Err(MoveError::Unreadable), "{word}");
        }
        assert_eq!(read(Board::START_FEN, "C2=8"), Err(MoveError::Illegal(chuhe_movegen::Color::Red)));
    }

    #[test]
    fn pieces_on_one_file_have_signs_and_pawns_letters() {
        let fen = "3k5/2P3P2/2P3P2/2P6/R8/9/R8/9/9/4K4 w - - 0 1";
        for (words, mv) in [
            (["R+=1", "+R=1", "r+.1"], "a5i5"),
            (["R-=1", "-R=1", "R-.1"], "a3i3"),
            (["Pa=4", "1P=4", "aP.4"], "g8f8"),
            (["Pb=2", "2P=2", "pb=2"], "g7h7"),
            (["Pe=8", "5P=8", "EP=8"], "c6b6"),
            (["P.=8", ".P=8", "Pd=8"], "c7b7"),
        ] {
            for word in words {
                assert_eq!(read(fen, word).as_deref(), Ok(mv), "{word}");
            }
        }
        assert_eq!(read(fen, "P+=6").as_deref(), Ok("c8d8"));
        assert_eq!(read(fen, "P++1"), Err(MoveError::Ambiguous(2)));
        let board = Board::from_fen(fen).unwrap();
        for (mv, word) in [("a5b5", "R+=8"), ("a3a4", "R-+1"), ("g7f7", "Pb=4"), ("c6d6", "Pe=6")] {
            assert_eq!(write(mv.parse().unwrap(), &board), word);
        }
        let board = Board::from_fen("3k5/9/6P2/6P2/9/9/9/9/9/4K4 w - - 0 1").unwrap();
        assert_eq!(write("g6h6".parse().unwrap(), &board), "P-=2");
    }
}
