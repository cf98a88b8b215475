//! Game files of every format.

use std::io::BufReader;

use chuhe_records::games::{DamagedRecord, Entry, Format, Games};
use chuhe_records::json::About;
use chuhe_records::{GameTree, Record, dhtmlxq, json, pgn, xqf};

use super::legality::check_legality;

/// No message needs more characters to say what is wrong.
const MAX_MESSAGE_LEN: usize = 400;

/// Reads the bytes as what they look like, and as every format that does not begin with anything certain. What is read is
/// legal, and is read again from what is written of it in every format.
pub fn check(bytes: &[u8]) {
    if let Ok(games) = Games::new(bytes, None) {
        let format = games.format();
        // The same bytes in the smallest portions.
        let mut slow = Games::new(BufReader::with_capacity(1, bytes), None).expect("as before");
        assert_eq!(format, slow.format());
        for game in games {
            let game = game.expect("bytes can be read");
            let again = slow.next().expect("as many games in small portions").expect("bytes can be read");
            assert_eq!(game.number(), again.number());
            let (entry, again) = (game.read(), again.read());
            assert_eq!((&entry.record, entry.omitted), (&again.record, again.omitted));
            check_entry(&entry);
        }
        assert!(slow.next().is_none());
    }
    for format in Format::ALL {
        let games = Games::with_format(bytes, format).expect("bytes can be read");
        assert_eq!(games.format(), format);
        games.for_each(|game| check_entry(&game.expect("bytes can be read").read()));
    }
}

fn check_entry(entry: &Entry) {
    if let Some(omitted) = entry.omitted {
        assert!(omitted.moves > 0);
        check_message(&omitted.to_string());
    }
    match &entry.record {
        Ok(record) => check_record(record),
        Err(DamagedRecord { error, salvaged }) => {
            check_message(&error.to_string());
            if let Some(record) = salvaged {
                check_record(record);
            }
        }
    }
}

fn check_message(message: &str) {
    assert!(!message.is_empty() && message.chars().count() <= MAX_MESSAGE_LEN, "{message}");
    assert!(!message.contains(char::is_control), "{message:?}");
}

fn check_record(record: &Record) {
    check_legality(record);
    let written = json::to_string(record, About::default());
    assert_eq!(&read_back(written.as_bytes(), Format::Json), record, "{written}");
    // Other formats hold less, of which they give back all.
    let pgn = read_back(pgn::to_string(record).as_bytes(), Format::Pgn);
    assert_same_moves(&pgn, record);
    assert_eq!(read_back(pgn::to_string(&pgn).as_bytes(), Format::Pgn), pgn);
    let forum = read_back(dhtmlxq::to_string(record).as_bytes(), Format::DhtmlXq);
    assert_same_moves(&forum, record);
    assert_eq!(read_back(dhtmlxq::to_string(&forum).as_bytes(), Format::DhtmlXq), forum);
    if let Ok(bytes) = xqf::to_bytes(record) {
        let file = read_back(&bytes, Format::Xqf);
        assert!(same_moves(&file.tree, &record.tree));
        assert_eq!(file.result, record.result);
        let again = xqf::to_bytes(&file).expect("as before");
        assert_eq!(read_back(&again, Format::Xqf), file);
    }
}

fn assert_same_moves(read: &Record, written: &Record) {
    assert!(same_moves(&read.tree, &written.tree));
    assert_eq!((&read.start, read.result), (&written.start, written.result));
}

fn same_moves(tree: &GameTree, other: &GameTree) -> bool {
    let moves = |tree: &GameTree| tree.walk().map(|(depth, id)| (depth, tree.mv(id))).collect::<Vec<_>>();
    moves(tree) == moves(other)
}

fn read_back(bytes: &[u8], format: Format) -> Record {
    let mut games = Games::new(bytes, None).expect("what is written is known");
    assert_eq!(games.format(), format);
    let entry = games.next().expect("a game").expect("bytes can be read").read();
    assert!(games.next().is_none());
    assert_eq!(entry.omitted, None);
    entry.record.unwrap_or_else(|damaged| panic!("{damaged} in {}", String::from_utf8_lossy(bytes)))
}
