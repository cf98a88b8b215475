//! What the report is made from. Numbers that the page only shows are texts, as their owner writes them.

use crate::page::GameView;
use crate::table::{Fact, Table};

/// Everything that there is to say. What is empty is left out.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TournamentReport {
    /// The tournament's name.
    pub title: String,
    /// What was played how: system, time control, rules, openings, date.
    pub facts: Vec<Fact>,
    /// Standings; those of each stage or group behind the whole, if there are several.
    pub standings: Vec<Standings>,
    /// Who came from the groups into the finals, best first.
    pub qualified: Vec<String>,
    /// Cross tables.
    pub cross_tables: Vec<CrossTable>,
    /// Elo estimates.
    pub elo: Vec<EloBar>,
    /// Sequential tests.
    pub sprt: Vec<SprtPanel>,
    /// Rounds by encounters; a match has none.
    pub rounds: Option<Table>,
    /// Each two who met.
    pub pairings: Vec<Pairing>,
    /// How the games ended, and how many did.
    pub terminations: Vec<(String, u64)>,
    /// The engines: protocol, command name, depth, speed, time oversteps, share of a processor, faults.
    pub engines: Option<Table>,
    /// What an organiser ought to look at.
    pub warnings: Vec<String>,
    /// What the organiser decided.
    pub acts: Vec<Act>,
    /// Games to step through. About 3 kB each: the caller decides how many a page shall hold.
    pub games: Vec<GameView>,
    /// How many games were played beyond those.
    pub games_left_out: usize,
}

/// Standings (成绩表), best first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Standings {
    /// The stage or group; empty for the whole.
    pub stage: String,
    /// The table, of which the title is not shown.
    pub table: Table,
}

/// Everyone against everyone (对战表).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CrossTable {
    /// The stage or group; empty when there is only one.
    pub title: String,
    /// The lines, best first; the columns are the same entrants in the same order.
    pub rows: Vec<CrossRow>,
}

/// A line of the cross table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CrossRow {
    /// Place, which also heads the entrant's column.
    pub place: String,
    /// Name.
    pub name: String,
    /// Points.
    pub points: String,
    /// One for each line of the table.
    pub cells: Vec<CrossCell>,
}

/// Two entrants' games from the view of the line's.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum CrossCell {
    /// Against oneself.
    Own,
    /// They did not meet.
    #[default]
    Empty,
    /// They met.
    Met {
        /// A mark for each game: `1`, `½`, `0`, `+`, `-`. Shown while they are few, else on demand.
        marks: String,
        /// Games won, drawn and lost, those without a move among them; shown when the games are many.
        won_drawn_lost: [u32; 3],
    },
}

/// Two who met.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Pairing {
    /// The one from whose view this is.
    pub first: String,
    /// The other.
    pub second: String,
    /// Games won, drawn and lost on the board.
    pub won_drawn_lost: [u64; 3],
    /// Pairs of games that gave 0, ½, 1, 1½ and 2 points.
    pub pairs: [u64; 5],
    /// The difference in strength, if there is anything to rest it on.
    pub difference: Option<Difference>,
}

/// A difference in strength.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Difference {
    /// Elo with its error of 95 %, such as `+12.3 ± 4.5`.
    pub elo: String,
    /// Normalised Elo, likewise; empty when there is none.
    pub normalised: String,
    /// Likelihood of superiority, 0 to 1.
    pub los: f64,
}

/// An Elo estimate with its error.
#[derive(Clone, PartialEq, Debug)]
pub struct EloBar {
    /// Name.
    pub name: String,
    /// The estimate. Infinite when everything was won or lost; then the interval has one end.
    pub elo: f64,
    /// The lower end of the 95 % interval; infinite when there is none.
    pub low: f64,
    /// The upper end; infinite when there is none.
    pub high: f64,
    /// Games it rests on.
    pub games: u64,
    /// Likelihood of superiority, 0 to 1.
    pub los: Option<f64>,
}

/// A sequential probability ratio test.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SprtPanel {
    /// Who is tested against whom.
    pub contest: String,
    /// The test in words, such as `of 5 against 0 Elo (normalised), errors 0.05 and 0.05`.
    pub test: String,
    /// The scale of the hypotheses: `logistic` or `normalised` Elo.
    pub model: String,
    /// H0: at most this Elo.
    pub elo0: f64,
    /// H1: at least this Elo.
    pub elo1: f64,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// H0 is accepted at or below this ratio.
    pub lower: f64,
    /// H1 is accepted at or above this one.
    pub upper: f64,
    /// What it says.
    pub verdict: SprtVerdict,
    /// The ratio after each pair of games, oldest first; may be empty, or thinned out.
    pub history: Vec<f64>,
}

/// What a test says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SprtVerdict {
    /// Nothing yet.
    #[default]
    Undecided,
    /// H0.
    AcceptsH0,
    /// H1.
    AcceptsH1,
}

/// Something the organiser decided.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Act {
    /// When; may be empty.
    pub when: String,
    /// What: a result corrected, a forfeit, a withdrawal, a game played again.
    pub what: String,
    /// Why.
    pub reason: String,
}
