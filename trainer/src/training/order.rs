//! The order in which an epoch goes through the data.

use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A record's number and whether its files are to be exchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry(u32);

impl Entry {
    const MIRRORED: u32 = 1 << 31;

    /// The record's number.
    pub(crate) fn index(self) -> usize {
        (self.0 & !Entry::MIRRORED) as usize
    }

    /// Whether its files are to be exchanged.
    pub(crate) fn mirrored(self) -> bool {
        self.0 & Entry::MIRRORED != 0
    }
}

/// The most records that can be told apart.
pub(crate) const MAX_RECORDS: usize = Entry::MIRRORED as usize;

/// All of `count` records in an order drawn from the seed for this epoch alone (Fisher and Yates' shuffle), so that a
/// run can be taken up at any epoch.
pub(crate) fn shuffled(count: usize, seed: u64, epoch: u32, mirror: bool) -> Vec<Entry> {
    assert!(count <= MAX_RECORDS, "{count} records, at most {MAX_RECORDS} can be told apart");
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // The first stream draws the first weights.
    rng.set_stream(u64::from(epoch) + 1);
    let mut bits = 0;
    let mut order: Vec<Entry> = (0..count as u32)
        .map(|index| {
            if mirror && index % 64 == 0 {
                bits = rng.next_u64();
            }
            let bit = (bits >> (index % 64)) as u32 & 1;
            Entry(index | (bit << 31))
        })
        .collect();
    order.shuffle(&mut rng);
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_holds_every_record_once_and_half_of_them_mirrored() {
        let order = shuffled(10_000, 5, 0, true);
        let mut indices: Vec<usize> = order.iter().map(|entry| entry.index()).collect();
        indices.sort_unstable();
        assert!(indices.into_iter().eq(0..10_000));
        let mirrored = order.iter().filter(|entry| entry.mirrored()).count();
        assert!((4_800..5_200).contains(&mirrored), "{mirrored}");
        assert!(!shuffled(10_000, 5, 0, false).iter().any(|entry| entry.mirrored()));
    }

    #[test]
    fn orders_differ_by_seed_and_epoch_and_by_nothing_else() {
        assert_eq!(shuffled(1000, 5, 3, true), shuffled(1000, 5, 3, true));
        assert_ne!(shuffled(1000, 5, 3, true), shuffled(1000, 5, 4, true));
        assert_ne!(shuffled(1000, 5, 3, true), shuffled(1000, 6, 3, true));
    }

    #[test]
    fn a_shuffle_leaves_neighbours_apart() {
        let order = shuffled(10_000, 1, 0, false);
        let near = order.windows(2).filter(|pair| pair[0].index().abs_diff(pair[1].index()) < 100).count();
        // About 2 % of random neighbours are that near.
        assert!((100..300).contains(&near), "{near}");
    }
}
