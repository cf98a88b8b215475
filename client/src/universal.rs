//! Engines that speak UCCI or UCI: they are told the whole position before each search.

use std::time::Duration;

use chuhe_movegen::{Color, Move};
use chuhe_protocol::{
    BestMove, Bound, Choice, Command, Dialect, GoCommand, IdField, Info, OptionDecl, OptionKind, Ranks, Reply,
    SetOption, WireMove, same_name,
};
use chuhe_rules::Game;

use crate::line_queue::{Kind, Line, excerpt};
use crate::player::{Answer, Decision, Fault, FaultKind, GameEnd, Player, SearchReport, Turn};
use crate::position::PositionText;
use crate::process::{EngineProcess, Launch};
use crate::session::{READY_PATIENCE, STOP_PATIENCE, Session};
use crate::study::Study;
use crate::time_control::ClockReading;
use crate::{EngineSpec, FenLetters, HistoryFrom, TimeUnit};

/// Told in place of no time at all, which would be taken for no limit.
const SHORTEST: Duration = Duration::from_millis(1);

/// What an engine says about itself.
#[derive(Debug, Default)]
pub(crate) struct Introduction {
    pub(crate) name: Option<String>,
    pub(crate) options: Vec<OptionDecl>,
}

/// Options that many engines have, by their names in UCCI and UCI. Names that differ only in case and blanks are the same
/// anyway.
const OTHER_NAMES: [[&str; 2]; 4] =
    [["hashsize", "Hash"], ["usebook", "OwnBook"], ["bookfiles", "BookFile"], ["newgame", "Clear Hash"]];

impl Introduction {
    fn option(&self, name: &str) -> Option<&OptionDecl> {
        self.options.iter().find(|option| same_name(&option.name, name))
    }

    /// The announced option that is meant by a name, which may be that of the other dialect.
    pub(crate) fn meant(&self, name: &str) -> Option<&OptionDecl> {
        let other = |[ucci, uci]: [&'static str; 2]| match () {
            () if same_name(ucci, name) => Some(uci),
            () if same_name(uci, name) => Some(ucci),
            () => None,
        };
        self.option(name).or_else(|| self.option(OTHER_NAMES.into_iter().find_map(other)?))
    }

    /// Whether it plays several games, xiangqi among them or not.
    fn variants(&self) -> Option<(&OptionDecl, bool)> {
        let option = self.option("UCI_Variant")?;
        let OptionKind::Combo { default, vars } = &option.kind else { return None };
        let is_xiangqi = |name: &String| name.eq_ignore_ascii_case("xiangqi");
        Some((option, vars.iter().chain(default).any(is_xiangqi)))
    }
}

/// What has been found out about an engine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Habits {
    pub(crate) ranks: Ranks,
    pub(crate) letters: FenLetters,
}

/// A search on the opponent's time, begun in the position after the expected move.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Pondered {
    plies: usize,
    expected: Option<Move>,
}

impl Pondered {
    fn of(game: &Game) -> Pondered {
        Pondered { plies: game.plies().len(), expected: game.plies().last().and_then(|ply| ply.mv) }
    }
}

/// A running UCCI or UCI engine.
pub(crate) struct UniversalClient {
    session: Session,
    dialect: Dialect,
    ranks: Ranks,
    unit: TimeUnit,
    has_newgame_button: bool,
    answers_isready: bool,
    ponders: bool,
    position: PositionText,
    pondered: Option<Pondered>,
}

fn kind_of(line: &[u8]) -> Kind {
    let line = line.trim_ascii_start();
    let says = |word: &[u8]| line.split(u8::is_ascii_whitespace).any(|other| other == word);
    match line.starts_with(b"info") {
        // In a long search with many lines these would push out the lines.
        true if says(b"currmove") && !says(b"score") => Kind::Noise,
        true => Kind::Chatter,
        false => Kind::Word,
    }
}

fn is_terminal(line: &[u8]) -> bool {
    matches!(Reply::parse(line), Reply::BestMove(_))
}

impl UniversalClient {
    /// Starts the engine, introduces and prepares it.
    pub(crate) fn start(
        spec: &EngineSpec,
        dialect: Dialect,
        habits: Habits,
        launch: &Launch,
        patience: Duration,
    ) -> Result<(UniversalClient, Introduction), Fault> {
        let process = EngineProcess::spawn(spec, launch, kind_of)?;
        let mut session = Session::new(process, is_terminal);
        let introduction = introduce(&mut session, dialect, patience)?;
        let unit = time_unit(spec, dialect, &introduction);
        let history = spec.history.unwrap_or(match dialect {
            Dialect::Ucci => HistoryFrom::Capture,
            Dialect::Uci => HistoryFrom::Start,
        });
        let mut client = UniversalClient {
            session,
            dialect,
            ranks: habits.ranks,
            unit,
            has_newgame_button: introduction.option("newgame").is_some(),
            answers_isready: true,
            // A UCI engine that can ponder announces the option; in UCCI it only changes how much time is used.
            ponders: spec.ponder == Some(true) && (dialect == Dialect::Ucci || introduction.option("Ponder").is_some()),
            position: PositionText::new(dialect, habits.ranks, habits.letters, history),
            pondered: None,
        };
        client.set_options(spec, &introduction)?;
        match client.sync() {
            // The leagues ask for no such word. Of an engine that does not know it nobody can tell when it is ready.
            Err(fault) if dialect == Dialect::Ucci && fault.kind == FaultKind::Silence => {
                client.answers_isready = false;
            }
            synced => synced?,
        }
        client.session.begin_counting();
        Ok((client, introduction))
    }

    fn send(&mut self, command: &Command) -> Result<(), Fault> {
        self.session.send(command.to_line(self.dialect))
    }

    fn set_options(&mut self, spec: &EngineSpec, introduction: &Introduction) -> Result<(), Fault> {
        let is_given = |name: &str| spec.options.iter().any(|(given, _)| same_name(given, name));
        let set = |name: &str, value: &str| Command::SetOption(SetOption::new(name, value));
        if self.dialect == Dialect::Ucci && introduction.option("usemillisec").is_some() {
            let value = if self.unit == TimeUnit::Milliseconds { "true" } else { "false" };
            self.send(&set("usemillisec", value))?;
        }
        match introduction.variants() {
            _ if is_given("UCI_Variant") => {}
            // Told even to an engine that says it is set so: Fairy-Stockfish 11 in UCCI has the piece values of chess
            // until it is.
            Some((option, true)) => self.send(&set(&option.name, "xiangqi"))?,
            Some((_, false)) => {
                let detail = "its option UCI_Variant does not offer xiangqi";
                return Err(self.session.fault(FaultKind::Refusal, detail));
            }
            None => {}
        }
        if let Some(option) = introduction.option("Ponder") {
            self.send(&set(&option.name, if self.ponders { "true" } else { "false" }))?;
        }
        for (name, value) in &spec.options {
            let name = introduction.meant(name).map_or(name, |option| &option.name);
            self.send(&set(name, value))?;
        }
        Ok(())
    }

    /// Waits until the engine has handled everything sent so far, if it can tell.
    fn sync(&mut self) -> Result<(), Fault> {
        if !self.answers_isready {
            return Ok(());
        }
        self.send(&Command::IsReady)?;
        self.session.expect("readyok", READY_PATIENCE, FaultKind::Silence, |line| match Reply::parse(&line.bytes) {
            Reply::ReadyOk => Some(()),
            _ => None,
        })
    }

    /// Begins a game without saying what it is.
    pub(crate) fn clear(&mut self) -> Result<(), Fault> {
        self.position.clear();
        match self.has_newgame_button && self.dialect == Dialect::Ucci {
            true => self.send(&Command::SetOption(SetOption::new("newgame", "")))?,
            false => self.send(&Command::NewGame)?,
        }
        self.sync()
    }

    /// Asks for a move of a position given in words of its own; `None` when it complains or says nothing.
    pub(crate) fn probe(&mut self, position: &str, patience: Duration) -> Result<Option<WireMove>, Fault> {
        // What the last question may still bring must not be taken for an answer to this one.
        self.sync()?;
        self.session.drain(|_| false)?;
        self.session.send_lines(format!("{position}\ngo depth 1\n").into_bytes())?;
        let read = |line: &Line| match Reply::parse(&line.bytes) {
            Reply::BestMove(BestMove { choice: Choice::Move(mv), .. }) => Some(Some(mv)),
            Reply::BestMove(_) => Some(None),
            Reply::Text(text) if text.to_ascii_lowercase().starts_with("error") => Some(None),
            _ => None,
        };
        let what = "answer to `go depth 1`";
        match self.session.expect(what, patience, FaultKind::Silence, read) {
            Err(fault) if fault.kind == FaultKind::Silence => {
                // Sjaak II has not even an answer to `stop` when it did not like the position.
                self.send(&Command::Stop)?;
                let stopped = self.session.expect(what, STOP_PATIENCE, FaultKind::Silence, read);
                stopped.or_else(|fault| if fault.kind == FaultKind::Silence { Ok(None) } else { Err(fault) })
            }
            answer => answer,
        }
    }

    /// The request for a search, up to and including the line end of `go`.
    fn search_request(&mut self, turn: &Turn<'_>, ponder: bool) -> Vec<u8> {
        let mut go = self.limits(turn);
        go.ponder = ponder;
        go.draw = turn.draw_offered && !ponder && self.dialect == Dialect::Ucci;
        let mut lines = self.position.update(turn.game).to_vec();
        lines.push(b'\n');
        if !turn.banned.is_empty() {
            let wire = |mv| WireMove::new(mv, self.ranks);
            match self.dialect {
                Dialect::Ucci => {
                    let banned = turn.banned.iter().map(|&mv| wire(mv)).collect();
                    lines.extend(Command::BanMoves(banned).to_line(self.dialect));
                    lines.push(b'\n');
                }
                // UCI has no word for it but the list of all others. With none left it may as well choose freely.
                Dialect::Uci => {
                    let legal = turn.game.board().legal_moves();
                    go.searchmoves = legal.iter().copied().filter(|mv| !turn.banned.contains(mv)).map(wire).collect();
                }
            }
        }
        lines.extend(Command::Go(Box::new(go)).to_line(self.dialect));
        lines.push(b'\n');
        lines
    }

    fn limits(&self, turn: &Turn<'_>) -> GoCommand {
        let side = turn.game.board().side_to_move();
        let clock = |color: Color| turn.clocks[color.index()];
        let (own, other) = (clock(side), clock(!side));
        let limits = turn.limits;
        let mut go = GoCommand { depth: limits.depth.map(u64::from), nodes: limits.nodes, ..GoCommand::default() };
        let moves_to_go = |clock: Option<ClockReading>| clock.and_then(|clock| clock.moves_to_go).map(u64::from);
        match self.dialect {
            Dialect::Uci => {
                let left = |color| clock(color).map(|clock| millis(clock.left.max(SHORTEST)));
                let increment = |color| clock(color).map(|clock| millis(clock.increment));
                (go.wtime, go.winc) = (left(Color::Red), increment(Color::Red));
                (go.btime, go.binc) = (left(Color::Black), increment(Color::Black));
                go.movestogo = moves_to_go(own);
                go.movetime = limits.move_time.map(|time| millis(time.max(SHORTEST)));
            }
            Dialect::Ucci => {
                let left = |clock: Option<ClockReading>| clock.map(|clock| self.in_unit(clock.left.max(SHORTEST)));
                // Without an increment, be it zero, the time would be for this move alone.
                let increment = |clock: Option<ClockReading>| match clock {
                    Some(ClockReading { moves_to_go: None, increment, .. }) => Some(self.in_unit(increment)),
                    _ => None,
                };
                (go.time, go.increment, go.movestogo) = (left(own), increment(own), moves_to_go(own));
                (go.opptime, go.oppincrement, go.oppmovestogo) = (left(other), increment(other), moves_to_go(other));
                // The specification has no other word for the time of one move.
                if let Some(time) = limits.move_time {
                    let time = own.map_or(time, |clock| clock.left.min(time));
                    (go.time, go.increment, go.movestogo) = (Some(self.in_unit(time.max(SHORTEST))), None, Some(1));
                }
            }
        }
        go
    }

    fn in_unit(&self, time: Duration) -> u64 {
        match self.unit {
            TimeUnit::Milliseconds => millis(time),
            TimeUnit::Seconds => time.as_secs(),
        }
    }

    /// Sends a request and reads up to the end of the search.
    fn search(&mut self, request: Vec<u8>, patience: Duration) -> Result<Answer, Fault> {
        let mut search = SearchReport::default();
        let ranks = self.ranks;
        let read = |line: &Line| match Reply::parse(&line.bytes) {
            Reply::BestMove(best) => Some(best),
            Reply::Info(info) => {
                note_info(&mut search, &info, ranks);
                None
            }
            _ => None,
        };
        let (best, elapsed) = self.session.ask(request, "stop", patience, read)?;
        Ok(Answer {
            decision: decision(&best, ranks),
            draw: best.draw,
            expects: best.ponder.and_then(|mv| mv.decode(ranks)),
            elapsed,
            search,
        })
    }

    /// Gets ready for a search: what the engine said on its own account, or too late, is no answer to it.
    fn settle(&mut self) -> Result<(), Fault> {
        self.session.forget_chatter();
        self.session.drain(|_| false)?;
        // Where an answer came twice before, the second must be waited for, or it would be taken for the next.
        if self.session.has_strays() {
            self.sync()?;
        }
        Ok(())
    }

    /// Searches a position outside of any game.
    pub(crate) fn study(&mut self, turn: &Turn<'_>) -> Result<Study, Fault> {
        self.settle()?;
        let request = self.search_request(turn, false);
        let mut study = Study::default();
        let ranks = self.ranks;
        let read = |line: &Line| match Reply::parse(&line.bytes) {
            Reply::BestMove(best) => Some(best),
            Reply::Info(info) => {
                study.note(&info, ranks);
                None
            }
            _ => None,
        };
        let (best, _) = self.session.ask(request, "stop", turn.patience, read)?;
        if let Decision::Move(mv) = decision(&best, ranks) {
            study.best = Some(mv);
        }
        Ok(study)
    }

    /// Whether a search on the opponent's time has ended by itself, though it had to wait to be told.
    fn has_ended(&mut self) -> Result<bool, Fault> {
        let mut ended = false;
        self.session.drain(|line| {
            ended |= is_terminal(&line.bytes);
            false
        })?;
        Ok(ended)
    }

    /// Ends a search on the opponent's time; its answer is thrown away.
    fn stop_pondering(&mut self) -> Result<(), Fault> {
        self.send(&Command::Stop)?;
        let what = "answer to `stop` while pondering";
        let is_end = |line: &Line| is_terminal(&line.bytes).then_some(());
        let ended = self.session.expect(what, STOP_PATIENCE, FaultKind::Silence, is_end);
        if ended.is_err() {
            self.session.kill();
        }
        ended
    }

    /// Ends a search on the opponent's time, if one still runs.
    fn end_pondering(&mut self) -> Result<(), Fault> {
        if self.pondered.take().is_some() && !self.has_ended()? {
            self.stop_pondering()?;
        }
        Ok(())
    }

    pub(crate) fn session(&mut self) -> &mut Session {
        &mut self.session
    }
}

impl Player for UniversalClient {
    fn new_game(&mut self, _game: &Game, _side: Color) -> Result<(), Fault> {
        // A game that was given up is not ended.
        self.end_pondering()?;
        self.clear()
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault> {
        if let Some(pondered) = self.pondered.take()
            && !self.has_ended()?
        {
            // A search that knows nothing of banned moves is of no use.
            if pondered == Pondered::of(turn.game) && turn.banned.is_empty() {
                let draw = turn.draw_offered && self.dialect == Dialect::Ucci;
                let mut request = Command::PonderHit { draw }.to_line(self.dialect);
                request.push(b'\n');
                return self.search(request, turn.patience);
            }
            self.stop_pondering()?;
            // One that ended by itself just now says `nobestmove` to `stop`, which must not be taken for the next answer.
            self.sync()?;
        }
        self.settle()?;
        let request = self.search_request(turn, false);
        self.search(request, turn.patience)
    }

    fn ponder(&mut self, turn: &Turn<'_>) {
        if !self.ponders || !turn.banned.is_empty() {
            return;
        }
        self.session.forget_chatter();
        // An engine that is gone will be noticed at its next move. One that answers unasked would leave it open whether
        // it still thinks.
        if self.session.drain(|_| false).is_err() || self.session.has_strays() {
            return;
        }
        let request = self.search_request(turn, true);
        if self.session.send_lines(request).is_ok() {
            self.pondered = Some(Pondered::of(turn.game));
        }
    }

    fn end_game(&mut self, _end: GameEnd) -> Vec<Fault> {
        let mut faults = Vec::new();
        if self.session.is_alive() {
            faults.extend(self.end_pondering().and_then(|()| self.sync()).err());
        }
        faults.extend(self.session.take_strays());
        faults
    }
}

/// Says the word of the dialect and reads what the engine says about itself.
fn introduce(session: &mut Session, dialect: Dialect, patience: Duration) -> Result<Introduction, Fault> {
    session.send(Command::Handshake(dialect).to_line(dialect))?;
    let mut introduction = Introduction::default();
    let what = format!("{}ok", dialect.name());
    let end = session.expect(&what, patience, FaultKind::NoHandshake, |line| match Reply::parse(&line.bytes) {
        Reply::Id(IdField::Name, name) => {
            introduction.name = Some(excerpt(name.as_bytes()));
            None
        }
        Reply::Option(option) => {
            introduction.options.push(option);
            None
        }
        Reply::HandshakeOk(spoken) if spoken == dialect => Some(Ok(())),
        Reply::UcciError => Some(Err("it says `uccierror`".to_owned())),
        Reply::Text(text) if text.to_ascii_lowercase().contains("unknown command") => {
            Some(Err(format!("it does not know `{}`: {}", dialect.name(), excerpt(text.as_bytes()))))
        }
        _ => None,
    })?;
    end.map_err(|detail| session.fault(FaultKind::NoHandshake, detail))?;
    Ok(introduction)
}

/// By the specification UCCI times are in seconds unless the engine offers `usemillisec` and that is switched on.
fn time_unit(spec: &EngineSpec, dialect: Dialect, introduction: &Introduction) -> TimeUnit {
    // Fairy-Stockfish 11 does not know the option and always reads milliseconds.
    let is_fairy = introduction.name.as_ref().is_some_and(|name| name.starts_with("Fairy-Stockfish"));
    match spec.unit {
        _ if dialect == Dialect::Uci => TimeUnit::Milliseconds,
        Some(unit) => unit,
        None if is_fairy || introduction.option("usemillisec").is_some() => TimeUnit::Milliseconds,
        None => TimeUnit::Seconds,
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn decision(best: &BestMove, ranks: Ranks) -> Decision {
    if best.resign {
        return Decision::Resign;
    }
    match &best.choice {
        Choice::Move(mv) => mv.decode(ranks).map_or_else(|| Decision::Unreadable(mv.to_string()), Decision::Move),
        Choice::None => Decision::NoMove,
        Choice::Unreadable(text) => Decision::Unreadable(text.clone()),
    }
}

/// Keeps the newest of everything told about the best line.
fn note_info(report: &mut SearchReport, info: &Info, ranks: Ranks) {
    report.nodes = info.nodes.or(report.nodes);
    if info.multipv.is_some_and(|number| number > 1) {
        return;
    }
    if info.score.is_some() && (info.bound == Bound::Exact || report.score.is_none()) {
        report.score = info.score;
        report.depth = info.depth.or(report.depth);
    }
    if !info.pv.is_empty() {
        report.line = info.pv.iter().map_while(|mv| mv.decode(ranks)).collect();
    }
}
