//! Bars that show on a terminal how far long work has come.

use std::io::{self, IsTerminal as _};

use indicatif::{ProgressBar, ProgressStyle};

/// A bar on standard error if that is a terminal and `is_wanted`; hidden otherwise. Without a length it is a spinner.
pub(crate) fn bar(length: Option<u64>, template: &str, is_wanted: bool) -> ProgressBar {
    if !is_wanted || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = length.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    // A template that cannot be read is a mistake of this program, and no reason to do without a bar.
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Whether results that go into a folder or to standard output leave the terminal free.
pub(crate) fn has_room(results_in_folder: bool) -> bool {
    results_in_folder || !io::stdout().is_terminal()
}
