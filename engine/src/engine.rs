//! The engine: hash table, threads and options, and one search at a time.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chuhe_eval::Evaluation;
use chuhe_movegen::{Board, Move};
use chuhe_rules::{Game, RuleSet};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::root::RootMove;
use crate::search::{MAX_DEPTH, NodeCounter, Reductions, Search, Shared, Thread};
use crate::time::TimeManager;
use crate::tt::{Reservation, TranspositionTable};
use crate::{Bound, Control, Event, Limits, Outcome, Report, Score, Strength, strength};

/// The largest number of threads.
pub const MAX_THREADS: usize = 512;
/// Stack a thread needs that calls [`Engine::search`], in bytes: lines may be [`crate::MAX_PLY`] plies long.
pub const STACK_SIZE: usize = 8 << 20;
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
            rules: RuleSet::COMPUTER,
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
    hash_mib: usize,
    table: Option<Arc<TranspositionTable>>,
    prober: Prober,
    threads: Vec<Thread>,
    evaluation: Evaluation,
    reductions: Reductions,
    rng: ChaCha8Rng,
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
            reductions: Reductions::new(),
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
        while self.table.is_none() {
            match TranspositionTable::reserve(self.hash_mib) {
                Some(memory) => self.use_table(memory),
                None => self.hash_mib = (self.hash_mib / 2).max(1),
            }
        }
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
        self.reductions = Reductions::new();
    }

    /// Searches the game's current position and blocks until done. `sink` is called on the calling thread.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        sink: &mut dyn FnMut(&Event<'_>),
    ) -> Outcome {
        self.prepare();
        let RootChoice { moves, held_back } = root_choice(game, limits, &self.options.rules);
        if moves.is_empty() {
            wait_as_asked(limits, control);
            return Outcome { score: Score::mated_in(0), ..Outcome::default() };
        }
        let level = self.options.strength.level();
        let candidates = strength::candidates(level, self.options.randomness);
        let wanted = self.options.multi_pv.max(candidates);
        let mut options = self.options.clone();
        options.threads = if level.is_some() { 1 } else { options.threads.clamp(1, MAX_THREADS) };

        let Some(table) = &self.table else { return Outcome::default() };
        table.age();
        while self.threads.len() < options.threads {
            let id = self.threads.len();
            self.threads.push(Thread::new(id, game, &self.evaluation));
        }
        self.threads.truncate(options.threads);
        let shared = Shared {
            table,
            control,
            limits,
            time: TimeManager::new(limits, &options),
            counters: (0..options.threads).map(|_| NodeCounter::default()).collect(),
            reductions: &self.reductions,
            // Asking the system takes as long as hundreds of nodes.
            crowded: options.threads > 1
                && std::thread::available_parallelism().is_ok_and(|processors| options.threads > processors.get()),
            multi_pv: wanted.clamp(1, moves.len()),
            shown_lines: options.multi_pv.clamp(1, moves.len()),
            max_depth: limits.depth.map_or(MAX_DEPTH, |depth| (depth.max(1) as i32).min(MAX_DEPTH)),
            max_nodes: match (limits.nodes, level.map(strength::node_limit)) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            },
            all_moves: moves.len() == game.board().legal_moves().len(),
            options: &options,
        };

        let (first, helpers) = self.threads.split_at_mut(1);
        let mut last_reported = Vec::new();
        let mut watch = |event: &Event<'_>| {
            if let Event::Line(report) = event
                && report.multipv == 1
            {
                last_reported.clear();
                last_reported.extend_from_slice(report.pv);
            }
            sink(event);
        };
        std::thread::scope(|scope| {
            for thread in &mut *helpers {
                let shared = &shared;
                thread.reset(game, &moves);
                // Where the system has no thread to give, the others do the work.
                let _ = std::thread::Builder::new()
                    .stack_size(STACK_SIZE)
                    .spawn_scoped(scope, move || Search::new(thread, shared, None).run());
            }
            first[0].reset(game, &moves);
            Search::new(&mut first[0], &shared, Some(&mut watch)).run();
            wait_as_asked(limits, control);
            control.stop();
        });

        let nodes = shared.nodes();
        let elapsed = shared.time.elapsed();
        let hashfull = shared.table.hashfull();
        let thread = best_thread(&self.threads);
        let choice = if candidates > 1 {
            let lines: Vec<Score> = thread.root_moves[..shared.multi_pv].iter().map(RootMove::known_score).collect();
            strength::choose(&lines, level, self.options.randomness, &mut self.rng)
        } else {
            0
        };
        let mut root = &thread.root_moves[choice];
        let mut score = root.known_score();
        let held_back = held_back.map(|mv| RootMove { seldepth: 2, ..RootMove::new(mv) });
        if let Some(other) = &held_back
            && score < Score::rule_loss(2)
        {
            (root, score) = (other, Score::rule_loss(2));
        }
        let pv = &root.pv;
        let outcome = Outcome {
            best: Some(root.mv),
            ponder: pv.get(1).copied().or_else(|| expected_reply(game.board(), root.mv, shared.table)),
            score,
            depth: thread.completed_depth as u32,
            nodes,
        };
        // The last line shown must begin with the move that is played.
        if last_reported.first() != Some(&root.mv) {
            sink(&Event::Line(Report {
                depth: outcome.depth.max(1),
                seldepth: root.seldepth.max(1) as u32,
                multipv: 1,
                score,
                bound: Bound::Exact,
                nodes,
                elapsed,
                hashfull,
                pv,
            }));
        }
        outcome
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

/// What may be played at the root.
struct RootChoice {
    /// The moves to search.
    moves: Vec<Move>,
    /// A move that loses by repetition if the opponent finds the answer; better than being mated for certain.
    held_back: Option<Move>,
}

/// The legal moves that the limits allow, without those that are lost by repetition as long as there are others: even a
/// move that will be mated leaves the opponent something to find. The full rules are asked here, which the search
/// approximates under some rule sets.
fn root_choice(game: &Game, limits: &Limits, rules: &RuleSet) -> RootChoice {
    let allowed = |mv: &Move| {
        (limits.search_moves.is_empty() || limits.search_moves.contains(mv)) && !limits.banned_moves.contains(mv)
    };
    let moves: Vec<Move> = game.board().legal_moves().into_iter().filter(allowed).collect();
    let lost = game.moves_lost_by_repetition(rules);
    let (lost, others): (Vec<Move>, Vec<Move>) = moves.iter().partition(|mv| lost.contains(mv));
    if lost.is_empty() || others.is_empty() {
        return RootChoice { moves, held_back: None };
    }
    let at_once = game.losing_repetitions(rules);
    RootChoice { moves: others, held_back: lost.into_iter().find(|mv| !at_once.contains(mv)) }
}

/// An infinite search ends only by `stop`, a ponder search by `stop` or a hit.
fn wait_as_asked(limits: &Limits, control: &Control) {
    if limits.ponder {
        control.wait_until(|| control.is_stopped() || control.hit_at().is_some());
    }
    if limits.infinite {
        control.wait_until(|| control.is_stopped());
    }
}

/// The thread whose move is played: the first, unless another has searched deeper and likes its move better.
fn best_thread(threads: &[Thread]) -> &Thread {
    let mut best = &threads[0];
    for thread in &threads[1..] {
        let (a, b) = (&thread.root_moves[0], &best.root_moves[0]);
        if thread.completed_depth > best.completed_depth && a.known_score() > b.known_score() {
            best = thread;
        }
    }
    best
}

/// A reply from the hash table for lines of one move.
fn expected_reply(board: &Board, best: Move, table: &TranspositionTable) -> Option<Move> {
    let next = board.make(best);
    table.probe(next.key())?.mv.filter(|&mv| next.is_pseudo_legal(mv) && next.is_legal(mv))
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
