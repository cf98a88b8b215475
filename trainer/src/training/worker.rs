//! One thread's share of a batch: forward, loss, backward, with buffers of its own.

use chuhe_eval::network::Architecture;

use super::batch::{MICRO_BATCH, MicroBatch};
use super::kernels::{self, Tile, TileGradient};
use super::order::Entry;
use super::target::{Target, sigmoid};
use super::tensors::{Layout, Row, Tensors};
use super::trainer::Step;
use crate::data::Record;

/// Buffers of a thread. Nothing in them is shared, so what a worker computes depends on its share alone.
#[derive(Debug)]
pub(crate) struct Worker {
    layout: Layout,
    batch: MicroBatch,
    /// Sums of the hidden layer, `[tile][view]`.
    hidden: Vec<Row>,
    /// Outputs of the network, by position.
    outputs: Vec<f32>,
    /// Slope of the loss by each output.
    slopes: Vec<f32>,
    /// Gradient over the worker's share of the batch.
    pub(crate) gradient: Tensors,
}

impl Worker {
    /// A worker for networks of this shape.
    pub(crate) fn new(architecture: Architecture, layout: Layout) -> Worker {
        Worker {
            layout,
            batch: MicroBatch::new(architecture),
            hidden: vec![Row::ZERO; layout.tiles * 2 * MICRO_BATCH],
            outputs: vec![0.0; MICRO_BATCH],
            slopes: vec![0.0; MICRO_BATCH],
            gradient: Tensors::used(&layout),
        }
    }

    /// Adds the gradient of the loss over a share of a batch, each position weighing `weight`, with results weighing
    /// `step.lambda` in the target. Returns the sum of squared errors, with `step.lambda_end` in its place and without
    /// the weight.
    pub(crate) fn learn(
        &mut self,
        network: &Tensors,
        records: &[Record],
        share: &[Entry],
        step: &Step,
        weight: f32,
    ) -> f64 {
        let (lambda, lambda_end) = (step.lambda as f32, step.lambda_end as f32);
        let mut loss = 0.0;
        for entries in share.chunks(MICRO_BATCH) {
            self.decode(entries.iter().map(|entry| (&records[entry.index()], entry.mirrored())));
            self.forward(network);
            for (position, target) in self.batch.targets().iter().enumerate() {
                let chance = sigmoid(self.outputs[position]);
                loss += f64::from(chance - target.blend(lambda_end)).powi(2);
                let error = chance - target.blend(lambda);
                let slope = 2.0 * error * chance * (1.0 - chance) * weight;
                self.slopes[position] = slope;
                self.gradient.output_biases.0[usize::from(self.batch.output_buckets()[position])] += slope;
            }
            self.backward(network);
        }
        loss
    }

    /// The network's output for each record, in units of [`SCALE`](super::target::SCALE), handed to `each` with the
    /// target.
    pub(crate) fn evaluate(&mut self, network: &Tensors, records: &[Record], mut each: impl FnMut(f32, Target)) {
        for records in records.chunks(MICRO_BATCH) {
            self.decode(records.iter().map(|record| (record, false)));
            self.forward(network);
            for (&output, &target) in self.outputs.iter().zip(self.batch.targets()) {
                each(output, target);
            }
        }
    }

    fn decode<'a>(&mut self, records: impl Iterator<Item = (&'a Record, bool)>) {
        self.batch.clear();
        for (record, mirrored) in records {
            self.batch.push(record, mirrored);
        }
        self.batch.sort();
    }

    /// Fills the hidden sums and the outputs.
    fn forward(&mut self, network: &Tensors) {
        for (output, &bucket) in self.outputs.iter_mut().zip(self.batch.output_buckets()) {
            *output = network.output_biases.0[usize::from(bucket)];
        }
        let views = self.batch.views().len();
        for (index, hidden) in self.hidden.chunks_mut(views.max(1)).take(self.layout.tiles).enumerate() {
            kernels::forward(tile(&self.layout, network, index), &self.batch, hidden, &mut self.outputs);
        }
    }

    /// Adds to the gradient, given the slopes.
    fn backward(&mut self, network: &Tensors) {
        let views = self.batch.views().len();
        let features = self.gradient.features.chunks_mut(self.layout.used_rows());
        let hidden = self.hidden.chunks(views.max(1));
        for (index, ((features, bias), hidden)) in features.zip(&mut self.gradient.biases).zip(hidden).enumerate() {
            let gradient = TileGradient { features, bias, outputs: &mut self.gradient.outputs };
            kernels::backward(tile(&self.layout, network, index), &self.batch, hidden, &self.slopes, gradient);
        }
    }
}

/// What the kernels read of a tile.
fn tile<'a>(layout: &Layout, network: &'a Tensors, index: usize) -> Tile<'a> {
    let rows = layout.used_rows();
    Tile {
        features: &network.features[index * rows..][..rows],
        bias: &network.biases[index],
        outputs: &network.outputs,
        layout: *layout,
        index,
    }
}
