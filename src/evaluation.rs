//! The choice of an evaluation, for the commands that search or evaluate.

use std::ffi::OsString;

use chuhe_eval::Evaluation;

use crate::failure::Failure;

/// The argument `--evalfile`.
#[derive(clap::Args)]
pub(crate) struct EvaluationArgs {
    /// Network file for the evaluation; `<embedded>` for the built-in network, `<none>` or `hce` for the
    /// hand-written evaluation
    #[arg(long, value_name = "FILE", default_value = "<embedded>", hide_default_value = true)]
    evalfile: OsString,
}

impl EvaluationArgs {
    /// What was asked for, unless it is the network inside the program.
    pub(crate) fn name(&self) -> Option<String> {
        let name = self.evalfile.to_string_lossy();
        (name != "<embedded>" && !name.is_empty()).then(|| name.into_owned())
    }

    /// The evaluation asked for.
    pub(crate) fn load(&self) -> Result<Evaluation, Failure> {
        if let Some(evaluation) = self.evalfile.to_str().and_then(Evaluation::named) {
            return Ok(evaluation);
        }
        Evaluation::load(self.evalfile.as_ref())
            .map_err(|error| Failure::Input(format!("--evalfile: `{}`: {error}", self.evalfile.display())))
    }
}
