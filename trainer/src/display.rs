//! Progress of runs that fill a game file: a bar on a terminal, a line a minute elsewhere.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use chuhe_trainer::progress::Progress;
use indicatif::{ProgressBar, ProgressStyle};

use crate::failure::{CommandResult, say};

/// Time between lines of progress where there is no terminal.
const LINE_PERIOD: Duration = Duration::from_secs(60);

/// What a run is to come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Goal {
    /// So many kept positions in the file.
    Positions(u64),
    /// So many games in the file.
    Games(u64),
    /// Nobody knows.
    None,
}

/// Where progress is shown.
pub(crate) struct Display {
    bar: ProgressBar,
    goal: Goal,
    last_line: Instant,
}

impl Display {
    /// Nothing done yet.
    pub(crate) fn new(goal: Goal) -> Display {
        let bar = match goal {
            _ if !io::stderr().is_terminal() => ProgressBar::hidden(),
            Goal::None => ProgressBar::new_spinner(),
            // A template that cannot be read is a mistake of this program, and no reason not to show progress.
            Goal::Positions(total) | Goal::Games(total) => {
                ProgressStyle::with_template("{wide_bar} {percent} %, {eta} left; {msg}")
                    .map_or(ProgressBar::new(total), |style| ProgressBar::new(total).with_style(style))
            }
        };
        Display { bar, goal, last_line: Instant::now() }
    }

    /// Shows how far the run has come.
    pub(crate) fn show(&mut self, progress: &Progress) {
        let statistics = &progress.statistics;
        if progress.new_games() == 1 && progress.was_torn {
            self.bar.suspend(|| say("the last game of the file was incomplete and has been dropped"));
        }
        if !self.bar.is_hidden() {
            let is_by_positions = matches!(self.goal, Goal::Positions(_));
            self.bar.set_position(if is_by_positions { statistics.positions() } else { statistics.games() });
            self.bar.set_message(summary(progress));
        } else if self.last_line.elapsed() >= LINE_PERIOD {
            self.last_line = Instant::now();
            say(&format!("{}; the file has {} positions", summary(progress), statistics.positions()));
        }
    }

    /// Shows what came of it.
    pub(crate) fn finish(self, progress: &Progress) -> CommandResult {
        self.bar.finish_and_clear();
        let mut out = io::stdout().lock();
        writeln!(out, "{}", progress.statistics)?;
        writeln!(out, "this run   {}", summary(progress))?;
        Ok(())
    }
}

/// What a run has done.
fn summary(progress: &Progress) -> String {
    format!(
        "{} games, {} positions in {:.1} min: {:.2} M positions/h",
        progress.new_games(),
        progress.new_positions(),
        progress.elapsed.as_secs_f64() / 60.0,
        progress.positions_per_hour() / 1e6,
    )
}

/// A flag that an interrupt from the keyboard sets.
pub(crate) fn stop_on_interrupt() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let interrupted = Arc::clone(&stop);
    // Without a handler an interrupt ends the program at once, which game files bear as well.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGINT, interrupted);
    #[cfg(not(unix))]
    let _ = ctrlc::set_handler(move || interrupted.store(true, std::sync::atomic::Ordering::Relaxed));
    stop
}
