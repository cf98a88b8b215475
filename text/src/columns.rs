//! Columns of text in a font of equal widths, in which Chinese characters take two places.

use unicode_width::UnicodeWidthStr as _;

/// Where a text stands in its column.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Align {
    /// As words do.
    #[default]
    Left,
    /// As numbers do.
    Right,
}

/// Blanks between columns.
const GAP: &str = "  ";

/// How many places of a terminal a text takes.
#[must_use]
pub fn width(text: &str) -> usize {
    text.width()
}

/// A text filled up with blanks to a width; a wider one stays as it is.
#[must_use]
pub fn padded(text: &str, width: usize, align: Align) -> String {
    let space = " ".repeat(width.saturating_sub(text.width()));
    match align {
        Align::Left => format!("{text}{space}"),
        Align::Right => format!("{space}{text}"),
    }
}

/// Rows of cells as lines: each column as wide as its widest cell, two blanks between columns, none at the end of a line,
/// and a line feed behind each. Columns that `aligns` says nothing of are of words. Cells must be in one line each.
#[must_use]
pub fn aligned<Row: AsRef<[Cell]>, Cell: AsRef<str>>(rows: &[Row], aligns: &[Align]) -> String {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows.iter().map(Row::as_ref) {
        widths.resize(widths.len().max(row.len()), 0);
        for (widest, cell) in widths.iter_mut().zip(row) {
            *widest = (*widest).max(width(cell.as_ref()));
        }
    }
    let line = |row: &Row| {
        let columns = row.as_ref().iter().zip(&widths).enumerate();
        let cells: Vec<String> = columns
            .map(|(at, (cell, &width))| padded(cell.as_ref(), width, aligns.get(at).copied().unwrap_or_default()))
            .collect();
        format!("{}\n", cells.join(GAP).trim_end_matches(' '))
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn chinese_characters_take_two_places() {
        assert_eq!(padded("红方", 6, Align::Left), "红方  ");
        assert_eq!(padded("红方", 6, Align::Right), "  红方");
        assert_eq!(padded("红方", 3, Align::Left), "红方");
        let rows = [vec!["", "name", "points"], vec!["1", "楚河", "12.5"], vec!["10", "Chuhe"]];
        assert_eq!(
            aligned(&rows, &[Align::Right, Align::Left, Align::Right]),
            "    name   points\n 1  楚河     12.5\n10  Chuhe\n"
        );
    }

    /// The places at which the words of a line begin.
    fn starts(line: &str) -> Vec<usize> {
        let is_start = |&(at, c): &(usize, char)| c != ' ' && !line[..at].ends_with(|before| before != ' ');
        line.char_indices().filter(is_start).map(|(at, _)| width(&line[..at])).collect()
    }

    proptest! {
        #[test]
        fn all_cells_of_a_column_begin_at_the_same_place(
            rows in prop::collection::vec(prop::collection::vec("[a-z楚河]{1,9}", 3), 1..9),
        ) {
            let text = aligned(&rows, &[]);
            let starts: Vec<Vec<usize>> = text.lines().map(starts).collect();
            prop_assert_eq!(starts.len(), rows.len());
            prop_assert!(starts.iter().all(|line| line.len() == 3 && *line == starts[0]), "{}", text);
        }
    }
}
