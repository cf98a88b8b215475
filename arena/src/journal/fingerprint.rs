//! Telling whether bytes are still what they were.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A number that changes with the bytes it is taken from: FNV-1a of 64 bits (Fowler, Noll, Vo), written as 16 hexadecimal
/// digits. It shows accidents and edits, not the work of somebody who makes it anew. Journals hold it, so that another
/// function would need another [`FORMAT`](super::FORMAT).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fingerprint(u64);

impl Default for Fingerprint {
    /// That of no bytes.
    fn default() -> Fingerprint {
        Fingerprint(0xcbf2_9ce4_8422_2325)
    }
}

impl Fingerprint {
    /// That of some bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Fingerprint {
        Fingerprint::default().then(bytes)
    }

    /// That of the bytes so far and these behind them.
    #[must_use]
    pub fn then(self, bytes: &[u8]) -> Fingerprint {
        let add = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        Fingerprint(bytes.iter().fold(self.0, add))
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// A text is no fingerprint.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a fingerprint of 16 hexadecimal digits")]
pub struct NoFingerprint;

impl FromStr for Fingerprint {
    type Err = NoFingerprint;

    fn from_str(text: &str) -> Result<Fingerprint, NoFingerprint> {
        let is_hex = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = is_hex.then(|| u64::from_str_radix(text, 16).ok()).flatten();
        number.map(Fingerprint).ok_or(NoFingerprint)
    }
}

impl Serialize for Fingerprint {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Fingerprint {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Fingerprint, D::Error> {
        String::deserialize(input)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test vectors of the algorithm's authors.
    #[test]
    fn agrees_with_the_published_values() {
        for (bytes, text) in [("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8")] {
            assert_eq!(Fingerprint::of(bytes.as_bytes()).to_string(), text);
            assert_eq!(text.parse(), Ok(Fingerprint::of(bytes.as_bytes())));
            let (begin, rest) = bytes.split_at(bytes.len() / 2);
            assert_eq!(Fingerprint::of(begin.as_bytes()).then(rest.as_bytes()).to_string(), text);
        }
        for wrong in ["", "85944171f73967e", "+5944171f73967e8", "85944171f73967e80"] {
            assert_eq!(wrong.parse::<Fingerprint>(), Err(NoFingerprint), "{wrong}");
        }
    }
}
