//! The results of a stage, checked and completed by what withdrawals decide.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use chuhe_movegen::Color;

use super::{Bye, Encounter, EntrantId, Format, GameSlot, History, SystemError};
use crate::outcome::{Outcome, Points};

/// What becomes of the results of an entrant who leaves.
#[derive(Copy, Clone, PartialEq, Eq)]
enum OnWithdrawal {
    /// Round robin (article 20.3): annulled when fewer than half of the opponents were met, kept otherwise.
    AnnulFewerThanHalf,
    /// Swiss (article 20.4) and knock-out: kept.
    Keep,
}

/// One game with its result.
#[derive(Copy, Clone, Debug)]
pub(super) struct Game {
    pub(super) slot: GameSlot,
    pub(super) outcome: Outcome,
    pub(super) fouls: [u16; 2],
    /// Not recorded, but lost by whoever had left.
    pub(super) by_withdrawal: bool,
}

impl Game {
    /// The colour of an entrant who plays it.
    pub(super) fn color_of(&self, entrant: EntrantId) -> Color {
        if self.slot.red() == entrant { Color::Red } else { Color::Black }
    }
}

/// An encounter with the results it has.
#[derive(Clone, Debug)]
pub(super) struct Meeting {
    pub(super) encounter: Encounter,
    /// In the order of play.
    pub(super) games: Vec<Game>,
    /// Whether every game of the format has a result.
    pub(super) complete: bool,
    /// Struck from the table (article 20.3).
    pub(super) annulled: bool,
}

impl Meeting {
    pub(super) fn opponent(&self, entrant: EntrantId) -> EntrantId {
        if self.encounter.first == entrant { self.encounter.second } else { self.encounter.first }
    }

    /// Points on the boards (局分).
    pub(super) fn points(&self, entrant: EntrantId) -> Points {
        self.games.iter().map(|game| game.outcome.points(game.color_of(entrant))).sum()
    }

    /// Match points of a team match (场分, article 14.2): 2 to the team with more board points, 1 each when equal; none
    /// before it is over, none to teams that both stayed away.
    pub(super) fn match_points(&self, entrant: EntrantId) -> u32 {
        let (own, other) = (self.points(entrant), self.points(self.opponent(entrant)));
        match own.cmp(&other) {
            _ if !self.complete || own + other == Points::ZERO => 0,
            std::cmp::Ordering::Less => 0,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Greater => 2,
        }
    }

    pub(super) fn has_result(&self, slot: &GameSlot) -> bool {
        self.games.binary_search_by_key(&(slot.game, slot.board), |game| (game.slot.game, game.slot.board)).is_ok()
    }

    pub(super) fn was_played(&self) -> bool {
        self.games.iter().any(|game| game.outcome.is_played())
    }
}

/// All encounters of a stage.
#[derive(Clone, Debug)]
pub(super) struct Ledger {
    pub(super) entrants: usize,
    pub(super) format: Format,
    pub(super) meetings: Vec<Meeting>,
    pub(super) byes: Vec<Bye>,
    /// Entrants whose results were struck, and those who never started.
    pub(super) unranked: Vec<EntrantId>,
}

/// How to read a history.
struct Reading<'a> {
    entrants: usize,
    format: Format,
    stage: u16,
    /// All encounters that can have results.
    encounters: &'a [Encounter],
    on_withdrawal: OnWithdrawal,
    /// Games that may follow those of the format on each board.
    extra_games: u16,
}

impl Ledger {
    /// Of a system whose encounters are all known beforehand: the results of who leaves early are struck.
    pub(super) fn of_schedule(
        entrants: usize,
        format: Format,
        encounters: &[Encounter],
        history: &History,
    ) -> Result<Ledger, SystemError> {
        let on_withdrawal = OnWithdrawal::AnnulFewerThanHalf;
        Ledger::read(&Reading { entrants, format, stage: 1, encounters, on_withdrawal, extra_games: 0 }, history)
    }

    /// Of a system that announces its encounters one after the other: results stand.
    pub(super) fn of_announced(
        entrants: usize,
        format: Format,
        extra_games: u16,
        history: &History,
    ) -> Result<Ledger, SystemError> {
        let encounters = &announced(entrants, 1, history)?;
        let on_withdrawal = OnWithdrawal::Keep;
        Ledger::read(&Reading { entrants, format, stage: 1, encounters, on_withdrawal, extra_games }, history)
    }

    fn read(reading: &Reading<'_>, history: &History) -> Result<Ledger, SystemError> {
        let Reading { entrants, format, stage, encounters, .. } = *reading;
        for withdrawal in &history.withdrawals {
            check_entrant(withdrawal.entrant, entrants, "a withdrawal")?;
        }
        for bye in &history.byes {
            check_entrant(bye.entrant, entrants, "a bye")?;
        }
        let mut results = results_by_encounter(reading, history)?;
        let mut ledger = Ledger {
            entrants,
            format,
            meetings: Vec::new(),
            byes: history.byes.iter().copied().filter(|bye| bye.stage == stage).collect(),
            unranked: Vec::new(),
        };
        for &encounter in encounters {
            let mut games = results.remove(&encounter.key()).unwrap_or_default();
            // Games not played are lost by whoever left (articles 20.3 and 20.4).
            let forfeit =
                |slot: GameSlot| match (history.has_withdrawn(slot.red()), history.has_withdrawn(slot.black())) {
                    (true, true) => Some(Outcome::BothForfeit),
                    (true, false) => Some(Outcome::RedForfeits),
                    (false, true) => Some(Outcome::BlackForfeits),
                    (false, false) => None,
                };
            for slot in format.slots(encounter) {
                if let Entry::Vacant(place) = games.entry((slot.game, slot.board))
                    && let Some(outcome) = forfeit(slot)
                {
                    place.insert(Game { slot, outcome, fouls: [0, 0], by_withdrawal: true });
                }
            }
            let games: Vec<Game> = games.into_values().collect();
            let complete = games.iter().filter(|game| game.slot.game <= format.games).count()
                == format.games_per_encounter() as usize;
            ledger.meetings.push(Meeting { encounter, games, complete, annulled: false });
        }
        for entrant in history.withdrawals.iter().map(|withdrawal| withdrawal.entrant) {
            if history.left_before_start(entrant) || ledger.must_annul(entrant, reading, history) {
                ledger.unranked.push(entrant);
            }
        }
        for meeting in &mut ledger.meetings {
            meeting.annulled = ledger.unranked.iter().any(|entrant| meeting.encounter.has(*entrant));
        }
        Ok(ledger)
    }

    /// Article 20.3: whether fewer than half of the opponents were met. In a double round robin each of two encounters
    /// with an opponent counts for itself.
    fn must_annul(&self, entrant: EntrantId, reading: &Reading<'_>, history: &History) -> bool {
        if reading.on_withdrawal == OnWithdrawal::Keep {
            return false;
        }
        let mut all = 0;
        let mut met = 0;
        for meeting in self.meetings.iter().filter(|meeting| meeting.encounter.has(entrant)) {
            all += 1;
            let recorded = history.games.iter().filter(|game| game.slot.encounter == meeting.encounter).count();
            met += usize::from(recorded >= self.format.games_per_encounter() as usize);
        }
        2 * met < all
    }

    pub(super) fn meeting(&self, key: (u16, u16, u16)) -> Option<&Meeting> {
        self.meetings.iter().find(|meeting| meeting.encounter.key() == key)
    }

    pub(super) fn meetings_of(&self, entrant: EntrantId) -> impl Iterator<Item = &Meeting> {
        self.meetings.iter().filter(move |meeting| meeting.encounter.has(entrant) && !meeting.annulled)
    }

    /// Games of the format without a result, in order.
    pub(super) fn open_games(&self) -> impl Iterator<Item = GameSlot> {
        self.meetings
            .iter()
            .filter(|meeting| !meeting.complete && !meeting.annulled)
            .flat_map(|meeting| self.format.slots(meeting.encounter).filter(|slot| !meeting.has_result(slot)))
    }
}

/// Stage, round and table.
type Key = (u16, u16, u16);

/// Games by number and board, the order of play.
type Games = BTreeMap<(u16, u16), Game>;

fn results_by_encounter(reading: &Reading<'_>, history: &History) -> Result<BTreeMap<Key, Games>, SystemError> {
    let known: BTreeMap<Key, Encounter> =
        reading.encounters.iter().map(|encounter| (encounter.key(), *encounter)).collect();
    let mut results: BTreeMap<Key, Games> = BTreeMap::new();
    for record in history.games.iter().filter(|record| record.slot.encounter.stage == reading.stage) {
        let GameSlot { encounter, board, game } = record.slot;
        if known.get(&encounter.key()) != Some(&encounter) {
            return Err(SystemError::UnknownEncounter { encounter });
        }
        let (boards, games) = (reading.format.boards, reading.format.games.saturating_add(reading.extra_games));
        if !(1..=boards).contains(&board) || !(1..=games).contains(&game) {
            return Err(SystemError::UnknownGame { encounter, board, game, boards, games });
        }
        let result = Game { slot: record.slot, outcome: record.outcome, fouls: record.fouls, by_withdrawal: false };
        if results.entry(encounter.key()).or_default().insert((game, board), result).is_some() {
            return Err(SystemError::SecondResult { encounter, board, game });
        }
    }
    Ok(results)
}

fn check_entrant(entrant: EntrantId, count: usize, place: &'static str) -> Result<(), SystemError> {
    match entrant.index() {
        Some(index) if index < count => Ok(()),
        _ => Err(SystemError::UnknownEntrant { entrant, place, count }),
    }
}

/// The encounters of a stage that were announced, in order; a game with a result was announced even if nothing else
/// says so.
fn announced(entrants: usize, stage: u16, history: &History) -> Result<Vec<Encounter>, SystemError> {
    let mut found: BTreeMap<Key, Encounter> = BTreeMap::new();
    let played = history.games.iter().map(|game| &game.slot.encounter);
    for encounter in history.encounters.iter().chain(played).filter(|encounter| encounter.stage == stage) {
        check_entrant(encounter.first, entrants, "an encounter")?;
        check_entrant(encounter.second, entrants, "an encounter")?;
        let other = found.insert(encounter.key(), *encounter);
        if encounter.first == encounter.second || other.is_some_and(|other| other != *encounter) {
            return Err(SystemError::BadEncounter { encounter: *encounter });
        }
    }
    Ok(found.into_values().collect())
}
