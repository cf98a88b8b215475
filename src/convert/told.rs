//! What there is to be told of converted games.

use std::collections::HashMap;

use super::Converted;
use crate::failure::say;
use crate::games::games_of;

/// Faults of one file that are told one by one; the others are counted.
const MAX_TOLD: u64 = 20;

/// What has been found in all games.
#[derive(Default)]
pub(super) struct Told {
    written: u64,
    damaged: u64,
    /// Damaged games of each source.
    of_source: HashMap<usize, u64>,
    /// Games of which parts of variations are missing, and what of the first.
    omissions: Count,
    /// Games with characters that the encoding lacks, and where the first is.
    lossy: Count,
    /// Games with tags that are cut short, and which of the first.
    cut: Count,
}

/// How many games something is to be noted of, and what of the first.
#[derive(Default)]
struct Count {
    games: u64,
    first: String,
}

impl Count {
    fn add(&mut self, what: impl FnOnce() -> String) {
        if self.games == 0 {
            self.first = what();
        }
        self.games += 1;
    }

    /// Says the note, made from the games and the first of them, if there is anything to note.
    fn say(&self, note: impl FnOnce(String, &str) -> String) {
        if self.games > 0 {
            say(&format!("note: {}", note(games_of(self.games), &self.first)));
        }
    }
}

impl Told {
    /// Counts a game, and gives what is to be told of it at once.
    pub(super) fn add(&mut self, game: &Converted) -> Option<String> {
        let place = &game.place;
        if let Some(omission) = &game.omission {
            self.omissions.add(|| format!("{place}: {omission}"));
        }
        if let Some(written) = &game.written {
            self.written += 1;
            if let Some(tag) = written.cut_tag {
                self.cut.add(|| format!("{tag} of {place}"));
            }
            if written.is_lossy {
                self.lossy.add(|| place.clone());
            }
        }
        let fault = game.fault.as_ref()?;
        self.damaged += 1;
        let count = self.of_source.entry(game.source).or_default();
        *count += 1;
        (*count <= MAX_TOLD).then(|| format!("{place}: {fault}"))
    }

    /// Games that have been written.
    pub(super) fn written(&self) -> u64 {
        self.written
    }

    /// Tells what has been counted, and gives what is wrong with the games.
    pub(super) fn close(&self, games: u64) -> Option<String> {
        let untold: u64 = self.of_source.values().map(|count| count.saturating_sub(MAX_TOLD)).sum();
        if untold > 0 {
            say(&format!("{untold} more damaged games in files that have more than {MAX_TOLD} of them"));
        }
        self.omissions.say(|games, first| format!("unplayable variations of {games} are incomplete; {first}"));
        self.lossy.say(|games, first| {
            format!("{games} with characters that the encoding lacks (written as `?`), first {first}")
        });
        self.cut.say(|games, first| format!("{games} with tags cut short to fit into XQF, first {first}"));
        (self.damaged > 0).then(|| format!("{} of {} damaged, {} written", self.damaged, games_of(games), self.written))
    }
}
