//! `chuhe-train seed-hce`.

use std::io::{self, Write as _};
use std::path::PathBuf;

use chuhe_trainer::hce::{seed, source};

use super::write_file;
use crate::failure::CommandResult;

/// Arguments of `chuhe-train seed-hce`.
#[derive(clap::Args)]
pub(crate) struct SeedHceArgs {
    /// The file [default: standard output]
    #[arg(short, long)]
    output: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(args: SeedHceArgs) -> CommandResult {
    let text = source::to_source(&seed::weights(), "hand-written start (`chuhe-train seed-hce`)");
    match args.output {
        Some(path) => write_file(&path, &text),
        None => Ok(io::stdout().write_all(text.as_bytes())?),
    }
}
