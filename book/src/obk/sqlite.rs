//! Reading an OBK with SQLite, trusting nothing in it.

use std::io::Read;

use chuhe_movegen::Move;
use rusqlite::config::DbConfig;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, MAIN_DB};

use crate::keys::square_from_256;
use crate::records::{Record, Records};
use crate::{BookError, Fault, Format};

/// Length of the header of an SQLite file.
const HEADER_LEN: usize = 100;

/// A row takes more bytes than this, even if most of its columns are empty.
const MIN_ROW_LEN: usize = 6;

/// Says what was being done when SQLite failed.
fn doing(doing: &'static str) -> impl Fn(rusqlite::Error) -> BookError {
    move |error| BookError::Sqlite { doing, message: error.to_string() }
}

/// Opens a database held in memory, trusting nothing in it.
fn open(bytes: &[u8]) -> Result<Connection, BookError> {
    if bytes.len() < HEADER_LEN {
        return Err(BookError::Length { format: Format::Obk, found: bytes.len(), expected: HEADER_LEN as u64 });
    }
    let failed = doing("opening the database");
    let mut connection = Connection::open_in_memory().map_err(&failed)?;
    // The two bytes say whether there is a write-ahead log. A log is another file, which memory has not; a database
    // that was closed properly is complete without it, and opens once it no longer asks for it.
    let patched = bytes[..18].chain(&[1, 1][..]).chain(&bytes[20..]);
    connection.deserialize_read_exact(MAIN_DB, patched, bytes.len(), true).map_err(&failed)?;
    for (config, on) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
    ] {
        connection.set_db_config(config, on).map_err(&failed)?;
    }
    connection.pragma_update(None, "cell_size_check", true).map_err(&failed)?;
    Ok(connection)
}

/// The table of moves and the query that reads it.
///
/// Views, virtual tables (both without a root page) and computed columns are refused, since they can make up rows and
/// values of any size.
fn query(connection: &Connection) -> Result<&'static str, BookError> {
    let failed = doing("reading the schema");
    for (table, query) in [
        ("bhobk", "SELECT vkey, vmove, vscore, vvalid FROM bhobk"),
        ("pfBook", "SELECT vkey, vmove, vscore, vvalid FROM pfBook"),
    ] {
        let stored: i64 = connection
            .query_row(
                "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?1 COLLATE NOCASE AND rootpage > 0",
                [table],
                |row| row.get(0),
            )
            .map_err(&failed)?;
        let computed: i64 = connection
            .query_row("SELECT count(*) FROM pragma_table_xinfo(?1) WHERE hidden <> 0", [table], |row| row.get(0))
            .map_err(&failed)?;
        if stored == 1 && computed == 0 {
            return Ok(query);
        }
    }
    Err(BookError::NoTable)
}

/// What a value is, for a message.
fn type_name(value: ValueRef<'_>) -> &'static str {
    match value {
        ValueRef::Null => "NULL",
        ValueRef::Integer(_) => "an INTEGER",
        ValueRef::Real(_) => "a REAL",
        ValueRef::Text(_) => "TEXT",
        ValueRef::Blob(_) => "a BLOB",
    }
}

/// One usable row.
struct Row {
    key: RowKey,
    weight: u32,
    mv: Move,
}

/// A key as SQLite gave it.
#[derive(Clone, Copy)]
enum RowKey {
    Integer(i64),
    Real(u64),
}

/// Checks the types of a row; `None` when the row is sound but of no use.
fn parse_row(row: &rusqlite::Row<'_>, index: usize) -> Result<Option<Row>, BookError> {
    let value = |column: usize| row.get_ref(column).map_err(doing("reading the moves"));
    let wrong = |column, value, expected| BookError::Record {
        format: Format::Obk,
        index: index as u64,
        fault: Fault::Column { column, found: type_name(value), expected },
    };
    let integer = |at: usize, column: &'static str| match value(at)? {
        ValueRef::Integer(number) => Ok(number),
        ValueRef::Null => Ok(0),
        other => Err(wrong(column, other, "an INTEGER or NULL")),
    };
    let key = match value(0)? {
        ValueRef::Integer(key) => Some(RowKey::Integer(key)),
        ValueRef::Real(key) => Some(RowKey::Real(key.to_bits())),
        ValueRef::Null => None,
        other => return Err(wrong("vkey", other, "an INTEGER or a REAL")),
    };
    let (code, score, valid) = (integer(1, "vmove")?, integer(2, "vscore")?, integer(3, "vvalid")?);
    let (Some(key), 1, Ok(weight)) = (key, valid, u32::try_from(score.min(i64::from(u32::MAX)))) else {
        return Ok(None);
    };
    let mv = u16::try_from(code).ok().and_then(|code| {
        let [from, to] = code.to_be_bytes();
        Move::new(square_from_256(from)?, square_from_256(to)?)
    });
    if mv.is_none() {
        // These files are edited by hand, so one bad row is no reason to do without the others.
        log::warn!(
            "OBK book, row {index}: left out, vmove {code} does not lead from one point of the board to another"
        );
    }
    Ok(mv.map(|mv| Row { key, weight, mv }))
}

/// Reads a whole file.
pub(super) fn read(bytes: &[u8]) -> Result<Records, BookError> {
    let connection = open(bytes)?;
    let failed = doing("reading the moves");
    let limit = bytes.len() / MIN_ROW_LEN;
    let mut statement = connection.prepare(query(&connection)?).map_err(&failed)?;
    let mut cursor = statement.query([]).map_err(&failed)?;
    let mut rows = Vec::new();
    let mut seen = 0;
    while let Some(row) = cursor.next().map_err(&failed)? {
        if seen == limit {
            return Err(BookError::TooManyRows { limit });
        }
        rows.extend(parse_row(row, seen)?);
        seen += 1;
    }
    // In a file whose writer stores keys as doubles, a negative integer is such a double that SQLite made whole; in
    // any other it is the key itself.
    let doubles = rows.iter().any(|row| matches!(row.key, RowKey::Real(_)));
    let key = |key| match key {
        RowKey::Integer(key) if key < 0 && doubles => (key as f64).to_bits(),
        RowKey::Integer(key) => key as u64,
        RowKey::Real(bits) => bits,
    };
    let records = rows.into_iter().map(|row| Record { key: key(row.key), weight: row.weight, mv: row.mv });
    Ok(Records::from_unsorted(records.collect()))
}
