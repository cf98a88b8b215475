//! Many games at once: one thread takes them in, some analyze, and the one that asked writes.

use std::collections::HashMap;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SendError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Duration;

use chuhe_records::games::{Entry, RawGame};
use serde_json::Value;

use super::queue::{self, Queue};
use super::task::{self, Task, Written};
use crate::Analyst;

/// Games that may be under way or wait for an earlier one to be written.
const MAX_OPEN: usize = 256;
/// Games that are read ahead for each analyst.
const READ_AHEAD: usize = 8;
/// How long [`Pool::wait`] waits at most.
const PATIENCE: Duration = Duration::from_millis(200);

/// Games that are done, by their places, with what tells whether they are still the same.
pub type DoneGames = HashMap<String, String>;

/// A game to be analyzed.
#[derive(Debug)]
pub struct AnalysisJob {
    /// Which of the sources it comes from, from 0.
    pub source: usize,
    /// The number of its line or game there.
    pub number: u64,
    /// The name of the source with that number.
    pub place: String,
    /// What it is called.
    pub id: Value,
    /// The game.
    pub entry: Entry,
}

impl AnalysisJob {
    /// Reads a game, which is called by its place unless it says something else itself.
    #[must_use]
    pub fn new(source: usize, place: String, game: RawGame) -> AnalysisJob {
        let number = game.number();
        let mut entry = game.read();
        let id = entry.id.take().unwrap_or_else(|| Value::String(place.clone()));
        AnalysisJob { source, number, place, id, entry }
    }
}

/// What the pool is given: games, and notes that it passes on in their turn.
#[derive(Debug)]
pub enum Incoming<N> {
    /// A game.
    Job(Box<AnalysisJob>),
    /// Whatever else there is to be told of the source.
    Note(N),
}

/// A game that is over with.
#[derive(Debug)]
pub struct Finished {
    /// Its number among all games of this run, from 0.
    pub(super) sequence: u64,
    /// As in [`AnalysisJob::id`].
    pub id: Value,
    /// As in [`AnalysisJob::source`].
    pub source: usize,
    /// As in [`AnalysisJob::number`].
    pub number: u64,
    /// As in [`AnalysisJob::place`].
    pub place: String,
    /// What tells whether it is still the same game.
    pub digest: String,
    /// What has come of it.
    pub done: Done,
}

/// What has come of a game.
#[derive(Debug)]
pub enum Done {
    /// It is there, perhaps as far as its record could be read.
    Analyzed(Written),
    /// An earlier run has done it.
    Before,
    /// Why there is nothing to be written.
    Fault(String),
}

/// What the pool has to tell.
#[derive(Debug)]
pub enum News<N> {
    /// A note among the games.
    Note(N),
    /// A game is over with.
    Finished(Box<Finished>),
    /// Nothing for a while.
    Nothing,
    /// Somebody has asked for an end.
    Stopped,
    /// All games are over with.
    End,
}

/// How far the work has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Positions searched.
    pub positions: u64,
    /// All positions of the games begun so far.
    pub all: u64,
    /// Games that are over with.
    pub games: u64,
}

/// A message of one of the threads.
enum Message<N> {
    News(News<N>),
    /// A reader or an analyst has nothing more to say.
    Leaves,
}

/// A job with its number among all.
struct Queued {
    sequence: u64,
    job: AnalysisJob,
}

#[derive(Default)]
struct Counts {
    positions: AtomicU64,
    all: AtomicU64,
    games: AtomicU64,
}

/// Threads at work. They are not joined: whoever stops listening leaves them behind.
pub struct Pool<N> {
    messages: Receiver<Message<N>>,
    /// For [`Pool::stopper`].
    sender: Sender<Message<N>>,
    permits: Receiver<()>,
    counts: Arc<Counts>,
    stop: Arc<AtomicBool>,
    running: usize,
}

impl<N: Send + 'static> Pool<N> {
    /// Starts taking in games and analyzing them, those of `done` excepted.
    ///
    /// # Errors
    /// The system has no thread to give.
    pub fn start<I>(games: I, analysts: Vec<Box<dyn Analyst>>, task: Arc<Task>, done: DoneGames) -> io::Result<Pool<N>>
    where
        I: IntoIterator<Item = Incoming<N>> + Send + 'static,
    {
        let (sender, messages) = channel();
        let (permits, permits_used) = sync_channel(MAX_OPEN);
        let queue = Arc::new(Queue::new(READ_AHEAD * analysts.len()));
        let (counts, stop, done) = (Arc::new(Counts::default()), Arc::new(AtomicBool::new(false)), Arc::new(done));
        let running = analysts.len() + 1;
        for analyst in analysts {
            let worker = Worker {
                queue: Arc::clone(&queue),
                task: Arc::clone(&task),
                done: Arc::clone(&done),
                counts: Arc::clone(&counts),
                stop: Arc::clone(&stop),
                messages: sender.clone(),
            };
            spawn("analyst", move || worker.run(analyst))?;
        }
        let reader = sender.clone();
        spawn("games", move || {
            // Once nobody wants more, nothing is left to be done.
            let _ = take_in(games, &queue, &permits, &reader);
            queue.close();
            let _ = reader.send(Message::Leaves);
        })?;
        Ok(Pool { messages, sender, permits: permits_used, counts, stop, running })
    }

    /// What happens next; [`News::Nothing`] after a fifth of a second without anything.
    pub fn wait(&mut self) -> News<N> {
        loop {
            if self.running == 0 {
                return News::End;
            }
            match self.messages.recv_timeout(PATIENCE) {
                Ok(Message::News(news)) => return news,
                Ok(Message::Leaves) => self.running -= 1,
                Err(RecvTimeoutError::Timeout) => return News::Nothing,
                Err(RecvTimeoutError::Disconnected) => return News::End,
            }
        }
    }

    /// Says that a finished game has been dealt with, so that another may be begun.
    pub fn release(&self) {
        let _ = self.permits.try_recv();
    }

    /// Asks for an end when it is called, from any thread: games under way are broken off.
    pub fn stopper(&self) -> impl Fn() + Send + 'static {
        let (stop, sender) = (Arc::clone(&self.stop), self.sender.clone());
        move || {
            // Before the games that are broken off say so.
            let _ = sender.send(Message::News(News::Stopped));
            stop.store(true, Ordering::SeqCst);
        }
    }

    /// How far the work has come.
    pub fn progress(&self) -> Progress {
        let [positions, all, games] =
            [&self.counts.positions, &self.counts.all, &self.counts.games].map(|count| count.load(Ordering::Relaxed));
        Progress { positions, all, games }
    }
}

/// Puts games into the queue until there are no more.
fn take_in<N>(
    games: impl IntoIterator<Item = Incoming<N>>,
    queue: &Queue<Queued>,
    permits: &SyncSender<()>,
    messages: &Sender<Message<N>>,
) -> Result<(), Closed> {
    let mut sequence = 0;
    for incoming in games {
        match incoming {
            Incoming::Note(note) => messages.send(Message::News(News::Note(note)))?,
            Incoming::Job(job) => {
                permits.send(())?;
                let length = job.entry.record.as_ref().map_or(0, |record| record.tree.main_line().count());
                queue.push(length, Queued { sequence, job: *job })?;
                sequence += 1;
            }
        }
    }
    Ok(())
}

/// The other end is not there any more.
struct Closed;

impl<T> From<SendError<T>> for Closed {
    fn from(_: SendError<T>) -> Closed {
        Closed
    }
}

impl From<queue::Closed> for Closed {
    fn from(_: queue::Closed) -> Closed {
        Closed
    }
}

/// One of the threads that analyze.
struct Worker<N> {
    queue: Arc<Queue<Queued>>,
    task: Arc<Task>,
    done: Arc<DoneGames>,
    counts: Arc<Counts>,
    stop: Arc<AtomicBool>,
    messages: Sender<Message<N>>,
}

impl<N> Worker<N> {
    fn run(&self, mut analyst: Box<dyn Analyst>) {
        while let Some(queued) = self.queue.pop() {
            let finished = self.work(queued, analyst.as_mut());
            self.counts.games.fetch_add(1, Ordering::Relaxed);
            if self.messages.send(Message::News(News::Finished(Box::new(finished)))).is_err() {
                return;
            }
        }
        let _ = self.messages.send(Message::Leaves);
    }

    fn work(&self, queued: Queued, analyst: &mut dyn Analyst) -> Finished {
        let Queued { sequence, job: AnalysisJob { source, number, place, id, entry } } = queued;
        let digest = task::digest(&entry);
        let done = if self.done.get(&place) == Some(&digest) {
            Done::Before
        } else {
            let mut counted = 0;
            let mut watch = |done: usize, all: usize| {
                if counted == 0 {
                    self.counts.all.fetch_add(all as u64, Ordering::Relaxed);
                }
                self.counts.positions.fetch_add((done - counted) as u64, Ordering::Relaxed);
                counted = done;
                match self.stop.load(Ordering::Relaxed) {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            };
            match self.task.analyze(&id, entry, analyst, &mut watch) {
                Ok(written) => Done::Analyzed(written),
                Err(fault) => Done::Fault(fault),
            }
        };
        Finished { sequence, id, source, number, place, digest, done }
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}
