//! CBL: a library, whose directory differs from version to version. Its games are found by their first bytes.

use std::ops::Range;

use memchr::memmem;

use super::cbr;

/// The first bytes of every library.
pub(crate) const MAGIC: &[u8; 16] = b"CCBridgeLibrary\0";

/// The games of a library, as ranges of its bytes. They are [`cbr`] records with room behind them.
#[derive(Debug)]
pub(crate) struct Games {
    bytes: Vec<u8>,
    /// Where the next game begins.
    next: Option<usize>,
}

impl Games {
    pub(crate) fn new(bytes: Vec<u8>) -> Games {
        let next = memmem::find(&bytes, cbr::MAGIC);
        Games { bytes, next }
    }

    fn next_range(&mut self) -> Option<Range<usize>> {
        let start = self.next?;
        let behind = start + cbr::MAGIC.len();
        self.next = memmem::find(&self.bytes[behind..], cbr::MAGIC).map(|at| behind + at);
        Some(start..self.next.unwrap_or(self.bytes.len()))
    }
}

impl Iterator for Games {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        self.next_range().map(|range| self.bytes[range].to_vec())
    }
}
