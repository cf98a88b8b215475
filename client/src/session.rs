//! Requests and answers, whatever the protocol.

use std::time::{Duration, Instant};

use crate::line_queue::Line;
use crate::player::{Fault, FaultKind};
use crate::process::EngineProcess;

/// How long an engine may take to introduce itself, and to say that it is ready.
pub(crate) const READY_PATIENCE: Duration = Duration::from_secs(10);
/// How long it may take to answer when it is told to stop.
pub(crate) const STOP_PATIENCE: Duration = Duration::from_secs(1);
/// How long it may take to leave.
pub(crate) const QUIT_PATIENCE: Duration = Duration::from_secs(1);

/// A conversation with an engine process.
pub(crate) struct Session {
    process: EngineProcess,
    is_terminal: fn(&[u8]) -> bool,
    /// The first answer that nobody had asked for, and how many there were.
    stray: Option<(Fault, u32)>,
    thinking: Duration,
    cpu_before: Duration,
    cpu: Duration,
}

impl Session {
    /// A session with a process that was just started; `is_terminal` recognises the lines that end a search.
    pub(crate) fn new(process: EngineProcess, is_terminal: fn(&[u8]) -> bool) -> Session {
        Session {
            process,
            is_terminal,
            stray: None,
            thinking: Duration::ZERO,
            cpu_before: Duration::ZERO,
            cpu: Duration::ZERO,
        }
    }

    /// Says that the engine is ready to play: CPU time is counted from here.
    pub(crate) fn begin_counting(&mut self) {
        self.cpu_before = self.process.cpu_time().unwrap_or_default();
        self.cpu = self.cpu_before;
    }

    /// CPU time since the engine was ready, and the time it was given to think.
    pub(crate) fn time_used(&mut self) -> (Duration, Duration) {
        // Of a process that has ended, the last known value counts.
        self.cpu = self.process.cpu_time().unwrap_or(self.cpu).max(self.cpu);
        (self.cpu.saturating_sub(self.cpu_before), self.thinking)
    }

    /// Sends one line that asks for nothing.
    ///
    /// # Errors
    /// The engine is gone, or does not read.
    pub(crate) fn send(&mut self, line: impl Into<Vec<u8>>) -> Result<(), Fault> {
        let mut line = line.into();
        line.push(b'\n');
        self.send_lines(line)
    }

    /// Sends lines with their ends that ask for nothing.
    ///
    /// # Errors
    /// As [`Session::send`].
    pub(crate) fn send_lines(&mut self, lines: Vec<u8>) -> Result<(), Fault> {
        self.process.send(lines).map(drop)
    }

    /// Reads up to the line that `read` makes something of; ends of searches on the way are stray.
    ///
    /// # Errors
    /// The engine is gone, or `kind` when the line does not come in time.
    pub(crate) fn expect<T>(
        &mut self,
        what: &str,
        patience: Duration,
        kind: FaultKind,
        mut read: impl FnMut(&Line) -> Option<T>,
    ) -> Result<T, Fault> {
        let deadline = Instant::now() + patience;
        while let Some(line) = self.process.next_line(deadline)? {
            if let Some(found) = read(&line) {
                return Ok(found);
            }
            self.note_stray(&line);
            // Only here, for a babbling engine always has a line to offer.
            if line.at > deadline {
                break;
            }
        }
        Err(self.process.fault(kind, format!("no {what} within {}", seconds(patience))))
    }

    /// Sends a request and reads up to the line that `read` takes for the answer. An engine that does not answer in
    /// time is told to stop, and killed if it does not do that either.
    ///
    /// # Errors
    /// The engine is gone; [`FaultKind::Silence`] when the answer came only after `stop` or not at all.
    pub(crate) fn ask<T>(
        &mut self,
        request: Vec<u8>,
        stop: &str,
        patience: Duration,
        mut read: impl FnMut(&Line) -> Option<T>,
    ) -> Result<(T, Duration), Fault> {
        let sent = self.process.send(request)?;
        let mut deadline = Instant::now() + patience;
        let mut stopped = false;
        loop {
            let line = match self.process.next_line(deadline) {
                Ok(line) => line,
                Err(fault) => {
                    self.thinking += sent.at().elapsed();
                    return Err(fault);
                }
            };
            if let Some(line) = &line
                && let Some(answer) = read(line)
            {
                let elapsed = line.at.saturating_duration_since(sent.at());
                self.thinking += elapsed;
                if !stopped {
                    return Ok((answer, elapsed));
                }
                let detail = format!("no answer within {}, only after `{stop}`", seconds(patience));
                return Err(self.process.fault(FaultKind::Silence, detail));
            }
            if line.is_some_and(|line| line.at <= deadline) {
                continue;
            }
            if stopped {
                self.thinking += sent.at().elapsed();
                let detail = format!("no answer within {}, and none to `{stop}`", seconds(patience));
                let fault = self.process.fault(FaultKind::Silence, detail);
                self.kill();
                return Err(fault);
            }
            self.send(stop)?;
            stopped = true;
            deadline = Instant::now() + STOP_PATIENCE;
        }
    }

    /// Throws away what the engine told about thoughts of its own.
    pub(crate) fn forget_chatter(&self) {
        self.process.forget_chatter();
    }

    /// Looks at what has arrived without being asked for. Ends of searches are stray unless `read` takes them.
    ///
    /// # Errors
    /// The engine is gone.
    pub(crate) fn drain(&mut self, mut read: impl FnMut(&Line) -> bool) -> Result<(), Fault> {
        let now = Instant::now();
        while let Some(line) = self.process.next_line(now)? {
            if !read(&line) {
                self.note_stray(&line);
            }
            if line.at > now {
                break;
            }
        }
        Ok(())
    }

    fn note_stray(&mut self, line: &Line) {
        if !(self.is_terminal)(&line.bytes) {
            return;
        }
        match &mut self.stray {
            Some((_, count)) => *count += 1,
            None => {
                let detail = format!("`{}` came without being asked for", line.excerpt());
                self.stray = Some((self.process.fault(FaultKind::Stray, detail), 1));
            }
        }
    }

    /// Whether there were stray answers in this game.
    pub(crate) fn has_strays(&self) -> bool {
        self.stray.is_some()
    }

    /// The stray answers of this game as one fault.
    pub(crate) fn take_strays(&mut self) -> Option<Fault> {
        self.stray.take().map(|(mut fault, count)| {
            if count > 1 {
                fault.detail = format!("{} and {} more", fault.detail, count - 1);
            }
            fault
        })
    }

    /// A fault of this engine with the dialogue up to now.
    pub(crate) fn fault(&self, kind: FaultKind, detail: impl Into<String>) -> Fault {
        self.process.fault(kind, detail)
    }

    /// Whether the process runs.
    pub(crate) fn is_alive(&mut self) -> bool {
        self.process.is_alive()
    }

    /// Says goodbye, and kills an engine that does not leave.
    pub(crate) fn quit(&mut self) {
        self.time_used();
        self.process.quit("quit", QUIT_PATIENCE);
    }

    /// Kills the process.
    pub(crate) fn kill(&mut self) {
        self.time_used();
        self.process.kill();
    }
}

/// A time for people to read.
pub(crate) fn seconds(time: Duration) -> String {
    // Rust prints the shortest decimal that reads back.
    format!("{} s", (time.as_secs_f64() * 1000.0).round() / 1000.0)
}
