//! New scores for old games: the moves and results stay, and a newer evaluation says what each position is worth.
//!
//! When data are short this is worth nearly as much as new games (notes of Viridithas, networks 12, 14 and 18).

use std::collections::HashSet;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use chuhe_engine::{Control, Engine, Limits};
use chuhe_eval::Evaluation;
use chuhe_rules::{Game, RuleSet};

use crate::data::filter::Filter;
use crate::data::game::{GameFault, HeaderFault, PackedGame, PackedPly, Reader, Rescoring};
use crate::datagen::{GENERATOR, HARD_FACTOR, fingerprint, network_name, new_engine};
use crate::pool::{self, Flow, Threads, Work};
use crate::progress::{GameOutput, Progress, RunError};

/// How games are given new scores.
#[derive(Clone, Debug)]
pub struct RescoreSettings {
    /// Nodes after which no iteration begins.
    pub soft_nodes: u64,
    /// What the searches evaluate with.
    pub evaluation: Evaluation,
    /// Games at once; the scores do not depend on it.
    pub threads: Threads,
}

impl Default for RescoreSettings {
    fn default() -> RescoreSettings {
        RescoreSettings { soft_nodes: 1000, evaluation: Evaluation::embedded(), threads: Threads::default() }
    }
}

/// What the threads share.
struct Rescore<'a> {
    settings: &'a RescoreSettings,
    rules: RuleSet,
    path: &'a Path,
    input: Mutex<Reader<BufReader<File>>>,
    /// Numbers of the games that have their new scores already.
    done: HashSet<u32>,
}

/// Positions that nothing is learnt from, whatever their score, keep the old one.
const WORTHWHILE: Filter = Filter { from_ply: 0, score_limit: u16::MAX, clock_limit: u16::MAX, skip_checks: false };

impl Work for Rescore<'_> {
    type Job = PackedGame;
    type Product = PackedGame;
    type Error = RunError;

    fn engine(&self) -> Engine {
        new_engine(&self.settings.evaluation, self.rules)
    }

    fn next(&self) -> Result<Option<PackedGame>, RunError> {
        let mut input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match input.next() {
                None => return Ok(None),
                Some(Err(error)) if error.is_torn() => return Ok(None),
                Some(Ok(game)) if self.done.contains(&game.number) => {}
                Some(game) => return game.map(Some).map_err(RunError::file(self.path)),
            }
        }
    }

    fn work(&self, engine: &mut Engine, game: PackedGame, stop: &AtomicBool) -> Result<Option<PackedGame>, RunError> {
        let fault = RunError::game(self.path, game.number);
        rescore_game(engine, game, self.settings.soft_nodes, stop).map_err(fault)
    }
}

/// Searches the positions of a game again; nothing when told to stop before its end.
fn rescore_game(
    engine: &mut Engine,
    mut packed: PackedGame,
    soft_nodes: u64,
    stop: &AtomicBool,
) -> Result<Option<PackedGame>, GameFault> {
    engine.new_game();
    let mut game = Game::new(packed.start.clone());
    let mut plies = Vec::with_capacity(packed.plies.len());
    for (index, position) in packed.positions().enumerate() {
        let position = position?;
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let mut score = position.score;
        if WORTHWHILE.keeps(&position) {
            let limits = Limits::soft_nodes(soft_nodes, soft_nodes.saturating_mul(HARD_FACTOR));
            let found = engine.search(&game, &limits, &Control::new(), &mut |_| {}).score.get();
            score = found.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        }
        plies.push(PackedPly::new(&position.board, position.mv, score));
        game.play(position.mv).map_err(|_| GameFault::IllegalMove { ply: index, mv: position.mv })?;
    }
    packed.plies = plies;
    Ok(Some(packed))
}

/// Writes the games of `input` with new scores to `output`, or goes on with that where an earlier run ended. The order
/// of the games may change. Calls `observe` after each game.
///
/// # Errors
/// [`RunError`]; what has been written stays.
pub fn rescore(
    settings: &RescoreSettings,
    input: &Path,
    output: &Path,
    stop: &AtomicBool,
    observe: &mut (dyn FnMut(&Progress) + Send),
) -> Result<Progress, RunError> {
    let unusable = RunError::file(input);
    let file = File::open(input).map_err(|error| unusable(error.into()))?;
    let reader = Reader::new(BufReader::with_capacity(1 << 20, file)).map_err(&unusable)?;
    let mut header = reader.header().clone();
    let rules: RuleSet =
        header.rules.parse().map_err(|error| unusable(HeaderFault::Text(format!("rules: {error}")).into()))?;
    let fingerprint = fingerprint(&mut new_engine(&settings.evaluation, rules));
    header.rescored.push(Rescoring {
        generator: GENERATOR.to_owned(),
        fingerprint,
        network: network_name(&settings.evaluation),
        soft_nodes: settings.soft_nodes,
        hard_nodes: settings.soft_nodes.saturating_mul(HARD_FACTOR),
    });
    let mut output = GameOutput::open(output, &header)?;
    let rescore = Rescore { settings, rules, path: input, input: Mutex::new(reader), done: output.take_numbers() };
    pool::run(&rescore, &settings.threads, stop, |game| {
        observe(output.write(&game)?);
        Ok(Flow::Continue)
    })?;
    Ok(output.finish())
}
