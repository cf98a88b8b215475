//! Which undecided positions are drawn under every rule of repetition.
//!
//! A position in which nobody can force mate is drawn if both sides can hold it for ever without breaking a rule. A side
//! can if it has a way of play in which each cycle contains one of its idle moves: by every rule set a side with an idle
//! move in the cycle does not lose. So for each side in turn, the *holder*, the positions are found from which the
//! other side can force that all the holder's moves that keep the draw attack something, from some move on, and need not
//! check for ever for that: a side that only checks is by every rule set at least as much at fault as the other. There
//! the rules decide, at the risk of the holder; see `docs/endgames.md` for the proof.
//!
//! These positions are the least set that is closed under
//! 1. a capture by the other side into a smaller class that is unsafe for the holder,
//! 2. *kernels*: sets of positions that the other side need not leave, in which all holding moves of the holder attack
//!    or lead to unsafe positions, and in which the other side can make a move that is no check, again and again,
//! 3. the positions from which the other side can go there, and those from which the holder has nowhere else to go.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};

use chuhe_movegen::{Board, Color, Move};
use rayon::prelude::*;

use crate::idle::{may_be_chase, may_win_through_checks};
use crate::layout::{Layout, Placement};
use crate::scene::{Scene, Step};
use crate::table::{Conversions, Converted, Depth, Distances, PackedValues, slot};
use crate::value::{RuleWins, Value};

/// Placements that are looked at together.
const CHUNK: usize = 1 << 14;

/// A set of slots.
struct SlotSet(Vec<AtomicU64>);

impl SlotSet {
    fn new(slots: usize) -> SlotSet {
        SlotSet((0..slots.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    fn contains(&self, slot: usize) -> bool {
        self.0[slot / 64].load(Ordering::Relaxed) >> (slot % 64) & 1 == 1
    }

    /// Adds a slot and tells whether it was missing.
    fn insert(&self, slot: usize) -> bool {
        self.0[slot / 64].fetch_or(1 << (slot % 64), Ordering::Relaxed) >> (slot % 64) & 1 == 0
    }

    fn extend(&self, slots: &[usize]) {
        for &slot in slots {
            self.insert(slot);
        }
    }

    fn remove(&self, slot: usize) {
        self.0[slot / 64].fetch_and(!(1 << (slot % 64)), Ordering::Relaxed);
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|word| word.load(Ordering::Relaxed) == 0)
    }

    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(at, word)| {
            let word = word.load(Ordering::Relaxed);
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at * 64 + bit)
        })
    }
}

/// What a capture into a smaller class means for the holder, when the result is a draw as far as mates go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Conversion {
    /// The holder keeps the draw under every rule set.
    Safe,
    /// The other side may win there by the rules of repetition.
    Unsafe,
    /// The other side mates.
    Lost,
}

struct Judge<'a> {
    layout: &'a Layout,
    distances: &'a Distances,
    conversions: &'a Conversions<'a>,
    holder: Color,
    /// Whether the holder has pieces other than guards, which might give check or threaten mate.
    has_attackers: bool,
    /// Slots that are unsafe for the holder, whoever is to move.
    bad: SlotSet,
}

/// The values of all slots, and who may win by the rules alone.
pub(crate) fn judge<'a>(
    layout: &'a Layout,
    distances: &'a Distances,
    conversions: &'a Conversions<'a>,
) -> (PackedValues, RuleWins) {
    let [unsafe_for_strong, unsafe_for_weak] = Color::ALL.map(|holder| {
        let army = layout.class().army(holder);
        let judge = Judge {
            layout,
            distances,
            conversions,
            holder,
            has_attackers: army.has_attackers(),
            bad: SlotSet::new(distances.len()),
        };
        // A bare king never offends, and it cannot lose what it has not.
        if !army.is_empty() {
            judge.run();
        }
        judge.bad
    });
    let rule_wins = RuleWins { strong: !unsafe_for_weak.is_empty(), weak: !unsafe_for_strong.is_empty() };
    let values = PackedValues::pack(distances.iter().enumerate().map(|(slot, depth)| match depth {
        Depth::Plies(plies) => Value::decided(plies),
        _ if unsafe_for_strong.contains(slot) || unsafe_for_weak.contains(slot) => Value::RulesDecide,
        _ => Value::Draw,
    }));
    (values, rule_wins)
}

impl Judge<'_> {
    fn run(&self) {
        let size = self.layout.size() as usize;
        let chunks: Vec<(Vec<usize>, Vec<usize>)> = (0..size.div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                let (mut pressed, mut seeds) = (Vec::new(), Vec::new());
                for index in chunk * CHUNK..size.min((chunk + 1) * CHUNK) {
                    self.look(index as u32, &mut pressed, &mut seeds);
                }
                (pressed, seeds)
            })
            .collect();
        let pressed = SlotSet::new(self.distances.len());
        let mut queue = VecDeque::new();
        for (some_pressed, seeds) in chunks {
            for slot in some_pressed {
                pressed.insert(slot);
            }
            for slot in seeds {
                self.bad.insert(slot);
                queue.push_back(slot);
            }
        }
        loop {
            self.spread(&mut queue, &pressed);
            for slot in self.kernel(&pressed) {
                self.bad.insert(slot);
                pressed.remove(slot);
                queue.push_back(slot);
            }
            if queue.is_empty() {
                return;
            }
        }
    }

    fn is_undecided(&self, slot: usize) -> bool {
        self.distances.get(slot) == Depth::Undecided
    }

    fn at(&self, slot: usize) -> (Option<Scene<'_>>, Color) {
        let (index, side) = match slot.checked_sub(self.layout.size() as usize) {
            None => (slot, Color::Red),
            Some(index) => (index, Color::Black),
        };
        (Scene::new(self.layout, self.layout.placement(index as u32)), side)
    }

    /// The slot after a move without capture, and its scene.
    fn after(&self, scene: &Scene<'_>, us: Color, step: Step) -> (usize, Placement) {
        let placement = scene.moved(us, step.man, step.from, step.to);
        (slot(self.layout, self.layout.index(&placement).index, !us), placement)
    }

    /// What a capture by `us` means for the holder.
    fn conversion(&self, scene: &Scene<'_>, us: Color, step: Step) -> Conversion {
        let Converted::Slot(table, slot, is_flipped) = self.conversions.convert(scene, us, step) else {
            return Conversion::Safe;
        };
        let holder = if is_flipped { !self.holder } else { self.holder };
        match table.values.get(slot) {
            Value::Draw => Conversion::Safe,
            Value::RulesDecide => {
                if table.rule_wins.of(!holder) {
                    Conversion::Unsafe
                } else {
                    Conversion::Safe
                }
            }
            // The side that was captured from is to move.
            Value::Win if us == self.holder => Conversion::Lost,
            Value::Loss if us != self.holder => Conversion::Lost,
            Value::Win | Value::Loss => Conversion::Safe,
        }
    }

    /// First look at a number: is the holder pressed when it is to move, can the other side capture its way out?
    fn look(&self, index: u32, pressed: &mut Vec<usize>, seeds: &mut Vec<usize>) {
        let own = slot(self.layout, index, self.holder);
        let other = slot(self.layout, index, !self.holder);
        let may_be_seed = self.is_undecided(other) && self.conversions.any_rule_wins(!self.holder);
        if !self.is_undecided(own) && !may_be_seed {
            return;
        }
        let Some(scene) = Scene::new(self.layout, self.layout.placement(index)) else { return };
        if self.is_undecided(own) && self.is_pressed(&scene) {
            pressed.push(own);
        }
        if may_be_seed {
            let mut is_seed = false;
            scene.for_each_move(!self.holder, |step| {
                is_seed = scene.is_capture(step) && self.conversion(&scene, !self.holder, step) == Conversion::Unsafe;
                !is_seed
            });
            if is_seed {
                seeds.push(other);
            }
        }
    }

    /// Whether the holder, to move in an undecided position, has neither a capture that keeps the draw nor an idle move
    /// that keeps it and leads nowhere unsafe.
    fn is_pressed(&self, scene: &Scene<'_>) -> bool {
        let mut board = None;
        let mut is_pressed = true;
        scene.for_each_move(self.holder, |step| {
            is_pressed = if scene.is_capture(step) {
                self.conversion(scene, self.holder, step) != Conversion::Safe
            } else {
                let (slot, placement) = self.after(scene, self.holder, step);
                !self.is_undecided(slot)
                    || self.bad.contains(slot)
                    || !self.is_idle(scene, &mut board, step, slot, placement)
            };
            is_pressed
        });
        is_pressed
    }

    /// Whether a move of the holder without capture is idle under every rule set. `board` is the board of the scene
    /// once it is needed.
    fn is_idle(
        &self,
        scene: &Scene<'_>,
        board: &mut Option<Board>,
        step: Step,
        slot: usize,
        placement: Placement,
    ) -> bool {
        let Some(after) = Scene::new(self.layout, placement) else { return false };
        if after.is_in_check(!self.holder) {
            return false;
        }
        let may_chase = after.attacks_pieces(self.holder);
        if !may_chase && !self.has_attackers {
            return true;
        }
        // If the other side passed: a forced mate is a win by the table.
        let size = self.layout.size() as usize;
        let passed = if self.holder == Color::Red { slot - size } else { slot + size };
        if matches!(self.distances.get(passed), Depth::Plies(plies) if plies % 2 == 1) {
            return false;
        }
        let Some(before) = board.take().or_else(|| self.layout.board(scene.placement(), self.holder)) else {
            return false;
        };
        let Some(mv) = Move::new(step.from, step.to) else { return false };
        let next = before.make(mv);
        let attacks = may_chase && may_be_chase(&before, mv, &next)
            || self.has_attackers && may_win_through_checks(&next.turned());
        *board = Some(before);
        !attacks
    }

    /// Takes back what leads to unsafe slots, and marks the holder's positions that have lost their idle moves.
    fn spread(&self, queue: &mut VecDeque<usize>, pressed: &SlotSet) {
        while let Some(at) = queue.pop_front() {
            let (Some(scene), side) = self.at(at) else { continue };
            scene.for_each_unmove(!side, |before| {
                let before_slot = slot(self.layout, self.layout.index(&before).index, !side);
                if !self.is_undecided(before_slot) || self.bad.contains(before_slot) {
                    return;
                }
                if side == self.holder {
                    // The other side goes there.
                    self.bad.insert(before_slot);
                    queue.push_back(before_slot);
                    return;
                }
                let Some(scene) = Scene::new(self.layout, before) else { return };
                if !self.can_hold(&scene) {
                    self.bad.insert(before_slot);
                    pressed.remove(before_slot);
                    queue.push_back(before_slot);
                } else if !pressed.contains(before_slot) && self.is_pressed(&scene) {
                    pressed.insert(before_slot);
                }
            });
        }
    }

    /// Whether the holder, to move, has any move that keeps the draw and leads nowhere unsafe.
    fn can_hold(&self, scene: &Scene<'_>) -> bool {
        let mut holds = false;
        scene.for_each_move(self.holder, |step| {
            holds = if scene.is_capture(step) {
                self.conversion(scene, self.holder, step) == Conversion::Safe
            } else {
                let (slot, _) = self.after(scene, self.holder, step);
                self.is_undecided(slot) && !self.bad.contains(slot)
            };
            !holds
        });
        holds
    }

    /// The largest set of pressed positions in which the other side can keep the holder, without checking for ever, or
    /// drive it from there to what is unsafe already.
    fn kernel(&self, pressed: &SlotSet) -> Vec<usize> {
        let mut members: Vec<usize> = pressed.iter().filter(|&slot| !self.bad.contains(slot)).collect();
        loop {
            members = self.closed(members);
            // Whoever only checks is at least as much at fault as the holder: now and then there must be another move.
            let (mut reached, mut open): (Vec<usize>, Vec<usize>) =
                members.into_par_iter().partition(|&slot| !self.is_check(slot));
            let set = SlotSet::new(self.distances.len());
            set.extend(&reached);
            while !open.is_empty() {
                let (found, rest): (Vec<usize>, Vec<usize>) =
                    open.par_iter().partition(|&&slot| self.is_kept(slot, &set));
                if found.is_empty() {
                    break;
                }
                set.extend(&found);
                reached.extend(found);
                open = rest;
            }
            members = reached;
            if open.is_empty() {
                return members;
            }
        }
    }

    /// The largest subset in which the other side can keep the holder.
    fn closed(&self, mut members: Vec<usize>) -> Vec<usize> {
        let kernel = SlotSet::new(self.distances.len());
        kernel.extend(&members);
        loop {
            let (keep, drop): (Vec<usize>, Vec<usize>) =
                members.into_par_iter().partition(|&slot| self.is_kept(slot, &kernel));
            members = keep;
            if drop.is_empty() {
                return members;
            }
            for slot in drop {
                kernel.remove(slot);
            }
        }
    }

    /// Whether the holder, to move, stands in check.
    fn is_check(&self, slot: usize) -> bool {
        self.at(slot).0.is_some_and(|scene| scene.is_in_check(self.holder))
    }

    /// Whether after every holding move from a slot the other side can lead back into the kernel, or to what is unsafe.
    fn is_kept(&self, at: usize, kernel: &SlotSet) -> bool {
        let (Some(scene), _) = self.at(at) else { return false };
        let mut is_kept = true;
        scene.for_each_move(self.holder, |step| {
            // No capture holds here, or the position would not be pressed.
            if scene.is_capture(step) {
                return true;
            }
            let (slot, placement) = self.after(&scene, self.holder, step);
            if !self.is_undecided(slot) || self.bad.contains(slot) {
                return true;
            }
            let Some(next) = Scene::new(self.layout, placement) else { return true };
            is_kept = false;
            next.for_each_move(!self.holder, |step| {
                if !next.is_capture(step) {
                    is_kept = kernel.contains(self.after(&next, !self.holder, step).0);
                }
                !is_kept
            });
            is_kept
        });
        is_kept
    }
}
