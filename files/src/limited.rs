//! Reading files of unknown size.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// Everything in a file of at most `limit` bytes.
///
/// # Errors
/// The system's, and [`io::ErrorKind::FileTooLarge`] for a larger file; of one without an end, such as `/dev/zero`, no
/// more than `limit` bytes are read.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let too_large = || io::Error::new(io::ErrorKind::FileTooLarge, format!("larger than {limit} bytes"));
    let length = file.metadata()?.len();
    if length > limit {
        return Err(too_large());
    }
    // The length is a hint only: it is zero for a pipe, and a file may grow.
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_large()) } else { Ok(bytes) }
}

/// The text of a file of at most `limit` bytes in UTF-8, without the byte order mark that some editors put before it.
///
/// # Errors
/// As of [`read`], and [`io::ErrorKind::InvalidData`] that names the first byte that is no UTF-8.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    let mut text = String::from_utf8(read(path, limit)?).map_err(|error| {
        let byte = error.utf8_error().valid_up_to();
        io::Error::new(io::ErrorKind::InvalidData, format!("not UTF-8 at byte {byte}"))
    })?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_the_limit_is_read_and_a_larger_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "\u{feff}楚河").unwrap();
        assert_eq!(read(&path, 9).unwrap(), "\u{feff}楚河".as_bytes());
        assert_eq!(read_text(&path, 9).unwrap(), "楚河");
        let error = read(&path, 8).unwrap_err();
        assert_eq!((error.kind(), error.to_string()), (io::ErrorKind::FileTooLarge, "larger than 8 bytes".into()));
        std::fs::write(&path, b"ab\xff").unwrap();
        assert_eq!(read_text(&path, 9).unwrap_err().to_string(), "not UTF-8 at byte 2");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_without_an_end_is_not_read_to_its_end() {
        assert_eq!(read(Path::new("/dev/zero"), 1000).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(read(Path::new("/dev/null"), 0).unwrap(), b"");
    }
}
