//! The report of analysed games: one page to step through them, with chances, marks, best lines and summaries.

use maud::{Markup, html};

use crate::page::{self, GameView};
use crate::table::{Fact, Heading, facts};

/// Everything on the page. What is empty is left out.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct AnalysisPage {
    /// The page's title.
    pub title: String,
    /// What analysed the games and how: engine, limits, date.
    pub facts: Vec<Fact>,
    /// The games, each with its [`crate::page::Study`]. They take some 100 bytes a move, and 300 more for each line.
    pub games: Vec<GameView>,
}

/// The report as a complete HTML document.
#[must_use]
pub fn render(report: &AnalysisPage) -> String {
    page::document(
        &page::Document::new(&report.title),
        html! {
            header {
                h1 { (report.title) }
                (facts(&report.facts))
            }
            @if report.games.len() > 1 { (index(&report.games)) }
            (page::viewer(&report.games))
        },
    )
}

/// A line for each game; choosing one shows it.
fn index(games: &[GameView]) -> Markup {
    html! {
        div class="scroll" {
            table class="index" {
                thead {
                    tr {
                        th class="right" {}
                        @for (zh, en) in [("赛事", "Event"), ("红方", "Red"), ("", ""), ("黑方", "Black"), ("开局", "Opening"), ("杀法", "Kill")] {
                            th { (Heading::new(zh, en).markup()) }
                        }
                    }
                }
                tbody { @for (index, game) in games.iter().enumerate() { (line(index, game)) } }
            }
        }
    }
}

fn line(index: usize, game: &GameView) -> Markup {
    let player = |side: usize, name: &str| {
        let accuracy = game.study.as_ref().and_then(|study| study.players[side].accuracy);
        html! { td class="who" { b { @if name.is_empty() { "–" } @else { (name) } } @if let Some(accuracy) = accuracy { " " span class="rate" { (format!("{accuracy:.0} %")) } } } }
    };
    html! {
        tr {
            td class="right" { a href=(format!("#game={}&ply=0", index + 1)) { (index + 1) } }
            td { @if let Some(study) = &game.study { (study.event) } }
            (player(0, &game.red))
            td class="center" { (game.result.as_str().replace("1/2", "½")) }
            (player(1, &game.black))
            @let opening = game.study.as_ref().map(|study| &study.opening);
            td title=[opening.map(|opening| &opening.en)] { @if let Some(opening) = opening { (opening.zh) } }
            td { @if let Some(kill) = game.study.as_ref().and_then(|study| study.kills.first()) { (kill.markup()) } }
        }
    }
}
