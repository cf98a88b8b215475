//! A run that fills a game file, and how far it has come.

use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::data::game::{GameFault, GameFileError, Header, PackedGame, Writer};
use crate::data::statistics::Statistics;

/// Why a run ended before its time.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A file cannot be used.
    #[error(transparent)]
    File(#[from] GameFileError),
    /// A game breaks the rules.
    #[error("game {number}: {fault}")]
    Game {
        /// Number of the game.
        number: u32,
        /// What is wrong.
        fault: GameFault,
    },
    /// The system has no thread to give.
    #[error("cannot start a thread: {0}")]
    Thread(#[from] io::Error),
}

impl RunError {
    /// Whether the fault lies in the data, not in the system or the arguments.
    pub fn is_data_fault(&self) -> bool {
        match self {
            RunError::File(error) => error.is_data_fault(),
            RunError::Game { .. } => true,
            RunError::Thread(_) => false,
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
                counted = add(&mut statistics, &game);
            }
        })?;
        counted?;
        let progress = Progress {
            was_torn: resumed.was_torn,
            old_games: statistics.games(),
            old_positions: statistics.positions(),
            elapsed: Duration::ZERO,
            statistics,
        };
        Ok(GameOutput { writer: resumed.writer, numbers, progress, started: Instant::now() })
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
        add(&mut self.progress.statistics, game)?;
        self.writer.write(game)?;
        self.progress.elapsed = self.started.elapsed();
        Ok(&self.progress)
    }

    /// Ends the run.
    pub(crate) fn finish(self) -> Progress {
        Progress { elapsed: self.started.elapsed(), ..self.progress }
    }
}

fn add(statistics: &mut Statistics, game: &PackedGame) -> Result<(), RunError> {
    statistics.add(game).map_err(|fault| RunError::Game { number: game.number, fault })
}
