//! Playing one game between two players under a referee.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use chuhe_client::player::{Fault, Player, Turn};
use chuhe_client::time_control::TimeControl;
use chuhe_movegen::{Color, Move};
use chuhe_rules::Game;

use crate::clock::Clock;
use crate::outcome::Outcome;
use crate::played::{GameEnding, Opening, PlayedGame, PlayedMove};
use crate::referee::{GameRules, Referee};

/// How a game is played, beside its rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayOptions {
    /// Whether Red, Black may think on the opponent's time.
    pub ponder: [bool; Color::NUM],
    /// How long to wait for an answer after its time and the margin are over.
    pub grace: Duration,
    /// How long to wait for an answer that no clock limits.
    pub hang: Duration,
}

impl Default for PlayOptions {
    /// No pondering, 5 seconds of grace, a minute for searches by depth or nodes.
    fn default() -> PlayOptions {
        PlayOptions { ponder: [false; Color::NUM], grace: Duration::from_secs(5), hang: Duration::from_secs(60) }
    }
}

/// What happens in a game, for those who watch.
#[derive(Clone, Copy, Debug)]
pub enum GameEvent<'a> {
    /// Both players are ready.
    Begun(&'a Game),
    /// A move was played.
    Moved {
        /// The game, this move included.
        game: &'a Game,
        /// The move.
        played: &'a PlayedMove,
    },
    /// The game is over.
    Ended(&'a GameEnding),
}

/// The game was cancelled before it was over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the game was cancelled")]
pub struct Cancelled;

/// Plays a game; players, times and options are Red's and Black's.
///
/// Whatever a player does ends at worst this game, with the player's loss. One that is not ready at the start has not
/// played (article 21.4); an opening that is already over by the rules gives its result without asking anyone.
///
/// # Errors
/// [`Cancelled`] when `cancel` was set, which is looked at before each move. The players are left as they are: without
/// [`Player::end_game`], perhaps pondering.
pub fn play_game(
    players: [&mut dyn Player; Color::NUM],
    opening: &Opening,
    rules: &GameRules,
    times: [&TimeControl; Color::NUM],
    options: &PlayOptions,
    cancel: &AtomicBool,
    mut observer: impl FnMut(GameEvent<'_>),
) -> Result<PlayedGame, Cancelled> {
    let started = SystemTime::now();
    let begun = Instant::now();
    let mut contest = Contest {
        players,
        referee: Referee::new(rules, opening.game.clone()),
        clocks: times.map(Clock::new),
        times,
        margins: rules.margins,
        options,
    };
    let mut moves = Vec::new();
    let mut minor_faults = Vec::new();
    let ending = match contest.referee.standing() {
        Some(ending) => ending,
        None => {
            let ending = match contest.seat() {
                Some(ending) => ending,
                None => {
                    observer(GameEvent::Begun(contest.referee.game()));
                    loop {
                        if cancel.load(Ordering::Relaxed) {
                            return Err(Cancelled);
                        }
                        let (played, ending) = contest.turn();
                        if let Some(played) = played {
                            observer(GameEvent::Moved { game: contest.referee.game(), played: &played });
                            moves.push(played);
                        }
                        if let Some(ending) = ending {
                            break ending;
                        }
                    }
                }
            };
            minor_faults = contest.rise(ending.outcome);
            ending
        }
    };
    observer(GameEvent::Ended(&ending));
    Ok(PlayedGame {
        game: contest.referee.into_game(),
        opening: opening.name.clone(),
        opening_plies: opening.game.plies().len() - 1,
        moves,
        ending,
        minor_faults,
        started,
        duration: begun.elapsed(),
    })
}

/// Two players, their clocks and the referee.
struct Contest<'a, 'p> {
    players: [&'p mut (dyn Player + 'p); Color::NUM],
    referee: Referee<'a>,
    clocks: [Clock; Color::NUM],
    times: [&'a TimeControl; Color::NUM],
    margins: [Duration; Color::NUM],
    options: &'a PlayOptions,
}

impl Contest<'_, '_> {
    /// Gets both players ready; those who are not have not played.
    fn seat(&mut self) -> Option<GameEnding> {
        let game = self.referee.game();
        let [red, black] = &mut self.players;
        match (red.new_game(game, Color::Red), black.new_game(game, Color::Black)) {
            (Ok(()), Ok(())) => None,
            (Err(fault), Ok(())) => Some(forfeit(Outcome::RedForfeits, Color::Red, fault)),
            (Ok(()), Err(fault)) => Some(forfeit(Outcome::BlackForfeits, Color::Black, fault)),
            (Err(fault), Err(other)) => {
                let mut ending = forfeit(Outcome::BothForfeit, Color::Red, fault);
                ending.reason = format!("{}; {} failed: {other}", ending.reason, Color::Black);
                Some(ending)
            }
        }
    }

    /// Lets the side to move answer.
    fn turn(&mut self) -> (Option<PlayedMove>, Option<GameEnding>) {
        let side = self.referee.game().board().side_to_move();
        let index = side.index();
        let banned = self.referee.banned();
        let turn = self.ask(self.referee.game(), side, &banned, self.referee.draw_offered());
        let left_before = turn.clocks[index].map(|reading| reading.left);
        let answer = match self.players[index].choose(&turn) {
            Ok(answer) => answer,
            Err(fault) => return (None, Some(Referee::fault(side, fault))),
        };
        let spent = self.clocks[index].spend(answer.elapsed);
        let ruling = self.referee.judge(&answer, spent);
        if ruling.ending.is_none()
            && self.options.ponder[index]
            && let Some(reply) = answer.expects
        {
            self.ponder(side, reply);
        }
        let played = ruling.played.map(|mv| PlayedMove {
            mv,
            elapsed: answer.elapsed,
            left_before,
            left_after: self.clocks[index].reading().map(|reading| reading.left),
            overstep: spent.overstep(),
            search: answer.search,
            draw_offer: answer.draw,
        });
        (played, ruling.ending)
    }

    /// Lets a player think about the position after the reply it expects, if there is anything to think about.
    fn ponder(&mut self, side: Color, reply: Move) {
        let mut expected = self.referee.clone();
        if expected.expect(reply) {
            let banned = expected.banned();
            let turn = self.ask(expected.game(), side, &banned, false);
            self.players[side.index()].ponder(&turn);
        }
    }

    /// What a side is asked in a position.
    fn ask<'t>(&self, game: &'t Game, side: Color, banned: &'t [Move], draw_offered: bool) -> Turn<'t> {
        let index = side.index();
        let patience = self.clocks[index].budget().map_or(self.options.hang, |budget| {
            budget.saturating_add(self.margins[index]).saturating_add(self.options.grace)
        });
        Turn {
            game,
            clocks: self.clocks.each_ref().map(Clock::reading),
            limits: self.times[index].limits,
            banned,
            draw_offered,
            patience,
        }
    }

    /// Tells both players that it is over.
    fn rise(&mut self, outcome: Outcome) -> Vec<(Color, Fault)> {
        Color::ALL
            .into_iter()
            .zip(&mut self.players)
            .flat_map(|(side, player)| player.end_game(outcome.told()).into_iter().map(move |fault| (side, fault)))
            .collect()
    }
}

fn forfeit(outcome: Outcome, side: Color, fault: Fault) -> GameEnding {
    GameEnding { outcome, ..Referee::fault(side, fault) }
}
