//! From a game as it was cut out of its file to the texts that are written about it.

use std::ops::ControlFlow;
use std::path::PathBuf;

use chuhe_analysis::write::{Setup, id_text};
use chuhe_analysis::{Analyst, GameError, References, analyse_game};
use chuhe_book::{Book, Books};
use chuhe_records::games::DamagedRecord;
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

/// What has been found out about a game.
pub(super) struct Written {
    /// One piece for each form.
    pub(super) pieces: Vec<Piece>,
    /// What is wrong with its record, if it is not whole.
    pub(super) damage: Option<String>,
}

impl Task {
    /// Analyses a game, a damaged one as far as its moves could be read, or says why there is nothing to be written. `watch`
    /// as in [`analyse_game`].
    pub(super) fn analyse(
        &self,
        entry: Entry,
        analyst: &mut dyn Analyst,
        watch: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
    ) -> Result<Written, String> {
        let (record, damage) = whole_or_damaged(entry.record);
        let Some(record) = record.filter(|record| damage.is_none() || !record.tree.is_empty()) else {
            return Err(damage.unwrap_or_default());
        };
        let rules: RuleSet = match entry.rules {
            None => self.rules,
            Some(name) => name.parse().map_err(|error| format!("ruleset: {error}"))?,
        };
        let references = References { rules: &rules, books: &self.books };
        let mut analysis =
            analyse_game(&record, references, analyst, watch).map_err(|error: GameError| error.to_string())?;
        analysis.damage = damage.clone();
        let pieces = self.forms.iter().map(|form| form.write(&entry.id, &record, &analysis, self)).collect();
        Ok(Written { pieces, damage })
    }
}

/// What there is of a game, and what is wrong with it.
fn whole_or_damaged(record: Result<Record, DamagedRecord>) -> (Option<Record>, Option<String>) {
    match record {
        Ok(record) => (Some(record), None),
        Err(DamagedRecord { error, salvaged }) => (salvaged.map(|record| *record), Some(error.to_string())),
    }
}

/// What tells whether a game is still the same: all of its record, what is wrong with it, and the rules it names.
pub(super) fn digest(entry: &Entry) -> String {
    let (text, damage) = match &entry.record {
        Ok(record) => (pgn::to_string(record), String::new()),
        Err(damaged) => (damaged.salvaged.as_deref().map_or_else(String::new, pgn::to_string), damaged.to_string()),
    };
    let rules = entry.rules.as_deref().unwrap_or_default();
    format!("{:016x}", XxHash3_64::oneshot([rules, &text, &damage].join("\n").as_bytes()))
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
