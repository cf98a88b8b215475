//! Quiescence: captures are played out until a position can be evaluated.

use chuhe_movegen::SEE_VALUES;

use super::best::{Best, Verdict};
use super::{NodeType, Search};
use crate::path::PathDependence;
use crate::picker::MovePicker;
use crate::{Bound, MAX_PLY, Score, params};

impl Search<'_> {
    /// Captures (in check: all evasions) until the position is quiet, so that it can be evaluated.
    pub(super) fn quiescence<N: NodeType>(&mut self, mut alpha: Score, beta: Score, ply: usize) -> Score {
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
        if self.may_be_known()
            && let Some(score) = self.extent_by_table(ply).score()
        {
            return score;
        }
        let in_check = self.board().in_check();
        if ply >= MAX_PLY - 1 {
            return if in_check { Score::ZERO } else { self.evaluate(None).1 };
        }
        let entry = self.probe(ply);
        if let (false, Some(entry)) = (N::PV, entry)
            && entry.settles(beta)
            && self.far_from_natural_limit()
        {
            return entry.score;
        }

        // Standing pat: a quiet move will keep about the evaluation. Never in check.
        let mut raw_eval = None;
        let mut best = Best::new(-Score::INFINITE);
        let mut futility = -Score::INFINITE;
        if !in_check {
            let (raw, corrected) = self.evaluate(entry.as_ref());
            raw_eval = Some(raw);
            best.score = corrected;
            if let Some(entry) = entry
                && !entry.score.is_decided()
                && entry.settles(best.score)
            {
                best.score = entry.score;
            }
            if best.score >= beta {
                return best.score;
            }
            alpha = alpha.max(best.score);
            futility = best.score + params::qs_futility();
        }

        let mut picker = MovePicker::captures(self.board(), entry.and_then(|entry| entry.mv), 0);
        let mut count = 0;
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
                    best.score = best.score.max(hope);
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
            let verdict = best.add(mv, score, alpha, beta, self.dependence);
            if N::PV && verdict != Verdict::FailsLow {
                self.update_pv(mv, ply);
            }
            match verdict {
                Verdict::FailsLow => {}
                Verdict::RaisesAlpha => alpha = score,
                Verdict::FailsHigh => break,
            }
        }
        self.dependence = outer.join(best.dependence);
        if in_check && count == 0 {
            return Score::mated_in(ply);
        }
        if best.bound == Bound::Exact {
            // Captures alone prove no exact score.
            best.bound = Bound::Upper;
        }
        self.remember(&best, ply, 0, raw_eval, entry.is_some_and(|entry| entry.pv));
        best.score
    }
}
