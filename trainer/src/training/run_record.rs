//! What is written beside a network: everything needed to make it again, and how it went.

use serde::{Deserialize, Serialize};

use super::dataset::DataSummary;
use super::quantise::Fidelity;
use super::recipe::Recipe;

/// The record of a run, as TOML.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunRecord {
    /// Version of the trainer.
    pub trainer: String,
    /// Revision of the sources it was built from, as far as known.
    pub revision: String,
    /// How the network was trained.
    pub recipe: Recipe,
    /// On what.
    pub data: DataSummary,
    /// What came out, when the run is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<NetworkRecord>,
    /// How it went.
    pub epochs: Vec<Epoch>,
}

impl RunRecord {
    /// The record as text.
    ///
    /// # Errors
    /// When the text cannot be made, which would be a defect of this program.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }

    /// Updates made so far.
    pub fn updates(&self) -> u64 {
        self.epochs.last().map_or(0, |epoch| epoch.updates)
    }
}

/// The network that a run made.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkRecord {
    /// Sizes of its layers.
    pub architecture: String,
    /// Checksum, as the engine shows it.
    pub hash: String,
    /// Licence and origin.
    pub description: String,
    /// How far the integers are from the floating-point network on held-out positions.
    pub fidelity: Fidelity,
}

/// One pass over the data.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Epoch {
    /// Its number, from 1.
    pub epoch: u32,
    /// Updates made by its end, since the start of the run.
    pub updates: u64,
    /// Learning rate at its end.
    pub learning_rate: f64,
    /// Weight of the results in the target at its end.
    pub lambda: f64,
    /// Mean squared error over the epoch, each batch measured before it was learnt, by the target of the run's end:
    /// so epochs can be compared.
    pub loss: f64,
    /// The same over the held-out positions at the end of the epoch; absent if nothing is held out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_out_loss: Option<f64>,
    /// Positions learnt a second.
    pub positions_per_second: f64,
}
