//! Who analyzes: our engine, or another as a process.

use chuhe_analysis::{Analyst, EngineSettings, FoundEngine, Limits, OtherEngine, OwnEngine};
use chuhe_engine::MAX_THREADS;

use crate::evaluation::EvaluationArgs;
use crate::failure::{Failure, say};

/// The size of a job's hash table in MiB. Games are short of nodes, and a small table is quickly cleared between them.
const DEFAULT_HASH_MIB: u32 = 16;

/// The choice of an engine.
#[derive(clap::Args)]
pub(super) struct EngineArgs {
    /// Another engine (UCI, UCCI or XBoard) instead of this one: a command line, or settings such as
    /// "cmd='PROGRAM ARGS' proto=uci option.Hash=64", as in `chuhe match`
    #[arg(long, value_name = "CMD", conflicts_with_all = ["threads", "hash", "evalfile"])]
    engine: Option<String>,
    /// Search threads per game; with more than one, results vary from run to run
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: u16,
    /// Hash table per game, in MiB
    #[arg(long, default_value_t = DEFAULT_HASH_MIB, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    #[command(flatten)]
    evaluation: EvaluationArgs,
}

impl EngineArgs {
    /// Threads of each search.
    pub(super) fn threads(&self) -> usize {
        self.threads.into()
    }
}

/// An engine that has been tried out.
pub(super) enum EngineChoice {
    /// Ours, with what it calls itself.
    Own(EngineSettings, String),
    /// Another.
    Other(Box<FoundEngine>),
}

impl EngineChoice {
    /// Finds out whether the engine can be had.
    pub(super) fn new(args: &EngineArgs, limits: Limits, multi_pv: usize) -> Result<EngineChoice, Failure> {
        Ok(match &args.engine {
            None => {
                let settings = EngineSettings {
                    limits,
                    multi_pv,
                    threads: args.threads(),
                    hash_mib: args.hash as usize,
                    evaluation: args.evaluation.load()?,
                };
                let name = match args.evaluation.name() {
                    None => OwnEngine::NAME.to_owned(),
                    Some(evaluation) => format!("{} ({evaluation})", OwnEngine::NAME),
                };
                EngineChoice::Own(settings, name)
            }
            Some(text) => {
                let found = FoundEngine::find(text, limits, multi_pv)
                    .map_err(|error| Failure::Usage(format!("--engine: {error}")))?;
                for option in found.unknown_options() {
                    say(&format!("--engine: {} has no option {option}", found.spec().name));
                }
                EngineChoice::Other(Box::new(found))
            }
        })
    }

    /// What it calls itself.
    pub(super) fn name(&self) -> String {
        match self {
            EngineChoice::Own(_, name) => name.clone(),
            EngineChoice::Other(found) => found.name().to_owned(),
        }
    }

    /// All that its results depend on but the limits: its name, and how it was set up.
    pub(super) fn fingerprint(&self) -> String {
        match self {
            EngineChoice::Own(settings, name) => {
                format!("{name}, threads {}, hash {}", settings.threads, settings.hash_mib)
            }
            EngineChoice::Other(found) => {
                let options: Vec<String> =
                    found.spec().options.iter().map(|(name, value)| format!("{name}={value}")).collect();
                format!("{}, {:?}, {}", found.name(), found.spec().command, options.join(" "))
            }
        }
    }

    /// One of it.
    pub(super) fn analyst(&self) -> Result<Box<dyn Analyst>, Failure> {
        match self {
            EngineChoice::Own(settings, _) => match OwnEngine::new(settings.clone()) {
                Ok(engine) => Ok(Box::new(engine)),
                Err(refused) => Err(Failure::Resources(format!(
                    "--hash: no memory for {} MiB for each of the games at once",
                    refused.requested_mib
                ))),
            },
            EngineChoice::Other(found) => Ok(Box::new(OtherEngine::new(FoundEngine::clone(found)))),
        }
    }
}
