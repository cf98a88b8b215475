//! A tournament as a function of its journal.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use chuhe_movegen::Color;

use super::course::Course;
use super::roster::{EngineId, Roster};
use super::scores::{Conduct, Meetings, SequentialTest};
use crate::journal::{Act, Announcement, Event, FinishedGame, OrganiserAct, Span};
use crate::outcome::Outcome;
use crate::played::Termination;
use crate::stats::{Sprt, Verdict};
use crate::systems::{EntrantId, GameRecord, GameSlot, History, Next, SystemError, Withdrawal};

/// A game to be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameJob {
    /// Its place in the tournament.
    pub slot: GameSlot,
    /// Who has Red.
    pub red: EngineId,
    /// Who has Black.
    pub black: EngineId,
    /// The number of its opening.
    pub opening: u64,
}

/// What to do next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// Write this down and apply it, then ask again.
    Announce(Announcement),
    /// Play this game.
    Play(GameJob),
    /// Wait for a game in progress.
    Wait,
    /// Nothing is left to be played.
    Finished,
}

/// An event that cannot be one of this tournament.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TournamentError {
    /// The systems refuse it.
    #[error(transparent)]
    System(#[from] SystemError),
    /// The course is made for another number of entrants.
    #[error("{found} entrants: expected {expected}")]
    Entrants {
        /// How many there are.
        found: usize,
        /// How many the course has.
        expected: usize,
    },
    /// A game of players that do not take part.
    #[error("a game between {red} and {black} on board {board}: expected entrants and boards of this tournament")]
    UnknownPlayers {
        /// Who has Red.
        red: EntrantId,
        /// Who has Black.
        black: EntrantId,
        /// The board.
        board: u16,
    },
    /// A game out of order.
    #[error("game {found} in the journal: expected game {expected}")]
    GameNumber {
        /// Its number.
        found: u32,
        /// The next one.
        expected: u32,
    },
    /// A second result.
    #[error("game {0} has a result already")]
    SecondResult(u32),
    /// The organiser's decision cannot be carried out.
    #[error(transparent)]
    Act(#[from] ActError),
}

/// A decision that cannot be carried out.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ActError {
    /// There is no such game.
    #[error("there is no game {game}: expected a number from 1 to {games}")]
    NoSuchGame {
        /// The number.
        game: u32,
        /// The last number.
        games: u32,
    },
    /// The game's result is void already.
    #[error("game {0} is to be played again: expected a game whose result counts")]
    Void(u32),
    /// A player of the game has left.
    #[error("game {game} cannot be played again: {entrant} has withdrawn; its result can be corrected")]
    PlayerGone {
        /// The game.
        game: u32,
        /// Who.
        entrant: String,
    },
    /// Who is not a player of the game.
    #[error("{entrant} does not play game {game}")]
    NotAPlayer {
        /// Who.
        entrant: String,
        /// The game.
        game: u32,
    },
    /// Nobody of that number.
    #[error("there is no entrant {0}")]
    NoSuchEntrant(EntrantId),
    /// Nothing to forfeit.
    #[error("{entrant} has no game left to play in round {round}: expected a round that is announced")]
    NothingLeft {
        /// Who.
        entrant: String,
        /// The round.
        round: u16,
    },
    /// Left before.
    #[error("{0} has withdrawn already")]
    Withdrawn(String),
}

/// A game that was played, as far as it must be remembered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayedEntry {
    /// Its place in the tournament.
    pub slot: GameSlot,
    /// Where it stands in the PGN file.
    pub pgn: Option<Span>,
    /// Whether its result counts; `false` when it is to be played again.
    pub counts: bool,
}

/// A tournament: all that has happened, and what comes next.
///
/// It changes by [`apply`](Tournament::apply) alone, with the events of the journal, so that a run that goes on from a
/// journal stands where the last one stood.
#[derive(Debug)]
pub struct Tournament {
    roster: Roster,
    course: Course,
    test: Option<SequentialTest>,
    history: History,
    played: Vec<PlayedEntry>,
    /// Where in the history the result of a game is.
    results_at: BTreeMap<GameSlot, usize>,
    meetings: Meetings,
    conduct: Vec<Conduct>,
    terminations: BTreeMap<Termination, u64>,
    /// Decisions that had been left for a run.
    left_acts: Vec<OrganiserAct>,
    in_progress: BTreeSet<GameSlot>,
    /// Games that may be started, in order.
    queue: VecDeque<GameSlot>,
    /// Games of a match that were put into the queue.
    queued: u32,
    /// Whether something happened since the system was last asked.
    stale: bool,
}

impl Tournament {
    /// A tournament of which nothing has been played.
    ///
    /// # Errors
    /// When the course is made for another number of entrants.
    pub fn new(roster: Roster, course: Course, sprt: Option<Sprt>) -> Result<Tournament, TournamentError> {
        if course.entrants() != roster.entrants().len() {
            return Err(TournamentError::Entrants { found: roster.entrants().len(), expected: course.entrants() });
        }
        Ok(Tournament {
            conduct: vec![Conduct::default(); roster.engines().len()],
            roster,
            course,
            test: sprt.map(SequentialTest::new),
            history: History::default(),
            played: Vec::new(),
            results_at: BTreeMap::new(),
            meetings: Meetings::default(),
            terminations: BTreeMap::new(),
            left_acts: Vec::new(),
            in_progress: BTreeSet::new(),
            queue: VecDeque::new(),
            queued: 0,
            stale: true,
        })
    }

    /// Who takes part.
    #[must_use]
    pub fn roster(&self) -> &Roster {
        &self.roster
    }

    /// The way it runs.
    #[must_use]
    pub fn course(&self) -> &Course {
        &self.course
    }

    /// Its sequential test.
    #[must_use]
    pub fn test(&self) -> Option<&SequentialTest> {
        self.test.as_ref()
    }

    /// What the systems know of it.
    #[must_use]
    pub fn history(&self) -> &History {
        &self.history
    }

    /// How engines did against each other.
    #[must_use]
    pub fn meetings(&self) -> &Meetings {
        &self.meetings
    }

    /// What an engine did.
    #[must_use]
    pub fn conduct(&self) -> &[Conduct] {
        &self.conduct
    }

    /// How often games ended for each reason.
    #[must_use]
    pub fn terminations(&self) -> &BTreeMap<Termination, u64> {
        &self.terminations
    }

    /// The games in the order of their numbers.
    #[must_use]
    pub fn played(&self) -> &[PlayedEntry] {
        &self.played
    }

    /// The number of the next game to end.
    #[must_use]
    pub fn next_number(&self) -> u32 {
        self.played.len() as u32 + 1
    }

    /// The result of a game as it stands now, corrections included.
    #[must_use]
    pub fn result(&self, slot: &GameSlot) -> Option<&GameRecord> {
        self.results_at.get(slot).and_then(|&i| self.history.games.get(i))
    }

    /// Games to be played in all, as far as they are known.
    #[must_use]
    pub fn games_known(&self) -> u64 {
        match &self.course {
            Course::Match { games } => u64::from(*games),
            Course::System { .. } => (self.history.games.len() + self.in_progress.len() + self.queue.len()) as u64,
        }
    }

    /// What comes next. A game given out counts as in progress until it is finished or abandoned.
    ///
    /// # Errors
    /// When the history is not one of this tournament.
    pub fn step(&mut self) -> Result<Step, TournamentError> {
        if self.test.as_ref().is_some_and(|test| test.decided().is_some()) {
            return Ok(self.idle());
        }
        if let Course::Match { games } = self.course {
            self.queue_match(games);
        } else if self.queue.is_empty() && self.stale {
            match self.ask()? {
                None => return Ok(self.idle()),
                Some(news) if !news.is_empty() => return Ok(Step::Announce(news)),
                Some(_) => {}
            }
        }
        while let Some(slot) = self.queue.pop_front() {
            if self.results_at.contains_key(&slot) || self.in_progress.contains(&slot) {
                continue;
            }
            let (red, black) = self.players(&slot)?;
            self.in_progress.insert(slot);
            return Ok(Step::Play(GameJob { slot, red, black, opening: self.course.opening(&slot) }));
        }
        Ok(self.idle())
    }

    fn idle(&self) -> Step {
        if self.in_progress.is_empty() { Step::Finished } else { Step::Wait }
    }

    /// Puts the next game of a match into the queue; no list of all games is ever made.
    fn queue_match(&mut self, games: u32) {
        if !self.history.withdrawals.is_empty() {
            self.queue.clear();
            self.queued = games;
        }
        while self.queue.is_empty() && self.queued < games {
            let slot = Course::match_slot(self.queued);
            self.queued += 1;
            if !self.results_at.contains_key(&slot) && !self.in_progress.contains(&slot) {
                self.queue.push_back(slot);
            }
        }
    }

    /// Asks the system for games; what it announces, or `None` when it has none.
    fn ask(&mut self) -> Result<Option<Announcement>, TournamentError> {
        let Course::System { system, .. } = &self.course else { return Ok(None) };
        let Next::Play(plan) = system.next(&self.history)? else {
            self.stale = false;
            return Ok(None);
        };
        let mut after = self.history.clone();
        after.announce(&plan);
        let news = Announcement {
            encounters: after.encounters.split_off(self.history.encounters.len()),
            byes: after.byes.split_off(self.history.byes.len()),
            qualified: if self.history.qualified.is_empty() { after.qualified } else { Vec::new() },
        };
        if news.is_empty() {
            self.stale = false;
            self.queue = plan.games.into();
        }
        Ok(Some(news))
    }

    fn players(&self, slot: &GameSlot) -> Result<(EngineId, EngineId), TournamentError> {
        let player = |color| self.roster.player(slot, color);
        player(Color::Red).zip(player(Color::Black)).ok_or(TournamentError::UnknownPlayers {
            red: slot.red(),
            black: slot.black(),
            board: slot.board,
        })
    }

    /// Whether nothing is left to be played.
    ///
    /// # Errors
    /// When the history is not one of this tournament.
    pub fn is_over(&mut self) -> Result<bool, TournamentError> {
        let step = self.step()?;
        if let Step::Play(job) = &step {
            self.abandon(&job.slot);
        }
        Ok(step == Step::Finished)
    }

    /// Whether it is known who meets whom: from then on nothing is drawn anew.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        !(self.history.encounters.is_empty() && self.history.games.is_empty())
    }

    /// A game in progress will not be finished; it may be given out again.
    pub fn abandon(&mut self, slot: &GameSlot) {
        if self.in_progress.remove(slot) {
            self.ask_again();
        }
    }

    /// Whether the result of a game in progress is wanted no more: it was decided otherwise, or a player has left.
    #[must_use]
    pub fn is_decided(&self, slot: &GameSlot) -> bool {
        self.results_at.contains_key(slot)
            || [slot.red(), slot.black()].into_iter().any(|entrant| self.history.has_withdrawn(entrant))
    }

    fn ask_again(&mut self) {
        self.queue.clear();
        self.queued = 0;
        self.stale = true;
    }

    /// Takes an event of the journal into account.
    ///
    /// # Errors
    /// When it cannot be one of this tournament; nothing is changed then.
    pub fn apply(&mut self, event: &Event) -> Result<(), TournamentError> {
        match event {
            Event::Begin(_) | Event::Resume | Event::End => {}
            Event::Announce(news) => {
                self.history.encounters.extend_from_slice(&news.encounters);
                self.history.byes.extend_from_slice(&news.byes);
                if !news.qualified.is_empty() {
                    self.history.qualified.clone_from(&news.qualified);
                }
                self.stale = true;
            }
            Event::Game(game) => self.finish(game)?,
            Event::Act(act) => {
                self.decide(&act.act)?;
                self.left_acts.extend(act.left_at.is_some().then(|| act.clone()));
            }
        }
        Ok(())
    }

    fn finish(&mut self, game: &FinishedGame) -> Result<(), TournamentError> {
        let expected = self.next_number();
        if game.number != expected {
            return Err(TournamentError::GameNumber { found: game.number, expected });
        }
        if self.results_at.contains_key(&game.slot) {
            return Err(TournamentError::SecondResult(game.number));
        }
        let (red, black) = self.players(&game.slot)?;
        self.in_progress.remove(&game.slot);
        self.played.push(PlayedEntry { slot: game.slot, pgn: game.pgn, counts: true });
        self.record(game.record());
        for (engine, side) in [(red, Color::Red), (black, Color::Black)] {
            if let Some(conduct) = self.conduct.get_mut(engine.0) {
                conduct.add(game, side);
            }
        }
        *self.terminations.entry(game.report.termination).or_default() += 1;
        Ok(())
    }

    fn record(&mut self, record: GameRecord) {
        self.results_at.insert(record.slot, self.history.games.len());
        self.history.games.push(record);
        self.count(&record);
        self.stale = true;
    }

    fn count(&mut self, record: &GameRecord) {
        let Ok((red, black)) = self.players(&record.slot) else { return };
        self.meetings.add(red, black, self.course.opening(&record.slot), record.outcome);
        if let Some(test) = &mut self.test
            && let Some(tally) = self.meetings.tallies().values().next()
        {
            test.look(tally);
        }
    }

    /// Whether a decision can be carried out.
    ///
    /// # Errors
    /// Why not.
    pub fn check(&self, act: &Act) -> Result<(), ActError> {
        match *act {
            Act::Correct { game, .. } => self.counting(game).map(|_| ()),
            Act::Replay { game } => {
                let slot = self.counting(game)?;
                match [slot.red(), slot.black()].into_iter().find(|entrant| self.history.has_withdrawn(*entrant)) {
                    Some(entrant) => Err(ActError::PlayerGone { game, entrant: self.roster.name(entrant) }),
                    None => Ok(()),
                }
            }
            Act::ForfeitGame { game, entrant } => {
                let slot = self.counting(game)?;
                if slot.encounter.has(entrant) {
                    Ok(())
                } else {
                    Err(ActError::NotAPlayer { entrant: self.roster.name(entrant), game })
                }
            }
            Act::ForfeitRound { stage, round, entrant } => {
                self.check_entrant(entrant)?;
                if self.unplayed(stage, round, entrant).is_empty() {
                    return Err(ActError::NothingLeft { entrant: self.roster.name(entrant), round });
                }
                Ok(())
            }
            Act::Withdraw { entrant, .. } => {
                self.check_entrant(entrant)?;
                if self.history.withdrawals.iter().any(|withdrawal| withdrawal.entrant == entrant) {
                    return Err(ActError::Withdrawn(self.roster.name(entrant)));
                }
                Ok(())
            }
        }
    }

    /// Whether a decision that was left for a run has been carried out: it is found again when the run that did it ended
    /// before it could say so.
    #[must_use]
    pub fn has_carried_out(&self, act: &OrganiserAct) -> bool {
        self.left_acts.contains(act)
    }

    fn check_entrant(&self, entrant: EntrantId) -> Result<(), ActError> {
        match entrant.index() {
            Some(i) if i < self.roster.entrants().len() => Ok(()),
            _ => Err(ActError::NoSuchEntrant(entrant)),
        }
    }

    /// The place of a game whose result counts.
    fn counting(&self, game: u32) -> Result<GameSlot, ActError> {
        let games = self.played.len() as u32;
        match game.checked_sub(1).and_then(|i| self.played.get(i as usize)) {
            None => Err(ActError::NoSuchGame { game, games }),
            Some(entry) if !entry.counts => Err(ActError::Void(game)),
            Some(entry) => Ok(entry.slot),
        }
    }

    /// Games of an entrant in a round that is announced which have no result.
    fn unplayed(&self, stage: u16, round: u16, entrant: EntrantId) -> Vec<GameSlot> {
        let Course::System { format, .. } = &self.course else { return Vec::new() };
        self.history
            .encounters
            .iter()
            .filter(|encounter| encounter.stage == stage && encounter.round == round && encounter.has(entrant))
            .flat_map(|&encounter| format.slots(encounter))
            .filter(|slot| !self.results_at.contains_key(slot))
            .collect()
    }

    fn decide(&mut self, act: &Act) -> Result<(), ActError> {
        self.check(act)?;
        match *act {
            Act::Correct { game, outcome } => {
                let slot = self.counting(game)?;
                self.change(&slot, outcome);
            }
            Act::ForfeitGame { game, entrant } => {
                let slot = self.counting(game)?;
                self.change(&slot, forfeit(&slot, entrant));
            }
            Act::ForfeitRound { stage, round, entrant } => {
                for slot in self.unplayed(stage, round, entrant) {
                    self.record(GameRecord { slot, outcome: forfeit(&slot, entrant), fouls: [0, 0] });
                }
            }
            Act::Withdraw { entrant, before_start } => {
                // The tournament may have begun since the decision was written.
                let before_start = before_start && !self.has_begun();
                self.history.withdrawals.push(Withdrawal { entrant, before_start });
            }
            Act::Replay { game } => {
                let slot = self.counting(game)?;
                if let Some(entry) = self.played.get_mut(game as usize - 1) {
                    entry.counts = false;
                }
                self.history.games.retain(|record| record.slot != slot);
                self.recount();
            }
        }
        self.ask_again();
        Ok(())
    }

    fn change(&mut self, slot: &GameSlot, outcome: Outcome) {
        if let Some(record) = self.results_at.get(slot).and_then(|&i| self.history.games.get_mut(i)) {
            record.outcome = outcome;
        }
        self.recount();
    }

    /// Counts all results anew, in the order in which they came.
    fn recount(&mut self) {
        self.meetings = Meetings::default();
        self.results_at.clear();
        if let Some(test) = &mut self.test {
            test.forget();
        }
        for (i, record) in self.history.games.clone().iter().enumerate() {
            self.results_at.insert(record.slot, i);
            self.count(record);
        }
    }

    /// What the sequential test decided.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        self.test.as_ref().and_then(SequentialTest::decided)
    }
}

fn forfeit(slot: &GameSlot, entrant: EntrantId) -> Outcome {
    if slot.red() == entrant { Outcome::RedForfeits } else { Outcome::BlackForfeits }
}
