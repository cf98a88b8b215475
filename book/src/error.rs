//! Why a file is not a book.

use crate::Format;

/// Why bytes were not accepted as an opening book.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BookError {
    /// Nothing in the content tells the format.
    #[error(
        "unknown format ({len} bytes): expected a book that begins with `CHUHEBK`, an SQLite file (OBK), or 8-byte \
         records (BOOK.DAT)"
    )]
    UnknownFormat {
        /// Length of the content.
        len: usize,
    },
    /// The content is shorter or longer than it says.
    #[error("{format} book: found {found} bytes, expected {expected}")]
    Length {
        /// The format recognised.
        format: Format,
        /// Bytes there are.
        found: usize,
        /// Bytes there should be (at least, when the header itself is cut off).
        expected: u64,
    },
    /// A version of our format that this program does not read.
    #[error("Chuhe book: version {found}, expected {expected}")]
    Version {
        /// Version in the header.
        found: u32,
        /// Version this program reads.
        expected: u32,
    },
    /// The records are not those that were written.
    #[error("Chuhe book: checksum of the records is {found:#018x}, expected {expected:#018x}")]
    Checksum {
        /// Computed from the records.
        found: u64,
        /// Stated in the header.
        expected: u64,
    },
    /// A record breaks the format.
    #[error("{format} book, record {index}: {fault}")]
    Record {
        /// The format recognised.
        format: Format,
        /// Which record, from 0; in an OBK, in the order in which SQLite gives the rows.
        index: u64,
        /// What is wrong with it.
        fault: Fault,
    },
    /// An OBK, which this program was built without the means to read.
    #[error("OBK book: this program was built without SQLite and cannot read it (feature `obk`)")]
    ObkUnsupported,
    /// SQLite could not read the file.
    #[error("OBK book, {doing}: {message}")]
    Sqlite {
        /// What was being done.
        doing: &'static str,
        /// What SQLite says.
        message: String,
    },
    /// An SQLite file without a table of moves.
    #[error("OBK book: no table `bhobk` or `pfBook` stored in the file")]
    NoTable,
    /// More rows than the file has room for, which only a forged file gives.
    #[error("OBK book: more than {limit} rows, which a file of this size cannot hold")]
    TooManyRows {
        /// The most that was expected.
        limit: usize,
    },
}

/// What is wrong with a record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// Records are searched by halving, so their keys must not decrease.
    #[error("key {found:#x} stands behind {previous:#x}, expected ascending keys")]
    Unsorted {
        /// Its key.
        found: u64,
        /// The key before it.
        previous: u64,
    },
    /// A move that leaves the board or goes nowhere.
    #[error("move {found:#06x} does not lead from one point of the board to another")]
    Move {
        /// The coded move.
        found: u16,
    },
    /// Bytes that must be zero are not.
    #[error("reserved field is {found:#06x}, expected 0")]
    Reserved {
        /// The value found.
        found: u16,
    },
    /// A column holds a value of another type.
    #[error("column `{column}` holds {found}, expected {expected}")]
    Column {
        /// Name of the column.
        column: &'static str,
        /// Type found.
        found: &'static str,
        /// Type or types expected.
        expected: &'static str,
    },
}
