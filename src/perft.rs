//! `chuhe perft`: counts the leaves of the tree of legal moves.

use std::io::{self, Write as _};
use std::time::Instant;

use chuhe_movegen::{Board, Leaves, Move, perft};
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::failure::{CommandResult, Failure};
use crate::position::FenArgs;

/// Arguments of `chuhe perft`.
#[derive(clap::Args)]
pub(crate) struct PerftArgs {
    /// Depth in plies
    #[arg(value_parser = clap::value_parser!(u32).range(..=64))]
    depth: u32,
    #[command(flatten)]
    position: FenArgs,
    /// Print the count for each move
    #[arg(long)]
    divide: bool,
    /// Threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
    /// Make the moves of the last ply instead of only counting them
    #[arg(long)]
    no_bulk: bool,
}

/// Runs the command.
pub(crate) fn run(args: &PerftArgs) -> CommandResult {
    let board = args.position.board()?;
    let leaves = if args.no_bulk { Leaves::Made } else { Leaves::Counted };

    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.into())
        .build()
        .map_err(|error| Failure::Resources(format!("cannot start {} threads: {error}", args.threads)))?;
    let start = Instant::now();
    let mut out = io::stdout().lock();
    // Depth 0 has no moves to divide.
    let nodes = if args.depth == 0 || (args.threads == 1 && !args.divide) {
        perft(&board, args.depth, leaves)
    } else {
        let counts = pool.install(|| divide(&board, args.depth, leaves));
        if args.divide {
            for (mv, count) in &counts {
                writeln!(out, "{mv}: {count}")?;
            }
        }
        counts.iter().map(|&(_, count)| count).sum()
    };
    let elapsed = start.elapsed();
    let speed = nodes as f64 / elapsed.as_secs_f64().max(1e-9) / 1e6;
    writeln!(out, "{nodes} nodes {} ms {speed:.1} Mnps", elapsed.as_millis())?;
    Ok(())
}

/// Counts below every root move, on the threads of the current `rayon` pool. The order is that of the generator.
///
/// Work is split at the second ply: forty root moves alone would leave threads idle at the end.
fn divide(board: &Board, depth: u32, leaves: Leaves) -> Vec<(Move, u64)> {
    let count = |&mv: &Move| {
        let child = board.make(mv);
        let nodes = if depth < 4 {
            perft(&child, depth - 1, leaves)
        } else {
            child.legal_moves().par_iter().map(|&reply| perft(&child.make(reply), depth - 2, leaves)).sum()
        };
        (mv, nodes)
    };
    board.legal_moves().par_iter().map(count).collect()
}
