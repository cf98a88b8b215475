//! `chuhe-train check`.

use std::fs::File;
use std::io::{self, BufReader, Write as _};
use std::path::PathBuf;

use chuhe_eval::network::Network;
use chuhe_trainer::data::filter::Filter;
use chuhe_trainer::training::check::Check;
use chuhe_trainer::training::dataset::Dataset;

use crate::failure::{CommandResult, Failure};

/// Arguments of `chuhe-train check`.
#[derive(clap::Args)]
pub(crate) struct CheckArgs {
    /// The network
    network: PathBuf,
    /// Game files
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// Weight of the game's result in the target; the rest is the score of the search
    #[arg(long, default_value_t = 0.5)]
    lambda: f64,
    /// Use all positions, not only those held out from training (as always when none are held out)
    #[arg(long)]
    all: bool,
}

/// Runs the command.
pub(crate) fn run(args: &CheckArgs) -> CommandResult {
    let path = &args.network;
    let file = File::open(path).map_err(|source| Failure::Unreadable { path: path.clone(), source })?;
    let network =
        Network::read(&mut BufReader::new(file)).map_err(|source| Failure::Network { path: path.clone(), source })?;
    let data = Dataset::load(&args.data, Filter::default())?;
    // Of few games none is held out.
    let all = args.all || data.held_out.is_empty();
    let records = if all { [data.training, data.held_out].concat() } else { data.held_out };
    let check = Check::measure(&network, &records, args.lambda);
    let mut out = io::stdout().lock();
    writeln!(out, "{}: network {}, {}", path.display(), network.hash(), network.architecture())?;
    writeln!(out, "{}", network.description())?;
    let which = if all { "all" } else { "held out of training" };
    writeln!(out, "mean squared error on {} positions ({which}):", check.positions)?;
    writeln!(out, "  network                  {:.6}", check.network)?;
    writeln!(out, "  hand-written evaluation  {:.6}", check.hand_written)?;
    writeln!(out, "  always even              {:.6}", check.even)?;
    if check.is_sound() {
        return Ok(());
    }
    Err(Failure::Faults(format!("{}: foretells the games no better than calling every position even", path.display())))
}
