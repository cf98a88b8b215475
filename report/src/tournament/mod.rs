//! The report of a tournament: standings, cross table, Elo, tests and games on one page, fit for screen and print, and the
//! tables among them as text.

mod elo;
mod input;
mod pairing;
mod sprt;
mod tables;
mod text;

use chuhe_text::printable;
use maud::{Markup, html};

use crate::Language;
use crate::foreign::foreign;
use crate::page;
use crate::table::{Column, Heading, Table, facts};

pub use crate::table::Fact;
pub use input::{
    Act, CrossCell, CrossRow, CrossTable, Difference, EloBar, Pairing, SprtPanel, SprtVerdict, Standings,
    TournamentReport,
};
pub use text::to_text;

/// The report as a complete HTML document.
#[must_use]
pub fn render(report: &TournamentReport) -> String {
    page::document(
        &page::Document::of_games(&report.title, Language::English, &report.games),
        html! {
            header {
                h1 { (printable(&report.title)) }
                (facts(&report.facts))
            }
            @for standings in &report.standings { (tables::standings(standings)) }
            @if !report.qualified.is_empty() { p class="note" { "in the finals: " (names(&report.qualified)) } }
            @if !report.elo.is_empty() { (section("elo", &Heading::new("等级分", "Elo"), elo::chart(&report.elo))) }
            @for panel in &report.sprt { (section("sprt", &Heading::new("序贯检验", "SPRT"), sprt::panel(panel))) }
            @for table in &report.cross_tables { (tables::cross_table(table)) }
            @if let Some(rounds) = &report.rounds { (plain(rounds)) }
            @if !report.pairings.is_empty() { (plain(&pairing::table(&report.pairings))) }
            @if !report.terminations.is_empty() { (plain(&terminations(&report.terminations))) }
            @if let Some(engines) = &report.engines { (plain(engines)) }
            @for warning in &report.warnings { p class="note" { (foreign(warning)) } }
            @if !report.acts.is_empty() { (acts(&report.acts)) }
            @if !report.games.is_empty() {
                (section("games-section", &Heading::new("对局", "Games"), html! {
                    @if report.games_left_out > 0 {
                        p class="note" { (report.games_left_out) " more games were played; they are not on this page." }
                    }
                    (page::viewer(&report.games, &page::Reading::default()))
                }))
            }
        },
    )
}

/// Names one behind the other.
fn names(names: &[String]) -> Markup {
    html! { @for (index, name) in names.iter().enumerate() { @if index > 0 { ", " } (foreign(name)) } }
}

fn terminations(counts: &[(String, u64)]) -> Table {
    Table {
        title: Heading::new("终局原因", "How games ended"),
        columns: vec![Column::words("原因", "Reason"), Column::numbers("局数", "Games")],
        rows: counts.iter().map(|(why, count)| vec![why.clone(), count.to_string()]).collect(),
        note: String::new(),
    }
}

/// A section of the page.
fn section(class: &str, title: &Heading, body: Markup) -> Markup {
    html! {
        section class=(class) {
            h2 { (title.markup()) }
            (body)
        }
    }
}

fn plain(table: &Table) -> Markup {
    section("plain", &table.title, table.markup(None))
}

/// What the organiser did.
fn acts(acts: &[Act]) -> Markup {
    section(
        "acts",
        &Heading::new("裁判长决定", "Organiser's decisions"),
        html! {
            ul {
                @for act in acts {
                    li {
                        @if !act.when.is_empty() { time { (act.when) } " " }
                        (foreign(&act.what))
                        @if !act.reason.is_empty() { " — " em { (foreign(&act.reason)) } }
                    }
                }
            }
        },
    )
}
