//! Lines that are safe to send to any GUI.

use std::fmt::{Display, Write};

use crate::token::BLANKS;

/// No reply is longer than this many bytes, its line end not counted.
///
/// Adapters and GUIs in the field read into buffers of 1 024 or 2 048 bytes without checking.
pub const MAX_REPLY_LEN: usize = 999;

/// A reply under construction: printable ASCII in one line of at most [`MAX_REPLY_LEN`] bytes.
pub(crate) struct Line {
    text: String,
    limit: usize,
}

impl Line {
    pub(crate) fn new(first: &str) -> Line {
        Line { text: first.to_owned(), limit: MAX_REPLY_LEN }
    }

    /// Appends a word, or nothing at all when there is no room for it.
    pub(crate) fn word(&mut self, word: impl Display) -> bool {
        let before = self.text.len();
        // Writing to a string does not fail.
        let _ = write!(self.text, " {word}");
        let fits = self.text.len() <= self.limit;
        if !fits {
            self.text.truncate(before);
        }
        fits
    }

    /// Appends a keyword and its value, or nothing at all when there is no room for both.
    pub(crate) fn field(&mut self, key: &str, value: impl Display) -> bool {
        self.word(format_args!("{key} {value}"))
    }

    /// Appends as much of a text as there is room for, made fit for a line.
    pub(crate) fn text(&mut self, text: &str) {
        let text = ascii(text);
        let room = self.limit.saturating_sub(self.text.len() + 1);
        let shown = text[..text.len().min(room)].trim_end();
        if !shown.is_empty() {
            self.text.push(' ');
            self.text.push_str(shown);
        }
    }

    /// Keeps room for what must still come.
    pub(crate) fn reserve(&mut self, bytes: usize) {
        self.limit = MAX_REPLY_LEN.saturating_sub(bytes);
    }

    /// Gives back the room kept by [`Line::reserve`].
    pub(crate) fn release(&mut self) {
        self.limit = MAX_REPLY_LEN;
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }
}

/// A text as printable ASCII without line breaks; what cannot be shown becomes a question mark.
pub(crate) fn ascii(text: &str) -> String {
    let shown = |c: char| match c {
        ' '..='~' => c,
        '\t' | '\r' | '\n' | '\0' => ' ',
        _ => '?',
    };
    // Only what the reader takes for blanks is cut off: behind anything else a word must not become the first.
    let text = text.trim_matches(BLANKS);
    // A reply can show no more than its limit, so that there is no need to convert a huge text.
    text.chars().take(MAX_REPLY_LEN).map(shown).collect::<String>().trim().to_owned()
}

/// Breaks up the words that some GUIs look for anywhere in the output of an engine: gmchess ends the game at `draw`
/// and `resign`, TCHESS takes any line with `bestmove` for the answer.
pub(crate) fn without_trigger_words(text: &str) -> String {
    const TRIGGERS: [(&str, usize); 3] = [("bestmove", 4), ("draw", 2), ("resign", 2)];
    let mut safe = ascii(text);
    for (word, split) in TRIGGERS {
        let mut start = 0;
        while let Some(found) = safe.to_ascii_lowercase()[start..].find(word) {
            safe.insert(start + found + split, '-');
            start += found + word.len();
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_split() {
        let mut line = Line::new("info");
        while line.field("pv", "h2e2") {}
        let text = line.finish();
        assert!(text.len() <= MAX_REPLY_LEN && text.len() > MAX_REPLY_LEN - 8);
        assert!(text.ends_with(" pv h2e2"));
    }

    #[test]
    fn text_is_made_safe() {
        assert_eq!(ascii(" 棋\tx\r\nbestmove\u{7f} "), "? x  bestmove?");
        assert_eq!(without_trigger_words("a Draw, NoBestMove, resigned"), "a Dr-aw, NoBest-Move, re-signed");
        assert_eq!(ascii("\0\u{c}\0info\u{3000}"), "? info?");
        let mut line = Line::new("id name");
        line.text(&"x".repeat(5000));
        assert_eq!(line.finish().len(), MAX_REPLY_LEN);
    }
}
