//! What a journal begins with.

use std::path::PathBuf;

use chuhe_client::time_control::TimeControl;
use chuhe_client::{EngineSpec, Protocol};
use chuhe_rules::RuleSet;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Config, ConfigError, OpeningOrderName, OpeningsConfig, SystemConfig, TeamConfig};
use crate::adjudication::Adjudication;
use crate::journal::Fingerprint;
use crate::referee::{DrawOffers, GameRules};
use crate::stats::Sprt;
use crate::tournament::{Roster, Tournament};

/// Everything about a tournament that has a bearing on its results. Where files lie, how many games run at once and what
/// is shown has none.
///
/// A journal begins with it, so that a later run can tell whether it is the same tournament, and so that the journal can be
/// read without its engines. What is not set is written as `null`, and must go on to be: a setup that is written otherwise
/// is another one to [`resume`](crate::journal::resume).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Setup {
    /// The tournament's name.
    pub event: String,
    /// The system.
    pub system: SystemConfig,
    /// Games per encounter; of a match: games in all.
    pub games: u32,
    /// Where games begin.
    pub openings: OpeningsSetup,
    /// The engines in the order of the list.
    pub engines: Vec<EngineSetup>,
    /// The teams, if teams play.
    pub teams: Vec<TeamConfig>,
    /// The rules of a game.
    pub rules: RulesSetup,
    /// A sequential test.
    pub sprt: Option<Sprt>,
    /// Whether there is a file of games.
    pub pgn: bool,
}

/// Where games begin: an [`OpeningsConfig`], and what its file held.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct OpeningsSetup {
    /// See [`OpeningsConfig::source`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// See [`OpeningsConfig::plies`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<usize>,
    /// See [`OpeningsConfig::order`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<OpeningOrderName>,
    /// See [`OpeningsConfig::seed`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// See [`OpeningsConfig::start`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<u64>,
    /// That of the file, which may change under the same name; `None` when the openings come from none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<Fingerprint>,
}

/// An engine as far as it has a bearing on results.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EngineSetup {
    /// What tables call it.
    pub name: String,
    /// The program and its arguments.
    pub cmd: Vec<String>,
    /// Working folder.
    pub dir: Option<PathBuf>,
    /// The protocol, if it was said.
    pub proto: Option<Protocol>,
    /// Options in the order in which they are set, each as `NAME=VALUE`.
    pub options: Vec<String>,
    /// Its time control.
    pub tc: TimeControl,
    /// Milliseconds by which it may overstep its time, if it has a margin of its own.
    pub margin_ms: Option<u64>,
    /// Whether it may think on the opponent's time.
    pub ponder: bool,
    /// Whether each game begins with a fresh process.
    pub restart: bool,
}

/// [`GameRules`] as they are written.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RulesSetup {
    /// Which repetitions lose.
    #[serde(with = "rule_set")]
    pub repetition: RuleSet,
    /// Half-moves without a capture after which a game is drawn.
    pub natural_limit: Option<u16>,
    /// Whether a game is drawn when nobody can win.
    pub dead_material: bool,
    /// Half-moves after which a game is drawn.
    pub max_plies: Option<u32>,
    /// When scores end a game.
    pub adjudication: Adjudication,
    /// The half-move from which draws can be agreed on; `None`: never.
    pub draws_from: Option<u32>,
    /// Milliseconds by which an engine may exceed its time.
    pub margin_ms: u64,
}

impl Setup {
    /// The setup in a journal.
    ///
    /// # Errors
    /// When it is not one of ours.
    pub fn read(setup: &Value) -> Result<Setup, ConfigError> {
        Setup::deserialize(setup)
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
}

impl From<&Config> for Setup {
    fn from(config: &Config) -> Setup {
        Setup {
            event: config.event.clone(),
            system: config.system,
            games: config.games,
            openings: OpeningsSetup::from(&config.openings),
            engines: config.engines.iter().zip(&config.times).map(EngineSetup::from).collect(),
            teams: config.teams.clone(),
            rules: RulesSetup::from(&config.rules),
            sprt: config.sprt,
            pgn: config.pgn.is_some(),
        }
    }
}

impl From<&OpeningsConfig> for OpeningsSetup {
    fn from(config: &OpeningsConfig) -> OpeningsSetup {
        let OpeningsConfig { source, plies, order, seed, start } = config.clone();
        OpeningsSetup { source, plies, order, seed, start, fingerprint: None }
    }
}

impl From<(&EngineSpec, &TimeControl)> for EngineSetup {
    fn from((engine, time): (&EngineSpec, &TimeControl)) -> EngineSetup {
        EngineSetup {
            name: engine.name.clone(),
            cmd: engine.command.clone(),
            dir: engine.dir.clone(),
            proto: engine.protocol,
            options: engine.options.iter().map(|(name, value)| format!("{name}={value}")).collect(),
            tc: time.clone(),
            margin_ms: engine.margin.map(|margin| margin.as_millis() as u64),
            ponder: engine.ponder.unwrap_or(false),
            restart: engine.restart.unwrap_or(false),
        }
    }
}

impl From<&GameRules> for RulesSetup {
    fn from(rules: &GameRules) -> RulesSetup {
        RulesSetup {
            repetition: rules.repetition,
            natural_limit: rules.natural_limit,
            dead_material: rules.dead_material,
            max_plies: rules.max_plies,
            adjudication: rules.adjudication,
            draws_from: match rules.draw_offers {
                DrawOffers::Never => None,
                DrawOffers::FromPly(ply) => Some(ply),
            },
            margin_ms: rules.margins[0].as_millis() as u64,
        }
    }
}

/// Rule sets by name.
mod rule_set {
    use chuhe_rules::RuleSet;
    use serde::{Deserialize as _, Deserializer, Serializer, de};

    pub(super) fn serialize<S: Serializer>(rules: &RuleSet, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(rules.name())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<RuleSet, D::Error> {
        String::deserialize(input)?.parse().map_err(de::Error::custom)
    }
}
