//! A search that is taken in steps.
//!
//! Where there are threads, the search runs on one of its own and waits there between two steps, in the midst of its
//! tree, so that it is the same search however it is cut. Where there are none, a step is one iteration.

use std::fmt;
use std::io;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};

use chuhe_movegen::Move;
use chuhe_rules::Game;

use crate::run::Run;
use crate::search::Pace;
use crate::threads::STACK_SIZE;
use crate::{Control, Engine, Event, Limits, Outcome, Report};

/// How far a step goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slice {
    /// To the end of the running iteration.
    Iteration,
    /// So many nodes of the first thread (at least one); without threads, to the end of the iteration.
    Nodes(u64),
}

/// A search that goes on when it is asked to, made by [`Engine::begin`].
///
/// Taken in whatever slices, a search by one thread gives the same events and the same outcome as [`Engine::search`].
/// Between steps it does nothing, but its time runs. It may be stopped by its [`Control`] at any moment; the next step
/// then gives the outcome. An infinite or ponder search is not held back: its outcome is there as soon as it ends by
/// itself, and what to do with it is the caller's affair. A stepper that is dropped ends its search.
#[derive(Debug)]
pub struct Stepper {
    control: Control,
    place: Place,
    /// Set once the search has ended.
    outcome: Option<Outcome>,
}

/// Where the search runs.
#[derive(Debug)]
enum Place {
    Apart(Apart),
    Here(Box<Here>),
}

impl Stepper {
    /// A search that waits for its first step.
    pub(crate) fn new(mut engine: Engine, game: &Game, limits: &Limits, control: &Control) -> Stepper {
        let (mut outcome, control) = (None, control.clone());
        let place = match Apart::new(game, limits, &control) {
            Ok((apart, engines)) => {
                // The thread waits for it.
                let _ = engines.send(engine);
                Place::Apart(apart)
            }
            Err(_) => {
                let run = Run::new(&mut engine, game, limits, &control);
                outcome = run.is_none().then_some(Outcome::LOST);
                Place::Here(Box::new(Here { engine, run, game: game.clone() }))
            }
        };
        Stepper { control, place, outcome }
    }

    /// The control of the search.
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// Goes on for a slice. What there is to tell goes to `sink`, on the calling thread. Gives the outcome once the
    /// search has ended, then and ever after.
    ///
    /// # Panics
    /// Only when the search itself has panicked, which is an error in the engine.
    pub fn step(&mut self, slice: Slice, sink: &mut dyn FnMut(&Event<'_>)) -> Option<Outcome> {
        if self.outcome.is_none() {
            self.outcome = match &mut self.place {
                Place::Apart(apart) => apart.step(slice, sink),
                Place::Here(here) => here.step(sink),
            };
        }
        self.outcome.clone()
    }

    /// Stops the search, if it has not ended, and gives the engine back.
    ///
    /// # Panics
    /// As [`Stepper::step`].
    pub fn into_engine(self) -> Engine {
        self.control.stop();
        match self.place {
            Place::Apart(apart) => apart.into_engine(),
            Place::Here(here) => here.engine,
        }
    }
}

/// A search on a thread of its own.
#[derive(Debug)]
struct Apart {
    slices: Sender<Slice>,
    messages: Receiver<Message>,
    thread: JoinHandle<Engine>,
}

/// What the thread of a search tells.
enum Message {
    /// A line: its report without the moves, and the moves.
    Line(Report<'static>, Vec<Move>),
    /// An event that borrows nothing.
    Other(Event<'static>),
    /// The slice is done, the search is not.
    Paused,
    Ended(Outcome),
}

impl Message {
    fn new(event: &Event<'_>) -> Message {
        match *event {
            Event::Line(ref report) => Message::Line(Report { pv: &[], ..report.clone() }, report.pv.to_vec()),
            Event::CurrentMove { depth, mv, number } => Message::Other(Event::CurrentMove { depth, mv, number }),
        }
    }
}

impl Apart {
    /// A thread that waits for an engine, which comes by the channel so that it is not lost should there be no thread.
    ///
    /// # Errors
    /// The system has no thread to give.
    fn new(game: &Game, limits: &Limits, control: &Control) -> io::Result<(Apart, Sender<Engine>)> {
        let (engines, engine) = channel::<Engine>();
        let (slices, wanted) = channel();
        let (teller, messages) = channel();
        let (game, limits, control) = (game.clone(), limits.clone(), control.clone());
        let search = move || {
            let mut engine = engine.recv().unwrap_or_default();
            // A stepper that is gone wants no more messages; the search then ends for want of a slice.
            let tell = |message| drop(teller.send(message));
            let paused = teller.clone();
            let pace = Pace::begin(wanted, Box::new(move || drop(paused.send(Message::Paused))), &control);
            let mut sink = |event: &Event<'_>| tell(Message::new(event));
            let outcome = engine.search_here(&game, &limits, &control, &mut sink, Some(pace));
            tell(Message::Ended(outcome));
            engine
        };
        let thread = Builder::new().name("search".to_owned()).stack_size(STACK_SIZE).spawn(search)?;
        Ok((Apart { slices, messages, thread }, engines))
    }

    fn step(&mut self, slice: Slice, sink: &mut dyn FnMut(&Event<'_>)) -> Option<Outcome> {
        // Where the thread is no more, it has left no messages either.
        let _ = self.slices.send(slice);
        loop {
            match self.messages.recv() {
                Ok(Message::Line(report, pv)) => sink(&Event::Line(Report { pv: &pv, ..report })),
                Ok(Message::Other(event)) => sink(&event),
                Ok(Message::Paused) => return None,
                Ok(Message::Ended(outcome)) => return Some(outcome),
                Err(_) => panic!("the thread of a search has panicked"),
            }
        }
    }

    fn into_engine(self) -> Engine {
        // The search sees that nobody will ask for more.
        drop(self.slices);
        self.thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    }
}

/// A search on the caller's thread, iteration by iteration.
struct Here {
    engine: Engine,
    /// `None` when there is no move to choose, or no more.
    run: Option<Run>,
    game: Game,
}

impl fmt::Debug for Here {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Here").field("engine", &self.engine).finish_non_exhaustive()
    }
}

impl Here {
    fn step(&mut self, sink: &mut dyn FnMut(&Event<'_>)) -> Option<Outcome> {
        if self.run.as_mut()?.iterate(&mut self.engine.threads, sink) {
            return None;
        }
        self.run.take().map(|run| run.conclude(&mut self.engine, &self.game, sink))
    }
}
