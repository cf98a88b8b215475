//! The course of a sequential test between its bounds.

use std::fmt::Write as _;

use maud::{Markup, html};

use super::input::{SprtPanel, SprtVerdict};
use crate::foreign::foreign;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 150.0;
/// Room above and below the bounds.
const EDGE: f64 = 18.0;

impl SprtVerdict {
    /// In a word or two.
    const fn words(self) -> &'static str {
        match self {
            SprtVerdict::Undecided => "undecided",
            SprtVerdict::AcceptsH0 => "H0 accepted",
            SprtVerdict::AcceptsH1 => "H1 accepted",
        }
    }
}

impl SprtPanel {
    /// The test on one line of text, with its end.
    pub(super) fn to_text(&self) -> String {
        let SprtPanel { test, llr, lower, upper, verdict, .. } = self;
        format!("  SPRT {test}: LLR {llr:.2} of {lower:.2} to {upper:.2}, {}\n", verdict.words())
    }
}

pub(super) fn panel(panel: &SprtPanel) -> Markup {
    let words = panel.verdict.words();
    let (class, verdict) = match panel.verdict {
        SprtVerdict::Undecided => ("undecided", words.to_owned()),
        SprtVerdict::AcceptsH0 => ("h0", format!("{words}: Elo ≤ {}", panel.elo0)),
        SprtVerdict::AcceptsH1 => ("h1", format!("{words}: Elo ≥ {}", panel.elo1)),
    };
    html! {
        p { (foreign(&panel.contest)) " — " strong class=(class) { (verdict) } }
        p class="note" {
            "LLR " (two(panel.llr)) " between " (two(panel.lower)) " (H0: Elo ≤ " (panel.elo0) ") and " (two(panel.upper))
            " (H1: Elo ≥ " (panel.elo1) "), " (panel.model) " Elo"
        }
        (course(panel))
    }
}

/// The ratio over the games, between the bounds.
fn course(panel: &SprtPanel) -> Markup {
    let history = if panel.history.is_empty() { std::slice::from_ref(&panel.llr) } else { &panel.history[..] };
    let span = (panel.upper - panel.lower).max(f64::MIN_POSITIVE);
    // A last jump may go beyond a bound, but not off the chart.
    let y = |llr: f64| (EDGE + (HEIGHT - 2.0 * EDGE) * (panel.upper - llr) / span).clamp(2.0, HEIGHT - 2.0);
    let x = |index: usize| WIDTH * (index + 1) as f64 / history.len() as f64;
    let mut line = format!("M0 {:.1}", y(0.0));
    for (index, &llr) in history.iter().enumerate().filter(|(_, llr)| llr.is_finite()) {
        let _ = write!(line, "L{:.1} {:.1}", x(index), y(llr));
    }
    html! {
        div class="scroll" { svg class="chart" viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label="log-likelihood ratio" {
            line class="bound h1" x1="0" x2=(WIDTH) y1=(y(panel.upper)) y2=(y(panel.upper)) {}
            line class="axis" x1="0" x2=(WIDTH) y1=(y(0.0)) y2=(y(0.0)) {}
            line class="bound h0" x1="0" x2=(WIDTH) y1=(y(panel.lower)) y2=(y(panel.lower)) {}
            text x="4" y=(y(panel.upper) - 5.0) class="tick" { "H1  " (two(panel.upper)) }
            text x="4" y=(y(panel.lower) + 14.0) class="tick" { "H0  " (two(panel.lower)) }
            path class="course" d=(line) {}
        } }
    }
}

fn two(value: f64) -> String {
    format!("{value:+.2}")
}
