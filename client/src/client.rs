//! A running engine that plays, whatever it speaks.

use std::time::Duration;

use chuhe_movegen::Color;
use chuhe_protocol::Dialect;
use chuhe_rules::Game;

use crate::player::{Answer, Fault, GameEnd, Player, Turn};
use crate::process::Launch;
use crate::session::{READY_PATIENCE, Session};
use crate::study::Study;
use crate::time_control::SearchLimits;
use crate::universal::{Habits, UniversalClient};
use crate::xboard::XboardClient;
use crate::{Detected, EngineSpec, Protocol};

/// A running engine. Dropping it kills the process.
pub struct Client {
    speaker: Speaker,
    restarts: bool,
}

/// An engine by what it speaks.
enum Speaker {
    Universal(Box<UniversalClient>),
    Xboard(Box<XboardClient>),
}

/// What an engine has used since it was ready.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TimeUsed {
    /// CPU time of all its threads. Children of a wrapper script are not counted.
    pub cpu: Duration,
    /// Time it was given to think, on its own clock.
    pub thinking: Duration,
}

impl Client {
    /// Starts an engine of which everything is known.
    ///
    /// # Errors
    /// [`Fault`]: it does not start, does not introduce itself within 10 seconds, or cannot play xiangqi.
    pub fn start(spec: &EngineSpec, detected: &Detected, launch: &Launch) -> Result<Client, Fault> {
        let universal = |dialect| {
            let habits = Habits { ranks: detected.ranks, letters: detected.letters };
            UniversalClient::start(spec, dialect, habits, launch, READY_PATIENCE)
                .map(|(client, _)| Speaker::Universal(Box::new(client)))
        };
        let speaker = match detected.protocol {
            Protocol::Ucci => universal(Dialect::Ucci)?,
            Protocol::Uci => universal(Dialect::Uci)?,
            Protocol::Xboard => XboardClient::start(spec, detected.letters, launch, READY_PATIENCE)
                .map(|client| Speaker::Xboard(Box::new(client)))?,
        };
        let plays_one_game = match &speaker {
            Speaker::Universal(_) => false,
            Speaker::Xboard(client) => client.plays_one_game(),
        };
        Ok(Client { speaker, restarts: spec.restart == Some(true) || plays_one_game })
    }

    fn session(&mut self) -> &mut Session {
        match &mut self.speaker {
            Speaker::Universal(client) => client.session(),
            Speaker::Xboard(client) => client.session(),
        }
    }

    fn player(&mut self) -> &mut dyn Player {
        match &mut self.speaker {
            Speaker::Universal(client) => client.as_mut(),
            Speaker::Xboard(client) => client.as_mut(),
        }
    }

    /// Searches the current position of a game that the engine need not have played. [`Player::new_game`] makes it forget
    /// earlier games. `limits` must be such as the protocol has words for ([`Detected::check_time_control`]).
    ///
    /// # Errors
    /// [`Fault`]: the engine has to be started again.
    pub fn study(&mut self, game: &Game, limits: SearchLimits, patience: Duration) -> Result<Study, Fault> {
        let turn = Turn { game, clocks: [None; 2], limits, banned: &[], draw_offered: false, patience };
        match &mut self.speaker {
            Speaker::Universal(client) => client.study(&turn),
            // It keeps the game itself, its own answer included, so that it must be told each position anew.
            Speaker::Xboard(client) => {
                client.new_game(game, game.board().side_to_move())?;
                client.choose(&turn).map(|answer| Study::of_search(&answer.decision, answer.search))
            }
        }
    }

    /// Whether the process runs.
    pub fn is_alive(&mut self) -> bool {
        self.session().is_alive()
    }

    /// Whether the next game needs a fresh process: the organiser wants it so, or the engine (`reuse=0`).
    #[must_use]
    pub const fn wants_restart(&self) -> bool {
        self.restarts
    }

    /// Says goodbye, waits up to a second, and kills the engine if it does not leave.
    pub fn quit(&mut self) {
        self.session().quit();
    }

    /// Ends the process at once.
    pub fn kill(&mut self) {
        self.session().kill();
    }

    /// What it has used; also after it has been ended by [`Client::quit`] or [`Client::kill`].
    pub fn time_used(&mut self) -> TimeUsed {
        let (cpu, thinking) = self.session().time_used();
        TimeUsed { cpu, thinking }
    }
}

impl Player for Client {
    fn new_game(&mut self, game: &Game, side: Color) -> Result<(), Fault> {
        self.player().new_game(game, side)
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault> {
        self.player().choose(turn)
    }

    fn ponder(&mut self, turn: &Turn<'_>) {
        self.player().ponder(turn);
    }

    fn end_game(&mut self, end: GameEnd) -> Vec<Fault> {
        self.player().end_game(end)
    }
}
