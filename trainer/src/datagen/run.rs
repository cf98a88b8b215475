//! Many games at once, into one file.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use chuhe_engine::Engine;

use crate::data::game::{PackedGame, SearchSettings};
use crate::datagen::{Settings, play};
use crate::pool::{self, Flow, Work};
use crate::progress::{GameOutput, Progress, RunError};

/// What the threads share.
struct Generation<'a> {
    settings: &'a Settings,
    search: &'a SearchSettings,
    /// Numbers of the games that are in the file already.
    done: HashSet<u32>,
    next: AtomicU32,
}

impl Work for Generation<'_> {
    type Job = u32;
    type Product = PackedGame;
    type Error = RunError;

    fn engine(&self) -> Engine {
        self.settings.engine()
    }

    fn next(&self) -> Result<Option<u32>, RunError> {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number == u32::MAX || self.settings.games.is_some_and(|games| number >= games) {
                return Ok(None);
            }
            if !self.done.contains(&number) {
                return Ok(Some(number));
            }
        }
    }

    fn work(&self, engine: &mut Engine, number: u32, stop: &AtomicBool) -> Result<Option<PackedGame>, RunError> {
        play::play(engine, self.settings, self.search, number, stop)
    }
}

/// Plays games into a file, or goes on with the file of an earlier run with the same settings, until the settings or
/// `stop` end the run; games in progress are lost then. Calls `observe` after each game.
///
/// # Errors
/// [`RunError`]; what has been written stays.
pub fn generate(
    settings: &Settings,
    path: &Path,
    stop: &AtomicBool,
    observe: &mut (dyn FnMut(&Progress) + Send),
) -> Result<Progress, RunError> {
    let header = settings.header();
    let mut output = GameOutput::open(path, &header)?;
    let generation =
        Generation { settings, search: &header.search, done: output.take_numbers(), next: AtomicU32::new(0) };
    let is_complete =
        |progress: &Progress| settings.positions.is_some_and(|wanted| progress.statistics.positions() >= wanted);
    if !is_complete(output.progress()) {
        pool::run(&generation, &settings.threads, stop, |game| {
            let progress = output.write(&game)?;
            observe(progress);
            Ok(if is_complete(progress) { Flow::End } else { Flow::Continue })
        })?;
    }
    Ok(output.finish())
}
