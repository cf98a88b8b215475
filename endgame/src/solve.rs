//! Retrograde analysis: who wins, and in how many plies.
//!
//! First every position is looked at forwards: mates and stalemates (both lose), captures, whose worth the tables of
//! smaller classes tell, and the number of other moves. Then, ply by ply, what is decided is carried back by un-moves:
//! a position from which a lost one can be reached is won, and one is lost when the last of its moves has turned out
//! to lose. What is never reached is undecided.
//!
//! Mirror images share a number, so an un-move may stand for two moves, or two un-moves for one; see
//! [`Solver::carry_back`].
//!
//! Source of the idea: T. Ströhlein, "Untersuchungen über kombinatorische Spiele", 1970; K. Thompson, "Retrograde
//! analysis of certain endgames", 1986. The counting of symmetric positions is our own.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU64, Ordering};

use chuhe_movegen::Color;
use rayon::prelude::*;

use crate::layout::{Layout, Placement};
use crate::material::Class;
use crate::scene::Scene;
use crate::table::{Conversions, Converted, Depth, Distances, slot};

/// States of a slot while it is being solved. Below this: decided, or winnable by a capture, in so many plies. Such a
/// number is final once all lower ones have been carried back.
const OPEN: u16 = 0x8000;
/// [`OPEN`] with the number of plies in which its captures lose at the latest, until a move is found that does not lose.
const HOLDS: u16 = 0xC000;
/// A capture draws: the position may be won, but is never lost.
const VOID: u16 = u16::MAX;

/// The deepest mate that files can tell.
const MAX_PLIES: u16 = 511;

/// Slots that are looked at together.
const BLOCK: usize = 4096;

/// The depth of a class is beyond all expectation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0} has mates in more than {MAX_PLIES} plies")]
pub(crate) struct TooDeep(pub Class);

/// In which blocks there are slots of each number of plies.
struct Marks(Vec<[AtomicU64; (MAX_PLIES as usize + 1) / 64]>);

impl Marks {
    fn set(&self, slot: usize, plies: u16) {
        let word = &self.0[slot / BLOCK][usize::from(plies) / 64];
        let bit = 1 << (plies % 64);
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    fn blocks(&self, plies: u16) -> Vec<usize> {
        let word = usize::from(plies) / 64;
        (0..self.0.len())
            .filter(|&block| self.0[block][word].load(Ordering::Relaxed) >> (plies % 64) & 1 == 1)
            .collect()
    }
}

struct Solver<'a> {
    layout: &'a Layout,
    conversions: &'a Conversions<'a>,
    states: Vec<AtomicU16>,
    /// Moves without capture that have not turned out to lose.
    counters: Vec<AtomicU8>,
    marks: Marks,
    /// The most plies so far.
    longest: AtomicU16,
}

/// What [`solve`] tells of a class in all.
pub(crate) fn work(layout: &Layout) -> u64 {
    u64::from(layout.size()) * Color::NUM as u64 * 2
}

/// Solves a class. `progress` is told of slots looked at; each is looked at twice in all.
pub(crate) fn solve(
    layout: &Layout,
    conversions: &Conversions<'_>,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Distances, TooDeep> {
    let slots = layout.size() as usize * Color::NUM;
    let solver = Solver {
        layout,
        conversions,
        states: (0..slots).map(|_| AtomicU16::new(VOID)).collect(),
        counters: (0..slots).map(|_| AtomicU8::new(0)).collect(),
        marks: Marks((0..slots.div_ceil(BLOCK)).map(|_| std::array::from_fn(|_| AtomicU64::new(0))).collect()),
        longest: AtomicU16::new(0),
    };
    let size = layout.size() as usize;
    (0..size.div_ceil(BLOCK)).into_par_iter().for_each(|chunk| {
        let indices = chunk * BLOCK..size.min((chunk + 1) * BLOCK);
        progress((indices.len() * Color::NUM) as u64);
        for index in indices {
            solver.look_forward(index as u32);
        }
    });
    let mut plies = 0;
    let mut done = 0;
    while plies <= solver.longest.load(Ordering::Relaxed) {
        if solver.longest.load(Ordering::Relaxed) > MAX_PLIES {
            return Err(TooDeep(layout.class()));
        }
        let blocks = solver.marks.blocks(plies);
        let decided: u64 = blocks.par_iter().map(|&block| solver.carry_back_block(block, plies)).sum();
        progress(decided);
        done += decided;
        plies += 1;
    }
    progress(slots as u64 - done);
    let Solver { states, counters, longest, .. } = solver;
    drop(counters);
    let depths = states.into_iter().map(|state| match state.into_inner() {
        VOID => Depth::Void,
        OPEN.. => Depth::Undecided,
        plies => Depth::Plies(plies),
    });
    Ok(Distances::pack(depths, longest.into_inner()))
}

impl Solver<'_> {
    /// Gives both slots of a number their first state.
    fn look_forward(&self, index: u32) {
        let placement = self.layout.placement(index);
        if self.layout.index(&placement).index != index {
            return;
        }
        let Some(scene) = Scene::new(self.layout, placement) else { return };
        for us in Color::ALL {
            if scene.is_in_check(!us) {
                continue;
            }
            let slot = slot(self.layout, index, us);
            let (mut holds, mut wins, mut loses) = (false, u16::MAX, 0);
            let quiet = scene.count_moves(us, |step| match self.conversions.convert(&scene, us, step) {
                Converted::Dead => holds = true,
                Converted::Slot(table, slot, _) => match table.distances.get(slot) {
                    Depth::Plies(plies) if plies % 2 == 0 => wins = wins.min(plies + 1),
                    Depth::Plies(plies) => loses = loses.max(plies + 1),
                    Depth::Undecided | Depth::Void => holds = true,
                },
            });
            if wins != u16::MAX {
                self.decide(slot, wins);
            } else if holds {
                self.states[slot].store(HOLDS, Ordering::Relaxed);
            } else if quiet == 0 {
                self.decide(slot, loses);
            } else {
                self.counters[slot].store(quiet as u8, Ordering::Relaxed);
                self.states[slot].store(OPEN | loses, Ordering::Relaxed);
            }
        }
    }

    fn decide(&self, slot: usize, plies: u16) {
        self.states[slot].fetch_min(plies, Ordering::Relaxed);
        self.longest.fetch_max(plies, Ordering::Relaxed);
        if plies <= MAX_PLIES {
            self.marks.set(slot, plies);
        }
    }

    /// Carries back what is decided in exactly so many plies, and tells how many slots that were.
    fn carry_back_block(&self, block: usize, plies: u16) -> u64 {
        let slots = block * BLOCK..self.states.len().min((block + 1) * BLOCK);
        let mut decided = 0;
        for slot in slots {
            if self.states[slot].load(Ordering::Relaxed) == plies {
                let (index, us) = match slot.checked_sub(self.layout.size() as usize) {
                    None => (slot, Color::Red),
                    Some(index) => (index, Color::Black),
                };
                self.carry_back(index as u32, us, plies);
                decided += 1;
            }
        }
        decided
    }

    /// Carries back that `us`, to move, has won or lost in so many plies.
    ///
    /// A slot stands for a position and its mirror image, and its counter has the moves of the position alone. So an
    /// un-move from here counts twice if the position before is its own mirror image and this one is not (that position
    /// can go to both images), and does not count if it is the other way round and it leads to the image that the number
    /// does not stand for: its twin, which does count, stands for the same move.
    fn carry_back(&self, index: u32, us: Color, plies: u16) {
        let placement = self.layout.placement(index);
        let Some(scene) = Scene::new(self.layout, placement) else { return };
        let them = !us;
        let is_loss = plies.is_multiple_of(2);
        let is_symmetric =
            placement.guards[Color::Black.index()].fold().is_symmetric && self.layout.index(&placement).is_symmetric;
        scene.for_each_unmove(them, |before: Placement| {
            let indexed = self.layout.index(&before);
            let slot = slot(self.layout, indexed.index, them);
            let state = self.states[slot].load(Ordering::Relaxed);
            if state == VOID {
                return;
            }
            if is_loss {
                if state > plies + 1 {
                    self.decide(slot, plies + 1);
                }
                return;
            }
            if !(OPEN..HOLDS).contains(&state) {
                return;
            }
            let moves = match (is_symmetric, indexed.is_symmetric) {
                (false, true) => 2,
                (true, false) if !indexed.is_plain => return,
                _ => 1,
            };
            if self.counters[slot].fetch_sub(moves, Ordering::Relaxed) == moves {
                self.decide(slot, (plies + 1).max(state - OPEN));
            }
        });
    }
}
