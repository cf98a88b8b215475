//! Standings and cross tables.

use std::cmp::Ordering;

use chuhe_text::{Align, aligned, isolated, printable};
use maud::{Markup, html};

use super::input::{CrossCell, CrossRow, CrossTable, Standings};
use super::section;
use crate::foreign::foreign;
use crate::table::Heading;

/// More marks than this are summed up as points, or in text as games won, drawn and lost.
const MAX_MARKS: usize = 6;
const MAX_MARKS_OF_TEXT: usize = 8;
/// A cross table with more columns is broken into several, so that each fits the width of a page.
const MAX_COLUMNS: usize = 24;
/// With more columns than this a printed cross table lies across the page.
const MAX_UPRIGHT: usize = 12;

/// A heading with the stage or group it is about.
fn of_stage(zh: &str, en: &str, stage: &str) -> Heading {
    Heading::new(zh, if stage.is_empty() { en.to_owned() } else { format!("{en}: {stage}") })
}

pub(super) fn standings(standings: &Standings) -> Markup {
    let title = of_stage("成绩表", "Standings", &standings.stage);
    section("standings-section", &title, standings.table.markup(Some("standings")))
}

pub(super) fn cross_table(table: &CrossTable) -> Markup {
    let class = if table.rows.len() > MAX_UPRIGHT { "cross-section across" } else { "cross-section" };
    let body = html! {
        @for start in (0..table.rows.len()).step_by(MAX_COLUMNS) { (columns(&table.rows, start)) }
    };
    section(class, &of_stage("对战表", "Cross table", &table.title), body)
}

/// All lines, with the columns from `start` on that fit.
fn columns(rows: &[CrossRow], start: usize) -> Markup {
    let range = start..rows.len().min(start + MAX_COLUMNS);
    html! {
        div class="scroll" {
            table class="cross" {
                thead {
                    tr {
                        th {} th {}
                        @for opponent in &rows[range.clone()] { th class="center" title=(printable(&opponent.name)) { (opponent.place) } }
                        th class="right" { (Heading::new("积分", "Points").markup()) }
                    }
                }
                tbody {
                    @for row in rows {
                        tr {
                            td class="right" { (row.place) }
                            th scope="row" class="name" { (foreign(&row.name)) }
                            @for (cell, opponent) in row.cells.iter().zip(rows).skip(start).take(range.len()) {
                                (self::cell(cell, row, opponent))
                            }
                            td class="right points" { (row.points) }
                        }
                    }
                }
            }
        }
    }
}

fn cell(cell: &CrossCell, row: &CrossRow, opponent: &CrossRow) -> Markup {
    match cell {
        CrossCell::Own => html! { td class="own" {} },
        CrossCell::Empty => html! { td {} },
        CrossCell::Met { marks, won_drawn_lost } => {
            let [won, drawn, lost] = won_drawn_lost;
            let class = match won.cmp(lost) {
                Ordering::Greater => "ahead",
                Ordering::Equal => "level",
                Ordering::Less => "behind",
            };
            let games = marks.chars().count();
            let points = f64::from(*won) + f64::from(*drawn) / 2.0;
            let title = format!("{} – {}: {points} / {games}", isolated(&row.name), isolated(&opponent.name));
            html! {
                // The viewer shows their games when the cell is chosen.
                td class=(class) title=(title) data-one=(printable(&row.name)) data-other=(printable(&opponent.name)) {
                    @if games <= MAX_MARKS { (marks) } @else { (points) }
                }
            }
        }
    }
}

impl CrossTable {
    /// The table for a terminal, columns headed by the numbers of the lines; each line with its end.
    pub(super) fn to_text(&self) -> String {
        let head =
            [String::new(), "name".to_owned()].into_iter().chain((1..=self.rows.len()).map(|line| line.to_string()));
        let cell = |cell: &CrossCell| match cell {
            CrossCell::Own => "*".to_owned(),
            CrossCell::Empty => String::new(),
            CrossCell::Met { marks, .. } if marks.chars().count() <= MAX_MARKS_OF_TEXT => marks.clone(),
            CrossCell::Met { won_drawn_lost: [won, drawn, lost], .. } => format!("+{won}={drawn}-{lost}"),
        };
        let line = |(line, row): (usize, &CrossRow)| -> Vec<String> {
            let name = printable(&row.name).into_owned();
            [line.to_string(), name].into_iter().chain(row.cells.iter().map(cell)).collect()
        };
        let rows: Vec<Vec<String>> = std::iter::once(head.collect()).chain((1..).zip(&self.rows).map(line)).collect();
        aligned(&rows, &[Align::Right])
    }
}
