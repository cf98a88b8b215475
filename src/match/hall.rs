//! Everything that must be in order before the first game: openings, engines, files.

use std::fs::OpenOptions;
use std::path::Path;

use chuhe_arena::config::{Config, ConfigError};
use chuhe_arena::engine::{Launch, detect};
use chuhe_arena::journal::{Entry, Journal, JournalError, LogFile, resume_pgn};
use chuhe_arena::openings::{OpeningSource, Openings};
use chuhe_arena::tournament::{Files, Hall, Participant, Stop};
use chuhe_movegen::Board;
use serde_json::Value;
use tempfile::NamedTempFile;

use crate::failure::{Failure, say};

fn usage(error: impl std::fmt::Display) -> Failure {
    Failure::Usage(error.to_string())
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Failure {
        usage(error)
    }
}

impl From<JournalError> for Failure {
    fn from(error: JournalError) -> Failure {
        usage(error)
    }
}

/// Checks openings and starts each engine once.
pub(super) fn prepare(config: &Config, stop: &Stop) -> Result<Hall, Failure> {
    let openings = Openings::load(&config.openings.options()).map_err(usage)?;
    if let Some(folder) = &config.log {
        std::fs::create_dir_all(folder).map_err(|error| usage(format!("cannot make {}: {error}", folder.display())))?;
    }
    let mut engines = Vec::with_capacity(config.engines.len());
    for (spec, time) in config.engines.iter().zip(&config.times) {
        let launch = Launch { log: None, cores: cores(config, 0)? };
        let wrong = |fault: chuhe_arena::player::Fault| usage(format!("engine {}: {fault}", spec.name));
        let detected = detect(spec, &launch).map_err(wrong)?;
        detected.check_time_control(time).map_err(wrong)?;
        if !detected.takes_fen
            && let Some(name) = position_elsewhere(&openings)
        {
            return Err(usage(format!(
                "engine {} takes no position but the initial array: opening {name} begins elsewhere",
                spec.name
            )));
        }
        for option in &detected.unknown_options {
            say(&format!("engine {} does not announce an option {option}", spec.name));
        }
        engines.push(Participant { spec: spec.clone(), detected, time: time.clone() });
    }
    Ok(Hall {
        event: config.event.clone(),
        site: config.site.clone(),
        engines,
        openings,
        rules: config.rules.clone(),
        options: config.options,
        log: config.log.clone(),
        stop: stop.clone(),
    })
}

/// The first opening that does not begin with the initial array; only lists have such.
fn position_elsewhere(openings: &Openings) -> Option<String> {
    let start = Board::startpos();
    let listed = openings.count().unwrap_or(0) as u64;
    let elsewhere = (0..listed).map(|index| (index, openings.opening(index)));
    let mut elsewhere = elsewhere.filter(|(_, opening)| *opening.game.start() != start);
    elsewhere.next().map(|(index, opening)| match opening.name.as_str() {
        "" => (index + 1).to_string(),
        name => format!("{name:?}"),
    })
}

/// The processors of a table; none when engines are not bound.
pub(super) fn cores(config: &Config, table: usize) -> Result<Vec<usize>, Failure> {
    if !config.affinity {
        return Ok(Vec::new());
    }
    let (each, there) = (config.cores_of_a_game(), processors());
    if config.concurrency * each > there {
        let games = config.concurrency;
        return Err(usage(format!("affinity: {games} games at once with {each} processors each: there are {there}")));
    }
    Ok((table * each..(table + 1) * each).collect())
}

/// Processors of this machine.
pub(super) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The files of a run.
pub(super) struct Opened {
    /// Journal and games.
    pub(super) files: Files,
    /// What the journal holds already.
    pub(super) entries: Vec<Entry>,
    /// Keeps the games for the report when no file is wanted for them.
    pub(super) _scratch: Option<NamedTempFile>,
}

/// Opens the files; nothing that is there is overwritten but an old report.
pub(super) fn open(config: &Config, resume: bool) -> Result<Opened, Failure> {
    let mut places = [&config.pgn, &config.journal, &config.html].into_iter().flatten().collect::<Vec<_>>();
    places.sort();
    if let Some(twice) = places.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(usage(format!("{} cannot be two files at once", twice[0].display())));
    }
    if resume && config.journal.is_none() {
        return Err(usage("--resume needs --journal FILE"));
    }
    if let Some(html) = &config.html {
        check_writable(html)?;
    }
    if !resume {
        // Before any is made, so that none is left behind when another is in the way.
        for path in [&config.pgn, &config.journal].into_iter().flatten() {
            if path.metadata().is_ok_and(|file| file.len() > 0) {
                return Err(JournalError::Exists { path: path.clone() }.into());
            }
        }
    }
    let mut files = Files::default();
    let mut entries = Vec::new();
    if resume && let Some(path) = &config.journal {
        let (journal, contents) = Journal::resume(path, setup(config)?)?;
        if let Some(path) = &config.pgn {
            files.pgn = Some(resume_pgn(path, &contents)?);
        }
        files.journal = Some(journal);
        entries = contents.entries;
    } else {
        if let Some(path) = &config.pgn {
            files.pgn = Some(LogFile::create(path)?);
        }
        if let Some(path) = &config.journal {
            files.journal = Some(Journal::create(path, setup(config)?)?);
        }
    }
    let mut scratch = None;
    if config.html.is_some() && files.pgn.is_none() {
        let file = NamedTempFile::new().map_err(|error| usage(format!("cannot make a temporary file: {error}")))?;
        files.pgn = Some(LogFile::create(file.path())?);
        scratch = Some(file);
    }
    Ok(Opened { files, entries, _scratch: scratch })
}

/// The setup for the journal, with a fingerprint of the openings' file, which may change under the same name.
fn setup(config: &Config) -> Result<Value, Failure> {
    let mut setup = config.setup();
    if let OpeningSource::File(path) = config.openings.options().source {
        let bytes = std::fs::read(&path).map_err(|error| usage(format!("cannot read {}: {error}", path.display())))?;
        // FNV-1a.
        let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        setup["openings"]["fingerprint"] = format!("{hash:016x}").into();
    }
    Ok(setup)
}

/// Whether a file can be written; it is left as it is.
fn check_writable(path: &Path) -> Result<(), Failure> {
    let is_new = !path.exists();
    OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)
        .map_err(|error| usage(format!("cannot write {}: {error}", path.display())))?;
    if is_new {
        let _ = std::fs::remove_file(path);
    }
    Ok(())
}
