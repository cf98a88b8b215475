//! Standings and cross tables.

use maud::{Markup, html};

use super::input::{Balance, CrossCell, CrossRow, CrossTable, Standings};
use super::section;
use crate::table::Heading;

/// More marks than this are summed up as points.
const MAX_MARKS: usize = 6;
/// A cross table with more columns is broken into several, so that each fits the width of a page.
const MAX_COLUMNS: usize = 24;
/// With more columns than this a printed cross table lies across the page.
const MAX_UPRIGHT: usize = 12;

/// A heading with the stage or group it is about.
fn of_stage(zh: &str, en: &str, stage: &str) -> Heading {
    Heading::new(zh, if stage.is_empty() { en.to_owned() } else { format!("{en}: {stage}") })
}

pub(super) fn standings(standings: &Standings) -> Markup {
    let body = html! {
        div class="scroll" {
            table class="standings" {
                thead {
                    tr {
                        @for (zh, en, class) in [("名次", "Place", "right"), ("棋手", "Name", "left"), ("积分", "Points", "right")] {
                            th class=(class) { (Heading::new(zh, en).markup()) }
                        }
                        @for heading in &standings.more { th class="right" { (heading.markup()) } }
                        @for (zh, en) in [("局", "Games"), ("胜", "Won"), ("和", "Drawn"), ("负", "Lost")] {
                            th class="right" { (Heading::new(zh, en).markup()) }
                        }
                    }
                }
                tbody {
                    @for row in &standings.rows {
                        tr {
                            td class="right" { (row.place) }
                            td class="name" { (row.name) }
                            td class="right points" { (row.points) }
                            @for value in &row.more { td class="right" { (value) } }
                            td class="right" { (row.games) }
                            @for count in row.won_drawn_lost { td class="right" { (count) } }
                        }
                    }
                }
            }
        }
    };
    section("standings-section", &of_stage("成绩表", "Standings", &standings.title), body)
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
                        @for opponent in &rows[range.clone()] { th class="center" title=(opponent.name) { (opponent.place) } }
                        th class="right" { (Heading::new("积分", "Points").markup()) }
                    }
                }
                tbody {
                    @for row in rows {
                        tr {
                            td class="right" { (row.place) }
                            th scope="row" class="name" { (row.name) }
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
        CrossCell::Met { marks, points, balance } => {
            let class = match balance {
                Balance::Ahead => "ahead",
                Balance::Level => "level",
                Balance::Behind => "behind",
            };
            let games = marks.chars().count();
            let title = format!("{} – {}: {points} / {games}", row.name, opponent.name);
            html! {
                // The viewer shows their games when the cell is chosen.
                td class=(class) title=(title) data-one=(row.name) data-other=(opponent.name) {
                    @if games <= MAX_MARKS { (marks) } @else { (points) }
                }
            }
        }
    }
}
