//! `chuhe-train`: fits the numbers of the evaluation to games.

mod data;
mod fit_wdl;
mod seed;
mod selfplay;
mod tune;
mod weights;

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use chuhe_eval::{EVEN_CHANCE, SPREAD, WEIGHTS};
use chuhe_movegen::PieceType;
use clap::{Parser, Subcommand, ValueEnum};

use data::{DataError, Dataset};
use fit_wdl::{Histogram, Model};
use tune::TuneOptions;

/// Fits the numbers of Chuhe's evaluation to games.
#[derive(Parser)]
#[command(version, about, after_help = DATA_HELP)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const DATA_HELP: &str = "Data files hold one quiet position a line: FEN;result;score\n\
    (result for Red: 1, 0.5 or 0; score of a search in internal units for Red, may be missing)";

#[derive(Subcommand)]
enum Command {
    /// Play games of the engine against itself and write their positions
    Selfplay {
        /// The file
        #[arg(short, long)]
        output: PathBuf,
        #[command(flatten)]
        options: selfplay::SelfplayOptions,
        /// Games at once
        #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=512))]
        threads: u16,
    },
    /// Write the hand-made start weights of the evaluation as a source file
    SeedHce {
        /// The file; standard output if not given
        #[arg(short, long)]
        output: Option<PathBuf>,
    },
    /// Tune all weights of the hand-written evaluation and write them as a source file
    #[command(after_help = DATA_HELP)]
    TuneHce {
        /// Files of positions
        #[arg(required = true)]
        data: Vec<PathBuf>,
        /// The source file to write
        #[arg(short, long, default_value = "eval/src/weights.rs")]
        output: PathBuf,
        /// Weights to start from, which are also what the prior draws towards
        #[arg(long, value_enum, default_value_t = Start::Current)]
        start: Start,
        #[command(flatten)]
        options: TuneOptions,
        /// Threads to work on; the result does not depend on it
        #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=512))]
        threads: u16,
    },
    /// Fit the constants of the model that turns scores into chances to win, draw and lose
    #[command(after_help = DATA_HELP)]
    FitWdl {
        /// Files of positions with scores
        #[arg(required = true)]
        data: Vec<PathBuf>,
    },
}

/// Weights to start from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Start {
    /// Those this program was built with
    Current,
    /// The hand-made ones
    Seed,
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error("{}: {source}", path.display())]
    Unwritable { path: PathBuf, source: io::Error },
    #[error("cannot start {threads} threads: {source}")]
    Threads { threads: u16, source: rayon::ThreadPoolBuildError },
    #[error("cannot write the results: {0}")]
    Output(#[from] io::Error),
}

impl Failure {
    /// 1 for a fault in the data, 2 for everything else.
    fn exit_code(&self) -> u8 {
        match self {
            Failure::Data(DataError::Line { .. } | DataError::TooLittle(_)) => 1,
            _ => 2,
        }
    }
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Selfplay { output, options, threads } => selfplay(output, &options, threads.into()),
        Command::SeedHce { output } => seed_hce(output),
        Command::TuneHce { data, output, start, options, threads } => {
            match rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build() {
                Ok(pool) => pool.install(|| tune_hce(&data, output, start, &options)),
                Err(source) => Err(Failure::Threads { threads, source }),
            }
        }
        Command::FitWdl { data } => fit_wdl(&data),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            log(&failure.to_string());
            ExitCode::from(failure.exit_code())
        }
    }
}

/// Tells the user something on standard error, which may be closed.
fn log(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

fn write_file(path: PathBuf, text: &str) -> Result<(), Failure> {
    fs::write(&path, text).map_err(|source| Failure::Unwritable { path, source })
}

fn selfplay(path: PathBuf, options: &selfplay::SelfplayOptions, threads: usize) -> Result<(), Failure> {
    let file = fs::File::create(&path).map_err(|source| Failure::Unwritable { path, source })?;
    let written = selfplay::run(options, threads, file)?;
    Ok(writeln!(io::stdout(), "{written} positions")?)
}

fn seed_hce(output: Option<PathBuf>) -> Result<(), Failure> {
    let text = weights::to_source(&seed::weights(), "hand-written start (`chuhe-train seed-hce`)");
    match output {
        Some(path) => write_file(path, &text),
        None => Ok(io::stdout().write_all(text.as_bytes())?),
    }
}

fn tune_hce(paths: &[PathBuf], output: PathBuf, start: Start, options: &TuneOptions) -> Result<(), Failure> {
    let (data, skipped) = Dataset::read(paths)?;
    if skipped > 0 {
        log(&format!("{skipped} positions passed over: in check, or with the score of a mate"));
    }
    let start = match start {
        Start::Current => WEIGHTS.to_vec(),
        Start::Seed => seed::weights(),
    };
    let tuned = tune::tune(&data, &start, options, log)?;
    let origin = format!(
        "tuned on {} positions (`chuhe-train tune-hce`, K = {:.1}, lambda {}, prior {}), loss {:.6} before, {:.6} after",
        data.samples().len(),
        tuned.k,
        options.lambda,
        options.prior,
        tuned.loss_before,
        tuned.loss_after
    );
    write_file(output, &weights::to_source(&tuned.weights, &origin))?;

    let mut out = io::stdout().lock();
    writeln!(out, "{origin}; {} weights covered", tuned.covered)?;
    writeln!(out, "mean base value of each kind over its points (mg/eg), before and after:")?;
    for kind in PieceType::ALL.into_iter().skip(1) {
        let [before, after] = [&start, &tuned.weights].map(|weights| weights::mean_value(weights, kind));
        let text = |[mg, eg]: [f64; 2]| format!("{mg:6.0}/{eg:<6.0}");
        writeln!(out, "  {:<9} {} {}", format!("{kind:?}"), text(before), text(after))?;
    }
    Ok(())
}

fn fit_wdl(paths: &[PathBuf]) -> Result<(), Failure> {
    let (histogram, skipped) = Histogram::read(paths)?;
    let current = Model { a: EVEN_CHANCE.into(), b: SPREAD.into() };
    let fitted = histogram.fit(current)?;
    let mut out = io::stdout().lock();
    writeln!(out, "{} positions, {skipped} passed over", histogram.total())?;
    writeln!(
        out,
        "loss {:.6} with the present constants, {:.6} fitted",
        histogram.loss(current),
        histogram.loss(fitted)
    )?;
    writeln!(out, "EVEN_CHANCE = {:.0}", fitted.a)?;
    writeln!(out, "SPREAD = {:.0}", fitted.b)?;
    Ok(())
}
