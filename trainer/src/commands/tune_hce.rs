//! `chuhe-train tune-hce`.

use std::io::{self, Write as _};
use std::path::PathBuf;

use chuhe_eval::WEIGHTS;
use chuhe_movegen::PieceType;
use chuhe_trainer::hce::dataset::Dataset;
use chuhe_trainer::hce::tune::{self, TuneOptions};
use chuhe_trainer::hce::{seed, source};
use clap::ValueEnum;

use super::write_file;
use crate::failure::{CommandResult, Failure, say};

/// Arguments of `chuhe-train tune-hce`.
#[derive(clap::Args)]
pub(crate) struct TuneHceArgs {
    /// Game files, or files of positions
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// The source file to write
    #[arg(short, long, default_value = "eval/src/weights.rs")]
    output: PathBuf,
    /// Weights to start from, which are also the centre of the prior
    #[arg(long, value_enum, default_value_t = Start::Current)]
    start: Start,
    #[command(flatten)]
    options: TuneOptions,
    /// Threads; the result does not depend on their number
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
}

/// Weights to start from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Start {
    /// The built-in ones
    Current,
    /// The hand-made ones
    Seed,
}

/// Runs the command.
pub(crate) fn run(args: TuneHceArgs) -> CommandResult {
    let threads = args.threads;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build();
    pool.map_err(|source| Failure::Threads { threads, source })?.install(|| tune(args))
}

fn tune(args: TuneHceArgs) -> CommandResult {
    let options = &args.options;
    let (data, skipped) = Dataset::read(&args.data)?;
    if skipped > 0 {
        say(&format!("{skipped} positions skipped: not quiet, repeated, or with the score of a mate"));
    }
    let start = match args.start {
        Start::Current => WEIGHTS.to_vec(),
        Start::Seed => seed::weights(),
    };
    let tuned = tune::tune(&data, &start, options, say)?;
    let origin = format!(
        "tuned on {} positions (`chuhe-train tune-hce`, K = {:.1}, lambda {}, prior {}), loss {:.6} before, {:.6} after",
        data.samples().len(),
        tuned.k,
        options.lambda,
        options.prior,
        tuned.loss_before,
        tuned.loss_after
    );
    write_file(&args.output, &source::to_source(&tuned.weights, &origin))?;

    let mut out = io::stdout().lock();
    writeln!(out, "{origin}; {} weights covered", tuned.covered)?;
    writeln!(out, "mean base value of each kind over its points (mg/eg), before and after:")?;
    for kind in PieceType::ALL.into_iter().skip(1) {
        let [before, after] = [&start, &tuned.weights].map(|weights| source::mean_value(weights, kind));
        let text = |[mg, eg]: [f64; 2]| format!("{mg:6.0}/{eg:<6.0}");
        writeln!(out, "  {:<9} {} {}", format!("{kind:?}"), text(before), text(after))?;
    }
    Ok(())
}
