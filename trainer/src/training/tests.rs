//! The trainer against arithmetic written down a second time, in double precision and by way of boards.

use chuhe_eval::network::features::{INPUTS, Perspective, active, attackers};
use chuhe_movegen::{Board, PieceType};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::benchmark::random_records;
use super::dataset::Dataset;
use super::order::shuffled;
use super::quantise::Fidelity;
use super::recipe::{Recipe, Schedule};
use super::run::Run;
use super::target::{SCALE, sigmoid};
use super::tensors::{Row, TILE, Tensors};
use super::trainer::{Step, Trainer};
use crate::data::Record;

fn recipe(input_buckets: usize, hidden: usize, output_buckets: usize) -> Recipe {
    Recipe { input_buckets, hidden, output_buckets, warm_up: 0, mirror: false, ..Recipe::default() }
}

/// The network's definition, straight from the documentation of [`chuhe_eval::network`].
fn defined_output(trainer: &Trainer, parameters: &Tensors, board: &Board) -> f64 {
    let (layout, architecture) = (trainer.layout(), trainer.architecture());
    let bucket = architecture.output_bucket(attackers(board));
    let mut output = f64::from(parameters.output_biases.0[bucket]);
    for (side, color) in [board.side_to_move(), !board.side_to_move()].into_iter().enumerate() {
        let set = architecture.input_bucket(Perspective::on(board, color));
        let (_, inputs) = active(board, color);
        for neuron in 0..architecture.hidden() {
            let (tile, lane) = (neuron / TILE, neuron % TILE);
            let learnt = &parameters.features[tile * layout.learnt_rows()..];
            let mut sum = f64::from(parameters.biases[tile].0[lane]);
            for &input in &inputs {
                sum += f64::from(learnt[layout.shared_rows() + set * INPUTS + usize::from(input)].0[lane]);
                if layout.factoriser {
                    sum += f64::from(learnt[usize::from(input)].0[lane]);
                }
            }
            let weight = parameters.outputs[layout.output_row(bucket, side, tile)].0[lane];
            output += sum.clamp(0.0, 1.0).powi(2) * f64::from(weight);
        }
    }
    output
}

fn defined_loss(trainer: &Trainer, parameters: &Tensors, records: &[Record], lambda: f64) -> f64 {
    let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
    let errors = records.iter().map(|record| {
        let wanted = lambda * record.outcome().points() + (1.0 - lambda) * sigmoid(f64::from(record.score()) / 400.0);
        (sigmoid(defined_output(trainer, parameters, &record.board())) - wanted).powi(2)
    });
    errors.sum::<f64>() / records.len() as f64
}

/// A trainer with parameters far from their symmetric start.
fn stirred(recipe: &Recipe) -> Trainer {
    let mut trainer = Trainer::new(recipe).expect("a good recipe");
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let mut state = trainer.state().clone();
    for row in state.parameters.rows_mut() {
        row.0.iter_mut().for_each(|value| *value += rng.random_range(-0.1..0.1));
    }
    trainer.set_state(state);
    trainer
}

const SHAPES: [(usize, usize, usize); 4] = [(1, 64, 1), (1, 128, 8), (6, 64, 1), (6, 128, 8)];

#[test]
fn outputs_are_those_of_the_definition() {
    let records = random_records(1500, 1);
    for (input_buckets, hidden, output_buckets) in SHAPES {
        let mut trainer = stirred(&recipe(input_buckets, hidden, output_buckets));
        let outputs = trainer.outputs(&records);
        let parameters = trainer.state().parameters.clone();
        for (record, output) in records.iter().zip(outputs).step_by(7) {
            let defined = defined_output(&trainer, &parameters, &record.board());
            assert!((f64::from(output) - defined).abs() < 1e-5, "{output} for {defined}: {record:?}");
        }
        let (loss, defined) = (trainer.loss(&records, 0.3), defined_loss(&trainer, &parameters, &records, 0.3));
        assert!((loss - defined).abs() < 1e-6, "{loss} for {defined}");
    }
}

#[test]
fn gradients_are_those_of_finite_differences() {
    const LAMBDA: f64 = 0.4;
    const H: f32 = 1.0 / 65_536.0;
    let records = random_records(600, 2);
    let order = shuffled(records.len(), 1, 0, false);
    for (input_buckets, hidden, output_buckets) in SHAPES {
        let mut trainer = stirred(&recipe(input_buckets, hidden, output_buckets));
        let before = trainer.state().parameters.clone();
        trainer.learn(&records, &order, Step { rate: 1e-9, lambda: LAMBDA, lambda_end: 0.9 });
        // From zero, the first moment becomes a tenth of the gradient.
        let gradient: Vec<f32> = trainer.state().first.rows().flat_map(|row| row.0).map(|first| first * 10.0).collect();

        // Parameters of every kind: the biases and the output layer are the last rows.
        let rows = before.rows().count();
        let small = 2 * (trainer.layout().output_buckets * 2 + 1) * trainer.layout().tiles;
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut looked_at = 0;
        let mut worst = 0.0f64;
        for number in 0..400 {
            let row =
                if number < 200 { rng.random_range(0..rows) } else { rng.random_range(rows - small.min(rows)..rows) };
            let lane = if row == rows - 1 { rng.random_range(0..output_buckets) } else { rng.random_range(0..TILE) };
            let slope = gradient[row * TILE + lane];
            if slope == 0.0 {
                continue;
            }
            looked_at += 1;
            let [up, down] = [H, -H].map(|h| {
                let mut moved = before.clone();
                let value = moved.rows_mut().nth(row).map(|row| &mut row.0[lane]).expect("within the rows");
                *value += h;
                let moved_by = f64::from(*value);
                (moved_by, defined_loss(&trainer, &moved, &records[..], LAMBDA))
            });
            let difference = (up.1 - down.1) / (up.0 - down.0);
            let error = (f64::from(slope) - difference).abs() / (difference.abs() + 1e-6);
            worst = worst.max(error);
        }
        assert!(looked_at > 100, "only {looked_at} slopes");
        assert!(worst < 0.01, "off by {worst} of the slope");
    }
}

/// Random positions cannot be understood, only learnt by heart.
fn by_heart(recipe: Recipe) -> (Dataset, Recipe) {
    let mut data = Dataset::default();
    data.push_game(&random_records(1000, 4));
    let recipe = Recipe { epochs: 300, batch: 100, lambda_start: 0.5, lambda_end: 0.5, learning_rate: 0.004, ..recipe };
    let recipe = Recipe { schedule: Schedule::Cosine, ..recipe };
    (data, recipe)
}

fn run_to_end<'a>(recipe: &Recipe, data: &'a Dataset) -> Run<'a> {
    let mut run = Run::new(recipe.clone(), data, "test").expect("a good recipe");
    while run.next_epoch(|_| {}).expect("it converges").is_some() {}
    run
}

#[test]
fn a_thousand_positions_are_learnt_by_heart() {
    for shape in [recipe(1, 128, 1), recipe(6, 64, 8)] {
        let (data, recipe) = by_heart(shape);
        let run = run_to_end(&recipe, &data);
        let (first, last) = (run.record().epochs[0].loss, run.record().epochs[299].loss);
        assert!(first > 0.02 && last < 0.0005, "loss {first} at first, {last} at last");
    }
}

/// The record's position with a score that can be understood: the balance of material.
fn with_material(record: &Record) -> Record {
    let mover = record.side_to_move();
    let values = record.pieces().map(|(piece, _)| {
        let value = match piece.kind {
            PieceType::King => 0,
            PieceType::Advisor | PieceType::Elephant => 40,
            PieceType::Pawn => 60,
            PieceType::Horse | PieceType::Cannon => 180,
            PieceType::Rook => 400,
        };
        if piece.color == mover { value } else { -value }
    });
    Record::new(&record.board(), record.outcome(), values.sum(), record.ply())
}

#[test]
fn material_is_understood_and_survives_as_integers() {
    let mut data = Dataset::default();
    // Few positions of many games: neighbours are too much alike to teach anything.
    for records in random_records(480_000, 8).chunks(160) {
        data.push_game(&records.iter().step_by(10).map(with_material).collect::<Vec<_>>());
    }
    let recipe =
        Recipe { lambda_start: 0.0, lambda_end: 0.0, epochs: 10, batch: 250, learning_rate: 0.002, ..recipe(1, 64, 8) };
    let mut run = run_to_end(&recipe, &data);
    let spread =
        data.held_out.iter().map(|record| (sigmoid(f32::from(record.score()) / SCALE) - 0.5).powi(2)).sum::<f32>();
    let (spread, loss) = (spread / data.held_out.len() as f32, run.record().epochs[9].held_out_loss.expect("held out"));
    assert!(loss < 0.03 * f64::from(spread), "loss {loss} on games never seen, {spread} for saying nothing");
    let network = run.trainer().quantise("test").expect("in range");
    let fidelity = Fidelity::measure(run.trainer(), &network, &data.held_out);
    assert!(fidelity.positions > 200 && fidelity.evaluation > 50.0, "{fidelity:?}");
    assert!(fidelity.relative() < 0.01, "{fidelity:?}");
}

#[test]
fn the_shared_weights_learn() {
    let trainer = Trainer::new(&recipe(6, 64, 1)).expect("a good recipe");
    let drawn = trainer.state().parameters.features.clone();
    let (data, recipe) = by_heart(recipe(6, 64, 1));
    let run = run_to_end(&Recipe { epochs: 3, ..recipe }, &data);
    let (shared, own) = run.state_for_tests().parameters.features.split_at(INPUTS);
    let moved = |rows: &[Row], from: &[Row]| rows.iter().zip(from).filter(|(row, from)| row != from).count();
    assert!(moved(shared, &drawn[..INPUTS]) > 300);
    assert!(moved(own, &drawn[INPUTS..]) > 300);
}

#[test]
fn same_data_seed_and_threads_make_the_same_network() {
    let (data, recipe) = by_heart(recipe(6, 64, 8));
    let recipe = Recipe { epochs: 4, mirror: true, ..recipe };
    for threads in [1, 2, 3] {
        let recipe = Recipe { threads, ..recipe.clone() };
        let [one, two] = [0, 1].map(|_| run_to_end(&recipe, &data));
        assert_eq!(one.state_for_tests(), two.state_for_tests());
        let other = run_to_end(&Recipe { seed: 2, ..recipe }, &data);
        assert_ne!(one.state_for_tests(), other.state_for_tests());
    }
}

#[test]
fn an_interrupted_run_goes_on_bit_for_bit() {
    let (data, recipe) = by_heart(recipe(6, 64, 8));
    let recipe = Recipe { epochs: 5, mirror: true, warm_up: 7, ..recipe };
    let whole = run_to_end(&recipe, &data);

    let mut first = Run::new(recipe.clone(), &data, "test").expect("a good recipe");
    for _ in 0..2 {
        first.next_epoch(|_| {}).expect("it converges");
    }
    let mut checkpoint = Vec::new();
    first.save(&mut checkpoint).expect("memory can be written");
    drop(first);
    let mut second = Run::new(recipe.clone(), &data, "test").expect("a good recipe");
    second.resume(checkpoint.as_slice()).expect("the same run");
    while second.next_epoch(|_| {}).expect("it converges").is_some() {}
    assert_eq!(second.state_for_tests(), whole.state_for_tests());
    let losses = |run: &Run<'_>| run.record().epochs.iter().map(|epoch| epoch.loss).collect::<Vec<_>>();
    assert_eq!(losses(&second), losses(&whole));
}

#[test]
fn a_checkpoint_that_does_not_fit_is_refused() {
    let (data, recipe) = by_heart(recipe(1, 64, 1));
    let recipe = Recipe { epochs: 2, ..recipe };
    let mut run = Run::new(recipe.clone(), &data, "test").expect("a good recipe");
    run.next_epoch(|_| {}).expect("it converges");
    let mut good = Vec::new();
    run.save(&mut good).expect("memory can be written");

    let refused = |recipe: &Recipe, data: &Dataset, bytes: &[u8]| {
        let mut run = Run::new(recipe.clone(), data, "test").expect("a good recipe");
        run.resume(bytes).expect_err("a fault").to_string()
    };
    let other = Recipe { seed: 2, ..recipe.clone() };
    assert_eq!(
        refused(&other, &data, &good),
        format!("the checkpoint was made with seed {}, now it is 2", recipe.seed)
    );
    let mut less = Dataset::default();
    less.push_game(&data.training[1..]);
    assert_eq!(refused(&recipe, &less, &good), "the checkpoint was made with other data");
    assert_eq!(refused(&recipe, &data, &good[..good.len() - 1]), "checkpoint: damaged: the file ends too early");
    let mut flipped = good.clone();
    let middle = good.len() / 2;
    flipped[middle] ^= 1;
    let error = refused(&recipe, &data, &flipped);
    assert_eq!(error, "checkpoint: damaged: the checksum does not agree with the content");
    flipped = good.clone();
    flipped[0] = b'X';
    assert!(refused(&recipe, &data, &flipped).starts_with("checkpoint: not a checkpoint: begins with \"XHUHECKP\""));
    flipped = good;
    flipped[8] = 9;
    assert_eq!(refused(&recipe, &data, &flipped), "checkpoint: checkpoint format 9, expected 1");
}

#[test]
fn mirrored_positions_are_the_same_or_have_both_kings_on_the_centre_file() {
    let records = random_records(2000, 6);
    let mirrored: Vec<Record> = records
        .iter()
        .map(|record| Record::new(&record.board().mirror_files(), record.outcome(), record.score(), record.ply()))
        .collect();
    let mut trainer = stirred(&recipe(6, 64, 8));
    let (one, two) = (trainer.outputs(&records), trainer.outputs(&mirrored));
    let mut central = 0;
    for ((record, one), two) in records.iter().zip(one).zip(two) {
        let board = record.board();
        let kings = [chuhe_movegen::Color::Red, chuhe_movegen::Color::Black].map(|color| board.king(color).file());
        if kings == [4, 4] {
            central += usize::from(one != two);
        } else {
            // The same inputs in another order.
            assert!((one - two).abs() < 1e-5, "{record:?}");
        }
    }
    assert!(central > 100, "mirroring shows the network something: {central}");
}

#[test]
fn one_game_in_a_hundred_is_held_out() {
    let records = random_records(3, 7);
    let mut data = Dataset::default();
    for _ in 0..1000 {
        data.push_game(&records);
    }
    assert_eq!((data.training.len(), data.held_out.len()), (2970, 30));
    assert_eq!((data.summary.games, data.summary.training, data.summary.held_out), (1000, 2970, 30));
}
