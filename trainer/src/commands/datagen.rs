//! `chuhe-train datagen`.

use std::path::PathBuf;

use chuhe_rules::RuleSet;
use chuhe_trainer::datagen::{self, Settings};

use super::{EvaluationArgs, ThreadArgs};
use crate::display::{Display, Goal, stop_on_interrupt};
use crate::failure::{CommandResult, Failure};

/// Arguments of `chuhe-train datagen`.
#[derive(clap::Args)]
pub(crate) struct DatagenArgs {
    /// The game file; an existing one with the same settings is continued
    #[arg(short, long)]
    output: PathBuf,
    /// Stop when the file has this many games
    #[arg(long)]
    games: Option<u32>,
    /// Stop when the file has this many positions for training, repeated ones included
    #[arg(long)]
    positions: Option<u64>,
    /// Nodes per move after which no further iteration begins
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    /// Seed of the openings: files for one training need different ones
    #[arg(long, value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    seed: u64,
    /// Rules of repetition that end games
    #[arg(long, default_value = "computer", value_parser = str::parse::<RuleSet>)]
    rules: RuleSet,
}

/// Runs the command.
pub(crate) fn run(args: DatagenArgs) -> CommandResult {
    let settings = Settings {
        soft_nodes: args.nodes,
        evaluation: args.evaluation.load()?,
        rules: args.rules,
        seed: args.seed,
        threads: args.threads.into(),
        games: args.games,
        positions: args.positions,
        ..Settings::default()
    };
    let goal = match (settings.positions, settings.games) {
        (Some(positions), _) => Goal::Positions(positions),
        (None, Some(games)) => Goal::Games(games.into()),
        (None, None) => Goal::None,
    };
    let mut display = Display::new(goal);
    let progress = datagen::generate(&settings, &args.output, &stop_on_interrupt(), &mut |p| display.show(p))?;
    display.finish(&progress)?;
    let (reached, wanted, what) = match goal {
        Goal::Positions(wanted) => (progress.statistics.positions(), wanted, "positions"),
        Goal::Games(wanted) => (progress.statistics.games(), wanted, "games"),
        // Only an interrupt ends it.
        Goal::None => return Ok(()),
    };
    if reached < wanted {
        return Err(Failure::Interrupted(format!("{reached} of {wanted} {what}; run the same command to continue")));
    }
    Ok(())
}
