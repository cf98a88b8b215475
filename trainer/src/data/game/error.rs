//! What can be wrong with game files.

use std::io;

use chuhe_movegen::Move;

use crate::data::GameOutcome;
use crate::data::game::header::MAX_SIZE as MAX_HEADER_SIZE;
use crate::data::game::{MAGIC, MAX_PLIES, VERSION, Verdict};
use crate::data::packed::PackedError;

/// What is wrong with the header.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HeaderFault {
    /// Not a game file.
    #[error("not a game file: it does not begin with {}", MAGIC.escape_ascii())]
    Magic,
    /// A game file of another time.
    #[error("format version {0}, expected {VERSION}")]
    Version(u32),
    /// The file ends before the header does.
    #[error("the file ends within its header")]
    Torn,
    /// The header says that it is longer than any header.
    #[error("header of {0} bytes, expected at most {MAX_HEADER_SIZE}")]
    Length(u32),
    /// The checksum is another.
    #[error("damaged header: the checksum does not match")]
    Checksum,
    /// The text is not the description of a run.
    #[error("header: {0}")]
    Text(String),
}

/// What is wrong with a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GameFault {
    /// The bytes are not those that were written.
    #[error("damaged: the checksum does not match")]
    Checksum,
    /// No end mark where every game would have ended.
    #[error("no end after {MAX_PLIES} plies")]
    TooLong,
    /// The start is no position.
    #[error("start: {0}")]
    Start(#[from] PackedError),
    /// The counters of the start contradict the position.
    #[error("start: {ply} plies played before it and {clock} without a capture contradict {side} to move")]
    Counters {
        /// Half-moves before the start.
        ply: u16,
        /// Half-moves without a capture.
        clock: u8,
        /// Whose turn it is.
        side: chuhe_movegen::Color,
    },
    /// The kind of opening is unknown.
    #[error("kind of opening {0}, expected 0-2")]
    Opening(u8),
    /// Flags where there is no move.
    #[error("end mark {0:#06x}, expected 0")]
    EndMark(u16),
    /// The result is none.
    #[error("result {0}, expected 0 (Black won), 1 (draw) or 2 (Red won)")]
    Outcome(u8),
    /// The verdict is none.
    #[error("verdict {0}, expected 0-7")]
    Verdict(u8),
    /// Bits that are no move.
    #[error("ply {ply}: {bits:#06x} is not a move")]
    NoMove {
        /// Index of the ply from the start, from 0.
        ply: usize,
        /// The bits.
        bits: u16,
    },
    /// A move against the rules.
    #[error("ply {ply}: {mv} is not legal")]
    IllegalMove {
        /// Index of the ply from the start, from 0.
        ply: usize,
        /// The move.
        mv: Move,
    },
    /// Wrong flags.
    #[error("ply {ply}: the flags of {mv} (in check, capture) are not those of the position")]
    Flags {
        /// Index of the ply from the start, from 0.
        ply: usize,
        /// The move.
        mv: Move,
    },
    /// The game went on after its end.
    #[error("ply {ply}: the game had ended ({verdict:?})")]
    PlayedOn {
        /// Index of the first ply too many.
        ply: usize,
        /// How it had ended.
        verdict: Verdict,
    },
    /// The recorded end is not that of the rules.
    #[error("recorded end {found:?}, by the rules {expected:?}")]
    Ending {
        /// What the file says.
        found: (Verdict, GameOutcome),
        /// What the rules say; nothing where the game is not over.
        expected: Option<(Verdict, GameOutcome)>,
    },
}

/// Why a game file cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum GameFileError {
    /// The system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The header is not one.
    #[error(transparent)]
    Header(#[from] HeaderFault),
    /// A game is damaged.
    #[error("game {index} at byte {offset}: {fault}")]
    Game {
        /// Index of the game in the file, from 0.
        index: u64,
        /// Where it begins.
        offset: u64,
        /// What is wrong.
        fault: GameFault,
    },
    /// The file ends within a game: its writer was stopped.
    #[error("the file ends within game {index}, which begins at byte {offset}")]
    Torn {
        /// Index of the game in the file, from 0.
        index: u64,
        /// Where it begins: all before is whole.
        offset: u64,
    },
    /// A file to be continued comes from another run.
    #[error("the file was started with other settings: {field} = {found}, now {expected}")]
    OtherRun {
        /// The entry of the header.
        field: String,
        /// What the file says.
        found: String,
        /// What this run says.
        expected: String,
    },
    /// Another process writes the file.
    #[error("another process is writing to it")]
    Busy,
}

impl GameFileError {
    /// Whether all games up to the fault are whole and the last was being written: nothing to worry about.
    pub fn is_torn(&self) -> bool {
        matches!(self, GameFileError::Torn { .. })
    }

    /// Whether the fault lies in the data, not in the system or the arguments.
    pub fn is_data_fault(&self) -> bool {
        matches!(self, GameFileError::Header(_) | GameFileError::Game { .. } | GameFileError::Torn { .. })
    }
}
