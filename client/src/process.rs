//! An engine's process: pipes, threads around them, and its end.
//!
//! Three threads serve a process and cost nothing while it is silent. One reads its output and notes the time of each
//! line; one writes, so that an engine that does not read its input cannot hold up the referee; one collects its
//! standard error.
//!
//! The process has a group of its own. It notices the end of this program, however that comes, by the end of its
//! input; an engine that is deaf even to that (ElephantEye on Unix) is ended by [`EngineProcess`] being dropped, but
//! lives on if this program is killed: having the system end it needs code between `fork` and `exec`, which is unsafe.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use crate::errors::Errors;
use crate::line_queue::{Arrival, Kind, Line, LineQueue, MAX_LINE, excerpt};
use crate::player::{Fault, FaultKind};
use crate::{EngineSpec, platform};

/// Requests that may wait for an engine that is slow to read.
const MAX_UNREAD_REQUESTS: usize = 64;
/// The threads do next to nothing.
const STACK: usize = 128 * 1024;
/// How long to wait for the exit status and the last words of a process that has closed its output.
const STATUS_PATIENCE: Duration = Duration::from_millis(500);
/// Where Debian puts games, which is not on everybody's path.
const GAMES: &str = "/usr/games";

/// How to run an engine, apart from what it is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Launch {
    /// The file to which its standard error is appended (the first 4 MiB of each process); none: it is dropped.
    pub log: Option<PathBuf>,
    /// The cores it is bound to; none: any. Linux only.
    pub cores: Vec<usize>,
}

/// When a request was written, which the writing thread tells as soon as it knows.
pub(crate) struct Sent {
    queued: Instant,
    written: Arc<OnceLock<Instant>>,
}

impl Sent {
    /// Just before the request was written.
    pub(crate) fn at(&self) -> Instant {
        self.written.get().copied().unwrap_or(self.queued)
    }
}

struct Request {
    bytes: Vec<u8>,
    written: Arc<OnceLock<Instant>>,
}

/// A running engine. Dropping it kills the process.
pub(crate) struct EngineProcess {
    child: Child,
    requests: Option<SyncSender<Request>>,
    lines: Arc<LineQueue>,
    errors: Arc<Errors>,
    /// Set once the process was seen to have ended.
    gone: bool,
}

impl EngineProcess {
    /// Starts the engine; `kind_of` tells what is worth keeping of what it prints.
    ///
    /// # Errors
    /// [`FaultKind::NoStart`].
    pub(crate) fn spawn(
        spec: &EngineSpec,
        launch: &Launch,
        kind_of: fn(&[u8]) -> Kind,
    ) -> Result<EngineProcess, Fault> {
        let no_start = |detail| Fault { kind: FaultKind::NoStart, detail, dialogue: Vec::new() };
        let program = &spec.command[0];
        let path = find_program(program).map_err(no_start)?;
        let log = match &launch.log {
            Some(log) => Some(
                OpenOptions::new()
                    .create(true)
                    .append(true)
                    .open(log)
                    .map_err(|error| no_start(format!("cannot write its log {}: {error}", log.display())))?,
            ),
            None => None,
        };
        let mut command = Command::new(path);
        command.args(&spec.command[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(dir) = &spec.dir {
            if !dir.is_dir() {
                return Err(no_start(format!("its working folder {} is not a folder", dir.display())));
            }
            command.current_dir(dir);
        }
        platform::detach(&mut command);
        let child = command.spawn().map_err(|error| no_start(format!("cannot start {program}: {error}")))?;

        let lines = Arc::new(LineQueue::new(kind_of));
        let (requests, queue) = sync_channel(MAX_UNREAD_REQUESTS);
        let mut process = EngineProcess { child, requests: Some(requests), lines, errors: Arc::default(), gone: false };
        process.start_threads(queue, log).map_err(|error| no_start(format!("cannot start a thread: {error}")))?;
        if !launch.cores.is_empty() {
            platform::bind_to_cores(&process.child, &launch.cores).map_err(no_start)?;
        }
        Ok(process)
    }

    fn start_threads(&mut self, queue: Receiver<Request>, log: Option<File>) -> io::Result<()> {
        if let Some(output) = self.child.stdout.take() {
            let lines = self.lines.clone();
            spawn_thread("engine output", move || read_lines(output, &lines))?;
        }
        if let Some(input) = self.child.stdin.take() {
            spawn_thread("engine input", move || write_requests(input, &queue))?;
        }
        if let Some(errors) = self.child.stderr.take() {
            let collected = self.errors.clone();
            spawn_thread("engine errors", move || collected.collect(errors, log))?;
        }
        Ok(())
    }

    /// Writes lines, each ended by a line feed, in one piece.
    ///
    /// # Errors
    /// [`FaultKind::Crash`], or [`FaultKind::Silence`] when the engine has stopped reading.
    pub(crate) fn send(&mut self, lines: Vec<u8>) -> Result<Sent, Fault> {
        for line in lines.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            self.lines.note_sent(line);
        }
        let sent = Sent { queued: Instant::now(), written: Arc::default() };
        let request = Request { bytes: lines, written: sent.written.clone() };
        match self.requests.as_ref().map(|requests| requests.try_send(request)) {
            Some(Ok(())) => Ok(sent),
            Some(Err(TrySendError::Full(_))) => Err(self.fault(FaultKind::Silence, "does not read its input")),
            // The writer has ended, because the engine has closed its input.
            Some(Err(TrySendError::Disconnected(_))) | None => Err(self.crash()),
        }
    }

    /// The next line; `None` when the deadline passes first.
    ///
    /// # Errors
    /// [`FaultKind::Crash`] when the engine has closed its output.
    pub(crate) fn next_line(&mut self, deadline: Instant) -> Result<Option<Line>, Fault> {
        match self.lines.next(deadline) {
            Arrival::Line(line) => Ok(Some(line)),
            Arrival::Nothing => Ok(None),
            Arrival::End => Err(self.crash()),
        }
    }

    /// Throws away what it told while it was not asked.
    pub(crate) fn forget_chatter(&self) {
        self.lines.forget_chatter();
    }

    /// A fault of this engine with the dialogue up to now.
    pub(crate) fn fault(&self, kind: FaultKind, detail: impl Into<String>) -> Fault {
        Fault { kind, detail: detail.into(), dialogue: self.lines.dialogue() }
    }

    /// What happened to an engine that has closed its output or its input.
    fn crash(&mut self) -> Fault {
        let mut detail = match self.wait(STATUS_PATIENCE) {
            Some(how) => how,
            None => {
                self.kill();
                "closed its output but kept running".to_owned()
            }
        };
        let errors = excerpt(&self.errors.tail(Instant::now() + STATUS_PATIENCE));
        if !errors.is_empty() {
            detail = format!("{detail}; on standard error: {errors}");
        }
        self.fault(FaultKind::Crash, detail)
    }

    /// Waits for the end of the process; says how it ended.
    fn wait(&mut self, patience: Duration) -> Option<String> {
        let deadline = Instant::now() + patience;
        let mut pause = Duration::from_micros(200);
        loop {
            match self.ended() {
                Ok(Some(status)) => return Some(format!("the process ended ({status})")),
                Err(error) => return Some(format!("the process is lost: {error}")),
                Ok(None) if Instant::now() >= deadline => return None,
                Ok(None) => thread::sleep(pause),
            }
            pause = (pause * 2).min(Duration::from_millis(10));
        }
    }

    /// How the process ended, if it has. What it has left running is ended with it.
    fn ended(&mut self) -> io::Result<Option<ExitStatus>> {
        if !self.gone {
            if !platform::has_ended(&mut self.child)? {
                return Ok(None);
            }
            platform::kill_group(&self.child);
            self.gone = true;
        }
        self.child.try_wait()
    }

    /// Whether the process runs.
    pub(crate) fn is_alive(&mut self) -> bool {
        matches!(self.ended(), Ok(None))
    }

    /// The CPU time it has used, while it runs.
    pub(crate) fn cpu_time(&self) -> Option<Duration> {
        if self.gone { None } else { platform::cpu_time(self.child.id()) }
    }

    /// Says the word of farewell and closes the engine's input; kills the process if it does not leave in time.
    pub(crate) fn quit(&mut self, farewell: &str, patience: Duration) {
        let asked = !self.gone && self.send(format!("{farewell}\n").into_bytes()).is_ok();
        self.requests = None;
        let deadline = Instant::now() + patience;
        if asked && self.lines.wait_for_end(deadline) {
            self.wait(deadline.saturating_duration_since(Instant::now()));
        }
        self.kill();
    }

    /// Ends the process and everything it has started.
    pub(crate) fn kill(&mut self) {
        self.requests = None;
        // Once waited for, its number may belong to a stranger.
        if !self.gone {
            platform::kill(&mut self.child);
            let _ = self.child.wait();
            self.gone = true;
        }
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Finds the program as the shell would, then among Debian's games.
fn find_program(program: &str) -> Result<PathBuf, String> {
    let here = std::env::current_dir().map_err(|error| format!("no working folder: {error}"))?;
    let has_folder = Path::new(program).components().count() > 1;
    let found = which::which(program).ok();
    let found = match found {
        None if !has_folder => which::which_in(program, Some(GAMES), &here).ok(),
        found => found,
    };
    match found {
        // The engine's own working folder must not change what is meant.
        Some(path) => Ok(here.join(path)),
        None if has_folder && Path::new(program).exists() => Err(format!("{program} is not a program")),
        None if has_folder => Err(format!("there is no program {program}")),
        None => Err(format!("there is no program {program} on PATH or in {GAMES}")),
    }
}

fn spawn_thread(name: &str, body: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name.to_owned()).stack_size(STACK).spawn(body).map(drop)
}

/// Reads to the end of the output; the rest of an overlong line is passed over.
fn read_lines(output: impl Read, queue: &LineQueue) {
    let mut output = BufReader::with_capacity(MAX_LINE, output);
    let mut line = Vec::new();
    loop {
        let bytes = match output.fill_buf() {
            Ok([]) => break,
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        let at = Instant::now();
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        line.extend_from_slice(&part[..part.len().min(MAX_LINE - line.len())]);
        let used = part.len() + usize::from(end.is_some());
        output.consume(used);
        if end.is_some() {
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            queue.push(at, std::mem::take(&mut line));
        }
    }
    // A last line without its end is a line.
    if !line.is_empty() {
        queue.push(Instant::now(), line);
    }
    queue.end();
}

/// Writes until the engine has closed its input or nobody sends any more, which closes it.
fn write_requests(mut input: ChildStdin, queue: &Receiver<Request>) {
    for request in queue {
        // Set only here, and only once.
        let _ = request.written.set(Instant::now());
        if input.write_all(&request.bytes).and_then(|()| input.flush()).is_err() {
            break;
        }
    }
}
