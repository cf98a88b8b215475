//! The lines of a journal.

use std::ops::Range;

use chuhe_client::player::Fault;
use chuhe_movegen::Color;
use serde::{Deserialize, Serialize};

use super::Fingerprint;
use crate::outcome::Outcome;
use crate::played::Termination;
use crate::systems::{Bye, Encounter, EntrantId, GameRecord, GameSlot};

/// The version of the format written here.
pub const FORMAT: u32 = 1;

/// One line: when, and what.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// Milliseconds since 1970.
    pub at: u64,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

/// What can happen.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The tournament begins; always the first line and only there.
    Begin(Begin),
    /// It goes on after an interruption.
    Resume,
    /// Who meets whom, who is free, who reached the finals.
    Announce(Announcement),
    /// A game is over.
    Game(Box<FinishedGame>),
    /// The organiser decided something.
    Act(OrganiserAct),
    /// The tournament is over; acts may still follow.
    End,
}

/// What is being played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Begin {
    /// [`FORMAT`].
    pub format: u32,
    /// Everything that has a bearing on results, to tell whether a later run is the same tournament.
    pub setup: serde_json::Value,
}

/// What a plan brought that was not known before.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Announcement {
    /// Who meets whom.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub encounters: Vec<Encounter>,
    /// Who is free.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub byes: Vec<Bye>,
    /// Who plays in the finals, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub qualified: Vec<EntrantId>,
}

impl Announcement {
    /// Whether it says nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.encounters.is_empty() && self.byes.is_empty() && self.qualified.is_empty()
    }
}

/// A game that is over.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FinishedGame {
    /// Its number, from 1 in the order in which games end.
    pub number: u32,
    /// Its place in the tournament.
    pub slot: GameSlot,
    /// The engine that had Red.
    pub red: String,
    /// The engine that had Black.
    pub black: String,
    /// How it was played and ended.
    #[serde(flatten)]
    pub report: GameReport,
    /// Where it stands in the PGN file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pgn: Option<Span>,
    /// What stands there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<Fingerprint>,
}

impl FinishedGame {
    /// What tables need of it.
    #[must_use]
    pub fn record(&self) -> GameRecord {
        GameRecord { slot: self.slot, outcome: self.report.outcome, fouls: self.report.fouls }
    }
}

/// How a game was played and ended, without its moves.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameReport {
    /// The result.
    pub outcome: Outcome,
    /// Why.
    pub termination: Termination,
    /// The evidence in one line.
    pub reason: String,
    /// The opening.
    pub opening: OpeningName,
    /// Plies, those of the opening among them.
    pub plies: u32,
    /// When it began, in milliseconds since 1970.
    pub started: u64,
    /// How long it took.
    pub duration_ms: u64,
    /// Fouls (犯规) of Red and of Black.
    #[serde(default)]
    pub fouls: [u16; 2],
    /// How Red and Black used their time.
    pub usage: [Usage; 2],
    /// The fault that decided it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<SideFault>,
    /// Faults that did not decide it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub minor_faults: Vec<SideFault>,
}

/// A fault and whose it was.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SideFault {
    /// Who committed it.
    #[serde(with = "color")]
    pub side: Color,
    /// What it was.
    #[serde(flatten)]
    pub fault: Fault,
}

/// Which opening a game was played on.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct OpeningName {
    /// Its number in the order in which openings are handed out; the two games of a pair have the same.
    pub index: u64,
    /// Its name; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
}

/// What one side of a game used.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Moves of its own.
    pub moves: u32,
    /// Time for them.
    pub time_ms: f64,
    /// Moves with a depth told, and the sum of these depths.
    pub depths: [u64; 2],
    /// Positions searched, as told.
    pub nodes: u64,
    /// Time of the moves with nodes told.
    pub nodes_time_ms: f64,
    /// Moves that took longer than the time allowed.
    pub oversteps: u32,
    /// The largest of these excesses.
    pub overstep_max_ms: f64,
    /// Processor time during the game, where it can be measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_s: Option<f64>,
}

/// A part of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Span {
    /// Where it begins.
    pub offset: u64,
    /// How long it is.
    pub length: u64,
}

impl Span {
    /// Where it ends.
    #[must_use]
    pub const fn end(self) -> u64 {
        self.offset.saturating_add(self.length)
    }

    /// The bytes of the file that it covers.
    #[must_use]
    pub const fn range(self) -> Range<u64> {
        self.offset..self.end()
    }
}

impl From<Range<u64>> for Span {
    fn from(range: Range<u64>) -> Span {
        Span { offset: range.start, length: range.end.saturating_sub(range.start) }
    }
}

/// A decision of the organiser.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OrganiserAct {
    /// What was decided.
    #[serde(flatten)]
    pub act: Act,
    /// Why.
    pub reason: String,
    /// When it was left for a tournament that was being played, in milliseconds since 1970. A decision that is found again
    /// is known by this from one that says the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_at: Option<u64>,
}

/// What an organiser can decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "kebab-case")]
pub enum Act {
    /// A game has another result.
    Correct {
        /// The game's number.
        game: u32,
        /// The result.
        outcome: Outcome,
    },
    /// A game that was played is lost without a game.
    ForfeitGame {
        /// The game's number.
        game: u32,
        /// Who loses it.
        entrant: EntrantId,
    },
    /// All games of a round that are still to be played are lost without a game.
    ForfeitRound {
        /// The stage, from 1.
        stage: u16,
        /// The round, from 1.
        round: u16,
        /// Who loses them.
        entrant: EntrantId,
    },
    /// An entrant takes no further part (article 20).
    Withdraw {
        /// Who.
        entrant: EntrantId,
        /// Whether nothing had been announced yet.
        before_start: bool,
    },
    /// A game is played again; its result is void.
    Replay {
        /// The game's number.
        game: u32,
    },
}

/// Colours by name.
mod color {
    use chuhe_movegen::Color;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Name {
        Red,
        Black,
    }

    pub(super) fn serialize<S: Serializer>(color: &Color, out: S) -> Result<S::Ok, S::Error> {
        match color {
            Color::Red => Name::Red,
            Color::Black => Name::Black,
        }
        .serialize(out)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<Color, D::Error> {
        Ok(match Name::deserialize(input)? {
            Name::Red => Color::Red,
            Name::Black => Color::Black,
        })
    }
}
