//! `chuhe match`: matches and tournaments between engines, and the organiser's hand in them.

mod facts;
mod organiser;
mod page;
mod play;
mod redraw;
mod results;
mod show;
mod tables;
mod text;

use std::path::PathBuf;

use chuhe_arena::config::{ConfigFile, OpeningsConfig, SprtConfig, SystemConfig};
use chuhe_client::EngineSpec;
use chuhe_client::time_control::TimeControl;
use chuhe_rules::RuleSet;

use crate::failure::{CommandResult, Failure};
use crate::format::Format;

/// Arguments of `chuhe match`.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct MatchArgs {
    #[command(subcommand)]
    organiser: Option<organiser::OrganiserCommand>,
    #[command(flatten)]
    play: PlayArgs,
}

/// Arguments with which a match is played. What a flag says goes before what the file says.
#[derive(clap::Args)]
struct PlayArgs {
    /// A TOML file that describes the tournament; docs/tournaments.md tells its keys
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// An engine: "name=A cmd='PROGRAM ARGS' proto=auto tc=2+0.02 option.Hash=16"; give two or more. Instead of those
    /// of the file
    #[arg(long = "engine", value_name = "KEY=VALUE…")]
    engines: Vec<EngineSpec>,
    /// match, round-robin, double-round-robin, gauntlet, knock-out, double-knock-out, groups or swiss
    #[arg(long)]
    system: Option<SystemConfig>,
    /// Games of a match; of other systems, games each time two meet
    #[arg(long, allow_negative_numbers = true)]
    games: Option<u32>,
    /// book, random, startpos or a file; or words: "source=FILE plies=8 order=sequential seed=1 start=0"
    #[arg(long)]
    openings: Option<OpeningsConfig>,
    /// Time control of engines without one of their own: 10+0.1, 40/90:00,10/15:00, movetime=100ms, depth=8, nodes=10000
    #[arg(long, allow_hyphen_values = true)]
    tc: Option<TimeControl>,
    /// Rule set for repetitions
    #[arg(long)]
    rules: Option<RuleSet>,
    /// Milliseconds by which the time may be overstepped
    #[arg(long, allow_negative_numbers = true)]
    margin: Option<u32>,
    /// Stop when this test has decided: "elo0=0 elo1=5 alpha=0.05 beta=0.05 model=logistic"
    #[arg(long)]
    sprt: Option<SprtConfig>,
    /// Games at once; as many as there are processors for if not given
    #[arg(long, allow_negative_numbers = true)]
    concurrency: Option<usize>,
    /// Begin each game with fresh processes
    #[arg(long)]
    restart: bool,
    /// Let engines think on the opponent's time
    #[arg(long)]
    ponder: bool,
    /// Bind the engines of each game to processors of their own (Linux)
    #[arg(long)]
    affinity: bool,
    /// Name of the tournament
    #[arg(long)]
    event: Option<String>,
    /// Write the games to this file
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Write what happens to this file, from which an interrupted run goes on
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Go on with the tournament of the journal
    #[arg(long)]
    resume: bool,
    /// How to print games and results
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write a report to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Begin anew, and replace games, journal and report that are there already
    #[arg(long)]
    overwrite: bool,
    /// Folder for what the engines write to standard error
    #[arg(long, value_name = "FOLDER")]
    log: Option<PathBuf>,
}

impl PlayArgs {
    /// What the file and the flags say together.
    fn config_file(&self) -> Result<ConfigFile, Failure> {
        let mut file = match &self.config {
            Some(path) => ConfigFile::read(path).map_err(|error| Failure::Input(error.to_string()))?,
            None => ConfigFile::default(),
        };
        fn set<T: Clone>(value: &mut Option<T>, flag: &Option<T>) {
            if flag.is_some() {
                value.clone_from(flag);
            }
        }
        if !self.engines.is_empty() {
            file.engine.clone_from(&self.engines);
        }
        set(&mut file.system, &self.system);
        set(&mut file.games, &self.games);
        set(&mut file.openings, &self.openings);
        set(&mut file.tc, &self.tc);
        set(&mut file.rules, &self.rules);
        set(&mut file.margin, &self.margin);
        set(&mut file.sprt, &self.sprt);
        set(&mut file.concurrency, &self.concurrency);
        set(&mut file.event, &self.event);
        set(&mut file.pgn, &self.pgn);
        set(&mut file.journal, &self.journal);
        set(&mut file.html, &self.html);
        set(&mut file.log, &self.log);
        for (value, flag) in
            [(&mut file.restart, self.restart), (&mut file.ponder, self.ponder), (&mut file.affinity, self.affinity)]
        {
            if flag {
                *value = Some(true);
            }
        }
        Ok(file)
    }
}

/// Runs the command.
pub(crate) fn run(args: &MatchArgs) -> CommandResult {
    match &args.organiser {
        Some(command) => organiser::run(command),
        None => play::run(&args.play),
    }
}
