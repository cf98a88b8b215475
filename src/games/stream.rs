//! The games of sources in their order.

use std::sync::mpsc::{Receiver, SendError, SyncSender, sync_channel};

use chuhe_analysis::batch::{AnalysisJob, Incoming};
use chuhe_records::games::{Entry, RawGame};
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use serde_json::Value;

use super::source::Source;
use super::tally::Note;

/// What comes of reading sources.
#[derive(Debug)]
pub(crate) enum Event<G> {
    /// A game, or what has been made of it.
    Game(G),
    /// What there is to be told of a source.
    Note(Note),
}

/// A game that has been cut out of its file but perhaps not read yet, so that another thread can do that.
#[derive(Debug)]
pub(crate) struct Item {
    /// Which of the sources it comes from.
    pub(crate) source: usize,
    /// The name of the file with the number of its line or game.
    pub(crate) place: String,
    game: RawGame,
}

impl Item {
    /// Reads the game; with its id in the file, or else its place.
    pub(crate) fn read(self) -> (Value, Entry) {
        let mut entry = self.game.read();
        (entry.id.take().unwrap_or(Value::String(self.place)), entry)
    }
}

/// Games that are dealt with at the same time.
const BATCH: usize = 256;

/// The games of sources, cut out by a thread of its own while others are being dealt with.
pub(crate) struct Stream(Receiver<Event<Item>>);

impl Stream {
    /// Begins to read the sources.
    pub(crate) fn start(sources: Vec<Source>) -> Stream {
        let (sender, receiver) = sync_channel(2 * BATCH);
        // Not joined: should the output be closed, nobody waits for standard input.
        std::thread::spawn(move || send_all(&sources, &sender));
        Stream(receiver)
    }

    /// Waits for a game and takes what else is there, and works on all these at the same time; the results stand in the order
    /// of the games. Whoever sends games one by one gets each answer at once.
    pub(crate) fn next_batch<R: Send>(&self, work: impl Fn(Item) -> R + Sync) -> Option<Vec<Event<R>>> {
        let first = self.0.recv().ok()?;
        let events: Vec<Event<Item>> = std::iter::once(first).chain(self.0.try_iter().take(BATCH - 1)).collect();
        let work = |event| match event {
            Event::Game(item) => Event::Game(work(item)),
            Event::Note(note) => Event::Note(note),
        };
        Some(events.into_par_iter().map(work).collect())
    }

    /// The games as jobs of analysis.
    pub(crate) fn jobs(self) -> impl Iterator<Item = Incoming<Note>> + Send {
        self.0.into_iter().map(|event| match event {
            Event::Game(Item { source, place, game }) => Incoming::Job(Box::new(AnalysisJob::new(source, place, game))),
            Event::Note(note) => Incoming::Note(note),
        })
    }
}

/// Reads all sources until nobody wants more.
fn send_all(sources: &[Source], sender: &SyncSender<Event<Item>>) -> Result<(), SendError<Event<Item>>> {
    for (index, source) in sources.iter().enumerate() {
        let title = source.title();
        let mut games = match source.open() {
            Ok(games) => games.peekable(),
            Err(unreadable) => {
                sender.send(Event::Note(Note::Unreadable(unreadable)))?;
                continue;
            }
        };
        if games.peek().is_none() {
            sender.send(Event::Note(Note::Empty(title)))?;
            continue;
        }
        for game in games {
            sender.send(match game {
                Ok(game) => Event::Game(Item { source: index, place: format!("{title}:{}", game.number()), game }),
                Err(error) => Event::Note(Note::Unreadable(source.unreadable(&error))),
            })?;
        }
    }
    Ok(())
}
