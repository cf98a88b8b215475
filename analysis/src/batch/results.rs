//! Having results written as they come.

use std::io;
use std::path::PathBuf;

use chuhe_files::WriteError;
use chuhe_records::games::id_text;
use serde_json::Value;

use super::journal::JournalError;
use super::pool::{Done, Finished, News, Pool, Progress};
use super::task::Written;

/// Why results cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// The journal of the folder cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] WriteError),
    /// The stream cannot be written to.
    #[error(transparent)]
    Stream(#[from] io::Error),
}

/// Takes results in.
pub trait Results {
    /// The games whose turn it is, now that this one is finished.
    fn ready(&mut self, finished: Finished) -> Vec<Finished> {
        vec![finished]
    }

    /// The games that wait for earlier ones, which will not come.
    fn left_over(&mut self) -> Vec<Finished> {
        Vec::new()
    }

    /// Writes what there is to be written about a game, one piece for each form. Gives the files of others that were in the
    /// way, and have been kept.
    ///
    /// # Errors
    /// It cannot be written.
    fn write(&mut self, game: &Finished, written: Written) -> Result<Vec<PathBuf>, BatchError>;

    /// Whether what is written is not seen at once, so that damage is also to be told.
    fn are_out_of_sight(&self) -> bool {
        false
    }

    /// What was wrong with the record of a game that an earlier run has done.
    fn damage_before(&self, _game: &Finished) -> Option<String> {
        None
    }

    /// Writes why there is nothing to be written, if there is a place for it; says whether there is.
    ///
    /// # Errors
    /// It cannot be written.
    fn write_fault(&mut self, _id: &Value, _fault: &str) -> Result<bool, BatchError> {
        Ok(false)
    }

    /// All games are over with.
    ///
    /// # Errors
    /// What is left cannot be written.
    fn finish(&mut self) -> Result<(), BatchError> {
        Ok(())
    }
}

/// What is to be told while results are written.
#[derive(Debug)]
pub enum Telling<N> {
    /// A note among the games.
    Note(N),
    /// What is wrong with a game, which the results do not show or not at once: its id, and what it is.
    Fault(String),
    /// A file of somebody else that was in the way; the result has another name.
    Kept(PathBuf),
    /// How far the work has come.
    Progress(Progress),
}

/// What has come of all games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Games that have been analyzed.
    pub analyzed: u64,
    /// Games that an earlier run has done.
    pub skipped: u64,
    /// Of both these, games whose record is damaged.
    pub damaged: u64,
    /// Games of which nothing could be made.
    pub faults: u64,
    /// Whether somebody asked for an end before the last game was over with.
    pub was_stopped: bool,
}

impl Summary {
    /// All games.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.analyzed + self.skipped + self.faults
    }
}

/// Has the results written as they come. When the pool is asked to [stop](Pool::stopper), what is done is still written.
///
/// # Errors
/// [`BatchError`]: what was written before stays.
pub fn write_all<N: Send + 'static>(
    mut pool: Pool<N>,
    results: &mut dyn Results,
    tell: &mut dyn FnMut(Telling<N>),
) -> Result<Summary, BatchError> {
    let mut summary = Summary::default();
    loop {
        match pool.wait() {
            News::Note(note) => tell(Telling::Note(note)),
            News::Finished(finished) => {
                for game in results.ready(*finished) {
                    pool.release();
                    write(game, results, &mut summary, tell)?;
                }
            }
            News::Nothing => {}
            News::Stopped => {
                for game in results.left_over() {
                    write(game, results, &mut summary, tell)?;
                }
                summary.was_stopped = true;
                break;
            }
            News::End => break,
        }
        tell(Telling::Progress(pool.progress()));
    }
    results.finish()?;
    Ok(summary)
}

/// Writes what has come of a game.
fn write<N>(
    mut game: Finished,
    results: &mut dyn Results,
    summary: &mut Summary,
    tell: &mut dyn FnMut(Telling<N>),
) -> Result<(), BatchError> {
    let mut tell_fault = |id: &Value, fault: &str| tell(Telling::Fault(format!("{}: {fault}", id_text(id))));
    match std::mem::replace(&mut game.done, Done::Before) {
        Done::Before => {
            summary.skipped += 1;
            if let Some(damage) = results.damage_before(&game) {
                summary.damaged += 1;
                tell_fault(&game.id, &damage);
            }
        }
        Done::Analyzed(written) => {
            summary.analyzed += 1;
            let damage = written.damage.clone();
            summary.damaged += u64::from(damage.is_some());
            let kept = results.write(&game, written)?;
            if let Some(damage) = damage.filter(|_| results.are_out_of_sight()) {
                tell_fault(&game.id, &damage);
            }
            kept.into_iter().for_each(|file| tell(Telling::Kept(file)));
        }
        Done::Fault(fault) => {
            summary.faults += 1;
            if !results.write_fault(&game.id, &fault)? {
                tell_fault(&game.id, &fault);
            }
        }
    }
    Ok(())
}
