//! Many games at once: one thread reads, some analyse, and the one that asked writes.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, IsTerminal as _};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Duration;

use chuhe_analysis::Analyst;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;

use super::queue::{self, Queue};
use super::work::{self, Task, Written};
use crate::failure::{Failure, say};
use crate::games::{Entry, Event, Source, Stream, Unreadable};
use crate::platform::on_end_signal;

/// Games that may be under way or wait for an earlier one to be written.
const MAX_OPEN: usize = 256;
/// Games that are read ahead for each analyst.
const READ_AHEAD: usize = 8;
/// How often the progress is shown.
const SHOW_INTERVAL: Duration = Duration::from_millis(200);

/// Games that are done, by their places, with their digests.
pub(super) type DoneGames = HashMap<String, String>;

/// A game that is over with.
pub(super) struct Finished {
    /// Its number among all games of this run, from 0.
    pub(super) sequence: u64,
    /// What it is called.
    pub(super) id: Value,
    /// Which of the sources it comes from, and the number of its line or game there.
    pub(super) origin: (usize, u64),
    /// The name of the file with that number, as it was named.
    pub(super) place: String,
    /// See [`work::digest`].
    pub(super) digest: String,
    /// What has come of it.
    pub(super) outcome: Outcome,
}

/// What has come of a game.
pub(super) enum Outcome {
    /// It is there, perhaps as far as its record could be read.
    Analysed(Written),
    /// An earlier run has done it.
    DoneBefore,
    /// Why there is nothing to be written.
    Fault(String),
}

/// What the pool has to tell.
pub(super) enum News {
    /// A source cannot be read.
    Unreadable(String),
    /// A source holds no games: what it is called.
    Empty(String),
    /// A game is over with.
    Finished(Box<Finished>),
    /// Nothing for a while.
    Nothing,
    /// The user has asked for an end.
    Stopped,
    /// All games are over with.
    End,
}

/// A message of one of the threads.
enum Message {
    News(News),
    /// A reader or an analyst has nothing more to say.
    Leaves,
}

/// A game to be analysed.
struct Job {
    sequence: u64,
    /// The source and the number of its line or game there.
    origin: (usize, u64),
    place: String,
    entry: Entry,
}

/// How far the work has come.
#[derive(Default)]
struct Progress {
    /// Positions searched, and all positions of the games begun so far.
    positions: AtomicU64,
    all: AtomicU64,
    games: AtomicU64,
}

/// Threads at work. They are not joined: whoever stops listening leaves them behind.
pub(super) struct Pool {
    messages: Receiver<Message>,
    permits: Receiver<()>,
    progress: Arc<Progress>,
    running: usize,
}

impl Pool {
    /// Starts reading the sources and analysing their games, those of `done` excepted.
    pub(super) fn start(
        sources: Vec<Source>,
        analysts: Vec<Box<dyn Analyst>>,
        task: Arc<Task>,
        done: DoneGames,
    ) -> Result<Pool, Failure> {
        let (messages, inbox) = channel();
        let (permits, permits_used) = sync_channel(MAX_OPEN);
        let queue = Arc::new(Queue::new(READ_AHEAD * analysts.len()));
        let (progress, stop, done) = (Arc::new(Progress::default()), Arc::new(AtomicBool::new(false)), Arc::new(done));
        stop_on_signal(&stop, messages.clone());
        let running = analysts.len() + 1;
        for analyst in analysts {
            let worker = Worker {
                queue: Arc::clone(&queue),
                task: Arc::clone(&task),
                done: Arc::clone(&done),
                progress: Arc::clone(&progress),
                stop: Arc::clone(&stop),
                messages: messages.clone(),
            };
            spawn("analyst", move || worker.run(analyst))?;
        }
        spawn("games", move || {
            // Once nobody wants more, nothing is left to be done.
            let _ = read_all(sources, &queue, &permits, &messages);
            queue.close();
            let _ = messages.send(Message::Leaves);
        })?;
        Ok(Pool { messages: inbox, permits: permits_used, progress, running })
    }

    /// What happens next.
    pub(super) fn next(&mut self) -> News {
        loop {
            if self.running == 0 {
                return News::End;
            }
            match self.messages.recv_timeout(SHOW_INTERVAL) {
                Ok(Message::News(news)) => return news,
                Ok(Message::Leaves) => self.running -= 1,
                Err(RecvTimeoutError::Timeout) => return News::Nothing,
                Err(RecvTimeoutError::Disconnected) => return News::End,
            }
        }
    }

    /// Says that a finished game has been dealt with.
    pub(super) fn release(&self) {
        let _ = self.permits.try_recv();
    }

    /// A bar of the positions on a terminal, if nothing else is shown there.
    pub(super) fn progress_bar(&self, is_silent: bool) -> ProgressBar {
        if !is_silent || !io::stderr().is_terminal() {
            return ProgressBar::hidden();
        }
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} positions, {msg} {elapsed}");
        ProgressBar::new(0).with_style(style.expect("the template is well-formed"))
    }

    /// Brings the bar up to date.
    pub(super) fn show(&self, bar: &ProgressBar) {
        let [positions, all, games] = [&self.progress.positions, &self.progress.all, &self.progress.games]
            .map(|count| count.load(Ordering::Relaxed));
        bar.set_length(all);
        bar.set_position(positions);
        bar.set_message(format!("{games} games"));
    }
}

/// Sends the games of all sources.
fn read_all(
    sources: Vec<Source>,
    queue: &Queue<Job>,
    permits: &SyncSender<()>,
    messages: &Sender<Message>,
) -> Result<(), Closed> {
    let stream = Stream::start(sources);
    let mut sequence = 0;
    while let Some(events) = stream.next_batch() {
        for event in events {
            match event {
                Event::Game(item) => {
                    permits.send(())?;
                    let (origin, place) = ((item.source, item.number()), item.place.clone());
                    let entry = item.read();
                    let length = entry.record.as_ref().map_or(0, |record| record.tree.main_line().count());
                    queue.push(length, Job { sequence, origin, place, entry })?;
                    sequence += 1;
                }
                Event::Unreadable(Unreadable(message)) => messages.send(Message::News(News::Unreadable(message)))?,
                Event::Empty(title) => messages.send(Message::News(News::Empty(title)))?,
            }
        }
    }
    Ok(())
}

/// The other end is not there any more.
struct Closed;

impl<T> From<std::sync::mpsc::SendError<T>> for Closed {
    fn from(_: std::sync::mpsc::SendError<T>) -> Closed {
        Closed
    }
}

impl From<queue::Closed> for Closed {
    fn from(_: queue::Closed) -> Closed {
        Closed
    }
}

/// One of the threads that analyse.
struct Worker {
    queue: Arc<Queue<Job>>,
    task: Arc<Task>,
    done: Arc<DoneGames>,
    progress: Arc<Progress>,
    stop: Arc<AtomicBool>,
    messages: Sender<Message>,
}

impl Worker {
    fn run(&self, mut analyst: Box<dyn Analyst>) {
        while let Some(job) = self.queue.pop() {
            let finished = self.work(job, analyst.as_mut());
            self.progress.games.fetch_add(1, Ordering::Relaxed);
            if self.messages.send(Message::News(News::Finished(Box::new(finished)))).is_err() {
                return;
            }
        }
        let _ = self.messages.send(Message::Leaves);
    }

    fn work(&self, job: Job, analyst: &mut dyn Analyst) -> Finished {
        let Job { sequence, origin, place, entry } = job;
        let digest = work::digest(&entry);
        let id = entry.id.clone();
        let outcome = if self.done.get(&place) == Some(&digest) {
            Outcome::DoneBefore
        } else {
            let mut counted = 0;
            let mut watch = |done: usize, all: usize| {
                if counted == 0 {
                    self.progress.all.fetch_add(all as u64, Ordering::Relaxed);
                }
                self.progress.positions.fetch_add((done - counted) as u64, Ordering::Relaxed);
                counted = done;
                match self.stop.load(Ordering::Relaxed) {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            };
            match self.task.analyse(entry, analyst, &mut watch) {
                Ok(written) => Outcome::Analysed(written),
                Err(fault) => Outcome::Fault(fault),
            }
        };
        Finished { sequence, id, origin, place, digest, outcome }
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    thread::Builder::new()
        .name(name.to_owned())
        .spawn(work)
        .map(drop)
        .map_err(|error| Failure::Usage(format!("cannot start a thread: {error}")))
}

/// The first signal to end stops the work in good order, the second ends the program at once; files survive that too.
fn stop_on_signal(stop: &Arc<AtomicBool>, messages: Sender<Message>) {
    let stop = Arc::clone(stop);
    let asked = AtomicBool::new(false);
    let handler = move || {
        if asked.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
        // Before the games that are broken off say so.
        let _ = messages.send(Message::News(News::Stopped));
        stop.store(true, Ordering::SeqCst);
    };
    if let Err(error) = on_end_signal(handler) {
        log::warn!("cannot catch interrupts: {error}");
        say("cannot catch interrupts");
    }
}

/// Puts finished games back into the order in which they were read.
#[derive(Default)]
pub(super) struct InOrder {
    next: u64,
    waiting: BTreeMap<u64, Finished>,
}

impl InOrder {
    /// Takes a game in, and gives those whose turn it is now.
    pub(super) fn take(&mut self, finished: Finished) -> Vec<Finished> {
        self.waiting.insert(finished.sequence, finished);
        let mut ready = Vec::new();
        while let Some(finished) = self.waiting.remove(&self.next) {
            self.next += 1;
            ready.push(finished);
        }
        ready
    }

    /// Those whose turn will not come, since games before them are missing.
    pub(super) fn left_over(self) -> Vec<Finished> {
        self.waiting.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished(sequence: u64) -> Finished {
        let (place, digest, outcome) = (String::new(), String::new(), Outcome::DoneBefore);
        Finished { sequence, id: Value::Null, origin: (0, sequence), place, digest, outcome }
    }

    #[test]
    fn games_come_out_in_the_order_in_which_they_were_read() {
        let mut in_order = InOrder::default();
        let mut take =
            |sequence| in_order.take(finished(sequence)).iter().map(|game| game.sequence).collect::<Vec<_>>();
        assert!(take(1).is_empty());
        assert!(take(2).is_empty());
        assert_eq!(take(0), [0, 1, 2]);
        assert_eq!(take(3), [3]);
    }
}
