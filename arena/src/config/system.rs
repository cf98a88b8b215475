//! Tournament systems as they are written in a file.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::ConfigError;
use crate::systems::{
    Cycles, FinalStage, Format, Gauntlet, Groups, KnockOut, KnockOutKind, RoundRobin, Swiss, System, SystemError,
};
use crate::tournament::Course;

/// A way to run a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SystemKind {
    /// Two engines, so many games.
    Match,
    /// Everyone meets everyone (大循环制).
    RoundRobin,
    /// Twice, with colours reversed.
    DoubleRoundRobin,
    /// The first ones meet all others.
    Gauntlet,
    /// Who loses is out (淘汰制).
    KnockOut,
    /// Who loses twice is out.
    DoubleKnockOut,
    /// Groups with finals (分组循环制).
    Groups,
    /// Swiss (积分编排制).
    Swiss,
}

impl SystemKind {
    /// All of them.
    pub const ALL: [SystemKind; 8] = [
        SystemKind::Match,
        SystemKind::RoundRobin,
        SystemKind::DoubleRoundRobin,
        SystemKind::Gauntlet,
        SystemKind::KnockOut,
        SystemKind::DoubleKnockOut,
        SystemKind::Groups,
        SystemKind::Swiss,
    ];

    /// Its name in files and flags.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            SystemKind::Match => "match",
            SystemKind::RoundRobin => "round-robin",
            SystemKind::DoubleRoundRobin => "double-round-robin",
            SystemKind::Gauntlet => "gauntlet",
            SystemKind::KnockOut => "knock-out",
            SystemKind::DoubleKnockOut => "double-knock-out",
            SystemKind::Groups => "groups",
            SystemKind::Swiss => "swiss",
        }
    }

    /// The settings that mean something to it.
    const fn settings(self) -> &'static [&'static str] {
        match self {
            SystemKind::Match | SystemKind::RoundRobin | SystemKind::DoubleRoundRobin => &[],
            SystemKind::Gauntlet => &["challengers"],
            SystemKind::KnockOut => &["third_place", "extra_games", "seed"],
            SystemKind::DoubleKnockOut => &["extra_games", "seed"],
            SystemKind::Groups => &["groups", "qualify", "cycles", "finals", "third_place", "extra_games", "seed"],
            SystemKind::Swiss => &["rounds", "seed"],
        }
    }
}

/// A system with its settings; not each system has all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SystemConfig {
    /// Which system.
    pub kind: SystemKind,
    /// Swiss: rounds; without it as many as let one entrant win them all, and one more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u16>,
    /// Gauntlet: how many of the first entrants meet the others; 1 without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub challengers: Option<usize>,
    /// Knock-out: whether the losers of the semi-finals meet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub third_place: Option<bool>,
    /// Knock-out: games more, on each board, for an encounter without a winner; 4 without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extra_games: Option<u16>,
    /// Draws the lots; 0 without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Groups: how many; 2 without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<usize>,
    /// Groups: how many of each reach the finals; 1 without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qualify: Option<usize>,
    /// Groups: how often everyone of a group meets everyone; once without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycles: Option<Cycles>,
    /// Groups: the finals' system; a single round robin without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finals: Option<SystemKind>,
}

impl SystemConfig {
    /// A system without settings.
    #[must_use]
    pub const fn of(kind: SystemKind) -> SystemConfig {
        SystemConfig {
            kind,
            rounds: None,
            challengers: None,
            third_place: None,
            extra_games: None,
            seed: None,
            groups: None,
            qualify: None,
            cycles: None,
            finals: None,
        }
    }

    /// The names of what is set.
    fn set(&self) -> Vec<&'static str> {
        let all = [
            ("rounds", self.rounds.is_some()),
            ("challengers", self.challengers.is_some()),
            ("third_place", self.third_place.is_some()),
            ("extra_games", self.extra_games.is_some()),
            ("seed", self.seed.is_some()),
            ("groups", self.groups.is_some()),
            ("qualify", self.qualify.is_some()),
            ("cycles", self.cycles.is_some()),
            ("finals", self.finals.is_some()),
        ];
        all.into_iter().filter(|(_, set)| *set).map(|(name, _)| name).collect()
    }

    /// The course of a tournament of so many entrants.
    ///
    /// # Errors
    /// When the settings do not fit the system or the entrants.
    pub fn course(&self, entrants: usize, boards: u16, games: u32) -> Result<Course, ConfigError> {
        let SystemConfig {
            rounds, challengers, third_place, extra_games, seed, groups, qualify, cycles, finals, ..
        } = *self;
        if let Some(key) = self.set().into_iter().find(|key| !self.kind.settings().contains(key)) {
            return Err(ConfigError::Value {
                key: format!("system.{key}"),
                problem: format!("does not apply to {}", self.kind.name()),
            });
        }
        if self.kind == SystemKind::Match {
            if entrants != 2 || boards != 1 {
                return Err(ConfigError::Value {
                    key: "system".to_owned(),
                    problem: "a match is between two engines: expected two, or another system".to_owned(),
                });
            }
            return Ok(Course::Match { games });
        }
        let Ok(games) = u16::try_from(games) else {
            let problem = format!("{games} games per encounter: expected at most 10000");
            return Err(ConfigError::Value { key: "games".to_owned(), problem });
        };
        let format = Format { boards, games };
        let meetings = match self.kind {
            SystemKind::RoundRobin | SystemKind::Gauntlet | SystemKind::Groups => {
                entrants * entrants.saturating_sub(1) / 2
            }
            SystemKind::DoubleRoundRobin => entrants * entrants.saturating_sub(1),
            // These are planned round by round.
            SystemKind::Match | SystemKind::KnockOut | SystemKind::DoubleKnockOut | SystemKind::Swiss => 0,
        };
        let planned = meetings as u64 * u64::from(format.games_per_encounter());
        if planned > MOST_PLANNED {
            let problem = format!("up to {planned} games in all: expected at most {MOST_PLANNED}");
            return Err(ConfigError::Value { key: "games".to_owned(), problem });
        }
        let seed = seed.unwrap_or(0);
        let more = extra_games.unwrap_or(DEFAULT_EXTRA_GAMES);
        let single = KnockOutKind::Single { third_place: third_place.unwrap_or(false) };
        let mut cycle = 0;
        let mut extra = 0;
        let system = |error: SystemError| ConfigError::Value { key: "system".to_owned(), problem: error.to_string() };
        let system: Box<dyn System> = match self.kind {
            SystemKind::Match | SystemKind::RoundRobin => {
                Box::new(RoundRobin::new(entrants, Cycles::Single, format).map_err(system)?)
            }
            SystemKind::DoubleRoundRobin => {
                // An even number of games is pairs by itself, and the second cycle has openings of its own.
                if games % 2 == 1 {
                    cycle = (entrants + entrants % 2).saturating_sub(1) as u16;
                }
                Box::new(RoundRobin::new(entrants, Cycles::Double, format).map_err(system)?)
            }
            SystemKind::Gauntlet => {
                Box::new(Gauntlet::new(entrants, challengers.unwrap_or(1), format).map_err(system)?)
            }
            SystemKind::KnockOut | SystemKind::DoubleKnockOut => {
                extra = more;
                let kind = if self.kind == SystemKind::KnockOut { single } else { KnockOutKind::Double };
                Box::new(KnockOut::new(entrants, kind, format, more, seed).map_err(system)?)
            }
            SystemKind::Groups => {
                let knock_out = |kind| FinalStage::KnockOut { kind, extra_games: more, seed };
                let finals = match finals.unwrap_or(SystemKind::RoundRobin) {
                    SystemKind::RoundRobin => FinalStage::RoundRobin(Cycles::Single),
                    SystemKind::DoubleRoundRobin => FinalStage::RoundRobin(Cycles::Double),
                    SystemKind::KnockOut => knock_out(single),
                    SystemKind::DoubleKnockOut => knock_out(KnockOutKind::Double),
                    other => {
                        return Err(ConfigError::Value {
                            key: "system.finals".to_owned(),
                            problem: format!("{} makes no finals: expected a round robin or a knock-out", other.name()),
                        });
                    }
                };
                extra = if matches!(finals, FinalStage::KnockOut { .. }) { more } else { 0 };
                let cycles = cycles.unwrap_or(Cycles::Single);
                let (groups, qualify) = (groups.unwrap_or(2), qualify.unwrap_or(1));
                Box::new(Groups::new(entrants, groups, qualify, cycles, finals, format).map_err(system)?)
            }
            SystemKind::Swiss => {
                let rounds = rounds.unwrap_or_else(|| usual_rounds(entrants));
                Box::new(Swiss::new(entrants, rounds, format, seed).map_err(system)?)
            }
        };
        Ok(Course::System { system, format, extra_games: extra, cycle })
    }
}

/// The most games of a system whose games are all planned at once.
const MOST_PLANNED: u64 = 1_000_000;
/// Games more for an undecided encounter, unless something else is said.
const DEFAULT_EXTRA_GAMES: u16 = 4;

/// Rounds of a Swiss: enough for one entrant to win them all and be alone in that, and one more, but no more than it
/// takes to meet everyone.
fn usual_rounds(entrants: usize) -> u16 {
    let enough = entrants.next_power_of_two().trailing_zeros() as usize + 1;
    enough.min((entrants + entrants % 2).saturating_sub(1)) as u16
}

impl FromStr for SystemConfig {
    type Err = String;

    /// A system by its name, without settings.
    fn from_str(name: &str) -> Result<SystemConfig, String> {
        name.parse().map(SystemConfig::of)
    }
}

impl FromStr for SystemKind {
    type Err = String;

    fn from_str(name: &str) -> Result<SystemKind, String> {
        let known = SystemKind::ALL.into_iter().find(|kind| kind.name() == name);
        known.ok_or_else(|| {
            let names = SystemKind::ALL.map(SystemKind::name).join(", ");
            format!("unknown system `{name}`: expected one of {names}")
        })
    }
}
