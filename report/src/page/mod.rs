//! The viewer: a page that steps through games by key, mouse or finger, in one file without network.
//!
//! The page holds the games as JSON; a small program of ours (`viewer.js`) shows one at a time, with a board, the moves
//! with what the engines told, and the course of the scores.

mod data;
mod game;
mod remark;
mod viewer;

use maud::{DOCTYPE, Markup, PreEscaped, html};

pub use chuhe_records::GameResult;
pub use game::{GameView, MoveView, Score};
pub(crate) use viewer::viewer;

/// A page that shows `games`, as a complete HTML document.
#[must_use]
pub fn render(title: &str, games: &[GameView]) -> String {
    document(
        title,
        html! {
            header { h1 { (title) } }
            (viewer(games))
        },
    )
}

/// A complete HTML document with the style sheet of all our pages.
pub(crate) fn document(title: &str, body: Markup) -> String {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                // The page asks for nothing from anywhere.
                meta http-equiv="Content-Security-Policy"
                    content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";
                link rel="icon" href="data:,";
                title { (title) }
                style { (PreEscaped(include_str!("page.css"))) }
            }
            body { main { (body) } }
        }
    }
    .into_string()
}
