//! What is played, by whom, and how: everything that a tournament needs to be told, from a file, flags or both.
//!
//! [`ConfigFile`] is what somebody wrote. [`Config`] is what it comes to: complete, and checked as far as this can be
//! done without starting an engine.

mod file;
mod system;

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use chuhe_client::EngineSpec;
use chuhe_client::name::check_name;
use chuhe_client::time_control::TimeControl;
use serde::Deserialize;
use serde_json::{Value, json};

pub use file::{ConfigFile, OpeningOrderName, OpeningsConfig, SprtConfig, TeamConfig};
pub use system::{SystemConfig, SystemKind};

use crate::play::PlayOptions;
use crate::referee::{DrawOffers, GameRules};
use crate::stats::Sprt;
use crate::tournament::{Roster, RosterError, Tournament, TournamentError};

/// A description that makes no tournament.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The file says something that cannot be understood.
    #[error("{}:{line}: `{place}`: {problem}", path.display())]
    Toml {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What stands there.
        place: String,
        /// What is wrong.
        problem: String,
    },
    /// A value that does not fit the others.
    #[error("{key}: {problem}")]
    Value {
        /// Its key in the file.
        key: String,
        /// What is wrong.
        problem: String,
    },
    /// The entrants make no tournament.
    #[error(transparent)]
    Roster(#[from] RosterError),
    /// They do not fit the system.
    #[error(transparent)]
    Tournament(#[from] TournamentError),
}

/// A tournament as it will be played.
#[derive(Clone, Debug)]
pub struct Config {
    /// Its name.
    pub event: String,
    /// Where it is played; may be empty.
    pub site: String,
    /// The system.
    pub system: SystemConfig,
    /// Games per encounter; of a match: games in all.
    pub games: u32,
    /// Where games begin.
    pub openings: OpeningsConfig,
    /// The engines, with names of their own.
    pub engines: Vec<EngineSpec>,
    /// The time control of each engine.
    pub times: Vec<TimeControl>,
    /// The teams, if teams play.
    pub teams: Vec<TeamConfig>,
    /// The rules of a game.
    pub rules: GameRules,
    /// How long to wait for answers.
    pub options: PlayOptions,
    /// A sequential test.
    pub sprt: Option<Sprt>,
    /// Games at once.
    pub concurrency: usize,
    /// Whether engines are bound to cores.
    pub affinity: bool,
    /// The file of games.
    pub pgn: Option<PathBuf>,
    /// The journal.
    pub journal: Option<PathBuf>,
    /// The report.
    pub html: Option<PathBuf>,
    /// The folder for what engines write to standard error.
    pub log: Option<PathBuf>,
}

/// Games of a match that has no number of its own.
const MATCH_GAMES: u32 = 100;
/// Games of a match with a test, at most.
const SPRT_GAMES: u32 = 20_000;
/// Games per encounter of other systems.
const ENCOUNTER_GAMES: u32 = 2;
/// The most games of a match.
const MOST_GAMES: u32 = 100_000_000;
/// The most games at once.
const MOST_CONCURRENT: usize = 512;
/// The time control when none is given.
const DEFAULT_TIME: &str = "10+0.1";

impl Config {
    /// Completes a description on a machine with so many cores.
    ///
    /// # Errors
    /// When something does not fit.
    pub fn new(file: ConfigFile, cores: usize) -> Result<Config, ConfigError> {
        let bad = |key: &str, problem: String| ConfigError::Value { key: key.to_owned(), problem };
        let names = [("event", &file.event), ("site", &file.site)];
        // An empty text says what none says.
        let names =
            names.into_iter().filter_map(|(key, text)| Some((key, text.as_deref().filter(|text| !text.is_empty())?)));
        let teams = file.team.iter().map(|team| ("team", team.name.as_str()));
        for (key, text) in names.chain(teams) {
            check_name(text).map_err(|error| bad(key, format!("{text:?}: {error}")))?;
        }
        let mut engines = file.engine;
        if engines.len() < 2 {
            let found = engines.len();
            return Err(bad("engine", format!("{found} given: expected two or more, by [[engine]] or --engine")));
        }
        name_apart(&mut engines);
        for engine in &mut engines {
            engine.restart = engine.restart.or(file.restart);
            engine.ponder = engine.ponder.or(file.ponder);
        }
        let entrants = if file.team.is_empty() { engines.len() } else { file.team.len() };
        let system = file.system.unwrap_or(SystemConfig::of(if entrants == 2 && file.team.is_empty() {
            SystemKind::Match
        } else {
            SystemKind::RoundRobin
        }));
        let sprt = file.sprt.map(|SprtConfig(sprt)| sprt);
        if sprt.is_some() && system.kind != SystemKind::Match {
            return Err(bad("sprt", format!("a {} has no test: expected a match of two engines", system.kind.name())));
        }
        let games = file.games.unwrap_or(match (system.kind, sprt) {
            (SystemKind::Match, None) => MATCH_GAMES,
            (SystemKind::Match, Some(_)) => SPRT_GAMES,
            _ => ENCOUNTER_GAMES,
        });
        if !(1..=MOST_GAMES).contains(&games) {
            return Err(bad("games", format!("{games}: expected 1 to {MOST_GAMES}")));
        }
        let default_time = match file.tc {
            Some(time) => time,
            None => DEFAULT_TIME.parse().map_err(|_| bad("tc", "no time control".to_owned()))?,
        };
        let times = engines.iter().map(|engine| engine.time_control.clone().unwrap_or(default_time.clone())).collect();
        let default_rules = GameRules::default();
        let default_options = PlayOptions::default();
        let rules = GameRules {
            repetition: file.rules.unwrap_or(default_rules.repetition),
            natural_limit: match file.natural_limit {
                None => default_rules.natural_limit,
                Some(0) => None,
                Some(limit) => Some(limit),
            },
            dead_material: file.dead_material.unwrap_or(default_rules.dead_material),
            max_plies: file.max_plies,
            adjudication: file.adjudication.unwrap_or(default_rules.adjudication),
            draw_offers: match (file.draws, file.draws_from) {
                (Some(false), Some(_)) => {
                    return Err(bad("draws_from", "means nothing with draws = false".to_owned()));
                }
                (Some(false), None) => DrawOffers::Never,
                (_, from) => DrawOffers::FromPly(from.unwrap_or(0)),
            },
            margins: file.margin.map_or(default_rules.margins, |margin| [Duration::from_millis(margin.into()); 2]),
        };
        let seconds = |key: &str, value: Option<f64>, default| match value {
            None => Ok(default),
            Some(value) => Duration::try_from_secs_f64(value)
                .ok()
                .filter(|time| (1..=1_000_000).contains(&time.as_millis()))
                .ok_or_else(|| bad(key, format!("{value}: expected seconds from 0.001 to 1000"))),
        };
        let options = PlayOptions {
            grace: seconds("grace", file.grace, default_options.grace)?,
            hang: seconds("patience", file.patience, default_options.hang)?,
            ..default_options
        };
        let concurrency = file.concurrency.unwrap_or_else(|| (cores / cores_for(&engines)).max(1));
        if !(1..=MOST_CONCURRENT).contains(&concurrency) {
            return Err(bad("concurrency", format!("{concurrency}: expected 1 to {MOST_CONCURRENT}")));
        }
        let config = Config {
            event: file.event.unwrap_or_else(|| system.kind.name().to_owned()),
            site: file.site.unwrap_or_default(),
            system,
            games,
            openings: file.openings.unwrap_or_default(),
            engines,
            times,
            teams: file.team,
            rules,
            options,
            sprt,
            concurrency,
            affinity: file.affinity.unwrap_or(false),
            pgn: file.pgn,
            journal: file.journal,
            html: file.html,
            log: file.log,
        };
        // Whatever does not fit together shows when the tournament is made.
        config.tournament()?;
        Ok(config)
    }

    /// The tournament, of which nothing has been played.
    ///
    /// # Errors
    /// None for a config that [`Config::new`] made.
    pub fn tournament(&self) -> Result<Tournament, ConfigError> {
        let engines = self.engines.iter().map(|engine| EngineName { name: engine.name.clone() }).collect();
        let frame = Frame {
            event: self.event.clone(),
            system: self.system,
            games: self.games,
            engines,
            teams: self.teams.clone(),
            sprt: self.sprt,
        };
        frame.tournament()
    }

    /// Cores that a game keeps busy.
    #[must_use]
    pub fn cores_of_a_game(&self) -> usize {
        cores_for(&self.engines)
    }

    /// Everything that has a bearing on results. Where files lie, how many games run at once and what is shown has
    /// none.
    #[must_use]
    pub fn setup(&self) -> Value {
        json!({
            "event": self.event,
            "system": self.system,
            "games": self.games,
            "openings": self.openings,
            "engines": self.engines.iter().zip(&self.times).map(engine_setup).collect::<Vec<_>>(),
            "teams": self.teams,
            "rules": {
                "repetition": self.rules.repetition.name(),
                "natural_limit": self.rules.natural_limit,
                "dead_material": self.rules.dead_material,
                "max_plies": self.rules.max_plies,
                "adjudication": self.rules.adjudication,
                "draws_from": match self.rules.draw_offers {
                    DrawOffers::Never => None,
                    DrawOffers::FromPly(ply) => Some(ply),
                },
                "margin_ms": self.rules.margins[0].as_millis() as u64,
            },
            "sprt": self.sprt,
            "pgn": self.pgn.is_some(),
        })
    }
}

/// What a [`Config::setup`] says about the course of a tournament: enough to read its journal without its engines.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Frame {
    /// The tournament's name.
    pub event: String,
    system: SystemConfig,
    games: u32,
    engines: Vec<EngineName>,
    teams: Vec<TeamConfig>,
    sprt: Option<Sprt>,
}

#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
struct EngineName {
    name: String,
}

impl Frame {
    /// The frame of the tournament with this setup.
    ///
    /// # Errors
    /// When the setup is none.
    pub fn of_setup(setup: &Value) -> Result<Frame, ConfigError> {
        Frame::deserialize(setup)
            .map_err(|error| ConfigError::Value { key: "setup".to_owned(), problem: error.to_string() })
    }

    /// The tournament, of which nothing has been played.
    ///
    /// # Errors
    /// When the entrants do not fit the system.
    pub fn tournament(&self) -> Result<Tournament, ConfigError> {
        let names = self.engines.iter().map(|engine| engine.name.clone()).collect();
        let roster = if self.teams.is_empty() {
            Roster::of_engines(names)?
        } else {
            let teams = self.teams.iter().map(|team| (team.name.clone(), team.engines.clone()));
            Roster::of_teams(names, teams.collect())?
        };
        let boards = u16::try_from(roster.boards()).unwrap_or(u16::MAX);
        let course = self.system.course(roster.entrants().len(), boards, self.games)?;
        Ok(Tournament::new(roster, course, self.sprt)?)
    }

    /// The system's name.
    #[must_use]
    pub const fn system(&self) -> SystemKind {
        self.system.kind
    }
}

/// Cores that a game keeps busy: those of the engine with the most threads, and of both when one of them ponders.
fn cores_for(engines: &[EngineSpec]) -> usize {
    let threads = |engine: &EngineSpec| {
        let option = engine.options.iter().find(|(name, _)| name.eq_ignore_ascii_case("threads"));
        option.and_then(|(_, value)| value.parse().ok()).unwrap_or(1_usize).max(1)
    };
    let most = engines.iter().map(threads).max().unwrap_or(1);
    if engines.iter().any(|engine| engine.ponder == Some(true)) { most.saturating_mul(2) } else { most }
}

/// Gives engines of one name numbers: `A`, `A #2`, `A #3`.
fn name_apart(engines: &mut [EngineSpec]) {
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    for engine in engines {
        let base = engine.name.clone();
        let mut number = *taken.entry(base.clone()).and_modify(|number| *number += 1).or_insert(1);
        while number > 1 {
            let name = format!("{base} #{number}");
            if !taken.contains_key(&name) {
                taken.insert(name.clone(), 1);
                engine.name = name;
                break;
            }
            number += 1;
        }
    }
}

fn engine_setup((engine, time): (&EngineSpec, &TimeControl)) -> Value {
    json!({
        "name": engine.name,
        "cmd": engine.command,
        "dir": engine.dir,
        "proto": engine.protocol.map(|protocol| protocol.name()),
        "options": engine.options.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>(),
        "tc": time,
        "margin_ms": engine.margin.map(|margin| margin.as_millis() as u64),
        "ponder": engine.ponder.unwrap_or(false),
        "restart": engine.restart.unwrap_or(false),
    })
}
