//! Elo estimates as bars of error.

use maud::{Markup, html};

use super::input::EloBar;

/// Height of a line.
const LINE: f64 = 30.0;
/// Where the scale begins and ends.
const LEFT: f64 = 190.0;
const RIGHT: f64 = 560.0;
const WIDTH: f64 = 760.0;

/// Steps between the lines of the scale; the first that gives few enough is taken.
const STEPS: [f64; 8] = [5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0];

pub(super) fn chart(bars: &[EloBar]) -> Markup {
    let scale = Scale::of(bars);
    let height = bars.len() as f64 * LINE + 34.0;
    let bottom = height - 26.0;
    html! {
        svg class="chart" viewBox=(format!("0 0 {WIDTH} {height}")) role="img" aria-label="Elo with 95 % error" {
            @for tick in scale.ticks() {
                @let x = scale.x(tick);
                line x1=(short(x)) y1="4" x2=(short(x)) y2=(short(bottom)) class=(if tick == 0.0 { "axis" } else { "grid" }) {}
                text x=(short(x)) y=(short(height - 8.0)) class="tick" text-anchor="middle" { (signed(tick)) }
            }
            @for (index, bar) in bars.iter().enumerate() {
                @let y = LINE.mul_add(index as f64, 20.0);
                (row(bar, &scale, y))
            }
        }
    }
}

fn row(bar: &EloBar, scale: &Scale, y: f64) -> Markup {
    let (low, elo, high) = (scale.x(bar.low), scale.x(bar.elo), scale.x(bar.high));
    html! {
        g class="elo-row" {
            title { (bar.name) ": " (value(bar)) }
            text x=(short(LEFT - 14.0)) y=(short(y + 5.0)) text-anchor="end" class="label" { (clipped(&bar.name)) }
            path class="error" d=(format!("M{low:.1} {y}H{high:.1}M{low:.1} {}v12M{high:.1} {}v12", y - 6.0, y - 6.0)) {}
            circle class="estimate" cx=(short(elo)) cy=(short(y)) r="5" {}
            text x=(short(RIGHT + 16.0)) y=(short(y + 5.0)) class="value" { (value(bar)) }
        }
    }
}

/// A name that fits its place in the chart; the table beside it has all of it.
fn clipped(name: &str) -> String {
    const ROOM: usize = 22;
    if name.chars().count() <= ROOM { name.to_owned() } else { name.chars().take(ROOM - 1).chain(['…']).collect() }
}

fn value(bar: &EloBar) -> String {
    let error = (bar.high - bar.low) / 2.0;
    let error = if error.is_finite() { format!(" ± {error:.0}") } else { String::new() };
    let los = bar.los.map(|los| format!(", LOS {:.1} %", 100.0 * los)).unwrap_or_default();
    format!("{}{error}{los}", signed(bar.elo))
}

/// A number with its sign, as people write it.
pub(super) fn signed(value: f64) -> String {
    match value {
        _ if value.is_nan() => "?".to_owned(),
        f64::INFINITY => "+∞".to_owned(),
        f64::NEG_INFINITY => "−∞".to_owned(),
        _ if value.round() == 0.0 => "0".to_owned(),
        _ if value < 0.0 => format!("−{:.0}", -value),
        _ => format!("+{value:.0}"),
    }
}

fn short(value: f64) -> String {
    format!("{value:.1}")
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
        LEFT + (RIGHT - LEFT) * (elo - self.low) / (self.high - self.low)
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let count = ((self.high - self.low) / self.step).round() as u32;
        (0..=count).map(|index| self.step.mul_add(f64::from(index), self.low))
    }
}
