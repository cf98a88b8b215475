//! A run that fills a game file, and how far it has come.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::data::game::{GameFault, GameFileError, Header, PackedGame, Writer};
use crate::data::statistics::Statistics;

/// Why a run ended before its time.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A file cannot be used.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: GameFileError,
    },
    /// A game breaks the rules.
    #[error("{}, game {number}: {fault}", path.display())]
    Game {
        /// The file it is in, or was to be written to.
        path: PathBuf,
        /// Number of the game.
        number: u32,
        /// What is wrong.
        fault: GameFault,
    },
    /// The evaluation finds no opening level.
    #[error("no opening with a score within {0} found: check the evaluation")]
    NoOpening(i32),
    /// Openings for a suite are too rare.
    #[error("no further opening in {0} draws: expected a wider window of scores")]
    RareOpenings(u64),
    /// What was made cannot be written.
    #[error("cannot write the results: {0}")]
    Output(io::Error),
    /// The system has no thread to give.
    #[error("cannot start a thread: {0}")]
    Thread(#[from] io::Error),
}

impl RunError {
    /// A fault of this file.
    pub(crate) fn file(path: &Path) -> impl Fn(GameFileError) -> RunError {
        move |error| RunError::File { path: path.to_path_buf(), error }
    }

    /// A fault of this game.
    pub(crate) fn game(path: &Path, number: u32) -> impl Fn(GameFault) -> RunError {
        move |fault| RunError::Game { path: path.to_path_buf(), number, fault }
    }

    /// Whether the fault lies in the data, not in the system or the arguments.
    pub fn is_data_fault(&self) -> bool {
        match self {
            RunError::File { error, .. } => error.is_data_fault(),
            RunError::Game { .. } => true,
            RunError::NoOpening(_) | RunError::RareOpenings(_) | RunError::Output(_) | RunError::Thread(_) => false,
        }
    }
}

/// How far a run has come.
#[derive(Clone, Debug)]
pub struct Progress {
    /// All games of the file.
    pub statistics: Statistics,
    /// Whether the run went on with a file whose last game was torn.
    pub was_torn: bool,
    /// Games that were in the file before.
    pub old_games: u64,
    /// Kept positions that were in the file before.
    pub old_positions: u64,
    /// Since the run began.
    pub elapsed: Duration,
}

impl Progress {
    /// Games of this run.
    pub fn new_games(&self) -> u64 {
        self.statistics.games() - self.old_games
    }

    /// Kept positions of this run.
    pub fn new_positions(&self) -> u64 {
        self.statistics.positions() - self.old_positions
    }

    /// Kept positions an hour, in this run.
    pub fn positions_per_hour(&self) -> f64 {
        self.new_positions() as f64 * 3600.0 / self.elapsed.as_secs_f64().max(1e-3)
    }
}

/// The file of a run.
#[derive(Debug)]
pub(crate) struct GameOutput {
    path: PathBuf,
    writer: Writer,
    numbers: HashSet<u32>,
    progress: Progress,
    started: Instant,
}

impl GameOutput {
    /// Begins a file, or goes on with that of an earlier run.
    pub(crate) fn open(path: &Path, header: &Header) -> Result<GameOutput, RunError> {
        let mut statistics = Statistics::default();
        let mut numbers = HashSet::new();
        let mut counted = Ok(());
        let resumed = Writer::resume(path, header, |game| {
            numbers.insert(game.number);
            if counted.is_ok() {
                counted = statistics.add(&game).map_err(RunError::game(path, game.number));
            }
        })
        .map_err(RunError::file(path))?;
        counted?;
        let progress = Progress {
            was_torn: resumed.was_torn,
            old_games: statistics.games(),
            old_positions: statistics.positions(),
            elapsed: Duration::ZERO,
            statistics,
        };
        Ok(GameOutput { path: path.to_path_buf(), writer: resumed.writer, numbers, progress, started: Instant::now() })
    }

    /// The numbers of the games that were in the file before.
    pub(crate) fn take_numbers(&mut self) -> HashSet<u32> {
        std::mem::take(&mut self.numbers)
    }

    /// How far the run has come.
    pub(crate) fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Appends a game.
    pub(crate) fn write(&mut self, game: &PackedGame) -> Result<&Progress, RunError> {
        self.progress.statistics.add(game).map_err(RunError::game(&self.path, game.number))?;
        self.writer.write(game).map_err(RunError::file(&self.path))?;
        self.progress.elapsed = self.started.elapsed();
        Ok(&self.progress)
    }

    /// Ends the run.
    pub(crate) fn finish(self) -> Progress {
        Progress { elapsed: self.started.elapsed(), ..self.progress }
    }
}
