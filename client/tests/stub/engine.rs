//! An engine for tests only. It speaks UCI, UCCI and xboard, answers at once with a legal move that depends on nothing
//! but the position and `--seed`, and misbehaves in every way that `habits.rs` lists.

mod choice;
mod habits;

use std::io::{self, BufRead as _, Write as _};
use std::process::exit;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use chuhe_movegen::{Board, Move, Square};
use chuhe_protocol::{
    BestMove, Choice, Command, Dialect, GoCommand, IdField, Info, OptionDecl, OptionKind, Position, Ranks, Reply,
    Score, Start, WireMove, same_name,
};

use habits::Habits;

/// Even a stub that does not leave leaves some day.
const LIFE: Duration = Duration::from_secs(300);

fn main() {
    let habits = Habits::read(std::env::args().skip(1)).unwrap_or_else(|word| {
        eprintln!("`{word}` is no habit of the stub engine");
        exit(2)
    });
    thread::spawn(|| {
        thread::sleep(LIFE);
        exit(9)
    });
    if habits.deaf {
        sleep_for_ever();
    }
    let (sender, input) = channel();
    thread::spawn(move || {
        for line in io::stdin().lock().split(b'\n') {
            let Ok(line) = line else { break };
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    Stub::new(habits).run(&input);
}

fn sleep_for_ever() -> ! {
    loop {
        thread::sleep(LIFE);
    }
}

/// Which protocol was chosen by its word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Silent,
    Universal(Dialect),
    Xboard,
}

struct Stub {
    habits: Habits,
    mode: Mode,
    /// `None`: the position was refused.
    board: Option<Board>,
    has_variant: bool,
    /// The answers given in this game.
    moves_made: u64,
    thinking: Option<Thinking>,
    /// Xboard: only records moves.
    forced: bool,
    draw_offered: bool,
}

#[derive(Clone, Copy)]
struct Thinking {
    /// When to answer; `None`: when told.
    due: Option<Instant>,
}

impl Stub {
    fn new(habits: Habits) -> Stub {
        Stub {
            habits,
            mode: Mode::Silent,
            board: Some(Board::startpos()),
            has_variant: false,
            moves_made: 0,
            thinking: None,
            forced: false,
            draw_offered: false,
        }
    }

    fn run(mut self, input: &Receiver<Vec<u8>>) {
        loop {
            let line = match self.thinking.and_then(|thinking| thinking.due) {
                None => input.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(due) => input.recv_timeout(due.saturating_duration_since(Instant::now())),
            };
            match line {
                Ok(line) => self.read(&line),
                Err(RecvTimeoutError::Timeout) => self.answer(),
                Err(RecvTimeoutError::Disconnected) => self.leave(),
            }
        }
    }

    fn leave(&self) {
        if self.habits.ignore_quit {
            sleep_for_ever();
        }
        exit(0);
    }

    fn say(&self, line: &str) {
        self.say_bytes(format!("{line}\n").as_bytes());
    }

    fn say_bytes(&self, bytes: &[u8]) {
        if self.habits.mute {
            return;
        }
        let mut output = io::stdout().lock();
        if output.write_all(bytes).and_then(|()| output.flush()).is_err() {
            exit(0);
        }
    }

    fn ranks(&self) -> Ranks {
        if self.habits.ranks_from_one { Ranks::FromOne } else { Ranks::FromZero }
    }

    fn read(&mut self, line: &[u8]) {
        if self.habits.exit_at_start {
            exit(1);
        }
        let text = String::from_utf8_lossy(line).trim().to_owned();
        match (Command::parse(line), self.mode) {
            (Command::Quit, _) => self.leave(),
            (Command::Handshake(dialect), _) if self.habits.speaks(dialect.name()) => self.introduce(dialect),
            (_, Mode::Silent) if text == "xboard" && self.habits.speaks("xboard") => self.mode = Mode::Xboard,
            (_, Mode::Silent) if self.habits.leaves_at_strange_word => exit(0),
            (_, Mode::Silent) => {}
            (command, Mode::Universal(dialect)) => self.obey(command, dialect),
            (_, Mode::Xboard) => self.obey_xboard(&text),
        }
    }

    fn introduce(&mut self, dialect: Dialect) {
        self.mode = Mode::Universal(dialect);
        thread::sleep(Duration::from_millis(self.habits.slow_start.unwrap_or(0)));
        let say = |reply: Reply| self.say(&reply.to_line(dialect));
        say(Reply::Id(IdField::Name, "Stub".to_owned()));
        let option = |name: &str, kind| say(Reply::Option(OptionDecl::new(name, kind)));
        option("Seed", OptionKind::spin(0, 1_000_000, 0));
        if !self.habits.no_ponder {
            option("Ponder", OptionKind::check(false));
        }
        if self.habits.needs_variant {
            option("UCI_Variant", OptionKind::combo("chess", ["chess", "xiangqi"]));
        }
        if self.habits.chess_only {
            option("UCI_Variant", OptionKind::combo("chess", ["chess", "shogi"]));
        }
        if dialect == Dialect::Ucci {
            option("newgame", OptionKind::Button);
            if !self.habits.no_usemillisec {
                option("usemillisec", OptionKind::check(false));
            }
        }
        say(Reply::HandshakeOk(dialect));
    }

    fn obey(&mut self, command: Command, dialect: Dialect) {
        match command {
            Command::IsReady if self.habits.no_isready => {}
            Command::IsReady => self.say("readyok"),
            Command::NewGame => self.moves_made = 0,
            Command::SetOption(option) if same_name(&option.name, "newgame") => self.moves_made = 0,
            Command::SetOption(option) if same_name(&option.name, "seed") => {
                self.habits.seed = option.value.to_int().map(i64::unsigned_abs);
            }
            Command::SetOption(option) if same_name(&option.name, "UCI_Variant") => {
                self.has_variant = option.value.as_str() == Some("xiangqi");
            }
            Command::Position(position) => self.set_position(&position),
            Command::Go(go) => self.go(&go),
            Command::PonderHit { draw } => {
                self.draw_offered = draw;
                if self.thinking.is_some() {
                    self.thinking = Some(Thinking { due: self.due() });
                }
            }
            Command::Stop if self.habits.ignore_stop => {}
            Command::Stop if self.thinking.is_some() => self.answer(),
            Command::Stop if dialect == Dialect::Ucci => self.say("nobestmove"),
            _ => {}
        }
    }

    fn set_position(&mut self, position: &Position) {
        let board = match &position.start {
            Start::Startpos => Some(Board::startpos()),
            Start::Fen(fen) => self.read_fen(fen),
        };
        let Some(mut board) = board else {
            // As Sjaak II does it: there will be no answer to `go`.
            eprintln!("Error: bad FEN");
            self.board = None;
            return;
        };
        for &mv in &position.moves {
            // A list without a rank 10 was read as if it counted from 0.
            let mv = if self.habits.ranks_from_one && position.ranks == Ranks::FromZero { down(mv) } else { Some(mv) };
            match mv.and_then(|mv| board.play(mv).ok()) {
                Some(next) => board = next,
                None => {
                    self.say("info string illegal move in the list");
                    self.board = None;
                    return;
                }
            }
        }
        self.board = Some(board);
    }

    fn read_fen(&self, fen: &str) -> Option<Board> {
        let placement = fen.split(' ').next().unwrap_or_default();
        let horse_elephant = self.habits.horse_elephant || self.mode == Mode::Xboard;
        let foreign = if horse_elephant { "NBnb" } else { "HEhe" };
        if placement.contains(|letter| foreign.contains(letter)) {
            return None;
        }
        Board::from_fen(fen).ok()
    }

    fn go(&mut self, go: &GoCommand) {
        self.draw_offered = go.draw;
        if self.board.is_none() {
            return;
        }
        let waits = (go.ponder && !self.habits.ponders_briefly) || go.infinite;
        self.think(waits);
    }

    fn think(&mut self, waits: bool) {
        if self.habits.flood_stderr {
            for _ in 0..2000 {
                eprintln!("{}", "complaint ".repeat(100));
            }
        }
        if self.habits.gibberish {
            loop {
                self.say("I would like to tell you something about my thoughts");
            }
        }
        if self.habits.babble {
            self.babble();
        }
        let hangs = self.habits.hang_at == Some(self.moves_made + 1);
        self.thinking = Some(Thinking { due: if waits || hangs { None } else { self.due() } });
    }

    fn due(&self) -> Option<Instant> {
        Some(Instant::now() + Duration::from_millis(self.habits.late.unwrap_or(0)))
    }

    fn babble(&self) {
        for depth in 0..20_000 {
            self.say(&format!("info depth {depth} score cp 1 nodes {depth} pv h2e2 h9g7 string and so on"));
        }
        self.say_bytes(&vec![b'x'; 3_000_000]);
        self.say_bytes(b"\n\0\0\xc6\xe5\xc6\xd7 \xff\xfe\ninfo string \xcf\xf3\xc6\xe5\0\r\n\r\n\n");
    }

    /// Ends the search.
    fn answer(&mut self) {
        self.thinking = None;
        self.moves_made += 1;
        let now = |at: Option<u64>| at == Some(self.moves_made);
        let habits = &self.habits;
        if now(habits.crash_at) {
            eprintln!("the stub crashes as it was told");
            exit(3);
        }
        let seed = habits.seed.unwrap_or(0);
        let mut best = self.board.as_ref().and_then(|board| choice::choose(board, seed));
        if self.habits.needs_variant && !self.has_variant {
            best = None;
        }
        let expected = match (&self.board, best) {
            (Some(board), Some(mv)) if habits.expects => choice::choose(&board.make(mv), seed),
            _ => None,
        };
        let ranks = self.ranks();
        let wire = |mv| WireMove::new(mv, ranks);
        let mut reply = best.map_or(BestMove::NONE, |mv| BestMove::new(wire(mv), expected.map(wire)));
        if now(habits.illegal_at) {
            // From a point in the middle, which is empty at the start, across the whole board.
            reply.choice = Choice::Move("e4a9".parse().unwrap_or_else(|_| unreachable!("this is a move")));
        }
        if now(habits.unreadable_at) {
            reply.choice = Choice::Unreadable("炮二平五".to_owned());
        }
        if now(habits.no_move_at) {
            reply = BestMove::NONE;
        }
        reply.resign = now(habits.resign_at);
        reply.draw = now(habits.offer_at) || (self.draw_offered && habits.accept_draws);
        let times = if now(habits.double_at) { 2 } else { 1 };
        match self.mode {
            Mode::Universal(dialect) => {
                let info = Info {
                    depth: Some(1),
                    score: Some(Score::Cp(7)),
                    nodes: Some(30),
                    pv: best.into_iter().chain(expected).map(wire).collect(),
                    ..Info::default()
                };
                let answer = format!("{}\n", Reply::BestMove(reply).to_line(dialect)).repeat(times);
                self.say_bytes(format!("{}\n{answer}", Reply::from(info).to_line(dialect)).as_bytes());
            }
            _ => self.answer_xboard(&reply, best, times, now(habits.claim_at)),
        }
    }

    fn answer_xboard(&mut self, reply: &BestMove, best: Option<Move>, times: usize, claims: bool) {
        let mut text = "  1     7      0       30 h2e2\n".to_owned();
        if reply.draw {
            text += "offer draw\n";
        }
        match &reply.choice {
            _ if reply.resign => text += "resign\n",
            _ if claims => text += "1/2-1/2 {I think it is a draw}\n",
            Choice::Move(mv) => text += &format!("move {mv}\n").repeat(times),
            Choice::None => text += "0-1 {no move}\n",
            Choice::Unreadable(word) => text += &format!("move {word}\n"),
        }
        self.say_bytes(text.as_bytes());
        if let (Some(board), Some(mv)) = (&self.board, best) {
            self.board = Some(board.make(mv));
        }
        self.draw_offered = false;
    }

    fn obey_xboard(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "protover" => {
                if let Some(millis) = self.habits.slow_start {
                    self.say("feature done=0");
                    thread::sleep(Duration::from_millis(millis));
                }
                self.say("feature myname=\"Stub\" ping=1 usermove=1 setboard=1 memory=1 smp=1");
                self.say("feature variants=\"chess,xiangqi\"");
                let (reuse, told) = (u8::from(!self.habits.no_reuse), u8::from(!self.habits.untold));
                self.say(&format!("feature reuse={reuse} time={told} draw={told}"));
                self.say("feature option=\"Seed -spin 0 0 1000000\" option=\"Clear -button\"");
                self.say("feature done=1");
            }
            "ping" => self.say(&format!("pong {rest}")),
            "new" => {
                self.board = Some(Board::startpos());
                (self.moves_made, self.forced, self.thinking) = (0, false, None);
            }
            "force" | "result" => (self.forced, self.thinking) = (true, None),
            "setboard" if self.habits.refuse_setboard => self.say("tellusererror Illegal position"),
            "setboard" => match self.read_fen(rest) {
                Some(board) => self.board = Some(board),
                None => self.say("tellusererror Illegal position"),
            },
            "draw" => self.draw_offered = true,
            "?" if self.thinking.is_some() && !self.habits.ignore_stop => self.answer(),
            "go" => {
                self.forced = false;
                self.think(false);
            }
            "usermove" => {
                let mv = WireMove::parse(rest.as_bytes()).and_then(|mv| mv.decode(Ranks::FromZero));
                let board = self.board.as_ref().zip(mv).and_then(|(board, mv)| board.play(mv).ok());
                match board {
                    None => self.say(&format!("Illegal move: {rest}")),
                    Some(board) => {
                        self.board = Some(board);
                        if !self.forced {
                            self.think(false);
                        }
                    }
                }
            }
            "option" => match rest.strip_prefix("Seed=") {
                Some(seed) => self.habits.seed = seed.parse().ok(),
                None if rest != "Clear" && self.habits.leaves_at_strange_word => exit(1),
                None => {}
            },
            "variant" | "easy" | "hard" | "post" | "level" | "st" | "sd" | "time" | "otim" | "memory" | "cores"
            | "?" | "" => {}
            _ => self.say(&format!("Error (unknown command): {word}")),
        }
    }
}

/// The move one rank lower.
fn down(mv: Move) -> Option<Move> {
    let down = |square: Square| Square::from_coords(square.file(), square.rank().checked_sub(1)?);
    Move::new(down(mv.from())?, down(mv.to())?)
}
