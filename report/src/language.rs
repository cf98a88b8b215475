//! The languages of pages and explanations.

/// A language.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Chinese in simplified script.
    Chinese,
}

impl Language {
    /// Its name in HTML.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Chinese => "zh-CN",
        }
    }

    /// Of two that say the same, the one in this language.
    #[must_use]
    pub fn choose<T>(self, chinese: T, english: T) -> T {
        match self {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }
}
