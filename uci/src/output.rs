//! The one writer of a session.

use std::io::{self, Write};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chuhe_protocol::{Dialect, Reply};

use crate::log_file::LogFile;
use crate::session::Message;

/// Where all replies go, from any thread: each a single write and a flush.
pub(crate) struct Output {
    state: Mutex<State>,
    log: Arc<LogFile>,
}

struct State {
    writer: Box<dyn Write + Send>,
    dialect: Dialect,
    /// Told when the other end is gone; nothing is written without it.
    session: Option<SyncSender<Message>>,
}

impl Output {
    pub(crate) fn new(
        writer: impl Write + Send + 'static,
        dialect: Dialect,
        session: SyncSender<Message>,
        log: Arc<LogFile>,
    ) -> Output {
        Output { state: Mutex::new(State { writer: Box::new(writer), dialect, session: Some(session) }), log }
    }

    /// Prints in this dialect from now on.
    pub(crate) fn set_dialect(&self, dialect: Dialect) {
        self.lock().dialect = dialect;
    }

    /// Prints a reply.
    pub(crate) fn send(&self, reply: &Reply) {
        let mut state = self.lock();
        let mut line = reply.to_line(state.dialect);
        self.log.write("<< ", line.as_bytes());
        line.push('\n');
        state.write(&line);
    }

    /// Shows a text to the user.
    pub(crate) fn tell(&self, text: impl Into<String>) {
        self.send(&Reply::message(text));
    }

    /// Prints nothing any more and lets go of the writer, whatever threads are still at work.
    pub(crate) fn close(&self) {
        let mut state = self.lock();
        state.session = None;
        state.writer = Box::new(io::sink());
    }

    /// Whether nothing can be printed any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.lock().session.is_none()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn write(&mut self, line: &str) {
        if self.session.is_none() {
            return;
        }
        let written = self.writer.write_all(line.as_bytes()).and_then(|()| self.writer.flush());
        if written.is_err()
            && let Some(session) = self.session.take()
        {
            // Never wait here: the one who empties the channel may be waiting for this lock. When the channel is full
            // it will look by itself.
            let _ = session.try_send(Message::OutputBroken);
        }
    }
}
