//! Drawing of lots (猜先, article 13.4) that comes out the same whenever it is asked for.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What a lot is drawn for; each purpose has lots of its own.
#[derive(Copy, Clone)]
pub(super) enum Purpose {
    Colors = 0,
    Winner = 1,
}

/// Heads or tails for the encounter of a name.
pub(super) fn coin(seed: u64, purpose: Purpose, (stage, round, table): (u16, u16, u16)) -> bool {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let name = [stage, round, table].iter().fold(purpose as u64, |name, part| name << 16 | u64::from(*part));
    rng.set_stream(name);
    rng.random()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lots_are_fair_and_stay() {
        let draw = || (0..1000).map(|table| coin(7, Purpose::Colors, (1, 1, table))).collect::<Vec<_>>();
        let lots = draw();
        assert_eq!(lots, draw());
        let heads = lots.iter().filter(|heads| **heads).count();
        assert!((440..560).contains(&heads), "{heads}");
    }
}
