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
use chuhe_records::games::id_text;

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

const fn side(color: Color) -> &'static str {
    match color {
        Color::Red => "red",
        Color::Black => "black",
    }
}
