//! Cuts a stream into games, without understanding more of them than where they begin.

use std::io::{self, BufRead};

use super::is_name_byte;
use crate::lines::{LineRead, LineReader};
use crate::text::ascii_bytes;

const UTF8_BOM: &[u8] = b"\xef\xbb\xbf";

/// The bytes of one game with all that stands between it and the next.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    /// The bytes, up to the limit.
    pub(super) bytes: Vec<u8>,
    /// Number of its first line, from 1.
    pub(super) first_line: u64,
    /// Whether bytes were left out because of the limit.
    pub(super) is_cut: bool,
    /// Whether it begins with a tag.
    pub(super) has_tag: bool,
}

/// Reads line by line and keeps one game in memory.
///
/// A game begins with a tag behind moves, with a second tag of the name that came first, or with move number 1 behind a
/// result. Within a comment a line that
/// looks like a tag is text, unless it is `Game` or `Event` or follows a blank line: then the comment before was never
/// closed, and only its own game shall suffer from that.
#[derive(Debug)]
pub(super) struct Splitter<R> {
    input: LineReader<R>,
    limit: usize,
    /// The line read last; it begins the next piece when `is_pending`.
    line: Vec<u8>,
    line_is_cut: bool,
    line_number: u64,
    is_pending: bool,
}

/// Where in a game a line stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Tags,
    Moves,
    Comment,
}

impl<R: BufRead> Splitter<R> {
    pub(super) fn new(input: R, limit: usize) -> Splitter<R> {
        Splitter {
            input: LineReader::new(input),
            limit,
            line: Vec::new(),
            line_is_cut: false,
            line_number: 0,
            is_pending: false,
        }
    }

    /// Number of the line read last.
    pub(super) fn line_number(&self) -> u64 {
        self.line_number
    }

    /// Reads the next piece; `false` at the end of the stream.
    pub(super) fn read_piece(&mut self, piece: &mut Chunk) -> io::Result<bool> {
        piece.bytes.clear();
        piece.is_cut = false;
        piece.has_tag = false;
        let mut place = Place::Tags;
        let mut first_tag: Option<Vec<u8>> = None;
        let mut after_blank = false;
        let mut after_result = false;
        let mut is_empty = true;
        while std::mem::take(&mut self.is_pending) || self.read_line()? {
            let line = self.line.strip_prefix(UTF8_BOM).unwrap_or(&self.line);
            let trimmed = line.trim_ascii();
            let tag = tag_name(trimmed);
            if let Some(name) = tag {
                let begins_game = match place {
                    Place::Tags => first_tag.as_deref().is_some_and(|first| first.eq_ignore_ascii_case(name)),
                    Place::Moves => true,
                    Place::Comment => {
                        let is_first = [b"game".as_slice(), b"event"].iter().any(|tag| tag.eq_ignore_ascii_case(name));
                        line.starts_with(b"[") && trimmed.ends_with(b"\"]") && (is_first || after_blank)
                    }
                };
                if begins_game {
                    self.is_pending = true;
                    return Ok(true);
                }
            }
            if after_result && place == Place::Moves && begins_with_one(trimmed) {
                self.is_pending = true;
                return Ok(true);
            }
            if place == Place::Tags && trimmed.starts_with(b"[") {
                if let (None, Some(name)) = (&first_tag, tag) {
                    first_tag = Some(name.to_vec());
                    piece.has_tag = true;
                }
            } else if !trimmed.is_empty() {
                place = place_after(place, trimmed);
                after_result = place == Place::Moves && ends_with_result(trimmed);
            }
            after_blank = trimmed.is_empty();
            if is_empty {
                piece.first_line = self.line_number;
                is_empty = false;
            }
            if self.line_is_cut || piece.bytes.len() + self.line.len() > self.limit {
                piece.is_cut = true;
            } else if !piece.is_cut {
                piece.bytes.extend_from_slice(&self.line);
            }
        }
        Ok(!is_empty)
    }

    /// Reads a line with its end, keeping no more of it than the limit.
    fn read_line(&mut self) -> io::Result<bool> {
        let read = self.input.read(self.limit, &mut self.line)?;
        self.line_is_cut = read == LineRead::Cut;
        self.line_number += u64::from(read != LineRead::Nothing);
        Ok(read != LineRead::Nothing)
    }
}

/// The name, if a line begins with a tag.
fn tag_name(line: &[u8]) -> Option<&[u8]> {
    let rest = line.strip_prefix(b"[")?.trim_ascii_start();
    let end = rest.iter().position(|&byte| !is_name_byte(byte))?;
    let (name, rest) = rest.split_at(end);
    (!name.is_empty() && rest.trim_ascii_start().starts_with(b"\"")).then_some(name)
}

/// Whether a line begins with move number 1.
fn begins_with_one(line: &[u8]) -> bool {
    line.strip_prefix(b"1").is_some_and(|rest| rest.starts_with(b"."))
}

fn ends_with_result(line: &[u8]) -> bool {
    let last = line.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    matches!(last, b"1-0" | b"0-1" | b"1/2-1/2" | b"*")
}

/// Whether a comment is open after a line of moves or of a comment.
fn place_after(before: Place, line: &[u8]) -> Place {
    let mut place = if before == Place::Comment { Place::Comment } else { Place::Moves };
    if place == Place::Moves && line.starts_with(b"%") {
        return place;
    }
    for byte in ascii_bytes(line) {
        match (place, byte) {
            (Place::Comment, b'}') => place = Place::Moves,
            (Place::Moves, b'{') => place = Place::Comment,
            (Place::Moves, b';') => break,
            _ => {}
        }
    }
    place
}
