//! A finished network against held-out positions, and against the hand-written evaluation.

use chuhe_eval::network::Network;
use chuhe_eval::{Evaluation, Evaluator};

use super::target::{SCALE, Target, sigmoid};
use crate::data::Record;

/// How well two evaluations foretell the same positions: mean squared errors of the chance to win.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Check {
    /// Positions looked at.
    pub positions: usize,
    /// Error of the network as it plays, in integers.
    pub network: f64,
    /// Error of the hand-written evaluation.
    pub hand_written: f64,
    /// Error of saying that every position is even.
    pub even: f64,
}

impl Check {
    /// Evaluates the records both ways; `lambda` is the weight of results in what is to be foretold.
    pub fn measure(network: &Network, records: &[Record], lambda: f64) -> Check {
        let mut sums = [0.0f64; 3];
        for record in records {
            let board = record.board();
            let wanted = Target::of(record).blend(lambda as f32);
            let evaluations =
                [network.evaluate(&board), Evaluator::new(&Evaluation::HandWritten, &board).evaluate(&board), 0];
            for (sum, evaluation) in sums.iter_mut().zip(evaluations) {
                *sum += f64::from(sigmoid(evaluation as f32 / SCALE) - wanted).powi(2);
            }
        }
        let [network, hand_written, even] = sums.map(|sum| sum / records.len().max(1) as f64);
        Check { positions: records.len(), network, hand_written, even }
    }

    /// Whether the network foretells anything. One that does not was trained on damaged data, or is read in another
    /// way than it was written.
    pub fn is_sound(&self) -> bool {
        self.network < self.even
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::benchmark::random_records;
    use crate::training::recipe::Recipe;
    use crate::training::trainer::Trainer;

    #[test]
    fn a_network_that_confuses_the_sides_is_not_sound() {
        let recipe = Recipe { hidden: 64, ..Recipe::default() };
        let network = Trainer::new(&recipe).expect("a good recipe").quantise("").expect("in range");
        let records = |sign: i16| -> Vec<Record> {
            let told = random_records(300, 1).into_iter().map(|record| {
                let score = sign * network.evaluate(&record.board()) as i16;
                Record::new(&record.board(), record.outcome(), score, record.ply())
            });
            told.collect()
        };
        let check = Check::measure(&network, &records(1), 0.0);
        assert!(check.network < 1e-9 && check.even > 1e-4 && check.is_sound(), "{check:?}");
        let check = Check::measure(&network, &records(-1), 0.0);
        assert!(check.network > 1.5 * check.even && !check.is_sound(), "{check:?}");
        assert!(!Check::measure(&network, &[], 0.0).is_sound());
    }

    #[test]
    fn the_hand_written_evaluation_is_asked_for_the_side_to_move() {
        let network = Trainer::new(&Recipe { hidden: 64, ..Recipe::default() }).expect("a good recipe");
        let network = network.quantise("").expect("in range");
        let told: Vec<Record> = random_records(300, 1)
            .into_iter()
            .map(|record| {
                let board = record.board();
                let score = Evaluator::new(&Evaluation::HandWritten, &board).evaluate(&board) as i16;
                Record::new(&board, record.outcome(), score, record.ply())
            })
            .collect();
        let check = Check::measure(&network, &told, 0.0);
        assert!(check.hand_written < 1e-9 && check.even > 1e-3, "{check:?}");
    }
}
