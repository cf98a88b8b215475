//! Game files, read game by game.

use std::io::{self, Read};

use chuhe_movegen::Color;

use crate::data::game::{
    GameFault, GameFileError, Header, MAX_PLIES, MOVE, Opening, PLY_SIZE, PackedGame, PackedPly, START_SIZE, TAIL_SIZE,
    Verdict, checksum,
};
use crate::data::{GameOutcome, packed};

/// Reads the games of a file one by one. Give it a buffered input.
///
/// Structure and checksums are verified here; that the moves are legal shows in [`PackedGame::positions`]. After an
/// error there is nothing more: where the next game begins cannot be known.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    header: Header,
    /// Where the next game begins.
    offset: u64,
    /// Games read.
    games: u64,
    /// The bytes of the game being read.
    buffer: Vec<u8>,
    finished: bool,
}

impl<R: Read> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// [`GameFileError`] when it is none, or cannot be read.
    pub fn new(mut input: R) -> Result<Reader<R>, GameFileError> {
        let (header, offset) = Header::read(&mut input)?;
        Ok(Reader { input, header, offset, games: 0, buffer: Vec::new(), finished: false })
    }

    /// How the games were made.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Bytes of the header and of all whole games read so far.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Reads the bytes of the next game into the buffer; false at the end of the file.
    fn fill(&mut self) -> Result<bool, GameFileError> {
        self.buffer.clear();
        if !self.take(START_SIZE)? {
            return Ok(false);
        }
        loop {
            self.take(PLY_SIZE)?;
            let ply = &self.buffer[self.buffer.len() - PLY_SIZE..];
            if u16::from_le_bytes([ply[0], ply[1]]) & MOVE == 0 {
                break;
            }
            if (self.buffer.len() - START_SIZE) / PLY_SIZE > MAX_PLIES {
                return Err(self.fault(GameFault::TooLong));
            }
        }
        self.take(TAIL_SIZE - PLY_SIZE)?;
        Ok(true)
    }

    /// Appends so many bytes to the buffer; false when a game would begin and the file is at its end.
    fn take(&mut self, count: usize) -> Result<bool, GameFileError> {
        let old = self.buffer.len();
        self.buffer.resize(old + count, 0);
        let mut filled = old;
        while filled < self.buffer.len() {
            match self.input.read(&mut self.buffer[filled..]) {
                Ok(0) if filled == 0 => return Ok(false),
                Ok(0) => return Err(GameFileError::Torn { index: self.games, offset: self.offset }),
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(true)
    }

    fn fault(&self, fault: GameFault) -> GameFileError {
        GameFileError::Game { index: self.games, offset: self.offset, fault }
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<PackedGame, GameFileError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.finished {
            return None;
        }
        let game = match self.fill() {
            Ok(true) => parse(&self.buffer).map_err(|fault| self.fault(fault)),
            Ok(false) => {
                self.finished = true;
                return None;
            }
            Err(error) => Err(error),
        };
        match game {
            Ok(_) => {
                self.games += 1;
                self.offset += self.buffer.len() as u64;
            }
            Err(_) => self.finished = true,
        }
        Some(game)
    }
}

/// Reads one game, whose bytes are those from its start to its checksum.
fn parse(bytes: &[u8]) -> Result<PackedGame, GameFault> {
    let word = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let double = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let end = bytes.len() - TAIL_SIZE;
    if double(end + 8) != checksum(&bytes[..end + 8]) {
        return Err(GameFault::Checksum);
    }
    let packed: &[u8; packed::SIZE] = bytes.first_chunk().expect("a game is longer than its start");
    let (start_ply, clock, opening) = (word(28), bytes[30], bytes[31]);
    let (start, result_bits) = packed::unpack(packed, u16::from(clock), 1 + start_ply / 2)?;
    if result_bits != 0 {
        return Err(packed::PackedError::SpareBits.into());
    }
    let side = start.side_to_move();
    if (start_ply % 2 == 1) != (side == Color::Black) {
        return Err(GameFault::Counters { ply: start_ply, clock, side });
    }
    let opening = *Opening::ALL.get(usize::from(opening)).ok_or(GameFault::Opening(opening))?;
    let plies = bytes[START_SIZE..end]
        .chunks_exact(PLY_SIZE)
        .map(|ply| PackedPly {
            code: u16::from_le_bytes([ply[0], ply[1]]),
            score: i16::from_le_bytes([ply[2], ply[3]]),
        })
        .collect();
    if word(end) != 0 {
        return Err(GameFault::EndMark(word(end)));
    }
    let (outcome, verdict) = (bytes[end + 2], bytes[end + 3]);
    Ok(PackedGame {
        number: double(end + 4),
        start,
        start_ply,
        opening,
        plies,
        outcome: GameOutcome::from_code(outcome).ok_or(GameFault::Outcome(outcome))?,
        verdict: *Verdict::ALL.get(usize::from(verdict)).ok_or(GameFault::Verdict(verdict))?,
    })
}
