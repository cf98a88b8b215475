//! Game files, written game by game.

use std::path::Path;

use chuhe_files::{Durability, Log, LogError};

use crate::data::game::{GameFileError, Header, MAX_PLIES, PLY_SIZE, PackedGame, Reader, START_SIZE, TAIL_SIZE};

/// Appends games to a file, which it keeps locked against other writers.
#[derive(Debug)]
pub struct Writer {
    log: Log,
}

/// A file that is being continued.
#[derive(Debug)]
pub struct Resumed {
    /// Goes on behind the last whole game.
    pub writer: Writer,
    /// Whether the last game was torn, and has been cut off.
    pub was_torn: bool,
}

/// Bytes of the longest game.
const MAX_GAME_SIZE: u64 = (START_SIZE + PLY_SIZE * (MAX_PLIES + 1) + TAIL_SIZE) as u64;

impl Writer {
    /// Begins a file, which must not exist or be empty, or goes on with one that a run with the same header began. Gives
    /// the games in it to `visit`, and cuts off a last game that is torn or was lost to a power failure.
    ///
    /// # Errors
    /// [`GameFileError`]: the file cannot be opened, is being written, has another header or is damaged.
    pub fn resume(path: &Path, header: &Header, mut visit: impl FnMut(PackedGame)) -> Result<Resumed, GameFileError> {
        // A game is soon played again, so that it need not be on the disk before the next one is begun.
        let mut log = Log::open(path, Durability::System)?;
        if log.length() == 0 {
            log.append(&header.to_bytes()?)?;
            return Ok(Resumed { writer: Writer { log }, was_torn: false });
        }
        let zeros = log.zeros()?;
        let mut reader = Reader::new(log.reader()?)?;
        if let Some(difference) = header.difference(reader.header()) {
            return Err(difference);
        }
        let mut was_torn = false;
        for game in reader.by_ref() {
            let is_lost = |offset| zeros.is_some_and(|zeros| zeros <= offset + MAX_GAME_SIZE);
            match game {
                Ok(game) => visit(game),
                Err(GameFileError::Torn { .. }) => was_torn = true,
                Err(GameFileError::Game { offset, .. }) if is_lost(offset) => was_torn = true,
                Err(error) => return Err(error),
            }
        }
        let end = reader.offset();
        drop(reader);
        log.cut(end)?;
        Ok(Resumed { writer: Writer { log }, was_torn })
    }

    /// Appends a game.
    ///
    /// # Errors
    /// [`GameFileError::Io`].
    pub fn write(&mut self, game: &PackedGame) -> Result<(), GameFileError> {
        self.log.append(&game.to_bytes())?;
        Ok(())
    }
}

impl From<LogError> for GameFileError {
    fn from(error: LogError) -> GameFileError {
        match error {
            // Who asked for the file names it.
            LogError::Io { source, .. } => GameFileError::Io(source),
            LogError::InUse { .. } | LogError::Exists { .. } => GameFileError::Busy,
        }
    }
}
