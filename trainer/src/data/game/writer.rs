//! Game files, written game by game.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use fs4::{FileExt, TryLockError};

use crate::data::game::{GameFileError, Header, PackedGame, Reader};

/// Appends games to a file, which it keeps locked against other writers.
#[derive(Debug)]
pub struct Writer {
    file: File,
}

/// A file that is being continued.
#[derive(Debug)]
pub struct Resumed {
    /// Goes on behind the last whole game.
    pub writer: Writer,
    /// Whether the last game was torn, and has been cut off.
    pub was_torn: bool,
}

impl Writer {
    /// Begins a file, which must not exist or be empty, or goes on with one that a run with the same header began. Gives
    /// the games in it to `visit`, and cuts a torn last game off.
    ///
    /// # Errors
    /// [`GameFileError`]: the file cannot be opened, is being written, has another header or is damaged.
    pub fn resume(path: &Path, header: &Header, mut visit: impl FnMut(PackedGame)) -> Result<Resumed, GameFileError> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        FileExt::try_lock(&file).map_err(|error| match error {
            TryLockError::WouldBlock => GameFileError::Busy,
            TryLockError::Error(error) => error.into(),
        })?;
        if file.metadata()?.len() == 0 {
            file.write_all(&header.to_bytes()?)?;
            return Ok(Resumed { writer: Writer { file }, was_torn: false });
        }
        let mut reader = Reader::new(BufReader::with_capacity(1 << 20, &file))?;
        if let Some(difference) = header.difference(reader.header()) {
            return Err(difference);
        }
        let mut was_torn = false;
        for game in reader.by_ref() {
            match game {
                Ok(game) => visit(game),
                Err(error) if error.is_torn() => was_torn = true,
                Err(error) => return Err(error),
            }
        }
        let end = reader.offset();
        drop(reader);
        if was_torn {
            file.set_len(end)?;
        }
        file.seek(SeekFrom::Start(end))?;
        Ok(Resumed { writer: Writer { file }, was_torn })
    }

    /// Appends a game.
    ///
    /// # Errors
    /// [`GameFileError::Io`].
    pub fn write(&mut self, game: &PackedGame) -> Result<(), GameFileError> {
        // One call: whoever is killed leaves the game whole or torn, and never two games mixed.
        Ok(self.file.write_all(&game.to_bytes())?)
    }
}
