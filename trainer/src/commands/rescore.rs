//! `chuhe-train rescore`.

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use chuhe_trainer::rescore::{self, RescoreSettings};

use super::{EvaluationArgs, ThreadArgs};
use crate::display::{Display, Goal, stop_on_interrupt};
use crate::failure::{CommandResult, Failure};

/// Arguments of `chuhe-train rescore`.
#[derive(clap::Args)]
pub(crate) struct RescoreArgs {
    /// The game file to read
    input: PathBuf,
    /// The game file to write; an existing one with the same settings is continued
    output: PathBuf,
    /// Nodes per position after which no further iteration begins
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    #[command(flatten)]
    threads: ThreadArgs,
}

/// Runs the command.
pub(crate) fn run(args: RescoreArgs) -> CommandResult {
    let settings =
        RescoreSettings { soft_nodes: args.nodes, evaluation: args.evaluation.load()?, threads: args.threads.into() };
    let mut display = Display::new(Goal::None);
    let stop = stop_on_interrupt();
    let progress = rescore::rescore(&settings, &args.input, &args.output, &stop, &mut |p| display.show(p))?;
    display.finish(&progress)?;
    // Nothing else sets it here.
    if stop.load(Ordering::Relaxed) {
        let reached = format!("{} games; run the same command to continue", progress.statistics.games());
        return Err(Failure::Interrupted(reached));
    }
    Ok(())
}
