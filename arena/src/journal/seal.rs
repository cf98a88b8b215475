//! Each line of a journal ends with a seal: the fingerprint of everything in the file before it.
//!
//! A line that was changed does not agree with its own seal, and one that was added, moved or left out not with the next
//! one's. Lines of earlier versions have no seals; behind a line with a seal there is none without.

use super::Fingerprint;

const BEFORE: &[u8] = br#","check":""#;
const BEHIND: &[u8] = b"\"}\n";
/// Digits of a fingerprint.
const DIGITS: usize = 16;

/// What a file holds so far, as the seal of the next line needs it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Chain {
    so_far: Fingerprint,
    is_sealed: bool,
}

impl Chain {
    /// A line from an object of JSON that is not empty, with its seal and line end, and the chain with it.
    pub(super) fn seal(self, object: &[u8]) -> (Vec<u8>, Chain) {
        let body = object.strip_suffix(b"}").unwrap_or(object);
        let check = self.so_far.then(body).to_string();
        let line = [body, BEFORE, check.as_bytes(), BEHIND].concat();
        let chain = Chain { so_far: self.so_far.then(&line), is_sealed: true };
        (line, chain)
    }

    /// The chain with a line that is whole.
    ///
    /// # Errors
    /// What is wrong with its seal.
    pub(super) fn with(self, line: &[u8]) -> Result<Chain, &'static str> {
        let is_sealed = match unseal(line) {
            Some((body, check)) if self.so_far.then(body) == check => true,
            Some(_) => return Err("the line or one before it has changed: its check does not agree"),
            None if self.is_sealed => return Err("the line has changed: it has no check"),
            None => false,
        };
        Ok(Chain { so_far: self.so_far.then(line), is_sealed })
    }
}

/// A line without its seal, and the seal.
fn unseal(line: &[u8]) -> Option<(&[u8], Fingerprint)> {
    let rest = line.strip_suffix(BEHIND)?;
    let (rest, digits) = rest.split_at(rest.len().checked_sub(DIGITS)?);
    let body = rest.strip_suffix(BEFORE)?;
    Some((body, std::str::from_utf8(digits).ok()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The checks were worked out by another program from the definition of FNV-1a.
    #[test]
    fn a_seal_is_the_fingerprint_of_all_before_it() {
        let chain = Chain::default();
        let (one, with_one) = chain.seal(br#"{"at":1}"#);
        assert_eq!(chain.with(&one), Ok(with_one));
        assert_eq!(String::from_utf8_lossy(&one), "{\"at\":1,\"check\":\"0c18bda9171595bc\"}\n");
        let (two, _) = with_one.seal(br#"{"at":2}"#);
        assert_eq!(String::from_utf8_lossy(&two), "{\"at\":2,\"check\":\"bd0152d24058a20e\"}\n");
        assert!(chain.with(&two).is_err());
    }

    #[test]
    fn lines_without_seals_come_before_those_with_them() {
        let old = Chain::default().with(b"{\"at\":1}\n").unwrap();
        let (line, sealed) = old.seal(br#"{"at":2}"#);
        assert!(sealed.with(b"{\"at\":3}\n").is_err());
        let other = Chain::default().with(b"{\"at\":7}\n").unwrap();
        assert!(other.with(&line).is_err(), "the first seal is for the lines before it too");
    }
}
