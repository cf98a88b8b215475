//! The choice of an evaluation, for the commands that search or evaluate.

use std::ffi::OsString;

use chuhe_eval::Evaluation;

use crate::failure::Failure;

/// The argument `--evalfile`.
#[derive(clap::Args)]
pub(crate) struct EvaluationArgs {
    /// The network file to evaluate with; `<embedded>` for the network inside the program, `<none>` for the hand-written
    /// evaluation
    #[arg(long, value_name = "FILE", default_value = "<embedded>", hide_default_value = true)]
    evalfile: OsString,
}

impl EvaluationArgs {
    /// The evaluation asked for.
    pub(crate) fn load(&self) -> Result<Evaluation, Failure> {
        if let Some(evaluation) = self.evalfile.to_str().and_then(Evaluation::named) {
            return Ok(evaluation);
        }
        Evaluation::load(self.evalfile.as_ref())
            .map_err(|error| Failure::Usage(format!("--evalfile: `{}`: {error}", self.evalfile.display())))
    }
}
