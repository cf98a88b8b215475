//! What a tournament came to, for people: tables made once for terminal and page, the page itself, the score while it runs.
//!
//! How boards, games and charts look is the business of `chuhe_report`; here is what a tournament has to show.

mod facts;
mod page;
mod redraw;
mod results;
mod seen;
mod tables;

use std::io;
use std::path::PathBuf;

use chuhe_files::WriteError;

pub use facts::{facts, facts_of_run};
pub use page::{MOST_GAMES, Page, write_page};
pub use redraw::redraw;
pub use results::{Results, game_line};
pub use seen::Seen;

use crate::config::ConfigError;
use crate::journal::{Act, JournalError};
use crate::tournament::Tournament;

/// A report that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The games cannot be those of the tournament.
    #[error("{0}")]
    History(String),
    /// The setup in the journal is not one.
    #[error(transparent)]
    Setup(#[from] ConfigError),
    /// The game file of the run cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A game of the game file is not PGN.
    #[error("game {game} of the game file cannot be read")]
    Unreadable {
        /// Its number.
        game: u32,
    },
    /// A file of games cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file of games is not that of the journal.
    #[error("{}: game {game} differs from the journal", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
        /// The number of the game.
        game: u32,
    },
    /// The page cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// What was decided, in words.
#[must_use]
pub fn decision_text(act: &Act, tournament: &Tournament) -> String {
    let roster = tournament.roster();
    match *act {
        Act::Correct { game, outcome } => format!("game {game} is {}", outcome.score_text()),
        Act::ForfeitGame { game, entrant } => format!("{} forfeits game {game}", roster.name(entrant)),
        Act::ForfeitRound { stage, round, entrant } => {
            let stage = if stage == 1 { String::new() } else { format!(" of stage {stage}") };
            format!("{} forfeits its remaining games of round {round}{stage}", roster.name(entrant))
        }
        Act::Withdraw { entrant, before_start } => {
            let when = if before_start { " before the start" } else { "" };
            format!("{} withdraws{when}", roster.name(entrant))
        }
        Act::Replay { game } => format!("game {game} is played again"),
    }
}

/// The score so far on one line: the leaders, and in a match Elo and sequential test.
#[must_use]
pub fn running_score(tournament: &Tournament) -> String {
    let roster = tournament.roster();
    let mut parts = Vec::new();
    if let Ok(standings) = tournament.course().standings(tournament.history()) {
        let leaders = standings.rows.iter().take(4);
        parts.extend(leaders.map(|row| format!("{} {}", roster.name(row.entrant), row.points)));
    }
    let mut line = parts.join(", ");
    let tallies = tournament.meetings().tallies();
    if let (1, Some(tally)) = (tallies.len(), tallies.values().next()) {
        if let Some(estimate) = tally.estimate() {
            line.push_str(&format!(", Elo of {} {}", roster.engines()[0], tables::elo(&estimate)));
        }
        if let Some(test) = tournament.test() {
            let state = test.state(tally);
            line.push_str(&format!(", LLR {:.2} ({:.2}, {:.2})", state.llr, state.lower, state.upper));
        }
    }
    line
}
