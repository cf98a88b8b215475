//! Lines of bounded length, whatever the bytes.

use std::io::{self, BufRead, Read as _};

use super::MAX_LINE_SIZE;
use crate::lines::{LineRead, LineReader};
use crate::text::Decoder;

/// A line that is not blank.
#[derive(Debug)]
pub(super) enum Line {
    /// Its text, without the end of line.
    Text(String),
    /// It has more than [`MAX_LINE_SIZE`] bytes.
    TooLong,
}

/// The lines of a stream with their numbers, from 1. Blank lines and remarks (`#`) are left out. Encodings are found out
/// line by line: UTF-8, GB18030 (GBK) or Big5; what is none of them becomes U+FFFD.
#[derive(Debug)]
pub(super) struct Lines<R> {
    input: LineReader<R>,
    decoder: Decoder,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Lines<R> {
        Lines { input: LineReader::new(input), decoder: Decoder::default(), number: 0 }
    }

    fn read(&mut self) -> io::Result<Option<(u64, Line)>> {
        let mut bytes = Vec::new();
        loop {
            let read = self.input.read(MAX_LINE_SIZE as usize, &mut bytes)?;
            self.number += 1;
            match read {
                LineRead::Nothing => return Ok(None),
                LineRead::Cut => return Ok(Some((self.number, Line::TooLong))),
                LineRead::Whole => {}
            }
            let text = self.decoder.decode(&bytes);
            let text = text.trim_start_matches('\u{feff}').trim();
            if !text.is_empty() && !text.starts_with('#') {
                return Ok(Some((self.number, Line::Text(text.to_owned()))));
            }
        }
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = io::Result<(u64, Line)>;

    fn next(&mut self) -> Option<io::Result<(u64, Line)>> {
        self.read().transpose()
    }
}

/// Takes the beginning of a stream up to the end of its first line that is neither blank nor a remark: the bytes, and
/// this line (as much as is wanted of it).
pub(super) fn first_line(input: &mut impl BufRead) -> io::Result<(Vec<u8>, String)> {
    let mut bytes = Vec::new();
    loop {
        let start = bytes.len();
        let room = MAX_LINE_SIZE.saturating_sub(start as u64);
        if input.take(room).read_until(b'\n', &mut bytes)? == 0 {
            return Ok((bytes, String::new()));
        }
        let text = Decoder::default().decode(&bytes[start..]);
        let mut lines = text.split('\r').map(|line| line.trim_start_matches('\u{feff}').trim());
        if let Some(line) = lines.find(|line| !line.is_empty() && !line.starts_with('#')) {
            let line = line.to_owned();
            return Ok((bytes, line));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<(u64, Option<String>)> {
        let text = |line| match line {
            Line::Text(text) => Some(text),
            Line::TooLong => None,
        };
        Lines::new(bytes)
            .map(|line| line.map(|(number, line)| (number, text(line))).expect("bytes are readable"))
            .collect()
    }

    #[test]
    fn lines_are_numbered_and_bounded() {
        let mut bytes = b"\xef\xbb\xbfa\r\n\n# b\n".to_vec();
        bytes.resize(bytes.len() + 2 * MAX_LINE_SIZE as usize, b'x');
        bytes.extend(b"\n\xffc");
        let expected = [(1, Some("a".to_owned())), (4, None), (5, Some("\u{fffd}c".to_owned()))];
        assert_eq!(lines(&bytes), expected);
        assert_eq!(lines(b""), []);
    }

    /// The second byte of 匽 in GBK is `{`, that of 乗 `\`, which JSON would take for an escape.
    #[test]
    fn lines_need_not_be_utf8() {
        let text = "{\"id\": \"匽乗\", \"moves\": \"车二平一 炮９平８\"}";
        for encoding in [encoding_rs::UTF_8, encoding_rs::GB18030] {
            let (bytes, ..) = encoding.encode(text);
            assert_eq!(lines(&bytes), [(1, Some(text.to_owned()))], "{}", encoding.name());
        }
        let text = "position startpos moves 炮二平五 馬８進７";
        assert_eq!(lines(&encoding_rs::BIG5.encode(text).0), [(1, Some(text.to_owned()))]);
    }

    #[test]
    fn the_beginning_of_a_stream_is_given_back_whole() {
        let mut input = &b"\n# remark\n\n{\"a\"\nrest"[..];
        let (bytes, line) = first_line(&mut input).expect("bytes are readable");
        assert_eq!((bytes.as_slice(), line.as_str(), input), (&b"\n# remark\n\n{\"a\"\n"[..], "{\"a\"", &b"rest"[..]));
        let endless = vec![b'#'; 3 << 20];
        let (bytes, line) = first_line(&mut endless.as_slice()).expect("bytes are readable");
        assert_eq!((bytes.len() as u64, line.as_str()), (MAX_LINE_SIZE, ""));
    }
}
