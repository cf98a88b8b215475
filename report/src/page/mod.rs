//! The viewer: a page that steps through games by key, mouse or finger, in one file without network.
//!
//! The page holds the games as JSON; a small program of ours (`viewer.js`), the only one that the page's content security
//! policy lets run, shows one at a time, with a board, the moves
//! with what the engines told, and the course of the scores. Of an analyzed game it shows the chances, the marks of the
//! moves, the best lines as words and arrows, and how well each side played.

mod data;
mod game;
mod remark;
mod study;
mod viewer;
mod words;

use chuhe_text::printable;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::Language;

pub use chuhe_records::GameResult;
pub use game::{GameView, MoveView, ShownScore};
pub use study::{LineView, Mark, MoveStudy, PlayerStudy, Study};
pub(crate) use viewer::viewer;

/// How a page is to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reading {
    /// The language of all that is not the games' own.
    pub language: Language,
    /// What moves of analyzed games are called at first; the reader can choose another notation.
    pub notation: MoveNames,
}

/// What moves of analyzed games are called.
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
        &Document::of_games(title, Language::English, games),
        html! {
            header { h1 { (printable(title)) } }
            (viewer(games, &Reading::default()))
        },
    )
}

/// A script or a style sheet that pages hold, with the hash by which their content security policy allows it.
#[derive(Clone, Copy)]
pub(crate) struct Asset {
    pub(crate) text: &'static str,
    pub(crate) hash: &'static str,
}

/// The styles of all our pages.
const STYLE: Asset = Asset { text: include_str!("page.css"), hash: env!("PAGE_CSS_HASH") };

/// The program of the viewer.
const PROGRAM: Asset = Asset { text: include_str!("viewer.js"), hash: env!("VIEWER_JS_HASH") };

/// What a document is beside its body.
pub(crate) struct Document<'a> {
    /// Its title.
    title: &'a str,
    /// The language of its text.
    language: Language,
    /// Its styles.
    styles: Vec<Asset>,
    /// Its program.
    program: Option<Asset>,
}

impl<'a> Document<'a> {
    /// A document with the styles of all our pages.
    pub(crate) fn new(title: &'a str, language: Language) -> Document<'a> {
        Document { title, language, styles: vec![STYLE], program: None }
    }

    /// A document with a [`viewer()`] of these games, if there are any.
    pub(crate) fn of_games(title: &'a str, language: Language, games: &[GameView]) -> Document<'a> {
        Document { program: (!games.is_empty()).then_some(PROGRAM), ..Document::new(title, language) }
    }

    /// The same with more styles.
    pub(crate) fn styled(mut self, style: Asset) -> Document<'a> {
        self.styles.push(style);
        self
    }

    /// What the page may do: show itself, with its own styles and program. It asks for nothing from anywhere, and markup
    /// that came in by some mistake could run no program.
    fn policy(&self) -> String {
        let allowed = |assets: &mut dyn Iterator<Item = &Asset>| {
            assets.map(|asset| format!(" '{}'", asset.hash)).collect::<String>()
        };
        let mut policy = format!("default-src 'none'; style-src{}", allowed(&mut self.styles.iter()));
        if self.program.is_some() {
            policy.push_str(&format!("; script-src{}", allowed(&mut self.program.iter())));
        }
        policy + "; img-src data:; base-uri 'none'; form-action 'none'"
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
                meta http-equiv="Content-Security-Policy" content=(document.policy());
                link rel="icon" href="data:,";
                title { (printable(document.title)) }
                @for style in &document.styles { style { (PreEscaped(style.text)) } }
            }
            body {
                main { (body) }
                @if let Some(program) = &document.program { script { (PreEscaped(program.text)) } }
            }
        }
    }
    .into_string()
}
