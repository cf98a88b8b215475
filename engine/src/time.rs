//! How long to think.
//!
//! The *soft* limit is looked at between iterations and stretched or shrunk by how settled the best move is; the
//! *hard* limit ends the search wherever it is. Every thread looks at the clock, so that even hundreds of threads on
//! few processors keep it.

use std::time::Duration;

use crate::clock::Instant;
use crate::{Control, Limits, Options, params};

/// Latency of pipes and GUIs that every move is assumed to cost, besides the `Move Overhead` option.
fn latency() -> Duration {
    millis(params::time_latency())
}

/// What a clock should not fall below while moves are still to come: a busy machine may keep the engine or its GUI
/// waiting that long.
fn reserve() -> Duration {
    millis(params::time_reserve())
}

fn millis(milliseconds: i32) -> Duration {
    Duration::from_millis(milliseconds.unsigned_abs().into())
}

fn percent(time: Duration, share: i32) -> Duration {
    time * share.unsigned_abs() / 100
}

/// Signs that the best move is settled or in doubt.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Confidence {
    /// Share of the nodes that the best move took, 0 to 1.
    pub(crate) share: f64,
    /// Iterations since it last changed.
    pub(crate) stability: i32,
    /// How far its score has fallen below the average of the earlier iterations.
    pub(crate) drop: i32,
}

impl Confidence {
    /// What to multiply the soft limit by: below 1 when the move is settled, above when it is in doubt.
    fn stretch(&self) -> f64 {
        let hundredths = |value: i32| f64::from(value) / 100.0;
        let by_share = hundredths(params::time_share_base()) - hundredths(params::time_share_factor()) * self.share;
        let stability = self.stability.min(params::time_stability_most());
        let by_stability = hundredths(params::time_stability_base())
            - hundredths(params::time_stability_factor()) * f64::from(stability);
        let drop = self.drop.clamp(-params::time_rise_most(), params::time_drop_most());
        let by_drop = 1.0 + f64::from(drop) / f64::from(params::time_drop_divisor());
        (by_share * by_stability * by_drop)
            .clamp(hundredths(params::time_least_stretch()), hundredths(params::time_most_stretch()))
    }
}

/// The time limits of one search.
#[derive(Clone, Debug)]
pub(crate) struct TimeManager {
    start: Instant,
    pondering: bool,
    soft: Option<Duration>,
    hard: Option<Duration>,
    /// Whether the soft limit may be stretched or shrunk.
    elastic: bool,
}

impl TimeManager {
    /// Works out the limits.
    pub(crate) fn new(limits: &Limits, options: &Options) -> TimeManager {
        let mut manager =
            TimeManager { start: limits.start, pondering: limits.ponder, soft: None, hard: None, elastic: false };
        if limits.infinite {
            return manager;
        }
        if let Some(time) = limits.move_time {
            // Not all of it, and never the last two milliseconds.
            let time = percent(time, params::move_time_share()).min(time.saturating_sub(Duration::from_millis(2)));
            manager.hard = Some(time);
        }
        if let Some(clock) = limits.clock {
            let left = clock.remaining;
            let overhead = (latency() + options.move_overhead).min(left / 10);
            let usable = left.saturating_sub(overhead);
            let horizon = params::time_horizon().unsigned_abs();
            let moves = clock.moves_to_go.unwrap_or(horizon).clamp(1, horizon);
            let (soft, hard) = if moves == 1 {
                // What is left stays usable after the time control; the reserve is kept as far as a third of it goes.
                let usable = usable.min(left - reserve().min(left / 3));
                (usable, usable)
            } else {
                // Later moves of a period get what earlier ones leave; their overhead is set aside too.
                let reserved = (overhead * (moves - 1)).min(usable / 2);
                let share = (usable - reserved) / moves + percent(clock.increment, params::time_increment_share());
                let share = if options.ponder { percent(share, params::time_ponder_share()) } else { share };
                // Below a second only a tenth of what is left.
                let part =
                    if left < Duration::from_secs(1) { left / 10 } else { percent(usable, params::time_most_share()) };
                // At the reserve, no more than the increment brings back; below it, less.
                let part =
                    part.min(left.saturating_sub(reserve()) / 3 + left.min(reserve()) / 50 + clock.increment / 2);
                (share.min(part), (share * params::time_hard_factor().unsigned_abs()).min(part))
            };
            manager.elastic = moves > 1;
            manager.soft = Some(soft);
            manager.hard = Some(manager.hard.map_or(hard, |fixed| fixed.min(hard)));
        }
        manager
    }

    /// Since when the limits count; `None` while the search ponders.
    fn base(&self, control: &Control) -> Option<Instant> {
        if self.pondering { control.hit_at() } else { Some(self.start) }
    }

    /// Whether the search must end now.
    pub(crate) fn hard_limit_hit(&self, control: &Control) -> bool {
        let (Some(hard), Some(base)) = (self.hard, self.base(control)) else { return false };
        // When the ponder hit comes after more thought than this move deserves, the answer is due at once.
        let overdue = self.soft.is_some_and(|soft| base.saturating_duration_since(self.start) > soft);
        overdue || base.elapsed() >= hard
    }

    /// Whether limits count: not while the search ponders.
    pub(crate) fn is_running(&self, control: &Control) -> bool {
        self.base(control).is_some()
    }

    /// Whether another iteration should not begin.
    ///
    /// After a ponder hit the time spent pondering counts as thought, though not against the clock.
    pub(crate) fn soft_limit_hit(&self, control: &Control, confidence: &Confidence) -> bool {
        let (Some(soft), Some(_)) = (self.soft, self.base(control)) else { return false };
        let soft = if self.elastic { soft.mul_f64(confidence.stretch()) } else { soft };
        self.start.elapsed() >= soft
    }

    /// Whether a clock of a game is being managed.
    pub(crate) fn is_elastic(&self) -> bool {
        self.elastic
    }

    /// Since the search was asked for.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Clock;

    fn limits(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> TimeManager {
        let clock = Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
            moves_to_go,
        };
        TimeManager::new(&Limits { clock: Some(clock), ..Limits::default() }, &Options::default())
    }

    #[test]
    fn a_clock_is_never_overdrawn() {
        for remaining in [0, 1, 5, 10, 50, 100, 500, 999, 1000, 5000, 60_000, 3_600_000] {
            for increment in [0, 10, 1000, 30_000] {
                for moves in [None, Some(1), Some(2), Some(10), Some(40)] {
                    let manager = limits(remaining, increment, moves);
                    let (soft, hard) = (manager.soft.unwrap(), manager.hard.unwrap());
                    assert!(
                        soft <= hard && hard <= Duration::from_millis(remaining),
                        "{remaining} {increment} {moves:?}"
                    );
                    if (1..1000).contains(&remaining) && moves != Some(1) {
                        assert!(hard <= Duration::from_millis(remaining) / 10);
                    }
                }
            }
        }
    }

    /// The last move before a time control may take most of the time, but not what a busy machine may need.
    #[test]
    fn the_last_move_of_a_period_keeps_the_reserve() {
        for (remaining, most) in [(60_000, 59_750), (1000, 750), (644, 430), (90, 60)] {
            let hard = limits(remaining, 0, Some(1)).hard.unwrap().as_millis();
            assert!((most * 9 / 10..=most).contains(&hard), "{hard} of {remaining} ms");
        }
    }

    #[test]
    fn increments_keep_the_reserve() {
        let mut left = 1000;
        for _ in 0..200 {
            left = left - limits(left, 10, None).hard.unwrap().as_millis() as u64 + 10;
        }
        assert!((240..500).contains(&left), "{left} ms left");
    }

    #[test]
    fn a_move_time_is_used_up_to_98_percent() {
        let manager = TimeManager::new(&Limits::move_time(Duration::from_millis(1000)), &Options::default());
        assert_eq!(manager.hard, Some(Duration::from_millis(980)));
        assert_eq!(manager.soft, None);
    }

    #[test]
    fn pondering_has_no_limit_before_the_hit() {
        let limits = Limits { ponder: true, move_time: Some(Duration::ZERO), ..Limits::default() };
        let manager = TimeManager::new(&limits, &Options::default());
        let control = Control::new();
        assert!(!manager.hard_limit_hit(&control));
        control.ponder_hit();
        assert!(manager.hard_limit_hit(&control));
    }
}
