//! A ruling as a page to print and sign.

use chuhe_movegen::Board;
use chuhe_records::Tags;
use chuhe_text::printable;
use maud::{Markup, PreEscaped, html};

use super::Explanation;
use super::tongue::Tongue;
use crate::board::{BoardStyle, Marks, svg};
use crate::foreign::foreign;
use crate::page::{Asset, Document, document};

const STYLE: Asset = Asset { text: include_str!("sheet.css"), hash: env!("SHEET_CSS_HASH") };

impl Explanation {
    /// The ruling on one page, a complete HTML document: the diagram where the cycle starts with the first move of each
    /// side as an arrow, the moves with their classes, the verdict, and lines for the arbiter's name.
    ///
    /// `tags` may name the players, the event and the date.
    #[must_use]
    pub fn sheet(&self, title: &str, tags: &Tags) -> String {
        let tongue = self.language.tongue();
        let labels = tongue.labels();
        let body = html! {
            article class="ruling" {
                header {
                    p class="kind" { (self.subject) }
                    h1 { (printable(title)) }
                    (facts(tongue, self, tags))
                }
                @if let Some(position) = &self.position {
                    div class="case" {
                        figure {
                            (PreEscaped(self.diagram(position)))
                            figcaption { (self.caption) br; code { (position.to_fen()) } }
                        }
                        @if !self.moves.is_empty() { (self.table()) }
                    }
                }
                @if !self.patterns.is_empty() {
                    p class="patterns" { @for pattern in &self.patterns { span { (pattern) } " " } }
                }
                section class="verdict" {
                    h2 { (labels.ruling) (self.verdict) }
                    p { (printable(&self.sentence)) }
                    @if let Some(claim) = &self.claim { p { (claim) } }
                    @if let Some(contradiction) = &self.contradiction { p { (contradiction) } }
                }
                div class="signature" {
                    span { (labels.arbiter) }
                    span { (labels.signed_on) }
                }
            }
        };
        document(&Document::new(title, self.language).styled(STYLE), body)
    }

    fn diagram(&self, position: &Board) -> String {
        let first_moves = self.moves.iter().take(2).map(|mv| mv.mv).collect();
        svg(position, &Marks { arrows: first_moves, ..Marks::default() }, &BoardStyle::default())
    }

    fn table(&self) -> Markup {
        let tongue = self.language.tongue();
        let labels = tongue.labels();
        html! {
            table {
                thead {
                    tr {
                        @for label in [labels.number, labels.side, labels.mv, labels.class, labels.details] { th { (label) } }
                    }
                }
                tbody {
                    @for mv in &self.moves {
                        tr {
                            td { (mv.number) }
                            td { (tongue.side(mv.mover)) }
                            td { (mv.name) }
                            td { (mv.class) }
                            td { (mv.details) }
                        }
                    }
                }
            }
        }
    }
}

/// What is known of the game, and the rules.
fn facts(tongue: &dyn Tongue, explanation: &Explanation, tags: &Tags) -> Markup {
    let labels = tongue.labels();
    let facts = [
        (labels.red, tags.red()),
        (labels.black, tags.black()),
        (labels.event, tags.event()),
        (labels.date, tags.date()),
        (labels.rules, Some(explanation.rules.as_str()).filter(|rules| !rules.is_empty())),
    ];
    html! {
        dl class="facts" {
            @for (label, value) in facts {
                @if let Some(value) = value { div { dt { (label) } dd { (foreign(value)) } } }
            }
        }
    }
}
