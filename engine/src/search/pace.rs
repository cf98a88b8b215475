//! Searching slice by slice: where a search waits until somebody asks for more.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::sync::{Condvar, Mutex, PoisonError};

use crate::{Control, Slice};

/// What the first thread of a search that is taken in slices keeps to.
pub(crate) struct Pace {
    slices: Receiver<Slice>,
    /// Tells that the slice is done.
    tell: Box<dyn Fn() + Send>,
    /// End of the running slice: a node count, or that of the iteration.
    end: Option<u64>,
}

impl Pace {
    /// Waits for the first slice. When there will be none, the search ends as one that is stopped.
    pub(crate) fn begin(slices: Receiver<Slice>, tell: Box<dyn Fn() + Send>, control: &Control) -> Pace {
        let mut pace = Pace { slices, tell, end: None };
        pace.take(0, control);
        pace
    }

    /// Node count at which to come to [`Pace::keep`] at the latest.
    #[inline]
    pub(super) fn until(&self) -> u64 {
        self.end.unwrap_or(u64::MAX)
    }

    /// Waits if the slice ends at this node count. Its nodes are then all counted in, and none beyond them.
    pub(super) fn keep(&mut self, nodes: u64, gate: &Gate, control: &Control) {
        if nodes >= self.until() {
            self.pause(nodes, gate, control);
        }
    }

    /// Waits if the slice ends with this iteration.
    pub(super) fn iteration_ends(&mut self, nodes: u64, gate: &Gate, control: &Control) {
        if self.end.is_none() {
            self.pause(nodes, gate, control);
        }
    }

    fn pause(&mut self, nodes: u64, gate: &Gate, control: &Control) {
        gate.close();
        (self.tell)();
        self.take(nodes, control);
        gate.open();
    }

    fn take(&mut self, nodes: u64, control: &Control) {
        self.end = match self.slices.recv() {
            Ok(Slice::Iteration) => None,
            Ok(Slice::Nodes(more)) => Some(nodes.saturating_add(more.max(1))),
            Err(_) => {
                control.stop();
                Some(u64::MAX)
            }
        };
    }
}

/// Where the other threads wait while the first one does.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    is_closed: AtomicBool,
    lock: Mutex<()>,
    opened: Condvar,
}

impl Gate {
    fn close(&self) {
        self.is_closed.store(true, Ordering::Release);
    }

    fn open(&self) {
        let _guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_closed.store(false, Ordering::Release);
        self.opened.notify_all();
    }

    /// Waits until the gate is open.
    pub(super) fn pass(&self) {
        if !self.is_closed.load(Ordering::Acquire) {
            return;
        }
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        while self.is_closed.load(Ordering::Acquire) {
            guard = self.opened.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
