//! The viewer: a page that steps through games by key, mouse or finger, in one file without network.
//!
//! The page holds the games as JSON; a small program of ours (`viewer.js`) shows one at a time, with a board, the moves
//! with what the engines told, and the course of the scores. Of an analysed game it shows the chances, the marks of the
//! moves, the best lines as words and arrows, and how well each side played.

mod data;
mod game;
mod remark;
mod study;
mod viewer;

use maud::{DOCTYPE, Markup, PreEscaped, html};

pub use chuhe_records::GameResult;
pub use game::{GameView, MoveView, Score};
pub use study::{LineView, Mark, MoveStudy, PlayerStudy, Study};
pub(crate) use viewer::viewer;

/// A page that shows `games`, as a complete HTML document.
#[must_use]
pub fn render(title: &str, games: &[GameView]) -> String {
    document(
        &Document::new(title),
        html! {
            header { h1 { (title) } }
            (viewer(games))
        },
    )
}

/// What a document is beside its body.
pub(crate) struct Document<'a> {
    /// Its title.
    pub(crate) title: &'a str,
    /// The language of its text, as HTML names it.
    pub(crate) language: &'a str,
    /// Styles of its own, beside those of all our pages.
    pub(crate) style: &'a str,
}

impl<'a> Document<'a> {
    /// A document in English with the styles of all our pages.
    pub(crate) fn new(title: &'a str) -> Document<'a> {
        Document { title, language: "en", style: "" }
    }
}

/// A complete HTML document.
pub(crate) fn document(document: &Document<'_>, body: Markup) -> String {
    html! {
        (DOCTYPE)
        html lang=(document.language) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                // The page asks for nothing from anywhere.
                meta http-equiv="Content-Security-Policy"
                    content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";
                link rel="icon" href="data:,";
                title { (document.title) }
                style { (PreEscaped(include_str!("page.css"))) (PreEscaped(document.style)) }
            }
            body { main { (body) } }
        }
    }
    .into_string()
}
