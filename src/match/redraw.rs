//! The report of a tournament, made anew from its journal and file of games.

use std::path::Path;

use chuhe_arena::config::Setup;
use chuhe_arena::journal::{Contents, Event, Fingerprint};
use chuhe_arena::tournament::Tournament;
use chuhe_files::Existing;

use super::facts::facts;
use super::page::{MOST_GAMES, Page, write_page};
use super::results::Results;
use super::show::{Keeping, Seen, Show};
use crate::failure::{CommandResult, Failure};
use crate::format::Format;

/// Bytes of a file of games that are read at most.
const MAX_GAMES_SIZE: u64 = 4 << 30;

/// Writes the report of what a journal tells; with the file of games, which may be growing, it has the games too.
pub(super) fn redraw(
    path: &Path,
    contents: &Contents,
    setup: &Setup,
    tournament: &Tournament,
    results: &Results<'_>,
    pgn: Option<&Path>,
    existing: Existing,
) -> CommandResult {
    let mut seen = go_through(contents, setup.tournament()?)?;
    if let Some(pgn) = pgn {
        take_games(&mut seen, contents, pgn)?;
    }
    let names: Vec<String> = setup.engines.iter().map(|engine| engine.name.clone()).collect();
    write_page(path, &Page { facts: facts(setup, &names), tournament, results, seen: &seen }, None, existing)
}

/// What a run sees that goes through the journal again.
fn go_through(contents: &Contents, mut tournament: Tournament) -> Result<Seen, Failure> {
    let mut show = Show::new(Format::Text, &tournament, false, Keeping::Files);
    for entry in &contents.entries {
        tournament.apply(&entry.event).map_err(|error| Failure::Input(error.to_string()))?;
        show.replayed(&tournament, entry);
    }
    Ok(show.close().0)
}

/// The last games, as they stand in their file.
fn take_games(seen: &mut Seen, contents: &Contents, path: &Path) -> CommandResult {
    let bytes = chuhe_files::read(path, MAX_GAMES_SIZE).map_err(Failure::unreadable(path))?;
    for entry in &contents.entries {
        let Event::Game(game) = &entry.event else { continue };
        let Some(span) = game.pgn else { continue };
        let range = usize::try_from(span.offset).ok().zip(usize::try_from(span.end()).ok());
        let text = range
            .and_then(|(start, end)| bytes.get(start..end))
            .filter(|text| game.fingerprint.as_ref().is_none_or(|print| *print == Fingerprint::of(text)))
            .and_then(|text| std::str::from_utf8(text).ok());
        let Some(text) = text else {
            let number = game.number;
            return Err(Failure::Input(format!("{}: game {number} differs from the journal", path.display())));
        };
        seen.games.insert(game.number, text.to_owned());
        if seen.games.len() > MOST_GAMES {
            seen.games.pop_first();
        }
    }
    Ok(())
}
