//! The evaluation of a search thread, by whichever evaluation is chosen.

use std::fmt;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

use chuhe_movegen::{Board, Move};

use crate::embedded;
use crate::hand_written::HandWritten;
use crate::network::{Accumulators, Network, NetworkError};

/// Which evaluation to use. Networks are equal when their hashes are.
#[derive(Clone, Debug)]
pub enum Evaluation {
    /// The hand-written one.
    HandWritten,
    /// A network.
    Network(Arc<Network>),
}

impl Evaluation {
    /// The evaluation built into the program: its network, or the hand-written evaluation as long as there is none.
    pub fn embedded() -> Evaluation {
        embedded::network().map_or(Evaluation::HandWritten, |network| Evaluation::Network(Arc::clone(network)))
    }

    /// The evaluation that a word stands for where users may also name a file: nothing or `<embedded>` for
    /// [`Evaluation::embedded`], `<none>` or `hce` for the hand-written one.
    pub fn named(word: &str) -> Option<Evaluation> {
        match word.to_ascii_lowercase().as_str() {
            "" | "<embedded>" => Some(Evaluation::embedded()),
            "<none>" | "hce" => Some(Evaluation::HandWritten),
            _ => None,
        }
    }

    /// Reads a network file.
    ///
    /// # Errors
    /// [`NetworkError`] when it cannot be read or is no network.
    pub fn load(path: &Path) -> Result<Evaluation, NetworkError> {
        Network::read(&mut BufReader::new(File::open(path)?)).map(Evaluation::from)
    }
}

impl PartialEq for Evaluation {
    fn eq(&self, other: &Evaluation) -> bool {
        match (self, other) {
            (Evaluation::HandWritten, Evaluation::HandWritten) => true,
            (Evaluation::Network(a), Evaluation::Network(b)) => a.hash() == b.hash(),
            _ => false,
        }
    }
}

impl Eq for Evaluation {}

impl Default for Evaluation {
    /// The embedded evaluation.
    fn default() -> Evaluation {
        Evaluation::embedded()
    }
}

impl From<Network> for Evaluation {
    fn from(network: Network) -> Evaluation {
        Evaluation::Network(Arc::new(network))
    }
}

impl fmt::Display for Evaluation {
    /// As `hand-written` or `network 0123456789abcdef, 689 -> 256 x 2 -> 1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evaluation::HandWritten => f.write_str("hand-written"),
            Evaluation::Network(network) => write!(f, "network {}, {}", network.hash(), network.architecture()),
        }
    }
}

/// The evaluation state of one search thread: it follows the moves of the search, so that most of an evaluation is made
/// up of what changed.
#[derive(Clone, Debug)]
pub struct Evaluator(State);

#[derive(Clone, Debug)]
enum State {
    HandWritten(HandWritten),
    Network(Accumulators),
}

impl Evaluator {
    /// A state whose bottom is `root`.
    pub fn new(evaluation: &Evaluation, root: &Board) -> Evaluator {
        Evaluator(match evaluation {
            Evaluation::HandWritten => State::HandWritten(HandWritten::new(root)),
            Evaluation::Network(network) => State::Network(Accumulators::new(Arc::clone(network), root)),
        })
    }

    /// Starts again from `root`, keeping allocated memory.
    pub fn reset(&mut self, root: &Board) {
        match &mut self.0 {
            State::HandWritten(state) => state.reset(root),
            State::Network(state) => state.reset(root),
        }
    }

    /// Follows a move about to be made on `before`.
    #[inline]
    pub fn push(&mut self, before: &Board, mv: Move) {
        match &mut self.0 {
            State::HandWritten(state) => state.push(before, mv),
            State::Network(state) => state.push(before, mv),
        }
    }

    /// Follows a null move.
    #[inline]
    pub fn push_null(&mut self) {
        match &mut self.0 {
            State::HandWritten(state) => state.push_null(),
            State::Network(state) => state.push_null(),
        }
    }

    /// Takes back the last push.
    #[inline]
    pub fn pop(&mut self) {
        match &mut self.0 {
            State::HandWritten(state) => state.pop(),
            State::Network(state) => state.pop(),
        }
    }

    /// Static evaluation of `board`, the position reached by the pushes, from its side to move, in internal units
    /// (about a hundred to the pawn).
    #[inline]
    pub fn evaluate(&mut self, board: &Board) -> i32 {
        match &mut self.0 {
            State::HandWritten(state) => state.evaluate(board),
            State::Network(state) => state.evaluate(board),
        }
    }
}
