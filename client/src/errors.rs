//! What an engine writes to standard error.

use std::fs::File;
use std::io::{self, Read, Write as _};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// No more of a process's standard error than this goes to its log.
const MAX_LOG: usize = 4 * 1024 * 1024;
/// How much of the end is kept as evidence.
const MAX_TAIL: usize = 300;

/// The end of standard error.
#[derive(Default)]
pub(crate) struct Errors {
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Default)]
struct State {
    tail: Vec<u8>,
    is_complete: bool,
}

impl Errors {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing here panics halfway through a change.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads to the end, whatever happens to the log: a full pipe would stop the engine.
    pub(crate) fn collect(&self, mut errors: impl Read, mut log: Option<File>) {
        let mut buffer = [0; 4096];
        let mut room = MAX_LOG;
        loop {
            let read = match errors.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => break,
            };
            let bytes = &buffer[..read];
            let logged = &bytes[..bytes.len().min(room)];
            room -= logged.len();
            if let Some(file) = &mut log
                && file.write_all(logged).is_err()
            {
                log = None;
            }
            let mut state = self.lock();
            state.tail.extend_from_slice(bytes);
            let surplus = state.tail.len().saturating_sub(MAX_TAIL);
            state.tail.drain(..surplus);
        }
        self.lock().is_complete = true;
        self.ended.notify_all();
    }

    /// The last words, once they are complete or the deadline has passed.
    pub(crate) fn tail(&self, deadline: Instant) -> Vec<u8> {
        let mut state = self.lock();
        while !state.is_complete {
            let wait = deadline.saturating_duration_since(Instant::now());
            if wait.is_zero() {
                break;
            }
            state = self.ended.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
        state.tail.clone()
    }
}
