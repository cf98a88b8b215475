//! Packed game files and training records.
//!
//! Not a module of the library here: it needs the trainer, on which nothing else depends. The fuzz target and the tests
//! of the trainer include it by its path.

use std::fmt::Display;
use std::io::BufReader;

use chuhe_rules::RuleSet;
use chuhe_trainer::data::Record;
use chuhe_trainer::data::filter::Selection;
use chuhe_trainer::data::game::{GameFileError, MAGIC, PackedGame, Reader, VERSION};
use twox_hash::XxHash3_64;

/// No message needs more characters to say what is wrong.
const MAX_MESSAGE_LEN: usize = 400;
/// A header that is sound.
const HEADER: &str = "generator = \"fuzz\"\nseed = 1\nrules = \"axf\"\n[search]\nfingerprint = 1\nnetwork = \"hce\"\n\
    soft_nodes = 1\nhard_nodes = 1\nhash_mib = 1\nopening_nodes = 1\nopening_limit = 1\n[adjudication]\nwin_score = 1\n\
    win_plies = 1\nwin_from_ply = 1\ndraw_score = 1\ndraw_plies = 1\ndraw_from_ply = 1\nunadjudicated_one_in = 1\n";

/// Reads the bytes as a game file, as the games of one, and as records.
///
/// They are read a second time with checksums set right, since chance does not find checksums.
pub(crate) fn check(bytes: &[u8]) {
    check_file(bytes);
    check_file(&seal_header(bytes));
    check_file(&seal_games(bytes));
    bytes.chunks_exact(Record::SIZE).for_each(check_record);
}

fn check_message(error: &impl Display) {
    let message = error.to_string();
    assert!(!message.is_empty() && message.chars().count() <= MAX_MESSAGE_LEN, "{message}");
    assert!(!message.contains(char::is_control), "{message:?}");
}

fn check_file(bytes: &[u8]) {
    let mut reader = match Reader::new(bytes) {
        Ok(reader) => reader,
        Err(error) => return check_message(&error),
    };
    let header = reader.header().to_bytes().expect("a header that was read can be written");
    let written = Reader::new(&header[..]).expect("a header that was written can be read");
    assert_eq!(written.header(), reader.header());

    // The same bytes in the smallest portions.
    let mut slow = Reader::new(BufReader::with_capacity(1, bytes)).expect("as before");
    loop {
        let begin = reader.offset() as usize;
        match (reader.next(), slow.next()) {
            (Some(Ok(game)), Some(Ok(again))) => {
                assert_eq!(game, again);
                assert_eq!(game.to_bytes(), bytes[begin..reader.offset() as usize]);
                check_game(&game);
            }
            (Some(Err(error)), Some(Err(again))) => {
                assert_eq!(error.to_string(), again.to_string());
                assert_eq!(reader.offset() as usize, begin);
                assert!(!matches!(error, GameFileError::Io(_)), "{error}");
                check_message(&error);
                assert!(reader.next().is_none(), "nothing comes after an error");
                return;
            }
            (None, None) => {
                assert_eq!(begin, bytes.len());
                return;
            }
            (game, again) => panic!("{game:?} at once, {again:?} in small portions"),
        }
    }
}

fn check_game(game: &PackedGame) {
    let mut walked = 0;
    for position in game.positions() {
        match position {
            Ok(position) => {
                walked += 1;
                assert_eq!(position.board, position.board.recomputed());
                check_record(&position.record().to_bytes());
            }
            Err(fault) => check_message(&fault),
        }
    }
    match game.verify(&RuleSet::COMPUTER) {
        Ok(()) => assert_eq!(walked, game.plies.len()),
        Err(fault) => check_message(&fault),
    }
    let mut records = Vec::new();
    let selected = Selection::default().select(game, &mut records);
    assert!(records.len() <= walked);
    assert_eq!(selected.is_ok(), walked == game.plies.len());
}

fn check_record(bytes: &[u8]) {
    let bytes: &[u8; Record::SIZE] = bytes.try_into().expect("as many bytes as a record has");
    match Record::from_bytes(bytes) {
        Ok(record) => {
            assert_eq!(&record.to_bytes(), bytes);
            let board = record.board();
            assert_eq!(board.side_to_move(), record.side_to_move());
            assert_eq!(record.pieces().count() as u32, board.occupied().count());
            assert_eq!(Record::new(&board, record.outcome(), record.score(), record.ply()), record);
        }
        Err(error) => check_message(&error),
    }
}

/// The bytes as the text of a header that is sound but for its text.
fn seal_header(bytes: &[u8]) -> Vec<u8> {
    [
        &MAGIC[..],
        &VERSION.to_le_bytes(),
        &(bytes.len() as u32).to_le_bytes(),
        bytes,
        &XxHash3_64::oneshot(bytes).to_le_bytes(),
    ]
    .concat()
}

/// The bytes as games whose checksums agree, behind a sound header.
fn seal_games(bytes: &[u8]) -> Vec<u8> {
    let mut file = seal_header(HEADER.as_bytes());
    let mut rest = bytes;
    while let Some((start, plies)) = rest.split_at_checked(32) {
        let Some(end) = plies.chunks_exact(4).position(|ply| u16::from_le_bytes([ply[0], ply[1]]) & 0x3fff == 0) else {
            break;
        };
        let Some((body, left)) = plies.split_at_checked(4 * end + 8) else { break };
        let game = [start, body].concat();
        file.extend_from_slice(&game);
        file.extend_from_slice(&(XxHash3_64::oneshot(&game) as u32).to_le_bytes());
        rest = left.get(4..).unwrap_or_default();
    }
    file.extend_from_slice(rest);
    file
}
