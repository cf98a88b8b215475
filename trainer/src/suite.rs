//! Suites of openings for matches: random moves from the initial array whose score lies within a window.
//!
//! Each draw depends on the seed and its own number alone, and draws are taken in the order of their numbers. So a suite
//! does not depend on the number of threads, and a longer one begins with the shorter one.

use std::collections::{BTreeMap, HashSet};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use chuhe_engine::{Control, Engine, Limits, Outcome};
use chuhe_eval::{Evaluation, shown};
use chuhe_movegen::{Board, Color, Move};
use chuhe_rules::{Game, RuleSet};
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use crate::datagen::{GENERATOR, network_name, new_engine, random_moves};
use crate::pool::{self, Flow, Threads, Work};
use crate::progress::RunError;

/// Nodes of a first look, which saves most searches of openings that are far from the window.
const GLANCE_NODES: u64 = 500;
/// How far a first look may err, as scores are shown.
const GLANCE_ERROR: i32 = 80;
/// Draws in a row without an opening after which there seem to be no more.
const MOST_DRAWS: u64 = 20_000;

/// What a suite is to be.
#[derive(Clone, Debug)]
pub struct SuiteSettings {
    /// Number of openings.
    pub lines: u32,
    /// The scores of the side that is better, as they are shown to users (100: an even chance to win outright).
    pub window: RangeInclusive<i32>,
    /// Random moves.
    pub plies: u16,
    /// Nodes of each of the two searches.
    pub nodes: u64,
    /// What the searches evaluate with.
    pub evaluation: Evaluation,
    /// Rules of repetition in the searches.
    pub rules: RuleSet,
    /// Seed of the moves.
    pub seed: u64,
    /// Draws at once.
    pub threads: Threads,
}

impl SuiteSettings {
    /// What a suite says of itself, in lines.
    #[must_use]
    pub fn header(&self) -> [String; 3] {
        let SuiteSettings { lines, window, plies, nodes, seed, .. } = self;
        let (from, to) = (window.start(), window.end());
        [
            format!("{plies} random moves: Red's score, then the moves from the initial array"),
            format!("openings --lines {lines} --score {from}..{to} --plies {plies} --nodes {nodes} --seed {seed}"),
            format!("{GENERATOR}, network {}, rules {}", network_name(&self.evaluation), self.rules.name()),
        ]
    }
}

/// An opening of a suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SuiteOpening {
    /// The moves from the initial array.
    pub moves: Vec<Move>,
    /// Red's score, as it is shown to users: the mean of both searches.
    pub score: i32,
    /// The same number for positions that are equal or mirror images of each other.
    key: u64,
}

/// The work of making a suite.
struct Suite<'a> {
    settings: &'a SuiteSettings,
    next: AtomicU64,
}

impl Work for Suite<'_> {
    type Job = u64;
    type Product = (u64, Option<SuiteOpening>);
    type Error = RunError;

    fn engine(&self) -> Engine {
        new_engine(&self.settings.evaluation, self.settings.rules)
    }

    fn next(&self) -> Result<Option<u64>, RunError> {
        Ok(Some(self.next.fetch_add(1, Ordering::Relaxed)))
    }

    fn work(&self, engine: &mut Engine, number: u64, _: &AtomicBool) -> Result<Option<Self::Product>, RunError> {
        Ok(Some((number, draw(engine, self.settings, number))))
    }
}

/// Makes a suite; `found` gets each opening as soon as its turn has come, with the number of draws so far. Ends with fewer
/// when `stop` is set.
///
/// # Errors
/// [`RunError::RareOpenings`] when the window has hardly any; what `found` says; a system without threads.
pub fn generate(
    settings: &SuiteSettings,
    stop: &AtomicBool,
    mut found: impl FnMut(&SuiteOpening, u64) -> Result<(), RunError> + Send,
) -> Result<(), RunError> {
    let mut waiting = BTreeMap::new();
    let mut seen = HashSet::new();
    // Draws that have been looked at, and how many there were at the last opening.
    let (mut draws, mut last) = (0, 0);
    if settings.lines == 0 {
        return Ok(());
    }
    let suite = Suite { settings, next: AtomicU64::new(0) };
    pool::run(&suite, &settings.threads, stop, |(number, opening)| {
        waiting.insert(number, opening);
        while let Some(opening) = waiting.remove(&draws) {
            draws += 1;
            if let Some(opening) = opening
                && seen.insert(opening.key)
            {
                last = draws;
                found(&opening, draws)?;
                if seen.len() == settings.lines as usize {
                    return Ok(Flow::End);
                }
            }
        }
        if draws - last >= MOST_DRAWS { Err(RunError::RareOpenings(draws - last)) } else { Ok(Flow::Continue) }
    })
}

/// The opening of this number, if two searches, of its position and of that after the best move, find the same side
/// better, with scores in the window.
fn draw(engine: &mut Engine, settings: &SuiteSettings, number: u64) -> Option<SuiteOpening> {
    let mut rng = ChaCha8Rng::seed_from_u64(settings.seed);
    rng.set_stream(number);
    let (board, moves) = random_moves(Board::startpos(), settings.plies, &mut rng)?;
    let mut game = Game::new(Board::startpos());
    for &mv in &moves {
        game.play(mv).ok()?;
    }
    let is_over = |game: &Game| game.ending(&settings.rules).is_some();
    if is_over(&game) {
        return None;
    }
    engine.new_game();
    let glance = Limits::soft_nodes(GLANCE_NODES, settings.nodes);
    let (low, high) = (settings.window.start() - GLANCE_ERROR, settings.window.end() + GLANCE_ERROR);
    if !(low..=high).contains(&red_score(&game, &search(engine, &game, &glance)).abs()) {
        return None;
    }
    let limits = Limits::nodes(settings.nodes);
    let first = search(engine, &game, &limits);
    let before = red_score(&game, &first);
    if !settings.window.contains(&before.abs()) {
        return None;
    }
    game.play(first.best?).ok()?;
    if is_over(&game) {
        return None;
    }
    let after = red_score(&game, &search(engine, &game, &limits));
    let is_same_side = before.signum() == after.signum() || *settings.window.start() == 0;
    (is_same_side && settings.window.contains(&after.abs())).then(|| SuiteOpening {
        moves,
        score: (before + after) / 2,
        key: board.key().min(board.mirror_files().key()),
    })
}

fn search(engine: &mut Engine, game: &Game, limits: &Limits) -> Outcome {
    engine.search(game, limits, &Control::new(), &mut |_| {})
}

/// Red's score by a search, as it is shown to users.
fn red_score(game: &Game, outcome: &Outcome) -> i32 {
    let score = shown(outcome.score.get());
    if game.board().side_to_move() == Color::Red { score } else { -score }
}
