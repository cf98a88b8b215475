//! Any other engine as an analyst: a process that speaks UCCI, UCI or XBoard.

use std::time::Duration;

use chuhe_client::player::Player as _;
use chuhe_client::time_control::{SearchLimits, TimeControl};
use chuhe_client::{Client, Detected, EngineSpec, Fault, Launch, SpecError, StudyLine, detect};
use chuhe_movegen::Board;
use chuhe_protocol::Wdl;
use chuhe_rules::{Game, RuleSet};

use crate::{Analyst, AnalystError, Chances, Decision, Limits, Line, Lines, PositionAnalysis, Score};

/// How long a process may take for a position beyond the time it was given; as long when it was given none.
const GRACE: Duration = Duration::from_secs(10);
const PATIENCE: Duration = Duration::from_secs(60 * 60);

/// An option that an engine is asked for though it need not know it: it then tells its own chances.
const SHOW_WDL: &str = "UCI_ShowWDL";

/// An engine that has been tried out, of which everything is known that analyzing needs.
#[derive(Clone, Debug)]
pub struct FoundEngine {
    spec: EngineSpec,
    detected: Detected,
    name: String,
    limits: SearchLimits,
    multi_pv: usize,
}

/// An engine that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NotFound {
    /// The description cannot be understood.
    #[error(transparent)]
    Description(#[from] SpecError),
    /// It does not start, does not know xiangqi, or has no words for the limits.
    #[error("{name}: {fault}")]
    Engine {
        /// What the description calls it.
        name: String,
        /// What is wrong.
        fault: Fault,
    },
}

impl FoundEngine {
    /// Tries out an engine, which is started for that and ended; `description` is one that [`EngineSpec`] reads.
    ///
    /// # Errors
    /// [`NotFound`]: it cannot analyze under these limits.
    pub fn find(description: &str, limits: Limits, multi_pv: usize) -> Result<FoundEngine, NotFound> {
        let mut spec: EngineSpec = description.parse()?;
        // What the engine may not know is asked for, and given up if it does not announce it.
        let is_given = |spec: &EngineSpec, name: &str| spec.options.iter().any(|(given, _)| given == name);
        let mut wanted = vec![(SHOW_WDL, "true".to_owned())];
        if multi_pv > 1 {
            wanted.push(("MultiPV", multi_pv.to_string()));
        }
        wanted.retain(|(name, _)| !is_given(&spec, name));
        spec.options.extend(wanted.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        let wrong = |name: &str| {
            let name = name.to_owned();
            move |fault| NotFound::Engine { name, fault }
        };
        let detected = detect(&spec, &Launch::default()).map_err(wrong(&spec.name))?;
        let is_unknown = |name: &str| detected.unknown_options.iter().any(|unknown| unknown == name);
        spec.options.retain(|(name, _)| !wanted.iter().any(|(wanted, _)| wanted == name) || !is_unknown(name));
        let limits = SearchLimits { move_time: limits.move_time, depth: limits.depth, nodes: limits.nodes };
        detected.check_time_control(&TimeControl { clock: None, limits }).map_err(wrong(&spec.name))?;
        let name = detected.id.clone().unwrap_or_else(|| spec.name.clone());
        Ok(FoundEngine { spec, detected, name, limits, multi_pv })
    }

    /// What it calls itself.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its description, completed by the options that analyzing needs.
    #[must_use]
    pub fn spec(&self) -> &EngineSpec {
        &self.spec
    }

    /// The options that it should have and does not announce.
    pub fn unknown_options(&self) -> impl Iterator<Item = &str> {
        self.detected.unknown_options.iter().map(String::as_str).filter(|&name| name != SHOW_WDL)
    }

    fn patience(&self) -> Duration {
        self.limits.move_time.map_or(PATIENCE, |time| time + GRACE)
    }
}

/// An engine process that analyzes. It is started for the first game, and again after a fault.
pub struct OtherEngine {
    engine: FoundEngine,
    client: Option<Client>,
}

impl OtherEngine {
    /// An analyst whose process is yet to be started.
    #[must_use]
    pub const fn new(engine: FoundEngine) -> OtherEngine {
        OtherEngine { engine, client: None }
    }

    fn error(&mut self, fault: Fault) -> AnalystError {
        // Dropping it ends the process; the next game begins with another.
        self.client = None;
        AnalystError { name: self.engine.name.clone(), source: Box::new(fault) }
    }

    fn client(&mut self) -> Result<&mut Client, Fault> {
        if self.client.as_mut().is_some_and(|client| !client.is_alive() || client.wants_restart()) {
            self.client = None;
        }
        match &mut self.client {
            Some(client) => Ok(client),
            empty => {
                let FoundEngine { spec, detected, .. } = &self.engine;
                Ok(empty.insert(Client::start(spec, detected, &Launch::default())?))
            }
        }
    }
}

impl Analyst for OtherEngine {
    fn name(&self) -> &str {
        &self.engine.name
    }

    /// By which rules the game is played cannot be told to most engines; for the others `--engine` has their options.
    fn new_game(&mut self, _rules: &RuleSet) -> Result<(), AnalystError> {
        let game = Game::new(Board::startpos());
        let began = self.client().and_then(|client| client.new_game(&game, game.board().side_to_move()));
        began.map_err(|fault| self.error(fault))
    }

    fn analyze(&mut self, game: &Game) -> Result<PositionAnalysis, AnalystError> {
        let (limits, patience) = (self.engine.limits, self.engine.patience());
        let study = match self.client.as_mut() {
            Some(client) => client.study(game, limits, patience),
            None => self.client().and_then(|client| client.study(game, limits, patience)),
        };
        let study = study.map_err(|fault| self.error(fault))?;
        let mut lines = Lines::new();
        for told in study.lines {
            let (score, chances) = convert(&told);
            lines.add(told.rank, Line { score, chances, depth: told.depth, moves: told.moves });
        }
        let lines = lines.finish(game.board(), study.best, self.engine.multi_pv);
        let depth = lines.first().map_or(0, |line| line.depth);
        Ok(PositionAnalysis { lines, depth, nodes: study.nodes.unwrap_or(0) })
    }
}

/// A score as it was told, with its chances: those that the engine gives, if they make sense, or what its hundredths of a
/// pawn stand for.
fn convert(told: &StudyLine) -> (Score, Chances) {
    let score = match told.score {
        chuhe_protocol::Score::Cp(cp) => Score::Cp(cp),
        chuhe_protocol::Score::Mate(plies @ 1..) => Score::Win { by: Decision::Mate, plies: plies.unsigned_abs() },
        chuhe_protocol::Score::Mate(plies) => Score::Loss { by: Decision::Mate, plies: plies.unsigned_abs() },
    };
    let chances = told.wdl.and_then(chances_as_told).unwrap_or_else(|| match score {
        Score::Cp(cp) => chances_of_pawns(cp),
        Score::Win { .. } | Score::Loss { .. } => score.chances(),
    });
    (score, chances)
}

fn chances_as_told(wdl: Wdl) -> Option<Chances> {
    let [win, draw, loss] = [wdl.win, wdl.draw, wdl.loss].map(|chance| u16::try_from(chance).ok());
    let chances = Chances { win: win?, draw: draw?, loss: loss? };
    let sum = u32::from(chances.win) + u32::from(chances.draw) + u32::from(chances.loss);
    (sum == 1000).then_some(chances)
}

/// The chances that a score in hundredths of a pawn stands for, with engines that do not tell their own: the curve of
/// [lichess.org/page/accuracy](https://lichess.org/page/accuracy), 1 / (1 + e^(−0.00368208 · `cp`)). It was fitted on
/// games of chess between people and knows a win probability only, no draws.
fn chances_of_pawns(cp: i32) -> Chances {
    const STEEPNESS: f64 = 0.003_682_08;
    let win = (1000.0 / (1.0 + (-STEEPNESS * f64::from(cp)).exp())).round() as u16;
    Chances { win, draw: 0, loss: 1000 - win }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_that_make_no_sense_are_not_taken() {
        let wdl = |win, draw, loss| chances_as_told(Wdl { win, draw, loss });
        assert_eq!(wdl(500, 300, 200), Some(Chances { win: 500, draw: 300, loss: 200 }));
        assert_eq!(wdl(500, 300, 201), None);
        assert_eq!(wdl(70_536, 0, 0), None);
    }

    /// The figures are worked out from the formula by hand.
    #[test]
    fn pawns_of_other_engines_weigh_less() {
        for (cp, win) in [(0, 500), (100, 591), (153, 637), (-153, 363), (300, 751), (1000, 975)] {
            assert_eq!(chances_of_pawns(cp), Chances { win, draw: 0, loss: 1000 - win }, "{cp}");
        }
        assert_eq!([i32::MIN, i32::MAX].map(|cp| chances_of_pawns(cp).win), [0, 1000]);
    }

    #[test]
    fn mates_keep_their_plies_and_chances_as_told_come_first() {
        let told = |score, wdl| StudyLine { rank: 1, score, wdl, depth: 1, moves: Vec::new() };
        let wdl = Wdl { win: 600, draw: 300, loss: 100 };
        let chances = Chances { win: 600, draw: 300, loss: 100 };
        assert_eq!(convert(&told(chuhe_protocol::Score::Cp(35), Some(wdl))), (Score::Cp(35), chances));
        assert_eq!(convert(&told(chuhe_protocol::Score::Cp(0), None)), (Score::Cp(0), chances_of_pawns(0)));
        let by = Decision::Mate;
        let mated = Chances { win: 0, draw: 0, loss: 1000 };
        for (plies, score, chances) in [
            (5, Score::Win { by, plies: 5 }, mated.seen_by_other()),
            (-4, Score::Loss { by, plies: 4 }, mated),
            (0, Score::Loss { by, plies: 0 }, mated),
        ] {
            assert_eq!(convert(&told(chuhe_protocol::Score::Mate(plies), None)), (score, chances), "{plies}");
        }
    }
}
