//! The search of one thread: iterative deepening (`deepening`), principal variation search (`node`) and quiescence
//! (`quiescence`). Here is what they share: the line with its stacks, the limits, the hash table seen from a node.
//!
//! Ideas come from the published work of the chess engine community, chiefly Stockfish, Pikafish, Reckless and
//! Viridithas; numbers are our own and stand in [`params`].

mod best;
mod deepening;
mod frames;
mod node;
mod pace;
mod quiescence;
mod reductions;
mod tables;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use chuhe_endgame::Tables;
use chuhe_eval::{Evaluation, Evaluator};
use chuhe_movegen::{Board, Move};
use chuhe_rules::{Game, Judgement, Line, MateByChecks, NATURAL_LIMIT, is_dead_material};

use crate::history::{History, PieceMove};
use crate::path::PathDependence;
use crate::root::{PvLine, RootMove};
use crate::time::TimeManager;
use crate::tt::{Entry, TranspositionTable};
use crate::{Bound, Control, Event, Limits, MAX_PLY, Options, Score, params};

use best::Best;
use frames::Frames;
pub(crate) use pace::{Gate, Pace};
pub(crate) use reductions::Reductions;

/// The deepest iteration.
pub(crate) const MAX_DEPTH: i32 = 128;
/// Positions that the search for mates by checks remembers: what a map of 4 MiB holds.
const MATE_POSITIONS: usize = 7 << 15;
/// Nodes between looks at the clock and publications of the node count.
const CLOCK_PERIOD: u64 = 1024;

/// What a thread has counted, on a cache line of its own.
#[derive(Debug, Default)]
#[repr(align(64))]
pub(crate) struct Counter {
    nodes: AtomicU64,
    table_hits: AtomicU64,
}

/// What the threads of one search share.
pub(crate) struct Shared {
    pub(crate) table: Arc<TranspositionTable>,
    /// Tables of endgames; none where they are not asked.
    pub(crate) tables: Tables,
    /// Root moves found in them.
    pub(crate) root_hits: u64,
    pub(crate) control: Control,
    pub(crate) limits: Limits,
    pub(crate) options: Options,
    pub(crate) time: TimeManager,
    pub(crate) counters: Vec<Counter>,
    pub(crate) reductions: Arc<Reductions>,
    /// Closed while the first thread waits for the next slice.
    pub(crate) gate: Gate,
    /// Whether there are more threads than processors.
    pub(crate) crowded: bool,
    /// Lines to search, at most the number of root moves.
    pub(crate) multi_pv: usize,
    /// Whether every legal move may be played at the root.
    pub(crate) all_moves: bool,
    /// Deepest iteration allowed.
    pub(crate) max_depth: i32,
    /// Node limit of this search.
    pub(crate) max_nodes: Option<u64>,
    /// Lines to report, at most those searched.
    pub(crate) shown_lines: usize,
}

impl Shared {
    /// Nodes of all threads, as far as published.
    pub(crate) fn nodes(&self) -> u64 {
        self.counters.iter().map(|counter| counter.nodes.load(Ordering::Relaxed)).sum()
    }

    /// Positions found in tables of endgames by all threads, as far as published.
    pub(crate) fn table_hits(&self) -> u64 {
        let by_threads = self.counters.iter().map(|counter| counter.table_hits.load(Ordering::Relaxed));
        self.root_hits + by_threads.sum::<u64>()
    }
}

/// The lasting state of a search thread.
#[derive(Debug)]
pub(crate) struct Thread {
    id: usize,
    line: Line,
    evaluator: Evaluator,
    history: History,
    frames: Frames,
    pvs: Vec<PvLine>,
    mates: MateByChecks,
    /// A mate by checks that has been found at the root.
    proved: Option<PvLine>,
    /// Nodes of this search, up to the last completed iteration.
    nodes: u64,
    /// The same of positions found in tables of endgames.
    table_hits: u64,
    trend: Trend,
    /// The root moves, best first once the search has ended.
    pub(crate) root_moves: Vec<RootMove>,
    /// Depth of the last completed iteration.
    pub(crate) completed_depth: i32,
}

impl Thread {
    /// A thread that stands on `game`.
    pub(crate) fn new(id: usize, game: &Game, evaluation: &Evaluation) -> Thread {
        Thread {
            id,
            line: Line::new(game, MAX_PLY + 8),
            evaluator: Evaluator::new(evaluation, game.board()),
            history: History::new(),
            frames: Frames::new(),
            pvs: vec![PvLine::new(); MAX_PLY + 2],
            mates: MateByChecks::new((MAX_PLY / 4) as u8, MATE_POSITIONS),
            proved: None,
            nodes: 0,
            table_hits: 0,
            trend: Trend::default(),
            root_moves: Vec::new(),
            completed_depth: 0,
        }
    }

    /// Prepares the thread for a search of `game` among `moves`.
    pub(crate) fn reset(&mut self, game: &Game, moves: &[RootMove]) {
        self.line.reset(game, MAX_PLY + 8);
        self.evaluator.reset(game.board());
        self.frames.clear();
        self.mates.reset(self.line.plies());
        self.proved = None;
        self.nodes = 0;
        self.table_hits = 0;
        self.trend = Trend::default();
        self.root_moves.clear();
        self.root_moves.extend_from_slice(moves);
        self.completed_depth = 0;
    }

    /// Forgets what earlier games taught.
    pub(crate) fn forget(&mut self) {
        self.history.clear();
        self.mates.forget();
    }
}

/// Kind of node, known at compile time.
trait NodeType {
    /// In the principal variation: the window is open.
    const PV: bool;
    /// The root itself.
    const ROOT: bool;
}
struct Root;
struct Pv;
struct NonPv;
impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}
impl NodeType for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}
impl NodeType for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// How the best move and its score have developed from iteration to iteration.
#[derive(Clone, Copy, Debug, Default)]
struct Trend {
    best: Option<Move>,
    /// Iterations since the best move last changed.
    stability: i32,
    /// Average of the scores, the latest counting most.
    average: Score,
    /// How far the last score lies below the average of those before.
    drop: i32,
}

impl Trend {
    /// Counts in what the iteration of this depth has found.
    fn update(&mut self, depth: i32, best: &RootMove) {
        self.stability = if self.best == Some(best.mv) { self.stability + 1 } else { 0 };
        self.best = Some(best.mv);
        if depth > 1 {
            self.drop = self.average - best.score;
            self.average = Score::new((self.average.get() + best.score.get()) / 2);
        } else {
            self.average = best.score;
        }
    }
}

/// Where reports go; only the first thread has one.
pub(crate) type Sink<'a> = &'a mut dyn FnMut(&Event<'_>);

/// One thread at work.
pub(crate) struct Search<'a> {
    thread: &'a mut Thread,
    shared: &'a Shared,
    sink: Option<Sink<'a>>,
    /// Where the search waits when it is taken in slices; only the first thread has one.
    pace: Option<&'a mut Pace>,
    nodes: u64,
    table_hits: u64,
    /// Node count at which to look at clock, host and pace.
    next_look: u64,
    /// Node count that one thread alone may not exceed; several look at their sum now and then.
    own_limit: u64,
    seldepth: usize,
    stopped: bool,
    /// First of the root moves that the running line of a multi-line search may choose from.
    pv_index: usize,
    root_depth: i32,
    /// Null moves are not tried above this ply while one is being verified.
    null_from_ply: usize,
    /// What the scores found since it was last reset hang on.
    dependence: PathDependence,
}

impl<'a> Search<'a> {
    /// A search by `thread`, which goes on where that left off; lines go to `sink`.
    pub(crate) fn new(
        thread: &'a mut Thread,
        shared: &'a Shared,
        sink: Option<Sink<'a>>,
        pace: Option<&'a mut Pace>,
    ) -> Search<'a> {
        let (nodes, table_hits) = (thread.nodes, thread.table_hits);
        let mut search = Search {
            thread,
            shared,
            sink,
            pace,
            nodes,
            table_hits,
            next_look: 0,
            own_limit: shared.max_nodes.filter(|_| shared.counters.len() == 1).unwrap_or(u64::MAX),
            seldepth: 0,
            stopped: false,
            pv_index: 0,
            root_depth: 0,
            null_from_ply: 0,
            dependence: PathDependence::NONE,
        };
        search.plan_look();
        search
    }

    fn publish_nodes(&self) {
        let counter = &self.shared.counters[self.thread.id];
        counter.nodes.store(self.nodes, Ordering::Relaxed);
        counter.table_hits.store(self.table_hits, Ordering::Relaxed);
    }

    /// Counts a node and gives whether the search must end.
    #[inline]
    fn enter_node(&mut self) -> bool {
        self.nodes += 1;
        if self.stopped {
            return true;
        }
        if self.nodes >= self.next_look {
            self.look();
        }
        if self.nodes >= self.own_limit && self.may_break_off() {
            self.stopped = true;
        }
        // The first iteration is always completed (it takes microseconds), so that there is a move to play.
        if self.shared.control.is_stopped() && (self.root_depth > 1 || self.thread.id != 0) {
            self.stopped = true;
        }
        self.stopped
    }

    /// Looks at everything that need not be looked at in every node.
    #[cold]
    fn look(&mut self) {
        let Shared { control, time, .. } = self.shared;
        self.publish_nodes();
        if self.shared.crowded {
            // Whoever waits for a processor to answer the GUI gets one within a turn of short slices.
            std::thread::yield_now();
        }
        if self.thread.id == 0 {
            control.poll();
        } else {
            self.shared.gate.pass();
        }
        if let Some(pace) = &mut self.pace {
            pace.keep(self.nodes, &self.shared.gate, control);
        }
        self.plan_look();
        if time.hard_limit_hit(control) {
            control.stop();
        }
        let counters = &self.shared.counters;
        if self.shared.max_nodes.is_some_and(|limit| counters.len() > 1 && self.shared.nodes() >= limit)
            && self.may_break_off()
        {
            control.stop();
        }
    }

    fn plan_look(&mut self) {
        let until = self.pace.as_ref().map_or(u64::MAX, |pace| pace.until());
        self.next_look = until.min(self.nodes + CLOCK_PERIOD);
    }

    /// Whether a node limit may end the search here: there is a move to play, and it does not ponder.
    fn may_break_off(&self) -> bool {
        self.root_depth > 1 && self.shared.time.is_running(&self.shared.control)
    }

    fn board(&self) -> &Board {
        self.thread.line.board()
    }

    fn push(&mut self, mv: Move, ply: usize) {
        let board = self.thread.line.board();
        let piece = board.piece_at(mv.from());
        self.thread.evaluator.push(board, mv);
        self.thread.frames[ply].mv = piece.map(|piece| PieceMove { piece, to: mv.to() });
        self.thread.line.push(mv);
        self.shared.table.prefetch(self.thread.line.board().key());
    }

    fn push_null(&mut self, ply: usize) {
        self.thread.frames[ply].mv = None;
        self.thread.evaluator.push_null();
        self.thread.line.push_null();
    }

    fn pop(&mut self) {
        self.thread.line.pop();
        self.thread.evaluator.pop();
    }

    /// A score that the rules give the position whatever follows: repetition, natural limit, dead material.
    #[inline]
    fn score_by_rule(&mut self, ply: usize) -> Option<Score> {
        if let Some(recurrence) = self.thread.line.repetition(&self.shared.options.rules) {
            self.dependence = self.dependence.join(PathDependence::of(&recurrence));
            return Some(match recurrence.judgement {
                Judgement::Draw => Score::ZERO,
                Judgement::Loses(color) if color == self.board().side_to_move() => Score::rule_loss(ply),
                Judgement::Loses(_) => -Score::rule_loss(ply),
            });
        }
        let board = self.thread.line.board();
        if self.shared.options.natural_limit && board.halfmove_clock() >= NATURAL_LIMIT {
            // A mate with the last move counts.
            let mated = board.in_check() && !board.has_legal_move();
            return Some(if mated { Score::mated_in(ply) } else { Score::ZERO });
        }
        is_dead_material(board).then_some(Score::ZERO)
    }

    /// Static evaluation without and with corrections.
    fn evaluate(&mut self, entry: Option<&Entry>) -> (i32, Score) {
        let raw = match entry.and_then(|entry| entry.eval) {
            Some(eval) => eval,
            None => self.thread.evaluator.evaluate(self.thread.line.board()),
        };
        let corrected = raw + self.thread.history.correction(self.thread.line.board());
        let limit = chuhe_eval::EVAL_LIMIT - 1;
        (raw, Score::new(corrected.clamp(-limit, limit)))
    }

    /// What the hash table knows of the node at the end of the line, with mates counted from the root.
    #[inline]
    fn probe(&self, ply: usize) -> Option<Entry> {
        let entry = self.shared.table.probe(self.board().key())?;
        Some(Entry { score: from_table(entry.score, ply), ..entry })
    }

    /// Whether stored scores hold, which do not know the counter of the natural limit.
    #[inline]
    fn far_from_natural_limit(&self) -> bool {
        i32::from(self.board().halfmove_clock()) < i32::from(NATURAL_LIMIT) - params::natural_margin()
    }

    /// Stores what was found at the node at the end of the line. Scores by rule are not stored: with the repetitions
    /// that they come from they hang on the path.
    fn remember(&self, best: &Best, ply: usize, depth: i32, eval: Option<i32>, pv: bool) {
        let Best { score, mv, bound, dependence } = *best;
        let entry = Entry { mv, score: to_table(score, ply), eval, depth, bound, pv };
        let key = self.board().key();
        let node = self.thread.line.last();
        let holds_here_only = match bound {
            Bound::Exact => dependence.spoils_exact(node),
            Bound::Lower | Bound::Upper => dependence.spoils_bound(node),
        };
        if holds_here_only || score.is_by_rule() {
            self.shared.table.store_move(key, entry);
        } else {
            self.shared.table.store(key, entry);
        }
    }

    fn update_pv(&mut self, mv: Move, ply: usize) {
        let (head, tail) = self.thread.pvs.split_at_mut(ply + 1);
        let (line, child) = (&mut head[ply], &tail[0]);
        line.clear();
        line.push(mv);
        for &next in child.iter().take(MAX_PLY - 1) {
            line.push(next);
        }
    }
}

/// Whether a score that the table may hold counts plies.
#[inline]
fn counts_plies(score: Score) -> bool {
    score.is_decided()
}

/// Mate scores, and those of tables of endgames, count from the root in the search, from the node in the table.
#[inline]
fn to_table(score: Score, ply: usize) -> Score {
    if !counts_plies(score) {
        score
    } else if score > Score::ZERO {
        score + ply as i32
    } else {
        score - ply as i32
    }
}

/// The reverse of [`to_table`].
#[inline]
fn from_table(score: Score, ply: usize) -> Score {
    if !counts_plies(score) {
        score
    } else if score > Score::ZERO {
        score - ply as i32
    } else {
        score + ply as i32
    }
}
