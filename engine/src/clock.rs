//! The clock that searches go by.
//!
//! It is the system's where there is one. WebAssembly in a browser has none of its own: there the host sets one with
//! `set_clock`. Until it does, time stands still, and only limits other than time end a search.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use hosted::{Instant, set_clock};

/// A clock that the host provides.
#[cfg(any(test, all(target_family = "wasm", target_os = "unknown")))]
#[cfg_attr(test, allow(unreachable_pub, reason = "public only where it is the clock"))]
mod hosted {
    use std::ops::Add;
    use std::sync::OnceLock;
    use std::time::Duration;

    static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Sets the clock: a function that gives the time since some fixed moment and never goes back. The first one set
    /// stays.
    pub fn set_clock(now: fn() -> Duration) {
        let _ = CLOCK.set(now);
    }

    /// A moment, as [`std::time::Instant`] has it.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub struct Instant(Duration);

    impl Instant {
        /// This moment.
        pub fn now() -> Instant {
            Instant(CLOCK.get().map_or(Duration::ZERO, |now| now()))
        }

        /// The time since then.
        pub fn elapsed(&self) -> Duration {
            Instant::now().saturating_duration_since(*self)
        }

        /// The time between two moments; zero if `earlier` is the later one.
        pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;

        fn add(self, time: Duration) -> Instant {
            Instant(self.0 + time)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    use super::hosted::{Instant, set_clock};

    #[test]
    fn time_stands_still_until_the_host_sets_a_clock() {
        static MILLIS: AtomicU64 = AtomicU64::new(100);
        let before = Instant::now();
        assert_eq!(before.elapsed(), Duration::ZERO);
        set_clock(|| Duration::from_millis(MILLIS.load(Ordering::Relaxed)));
        let start = Instant::now();
        assert_eq!(start.saturating_duration_since(before), Duration::from_millis(100));
        MILLIS.store(130, Ordering::Relaxed);
        assert_eq!(start.elapsed(), Duration::from_millis(30));
        assert_eq!(before.saturating_duration_since(start), Duration::ZERO);
        assert_eq!(start + Duration::from_millis(30), Instant::now());
    }
}
