//! From a game as it was cut out of its file to the texts that are written about it.

use std::ops::ControlFlow;
use std::path::PathBuf;

use chuhe_analysis::write::{Setup, id_text};
use chuhe_analysis::{Analyst, GameError, References, analyse_game};
use chuhe_book::{Book, Books};
use chuhe_records::{Notation, Record, pgn};
use chuhe_report::Language;
use chuhe_rules::RuleSet;
use serde_json::Value;
use twox_hash::XxHash3_64;

use super::form::{Form, Piece};
use crate::failure::Failure;
use crate::games::Entry;

/// What is asked of every game.
pub(super) struct Task {
    /// Rules for games that name none.
    pub(super) rules: RuleSet,
    /// Whose moves are book moves.
    pub(super) books: Books,
    /// What is written.
    pub(super) forms: Vec<Form>,
    /// How moves are named, if not as the form does by itself.
    pub(super) notation: Option<Notation>,
    /// The language of what is for people.
    pub(super) language: Language,
    /// How positions are searched.
    pub(super) setup: Setup,
    /// Whether all games are on one page.
    pub(super) share_page: bool,
}

impl Task {
    /// Analyses a game, one piece for each form, or says why there is nothing to be written. `watch` as in [`analyse_game`].
    pub(super) fn analyse(
        &self,
        id: &Value,
        entry: Result<(Record, Option<String>), String>,
        analyst: &mut dyn Analyst,
        watch: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
    ) -> Result<Vec<Piece>, String> {
        let (record, rules) = entry?;
        let rules: RuleSet = match rules {
            None => self.rules,
            Some(name) => name.parse().map_err(|error| format!("ruleset: {error}"))?,
        };
        let references = References { rules: &rules, books: &self.books };
        let analysis =
            analyse_game(&record, references, analyst, watch).map_err(|error: GameError| error.to_string())?;
        Ok(self.forms.iter().map(|form| form.write(id, &record, &analysis, self)).collect())
    }
}

/// What tells whether a game is still the same: all of its record, and the rules it names.
pub(super) fn digest(entry: &Entry) -> String {
    let text = entry.record.as_ref().map_or_else(|_| String::new(), pgn::to_string);
    let rules = entry.rules.as_deref().unwrap_or_default();
    format!("{:016x}", XxHash3_64::oneshot(format!("{rules}\n{text}").as_bytes()))
}

/// Reads the books; the embedded one when none is named.
pub(super) fn load_books(paths: &[PathBuf]) -> Result<Books, Failure> {
    if paths.is_empty() {
        return Ok(Books::embedded());
    }
    paths
        .iter()
        .map(|path| {
            let unusable = |error: String| Failure::Usage(format!("--book {}: {error}", path.display()));
            let bytes = std::fs::read(path).map_err(|error| unusable(error.to_string()))?;
            Book::from_bytes(&bytes).map_err(|error| unusable(error.to_string()))
        })
        .collect()
}

/// What is told of a game that could not be analysed.
pub(super) fn fault_line(id: &Value, fault: &str) -> String {
    format!("{}: {fault}", id_text(id))
}
