//! The handle by which another thread ends a running search or tells it that the expected move was played.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Value of `hit_nanos` while no ponder hit has come.
const NOT_YET: u64 = u64::MAX;

/// Control of one search. All operations are cheap and may come from any thread, before, during or after the search.
#[derive(Debug)]
pub struct Control {
    created: Instant,
    stop: AtomicBool,
    hit_nanos: AtomicU64,
    /// For a finished search that must wait for `stop` or `ponder_hit`.
    bell: (Mutex<()>, Condvar),
}

impl Default for Control {
    fn default() -> Control {
        Control {
            created: Instant::now(),
            stop: AtomicBool::new(false),
            hit_nanos: AtomicU64::new(NOT_YET),
            bell: (Mutex::new(()), Condvar::new()),
        }
    }
}

impl Control {
    /// A control for a new search.
    pub fn new() -> Control {
        Control::default()
    }

    /// Ends the search as soon as every thread has seen it, within microseconds.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Release);
        self.ring();
    }

    /// The opponent has played the move the search ponders on: limits count from now.
    pub fn ponder_hit(&self) {
        let nanos = u64::try_from(self.created.elapsed().as_nanos()).unwrap_or(NOT_YET - 1);
        // Only the first hit counts.
        let _ = self.hit_nanos.compare_exchange(NOT_YET, nanos, Ordering::AcqRel, Ordering::Acquire);
        self.ring();
    }

    /// Whether the search is to end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    /// When the ponder hit came, if it did.
    #[inline]
    pub fn hit_at(&self) -> Option<Instant> {
        match self.hit_nanos.load(Ordering::Acquire) {
            NOT_YET => None,
            nanos => Some(self.created + Duration::from_nanos(nanos)),
        }
    }

    fn ring(&self) {
        let _guard = self.bell.0.lock().unwrap_or_else(PoisonError::into_inner);
        self.bell.1.notify_all();
    }

    /// Sleeps until `done` holds; it is looked at again after every call to `stop` or `ponder_hit`.
    pub(crate) fn wait_until(&self, done: impl Fn() -> bool) {
        let mut guard = self.bell.0.lock().unwrap_or_else(PoisonError::into_inner);
        while !done() {
            guard = self.bell.1.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
