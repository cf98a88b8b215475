//! Tournament systems (article 11): who meets whom next, with which colours, and where everyone stands.
//!
//! A system is a value that never changes. [`System::next`] reads what has happened, the [`History`], and says which
//! games may start; [`System::standings`] says what the games are worth. The caller keeps the history: it adds each
//! [`Encounter`] and [`Bye`] when it is announced, each [`GameRecord`] when a game is over, and each [`Withdrawal`].
//! What was announced is never paired anew, so a result that the organiser corrects later changes the tables and the
//! rounds still to come, not those already on.
//!
//! | system | article | type |
//! |---|---|---|
//! | single and double round robin (大循环制) | 11.2 | [`RoundRobin`] |
//! | gauntlet: a few against all others | – | [`Gauntlet`] |
//! | knock-out and double knock-out (淘汰制) | 11.1 | [`KnockOut`] |
//! | groups with finals (分组循环制) | 11.3 | [`Groups`] |
//! | Swiss (积分编排制) | 11.4 | [`Swiss`] |
//!
//! Each serves single engines and teams (article 12.1) alike: see [`Format`].

mod bracket;
mod cross_table;
mod gauntlet;
mod groups;
mod ledger;
mod lots;
mod round_robin;
mod rounds;
mod standings;
pub mod swiss;

use std::collections::BTreeSet;
use std::fmt;

use chuhe_movegen::Color;
use serde::{Deserialize, Serialize};

use crate::outcome::Outcome;

pub use bracket::{KnockOut, KnockOutKind};
pub use cross_table::{CrossCell, CrossRow, CrossTable};
pub use gauntlet::Gauntlet;
pub use groups::{FinalStage, Groups};
pub use round_robin::{Cycles, RoundRobin, berger_round};
pub use rounds::{EncounterResult, Round, rounds};
pub use standings::{Criterion, CriterionValue, PlaceRow, Standings, places_by_members};
pub use swiss::Swiss;

/// An engine or a team, by its number in the starting list: the first and strongest is 1.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EntrantId(u16);

impl EntrantId {
    /// The entrant with a number in the starting list.
    #[must_use]
    pub const fn new(number: u16) -> EntrantId {
        EntrantId(number)
    }

    /// The number in the starting list.
    #[must_use]
    pub const fn number(self) -> u16 {
        self.0
    }

    /// The place in a list that begins at 0; `None` for the number 0, which nobody has.
    pub(crate) fn index(self) -> Option<usize> {
        usize::from(self.0).checked_sub(1)
    }
}

impl fmt::Display for EntrantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// How many games two entrants play when they meet.
///
/// One board and one game is the single game of article 15. Two games are the two-game system of article 13.5, colours
/// exchanged in the second. More than one board makes it a team match (article 12.1): the first team has Red on the odd
/// boards and Black on the even ones (article 13.2), boards stand for fixed players, and a match is worth match points
/// beside board points (article 14.2).
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Format {
    /// Boards of a team match; 1 for single engines.
    pub boards: u16,
    /// Games on each board.
    pub games: u16,
}

impl Format {
    /// One game between single engines.
    pub const SINGLE_GAME: Format = Format { boards: 1, games: 1 };
    /// Two games between single engines, colours exchanged.
    pub const TWO_GAMES: Format = Format { boards: 1, games: 2 };

    /// Whether entrants are teams.
    #[must_use]
    pub const fn is_team(self) -> bool {
        self.boards > 1
    }

    /// Games of one encounter.
    #[must_use]
    pub const fn games_per_encounter(self) -> u32 {
        self.boards as u32 * self.games as u32
    }

    /// The games of an encounter in the order they are played.
    pub fn slots(self, encounter: Encounter) -> impl Iterator<Item = GameSlot> {
        (1..=self.games).flat_map(move |game| (1..=self.boards).map(move |board| GameSlot { encounter, board, game }))
    }

    fn check(self) -> Result<(), SystemError> {
        if self.boards == 0 || self.games == 0 || self.games_per_encounter() > 10_000 {
            return Err(SystemError::Format { boards: self.boards, games: self.games });
        }
        Ok(())
    }
}

/// Two entrants who meet.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Encounter {
    /// The stage, counted from 1: only [`Groups`] has a second one.
    pub stage: u16,
    /// The round, counted from 1.
    pub round: u16,
    /// The table within the round, counted from 1.
    pub table: u16,
    /// Who has Red in the first game on the first board (先走).
    pub first: EntrantId,
    /// The other.
    pub second: EntrantId,
}

impl Encounter {
    /// Stage, round and table, which name an encounter.
    #[must_use]
    pub const fn key(&self) -> (u16, u16, u16) {
        (self.stage, self.round, self.table)
    }

    /// Whether an entrant takes part.
    #[must_use]
    pub fn has(&self, entrant: EntrantId) -> bool {
        self.first == entrant || self.second == entrant
    }
}

impl fmt::Display for Encounter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Encounter { stage, round, table, first, second } = self;
        write!(f, "stage {stage}, round {round}, table {table} ({first} against {second})")
    }
}

/// One game of an encounter.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameSlot {
    /// The encounter it belongs to.
    pub encounter: Encounter,
    /// The board, counted from 1.
    pub board: u16,
    /// The game on that board, counted from 1; knock-out encounters go on past the format's games until decided.
    pub game: u16,
}

impl GameSlot {
    /// The colour of the encounter's first entrant: Red on odd boards, exchanged from game to game (articles 13.2 and
    /// 13.5).
    #[must_use]
    pub const fn color_of_first(&self) -> Color {
        if self.board % 2 == self.game % 2 { Color::Red } else { Color::Black }
    }

    /// Who has Red.
    #[must_use]
    pub fn red(&self) -> EntrantId {
        if self.color_of_first() == Color::Red { self.encounter.first } else { self.encounter.second }
    }

    /// Who has Black.
    #[must_use]
    pub fn black(&self) -> EntrantId {
        if self.color_of_first() == Color::Red { self.encounter.second } else { self.encounter.first }
    }
}

/// A game that is over.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameRecord {
    /// Which game.
    pub slot: GameSlot,
    /// How it ended.
    pub outcome: Outcome,
    /// Fouls (犯规, article 9) of Red and of Black: they decide between equals (article 15).
    #[serde(default)]
    pub fouls: [u16; 2],
}

/// An entrant who is free in a round.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bye {
    /// The stage, counted from 1.
    pub stage: u16,
    /// The round, counted from 1.
    pub round: u16,
    /// Who is free.
    pub entrant: EntrantId,
}

/// An entrant who takes no further part (article 20).
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Withdrawal {
    /// Who leaves.
    pub entrant: EntrantId,
    /// Whether this was before the start (article 20.2) or not (20.3 and 20.4).
    pub before_start: bool,
}

/// What has happened so far.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct History {
    /// Encounters announced.
    #[serde(default)]
    pub encounters: Vec<Encounter>,
    /// Byes announced.
    #[serde(default)]
    pub byes: Vec<Bye>,
    /// Games over.
    #[serde(default)]
    pub games: Vec<GameRecord>,
    /// Entrants who left.
    #[serde(default)]
    pub withdrawals: Vec<Withdrawal>,
    /// Who plays in the finals, as announced.
    #[serde(default)]
    pub qualified: Vec<EntrantId>,
}

impl History {
    /// Adds what a plan announces, once.
    pub fn announce(&mut self, plan: &Plan) {
        let mut known: BTreeSet<Encounter> = self.encounters.iter().copied().collect();
        for slot in &plan.games {
            if known.insert(slot.encounter) {
                self.encounters.push(slot.encounter);
            }
        }
        for bye in &plan.byes {
            if !self.byes.contains(bye) {
                self.byes.push(*bye);
            }
        }
        if self.qualified.is_empty() {
            self.qualified.clone_from(&plan.qualified);
        }
    }

    pub(crate) fn has_withdrawn(&self, entrant: EntrantId) -> bool {
        self.withdrawals.iter().any(|withdrawal| withdrawal.entrant == entrant)
    }

    fn left_before_start(&self, entrant: EntrantId) -> bool {
        self.withdrawals.iter().any(|withdrawal| withdrawal.entrant == entrant && withdrawal.before_start)
    }
}

/// Games that may be played now.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Plan {
    /// Games without a result that do not depend on one still to come, in order.
    pub games: Vec<GameSlot>,
    /// Who is free in the rounds of those games.
    pub byes: Vec<Bye>,
    /// Who plays in the finals, best first, once the groups are over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub qualified: Vec<EntrantId>,
}

/// What comes next.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Next {
    /// Games to play; all others wait for them.
    Play(Plan),
    /// Nothing: the tournament is over.
    Finished,
}

/// A range of numbers in words.
fn range(least: usize, most: usize) -> String {
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

/// A tournament that cannot be held, or a history that is not one of it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SystemError {
    /// Too few or too many entrants.
    #[error("{found} entrants: expected {least} to {most}")]
    Entrants {
        /// How many there are.
        found: usize,
        /// The least number.
        least: usize,
        /// The greatest number.
        most: usize,
    },
    /// An encounter without games, or with absurdly many.
    #[error("{boards} boards of {games} games: expected at least one of each and at most 10000 games in all")]
    Format {
        /// Boards.
        boards: u16,
        /// Games a board.
        games: u16,
    },
    /// A number that makes no tournament.
    #[error("{what} is {found}: expected {}", range(*least, *most))]
    Setting {
        /// Which number.
        what: &'static str,
        /// What it is.
        found: usize,
        /// The least that makes sense.
        least: usize,
        /// The greatest.
        most: usize,
    },
    /// Somebody who does not take part.
    #[error("entrant {entrant} in {place}: expected a number from 1 to {count}")]
    UnknownEntrant {
        /// The number.
        entrant: EntrantId,
        /// Where it stands.
        place: &'static str,
        /// How many entrants there are.
        count: usize,
    },
    /// Two encounters with one name, or one against oneself.
    #[error("{encounter} is impossible: expected two different entrants at a table of their own")]
    BadEncounter {
        /// The encounter.
        encounter: Encounter,
    },
    /// A game of an encounter that was not announced and is not on the schedule.
    #[error("a result for {encounter}: expected an encounter that was announced")]
    UnknownEncounter {
        /// The encounter.
        encounter: Encounter,
    },
    /// A game that the encounter does not have.
    #[error(
        "a result for board {board}, game {game} of {encounter}: expected boards up to {boards} and games up to {games}"
    )]
    UnknownGame {
        /// The encounter.
        encounter: Encounter,
        /// The board.
        board: u16,
        /// The game.
        game: u16,
        /// Boards there are.
        boards: u16,
        /// Games a board there are.
        games: u16,
    },
    /// Two results for one game.
    #[error("a second result for board {board}, game {game} of {encounter}: expected one")]
    SecondResult {
        /// The encounter.
        encounter: Encounter,
        /// The board.
        board: u16,
        /// The game.
        game: u16,
    },
}

/// The most entrants of a tournament.
pub const MAX_ENTRANTS: usize = 200;

/// A tournament system.
pub trait System: fmt::Debug {
    /// How many entrants there are.
    fn entrants(&self) -> usize;

    /// Which games come next.
    ///
    /// # Errors
    /// When the history is not one of this tournament.
    fn next(&self, history: &History) -> Result<Next, SystemError>;

    /// Where everyone stands, games in progress not counted.
    ///
    /// # Errors
    /// When the history is not one of this tournament.
    fn standings(&self, history: &History) -> Result<Standings, SystemError>;

    /// The results of everyone against everyone, in the order of the standings.
    ///
    /// # Errors
    /// When the history is not one of this tournament.
    fn cross_table(&self, history: &History) -> Result<CrossTable, SystemError>;

    /// The tables of the groups, one for each; none when the system has no groups.
    ///
    /// # Errors
    /// When the history is not one of this tournament.
    fn groups(&self, _history: &History) -> Result<Vec<Standings>, SystemError> {
        Ok(Vec::new())
    }
}

/// Checks the number of entrants of a system that needs `least`.
fn check_entrants(found: usize, least: usize) -> Result<(), SystemError> {
    if (least..=MAX_ENTRANTS).contains(&found) {
        Ok(())
    } else {
        Err(SystemError::Entrants { found, least, most: MAX_ENTRANTS })
    }
}

/// Entrants 1 to `count`.
fn all_entrants(count: usize) -> impl Iterator<Item = EntrantId> {
    (1..=u16::try_from(count).unwrap_or(u16::MAX)).map(EntrantId)
}
