//! Names in two languages.

use chuhe_report::{Heading, Language};
use serde::Serialize;

/// A name in Chinese and in English.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct Name {
    /// In Chinese: 马后炮.
    pub chinese: &'static str,
    /// In English: cannon behind the horse.
    pub english: &'static str,
}

impl Name {
    /// The name in one of them.
    #[must_use]
    pub fn in_language(self, language: Language) -> &'static str {
        language.choose(self.chinese, self.english)
    }
}

impl From<Name> for Heading {
    fn from(name: Name) -> Heading {
        Heading::new(name.chinese, name.english)
    }
}
