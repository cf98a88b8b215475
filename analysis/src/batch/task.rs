//! From a game as it was read to the texts that are written about it.

use std::ops::ControlFlow;

use chuhe_book::Books;
use chuhe_records::games::{DamagedRecord, Entry};
use chuhe_records::{Notation, Record, pgn};
use chuhe_report::Language;
use chuhe_rules::RuleSet;
use serde_json::Value;
use twox_hash::XxHash3_64;

use super::form::{Form, Portion};
use crate::write::Setup;
use crate::{Analyst, References, analyze_game};

/// What is asked of every game.
#[derive(Debug)]
pub struct Task {
    /// Rules for games that name none.
    pub rules: RuleSet,
    /// Whose moves are book moves.
    pub books: Books,
    /// What is written.
    pub forms: Vec<Form>,
    /// How moves are named, if not as the form does by itself.
    pub notation: Option<Notation>,
    /// The language of what is for people.
    pub language: Language,
    /// How positions are searched.
    pub setup: Setup,
    /// Whether all games are on one page.
    pub share_page: bool,
}

/// What has been found out about a game.
#[derive(Debug)]
pub struct Written {
    /// One piece for each form.
    pub(super) pieces: Vec<Portion>,
    /// What is wrong with its record, if it is not whole.
    pub damage: Option<String>,
}

impl Task {
    /// Text for people about games by the rules of the Asian federation, in English, all on one page where there are pages.
    #[must_use]
    pub fn new(setup: Setup) -> Task {
        Task {
            rules: RuleSet::ASIAN,
            books: Books::embedded(),
            forms: vec![Form::Text],
            notation: None,
            language: Language::English,
            setup,
            share_page: true,
        }
    }

    /// Analyzes a game, a damaged one as far as its moves could be read, or says why there is nothing to be written. `watch`
    /// as in [`analyze_game`].
    ///
    /// # Errors
    /// Nothing of the game can be used, it names a rule set that is unknown, or the analyst has failed.
    pub fn analyze(
        &self,
        id: &Value,
        entry: Entry,
        analyst: &mut dyn Analyst,
        watch: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
    ) -> Result<Written, String> {
        let (record, damage) = whole_or_damaged(entry.record);
        let Some(record) = record.filter(|record| damage.is_none() || !record.tree.is_empty()) else {
            return Err(damage.unwrap_or_default());
        };
        let rules: RuleSet = match entry.ruleset {
            None => self.rules,
            Some(name) => name.parse().map_err(|error| format!("ruleset: {error}"))?,
        };
        let references = References { rules: &rules, books: &self.books };
        let mut analysis = analyze_game(&record, references, analyst, watch).map_err(|error| error.to_string())?;
        analysis.damage = damage.clone();
        let pieces = self.forms.iter().map(|form| form.write(id, &record, &analysis, self)).collect();
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
    let rules = entry.ruleset.as_deref().unwrap_or_default();
    format!("{:016x}", XxHash3_64::oneshot([rules, &text, &damage].join("\n").as_bytes()))
}
