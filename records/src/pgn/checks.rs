//! Checks on the main line of a game in plain text.
//!
//! A move that somebody left out turns all that follow into other moves when these can be moves of either side, as most
//! names in Chinese and WXF can. Numbers, dots in place of Red's move, and the custom to write 一 for Red and 1 for Black
//! show that. They only confirm or contradict; what a move is they do not decide.

use chuhe_movegen::Color;
use chuhe_text::quoted;

use super::words::is_blank;
use super::{Fault, parse::Error};
use crate::notation;

/// What has been seen of a main line.
#[derive(Debug, Default)]
pub(super) struct Checks {
    first: Option<First>,
    counting: Counting,
    /// Whether Red's moves have Chinese digits and Black's have others.
    has_customary_digits: bool,
    /// Dots that stand where a move of Red is expected.
    has_dots: bool,
    /// A move that is written as one of the other side. Sloppy writers do that: the next number tells whether a move is missing.
    doubt: Option<(usize, usize, Fault)>,
}

/// A number from which others follow.
#[derive(Clone, Copy, Debug)]
struct First {
    number: u32,
    /// Half-moves before it.
    ply: usize,
    side: Color,
}

/// What numbers count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Counting {
    #[default]
    Unknown,
    Rounds,
    HalfMoves,
}

/// Digits of a move in Chinese.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Digits {
    Chinese,
    Other,
}

impl Checks {
    /// Checks for a text, which begins from the start position unless a position is given in it.
    pub(super) fn new(text: &str) -> Checks {
        Checks { has_customary_digits: has_customary_digits(text), ..Checks::default() }
    }

    /// Looks at the digits and dots before a move or in place of one, after so many half-moves.
    pub(super) fn number(&mut self, text: &str, ply: usize, side: Color, begins_at_start: bool) -> Result<(), Fault> {
        let digits = text.trim_end_matches(|c: char| !is_digit(c));
        let has_dot = digits.len() < text.len();
        let dots = &text[digits.len()..];
        let has_dots = dots.chars().filter(|&c| c == '.' || c == '．').count() > 1
            || dots.chars().filter(|&c| c == '…').count() > usize::from(!digits.is_empty());
        self.has_dots = has_dots && side == Color::Red;
        let Some(found) = value(digits).filter(|_| has_dot) else { return Ok(()) };
        let start = First { number: 1, ply: 0, side: Color::Red };
        let first = *self.first.get_or_insert(if begins_at_start { start } else { First { number: found, ply, side } });
        let passed = ply - first.ply;
        let offset = |count: usize| u32::try_from(count).ok().and_then(|count| first.number.checked_add(count));
        let round = offset((passed + usize::from(first.side == Color::Black)) / 2);
        let half_move = offset(passed);
        self.counting = match self.counting {
            Counting::Unknown if round == half_move => Counting::Unknown,
            Counting::Unknown if Some(found) == half_move => Counting::HalfMoves,
            Counting::Unknown => Counting::Rounds,
            counting => counting,
        };
        let expected = if self.counting == Counting::HalfMoves { half_move } else { round };
        if Some(found) != expected {
            return Err(Fault::Number { found, expected: expected.unwrap_or(u32::MAX), side });
        }
        if self.counting == Counting::Rounds && side == Color::Red {
            // A slip of the pen, after which others are to be expected.
            self.has_customary_digits &= self.doubt.take().is_none();
        }
        Ok(())
    }

    /// Looks at a move before it is played: where it stands in the text, and after how many half-moves.
    pub(super) fn mv(&mut self, name: &str, at: usize, ply: usize, side: Color) {
        let digits = Digits::of(name);
        let is_of_other = match (side, digits) {
            (Color::Red, Some(Digits::Chinese)) => false,
            // Points of the board are the same for both sides.
            (Color::Red, None) => self.has_dots && is_relative(name),
            (Color::Red, Some(Digits::Other)) => self.has_dots || self.has_customary_digits,
            (Color::Black, digits) => self.has_customary_digits && digits == Some(Digits::Chinese),
        };
        self.has_dots = false;
        if is_of_other && self.doubt.is_none() {
            self.doubt = Some((at, ply, Fault::OtherSide { word: quoted(name), side }));
        }
    }

    /// The first move that is written as one of the other side without a number behind it that fits.
    pub(super) fn doubt(&mut self) -> Option<Error> {
        let (at, ply, fault) = self.doubt.take()?;
        Some(Error { at, ply: Some(ply + 1), fault })
    }
}

impl Digits {
    /// Nothing when a move is not in Chinese, or has digits of both kinds.
    fn of(name: &str) -> Option<Digits> {
        if notation::chinese_len(name) != Some(name.len()) {
            return None;
        }
        match (name.contains(is_chinese_digit), name.contains(is_digit)) {
            (true, false) => Some(Digits::Chinese),
            (false, true) => Some(Digits::Other),
            _ => None,
        }
    }
}

/// Whether a text has moves of both kinds of digits, neither of which is so rare that it may be a slip.
fn has_customary_digits(text: &str) -> bool {
    const RAREST: usize = 4;
    let (mut chinese, mut other) = (0, 0);
    let mut depth = 0_usize;
    for word in text.split_inclusive(|c: char| is_blank(c) || "{}()（）".contains(c)) {
        match Digits::of(word.trim_end_matches(|c: char| is_blank(c) || "{}()（）!?！？".contains(c))) {
            _ if depth > 0 => {}
            Some(Digits::Chinese) => chinese += 1,
            Some(Digits::Other) => other += 1,
            None => {}
        }
        match word.chars().next_back() {
            Some('{' | '(' | '（') => depth += 1,
            Some('}' | ')' | '）') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    let (fewer, more) = (usize::min(chinese, other), usize::max(chinese, other));
    fewer > 0 && fewer * RAREST >= more
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || ('０'..='９').contains(&c)
}

fn is_chinese_digit(c: char) -> bool {
    "一二三四五六七八九".contains(c)
}

/// Whether a move is named as seen by the side that makes it: WXF, `C2=5`.
fn is_relative(name: &str) -> bool {
    name.contains(['+', '-', '=', '.', '进', '退', '平', '進']) && name.parse::<chuhe_movegen::Move>().is_err()
}

/// The value of digits of either width.
fn value(digits: &str) -> Option<u32> {
    let half_width = |c: char| match c {
        '０'..='９' => char::from(b'0' + (u32::from(c) - u32::from('０')) as u8),
        c => c,
    };
    digits.chars().map(half_width).collect::<String>().parse().ok()
}
