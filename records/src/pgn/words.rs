//! Words of a game: what stands around moves, and in place of them.

use crate::{GameResult, notation};

/// Blanks between words. A byte order mark is one, since files are glued together.
pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\0')
}

/// Bytes of the longest word that matters.
pub(crate) const LONGEST_WORD: usize = 256;

/// The whole characters in so many bytes of a text.
pub(crate) fn beginning(text: &str, len: usize) -> &str {
    let end = (0..=len.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
    &text[..end.unwrap_or_default()]
}

/// The next move in Chinese of a text, whatever stands before it in braces.
pub(super) fn next_move(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(is_blank);
        if rest.starts_with('{') {
            rest = &rest[rest.find('}')? + 1..];
            continue;
        }
        let word = rest.split(|c| is_blank(c) || c == '{').next().filter(|word| !word.is_empty())?;
        if let Some(len) = notation::chinese_len(without_number(word)) {
            return without_number(word).get(..len);
        }
        rest = &rest[word.len()..];
    }
}

/// The result that a word such as 红胜 at the end of a game means.
pub(super) fn result_in_words(word: &str) -> Option<GameResult> {
    const LONGEST: usize = 6;
    let result = GameResult::of_words(word);
    (result.is_known() && word.chars().count() <= LONGEST && !word.is_ascii()).then_some(result)
}

/// Bytes up to the bracket that closes the variation in which a text begins; all of them if none does.
pub(super) fn len_of_variation(text: &str) -> usize {
    let mut depth = 0;
    let mut is_comment = false;
    for (index, c) in text.char_indices() {
        match c {
            '}' => is_comment = false,
            '{' => is_comment = true,
            _ if is_comment => {}
            '(' | '（' => depth += 1,
            ')' | '）' if depth == 0 => return index,
            ')' | '）' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// What follows the number of a move and its dots; nothing when the word is only a number or dots.
pub(super) fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit() || ('０'..='９').contains(&c));
    let name = rest.trim_start_matches(['.', '．', '…', '。', '、']);
    // Digits without a dot can be the beginning of a move.
    if name.len() == rest.len() && !rest.is_empty() { word } else { name }
}

/// Marks behind a move.
pub(super) const MARKS: [char; 4] = ['!', '?', '！', '？'];

/// The annotation glyph that marks behind a move, or signs for who stands better, stand for.
pub(super) fn nag_of(marks: &str) -> Option<u8> {
    Some(match marks.replace('！', "!").replace('？', "?").as_str() {
        "!" => 1,
        "?" => 2,
        "!!" => 3,
        "??" => 4,
        "!?" => 5,
        "?!" => 6,
        "=" => 10,
        "∞" => 13,
        "⩲" => 14,
        "⩱" => 15,
        "±" => 16,
        "∓" => 17,
        "+-" => 18,
        "-+" => 19,
        _ => return None,
    })
}
