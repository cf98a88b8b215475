//! The losses of a run as a picture.

use std::fmt::Write as _;

use super::run_record::Epoch;

/// Size of the picture, pixels.
const SIZE: [f64; 2] = [800.0, 480.0];
/// Room for captions left, above, right and below of the chart, pixels.
const ROOM: [f64; 4] = [82.0, 40.0, 12.0, 52.0];
/// Lines of the grid in each direction, at most.
const MAX_TICKS: u32 = 10;

/// The area that is drawn: which epochs and losses its edges stand for.
struct Chart {
    epochs: [f64; 2],
    losses: [f64; 2],
}

impl Chart {
    fn x(&self, epoch: f64) -> f64 {
        let [first, last] = self.epochs;
        ROOM[0] + (epoch - first) / (last - first) * (SIZE[0] - ROOM[0] - ROOM[2])
    }

    fn y(&self, loss: f64) -> f64 {
        let [lowest, highest] = self.losses;
        SIZE[1] - ROOM[3] - (loss - lowest) / (highest - lowest) * (SIZE[1] - ROOM[1] - ROOM[3])
    }
}

/// Draws the losses of all epochs, as SVG.
#[must_use]
pub fn losses(title: &str, epochs: &[Epoch]) -> String {
    let training: Vec<(u32, f64)> = epochs.iter().map(|epoch| (epoch.epoch, epoch.loss)).collect();
    let held_out: Vec<(u32, f64)> =
        epochs.iter().filter_map(|epoch| Some((epoch.epoch, epoch.held_out_loss?))).collect();
    let values = || training.iter().chain(&held_out).map(|point| point.1);
    let highest = values().fold(0.0, f64::max);
    let lowest = values().fold(highest, f64::min);
    let margin = ((highest - lowest) * 0.05).max(1e-6);
    let last = epochs.last().map_or(2, |epoch| epoch.epoch.max(2));
    let chart = Chart { epochs: [1.0, f64::from(last)], losses: [lowest - margin, highest + margin] };

    let [width, height] = SIZE;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    text(&mut svg, [width / 2.0, 24.0], "middle", &format!("<tspan font-size=\"18\">{}</tspan>", escaped(title)));
    grid(&mut svg, &chart, last);
    for (row, (name, points, color)) in
        [("training", training, "blue"), ("held out", held_out, "red")].iter().enumerate()
    {
        let points: Vec<String> =
            points.iter().map(|&(epoch, loss)| format!("{:.1},{:.1}", chart.x(epoch.into()), chart.y(loss))).collect();
        push(&mut svg, format_args!("<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\"/>", points.join(" ")));
        let at = [width - ROOM[2] - 90.0, ROOM[1] + 20.0 + 18.0 * row as f64];
        push(&mut svg, format_args!("<path d=\"M{} {}h16\" stroke=\"{color}\"/>", at[0], at[1] - 4.0));
        text(&mut svg, [at[0] + 22.0, at[1]], "start", name);
    }
    svg.push_str("</svg>\n");
    svg
}

/// The grid with its captions.
fn grid(svg: &mut String, chart: &Chart, last: u32) {
    let [width, height] = SIZE;
    let line = |svg: &mut String, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]| {
        push(svg, format_args!("<path d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\" stroke=\"#ccc\"/>"));
    };
    let (left, right, top, bottom) = (ROOM[0], width - ROOM[2], ROOM[1], height - ROOM[3]);
    let step = (last - 1).div_ceil(MAX_TICKS).max(1);
    for epoch in (1..=last).step_by(step as usize) {
        let x = chart.x(epoch.into());
        line(svg, [x, top], [x, bottom]);
        text(svg, [x, bottom + 16.0], "middle", &epoch.to_string());
    }
    let [lowest, highest] = chart.losses;
    for tick in 0..=MAX_TICKS {
        let loss = lowest + (highest - lowest) * f64::from(tick) / f64::from(MAX_TICKS);
        line(svg, [left, chart.y(loss)], [right, chart.y(loss)]);
        text(svg, [left - 6.0, chart.y(loss) + 4.0], "end", &format!("{loss:.4}"));
    }
    text(svg, [f64::midpoint(left, right), height - 12.0], "middle", "epoch");
    let at = [20.0, f64::midpoint(top, bottom)];
    push(svg, format_args!("<g transform=\"rotate(-90 {} {})\">", at[0], at[1]));
    text(svg, at, "middle", "mean squared error");
    push(svg, format_args!("</g>"));
}

/// A text, already escaped, that begins, ends or has its middle at a place.
fn text(svg: &mut String, [x, y]: [f64; 2], anchor: &str, text: &str) {
    push(svg, format_args!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"));
}

fn push(svg: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing into memory cannot fail.
    let _ = writeln!(svg, "{line}");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn epoch(epoch: u32, loss: f64, held_out_loss: Option<f64>) -> Epoch {
        Epoch { epoch, updates: 1, learning_rate: 0.1, lambda: 0.2, loss, held_out_loss, positions_per_second: 1.0 }
    }

    #[test]
    fn the_picture_shows_both_lines_and_escapes_its_title() {
        let epochs: Vec<Epoch> = (1..=5).map(|n| epoch(n, 0.1 / f64::from(n), Some(0.12 / f64::from(n)))).collect();
        let svg = losses("a <b> & c", &epochs);
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        assert!(svg.contains("a &lt;b&gt; &amp; c") && svg.contains("held out"));
        let points = |line: &str| {
            line.split("points=\"")
                .nth(1)
                .map_or(0, |rest| rest.split('"').next().unwrap_or("").split_whitespace().count())
        };
        assert_eq!(svg.lines().filter(|line| line.contains("<polyline") && points(line) == 5).count(), 2);
    }

    #[test]
    fn one_epoch_or_none_can_be_drawn() {
        for epochs in [&[epoch(1, 0.1, None)][..], &[]] {
            let svg = losses("few", epochs);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
