//! What has arrived from an engine and was not looked at yet, and the memory of what was said.
//!
//! An engine that babbles must cost neither memory nor an answer. Lines are of three kinds: *words* that mean something
//! to the session, *chatter* (what it tells while it thinks), of which only the newest are kept, and *noise*, which nobody
//! will ask for. Only words wake whoever reads the queue.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use chuhe_text::{excerpt_of_bytes, printable};

/// No line is kept longer; the rest of it is dropped.
pub(crate) const MAX_LINE: usize = 16 * 1024;
/// Chatter beyond this pushes out the oldest.
const MAX_CHATTER: usize = 256;
/// Words beyond this are dropped. Nobody has so much to say between two looks.
const MAX_WORDS: usize = 1024;
/// How many lines of the dialogue are remembered.
const MAX_DIALOGUE: usize = 40;
/// Of which no more than this are chatter without a word between.
const MAX_CHATTER_RUN: usize = 12;
/// How much of a line is remembered.
const MAX_EXCERPT: usize = 300;

/// What kind of line it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Means something to the session.
    Word,
    /// Told while the engine thinks.
    Chatter,
    /// Worth nothing but a place in the dialogue.
    Noise,
}

/// A line from an engine, without its line end.
#[derive(Debug)]
pub(crate) struct Line {
    /// When it was read.
    pub(crate) at: Instant,
    /// Any bytes.
    pub(crate) bytes: Vec<u8>,
    is_chatter: bool,
}

impl Line {
    /// For people to read.
    pub(crate) fn excerpt(&self) -> String {
        excerpt(&self.bytes)
    }
}

/// What [`LineQueue::next`] found.
pub(crate) enum Arrival {
    /// A line.
    Line(Line),
    /// Nothing in time.
    Nothing,
    /// There will be no more lines.
    End,
}

/// Lines from an engine in the order in which they came, shared by the threads of an engine.
pub(crate) struct LineQueue {
    state: Mutex<State>,
    arrived: Condvar,
    born: Instant,
    kind_of: fn(&[u8]) -> Kind,
}

#[derive(Default)]
struct State {
    lines: VecDeque<Line>,
    words: usize,
    ended: bool,
    dialogue: VecDeque<Said>,
    /// How many of the last lines of the dialogue are chatter.
    chatter_run: usize,
}

struct Said {
    after: Duration,
    direction: char,
    excerpt: Vec<u8>,
}

impl State {
    fn remember(&mut self, said: Said, is_chatter: bool) {
        self.chatter_run = if is_chatter { self.chatter_run + 1 } else { 0 };
        if self.chatter_run > MAX_CHATTER_RUN {
            self.chatter_run = MAX_CHATTER_RUN;
            self.dialogue.remove(self.dialogue.len() - MAX_CHATTER_RUN);
        } else if self.dialogue.len() == MAX_DIALOGUE {
            self.dialogue.pop_front();
        }
        self.dialogue.push_back(said);
    }
}

impl LineQueue {
    /// An empty queue; `kind_of` tells the kinds of lines apart.
    pub(crate) fn new(kind_of: fn(&[u8]) -> Kind) -> LineQueue {
        LineQueue { state: Mutex::default(), arrived: Condvar::new(), born: Instant::now(), kind_of }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing here panics halfway through a change.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn said(&self, at: Instant, direction: char, bytes: &[u8]) -> Said {
        Said { after: at.saturating_duration_since(self.born), direction, excerpt: shorten(bytes) }
    }

    /// Takes in a line from the engine.
    pub(crate) fn push(&self, at: Instant, bytes: Vec<u8>) {
        let kind = (self.kind_of)(&bytes);
        let is_chatter = kind == Kind::Chatter;
        let said = self.said(at, '<', &bytes);
        let mut state = self.lock();
        state.remember(said, kind != Kind::Word);
        if kind == Kind::Noise {
            return;
        }
        if is_chatter {
            if state.lines.len() - state.words >= MAX_CHATTER
                && let Some(oldest) = state.lines.iter().position(|line| line.is_chatter)
            {
                state.lines.remove(oldest);
            }
        } else if state.words >= MAX_WORDS {
            return;
        } else {
            state.words += 1;
            self.arrived.notify_one();
        }
        state.lines.push_back(Line { at, bytes, is_chatter });
    }

    /// Remembers what was said to the engine.
    pub(crate) fn note_sent(&self, line: &[u8]) {
        let said = self.said(Instant::now(), '>', line);
        self.lock().remember(said, false);
    }

    /// Says that no more lines will come.
    pub(crate) fn end(&self) {
        self.lock().ended = true;
        self.arrived.notify_all();
    }

    /// The next line. Waits until there is a word, the end, or the deadline.
    pub(crate) fn next(&self, deadline: Instant) -> Arrival {
        let mut state = self.lock();
        loop {
            if state.words > 0 || state.ended {
                return match state.lines.pop_front() {
                    Some(line) => {
                        state.words -= usize::from(!line.is_chatter);
                        Arrival::Line(line)
                    }
                    None => Arrival::End,
                };
            }
            let wait = deadline.saturating_duration_since(Instant::now());
            if wait.is_zero() {
                return Arrival::Nothing;
            }
            state = self.arrived.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Throws away chatter that nobody asked for; words stay.
    pub(crate) fn forget_chatter(&self) {
        self.lock().lines.retain(|line| !line.is_chatter);
    }

    /// Waits until the engine has closed its output, whatever it still says. Tells whether it did.
    pub(crate) fn wait_for_end(&self, deadline: Instant) -> bool {
        let mut state = self.lock();
        while !state.ended {
            let wait = deadline.saturating_duration_since(Instant::now());
            if wait.is_zero() {
                return false;
            }
            state = self.arrived.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }

    /// The last lines of the dialogue with the seconds since the start, oldest first.
    pub(crate) fn dialogue(&self) -> Vec<String> {
        let line = |said: &Said| {
            let text = String::from_utf8_lossy(&said.excerpt);
            format!("{:.3} {} {}", said.after.as_secs_f64(), said.direction, printable(&text))
        };
        self.lock().dialogue.iter().map(line).collect()
    }
}

/// Begin and end of a long line.
fn shorten(bytes: &[u8]) -> Vec<u8> {
    if bytes.len() <= MAX_EXCERPT {
        return bytes.to_vec();
    }
    let half = MAX_EXCERPT / 2;
    [&bytes[..half], " … ".as_bytes(), &bytes[bytes.len() - half..]].concat()
}

/// A line for people to read: shortened, and without control characters.
pub(crate) fn excerpt(bytes: &[u8]) -> String {
    excerpt_of_bytes(bytes, MAX_EXCERPT)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue() -> LineQueue {
        LineQueue::new(|line| match line {
            [b'i', b'n', b'f', b'o', ..] => Kind::Chatter,
            [b'#', ..] => Kind::Noise,
            _ => Kind::Word,
        })
    }

    fn now() -> Instant {
        Instant::now()
    }

    fn words(queue: &LineQueue) -> Vec<String> {
        let mut found = Vec::new();
        while let Arrival::Line(line) = queue.next(now()) {
            found.push(line.excerpt());
        }
        found
    }

    #[test]
    fn the_newest_chatter_survives_and_comes_in_order() {
        let queue = queue();
        queue.push(now(), b"readyok".to_vec());
        for number in 0..10_000 {
            queue.push(now(), format!("info {number}").into_bytes());
        }
        queue.push(now(), b"bestmove h2e2".to_vec());
        let found = words(&queue);
        assert_eq!(found.len(), MAX_CHATTER + 2);
        assert_eq!((found[0].as_str(), found[1].as_str()), ("readyok", "info 9744"));
        assert_eq!(found[MAX_CHATTER + 1], "bestmove h2e2");
    }

    #[test]
    fn noise_pushes_out_nothing() {
        let queue = queue();
        queue.push(now(), b"info depth 1".to_vec());
        for _ in 0..10 * MAX_CHATTER {
            queue.push(now(), b"# a move under study".to_vec());
        }
        queue.push(now(), b"bestmove h2e2".to_vec());
        assert_eq!(words(&queue), ["info depth 1", "bestmove h2e2"]);
        assert!(queue.dialogue().iter().any(|line| line.contains("under study")));
    }

    #[test]
    fn chatter_alone_is_nothing_to_wait_for() {
        let queue = queue();
        queue.push(now(), b"info depth 1".to_vec());
        assert!(matches!(queue.next(now()), Arrival::Nothing));
        queue.end();
        assert!(matches!(queue.next(now()), Arrival::Line(_)));
        assert!(matches!(queue.next(now()), Arrival::End));
    }

    #[test]
    fn words_are_bounded_too() {
        let queue = queue();
        for _ in 0..2 * MAX_WORDS {
            queue.push(now(), b"bestmove h2e2".to_vec());
        }
        assert_eq!(words(&queue).len(), MAX_WORDS);
    }

    #[test]
    fn the_dialogue_keeps_the_words_between_floods() {
        let queue = queue();
        queue.note_sent(b"go depth 1");
        for _ in 0..1000 {
            queue.push(now(), vec![b'i'; 5000]);
            queue.push(now(), b"info x".to_vec());
        }
        let dialogue = queue.dialogue();
        assert_eq!(dialogue.len(), MAX_DIALOGUE);
        assert!(dialogue.iter().all(|line| line.len() < 2 * MAX_EXCERPT));

        let queue = self::queue();
        queue.note_sent(b"go depth 1");
        for _ in 0..1000 {
            queue.push(now(), b"info x".to_vec());
        }
        queue.push(now(), b"bestmove\x01 \xc6\xe5".to_vec());
        let dialogue = queue.dialogue();
        assert_eq!(dialogue.len(), MAX_CHATTER_RUN + 2);
        assert!(dialogue[0].ends_with(" > go depth 1"), "{dialogue:?}");
    }
}
