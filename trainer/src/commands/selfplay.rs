//! `chuhe-train selfplay`.

use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;

use chuhe_trainer::selfplay::{self, SelfplayOptions};

use crate::failure::{CommandResult, Failure};

/// Arguments of `chuhe-train selfplay`.
#[derive(clap::Args)]
pub(crate) struct SelfplayArgs {
    /// The file
    #[arg(short, long)]
    output: PathBuf,
    #[command(flatten)]
    options: SelfplayOptions,
    /// Games at once
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
}

/// Runs the command.
pub(crate) fn run(args: SelfplayArgs) -> CommandResult {
    let path = args.output;
    let file = fs::File::create(&path).map_err(|source| Failure::Unwritable { path, source })?;
    let written = selfplay::run(&args.options, args.threads.into(), file)?;
    Ok(writeln!(io::stdout(), "{written} positions")?)
}
