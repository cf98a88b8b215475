//! `chuhe bench`: searches fixed positions. The node count is the fingerprint of the engine's behaviour, the same on
//! every machine when it runs on one thread.

mod positions;

use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use chuhe_engine::{Control, Engine, Limits, MAX_THREADS};
use chuhe_movegen::Board;
use chuhe_rules::Game;

use crate::evaluation::EvaluationArgs;
use crate::failure::CommandResult;

/// Arguments of `chuhe bench`.
#[derive(clap::Args)]
pub(crate) struct BenchArgs {
    /// Search depth per position, in plies
    #[arg(long, default_value_t = 14, value_parser = clap::value_parser!(u32).range(1..=128))]
    depth: u32,
    /// Search threads; with more than one the node count varies
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: u16,
    /// Hash table in MiB
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    #[command(flatten)]
    evaluation: EvaluationArgs,
}

/// Runs the command.
pub(crate) fn run(args: &BenchArgs) -> CommandResult {
    let mut engine = Engine::new();
    engine.options.threads = args.threads.into();
    engine.set_evaluation(args.evaluation.load()?);
    engine.set_hash(args.hash as usize)?;
    engine.prepare();

    let mut out = io::stdout().lock();
    let (mut nodes, mut elapsed) = (0, Duration::ZERO);
    for (index, fen) in positions::FENS.iter().enumerate() {
        let board = Board::from_fen(fen).expect("bench positions are legal");
        // Each position from scratch, so that the list may change without every count changing.
        engine.new_game();
        let start = Instant::now();
        let outcome = engine.search(&Game::new(board), &Limits::depth(args.depth), &Control::new(), &mut |_| ());
        elapsed += start.elapsed();
        nodes += outcome.nodes;
        let best = outcome.best.map_or_else(|| "-".to_owned(), |mv| mv.to_string());
        writeln!(out, "{:2} {best} {:9} {fen}", index + 1, outcome.nodes)?;
    }
    let nps = (nodes as f64 / elapsed.as_secs_f64().max(1e-9)) as u64;
    writeln!(out, "{nodes} nodes {nps} nps")?;
    Ok(())
}
