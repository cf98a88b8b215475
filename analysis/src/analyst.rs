//! Who analyzes positions: our engine in this process, or whatever else answers for a position.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use chuhe_rules::{Game, RuleSet};

use crate::PositionAnalysis;

/// What one search may use; whichever limit is hit first ends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Search depth in half-moves.
    pub depth: Option<u32>,
    /// Positions to search. The only limit under which every machine gives the same results, one search thread provided.
    pub nodes: Option<u64>,
    /// Time.
    pub move_time: Option<Duration>,
}

impl Limits {
    /// Whether nothing ends a search.
    #[must_use]
    pub const fn is_unlimited(&self) -> bool {
        self.depth.is_none() && self.nodes.is_none() && self.move_time.is_none()
    }
}

/// As in a table's heading: `100000 nodes`, `depth 12, 2 s`.
impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let depth = self.depth.map(|depth| format!("depth {depth}"));
        let nodes = self.nodes.map(|nodes| format!("{nodes} nodes"));
        let time = self.move_time.map(|time| format!("{} s", time.as_secs_f64()));
        let all: Vec<String> = [depth, nodes, time].into_iter().flatten().collect();
        f.write_str(if all.is_empty() { "no limit" } else { "" })?;
        f.write_str(&all.join(", "))
    }
}

/// Something that analyzes positions, with limits and a number of lines that were settled when it was made.
pub trait Analyst: Send {
    /// What it calls itself.
    fn name(&self) -> &str;

    /// Forgets what it learnt from earlier games, so that what it says of the next, which is played by these rules of
    /// repetition, depends on nothing else.
    ///
    /// # Errors
    /// [`AnalystError`]: it cannot go on.
    fn new_game(&mut self, rules: &RuleSet) -> Result<(), AnalystError>;

    /// Analyzes the current position of a game, which has a legal move.
    ///
    /// # Errors
    /// [`AnalystError`]: it cannot go on.
    fn analyze(&mut self, game: &Game) -> Result<PositionAnalysis, AnalystError>;
}

/// An analyst failed.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {source}")]
pub struct AnalystError {
    /// What it calls itself.
    pub name: String,
    /// What happened.
    pub source: Box<dyn Error + Send + Sync>,
}
