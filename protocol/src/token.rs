//! A line of input as words.

use crate::WireMove;

/// Larger numbers are read as this one. It leaves room to multiply by 1000 (seconds to milliseconds) and to add.
pub const MAX_NUMBER: u64 = 1_000_000_000_000_000;

/// What separates words. Text-mode pipes on Windows turn `\r\n` into `\r\r\n`, and some GUIs send the final NUL of a C
/// string.
pub(crate) const BLANKS: [char; 5] = [' ', '\t', '\r', '\n', '\0'];

const BOM: &[u8] = b"\xef\xbb\xbf";

/// Whether a byte is one of [`BLANKS`].
const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0)
}

/// The bytes without blanks at either end.
pub(crate) fn trim(mut bytes: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = bytes
        && is_blank(*first)
    {
        bytes = rest;
    }
    while let [rest @ .., last] = bytes
        && is_blank(*last)
    {
        bytes = rest;
    }
    bytes
}

/// Text of unknown encoding for people to read.
pub(crate) fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The words of a line. Works on bytes because paths come in GBK as well as UTF-8.
#[derive(Clone)]
pub(crate) struct Tokens<'a> {
    rest: &'a [u8],
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(line: &'a [u8]) -> Tokens<'a> {
        let mut rest = trim(line);
        while let Some(behind) = rest.strip_prefix(BOM) {
            rest = trim(behind);
        }
        Tokens { rest }
    }

    /// Everything not yet consumed, without blanks around it.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// The next word, not consumed.
    pub(crate) fn peek(&self) -> Option<&'a [u8]> {
        self.clone().next()
    }

    /// Consumes the next word if `read` makes something of it.
    fn take<T>(&mut self, read: impl FnOnce(&[u8]) -> Option<T>) -> Option<T> {
        let mut ahead = self.clone();
        let value = read(ahead.next()?)?;
        *self = ahead;
        Some(value)
    }

    /// Consumes the next word if it is a whole number.
    pub(crate) fn take_int(&mut self) -> Option<i64> {
        self.take(parse_int)
    }

    /// As [`Tokens::take_int`]; a negative number becomes 0 (GUIs send the clock of a player out of time), and a decimal
    /// fraction is cut off (scripts compute milliseconds with fractions; without its clock a search has no end).
    pub(crate) fn take_number(&mut self) -> Option<u64> {
        self.take(|token| {
            let whole = match token.iter().position(|&byte| byte == b'.') {
                Some(point) if token[point + 1..].iter().all(u8::is_ascii_digit) => &token[..point],
                _ => token,
            };
            parse_int(whole).map(|n| n.max(0).unsigned_abs())
        })
    }

    /// As [`Tokens::take_number`], saturating at 32 bits.
    pub(crate) fn take_u32(&mut self) -> Option<u32> {
        self.take_number().map(|n| u32::try_from(n).unwrap_or(u32::MAX))
    }

    /// Consumes the next word if it is written like a move.
    pub(crate) fn take_move(&mut self) -> Option<WireMove> {
        self.take(WireMove::parse)
    }

    /// Consumes the next word if it is this keyword.
    pub(crate) fn take_word(&mut self, word: &str) -> bool {
        self.take(|token| token.eq_ignore_ascii_case(word.as_bytes()).then_some(())).is_some()
    }

    /// The words up to one that `is_end` (left in place) or the end of the line, joined by single blanks.
    pub(crate) fn take_until(&mut self, is_end: impl Fn(&str) -> bool) -> String {
        let mut text = String::new();
        while let Some(token) = self.take(|token| (!is_end(Keyword::new(token).as_str())).then(|| lossy(token))) {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(&token);
        }
        text
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let end = self.rest.iter().position(|&byte| is_blank(byte)).unwrap_or(self.rest.len());
        let (token, rest) = self.rest.split_at(end);
        let blanks = rest.iter().take_while(|&&byte| is_blank(byte)).count();
        self.rest = &rest[blanks..];
        Some(token)
    }
}

/// A word in lower case, to match on. Words too long to be a keyword of any protocol come out empty.
pub(crate) struct Keyword {
    bytes: [u8; Keyword::MAX_LEN],
    len: usize,
}

impl Keyword {
    /// The longest keyword is `currmovenumber`.
    const MAX_LEN: usize = 16;

    pub(crate) fn new(token: &[u8]) -> Keyword {
        let mut keyword = Keyword { bytes: [0; Keyword::MAX_LEN], len: 0 };
        if token.len() <= Keyword::MAX_LEN {
            keyword.len = token.len();
            keyword.bytes[..token.len()].copy_from_slice(token);
            keyword.bytes.make_ascii_lowercase();
        }
        keyword
    }

    pub(crate) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.len]).unwrap_or_default()
    }
}

/// Reads a decimal whole number of any length, saturating at ±[`MAX_NUMBER`].
pub(crate) fn parse_int(token: &[u8]) -> Option<i64> {
    let (negative, digits) = match token {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    const MAX: i64 = MAX_NUMBER as i64;
    let value = digits.iter().fold(0, |value, digit| (value * 10 + i64::from(digit - b'0')).min(MAX));
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &[u8]) -> Vec<&[u8]> {
        Tokens::new(line).collect()
    }

    #[test]
    fn any_run_of_blanks_separates() {
        let expected: Vec<&[u8]> = vec![b"go", b"depth", b"1"];
        let lines: [&[u8]; 6] = [
            b"go depth 1",
            b"  go\t \tdepth  1 ",
            b"go depth 1\r\r\n",
            b"\xef\xbb\xbfgo depth 1\0",
            b"go\rdepth\n1",
            b" \xef\xbb\xbf go depth 1\r\n\0\0",
        ];
        for line in lines {
            assert_eq!(words(line), expected, "{:?}", lossy(line));
        }
        assert!(words(b" \t\r\n\0").is_empty());
        assert!(words(b"\xef\xbb\xbf").is_empty());
    }

    #[test]
    fn rest_keeps_bytes() {
        let mut tokens = Tokens::new(b"a  \xc6\xe5  \xc6\xd7 \r\n");
        tokens.next();
        assert_eq!(tokens.rest(), b"\xc6\xe5  \xc6\xd7");
    }

    #[test]
    fn integers_saturate() {
        for (text, value) in [
            ("0", Some(0)),
            ("-5", Some(-5)),
            ("+7", Some(7)),
            ("007", Some(7)),
            ("1000000000000001", Some(1_000_000_000_000_000)),
            ("99999999999999999999999999999999", Some(1_000_000_000_000_000)),
            ("-99999999999999999999999999999999", Some(-1_000_000_000_000_000)),
            ("", None),
            ("-", None),
            ("1.5", None),
            ("0x10", None),
            ("--1", None),
        ] {
            assert_eq!(parse_int(text.as_bytes()), value, "{text}");
        }
    }
}
