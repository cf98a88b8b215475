//! The search of a node. The steps of [`Search::search`] are numbered; each says why it is there.

use chuhe_movegen::{CheckInfo, Move, MoveList};

use super::best::{Best, Verdict};
use super::{NodeType, NonPv, Pv, Search, Thread};
use crate::path::PathDependence;
use crate::picker::MovePicker;
use crate::tables::Extent;
use crate::{Bound, MAX_PLY, Score, params};

impl Search<'_> {
    /// Principal variation search of the position at the end of the line, in the window from `alpha` to `beta`
    /// (fail-soft). `cut_node`: the parent expects this node to fail high.
    pub(super) fn search<N: NodeType>(
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
        let excluded = self.thread.frames[ply].excluded;

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
        // Tables of endgames know what some captures lead to. Where they do not settle it, the score stays within.
        let mut known = Extent::UNKNOWN;
        if !N::ROOT && excluded.is_none() && self.may_be_known() {
            known = self.extent_by_table(ply);
            if known.settles(alpha, beta) {
                return self.settled::<N>(known, depth, ply);
            }
            (alpha, beta) = (alpha.max(known.least), beta.min(known.most));
        }

        // Step 4. Hash table. Cutoffs only outside the principal variation, and not when the natural limit is near:
        // stored scores do not know the counter.
        let entry = if excluded.is_some() { None } else { self.probe(ply) };
        let hash_move =
            if N::ROOT { Some(self.thread.root_moves[self.pv_index].mv) } else { entry.and_then(|entry| entry.mv) };
        if let (false, Some(entry)) = (N::PV, entry)
            && entry.depth >= depth
            && self.far_from_natural_limit()
            && entry.settles(beta)
        {
            return entry.score;
        }
        let was_pv = N::PV || entry.is_some_and(|entry| entry.pv);

        // Step 5. Static evaluation; a hash score that bounds it is better still. None in check.
        let mut raw_eval = None;
        let mut eval = Score::ZERO;
        if in_check {
            self.thread.frames[ply].eval = None;
        } else {
            let (raw, corrected) = self.evaluate(entry.as_ref());
            raw_eval = Some(raw);
            eval = corrected;
            self.thread.frames[ply].eval = Some(corrected);
            if let Some(entry) = entry
                && !entry.score.is_decided()
                && entry.settles(eval)
            {
                eval = entry.score;
            }
        }
        let static_eval = self.thread.frames[ply].eval;
        let improving = match (static_eval, self.thread.frames.grandparent(ply).eval) {
            (Some(now), Some(before)) => now > before,
            (Some(_), None) => ply >= 2,
            _ => false,
        };
        self.thread.frames[ply + 1].excluded = None;

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
                && static_eval
                    .is_some_and(|eval| eval + params::null_depth_margin() * depth - params::null_margin() >= beta)
                && strong
                && ply >= self.null_from_ply
                && self.thread.frames.parent(ply).mv.is_some()
            {
                let by_eval = ((eval - beta) / params::null_eval()).min(params::null_eval_most());
                let reduction = params::null_base() + depth / params::null_divisor() + by_eval;
                self.push_null(ply);
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
                    let without = params::null_verify_quarters() * (depth - reduction) / 4;
                    self.null_from_ply = ply + without.max(1) as usize;
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
                && !entry.is_some_and(|entry| entry.depth >= depth - params::probcut_hash() && entry.score < bound)
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
        if !N::ROOT && hash_move.is_none() && depth >= params::iir_depth() && (N::PV || cut_node) {
            depth -= 1;
        }

        // Step 11. The moves.
        let earlier = self.thread.frames.earlier(ply);
        let mut picker = MovePicker::new(self.board(), hash_move, earlier);
        let check_info = CheckInfo::new(self.board());
        let mut best = Best::new(known.least);
        let mut count = 0;
        let mut skip_quiets = false;
        let mut quiets = MoveList::new();
        let mut captures = MoveList::new();
        // What the scores found before hang on.
        let outer = self.dependence;

        while let Some(mv) = picker.next(self.thread.line.board(), &self.thread.history, skip_quiets) {
            if Some(mv) == excluded || !self.board().is_legal(mv) {
                continue;
            }
            if N::ROOT && !self.is_searched_at_root(mv) {
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
            if !N::ROOT && strong && best.score > -Score::TABLE_IN_MAX_PLY {
                let reduced = (depth - reduction / 100).max(0);
                if !is_capture && !gives_check {
                    // Late move pruning: this many moves have failed, the rest will.
                    let limit = (params::lmp_base() + depth * depth) / if improving { 1 } else { 2 };
                    if count as i32 > limit.max(params::lmp_least()) {
                        skip_quiets = true;
                        continue;
                    }
                    // Futility: a quiet move will not lift the evaluation over alpha.
                    if reduced <= params::futility_depth()
                        && static_eval.is_some_and(|eval| {
                            let margin = params::futility_base() + params::futility_margin() * reduced;
                            eval + margin + learnt / params::futility_history() <= alpha
                        })
                    {
                        skip_quiets = true;
                        continue;
                    }
                }
                // Exchanges: a move that loses more material than the depth left can win back is not worth a look.
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
            let may_extend = ply < (params::extension_limit() * self.root_depth) as usize;
            if let (false, Some(entry)) = (N::ROOT, entry)
                && Some(mv) == hash_move
                && depth >= params::singular_depth()
                && entry.depth >= depth - params::singular_hash()
                && entry.bound != Bound::Upper
                && !entry.score.is_decided()
                && may_extend
            {
                let target = entry.score - params::singular_margin() * depth;
                self.thread.frames[ply].excluded = Some(mv);
                let score =
                    self.search::<NonPv>(target - 1, target, (depth - 1) / params::singular_divisor(), ply, cut_node);
                self.thread.frames[ply].excluded = None;
                if self.stopped {
                    return Score::ZERO;
                }
                if score < target {
                    extension = 1 + i32::from(!N::PV && score + params::double_margin() < target);
                } else if score >= beta && !score.is_decided() {
                    // Multi-cut: several moves beat beta.
                    self.dependence = self.dependence.join(outer);
                    return score;
                } else if entry.score >= beta {
                    extension = -1;
                }
            }
            if extension == 0 && gives_check && may_extend && self.board().see_at_least(mv, 0) {
                // Checks drive mates, which a static evaluation cannot foresee.
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
            if depth >= params::lmr_depth()
                && count > 1 + usize::from(N::ROOT)
                && (!is_capture || picker.in_bad_captures())
            {
                reduction -= params::lmr_pv() * i32::from(was_pv) + params::lmr_check() * i32::from(gives_check);
                reduction += params::lmr_worse() * i32::from(!improving) + params::lmr_cut() * i32::from(cut_node);
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

            // Step 18. A new best move, or one that will be known as worse than the best.
            let verdict = best.add(mv, score, alpha, beta, self.dependence);
            if N::PV && !N::ROOT && verdict != Verdict::FailsLow {
                self.update_pv(mv, ply);
            }
            match verdict {
                Verdict::FailsLow if is_capture => captures.push(mv),
                Verdict::FailsLow => quiets.push(mv),
                Verdict::RaisesAlpha => alpha = score,
                Verdict::FailsHigh => break,
            }
        }

        self.dependence = outer.join(best.dependence);

        // Step 19. No legal move: mated or stalemated, both lose.
        if count == 0 {
            return if excluded.is_some() { alpha } else { Score::mated_in(ply) };
        }

        best.score = best.score.min(known.most);

        // Step 20. Histories learn from the move that was best and those that were not.
        if let (Some(mv), Bound::Lower) = (best.mv, best.bound) {
            self.update_histories(mv, depth, ply, &quiets, &captures);
        }
        // Step 21. The evaluation learns from the score where the two may be compared.
        if let (Some(eval), None) = (static_eval, excluded) {
            let quiet_best = best.mv.is_none_or(|mv| !self.board().is_capture(mv));
            let comparable = match best.bound {
                Bound::Exact => true,
                Bound::Lower => best.score > eval,
                Bound::Upper => best.score < eval,
            };
            if quiet_best && comparable && !best.score.is_decided() {
                let error = best.score - eval;
                let Thread { history, line, .. } = &mut *self.thread;
                history.update_correction(line.board(), depth, error);
            }
        }

        // Step 22. What was found is remembered; of a score that hangs on the path, no more than the move. A choice among
        // some of the moves says nothing of the position.
        if excluded.is_none() && !(N::ROOT && (self.pv_index > 0 || !self.shared.all_moves)) {
            self.remember(&best, ply, depth, raw_eval, was_pv);
        }
        best.score
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
            let reduced = depth - params::probcut_reduction();
            if score >= bound && reduced > 0 {
                score = -self.search::<NonPv>(-bound, -bound + 1, reduced, ply + 1, !cut_node);
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

    fn update_histories(&mut self, best: Move, depth: i32, ply: usize, quiets: &MoveList, captures: &MoveList) {
        let earlier = self.thread.frames.earlier(ply);
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
}
