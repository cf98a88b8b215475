//! The engine: hash table, threads and options, and one search at a time.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chuhe_endgame::Tables;
use chuhe_eval::Evaluation;
use chuhe_movegen::Move;
use chuhe_rules::{Game, RuleSet};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::root::RootMove;
use crate::run::{Run, root_choice, wait_as_asked};
use crate::search::{Pace, Reductions, Sink, Thread};
use crate::tt::{Reservation, TranspositionTable};
use crate::{Bound, Control, Event, Limits, Outcome, Score, Stepper, Strength, threads};

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
    /// Whether tables of endgames are asked, at full strength; see [`Engine::set_tables`].
    pub use_tables: bool,
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
            rules: RuleSet::COMPUTER,
            natural_limit: true,
            use_tables: true,
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
    hash_mib: usize,
    table: Option<Arc<TranspositionTable>>,
    prober: Prober,
    pub(crate) threads: Vec<Thread>,
    evaluation: Evaluation,
    /// The embedded ones if none were given.
    tables: Option<Tables>,
    pub(crate) reductions: Arc<Reductions>,
    pub(crate) rng: ChaCha8Rng,
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new()
    }
}

impl Engine {
    /// An engine with default options. Cheap: the hash table is allocated by the first search or [`Engine::prepare`].
    pub fn new() -> Engine {
        Engine {
            options: Options::default(),
            hash_mib: DEFAULT_HASH_MIB,
            table: None,
            prober: Prober::default(),
            threads: Vec::new(),
            evaluation: Evaluation::embedded(),
            tables: None,
            reductions: Arc::new(Reductions::new()),
            rng: ChaCha8Rng::seed_from_u64(0),
        }
    }

    /// Seeds the choice among moves at weaker levels.
    pub fn seed(&mut self, seed: u64) {
        self.rng = ChaCha8Rng::seed_from_u64(seed);
    }

    /// Replaces the evaluation. All that was learnt by the old one is forgotten.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.evaluation = evaluation;
        self.threads.clear();
        self.new_game();
    }

    /// The evaluation in use.
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// Replaces the tables of endgames, at first the embedded ones. All that was learnt with the old ones is forgotten.
    pub fn set_tables(&mut self, tables: Tables) {
        self.tables = Some(tables);
        self.new_game();
    }

    /// The tables of endgames that a search asks: none where they are switched off or play is below full strength.
    pub(crate) fn tables_in_use(&self) -> Tables {
        if !self.options.use_tables || self.options.strength != Strength::Full {
            return Tables::none();
        }
        self.tables.clone().unwrap_or_else(Tables::embedded)
    }

    /// The moves that a search of this position within these limits chooses from: the legal ones that are allowed,
    /// without those that lose by repetition while there are others.
    pub fn root_moves(&self, game: &Game, limits: &Limits) -> Vec<Move> {
        root_choice(game, limits, &self.options.rules).moves
    }

    /// Replaces the hash table by an empty one of this size.
    ///
    /// # Errors
    /// [`HashRefused`] when there is no memory for it; the old table stays in use.
    pub fn set_hash(&mut self, mib: usize) -> Result<(), HashRefused> {
        let mib = mib.max(1);
        if self.table.as_ref().is_some_and(|table| table.mib() == mib) {
            return Ok(());
        }
        match TranspositionTable::reserve(mib) {
            Some(memory) => {
                self.use_table(memory);
                self.hash_mib = mib;
                Ok(())
            }
            None => Err(HashRefused { requested_mib: mib, kept_mib: self.hash_mib }),
        }
    }

    /// Allocates what the first search needs. A table that cannot be had is halved until it can.
    pub fn prepare(&mut self) {
        let _ = self.prepared_table();
    }

    fn use_table(&mut self, memory: Reservation) {
        // The old table goes before the new one is written, so that both are never in memory.
        let mut shared = self.prober.0.lock().unwrap_or_else(PoisonError::into_inner);
        (*shared, self.table) = (None, None);
        let table = Arc::new(memory.fill());
        *shared = Some(Arc::clone(&table));
        self.table = Some(table);
    }

    /// A handle that can look into the hash table from other threads, also while a search runs.
    pub fn prober(&self) -> Prober {
        self.prober.clone()
    }

    /// Forgets everything learnt from earlier searches (new game, `Clear Hash`).
    pub fn new_game(&mut self) {
        let threads = self.options.threads;
        if let Some(table) = &self.table {
            table.clear(threads);
        }
        self.threads.iter_mut().for_each(Thread::forget);
        // The table is made of tunable numbers, which may have changed.
        self.reductions = Arc::new(Reductions::new());
    }

    /// Searches the game's current position and blocks until done. `sink` is called on the thread that searches, which
    /// is one of the engine's own.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        sink: &mut (dyn FnMut(&Event<'_>) + Send),
    ) -> Outcome {
        threads::with_stack(|| self.search_here(game, limits, control, sink, None))
    }

    /// Searches on this thread, which must have stack enough.
    pub(crate) fn search_here(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        sink: Sink<'_>,
        pace: Option<Pace>,
    ) -> Outcome {
        let Some(mut run) = Run::new(self, game, limits, control) else {
            if pace.is_none() {
                wait_as_asked(limits, control);
            }
            return Outcome::LOST;
        };
        run.search(&mut self.threads, sink, pace);
        run.conclude(self, game, sink)
    }

    /// Begins a search of the game's current position that is taken in steps. The engine is had back from
    /// [`Stepper::into_engine`].
    pub fn begin(self, game: &Game, limits: &Limits, control: &Control) -> Stepper {
        Stepper::new(self, game, limits, control)
    }

    /// The hash table, allocated.
    pub(crate) fn prepared_table(&mut self) -> Arc<TranspositionTable> {
        loop {
            if let Some(table) = &self.table {
                return Arc::clone(table);
            }
            match TranspositionTable::reserve(self.hash_mib) {
                Some(memory) => self.use_table(memory),
                None => self.hash_mib = (self.hash_mib / 2).max(1),
            }
        }
    }

    /// Makes so many threads ready for a search of `game` among `moves`.
    pub(crate) fn set_up_threads(&mut self, count: usize, game: &Game, moves: &[RootMove]) {
        while self.threads.len() < count {
            let id = self.threads.len();
            self.threads.push(Thread::new(id, game, &self.evaluation));
        }
        self.threads.truncate(count);
        self.threads.iter_mut().for_each(|thread| thread.reset(game, moves));
    }
}

/// Looks into the hash table of an [`Engine`].
#[derive(Clone, Debug, Default)]
pub struct Prober(Arc<Mutex<Option<Arc<TranspositionTable>>>>);

impl Prober {
    /// What the hash table knows of a game's position.
    pub fn probe(&self, game: &Game) -> Option<HashKnowledge> {
        let board = game.board();
        let table = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        let entry = table.probe(board.key()).filter(|entry| !entry.is_move_only())?;
        Some(HashKnowledge {
            best: entry.mv.filter(|&mv| board.is_pseudo_legal(mv) && board.is_legal(mv)),
            score: entry.score,
            bound: entry.bound,
            depth: entry.depth as u32,
        })
    }
}

/// A hash entry as the outside may see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HashKnowledge {
    /// Best move known, legal here.
    pub best: Option<Move>,
    /// Score.
    pub score: Score,
    /// How to read the score.
    pub bound: Bound,
    /// Depth it was searched to.
    pub depth: u32,
}

#[cfg(test)]
mod tests {
    use chuhe_movegen::Board;

    use super::*;

    #[test]
    fn the_search_allocates_nothing_per_node() {
        let game = Game::new(Board::startpos());
        let mut engine = Engine::new();
        let mut allocations = |nodes| {
            engine.new_game();
            // Allocations are counted by thread, so the search must run on this one.
            let counted = allocation_counter::measure(|| {
                engine.search_here(&game, &Limits::nodes(nodes), &Control::new(), &mut |_| {}, None);
            });
            counted.count_total
        };
        allocations(20_000);
        let (few, many) = (allocations(20_000), allocations(200_000));
        assert!(few > 0, "nothing was counted");
        assert!(many < few + 50, "{few} allocations for 20,000 nodes, {many} for 200,000");
    }
}
