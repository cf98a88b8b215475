//! Repetition: finding that a position has come again.

use std::collections::hash_map::Entry;

use chuhe_movegen::Color;

use crate::Ply;
use crate::key_map::KeyMap;
use crate::ruling::Window;

/// The moves of a line between two occurrences of one position, the last of them the line's end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cycle {
    /// Index of the ply with the earlier occurrence.
    pub first: usize,
}

/// What a rule set says of a repetition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// Neither side is at fault, or both are alike.
    Draw,
    /// This side must not repeat: it loses.
    Loses(Color),
}

/// Finds the latest earlier occurrence, not before `from`, of the position the line ends in.
///
/// Walks back two plies at a time and stops at the last capture: no position before it can come again.
pub fn find_cycle(line: &[Ply], from: usize) -> Option<Cycle> {
    let last = line.len().checked_sub(1)?;
    let key = line[last].board.key();
    let mut at = last;
    while at > from && !line[at].is_irreversible() {
        at -= 1;
        if at == from || line[at].is_irreversible() {
            // The occurrence itself may have been reached by a capture.
            return ((last - at) % 2 == 0 && last - at >= 4 && line[at].board.key() == key)
                .then_some(Cycle { first: at });
        }
        at -= 1;
        if last - at >= 4 && line[at].board.key() == key {
            return Some(Cycle { first: at });
        }
    }
    None
}

/// Finds the first position of the line that comes for the third time, or else the first that comes again.
pub fn find_repetition(line: &[Ply]) -> Option<Window> {
    let mut twice = None;
    // What has come since the last capture: the first time, and the second if there was one.
    let mut seen: KeyMap<(usize, Option<usize>)> = KeyMap::default();
    for (at, ply) in line.iter().enumerate() {
        if ply.is_irreversible() {
            seen.clear();
        }
        match seen.entry(ply.board.key()) {
            Entry::Vacant(new) => {
                new.insert((at, None));
            }
            Entry::Occupied(mut known) => match *known.get() {
                (first, Some(second)) => return Some(Window { first, second, third: Some(at) }),
                (first, None) => {
                    known.insert((first, Some(at)));
                    twice = twice.or(Some(Window { first, second: at, third: None }));
                }
            },
        }
    }
    twice
}

/// The keys of the positions that a line has had more than once, in order. The next time they are judged.
pub fn recurring_keys(line: &[Ply]) -> Vec<u64> {
    let mut keys: Vec<u64> = line.iter().map(|ply| ply.board.key()).collect();
    keys.sort_unstable();
    let mut recurring: Vec<u64> = keys.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
    recurring.dedup();
    recurring
}
