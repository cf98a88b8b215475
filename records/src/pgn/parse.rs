//! The text of one game.

use chuhe_movegen::{Board, FenError};

use super::{Fault, MAX_DEPTH, MAX_TAGS, is_name_byte, is_structural};
use crate::damage::{Omitted, quoted};
use crate::notation;
use crate::placement::with_side;
use crate::text::tidy;
use crate::{GameResult, NodeId, Record};

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
    pub(super) error: Option<Error>,
}

/// How positions are read: strictly or not.
pub(super) type ReadFen = fn(&str) -> Result<Board, FenError>;

/// Reads a game.
pub(super) fn parse(text: &str, read_fen: ReadFen) -> Parsed {
    let mut parser = Parser::new(text, read_fen);
    let error = parser.read().err();
    let record = parser.has_content.then_some(parser.record);
    Parsed { record, omitted: parser.omitted, error }
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
    has_fen: bool,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, read_fen: ReadFen) -> Parser<'t> {
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
            has_fen: false,
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
                    self.open_variation(at)?;
                }
                ')' | '）' => {
                    self.at += first.len_utf8();
                    self.close_variation(at)?;
                }
                '$' => self.read_nag()?,
                '}' | '[' | ']' => return Err(self.unexpected(at, "a move, a comment or a result")),
                _ => {
                    let word = self.take_word();
                    if self.read_word(word, at)? {
                        return Ok(());
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

    /// All up to a blank or a bracket.
    fn take_word(&mut self) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c| is_blank(c) || "{}()[];$（）".contains(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn error(&self, at: usize, fault: Fault) -> Error {
        Error { at, ply: Some(self.line.ply + 1), fault }
    }

    fn unexpected(&self, at: usize, expected: &'static str) -> Error {
        let word = self.text[at..].split(is_blank).next().unwrap_or_default();
        self.error(at, Fault::Unexpected { word: quoted(word), expected })
    }

    fn read_tag(&mut self) -> Result<(), Error> {
        let at = self.at;
        let tag_error = |fault| Error { at, ply: None, fault };
        let line = self.rest().split('\n').next().unwrap_or_default();
        let Some((name, value, len)) = split_tag(line) else {
            let fault = Fault::Unexpected { word: quoted(line), expected: "a tag such as `[Red \"name\"]`" };
            return Err(tag_error(fault));
        };
        self.at += len;
        self.has_content = true;
        if name.eq_ignore_ascii_case("FEN") {
            if !value.trim().is_empty() {
                self.record.start = (self.read_fen)(&value).map_err(|error| tag_error(error.into()))?;
                self.line.board = self.record.start.clone();
                self.has_fen = true;
            }
        } else if name.eq_ignore_ascii_case("Result") {
            self.record.result = value.trim().parse().unwrap_or_default();
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
        if !name.is_empty() {
            self.has_content = true;
            let at = at + word.len() - name.len();
            match self.read_move(name, at) {
                Ok(()) => {}
                Err(_) if !self.outer.is_empty() => self.quote_variation(at),
                Err(error) => return Err(error),
            }
        }
        Ok(false)
    }

    /// Makes the rest of a variation a comment, as it was written: notes stand in brackets too.
    fn quote_variation(&mut self, at: usize) {
        let len = len_of_variation(&self.text[at..]);
        let rest = &self.text[at..at + len];
        self.at = at + len;
        let moves = rest.split(is_blank).filter(|word| !without_number(word).is_empty()).count();
        Omitted::add(&mut self.omitted, moves as u64, self.line.ply + 1);
        self.add_comment(&rest.replace('}', "｝"));
    }

    fn read_move(&mut self, word: &str, at: usize) -> Result<(), Error> {
        let name = word.trim_end_matches(['!', '?', '！', '？']);
        let mv = notation::parse(name, &self.line.board);
        let mv = mv.or_else(|error| self.with_other_side(name).ok_or(error)).map_err(|source| {
            let word = quoted(if name.is_empty() { word } else { name });
            self.error(at, Fault::Move { word, source })
        })?;
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

    /// FEN tags often leave out the side to move or name the wrong one: the first move knows better.
    fn with_other_side(&mut self, name: &str) -> Option<chuhe_movegen::Move> {
        if !self.has_fen || !self.record.tree.is_empty() {
            return None;
        }
        let start = with_side(&self.record.start, !self.record.start.side_to_move()).ok()?;
        let mv = notation::parse(name, &start).ok()?;
        self.line.board = start.clone();
        self.record.start = start;
        Some(mv)
    }
}

/// Blanks between words. A byte order mark is one, since files are glued together.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}' || c == '\0'
}

/// Takes a tag apart: name, value, and number of bytes up to its end.
fn split_tag(line: &str) -> Option<(&str, String, usize)> {
    let inner = line.strip_prefix('[')?;
    let name_at = line.len() - inner.trim_ascii_start().len();
    let name_len = line[name_at..].bytes().position(|byte| !is_name_byte(byte))?;
    let name = &line[name_at..name_at + name_len];
    if name.is_empty() {
        return None;
    }
    let after_name = &line[name_at + name_len..];
    let value_at = line.len() - after_name.trim_ascii_start().len();
    let Some(quoted) = line[value_at..].strip_prefix('"') else {
        // A value without quotation marks.
        let len = line[value_at..].find(']')?;
        return Some((name, plain(line[value_at..value_at + len].trim_ascii()), value_at + len + 1));
    };
    let closes = |index: usize| -> Option<usize> {
        let rest = &quoted[index + 1..];
        let trimmed = rest.trim_ascii_start();
        trimmed.starts_with(']').then(|| line.len() - trimmed.len() + 1)
    };
    let mut value = String::new();
    let mut is_escaped = false;
    for (index, c) in quoted.char_indices() {
        match c {
            '"' if !is_escaped => match closes(index) {
                Some(len) => return Some((name, plain(&value), len)),
                // A mark that nobody escaped, within the value.
                None => value.push('"'),
            },
            '\\' if !is_escaped => {
                is_escaped = true;
                continue;
            }
            '"' | '\\' => value.push(c),
            _ => {
                if is_escaped {
                    value.push('\\');
                }
                value.push(c);
            }
        }
        is_escaped = false;
    }
    // A value that ends in a backslash that nobody doubled.
    let index = quoted.rfind('"')?;
    Some((name, plain(&quoted[..index]), closes(index)?))
}

/// A value in one line.
fn plain(value: &str) -> String {
    value.replace(char::is_control, " ")
}

/// Bytes up to the bracket that closes the variation in which a text begins; all of them if none does.
fn len_of_variation(text: &str) -> usize {
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
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit() || ('０'..='９').contains(&c));
    let name = rest.trim_start_matches(['.', '．', '…', '。', '、']);
    // Digits without a dot can be the beginning of a move.
    if name.len() == rest.len() && !rest.is_empty() { word } else { name }
}

/// The annotation glyph that marks behind a move stand for.
fn nag_of(marks: &str) -> Option<u8> {
    Some(match marks.replace('！', "!").replace('？', "?").as_str() {
        "!" => 1,
        "?" => 2,
        "!!" => 3,
        "??" => 4,
        "!?" => 5,
        "?!" => 6,
        _ => return None,
    })
}
