//! One module a subcommand: its arguments, and what it prints.

pub(crate) mod check;
pub(crate) mod datagen;
pub(crate) mod fit_wdl;
pub(crate) mod inspect;
pub(crate) mod openings;
pub(crate) mod rescore;
pub(crate) mod seed_hce;
pub(crate) mod train;
pub(crate) mod tune_hce;

use std::path::{Path, PathBuf};

use chuhe_eval::Evaluation;
use chuhe_files::Existing;
use chuhe_trainer::Threads;

use crate::failure::Failure;

/// The formats of data.
pub(crate) const DATA_HELP: &str = "Data files are game files (see `datagen`), or text with one quiet position a line:\n\
    FEN;result;score (result for Red: 1, 0.5 or 0; score of a search in internal units for Red, may be missing)";

/// What searches evaluate with.
#[derive(clap::Args)]
pub(crate) struct EvaluationArgs {
    /// Network file; `hce` or `<none>` for the hand-written evaluation, `<embedded>` for the built-in one
    #[arg(long, value_name = "FILE", default_value = "<embedded>")]
    evalfile: PathBuf,
}

impl EvaluationArgs {
    /// The evaluation that was asked for.
    fn load(&self) -> Result<Evaluation, Failure> {
        match self.evalfile.to_str().and_then(Evaluation::named) {
            Some(evaluation) => Ok(evaluation),
            None => Evaluation::load(&self.evalfile)
                .map_err(|source| Failure::Network { path: self.evalfile.clone(), source }),
        }
    }
}

/// How games are spread over the processors.
#[derive(clap::Args)]
pub(crate) struct ThreadArgs {
    /// Games at once; the output does not depend on it
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
    /// Start no game while another process holds a lock on this file, as `scripts/with-lock.sh` does
    #[arg(long, value_name = "FILE")]
    yield_to: Option<PathBuf>,
}

impl From<ThreadArgs> for Threads {
    fn from(args: ThreadArgs) -> Threads {
        Threads { count: args.threads.into(), yield_to: args.yield_to }
    }
}

/// Writes a text file, in the place of an old one.
fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    Ok(chuhe_files::write(path, text.as_bytes(), Existing::Replace)?)
}
