//! `chuhe match`: matches and tournaments between engines, and the organiser's hand in them.

mod organiser;
mod play;
mod show;

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

/// Arguments with which a match is played. Flags override the file.
#[derive(clap::Args)]
struct PlayArgs {
    /// A TOML file that describes the tournament (docs/tournaments.md lists its keys)
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// An engine: a command line, or settings such as "name=A cmd='PROGRAM ARGS' proto=uci tc=2+0.02 option.Hash=16";
    /// give two or more.
    /// Replaces the engines of the file
    #[arg(long = "engine", value_name = "KEY=VALUE…")]
    engines: Vec<EngineSpec>,
    /// match, round-robin, double-round-robin, gauntlet, knock-out, double-knock-out, groups or swiss
    #[arg(long)]
    system: Option<SystemConfig>,
    /// Games of a match; in other systems, games per encounter
    #[arg(long, allow_negative_numbers = true)]
    games: Option<u32>,
    /// book, random, startpos or a file; or words: "source=FILE plies=8 order=sequential seed=1 start=0"
    #[arg(long)]
    openings: Option<OpeningsConfig>,
    /// Time control for engines without their own: 10+0.1, 40/90:00,10/15:00, movetime=100ms, depth=8, nodes=10000
    #[arg(long, allow_hyphen_values = true)]
    tc: Option<TimeControl>,
    /// Rule set for repetitions
    #[arg(long)]
    rules: Option<RuleSet>,
    /// Milliseconds by which an engine may exceed its time
    #[arg(long, allow_negative_numbers = true)]
    margin: Option<u32>,
    /// Stop as soon as this test decides: "elo0=0 elo1=5 alpha=0.05 beta=0.05 model=logistic"
    #[arg(long)]
    sprt: Option<SprtConfig>,
    /// Games at once [default: one per available processor]
    #[arg(long, allow_negative_numbers = true)]
    concurrency: Option<usize>,
    /// Start new engine processes for each game
    #[arg(long)]
    restart: bool,
    /// Let engines think on the opponent's time
    #[arg(long)]
    ponder: bool,
    /// Pin the engines of each game to their own processors (Linux)
    #[arg(long)]
    affinity: bool,
    /// Name of the tournament
    #[arg(long)]
    event: Option<String>,
    /// Write the games to this file
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Write a journal to this file, from which an interrupted run can be continued
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Continue the tournament of the journal
    #[arg(long)]
    resume: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write a report to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Start over, and replace existing games, journal and report
    #[arg(long)]
    overwrite: bool,
    /// Folder for the engines' standard error
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
