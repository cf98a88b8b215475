//! Game files in PGN.

use std::io::BufReader;

use chuhe_records::pgn::{self, PgnError, Reader};
use chuhe_records::{Notation, Record};

use super::legality::check_legality;

/// No message needs more characters to say what is wrong.
const MAX_MESSAGE_LEN: usize = 400;

/// Reads the bytes as a PGN file. What is read is legal and is read again from what is written of it in any
/// notation.
pub fn check(bytes: &[u8]) {
    let lines = bytes.iter().filter(|byte| b"\n\r".contains(byte)).count() as u64 + 1;
    let mut reader = Reader::new(bytes);
    // The same bytes in the smallest portions.
    let mut slow = Reader::new(BufReader::with_capacity(1, bytes));
    let mut games = 0;
    while let Some(game) = reader.next() {
        games += 1;
        assert_eq!(reader.games(), games);
        let again = slow.next().expect("as many games in small portions");
        match (game, again) {
            (Ok(record), Ok(again)) => {
                assert_eq!(record, again);
                check_record(&record);
            }
            (Err(PgnError::Game(error)), Err(PgnError::Game(again))) => {
                assert_eq!(error, again);
                assert_eq!(error.game, games);
                assert!((1..=lines).contains(&error.line), "{error}");
                let message = error.to_string();
                assert!(
                    message.chars().count() <= MAX_MESSAGE_LEN && !message.contains(char::is_control),
                    "{message:?}"
                );
            }
            (game, again) => panic!("{game:?} at once, {again:?} in small portions"),
        }
    }
    assert!(games <= lines && slow.next().is_none());
}

fn check_record(record: &Record) {
    check_legality(record);
    for notation in Notation::ALL {
        let text = pgn::to_string_in(record, notation);
        let games: Vec<_> = Reader::new(text.as_bytes()).collect();
        let [Ok(again)] = &games[..] else { panic!("{games:?} from\n{text}") };
        assert_eq!(again, record, "{text}");
        assert_eq!(pgn::to_string_in(again, notation), text);
    }
}
