//! A network in training: parameters, moments, threads, and one update of them all.

use chuhe_eval::network::Architecture;
use chuhe_eval::network::features::INPUTS;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::prelude::*;

use super::kernels::{self, AdamW};
use super::order::Entry;
use super::recipe::{Recipe, RecipeError};
use super::target::sigmoid;
use super::tensors::{Layout, Row, Tensors};
use super::worker::Worker;
use crate::data::Record;

/// Inputs that are 1 in a position of the middlegame, about; the first weights are drawn for it.
const TYPICAL_PIECES: f32 = 25.0;

/// What changes from update to update.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Step {
    /// Learning rate.
    pub(crate) rate: f64,
    /// Weight of results in the target.
    pub(crate) lambda: f64,
    /// The same at the end of the run: what losses are reported with, so that they can be compared.
    pub(crate) lambda_end: f64,
}

/// Why nothing can be trained.
#[derive(Debug, thiserror::Error)]
pub enum TrainerError {
    /// The recipe is wrong.
    #[error("recipe: {0}")]
    Recipe(#[from] RecipeError),
    /// The system refused threads.
    #[error("cannot start {threads} threads: {source}")]
    Threads {
        /// How many.
        threads: usize,
        /// What it says.
        source: rayon::ThreadPoolBuildError,
    },
}

/// A network in training.
///
/// Each thread takes an equal part of every batch and sums up a gradient of its own; the sums are added in the order of
/// the threads during the sweep that updates the parameters, a tile of the hidden layer at a time. So nothing waits for
/// a lock, and the result does not depend on how threads are scheduled.
#[derive(Debug)]
pub struct Trainer {
    architecture: Architecture,
    layout: Layout,
    weight_decay: f64,
    state: State,
    /// The parameters as the network uses them: those of each king bucket with the shared ones added.
    network: Tensors,
    workers: Vec<Worker>,
    pool: rayon::ThreadPool,
}

/// What a checkpoint has to keep.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct State {
    /// Updates made.
    pub(crate) updates: u64,
    /// The parameters that are learnt.
    pub(crate) parameters: Tensors,
    /// Running mean of their gradient.
    pub(crate) first: Tensors,
    /// Running mean of its square.
    pub(crate) second: Tensors,
}

impl State {
    /// Zero for everything.
    pub(crate) fn zero(layout: &Layout) -> State {
        let zero = Tensors::learnt(layout);
        State { updates: 0, parameters: zero.clone(), first: zero.clone(), second: zero }
    }
}

impl Trainer {
    /// Draws the first weights of a network.
    ///
    /// # Errors
    /// [`TrainerError`] when the recipe is wrong or threads cannot be started.
    pub fn new(recipe: &Recipe) -> Result<Trainer, TrainerError> {
        recipe.validate()?;
        let architecture = recipe.architecture().map_err(RecipeError::from)?;
        let layout = Layout::new(architecture, recipe.factoriser);
        let threads = recipe.threads;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|source| TrainerError::Threads { threads, source })?;
        let mut trainer = Trainer {
            architecture,
            layout,
            weight_decay: recipe.weight_decay,
            state: State { parameters: first_weights(&layout, recipe.seed), ..State::zero(&layout) },
            network: Tensors::used(&layout),
            workers: (0..threads).map(|_| Worker::new(architecture, layout)).collect(),
            pool,
        };
        trainer.refresh_network();
        Ok(trainer)
    }

    /// Sizes of the network's layers.
    pub fn architecture(&self) -> Architecture {
        self.architecture
    }

    /// Updates made so far.
    pub fn updates(&self) -> u64 {
        self.state.updates
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(crate) fn network(&self) -> &Tensors {
        &self.network
    }

    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    /// Goes on from a state of a trainer for the same layout.
    pub(crate) fn set_state(&mut self, state: State) {
        self.state = state;
        self.refresh_network();
    }

    /// Learns one batch. Returns the sum of the squared errors before the update, by the target of the run's end.
    pub(crate) fn learn(&mut self, records: &[Record], batch: &[Entry], step: Step) -> f64 {
        let weight = 1.0 / batch.len().max(1) as f32;
        let network = &self.network;
        let workers = &mut self.workers;
        let shares = shares(batch, workers.len());
        let losses: Vec<f64> = self.pool.install(|| {
            workers
                .par_iter_mut()
                .zip(shares)
                .map(|(worker, share)| worker.learn(network, records, share, &step, weight))
                .collect()
        });
        self.update(step.rate);
        losses.iter().sum()
    }

    /// The mean squared error over records.
    pub(crate) fn loss(&mut self, records: &[Record], lambda: f64) -> f64 {
        let network = &self.network;
        let shares = shares(records, self.workers.len());
        let workers = &mut self.workers;
        let losses: Vec<f64> = self.pool.install(|| {
            let shares = workers.par_iter_mut().zip(shares);
            shares
                .map(|(worker, share)| {
                    let mut sum = 0.0;
                    worker.evaluate(network, share, |output, target| {
                        sum += f64::from(sigmoid(output) - target.blend(lambda as f32)).powi(2);
                    });
                    sum
                })
                .collect()
        });
        losses.iter().sum::<f64>() / records.len().max(1) as f64
    }

    /// The network's output for each record, in units of [`SCALE`](super::target::SCALE).
    pub(crate) fn outputs(&mut self, records: &[Record]) -> Vec<f32> {
        let mut outputs = Vec::with_capacity(records.len());
        self.workers[0].evaluate(&self.network, records, |output, _| outputs.push(output));
        outputs
    }

    /// Adds up the workers' gradients, updates all parameters by them and clears them.
    fn update(&mut self, rate: f64) {
        self.state.updates += 1;
        let count = self.state.updates as f64;
        let with_decay = |decay: f64| AdamW {
            rate: (rate / (1.0 - libm::pow(AdamW::BETA1, count))) as f32,
            second_correction: (1.0 / (1.0 - libm::pow(AdamW::BETA2, count))) as f32,
            keep: (1.0 - rate * decay) as f32,
        };
        let (weights, biases) = (with_decay(self.weight_decay), with_decay(0.0));

        let State { parameters, first, second, .. } = &mut self.state;
        let (learnt, used) = (self.layout.learnt_rows(), self.layout.used_rows());
        let mut sweeps: Vec<TileSweep<'_>> = parameters
            .features
            .chunks_mut(learnt)
            .zip(first.features.chunks_mut(learnt))
            .zip(second.features.chunks_mut(learnt))
            .zip(self.network.features.chunks_mut(used))
            .map(|(((weights, first), second), network)| TileSweep {
                shared: self.layout.shared_rows(),
                weights,
                first,
                second,
                network,
                gradients: Vec::new(),
            })
            .collect();
        let mut rest = Vec::new();
        for worker in &mut self.workers {
            let gradient = &mut worker.gradient;
            for (sweep, gradient) in sweeps.iter_mut().zip(gradient.features.chunks_mut(used)) {
                sweep.gradients.push(gradient);
            }
            rest.push((&mut gradient.biases, &mut gradient.outputs, &mut gradient.output_biases));
        }
        self.pool.install(|| sweeps.into_par_iter().for_each(|sweep| sweep.run(&weights)));

        // Everything but the feature weights is small.
        let Some(((bias, outputs, output_bias), others)) = rest.split_first_mut() else { return };
        for other in others {
            take(bias, other.0);
            take(outputs, other.1);
            take(std::slice::from_mut(*output_bias), std::slice::from_mut(other.2));
        }
        let one = std::slice::from_mut::<Row>;
        kernels::adamw(&biases, &mut parameters.biases, &mut first.biases, &mut second.biases, bias);
        kernels::adamw(&weights, &mut parameters.outputs, &mut first.outputs, &mut second.outputs, outputs);
        kernels::adamw(
            &biases,
            one(&mut parameters.output_biases),
            one(&mut first.output_biases),
            one(&mut second.output_biases),
            one(output_bias),
        );
        bias.fill(Row::ZERO);
        outputs.fill(Row::ZERO);
        **output_bias = Row::ZERO;
        self.network.biases.clone_from(&parameters.biases);
        self.network.outputs.clone_from(&parameters.outputs);
        self.network.output_biases = parameters.output_biases;
    }

    /// Computes the network from the parameters.
    fn refresh_network(&mut self) {
        let parameters = &self.state.parameters;
        let (learnt, used) = (self.layout.learnt_rows(), self.layout.used_rows());
        let tiles = parameters.features.chunks(learnt).zip(self.network.features.chunks_mut(used));
        tiles.for_each(|(weights, network)| merge(weights, self.layout.shared_rows(), network));
        self.network.biases.clone_from(&parameters.biases);
        self.network.outputs.clone_from(&parameters.outputs);
        self.network.output_biases = parameters.output_biases;
    }
}

/// The update of the feature weights of one tile.
struct TileSweep<'a> {
    shared: usize,
    weights: &'a mut [Row],
    first: &'a mut [Row],
    second: &'a mut [Row],
    network: &'a mut [Row],
    gradients: Vec<&'a mut [Row]>,
}

impl TileSweep<'_> {
    fn run(mut self, update: &AdamW) {
        let Some((gradient, others)) = self.gradients.split_first_mut() else { return };
        for other in others {
            take(gradient, other);
        }
        let (shared_weights, weights) = self.weights.split_at_mut(self.shared);
        let (shared_first, first) = self.first.split_at_mut(self.shared);
        let (shared_second, second) = self.second.split_at_mut(self.shared);
        kernels::adamw(update, weights, first, second, gradient);
        if self.shared > 0 {
            // A shared weight is part of every bucket's weight: its slope is the sum of theirs.
            let (sum, buckets) = gradient.split_at_mut(self.shared);
            buckets.chunks(self.shared).for_each(|bucket| kernels::add(sum, bucket));
            kernels::adamw(update, shared_weights, shared_first, shared_second, sum);
        }
        gradient.fill(Row::ZERO);
        merge(self.weights, self.shared, self.network);
    }
}

/// Forms the weights that a tile of the network uses from those that are learnt.
fn merge(learnt: &[Row], shared: usize, network: &mut [Row]) {
    let (shared, buckets) = learnt.split_at(shared);
    network.copy_from_slice(buckets);
    if !shared.is_empty() {
        network.chunks_mut(INPUTS).for_each(|bucket| kernels::add_clipped(bucket, shared));
    }
}

/// Moves a gradient into another.
fn take(sum: &mut [Row], term: &mut [Row]) {
    kernels::add(sum, term);
    term.fill(Row::ZERO);
}

/// Cuts a slice into as many parts as there are workers, of equal length up to one.
fn shares<T>(items: &[T], workers: usize) -> Vec<&[T]> {
    (0..workers).map(|worker| &items[items.len() * worker / workers..items.len() * (worker + 1) / workers]).collect()
}

/// The first weights: uniform, so small that sums start within the range of the activation. The buckets' own weights
/// start from zero beside shared ones.
fn first_weights(layout: &Layout, seed: u64) -> Tensors {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut weights = Tensors::learnt(layout);
    let mut draw = |row: &mut Row, bound: f32| row.0.iter_mut().for_each(|x| *x = rng.random_range(-bound..bound));
    let inputs = 1.0 / TYPICAL_PIECES.sqrt();
    for tile in weights.features.chunks_mut(layout.learnt_rows()) {
        let drawn = if layout.factoriser { layout.shared_rows() } else { layout.used_rows() };
        tile[..drawn].iter_mut().for_each(|row| draw(row, inputs));
    }
    let hidden = 1.0 / (2.0 * layout.hidden() as f32).sqrt();
    weights.outputs.iter_mut().for_each(|row| draw(row, hidden));
    weights
}
