//! A GUI's side of the pipe.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::program;

/// How long a test waits for an answer that has no promised time. Generous: it only turns a hang into a failure.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A running engine. Dropping it kills the process.
pub(crate) struct Client {
    process: Child,
    input: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
    errors: Option<JoinHandle<String>>,
    /// When the process was started.
    pub(crate) started: Instant,
    /// Everything it has printed and the test has read, with the time of arrival.
    pub(crate) transcript: Vec<(Instant, String)>,
}

impl Client {
    /// Starts `chuhe` without arguments and says nothing to it.
    pub(crate) fn start() -> Client {
        let started = Instant::now();
        let mut process = Command::new(program())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .env_remove("RUST_LOG")
            .spawn()
            .expect("chuhe starts");
        let mut output = BufReader::new(process.stdout.take().expect("piped"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            let mut line = Vec::new();
            while output.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
                let text = String::from_utf8_lossy(&line).trim_end_matches('\n').to_owned();
                line.clear();
                if sender.send((Instant::now(), text)).is_err() {
                    break;
                }
            }
        });
        let mut errors = process.stderr.take().expect("piped");
        let errors = std::thread::spawn(move || {
            let mut text = String::new();
            let _ = errors.read_to_string(&mut text);
            text
        });
        Client { input: process.stdin.take(), process, lines, errors: Some(errors), started, transcript: Vec::new() }
    }

    /// Starts `chuhe` and does the handshake of a dialect, `ucci` or `uci`.
    pub(crate) fn start_in(dialect: &str) -> Client {
        let mut client = Client::start();
        client.send(dialect);
        client.expect(&format!("{dialect}ok"));
        client
    }

    /// Sets an option in the words of UCI, which every dialect understands.
    pub(crate) fn set(&mut self, option: &str, value: impl std::fmt::Display) {
        self.send(&format!("setoption name {option} value {value}"));
    }

    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends bytes as they are.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the engine reads its input");
    }

    /// Closes the engine's input.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// The next line, if one comes in time.
    pub(crate) fn line(&mut self, patience: Duration) -> Option<&(Instant, String)> {
        match self.lines.recv_timeout(patience) {
            Ok(line) => {
                self.transcript.push(line);
                self.transcript.last()
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => None,
        }
    }

    /// Reads up to a line that `wanted` accepts; gives the time it came and the line.
    pub(crate) fn expect_where(&mut self, what: &str, wanted: impl Fn(&str) -> bool) -> (Instant, String) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.line(deadline.saturating_duration_since(Instant::now())) {
                Some((at, line)) if wanted(line) => return (*at, line.clone()),
                Some(_) => {}
                None => panic!("no {what}; the engine said:\n{}", self.said()),
            }
        }
    }

    /// Reads up to exactly this line; gives the time it came.
    pub(crate) fn expect(&mut self, line: &str) -> Instant {
        self.expect_where(line, |said| said == line).0
    }

    /// Reads up to the terminal line of a search.
    pub(crate) fn expect_terminal(&mut self) -> (Instant, String) {
        self.expect_where("terminal line", is_terminal)
    }

    /// Asks whether the engine is ready and reads up to its answer, so that the transcript is complete.
    pub(crate) fn sync(&mut self) -> Instant {
        self.send("isready");
        self.expect("readyok")
    }

    /// The terminal lines said so far.
    pub(crate) fn terminals(&self) -> Vec<&str> {
        self.transcript.iter().map(|(_, line)| line.as_str()).filter(|line| is_terminal(line)).collect()
    }

    /// Waits for the end of the process and reads the rest of its output; gives the time it took.
    pub(crate) fn expect_exit(&mut self) -> (Duration, ExitStatus) {
        let asked = Instant::now();
        let status = loop {
            if let Some(status) = self.process.try_wait().expect("the process can be waited for") {
                break status;
            }
            assert!(asked.elapsed() < PATIENCE, "the engine does not end; it said:\n{}", self.said());
            std::thread::sleep(Duration::from_millis(2));
        };
        let took = asked.elapsed();
        while self.line(PATIENCE).is_some() {}
        (took, status)
    }

    /// What came on standard error, once the process has ended.
    pub(crate) fn errors(&mut self) -> String {
        self.errors.take().expect("asked once").join().expect("the reader does not panic")
    }

    /// Sends the process a signal.
    #[cfg(unix)]
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.process.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()), "no signal {name}");
    }

    /// The process.
    #[cfg(target_os = "linux")]
    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// The transcript as text.
    pub(crate) fn said(&self) -> String {
        self.transcript.iter().map(|(_, line)| line.as_str()).collect::<Vec<_>>().join("\n")
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Whether this line ends a search.
pub(crate) fn is_terminal(line: &str) -> bool {
    line == "nobestmove" || line.starts_with("bestmove ")
}

/// The move of a `bestmove` line.
pub(crate) fn best_move(line: &str) -> Option<&str> {
    line.strip_prefix("bestmove ")?.split(' ').next().filter(|&word| word != "(none)")
}
