//! Games from a stream.

use std::io::{self, BufRead};

use chuhe_movegen::Board;

use super::parse::{self, Care, Parsed, ReadFen, parse};
use super::split::{Chunk, Splitter};
use super::{DamagedGame, Fault, MAX_GAME_SIZE, PgnError};
use crate::damage::Omitted;
use crate::text::Decoder;
use crate::{Record, fen};

/// Reads PGN games one by one from a stream of any size: an iterator over records.
///
/// A damaged game gives [`PgnError::Game`], and the next call goes on with the next game. After [`PgnError::Read`] the
/// stream is over. All moves of the records, those of variations included, are legal; what cannot be played in a variation
/// is a comment. Positions are those of games; [`crate::games`] reads composed ones too.
///
/// Games are separated by their tags; text behind a result is no part of a game, and pieces without any moves or tags
/// are passed over. Encodings are found out game by game: UTF-8, GB18030 (GBK) or Big5.
#[derive(Debug)]
pub struct Reader<R> {
    texts: Texts<R>,
}

impl<R: BufRead> Reader<R> {
    /// Reads games of up to [`MAX_GAME_SIZE`] bytes.
    pub fn new(input: R) -> Reader<R> {
        Reader::with_max_game_size(input, MAX_GAME_SIZE)
    }

    /// Reads games of up to `limit` bytes. Memory is bounded by a multiple of this, whatever the size of the stream.
    pub fn with_max_game_size(input: R, limit: usize) -> Reader<R> {
        Reader { texts: Texts::new(input, limit) }
    }

    /// How many games have been met, damaged ones included.
    pub fn games(&self) -> u64 {
        self.texts.games
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Record, PgnError>;

    fn next(&mut self) -> Option<Result<Record, PgnError>> {
        let text = self.texts.next()?;
        let line = self.texts.splitter.line_number() + 1;
        Some(text.map_err(|source| PgnError::Read { line, source }).and_then(|text| {
            let Reading { record, damage, .. } = text.read_with(Board::from_fen);
            match damage {
                Some(damage) => Err(damage.into()),
                None => Ok(record.unwrap_or_default()),
            }
        }))
    }
}

/// The text of one game, cut out of its stream but not read yet, which another thread can do.
#[derive(Debug)]
pub(crate) struct GameText {
    /// Which game of the stream, from 1.
    game: u64,
    /// The line on which it begins, from 1.
    first_line: u64,
    text: Result<String, Fault>,
    care: Care,
}

/// What has been read of a game.
#[derive(Debug)]
pub(crate) struct Reading {
    /// The game, up to the damage if there is some; `None` when nothing can be read of it.
    pub(crate) record: Option<Record>,
    /// What is missing of variations.
    pub(crate) omitted: Option<Omitted>,
    pub(crate) damage: Option<DamagedGame>,
}

impl GameText {
    /// A game in plain text, rewritten as PGN.
    pub(crate) fn of_people(game: u64, first_line: u64, text: String) -> GameText {
        GameText { game, first_line, text: Ok(text), care: Care::People }
    }

    /// Which game of the stream it is, from 1.
    pub(crate) fn game(&self) -> u64 {
        self.game
    }

    /// Reads the game, which may begin from a composed position.
    pub(crate) fn read(&self) -> Reading {
        self.read_with(fen::read)
    }

    fn read_with(&self, read_fen: ReadFen) -> Reading {
        let damaged = |line, ply, fault| Some(DamagedGame { game: self.game, line, ply, fault });
        let text = match &self.text {
            Ok(text) => text,
            Err(fault) => {
                let damage = damaged(self.first_line, None, fault.clone());
                return Reading { record: None, omitted: None, damage };
            }
        };
        let Parsed { record, omitted, error, .. } = parse(text, read_fen, self.care);
        let damage = error.and_then(|parse::Error { at, ply, fault }| {
            let lines_before = text.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count() as u64;
            damaged(self.first_line + lines_before, ply, fault)
        });
        Reading { record, omitted, damage }
    }
}

/// Whether a text without tags holds nothing of a game. Pages of the web have much else in words.
fn is_prose(text: &str, is_page: bool) -> bool {
    match parse(text, fen::read, Care::Programs) {
        Parsed { record, error: Some(_), .. } => {
            is_page && record.is_none_or(|record| record.tree.is_empty()) && !parse::may_have_moves(text)
        }
        Parsed { record, error: None, .. } => record.is_none(),
    }
}

/// The games of a stream as texts.
#[derive(Debug)]
pub(crate) struct Texts<R> {
    splitter: Splitter<R>,
    decoder: Decoder,
    piece: Chunk,
    limit: usize,
    games: u64,
    is_over: bool,
    /// Whether it is the text of a page of the web.
    is_page: bool,
}

impl<R: BufRead> Texts<R> {
    /// The games of a stream, of up to `limit` bytes each.
    pub(crate) fn new(input: R, limit: usize) -> Texts<R> {
        Texts {
            splitter: Splitter::new(input, limit),
            decoder: Decoder::default(),
            piece: Chunk::default(),
            limit,
            games: 0,
            is_over: false,
            is_page: false,
        }
    }

    /// The same for the text of a page of the web.
    pub(crate) fn of_page(input: R, limit: usize) -> Texts<R> {
        Texts { is_page: true, ..Texts::new(input, limit) }
    }

    fn next_text(&mut self) -> io::Result<Option<GameText>> {
        loop {
            if !self.splitter.read_piece(&mut self.piece)? {
                return Ok(None);
            }
            let first_line = self.piece.first_line;
            let is_utf16 = [b"\xff\xfe", b"\xfe\xff"].iter().any(|bom| self.piece.bytes.starts_with(*bom));
            let text = if first_line == 1 && is_utf16 {
                self.is_over = true;
                Err(Fault::Utf16)
            } else if self.piece.is_cut {
                Err(Fault::TooLarge { limit: self.limit })
            } else {
                let text = self.decoder.decode(&self.piece.bytes);
                // Whatever begins with a tag is a game, but before the first one there may be anything.
                if !self.piece.has_tag && is_prose(&text, self.is_page) {
                    continue;
                }
                Ok(text.into_owned())
            };
            self.games += 1;
            return Ok(Some(GameText { game: self.games, first_line, text, care: Care::Programs }));
        }
    }
}

impl<R: BufRead> Iterator for Texts<R> {
    type Item = io::Result<GameText>;

    fn next(&mut self) -> Option<io::Result<GameText>> {
        if self.is_over {
            return None;
        }
        let text = self.next_text().transpose();
        self.is_over |= !matches!(text, Some(Ok(_)));
        text
    }
}
