//! Words of a line of moves.

use chuhe_movegen::Board;

use super::heading::{result_alone, tag_of};
use super::number;
use crate::GameResult;
use crate::notation::{self, MoveError};
use crate::pgn::{LONGEST_WORD, beginning};

/// What ends a word among moves.
fn ends_word(c: char) -> bool {
    c.is_whitespace() || "，,；;。(（{【".contains(c)
}

/// The word with which a text begins.
pub(super) fn first(text: &str) -> &str {
    text.split(ends_word).next().unwrap_or_default()
}

/// The words of a line without numbers and marks.
pub(super) fn all(text: &str) -> impl Iterator<Item = &str> {
    text.split(ends_word).map(|word| number::split(word).map_or(word, |(_, rest)| rest)).filter(|word| !word.is_empty())
}

/// Whether a text begins with a move, whatever the notation.
pub(super) fn is_move(text: &str) -> bool {
    let word = first(text);
    notation::chinese_len(word).is_some()
        || notation::parse(word.trim_end_matches(['!', '?', '！', '？']), &Board::startpos())
            != Err(MoveError::Unreadable)
}

/// Whether a text begins with what may be a misspelt move: all but one of its characters are those of one.
pub(super) fn looks_like_move(text: &str) -> bool {
    let word = first(text).trim_end_matches(['!', '?', '！', '？']);
    let count = word.chars().count();
    if word.is_ascii() {
        return looks_like_coordinates(word) || looks_like_wxf(word);
    }
    let signs = word.chars().filter(|&c| notation::is_chinese_sign(c)).count();
    let has_direction = || word.contains(['进', '進', '退', '平']);
    let has_digit = || word.chars().any(|c| is_digit(c) || "一二三四五六七八九".contains(c));
    (3..=5).contains(&count) && signs + 1 >= count && has_digit() && (has_direction() || signs == count || count == 4)
}

/// `i0hO` for `i0h0`.
fn looks_like_coordinates(word: &str) -> bool {
    let word = word.replace('-', "");
    let fitting = |(index, c): (usize, char)| match index % 2 {
        0 => matches!(c.to_ascii_lowercase(), 'a'..='i'),
        _ => c.is_ascii_digit(),
    };
    (3..=4).contains(&word.len()) && word.chars().enumerate().filter(|&place| fitting(place)).count() >= 3
}

/// `Q1=2` for `R1=2`.
fn looks_like_wxf(word: &str) -> bool {
    match *word.as_bytes() {
        [piece, _, sign, number] => piece.is_ascii_alphabetic() && b"+-=.".contains(&sign) && number.is_ascii_digit(),
        _ => false,
    }
}

/// What follows the name of the side before a move, as in `红：炮二平五`, and whether it is Black.
pub(super) fn split_side(text: &str) -> Option<(bool, &str)> {
    let end = text.find(|c: char| c.is_whitespace() || c == ':' || c == '：')?;
    let rest = text[end..].trim_start_matches(|c: char| c.is_whitespace() || c == ':' || c == '：');
    match tag_of(&text[..end]) {
        Some("Red") => Some((false, rest)),
        Some("Black") => Some((true, rest)),
        _ => None,
    }
}

/// Brackets around remarks.
const BRACKETS: [(char, char); 6] = [('{', '}'), ('【', '】'), ('〔', '〕'), ('［', '］'), ('[', ']'), ('〖', '〗')];

/// A line of moves as PGN has it.
#[derive(Debug, Default)]
pub(super) struct Moves {
    pub(super) pgn: String,
    /// How many there are.
    pub(super) count: usize,
    /// The last number.
    pub(super) last_number: Option<u32>,
    /// Whether the line ends with the result of the game.
    pub(super) ends_with_result: bool,
    /// Brackets of [`BRACKETS`] for which no closing one follows in the line.
    unclosed: [bool; BRACKETS.len()],
}

/// Puts blanks around each move: in Chinese they are often written without. Numbers become those of PGN, the names of sides
/// before moves become dots, commas go, and words that are no moves and no misspelt ones become comments.
pub(super) fn moves(text: &str) -> Moves {
    let mut moves = Moves { pgn: String::with_capacity(text.len() + text.len() / 4), ..Moves::default() };
    let mut rest = text;
    // Brackets that are open: what is no move in them is for the PGN reader to see.
    let mut depth = 0_usize;
    while let Some(c) = rest.chars().next() {
        if let Some(len) = notation::chinese_len(rest) {
            moves.pgn.extend([" ", &rest[..len]]);
            moves.count += usize::from(depth == 0);
            rest = &rest[len..];
            if !rest.starts_with(['!', '?', '！', '？']) {
                moves.pgn.push(' ');
            }
            continue;
        }
        let begins_word = moves.pgn.is_empty() || moves.pgn.ends_with(char::is_whitespace);
        if begins_word
            && depth == 0
            && (!ends_word(c) || "(（".contains(c))
            && let Some(behind) = moves.add_word(rest)
        {
            rest = behind;
            continue;
        }
        if let Some(behind) = moves.add_comment(rest) {
            rest = behind;
            continue;
        }
        match c {
            '(' | '（' => depth += 1,
            ')' | '）' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let behind = &rest[c.len_utf8()..];
        let is_separator = "，,；|。".contains(c) || c == ';' && is_between_moves(behind);
        moves.pgn.push(if is_separator { ' ' } else { c });
        rest = behind;
    }
    moves
}

impl Moves {
    /// Adds a number, a side, a move or a note, and gives what stands behind it.
    fn add_word<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let len = self.word_len(beginning(text, LONGEST_WORD))?;
        Some(&text[len..])
    }

    /// Adds a word and gives its length, if it is not for the caller to add.
    fn word_len(&mut self, text: &str) -> Option<usize> {
        let is_number = |number: &number::Number| number.has_mark && (self.pgn.is_empty() || !number.is_footnote);
        if let Some((number, rest)) = number::split(text).filter(|(number, _)| is_number(number)) {
            let behind = split_side(rest).map_or(rest, |(_, rest)| rest);
            if rest.is_empty() || is_move(behind) || looks_like_move(behind) {
                let dots = if number.has_dots { "... " } else { ". " };
                self.pgn.extend([&number.value.to_string(), dots]);
                self.last_number = Some(number.value);
                return Some(text.len() - rest.len());
            }
        }
        if let Some((_, rest, _)) = number::enclosed(text) {
            self.pgn.extend(["{", &text[..text.len() - rest.len()], "} "]);
            return Some(text.len() - rest.len());
        }
        if let Some((is_black, rest)) = split_side(text).filter(|(_, rest)| is_move(rest) || looks_like_move(rest)) {
            if is_black && !self.pgn.trim_end().ends_with('.') {
                self.pgn.push_str("... ");
            }
            return Some(text.len() - rest.len());
        }
        let len = text.find(|c: char| c.is_whitespace() || "{}()（），,；。【】".contains(c)).unwrap_or(text.len());
        let (word, rest) = text.split_at(len);
        self.ends_with_result = false;
        if word.parse::<GameResult>().is_ok() || !word.is_ascii() && result_alone(word).is_some() {
            self.ends_with_result = rest.trim().is_empty();
        } else if is_note(word) {
            self.pgn.extend(["{", word, "}"]);
            return Some(word.len());
        } else {
            self.count += usize::from(is_move(word));
        }
        None
    }

    /// Adds what stands in braces or in brackets that PGN does not know, and gives what stands behind it.
    fn add_comment<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let index = BRACKETS.iter().position(|(open, _)| text.starts_with(*open))?;
        let (open, close) = BRACKETS[index];
        if self.unclosed[index] {
            return None;
        }
        let inner = &text[open.len_utf8()..];
        let Some((comment, rest)) = inner.split_once(close) else {
            self.unclosed[index] = true;
            return None;
        };
        self.pgn.extend([" {", &comment.replace(['{', '}'], " "), "} "]);
        Some(rest)
    }
}

/// Whether what stands behind a semicolon goes on with moves.
fn is_between_moves(behind: &str) -> bool {
    let rest = behind.trim_start();
    let behind_number = number::split(rest).map_or(rest, |(_, rest)| rest);
    rest.is_empty() || is_move(behind_number) || looks_like_move(behind_number)
}

/// Whether a word among moves, of other characters than ASCII, is neither a move nor a result, and no misspelt move: `①`,
/// 如图.
fn is_note(word: &str) -> bool {
    const LONGEST_MOVE: usize = 5;
    let rest = number::split(word).map_or(word, |(_, rest)| rest);
    !word.is_ascii()
        && !rest.is_empty()
        && !is_move(rest)
        && !rest.chars().all(|c| "…．.-—─_±∓⩲⩱∞!?！？".contains(c))
        && (rest.chars().count() > LONGEST_MOVE || !rest.chars().any(notation::is_chinese_sign))
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || ('０'..='９').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_moves_look_like_moves() {
        for word in
            ["军二进六", "冰七进一", "車二近六", "軍一平二", "兵七进", "?二进六", "Q1=2", "i0hO", "I0-HO", "炮二评五"]
        {
            assert!(looks_like_move(word), "{word}");
        }
        for word in ["如图", "中炮", "先手", "红方", "马后炮", "Note", "the", "2001", "许银川", "双方对攻"]
        {
            assert!(!looks_like_move(word), "{word}");
        }
    }

    #[test]
    fn lines_become_pgn() {
        for (text, pgn) in [
            ("1.炮二平五马8进72.马二进三", "1. 炮二平五 马8进7 2. 马二进三"),
            ("1) 炮二平五 马8进7 2) 马二进三", "1. 炮二平五 马8进7 2. 马二进三"),
            ("①炮二平五 马8进7 ②马二进三", "1. 炮二平五 马8进7 2. 马二进三"),
            ("红 炮二平五 黑 马8进7", "炮二平五 ... 马8进7"),
            ("1.炮二平五,马8进7;2.马二进三,车9平8;", "1. 炮二平五 马8进7 2. 马二进三 车9平8"),
            ("1. 炮二平五【若卒3进1】马8进7", "1. 炮二平五 {若卒3进1} 马8进7"),
            ("1. 炮二平五 ① 马8进7 如图", "1. 炮二平五 {①} 马8进7 {如图}"),
            ("1. 军二进六 卒7进1", "1. 军二进六 卒7进1"),
        ] {
            let words: Vec<String> = moves(text).pgn.split_whitespace().map(str::to_owned).collect();
            assert_eq!(words.join(" "), pgn, "{text}");
        }
        assert!(moves("1. 炮二平五 马8进7 红胜").ends_with_result);
        assert!(moves("炮二平五 马8进7 1-0").ends_with_result);
        assert!(!moves("炮二平五 1-0 马8进7").ends_with_result);
    }
}
