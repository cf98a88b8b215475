//! What a search is allowed: depth, nodes, time, moves.

use std::time::Duration;

use chuhe_movegen::Move;

use crate::clock::Instant;

/// The mover's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves, this one included, to be made within `remaining`; `None`: all the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// The limits of one search; whichever is hit first ends it. Without any the search runs until it is stopped, proves a
/// mate or reaches the depth cap.
#[derive(Clone, Debug)]
pub struct Limits {
    /// When the search was asked for; all time counts from here.
    pub start: Instant,
    /// Iterations.
    pub depth: Option<u32>,
    /// Nodes, summed over threads.
    pub nodes: Option<u64>,
    /// Nodes after which no iteration begins: the running one is completed, so that the move and its score are those of
    /// a whole iteration. For games that make training data.
    pub soft_nodes: Option<u64>,
    /// Stop once a mate in this many moves is proved.
    pub mate: Option<u32>,
    /// Exactly this long.
    pub move_time: Option<Duration>,
    /// Manage the time of a game.
    pub clock: Option<Clock>,
    /// Do not end before [`crate::Control::stop`], whatever has been found.
    pub infinite: bool,
    /// Search on the opponent's time: no limit counts before [`crate::Control::ponder_hit`], and the search does not
    /// end before that or [`crate::Control::stop`].
    pub ponder: bool,
    /// Only these root moves, if not empty.
    pub search_moves: Vec<Move>,
    /// Never these root moves.
    pub banned_moves: Vec<Move>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            start: Instant::now(),
            depth: None,
            nodes: None,
            soft_nodes: None,
            mate: None,
            move_time: None,
            clock: None,
            infinite: false,
            ponder: false,
            search_moves: Vec::new(),
            banned_moves: Vec::new(),
        }
    }
}

impl Limits {
    /// A search of this many iterations.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// A search of this many nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// A search that completes the iteration in which it comes to `soft` nodes, but never exceeds `hard`.
    pub fn soft_nodes(soft: u64, hard: u64) -> Limits {
        Limits { nodes: Some(hard), soft_nodes: Some(soft), ..Limits::default() }
    }

    /// A search of exactly this long.
    pub fn move_time(time: Duration) -> Limits {
        Limits { move_time: Some(time), ..Limits::default() }
    }
}
