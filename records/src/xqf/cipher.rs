//! The encryption of versions after 1.0: every byte is shifted by a key that stands in the header.

use super::PLAIN_VERSION;
use super::header::{self, LEN};
use super::offset;

/// What the bytes of a file have been shifted by; all zero in plain files.
#[derive(Clone, Debug, Default)]
pub(super) struct Keys {
    /// Points of the start position.
    pub(super) pieces: u8,
    pub(super) from: u8,
    pub(super) to: u8,
    /// Lengths of comments.
    pub(super) comment: u32,
    /// Everything behind the header, over and over.
    stream: [u8; 32],
}

impl Keys {
    pub(super) fn of(header: &[u8; LEN]) -> Keys {
        if header[header::VERSION] <= PLAIN_VERSION {
            return Keys::default();
        }
        let [mask, sum, xy, from, to] =
            [header::KEY_MASK, header::KEY_SUM, header::KEY_XY, header::KEY_FROM, header::KEY_TO].map(|at| header[at]);
        let mixed = |key: u8| key.wrapping_mul(key).wrapping_mul(54).wrapping_add(221);
        let pieces = mixed(xy).wrapping_mul(xy);
        let from_key = mixed(from).wrapping_mul(pieces);
        let to_key = mixed(to).wrapping_mul(from_key);
        let comment = (u32::from(sum) * 256 + u32::from(xy)) % 32_000 + offset::COMMENT;
        let with = [sum, xy, from, to];
        let stream = std::array::from_fn(|index| {
            let set = header[header::KEY_OR + index % 4];
            (set | with[index % 4] & mask) & PHRASE[index]
        });
        Keys { pieces, from: from_key, to: to_key, comment, stream }
    }

    /// A byte behind the header, by its place there.
    pub(super) fn decrypt(&self, index: usize, byte: u8) -> u8 {
        byte.wrapping_sub(self.stream[index % self.stream.len()])
    }
}

/// The words that the author of the format mixes with the key.
const PHRASE: &[u8; 32] = b"[(C) Copyright Mr. Dong Shiwei.]";
