//! The engine: hash table, threads and options, and one search at a time.

use std::time::Duration;

use chuhe_rules::{Game, RuleSet};

use crate::{Control, Event, Limits, Outcome, Strength};

/// The largest number of threads.
pub const MAX_THREADS: usize = 512;
/// Hash size before any option is set, in MiB.
pub const DEFAULT_HASH_MIB: usize = 64;

/// Settings that hold from search to search.
#[derive(Clone, Debug)]
pub struct Options {
    /// Search threads, 1 to [`MAX_THREADS`].
    pub threads: usize,
    /// Lines to report, at least 1.
    pub multi_pv: usize,
    /// Time lost between the engine and the clock, for each move.
    pub move_overhead: Duration,
    /// The GUI will let the engine ponder: a little more time may be used.
    pub ponder: bool,
    /// How repetitions are judged.
    pub rules: RuleSet,
    /// Whether 120 half-moves without a capture draw.
    pub natural_limit: bool,
    /// How strong to play.
    pub strength: Strength,
    /// Chance, in units of evaluation, by which root moves may be preferred at random; 0 plays the best.
    pub randomness: i32,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            threads: 1,
            multi_pv: 1,
            move_overhead: Duration::from_millis(10),
            ponder: false,
            rules: RuleSet::default(),
            natural_limit: true,
            strength: Strength::Full,
            randomness: 0,
        }
    }
}

/// The hash table could not be had; the old one stays in use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HashRefused {
    /// What was asked for.
    pub requested_mib: usize,
    /// What stays in use.
    pub kept_mib: usize,
}

impl std::fmt::Display for HashRefused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "no memory for a hash table of {} MiB, keeping {} MiB", self.requested_mib, self.kept_mib)
    }
}

impl std::error::Error for HashRefused {}

/// A xiangqi engine.
#[derive(Debug)]
pub struct Engine {
    /// Settings; read at the start of each search.
    pub options: Options,
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new()
    }
}

impl Engine {
    /// An engine with default options. Cheap: the hash table is allocated by the first search or [`Engine::prepare`].
    pub fn new() -> Engine {
        Engine { options: Options::default() }
    }

    /// Asks for a hash table of this size; takes effect at once or, before the first search, when it is prepared.
    ///
    /// # Errors
    /// [`HashRefused`] when there is no memory; the old table stays.
    pub fn set_hash(&mut self, mib: usize) -> Result<(), HashRefused> {
        let _ = mib;
        Ok(())
    }

    /// Allocates what the first search needs.
    pub fn prepare(&mut self) {}

    /// Forgets everything learnt from earlier searches (new game, `Clear Hash`).
    pub fn new_game(&mut self) {}

    /// Searches the game's current position and blocks until done. `sink` is called on the calling thread.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        sink: &mut dyn FnMut(&Event<'_>),
    ) -> Outcome {
        let _ = (limits, control, sink);
        Outcome { best: game.board().legal_moves().first().copied(), ..Outcome::default() }
    }

    /// What the hash table knows of a position, for `probe`.
    pub fn probe(&self, game: &Game) -> Option<HashKnowledge> {
        let _ = game;
        None
    }
}

/// A hash entry as the outside may see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HashKnowledge {
    /// Best move known, legal here.
    pub best: Option<chuhe_movegen::Move>,
    /// Score.
    pub score: crate::Score,
    /// How to read the score.
    pub bound: crate::Bound,
    /// Depth it was searched to.
    pub depth: u32,
}
