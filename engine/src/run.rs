//! One search from its limits to its outcome.

use std::sync::Arc;

use chuhe_movegen::{Board, Move};
use chuhe_rules::{Game, RuleSet};

use crate::engine::{Engine, MAX_THREADS};
use crate::root::RootMove;
use crate::search::{Counter, Gate, MAX_DEPTH, Pace, Search, Shared, Sink, Thread};
use crate::strength::{self, SkillLevel};
use crate::time::TimeManager;
use crate::tt::TranspositionTable;
use crate::vote::{self, Ballot};
use crate::{Bound, Control, Event, Limits, Outcome, Report, Score, tables, threads};

/// A search that has been set up.
pub(crate) struct Run {
    shared: Shared,
    /// Not searched: see [`RootChoice`].
    held_back: Option<Move>,
    level: Option<SkillLevel>,
    /// Root moves to choose from in the end.
    candidates: usize,
    /// The best line as it was last reported.
    shown: Vec<Move>,
}

impl Run {
    /// Sets the engine up for a search; `None` when there is no move to choose.
    pub(crate) fn new(engine: &mut Engine, game: &Game, limits: &Limits, control: &Control) -> Option<Run> {
        let table = engine.prepared_table();
        let RootChoice { moves, held_back } = root_choice(game, limits, &engine.options.rules);
        if moves.is_empty() {
            return None;
        }
        let level = engine.options.strength.level();
        let candidates = strength::candidates(level, engine.options.randomness);
        let mut options = engine.options.clone();
        let is_single = level.is_some() || !threads::AVAILABLE;
        options.threads = if is_single { 1 } else { options.threads.clamp(1, MAX_THREADS) };

        table.age();
        let multi_pv = options.multi_pv.max(candidates).clamp(1, moves.len());
        let tables = engine.tables_in_use();
        let (root_moves, root_hits) = tables::rank(&tables, game, &moves, options.natural_limit, multi_pv);
        engine.set_up_threads(options.threads, game, &root_moves);
        let shared = Shared {
            table,
            tables,
            root_hits,
            control: control.clone(),
            limits: limits.clone(),
            time: TimeManager::new(limits, &options),
            counters: (0..options.threads).map(|_| Counter::default()).collect(),
            reductions: Arc::clone(&engine.reductions),
            gate: Gate::default(),
            // Asking the system takes as long as hundreds of nodes.
            crowded: options.threads > 1
                && std::thread::available_parallelism().is_ok_and(|processors| options.threads > processors.get()),
            multi_pv,
            shown_lines: options.multi_pv.clamp(1, moves.len()),
            max_depth: limits.depth.map_or(MAX_DEPTH, |depth| (depth.max(1) as i32).min(MAX_DEPTH)),
            max_nodes: match (limits.nodes, level.map(strength::node_limit)) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            },
            all_moves: moves.len() == game.board().legal_moves().len(),
            options,
        };
        Some(Run { shared, held_back, level, candidates, shown: Vec::new() })
    }

    /// Searches on this thread and, as far as the system has some to give, on others. Without a `pace` it does not
    /// return before an infinite or ponder search may end.
    pub(crate) fn search(&mut self, threads: &mut [Thread], sink: Sink<'_>, mut pace: Option<Pace>) {
        let shared = &self.shared;
        let [first, helpers @ ..] = threads else { return };
        let mut watch = watch(&mut self.shown, sink);
        std::thread::scope(|scope| {
            for thread in helpers {
                // Where the system has no thread to give, the others do the work.
                let _ = threads::spawn(scope, || Search::new(thread, shared, None, None).run());
            }
            Search::new(first, shared, Some(&mut watch), pace.as_mut()).run();
            if pace.is_none() {
                wait_as_asked(&shared.limits, &shared.control);
            }
            shared.control.stop();
        });
    }

    /// The next iteration, on this thread alone. Gives whether there should be another.
    pub(crate) fn iterate(&mut self, threads: &mut [Thread], sink: Sink<'_>) -> bool {
        let mut watch = watch(&mut self.shown, sink);
        threads.first_mut().is_some_and(|first| Search::new(first, &self.shared, Some(&mut watch), None).iterate())
    }

    /// Chooses the move, and reports its line unless that was the last one reported.
    pub(crate) fn conclude(self, engine: &mut Engine, game: &Game, sink: Sink<'_>) -> Outcome {
        let Run { shared, held_back, level, candidates, shown } = self;
        let nodes = shared.nodes();
        let elapsed = shared.time.elapsed();
        let Some(thread) = best_thread(&engine.threads, &shared) else { return Outcome::default() };
        let choice = if candidates > 1 {
            let lines: Vec<Score> = thread.root_moves[..shared.multi_pv].iter().map(RootMove::known_score).collect();
            strength::choose(&lines, level, engine.options.randomness, &mut engine.rng)
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
            ponder: pv.get(1).copied().or_else(|| expected_reply(game.board(), root.mv, &shared.table)),
            score,
            depth: thread.completed_depth as u32,
            nodes,
        };
        // The last line shown must begin with the move that is played.
        if shown.first() != Some(&root.mv) {
            sink(&Event::Line(Report {
                depth: outcome.depth.max(1),
                seldepth: root.seldepth.max(1) as u32,
                multipv: 1,
                score,
                bound: Bound::Exact,
                nodes,
                elapsed,
                table_hits: shared.table_hits(),
                hashfull: shared.table.hashfull(),
                pv,
            }));
        }
        outcome
    }
}

/// Passes events on, and takes note of the best line.
fn watch<'a>(shown: &'a mut Vec<Move>, sink: Sink<'a>) -> impl FnMut(&Event<'_>) + 'a {
    |event| {
        if let Event::Line(report) = event
            && report.multipv == 1
        {
            shown.clear();
            shown.extend_from_slice(report.pv);
        }
        sink(event);
    }
}

/// What may be played at the root.
pub(crate) struct RootChoice {
    /// The moves to search.
    pub(crate) moves: Vec<Move>,
    /// A move that loses by repetition if the opponent finds the answer; better than being mated for certain.
    held_back: Option<Move>,
}

/// The legal moves that the limits allow, without those that are lost by repetition as long as there are others: even a
/// move that will be mated leaves the opponent something to find. The full rules are asked here, which the search
/// approximates under some rule sets.
pub(crate) fn root_choice(game: &Game, limits: &Limits, rules: &RuleSet) -> RootChoice {
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
pub(crate) fn wait_as_asked(limits: &Limits, control: &Control) {
    if limits.ponder {
        control.wait_until(|| control.is_stopped() || control.hit_at().is_some());
    }
    if limits.infinite {
        control.wait_until(|| control.is_stopped());
    }
}

/// The thread whose move is played. Several lines are those of the first.
fn best_thread<'a>(threads: &'a [Thread], shared: &Shared) -> Option<&'a Thread> {
    let first = threads.first()?;
    if shared.multi_pv > 1 {
        return Some(first);
    }
    let ballot = |thread: &Thread| {
        let root = &thread.root_moves[0];
        Ballot { mv: root.mv, score: root.known_score(), depth: thread.completed_depth }
    };
    let ballots: Vec<Ballot> = threads.iter().map(ballot).collect();
    threads.get(vote::elect(&ballots)?)
}

/// A reply from the hash table for lines of one move.
fn expected_reply(board: &Board, best: Move, table: &TranspositionTable) -> Option<Move> {
    let next = board.make(best);
    table.probe(next.key())?.mv.filter(|&mv| next.is_pseudo_legal(mv) && next.is_legal(mv))
}
