//! Lines, whatever ends them: `\n`, `\r\n`, or `\r` alone as on old Macs.

use std::io::{self, BufRead, ErrorKind};

use memchr::memchr2;

/// The lines of a stream one by one.
#[derive(Debug)]
pub(crate) struct LineReader<R> {
    input: R,
    /// Whether the last line ended in `\r`: then `\n` is a part of its end.
    after_return: bool,
}

/// What has been read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LineRead {
    /// Nothing: the stream is over.
    Nothing,
    /// A line.
    Whole,
    /// The beginning of a line that has more bytes than wanted.
    Cut,
}

impl<R: BufRead> LineReader<R> {
    pub(crate) fn new(input: R) -> LineReader<R> {
        LineReader { input, after_return: false }
    }

    /// Reads a line, whose end becomes `\n`. No more than `limit` bytes of it are kept.
    pub(crate) fn read(&mut self, limit: usize, line: &mut Vec<u8>) -> io::Result<LineRead> {
        line.clear();
        let mut read = LineRead::Nothing;
        loop {
            let available = match self.input.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let Some(&first) = available.first() else { return Ok(read) };
            if std::mem::take(&mut self.after_return) && first == b'\n' {
                self.input.consume(1);
                continue;
            }
            let end = memchr2(b'\n', b'\r', available);
            let text = &available[..end.unwrap_or(available.len())];
            let room = limit.saturating_sub(line.len());
            let is_cut = read == LineRead::Cut || text.len() + usize::from(end.is_some()) > room;
            read = if is_cut { LineRead::Cut } else { LineRead::Whole };
            line.extend_from_slice(&text[..text.len().min(room)]);
            if let Some(end) = end {
                if !is_cut {
                    line.push(b'\n');
                }
                self.after_return = available[end] == b'\r';
                self.input.consume(end + 1);
                return Ok(read);
            }
            let used = available.len();
            self.input.consume(used);
        }
    }
}

/// Bytes of the line with which a text begins, its end included.
pub(crate) fn line_len(text: &str) -> usize {
    let bytes = text.as_bytes();
    match memchr2(b'\n', b'\r', bytes) {
        Some(end) if bytes[end..].starts_with(b"\r\n") => end + 2,
        Some(end) => end + 1,
        None => bytes.len(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn lines_end_in_every_way() {
        let text = b"a\nb\r\nc\rd\r\r\n\r\n\ne\r";
        let expected = ["a\n", "b\n", "c\n", "d\n", "\n", "\n", "\n", "e\n"];
        // Wherever a buffer ends.
        for capacity in 1..=text.len() {
            let mut reader = LineReader::new(BufReader::with_capacity(capacity, &text[..]));
            let mut line = Vec::new();
            for expected in expected {
                assert_eq!(reader.read(10, &mut line).unwrap(), LineRead::Whole);
                assert_eq!(line, expected.as_bytes(), "{capacity}");
            }
            assert_eq!(reader.read(10, &mut line).unwrap(), LineRead::Nothing);
        }
        let text = std::str::from_utf8(text).unwrap();
        let mut rest = text;
        let lengths = std::iter::from_fn(|| {
            let len = line_len(rest);
            rest = &rest[len..];
            (len > 0).then_some(len)
        });
        assert_eq!(lengths.collect::<Vec<_>>(), [2, 3, 2, 2, 2, 2, 1, 2]);
    }

    #[test]
    fn long_lines_are_cut() {
        let mut reader = LineReader::new(BufReader::with_capacity(3, &b"abcdefgh\nabcd\nabcde"[..]));
        let mut line = Vec::new();
        for (expected, read) in
            [(&b"abcde"[..], LineRead::Cut), (b"abcd\n", LineRead::Whole), (b"abcde", LineRead::Whole)]
        {
            assert_eq!((reader.read(5, &mut line).unwrap(), &line[..]), (read, expected));
        }
    }
}
