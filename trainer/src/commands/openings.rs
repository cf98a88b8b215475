//! `chuhe-train openings`.

use std::io::{self, IsTerminal as _, Write as _};
use std::ops::RangeInclusive;
use std::sync::atomic::Ordering;

use chuhe_rules::RuleSet;
use chuhe_trainer::progress::RunError;
use chuhe_trainer::suite::{self, SuiteOpening, SuiteSettings};
use indicatif::{ProgressBar, ProgressStyle};

use super::{EvaluationArgs, ThreadArgs};
use crate::display::stop_on_interrupt;
use crate::failure::{CommandResult, Failure};

/// Arguments of `chuhe-train openings`.
#[derive(clap::Args)]
pub(crate) struct OpeningsArgs {
    /// Number of openings
    #[arg(long, default_value_t = 4000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    lines: u32,
    /// Scores of the better side, as shown to users (100: an even chance to win outright): 0..49, 60..130
    #[arg(long, value_name = "FROM..TO", value_parser = window)]
    score: RangeInclusive<i32>,
    /// Random moves from the start position
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=40))]
    plies: u16,
    /// Nodes of each of the two searches
    #[arg(long, default_value_t = 50_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    /// Seed of the random moves
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    seed: u64,
    /// Rules of repetition in the searches
    #[arg(long, default_value = "computer", value_parser = str::parse::<RuleSet>)]
    rules: RuleSet,
}

/// Runs the command.
pub(crate) fn run(args: OpeningsArgs) -> CommandResult {
    let settings = SuiteSettings {
        lines: args.lines,
        window: args.score,
        plies: args.plies,
        nodes: args.nodes,
        evaluation: args.evaluation.load()?,
        rules: args.rules,
        seed: args.seed,
        threads: args.threads.into(),
    };
    let lines = u64::from(settings.lines);
    let mut out = io::stdout();
    for line in settings.header() {
        writeln!(out, "# {line}")?;
    }
    let bar = bar(lines);
    let stop = stop_on_interrupt();
    suite::generate(&settings, &stop, |opening, draws| {
        // Whole lines at once: an interrupted run leaves the beginning of the suite.
        writeln!(out, "{}", line(opening)).map_err(RunError::Output)?;
        bar.inc(1);
        bar.set_message(format!("{draws} drawn"));
        Ok(())
    })?;
    let reached = bar.position();
    bar.finish_and_clear();
    if reached < lines && stop.load(Ordering::Relaxed) {
        return Err(Failure::Interrupted(format!("{reached} of {lines} openings")));
    }
    Ok(())
}

/// Reads `60..130`.
fn window(text: &str) -> Result<RangeInclusive<i32>, String> {
    let number = |word: &str| word.parse::<i32>().ok().filter(|number| (0..=10_000).contains(number));
    let window = text.split_once("..").and_then(|(from, to)| Some(number(from)?..=number(to)?));
    window
        .filter(|window| !window.is_empty())
        .ok_or_else(|| "expected two scores from 0 on, such as 60..130".to_owned())
}

/// An opening as `chuhe match --openings` reads it. The score stands for a name.
fn line(opening: &SuiteOpening) -> String {
    let moves: Vec<String> = opening.moves.iter().map(ToString::to_string).collect();
    format!("{:+}\t{}", opening.score, moves.join(" "))
}

fn bar(total: u64) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    // A template that cannot be read is a mistake of this program, and no reason not to show progress.
    ProgressStyle::with_template("{wide_bar} {pos} of {len} openings, {eta} left; {msg}")
        .map_or(ProgressBar::new(total), |style| ProgressBar::new(total).with_style(style))
}
