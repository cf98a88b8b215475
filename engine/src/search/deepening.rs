//! Iterative deepening: the iterations, their windows, when to end, and what is reported.

use std::time::Duration;

use chuhe_movegen::Move;
use chuhe_rules::MateThreat;

use super::{Root, Search, Thread, Trend};
use crate::time::Confidence;
use crate::{Bound, Event, Report, Score, params, root};

/// Time after which the moves being searched are reported: before that they would only fill the screen.
const CURRENT_MOVE_AFTER: Duration = Duration::from_secs(3);

impl Search<'_> {
    /// Iterative deepening: each iteration orders the moves of the next, and there is always a move to play.
    pub(crate) fn run(&mut self) {
        while self.iterate() {
            if let Some(pace) = &mut self.pace {
                pace.iteration_ends(self.nodes, &self.shared.gate, &self.shared.control);
                self.plan_look();
            }
        }
    }

    /// The next iteration. Gives whether there should be another.
    pub(crate) fn iterate(&mut self) -> bool {
        let depth = self.thread.completed_depth + 1;
        let goes_on = depth <= self.shared.max_depth && self.complete(depth) && !self.enough(depth);
        (self.thread.nodes, self.thread.table_hits) = (self.nodes, self.table_hits);
        self.publish_nodes();
        goes_on
    }

    /// Searches all lines of the root to a depth. Gives whether it came to the end.
    fn complete(&mut self, depth: i32) -> bool {
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
        self.settle_by_distance();
        if self.stopped {
            return false;
        }
        self.thread.completed_depth = depth;
        if self.thread.id == 0 {
            self.seek_mate_by_checks();
        }
        self.report(depth);
        let Thread { trend, root_moves, .. } = &mut *self.thread;
        trend.update(depth, &root_moves[0]);
        true
    }

    /// Gives the search for mates by checks alone its share of the nodes. What it finds is proved, and far beyond the
    /// horizon of the main search.
    fn seek_mate_by_checks(&mut self) {
        let budget = self.nodes / params::mate_share() as u64;
        let Thread { mates, line, root_moves, proved, .. } = &mut *self.thread;
        if proved.is_none() {
            let board = line.board();
            let allowed = |mv| root_moves.iter().any(|root| root.mv == mv);
            mates.reserve();
            if let MateThreat::In(_) = mates.run(board, allowed, budget) {
                *proved = mates.line(board, allowed);
            }
            self.nodes += mates.nodes();
        }
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
    fn enough(&self, depth: i32) -> bool {
        let best = &self.thread.root_moves[0];
        let limits = &self.shared.limits;
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
        {
            let settled = if self.shared.time.is_elastic() {
                plies.abs() + params::mate_depth_game()
            } else {
                params::mate_depth_factor() * plies.abs() + params::mate_depth()
            };
            if depth > settled {
                return self.may_end();
            }
        }
        if self.all_lines_known() && !limits.infinite {
            return self.may_end();
        }
        if self.thread.id != 0 {
            return false;
        }
        if limits.soft_nodes.is_some_and(|soft| self.nodes.max(self.shared.nodes()) >= soft) {
            return self.may_end();
        }
        if self.shared.time.is_elastic() && self.has_one_choice() && depth >= params::forced_depth() {
            // A forced move needs no thought, only a score to report.
            return self.may_end();
        }
        let share = best.nodes as f64 / self.nodes.max(1) as f64;
        let Trend { stability, drop, .. } = self.thread.trend;
        self.shared.time.soft_limit_hit(&self.shared.control, &Confidence { share, stability, drop })
    }

    /// Whether the search may end by itself: not while it ponders, in case the hit comes.
    fn may_end(&self) -> bool {
        self.shared.time.is_running(&self.shared.control)
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
                reduced = (reduced - 1).max(depth - params::aspiration_reduction());
            } else {
                return;
            }
            delta += delta / params::aspiration_growth() + params::aspiration_step();
            if delta > params::aspiration_most() || score.is_decided() {
                (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
            }
        }
    }

    fn report(&mut self, depth: i32) {
        self.publish_nodes();
        let shared = self.shared;
        let Some(sink) = self.sink.as_mut() else { return };
        let hashfull = shared.table.hashfull();
        for (index, root) in self.thread.root_moves[..shared.shown_lines].iter().enumerate() {
            sink(&Event::Line(Report {
                depth: depth as u32,
                seldepth: root.seldepth.max(1) as u32,
                multipv: index + 1,
                score: root.known_score(),
                bound: Bound::Exact,
                nodes: shared.nodes(),
                elapsed: shared.time.elapsed(),
                table_hits: shared.table_hits(),
                hashfull,
                pv: &root.pv,
            }));
        }
    }

    pub(super) fn report_current_move(&mut self, mv: Move, count: usize) {
        let (shared, depth) = (self.shared, self.root_depth);
        if let Some(sink) = self.sink.as_mut()
            && depth > 1
            && shared.time.elapsed() >= CURRENT_MOVE_AFTER
        {
            sink(&Event::CurrentMove { depth: depth as u32, mv, number: count });
        }
    }
}
