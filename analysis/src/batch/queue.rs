//! Games that wait for an analyst.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Games between the thread that reads and those that analyze. While more may come, they go in the order in which they came.
/// Of the last ones the longest goes first, so that at the end no analyst is alone with a long game.
pub(super) struct Queue<T> {
    state: Mutex<State<T>>,
    /// A game has come or gone, or there is an end.
    changed: Condvar,
    capacity: usize,
}

struct State<T> {
    /// With their lengths.
    waiting: VecDeque<(usize, T)>,
    /// No more come.
    is_closed: bool,
}

/// The queue is closed, and takes no more games.
pub(super) struct Closed;

impl<T> Queue<T> {
    /// A queue in which so many games may wait, at least one.
    pub(super) fn new(capacity: usize) -> Queue<T> {
        let state = State { waiting: VecDeque::new(), is_closed: false };
        Queue { state: Mutex::new(state), changed: Condvar::new(), capacity: capacity.max(1) }
    }

    /// Adds a game of this length, once there is room.
    pub(super) fn push(&self, length: usize, game: T) -> Result<(), Closed> {
        let state = self.lock();
        let is_full = |state: &mut State<T>| state.waiting.len() >= self.capacity && !state.is_closed;
        let mut state = self.changed.wait_while(state, is_full).unwrap_or_else(PoisonError::into_inner);
        if state.is_closed {
            return Err(Closed);
        }
        state.waiting.push_back((length, game));
        self.changed.notify_all();
        Ok(())
    }

    /// Says that no more will come.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// Waits for the next game. There is none when the queue is closed and empty.
    pub(super) fn pop(&self) -> Option<T> {
        let state = self.lock();
        let must_wait = |state: &mut State<T>| state.waiting.is_empty() && !state.is_closed;
        let mut state = self.changed.wait_while(state, must_wait).unwrap_or_else(PoisonError::into_inner);
        let next = match state.is_closed {
            false => 0,
            // Of equals the first.
            true => (0..state.waiting.len()).rev().max_by_key(|&place| state.waiting[place].0)?,
        };
        let (_, game) = state.waiting.remove(next)?;
        self.changed.notify_all();
        Some(game)
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_of_the_last_games_goes_first() {
        let queue = Queue::new(8);
        for (length, game) in [(10, 'a'), (20, 'b'), (40, 'c'), (40, 'd'), (30, 'e')] {
            assert!(queue.push(length, game).is_ok());
        }
        assert_eq!(queue.pop(), Some('a'), "more may come");
        queue.close();
        assert_eq!(std::iter::from_fn(|| queue.pop()).collect::<String>(), "cdeb");
        assert!(queue.push(1, 'f').is_err());
    }

    #[test]
    fn who_finds_it_full_or_empty_waits() {
        let queue = Queue::new(2);
        std::thread::scope(|scope| {
            let taken = scope.spawn(|| std::iter::from_fn(|| queue.pop()).collect::<Vec<_>>());
            for game in 0..1000 {
                assert!(queue.push(1, game).is_ok());
            }
            queue.close();
            assert_eq!(taken.join().expect("no panic"), (0..1000).collect::<Vec<_>>());
        });
    }
}
