//! The viewer's markup.

use maud::{Markup, PreEscaped, html};

use super::data;
use super::game::GameView;
use crate::board;

/// Everything that steps through `games`: markup, data and program. A document holds one at most.
pub(crate) fn viewer(games: &[GameView]) -> Markup {
    html! {
        section id="viewer" class="viewer simplified-script" tabindex="-1" aria-label="games" {
            div class="stage" {
                div class="player black-player" {}
                (board::interactive())
                div class="player red-player" {}
                div class="balance" role="img" { span class="red-share" {} }
                div class="controls" {
                    button type="button" data-do="first" title="Home" aria-label="to the start" { (icon("M6 5v14M20 5l-10 7 10 7z")) }
                    button type="button" data-do="back" title="←" aria-label="one move back" { (icon("M17 5L7 12l10 7z")) }
                    button type="button" data-do="play" title="space" aria-label="play or pause" {
                        span class="when-still" { (icon("M7 4l13 8-13 8z")) }
                        span class="when-playing" { (icon("M7 5v14M17 5v14")) }
                    }
                    button type="button" data-do="forward" title="→" aria-label="one move on" { (icon("M7 5l10 7-10 7z")) }
                    button type="button" data-do="last" title="End" aria-label="to the end" { (icon("M18 5v14M4 5l10 7-10 7z")) }
                    button type="button" data-do="flip" title="f" aria-label="turn the board" { (icon("M8 20V5M4 9l4-4 4 4M16 4v15M12 15l4 4 4-4")) }
                    button type="button" data-do="script" title="马 馬 N" aria-label="other signs on the pieces" {
                        svg viewBox="-50 -50 100 100" aria-hidden="true" { use href="#piece-N" {} }
                    }
                    button type="button" data-do="arrows" class="studied" title="a" aria-label="arrows for the best moves" { (icon("M5 19L17 7M9 6h9v9")) }
                }
                svg class="curve" viewBox="0 0 400 100" preserveAspectRatio="none" aria-label="scores" {}
            }
            div class="record" {
                p class="event" {}
                h3 class="names" {}
                p class="ending" {}
                p class="opening" {}
                p class="kills" {}
                div class="notations studied" role="group" aria-label="names of moves" {
                    @for (notation, name) in [("chinese", "炮二平五"), ("wxf", "C2=5"), ("iccs", "h2e2")] {
                        button type="button" data-do=(notation) aria-pressed="false" { (name) }
                    }
                }
                div class="moves" { table { thead {} tbody {} } }
                p class="comment" {}
                p class="judged" {}
                ol class="lines" {}
                div class="summary" {}
            }
            div class="chooser" {
                div class="filters" {
                    input type="search" class="filter" placeholder="name, result, ending …" aria-label="find games";
                    button type="button" data-do="previous-game" title="p" { "‹" }
                    button type="button" data-do="next-game" title="n" { "›" }
                }
                p class="count" {}
                ol class="games" {}
            }
        }
        script type="application/json" id="games" { (PreEscaped(data::json(games))) }
        script { (PreEscaped(include_str!("viewer.js"))) }
    }
}

/// A sign on a button.
fn icon(path: &str) -> Markup {
    html! {
        svg viewBox="0 0 24 24" aria-hidden="true" {
            path d=(path) fill="currentColor" stroke="currentColor" stroke-width="2" stroke-linejoin="round" stroke-linecap="round" {}
        }
    }
}
