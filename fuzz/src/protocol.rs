//! Lines of the protocols, from either end of the pipe.

use chuhe_protocol::{Command, Dialect, MAX_REPLY_LEN, Reply};

/// Reads the bytes as a line of a GUI and as a line of an engine.
pub fn check(bytes: &[u8]) {
    for dialect in Dialect::ALL {
        check_command(bytes, dialect);
        check_reply(bytes, dialect);
    }
}

/// What is printed is one line that reads back as what was printed.
fn check_command(bytes: &[u8], dialect: Dialect) {
    let command = Command::parse(bytes);
    let line = command.to_line(dialect);
    assert!(!line.iter().any(|byte| b"\r\n\0".contains(byte)), "{command:?}");
    let again = Command::parse(&line);
    assert_eq!(
        String::from_utf8_lossy(&again.to_line(dialect)),
        String::from_utf8_lossy(&line),
        "{dialect:?}: {command:?} became {again:?}"
    );
    assert_eq!(std::mem::discriminant(&command), std::mem::discriminant(&again), "{command:?} became {again:?}");
}

/// What is printed is short and plain, reads back as what was printed, and ends no game by accident.
fn check_reply(bytes: &[u8], dialect: Dialect) {
    let reply = Reply::parse(bytes);
    let line = reply.to_line(dialect);
    assert!(line.len() <= MAX_REPLY_LEN, "{} bytes", line.len());
    assert!(line.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{line:?}");
    assert_eq!(line.trim(), line, "{reply:?}");
    let again = Reply::parse(line.as_bytes());
    assert_eq!(again.to_line(dialect), line, "{dialect:?}: {reply:?} became {again:?}");
    if let Reply::Info(_) | Reply::Id(..) = reply {
        let lower = line.to_ascii_lowercase();
        assert!(!["bestmove", "resign"].iter().any(|word| lower.contains(word)), "{line}");
    }
}
