//! Boards as text, for terminals and mail.

use std::fmt::Write as _;

use chuhe_movegen::{Board, Color, FILES, PieceType, RANKS, Square};

/// How pieces and lines are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TextStyle {
    /// Letters of FEN (capitals are Red's) on lines of ASCII.
    #[default]
    Ascii,
    /// Letters of FEN on box-drawing lines.
    Letters,
    /// Chinese characters, Red's in round brackets and Black's in square ones, on lines of ASCII: a character is twice as
    /// wide as a letter, but fonts disagree about the width of box-drawing lines beside them.
    Characters,
}

/// A position as text, with ICCS coordinates and `bottom` at the bottom. Every line ends with a newline.
#[must_use]
pub fn text(board: &Board, style: TextStyle, bottom: Color) -> String {
    let files = || (0..FILES as u8).map(|index| if bottom == Color::Red { index } else { FILES as u8 - 1 - index });
    let rank = |row: u8| if bottom == Color::Red { RANKS as u8 - 1 - row } else { row };
    let mut out = String::new();
    for row in 0..RANKS as u8 {
        let _ = write!(out, "{} ", rank(row));
        for (column, file) in files().enumerate() {
            out.push_str(&point(
                board,
                style,
                Square::at(usize::from(rank(row)) * FILES + usize::from(file)),
                (row, column),
            ));
        }
        trim(&mut out);
        out.push_str(&between(style, row));
    }
    out.push_str("  ");
    for file in files() {
        let _ = write!(out, " {}  ", char::from(b'a' + file));
    }
    trim(&mut out);
    out
}

/// Ends a line without blanks before the newline.
fn trim(out: &mut String) {
    out.truncate(out.trim_end_matches(' ').len());
    out.push('\n');
}

/// A point with half of the lines that lead to its neighbours; four columns wide.
fn point(board: &Board, style: TextStyle, square: Square, (row, column): (u8, usize)) -> String {
    let last_column = column == FILES - 1;
    let (line, crossing) = match style {
        TextStyle::Ascii | TextStyle::Characters => ('-', '+'),
        TextStyle::Letters => ('─', crossing(row, column)),
    };
    let before = if column == 0 { ' ' } else { line };
    let after = if last_column { ' ' } else { line };
    match (board.piece_at(square), style) {
        (None, _) => format!("{before}{crossing}{after}{after}"),
        (Some(piece), TextStyle::Characters) => {
            let (open, close) = if piece.color == Color::Red { ('(', ')') } else { ('[', ']') };
            format!("{open}{}{close}", character(piece.kind, piece.color))
        }
        (Some(piece), _) => format!("{before}{}{after}{after}", piece.letter()),
    }
}

/// The box-drawing crossing at a point; the river has no inner files.
const fn crossing(row: u8, column: usize) -> char {
    match (row, column) {
        (0, 0) => '┌',
        (0, 8) => '┐',
        (9, 0) => '└',
        (9, 8) => '┘',
        (_, 0) => '├',
        (_, 8) => '┤',
        (0 | 5, _) => '┬',
        (4 | 9, _) => '┴',
        _ => '┼',
    }
}

/// The line of text below a row: files, palaces and the river.
fn between(style: TextStyle, row: u8) -> String {
    let (bar, falling, rising) = match style {
        TextStyle::Ascii | TextStyle::Characters => ('|', '\\', '/'),
        TextStyle::Letters => ('│', '╲', '╱'),
    };
    match row {
        4 if style == TextStyle::Characters => format!("   {bar}     楚  河         汉  界     {bar}\n"),
        4 => format!("   {bar}{:31}{bar}\n", ""),
        9 => String::new(),
        _ => {
            let palace = match row {
                0 | 7 => [falling, rising],
                1 | 8 => [rising, falling],
                _ => [' ', ' '],
            };
            let gap = |column: usize| match column {
                3 => palace[0],
                4 => palace[1],
                _ => ' ',
            };
            let mut out = String::from("  ");
            for column in 0..FILES {
                let _ = write!(out, " {bar} {}", gap(column));
            }
            trim(&mut out);
            out
        }
    }
}

const fn character(kind: PieceType, color: Color) -> char {
    match (kind, color) {
        (PieceType::King, Color::Red) => '帅',
        (PieceType::King, Color::Black) => '将',
        (PieceType::Advisor, Color::Red) => '仕',
        (PieceType::Advisor, Color::Black) => '士',
        (PieceType::Elephant, Color::Red) => '相',
        (PieceType::Elephant, Color::Black) => '象',
        (PieceType::Horse, _) => '马',
        (PieceType::Rook, _) => '车',
        (PieceType::Cannon, _) => '炮',
        (PieceType::Pawn, Color::Red) => '兵',
        (PieceType::Pawn, Color::Black) => '卒',
    }
}
