//! The languages of what is written for people.

use chuhe_report::Language;

use crate::choice::choice;

choice! {
    /// A language on the command line.
    Lang => Language {
        /// English
        En => Language::English,
        /// Chinese
        Zh => Language::Chinese,
    }
}
