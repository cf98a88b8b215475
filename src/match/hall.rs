//! Everything that must be in order before the first game: openings, engines, files.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use chuhe_arena::config::{Config, ConfigError, Setup};
use chuhe_arena::journal::{Entry, Fingerprint, Journal, JournalError, Resumed, resume};
use chuhe_arena::openings::{OpeningSource, Openings};
use chuhe_arena::tournament::{Files, Hall, Participant, Stop};
use chuhe_client::{Launch, detect};
use chuhe_files::{Durability, Existing, Log, WholeFile, make_folder};
use chuhe_movegen::Board;

use crate::failure::{Failure, say};

fn usage(error: impl std::fmt::Display) -> Failure {
    Failure::Usage(error.to_string())
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Failure {
        Failure::Usage(error.to_string())
    }
}

impl From<JournalError> for Failure {
    fn from(error: JournalError) -> Failure {
        Failure::File(error.to_string())
    }
}

/// Bytes of a file of openings that are read at most.
const MAX_OPENINGS_SIZE: u64 = 1 << 30;

/// Checks openings and starts each engine once.
pub(super) fn prepare(config: &Config, stop: &Stop) -> Result<Hall, Failure> {
    let openings = Openings::load(&config.openings.options()).map_err(|error| Failure::Input(error.to_string()))?;
    if let Some(folder) = &config.log {
        make_folder(folder)?;
    }
    let mut engines = Vec::with_capacity(config.engines.len());
    for (spec, time) in config.engines.iter().zip(&config.times) {
        let launch = Launch { log: None, cores: cores(config, 0)? };
        let wrong = |fault: chuhe_client::player::Fault| Failure::Resources(format!("engine {}: {fault}", spec.name));
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
            say(&format!("warning: engine {} does not announce an option {option}", spec.name));
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
    if config.concurrency.saturating_mul(each) > there {
        let games = config.concurrency;
        return Err(usage(format!("affinity: {games} games at once with {each} processors each: there are {there}")));
    }
    Ok((table * each..(table + 1) * each).collect())
}

/// Processors of this machine.
pub(super) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Opens the files, with what the journal holds already, and says what becomes of an old report. Nothing that is there is
/// overwritten unless that is asked for, but the report of a tournament that goes on.
pub(super) fn open(config: &Config, go_on: bool, overwrite: bool) -> Result<(Files, Vec<Entry>, Existing), Failure> {
    let Config { pgn, journal, html, .. } = config;
    if go_on && journal.is_none() {
        return Err(usage("--resume needs --journal FILE"));
    }
    let mut places: Vec<(PathBuf, &PathBuf)> =
        [pgn, journal, html].into_iter().flatten().map(|path| (place(path), path)).collect();
    places.sort();
    if let Some(twice) = places.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(usage(format!("{} cannot be two files at once", twice[0].1.display())));
    }
    // Before any is made, so that none is left behind when another is in the way.
    let has_content = |path: &PathBuf| path.metadata().is_ok_and(|file| file.len() > 0);
    for path in [pgn, journal].into_iter().flatten() {
        check_writable(path)?;
        if !go_on && !overwrite && has_content(path) {
            return Err(JournalError::Exists { path: path.clone() }.into());
        }
    }
    let report = Existing::replaced_if(overwrite || go_on && journal.as_ref().is_some_and(has_content));
    if let Some(path) = html {
        // It is dropped again: what counts is that it could be written.
        WholeFile::create(path, report)?;
    }
    if go_on && let Some(journal) = journal {
        let Resumed { journal, pgn, contents } = resume_patiently(journal, pgn.as_deref(), &setup(config)?)?;
        return Ok((Files { journal: Some(journal), pgn }, contents.entries, report));
    }
    let setup = journal.is_some().then(|| setup(config)).transpose()?;
    if overwrite {
        // Before one is replaced, so that none is lost when another is in use.
        for path in [pgn, journal].into_iter().flatten().filter(|path| path.exists()) {
            Log::open(path, Durability::Disk).map_err(JournalError::from)?;
        }
    }
    let mut files = Files::default();
    if let Some(path) = pgn {
        let open = if overwrite { Log::replace } else { Log::create };
        files.pgn = Some(open(path, Durability::Disk).map_err(JournalError::from)?);
    }
    if let (Some(path), Some(setup)) = (journal, setup) {
        let open = if overwrite { Journal::replace } else { Journal::create };
        files.journal = Some(open(path, &setup)?);
    }
    Ok((files, Vec::new(), report))
}

/// How long another program may hold the journal.
const PATIENCE: Duration = Duration::from_secs(1);

/// Goes on with a journal; a command of the organiser holds it for a moment only, unlike another run.
fn resume_patiently(journal: &Path, pgn: Option<&Path>, setup: &Setup) -> Result<Resumed, JournalError> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match resume(journal, pgn, setup) {
            Err(JournalError::InUse { .. }) if Instant::now() < deadline => {
                std::thread::sleep(Duration::from_millis(20));
            }
            result => return result,
        }
    }
}

/// A file's place, by which `a`, `./a` and a link to it are known as one.
fn place(path: &Path) -> PathBuf {
    let in_folder = || {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(folder.canonicalize().ok()?.join(path.file_name()?))
    };
    path.canonicalize().ok().or_else(in_folder).unwrap_or_else(|| path.to_owned())
}

/// The setup for the journal, with a fingerprint of the openings' file, which may change under the same name.
fn setup(config: &Config) -> Result<Setup, Failure> {
    let mut setup = config.setup();
    if let OpeningSource::File(path) = config.openings.options().source {
        let bytes = chuhe_files::read(&path, MAX_OPENINGS_SIZE).map_err(Failure::unreadable(&path))?;
        setup.openings.fingerprint = Some(Fingerprint::of(&bytes));
    }
    Ok(setup)
}

/// Whether a file can be written; it is left as it is.
fn check_writable(path: &Path) -> Result<(), Failure> {
    // A link is there even if what it leads to is not.
    let is_new = path.symlink_metadata().is_err();
    OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)
        .map_err(|error| Failure::File(format!("cannot write {}: {error}", path.display())))?;
    if is_new {
        let _ = std::fs::remove_file(path);
    }
    Ok(())
}
