//! The way a tournament runs: a system of the articles, or a plain match.

use chuhe_movegen::Color;

use crate::outcome::Points;
use crate::systems::{
    self, CrossCell, CrossRow, CrossTable, Encounter, EntrantId, Format, GameRecord, GameSlot, History, PlaceRow,
    Round, Standings, System, SystemError,
};

/// Games of a match that are played as one encounter; a longer match has more of them, one a round.
const GAMES_PER_ENCOUNTER: u32 = 10_000;

/// A way to run a tournament.
#[derive(Debug)]
pub enum Course {
    /// Two engines play so many games, in pairs on the same opening with colours reversed.
    Match {
        /// How many games.
        games: u32,
    },
    /// A system of the articles.
    System {
        /// Who meets whom.
        system: Box<dyn System>,
        /// The games of an encounter.
        format: Format,
        /// Games that may follow on each board of an undecided encounter.
        extra_games: u16,
        /// Rounds after which encounters come again with colours reversed, on the same openings; 0 if they do not.
        cycle: u16,
    },
}

impl Course {
    /// Entrants it is made for.
    #[must_use]
    pub fn entrants(&self) -> usize {
        match self {
            Course::Match { .. } => 2,
            Course::System { system, .. } => system.entrants(),
        }
    }

    /// The games of a match by their number, from 0.
    pub(super) fn match_slot(index: u32) -> GameSlot {
        let round = (index / GAMES_PER_ENCOUNTER + 1) as u16;
        let game = (index % GAMES_PER_ENCOUNTER + 1) as u16;
        let encounter = Encounter { stage: 1, round, table: 1, first: EntrantId::new(1), second: EntrantId::new(2) };
        GameSlot { encounter, board: 1, game }
    }

    /// The opening of a game, by its number in the order in which openings are handed out: the same for the two games
    /// of a pair, and a function of the game's place alone, so that a run that goes on after an interruption agrees.
    #[must_use]
    pub fn opening(&self, slot: &GameSlot) -> u64 {
        let pair = u64::from(slot.game.saturating_sub(1) / 2);
        let Encounter { stage, round, table, .. } = slot.encounter;
        let round = u64::from(round.saturating_sub(1));
        match self {
            Course::Match { .. } => round * u64::from(GAMES_PER_ENCOUNTER / 2) + pair,
            Course::System { system, format, extra_games, cycle } => {
                let round = if *cycle > 0 { round % u64::from(*cycle) } else { round };
                let entrants = system.entrants().next_power_of_two() as u64;
                // At least as many as there are tables in a round, and rounds in a stage.
                let (tables, rounds) = (entrants / 2, 2 * entrants);
                let pairs = u64::from(format.games.saturating_add(*extra_games).div_ceil(2));
                let stage = u64::from(stage.saturating_sub(1));
                let encounter = (stage * rounds + round) * tables + u64::from(table.saturating_sub(1));
                let board = encounter * u64::from(format.boards) + u64::from(slot.board.saturating_sub(1));
                board * pairs + pair
            }
        }
    }

    /// Where everyone stands.
    ///
    /// # Errors
    /// When the history is not one of this tournament.
    pub fn standings(&self, history: &History) -> Result<Standings, SystemError> {
        match self {
            Course::Match { .. } => Ok(match_standings(history)),
            Course::System { system, .. } => system.standings(history),
        }
    }

    /// Everyone against everyone.
    ///
    /// # Errors
    /// When the history is not one of this tournament.
    pub fn cross_table(&self, history: &History) -> Result<CrossTable, SystemError> {
        match self {
            Course::Match { .. } => Ok(match_cross_table(history)),
            Course::System { system, .. } => system.cross_table(history),
        }
    }

    /// The tables of the groups, if there are any.
    ///
    /// # Errors
    /// When the history is not one of this tournament.
    pub fn groups(&self, history: &History) -> Result<Vec<Standings>, SystemError> {
        match self {
            Course::Match { .. } => Ok(Vec::new()),
            Course::System { system, .. } => system.groups(history),
        }
    }

    /// The rounds announced so far; a match has none.
    #[must_use]
    pub fn rounds(&self, history: &History) -> Vec<Round> {
        match self {
            Course::Match { .. } => Vec::new(),
            Course::System { format, .. } => systems::rounds(history, *format),
        }
    }
}

/// The two sides of a match.
const SIDES: [EntrantId; 2] = [EntrantId::new(1), EntrantId::new(2)];

/// The colour of a side in a game.
fn color_of(side: EntrantId, record: &GameRecord) -> Color {
    if record.slot.red() == side { Color::Red } else { Color::Black }
}

fn match_standings(history: &History) -> Standings {
    let mut rows = SIDES.map(|entrant| {
        let mut won_drawn_lost = [0; 3];
        for record in &history.games {
            let points = record.outcome.points(color_of(entrant, record));
            won_drawn_lost[2 - points.halves() as usize] += 1;
        }
        PlaceRow {
            place: 1,
            entrant,
            points: Points::from_halves(2 * won_drawn_lost[0] + won_drawn_lost[1]),
            games: history.games.len() as u32,
            won_drawn_lost,
            byes: 0,
            matches: None,
            criteria: Vec::new(),
            unranked: false,
        }
    });
    rows.sort_by_key(|row| std::cmp::Reverse(row.points));
    if rows[1].points < rows[0].points {
        rows[1].place = 2;
    }
    Standings { rows: rows.to_vec() }
}

fn match_cross_table(history: &History) -> CrossTable {
    let mut games: Vec<&GameRecord> = history.games.iter().collect();
    games.sort_unstable_by_key(|record| record.slot);
    let marks = |side| games.iter().map(|record| record.outcome.mark(color_of(side, record))).collect();
    let rows = match_standings(history).rows.into_iter().enumerate().map(|(i, standing)| {
        let games = CrossCell::Games(marks(standing.entrant));
        let cells = if i == 0 { vec![CrossCell::Own, games] } else { vec![games, CrossCell::Own] };
        CrossRow { standing, cells, byes: Vec::new() }
    });
    CrossTable { rows: rows.collect() }
}
