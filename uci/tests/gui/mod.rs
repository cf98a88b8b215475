//! A GUI at the other end of the pipe, for tests.

#![allow(dead_code, unreachable_pub, reason = "each test file uses its own part of it")]

use std::io::{BufRead, BufReader, PipeWriter, Write, pipe};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use chuhe_uci::SessionConfig;

/// No reply takes longer, even on a machine busy with other tests.
pub const PATIENCE: Duration = Duration::from_secs(30);
/// Long enough to see that nothing is printed.
pub const SILENCE: Duration = Duration::from_millis(150);

/// The end of an engine session that a GUI holds.
pub struct Gui {
    input: Option<PipeWriter>,
    output: Receiver<String>,
    session: JoinHandle<()>,
}

impl Gui {
    /// Starts an engine, to which nothing has been said.
    pub fn new() -> Gui {
        Gui::with_config(SessionConfig { program_folder: None, answers_unknown_words: false })
    }

    /// Starts an engine that looks for its files somewhere.
    pub fn with_config(config: SessionConfig) -> Gui {
        let (engine_input, input) = pipe().unwrap();
        let (engine_output, printed) = pipe().unwrap();
        let session = thread::spawn(move || {
            chuhe_uci::run(BufReader::new(engine_input), printed, config).unwrap();
        });
        let (lines, output) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(engine_output).lines() {
                if lines.send(line.unwrap()).is_err() {
                    return;
                }
            }
        });
        Gui { input: Some(input), output, session }
    }

    /// Starts an engine and has it introduce itself in UCCI.
    pub fn ucci() -> Gui {
        Gui::introduced("ucci")
    }

    /// Starts an engine and has it introduce itself in UCI.
    pub fn uci() -> Gui {
        Gui::introduced("uci")
    }

    fn introduced(dialect: &str) -> Gui {
        let mut gui = Gui::new();
        gui.send(&format!("{dialect}\nsetoption hashsize 2"));
        gui.read_until(&format!("{dialect}ok"));
        gui
    }

    /// Sends lines.
    pub fn send(&mut self, text: &str) {
        self.send_bytes(format!("{text}\n").as_bytes());
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    /// The next line.
    pub fn read(&mut self) -> String {
        self.output.recv_timeout(PATIENCE).expect("the engine is silent")
    }

    /// The lines up to and with one that begins with these words.
    pub fn read_until(&mut self, words: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.output.recv_timeout(PATIENCE) {
                Ok(line) => lines.push(line),
                Err(_) => panic!("no `{words}` in {lines:#?}"),
            }
            if lines.last().is_some_and(|line| begins_with_words(line, words)) {
                return lines;
            }
        }
    }

    /// The lines up to and with the terminal line.
    pub fn read_answer(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.read());
            if lines.last().is_some_and(|line| is_terminal(line)) {
                return lines;
            }
        }
    }

    /// The terminal line.
    pub fn answer(&mut self) -> String {
        self.read_answer().pop().unwrap()
    }

    /// The terminal line, unless it does not come for a while.
    pub fn answer_within(&mut self, time: Duration) -> Option<String> {
        let deadline = Instant::now() + time;
        loop {
            let line = self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())).ok()?;
            if is_terminal(&line) {
                return Some(line);
            }
        }
    }

    /// Sends lines and waits for the terminal line.
    pub fn ask(&mut self, text: &str) -> String {
        self.send(text);
        self.answer()
    }

    /// Checks that nothing is printed for a while.
    #[track_caller]
    pub fn expect_silence(&mut self) {
        match self.output.recv_timeout(SILENCE) {
            Err(RecvTimeoutError::Timeout) => {}
            other => panic!("expected silence, found {other:?}"),
        }
    }

    /// Checks that no terminal line is printed for a while.
    #[track_caller]
    pub fn expect_no_answer(&mut self) {
        assert_eq!(self.answer_within(SILENCE), None);
    }

    /// Checks that the engine is alive and has nothing else to say.
    #[track_caller]
    pub fn expect_idle(&mut self) {
        self.send("isready");
        assert_eq!(self.read(), "readyok");
    }

    /// Ends the input and returns all that is still printed.
    pub fn close(mut self) -> Vec<String> {
        self.input = None;
        let lines = self.output.iter().collect();
        self.session.join().unwrap();
        lines
    }

    /// Sends lines, ends the input and returns all that is printed.
    pub fn script(mut self, text: &str) -> Vec<String> {
        self.send(text);
        self.close()
    }

    /// Reads no more. The engine can notice only when it has something to say, so it is asked now and then.
    pub fn go_away(mut self) {
        drop(std::mem::replace(&mut self.output, mpsc::channel().1));
        while !self.session.is_finished() {
            let _ = self.input.as_mut().unwrap().write_all(b"isready\n");
            thread::sleep(Duration::from_millis(5));
        }
        self.session.join().unwrap();
    }
}

/// Whether a line is a terminal line.
pub fn is_terminal(line: &str) -> bool {
    line == "nobestmove" || line.starts_with("bestmove ")
}

/// The terminal lines among these.
pub fn terminal_lines(lines: &[String]) -> Vec<&str> {
    lines.iter().map(String::as_str).filter(|line| is_terminal(line)).collect()
}

/// Whether a line begins with these whole words.
pub fn begins_with_words(line: &str, words: &str) -> bool {
    line.strip_prefix(words).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// The word behind a keyword.
pub fn word_after<'a>(line: &'a str, keyword: &str) -> Option<&'a str> {
    line.split(' ').skip_while(|word| *word != keyword).nth(1)
}

/// The shortest of several attempts: other tests on the same machine make single ones slow.
pub fn shortest_of(attempts: usize, mut attempt: impl FnMut() -> Duration) -> Duration {
    (0..attempts).map(|_| attempt()).min().unwrap()
}
