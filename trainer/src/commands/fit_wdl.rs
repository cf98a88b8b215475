//! `chuhe-train fit-wdl`.

use std::io::{self, Write as _};
use std::path::PathBuf;

use chuhe_eval::{EVEN_CHANCE, SPREAD};
use chuhe_trainer::wdl::{Histogram, Model};

use crate::failure::CommandResult;

/// Arguments of `chuhe-train fit-wdl`.
#[derive(clap::Args)]
pub(crate) struct FitWdlArgs {
    /// Game files, or files of positions with scores
    #[arg(required = true)]
    data: Vec<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(args: &FitWdlArgs) -> CommandResult {
    let (histogram, skipped) = Histogram::read(&args.data)?;
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
