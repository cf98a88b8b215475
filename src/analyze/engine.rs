//! Who analyses: our engine, or another as a process.

use std::time::Duration;

use chuhe_analysis::{
    Analyst, AnalystError, Chances, Decision, EngineSettings, Limits, Line, Lines, OwnEngine, PositionAnalysis, Score,
};
use chuhe_client::player::{Fault, Player as _};
use chuhe_client::time_control::{SearchLimits, TimeControl};
use chuhe_client::{Client, Detected, EngineSpec, Launch, detect};
use chuhe_engine::MAX_THREADS;
use chuhe_movegen::Board;
use chuhe_rules::{Game, RuleSet};

use crate::evaluation::EvaluationArgs;
use crate::failure::{Failure, say};

/// The size of a job's hash table in MiB. Games are short of nodes, and a small table is quickly cleared between them.
const DEFAULT_HASH_MIB: u32 = 16;
/// How long a process may take for a position beyond the time it was given; as long when it was given none.
const GRACE: Duration = Duration::from_secs(10);
const PATIENCE: Duration = Duration::from_secs(60 * 60);

/// The choice of an engine.
#[derive(clap::Args)]
pub(super) struct EngineArgs {
    /// Another engine in place of ours, UCI, UCCI or XBoard: a command line, or as for `chuhe match`:
    /// "cmd=… proto=uci option.Hash=64"
    #[arg(long, value_name = "CMD", conflicts_with_all = ["threads", "hash", "evalfile"])]
    engine: Option<String>,
    /// Search threads for each game; with more than one results differ from run to run
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: u16,
    /// Hash table for each game in MiB
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
    Other(Box<OtherEngine>),
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
            Some(text) => EngineChoice::Other(Box::new(OtherEngine::find(text, limits, multi_pv)?)),
        })
    }

    /// What it calls itself.
    pub(super) fn name(&self) -> String {
        match self {
            EngineChoice::Own(_, name) => name.clone(),
            EngineChoice::Other(other) => other.name.clone(),
        }
    }

    /// All that its results depend on but the limits: its name, and how it was set up.
    pub(super) fn fingerprint(&self) -> String {
        match self {
            EngineChoice::Own(settings, name) => {
                format!("{name}, threads {}, hash {}", settings.threads, settings.hash_mib)
            }
            EngineChoice::Other(other) => {
                let options: Vec<String> =
                    other.spec.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
                format!("{}, {:?}, {}", other.name, other.spec.command, options.join(" "))
            }
        }
    }

    /// One of it.
    pub(super) fn analyst(&self) -> Result<Box<dyn Analyst>, Failure> {
        match self {
            EngineChoice::Own(settings, _) => match OwnEngine::new(settings.clone()) {
                Ok(engine) => Ok(Box::new(engine)),
                Err(refused) => Err(Failure::Usage(format!(
                    "--hash: no memory for {} MiB for each of the games at once",
                    refused.requested_mib
                ))),
            },
            EngineChoice::Other(other) => Ok(Box::new(Process { engine: OtherEngine::clone(other), client: None })),
        }
    }
}

/// An engine as a process, of which everything is known.
#[derive(Clone)]
pub(super) struct OtherEngine {
    spec: EngineSpec,
    detected: Detected,
    name: String,
    limits: SearchLimits,
    multi_pv: usize,
}

impl OtherEngine {
    fn find(text: &str, limits: Limits, multi_pv: usize) -> Result<OtherEngine, Failure> {
        let usage = |message: String| Failure::Usage(format!("--engine: {message}"));
        let mut spec = spec(text).map_err(usage)?;
        // What the engine may not know is asked for, and given up if it does not announce it.
        let is_given = |spec: &EngineSpec, name: &str| spec.options.iter().any(|(given, _)| given == name);
        let mut wanted = vec![("UCI_ShowWDL", "true".to_owned())];
        if multi_pv > 1 {
            wanted.push(("MultiPV", multi_pv.to_string()));
        }
        wanted.retain(|(name, _)| !is_given(&spec, name));
        spec.options.extend(wanted.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        let detected = detect(&spec, &Launch::default()).map_err(|fault| usage(format!("{}: {fault}", spec.name)))?;
        let is_unknown = |name: &str| detected.unknown_options.iter().any(|unknown| unknown == name);
        spec.options.retain(|(name, _)| !wanted.iter().any(|(wanted, _)| wanted == name) || !is_unknown(name));
        for name in detected.unknown_options.iter().filter(|name| *name != "UCI_ShowWDL") {
            say(&format!("--engine: {} announces no option {name}", spec.name));
        }
        let limits = SearchLimits { move_time: limits.move_time, depth: limits.depth, nodes: limits.nodes };
        let control = TimeControl { clock: None, limits };
        detected.check_time_control(&control).map_err(|fault| usage(format!("{}: {}", spec.name, fault.detail)))?;
        let name = detected.id.clone().unwrap_or_else(|| spec.name.clone());
        Ok(OtherEngine { spec, detected, name, limits, multi_pv })
    }

    fn patience(&self) -> Duration {
        self.limits.move_time.map_or(PATIENCE, |time| time + GRACE)
    }
}

/// A description as `chuhe match` has it, or a bare command line.
fn spec(text: &str) -> Result<EngineSpec, String> {
    let words = shlex::split(text).ok_or_else(|| format!("{text}: a quote is not closed"))?;
    let is_description = words.iter().any(|word| word.starts_with("cmd="));
    if is_description {
        return text.parse().map_err(|error: chuhe_client::SpecError| error.to_string());
    }
    // Quoted again, so that the description is read in one place.
    let command = shlex::try_quote(text).map_err(|error| error.to_string())?;
    format!("cmd={command}").parse().map_err(|error: chuhe_client::SpecError| error.to_string())
}

/// A process that analyses. It is started for the first game, and again after a fault.
struct Process {
    engine: OtherEngine,
    client: Option<Client>,
}

impl Process {
    fn error(&mut self, fault: Fault) -> AnalystError {
        // Dropping it ends the process; the next game begins with another.
        self.client = None;
        AnalystError { name: self.engine.name.clone(), source: Box::new(fault) }
    }

    fn client(&mut self) -> Result<&mut Client, Fault> {
        if self.client.as_mut().is_some_and(|client| !client.is_alive() || client.wants_restart()) {
            self.client = None;
        }
        match &mut self.client {
            Some(client) => Ok(client),
            empty => {
                let OtherEngine { spec, detected, .. } = &self.engine;
                Ok(empty.insert(Client::start(spec, detected, &Launch::default())?))
            }
        }
    }
}

impl Analyst for Process {
    fn name(&self) -> &str {
        &self.engine.name
    }

    /// By which rules the game is played cannot be told to most engines; for the others `--engine` has their options.
    fn new_game(&mut self, _rules: &RuleSet) -> Result<(), AnalystError> {
        let game = Game::new(Board::startpos());
        let began = self.client().and_then(|client| client.new_game(&game, game.board().side_to_move()));
        began.map_err(|fault| self.error(fault))
    }

    fn analyse(&mut self, game: &Game) -> Result<PositionAnalysis, AnalystError> {
        let (limits, patience) = (self.engine.limits, self.engine.patience());
        let study = match self.client.as_mut() {
            Some(client) => client.study(game, limits, patience),
            None => self.client().and_then(|client| client.study(game, limits, patience)),
        };
        let study = study.map_err(|fault| self.error(fault))?;
        let mut lines = Lines::new();
        for told in study.lines {
            let score = score(told.score);
            let chances = told.wdl.and_then(chances).unwrap_or_else(|| match score {
                Score::Cp(cp) => Chances::of_pawns(cp),
                decided => decided.chances(),
            });
            lines.add(told.rank, Line { score, chances, depth: told.depth, moves: told.moves });
        }
        let lines = lines.finish(game.board(), study.best, self.engine.multi_pv);
        let depth = lines.first().map_or(0, |line| line.depth);
        Ok(PositionAnalysis { lines, depth, nodes: study.nodes.unwrap_or(0) })
    }
}

fn score(score: chuhe_protocol::Score) -> Score {
    match score {
        chuhe_protocol::Score::Cp(cp) => Score::Cp(cp),
        chuhe_protocol::Score::Mate(plies @ 1..) => Score::Win { by: Decision::Mate, plies: plies.unsigned_abs() },
        chuhe_protocol::Score::Mate(plies) => Score::Loss { by: Decision::Mate, plies: plies.unsigned_abs() },
    }
}

/// The chances as told, if they make sense.
fn chances(wdl: chuhe_protocol::Wdl) -> Option<Chances> {
    let [win, draw, loss] = [wdl.win, wdl.draw, wdl.loss].map(|chance| u16::try_from(chance).ok());
    let chances = Chances { win: win?, draw: draw?, loss: loss? };
    let sum = u32::from(chances.win) + u32::from(chances.draw) + u32::from(chances.loss);
    (sum == 1000).then_some(chances)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_is_a_command_line_or_a_description() {
        let bare = spec("engine --quiet 'a b'").expect("a command line");
        assert_eq!(
            (bare.name.as_str(), &bare.command[..]),
            ("engine", &["engine", "--quiet", "a b"].map(str::to_owned)[..])
        );
        let described = spec("cmd='engine --quiet' proto=ucci option.Hash=16").expect("a description");
        assert_eq!(described.command, ["engine", "--quiet"]);
        assert_eq!(described.options, [("Hash".to_owned(), "16".to_owned())]);
        assert!(spec("").is_err() && spec("'").is_err());
    }

    #[test]
    fn chances_that_make_no_sense_are_not_taken() {
        let wdl = |win, draw, loss| chances(chuhe_protocol::Wdl { win, draw, loss });
        assert_eq!(wdl(500, 300, 200), Some(Chances { win: 500, draw: 300, loss: 200 }));
        assert_eq!(wdl(500, 300, 201), None);
        assert_eq!(wdl(70_536, 0, 0), None);
    }
}
