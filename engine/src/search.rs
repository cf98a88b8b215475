//! The search of one thread: iterative deepening, principal variation search, quiescence.
//!
//! The steps of [`Search::search`] are numbered; each says why it is there. Ideas come from the published work of the
//! chess engine community, chiefly Stockfish, Pikafish, Reckless and Viridithas; numbers are our own.

use std::sync::atomic::{AtomicU64, Ordering};

use chuhe_eval::{Evaluation, Evaluator};
use chuhe_movegen::{Board, CheckInfo, Move, MoveList, SEE_VALUES};
use chuhe_rules::{Game, Judgement, Line, NATURAL_LIMIT, is_dead_material};

use crate::history::{History, PieceMove};
use crate::mate::MateSearch;
use crate::path::PathDependence;
use crate::picker::MovePicker;
use crate::root::{PvLine, RootMove};
use crate::time::TimeManager;
use crate::tt::{Entry, TranspositionTable};
use crate::{Bound, Control, Event, Limits, MAX_PLY, Options, Report, Score, params, root};

/// The deepest iteration.
pub(crate) const MAX_DEPTH: i32 = 128;
/// Nodes between looks at the clock and publications of the node count.
const CLOCK_PERIOD: u64 = 1024;
/// Of so many nodes one is spent on mates by checks alone.
const MATE_SHARE: u64 = 10;
/// Frames kept before the root so that looking back needs no test.
const LOOKBACK: usize = 4;

/// A node count on a cache line of its own.
#[derive(Debug, Default)]
#[repr(align(64))]
pub(crate) struct NodeCounter(AtomicU64);

/// What the threads of one search share.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a TranspositionTable,
    pub(crate) control: &'a Control,
    pub(crate) limits: &'a Limits,
    pub(crate) options: &'a Options,
    pub(crate) time: TimeManager,
    pub(crate) counters: Vec<NodeCounter>,
    pub(crate) reductions: &'a Reductions,
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

impl Shared<'_> {
    /// Nodes of all threads, as far as published.
    pub(crate) fn nodes(&self) -> u64 {
        self.counters.iter().map(|counter| counter.0.load(Ordering::Relaxed)).sum()
    }
}

/// Late move reductions in hundredths of a ply, by depth and move count.
#[derive(Debug)]
pub(crate) struct Reductions(Box<[[i16; 64]; 64]>);

impl Reductions {
    /// Fills the table by integer logarithms, so that every platform has the same.
    pub(crate) fn new() -> Reductions {
        // 1024 · ln(n), exact enough and free of floating point.
        fn ln(n: usize) -> i64 {
            let mut sum = 0;
            let mut scaled = (n as i64) << 20;
            // Binary logarithm, ten fractional bits, then times ln 2.
            while scaled >= 2 << 20 {
                scaled >>= 1;
                sum += 1 << 10;
            }
            for bit in (0..10).rev() {
                scaled = (scaled * scaled) >> 20;
                if scaled >= 2 << 20 {
                    scaled >>= 1;
                    sum += 1 << bit;
                }
            }
            sum * 710 / 1024
        }
        let mut table = Box::new([[0; 64]; 64]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (count, entry) in row.iter_mut().enumerate().skip(1) {
                let product = (ln(depth) * ln(count)) >> 10;
                let value =
                    i64::from(params::lmr_base()) + product * 100 * 100 / 1024 / i64::from(params::lmr_divisor());
                *entry = value as i16;
            }
        }
        Reductions(table)
    }

    #[inline]
    fn get(&self, depth: i32, count: usize) -> i32 {
        i32::from(self.0[depth.clamp(0, 63) as usize][count.min(63)])
    }
}

/// What a node leaves for its descendants.
#[derive(Clone, Copy, Debug, Default)]
struct Frame {
    /// Corrected static evaluation; `None` in check.
    eval: Option<Score>,
    /// The move being searched; `None` for a null move.
    mv: Option<PieceMove>,
    /// The move that a singular search leaves out.
    excluded: Option<Move>,
}

/// The lasting state of a search thread.
#[derive(Debug)]
pub(crate) struct Thread {
    id: usize,
    line: Line,
    evaluator: Evaluator,
    history: History,
    frames: Vec<Frame>,
    pvs: Vec<PvLine>,
    mates: MateSearch,
    /// A mate by checks that has been found at the root.
    proved: Option<PvLine>,
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
            frames: vec![Frame::default(); MAX_PLY + LOOKBACK + 4],
            pvs: vec![PvLine::new(); MAX_PLY + 2],
            mates: MateSearch::new(),
            proved: None,
            root_moves: Vec::new(),
            completed_depth: 0,
        }
    }

    /// Prepares the thread for a search of `game` among `moves`.
    pub(crate) fn reset(&mut self, game: &Game, moves: &[Move]) {
        self.line.reset(game, MAX_PLY + 8);
        self.evaluator.reset(game.board());
        self.frames.fill(Frame::default());
        self.mates.reset(self.line.plies());
        self.proved = None;
        self.root_moves.clear();
        self.root_moves.extend(moves.iter().map(|&mv| RootMove::new(mv)));
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

/// Where reports go; only the first thread has one.
pub(crate) type Sink<'a> = &'a mut dyn FnMut(&Event<'_>);

/// One thread at work.
pub(crate) struct Search<'a> {
    thread: &'a mut Thread,
    shared: &'a Shared<'a>,
    sink: Option<Sink<'a>>,
    nodes: u64,
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
    /// A search by `thread`; lines go to `sink`.
    pub(crate) fn new(thread: &'a mut Thread, shared: &'a Shared<'a>, sink: Option<Sink<'a>>) -> Search<'a> {
        Search {
            thread,
            shared,
            sink,
            nodes: 0,
            seldepth: 0,
            stopped: false,
            pv_index: 0,
            root_depth: 0,
            null_from_ply: 0,
            dependence: PathDependence::NONE,
        }
    }

    /// Iterative deepening: each iteration orders the moves of the next, and there is always a move to play.
    pub(crate) fn run(&mut self) {
        let mut stability = 0;
        let mut last_best = None;
        let mut average = Score::ZERO;
        for depth in 1..=self.shared.max_depth {
            self.root_depth = depth;
            for root in &mut self.thread.root_moves {
                root.previous = root.score;
                root.score = -Score::INFINITE;
            }
            for index in 0..self.shared.multi_pv {
                self.pv_index = index;
                self.aspiration(depth);
                root::sort(&mut self.thread.root_moves[index..]);
                if self.stopped {
                    break;
                }
            }
            // Lines of one depth come in order of their scores.
            root::sort(&mut self.thread.root_moves[..self.shared.multi_pv]);
            if self.stopped {
                break;
            }
            self.thread.completed_depth = depth;
            if self.thread.id == 0 {
                self.seek_mate_by_checks();
            }
            self.report(depth);

            let best = &self.thread.root_moves[0];
            stability = if last_best == Some(best.mv) { stability + 1 } else { 0 };
            last_best = Some(best.mv);
            let drop = if depth > 1 { (average - best.score).clamp(-100, 200) } else { 0 };
            average = if depth > 1 { Score::new((average.get() + best.score.get()) / 2) } else { best.score };
            if self.enough(depth, stability, drop) {
                break;
            }
        }
        self.publish_nodes();
    }

    /// Gives the search for mates by checks alone its share of the nodes. What it finds is proved, and far beyond the
    /// horizon of the main search.
    fn seek_mate_by_checks(&mut self) {
        let budget = self.nodes / MATE_SHARE;
        let Thread { mates, line, root_moves, proved, .. } = &mut *self.thread;
        if let Some(pv) = mates.run(line.board(), |mv| root_moves.iter().any(|root| root.mv == mv), budget) {
            *proved = Some(pv);
        }
        self.nodes += mates.nodes();
        let Some(pv) = proved else { return };
        let score = Score::mate_in(pv.len());
        if root_moves[0].score >= score {
            return;
        }
        if let Some(root) = root_moves.iter_mut().find(|root| Some(&root.mv) == pv.first()) {
            root.score = score;
            root.seldepth = root.seldepth.max(pv.len());
            root.pv = pv.clone();
        }
        root::sort(root_moves);
    }

    /// Whether another iteration is not worth beginning.
    fn enough(&self, depth: i32, stability: i32, drop: i32) -> bool {
        let best = &self.thread.root_moves[0];
        let limits = self.shared.limits;
        if let (Some(moves), Some(plies)) = (limits.mate, best.score.mate_plies())
            && plies > 0
            && (plies as u32).div_ceil(2) <= moves
        {
            return self.may_end();
        }
        // A mate that twice its depth has not shortened will hardly be; in a game any will do.
        if let Some(plies) = best.score.mate_plies()
            && !limits.infinite
            && self.shared.multi_pv == 1
            && depth > if self.shared.time.is_elastic() { plies.abs() + 1 } else { 2 * plies.abs() + 8 }
        {
            return self.may_end();
        }
        if self.thread.id != 0 {
            return false;
        }
        if limits.soft_nodes.is_some_and(|soft| self.nodes.max(self.shared.nodes()) >= soft) {
            return self.may_end();
        }
        if self.shared.time.is_elastic() && self.thread.root_moves.len() == 1 && depth >= 6 {
            // A forced move needs no thought, only a score to report.
            return self.may_end();
        }
        // Signs that the best move is settled: it took most of the nodes, it has not changed for several iterations, its
        // score has not dropped.
        let share = best.nodes as f64 / self.nodes.max(1) as f64;
        let stretch = (2.1 - 1.6 * share)
            * (1.3 - 0.07 * f64::from(stability.min(8)))
            * (1.0 + f64::from(drop.clamp(-40, 160)) / 200.0);
        self.shared.time.soft_limit_hit(self.shared.control, stretch)
    }

    /// Whether the search may end by itself: not while it ponders, in case the hit comes.
    fn may_end(&self) -> bool {
        self.shared.time.is_running(self.shared.control)
    }

    /// Searches a line of the root with a narrow window around the last score, widened until the score falls inside.
    fn aspiration(&mut self, depth: i32) {
        self.seldepth = 0;
        let mut delta = params::aspiration_delta();
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        let previous = self.thread.root_moves[self.pv_index].previous;
        if depth >= params::aspiration_depth() && !previous.is_decided() {
            alpha = (previous - delta).max(-Score::INFINITE);
            beta = (previous + delta).min(Score::INFINITE);
        }
        let mut reduced = depth;
        loop {
            let score = self.search::<Root>(alpha, beta, reduced.max(1), 0, false);
            if self.stopped {
                return;
            }
            root::sort(&mut self.thread.root_moves[self.pv_index..]);
            if score <= alpha && alpha > -Score::INFINITE {
                beta = Score::new((alpha.get() + beta.get()) / 2);
                alpha = (score - delta).max(-Score::INFINITE);
                reduced = depth;
            } else if score >= beta && beta < Score::INFINITE {
                beta = (score + delta).min(Score::INFINITE);
                // A move that fails high is good already; less depth settles by how much.
                reduced = (reduced - 1).max(depth - 3);
            } else {
                return;
            }
            delta += delta / 2 + 5;
            if delta > 600 || score.is_decided() {
                (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
            }
        }
    }

    fn publish_nodes(&self) {
        self.shared.counters[self.thread.id].0.store(self.nodes, Ordering::Relaxed);
    }

    /// Counts a node and looks whether the search must end.
    #[inline]
    fn enter_node(&mut self) -> bool {
        self.nodes += 1;
        if self.stopped {
            return true;
        }
        if self.nodes.is_multiple_of(CLOCK_PERIOD) {
            self.publish_nodes();
            if self.shared.crowded {
                // Whoever waits for a processor to answer the GUI gets one within a turn of short slices.
                std::thread::yield_now();
            }
            if self.shared.time.hard_limit_hit(self.shared.control) {
                self.shared.control.stop();
            }
        }
        if let Some(limit) = self.shared.max_nodes {
            // One thread keeps the limit exactly; several look at the sum now and then.
            let over = if self.shared.counters.len() == 1 {
                self.nodes >= limit
            } else {
                self.nodes.is_multiple_of(CLOCK_PERIOD) && self.shared.nodes() >= limit
            };
            if over && self.root_depth > 1 && self.shared.time.is_running(self.shared.control) {
                self.stopped = true;
                if self.shared.counters.len() > 1 {
                    self.shared.control.stop();
                }
            }
        }
        // The first iteration is always completed (it takes microseconds), so that there is a move to play.
        if self.shared.control.is_stopped() && (self.root_depth > 1 || self.thread.id != 0) {
            self.stopped = true;
        }
        self.stopped
    }

    fn board(&self) -> &Board {
        self.thread.line.board()
    }

    fn push(&mut self, mv: Move, ply: usize) {
        let board = self.thread.line.board();
        let piece = board.piece_at(mv.from());
        self.thread.evaluator.push(board, mv);
        self.thread.frames[ply + LOOKBACK].mv = piece.map(|piece| PieceMove { piece, to: mv.to() });
        self.thread.line.push(mv);
        self.shared.table.prefetch(self.thread.line.board().key());
    }

    fn pop(&mut self) {
        self.thread.line.pop();
        self.thread.evaluator.pop();
    }

    /// A score that the rules give the position whatever follows: repetition, natural limit, dead material.
    #[inline]
    fn score_by_rule(&mut self, ply: usize) -> Option<Score> {
        let board = self.thread.line.board();
        if let Some(recurrence) = self.thread.line.repetition(&self.shared.options.rules) {
            self.dependence = self.dependence.join(PathDependence::of(&recurrence));
            return Some(match recurrence.judgement {
                Judgement::Draw => Score::ZERO,
                Judgement::Loses(color) if color == board.side_to_move() => Score::rule_loss(ply),
                Judgement::Loses(_) => -Score::rule_loss(ply),
            });
        }
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

    /// The moves one, two and four plies ago.
    fn earlier(&self, ply: usize) -> [Option<PieceMove>; 3] {
        let frames = &self.thread.frames[..ply + LOOKBACK];
        let at = frames.len();
        [frames[at - 1].mv, frames[at - 2].mv, frames[at - 4].mv]
    }

    /// Principal variation search of the position at the end of the line, in the window from `alpha` to `beta`
    /// (fail-soft). `cut_node`: the parent expects this node to fail high.
    fn search<N: NodeType>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        // Step 1. The horizon: go on with captures until the position is quiet.
        if depth <= 0 {
            return self.quiescence::<N>(alpha, beta, ply);
        }
        if self.enter_node() {
            return Score::ZERO;
        }
        if N::PV {
            self.thread.pvs[ply].clear();
            self.seldepth = self.seldepth.max(ply + 1);
        }
        let in_check = self.board().in_check();
        let excluded = self.thread.frames[ply + LOOKBACK].excluded;

        if !N::ROOT {
            // Step 2. The rules, before anything the hash table could say.
            if excluded.is_none()
                && let Some(score) = self.score_by_rule(ply)
            {
                return score;
            }
            if ply >= MAX_PLY - 1 {
                return if in_check { Score::ZERO } else { self.evaluate(None).1 };
            }
            // Step 3. Mate distance pruning: no line is better than the shortest mate known.
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        // Step 4. Hash table. Cutoffs only outside the principal variation, and not when the natural limit is near:
        // stored scores do not know the counter.
        let key = self.board().key();
        let entry = if excluded.is_some() { None } else { self.shared.table.probe(key) };
        let hash_score = entry.map(|entry| from_table(entry.score, ply));
        let hash_move =
            if N::ROOT { Some(self.thread.root_moves[self.pv_index].mv) } else { entry.and_then(|entry| entry.mv) };
        if let (false, Some(entry), Some(score)) = (N::PV, entry, hash_score)
            && entry.depth >= depth
            && self.board().halfmove_clock() < NATURAL_LIMIT - 20
            && allows_cutoff(entry.bound, score, beta)
        {
            return score;
        }
        let was_pv = N::PV || entry.is_some_and(|entry| entry.pv);

        // Step 5. Static evaluation; a hash score that bounds it is better still. None in check.
        let mut raw_eval = None;
        let mut eval = Score::ZERO;
        if in_check {
            self.thread.frames[ply + LOOKBACK].eval = None;
        } else {
            let (raw, corrected) = self.evaluate(entry.as_ref());
            raw_eval = Some(raw);
            eval = corrected;
            self.thread.frames[ply + LOOKBACK].eval = Some(corrected);
            if let (Some(entry), Some(score)) = (entry, hash_score)
                && !score.is_decided()
                && allows_cutoff(entry.bound, score, eval)
            {
                eval = score;
            }
        }
        let static_eval = self.thread.frames[ply + LOOKBACK].eval;
        let improving = match (static_eval, self.thread.frames[ply + LOOKBACK - 2].eval) {
            (Some(now), Some(before)) => now > before,
            (Some(_), None) => ply >= 2,
            _ => false,
        };
        self.thread.frames[ply + LOOKBACK + 1].excluded = None;

        // No legal move loses (困毙), so passing and pruning need a piece that can always move.
        let us = self.board().side_to_move();
        let strong = self.board().has_strong_piece(us);

        if !N::PV && !in_check && excluded.is_none() && !beta.is_decided() {
            // Step 6. Razoring: hopeless at low depth, unless a capture turns it.
            if depth <= params::razor_depth() && eval + params::razor_margin() * depth < alpha {
                let score = self.quiescence::<NonPv>(alpha, alpha + 1, ply);
                if score <= alpha || self.stopped {
                    return score;
                }
            }

            // Step 7. Reverse futility: so far above beta that a shallow search will not bring it down.
            let margin = params::rfp_margin() * (depth - i32::from(improving));
            if depth <= params::rfp_depth() && eval - margin >= beta && !eval.is_decided() && strong {
                return Score::new((eval.get() + beta.get()) / 2);
            }

            // Step 8. Null move: if even passing keeps the score above beta, a move will.
            if depth >= params::null_depth()
                && eval >= beta
                && static_eval.is_some_and(|eval| eval + 20 * depth - 60 >= beta)
                && strong
                && ply >= self.null_from_ply
                && self.thread.frames[ply + LOOKBACK - 1].mv.is_some()
            {
                let reduction =
                    params::null_base() + depth / params::null_divisor() + ((eval - beta) / params::null_eval()).min(3);
                self.thread.frames[ply + LOOKBACK].mv = None;
                self.thread.evaluator.push_null();
                self.thread.line.push_null();
                let score = -self.search::<NonPv>(-beta, -beta + 1, depth - reduction, ply + 1, !cut_node);
                self.pop();
                if self.stopped {
                    return Score::ZERO;
                }
                if score >= beta {
                    // What a pass proves is not a mate.
                    let score = if score.is_decided() { beta } else { score };
                    if depth < params::null_verify_depth() || self.null_from_ply > 0 {
                        return score;
                    }
                    // At high depth zugzwang is worth a look: search without passing for a while.
                    self.null_from_ply = ply + (3 * (depth - reduction) / 4).max(1) as usize;
                    let verified = self.search::<NonPv>(beta - 1, beta, depth - reduction, ply, false);
                    self.null_from_ply = 0;
                    if verified >= beta {
                        return score;
                    }
                }
            }

            // Step 9. ProbCut: a capture that is far above beta at reduced depth will be above it at full depth.
            let bound = beta + params::probcut_margin();
            if depth >= params::probcut_depth()
                && !(entry.is_some_and(|entry| entry.depth >= depth - 3) && hash_score.is_some_and(|s| s < bound))
            {
                let score = self.probcut(bound, depth, ply, hash_move, static_eval, cut_node);
                if self.stopped {
                    return Score::ZERO;
                }
                if let Some(score) = score {
                    return score;
                }
            }
        }

        // Step 10. Internal iterative reduction: without a hash move the ordering is poor; come back next iteration.
        let mut depth = depth;
        if !N::ROOT && hash_move.is_none() && depth >= 4 && (N::PV || cut_node) {
            depth -= 1;
        }

        // Step 11. The moves.
        let earlier = self.earlier(ply);
        let mut picker = MovePicker::new(self.board(), hash_move, earlier);
        let check_info = CheckInfo::new(self.board());
        let mut best_score = -Score::INFINITE;
        let mut best_move = None;
        let mut bound = Bound::Upper;
        let mut count = 0;
        let mut skip_quiets = false;
        let mut quiets = MoveList::new();
        let mut captures = MoveList::new();
        // What this node's score hangs on, and what was found before.
        let mut dependence = PathDependence::NONE;
        let outer = self.dependence;

        while let Some(mv) = picker.next(self.thread.line.board(), &self.thread.history, skip_quiets) {
            if Some(mv) == excluded || !self.board().is_legal(mv) {
                continue;
            }
            if N::ROOT && !self.thread.root_moves[self.pv_index..].iter().any(|root| root.mv == mv) {
                continue;
            }
            count += 1;
            let Some(piece) = self.board().piece_at(mv.from()) else { continue };
            let is_capture = self.board().is_capture(mv);
            let gives_check = self.board().gives_check(mv, &check_info);
            let learnt = match self.board().piece_at(mv.to()) {
                Some(victim) => self.thread.history.capture(piece, mv.to(), victim.kind),
                None => self.thread.history.quiet(us, mv, piece, &earlier),
            };
            if N::ROOT {
                self.report_current_move(mv, count);
            }
            let mut reduction = self.shared.reductions.get(depth, count);

            // Step 12. Pruning at low depth, once a move has been found that does not lose.
            if !N::ROOT && strong && best_score > -Score::RULE_IN_MAX_PLY {
                let reduced = (depth - reduction / 100).max(0);
                if !is_capture && !gives_check {
                    // Late move pruning: this many moves have failed, the rest will.
                    let limit = (params::lmp_base() + depth * depth) / if improving { 1 } else { 2 };
                    if count as i32 > limit.max(2) {
                        skip_quiets = true;
                        continue;
                    }
                    // Futility: a quiet move will not lift the evaluation over alpha.
                    if reduced <= params::futility_depth()
                        && static_eval.is_some_and(|eval| {
                            eval + params::futility_base() + params::futility_margin() * reduced + learnt / 128 <= alpha
                        })
                    {
                        skip_quiets = true;
                        continue;
                    }
                }
                // Moves that lose material by exchange.
                if depth <= params::see_depth() {
                    let allowed = if is_capture {
                        -params::see_capture() * depth
                    } else {
                        -params::see_quiet() * reduced * reduced
                    };
                    if !self.board().see_at_least(mv, allowed) {
                        continue;
                    }
                }
            }

            // Step 13. Extensions. A hash move without which everything fails low is singular: look deeper.
            let mut extension = 0;
            if let (false, Some(entry), Some(score)) = (N::ROOT, entry, hash_score)
                && Some(mv) == hash_move
                && depth >= params::singular_depth()
                && entry.depth >= depth - 3
                && entry.bound != Bound::Upper
                && !score.is_decided()
                && ply < 2 * self.root_depth as usize
            {
                let target = score - params::singular_margin() * depth;
                self.thread.frames[ply + LOOKBACK].excluded = Some(mv);
                let score = self.search::<NonPv>(target - 1, target, (depth - 1) / 2, ply, cut_node);
                self.thread.frames[ply + LOOKBACK].excluded = None;
                if self.stopped {
                    return Score::ZERO;
                }
                if score < target {
                    extension = 1 + i32::from(!N::PV && score + params::double_margin() < target);
                } else if score >= beta && !score.is_decided() {
                    // Multi-cut: several moves beat beta.
                    self.dependence = self.dependence.join(outer);
                    return score;
                } else if hash_score.is_some_and(|score| score >= beta) {
                    extension = -1;
                }
            }
            if extension == 0 && gives_check && ply < 2 * self.root_depth as usize && self.board().see_at_least(mv, 0) {
                // Checks drive mates, which a hand-written evaluation cannot foresee.
                extension = 1;
            }

            // Step 14. The move is made.
            let nodes_before = self.nodes;
            self.dependence = PathDependence::NONE;
            self.push(mv, ply);
            let new_depth = depth - 1 + extension;
            let mut score = Score::ZERO;

            // Step 15. Late move reductions: moves ordered late rarely matter; look again, deeper, when one does.
            let mut full_depth = !N::PV || count > 1;
            if depth >= 2 && count > 1 + usize::from(N::ROOT) && (!is_capture || picker.in_bad_captures()) {
                reduction -= 100 * i32::from(was_pv) + 100 * i32::from(gives_check);
                reduction += 100 * i32::from(!improving) + 100 * i32::from(cut_node);
                reduction -= 100 * learnt / params::lmr_history();
                let reduced = (new_depth - reduction / 100).clamp(1, new_depth.max(1));
                score = -self.search::<NonPv>(-alpha - 1, -alpha, reduced, ply + 1, true);
                full_depth = score > alpha && reduced < new_depth;
            }
            if full_depth {
                score = -self.search::<NonPv>(-alpha - 1, -alpha, new_depth, ply + 1, !cut_node);
            }
            // Step 16. The principal variation gets an open window.
            if N::PV && (count == 1 || score > alpha) {
                self.thread.pvs[ply + 1].clear();
                score = -self.search::<Pv>(-beta, -alpha, new_depth, ply + 1, false);
            }
            self.pop();
            if self.stopped {
                return Score::ZERO;
            }

            // Step 17. Root moves keep their score and line.
            if N::ROOT {
                let nodes = self.nodes - nodes_before;
                let seldepth = self.seldepth;
                let child = self.thread.pvs[1].clone();
                if let Some(root) = self.thread.root_moves.iter_mut().find(|root| root.mv == mv) {
                    root.nodes += nodes;
                    if count > 1 && score <= alpha {
                        // Known only to be worse than the best; its place is kept by its last score.
                        root.score = -Score::INFINITE;
                    } else {
                        root.score = score;
                        root.seldepth = seldepth;
                        root.pv.clear();
                        root.pv.push(mv);
                        root.pv.extend(child.into_iter().take(MAX_PLY - 1));
                    }
                }
            }

            // Step 18. A new best move.
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best_move = Some(mv);
                    bound = Bound::Exact;
                    if N::PV && !N::ROOT {
                        self.update_pv(mv, ply);
                    }
                    if score >= beta {
                        bound = Bound::Lower;
                        // One move is enough: what the others hang on does not matter.
                        dependence = self.dependence;
                        break;
                    }
                    alpha = score;
                }
            }
            dependence = if best_move == Some(mv) {
                dependence.with_best(self.dependence)
            } else {
                dependence.with_lesser(self.dependence)
            };
            if Some(mv) != best_move {
                if is_capture { captures.push(mv) } else { quiets.push(mv) }
            }
        }

        self.dependence = outer.join(dependence);

        // Step 19. No legal move: mated or stalemated, both lose.
        if count == 0 {
            return if excluded.is_some() { alpha } else { Score::mated_in(ply) };
        }

        // Step 20. Histories learn from the move that was best and those that were not.
        if let (Some(mv), Bound::Lower) = (best_move, bound) {
            self.update_histories(mv, depth, ply, &quiets, &captures);
        }
        // Step 21. The evaluation learns from the score where the two may be compared.
        if let (Some(eval), None) = (static_eval, excluded) {
            let quiet_best = best_move.is_none_or(|mv| !self.board().is_capture(mv));
            let comparable = match bound {
                Bound::Exact => true,
                Bound::Lower => best_score > eval,
                Bound::Upper => best_score < eval,
            };
            if quiet_best && comparable && !best_score.is_decided() {
                let error = best_score - eval;
                let Thread { history, line, .. } = &mut *self.thread;
                history.update_correction(line.board(), depth, error);
            }
        }

        // Step 22. What was found is remembered; of a score that hangs on the path, no more than the move. A choice among
        // some of the moves says nothing of the position.
        if excluded.is_none() && !(N::ROOT && (self.pv_index > 0 || !self.shared.all_moves)) {
            let entry =
                Entry { mv: best_move, score: to_table(best_score, ply), eval: raw_eval, depth, bound, pv: was_pv };
            self.remember(key, entry, best_score, dependence);
        }
        best_score
    }

    /// ProbCut: tries captures at reduced depth against a raised bound.
    fn probcut(
        &mut self,
        bound: Score,
        depth: i32,
        ply: usize,
        hash_move: Option<Move>,
        static_eval: Option<Score>,
        cut_node: bool,
    ) -> Option<Score> {
        let needed = bound - static_eval?;
        let mut picker = MovePicker::captures(self.board(), hash_move, needed.max(1));
        while let Some(mv) = picker.next(self.thread.line.board(), &self.thread.history, true) {
            if !self.board().is_legal(mv) {
                continue;
            }
            self.push(mv, ply);
            let mut score = -self.quiescence::<NonPv>(-bound, -bound + 1, ply + 1);
            if score >= bound && depth > 4 {
                score = -self.search::<NonPv>(-bound, -bound + 1, depth - 4, ply + 1, !cut_node);
            }
            self.pop();
            if self.stopped {
                return None;
            }
            if score >= bound {
                return Some(if score.is_decided() { score } else { score - params::probcut_margin() });
            }
        }
        None
    }

    /// Captures (in check: all evasions) until the position is quiet, so that it can be evaluated.
    fn quiescence<N: NodeType>(&mut self, mut alpha: Score, beta: Score, ply: usize) -> Score {
        if self.enter_node() {
            return Score::ZERO;
        }
        if N::PV {
            self.thread.pvs[ply].clear();
            self.seldepth = self.seldepth.max(ply + 1);
        }
        if let Some(score) = self.score_by_rule(ply) {
            return score;
        }
        let in_check = self.board().in_check();
        if ply >= MAX_PLY - 1 {
            return if in_check { Score::ZERO } else { self.evaluate(None).1 };
        }
        let key = self.board().key();
        let entry = self.shared.table.probe(key);
        let hash_score = entry.map(|entry| from_table(entry.score, ply));
        if let (false, Some(entry), Some(score)) = (N::PV, entry, hash_score)
            && allows_cutoff(entry.bound, score, beta)
            && self.board().halfmove_clock() < NATURAL_LIMIT - 20
        {
            return score;
        }

        // Standing pat: a quiet move will keep about the evaluation. Never in check.
        let mut raw_eval = None;
        let mut best_score = -Score::INFINITE;
        let mut futility = -Score::INFINITE;
        if !in_check {
            let (raw, corrected) = self.evaluate(entry.as_ref());
            raw_eval = Some(raw);
            best_score = corrected;
            if let (Some(entry), Some(score)) = (entry, hash_score)
                && !score.is_decided()
                && allows_cutoff(entry.bound, score, best_score)
            {
                best_score = score;
            }
            if best_score >= beta {
                return best_score;
            }
            alpha = alpha.max(best_score);
            futility = best_score + params::qs_futility();
        }

        let mut picker = MovePicker::captures(self.board(), entry.and_then(|entry| entry.mv), 0);
        let mut best_move = None;
        let mut bound = Bound::Upper;
        let mut count = 0;
        let mut dependence = PathDependence::NONE;
        let outer = self.dependence;
        while let Some(mv) = picker.next(self.thread.line.board(), &self.thread.history, false) {
            if !in_check && picker.in_bad_captures() {
                break;
            }
            if !self.board().is_legal(mv) {
                continue;
            }
            count += 1;
            if let (false, Some(victim)) = (in_check, self.board().piece_at(mv.to())) {
                // Futility: even the whole victim does not lift the evaluation to alpha.
                let hope = futility + SEE_VALUES[victim.kind.index()];
                if hope <= alpha {
                    best_score = best_score.max(hope);
                    continue;
                }
            }
            self.dependence = PathDependence::NONE;
            self.push(mv, ply);
            let score = -self.quiescence::<N>(-beta, -alpha, ply + 1);
            self.pop();
            if self.stopped {
                return Score::ZERO;
            }
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.update_pv(mv, ply);
                    }
                    if score >= beta {
                        bound = Bound::Lower;
                        dependence = self.dependence;
                        break;
                    }
                    alpha = score;
                }
            }
            dependence = if best_move == Some(mv) {
                dependence.with_best(self.dependence)
            } else {
                dependence.with_lesser(self.dependence)
            };
        }
        self.dependence = outer.join(dependence);
        if in_check && count == 0 {
            return Score::mated_in(ply);
        }
        let pv = entry.is_some_and(|entry| entry.pv);
        let entry = Entry { mv: best_move, score: to_table(best_score, ply), eval: raw_eval, depth: 0, bound, pv };
        self.remember(key, entry, best_score, dependence);
        best_score
    }

    /// Stores what was found at the node at the end of the line. Scores by rule are not stored: with the repetitions
    /// that they come from they hang on the path.
    fn remember(&self, key: u64, entry: Entry, score: Score, dependence: PathDependence) {
        let node = self.thread.line.last();
        let holds_here_only = match entry.bound {
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

    fn update_histories(&mut self, best: Move, depth: i32, ply: usize, quiets: &MoveList, captures: &MoveList) {
        let earlier = self.earlier(ply);
        let Thread { history, line, .. } = &mut *self.thread;
        let board = line.board();
        let side = board.side_to_move();
        let bonus = (params::history_bonus() * depth).min(params::history_cap());
        let mut update = |mv: Move, bonus: i32| {
            let Some(piece) = board.piece_at(mv.from()) else { return };
            match board.piece_at(mv.to()) {
                Some(victim) => history.update_capture(piece, mv.to(), victim.kind, bonus),
                None => history.update_quiet(side, mv, piece, &earlier, bonus),
            }
        };
        update(best, bonus);
        if !board.is_capture(best) {
            quiets.iter().for_each(|&mv| update(mv, -bonus));
        }
        captures.iter().for_each(|&mv| update(mv, -bonus));
    }

    fn report(&mut self, depth: i32) {
        let shared = self.shared;
        let Some(sink) = self.sink.as_mut() else { return };
        shared.counters[self.thread.id].0.store(self.nodes, Ordering::Relaxed);
        let hashfull = shared.table.hashfull();
        for (index, root) in self.thread.root_moves[..shared.shown_lines].iter().enumerate() {
            sink(&Event::Line(Report {
                depth: depth as u32,
                seldepth: root.seldepth.max(1) as u32,
                multipv: index + 1,
                score: root.score,
                bound: Bound::Exact,
                nodes: shared.nodes(),
                elapsed: shared.time.elapsed(),
                hashfull,
                pv: &root.pv,
            }));
        }
    }

    fn report_current_move(&mut self, mv: Move, count: usize) {
        let (shared, depth) = (self.shared, self.root_depth);
        if let Some(sink) = self.sink.as_mut()
            && depth > 1
            && shared.time.elapsed().as_secs() >= 3
        {
            sink(&Event::CurrentMove { depth: depth as u32, mv, number: count });
        }
    }
}

/// Whether a score with this bound settles the comparison with `against`.
#[inline]
fn allows_cutoff(bound: Bound, score: Score, against: Score) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => score >= against,
        Bound::Upper => score < against,
    }
}

/// Mate scores count from the root in the search, from the node in the table.
#[inline]
fn to_table(score: Score, ply: usize) -> Score {
    if !score.is_mate() {
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
    if !score.is_mate() {
        score
    } else if score > Score::ZERO {
        score - ply as i32
    } else {
        score + ply as i32
    }
}
