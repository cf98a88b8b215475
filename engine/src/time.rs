//! How long to think.
//!
//! The *soft* limit is looked at between iterations and stretched or shrunk by how settled the best move is; the
//! *hard* limit ends the search wherever it is. Every thread looks at the clock, so that even hundreds of threads on
//! few processors keep it.

use std::time::{Duration, Instant};

use crate::{Control, Limits, Options};

/// Latency of pipes and GUIs that every move is assumed to cost, besides the `Move Overhead` option.
const LATENCY: Duration = Duration::from_millis(30);
/// What a clock should not fall below while moves are still to come: a busy machine may keep the engine or its GUI
/// waiting that long.
const RESERVE: Duration = Duration::from_millis(250);
/// Moves still to be made that a sudden-death clock is divided by.
const HORIZON: u32 = 35;

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
            // Up to 98 %, and never the last two milliseconds.
            let time = (time * 98 / 100).min(time.saturating_sub(Duration::from_millis(2)));
            manager.hard = Some(time);
        }
        if let Some(clock) = limits.clock {
            let left = clock.remaining;
            let overhead = (LATENCY + options.move_overhead).min(left / 10);
            let usable = left.saturating_sub(overhead);
            let moves = clock.moves_to_go.unwrap_or(HORIZON).clamp(1, HORIZON);
            let (soft, hard) = if moves == 1 {
                // What is left stays usable after the time control; the reserve is kept as far as a third of it goes.
                let usable = usable.min(left - RESERVE.min(left / 3));
                (usable, usable)
            } else {
                // Later moves of a period get what earlier ones leave; their overhead is set aside too.
                let reserved = (overhead * (moves - 1)).min(usable / 2);
                let share = (usable - reserved) / moves + clock.increment * 3 / 4;
                let share = if options.ponder { share * 5 / 4 } else { share };
                // Below a second only a tenth of what is left.
                let part = if left < Duration::from_secs(1) { left / 10 } else { usable * 2 / 5 };
                // At the reserve, no more than the increment brings back; below it, less.
                let part = part.min(left.saturating_sub(RESERVE) / 3 + left.min(RESERVE) / 50 + clock.increment / 2);
                (share.min(part), (share * 4).min(part))
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

    /// Whether another iteration should not begin. `stretch` multiplies the soft limit: below 1 when the best move is
    /// settled, above when it is in doubt.
    ///
    /// After a ponder hit the time spent pondering counts as thought, though not against the clock.
    pub(crate) fn soft_limit_hit(&self, control: &Control, stretch: f64) -> bool {
        let (Some(soft), Some(_)) = (self.soft, self.base(control)) else { return false };
        let soft = if self.elastic { soft.mul_f64(stretch.clamp(0.2, 3.0)) } else { soft };
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
