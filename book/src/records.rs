//! The one form in which every book is held: fixed-size records sorted by key, searched in place.

use std::borrow::Cow;
use std::cmp::Reverse;

use chuhe_movegen::Move;

/// Bytes of a record.
pub(crate) const RECORD_LEN: usize = 16;

/// One move of one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Record {
    pub(crate) key: u64,
    pub(crate) weight: u32,
    pub(crate) mv: Move,
}

impl Record {
    /// Layout, little endian: key (8 bytes), weight (4), [`Move::bits`] (2), zero (2).
    pub(crate) fn to_bytes(self) -> [u8; RECORD_LEN] {
        let mut bytes = [0; RECORD_LEN];
        bytes[..8].copy_from_slice(&self.key.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.weight.to_le_bytes());
        bytes[12..14].copy_from_slice(&self.mv.bits().to_le_bytes());
        bytes
    }
}

/// Key, weight, move and reserved field as they stand in the bytes, not yet validated.
pub(crate) fn split(bytes: &[u8; RECORD_LEN]) -> (u64, u32, u16, u16) {
    let value = u128::from_le_bytes(*bytes);
    (value as u64, (value >> 64) as u32, (value >> 96) as u16, (value >> 112) as u16)
}

/// Records sorted by key.
///
/// They stay bytes, so that the embedded book is used where the linker put it: loading it neither copies nor parses.
#[derive(Clone, Debug)]
pub(crate) struct Records(Cow<'static, [u8]>);

impl Records {
    /// Takes bytes that the caller has found to be whole records sorted by key.
    pub(crate) fn from_sorted_bytes(bytes: Cow<'static, [u8]>) -> Records {
        Records(bytes)
    }

    /// Sorts by key, then by weight from the heaviest, then by move.
    pub(crate) fn from_unsorted(mut records: Vec<Record>) -> Records {
        records.sort_unstable_by_key(|record| (record.key, Reverse(record.weight), record.mv));
        Records(records.into_iter().flat_map(Record::to_bytes).collect())
    }

    /// The bytes of all records.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    fn chunks(&self) -> &[[u8; RECORD_LEN]] {
        self.0.as_chunks().0
    }

    /// Number of records.
    pub(crate) fn len(&self) -> usize {
        self.chunks().len()
    }

    /// The moves stored under a key, with their weights.
    pub(crate) fn find(&self, key: u64) -> impl Iterator<Item = (Move, u32)> {
        let chunks = self.chunks();
        let start = chunks.partition_point(|bytes| split(bytes).0 < key);
        chunks[start..]
            .iter()
            .map(split)
            .take_while(move |record| record.0 == key)
            .filter_map(|(_, weight, bits, _)| Some((Move::from_bits(bits)?, weight)))
    }
}
