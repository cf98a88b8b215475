//! Results as text in the forms that people and programs read.
//!
//! | module | writes |
//! |---|---|
//! | [`json`] | one object on a line for each game or position |
//! | [`csv`] | a row for each move |
//! | [`pgn`] | the game with evaluations, glyphs and better moves |
//! | [`text`] | for people |
//! | [`html`] | a page to step through games |

pub mod csv;
pub mod html;
pub mod json;
pub mod pgn;
pub mod text;
mod words;

use chuhe_movegen::Color;
use serde_json::Value;

use crate::Limits;

/// How positions were searched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// What the analyst calls itself.
    pub engine: String,
    /// What each search might use.
    pub limits: Limits,
    /// Lines that were asked for.
    pub multi_pv: usize,
}

/// An id as it is shown: without the quotation marks of JSON.
#[must_use]
pub fn id_text(id: &Value) -> String {
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}

const fn side(color: Color) -> &'static str {
    match color {
        Color::Red => "red",
        Color::Black => "black",
    }
}
