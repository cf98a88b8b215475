//! The transposition table: what earlier searches found out about positions.
//!
//! Shared by all threads without locks: a slot is two relaxed atomics, the key stored exclusive-or'd with the data, so
//! that a torn or overwritten slot fails the comparison (R. Hyatt and T. Mann, "A lock-less transposition table").

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use chuhe_movegen::Move;

use crate::memory::prefer_huge_pages;
use crate::{Bound, Score, memory, threads};

/// Slots per cluster; a cluster fills one cache line.
const SLOTS: usize = 4;
/// Generations are counted modulo this.
const GENERATIONS: u8 = 32;
/// Evaluation of a position that has none (the side to move was in check).
const NO_EVAL: i16 = i16::MIN;

#[derive(Debug, Default)]
struct Slot {
    key_xor_data: AtomicU64,
    data: AtomicU64,
}

#[derive(Debug, Default)]
#[repr(align(64))]
struct Cluster([Slot; SLOTS]);

/// What the table holds of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// Best or refuting move. It may belong to another position with the same key: check it.
    pub(crate) mv: Option<Move>,
    /// Score, seen from the node it was found at.
    pub(crate) score: Score,
    /// Static evaluation without corrections.
    pub(crate) eval: Option<i32>,
    /// Depth searched.
    pub(crate) depth: i32,
    /// How to read the score.
    pub(crate) bound: Bound,
    /// Whether the position was ever in a principal variation.
    pub(crate) pv: bool,
}

impl Entry {
    /// Whether the score says nothing: only the move is known.
    pub(crate) fn is_move_only(&self) -> bool {
        self.score == -Score::INFINITE
    }

    /// Whether the score, as far as it is known, settles the comparison with `against`.
    #[inline]
    pub(crate) fn settles(&self, against: Score) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= against,
            Bound::Upper => self.score < against,
        }
    }
}

/// Packed: move 14, score 16, evaluation 16, depth 8, bound 2, pv 1, generation 5 bits.
fn pack(entry: &Entry, generation: u8) -> u64 {
    let mv = entry.mv.map_or(0, Move::bits);
    let eval = entry.eval.map_or(NO_EVAL, |eval| eval as i16);
    let bound = match entry.bound {
        Bound::Exact => 1u64,
        Bound::Lower => 2,
        Bound::Upper => 3,
    };
    u64::from(mv)
        | u64::from(entry.score.get() as i16 as u16) << 14
        | u64::from(eval as u16) << 30
        | u64::from(entry.depth.clamp(0, 255) as u8) << 46
        | bound << 54
        | u64::from(entry.pv) << 56
        | u64::from(generation) << 57
}

fn unpack(data: u64) -> Option<Entry> {
    let bound = match data >> 54 & 3 {
        1 => Bound::Exact,
        2 => Bound::Lower,
        3 => Bound::Upper,
        _ => return None,
    };
    let eval = (data >> 30) as u16 as i16;
    Some(Entry {
        mv: Move::from_bits((data & 0x3fff) as u16),
        score: Score::new(i32::from((data >> 14) as u16 as i16)),
        eval: (eval != NO_EVAL).then_some(i32::from(eval)),
        depth: i32::from((data >> 46) as u8),
        bound,
        pv: data >> 56 & 1 != 0,
    })
}

fn generation_of(data: u64) -> u8 {
    (data >> 57) as u8 % GENERATIONS
}

fn clear(clusters: &[Cluster]) {
    for slot in clusters.iter().flat_map(|cluster| &cluster.0) {
        slot.data.store(0, Ordering::Relaxed);
        slot.key_xor_data.store(0, Ordering::Relaxed);
    }
}

/// The table.
#[derive(Debug)]
pub(crate) struct TranspositionTable {
    clusters: Vec<Cluster>,
    generation: AtomicU8,
}

impl TranspositionTable {
    /// Memory for a table of `mib` MiB, or nothing when there is none.
    pub(crate) fn reserve(mib: usize) -> Option<Reservation> {
        let bytes = mib.max(1).checked_mul(1 << 20)?;
        // A promise of memory is not memory: ask what is really there.
        if mib > 1 && memory::available().is_some_and(|available| bytes as u64 > available) {
            return None;
        }
        let count = bytes / size_of::<Cluster>();
        let mut clusters: Vec<Cluster> = Vec::new();
        clusters.try_reserve_exact(count).ok()?;
        prefer_huge_pages(&mut clusters);
        Some(Reservation { clusters, count })
    }

    /// Size in MiB.
    pub(crate) fn mib(&self) -> usize {
        (self.clusters.len() * size_of::<Cluster>()) >> 20
    }

    /// Empties the table with this many threads, as far as the system has them to give.
    pub(crate) fn clear(&self, threads: usize) {
        let share = self.clusters.len().div_ceil(threads.clamp(1, 64)).max(1 << 12);
        let (first, others) = self.clusters.split_at(share.min(self.clusters.len()));
        std::thread::scope(|scope| {
            for part in others.chunks(share) {
                if threads::spawn(scope, || clear(part)).is_err() {
                    clear(part);
                }
            }
            clear(first);
        });
        self.generation.store(0, Ordering::Relaxed);
    }

    /// Begins a new search: older entries become easier to replace.
    pub(crate) fn age(&self) {
        self.generation.store((self.generation() + 1) % GENERATIONS, Ordering::Relaxed);
    }

    #[inline]
    fn generation(&self) -> u8 {
        self.generation.load(Ordering::Relaxed)
    }

    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        let index = (u128::from(key) * self.clusters.len() as u128) >> 64;
        &self.clusters[index as usize]
    }

    /// Asks the processor to fetch the cluster of a key that will be needed soon.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let cluster: *const Cluster = self.cluster(key);
            // SAFETY: a prefetch never faults and the pointer comes from a live reference.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(cluster.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known of the position with this key.
    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        self.cluster(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            (slot.key_xor_data.load(Ordering::Relaxed) ^ data == key).then(|| unpack(data)).flatten()
        })
    }

    /// Remembers an entry, in place of the same position's or else of the least valuable one: the shallowest, older
    /// generations counting as shallower.
    pub(crate) fn store(&self, key: u64, mut entry: Entry) {
        let cluster = self.cluster(key);
        let mut target = &cluster.0[0];
        let mut least = i32::MAX;
        for slot in &cluster.0 {
            let data = slot.data.load(Ordering::Relaxed);
            let old = unpack(data);
            if slot.key_xor_data.load(Ordering::Relaxed) ^ data == key
                && let Some(old) = old
            {
                // A deeper result of this search is worth more than a shallow bound; its move always is.
                if entry.mv.is_none() {
                    entry.mv = old.mv;
                }
                if entry.bound != Bound::Exact
                    && generation_of(data) == self.generation()
                    && old.depth > entry.depth + 3
                {
                    return;
                }
                target = slot;
                break;
            }
            let age = (GENERATIONS + self.generation() - generation_of(data)) % GENERATIONS;
            let worth = old.map_or(i32::MIN, |old| old.depth - 8 * i32::from(age));
            if worth < least {
                least = worth;
                target = slot;
            }
        }
        let data = pack(&entry, self.generation());
        target.data.store(data, Ordering::Relaxed);
        target.key_xor_data.store(key ^ data, Ordering::Relaxed);
    }

    /// Remembers the move of an entry whose score may not be used; what was known before is kept.
    pub(crate) fn store_move(&self, key: u64, entry: Entry) {
        let entry = match self.probe(key) {
            Some(known) => Entry { mv: entry.mv.or(known.mv), ..known },
            None => Entry { score: -Score::INFINITE, bound: Bound::Lower, depth: 0, ..entry },
        };
        self.store(key, entry);
    }

    /// Share of slots written by the current search, in per mille, from a sample.
    pub(crate) fn hashfull(&self) -> u16 {
        let sample = self.clusters.len().min(1000 / SLOTS);
        let used = self.clusters[..sample]
            .iter()
            .flat_map(|cluster| &cluster.0)
            .filter(|slot| {
                let data = slot.data.load(Ordering::Relaxed);
                unpack(data).is_some() && generation_of(data) == self.generation()
            })
            .count();
        (used * 1000 / (sample * SLOTS).max(1)) as u16
    }
}

/// Memory for a table, promised but not yet used: the old table can be given back before the new one is written.
#[derive(Debug)]
pub(crate) struct Reservation {
    clusters: Vec<Cluster>,
    count: usize,
}

impl Reservation {
    /// The empty table.
    pub(crate) fn fill(self) -> TranspositionTable {
        let Reservation { mut clusters, count } = self;
        clusters.resize_with(count, Cluster::default);
        TranspositionTable { clusters, generation: AtomicU8::new(0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i32) -> Entry {
        Entry {
            mv: "h2e2".parse().ok(),
            score: Score::mate_in(7),
            eval: Some(-1234),
            depth,
            bound: Bound::Lower,
            pv: true,
        }
    }

    #[test]
    fn entries_survive_packing() {
        for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
            for eval in [None, Some(0), Some(19_999), Some(-19_999)] {
                let entry = Entry { bound, eval, ..entry(200) };
                assert_eq!(unpack(pack(&entry, 31)), Some(entry));
                assert_eq!(generation_of(pack(&entry, 31)), 31);
            }
        }
        assert_eq!(unpack(0), None);
    }

    #[test]
    fn a_full_cluster_gives_up_its_least_valuable_entry() {
        let table = TranspositionTable::reserve(1).unwrap().fill();
        // Keys that differ in low bits share a cluster.
        for key in 1..=4 {
            table.store(key, entry(10 + key as i32));
        }
        table.store(9, entry(1));
        assert_eq!(table.probe(1), None);
        assert!((2..=4).all(|key| table.probe(key) == Some(entry(10 + key as i32))));
        for _ in 0..3 {
            table.age();
        }
        table.store(9, entry(30));
        table.store(10, entry(1));
        assert_eq!(table.probe(2), None, "older entries go first");
        table.clear(2);
        assert_eq!(table.probe(9), None);
    }

    #[test]
    fn a_move_alone_does_not_displace_a_score() {
        let table = TranspositionTable::reserve(1).unwrap().fill();
        let mv = "b2e2".parse().ok();
        table.store_move(1, Entry { mv, ..entry(9) });
        let stored = table.probe(1).unwrap();
        assert!(stored.is_move_only() && stored.mv == mv && stored.bound == Bound::Lower);
        table.store(2, entry(9));
        table.store_move(2, Entry { mv, bound: Bound::Exact, ..entry(12) });
        assert_eq!(table.probe(2), Some(Entry { mv, ..entry(9) }));
    }

    #[test]
    fn an_impossible_size_is_refused() {
        assert!(TranspositionTable::reserve(usize::MAX >> 20).is_none());
        // One that could be promised but is not there: a TiB.
        assert!(TranspositionTable::reserve(1 << 20).is_none());
    }
}
