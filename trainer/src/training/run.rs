//! A run of training: epochs over a data set by a recipe.

use std::io::{Read, Write};
use std::time::Instant;

use super::checkpoint::{self, CheckpointError};
use super::dataset::Dataset;
use super::order;
use super::recipe::Recipe;
use super::run_record::{Epoch, NetworkRecord, RunRecord};
use super::trainer::{Step, Trainer, TrainerError};

/// A run of training.
#[derive(Debug)]
pub struct Run<'a> {
    data: &'a Dataset,
    trainer: Trainer,
    record: RunRecord,
}

/// How far an epoch is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// The epoch, from 1.
    pub epoch: u32,
    /// Positions learnt in this epoch.
    pub done: usize,
    /// Positions of an epoch.
    pub total: usize,
    /// Mean squared error so far.
    pub loss: f64,
    /// Seconds since the epoch began.
    pub seconds: f64,
}

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum TrainingError {
    /// There is nothing to learn.
    #[error("the data leave no positions to train on")]
    NoData,
    /// There are too many positions.
    #[error("{0} positions, at most {max} can be held", max = order::MAX_RECORDS)]
    TooMuchData(usize),
    /// The trainer cannot be set up.
    #[error(transparent)]
    Trainer(#[from] TrainerError),
    /// The checkpoint cannot be used.
    #[error("checkpoint: {0}")]
    Checkpoint(#[from] CheckpointError),
    /// The checkpoint is of a run with another recipe.
    #[error("the checkpoint was made with {name} {found}, now it is {expected}")]
    OtherRecipe {
        /// A setting that differs.
        name: String,
        /// What it was when the checkpoint was made.
        found: String,
        /// What it is now.
        expected: String,
    },
    /// The checkpoint is of a run on other data.
    #[error("the checkpoint was made with other data")]
    OtherData,
    /// The loss is no number any more.
    #[error("diverged in epoch {epoch}: the loss is {loss}; try a lower learning rate")]
    Diverged {
        /// The epoch.
        epoch: u32,
        /// The loss.
        loss: f64,
    },
}

impl<'a> Run<'a> {
    /// Prepares a run. `revision` names the sources that the program was built from.
    ///
    /// # Errors
    /// [`TrainingError`] when there is no data or the recipe is wrong.
    pub fn new(recipe: Recipe, data: &'a Dataset, revision: &str) -> Result<Run<'a>, TrainingError> {
        match data.training.len() {
            0 => return Err(TrainingError::NoData),
            count if count > order::MAX_RECORDS => return Err(TrainingError::TooMuchData(count)),
            _ => {}
        }
        let trainer = Trainer::new(&recipe)?;
        let record = RunRecord {
            trainer: env!("CARGO_PKG_VERSION").into(),
            revision: revision.into(),
            recipe,
            data: data.summary.clone(),
            network: None,
            epochs: Vec::new(),
        };
        Ok(Run { data, trainer, record })
    }

    /// Goes on where a checkpoint was made.
    ///
    /// # Errors
    /// [`TrainingError`] when the file is damaged or belongs to a run with another recipe or other data.
    pub fn resume(&mut self, input: impl Read) -> Result<(), TrainingError> {
        let reader = checkpoint::Reader::new(input)?;
        if let Some((name, expected, found)) = self.record.recipe.difference(&reader.record.recipe) {
            return Err(TrainingError::OtherRecipe { name, found, expected });
        }
        if !reader.record.data.is_same(&self.record.data) {
            return Err(TrainingError::OtherData);
        }
        let (record, state) = reader.state(self.trainer.layout())?;
        self.record.epochs = record.epochs;
        self.trainer.set_state(state);
        Ok(())
    }

    /// Writes a checkpoint.
    ///
    /// # Errors
    /// [`CheckpointError`] when it cannot be written.
    pub fn save(&self, output: &mut impl Write) -> Result<(), CheckpointError> {
        checkpoint::write(output, &self.record, self.trainer.state())
    }

    /// What is known of the run so far.
    pub fn record(&self) -> &RunRecord {
        &self.record
    }

    /// The network in training.
    pub fn trainer(&mut self) -> &mut Trainer {
        &mut self.trainer
    }

    /// Notes what network came out.
    pub fn set_network(&mut self, network: NetworkRecord) {
        self.record.network = Some(network);
    }

    #[cfg(test)]
    pub(crate) fn state_for_tests(&self) -> &super::trainer::State {
        self.trainer.state()
    }

    /// Passes over the data once more and reports after every batch; `None` when the recipe's epochs are done.
    ///
    /// # Errors
    /// [`TrainingError::Diverged`].
    pub fn next_epoch(&mut self, mut progress: impl FnMut(Progress)) -> Result<Option<&Epoch>, TrainingError> {
        let recipe = &self.record.recipe;
        let done = self.record.epochs.len() as u32;
        if done >= recipe.epochs {
            return Ok(None);
        }
        let start = Instant::now();
        let records = &self.data.training;
        let order = order::shuffled(records.len(), recipe.seed, done, recipe.mirror);
        // Batches of equal size up to one position, so that the last one is not a small one.
        let batches = (records.len() as f64 / recipe.batch as f64).round().max(1.0) as usize;
        let updates = u64::from(recipe.epochs) * batches as u64;
        let mut step = Step { rate: 0.0, lambda: 0.0, lambda_end: recipe.lambda_end };
        let mut sum = 0.0;
        for batch in 0..batches {
            let update = self.trainer.updates();
            step.rate = recipe.learning_rate_at(update, updates);
            step.lambda = recipe.lambda_at(update, updates);
            let range = records.len() * batch / batches..records.len() * (batch + 1) / batches;
            let learnt = range.end;
            sum += self.trainer.learn(records, &order[range], step);
            let loss = sum / learnt as f64;
            if !loss.is_finite() {
                return Err(TrainingError::Diverged { epoch: done + 1, loss });
            }
            let seconds = start.elapsed().as_secs_f64();
            progress(Progress { epoch: done + 1, done: learnt, total: records.len(), loss, seconds });
        }
        let positions_per_second = records.len() as f64 / start.elapsed().as_secs_f64().max(1e-9);
        let held_out = &self.data.held_out;
        let held_out_loss = (!held_out.is_empty()).then(|| self.trainer.loss(held_out, recipe.lambda_end));
        self.record.epochs.push(Epoch {
            epoch: done + 1,
            updates: self.trainer.updates(),
            learning_rate: step.rate,
            lambda: step.lambda,
            loss: sum / records.len() as f64,
            held_out_loss,
            positions_per_second,
        });
        Ok(self.record.epochs.last())
    }
}
