//! Text that others wrote, made fit to be shown.
//!
//! Names of players, ids, comments, what engines say, names of files: all of it comes from strangers and is shown on
//! terminals, in messages, tables, spreadsheets and pages. Unchanged, it could colour or clear a terminal (escape
//! sequences), turn the order of what stands beside it (U+202E), break a line in two, hide itself, or be carried out by a
//! spreadsheet as a formula. Whatever shows such text passes it through this crate once; data that is converted from one
//! format to another is left as it is.
//!
//! | for | use |
//! |---|---|
//! | one line of a terminal, a log, a message, a page | [`printable`] |
//! | a quotation in an error message | [`quoted`], [`excerpt`], [`excerpt_of_bytes`] |
//! | lines of a file shown on a terminal | [`printable_lines`], [`printable_bytes`] |
//! | a cell of CSV | [`csv_cell`] |
//! | a line without markup in which names stand beside other words | [`isolated`] |
//! | a suggestion in place of a misspelt word | [`did_you_mean`] |
//! | columns | [`aligned`], [`padded`], [`width`] |
//!
//! ```
//! assert_eq!(chuhe_text::printable("\u{1b}[2J\u{202e}象"), " [2J 象");
//! assert_eq!(chuhe_text::excerpt("wrongwrongwrong", 5), "wrong…");
//! ```

#![forbid(unsafe_code)]

mod cell;
mod columns;
mod nearest;
mod shown;

pub use cell::{csv_cell, csv_value};
pub use columns::{Align, aligned, padded, width};
pub use nearest::{did_you_mean, nearest};
pub use shown::{
    ascii_word, excerpt, excerpt_of_bytes, is_printable, isolated, printable, printable_bytes, printable_lines, quoted,
};
