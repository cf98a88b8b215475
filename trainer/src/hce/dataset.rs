//! Positions as the features of the hand-written evaluation.

use std::path::PathBuf;

use chuhe_eval::layout::COUNT;
use chuhe_eval::{PHASE_MAX, features, phase};

use crate::data::GameOutcome;
use crate::data::labelled::{self, DataError, LabelledPosition};

/// A weight and how often it counts, packed: 13 bits of index, 3 bits of count from −4 to 3.
#[derive(Clone, Copy, Debug)]
struct PackedFeature(u16);

impl PackedFeature {
    const COUNTS: std::ops::RangeInclusive<i32> = -4..=3;

    fn new(index: usize, count: i32) -> PackedFeature {
        const { assert!(COUNT <= 1 << 13) };
        debug_assert!(PackedFeature::COUNTS.contains(&count));
        PackedFeature((index as u16) << 3 | (count + 4) as u16)
    }

    fn index(self) -> usize {
        usize::from(self.0 >> 3)
    }

    fn count(self) -> f32 {
        f32::from(self.0 & 7) - 4.0
    }
}

/// The features of one position. Equal ones are merged: what both sides have cancels out.
pub struct Traced {
    features: Vec<PackedFeature>,
    phase: f32,
    outcome: GameOutcome,
    score: Option<i32>,
}

impl Traced {
    /// Traces a position.
    pub fn of(position: &LabelledPosition) -> Traced {
        let mut all: Vec<(usize, i32)> = Vec::with_capacity(160);
        features(&position.board, &mut |index, count| all.push((index, count)));
        all.sort_unstable_by_key(|&(index, _)| index);
        let mut packed = Vec::with_capacity(all.len());
        for group in all.chunk_by(|a, b| a.0 == b.0) {
            let mut count: i32 = group.iter().map(|&(_, count)| count).sum();
            while count != 0 {
                let part = count.clamp(*PackedFeature::COUNTS.start(), *PackedFeature::COUNTS.end());
                packed.push(PackedFeature::new(group[0].0, part));
                count -= part;
            }
        }
        let phase = phase(&position.board) as f32 / PHASE_MAX as f32;
        Traced { features: packed, phase, outcome: position.outcome, score: position.score }
    }
}

/// One position of a [`Dataset`].
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Where its features begin in the pool.
    start: usize,
    /// How many they are.
    len: u16,
    /// Share of the middlegame, 0 to 1.
    phase: f32,
    /// The result of the game.
    pub outcome: GameOutcome,
    /// Score of a search, Red's view.
    pub score: Option<i32>,
}

/// All positions, about 200 bytes each.
#[derive(Default, Debug)]
pub struct Dataset {
    features: Vec<PackedFeature>,
    samples: Vec<Sample>,
}

impl Dataset {
    /// Reads files; returns the positions and how many were passed over.
    pub fn read(paths: &[PathBuf]) -> Result<(Dataset, usize), DataError> {
        let mut data = Dataset::default();
        let skipped = labelled::read(paths, Traced::of, |traced| data.push(&traced))?;
        Ok((data, skipped))
    }

    /// Adds a position.
    pub fn push(&mut self, traced: &Traced) {
        self.samples.push(Sample {
            start: self.features.len(),
            len: traced.features.len() as u16,
            phase: traced.phase,
            outcome: traced.outcome,
            score: traced.score,
        });
        self.features.extend_from_slice(&traced.features);
    }

    /// All positions.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// (Index, middlegame coefficient, endgame coefficient) of every feature: the evaluation is their sum of products
    /// with the weights.
    pub fn terms(&self, sample: &Sample) -> impl Iterator<Item = (usize, f32, f32)> + '_ {
        let phase = sample.phase;
        self.features[sample.start..sample.start + usize::from(sample.len)].iter().map(move |feature| {
            let count = feature.count();
            (feature.index(), count * phase, count * (1.0 - phase))
        })
    }

    /// The evaluation of a position with these weights, Red's view.
    pub fn evaluate(&self, sample: &Sample, weights: &[[f32; 2]]) -> f32 {
        self.terms(sample).map(|(index, mg, eg)| weights[index][0] * mg + weights[index][1] * eg).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_movegen::Board;

    #[test]
    fn traces_reproduce_the_evaluation() {
        let weights: Vec<[f32; 2]> = chuhe_eval::WEIGHTS.iter().map(|pair| pair.map(f32::from)).collect();
        for fen in [
            Board::START_FEN,
            "2bak4/4a4/4b4/9/2P1p4/4R4/6n2/4B4/4A4/2BAK4 b - - 0 1",
            "r2ak2r1/4a4/4bc3/p1p1p3p/9/2P3c2/P3P3P/1C2C1N2/4A4/R1BAK1B1R w - - 0 1",
        ] {
            let position: LabelledPosition = format!("{fen};0.5").parse().expect("a position");
            let mut data = Dataset::default();
            data.push(&Traced::of(&position));
            let exact = chuhe_eval::Breakdown::of(&position.board).red_view as f32;
            assert!((data.evaluate(&data.samples()[0], &weights) - exact).abs() <= 1.0, "{fen}");
        }
    }
}
