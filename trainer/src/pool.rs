//! Games handed out to threads that have an engine each.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chuhe_engine::Engine;

/// How often a lock is looked at that somebody else holds.
const LOCK_PERIOD: Duration = Duration::from_millis(500);

/// The threads of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Threads {
    /// How many; what they make does not depend on it.
    pub count: usize,
    /// While another process holds a lock on this file, no new game is begun: so that whatever measures time has the
    /// machine to itself.
    pub yield_to: Option<PathBuf>,
}

impl Default for Threads {
    fn default() -> Threads {
        Threads { count: 2, yield_to: None }
    }
}

/// What is to be done after a finished job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    /// Go on.
    Continue,
    /// Enough: jobs in progress are dropped.
    End,
}

/// The steps of a job.
pub(crate) trait Work: Sync {
    /// What is handed out.
    type Job;
    /// What is made of it.
    type Product: Send;
    /// What can go wrong.
    type Error: Send + From<io::Error>;

    /// The engine of a thread.
    fn engine(&self) -> Engine;

    /// The next job, if there is one.
    fn next(&self) -> Result<Option<Self::Job>, Self::Error>;

    /// Does a job; nothing when `stop` was set before its end.
    fn work(
        &self,
        engine: &mut Engine,
        job: Self::Job,
        stop: &AtomicBool,
    ) -> Result<Option<Self::Product>, Self::Error>;
}

/// Lets the threads work until there are no more jobs, `finish` ends it, a step fails, or `stop` is set. `finish`
/// gets the products one at a time, in the order in which they come.
///
/// # Errors
/// The first error of a step, or the system's when it has no thread to give.
pub(crate) fn run<W: Work>(
    work: &W,
    threads: &Threads,
    stop: &AtomicBool,
    finish: impl FnMut(W::Product) -> Result<Flow, W::Error> + Send,
) -> Result<(), W::Error> {
    let finish = Mutex::new(finish);
    let labour = || -> Result<(), W::Error> {
        let mut engine = work.engine();
        loop {
            if let Some(path) = &threads.yield_to {
                wait_while_locked(path, stop)?;
            }
            let Some(job) = work.next()? else { break };
            let Some(product) = work.work(&mut engine, job, stop)? else { break };
            let mut finish = finish.lock().unwrap_or_else(PoisonError::into_inner);
            // What is finished after the end is dropped.
            if stop.load(Ordering::Relaxed) {
                break;
            }
            if finish(product)? == Flow::End {
                stop.store(true, Ordering::Relaxed);
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let mut workers = Vec::new();
        let mut result = Ok(());
        for _ in 0..threads.count.max(1) {
            let guarded = || labour().inspect_err(|_| stop.store(true, Ordering::Relaxed));
            match std::thread::Builder::new().spawn_scoped(scope, guarded) {
                Ok(worker) => workers.push(worker),
                Err(error) => {
                    stop.store(true, Ordering::Relaxed);
                    result = Err(error.into());
                    break;
                }
            }
        }
        for worker in workers {
            result = result.and(worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        result
    })
}

/// Waits until nobody holds a lock on the file, or `stop` is set. A file that does not exist is not locked.
///
/// # Errors
/// A file that exists and cannot be looked at.
pub fn wait_while_locked(path: &Path, stop: &AtomicBool) -> io::Result<()> {
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        file => file?,
    };
    while !stop.load(Ordering::Relaxed) {
        // Let go at once: whoever comes with a lock of their own is not to wait.
        match file.try_lock_shared() {
            Ok(()) => return file.unlock(),
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_PERIOD),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;

    /// Counts up to a number; each job gives its number.
    struct Count {
        next: AtomicU32,
        end: u32,
    }

    impl Work for Count {
        type Job = u32;
        type Product = u32;
        type Error = io::Error;

        fn engine(&self) -> Engine {
            Engine::new()
        }

        fn next(&self) -> io::Result<Option<u32>> {
            Ok(Some(self.next.fetch_add(1, Ordering::Relaxed)).filter(|&number| number < self.end))
        }

        fn work(&self, _: &mut Engine, number: u32, stop: &AtomicBool) -> io::Result<Option<u32>> {
            Ok((!stop.load(Ordering::Relaxed)).then_some(number))
        }
    }

    fn collect(threads: usize, step: impl Fn(u32) -> io::Result<Flow> + Sync) -> (io::Result<()>, Vec<u32>) {
        let mut numbers = Vec::new();
        let count = Count { next: AtomicU32::new(0), end: 1000 };
        let threads = Threads { count: threads, yield_to: None };
        let result = run(&count, &threads, &AtomicBool::new(false), |number| {
            numbers.push(number);
            step(number)
        });
        numbers.sort_unstable();
        (result, numbers)
    }

    #[test]
    fn every_job_is_done_once() {
        for threads in [1, 3] {
            let (result, numbers) = collect(threads, |_| Ok(Flow::Continue));
            assert!(result.is_ok() && numbers.into_iter().eq(0..1000));
        }
    }

    #[test]
    fn the_end_and_errors_end_all_threads() {
        let (result, numbers) = collect(1, |number| Ok(if number == 9 { Flow::End } else { Flow::Continue }));
        assert!(result.is_ok() && numbers.into_iter().eq(0..10));
        let (result, numbers) =
            collect(3, |number| if number == 9 { Err(io::Error::other("full")) } else { Ok(Flow::Continue) });
        assert_eq!(result.expect_err("an error").to_string(), "full");
        assert!(numbers.len() < 1000);
    }

    #[test]
    fn nothing_is_begun_while_somebody_holds_the_lock() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let path = file.path().to_path_buf();
        let threads = Threads { count: 2, yield_to: Some(path.clone()) };
        let holder = File::open(&path).expect("the file");
        holder.lock().expect("a lock");
        let done = AtomicU32::new(0);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let count = Count { next: AtomicU32::new(0), end: 10 };
                run(&count, &threads, &AtomicBool::new(false), |_| {
                    done.fetch_add(1, Ordering::Relaxed);
                    Ok(Flow::Continue)
                })
            });
            std::thread::sleep(Duration::from_millis(200));
            assert_eq!(done.load(Ordering::Relaxed), 0);
            holder.unlock().expect("unlocked");
        });
        assert_eq!(done.load(Ordering::Relaxed), 10);
        // Nor does a file that is not there hold anybody up.
        assert!(wait_while_locked(Path::new("no-such-lock"), &AtomicBool::new(false)).is_ok());
    }
}
