//! Whole conversations between a GUI and the engine.

use std::io::{self, Cursor, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use chuhe_protocol::{Choice, Command, Dialect, GoCommand, MAX_REPLY_LEN, Reply, SetOption, same_name};
use chuhe_uci::SessionConfig;

/// No input lasts longer, even on a busy machine: the end of input ends the session within 200 ms, and what it must
/// wait for is limited by [`tame`].
const PATIENCE: Duration = Duration::from_secs(60);

/// Sends the bytes through the pipe of an engine and reads all that it says.
///
/// Some commands are tamed first: a search may not take long, since in batch mode the session waits for it, nor may a
/// hash table be large, and no file is touched.
pub fn check(bytes: &[u8]) {
    let script = Script::new(bytes);
    let heard = Heard::default();
    let begin = Instant::now();
    chuhe_uci::run(
        Cursor::new(script.input.clone()),
        heard.clone(),
        SessionConfig { program_folder: None, answers_unknown_words: false },
    )
    .expect("threads can be started");
    assert!(begin.elapsed() < PATIENCE, "the session lasted {:?}", begin.elapsed());
    script.check_output(&heard.take());
}

/// The input of a session and what must come of it.
struct Script {
    input: Vec<u8>,
    /// `go` commands that must be answered.
    gos: usize,
    /// `stop` commands: an idle UCCI engine answers them too.
    stops: usize,
    /// Whether the dialect has ever been UCCI, and whether it is so in the end.
    ucci_spoken: bool,
    ucci_in_the_end: bool,
}

impl Script {
    fn new(bytes: &[u8]) -> Script {
        let mut script = Script {
            input: b"setoption hashsize 1\n".to_vec(),
            gos: 0,
            stops: 0,
            ucci_spoken: false,
            ucci_in_the_end: false,
        };
        let mut is_over = false;
        for line in bytes.split(|&byte| byte == b'\n') {
            let command = Command::parse(line);
            if !is_over {
                match &command {
                    Command::Go(_) => script.gos += 1,
                    Command::Stop => script.stops += 1,
                    Command::Handshake(dialect) => {
                        script.ucci_in_the_end = *dialect == Dialect::Ucci;
                        script.ucci_spoken |= script.ucci_in_the_end;
                    }
                    Command::Quit => is_over = true,
                    _ => {}
                }
            }
            match tame(command) {
                Tamed::AsItIs => script.input.extend_from_slice(line),
                Tamed::Changed(command) => script.input.extend_from_slice(&command.to_line(Dialect::Uci)),
                Tamed::Dropped => {}
            }
            script.input.push(b'\n');
        }
        script
    }

    fn check_output(&self, output: &[u8]) {
        let output = std::str::from_utf8(output).expect("the output is text");
        assert!(output.is_empty() || output.ends_with('\n'), "the last line is cut: {output}");
        let mut answers = 0;
        for line in output.lines() {
            assert!(line.len() <= MAX_REPLY_LEN && line.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{line:?}");
            if let Reply::BestMove(best) = Reply::parse(line.as_bytes()) {
                assert!(!matches!(best.choice, Choice::Unreadable(_)), "{line}");
                answers += 1;
            }
        }
        let most = self.gos + if self.ucci_spoken { self.stops } else { 0 };
        assert!(
            (self.gos..=most).contains(&answers),
            "{answers} answers to {} go and {} stop:\n{output}",
            self.gos,
            self.stops
        );
        assert_eq!(output.lines().last() == Some("bye"), self.ucci_in_the_end, "{output}");
    }
}

/// What becomes of a command.
enum Tamed {
    AsItIs,
    Changed(Command),
    Dropped,
}

fn tame(command: Command) -> Tamed {
    match command {
        Command::SetOption(option) => tame_option(option),
        Command::Go(go) => tame_go(*go),
        _ => Tamed::AsItIs,
    }
}

fn tame_option(option: SetOption) -> Tamed {
    let is_any_of = |names: &[&str]| names.iter().any(|name| same_name(name, &option.name));
    let limit = if is_any_of(&["Debug Log File", "BookFile", "BookFiles", "EvalFile"]) {
        return Tamed::Dropped;
    } else if is_any_of(&["Hash", "HashSize", "Threads"]) {
        1..=2
    } else if is_any_of(&["MultiPV"]) {
        0..=3
    } else {
        return Tamed::AsItIs;
    };
    match option.value.to_int() {
        Some(number) if !limit.contains(&number) => {
            let number = number.clamp(*limit.start(), *limit.end());
            Tamed::Changed(Command::SetOption(SetOption::new(option.name, number.to_string().as_str())))
        }
        _ => Tamed::AsItIs,
    }
}

/// A search that may not be stopped by the end of input gets a small depth.
fn tame_go(mut go: GoCommand) -> Tamed {
    let is_finite = [go.depth, go.nodes, go.time, go.movetime, go.wtime, go.btime].iter().any(Option::is_some);
    let limit = |number: Option<u64>, most: u64| number.map(|number| number.min(most));
    let before = (go.depth, go.perft);
    go.perft = limit(go.perft, 2);
    if is_finite {
        go.depth = limit(go.depth.or(Some(u64::MAX)), 3);
    }
    if (go.depth, go.perft) == before { Tamed::AsItIs } else { Tamed::Changed(Command::Go(Box::new(go))) }
}

/// Keeps all that is written.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl Heard {
    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
