//! Games handed out to threads that have an engine each.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use chuhe_engine::{Engine, STACK_SIZE};

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

/// Lets `threads` threads work until there are no more jobs, `finish` ends it, a step fails, or `stop` is set. `finish`
/// gets the products one at a time, in the order in which they come.
///
/// # Errors
/// The first error of a step, or the system's when it has no thread to give.
pub(crate) fn run<W: Work>(
    work: &W,
    threads: usize,
    stop: &AtomicBool,
    finish: impl FnMut(W::Product) -> Result<Flow, W::Error> + Send,
) -> Result<(), W::Error> {
    let finish = Mutex::new(finish);
    let labour = || -> Result<(), W::Error> {
        let mut engine = work.engine();
        while let Some(job) = work.next()? {
            let Some(product) = work.work(&mut engine, job, stop)? else { break };
            let mut finish = finish.lock().unwrap_or_else(PoisonError::into_inner);
            // Whoever comes after the end comes too late.
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
        for _ in 0..threads.max(1) {
            let guarded = || labour().inspect_err(|_| stop.store(true, Ordering::Relaxed));
            match std::thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, guarded) {
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

/// Calls a function that searches, with the stack that searches need.
pub(crate) fn with_stack<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, work)?;
        Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}
