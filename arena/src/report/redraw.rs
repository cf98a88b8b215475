//! The page of a tournament, made anew from its journal and game file.

use std::path::Path;

use chuhe_files::Existing;

use super::{Page, ReportError, Results, Seen, facts, write_page};
use crate::config::Setup;
use crate::journal::{Contents, Event, Fingerprint};
use crate::tournament::Tournament;

/// Bytes of a file of games that are read at most.
const MAX_GAMES_SIZE: u64 = 4 << 30;

/// Writes the page of a journal; with the game file, which may be growing, it has the games too.
///
/// # Errors
/// [`ReportError`] when journal and game file do not agree, or a file cannot be read or written.
pub fn redraw(
    path: &Path,
    contents: &Contents,
    setup: &Setup,
    tournament: &Tournament,
    results: &Results<'_>,
    pgn: Option<&Path>,
    existing: Existing,
) -> Result<(), ReportError> {
    let mut seen = go_through(contents, setup.tournament()?)?;
    if let Some(pgn) = pgn {
        take_games(&mut seen, contents, pgn)?;
    }
    let names: Vec<String> = setup.engines.iter().map(|engine| engine.name.clone()).collect();
    write_page(path, &Page { facts: facts(setup, &names), tournament, results, seen: &seen }, None, existing)
}

/// What a run remembers that goes through the journal again.
fn go_through(contents: &Contents, mut tournament: Tournament) -> Result<Seen, ReportError> {
    let mut seen = Seen::default();
    for entry in &contents.entries {
        tournament.apply(&entry.event).map_err(|error| ReportError::History(error.to_string()))?;
        seen.entry(&tournament, entry);
    }
    Ok(seen)
}

/// The last games, as they stand in their file.
fn take_games(seen: &mut Seen, contents: &Contents, path: &Path) -> Result<(), ReportError> {
    let bytes = chuhe_files::read(path, MAX_GAMES_SIZE)
        .map_err(|source| ReportError::Read { path: path.to_owned(), source })?;
    for entry in &contents.entries {
        let Event::Game(game) = &entry.event else { continue };
        let Some(span) = game.pgn else { continue };
        let range = usize::try_from(span.offset).ok().zip(usize::try_from(span.end()).ok());
        let text = range
            .and_then(|(start, end)| bytes.get(start..end))
            .filter(|text| game.fingerprint.as_ref().is_none_or(|print| *print == Fingerprint::of(text)))
            .and_then(|text| std::str::from_utf8(text).ok());
        let Some(text) = text else {
            return Err(ReportError::Changed { path: path.to_owned(), game: game.number });
        };
        seen.game(game.number, text);
    }
    Ok(())
}
