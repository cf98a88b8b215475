//! Engines that speak CECP, the protocol of XBoard: they keep the game themselves and answer each move given to them.
//!
//! The protocol is described in the file `engine-intf` of XBoard. An engine must offer `ping`: without it old answers
//! cannot be told from new ones.

use std::time::Duration;

use chuhe_movegen::{Board, Color, Move};
use chuhe_protocol::{Ranks, Score, WireMove};
use chuhe_rules::Game;

use crate::line_queue::{Kind, Line, excerpt};
use crate::player::{Answer, Decision, Fault, FaultKind, GameEnd, Player, SearchReport, Turn};
use crate::process::{EngineProcess, Launch};
use crate::session::{READY_PATIENCE, Session};
use crate::time_control::ClockReading;
use crate::{EngineSpec, FenLetters};

/// An engine that says `done=0` needs longer to begin than others.
const SLOW_START_PATIENCE: Duration = Duration::from_secs(60);
/// Scores from here on are mates, the number of moves added.
const MATE: i32 = 100_000;

/// What an engine offers.
#[derive(Debug, Default)]
pub(crate) struct Features {
    pub(crate) name: Option<String>,
    /// The names of its options.
    pub(crate) options: Vec<String>,
    variants: Option<String>,
    ping: bool,
    usermove: bool,
    memory: bool,
    smp: bool,
    setboard: Option<bool>,
    /// Whether it wants to be told of clocks, and of draw offers; yes unless said otherwise.
    time: Option<bool>,
    draw: Option<bool>,
    /// Whether a second game can be played with the same process; yes unless said otherwise.
    reuse: Option<bool>,
    done: Option<bool>,
}

impl Features {
    /// Reads what follows `feature`.
    fn read(&mut self, text: &str) {
        let mut rest = text;
        while let Some((name, behind)) = rest.split_once('=') {
            let name = name.trim();
            let (value, behind) = match behind.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
                None => behind.split_once(char::is_whitespace).unwrap_or((behind, "")),
            };
            rest = behind;
            let flag = value == "1";
            match name {
                "myname" => self.name = Some(excerpt(value.as_bytes())),
                "variants" => self.variants = Some(value.to_owned()),
                "ping" => self.ping = flag,
                "usermove" => self.usermove = flag,
                "memory" => self.memory = flag,
                "smp" => self.smp = flag,
                "setboard" => self.setboard = Some(flag),
                "time" => self.time = Some(flag),
                "draw" => self.draw = Some(flag),
                "reuse" => self.reuse = Some(flag),
                "done" => self.done = Some(flag),
                // `NAME -TYPE …`; the name may hold blanks.
                "option" => self.options.push(value.split(" -").next().unwrap_or(value).to_owned()),
                _ => {}
            }
        }
    }

    /// Whether it can be told an option of this name.
    pub(crate) fn knows(&self, option: &str) -> bool {
        match option {
            "memory" => self.memory,
            "cores" => self.smp,
            _ => self.options.iter().any(|known| known == option),
        }
    }
}

/// What ends a turn of the engine.
enum Reaction {
    Move(String),
    Resigns,
    /// It says how the game has ended, without having lost.
    Claims(String),
    Refuses(String),
}

/// A running CECP engine.
pub(crate) struct XboardClient {
    session: Session,
    features: Features,
    letters: FenLetters,
    ranks: Ranks,
    ponders: bool,
    pings: u32,
    /// The plies of the game that the engine knows, its start position included.
    known: usize,
    /// Whether the engine answers a move, or only records it (`force`).
    answers: bool,
    /// Whether it was told how much time it has in this game.
    is_timed: bool,
}

fn is_chatter(line: &[u8]) -> bool {
    match line {
        [b'#' | b' ' | b'\t', ..] => true,
        [b'0'..=b'9', ..] => !is_result(line),
        _ => false,
    }
}

fn kind_of(line: &[u8]) -> Kind {
    if is_chatter(line) { Kind::Chatter } else { Kind::Word }
}

fn is_result(line: &[u8]) -> bool {
    [&b"1-0"[..], b"0-1", b"1/2-1/2"].iter().any(|result| line.starts_with(result))
}

fn is_terminal(line: &[u8]) -> bool {
    line.starts_with(b"move ")
}

/// The complaint in a line, if it is one that matters.
fn refusal(line: &Line) -> Option<String> {
    /// Words that an engine may not know and yet play.
    const DISPENSABLE: [&str; 8] = ["hard", "easy", "post", "level", "time", "otim", "draw", "result"];
    let text = line.excerpt();
    let lower = text.to_ascii_lowercase();
    // `Error (unknown command): otim 100`
    let subject = lower.split_once("unknown command): ").and_then(|(_, subject)| subject.split(' ').next());
    let is_refusal = ["illegal move", "tellusererror", "error ("].iter().any(|word| lower.starts_with(word));
    (is_refusal && !subject.is_some_and(|subject| DISPENSABLE.contains(&subject))).then_some(text)
}

fn reaction(line: &Line) -> Option<Reaction> {
    let text = line.excerpt();
    if let Some(mv) = text.strip_prefix("move ") {
        Some(Reaction::Move(mv.trim().to_owned()))
    } else if text == "resign" {
        Some(Reaction::Resigns)
    } else if is_result(&line.bytes) {
        Some(Reaction::Claims(text))
    } else {
        refusal(line).map(Reaction::Refuses)
    }
}

fn is_draw_offer(line: &Line) -> bool {
    line.bytes.trim_ascii() == b"offer draw"
}

impl XboardClient {
    /// Starts the engine, introduces and prepares it.
    pub(crate) fn start(
        spec: &EngineSpec,
        letters: FenLetters,
        launch: &Launch,
        patience: Duration,
    ) -> Result<XboardClient, Fault> {
        let process = EngineProcess::spawn(spec, launch, kind_of)?;
        let mut client = XboardClient {
            session: Session::new(process, is_terminal),
            features: Features::default(),
            letters,
            ranks: spec.ranks.unwrap_or_default(),
            ponders: spec.ponder == Some(true),
            pings: 0,
            known: 0,
            answers: false,
            is_timed: false,
        };
        client.introduce(patience)?;
        // The protocol allows no others, and HoiXiangqi leaves at one.
        for (name, value) in spec.options.iter().filter(|(name, _)| client.features.knows(name)) {
            client.session.send(match name.as_str() {
                "memory" | "cores" => format!("{name} {value}"),
                _ if value.is_empty() => format!("option {name}"),
                _ => format!("option {name}={value}"),
            })?;
        }
        client.sync(READY_PATIENCE)?;
        client.session.begin_counting();
        Ok(client)
    }

    fn introduce(&mut self, patience: Duration) -> Result<(), Fault> {
        self.session.send_lines(b"xboard\nprotover 2\n".to_vec())?;
        let features = &mut self.features;
        let mut read = |line: &Line| {
            let text = String::from_utf8_lossy(&line.bytes);
            features.read(text.strip_prefix("feature ")?);
            features.done
        };
        let what = "`feature done=1`";
        let is_done = self.session.expect(what, patience, FaultKind::NoHandshake, &mut read)?;
        if !is_done {
            self.session
                .expect(what, SLOW_START_PATIENCE, FaultKind::NoHandshake, |line| read(line).filter(|&done| done))?;
        }
        let variants = self.features.variants.as_deref().unwrap_or_default();
        let refusal = if !self.features.ping {
            "it does not offer `ping`, which is needed to match answers to requests"
        } else if !variants.split(',').any(|variant| variant.trim() == "xiangqi") {
            "it does not offer the variant xiangqi"
        } else {
            return Ok(());
        };
        Err(self.session.fault(FaultKind::Refusal, refusal))
    }

    /// Waits until the engine has handled everything sent so far; a complaint on the way is a refusal.
    fn sync(&mut self, patience: Duration) -> Result<(), Fault> {
        self.pings += 1;
        self.session.send(format!("ping {}", self.pings))?;
        let pong = format!("pong {}", self.pings);
        let mut complaint = None;
        self.session.expect("answer to `ping`", patience, FaultKind::Silence, |line| {
            complaint = complaint.take().or_else(|| refusal(line));
            (line.bytes.trim_ascii() == pong.as_bytes()).then_some(())
        })?;
        match complaint {
            Some(complaint) => Err(self.session.fault(FaultKind::Refusal, complaint)),
            None => Ok(()),
        }
    }

    /// Whether it must be started again for another game.
    pub(crate) fn plays_one_game(&self) -> bool {
        self.features.reuse == Some(false)
    }

    pub(crate) fn features(&self) -> &Features {
        &self.features
    }

    pub(crate) fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    fn usermove(&self, mv: Move) -> String {
        let mv = WireMove::new(mv, self.ranks);
        if self.features.usermove { format!("usermove {mv}\n") } else { format!("{mv}\n") }
    }

    /// Begins a game at `board` in which nobody is to think yet.
    pub(crate) fn begin(&mut self, board: &Board) -> Result<(), Fault> {
        // The first `force` stops an engine that believes it is still to move.
        let ponder = if self.ponders { "hard" } else { "easy" };
        let mut lines = format!("force\nnew\nvariant xiangqi\nforce\n{ponder}\npost\n");
        let fen = board.to_fen();
        // HoiXiangqi refuses every position, the start position too.
        if fen != Board::START_FEN {
            if self.features.setboard == Some(false) {
                let detail = "it cannot begin anywhere but at the start position (setboard=0)";
                return Err(self.session.fault(FaultKind::Refusal, detail));
            }
            lines += &format!("setboard {}\n", self.letters.apply(&fen));
        }
        self.session.send_lines(lines.into_bytes())?;
        (self.known, self.answers, self.is_timed) = (1, false, false);
        self.sync(READY_PATIENCE)
    }

    /// Time for the whole game, told with the first move; the exact clock follows before each move.
    fn time_words(&mut self, turn: &Turn<'_>) -> String {
        let side = turn.game.board().side_to_move();
        let (own, other) = (turn.clocks[side.index()], turn.clocks[(!side).index()]);
        let mut words = String::new();
        if !self.is_timed {
            self.is_timed = true;
            if let Some(ClockReading { left, increment, moves_to_go }) = own {
                let (moves, increment) = (moves_to_go.unwrap_or(0), increment.as_secs_f64());
                words += &format!("level {moves} {} {increment}\n", level_time(left));
            } else if let Some(time) = turn.limits.move_time {
                words += &format!("st {}\n", time.as_secs_f64());
            }
            if let Some(depth) = turn.limits.depth {
                words += &format!("sd {depth}\n");
            }
        }
        for (word, clock) in [("time", own), ("otim", other)] {
            if let Some(clock) = clock
                && self.features.time != Some(false)
            {
                words += &format!("{word} {}\n", clock.left.as_millis() / 10);
            }
        }
        words
    }
}

impl Player for XboardClient {
    fn new_game(&mut self, game: &Game, _side: Color) -> Result<(), Fault> {
        self.begin(game.start())?;
        if game.plies().len() > 1 {
            let moves: String = game.moves().map(|mv| self.usermove(mv)).collect();
            self.session.send_lines(moves.into_bytes())?;
            self.sync(READY_PATIENCE)?;
        }
        self.known = game.plies().len();
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault> {
        // An offer may come behind the move it belongs to; it still stands. What the engine claimed about the result
        // has not convinced the referee.
        let (mut draw, mut complaint) = (false, None);
        if !self.ponders {
            self.session.forget_chatter();
        }
        self.session.drain(|line| {
            draw |= is_draw_offer(line);
            complaint = complaint.take().or_else(|| refusal(line));
            false
        })?;
        if let Some(complaint) = complaint {
            return Err(self.session.fault(FaultKind::Refusal, complaint));
        }

        // Where an answer came twice before, the second must be waited for, or it would be taken for the next.
        if self.session.has_strays() {
            self.sync(READY_PATIENCE)?;
        }

        let fresh = turn.game.plies().get(self.known..).unwrap_or_default();
        let fresh: String = fresh.iter().filter_map(|ply| ply.mv).map(|mv| self.usermove(mv)).collect();
        let mut request = String::new();
        if !self.answers {
            request += &fresh;
        }
        request += &self.time_words(turn);
        if turn.draw_offered && self.features.draw != Some(false) {
            request += "draw\n";
        }
        request += if self.answers { &fresh } else { "go\n" };

        let (mut search, ranks) = (SearchReport::default(), self.ranks);
        let answer = self.session.ask(request.into_bytes(), "?", turn.patience, |line| {
            draw |= is_draw_offer(line);
            if is_chatter(&line.bytes) {
                note_thinking(&mut search, &line.bytes, ranks);
                return None;
            }
            reaction(line)
        });
        let (reaction, elapsed) = answer?;
        (self.known, self.answers) = (turn.game.plies().len() + 1, true);
        let lost = if turn.game.board().side_to_move() == Color::Red { "0-1" } else { "1-0" };
        let decision = match reaction {
            Reaction::Move(text) => WireMove::parse(text.as_bytes())
                .and_then(|mv| mv.decode(ranks))
                .map_or(Decision::Unreadable(text), Decision::Move),
            Reaction::Resigns => Decision::Resign,
            Reaction::Claims(text) if text.starts_with(lost) => Decision::Resign,
            Reaction::Claims(text) => {
                let detail = format!("claims `{text}` in place of a move");
                return Err(self.session.fault(FaultKind::Refusal, detail));
            }
            Reaction::Refuses(text) => return Err(self.session.fault(FaultKind::Refusal, text)),
        };
        Ok(Answer { decision, draw, expects: None, elapsed, search })
    }

    /// Engines of this protocol ponder by themselves after `hard`.
    fn ponder(&mut self, _turn: &Turn<'_>) {}

    fn end_game(&mut self, end: GameEnd) -> Vec<Fault> {
        let mut faults = Vec::new();
        if self.session.is_alive() {
            let result = match end {
                GameEnd::Won(Color::Red) => "1-0",
                GameEnd::Won(Color::Black) => "0-1",
                GameEnd::Drawn => "1/2-1/2",
                GameEnd::Void => "*",
            };
            let told = self.session.send_lines(format!("force\nresult {result} {{}}\n").into_bytes());
            // A complaint about a game that is over matters to nobody.
            let synced = told.and_then(|()| self.sync(READY_PATIENCE));
            faults.extend(synced.err().filter(|fault| fault.kind != FaultKind::Refusal));
        }
        faults.extend(self.session.take_strays());
        faults
    }
}

/// The base of `level`: minutes, and seconds rounded up. As XBoard does it, no seconds are written where there are
/// none, for some engines read a whole number only.
fn level_time(time: Duration) -> String {
    let seconds = time.as_millis().div_ceil(1000);
    match (seconds / 60, seconds % 60) {
        (minutes, 0) => minutes.to_string(),
        (minutes, seconds) => format!("{minutes}:{seconds:02}"),
    }
}

/// Reads a line of thinking: depth, score, hundredths of a second, nodes, up to three more numbers, line.
fn note_thinking(report: &mut SearchReport, line: &[u8], ranks: Ranks) {
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let mut number = || {
        let word = std::str::from_utf8(words.next()?).ok()?;
        // HoiXiangqi and others mark the depth (`7.`, `7&`).
        word.trim_end_matches(['.', '&', '+', '-', '!', '?']).parse::<i64>().ok()
    };
    let (Some(depth), Some(score), Some(_time), Some(nodes)) = (number(), number(), number(), number()) else {
        return;
    };
    report.depth = u32::try_from(depth).ok();
    report.nodes = u64::try_from(nodes).ok();
    report.score = i32::try_from(score).ok().map(|score| match score {
        // Without a number of moves it is still the mover who mates. From moves of the winner to plies.
        MATE.. => Score::Mate((score - MATE).max(1).saturating_mul(2).saturating_sub(1)),
        _ if score <= -MATE => Score::Mate((score + MATE).saturating_mul(2)),
        _ => Score::Cp(score),
    });
    let line = words.skip_while(|word| word.iter().all(u8::is_ascii_digit));
    report.line = line.map_while(|word| WireMove::parse(word)?.decode(ranks)).collect();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_read_whatever_they_hold() {
        let mut features = Features::default();
        features.read("setboard=1 ping=1 myname=\"Big Engine 1=2\" variants=\"chess,xiangqi\" usermove=1 reuse=0");
        features.read("option=\"Hash size -spin 16 1 4096\" option=\"Clear -button\" memory=1 done=0 sigint=0");
        assert_eq!(features.name.as_deref(), Some("Big Engine 1=2"));
        assert!(features.ping && features.usermove && features.knows("memory") && !features.knows("cores"));
        assert!(features.knows("Hash size") && features.knows("Clear") && !features.knows("Hash"));
        assert_eq!((features.setboard, features.reuse, features.done), (Some(true), Some(false), Some(false)));
        features.read("done=1");
        features.read("myname=\"never closed");
        features.read("=");
        assert_eq!((features.done, features.name.as_deref()), (Some(true), Some("never closed")));
    }

    #[test]
    fn only_complaints_that_matter_are_refusals() {
        let queue = crate::line_queue::LineQueue::new(kind_of);
        let refused = |text: &str| {
            let now = std::time::Instant::now();
            queue.push(now, text.as_bytes().to_vec());
            match queue.next(now) {
                crate::line_queue::Arrival::Line(line) => refusal(&line).is_some(),
                _ => panic!("the line is there"),
            }
        };
        for text in ["Illegal move: h2e2", "tellusererror Illegal position", "Error (unknown command): h2e2"] {
            assert!(refused(text), "{text}");
        }
        for text in ["Error (unknown command): otim 100", "Error (Unknown command): draw", "offer draw", "telluser hi"]
        {
            assert!(!refused(text), "{text}");
        }
    }

    #[test]
    fn thinking_is_told_from_results() {
        for line in ["  7     2     23     90793  1. ... Hg7", "1 0 0 126 Cb7-e7", "# comment", "\t 3 4 5 6"] {
            assert!(is_chatter(line.as_bytes()), "{line}");
        }
        for line in ["1-0 {Red mates}", "0-1", "1/2-1/2 {repetition}", "move b9c7", "Illegal move: x", "pong 1", ""] {
            assert!(!is_chatter(line.as_bytes()), "{line}");
        }
        let mut report = SearchReport::default();
        note_thinking(&mut report, b"  7.   -35     23     90793  h2e2 h9g7 Hg2", Ranks::FromZero);
        assert_eq!((report.depth, report.nodes), (Some(7), Some(90793)));
        assert_eq!((report.score, report.line.len()), (Some(Score::Cp(-35)), 2));
        note_thinking(&mut report, b"9 100003 1 2 15 1000 0\th2e2 h9g7", Ranks::FromZero);
        assert_eq!((report.score, report.line.len()), (Some(Score::Mate(5)), 2));
        note_thinking(&mut report, b"9 100000 1 2", Ranks::FromZero);
        assert_eq!(report.score, Some(Score::Mate(1)));
        note_thinking(&mut report, b"9 -100002 1 2", Ranks::FromZero);
        note_thinking(&mut report, b"no numbers here at all", Ranks::FromZero);
        assert_eq!(report.score, Some(Score::Mate(-4)));
    }
}
