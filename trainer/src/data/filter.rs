//! Which positions are learnt from.

use crate::data::Record;
use crate::data::game::{GameFault, PackedGame, Position};

/// A choice of positions by themselves: quiet ones, whose score says something about the evaluation.
///
/// The evaluation is asked about no position in check, and a capture or check as best move means that the position is
/// not quiet. Near the natural limit and near mate scores speak of other things than the placement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Filter {
    /// Earlier half-moves of the game are opening.
    pub from_ply: u16,
    /// Scores of this or beyond, either side, are decided games.
    pub score_limit: u16,
    /// Half-moves without a capture from which on the natural limit is near.
    pub clock_limit: u16,
    /// Whether positions whose best move gives check are left out.
    pub skip_checks: bool,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter { from_ply: 8, score_limit: 2500, clock_limit: 100, skip_checks: true }
    }
}

impl Filter {
    /// Whether the position is to be learnt from.
    pub fn keeps(&self, position: &Position) -> bool {
        position.ply >= self.from_ply
            && position.score.unsigned_abs() < self.score_limit
            && position.board.halfmove_clock() < self.clock_limit
            && !position.is_capture
            && !(self.skip_checks && position.gives_check)
            && !position.board.in_check()
    }
}

/// Bits of a key that are remembered; 25 million keys share them by chance about once.
const TAG_BITS: u32 = 48;
const COUNT_BITS: u32 = 3;
const FILE_BITS: u32 = u64::BITS - TAG_BITS - COUNT_BITS;
/// Slots of an empty table.
const SMALLEST: usize = 1 << 10;

/// Keeps positions from being learnt from too often: at most once a file, and [`Repeats::CAP`] times in all.
///
/// A hash table with open addressing, eight bytes a slot: 48 bits of the key, the last file, the number of times. It
/// takes about 12 bytes a position.
#[derive(Clone, Debug)]
pub struct Repeats {
    slots: Vec<u64>,
    used: usize,
    file: u64,
}

impl Default for Repeats {
    fn default() -> Repeats {
        Repeats { slots: vec![0; SMALLEST], used: 0, file: 1 }
    }
}

impl Repeats {
    /// How often a position may come in a set of files.
    pub const CAP: u64 = 4;
    /// So many files can be told apart; from there on some count as one.
    pub const MAX_FILES: u64 = (1 << FILE_BITS) - 1;

    /// Nothing seen yet; the first file has begun.
    pub fn new() -> Repeats {
        Repeats::default()
    }

    /// Begins the next file.
    pub fn next_file(&mut self) {
        self.file = self.file % Repeats::MAX_FILES + 1;
    }

    /// Number of different positions seen.
    pub fn distinct(&self) -> usize {
        self.used
    }

    /// Whether the position with this key ([`chuhe_movegen::Board::key`]) may be taken once more; counts it if so.
    pub fn admit(&mut self, key: u64) -> bool {
        if self.used * 10 >= self.slots.len() * 7 {
            self.grow();
        }
        let tag = key >> (u64::BITS - TAG_BITS);
        let slot = self.find(tag);
        let entry = &mut self.slots[slot];
        if *entry == 0 {
            *entry = tag | self.file << TAG_BITS | 1 << (TAG_BITS + FILE_BITS);
            self.used += 1;
            return true;
        }
        let (file, count) = (*entry >> TAG_BITS & Repeats::MAX_FILES, *entry >> (TAG_BITS + FILE_BITS));
        if file == self.file || count >= Repeats::CAP {
            return false;
        }
        *entry = tag | self.file << TAG_BITS | (count + 1) << (TAG_BITS + FILE_BITS);
        true
    }

    /// The slot of a tag, or the empty one where it belongs.
    fn find(&self, tag: u64) -> usize {
        let mask = self.slots.len() - 1;
        // Fibonacci hashing spreads the tag over the table.
        let mut slot = (tag.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) as usize & mask;
        while self.slots[slot] != 0 && self.slots[slot] & ((1 << TAG_BITS) - 1) != tag {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        let doubled = vec![0; 2 * self.slots.len()];
        for entry in std::mem::replace(&mut self.slots, doubled).into_iter().filter(|&entry| entry != 0) {
            let slot = self.find(entry & ((1 << TAG_BITS) - 1));
            self.slots[slot] = entry;
        }
    }
}

/// The whole choice: a [`Filter`], and [`Repeats`] of the positions that pass it.
#[derive(Clone, Default, Debug)]
pub struct Selection {
    /// By the position itself.
    pub filter: Filter,
    /// By how often it has been there.
    pub repeats: Repeats,
}

impl Selection {
    /// Appends the records of the chosen positions of a game.
    ///
    /// # Errors
    /// The first fault of the game; the records before it have been appended.
    pub fn select(&mut self, game: &PackedGame, records: &mut Vec<Record>) -> Result<(), GameFault> {
        for position in game.positions() {
            let position = position?;
            if self.filter.keeps(&position) && self.repeats.admit(position.board.key()) {
                records.push(position.record());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::GameOutcome;
    use chuhe_movegen::{Board, Move};

    /// A quiet position in which any condition can be spoilt.
    fn quiet(fen: &str, mv: &str) -> Position {
        let board = Board::from_fen(fen).expect("a position");
        let mv: Move = mv.parse().expect("a move");
        let next = board.play(mv).expect("a legal move");
        let is_capture = board.is_capture(mv);
        Position { board, mv, score: 30, outcome: GameOutcome::Draw, ply: 40, is_capture, gives_check: next.in_check() }
    }

    #[test]
    fn only_quiet_undecided_positions_are_kept() {
        let filter = Filter::default();
        let good = quiet("3k5/9/9/9/p8/9/P8/9/R8/4K4 w - - 99 50", "a1b1");
        assert!(filter.keeps(&good));
        let spoilt: [(&str, Position); 8] = [
            ("opening", Position { ply: 7, ..good.clone() }),
            ("winning", Position { score: 2500, ..good.clone() }),
            ("losing", Position { score: -2500, ..good.clone() }),
            ("mated", Position { score: i16::MIN, ..good.clone() }),
            ("capture", quiet("3k5/9/9/9/p8/9/9/9/R8/4K4 w - - 10 50", "a1a5")),
            ("check", quiet("3k5/9/9/9/p8/9/P8/9/R8/4K4 w - - 10 50", "a1d1")),
            ("in check", quiet("3k5/9/9/9/p8/9/P8/9/R3r4/4K4 w - - 10 50", "e0f0")),
            ("old", quiet("3k5/9/9/9/p8/9/P8/9/R8/4K4 w - - 100 50", "a1b1")),
        ];
        for (why, position) in &spoilt {
            assert!(!filter.keeps(position), "{why}");
        }
        assert!(Filter { skip_checks: false, ..filter }.keeps(&spoilt[5].1));
    }

    #[test]
    fn positions_come_once_a_file_and_four_times_in_all() {
        let mut repeats = Repeats::new();
        for file in 0..6 {
            assert_eq!(repeats.admit(7 << 20), file < 4, "file {file}");
            assert!(!repeats.admit(7 << 20), "again in file {file}");
            assert!(repeats.admit((8 + file) << 20), "another position");
            repeats.next_file();
        }
        assert_eq!(repeats.distinct(), 7);
    }

    #[test]
    fn a_growing_table_forgets_nothing() {
        let mut repeats = Repeats::new();
        let keys = || (1..=200_000u64).map(|n| n.wrapping_mul(0xd6e8_feb8_6659_fd93));
        assert!(keys().all(|key| repeats.admit(key)));
        assert!(!keys().any(|key| repeats.admit(key)));
        assert_eq!(repeats.distinct(), 200_000);
        repeats.next_file();
        assert!(keys().all(|key| repeats.admit(key)));
    }
}
