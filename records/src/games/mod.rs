//! Games from a stream of any kind, one by one: JSON lines, lines of moves, or a game file.
//!
//! What a stream holds shows in its first line, or is told beforehand. A game is first cut out of the stream, which is
//! quick, and then read, which another thread can do. Lines of both kinds may stand in one stream. Encodings are found
//! out line by line, in PGN game by game: UTF-8, GB18030 (GBK) or Big5.

mod line;
mod lines;

use std::io::{self, BufRead, Chain, Cursor, Read as _};

use chuhe_movegen::FenError;
use serde_json::Value;

use crate::{MoveError, Record, Tags, pgn};
pub use line::{JsonFault, JsonKind};
use lines::{Line, Lines};

/// Bytes of a line of JSON or of moves that are read at most.
pub const MAX_LINE_SIZE: u64 = 1 << 20;

/// The tag by which a game in PGN names the rules of repetition that it was played by, as the key `ruleset` does in JSON.
pub const RULE_SET_TAG: &str = "Ruleset";

/// What a stream holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StreamKind {
    /// On each line an object such as `{"id": …, "fen": …, "moves": ["h2e2", …], "ruleset": …}`. Only `moves` must be
    /// there; it may be one text. Without `fen`, for which `start_fen` may stand, the game begins from the start position.
    /// Other keys are not looked at.
    Json,
    /// On each line a game such as `position fen FEN moves h2e2 h9g7`, of which everything may be missing but a position
    /// or a move.
    Moves,
    /// Games in PGN; the tag [`RULE_SET_TAG`] says what `ruleset` says in JSON.
    Pgn,
}

impl StreamKind {
    /// What a file with this extension holds, if that is certain. Case does not matter.
    #[must_use]
    pub fn of_extension(extension: &str) -> Option<StreamKind> {
        match extension.to_ascii_lowercase().as_str() {
            "json" | "jsonl" | "ndjson" => Some(StreamKind::Json),
            "pgn" => Some(StreamKind::Pgn),
            _ => None,
        }
    }

    /// What a stream holds that begins with this line.
    fn of_first_line(line: &str) -> StreamKind {
        match LineKind::of(line) {
            Some(LineKind::Json) => StreamKind::Json,
            Some(LineKind::Moves) => StreamKind::Moves,
            None => StreamKind::Pgn,
        }
    }
}

/// How a game stands on one line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LineKind {
    /// [`StreamKind::Json`].
    Json,
    /// [`StreamKind::Moves`].
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

/// The games of a stream: an iterator over games that have been cut out but not read yet.
///
/// Blank lines, and among lines of JSON and of moves remarks that begin with `#`, are passed over. After an error the
/// stream is over.
#[derive(Debug)]
pub struct Games<R> {
    reader: Reader<Chain<Cursor<Vec<u8>>, R>>,
    is_over: bool,
}

#[derive(Debug)]
enum Reader<R> {
    Lines {
        lines: Lines<R>,
        /// What a line is that shows neither kind.
        kind: LineKind,
    },
    Pgn(Box<pgn::Reader<R>>),
}

impl<R: BufRead> Games<R> {
    /// The games of a stream of this kind; of the kind that its first line shows if it is `None`.
    ///
    /// # Errors
    /// A stream whose beginning cannot be read.
    pub fn new(mut input: R, kind: Option<StreamKind>) -> io::Result<Games<R>> {
        let (start, first_line) = match kind {
            Some(_) => Default::default(),
            None => lines::first_line(&mut input)?,
        };
        let rest = Cursor::new(start).chain(input);
        let reader = match kind.unwrap_or_else(|| StreamKind::of_first_line(&first_line)) {
            StreamKind::Json => Reader::Lines { lines: Lines::new(rest), kind: LineKind::Json },
            StreamKind::Moves => Reader::Lines { lines: Lines::new(rest), kind: LineKind::Moves },
            StreamKind::Pgn => Reader::Pgn(Box::new(pgn::Reader::new(rest))),
        };
        Ok(Games { reader, is_over: false })
    }

    /// What the stream holds.
    #[must_use]
    pub fn kind(&self) -> StreamKind {
        match self.reader {
            Reader::Lines { kind: LineKind::Json, .. } => StreamKind::Json,
            Reader::Lines { kind: LineKind::Moves, .. } => StreamKind::Moves,
            Reader::Pgn(_) => StreamKind::Pgn,
        }
    }

    fn next_game(&mut self) -> Option<io::Result<RawGame>> {
        let (number, content) = match &mut self.reader {
            Reader::Lines { lines, kind } => match lines.next()? {
                Ok((number, line)) => (number, Content::Line(line, *kind)),
                Err(error) => return Some(Err(error)),
            },
            Reader::Pgn(reader) => {
                let record = match reader.next()? {
                    Ok(record) => Ok(record),
                    Err(pgn::PgnError::Game(damaged)) => Err(damaged),
                    Err(pgn::PgnError::Read { source, .. }) => return Some(Err(source)),
                };
                (reader.games(), Content::Record(Box::new(record)))
            }
        };
        Some(Ok(RawGame { number, content }))
    }
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
    Record(Box<Result<Record, pgn::DamagedGame>>),
}

impl RawGame {
    /// The number of its line, or in PGN of the game, from 1.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Reads the game.
    #[must_use]
    pub fn read(self) -> Entry {
        match self.content {
            Content::Line(Line::TooLong, _) => Entry::unnamed(Err(GameError::LineTooLong)),
            Content::Line(Line::Text(text), kind) => match LineKind::of(&text).unwrap_or(kind) {
                LineKind::Json => line::json(&text),
                LineKind::Moves => Entry::unnamed(line::moves(&text)),
            },
            Content::Record(record) => {
                let entry = Entry::unnamed(record.map_err(GameError::Pgn));
                let ruleset = entry.record.as_ref().ok().and_then(|record| rule_set(&record.tags)).map(str::to_owned);
                Entry { ruleset, ..entry }
            }
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
    /// What a line of JSON calls it; never null.
    pub id: Option<Value>,
    /// The name of the rule set that a line of JSON or the tag [`RULE_SET_TAG`] asks for.
    pub ruleset: Option<String>,
    /// The game, all of whose moves are legal, or what is wrong with it.
    pub record: Result<Record, GameError>,
}

impl Entry {
    fn unnamed(record: Result<Record, GameError>) -> Entry {
        Entry { id: None, ruleset: None, record }
    }
}

/// Why a game of a stream cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GameError {
    /// A game in PGN that is damaged.
    #[error(transparent)]
    Pgn(#[from] pgn::DamagedGame),
    /// The line has more than [`MAX_LINE_SIZE`] bytes.
    #[error("the line has more than {} MiB", MAX_LINE_SIZE >> 20)]
    LineTooLong,
    /// The line is no JSON, or tells no game.
    #[error(transparent)]
    Json(#[from] JsonFault),
    /// The start position is none.
    #[error("start position: {0}")]
    Position(#[from] FenError),
    /// A word is no legal move.
    #[error("move {number}: found {word:?}, {source}")]
    Move {
        /// Which move, from 1.
        number: usize,
        /// The word, shortened.
        word: String,
        /// What was expected.
        source: MoveError,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_both_kinds_in_one_stream() {
        let json = r#"{"id": "a", "moves": "h2e2"}"#;
        let moves = "position startpos moves h2e2";
        for (text, kind) in
            [(format!("{json}\n{moves}\nx\n"), StreamKind::Json), (format!("{moves}\n{json}\nx\n"), StreamKind::Moves)]
        {
            let games = Games::new(text.as_bytes(), None).expect("bytes are readable");
            assert_eq!(games.kind(), kind);
            let entries: Vec<Entry> = games.map(|game| game.expect("bytes are readable").read()).collect();
            for entry in &entries[..2] {
                assert_eq!(entry.record.as_ref().map(|record| record.main_line().count()), Ok(1), "{text}");
            }
            let is_json_fault = matches!(entries[2].record, Err(GameError::Json(_)));
            assert_eq!(is_json_fault, kind == StreamKind::Json, "a line that shows no kind is of the stream's");
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
