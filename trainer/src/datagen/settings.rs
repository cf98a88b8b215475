//! How games are generated.

use chuhe_engine::{Control, Engine, Limits};
use chuhe_eval::Evaluation;
use chuhe_movegen::Board;
use chuhe_rules::{Game, RuleSet};

use crate::data::game::{Adjudication, Header, SearchSettings};
use crate::pool::Threads;

/// Size of the hash table, in MiB: plenty for so few nodes, and quickly emptied.
const HASH_MIB: usize = 8;
/// A search takes at most so many times its soft limit.
pub(crate) const HARD_FACTOR: u64 = 8;
/// The search that examines an opening gets so many times the soft limit: it need not see more than the game will.
const OPENING_FACTOR: u64 = 5;
/// The score beyond which an opening is not played.
const OPENING_LIMIT: i32 = 300;

/// The settings of a run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Nodes after which no iteration begins.
    pub soft_nodes: u64,
    /// What the searches evaluate with.
    pub evaluation: Evaluation,
    /// Rules by which games end, in the search too.
    pub rules: RuleSet,
    /// Seed of the openings; each game depends on it and its own number only. At most `i64::MAX`.
    pub seed: u64,
    /// Games at once.
    pub threads: Threads,
    /// The run ends with so many games in the file.
    pub games: Option<u32>,
    /// The run ends with so many positions in the file that training would keep.
    pub positions: Option<u64>,
    /// When games are broken off.
    pub adjudication: Adjudication,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            soft_nodes: 1000,
            evaluation: Evaluation::embedded(),
            rules: RuleSet::COMPUTER,
            seed: 1,
            threads: Threads::default(),
            games: None,
            positions: None,
            adjudication: Adjudication::default(),
        }
    }
}

impl Settings {
    /// An engine for one of the threads.
    pub(super) fn engine(&self) -> Engine {
        new_engine(&self.evaluation, self.rules)
    }

    /// The limits of the search for a move.
    pub(super) fn limits(&self) -> Limits {
        Limits::soft_nodes(self.soft_nodes, self.soft_nodes.saturating_mul(HARD_FACTOR))
    }

    /// The header of the file.
    pub(super) fn header(&self) -> Header {
        Header {
            generator: GENERATOR.to_owned(),
            seed: self.seed,
            rules: self.rules.name().to_owned(),
            search: SearchSettings {
                fingerprint: fingerprint(&mut self.engine()),
                network: network_name(&self.evaluation),
                soft_nodes: self.soft_nodes,
                hard_nodes: self.soft_nodes.saturating_mul(HARD_FACTOR),
                hash_mib: HASH_MIB as u64,
                opening_nodes: self.soft_nodes.saturating_mul(OPENING_FACTOR),
                opening_limit: OPENING_LIMIT,
            },
            adjudication: self.adjudication.clone(),
            rescored: Vec::new(),
        }
    }
}

/// An engine for games of few nodes a move.
pub(crate) fn new_engine(evaluation: &Evaluation, rules: RuleSet) -> Engine {
    let mut engine = Engine::new();
    engine.set_evaluation(evaluation.clone());
    engine.options.rules = rules;
    // A refusal leaves the engine with the default size, or what of it can be had.
    let _ = engine.set_hash(HASH_MIB);
    engine
}

/// Program and version.
pub(crate) const GENERATOR: &str = concat!("chuhe-train ", env!("CARGO_PKG_VERSION"));

/// What a header calls an evaluation.
pub(crate) fn network_name(evaluation: &Evaluation) -> String {
    match evaluation {
        Evaluation::HandWritten => "hce".to_owned(),
        Evaluation::Network(network) => network.hash().to_string(),
    }
}

/// The nodes that an engine takes for some fixed searches. Two engines that search or evaluate differently will hardly
/// have the same, as with `chuhe bench`, which takes longer.
pub fn fingerprint(engine: &mut Engine) -> u64 {
    const FENS: [&str; 3] = [
        Board::START_FEN,
        "r2akab1r/3n5/1cn1b1c2/p1p1p1p1p/9/2P3P2/P3P3P/1CN1C1N2/9/R1BAKAB1R w - - 0 8",
        "3ak4/4a4/4b4/p3C3p/4p4/2n6/P3P3P/4B4/4A4/2BAK4 b - - 6 40",
    ];
    let nodes = FENS.map(|fen| {
        engine.new_game();
        let board = Board::from_fen(fen).expect("the positions are legal");
        engine.search(&Game::new(board), &Limits::depth(10), &Control::new(), &mut |_| {}).nodes
    });
    nodes.iter().sum()
}
