//! The forms of results.

use chuhe_records::{ChineseStyle, Notation, Record, pgn};
use chuhe_report::page::{GameView, MoveNames, Reading};
use serde_json::Value;

use super::task::Task;
use crate::GameAnalysis;
use crate::write::text::Style;
use crate::write::{csv, html, json, pgn as annotated_pgn, text};

/// A form of results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// For people.
    Text,
    /// One JSON object a line for each game or position.
    Json,
    /// A row for each move.
    Csv,
    /// Games with evaluations, glyphs and better moves.
    Pgn,
    /// A page to step through: one for all games, or one for each.
    Html,
}

/// What there is to be written about a game.
#[derive(Debug)]
pub(super) enum Portion {
    /// A text that may stand behind those of other games.
    Text(String),
    /// A game of a page that all games share.
    View(Box<GameView>),
}

impl Form {
    /// The end of its files' names.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Form::Text => "txt",
            Form::Json => "json",
            Form::Csv => "csv",
            Form::Pgn => "pgn",
            Form::Html => "html",
        }
    }

    /// What stands before the first game.
    pub(super) fn header(self) -> String {
        match self {
            Form::Csv => csv::header(),
            Form::Text | Form::Json | Form::Pgn | Form::Html => String::new(),
        }
    }

    /// What this form says of a game. A page of its own for it, unless `task` has all games share one.
    pub(super) fn write(self, id: &Value, record: &Record, analysis: &GameAnalysis, task: &Task) -> Portion {
        let (setup, language) = (&task.setup, task.language);
        let notation = task.notation.unwrap_or(match self {
            Form::Pgn => Notation::Iccs,
            Form::Text | Form::Json | Form::Csv | Form::Html => Notation::Chinese(ChineseStyle::CUSTOMARY),
        });
        Portion::Text(match self {
            Form::Text => text::analysis(id, setup, analysis, Style { language, notation }),
            Form::Json => json::analysis(id, setup, analysis) + "\n",
            Form::Csv => csv::rows(id, analysis, notation),
            Form::Pgn => pgn::to_string_in(&annotated_pgn::annotated(record, setup, analysis, language), notation),
            Form::Html => {
                let view = html::view(id, record, analysis, language);
                if task.share_page {
                    return Portion::View(Box::new(view));
                }
                html::page(setup, vec![view], Vec::new(), reading(task))
            }
        })
    }

    /// The page that games share, those with their ids and reasons that could not be analyzed too.
    pub(super) fn shared_page(games: Vec<GameView>, faults: Vec<(Value, String)>, task: &Task) -> String {
        html::page(&task.setup, games, faults, reading(task))
    }

    /// A game that could not be analyzed, where the form has a place for it.
    pub(super) fn error(self, id: &Value, error: &str) -> Option<String> {
        match self {
            Form::Text => Some(text::error(id, error)),
            Form::Json => Some(json::error(id, error) + "\n"),
            Form::Csv => Some(csv::error(id, error)),
            Form::Pgn | Form::Html => None,
        }
    }
}

/// How pages are to be read.
fn reading(task: &Task) -> Reading {
    let notation = match task.notation {
        Some(Notation::Wxf) => MoveNames::Wxf,
        Some(Notation::Iccs) => MoveNames::Iccs,
        _ => MoveNames::Chinese,
    };
    Reading { language: task.language, notation }
}
