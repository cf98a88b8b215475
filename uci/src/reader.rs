//! Lines of input, whatever their bytes and length.

use std::io::{BufRead, ErrorKind};
use std::sync::mpsc::SyncSender;
use std::time::Instant;

use chuhe_protocol::Command;

use crate::log_file::LogFile;
use crate::session::Message;

/// Lines up to this many bytes are understood; of longer ones nothing is kept.
pub const MAX_LINE_LEN: usize = 16 << 20;

/// One line of input.
#[derive(PartialEq, Eq, Debug)]
enum Line {
    /// The bytes without the line end.
    Complete(Vec<u8>),
    /// A line longer than the limit.
    TooLong,
}

/// Reads a line; `None` at the end of input, and when it fails: the GUI is gone either way.
fn read_line(input: &mut impl BufRead, max_len: usize) -> Option<Line> {
    let mut line = Vec::new();
    let (mut too_long, mut any) = (false, false);
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => &[],
        };
        if chunk.is_empty() {
            break;
        }
        any = true;
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let content = &chunk[..end.unwrap_or(chunk.len())];
        too_long |= line.len() + content.len() > max_len;
        if too_long {
            line = Vec::new();
        } else {
            line.extend_from_slice(content);
        }
        let consumed = end.map_or(chunk.len(), |end| end + 1);
        input.consume(consumed);
        if end.is_some() {
            break;
        }
    }
    any.then_some(if too_long { Line::TooLong } else { Line::Complete(line) })
}

/// Reads and parses until the end of input or of the session.
pub(crate) fn read_commands(mut input: impl BufRead, messages: &SyncSender<Message>, log: &LogFile) {
    while let Some(line) = read_line(&mut input, MAX_LINE_LEN) {
        let message = match line {
            Line::Complete(line) => {
                let at = Instant::now();
                log.write(">> ", &line);
                Message::Command { command: Command::parse(&line), at }
            }
            Line::TooLong => Message::LineTooLong,
        };
        if messages.send(message).is_err() {
            return;
        }
    }
    // The session may be over already.
    let _ = messages.send(Message::EndOfInput);
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Cursor};

    use super::*;

    fn lines(text: &[u8]) -> Vec<Line> {
        // A tiny buffer makes every line come in pieces.
        let mut input = BufReader::with_capacity(3, Cursor::new(text.to_vec()));
        std::iter::from_fn(|| read_line(&mut input, 8)).collect()
    }

    #[test]
    fn lines_of_any_kind() {
        let complete = |text: &[u8]| Line::Complete(text.to_vec());
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"\n\nuci\r\n"), [complete(b""), complete(b""), complete(b"uci\r")]);
        assert_eq!(lines(b"\xff\xc6\nquit"), [complete(b"\xff\xc6"), complete(b"quit")]);
        assert_eq!(lines(b"12345678\n123456789\nuci\n"), [complete(b"12345678"), Line::TooLong, complete(b"uci")]);
        assert_eq!(lines(b"123456789012345678901234567890"), [Line::TooLong]);
    }
}
