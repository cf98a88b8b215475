//! A table at which engine processes play.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use chuhe_client::player::{Answer, Fault, FaultKind, GameEnd, Player, Turn};
use chuhe_client::time_control::TimeControl;
use chuhe_client::{Client, Detected, EngineSpec, Launch};
use chuhe_movegen::Color;
use chuhe_records::pgn;
use chuhe_rules::Game;

use super::director::{PlayedOut, Stop, Table};
use super::roster::EngineId;
use super::state::GameJob;
use crate::journal::{GameReport, OpeningName, SideFault, Usage, milliseconds};
use crate::openings::Openings;
use crate::pgn::{Headers, record};
use crate::play::{PlayOptions, play_game};
use crate::played::{Opening, PlayedGame, PlayedMove};
use crate::referee::GameRules;
use crate::systems::GameSlot;

/// An engine that takes part.
#[derive(Clone, Debug)]
pub struct Participant {
    /// What the organiser says about it.
    pub spec: EngineSpec,
    /// What was found out about it.
    pub detected: Detected,
    /// Its time control.
    pub time: TimeControl,
}

/// What all tables of a tournament share.
#[derive(Debug)]
pub struct Hall {
    /// The tournament's name.
    pub event: String,
    /// Where it is played; may be empty.
    pub site: String,
    /// The engines in the order of the list.
    pub engines: Vec<Participant>,
    /// Where games begin.
    pub openings: Openings,
    /// The rules of a game.
    pub rules: GameRules,
    /// How long to wait for answers.
    pub options: PlayOptions,
    /// The folder for what engines write to standard error.
    pub log: Option<PathBuf>,
    /// Set when games are to be given up.
    pub stop: Stop,
}

/// A table with engine processes, which stay for the next game if they play in it too.
pub struct EngineTable {
    hall: Arc<Hall>,
    cores: Vec<usize>,
    /// At most two.
    running: Vec<(EngineId, Client)>,
}

impl EngineTable {
    /// A table whose engines are bound to these cores; none: to any.
    #[must_use]
    pub fn new(hall: Arc<Hall>, cores: Vec<usize>) -> EngineTable {
        EngineTable { hall, cores, running: Vec::new() }
    }

    /// A running process of an engine, or a new one.
    fn seat(&mut self, engine: EngineId) -> Seat {
        let at = self.running.iter().position(|(id, _)| *id == engine);
        let running = at.map(|at| self.running.swap_remove(at).1);
        match running {
            Some(mut client) => {
                if client.is_alive() {
                    Seat::new(client)
                } else {
                    self.start(engine)
                }
            }
            None => self.start(engine),
        }
    }

    fn start(&self, engine: EngineId) -> Seat {
        let Some(Participant { spec, detected, .. }) = self.hall.engines.get(engine.0) else {
            return Seat::Empty(Fault {
                kind: FaultKind::NoStart,
                detail: "there is no such engine".to_owned(),
                dialogue: Vec::new(),
            });
        };
        let log = self.hall.log.as_ref().map(|folder| folder.join(log_name(&spec.name)));
        match Client::start(spec, detected, &Launch { log, cores: self.cores.clone() }) {
            Ok(client) => Seat::new(client),
            Err(fault) => Seat::Empty(fault),
        }
    }

    /// Keeps a process for the next game if it behaved.
    fn keep(&mut self, engine: EngineId, seat: Seat, behaved: bool) {
        if let Seat::Taken { mut client, .. } = seat {
            if !behaved {
                client.kill();
            } else if client.wants_restart() {
                client.quit();
            } else {
                self.running.push((engine, client));
            }
        }
    }
}

impl Drop for EngineTable {
    /// When the tournament is over the engines leave in good order: some write files when they are told to quit.
    fn drop(&mut self) {
        for (_, client) in &mut self.running {
            client.quit();
        }
    }
}

/// One side of a game.
enum Seat {
    /// An engine.
    Taken {
        client: Client,
        /// Processor time it had used before.
        cpu_before: Duration,
        /// Whether it committed a fault.
        faulty: bool,
    },
    /// Nobody: the engine cannot be started.
    Empty(Fault),
}

impl Seat {
    fn new(mut client: Client) -> Seat {
        let cpu_before = client.time_used().cpu;
        Seat::Taken { client, cpu_before, faulty: false }
    }

    fn cpu_used(&mut self) -> Option<Duration> {
        match self {
            Seat::Taken { client, cpu_before, .. } => client.time_used().cpu.checked_sub(*cpu_before),
            Seat::Empty(_) => None,
        }
    }

    fn is_faulty(&self) -> bool {
        matches!(self, Seat::Taken { faulty: true, .. })
    }
}

impl Player for Seat {
    fn new_game(&mut self, game: &Game, side: Color) -> Result<(), Fault> {
        match self {
            Seat::Taken { client, faulty, .. } => client.new_game(game, side).inspect_err(|_| *faulty = true),
            Seat::Empty(fault) => Err(fault.clone()),
        }
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault> {
        match self {
            Seat::Taken { client, faulty, .. } => client.choose(turn).inspect_err(|_| *faulty = true),
            Seat::Empty(fault) => Err(fault.clone()),
        }
    }

    fn ponder(&mut self, turn: &Turn<'_>) {
        if let Seat::Taken { client, .. } = self {
            client.ponder(turn);
        }
    }

    fn end_game(&mut self, end: GameEnd) -> Vec<Fault> {
        match self {
            Seat::Taken { client, faulty, .. } => {
                let faults = client.end_game(end);
                *faulty |= !faults.is_empty();
                faults
            }
            Seat::Empty(_) => Vec::new(),
        }
    }
}

impl Table for EngineTable {
    fn play(&mut self, job: &GameJob) -> Option<PlayedOut> {
        // Whoever does not play is sent away first, so that its memory and threads are free.
        for (engine, mut client) in std::mem::take(&mut self.running) {
            if engine == job.red || engine == job.black {
                self.running.push((engine, client));
            } else {
                client.quit();
            }
        }
        let mut red = self.seat(job.red);
        let mut black = self.seat(job.black);
        let hall = Arc::clone(&self.hall);
        let opening = hall.openings.opening(job.opening);
        let times = [job.red, job.black].map(|engine| hall.engines.get(engine.0).map(|engine| &engine.time));
        let nothing = TimeControl::default();
        let times = times.map(|time| time.unwrap_or(&nothing));
        let ponder = [job.red, job.black]
            .map(|engine| hall.engines.get(engine.0).is_some_and(|engine| engine.spec.ponder == Some(true)));
        let options = PlayOptions { ponder, ..hall.options };
        let rules = GameRules { margins: [job.red, job.black].map(|engine| hall.margin(engine)), ..hall.rules.clone() };
        let played = play_game([&mut red, &mut black], &opening, &rules, times, &options, hall.stop.flag(), |_| ());
        let Ok(played) = played else {
            for seat in [red, black] {
                if let Seat::Taken { mut client, .. } = seat {
                    client.kill();
                }
            }
            return None;
        };
        let cpu = [red.cpu_used(), black.cpu_used()];
        let report = report(&played, &opening, job.opening, cpu);
        let headers = Headers {
            event: &hall.event,
            site: &hall.site,
            round: &round_name(&job.slot),
            players: [job.red, job.black].map(|engine| hall.name(engine)),
            ratings: [None; Color::NUM],
            times,
            repetition: &rules.repetition,
        };
        let text = pgn::to_string(&record(&played, &headers));
        // Losers by time, by illegal moves and the like may be in any state.
        let failed = played.ending.termination.is_failure();
        let lost = |side| failed && played.ending.outcome.points(side) == crate::Points::ZERO;
        let behaved = [(Color::Red, &red), (Color::Black, &black)].map(|(side, seat)| !seat.is_faulty() && !lost(side));
        self.keep(job.red, red, behaved[0]);
        self.keep(job.black, black, behaved[1]);
        Some(PlayedOut { report, pgn: text })
    }
}

impl Hall {
    fn name(&self, engine: EngineId) -> &str {
        self.engines.get(engine.0).map_or("?", |engine| &engine.spec.name)
    }

    fn margin(&self, engine: EngineId) -> Duration {
        let own = self.engines.get(engine.0).and_then(|engine| engine.spec.margin);
        own.unwrap_or(self.rules.margins[0])
    }
}

/// The file in the log folder for an engine of this name.
fn log_name(engine: &str) -> String {
    let safe = |c: char| if c.is_alphanumeric() || "-_.+ ".contains(c) { c } else { '_' };
    format!("{}.log", engine.chars().map(safe).collect::<String>())
}

/// The round of a game as PGN has it: round, table, and board and game where there are more.
fn round_name(slot: &GameSlot) -> String {
    let GameSlot { encounter, board, game } = slot;
    format!("{}.{}.{}.{board}.{game}", encounter.stage, encounter.round, encounter.table)
}

fn report(played: &PlayedGame, opening: &Opening, index: u64, cpu: [Option<Duration>; Color::NUM]) -> GameReport {
    let first = played.game.start().side_to_move();
    let mover = |index: usize| {
        let ply = played.opening_plies + index;
        if ply.is_multiple_of(2) { first } else { !first }
    };
    let mut usage = cpu.map(|cpu| Usage { cpu_s: cpu.map(|cpu| cpu.as_secs_f64()), ..Usage::default() });
    for (i, mv) in played.moves.iter().enumerate() {
        count(&mut usage[mover(i).index()], mv);
    }
    // A move that was too late stands on no board; its mover is the one who lost.
    let fault = played.ending.fault.clone().map(|fault| {
        let lost =
            if played.ending.outcome.points(Color::Red) == crate::Points::ZERO { Color::Red } else { Color::Black };
        SideFault { side: lost, fault }
    });
    GameReport {
        outcome: played.ending.outcome,
        termination: played.ending.termination,
        reason: played.ending.reason.clone(),
        opening: OpeningName { index, name: opening.name.clone() },
        plies: (played.game.plies().len() - 1) as u32,
        started: milliseconds(played.started),
        duration_ms: played.duration.as_millis() as u64,
        fouls: [0, 0],
        usage,
        fault,
        minor_faults: played
            .minor_faults
            .iter()
            .map(|(side, fault)| SideFault { side: *side, fault: fault.clone() })
            .collect(),
    }
}

fn count(usage: &mut Usage, mv: &PlayedMove) {
    let time_ms = mv.elapsed.as_secs_f64() * 1e3;
    usage.moves += 1;
    usage.time_ms += time_ms;
    if let Some(depth) = mv.search.depth {
        usage.depths[0] += 1;
        usage.depths[1] += u64::from(depth);
    }
    if let Some(nodes) = mv.search.nodes {
        usage.nodes += nodes;
        usage.nodes_time_ms += time_ms;
    }
    if !mv.overstep.is_zero() {
        usage.oversteps += 1;
        usage.overstep_max_ms = usage.overstep_max_ms.max(mv.overstep.as_secs_f64() * 1e3);
    }
}
