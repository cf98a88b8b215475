//! The losses of a run as a picture.

use plotters::prelude::*;

use super::run_record::Epoch;

/// Size of the picture, pixels.
const SIZE: (u32, u32) = (800, 480);

/// A picture could not be drawn.
#[derive(Debug, thiserror::Error)]
#[error("cannot draw the losses: {0}")]
pub struct PlotError(String);

/// Draws the losses of all epochs, as SVG.
///
/// # Errors
/// [`PlotError`] when the drawing library fails.
pub fn losses(title: &str, epochs: &[Epoch]) -> Result<String, PlotError> {
    let mut svg = String::new();
    draw(&mut svg, title, epochs).map_err(|error| PlotError(error.to_string()))?;
    Ok(svg)
}

fn draw(svg: &mut String, title: &str, epochs: &[Epoch]) -> Result<(), Box<dyn std::error::Error>> {
    let training: Vec<(u32, f64)> = epochs.iter().map(|epoch| (epoch.epoch, epoch.loss)).collect();
    let held_out: Vec<(u32, f64)> =
        epochs.iter().filter_map(|epoch| Some((epoch.epoch, epoch.held_out_loss?))).collect();
    let values = || training.iter().chain(&held_out).map(|point| point.1);
    let (lowest, highest) = (values().fold(f64::MAX, f64::min), values().fold(0.0, f64::max));
    let margin = ((highest - lowest) * 0.05).max(1e-6);
    let last = epochs.last().map_or(2, |epoch| epoch.epoch.max(2));

    let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(70)
        .build_cartesian_2d(1..last, lowest.min(highest) - margin..highest + margin)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc("epoch")
        .y_desc("mean squared error")
        .y_label_formatter(&|y| format!("{y:.4}"))
        .draw()?;
    for (name, points, color) in [("training", training, BLUE), ("held out", held_out, RED)] {
        chart
            .draw_series(LineSeries::new(points, &color))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], color));
    }
    chart.configure_series_labels().border_style(BLACK).background_style(WHITE).draw()?;
    root.present()?;
    Ok(())
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
        let svg = losses("a <b> & c", &epochs).expect("five points");
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
        assert!(losses("one", &[epoch(1, 0.1, None)]).is_ok());
        assert!(losses("none", &[]).is_ok());
    }
}
