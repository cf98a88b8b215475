//! The languages of what is written for people.

use chuhe_report::Language;

/// A language on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum Lang {
    /// English
    En,
    /// Chinese
    Zh,
}

impl From<Lang> for Language {
    fn from(lang: Lang) -> Language {
        match lang {
            Lang::En => Language::English,
            Lang::Zh => Language::Chinese,
        }
    }
}
