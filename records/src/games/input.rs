//! A stream whose beginning can be looked at before it is read.

use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};
use encoding_rs_io::{DecodeReaderBytes, DecodeReaderBytesBuilder};

use super::lines::first_line;

/// A stream with the part that has been looked at in front. UTF-16 becomes UTF-8.
#[derive(Debug)]
pub(super) struct Input<R: Read> {
    start: Cursor<Vec<u8>>,
    rest: Rest<R>,
}

#[derive(Debug)]
enum Rest<R: Read> {
    Plain(R),
    Utf16(Box<Transcoded<R>>),
}

type Transcoded<R> = BufReader<DecodeReaderBytes<Chain<Cursor<Vec<u8>>, R>, Vec<u8>>>;

impl<R: BufRead> Input<R> {
    /// A stream, and its first line that is neither blank nor a remark. No more of it is read than that takes.
    pub(super) fn new(mut input: R) -> io::Result<(Input<R>, String)> {
        let (start, line) = first_line(&mut input)?;
        let marked = Encoding::for_bom(&start).map(|(encoding, _)| encoding).filter(is_utf16);
        let Some(encoding) = marked.or_else(|| utf16_without_mark(&start)) else {
            return Ok((Input { start: Cursor::new(start), rest: Rest::Plain(input) }, line));
        };
        let bytes = Cursor::new(start).chain(input);
        let decoded = DecodeReaderBytesBuilder::new().encoding(Some(encoding)).build(bytes);
        let mut rest = Rest::Utf16(Box::new(BufReader::new(decoded)));
        let (start, line) = first_line(&mut rest)?;
        Ok((Input { start: Cursor::new(start), rest }, line))
    }

    /// The beginning, as far as it has been looked at.
    pub(super) fn start(&self) -> &[u8] {
        self.start.get_ref()
    }

    /// The beginning, up to so many bytes.
    pub(super) fn peek(&mut self, size: u64) -> io::Result<&[u8]> {
        let start = self.start.get_mut();
        let room = size.saturating_sub(start.len() as u64);
        (&mut self.rest).take(room).read_to_end(start)?;
        Ok(start)
    }

    /// The whole stream, unless it has more bytes than that.
    pub(super) fn read_all(self, limit: u64) -> io::Result<Option<Vec<u8>>> {
        let mut bytes = self.start.into_inner();
        self.rest.take((limit + 1).saturating_sub(bytes.len() as u64)).read_to_end(&mut bytes)?;
        Ok((bytes.len() as u64 <= limit).then_some(bytes))
    }
}

fn is_utf16(encoding: &&'static Encoding) -> bool {
    [UTF_16LE, UTF_16BE].contains(encoding)
}

/// The kind of UTF-16 that a text without a byte order mark is in, if it begins with ASCII characters as game files do.
fn utf16_without_mark(start: &[u8]) -> Option<&'static Encoding> {
    let (pairs, _) = start[..start.len().min(8)].as_chunks::<2>();
    let is_text = |byte: u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~');
    let all = |is_ascii: fn(&[u8; 2]) -> (u8, u8)| {
        pairs.len() > 1 && pairs.iter().map(is_ascii).all(|(low, high)| is_text(low) && high == 0)
    };
    if all(|&[low, high]| (low, high)) {
        Some(UTF_16LE)
    } else if all(|&[high, low]| (low, high)) {
        Some(UTF_16BE)
    } else {
        None
    }
}

impl<R: BufRead> Read for Rest<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Rest::Plain(input) => input.read(buffer),
            Rest::Utf16(input) => input.read(buffer),
        }
    }
}

impl<R: BufRead> BufRead for Rest<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self {
            Rest::Plain(input) => input.fill_buf(),
            Rest::Utf16(input) => input.fill_buf(),
        }
    }

    fn consume(&mut self, amount: usize) {
        match self {
            Rest::Plain(input) => input.consume(amount),
            Rest::Utf16(input) => input.consume(amount),
        }
    }
}

impl<R: BufRead> Read for Input<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.start.read(buffer)? {
            0 => self.rest.read(buffer),
            count => Ok(count),
        }
    }
}

impl<R: BufRead> BufRead for Input<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.start.position() < self.start.get_ref().len() as u64 {
            self.start.fill_buf()
        } else {
            self.rest.fill_buf()
        }
    }

    fn consume(&mut self, amount: usize) {
        if self.start.position() < self.start.get_ref().len() as u64 {
            self.start.consume(amount);
        } else {
            self.rest.consume(amount);
        }
    }
}
