//! The state machine between the lines that come in and the engine.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use chuhe_engine::{Control, Outcome, Prober};
use chuhe_eval::Evaluator;
use chuhe_movegen::Move;
use chuhe_protocol::{
    BestMove, Command, Dialect, GoCommand, IdField, Info, Position, Ranks, Reply, SetOption, WireMove,
};
use chuhe_rules::Game;

use crate::decision::{GameCourse, Gesture};
use crate::go::Task;
use crate::log_file::LogFile;
use crate::options::{self, Effect};
use crate::output::Output;
use crate::position::CurrentPosition;
use crate::probe::pop_hash;
use crate::reader::{MAX_LINE_LEN, read_commands};
use crate::reporter::Reporter;
use crate::settings::Settings;
use crate::worker::{SearchJob, Searched, WorkerJob, new_engine, work};
use crate::{paths, score};

/// Messages on their way to the session. Few, so that a GUI that floods the pipe has to wait instead of filling memory.
const MESSAGE_BUFFER: usize = 32;

/// Characters of an unknown command that are quoted.
const MAX_QUOTED: usize = 40;

/// The session ends this long after `quit`, whatever the engine is doing. The system needs time of its own to take back
/// a large hash table.
const FAREWELL: Duration = Duration::from_millis(80);

/// What a session needs to know about its surroundings.
#[derive(Clone, Debug)]
pub struct SessionConfig {
    /// The folder in which books are looked for first; by default that of the executable.
    pub program_folder: Option<PathBuf>,
    /// Whether an unknown command gets an answer, as somebody at a terminal expects. A GUI gets none.
    pub answers_unknown_words: bool,
}

impl Default for SessionConfig {
    fn default() -> SessionConfig {
        let executable = std::env::current_exe().ok();
        let program_folder = executable.and_then(|path| Some(path.parent()?.to_owned()));
        SessionConfig { program_folder, answers_unknown_words: false }
    }
}

/// Serves a GUI until it says `quit`, its input ends or its output breaks.
///
/// Returns within 200 ms of that even if the engine is still busy, and without waiting for its threads: the one that
/// reads may be blocked for ever, the one that searches may have a large hash table to free. A program should end by
/// [`std::process::exit`] afterwards rather than wait for either.
///
/// # Errors
/// When the threads of the session cannot be started. A broken pipe is an ordinary end.
pub fn run(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    config: SessionConfig,
) -> io::Result<()> {
    let (messages, inbox) = mpsc::sync_channel(MESSAGE_BUFFER);
    let (jobs, job_queue) = mpsc::channel();
    let log = Arc::new(LogFile::default());
    let output = Arc::new(Output::new(output, Dialect::Uci, messages.clone(), Arc::clone(&log)));

    let engine = new_engine();
    let prober = engine.prober();
    let worker = (messages.clone(), Arc::clone(&output));
    thread::Builder::new().name("engine".to_owned()).spawn(move || work(engine, &job_queue, &worker.0, &worker.1))?;
    let reader_log = Arc::clone(&log);
    thread::Builder::new().name("reader".to_owned()).spawn(move || read_commands(input, &messages, &reader_log))?;

    let mut session = Session {
        output,
        jobs,
        prober,
        log,
        dialect: Dialect::Uci,
        answers_unknown_words: config.answers_unknown_words,
        settings: Settings::new(config.program_folder),
        position: CurrentPosition::default(),
        course: GameCourse::default(),
        running: None,
        backlog: VecDeque::new(),
        closing: None,
    };
    session.serve(&inbox);
    Ok(())
}

/// What the session hears from its other threads.
pub(crate) enum Message {
    /// A line from the GUI.
    Command {
        /// The line.
        command: Command,
        /// When it was read.
        at: Instant,
    },
    /// A line from the GUI that was too long to be kept.
    LineTooLong,
    /// The GUI will say no more.
    EndOfInput,
    /// The GUI hears no more.
    OutputBroken,
    /// A search has ended.
    Searched(Box<Searched>),
    /// Perft has ended.
    Counted,
    /// The engine has done all its jobs.
    Drained,
}

/// A command that waits for the end of a search.
struct Waiting {
    command: Command,
    at: Instant,
}

/// How a `go` is answered.
enum Answer {
    /// By the move found.
    Move(Box<Searched>),
    /// By the line that says there is none.
    NoMove,
}

/// A `go` that has not been answered.
struct Running {
    game: Arc<Game>,
    control: Control,
    ranks: Ranks,
    /// Waits for `ponderhit` or `stop`.
    is_pondering: bool,
    /// Waits for `stop`.
    is_infinite: bool,
    /// Nothing but a mate, if anything, would end it.
    is_endless: bool,
    is_stopped: bool,
    /// The opponent offers a draw.
    is_draw_offered: bool,
    /// A legal move, should there be no time for a better one.
    fallback: Option<Move>,
    /// An answer that may not be given yet.
    held: Option<Answer>,
}

impl Running {
    /// Whether the answer must wait for a word from the GUI.
    fn must_hold(&self) -> bool {
        !self.is_stopped && (self.is_pondering || self.is_infinite)
    }

    /// Whether the search may go on for ever unless it is stopped.
    fn is_open_ended(&self) -> bool {
        !self.is_stopped && (self.is_pondering || self.is_infinite || self.is_endless)
    }

    fn stop(&mut self) {
        self.is_stopped = true;
        self.control.stop();
    }

    fn ponder_hit(&mut self, draw: bool) {
        self.is_draw_offered |= draw;
        if self.is_pondering {
            self.is_pondering = false;
            self.control.ponder_hit();
        }
    }
}

/// One conversation with a GUI.
struct Session {
    output: Arc<Output>,
    jobs: Sender<WorkerJob>,
    /// Looks into the engine's hash table.
    prober: Prober,
    log: Arc<LogFile>,
    dialect: Dialect,
    answers_unknown_words: bool,
    settings: Settings,
    position: CurrentPosition,
    course: GameCourse,
    running: Option<Running>,
    /// Commands to be handled, in order, when the running search has ended. Empty when none runs.
    backlog: VecDeque<Waiting>,
    /// Set by `quit`: when to leave at the latest.
    closing: Option<Instant>,
}

impl Session {
    fn serve(&mut self, inbox: &Receiver<Message>) {
        let mut is_draining = false;
        while !self.output.is_closed() {
            if self.closing.is_some() && self.running.is_none() && !is_draining {
                // An `isready` just before `quit` still gets its answer.
                self.post(WorkerJob::Drain);
                is_draining = true;
            }
            match self.next_message(inbox) {
                Ok(Message::Command { command, at }) => self.receive(command, at),
                Ok(Message::LineTooLong) => {
                    self.output.tell(format!("line of more than {} MiB ignored", MAX_LINE_LEN >> 20));
                }
                Ok(Message::EndOfInput) => self.receive(Command::Quit, Instant::now()),
                Ok(Message::Searched(searched)) => self.search_ended(Answer::Move(searched)),
                Ok(Message::Counted) => self.search_ended(Answer::NoMove),
                Ok(Message::Drained | Message::OutputBroken) | Err(_) => break,
            }
        }
        self.leave();
    }

    fn next_message(&self, inbox: &Receiver<Message>) -> Result<Message, RecvTimeoutError> {
        match self.closing {
            None => inbox.recv().map_err(RecvTimeoutError::from),
            Some(deadline) => inbox.recv_timeout(deadline.saturating_duration_since(Instant::now())),
        }
    }

    /// Says the last words. Every `go` still without an answer gets a legal move.
    fn leave(&mut self) {
        self.close();
        loop {
            if let Some(running) = self.running.take() {
                let best = running.fallback.map(|mv| BestMove::new(WireMove::new(mv, running.ranks), None));
                self.output.send(&Reply::BestMove(best.unwrap_or(BestMove::NONE)));
            }
            let Some(Waiting { command, at }) = self.backlog.pop_front() else { break };
            self.execute(command, at);
        }
        if self.dialect == Dialect::Ucci {
            self.output.send(&Reply::Bye);
        }
        self.output.close();
    }

    /// Says at once what is known of a position, by default the current one, whatever the engine is doing.
    fn probe(&self, position: Option<&Position>) {
        let probed = position.map(|position| self.set_up(position));
        let probed = probed.as_ref().unwrap_or(&self.position);
        let known = probed.game.as_ref().and_then(|game| self.prober.probe(game));
        self.output.send(&Reply::PopHash(pop_hash(known, probed.ranks)));
    }

    /// Takes a command from the GUI: handles it, or keeps it until the running search has ended.
    fn receive(&mut self, command: Command, at: Instant) {
        if self.closing.is_some() {
            return;
        }
        if self.settings.debug && !matches!(command, Command::Empty) {
            let state = if self.running.is_some() { "busyline" } else { "idleline" };
            self.output.tell(format!("{state} [{}]", String::from_utf8_lossy(&command.to_line(self.dialect))));
        }
        let is_go_waiting = self.backlog.iter().any(|waiting| matches!(waiting.command, Command::Go(_)));
        match (command, &mut self.running) {
            (Command::Unknown(words), _) if self.answers_unknown_words => {
                let word = words.split_whitespace().next().unwrap_or_default();
                let word: String = word.chars().take(MAX_QUOTED).collect();
                self.output.send(&Reply::Text(format!("unknown command `{word}`: try ucci, uci or quit")));
            }
            (Command::Empty | Command::Unknown(_) | Command::Bench { .. }, _) => {}
            (Command::IsReady, Some(_)) => self.output.send(&Reply::ReadyOk),
            (Command::Probe(position), _) => self.probe(position.as_ref()),
            (Command::Stop, None) => {
                // A UCCI GUI that has lost track must not wait for ever; UCI has no such word.
                if self.dialect == Dialect::Ucci {
                    self.output.send(&Reply::BestMove(BestMove::NONE));
                }
            }
            (Command::PonderHit { draw }, Some(running)) if !is_go_waiting => running.ponder_hit(draw),
            (Command::Quit, _) if !self.settings.batch => self.close(),
            (command, _) => self.backlog.push_back(Waiting { command, at }),
        }
        self.proceed();
    }

    /// Handles waiting commands as far as they need not wait any longer.
    fn proceed(&mut self) {
        loop {
            if let Some(running) = &mut self.running {
                let is_open_ended = running.is_open_ended();
                let is_pressing = |waiting: &Waiting| match waiting.command {
                    // It is meant for every `go` before it.
                    Command::Stop => is_open_ended || !self.settings.batch,
                    Command::Go(_) | Command::Quit => is_open_ended,
                    _ => false,
                };
                if self.backlog.iter().any(is_pressing) {
                    running.stop();
                }
                if !running.must_hold()
                    && let Some(answer) = running.held.take()
                {
                    self.answer(answer);
                    continue;
                }
            }
            let Some(next) = self.backlog.front() else { return };
            if self.running.is_some() && !matches!(next.command, Command::PonderHit { .. }) {
                return;
            }
            if let Some(Waiting { command, at }) = self.backlog.pop_front() {
                self.execute(command, at);
            }
        }
    }

    /// Handles a command whose turn has come.
    fn execute(&mut self, command: Command, at: Instant) {
        match command {
            Command::Handshake(dialect) => self.introduce(dialect),
            Command::IsReady => self.post(WorkerJob::Ready),
            Command::SetOption(option) => self.set_option(&option),
            Command::NewGame => self.apply(Effect::NewGame),
            Command::Position(position) => {
                self.position = self.set_up(&position);
                // GUIs that never ask `isready` should not pay for it with the time of their first move. By now they
                // have set the size of the hash table.
                self.post(WorkerJob::Prepare);
            }
            Command::BanMoves(moves) => self.position.ban(&moves),
            Command::Go(go) => self.go(&go, at),
            Command::PonderHit { draw } => {
                if let Some(running) = &mut self.running {
                    running.ponder_hit(draw);
                }
            }
            Command::Probe(position) => self.probe(position.as_ref()),
            Command::Quit => {
                self.backlog.clear();
                self.close();
            }
            Command::Display => self.display(),
            Command::Eval => self.show_evaluation(),
            // The search a `stop` waited for has ended.
            Command::Stop | Command::Bench { .. } | Command::Empty | Command::Unknown(_) => {}
        }
    }

    /// Heads for the end: what runs is stopped, and so is everything that still has to begin.
    fn close(&mut self) {
        self.closing.get_or_insert(Instant::now() + FAREWELL);
        if let Some(running) = &mut self.running {
            running.stop();
        }
    }

    fn introduce(&mut self, dialect: Dialect) {
        self.dialect = dialect;
        self.output.set_dialect(dialect);
        let id = |field, text: &str| Reply::Id(field, text.to_owned());
        self.output.send(&id(IdField::Name, concat!("Chuhe ", env!("CARGO_PKG_VERSION"))));
        if dialect == Dialect::Ucci {
            self.output.send(&id(IdField::Copyright, "The Chuhe authors, MIT or Apache-2.0"));
        }
        self.output.send(&id(IdField::Author, env!("CARGO_PKG_AUTHORS")));
        for option in options::declarations(dialect) {
            self.output.send(&Reply::Option(option));
        }
        self.output.send(&Reply::HandshakeOk(dialect));
    }

    fn set_option(&mut self, option: &SetOption) {
        let effects = options::set(&mut self.settings, option);
        // Before the effects: tables are filled with the threads then set.
        self.post(WorkerJob::Configure(Box::new(self.settings.engine_options())));
        for effect in effects {
            self.apply(effect);
        }
    }

    fn apply(&mut self, effect: Effect) {
        match effect {
            Effect::Tell(text) => self.output.tell(text),
            Effect::ResizeHash(mib) => self.post(WorkerJob::ResizeHash(mib)),
            Effect::NewGame => {
                self.course = GameCourse::default();
                self.post(WorkerJob::NewGame);
            }
            Effect::UseEvaluation => self.post(WorkerJob::UseEvaluation(self.settings.evaluation.clone())),
            Effect::LoadBooks => self.post(WorkerJob::LoadBooks(self.settings.books.clone())),
            Effect::LoadTables => self.post(WorkerJob::LoadTables(self.settings.table_folders.clone())),
            Effect::Log(name) if name.is_empty() => self.log.close(),
            Effect::Log(name) => {
                let path = paths::decode(name.as_bytes());
                if let Err(error) = self.log.open(&path) {
                    self.output.tell(format!("cannot write log file `{}`: {error}", path.display()));
                }
            }
        }
    }

    fn set_up(&self, position: &Position) -> CurrentPosition {
        let (position, trouble) = CurrentPosition::new(position);
        if let Some(trouble) = trouble {
            self.output.tell(trouble);
        }
        position
    }

    fn go(&mut self, go: &GoCommand, at: Instant) {
        let Some(game) = self.position.game.clone() else {
            // No score: nobody is mated where there is no position.
            self.output.send(&Reply::BestMove(BestMove::NONE));
            return;
        };
        let board = game.board();
        let task = Task::new(go, board, &self.position, &self.settings, self.dialect, at);
        let restricted = match &task {
            Task::Search { limits, .. } => limits.search_moves.clone(),
            _ => Vec::new(),
        };
        let fallback = board
            .legal_moves()
            .iter()
            .copied()
            .find(|mv| !self.position.banned.contains(mv) && (restricted.is_empty() || restricted.contains(mv)));
        let searchmoves_ranks = Ranks::of(&go.searchmoves);
        let ranks = if searchmoves_ranks == Ranks::FromOne { searchmoves_ranks } else { self.position.ranks };
        let mut running = Running {
            game: Arc::clone(&game),
            control: Control::new(),
            ranks,
            is_pondering: go.ponder,
            is_infinite: matches!(&task, Task::Search { limits, .. } if limits.infinite),
            is_endless: task.is_endless(),
            is_stopped: false,
            is_draw_offered: go.draw,
            fallback,
            held: None,
        };
        if self.closing.is_some() {
            running.stop();
        }
        let control = running.control.clone();
        match task {
            Task::Search { .. } if fallback.is_none() => {
                self.say_lost();
                running.held = Some(Answer::NoMove);
            }
            Task::Search { limits, use_book } => {
                let output = Arc::clone(&self.output);
                let (multi_pv, show_wdl) = (self.settings.engine.multi_pv, self.settings.show_wdl);
                let reporter = Reporter::new(output, self.dialect, ranks, multi_pv, show_wdl, limits.start);
                let job = SearchJob { game, limits: *limits, use_book, control, reporter };
                self.post(WorkerJob::Search(Box::new(job)));
            }
            Task::StaticEvaluation => {
                let score = chuhe_protocol::Score::Cp(score::shown_evaluation(self.evaluate(&game)));
                self.output.send(&Info { depth: Some(0), score: Some(score), ..Info::default() }.into());
                running.held = Some(Answer::NoMove);
            }
            Task::Perft(depth) => self.post(WorkerJob::Perft { board: Box::new(board.clone()), depth, ranks, control }),
        }
        self.running = Some(running);
    }

    /// The engine has done with the running `go`. The answer may have to wait, above all the end of a ponder search.
    fn search_ended(&mut self, answer: Answer) {
        if let Some(running) = &mut self.running {
            running.held = Some(answer);
            if !running.is_stopped {
                // Who asks for a second search during the first cannot mean its clock to run all the time.
                let now = Instant::now();
                self.backlog.iter_mut().for_each(|waiting| waiting.at = now);
            }
        }
        self.proceed();
    }

    /// Prints the terminal line.
    fn answer(&mut self, answer: Answer) {
        let Some(running) = self.running.take() else { return };
        let best = match answer {
            Answer::NoMove => BestMove::NONE,
            Answer::Move(searched) => {
                let Searched { mut outcome, mut reporter } = *searched;
                outcome.best = outcome.best.or(running.fallback);
                reporter.conclude(&outcome);
                self.choose(&running, &outcome)
            }
        };
        self.output.send(&Reply::BestMove(best));
    }

    fn choose(&mut self, running: &Running, outcome: &Outcome) -> BestMove {
        let Some(best) = outcome.best else { return BestMove::NONE };
        let is_for_the_game = !running.is_pondering && !running.is_infinite;
        let gesture = if is_for_the_game {
            self.course.decide(running.game.board(), outcome, running.is_draw_offered, self.settings.licence)
        } else {
            Gesture::default()
        };
        let wire = |mv| WireMove::new(mv, running.ranks);
        BestMove { draw: gesture.draw, resign: gesture.resign, ..BestMove::new(wire(best), outcome.ponder.map(wire)) }
    }

    /// What stands before `bestmove (none)`.
    fn say_lost(&self) {
        if self.dialect == Dialect::Uci {
            let score = Some(chuhe_protocol::Score::Mate(0));
            self.output.send(&Info { depth: Some(0), score, ..Info::default() }.into());
        }
    }

    /// The position, and the line that programs of the Stockfish family print for who gives check.
    fn display(&self) {
        let Some(game) = &self.position.game else { return self.output.tell(NO_POSITION.to_owned()) };
        self.output.tell(format!("fen {}", game.board().to_fen()));
        let checkers: String = game.board().checkers().into_iter().map(|square| format!(" {square}")).collect();
        self.output.send(&Reply::Text(format!("Checkers:{checkers}")));
    }

    fn show_evaluation(&self) {
        let Some(game) = &self.position.game else { return self.output.tell(NO_POSITION.to_owned()) };
        let value = score::shown_evaluation(self.evaluate(game));
        self.output.tell(format!("static evaluation {value} ({})", self.settings.evaluation));
    }

    /// Static evaluation of the current position, in internal units.
    fn evaluate(&self, game: &Game) -> i32 {
        Evaluator::new(&self.settings.evaluation, game.board()).evaluate(game.board())
    }

    fn post(&self, job: WorkerJob) {
        // The worker outlives the session.
        let _ = self.jobs.send(job);
    }
}

const NO_POSITION: &str = "no position is set up";
