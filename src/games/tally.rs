//! What is told of sources, and how a command that reads games ends.

use crate::failure::{CommandResult, Failure, say};

/// Sources without games that are told one by one; the others are counted.
const MAX_TOLD: u64 = 20;

/// Says which source cannot be read or breaks off, and why.
#[derive(Debug)]
pub(crate) struct Unreadable(pub(super) String);

/// What there is to be told of a source.
#[derive(Debug)]
pub(crate) enum Note {
    /// It cannot be read, or not to its end.
    Unreadable(Unreadable),
    /// It holds no games: what it is called.
    Empty(String),
}

/// What has come of all sources.
#[derive(Default)]
pub(crate) struct Tally {
    /// Games that have been read.
    pub(crate) games: u64,
    /// Sources without games.
    empty: u64,
    unreadable: u64,
}

impl Tally {
    /// Tells a note at once. A source that cannot be read keeps no other from being read.
    pub(crate) fn note(&mut self, note: &Note) {
        match note {
            Note::Unreadable(Unreadable(message)) => {
                self.unreadable += 1;
                say(message);
            }
            Note::Empty(title) => {
                self.empty += 1;
                if self.empty <= MAX_TOLD {
                    say(&format!("note: {title} holds no games"));
                }
            }
        }
    }

    /// How the command ends, with what is wrong with the games, if something is. What cannot be read weighs more.
    ///
    /// # Errors
    /// Something is wrong with the games, there are none, or sources could not be read.
    pub(crate) fn result(&self, fault: Option<String>) -> CommandResult {
        if self.empty > MAX_TOLD {
            say(&format!("note: {} more files hold no games", self.empty - MAX_TOLD));
        }
        let is_nothing = self.games == 0 && self.unreadable == 0;
        let fault = fault.or_else(|| is_nothing.then(|| "no games found".to_owned()));
        match fault {
            None if self.unreadable == 0 => Ok(()),
            Some(message) if self.unreadable == 0 => Err(Failure::Data(message)),
            message => {
                message.iter().for_each(|message| say(message));
                Err(Failure::Unreadable)
            }
        }
    }
}

/// `1 game`, `2 games`.
pub(crate) fn games_of(count: u64) -> String {
    format!("{count} {}", if count == 1 { "game" } else { "games" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_ends_by_the_worst_that_has_come() {
        let unreadable = || Note::Unreadable(Unreadable("cannot read it".to_owned()));
        let tally = |games, notes: &[Note]| {
            let mut tally = Tally { games, ..Tally::default() };
            notes.iter().for_each(|note| tally.note(note));
            tally
        };
        assert!(tally(1, &[]).result(None).is_ok());
        assert!(tally(1, &[Note::Empty("a".to_owned())]).result(None).is_ok());
        assert!(matches!(tally(0, &[]).result(None), Err(Failure::Data(_))));
        assert!(matches!(tally(1, &[]).result(Some("bad".to_owned())), Err(Failure::Data(_))));
        assert!(matches!(tally(0, &[unreadable()]).result(None), Err(Failure::Unreadable)));
        assert!(matches!(tally(1, &[unreadable()]).result(Some("bad".to_owned())), Err(Failure::Unreadable)));
    }
}
