//! The answer to `probe`.

use chuhe_engine::{Bound, HashKnowledge};
use chuhe_protocol::{PopHash, PopHashBound, Ranks, WireMove};

use crate::score;

/// What the hash table knows, as a reply.
pub(crate) fn pop_hash(known: Option<HashKnowledge>, ranks: Ranks) -> PopHash {
    let Some(known) = known else { return PopHash::default() };
    let bound = PopHashBound { value: score::to_number(known.score), depth: known.depth };
    PopHash {
        best: known.best.map(|mv| WireMove::new(mv, ranks)),
        lower: (known.bound != Bound::Upper).then_some(bound),
        upper: (known.bound != Bound::Lower).then_some(bound),
    }
}
