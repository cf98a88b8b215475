//! Games from a stream of any kind, one by one: JSON lines, lines of moves, or a game file.
//!
//! What a stream holds shows in its first line, or is told beforehand. A game is first cut out of the stream, which is
//! quick, and then read, which another thread can do.

mod line;
mod lines;

use std::io::{self, BufRead, Chain, Cursor, Read as _};

use chuhe_movegen::FenError;
use serde_json::Value;

use crate::{MoveError, Record, pgn};
use lines::{Line, Lines};

/// Bytes of a line of JSON or of moves that are read at most.
pub const MAX_LINE_SIZE: u64 = 1 << 20;

/// What a stream holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StreamKind {
    /// On each line an object such as `{"id": …, "fen": …, "moves": ["h2e2", …], "ruleset": …}`. `start_fen` stands for
    /// `fen` too, `moves` may be one text, `id` and `ruleset` are optional, and other keys are not looked at.
    Json,
    /// On each line a game such as `position fen FEN moves h2e2 h9g7`, of which everything may be missing but a position
    /// or a move.
    Moves,
    /// Games in PGN.
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
        if line::looks_like_json(line) {
            StreamKind::Json
        } else if line::looks_like_moves(line) {
            StreamKind::Moves
        } else {
            StreamKind::Pgn
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
    Json(Lines<R>),
    Moves(Lines<R>),
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
            StreamKind::Json => Reader::Json(Lines::new(rest)),
            StreamKind::Moves => Reader::Moves(Lines::new(rest)),
            StreamKind::Pgn => Reader::Pgn(Box::new(pgn::Reader::new(rest))),
        };
        Ok(Games { reader, is_over: false })
    }

    /// What the stream holds.
    #[must_use]
    pub fn kind(&self) -> StreamKind {
        match self.reader {
            Reader::Json(_) => StreamKind::Json,
            Reader::Moves(_) => StreamKind::Moves,
            Reader::Pgn(_) => StreamKind::Pgn,
        }
    }

    fn next_game(&mut self) -> Option<io::Result<RawGame>> {
        let (number, content) = match &mut self.reader {
            Reader::Json(lines) => match lines.next()? {
                Ok((number, line)) => (number, Content::Json(line)),
                Err(error) => return Some(Err(error)),
            },
            Reader::Moves(lines) => match lines.next()? {
                Ok((number, line)) => (number, Content::Moves(line)),
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
    Json(Line),
    Moves(Line),
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
            Content::Json(Line::Text(text)) => line::json(&text),
            Content::Moves(Line::Text(text)) => Entry::unnamed(line::moves(&text)),
            Content::Json(Line::TooLong) | Content::Moves(Line::TooLong) => Entry::unnamed(Err(GameError::LineTooLong)),
            Content::Record(record) => Entry::unnamed(record.map_err(GameError::Pgn)),
        }
    }
}

/// What a stream holds of one game.
#[derive(Debug)]
pub struct Entry {
    /// What a line of JSON calls it; never null.
    pub id: Option<Value>,
    /// The name of the rule set that a line of JSON asks for.
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
    /// The line is no JSON, or no game; what was expected, and where.
    #[error("{0}")]
    Json(String),
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
