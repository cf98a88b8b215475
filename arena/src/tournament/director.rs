//! Runs a tournament: hands games to tables, writes down what comes back.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use chuhe_files::Log;

use super::acts_file::ActsFile;
use super::state::{GameJob, Step, Tournament, TournamentError};
use crate::journal::{Event, Fingerprint, FinishedGame, GameReport, Journal, JournalError, OrganiserAct};

/// How often the director looks up while games are in progress.
const LOOK_UP: Duration = Duration::from_millis(200);

/// A place where games are played, one after the other.
pub trait Table: Send {
    /// Plays a game to its end. `None` when the run is being stopped and the game is given up.
    fn play(&mut self, job: &GameJob) -> Option<PlayedOut>;
}

/// A game that came to its end at a table.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedOut {
    /// How it was played and ended.
    pub report: GameReport,
    /// The game as text for the PGN file.
    pub pgn: String,
}

/// Asks a run to stop, from anywhere.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Not asked yet.
    #[must_use]
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Asks.
    pub fn ask(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether somebody asked.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// The flag itself, for those who only look.
    pub(super) fn flag(&self) -> &AtomicBool {
        &self.0
    }
}

/// Watches a run.
pub trait Observer {
    /// A game was written down and counted; `pgn` is its text.
    ///
    /// # Errors
    /// When it cannot be shown; the run stops.
    fn game_over(&mut self, tournament: &Tournament, game: &FinishedGame, pgn: &str) -> std::io::Result<()>;

    /// The organiser decided something, which was carried out or could not be.
    fn act(&mut self, tournament: &Tournament, act: &OrganiserAct, result: Result<(), String>);

    /// Something worth a line.
    fn note(&mut self, text: &str);
}

/// The files of a run.
#[derive(Debug, Default)]
pub struct Files {
    /// The journal.
    pub journal: Option<Journal>,
    /// The games.
    pub pgn: Option<Log>,
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunEnd {
    /// Nothing is left to be played, or the test has decided.
    Finished,
    /// It was asked to stop.
    Stopped,
}

/// Why a run broke off.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A file cannot be written. What was written before is whole.
    #[error("{source}; {lost}")]
    File {
        /// The file and the reason.
        source: JournalError,
        /// What is not in the files.
        lost: String,
    },
    /// The history is not one of this tournament.
    #[error(transparent)]
    Tournament(#[from] TournamentError),
    /// The observer cannot show what happens.
    #[error(transparent)]
    Observer(std::io::Error),
}

impl From<JournalError> for RunError {
    fn from(source: JournalError) -> RunError {
        RunError::File { source, lost: "all games before it are complete in the files".to_owned() }
    }
}

/// Plays a tournament to its end, as many games at once as there are tables.
///
/// A game counts once its text is in the PGN file and its line in the journal, in this order. When the run is asked to
/// stop no new game begins; tables give up their games, and what still comes to its end counts. When a sequential test
/// decides no new game begins either, but those in progress are played to their end and count. A run that breaks off
/// asks to stop and counts nothing any more.
///
/// # Errors
/// When a file cannot be written, or the tournament refuses its own history.
pub fn run<T: Table>(
    tournament: &mut Tournament,
    files: &mut Files,
    tables: Vec<T>,
    stop: &Stop,
    observer: &mut dyn Observer,
) -> Result<RunEnd, RunError> {
    let acts_file = files.journal.as_ref().map(|journal| ActsFile::of(journal.path()));
    let (results, incoming) = channel();
    std::thread::scope(|scope| {
        let mut jobs: Vec<Sender<GameJob>> = Vec::with_capacity(tables.len());
        for (number, mut table) in tables.into_iter().enumerate() {
            let (sender, orders) = channel::<GameJob>();
            let results = results.clone();
            jobs.push(sender);
            scope.spawn(move || {
                for job in orders {
                    let played = table.play(&job);
                    if results.send(Delivery { table: number, job, played }).is_err() {
                        break;
                    }
                }
            });
        }
        drop(results);
        let mut director = Director {
            idle: (0..jobs.len()).rev().collect(),
            jobs,
            incoming,
            tournament,
            files,
            acts_file,
            stop,
            observer,
        };
        let end = director.direct();
        if end.is_err() {
            // Tables are to give up their games, and the scope waits for them.
            stop.ask();
        }
        end
    })
}

/// What comes back from a table.
struct Delivery {
    table: usize,
    job: GameJob,
    played: Option<PlayedOut>,
}

struct Director<'a> {
    jobs: Vec<Sender<GameJob>>,
    idle: Vec<usize>,
    incoming: Receiver<Delivery>,
    tournament: &'a mut Tournament,
    files: &'a mut Files,
    acts_file: Option<ActsFile>,
    stop: &'a Stop,
    observer: &'a mut dyn Observer,
}

impl Director<'_> {
    fn direct(&mut self) -> Result<RunEnd, RunError> {
        loop {
            self.take_acts()?;
            let busy = self.idle.len() < self.jobs.len();
            if self.stop.is_asked() {
                if !busy {
                    return Ok(RunEnd::Stopped);
                }
            } else if self.hand_out()? {
                self.write(&Event::End)?;
                return Ok(RunEnd::Finished);
            }
            match self.incoming.recv_timeout(LOOK_UP) {
                Ok(delivery) => self.receive(delivery)?,
                Err(RecvTimeoutError::Timeout) => {}
                // Tables end only after the director.
                Err(RecvTimeoutError::Disconnected) => return Ok(RunEnd::Stopped),
            }
        }
    }

    /// Gives games to idle tables; whether the tournament is over.
    fn hand_out(&mut self) -> Result<bool, RunError> {
        while let Some(&table) = self.idle.last() {
            match self.tournament.step()? {
                Step::Announce(news) => {
                    let event = Event::Announce(news);
                    self.write(&event)?;
                    self.tournament.apply(&event)?;
                }
                Step::Play(job) => {
                    self.idle.pop();
                    // A table that is gone has panicked, which the scope will tell.
                    let _ = self.jobs[table].send(job);
                }
                Step::Wait => return Ok(false),
                Step::Finished => return Ok(true),
            }
        }
        Ok(false)
    }

    fn write(&mut self, event: &Event) -> Result<(), JournalError> {
        match &mut self.files.journal {
            Some(journal) => journal.append(event),
            None => Ok(()),
        }
    }

    fn receive(&mut self, Delivery { table, job, played }: Delivery) -> Result<(), RunError> {
        self.idle.push(table);
        let Some(played) = played else {
            self.tournament.abandon(&job.slot);
            return Ok(());
        };
        let [red, black] = [job.red, job.black].map(|engine| self.tournament.roster().engine(engine).to_owned());
        if self.tournament.is_decided(&job.slot) {
            self.tournament.abandon(&job.slot);
            self.observer.note(&format!("{red} - {black}: decided by the organiser during the game; not counted"));
            return Ok(());
        }
        let mut game = Box::new(FinishedGame {
            number: self.tournament.next_number(),
            slot: job.slot,
            red,
            black,
            report: played.report,
            pgn: None,
            fingerprint: None,
        });
        let lost = |source, game: &FinishedGame| RunError::File {
            source,
            lost: format!(
                "game {} ({} - {}, {}) is not in the files; all games before it are",
                game.number,
                game.red,
                game.black,
                game.report.outcome.score_text()
            ),
        };
        if let Some(pgn) = &mut self.files.pgn {
            game.pgn = Some(pgn.append(played.pgn.as_bytes()).map_err(|error| lost(error.into(), &game))?.into());
            game.fingerprint = Some(Fingerprint::of(played.pgn.as_bytes()));
        }
        let event = Event::Game(game.clone());
        if let Err(error) = self.write(&event) {
            if let (Some(pgn), Some(span)) = (&mut self.files.pgn, game.pgn) {
                // If it cannot be cut now, whoever goes on with the files will.
                let _ = pgn.cut(span.offset);
            }
            return Err(lost(error, &game));
        }
        self.tournament.apply(&event)?;
        self.observer.game_over(self.tournament, &game, &played.pgn).map_err(RunError::Observer)
    }

    /// Carries out what the organiser has left. A tournament does not end because that cannot be read.
    fn take_acts(&mut self) -> Result<(), RunError> {
        let left = match self.acts_file.as_ref().map(ActsFile::look).transpose() {
            Ok(left) => left.flatten(),
            Err(error) => {
                self.close_acts_file(&error);
                return Ok(());
            }
        };
        let Some(left) = left else { return Ok(()) };
        for act in left.acts() {
            match act {
                Ok(act) if self.tournament.has_carried_out(act) => {}
                Ok(act) => {
                    let possible = self.tournament.check(&act.act);
                    if possible.is_ok() {
                        let event = Event::Act(act.clone());
                        self.write(&event)?;
                        self.tournament.apply(&event)?;
                    }
                    self.observer.act(self.tournament, act, possible.map_err(|error| error.to_string()));
                }
                Err(problem) => self.observer.note(problem),
            }
        }
        if let Err(error) = left.done() {
            self.close_acts_file(&error);
        }
        Ok(())
    }

    fn close_acts_file(&mut self, error: &JournalError) {
        self.observer.note(&format!("{error}; this run no longer watches for decisions of the organiser"));
        self.acts_file = None;
    }
}
