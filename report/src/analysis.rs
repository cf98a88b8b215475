//! The report of analyzed games: one page to step through them, with chances, marks, best lines and summaries.

use chuhe_text::printable;
use maud::{Markup, html};

use crate::Language;
use crate::foreign::foreign;
use crate::page::{self, GameView, Reading};
use crate::table::{Fact, Heading, facts};

/// Everything on the page. What is empty is left out.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct AnalysisPage {
    /// The page's title.
    pub title: String,
    /// In which language, and what moves are called. Of headings in two languages one is shown.
    pub reading: Reading,
    /// What analyzed the games and how: engine, limits, date.
    pub facts: Vec<Fact>,
    /// The games, each with its [`crate::page::Study`]. They take some 100 bytes a move, and 300 more for each line.
    pub games: Vec<GameView>,
    /// What could not be analyzed: what it is called, and why.
    pub faults: Vec<(String, String)>,
}

/// The report as a complete HTML document.
#[must_use]
pub fn render(report: &AnalysisPage) -> String {
    let language = report.reading.language;
    let own_facts: Vec<Fact> =
        report.facts.iter().map(|fact| Fact { label: fact.label.only(language), value: fact.value.clone() }).collect();
    page::document(
        &page::Document::of_games(&report.title, language, &report.games),
        html! {
            header { h1 { (printable(&report.title)) } }
            @if report.games.len() > 1 { (index(&report.games, language)) }
            @if !report.games.is_empty() { (page::viewer(&report.games, &report.reading)) }
            footer { (facts(&own_facts)) }
            @if !report.faults.is_empty() {
                section class="faults" {
                    h2 { (language.choose("未能分析的棋谱", "Not analyzed")) }
                    dl {
                        @for (name, fault) in &report.faults {
                            dt { (foreign(name)) }
                            dd { (foreign(fault)) }
                        }
                    }
                }
            }
        },
    )
}

/// A line for each game; choosing one shows it.
fn index(games: &[GameView], language: Language) -> Markup {
    let headings =
        [("赛事", "Event"), ("红方", "Red"), ("", ""), ("黑方", "Black"), ("开局", "Opening"), ("杀法", "Kill")];
    html! {
        div class="scroll index-box" {
            table class="index" {
                thead {
                    tr {
                        th class="right" {}
                        @for (place, (zh, en)) in headings.into_iter().enumerate() {
                            // What there is no room for on a telephone.
                            th class=[matches!(place, 0 | 4 | 5).then_some("more")] { (language.choose(zh, en)) }
                        }
                    }
                }
                tbody { @for (index, game) in games.iter().enumerate() { (line(index, game, language)) } }
            }
        }
    }
}

fn line(index: usize, game: &GameView, language: Language) -> Markup {
    // A game of nobody, or a position, is called by where it comes from.
    let is_nameless = game.red.is_empty() && game.black.is_empty();
    let player = |side: usize, name: &str| {
        let accuracy = game.study.as_ref().and_then(|study| study.players[side].accuracy);
        html! { td class="who" { b { @if name.is_empty() { "–" } @else { (foreign(name)) } } @if let Some(accuracy) = accuracy { " " span class="rate" { (format!("{accuracy:.0} %")) } } } }
    };
    let name = |heading: Option<&Heading>| html! { td class="more" { @if let Some(heading) = heading { (heading.only(language).markup()) } } };
    let study = game.study.as_ref();
    html! {
        tr {
            td class="right" { a href=(format!("#game={}&ply=0", index + 1)) { (index + 1) } }
            td class="more" { @if let Some(study) = study { (foreign(&study.event)) } }
            @if is_nameless {
                td colspan="3" class="source" { @if let Some(study) = study { (foreign(&study.source)) } }
            } @else {
                (player(0, &game.red))
                td class="center" { (game.result.as_str().replace("1/2", "½")) }
                (player(1, &game.black))
            }
            (name(study.map(|study| &study.opening)))
            (name(study.and_then(|study| study.kills.first())))
        }
    }
}
