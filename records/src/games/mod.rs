//! The games of a file or stream of any kind, one by one.
//!
//! What a stream holds shows in its beginning, whatever the file is called. A game is first cut out of the stream, which is
//! quick, and then read, which another thread can do. Encodings are found out: UTF-8, UTF-16 with a byte order mark,
//! GB18030 (GBK) or Big5.
//!
//! A damaged game gives one error, with what could be read of it, and keeps no other from being read.
//!
//! ```
//! use chuhe_records::games::{Format, Games};
//!
//! let text = "1. 炮二平五 马8进7\n2. 马二进三 车9平8\n";
//! let mut games = Games::new(text.as_bytes(), None)?;
//! assert_eq!(games.format(), Format::Text);
//! let entry = games.next().expect("a game")?.read();
//! assert_eq!(entry.record?.main_line().count(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod epd;
mod error;
mod format;
mod input;
mod line;
mod lines;

use std::io::{self, BufRead};

use serde_json::Value;

use crate::ccbridge::{cbf, cbl, cbr};
use crate::damage::{Damage, Flaw, Omitted};
use crate::draft::{Draft, Verified};
use crate::programs::{ccm, che, chn, mxq};
use crate::text::Decoder;
use crate::{Record, Tags, dhtmlxq, json, page, pgn, plain, xqf};
pub use error::{DamagedRecord, GameError, OpenError};
use format::Finding;
pub use format::Format;
use input::Input;
pub(crate) use line::play;
use lines::{Line, Lines};

/// Bytes of a line of JSON or of moves that are read at most.
pub const MAX_LINE_SIZE: u64 = 1 << 20;
/// Bytes of a file of one game that are read at most, unless it is in PGN (see [`pgn::MAX_GAME_SIZE`]).
pub const MAX_GAME_FILE_SIZE: u64 = 32 << 20;
/// Bytes of a file of DhtmlXQ or plain text that are read at most. JSON lines, lines of moves and PGN may be of any size.
pub const MAX_TEXT_SIZE: u64 = 256 << 20;
/// Bytes of a library (CBL) that are read at most.
pub const MAX_LIBRARY_SIZE: u64 = 1 << 30;

/// Bytes at the beginning in which marks of a format are looked for.
const PEEK_SIZE: u64 = 1 << 16;

/// The tag by which a game in PGN names the rules of repetition that it was played by, as the key `ruleset` does in JSON.
pub const RULE_SET_TAG: &str = "Ruleset";

/// The games of a stream: an iterator over games that have been cut out but not read yet.
///
/// Blank lines, and among lines of JSON and of moves remarks that begin with `#`, are passed over. Lines of both kinds may
/// stand in one stream. After an error the stream is over.
#[derive(Debug)]
pub struct Games<R: BufRead> {
    format: Format,
    reader: Reader<Input<R>>,
    /// Games so far.
    games: u64,
    is_over: bool,
}

#[derive(Debug)]
enum Reader<R> {
    Lines {
        lines: Lines<R>,
        /// What a line is that shows neither kind.
        kind: LineKind,
    },
    Pgn(Box<pgn::Texts<R>>),
    /// PGN in a page of the web.
    Page(Box<pgn::Texts<io::Cursor<String>>>),
    Text(plain::Games),
    DhtmlXq(dhtmlxq::Games),
    Library(cbl::Games),
    /// A file of one game.
    One(Option<Content>),
}

/// How a game stands on one line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LineKind {
    /// [`Format::Json`].
    Json,
    /// [`Format::Lines`].
    Moves,
}

impl LineKind {
    /// What a line shows of its kind.
    fn of(line: &str) -> Option<LineKind> {
        if line::looks_like_json(line) {
            Some(LineKind::Json)
        } else if line::looks_like_moves(line) {
            Some(LineKind::Moves)
        } else {
            None
        }
    }
}

impl<R: BufRead> Games<R> {
    /// The games of a stream. What its name suggests, see [`Format::of_extension`], counts where the stream itself does not
    /// show what it holds.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn new(input: R, suggested: Option<Format>) -> Result<Games<R>, OpenError> {
        let (mut input, first_line) = Input::new(input)?;
        let shown = Format::of_first_line(input.start(), &first_line, suggested);
        let format = match shown {
            // Text files can hold one game with a move on each line, or with a position before its moves.
            Some(Format::Lines) if suggested == Some(Format::Text) && is_one_game(input.peek(PEEK_SIZE)?) => {
                Format::Text
            }
            Some(format) => format,
            None => match (Format::find(input.peek(PEEK_SIZE)?), suggested) {
                (Finding::Certain(format), _) => format,
                (Finding::Markup, _) => match Format::of_markup(input.peek(MAX_GAME_FILE_SIZE)?) {
                    format @ (Format::Text | Format::Pgn) => return Ok(Games::of_page(input, format)?),
                    format => format,
                },
                (Finding::Text, suggested) => suggested.unwrap_or(Format::Text),
                (Finding::Binary, Some(format @ (Format::Chn | Format::Mxq | Format::Ccm))) => format,
                (Finding::Binary, suggested) => {
                    let found = Format::of_bytes(input.peek(MAX_GAME_FILE_SIZE)?);
                    found.or(suggested.filter(|format| !format.is_text())).ok_or(OpenError::UnknownFormat)?
                }
            },
        };
        Ok(Games::of_input(input, format)?)
    }

    /// The games of a stream in this format, whatever it looks like.
    ///
    /// # Errors
    /// A stream that cannot be read.
    pub fn with_format(input: R, format: Format) -> io::Result<Games<R>> {
        Games::of_input(Input::new(input)?.0, format)
    }

    /// The games in the text of a page of the web.
    fn of_page(input: Input<R>, format: Format) -> io::Result<Games<R>> {
        let reader = match input.read_all(MAX_TEXT_SIZE)? {
            None => Reader::One(Some(Content::TooLarge(MAX_TEXT_SIZE))),
            Some(bytes) => {
                let text = page::text(&decode(bytes));
                if format == Format::Pgn {
                    let lines = io::Cursor::new(text.replace(page::BREAK, "\n"));
                    Reader::Page(Box::new(pgn::Texts::of_page(lines, pgn::MAX_GAME_SIZE)))
                } else {
                    Reader::Text(plain::Games::new(text))
                }
            }
        };
        Ok(Games { format, reader, games: 0, is_over: false })
    }

    fn of_input(input: Input<R>, format: Format) -> io::Result<Games<R>> {
        let one = |input: Input<R>, read: ReadFile| {
            let bytes = input.read_all(MAX_GAME_FILE_SIZE)?;
            let content = bytes.map_or(Content::TooLarge(MAX_GAME_FILE_SIZE), |bytes| Content::File(read, bytes));
            io::Result::Ok(Reader::One(Some(content)))
        };
        let too_large = |limit| Reader::One(Some(Content::TooLarge(limit)));
        let reader = match format {
            Format::Pgn => Reader::Pgn(Box::new(pgn::Texts::new(input, pgn::MAX_GAME_SIZE))),
            Format::Json => Reader::Lines { lines: Lines::new(input), kind: LineKind::Json },
            Format::Lines => Reader::Lines { lines: Lines::new(input), kind: LineKind::Moves },
            Format::Text => match input.read_all(MAX_TEXT_SIZE)? {
                Some(bytes) => Reader::Text(plain::Games::new(decode(bytes))),
                None => too_large(MAX_TEXT_SIZE),
            },
            Format::DhtmlXq => match input.read_all(MAX_TEXT_SIZE)? {
                Some(bytes) => Reader::DhtmlXq(dhtmlxq::Games::new(decode(bytes))),
                None => too_large(MAX_TEXT_SIZE),
            },
            Format::Cbl => match input.read_all(MAX_LIBRARY_SIZE)? {
                Some(bytes) => Reader::Library(cbl::Games::new(bytes)),
                None => too_large(MAX_LIBRARY_SIZE),
            },
            Format::Xqf => one(input, |bytes| xqf::read(&bytes))?,
            Format::Cbr => one(input, |bytes| cbr::read(&bytes))?,
            Format::Cbf => one(input, |bytes| cbf::read(decode(bytes).trim_start_matches('\u{feff}')))?,
            Format::Che => one(input, |bytes| che::read(&decode(bytes)))?,
            Format::Chn => one(input, |bytes| chn::read(&bytes))?,
            Format::Mxq => one(input, |bytes| mxq::read(&bytes))?,
            Format::Ccm => one(input, |bytes| Ok(ccm::read(&bytes)))?,
        };
        Ok(Games { format, reader, games: 0, is_over: false })
    }

    /// What the stream holds.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    fn next_game(&mut self) -> Option<io::Result<RawGame>> {
        self.games += 1;
        let (number, content) = match &mut self.reader {
            Reader::Lines { lines, kind } => match lines.next()? {
                Ok((number, line)) => (number, Content::Line(line, *kind)),
                Err(error) => return Some(Err(error)),
            },
            Reader::Pgn(texts) => match texts.next()? {
                Ok(text) => (text.game(), Content::Text(text)),
                Err(error) => return Some(Err(error)),
            },
            Reader::Page(texts) => match texts.next()? {
                Ok(text) => (text.game(), Content::Text(text)),
                Err(error) => return Some(Err(error)),
            },
            Reader::Text(games) => (self.games, Content::Text(games.next()?)),
            Reader::DhtmlXq(games) => (self.games, Content::DhtmlXq(games.next()?)),
            Reader::Library(games) => (self.games, Content::File(|bytes| cbr::read(&bytes), games.next()?)),
            Reader::One(content) => (self.games, content.take()?),
        };
        Some(Ok(RawGame { number, content }))
    }
}

/// Whether the second line of a text goes on with the game of its first.
fn is_one_game(start: &[u8]) -> bool {
    let text = Decoder::default().decode(start);
    let lines = text.split(['\n', '\r']).map(|line| line.trim_start_matches('\u{feff}').trim());
    let mut lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.next().zip(lines.next()).is_some_and(|(first, second)| line::goes_on(first, second))
}

/// Text of a whole file.
fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| Decoder::default().decode(error.as_bytes()).into_owned())
}

impl<R: BufRead> Iterator for Games<R> {
    type Item = io::Result<RawGame>;

    fn next(&mut self) -> Option<io::Result<RawGame>> {
        if self.is_over {
            return None;
        }
        let game = self.next_game();
        self.is_over = !matches!(game, Some(Ok(_)));
        game
    }
}

/// A game that has been cut out of its stream.
#[derive(Debug)]
pub struct RawGame {
    number: u64,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Line(Line, LineKind),
    /// A game in PGN or plain text.
    Text(pgn::GameText),
    DhtmlXq(String),
    /// A whole file of one game, or one of a library.
    File(ReadFile, Vec<u8>),
    /// More bytes than this.
    TooLarge(u64),
}

/// Reads a game that is a whole file.
type ReadFile = fn(Vec<u8>) -> Result<Draft, Damage>;

impl RawGame {
    /// The number of its line, or in other formats than lines of the game, from 1.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Reads the game.
    #[must_use]
    pub fn read(self) -> Entry {
        match self.content {
            Content::Line(Line::TooLong, _) => Entry::damaged(GameError::LineTooLong),
            Content::Line(Line::Text(text), kind) => match LineKind::of(&text).unwrap_or(kind) {
                LineKind::Json => json::read(&text),
                LineKind::Moves => line::read(&text),
            },
            Content::Text(text) => {
                let pgn::Reading { record, omitted, damage } = text.read();
                Entry::new(record, omitted, damage.map(GameError::Pgn))
            }
            Content::DhtmlXq(text) => Entry::of_draft(dhtmlxq::read(&text)),
            Content::File(read, bytes) => Entry::of_draft(read(bytes)),
            Content::TooLarge(limit) => Entry::of_draft(Err(Flaw::TooLarge { limit }.into())),
        }
    }
}

/// The rule set that tags name; `?` is PGN's word for what is not known.
fn rule_set(tags: &Tags) -> Option<&str> {
    tags.get(RULE_SET_TAG).map(str::trim).filter(|name| !matches!(*name, "" | "?" | "-"))
}

/// What a stream holds of one game.
#[derive(Debug)]
pub struct Entry {
    /// What a line of JSON or EPD calls it; never null.
    pub id: Option<Value>,
    /// The name of the rule set that a line of JSON or the tag [`RULE_SET_TAG`] asks for.
    pub ruleset: Option<String>,
    /// The game, all of whose moves are legal, or what is wrong with it and how much can be used.
    pub record: Result<Record, DamagedRecord>,
    /// Moves that are no part of the record without being damage.
    pub omitted: Option<Omitted>,
}

/// What a game is called, as it is shown: without the quotation marks of JSON.
#[must_use]
pub fn id_text(id: &Value) -> String {
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}

impl Entry {
    pub(crate) fn new(record: Option<Record>, omitted: Option<Omitted>, error: Option<GameError>) -> Entry {
        let ruleset = record.as_ref().and_then(|record| rule_set(&record.tags)).map(str::to_owned);
        let record = match error {
            Some(error) => Err(DamagedRecord { error, salvaged: record.map(Box::new) }),
            None => Ok(record.unwrap_or_default()),
        };
        Entry { id: None, ruleset, record, omitted }
    }

    pub(crate) fn damaged(error: GameError) -> Entry {
        Entry::new(None, None, Some(error))
    }

    fn of_draft(draft: Result<Draft, Damage>) -> Entry {
        match draft.and_then(Draft::verify) {
            Ok(Verified { record, omitted, damage }) => {
                Entry::new(Some(record), omitted, damage.map(GameError::Damage))
            }
            Err(damage) => Entry::damaged(damage.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_both_kinds_in_one_stream() {
        let json = r#"{"id": "a", "moves": "h2e2"}"#;
        let moves = "position startpos moves h2e2";
        for (text, format) in
            [(format!("{json}\n{moves}\nx\n"), Format::Json), (format!("{moves}\n{json}\nx\n"), Format::Lines)]
        {
            let games = Games::new(text.as_bytes(), None).expect("bytes are readable");
            assert_eq!(games.format(), format);
            let entries: Vec<Entry> = games.map(|game| game.expect("bytes are readable").read()).collect();
            for entry in &entries[..2] {
                assert_eq!(entry.record.as_ref().map(|record| record.main_line().count()), Ok(1), "{text}");
            }
            let error = &entries[2].record.as_ref().expect_err("no game").error;
            let is_json_fault = matches!(error, GameError::Json(_));
            assert_eq!(is_json_fault, format == Format::Json, "a line that shows no kind is of the stream's");
        }
    }

    #[test]
    fn the_rule_set_of_a_game_in_pgn() {
        for (tag, expected) in [
            ("[Ruleset \"checkonly\"]", Some("checkonly")),
            ("[RULESET \" axf \"]", Some("axf")),
            ("[Ruleset \"?\"]", None),
            ("", None),
        ] {
            let text = format!("[Event \"a\"]\n{tag}\n\n1. h2e2 *\n");
            let mut games = Games::new(text.as_bytes(), None).expect("bytes are readable");
            let entry = games.next().expect("a game").expect("bytes are readable").read();
            assert_eq!((entry.ruleset.as_deref(), entry.record.is_ok()), (expected, true), "{tag}");
        }
    }
}
