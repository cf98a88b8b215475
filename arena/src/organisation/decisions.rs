//! The organiser's decisions, written into a journal or left for the run that has it open.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use chuhe_text::did_you_mean;

use crate::config::{Setup, SystemKind};
use crate::journal::{self, Act, Contents, Event, Journal, JournalError, OrganiserAct};
use crate::systems::EntrantId;
use crate::tournament::{ActError, ActsFile, Tournament};

/// Why a decision cannot be carried out.
#[derive(Debug, thiserror::Error)]
pub enum DecisionError {
    /// The journal or the file of decisions cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The journal tells of no tournament.
    #[error("{}: {problem}", path.display())]
    History {
        /// The journal.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// Nobody has that name.
    #[error("no entrant is called {name:?}: expected one of {}{}", known.join(", "), suggestion(name, known))]
    UnknownName {
        /// The name.
        name: String,
        /// Whoever takes part.
        known: Vec<String>,
    },
    /// The tournament refuses it.
    #[error(transparent)]
    Act(#[from] ActError),
}

/// A decision that stands.
#[derive(Debug)]
pub struct Decided {
    /// What was decided.
    pub act: Act,
    /// The tournament before it.
    pub tournament: Tournament,
    /// Whether it is left for a run, which carries it out.
    pub is_left: bool,
    /// Whether rounds that rest on the result of the game are announced already: they are not paired anew.
    pub has_later_rounds: bool,
    /// Decisions that were left before and cannot be carried out.
    pub refused: Vec<Refused>,
}

/// A decision that was left and is refused.
#[derive(Debug)]
pub enum Refused {
    /// It cannot be carried out.
    Act(OrganiserAct, ActError),
    /// It cannot be read.
    Unreadable(String),
}

/// The tournament that the contents of a journal tell of, as it stands, and its setup.
///
/// # Errors
/// They tell of none. The path is named.
pub fn replay(contents: &Contents, path: &Path) -> Result<(Tournament, Setup), DecisionError> {
    let wrong = |problem: &dyn Display| DecisionError::History { path: path.into(), problem: problem.to_string() };
    let begin = contents.begin.as_ref().ok_or_else(|| wrong(&"nothing has begun"))?;
    let setup = Setup::read(&begin.setup).map_err(|error| wrong(&error))?;
    let mut tournament = setup.tournament().map_err(|error| wrong(&error))?;
    for entry in &contents.entries {
        tournament.apply(&entry.event).map_err(|error| wrong(&error))?;
    }
    Ok((tournament, setup))
}

/// Who has this name.
///
/// # Errors
/// Nobody has that name.
pub fn entrant(tournament: &Tournament, name: &str) -> Result<EntrantId, DecisionError> {
    let roster = tournament.roster();
    roster.entrant(name).ok_or_else(|| DecisionError::UnknownName {
        name: name.to_owned(),
        known: roster.entrants().iter().map(|entrant| entrant.name.clone()).collect(),
    })
}

fn suggestion(name: &str, known: &[String]) -> String {
    did_you_mean(name, known.iter().map(String::as_str))
}

/// Writes a decision with its reason into a journal, or leaves it for the run that has the journal open.
///
/// # Errors
/// [`DecisionError`]: nothing has been decided.
pub fn decide(
    path: &Path,
    reason: &str,
    act: impl Fn(&Tournament) -> Result<Act, DecisionError>,
) -> Result<Decided, DecisionError> {
    // Opening would make a file that is not there.
    journal::read(path)?;
    let checked = |tournament: &Tournament| -> Result<Act, DecisionError> {
        let act = act(tournament)?;
        tournament.check(&act)?;
        Ok(act)
    };
    let reason = reason.to_owned();
    let mut refused = Vec::new();
    let (act, tournament, setup, is_left) = match Journal::open(path) {
        Ok((mut journal, contents)) => {
            let (mut tournament, setup) = replay(&contents, path)?;
            // What was left for a run that has ended since comes first.
            if let Some(left) = ActsFile::of(path).look()? {
                for act in left.acts() {
                    refused.extend(carry_out(act, &mut tournament, &mut journal, path)?);
                }
                left.done()?;
            }
            let act = checked(&tournament)?;
            journal.append(&Event::Act(OrganiserAct { act, reason, left_at: None }))?;
            (act, tournament, setup, false)
        }
        Err(JournalError::InUse { .. }) => {
            let (tournament, setup) = replay(&journal::read(path)?, path)?;
            let act = checked(&tournament)?;
            let left_at = Some(journal::milliseconds(SystemTime::now()));
            ActsFile::of(path).leave(&OrganiserAct { act, reason, left_at })?;
            (act, tournament, setup, true)
        }
        Err(error) => return Err(error.into()),
    };
    let has_later_rounds = has_later_rounds(&act, &tournament, setup.system.kind);
    Ok(Decided { act, tournament, is_left, has_later_rounds, refused })
}

/// Whether rounds that rest on the result of the act's game are announced.
fn has_later_rounds(act: &Act, tournament: &Tournament, system: SystemKind) -> bool {
    let (Act::Correct { game, .. } | Act::ForfeitGame { game, .. } | Act::Replay { game }) = *act else { return false };
    let Some(entry) = (game as usize).checked_sub(1).and_then(|i| tournament.played().get(i)) else { return false };
    let own = entry.slot.encounter;
    let mut announced = tournament.history().encounters.iter();
    match system {
        SystemKind::KnockOut | SystemKind::DoubleKnockOut | SystemKind::Swiss => {
            announced.any(|later| (later.stage, later.round) > (own.stage, own.round))
        }
        SystemKind::Groups => announced.any(|later| later.stage > own.stage),
        SystemKind::Match | SystemKind::RoundRobin | SystemKind::DoubleRoundRobin | SystemKind::Gauntlet => false,
    }
}

/// Writes a decision that was left before into the journal if it is not there yet, or says why it cannot be carried out.
fn carry_out(
    left: &Result<OrganiserAct, String>,
    tournament: &mut Tournament,
    journal: &mut Journal,
    path: &Path,
) -> Result<Option<Refused>, DecisionError> {
    let left = match left {
        Ok(left) if tournament.has_carried_out(left) => return Ok(None),
        Ok(left) => left.clone(),
        Err(problem) => return Ok(Some(Refused::Unreadable(problem.clone()))),
    };
    if let Err(error) = tournament.check(&left.act) {
        return Ok(Some(Refused::Act(left, error)));
    }
    let event = Event::Act(left);
    journal.append(&event)?;
    let problem = |problem: &dyn Display| DecisionError::History { path: path.into(), problem: problem.to_string() };
    tournament.apply(&event).map_err(|error| problem(&error))?;
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cup of four engines that was played, see `tests/data`.
    fn cup() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cup.jsonl");
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/cup.jsonl");
        std::fs::copy(data, &path).unwrap();
        (folder, path)
    }

    fn acts(path: &Path) -> Vec<OrganiserAct> {
        let entries = journal::read(path).unwrap().entries;
        let act = |entry: journal::Entry| if let Event::Act(act) = entry.event { Some(act) } else { None };
        entries.into_iter().filter_map(act).collect()
    }

    #[test]
    fn a_decision_stands_in_the_journal_and_what_was_left_comes_first() {
        let (_folder, path) = cup();
        let before = acts(&path).len();
        let replay_game = |game| move |_: &Tournament| Ok(Act::Replay { game });
        let left = OrganiserAct { act: Act::Replay { game: 99 }, reason: "left".into(), left_at: Some(1) };
        ActsFile::of(&path).leave(&left).unwrap();
        let decided = decide(&path, "power cut", replay_game(1)).unwrap();
        assert!(!decided.is_left && matches!(&decided.refused[..], [Refused::Act(_, ActError::NoSuchGame { .. })]));
        let now = acts(&path);
        assert_eq!((now.len(), &*now[before].reason), (before + 1, "power cut"));
        assert!(ActsFile::of(&path).look().unwrap().is_none());
    }

    #[test]
    fn a_decision_for_a_tournament_that_is_running_is_left_for_it() {
        let (_folder, path) = cup();
        let before = acts(&path).len();
        let (_journal, _) = Journal::open(&path).unwrap();
        let decided = decide(&path, "power cut", |_| Ok(Act::Replay { game: 1 })).unwrap();
        assert!(decided.is_left);
        assert_eq!(acts(&path).len(), before);
        assert_eq!(ActsFile::of(&path).look().unwrap().map(|left| left.acts().len()), Some(1));
    }

    #[test]
    fn what_cannot_be_decided_is_told_and_changes_nothing() {
        let (_folder, path) = cup();
        let bytes = std::fs::read(&path).unwrap();
        let nobody = decide(&path, "x", |tournament| {
            Ok(Act::Withdraw { entrant: entrant(tournament, "nobody")?, before_start: false })
        });
        let error = nobody.unwrap_err().to_string();
        assert!(error.starts_with("no entrant is called \"nobody\": expected one of "), "{error}");
        assert!(matches!(decide(&path, "x", |_| Ok(Act::Replay { game: 99 })), Err(DecisionError::Act(_))));
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
        let missing = path.with_file_name("missing.jsonl");
        assert!(decide(&missing, "x", |_| Ok(Act::Replay { game: 1 })).is_err() && !missing.exists());
    }
}
