//! Headings in two languages, facts and plain tables.

use maud::{Markup, html};

use crate::Language;

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
            dl class="facts" { @for fact in facts { div { dt { (fact.label.markup()) } dd { (fact.value) } } } }
        }
    }
}

/// Where the cells of a column are aligned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Align {
    /// Words.
    #[default]
    Left,
    /// Numbers.
    Right,
    /// Marks.
    Center,
}

impl Align {
    pub(crate) const fn class(self) -> &'static str {
        match self {
            Align::Left => "left",
            Align::Right => "right",
            Align::Center => "center",
        }
    }
}

/// A column of a [`Table`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Column {
    /// What it is headed.
    pub heading: Heading,
    /// How it is aligned.
    pub align: Align,
}

impl Column {
    /// A column of words.
    pub fn words(zh: &str, en: &str) -> Column {
        Column { heading: Heading::new(zh, en), align: Align::Left }
    }

    /// A column of numbers.
    pub fn numbers(zh: &str, en: &str) -> Column {
        Column { heading: Heading::new(zh, en), align: Align::Right }
    }
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
    /// The table without its title.
    pub(crate) fn markup(&self) -> Markup {
        html! {
            div class="scroll" {
                table {
                    thead {
                        tr { @for column in &self.columns { th class=(column.align.class()) { (column.heading.markup()) } } }
                    }
                    tbody {
                        @for row in &self.rows {
                            tr { @for (cell, column) in row.iter().zip(&self.columns) { td class=(column.align.class()) { (cell) } } }
                        }
                    }
                }
            }
            @if !self.note.is_empty() { p class="note" { (self.note) } }
        }
    }
}
