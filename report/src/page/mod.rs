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
mod words;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::Language;

pub use chuhe_records::GameResult;
pub use game::{GameView, MoveView, Score};
pub use study::{LineView, Mark, MoveStudy, PlayerStudy, Study};
pub(crate) use viewer::viewer;

/// How a page is to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reading {
    /// The language of all that is not the games' own.
    pub language: Language,
    /// What moves of analysed games are called at first; the reader can choose another notation.
    pub notation: MoveNames,
}

/// What moves of analysed games are called.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MoveNames {
    /// 炮二平五.
    #[default]
    Chinese,
    /// C2=5.
    Wxf,
    /// h2e2.
    Iccs,
}

impl MoveNames {
    /// All of them, in the order in which the page offers them.
    pub(crate) const ALL: [MoveNames; 3] = [MoveNames::Chinese, MoveNames::Wxf, MoveNames::Iccs];

    /// Their name in the page's program.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            MoveNames::Chinese => "chinese",
            MoveNames::Wxf => "wxf",
            MoveNames::Iccs => "iccs",
        }
    }

    /// A move called so.
    pub(crate) const fn example(self) -> &'static str {
        match self {
            MoveNames::Chinese => "炮二平五",
            MoveNames::Wxf => "C2=5",
            MoveNames::Iccs => "h2e2",
        }
    }
}

/// A page in English that shows `games`, as a complete HTML document.
#[must_use]
pub fn render(title: &str, games: &[GameView]) -> String {
    document(
        &Document::new(title, Language::English),
        html! {
            header { h1 { (title) } }
            (viewer(games, &Reading::default()))
        },
    )
}

/// What a document is beside its body.
pub(crate) struct Document<'a> {
    /// Its title.
    pub(crate) title: &'a str,
    /// The language of its text.
    pub(crate) language: Language,
    /// Styles of its own, beside those of all our pages.
    pub(crate) style: &'a str,
}

impl<'a> Document<'a> {
    /// A document with the styles of all our pages.
    pub(crate) fn new(title: &'a str, language: Language) -> Document<'a> {
        Document { title, language, style: "" }
    }
}

/// A complete HTML document.
pub(crate) fn document(document: &Document<'_>, body: Markup) -> String {
    html! {
        (DOCTYPE)
        html lang=(document.language.code()) {
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
