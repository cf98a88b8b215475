//! Weaker play on purpose.
//!
//! A level limits the nodes of each move and, below that, lets the engine prefer a move that is a little worse: the
//! less so the stronger the level. A move that loses real material against the best is never preferred from level 3
//! on, so that mistakes are those of a person who sees less far and not those of one who overlooks a threat.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

use crate::Score;

/// How strong to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strength {
    /// As strong as possible.
    #[default]
    Full,
    /// At a level below full strength.
    Level(SkillLevel),
}

/// A level of play, 0 (weakest) to 19; 20 would be full strength.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SkillLevel(u8);

impl SkillLevel {
    /// The strongest limited level.
    pub const MAX: SkillLevel = SkillLevel(19);

    /// 0 (weakest) to 19.
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl Strength {
    /// Elo of level 0 on the scale of `UCI_Elo`.
    pub const MIN_ELO: i32 = LEVEL_ELO[0];
    /// Elo of level 19 on that scale.
    pub const MAX_ELO: i32 = LEVEL_ELO[LEVEL_ELO.len() - 1];

    /// The strength of `Skill Level` 0–20; 20 and above is full strength.
    pub fn from_level(level: i64) -> Strength {
        if level >= 20 { Strength::Full } else { Strength::Level(SkillLevel(level.max(0) as u8)) }
    }

    /// The level nearest to an Elo of [`Strength::MIN_ELO`] to [`Strength::MAX_ELO`].
    pub fn from_elo(elo: i64) -> Strength {
        let distance = |level: &u8| elo.abs_diff(LEVEL_ELO[usize::from(*level)].into());
        Strength::Level((0..=SkillLevel::MAX.0).min_by_key(distance).map_or(SkillLevel::MAX, SkillLevel))
    }
}

/// Elo of each level: the sums of the distances measured between neighbours (`docs/levels.md`), above an arbitrary 1000.
const LEVEL_ELO: [i32; 20] = [
    1000, 1050, 1150, 1210, 1300, 1340, 1430, 1560, 1870, 2090, 2250, 2380, 2490, 2620, 2760, 2880, 2980, 3030, 3080,
    3280,
];

impl Strength {
    /// The level, if play is limited.
    pub(crate) fn level(self) -> Option<SkillLevel> {
        match self {
            Strength::Full => None,
            Strength::Level(level) => Some(level),
        }
    }
}

/// Nodes a move at a level: 100 at level 0, near 40,000 at level 19.
pub(crate) fn node_limit(level: SkillLevel) -> u64 {
    // At the lower levels nodes matter less, so they grow faster. Integer arithmetic, so that every platform agrees.
    (0..level.get()).fold(100, |nodes, step| if step < 10 { nodes * 3 / 2 } else { nodes * 5 / 4 })
}

/// The largest evaluation by which a chosen move may be worse than the best: more than a cannon at level 0, a quarter
/// less with each level. From level 3 on it is far below the value of a rook.
fn tolerance(level: Option<SkillLevel>, randomness: i32) -> i32 {
    let by_level = level.map_or(0, |level| (0..level.get()).fold(900, |tolerance, _| tolerance * 3 / 4));
    by_level.max(randomness)
}

/// Root moves to weigh against each other; 1 when the best is simply played.
pub(crate) fn candidates(level: Option<SkillLevel>, randomness: i32) -> usize {
    // Looking at several lines costs depth; below a few units it is not worth it. The lowest levels know fewer moves as
    // good ones.
    let further = level.map_or(0, |level| 8usize.saturating_sub(level.get().into()));
    if tolerance(level, randomness) >= 4 { 4 + further } else { 1 }
}

/// Chooses among lines given by their scores, best first: each loses up to the tolerance at random, the best
/// remaining one is taken. Mates are neither missed nor walked into.
pub(crate) fn choose(lines: &[Score], level: Option<SkillLevel>, randomness: i32, rng: &mut ChaCha8Rng) -> usize {
    let tolerance = tolerance(level, randomness);
    let Some(&best) = lines.first().filter(|score| !score.is_decided() && tolerance > 0) else { return 0 };
    let mut chosen = (0, i64::MIN);
    for (index, &score) in lines.iter().enumerate() {
        let worse = best - score;
        if worse >= tolerance {
            continue;
        }
        let value = i64::from(rng.next_u32() % tolerance as u32) - i64::from(worse);
        if value > chosen.1 {
            chosen = (index, value);
        }
    }
    chosen.0
}
