//! The text of one game.

use chuhe_movegen::{Board, Color, FenError};
use chuhe_text::quoted;

use super::checks::Checks;
use super::tag::{first_line, split_tag};
use super::words::{
    LONGEST_WORD, MARKS, beginning, is_blank, len_of_variation, nag_of, next_move, result_in_words, without_number,
};
use super::{Fault, MAX_DEPTH, MAX_TAGS, is_structural};
use crate::damage::Omitted;
use crate::notation::{self, Ranks};
use crate::text::tidy;
use crate::{GameResult, MoveError, NodeId, Record, fen};

/// What is wrong, and where.
pub(super) struct Error {
    /// Byte of the text.
    pub(super) at: usize,
    /// The move that was to be read next, if it is not about tags.
    pub(super) ply: Option<usize>,
    pub(super) fault: Fault,
}

/// What a text holds.
pub(super) struct Parsed {
    /// The game, up to the error if there is one; `None` when the text holds neither tags nor moves nor a result.
    pub(super) record: Option<Record>,
    /// What is missing of variations, for which it stands in a comment as it was written.
    pub(super) omitted: Option<Omitted>,
    has_fen: bool,
    pub(super) error: Option<Error>,
}

impl Parsed {
    fn plies(&self) -> usize {
        self.record.as_ref().map_or(0, |record| record.main_line().count())
    }
}

/// How positions are read: strictly or not.
pub(super) type ReadFen = fn(&str) -> Result<Board, FenError>;

/// Whether what is written around moves must agree with them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Care {
    /// No: files in PGN come from programs, and their numbers may be anything.
    #[default]
    Programs,
    /// Yes: plain text is typed by people, who leave out moves.
    People,
}

/// Reads a game.
pub(super) fn parse(text: &str, read_fen: ReadFen, care: Care) -> Parsed {
    let reading = Reading { care, ..Reading::default() };
    let mut best = parse_for(text, read_fen, reading);
    let is_about_moves =
        |fault: &Fault| matches!(fault, Fault::Move { .. } | Fault::Number { .. } | Fault::OtherSide { .. });
    if !best.error.as_ref().is_some_and(|error| is_about_moves(&error.fault)) {
        return best;
    }
    // Most names of moves can be moves of either side, so that it may show late that a FEN tag names the wrong one. And few
    // programs count ranks from one.
    let turned = Reading { mover: Mover::Other, ..reading };
    let from_one = Reading { ranks: Ranks::FromOne, ..reading };
    for (reading, is_possible) in [(turned, best.has_fen), (from_one, true)] {
        if is_possible && best.error.is_some() {
            let other = parse_for(text, read_fen, reading);
            if other.error.is_none() || other.plies() > best.plies() {
                best = other;
            }
        }
    }
    best
}

/// How a game is read where its text can mean one thing or another.
#[derive(Clone, Copy, Default)]
struct Reading {
    mover: Mover,
    ranks: Ranks,
    care: Care,
}

/// Who makes the first move.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Mover {
    /// The side that the FEN tag names.
    #[default]
    Stated,
    Other,
}

fn parse_for(text: &str, read_fen: ReadFen, reading: Reading) -> Parsed {
    let mut parser = Parser::new(text, read_fen, reading);
    let mut error = parser.read().err();
    let doubt = parser.checks.as_mut().and_then(Checks::doubt);
    if let Some(doubt) = doubt.filter(|doubt| error.as_ref().is_none_or(|error| doubt.at < error.at)) {
        // What follows is not to be trusted.
        parser = Parser::new(&text[..doubt.at], read_fen, Reading { care: Care::Programs, ..reading });
        error = Some(parser.read().err().unwrap_or(doubt));
    }
    let record = parser.has_content.then_some(parser.record);
    Parsed { record, omitted: parser.omitted, has_fen: parser.has_fen, error }
}

/// Whether a text begins with a move that has a number or is in Chinese, or with two moves.
fn begins_with_moves(text: &str) -> bool {
    let start = Board::startpos();
    let is_move = |word: &str| notation::parse(word, &start) != Err(MoveError::Unreadable);
    let mut words = beginning(text, LONGEST_WORD).split(is_blank).filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default();
    let name = without_number(first);
    let (name, has_number) = match name {
        "" => (words.next().unwrap_or_default(), true),
        name => (name, name.len() < first.len()),
    };
    notation::chinese_len(name).is_some()
        || is_move(name) && (has_number || words.next().is_some_and(|word| is_move(without_number(word))))
}

/// Whether a line of a text begins with moves, or with a number as moves do.
pub(super) fn may_have_moves(text: &str) -> bool {
    text.split('\n').map(|line| line.trim_start_matches(is_blank)).any(|line| {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit() || ('０'..='９').contains(&c));
        rest.len() < line.len() && rest.starts_with(['.', '．', '、']) || begins_with_moves(line)
    })
}

/// A line that waits for the end of a variation.
struct Suspended {
    line: Line,
    /// Where its variation was opened.
    at: usize,
}

/// A line of moves while it is being read.
#[derive(Clone)]
struct Line {
    /// The last move.
    node: NodeId,
    /// Moves from the start of the game.
    ply: usize,
    /// The position.
    board: Board,
    /// The position before the last move; `None` when this line has no move yet.
    before: Option<Board>,
}

struct Parser<'t> {
    text: &'t str,
    read_fen: ReadFen,
    at: usize,
    record: Record,
    line: Line,
    /// Lines outside the current one, the main line first.
    outer: Vec<Suspended>,
    /// Comments at the beginning of a variation: they are about a move that has not come yet.
    early_comment: String,
    omitted: Option<Omitted>,
    has_content: bool,
    reading: Reading,
    checks: Option<Checks>,
    has_fen: bool,
    /// Whether there is a FEN tag that does not say who moves.
    lacks_side: bool,
    /// Whether dots stand where Red's move would.
    has_dots: bool,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, read_fen: ReadFen, reading: Reading) -> Parser<'t> {
        let record = Record::default();
        let line = Line { node: NodeId::ROOT, ply: 0, board: record.start.clone(), before: None };
        Parser {
            text,
            read_fen,
            at: 0,
            record,
            line,
            outer: Vec::new(),
            early_comment: String::new(),
            omitted: None,
            has_content: false,
            reading,
            checks: (reading.care == Care::People).then(|| Checks::new(text)),
            has_fen: false,
            lacks_side: false,
            has_dots: false,
        }
    }

    fn read(&mut self) -> Result<(), Error> {
        loop {
            self.skip_blanks();
            let at = self.at;
            let Some(first) = self.rest().chars().next() else { break };
            match first {
                '[' if self.record.tree.is_empty() && self.outer.is_empty() => self.read_tag()?,
                '{' => self.read_comment()?,
                ';' => {
                    let text = self.take_line()[1..].replace('}', "｝");
                    self.add_comment(&text);
                }
                '%' if at == 0 || self.text.as_bytes()[at - 1] == b'\n' => {
                    self.take_line();
                }
                '(' | '（' => {
                    self.at += first.len_utf8();
                    match self.open_variation(at) {
                        Err(_) if self.is_prose(&self.rest()[..len_of_variation(self.rest())]) => self.quote_prose(),
                        opened => opened?,
                    }
                }
                ')' | '）' => {
                    self.at += first.len_utf8();
                    self.close_variation(at)?;
                }
                '$' => self.read_nag()?,
                '}' | '[' | ']' => return Err(self.unexpected(at, "a move, a comment or a result")),
                _ => {
                    let word = self.take_word();
                    if self.is_rule(word, at) {
                        self.take_line();
                        let behind = self.rest().trim_start_matches(is_blank).split('\n').next().unwrap_or_default();
                        if self.record.tree.is_empty() && !self.is_prose(behind) {
                            continue;
                        }
                        break;
                    }
                    if self.read_word(word, at)? {
                        return self.check_end();
                    }
                }
            }
        }
        match self.outer.last() {
            Some(outer) => Err(self.error(outer.at, Fault::OpenVariation)),
            None => Ok(()),
        }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start_matches(is_blank).len();
    }

    /// The rest of the line without its end.
    fn take_line(&mut self) -> &'t str {
        let line = self.rest().split('\n').next().unwrap_or_default();
        self.at += line.len();
        line
    }

    /// All up to a blank or a bracket, or as much of it as could matter: moves may be written without blanks between them.
    fn take_word(&mut self) -> &'t str {
        let rest = beginning(self.rest(), LONGEST_WORD);
        let end = rest.find(|c| is_blank(c) || "{}()[];$（）".contains(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Whether a word is a line drawn between the game and a footer.
    fn is_rule(&self, word: &str, at: usize) -> bool {
        const SHORTEST: usize = 4;
        let is_drawn = word.starts_with(|c| "=-*_—─".contains(c))
            && word.chars().all(|c| word.starts_with(c))
            && word.chars().count() >= SHORTEST;
        let before = || self.text[..at].trim_end_matches([' ', '\t']);
        is_drawn && (before().is_empty() || before().ends_with('\n'))
    }

    /// Whether a text begins with something else than a move.
    fn is_prose(&self, text: &str) -> bool {
        let mut words = text.split(|c| is_blank(c) || "{}()[];$（）".contains(c)).map(without_number);
        words
            .find(|word| !word.is_empty())
            .is_none_or(|word| matches!(notation::parse(word, &self.line.board), Err(MoveError::Unreadable)))
    }

    fn error(&self, at: usize, fault: Fault) -> Error {
        Error { at, ply: Some(self.line.ply + 1), fault }
    }

    fn unexpected(&self, at: usize, expected: &'static str) -> Error {
        let word = beginning(&self.text[at..], LONGEST_WORD).split(is_blank).next().unwrap_or_default();
        self.error(at, Fault::Unexpected { word: quoted(word), expected })
    }

    fn read_tag(&mut self) -> Result<(), Error> {
        let at = self.at;
        let tag_error = |fault| Error { at, ply: None, fault };
        let line = first_line(self.rest());
        let Some((name, value, len)) = split_tag(line) else {
            let fault = Fault::Unexpected { word: quoted(line), expected: "a tag such as `[Red \"name\"]`" };
            return Err(tag_error(fault));
        };
        self.at += len;
        self.has_content = true;
        if name.eq_ignore_ascii_case("FEN") {
            if !value.trim().is_empty() {
                let stated = (self.read_fen)(&value).map_err(|error| tag_error(error.into()))?;
                self.record.start = match self.reading.mover {
                    Mover::Stated => stated,
                    Mover::Other => fen::turned(&stated).unwrap_or(stated),
                };
                self.line.board = self.record.start.clone();
                self.has_fen = true;
                self.lacks_side = !fen::names_side(&value);
            }
        } else if name.eq_ignore_ascii_case("Result") {
            self.record.result = GameResult::of_words(&value);
        } else if !is_structural(name) {
            if self.record.tags.len() == MAX_TAGS {
                return Err(tag_error(Fault::TooManyTags));
            }
            // Programs made for chess call Red White.
            let name = if name.eq_ignore_ascii_case("White") { "Red" } else { name };
            self.record.tags.set(name, value);
        }
        Ok(())
    }

    fn read_comment(&mut self) -> Result<(), Error> {
        let Some(len) = self.rest().find('}') else { return Err(self.error(self.at, Fault::OpenComment)) };
        let text = &self.rest()[1..len];
        self.at += len + 1;
        self.add_comment(text);
        Ok(())
    }

    fn add_comment(&mut self, text: &str) {
        let text = tidy(text);
        if self.line.before.is_none() && !self.outer.is_empty() {
            if !self.early_comment.is_empty() && !text.is_empty() {
                self.early_comment.push('\n');
            }
            self.early_comment.push_str(&text);
        } else {
            self.record.tree.append_comment(self.line.node, &text);
        }
    }

    fn open_variation(&mut self, at: usize) -> Result<(), Error> {
        let (Some(before), Some(parent)) = (&self.line.before, self.record.tree.parent(self.line.node)) else {
            return Err(self.unexpected(at, "a move before its variation"));
        };
        if self.outer.len() == MAX_DEPTH {
            return Err(self.error(at, Fault::TooDeep));
        }
        let line = Line { node: parent, ply: self.line.ply - 1, board: before.clone(), before: None };
        let line = std::mem::replace(&mut self.line, line);
        self.outer.push(Suspended { line, at });
        Ok(())
    }

    fn close_variation(&mut self, at: usize) -> Result<(), Error> {
        let Some(outer) = self.outer.pop() else {
            return Err(self.unexpected(at, "a move, a comment or a result"));
        };
        self.line = outer.line;
        // A variation that is nothing but a comment is about the move before it.
        let comment = std::mem::take(&mut self.early_comment);
        self.add_comment(&comment);
        Ok(())
    }

    fn read_nag(&mut self) -> Result<(), Error> {
        let at = self.at;
        let digits = self.rest()[1..].bytes().take_while(u8::is_ascii_digit).count();
        self.at += 1 + digits;
        let nag =
            self.text[at + 1..self.at].parse().map_err(|_| self.unexpected(at, "a number from 0 to 255 after `$`"))?;
        self.add_nag(nag);
        Ok(())
    }

    fn add_nag(&mut self, nag: u8) {
        if self.line.before.is_some() {
            self.record.tree.add_nag(self.line.node, nag);
        }
    }

    /// A move, its number, or a result; says whether the game is over.
    fn read_word(&mut self, word: &str, at: usize) -> Result<bool, Error> {
        if let Ok(result) = word.parse::<GameResult>() {
            if !self.outer.is_empty() {
                return Ok(false);
            }
            self.has_content = true;
            if !self.record.result.is_known() {
                self.record.result = result;
            }
            return Ok(true);
        }
        let name = without_number(word);
        let number = &word[..word.len() - name.len()];
        self.has_dots |= number.contains('…') || number.matches(['.', '．']).count() > 1;
        if let Some(checks) = self.checks.as_mut().filter(|_| self.outer.is_empty() && !number.is_empty()) {
            let side = self.line.board.side_to_move();
            checks.number(number, self.line.ply, side, !self.has_fen).map_err(|fault| self.error(at, fault))?;
        }
        if name.is_empty() || name.chars().all(|c| "-—─_".contains(c)) {
            return Ok(false);
        }
        if let Some(nag) = nag_of(word) {
            self.add_nag(nag);
            return Ok(false);
        }
        let at = at + number.len();
        if let Err(error) = self.read_move(name, at) {
            let is_unreadable =
                matches!(&error, Error { fault: Fault::Move { source: MoveError::Unreadable, .. }, .. });
            let with_marks = |len: usize| name.len() - name[len..].trim_start_matches(MARKS).len();
            let glued = notation::chinese_len(name).map(with_marks).filter(|&len| is_unreadable && len < name.len());
            if let Some(len) = glued {
                // Moves in Chinese are often written without blanks between them.
                self.at = at + len;
                return self.read_word(&name[..len], at);
            }
            if !self.outer.is_empty() {
                self.quote_variation(at);
            } else if let Some(result) = result_in_words(name).filter(|_| is_unreadable) {
                if !self.record.result.is_known() {
                    self.record.result = result;
                }
                return Ok(true);
            } else {
                self.has_content = true;
                return Err(error);
            }
        }
        self.has_content = true;
        Ok(false)
    }

    /// Looks at what stands behind the result: remarks, but no more moves.
    fn check_end(&mut self) -> Result<(), Error> {
        loop {
            self.skip_blanks();
            let rest = self.rest();
            match rest.chars().next() {
                Some('{') => self.at += rest.find('}').map_or(rest.len(), |end| end + 1),
                Some(first @ ('(' | '（')) => {
                    let inner = first.len_utf8();
                    self.at += inner + len_of_variation(&rest[inner..]);
                    self.at += self.rest().chars().next().map_or(0, char::len_utf8);
                }
                Some(';') => {
                    self.take_line();
                }
                Some(_) if begins_with_moves(rest) => {
                    return Err(self.unexpected(self.at, "only remarks after the result"));
                }
                _ => return Ok(()),
            }
        }
    }

    /// Makes what stands in brackets before the first move a comment.
    fn quote_prose(&mut self) {
        let len = len_of_variation(self.rest());
        let text = &self.rest()[..len];
        self.at += len;
        if let Some(bracket) = self.rest().chars().next() {
            self.at += bracket.len_utf8();
        }
        self.add_comment(&text.replace('}', "｝"));
    }

    /// Makes the rest of a variation a comment, as it was written: notes stand in brackets too.
    fn quote_variation(&mut self, at: usize) {
        let len = len_of_variation(&self.text[at..]);
        let rest = &self.text[at..at + len];
        self.at = at + len;
        let is_move = |word: &&str| {
            notation::chinese_len(word).is_some()
                || notation::parse(word, &self.line.board) != Err(MoveError::Unreadable)
        };
        let words = rest.split(|c| is_blank(c) || "{}()（）".contains(c)).map(without_number);
        let moves = words.map(|word| word.trim_end_matches(MARKS)).filter(is_move).count() as u64;
        // Remarks in brackets, such as times, are not about moves.
        if moves > 0 {
            Omitted::add(&mut self.omitted, moves, self.line.ply + 1);
        }
        self.add_comment(&rest.replace('}', "｝"));
    }

    fn read_move(&mut self, word: &str, at: usize) -> Result<(), Error> {
        let name = word.trim_end_matches(MARKS);
        if self.lacks_side
            && self.record.tree.is_empty()
            && self.reading.mover == Mover::Stated
            && self.is_of_black(name, at)
        {
            self.with_other_side(name);
        }
        let mv = notation::parse_with(name, &self.line.board, self.reading.ranks);
        let mv = mv.or_else(|error| self.with_other_side(name).ok_or(error)).map_err(|source| {
            let word = quoted(if name.is_empty() { word } else { name });
            self.error(at, Fault::Move { word, source })
        })?;
        if let Some(checks) = self.checks.as_mut().filter(|_| self.outer.is_empty()) {
            checks.mv(name, at, self.line.ply, self.line.board.side_to_move());
        }
        let tree = &mut self.record.tree;
        self.line.node = tree.add(self.line.node, mv);
        self.line.ply += 1;
        let next = self.line.board.make(mv);
        self.line.before = Some(std::mem::replace(&mut self.line.board, next));
        if !self.early_comment.is_empty() {
            tree.set_comment(self.line.node, std::mem::take(&mut self.early_comment));
        }
        if let Some(nag) = nag_of(&word[name.len()..]) {
            self.add_nag(nag);
        }
        Ok(())
    }

    /// Whether the way in which the first move is written shows that Black makes it: behind dots, or with a digit that is
    /// not Chinese while that of the next move is.
    fn is_of_black(&self, name: &str, at: usize) -> bool {
        let has_chinese_digit = |name: &str| name.contains(|c| "一二三四五六七八九".contains(c));
        self.record.start.side_to_move() == Color::Red
            && self.record.start != Board::startpos()
            && (self.has_dots
                || notation::chinese_len(name) == Some(name.len())
                    && !has_chinese_digit(name)
                    && next_move(&self.text[at + name.len()..]).is_some_and(has_chinese_digit))
    }

    /// FEN tags often leave out the side to move or name the wrong one: the first move knows better.
    fn with_other_side(&mut self, name: &str) -> Option<chuhe_movegen::Move> {
        if !self.has_fen || !self.record.tree.is_empty() {
            return None;
        }
        let start = fen::turned(&self.record.start).ok()?;
        let mv = notation::parse_with(name, &start, self.reading.ranks).ok()?;
        self.line.board = start.clone();
        self.record.start = start;
        Some(mv)
    }
}
