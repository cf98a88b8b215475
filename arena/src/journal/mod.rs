//! The journal of a tournament (封棋, 续赛): what has happened, one JSON object a line, in a file that only grows.
//!
//! A line is on the disk before anything is built on it. A game is written to the PGN file first, then the line that
//! says where it stands; what the PGN file has beyond the last of these lines is a game that nobody knows of, and is cut
//! off. So a run that was killed at any instant goes on from its two files with no game twice and none missing. Nothing
//! is cut that such an end cannot have left: files that somebody has changed are refused, for each line holds a check of
//! all before it, and of each game in the PGN file.

mod event;
mod fingerprint;
mod seal;

use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use chuhe_files::{Durability, Log, LogError, whole_lines};
use serde::Serialize;
use serde_json::Value;

pub use event::{
    Act, Announcement, Begin, Entry, Event, FORMAT, FinishedGame, GameReport, OpeningName, OrganiserAct, SideFault,
    Span, Usage,
};
pub use fingerprint::{Fingerprint, NoFingerprint};
use seal::Chain;

/// Why a journal or a game file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be opened or read.
    #[error("cannot {doing} {}: {source}", path.display())]
    Io {
        /// What was tried.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// There is a file of that name, and it is not empty.
    #[error("{} already exists (--resume continues it)", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// Another run has it open.
    #[error("{} is in use by another run", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// A line that is no entry, with more lines after it.
    #[error("{}:{line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
    /// There is nothing in it.
    #[error("{} is empty: expected the journal of a tournament", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// It was written for another tournament.
    #[error("{} belongs to another tournament: {}", path.display(), differences.join("; "))]
    OtherSetup {
        /// The file.
        path: PathBuf,
        /// What differs.
        differences: Vec<String>,
    },
    /// A PGN file without its journal.
    #[error(
        "{} is not empty, but {} is: expected both to be new, or the journal of these games",
        pgn.display(),
        journal.display()
    )]
    NoJournal {
        /// The PGN file.
        pgn: PathBuf,
        /// The journal.
        journal: PathBuf,
    },
    /// A game in the PGN file was changed.
    #[error("{}: game {game} has changed: expected the file as the last run left it", path.display())]
    PgnChanged {
        /// The PGN file.
        path: PathBuf,
        /// The game's number.
        game: u32,
    },
    /// Something was added to the PGN file.
    #[error(
        "{} has more than one game beyond byte {end}, where those of the journal end: expected the file as the run \
         before left it",
        path.display()
    )]
    PgnGrown {
        /// The PGN file.
        path: PathBuf,
        /// Where the games of the journal end.
        end: u64,
    },
    /// The PGN file lacks games that the journal has.
    #[error("{} has {found} bytes: expected at least the {expected} of the games in the journal", path.display())]
    PgnTooShort {
        /// The PGN file.
        path: PathBuf,
        /// Its length.
        found: u64,
        /// The end of the last game in the journal.
        expected: u64,
    },
}

impl JournalError {
    fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> JournalError {
        move |source| JournalError::Io { doing, path: path.to_owned(), source }
    }
}

impl From<LogError> for JournalError {
    fn from(error: LogError) -> JournalError {
        match error {
            LogError::Io { doing, path, source } => JournalError::Io { doing, path, source },
            LogError::Exists { path } => JournalError::Exists { path },
            LogError::InUse { path } => JournalError::InUse { path },
        }
    }
}

/// What a journal file holds.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Contents {
    /// The first line; `None` in a file in which not even this one is whole.
    pub begin: Option<Begin>,
    /// The lines after it.
    pub entries: Vec<Entry>,
    /// How far the file is whole; what follows is a line that was not finished.
    pub whole: u64,
    chain: Chain,
}

impl Contents {
    /// Reads the bytes of a journal; a last line that was not finished is left out.
    ///
    /// # Errors
    /// When the bytes are no journal, a line in the middle is no entry, or a line was changed. The path is named in errors.
    pub fn parse(bytes: &[u8], path: &Path) -> Result<Contents, JournalError> {
        let whole = whole_lines(bytes);
        let mut contents = Contents { whole: whole.len() as u64, ..Contents::default() };
        let fault = |line, problem: &str| JournalError::Line { path: path.to_owned(), line, problem: problem.into() };
        // Another kind of file must not be taken for a journal that was just begun, and be cut.
        if whole.is_empty() && !BEGINNING.iter().zip(bytes).all(|(a, b)| a == b) {
            return Err(fault(1, "not an entry of a journal, and without a line end"));
        }
        for (number, line) in (1..).zip(whole.split_inclusive(|&byte| byte == b'\n')) {
            let entry = serde_json::from_slice(line)
                .map_err(|error| fault(number, &format!("not an entry of a journal: {error}")))?;
            match (entry, number) {
                (Entry { event: Event::Begin(begin), .. }, 1) => {
                    if begin.format != FORMAT {
                        return Err(fault(1, &format!("format {}: expected {FORMAT}", begin.format)));
                    }
                    contents.begin = Some(begin);
                }
                (Entry { event: Event::Begin(_), .. }, _) => return Err(fault(number, "a second beginning")),
                (_, 1) => return Err(fault(1, "expected the beginning of a tournament")),
                (entry, _) => contents.entries.push(entry),
            }
            contents.chain = contents.chain.with(line).map_err(|problem| fault(number, problem))?;
        }
        Ok(contents)
    }

    /// Where the last game in the PGN file ends.
    #[must_use]
    pub fn pgn_end(&self) -> u64 {
        let spans = self.entries.iter().filter_map(|entry| match &entry.event {
            Event::Game(game) => game.pgn,
            _ => None,
        });
        spans.map(Span::end).max().unwrap_or(0)
    }
}

/// How every journal begins.
const BEGINNING: &[u8] = br#"{"at":"#;

/// Bytes of a journal that are read at most: hundreds of thousands of games.
const MAX_JOURNAL_SIZE: u64 = 512 << 20;

/// Reads a journal without taking it into use.
///
/// # Errors
/// When it cannot be read, is no journal, or not even its first line is whole.
pub fn read(path: &Path) -> Result<Contents, JournalError> {
    let bytes = chuhe_files::read(path, MAX_JOURNAL_SIZE).map_err(JournalError::io("read", path))?;
    let contents = Contents::parse(&bytes, path)?;
    if contents.begin.is_none() {
        return Err(JournalError::Empty { path: path.to_owned() });
    }
    Ok(contents)
}

/// A journal that a run writes.
#[derive(Debug)]
pub struct Journal {
    file: Log,
    chain: Chain,
}

impl Journal {
    /// A new journal.
    ///
    /// # Errors
    /// When there is one of that name, or it cannot be written.
    pub fn create(path: &Path, setup: &impl Serialize) -> Result<Journal, JournalError> {
        let setup = to_value(setup, path)?;
        let mut journal = Journal { file: Log::create(path, Durability::Disk)?, chain: Chain::default() };
        journal.append(&Event::Begin(Begin { format: FORMAT, setup }))?;
        Ok(journal)
    }

    /// A new journal in the place of an old one.
    ///
    /// # Errors
    /// When the old one is in use, or the new one cannot be written.
    pub fn replace(path: &Path, setup: &impl Serialize) -> Result<Journal, JournalError> {
        drop(Log::replace(path, Durability::Disk)?);
        Journal::create(path, setup)
    }

    /// A journal that is there, with what it holds; a last line that was not finished is cut off.
    ///
    /// # Errors
    /// When it is no journal, is in use, or cannot be written.
    pub fn open(path: &Path) -> Result<(Journal, Contents), JournalError> {
        let mut file = Log::open(path, Durability::Disk)?;
        let contents = Contents::parse(&file.contents(MAX_JOURNAL_SIZE)?, path)?;
        file.cut(contents.whole)?;
        Ok((Journal { file, chain: contents.chain }, contents))
    }

    /// Its file's name.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Adds an event; it is on the disk when this returns.
    ///
    /// # Errors
    /// When it cannot be written; nothing has happened then.
    pub fn append(&mut self, event: &Event) -> Result<(), JournalError> {
        let entry = Line { at: milliseconds(SystemTime::now()), event };
        let object = serde_json::to_vec(&entry)
            .map_err(|error| JournalError::io("write", self.file.path())(io::Error::from(error)))?;
        let (line, chain) = self.chain.seal(&object);
        self.file.append(&line)?;
        self.chain = chain;
        Ok(())
    }
}

/// An [`Entry`] to be written.
#[derive(Serialize)]
struct Line<'a> {
    at: u64,
    #[serde(flatten)]
    event: &'a Event,
}

/// The files of a tournament that goes on.
#[derive(Debug)]
pub struct Resumed {
    /// The journal.
    pub journal: Journal,
    /// The games, if a file of games was asked for.
    pub pgn: Option<Log>,
    /// What the journal held.
    pub contents: Contents,
}

/// Goes on with a journal and its file of games, or begins them when neither has anything in it. What the end of the
/// run before left unfinished is cut off.
///
/// # Errors
/// When a file is in use or cannot be written, the journal is none or of another setup, or the games are not those of
/// the journal. Nothing is changed then.
pub fn resume(path: &Path, pgn: Option<&Path>, setup: &impl Serialize) -> Result<Resumed, JournalError> {
    let setup = to_value(setup, path)?;
    if let Some(pgn) = pgn.filter(|pgn| length(pgn) > 0)
        && length(path) == 0
    {
        return Err(JournalError::NoJournal { pgn: pgn.to_owned(), journal: path.to_owned() });
    }
    let mut file = Log::open(path, Durability::Disk)?;
    let mut contents = Contents::parse(&file.contents(MAX_JOURNAL_SIZE)?, path)?;
    if let Some(begin) = &contents.begin {
        let differences = differences(&begin.setup, &setup);
        if !differences.is_empty() {
            return Err(JournalError::OtherSetup { path: path.to_owned(), differences });
        }
    }
    let mut pgn = pgn.map(|pgn| open_pgn(pgn, &contents, path)).transpose()?;
    file.cut(contents.whole)?;
    if let Some(pgn) = &mut pgn {
        pgn.cut(contents.pgn_end())?;
    }
    let mut journal = Journal { file, chain: contents.chain };
    if contents.begin.is_some() {
        journal.append(&Event::Resume)?;
    } else {
        let begin = Begin { format: FORMAT, setup };
        journal.append(&Event::Begin(begin.clone()))?;
        contents.begin = Some(begin);
    }
    Ok(Resumed { journal, pgn, contents })
}

/// A setup as the journal has it.
fn to_value(setup: &impl Serialize, journal: &Path) -> Result<Value, JournalError> {
    serde_json::to_value(setup).map_err(|error| JournalError::io("write", journal)(io::Error::from(error)))
}

/// The bytes of a file; none when there is no such file.
fn length(path: &Path) -> u64 {
    path.metadata().map_or(0, |file| file.len())
}

/// The longest text beyond the games of the journal that can be one of ours.
const LONGEST_GAME: u64 = 4 << 20;

/// Opens the file of games of a journal, and checks that it holds the games of the journal and behind them one more at
/// the most.
fn open_pgn(path: &Path, contents: &Contents, journal: &Path) -> Result<Log, JournalError> {
    let (found, end) = (length(path), contents.pgn_end());
    if found < end {
        // Before it is opened, which would make a file.
        return Err(JournalError::PgnTooShort { path: path.to_owned(), found, expected: end });
    }
    let mut pgn = Log::open(path, Durability::Disk)?;
    if contents.begin.is_none() && pgn.length() > 0 {
        return Err(JournalError::NoJournal { pgn: path.to_owned(), journal: journal.to_owned() });
    }
    for entry in &contents.entries {
        let Event::Game(game) = &entry.event else { continue };
        if let (Some(span), Some(fingerprint)) = (game.pgn, game.fingerprint)
            && Fingerprint::of(&pgn.read(span.range())?) != fingerprint
        {
            return Err(JournalError::PgnChanged { path: path.to_owned(), game: game.number });
        }
    }
    let rest = Span { offset: end, length: pgn.length().saturating_sub(end) };
    if rest.length > LONGEST_GAME || games_in(&pgn.read(rest.range())?) > 1 {
        return Err(JournalError::PgnGrown { path: path.to_owned(), end });
    }
    Ok(pgn)
}

/// Games in PGN, by the tag that each has.
fn games_in(bytes: &[u8]) -> usize {
    bytes.split(|&byte| byte == b'\n').filter(|line| line.starts_with(b"[Event ")).count()
}

/// Milliseconds since 1970.
#[must_use]
pub fn milliseconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

/// The differences that are told at most.
const DIFFERENCES_TOLD: usize = 4;

/// Where two setups differ, by the path to each place.
fn differences(journal: &Value, now: &Value) -> Vec<String> {
    fn walk(path: &str, journal: Option<&Value>, now: Option<&Value>, found: &mut Vec<String>) {
        match (journal, now) {
            (Some(Value::Object(a)), Some(Value::Object(b))) => {
                let new = b.keys().filter(|key| !a.contains_key(*key));
                for key in a.keys().chain(new) {
                    let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                    walk(&path, a.get(key), b.get(key), found);
                }
            }
            (Some(Value::Array(a)), Some(Value::Array(b))) => {
                for i in 0..a.len().max(b.len()) {
                    walk(&format!("{path}[{}]", i + 1), a.get(i), b.get(i), found);
                }
            }
            (a, b) if a == b => {}
            (a, b) => {
                let text = |value: Option<&Value>| value.map_or_else(|| "not set".to_owned(), Value::to_string);
                found.push(format!("{path} is {} now and was {}", text(b), text(a)));
            }
        }
    }
    let mut found = Vec::new();
    walk("", Some(journal), Some(now), &mut found);
    if found.len() > DIFFERENCES_TOLD {
        let more = found.len() - DIFFERENCES_TOLD;
        found.truncate(DIFFERENCES_TOLD);
        found.push(format!("and {more} more"));
    }
    found
}

#[cfg(test)]
mod tests {
    use chuhe_movegen::Color;
    use serde_json::json;

    use super::*;
    use crate::outcome::Outcome;
    use crate::played::Termination;
    use crate::systems::{Encounter, EntrantId, GameSlot};
    use chuhe_client::player::{Fault, FaultKind};

    fn game(number: u32) -> Event {
        let encounter = Encounter { stage: 1, round: 1, table: 1, first: EntrantId::new(1), second: EntrantId::new(2) };
        Event::Game(Box::new(FinishedGame {
            number,
            slot: GameSlot { encounter, board: 1, game: number as u16 },
            red: "甲".to_owned(),
            black: "B \"quoted\"".to_owned(),
            report: GameReport {
                outcome: Outcome::Draw,
                termination: Termination::NaturalLimit,
                reason: "60 moves\nwithout a capture".to_owned(),
                opening: OpeningName { index: 3, name: String::new() },
                plies: 90,
                started: 1_700_000_000_123,
                duration_ms: 4321,
                fouls: [0, 1],
                usage: [Usage { moves: 45, time_ms: 0.25, cpu_s: Some(0.5), ..Usage::default() }; 2],
                fault: None,
                minor_faults: vec![SideFault {
                    side: Color::Black,
                    fault: Fault { kind: FaultKind::Stray, detail: "x".to_owned(), dialogue: vec!["> y".to_owned()] },
                }],
            },
            pgn: Some(Span { offset: u64::from(number) * 100, length: 100 }),
            fingerprint: Some(Fingerprint::of(b"text")),
        }))
    }

    fn acts() -> Vec<Event> {
        let entrant = EntrantId::new(2);
        [
            Act::Correct { game: 1, outcome: Outcome::RedWins },
            Act::ForfeitGame { game: 1, entrant },
            Act::ForfeitRound { stage: 1, round: 2, entrant },
            Act::Withdraw { entrant, before_start: false },
            Act::Replay { game: 2 },
        ]
        .map(|act| Event::Act(OrganiserAct { act, reason: "because".to_owned(), left_at: None }))
        .to_vec()
    }

    #[test]
    fn events_read_back_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let mut events = vec![Event::Announce(Announcement::default()), game(1), Event::Resume, game(2), Event::End];
        events.extend(acts());
        let path = journal_of(folder.path(), &json!({"games": 2}), &events);
        let contents = read(&path).unwrap();
        assert_eq!(contents.begin.as_ref().unwrap().setup, json!({"games": 2}));
        assert_eq!(contents.entries.iter().map(|entry| entry.event.clone()).collect::<Vec<_>>(), events);
        assert_eq!(contents.pgn_end(), 300);
        assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), events.len() + 1);
    }

    /// A run may end within any byte of the file: what is whole stays, and the journal goes on from there.
    #[test]
    fn a_tail_torn_at_any_byte_is_cut() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.jsonl");
        let setup = json!({"event": "cup"});
        let mut journal = Journal::create(&path, &setup).unwrap();
        for number in 1..=3 {
            journal.append(&game(number)).unwrap();
        }
        drop(journal);
        let bytes = std::fs::read(&path).unwrap();
        for length in 0..bytes.len() {
            std::fs::write(&path, &bytes[..length]).unwrap();
            let lines = bytes[..length].iter().filter(|&&byte| byte == b'\n').count();
            let Resumed { mut journal, contents, .. } =
                resume(&path, None, &setup).unwrap_or_else(|error| panic!("{length}: {error}"));
            assert!(contents.begin.is_some());
            assert_eq!(contents.entries.len(), lines.saturating_sub(1), "{length}");
            journal.append(&game(9)).unwrap();
            drop(journal);
            let contents = read(&path).unwrap();
            assert_eq!(contents.entries.last().unwrap().event, game(9), "{length}");
        }
    }

    /// After a power failure, what had not reached the disk reads as zeros.
    #[test]
    fn a_tail_of_zeros_is_cut() {
        let folder = tempfile::tempdir().unwrap();
        let path = journal_of(folder.path(), &json!({}), &[game(1), game(2)]);
        let bytes = std::fs::read(&path).unwrap();
        let last = bytes[..bytes.len() - 1].iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
        let mut zeros = bytes.clone();
        zeros[last..bytes.len() - 20].fill(0);
        std::fs::write(&path, &zeros).unwrap();
        let (_, contents) = Journal::open(&path).unwrap();
        assert_eq!((contents.entries.len(), contents.whole), (1, last as u64));
        assert_eq!(std::fs::read(&path).unwrap(), bytes[..last]);
    }

    /// A line with its end was once whole: somebody changed it, and nothing may be cut.
    #[test]
    fn a_changed_line_is_refused_by_its_number() {
        let folder = tempfile::tempdir().unwrap();
        let path = journal_of(folder.path(), &json!({}), &[game(1), game(2)]);
        let text = std::fs::read_to_string(&path).unwrap();
        let good = r#""outcome":"draw""#;
        for (at, number) in [(text.find(good), 2), (text.rfind(good), 3)] {
            let mut changed = text.clone();
            changed.replace_range(at.unwrap()..at.unwrap() + good.len(), r#""outcome":"drawn""#);
            std::fs::write(&path, &changed).unwrap();
            let error = Journal::open(&path).unwrap_err();
            assert!(matches!(error, JournalError::Line { line, .. } if line == number), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), changed);
        }
        for other in ["[Event \"?\"]\n", "{\"x\":1}", "{\"at\":1,\"event\":\"end\"}\n"] {
            std::fs::write(&path, other).unwrap();
            assert!(matches!(Journal::open(&path).unwrap_err(), JournalError::Line { line: 1, .. }), "{other}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), other);
        }
    }

    /// A journal of these events.
    fn journal_of(folder: &Path, setup: &serde_json::Value, events: &[Event]) -> PathBuf {
        let path = folder.join("t.jsonl");
        let mut journal = Journal::create(&path, setup).unwrap();
        for event in events {
            journal.append(event).unwrap();
        }
        path
    }

    /// A journal of two games and a decision.
    fn three_lines(folder: &Path) -> (PathBuf, Vec<u8>) {
        let path = journal_of(folder, &json!({"games": 2}), &[game(1), acts().swap_remove(0), game(2)]);
        let bytes = std::fs::read(&path).unwrap();
        (path, bytes)
    }

    fn line_refused(bytes: &[u8]) -> Option<usize> {
        match Contents::parse(bytes, Path::new("t.jsonl")) {
            Err(JournalError::Line { line, .. }) => Some(line),
            Err(error) => panic!("{error}"),
            Ok(_) => None,
        }
    }

    #[test]
    fn a_change_of_any_byte_is_refused_by_the_number_of_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let (_, bytes) = three_lines(folder.path());
        assert_eq!(line_refused(&bytes), None);
        let seal = bytes.iter().position(|&byte| byte == b'\n').unwrap() - br#","check":"0123456789abcdef"}"#.len();
        // Without the last line end the last line was not finished.
        for at in 0..bytes.len() - 1 {
            let line = 1 + bytes[..at].iter().filter(|&&byte| byte == b'\n').count();
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            let refused = line_refused(&changed);
            // A first line whose check is none any more may be an earlier version's; the next tells.
            let is_told_later = line == 1 && at >= seal && refused == Some(2);
            assert!(refused == Some(line) || is_told_later, "byte {at}, {}: {refused:?}", changed[at]);
        }
    }

    #[test]
    fn lines_left_out_doubled_or_exchanged_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (_, bytes) = three_lines(folder.path());
        let lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
        let refused = |order: &[usize]| line_refused(&order.iter().map(|&i| lines[i]).collect::<Vec<_>>().concat());
        assert_eq!(refused(&[0, 1, 2, 3]), None);
        assert_eq!(refused(&[0, 2, 3]), Some(2));
        assert_eq!(refused(&[0, 1, 3]), Some(3));
        assert_eq!(refused(&[0, 1, 2, 2, 3]), Some(4));
        assert_eq!(refused(&[0, 1, 3, 2]), Some(3));
    }

    /// A run that goes on vouches for what it found.
    #[test]
    fn lines_without_a_check_may_come_first() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.jsonl");
        let old = "{\"at\":1,\"event\":\"begin\",\"format\":1,\"setup\":{}}\n{\"at\":2,\"event\":\"resume\"}\n";
        std::fs::write(&path, old).unwrap();
        let resumed = resume(&path, None, &json!({})).unwrap();
        assert_eq!(resumed.contents.entries.len(), 1);
        drop(resumed);
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(line_refused(text.as_bytes()), None);
        assert_eq!(line_refused(text.replace("\"at\":2", "\"at\":3").as_bytes()), Some(3));
        assert_eq!(line_refused(format!("{text}{{\"at\":2,\"event\":\"end\"}}\n").as_bytes()), Some(4));
    }

    #[test]
    fn another_setup_is_refused_and_the_difference_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.jsonl");
        let setup = json!({"games": 2, "engines": [{"name": "A"}, {"name": "B", "tc": "2+0.02"}]});
        drop(Journal::create(&path, &setup).unwrap());
        let before = std::fs::read(&path).unwrap();
        let mut other = setup;
        other["games"] = json!(4);
        other["engines"][1]["tc"] = json!("1+0.01");
        other["rules"] = json!("axf");
        let error = resume(&path, None, &other).unwrap_err().to_string();
        for part in
            [r#"engines[2].tc is "1+0.01" now and was "2+0.02""#, "games is 4 now and was 2", "rules is", "not set"]
        {
            assert!(error.contains(part), "{error}");
        }
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }

    /// A journal with two games, and their PGN file.
    fn two_games(folder: &Path) -> (PathBuf, PathBuf) {
        let (path, games) = (folder.join("t.jsonl"), folder.join("t.pgn"));
        let Resumed { mut journal, pgn, .. } = resume(&path, Some(&games), &json!({})).unwrap();
        let mut pgn = pgn.unwrap();
        for number in 1..=2 {
            let text = format!("[Event \"Cup\"]\n[Round \"{number}\"]\n\n*\n\n");
            let span = Span::from(pgn.append(text.as_bytes()).unwrap());
            let Event::Game(mut game) = game(number) else { unreachable!() };
            (game.pgn, game.fingerprint) = (Some(span), Some(Fingerprint::of(text.as_bytes())));
            journal.append(&Event::Game(game)).unwrap();
        }
        (path, games)
    }

    /// A run may end anywhere between a game's first byte and its line in the journal.
    #[test]
    fn a_game_without_a_line_is_cut_at_any_byte() {
        let folder = tempfile::tempdir().unwrap();
        let (path, games) = two_games(folder.path());
        let whole = std::fs::read(&games).unwrap();
        let next = "[Event \"Cup\"]\n[Round \"3\"]\n\n*\n\n";
        for end in 0..=next.len() {
            std::fs::write(&games, [&whole, &next.as_bytes()[..end]].concat()).unwrap();
            let resumed = resume(&path, Some(&games), &json!({})).unwrap_or_else(|error| panic!("{end}: {error}"));
            assert_eq!(resumed.pgn.unwrap().length(), whole.len() as u64);
            assert_eq!(std::fs::read(&games).unwrap(), whole, "{end}");
        }
    }

    /// What no end of a run can have left is refused, and stays as it is.
    #[test]
    fn games_that_are_not_those_of_the_journal_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (path, games) = two_games(folder.path());
        let text = std::fs::read_to_string(&games).unwrap();
        let cases = [
            (text.replacen("[Round \"2\"]", "[Round \"9\"]", 1), "game 2 has changed"),
            (text.replacen("*\n", "{a note} *\n", 1), "game 1 has changed"),
            (format!("{text}[Event \"a\"]\n\n*\n\n[Event \"b\"]\n\n*\n\n"), "more than one game beyond byte"),
            (text[..text.len() - 1].to_owned(), "bytes: expected at least the"),
        ];
        let before = std::fs::read(&path).unwrap();
        for (text, message) in &cases {
            std::fs::write(&games, text).unwrap();
            let error = resume(&path, Some(&games), &json!({})).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
            assert_eq!(&std::fs::read_to_string(&games).unwrap(), text);
        }
        assert_eq!(std::fs::read(&path).unwrap(), before);
        std::fs::remove_file(&games).unwrap();
        let error = resume(&path, Some(&games), &json!({})).unwrap_err().to_string();
        assert!(error.contains("has 0 bytes") && !games.exists(), "{error}");
        // Somebody's games, and a journal that is yet to begin.
        std::fs::write(&games, &text).unwrap();
        for new in ["new.jsonl", "torn.jsonl"] {
            let new = folder.path().join(new);
            if new.ends_with("torn.jsonl") {
                std::fs::write(&new, BEGINNING).unwrap();
            }
            let error = resume(&new, Some(&games), &json!({})).unwrap_err().to_string();
            assert!(error.contains("is not empty, but") && error.contains("the journal of these games"), "{error}");
            assert_eq!(std::fs::read_to_string(&games).unwrap(), text);
        }
        assert!(!folder.path().join("new.jsonl").exists());
    }
}
