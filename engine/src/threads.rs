//! The threads of the engine, where there are any.

use std::panic::resume_unwind;
use std::thread::{Builder, Scope, ScopedJoinHandle, scope};

/// Stack of a thread that searches, in bytes: lines may be [`crate::MAX_PLY`] plies long.
pub(crate) const STACK_SIZE: usize = 8 << 20;

/// Whether the system has threads. Where it has none, nobody could end a wait either.
pub(crate) const AVAILABLE: bool = cfg!(any(not(target_family = "wasm"), target_feature = "atomics"));

/// Does work that needs the stack of a search, once, on a thread of its own. Where the system has none to give, the
/// caller's stack must do.
pub(crate) fn with_stack<T: Send>(mut work: impl FnMut() -> T + Send) -> T {
    let done = scope(|scope| {
        let thread = spawn(scope, &mut work).ok()?;
        Some(thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    });
    done.unwrap_or_else(work)
}

/// A scoped thread with the stack of a search.
///
/// # Errors
/// The system has no thread to give.
pub(crate) fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> std::io::Result<ScopedJoinHandle<'scope, T>> {
    Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, work)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_done_once_and_its_panic_goes_on() {
        let mut count = 0;
        let done = with_stack(|| {
            count += 1;
            count
        });
        assert_eq!(done, 1);
        let panic = std::panic::catch_unwind(|| with_stack(|| panic!("as it should be"))).unwrap_err();
        assert_eq!(panic.downcast_ref(), Some(&"as it should be"));
    }
}
