//! Elo estimates with bars of error.

use std::fmt::Write as _;

use maud::{Markup, html};

use super::input::EloBar;
use crate::foreign::foreign;
use crate::table::Heading;

/// Size of a line's picture.
const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 28.0;
/// The ends of the scale keep this from the edges, so that their numbers have room.
const EDGE: f64 = 24.0;

/// Steps between the lines of the scale; the first that gives few enough is taken.
const STEPS: [f64; 8] = [5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0];

/// A table, so that it breaks between pages where it is long, with a picture in each line.
pub(super) fn chart(bars: &[EloBar]) -> Markup {
    let scale = Scale::of(bars);
    html! {
        div class="scroll" {
            table class="elo" {
                thead {
                    tr {
                        th class="left" { (Heading::new("棋手", "Name").markup()) }
                        th {}
                        th class="right" { (Heading::new("等级分", "Elo, 95 %").markup()) }
                        th class="right" { (Heading::new("局", "Games").markup()) }
                        th class="right" title="likelihood of superiority" { (Heading::new("优势概率", "LOS").markup()) }
                    }
                }
                tbody {
                    @for bar in bars {
                        tr {
                            th scope="row" class="name" { (foreign(&bar.name)) }
                            td class="picture" { (picture(bar, &scale)) }
                            td class="right" { (value(bar)) }
                            td class="right" { (bar.games) }
                            td class="right" { @if let Some(los) = bar.los { (format!("{:.1} %", 100.0 * los)) } }
                        }
                    }
                    tr class="scale" { td {} td class="picture" { (numbers(&scale)) } }
                }
            }
        }
    }
}

/// An estimate and its error on the scale.
fn picture(bar: &EloBar, scale: &Scale) -> Markup {
    let (low, elo, high) = (scale.x(bar.low), scale.x(bar.elo), scale.x(bar.high));
    let middle = HEIGHT / 2.0;
    let mut error = format!("M{low:.1} {middle}H{high:.1}");
    // An interval without an end has none drawn.
    for (value, x) in [(bar.low, low), (bar.high, high)] {
        if value.is_finite() {
            let _ = write!(error, "M{x:.1} {}v12", middle - 6.0);
        }
    }
    html! {
        svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(value(bar)) {
            @for tick in scale.ticks() {
                @let x = scale.x(tick);
                path class=(if tick == 0.0 { "axis" } else { "grid" }) d=(format!("M{x:.1} 0V{HEIGHT}")) {}
            }
            path class="error" d=(error) {}
            @if bar.elo.is_finite() { circle class="estimate" cx=(format!("{elo:.1}")) cy=(middle) r="5" {} }
        }
    }
}

/// The numbers below the lines of the scale.
fn numbers(scale: &Scale) -> Markup {
    html! {
        svg viewBox=(format!("0 0 {WIDTH} 18")) aria-hidden="true" {
            @for tick in scale.ticks() {
                text x=(format!("{:.1}", scale.x(tick))) y="13" class="tick" text-anchor="middle" { (signed(tick)) }
            }
        }
    }
}

/// The estimate with its error, or the bound that an infinite one has.
fn value(bar: &EloBar) -> String {
    let EloBar { elo, low, high, .. } = *bar;
    if elo.is_finite() && (high - low).is_finite() {
        format!("{} ± {:.0}", signed(elo), (high - low) / 2.0)
    } else if elo.is_infinite() && low.is_finite() {
        format!("all won, ≥ {}", signed(low))
    } else if elo.is_infinite() && high.is_finite() {
        format!("all lost, ≤ {}", signed(high))
    } else {
        signed(elo)
    }
}

/// A number with its sign, as people write it.
fn signed(value: f64) -> String {
    match value {
        _ if value.is_nan() => "?".to_owned(),
        f64::INFINITY => "+∞".to_owned(),
        f64::NEG_INFINITY => "-∞".to_owned(),
        _ if value.round() == 0.0 => "0".to_owned(),
        _ if value < 0.0 => format!("-{:.0}", -value),
        _ => format!("+{value:.0}"),
    }
}

/// The range of Elo that the chart shows. What lies outside, infinities above all, is drawn at its ends.
struct Scale {
    low: f64,
    high: f64,
    step: f64,
}

impl Scale {
    fn of(bars: &[EloBar]) -> Scale {
        const LIMIT: f64 = 3000.0;
        let values = || bars.iter().flat_map(|bar| [bar.low, bar.elo, bar.high]).filter(|value| value.is_finite());
        let low = values().fold(0.0, f64::min).max(-LIMIT);
        let high = values().fold(0.0, f64::max).min(LIMIT);
        let step = STEPS.into_iter().find(|step| (high - low) / step <= 8.0).unwrap_or(STEPS[STEPS.len() - 1]);
        let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
        if low < high { Scale { low, high, step } } else { Scale { low: -step, high: step, step } }
    }

    fn x(&self, elo: f64) -> f64 {
        let elo = if elo.is_nan() { 0.0 } else { elo.clamp(self.low, self.high) };
        EDGE + (WIDTH - 2.0 * EDGE) * (elo - self.low) / (self.high - self.low)
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let count = ((self.high - self.low) / self.step).round() as u32;
        (0..=count).map(|index| self.step.mul_add(f64::from(index), self.low))
    }
}
