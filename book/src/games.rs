//! Books of games.

use std::collections::BTreeMap;

use chuhe_movegen::{Board, Move};

use crate::native;
use crate::records::Record;

/// Counts how often each move was played in each position, for a book of games in our own format.
#[derive(Clone, Default, Debug)]
pub struct GameCounts {
    counts: BTreeMap<(u64, Move), u32>,
}

impl GameCounts {
    /// Adds the moves of a game; the first illegal one ends it.
    pub fn add(&mut self, start: &Board, moves: impl IntoIterator<Item = Move>) {
        let mut board = start.clone();
        for mv in moves {
            let Ok(next) = board.play(mv) else { return };
            let count = self.counts.entry(native::canonical(&board, mv)).or_default();
            *count = count.saturating_add(1);
            board = next;
        }
    }

    /// The book of the moves that were played in at least `least` games. A move weighs as many games as chose it.
    #[must_use]
    pub fn build(&self, least: u32) -> Vec<u8> {
        let records = self.counts.iter().filter(|&(_, &count)| count >= least);
        native::write(records.map(|(&(key, mv), &weight)| Record { key, weight, mv }).collect())
    }
}
