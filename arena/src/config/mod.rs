//! What is played, by whom, and how: everything that a tournament needs to be told, from a file, flags or both.
//!
//! [`ConfigFile`] is what somebody wrote. [`Config`] is what it comes to: complete, and checked as far as this can be
//! done without starting an engine.

mod file;
mod setup;
mod system;

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use chuhe_client::EngineSpec;
use chuhe_client::name::check_name;
use chuhe_client::time_control::{ClockRule, SearchLimits, TimeControl};
pub use file::{ConfigFile, OpeningOrderName, OpeningsConfig, SprtConfig, TeamConfig};
pub use setup::{EngineSetup, OpeningsSetup, RulesSetup, Setup};
pub use system::{SystemConfig, SystemKind};

use crate::play::PlayOptions;
use crate::referee::{DrawOffers, GameRules};
use crate::stats::Sprt;
use crate::tournament::{RosterError, Tournament, TournamentError};

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
/// The time control when none is given: 10 seconds, and 0.1 seconds after each move.
const DEFAULT_CLOCK: ClockRule =
    ClockRule::Increment { base: Duration::from_secs(10), increment: Duration::from_millis(100) };

fn bad(key: &str, problem: impl Into<String>) -> ConfigError {
    ConfigError::Value { key: key.to_owned(), problem: problem.into() }
}

impl Config {
    /// Completes a description on a machine with so many cores.
    ///
    /// # Errors
    /// When something does not fit.
    pub fn new(file: ConfigFile, cores: usize) -> Result<Config, ConfigError> {
        check_file(&file)?;
        let config = Config::complete(file, cores)?;
        config.check()?;
        Ok(config)
    }

    /// Sets what was not said.
    fn complete(file: ConfigFile, cores: usize) -> Result<Config, ConfigError> {
        let rules = complete_rules(&file);
        let options = complete_options(&file)?;
        let is_duel = file.team.is_empty() && file.engine.len() == 2;
        let system = file.system.unwrap_or(SystemConfig::of(match is_duel {
            true => SystemKind::Match,
            false => SystemKind::RoundRobin,
        }));
        let sprt = file.sprt.map(|SprtConfig(sprt)| sprt);
        let mut engines = file.engine;
        name_apart(&mut engines);
        for engine in &mut engines {
            engine.restart = engine.restart.or(file.restart);
            engine.ponder = engine.ponder.or(file.ponder);
        }
        let time = file.tc.unwrap_or(TimeControl { clock: Some(DEFAULT_CLOCK), limits: SearchLimits::default() });
        Ok(Config {
            event: file.event.unwrap_or_else(|| system.kind.name().to_owned()),
            site: file.site.unwrap_or_default(),
            system,
            games: file.games.unwrap_or(match (system.kind, sprt) {
                (SystemKind::Match, None) => MATCH_GAMES,
                (SystemKind::Match, Some(_)) => SPRT_GAMES,
                _ => ENCOUNTER_GAMES,
            }),
            openings: file.openings.unwrap_or_default(),
            times: engines.iter().map(|engine| engine.time_control.as_ref().unwrap_or(&time).clone()).collect(),
            teams: file.team,
            rules,
            options,
            sprt,
            concurrency: file.concurrency.unwrap_or_else(|| (cores / cores_for(&engines)).max(1)),
            affinity: file.affinity.unwrap_or(false),
            pgn: file.pgn,
            journal: file.journal,
            html: file.html,
            log: file.log,
            engines,
        })
    }

    /// Checks what must fit together.
    fn check(&self) -> Result<(), ConfigError> {
        let Config { system, games, concurrency, .. } = self;
        if self.sprt.is_some() && system.kind != SystemKind::Match {
            return Err(bad("sprt", format!("a {} has no test: expected a match of two engines", system.kind.name())));
        }
        if !(1..=MOST_GAMES).contains(games) {
            return Err(bad("games", format!("{games}: expected 1 to {MOST_GAMES}")));
        }
        if !(1..=MOST_CONCURRENT).contains(concurrency) {
            return Err(bad("concurrency", format!("{concurrency}: expected 1 to {MOST_CONCURRENT}")));
        }
        // Whatever else does not fit shows when the tournament is made.
        self.tournament().map(drop)
    }

    /// The tournament, of which nothing has been played.
    ///
    /// # Errors
    /// None for a config that [`Config::new`] made.
    pub fn tournament(&self) -> Result<Tournament, ConfigError> {
        self.setup().tournament()
    }

    /// Everything that has a bearing on results.
    #[must_use]
    pub fn setup(&self) -> Setup {
        Setup::from(self)
    }

    /// Cores that a game keeps busy.
    #[must_use]
    pub fn cores_of_a_game(&self) -> usize {
        cores_for(&self.engines)
    }
}

/// Checks what a file says by itself.
fn check_file(file: &ConfigFile) -> Result<(), ConfigError> {
    // An empty text says what none says.
    let names = [("event", &file.event), ("site", &file.site)]
        .into_iter()
        .filter_map(|(key, text)| Some((key, text.as_deref().filter(|text| !text.is_empty())?)));
    let teams = file.team.iter().map(|team| ("team", team.name.as_str()));
    for (key, text) in names.chain(teams) {
        check_name(text).map_err(|error| bad(key, format!("{text:?}: {error}")))?;
    }
    let engines = file.engine.len();
    if engines < 2 {
        return Err(bad("engine", format!("{engines} given: expected two or more, by [[engine]] or --engine")));
    }
    if file.draws == Some(false) && file.draws_from.is_some() {
        return Err(bad("draws_from", "does not apply with draws = false"));
    }
    Ok(())
}

fn complete_rules(file: &ConfigFile) -> GameRules {
    let default = GameRules::default();
    GameRules {
        repetition: file.rules.unwrap_or(default.repetition),
        natural_limit: match file.natural_limit {
            None => default.natural_limit,
            Some(0) => None,
            Some(limit) => Some(limit),
        },
        dead_material: file.dead_material.unwrap_or(default.dead_material),
        max_plies: file.max_plies,
        adjudication: file.adjudication.unwrap_or(default.adjudication),
        draw_offers: match file.draws {
            Some(false) => DrawOffers::Never,
            _ => DrawOffers::FromPly(file.draws_from.unwrap_or(0)),
        },
        margins: file.margin.map_or(default.margins, |margin| [Duration::from_millis(margin.into()); 2]),
    }
}

fn complete_options(file: &ConfigFile) -> Result<PlayOptions, ConfigError> {
    let seconds = |key: &str, value: Option<f64>, default| match value {
        None => Ok(default),
        Some(value) => Duration::try_from_secs_f64(value)
            .ok()
            .filter(|time| (1..=1_000_000).contains(&time.as_millis()))
            .ok_or_else(|| bad(key, format!("{value}: expected seconds from 0.001 to 1000"))),
    };
    let default = PlayOptions::default();
    Ok(PlayOptions {
        grace: seconds("grace", file.grace, default.grace)?,
        hang: seconds("patience", file.patience, default.hang)?,
        ..default
    })
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
