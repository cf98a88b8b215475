//! OBK files, made here with SQLite.

use chuhe_book::{Book, BookError, Fault, Format, obk};
use chuhe_movegen::{Board, Move, Square};
use proptest::prelude::*;
use rusqlite::types::Value;
use rusqlite::{Connection, MAIN_DB};

const SCHEMA: &str = "CREATE TABLE bhobk (id INTEGER PRIMARY KEY, vkey INTEGER, vmove INTEGER, vscore INTEGER, \
                      vwin INTEGER, vdraw INTEGER, vlost INTEGER, vvalid INTEGER, vmemo BLOB, vindex INTEGER); \
                      CREATE INDEX idxkey ON bhobk (vkey);";

fn code(mv: &str) -> i64 {
    let mv: Move = mv.parse().unwrap();
    let code = |square: Square| i64::from((9 - square.rank() + 3) << 4 | (square.file() + 3));
    code(mv.from()) * 256 + code(mv.to())
}

/// A key as the writers of these files bind it.
fn bound(key: i64) -> Value {
    if key < 0 { Value::Real(f64::from_bits(key as u64)) } else { Value::Integer(key) }
}

fn after(mv: &str) -> Board {
    Board::startpos().play(mv.parse().unwrap()).unwrap()
}

/// A file with the given schema and rows of key, move, score and validity.
fn file(schema: &str, rows: &[(Value, Value, Value, Value)]) -> Vec<u8> {
    let mut connection = Connection::open_in_memory().unwrap();
    connection.execute_batch(schema).unwrap();
    for (key, mv, score, valid) in rows {
        connection
            .execute("INSERT INTO bhobk (vkey, vmove, vscore, vvalid) VALUES (?1, ?2, ?3, ?4)", (key, mv, score, valid))
            .unwrap();
    }
    connection.serialize(MAIN_DB).unwrap().to_vec()
}

fn row(board: &Board, mv: &str, score: i64) -> (Value, Value, Value, Value) {
    (bound(obk::key(board)), code(mv).into(), score.into(), 1.into())
}

fn probe(bytes: &[u8], board: &Board) -> Vec<(String, u32)> {
    let book = Book::from_bytes(bytes).unwrap();
    assert_eq!(book.format(), Format::Obk);
    book.probe(board).iter().map(|entry| (entry.mv.to_string(), entry.weight)).collect()
}

fn moves(expected: &[(&str, u32)]) -> Vec<(String, u32)> {
    expected.iter().map(|&(mv, weight)| (mv.to_owned(), weight)).collect()
}

fn sample() -> Vec<u8> {
    let start = Board::startpos();
    let mut useless = row(&start, "a0a1", 7);
    useless.3 = 0.into();
    let mut off_board = row(&start, "a0a1", 7);
    off_board.1 = 0.into();
    file(
        SCHEMA,
        &[
            row(&start, "h2e2", 60),
            row(&start, "c3c4", 5_000_000_000),
            row(&start, "g3g4", 0),
            row(&start, "b2d2", -1),
            row(&start, "i0i5", 80),
            useless,
            off_board,
            (Value::Null, code("h2e2").into(), 1.into(), 1.into()),
            row(&after("h2e2"), "h9g7", 40),
            row(&after("c3c4"), "b7c7", 30),
        ],
    )
}

#[test]
fn keys_are_those_of_real_files() {
    assert_eq!(obk::key(&Board::startpos()), 7_101_337_512_282_506_414);
    let key = obk::key(&after("h2e2"));
    assert_eq!(key, -6_779_375_433_368_598_546);
    assert_eq!(f64::from_bits(key as u64), -2.684_809_862_467_861e-145);
    assert_eq!(code("h2e2"), 43687);
}

#[test]
fn usable_rows_are_found_in_both_mirror_images() {
    let bytes = sample();
    let start = Board::startpos();
    assert_eq!(probe(&bytes, &start), moves(&[("c3c4", u32::MAX), ("h2e2", 60), ("g3g4", 0)]));
    assert_eq!(probe(&bytes, &after("h2e2")), moves(&[("h9g7", 40)]));
    assert_eq!(probe(&bytes, &after("b2e2")), moves(&[("b9c7", 40)]));
    assert_eq!(probe(&bytes, &after("g3g4")), moves(&[("h7g7", 30)]));
}

/// Both ways of writing a key with its top bit set are read, also where SQLite made the double an integer.
#[test]
fn negative_keys_are_read_as_they_were_meant() {
    let black = after("h2e2");
    let mut plain = row(&black, "h9g7", 40);
    plain.0 = obk::key(&black).into();
    let bytes = file(SCHEMA, &[plain, row(&Board::startpos(), "h2e2", 1)]);
    assert_eq!(probe(&bytes, &black), moves(&[("h9g7", 40)]));

    // A position whose key is the bits of a whole number that fits an INTEGER.
    let (board, mv) = whole_number_key();
    let bytes = file(SCHEMA, &[row(&black, "h9g7", 40), row(&board, &mv.to_string(), 3)]);
    assert_eq!(probe(&bytes, &board), moves(&[(&mv.to_string(), 3)]));
}

/// Looks for such a position among those a few plies from the start.
fn whole_number_key() -> (Board, Move) {
    let mut boards = vec![Board::startpos()];
    for _ in 0..4 {
        boards = boards.iter().flat_map(|board| board.legal_moves().into_iter().map(|mv| board.make(mv))).collect();
        for board in &boards {
            let value = f64::from_bits(obk::key(board) as u64);
            if value < 0.0 && value.fract() == 0.0 && value > -9.0e18 {
                return (board.clone(), board.legal_moves()[0]);
            }
        }
    }
    panic!("no position found");
}

#[test]
fn other_tables_and_journals_are_read() {
    let start = Board::startpos();
    let bytes = file(SCHEMA, &[row(&start, "h2e2", 3)]);
    let mut logged = bytes.clone();
    logged[18..20].copy_from_slice(&[2, 2]);
    assert_eq!(probe(&logged, &start), moves(&[("h2e2", 3)]), "a write-ahead log that is not there");

    let mut connection = Connection::open_in_memory().unwrap();
    connection.execute_batch(&SCHEMA.replace("bhobk", "pfBook")).unwrap();
    let insert = "INSERT INTO pfBook (vkey, vmove, vscore, vvalid) VALUES (7101337512282506414, 43687, 2985, 1)";
    connection.execute(insert, []).unwrap();
    let bytes = connection.serialize(MAIN_DB).unwrap().to_vec();
    assert_eq!(probe(&bytes, &start), moves(&[("h2e2", 2985)]));
}

#[test]
fn other_databases_are_refused() {
    let error = |bytes: &[u8]| Book::from_bytes(bytes).unwrap_err();
    assert_eq!(error(&file("CREATE TABLE t (x)", &[])), BookError::NoTable);
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) ";
    let view = format!(
        "CREATE VIEW bhobk AS {endless} SELECT i AS vkey, 43687 AS vmove, 1 AS vscore, 1 AS vvalid FROM n; \
         CREATE TABLE t (x);"
    );
    assert_eq!(error(&file(&view, &[])), BookError::NoTable);
    let computed = SCHEMA.replace("vscore INTEGER", "vscore INTEGER AS (zeroblob(100000000)) VIRTUAL");
    assert_eq!(error(&file(&computed, &[])), BookError::NoTable);
    assert!(matches!(
        error(&file(&SCHEMA.replace("vmove", "vm"), &[])),
        BookError::Sqlite { doing: "reading the moves", .. }
    ));
    let bytes = sample();
    assert_eq!(error(&bytes[..50]), BookError::Length { format: Format::Obk, found: 50, expected: 100 });
    assert!(matches!(error(&bytes[..bytes.len() / 2]), BookError::Sqlite { .. }));
}

#[test]
fn wrong_types_are_told_exactly() {
    let error = |index: usize, value: Value| {
        let good = row(&Board::startpos(), "h2e2", 3);
        let mut bad = good.clone();
        match index {
            0 => bad.0 = value,
            1 => bad.1 = value,
            _ => bad.2 = value,
        }
        Book::from_bytes(&file(SCHEMA, &[good, bad])).unwrap_err()
    };
    let expected = |column, found, expected| BookError::Record {
        format: Format::Obk,
        index: 1,
        fault: Fault::Column { column, found, expected },
    };
    assert_eq!(error(0, Value::Text("key".into())), expected("vkey", "TEXT", "an INTEGER or a REAL"));
    assert_eq!(error(1, Value::Blob(vec![1])), expected("vmove", "a BLOB", "an INTEGER or NULL"));
    assert_eq!(error(2, Value::Real(0.5)), expected("vscore", "a REAL", "an INTEGER or NULL"));
}

proptest! {
    #[test]
    fn no_bytes_panic(changes in prop::collection::vec((any::<u32>(), any::<u8>()), 0..20), cut in any::<u32>()) {
        let mut bytes = sample();
        for (at, byte) in changes {
            // Half of the changes go to the pages' headers, where they do the most harm.
            let at = at as usize % if at % 2 == 0 { bytes.len() } else { 120 };
            bytes[at] = byte;
        }
        if cut % 4 == 0 {
            bytes.truncate(cut as usize % bytes.len());
        }
        if let Ok(book) = Book::from_bytes(&bytes) {
            let board = Board::startpos();
            prop_assert!(book.probe(&board).iter().all(|entry| board.play(entry.mv).is_ok()));
        }
    }
}
