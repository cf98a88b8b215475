//! Games from a stream.

use std::io::BufRead;

use super::parse::{self, parse};
use super::split::{Piece, Splitter};
use super::{DamagedGame, Fault, MAX_GAME_SIZE, PgnError};
use crate::Record;
use crate::text::Decoder;

/// Reads PGN games one by one from a stream of any size: an iterator over records.
///
/// A damaged game gives [`PgnError::Game`], and the next call goes on with the next game. After [`PgnError::Read`] the
/// stream is over. All moves of the records, those of variations included, are legal.
///
/// Games are separated by their tags; text behind a result is no part of a game, and pieces without any moves or tags
/// are passed over. Encodings are found out game by game: UTF-8, GB18030 (GBK) or Big5.
#[derive(Debug)]
pub struct Reader<R> {
    splitter: Splitter<R>,
    decoder: Decoder,
    piece: Piece,
    limit: usize,
    games: u64,
    is_over: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads games of up to [`MAX_GAME_SIZE`] bytes.
    pub fn new(input: R) -> Reader<R> {
        Reader::with_max_game_size(input, MAX_GAME_SIZE)
    }

    /// Reads games of up to `limit` bytes. Memory is bounded by a multiple of this, whatever the size of the stream.
    pub fn with_max_game_size(input: R, limit: usize) -> Reader<R> {
        Reader {
            splitter: Splitter::new(input, limit),
            decoder: Decoder::default(),
            piece: Piece::default(),
            limit,
            games: 0,
            is_over: false,
        }
    }

    /// How many games have been met, damaged ones included.
    pub fn games(&self) -> u64 {
        self.games
    }

    fn read_game(&mut self) -> Option<Result<Record, PgnError>> {
        loop {
            match self.splitter.read_piece(&mut self.piece) {
                Ok(true) => {}
                Ok(false) => return None,
                Err(source) => {
                    self.is_over = true;
                    return Some(Err(PgnError::Read { line: self.splitter.line_number() + 1, source }));
                }
            }
            let damaged = |game, line, ply, fault| PgnError::Game(DamagedGame { game, line, ply, fault });
            let first_line = self.piece.first_line;
            if first_line == 1 && [b"\xff\xfe", b"\xfe\xff"].iter().any(|bom| self.piece.bytes.starts_with(*bom)) {
                self.is_over = true;
                self.games = 1;
                return Some(Err(damaged(1, 1, None, Fault::Utf16)));
            }
            if self.piece.is_cut {
                self.games += 1;
                return Some(Err(damaged(self.games, first_line, None, Fault::TooLarge { limit: self.limit })));
            }
            let text = self.decoder.decode(&self.piece.bytes);
            match parse(&text) {
                Ok(None) => {}
                Ok(Some(record)) => {
                    self.games += 1;
                    return Some(Ok(record));
                }
                Err(parse::Error { at, ply, fault }) => {
                    self.games += 1;
                    let line = first_line + text.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count() as u64;
                    return Some(Err(damaged(self.games, line, ply, fault)));
                }
            }
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Record, PgnError>;

    fn next(&mut self) -> Option<Result<Record, PgnError>> {
        if self.is_over {
            return None;
        }
        let game = self.read_game();
        self.is_over |= game.is_none();
        game
    }
}
