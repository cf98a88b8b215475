//! The handle by which another thread ends a running search or tells it that the expected move was played.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::clock::Instant;
use crate::threads;

/// Value of `hit_nanos` while no ponder hit has come.
const NOT_YET: u64 = u64::MAX;

/// Control of one search: a handle, of which clones control the same search. All operations are cheap and may come from
/// any thread, before, during or after the search.
#[derive(Clone, Debug, Default)]
pub struct Control(Arc<State>);

struct State {
    created: Instant,
    stop: AtomicBool,
    hit_nanos: AtomicU64,
    /// For a finished search that must wait for `stop` or `ponder_hit`.
    bell: (Mutex<()>, Condvar),
    poll: Option<Poll>,
}

/// What a host does while a search runs.
type Poll = Box<dyn Fn(&Control) + Send + Sync>;

impl Default for State {
    fn default() -> State {
        State {
            created: Instant::now(),
            stop: AtomicBool::new(false),
            hit_nanos: AtomicU64::new(NOT_YET),
            bell: (Mutex::new(()), Condvar::new()),
            poll: None,
        }
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").field("stop", &self.stop).field("hit_nanos", &self.hit_nanos).finish_non_exhaustive()
    }
}

impl Control {
    /// A control for a new search.
    pub fn new() -> Control {
        Control::default()
    }

    /// A control that lets the host look in: the search calls `poll` every 1,024 nodes, on the thread it runs on.
    ///
    /// For hosts that have no other thread to stop the search from: `poll` may look whether that is wanted and call
    /// [`Control::stop`], or hold the search up by not returning.
    pub fn with_poll(poll: impl Fn(&Control) + Send + Sync + 'static) -> Control {
        Control(Arc::new(State { poll: Some(Box::new(poll)), ..State::default() }))
    }

    /// Lets the host look in.
    pub(crate) fn poll(&self) {
        if let Some(poll) = &self.0.poll {
            poll(self);
        }
    }

    /// Ends the search as soon as every thread has seen it, within microseconds.
    pub fn stop(&self) {
        self.0.stop.store(true, Ordering::Release);
        self.ring();
    }

    /// The opponent has played the move the search ponders on: limits count from now.
    pub fn ponder_hit(&self) {
        let nanos = u64::try_from(self.0.created.elapsed().as_nanos()).unwrap_or(NOT_YET - 1);
        // Only the first hit counts.
        let _ = self.0.hit_nanos.compare_exchange(NOT_YET, nanos, Ordering::AcqRel, Ordering::Acquire);
        self.ring();
    }

    /// Whether the search is to end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.0.stop.load(Ordering::Acquire)
    }

    /// When the ponder hit came, if it did.
    #[inline]
    pub fn hit_at(&self) -> Option<Instant> {
        match self.0.hit_nanos.load(Ordering::Acquire) {
            NOT_YET => None,
            nanos => Some(self.0.created + Duration::from_nanos(nanos)),
        }
    }

    fn ring(&self) {
        let _guard = self.0.bell.0.lock().unwrap_or_else(PoisonError::into_inner);
        self.0.bell.1.notify_all();
    }

    /// Sleeps until `done` holds; it is looked at again after every call to `stop` or `ponder_hit`. Without threads
    /// nobody could call them, and it does not sleep.
    pub(crate) fn wait_until(&self, done: impl Fn() -> bool) {
        if !threads::AVAILABLE {
            return;
        }
        let mut guard = self.0.bell.0.lock().unwrap_or_else(PoisonError::into_inner);
        while !done() {
            guard = self.0.bell.1.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
