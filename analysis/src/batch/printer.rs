//! A stream of results, in the order of the games.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use chuhe_report::page::GameView;
use serde_json::Value;

use super::form::{Form, Portion};
use super::pool::Finished;
use super::results::{BatchError, Results};
use super::task::{Task, Written};

/// Writes results to a stream in the first form of the task.
#[derive(Debug)]
pub struct Printer<W> {
    out: W,
    task: Arc<Task>,
    form: Form,
    in_order: InOrder,
    has_header: bool,
    /// Games of the page that is written last, and those that are not on it, with the reason.
    views: Vec<GameView>,
    faults: Vec<(Value, String)>,
}

impl<W: Write> Printer<W> {
    /// Nothing is written yet.
    pub fn new(out: W, task: Arc<Task>) -> Printer<W> {
        let form = task.forms.first().copied().unwrap_or(Form::Text);
        Printer {
            out,
            task,
            form,
            in_order: InOrder::default(),
            has_header: false,
            views: Vec::new(),
            faults: Vec::new(),
        }
    }

    /// Whoever waits for an answer gets it at once.
    fn print(&mut self, text: &str) -> Result<(), BatchError> {
        if !std::mem::replace(&mut self.has_header, true) {
            self.out.write_all(self.form.header().as_bytes())?;
        }
        self.out.write_all(text.as_bytes())?;
        Ok(self.out.flush()?)
    }
}

impl<W: Write> Results for Printer<W> {
    fn ready(&mut self, finished: Finished) -> Vec<Finished> {
        self.in_order.take(finished)
    }

    fn left_over(&mut self) -> Vec<Finished> {
        std::mem::take(&mut self.in_order).left_over()
    }

    fn write(&mut self, _game: &Finished, written: Written) -> Result<Vec<PathBuf>, BatchError> {
        if let Some(piece) = written.pieces.into_iter().next() {
            match piece {
                Portion::Text(text) => self.print(&text)?,
                Portion::View(view) => self.views.push(*view),
            }
        }
        Ok(Vec::new())
    }

    fn write_fault(&mut self, id: &Value, fault: &str) -> Result<bool, BatchError> {
        if self.form == Form::Html {
            self.faults.push((id.clone(), fault.to_owned()));
        }
        let text = self.form.error(id, fault);
        text.iter().try_for_each(|text| self.print(text))?;
        Ok(text.is_some())
    }

    fn finish(&mut self) -> Result<(), BatchError> {
        let (views, faults) = (std::mem::take(&mut self.views), std::mem::take(&mut self.faults));
        match views.is_empty() && faults.is_empty() {
            true => Ok(()),
            false => self.print(&Form::shared_page(views, faults, &self.task)),
        }
    }
}

/// Puts finished games back into the order in which they were read.
#[derive(Debug, Default)]
struct InOrder {
    next: u64,
    waiting: BTreeMap<u64, Finished>,
}

impl InOrder {
    /// Takes a game in, and gives those whose turn it is now.
    fn take(&mut self, finished: Finished) -> Vec<Finished> {
        self.waiting.insert(finished.sequence, finished);
        let mut ready = Vec::new();
        while let Some(finished) = self.waiting.remove(&self.next) {
            self.next += 1;
            ready.push(finished);
        }
        ready
    }

    /// Those whose turn will not come, since games before them are missing.
    fn left_over(self) -> Vec<Finished> {
        self.waiting.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::pool::Done;

    fn finished(sequence: u64) -> Finished {
        let (place, digest, done) = (String::new(), String::new(), Done::Before);
        Finished { sequence, id: Value::Null, source: 0, number: sequence, place, digest, done }
    }

    #[test]
    fn games_come_out_in_the_order_in_which_they_were_read() {
        let mut in_order = InOrder::default();
        let mut take =
            |sequence| in_order.take(finished(sequence)).iter().map(|game| game.sequence).collect::<Vec<_>>();
        assert!(take(1).is_empty());
        assert!(take(2).is_empty());
        assert_eq!(take(0), [0, 1, 2]);
        assert_eq!(take(3), [3]);
        assert!(take(5).is_empty());
        assert_eq!(in_order.left_over().len(), 1);
    }
}
