//! The cross table (成绩表): everyone against everyone.

use serde::{Deserialize, Serialize};

use super::EntrantId;
use super::ledger::Ledger;
use super::standings::{PlaceRow, Standings};

/// The games between two entrants from one's view.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CrossCell {
    /// Against oneself.
    Own,
    /// The marks of the games in the order of play: `1`, `½`, `0`, `+`, `-` (article 21.4); none when they have not met.
    Games(String),
}

/// A line of the cross table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CrossRow {
    /// Place, points and criteria.
    pub standing: PlaceRow,
    /// One cell for each line of the table, in order.
    pub cells: Vec<CrossCell>,
    /// Rounds in which this entrant was free.
    pub byes: Vec<u16>,
}

/// Results of everyone against everyone, best first. Results that were struck (article 20.3) are not in it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CrossTable {
    /// The lines.
    pub rows: Vec<CrossRow>,
}

impl CrossTable {
    pub(super) fn new(ledger: &Ledger, standings: Standings) -> CrossTable {
        let games = |entrant: EntrantId, opponent: EntrantId| {
            ledger
                .meetings_of(entrant)
                .filter(|meeting| meeting.opponent(entrant) == opponent)
                .flat_map(|meeting| &meeting.games)
                .map(|game| game.outcome.mark(game.color_of(entrant)))
                .collect()
        };
        let byes = |entrant| ledger.byes.iter().filter(|bye| bye.entrant == entrant).map(|bye| bye.round).collect();
        CrossTable::of(standings, games, byes)
    }

    /// A table in the order of the standings, from the marks of each entrant against each other one and its byes.
    pub(super) fn of(
        standings: Standings,
        games: impl Fn(EntrantId, EntrantId) -> String,
        byes: impl Fn(EntrantId) -> Vec<u16>,
    ) -> CrossTable {
        let order: Vec<EntrantId> = standings.rows.iter().map(|row| row.entrant).collect();
        let cell = |entrant, opponent| {
            if opponent == entrant { CrossCell::Own } else { CrossCell::Games(games(entrant, opponent)) }
        };
        let rows = standings.rows.into_iter().map(|standing| {
            let entrant = standing.entrant;
            let cells = order.iter().map(|&opponent| cell(entrant, opponent)).collect();
            CrossRow { standing, cells, byes: byes(entrant) }
        });
        CrossTable { rows: rows.collect() }
    }
}
