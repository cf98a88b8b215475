//! Headings in two languages, facts and plain tables.

use chuhe_text::{Align, aligned, printable};
use maud::{Markup, html};

use crate::Language;
use crate::foreign::foreign;

/// A heading in Chinese and English. Either may be empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Heading {
    /// Chinese.
    pub zh: String,
    /// English.
    pub en: String,
}

impl Heading {
    /// A heading in both languages.
    pub fn new(zh: impl Into<String>, en: impl Into<String>) -> Heading {
        Heading { zh: zh.into(), en: en.into() }
    }

    /// The same in this language alone, if it has it.
    pub(crate) fn only(&self, language: Language) -> Heading {
        match language {
            Language::Chinese if !self.zh.is_empty() => Heading::new(&self.zh, ""),
            Language::English if !self.en.is_empty() => Heading::new("", &self.en),
            Language::Chinese | Language::English => self.clone(),
        }
    }

    pub(crate) fn markup(&self) -> Markup {
        html! {
            @if !self.zh.is_empty() { span lang="zh" { (self.zh) } }
            @if !self.zh.is_empty() && !self.en.is_empty() { " " }
            @if !self.en.is_empty() { span lang="en" { (self.en) } }
        }
    }
}

impl From<&str> for Heading {
    /// A heading in English alone, such as a name.
    fn from(en: &str) -> Heading {
        Heading::new("", en)
    }
}

/// A fact about a tournament or an analysis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    /// Such as 时限 Time control.
    pub label: Heading,
    /// Such as `2+0.02`.
    pub value: String,
}

impl Fact {
    /// A fact with a label in both languages.
    pub fn new(zh: &str, en: &str, value: impl Into<String>) -> Fact {
        Fact { label: Heading::new(zh, en), value: value.into() }
    }
}

/// Facts side by side.
pub(crate) fn facts(facts: &[Fact]) -> Markup {
    html! {
        @if !facts.is_empty() {
            dl class="facts" { @for fact in facts { div { dt { (fact.label.markup()) } dd { (foreign(&fact.value)) } } } }
        }
    }
}

/// What a column holds, by which it is aligned and shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ColumnKind {
    /// Words.
    #[default]
    Words,
    /// Numbers.
    Numbers,
    /// Names of those whom the lines are about.
    Names,
    /// Places. In a table of text they need no heading.
    Places,
    /// Points, by which the lines are in order.
    Points,
}

impl ColumnKind {
    const fn class(self) -> &'static str {
        match self {
            ColumnKind::Words => "left",
            ColumnKind::Names => "left name",
            ColumnKind::Numbers | ColumnKind::Places => "right",
            ColumnKind::Points => "right points",
        }
    }

    const fn align(self) -> Align {
        match self {
            ColumnKind::Words | ColumnKind::Names => Align::Left,
            ColumnKind::Numbers | ColumnKind::Places | ColumnKind::Points => Align::Right,
        }
    }
}

/// A column of a [`Table`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Column {
    /// What it is headed.
    pub heading: Heading,
    /// What it holds.
    pub kind: ColumnKind,
}

impl Column {
    /// A column that is headed so in both languages.
    pub fn new(zh: &str, en: &str, kind: ColumnKind) -> Column {
        Column { heading: Heading::new(zh, en), kind }
    }

    /// A column of words.
    pub fn words(zh: &str, en: &str) -> Column {
        Column::new(zh, en, ColumnKind::Words)
    }

    /// A column of numbers.
    pub fn numbers(zh: &str, en: &str) -> Column {
        Column::new(zh, en, ColumnKind::Numbers)
    }

    /// What it is headed in a table of text.
    fn text_heading(&self) -> String {
        match self.kind {
            ColumnKind::Places => String::new(),
            _ => in_small(if self.heading.en.is_empty() { &self.heading.zh } else { &self.heading.en }),
        }
    }
}

/// A heading as tables of text have it: in small letters, except for what is always written with a capital.
fn in_small(heading: &str) -> String {
    let mut letters = heading.chars();
    let Some(first) = letters.next() else { return String::new() };
    let is_name = heading.starts_with("Elo") || letters.clone().next().is_some_and(char::is_uppercase);
    if is_name { heading.to_owned() } else { first.to_lowercase().chain(letters).collect() }
}

/// A table of text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Table {
    /// What it is headed.
    pub title: Heading,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its lines, one text for each column.
    pub rows: Vec<Vec<String>>,
    /// A sentence below the table; may be empty.
    pub note: String,
}

impl Table {
    /// The table without its title, of this class.
    pub(crate) fn markup(&self, class: Option<&str>) -> Markup {
        html! {
            div class="scroll" {
                table class=[class] {
                    thead {
                        tr { @for column in &self.columns { th class=(column.kind.class()) { (column.heading.markup()) } } }
                    }
                    tbody {
                        @for row in &self.rows {
                            tr { @for (cell, column) in row.iter().zip(&self.columns) { td class=(column.kind.class()) { (foreign(cell)) } } }
                        }
                    }
                }
            }
            @if !self.note.is_empty() { p class="note" { (foreign(&self.note)) } }
        }
    }

    /// The table without its title for a terminal, headed in English: columns side by side, each line with its end.
    #[must_use]
    pub fn to_text(&self) -> String {
        let head = self.columns.iter().map(Column::text_heading).collect();
        let shown = |row: &Vec<String>| row.iter().map(|cell| printable(cell).into_owned()).collect::<Vec<String>>();
        let rows: Vec<Vec<String>> = std::iter::once(head).chain(self.rows.iter().map(shown)).collect();
        let aligns: Vec<Align> = self.columns.iter().map(|column| column.kind.align()).collect();
        let mut text = aligned(&rows, &aligns);
        if !self.note.is_empty() {
            text.push_str(&printable(&self.note));
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_text_has_its_columns_side_by_side() {
        let table = Table {
            columns: vec![
                Column::new("名次", "Place", ColumnKind::Places),
                Column::new("棋手", "Name", ColumnKind::Names),
                Column::new("积分", "Points", ColumnKind::Points),
                Column::words("", "Elo against the field"),
                Column::words("处理器", "CPU"),
            ],
            rows: vec![
                ["1", "楚河", "12.5", "+3.0", "-"].map(str::to_owned).to_vec(),
                ["10", "a\u{202e}b", "0", "", "half\nfull"].map(str::to_owned).to_vec(),
            ],
            note: "So far.".to_owned(),
            ..Table::default()
        };
        let lines = [
            "    name  points  Elo against the field  CPU",
            " 1  楚河    12.5  +3.0                   -",
            "10  a b        0                         half full",
            "So far.",
            "",
        ];
        assert_eq!(table.to_text(), lines.join("\n"));
    }
}
