//! Where results go: standard output, in the order of the games, or a folder.

use std::io::{self, Write as _};
use std::sync::Arc;

use chuhe_report::page::GameView;
use serde_json::Value;

use super::form::{Form, Piece};
use super::pool::{Finished, InOrder};
use super::work::{Task, Written};
use crate::failure::{CommandResult, Failure};
use crate::screen::for_stdout;

/// Takes results in.
pub(super) trait Results {
    /// The games whose turn it is, now that this one is finished.
    fn ready(&mut self, finished: Finished) -> Vec<Finished> {
        vec![finished]
    }

    /// The games that wait for earlier ones, which will not come.
    fn left_over(&mut self) -> Vec<Finished> {
        Vec::new()
    }

    /// Writes what there is to be written about a game, one piece for each form.
    fn write(&mut self, _game: &Finished, written: Written) -> CommandResult;

    /// Whether what is written is not seen at once, so that damage is also told.
    fn are_out_of_sight(&self) -> bool {
        false
    }

    /// What was wrong with the record of a game that an earlier run has done.
    fn damage_before(&self, _game: &Finished) -> Option<String> {
        None
    }

    /// Writes why there is nothing to be written, if there is a place for it; tells whether there is.
    fn write_fault(&mut self, _id: &Value, _fault: &str) -> Result<bool, Failure> {
        Ok(false)
    }

    /// All games are over with.
    fn finish(&mut self) -> CommandResult {
        Ok(())
    }

    /// What is told of a run that was interrupted after so many games.
    fn interrupted(&self, games: u64) -> String;
}

/// Standard output.
pub(super) struct Printer {
    out: io::Stdout,
    task: Arc<Task>,
    form: Form,
    in_order: InOrder,
    has_header: bool,
    /// Games of the page that is written last, and those that are not on it, with the reason.
    views: Vec<GameView>,
    faults: Vec<(Value, String)>,
}

impl Printer {
    pub(super) fn new(task: Arc<Task>) -> Printer {
        let (out, form) = (io::stdout(), task.forms[0]);
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
    fn print(&mut self, text: &str) -> CommandResult {
        let mut out = self.out.lock();
        if !std::mem::replace(&mut self.has_header, true) {
            out.write_all(self.form.header().as_bytes())?;
        }
        out.write_all(&for_stdout(text.as_bytes()))?;
        Ok(out.flush()?)
    }
}

impl Results for Printer {
    fn ready(&mut self, finished: Finished) -> Vec<Finished> {
        self.in_order.take(finished)
    }

    fn left_over(&mut self) -> Vec<Finished> {
        std::mem::take(&mut self.in_order).left_over()
    }

    fn write(&mut self, _game: &Finished, written: Written) -> CommandResult {
        for piece in written.pieces {
            match piece {
                Piece::Text(text) => self.print(&text)?,
                Piece::View(view) => self.views.push(*view),
            }
        }
        Ok(())
    }

    fn write_fault(&mut self, id: &Value, fault: &str) -> Result<bool, Failure> {
        if self.form == Form::Html {
            self.faults.push((id.clone(), fault.to_owned()));
        }
        let text = self.form.error(id, fault);
        text.iter().try_for_each(|text| self.print(text))?;
        Ok(text.is_some())
    }

    fn finish(&mut self) -> CommandResult {
        let (views, faults) = (std::mem::take(&mut self.views), std::mem::take(&mut self.faults));
        match views.is_empty() && faults.is_empty() {
            true => Ok(()),
            false => self.print(&Form::shared_page(views, faults, &self.task)),
        }
    }

    fn interrupted(&self, games: u64) -> String {
        format!("interrupted after {games} games")
    }
}
