//! The report of a tournament: one page with standings, cross table, Elo, tests and games, fit for screen and print.

mod elo;
mod input;
mod sprt;
mod tables;

use maud::{Markup, html};

use crate::Language;
use crate::page;
use crate::table::{Heading, Table, facts};

pub use crate::table::Fact;
pub use input::{
    Act, Balance, CrossCell, CrossRow, CrossTable, EloBar, SprtPanel, SprtVerdict, StandingRow, Standings,
    TournamentPage,
};

/// The report as a complete HTML document.
#[must_use]
pub fn render(report: &TournamentPage) -> String {
    page::document(
        &page::Document::new(&report.title, Language::English),
        html! {
            header {
                h1 { (report.title) }
                (facts(&report.facts))
            }
            @for standings in &report.standings { (tables::standings(standings)) }
            @if !report.elo.is_empty() { (section("elo", &Heading::new("等级分", "Elo"), elo::chart(&report.elo))) }
            @for panel in &report.sprt { (section("sprt", &Heading::new("序贯检验", "SPRT"), sprt::panel(panel))) }
            @for table in &report.cross_tables { (tables::cross_table(table)) }
            @for table in report.tables.iter().chain(&report.terminations).chain(&report.engines) { (plain(table)) }
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
    section("plain", &table.title, table.markup())
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
                        (act.what)
                        @if !act.reason.is_empty() { " — " em { (act.reason) } }
                    }
                }
            }
        },
    )
}
