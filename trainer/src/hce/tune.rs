//! Fits all weights of the hand-written evaluation at once: Texel tuning by gradient descent.
//!
//! The expected points of Red are taken to be a logistic curve of the evaluation; the weights move so that the
//! prediction comes close to what happened (P. Österlund, "Texel's tuning method", 2014; by gradients and with separate
//! middlegame and endgame weights as A. Grant described it, 2020). The optimiser is Adam (Kingma and Ba, 2014).
//!
//! The start values are a *prior*: each weight is expected to lie within some standard deviation of where it starts, so
//! that weights seen often go where the data want them and rare ones stay sensible. Weights never seen do not move.

use chuhe_eval::layout::COUNT;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::data::labelled::DataError;
use crate::hce::dataset::{Dataset, Sample};
use crate::hce::source::Weights;

/// Pieces a batch is cut into for the threads. Fixed, so that sums round the same way on any number of threads.
const PIECES: usize = 4;
/// Positions that are validated on or trained on together, so that those of one game rarely land on both sides.
const BLOCK: usize = 1000;
/// One block in so many is for validation.
const VALIDATION: usize = 20;
/// Largest magnitude of a weight, well within what the evaluation's tables can add up.
const LARGEST: f32 = 8000.0;
/// Seed of the order of positions.
const SEED: u64 = 0x7e8e1;

/// How to tune.
#[derive(Clone, Debug, clap::Args)]
pub struct TuneOptions {
    /// Passes over the data
    #[arg(long, default_value_t = 20)]
    pub epochs: usize,
    /// Positions a step
    #[arg(long, default_value_t = 16_384, value_parser = positive)]
    pub batch: usize,
    /// Largest change of a weight by one step, in internal units, at the start; it falls to a fiftieth
    #[arg(long, default_value_t = 0.5, value_parser = amount)]
    pub rate: f32,
    /// Share of the game's result in the target, where there is a search score too
    #[arg(long, default_value_t = 0.5, value_parser = share)]
    pub lambda: f64,
    /// Scale of the logistic curve; fitted to the results if not given
    #[arg(long, value_parser = scale)]
    pub k: Option<f64>,
    /// How far weights are expected to lie from their start values, in internal units
    #[arg(long, default_value_t = 15.0, value_parser = amount)]
    pub prior: f32,
    /// Weights seen in fewer positions stay
    #[arg(long, default_value_t = 100)]
    pub min_count: u32,
}

fn positive(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&n| n > 0).ok_or_else(|| "expected a positive number".to_owned())
}

fn amount(text: &str) -> Result<f32, String> {
    let in_range = |x: &f32| (1e-3..=1e3).contains(x);
    text.parse().ok().filter(in_range).ok_or_else(|| "expected a number from 0.001 to 1000".to_owned())
}

fn share(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|x| (0.0..=1.0).contains(x)).ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

fn scale(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|&x: &f64| x.is_finite() && x >= 1.0).ok_or_else(|| "expected a number from 1".to_owned())
}

/// What came of tuning.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// The weights of the best epoch.
    pub weights: Weights,
    /// Scale of the logistic curve.
    pub k: f64,
    /// Loss on the validation positions with the start weights.
    pub loss_before: f64,
    /// The same with the new weights.
    pub loss_after: f64,
    /// Weights that had data enough to move.
    pub covered: usize,
}

/// Fits the weights, telling `progress` about each epoch.
pub fn tune(
    data: &Dataset,
    start: &[[i16; 2]],
    options: &TuneOptions,
    mut progress: impl FnMut(&str),
) -> Result<Tuned, DataError> {
    if data.samples().len() < BLOCK {
        return Err(DataError::TooLittle("too few usable positions: a thousand are needed at least"));
    }
    let (validation, mut training) = split(data.samples().len());
    let start: Vec<[f32; 2]> = start.iter().map(|pair| pair.map(f32::from)).collect();
    let k = options.k.unwrap_or_else(|| fit_scale(data, &start));
    let problem = Problem { data, k, lambda: options.lambda };
    let covered = coverage(data, &training, options.min_count);
    let loss_before = problem.loss(&validation, &start);
    progress(&format!(
        "{} positions, {} for validation; K = {k:.1}; {} of {COUNT} weights covered; loss {loss_before:.6}",
        data.samples().len(),
        validation.len(),
        covered.iter().filter(|&&covered| covered).count(),
    ));

    let mut adam = Adam::new(start.clone());
    let mut best = (loss_before, start.clone());
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    // The strength of the prior in the mean loss of a position.
    let pull = 1.0 / (options.prior * options.prior * training.len() as f32);
    for epoch in 0..options.epochs {
        training.shuffle(&mut rng);
        let progressed = epoch as f32 / options.epochs.saturating_sub(1).max(1) as f32;
        let rate = options.rate * 0.02f32.powf(progressed);
        for batch in training.chunks(options.batch) {
            let mut gradient = problem.gradient(batch, &adam.weights);
            for (index, gradient) in gradient.iter_mut().enumerate() {
                for half in 0..2 {
                    gradient[half] += pull * (adam.weights[index][half] - start[index][half]);
                }
            }
            adam.step(&gradient, rate, &covered);
        }
        let loss = problem.loss(&validation, &adam.weights);
        progress(&format!("epoch {:>3}  rate {rate:.3}  loss {loss:.6}", epoch + 1));
        if loss < best.0 {
            best = (loss, adam.weights.clone());
        }
    }
    let weights: Weights = best.1.iter().map(|pair| pair.map(|weight| weight.round() as i16)).collect();
    let rounded: Vec<[f32; 2]> = weights.iter().map(|pair| pair.map(f32::from)).collect();
    Ok(Tuned {
        weights,
        k,
        loss_before,
        loss_after: problem.loss(&validation, &rounded),
        covered: covered.iter().filter(|&&covered| covered).count(),
    })
}

/// Numbers of the positions for validation and for training.
fn split(count: usize) -> (Vec<u32>, Vec<u32>) {
    (0..count as u32).partition(|&number| {
        number as usize / BLOCK % VALIDATION == VALIDATION / 2 || {
            // With little data the last tenth serves, so that there is always something to validate on.
            count < BLOCK * VALIDATION && number as usize >= count - count / 10
        }
    })
}

/// Which weights occur in at least `min_count` of the positions.
fn coverage(data: &Dataset, numbers: &[u32], min_count: u32) -> Vec<bool> {
    let mut seen = vec![0u32; COUNT];
    for &number in numbers {
        for (index, ..) in data.terms(&data.samples()[number as usize]) {
            seen[index] += 1;
        }
    }
    seen.into_iter().map(|seen| seen >= min_count.max(1)).collect()
}

/// Red's expected points with this score.
fn expectation(score: f64, k: f64) -> f64 {
    1.0 / (1.0 + (-score / k).exp())
}

/// How badly a prediction fits a target: cross-entropy, both being chances.
fn cross_entropy(prediction: f64, target: f64) -> f64 {
    let prediction = prediction.clamp(1e-9, 1.0 - 1e-9);
    -(target * prediction.ln() + (1.0 - target) * (1.0 - prediction).ln())
}

/// The scale at which scores predict results best: search scores where there are any, otherwise evaluations.
fn fit_scale(data: &Dataset, weights: &[[f32; 2]]) -> f64 {
    let scored = data.samples().iter().any(|sample| sample.score.is_some());
    let pairs: Vec<(f64, f64)> = data
        .samples()
        .par_iter()
        .filter_map(|sample| {
            let score = if scored { sample.score? as f64 } else { f64::from(data.evaluate(sample, weights)) };
            Some((score, sample.outcome.points()))
        })
        .collect();
    let loss =
        |ln_k: f64| pairs.iter().map(|&(score, points)| cross_entropy(expectation(score, ln_k.exp()), points)).sum();
    golden_section(20f64.ln(), 5000f64.ln(), loss).exp()
}

/// The place of the least value of a function with one minimum.
fn golden_section(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    let (mut a, mut b) = (high - ratio * (high - low), low + ratio * (high - low));
    let (mut f_a, mut f_b) = (f(a), f(b));
    while high - low > 1e-4 {
        if f_a <= f_b {
            (high, b, f_b) = (b, a, f_a);
            a = high - ratio * (high - low);
            f_a = f(a);
        } else {
            (low, a, f_a) = (a, b, f_b);
            b = low + ratio * (high - low);
            f_b = f(b);
        }
    }
    (low + high) / 2.0
}

/// The loss as a function of the weights.
struct Problem<'a> {
    data: &'a Dataset,
    k: f64,
    lambda: f64,
}

impl Problem<'_> {
    fn target(&self, sample: &Sample) -> f64 {
        let points = sample.outcome.points();
        match sample.score {
            Some(score) => self.lambda * points + (1.0 - self.lambda) * expectation(score.into(), self.k),
            None => points,
        }
    }

    fn prediction(&self, sample: &Sample, weights: &[[f32; 2]]) -> f64 {
        expectation(self.data.evaluate(sample, weights).into(), self.k)
    }

    /// Mean loss of these positions.
    fn loss(&self, numbers: &[u32], weights: &[[f32; 2]]) -> f64 {
        let parts: Vec<f64> = numbers
            .par_chunks(BLOCK)
            .map(|numbers| {
                let samples = numbers.iter().map(|&number| &self.data.samples()[number as usize]);
                samples.map(|sample| cross_entropy(self.prediction(sample, weights), self.target(sample))).sum()
            })
            .collect();
        parts.iter().sum::<f64>() / numbers.len() as f64
    }

    /// Mean gradient of the loss over these positions.
    fn gradient(&self, numbers: &[u32], weights: &[[f32; 2]]) -> Vec<[f32; 2]> {
        let parts: Vec<Vec<[f32; 2]>> = numbers
            .par_chunks(numbers.len().div_ceil(PIECES))
            .map(|numbers| {
                let mut gradient = vec![[0.0; 2]; COUNT];
                for &number in numbers {
                    let sample = &self.data.samples()[number as usize];
                    // The derivative of the cross-entropy by the score.
                    let slope = ((self.prediction(sample, weights) - self.target(sample)) / self.k) as f32;
                    for (index, mg, eg) in self.data.terms(sample) {
                        gradient[index][0] += slope * mg;
                        gradient[index][1] += slope * eg;
                    }
                }
                gradient
            })
            .collect();
        let mut sum = vec![[0.0; 2]; COUNT];
        for (index, total) in sum.iter_mut().enumerate() {
            for half in 0..2 {
                total[half] = parts.iter().map(|part| part[index][half]).sum::<f32>() / numbers.len() as f32;
            }
        }
        sum
    }
}

/// The optimiser: steps scaled by running means of the gradient and of its square.
struct Adam {
    weights: Vec<[f32; 2]>,
    mean: Vec<[f32; 2]>,
    square: Vec<[f32; 2]>,
    steps: i32,
}

impl Adam {
    const MEAN_DECAY: f32 = 0.9;
    const SQUARE_DECAY: f32 = 0.999;

    fn new(weights: Vec<[f32; 2]>) -> Adam {
        let zeros = vec![[0.0; 2]; weights.len()];
        Adam { weights, mean: zeros.clone(), square: zeros, steps: 0 }
    }

    fn step(&mut self, gradient: &[[f32; 2]], rate: f32, moves: &[bool]) {
        self.steps = self.steps.saturating_add(1);
        // Both means begin at zero; this makes up for it.
        let mean_scale = 1.0 / (1.0 - Adam::MEAN_DECAY.powi(self.steps));
        let square_scale = 1.0 / (1.0 - Adam::SQUARE_DECAY.powi(self.steps));
        for (index, gradient) in gradient.iter().enumerate().filter(|&(index, _)| moves[index]) {
            for (half, &slope) in gradient.iter().enumerate() {
                let mean = &mut self.mean[index][half];
                let square = &mut self.square[index][half];
                *mean += (1.0 - Adam::MEAN_DECAY) * (slope - *mean);
                *square += (1.0 - Adam::SQUARE_DECAY) * (slope * slope - *square);
                let step = rate * *mean * mean_scale / ((*square * square_scale).sqrt() + 1e-12);
                let weight = &mut self.weights[index][half];
                *weight = (*weight - step).clamp(-LARGEST, LARGEST);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::GameOutcome;
    use crate::data::labelled::LabelledPosition;
    use crate::hce::dataset::Traced;
    use chuhe_eval::layout;
    use chuhe_movegen::{Board, PieceType, Square};
    use rand::RngExt;

    const TRUE_K: f64 = 250.0;

    /// Positions of random games, judged by planted weights: scores exact, results drawn by the model.
    fn planted(weights: &[[f32; 2]], count: usize, scored: bool) -> Dataset {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut data = Dataset::default();
        while data.samples().len() < count {
            let mut board = Board::startpos();
            for _ in 0..120 {
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                board = board.make(moves[rng.random_range(0..moves.len())]);
                if board.in_check() {
                    continue;
                }
                let mut position = LabelledPosition { board: board.clone(), outcome: GameOutcome::Draw, score: None };
                let mut one = Dataset::default();
                one.push(&Traced::of(&position));
                let score = f64::from(one.evaluate(&one.samples()[0], weights));
                // Decided positions say nothing about the weights.
                if score.abs() > 600.0 {
                    continue;
                }
                position.outcome =
                    if rng.random_bool(expectation(score, TRUE_K)) { GameOutcome::Win } else { GameOutcome::Loss };
                position.score = scored.then_some(score.round() as i32);
                data.push(&Traced::of(&position));
            }
        }
        data
    }

    /// Start values with the rook worth 150 more, rook mobility doubled and a larger tempo.
    fn plant() -> (Weights, Vec<[f32; 2]>) {
        let start = chuhe_eval::WEIGHTS.to_vec();
        let mut planted: Vec<[f32; 2]> = start.iter().map(|pair| pair.map(f32::from)).collect();
        for square in Square::all().filter(|square| square.file() < 5) {
            planted[layout::base(PieceType::Rook, square)] =
                planted[layout::base(PieceType::Rook, square)].map(|weight| weight + 150.0);
        }
        for weight in &mut planted[layout::ROOK_MOBILITY..layout::HORSE_MOBILITY] {
            *weight = weight.map(|half| half * 2.0);
        }
        planted[layout::TEMPO] = [70.0, 70.0];
        (start, planted)
    }

    fn options() -> TuneOptions {
        TuneOptions { epochs: 40, batch: 1024, rate: 4.0, lambda: 0.0, k: None, prior: 100.0, min_count: 20 }
    }

    /// Root of the mean square difference of the evaluations with two sets of weights.
    fn distance(data: &Dataset, a: &[[f32; 2]], b: &[[f32; 2]]) -> f32 {
        let squares = data.samples().iter().map(|sample| (data.evaluate(sample, a) - data.evaluate(sample, b)).powi(2));
        (squares.sum::<f32>() / data.samples().len() as f32).sqrt()
    }

    fn floats(weights: &[[i16; 2]]) -> Vec<[f32; 2]> {
        weights.iter().map(|pair| pair.map(f32::from)).collect()
    }

    #[test]
    fn planted_weights_are_recovered_from_scores() {
        let (start, planted_weights) = plant();
        let data = planted(&planted_weights, 30_000, true);
        let tuned = tune(&data, &start, &options(), |_| ()).expect("enough data");
        assert!((tuned.k / TRUE_K - 1.0).abs() < 0.1, "K = {}", tuned.k);
        assert!(tuned.loss_after < tuned.loss_before);
        let before = distance(&data, &floats(&start), &planted_weights);
        let after = distance(&data, &floats(&tuned.weights), &planted_weights);
        assert!(after < before / 5.0, "evaluations differed by {before} and still do by {after}");
        let tempo = tuned.weights[layout::TEMPO][0];
        assert!((60..80).contains(&tempo), "tempo {tempo}");
    }

    #[test]
    fn results_alone_lead_towards_the_planted_weights() {
        let (start, planted_weights) = plant();
        let data = planted(&planted_weights, 60_000, false);
        let options = TuneOptions { k: Some(TRUE_K), prior: 20.0, epochs: 20, rate: 1.0, ..options() };
        let tuned = tune(&data, &start, &options, |_| ()).expect("enough data");
        let before = distance(&data, &floats(&start), &planted_weights);
        let after = distance(&data, &floats(&tuned.weights), &planted_weights);
        assert!(after < before * 0.7, "evaluations differed by {before} and still do by {after}");
    }

    #[test]
    fn unseen_weights_stay_and_runs_agree() {
        let (start, planted_weights) = plant();
        let data = planted(&planted_weights, 5_000, true);
        let options = TuneOptions { epochs: 2, ..options() };
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| tune(&data, &start, &options, |_| ())).expect("enough data").weights
        };
        let tuned = run(1);
        assert_eq!(tuned, run(3));
        let corner = Square::at(0);
        assert_eq!(tuned[layout::base(PieceType::Pawn, corner)], start[layout::base(PieceType::Pawn, corner)]);
        assert_ne!(tuned, start);
    }

    #[test]
    fn too_little_data_are_refused() {
        let error = tune(&Dataset::default(), &chuhe_eval::WEIGHTS, &options(), |_| ()).expect_err("no data");
        assert!(error.to_string().starts_with("too few"));
    }
}
