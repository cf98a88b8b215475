//! Our engine, in this process.

use chuhe_engine::{Bound, Control, Engine, Event, HashRefused, MAX_PLY, Outcome};
use chuhe_eval::Evaluation;
use chuhe_rules::{Game, RuleSet};

use crate::{Analyst, AnalystError, Chances, Decision, Limits, Line, Lines, PositionAnalysis, Score};

/// Settings of our engine.
#[derive(Clone, Debug)]
pub struct EngineSettings {
    /// What a search may use.
    pub limits: Limits,
    /// Lines to find, at least 1.
    pub multi_pv: usize,
    /// Search threads. With more than one, results differ from run to run.
    pub threads: usize,
    /// Hash table in MiB.
    pub hash_mib: usize,
    /// What evaluates positions.
    pub evaluation: Evaluation,
}

impl Default for EngineSettings {
    /// No limit, one line, one thread, 16 MiB, the embedded evaluation.
    fn default() -> EngineSettings {
        EngineSettings {
            limits: Limits::default(),
            multi_pv: 1,
            threads: 1,
            hash_mib: 16,
            evaluation: Evaluation::embedded(),
        }
    }
}

/// Our engine as an analyst.
#[derive(Debug)]
pub struct OwnEngine {
    engine: Engine,
    limits: Limits,
}

impl OwnEngine {
    /// What it calls itself.
    pub const NAME: &str = concat!("Chuhe ", env!("CARGO_PKG_VERSION"));

    /// An engine with a hash table of its own.
    ///
    /// # Errors
    /// There is no memory for the table.
    pub fn new(settings: EngineSettings) -> Result<OwnEngine, HashRefused> {
        let EngineSettings { limits, multi_pv, threads, hash_mib, evaluation } = settings;
        let mut engine = Engine::new();
        engine.options.multi_pv = multi_pv.max(1);
        engine.options.threads = threads;
        engine.set_hash(hash_mib)?;
        engine.set_evaluation(evaluation);
        Ok(OwnEngine { engine, limits })
    }
}

impl Analyst for OwnEngine {
    fn name(&self) -> &str {
        OwnEngine::NAME
    }

    fn new_game(&mut self, rules: &RuleSet) -> Result<(), AnalystError> {
        self.engine.options.rules = *rules;
        self.engine.new_game();
        Ok(())
    }

    fn analyze(&mut self, game: &Game) -> Result<PositionAnalysis, AnalystError> {
        let Limits { depth, nodes, move_time } = self.limits;
        let limits = chuhe_engine::Limits { depth, nodes, move_time, ..chuhe_engine::Limits::default() };
        let mut lines = Lines::new();
        let mut gather = |event: &Event<'_>| {
            if let Event::Line(report) = event
                && report.bound == Bound::Exact
            {
                lines.add(report.multipv, line(report.score, report.depth, report.pv.to_vec()));
            }
        };
        let Outcome { best, depth, nodes, .. } = self.engine.search(game, &limits, &Control::new(), &mut gather);
        let lines = lines.finish(game.board(), best, self.engine.options.multi_pv);
        Ok(PositionAnalysis { lines, depth, nodes })
    }
}

fn line(score: chuhe_engine::Score, depth: u32, moves: Vec<chuhe_movegen::Move>) -> Line {
    let (score, chances) = convert(score);
    Line { score, chances, depth, moves }
}

/// A win that is known from tables of endgames, as a session tells it to a GUI.
const TABLE_WIN: i32 = 19_500;

/// A score as it is shown, with its chances, which the engine's own unit tells more finely.
fn convert(score: chuhe_engine::Score) -> (Score, Chances) {
    let units = score.get();
    let decided = |by, plies: i32| {
        let plies = plies.unsigned_abs();
        if units > 0 { Score::Win { by, plies } } else { Score::Loss { by, plies } }
    };
    if let Some(plies) = score.mate_plies() {
        let score = decided(Decision::Mate, plies);
        return (score, score.chances());
    }
    if score.is_by_rule() {
        let plies = chuhe_engine::Score::RULE_IN_MAX_PLY.get() + MAX_PLY as i32 - units.abs();
        let score = decided(Decision::Rule, plies);
        return (score, score.chances());
    }
    if score.is_by_table() {
        // Known to be won; in how many moves is not.
        let (cp, by) = (TABLE_WIN * units.signum(), Decision::Mate);
        let chances = if units > 0 { Score::Win { by, plies: 1 } } else { Score::Loss { by, plies: 1 } }.chances();
        return (Score::Cp(cp), chances);
    }
    let [win, draw, loss] = chuhe_eval::wdl(units);
    (Score::Cp(chuhe_eval::shown(units)), Chances { win, draw, loss })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_scores_stay_apart() {
        type Internal = chuhe_engine::Score;
        let loss = |by, plies| Score::Loss { by, plies };
        assert_eq!(convert(Internal::mate_in(3)).0, Score::Win { by: Decision::Mate, plies: 3 });
        assert_eq!(convert(Internal::mated_in(0)).0, loss(Decision::Mate, 0));
        assert_eq!(convert(Internal::rule_loss(4)).0, loss(Decision::Rule, 4));
        assert_eq!(convert(-Internal::table_loss(4)), (Score::Cp(19_500), Chances { win: 1000, draw: 0, loss: 0 }));
        assert_eq!(convert(Internal::ZERO), (Score::Cp(0), Score::Cp(0).chances()));
        assert_eq!(convert(Internal::new(chuhe_eval::EVEN_CHANCE)).0, Score::Cp(100));
    }
}
