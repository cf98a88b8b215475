//! Cells of CSV, which spreadsheets may take for formulas.

use std::borrow::Cow;

use crate::shown::printable_lines;

/// Behind this mark a spreadsheet takes a cell for text.
const MARK: char = '\'';

/// A text that others wrote as the value of a cell of CSV: as [`printable_lines`] has it, and with an apostrophe in front
/// if a spreadsheet might take it for a formula and carry it out (`=HYPERLINK("http://…")`).
///
/// That may happen to a cell that begins with `=`, `+`, `-`, `@` or one of their full-width forms, also behind blanks, tabs
/// and line ends. A text that has an apostrophe in front already gets
/// another, so that [`csv_value`] gives back what there was. Whoever reads the file with a program does the same: one
/// apostrophe in front is taken off. Quotation marks and commas are the business of whatever writes the file.
///
/// The choice is that of [OWASP](https://owasp.org/www-community/attacks/CSV_Injection). Numbers of our own are written
/// without it: a score of -0.35 stays a number.
#[must_use]
pub fn csv_cell(text: &str) -> Cow<'_, str> {
    let text = printable_lines(text);
    let begins_formula = |c| matches!(c, '=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠' | MARK);
    if text.trim_start().starts_with(begins_formula) { Cow::Owned(format!("{MARK}{text}")) } else { text }
}

/// The text of a cell that was written by [`csv_cell`].
#[must_use]
pub fn csv_value(cell: &str) -> &str {
    cell.strip_prefix(MARK).unwrap_or(cell)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The prefixes that OWASP names, and their full-width forms.
    #[test]
    fn formulas_become_text() {
        for text in
            ["=HYPERLINK(\"http://x\")", "=x.txt", "+1+1", "-2", "@SUM(A1)", "\t=1", "\r=1", "  =1", "＝1", "＠x"]
        {
            let cell = csv_cell(text);
            assert!(cell.starts_with('\''), "{text:?}");
            assert_eq!(csv_value(&cell), printable_lines(text), "{text:?}");
        }
        for text in ["", "cup.pgn:1", "1-0", "a=b", "楚河", "a, \"b\"\nc"] {
            assert_eq!(csv_cell(text), text);
        }
        assert_eq!(csv_cell("'quoted"), "''quoted");
    }

    proptest! {
        #[test]
        fn a_cell_is_read_as_what_was_written(text in any::<String>()) {
            let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
            writer.write_record([csv_cell(&text).as_ref(), "1"]).expect("written into memory");
            let bytes = writer.into_inner().expect("written into memory");
            let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&bytes[..]);
            let row = reader.records().next().expect("a row").expect("readable");
            prop_assert_eq!(csv_value(&row[0]), printable_lines(&text));
            prop_assert!(!row[0].trim_start().starts_with(['=', '+', '-', '@']));
        }
    }
}
