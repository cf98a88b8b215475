//! The weights of the hand-written evaluation as a source file.

use std::fmt::Write;

use chuhe_eval::layout::{self, ATTACKERS, FOLDED, FOLDED_FILES, KING_TABLE, PALACE_RANKS};
use chuhe_movegen::{FILES, PieceType, SQUARES};

/// All weights: (middlegame, endgame) by the indices of [`layout`].
pub type Weights = Vec<[i16; 2]>;

/// The text of `eval/src/weights.rs` for these weights, made to be read and compared: one line a rank.
pub fn to_source(weights: &[[i16; 2]], origin: &str) -> String {
    let mut text = String::new();
    let mut out = Source { text: &mut text, weights };
    out.line(
        "//! The numbers of the evaluation, written by `chuhe-train`; change them there or by tuning, not by hand.",
    );
    out.line("//!");
    out.line(&format!("//! Origin: {}", origin.lines().collect::<Vec<_>>().join(" ")));
    out.line("");
    out.line("use crate::layout::COUNT;");
    out.line("");
    out.line("/// (Middlegame, endgame) weights in internal units, by the indices of [`crate::layout`].");
    out.line("#[rustfmt::skip]");
    out.line("pub static WEIGHTS: [[i16; 2]; COUNT] = [");
    for kind in PieceType::ALL {
        out.line(&format!("    // Base values: {kind:?}, files a-e, rank 0 first"));
        out.rows(layout::BASE + kind.index() * FOLDED, FOLDED, FOLDED_FILES);
    }
    for (start, whose) in [(layout::OWN_KING, "own"), (layout::ENEMY_KING, "enemy")] {
        for kind in PieceType::ALL {
            let table = start + kind.index() * KING_TABLE;
            for depth in 0..PALACE_RANKS {
                out.line(&format!(
                    "    // {kind:?}, {whose} king beside the centre, {depth} from its back rank, files a-i"
                ));
                out.rows(table + depth * SQUARES, SQUARES, FILES);
            }
            for depth in 0..PALACE_RANKS {
                out.line(&format!(
                    "    // {kind:?}, {whose} king on the centre, {depth} from its back rank, files a-e"
                ));
                out.rows(table + PALACE_RANKS * SQUARES + depth * FOLDED, FOLDED, FOLDED_FILES);
            }
        }
    }
    out.line("    // Rook mobility, 0-17 squares");
    out.rows(layout::ROOK_MOBILITY, layout::HORSE_MOBILITY - layout::ROOK_MOBILITY, 9);
    out.line("    // Horse mobility, 0-8 squares");
    out.rows(layout::HORSE_MOBILITY, layout::CANNON_MOBILITY - layout::HORSE_MOBILITY, 9);
    out.line("    // Cannon mobility, 0-17 squares");
    out.rows(layout::CANNON_MOBILITY, layout::HOLLOW_CANNON - layout::CANNON_MOBILITY, 9);
    out.line("    // Hollow cannon, 0-8 empty points between: on a file, on a rank");
    out.rows(layout::HOLLOW_CANNON, layout::SCREENED_CANNON - layout::HOLLOW_CANNON, 9);
    out.line("    // Cannon with two screens, 0-2 of them its own: on a file, on a rank");
    out.rows(layout::SCREENED_CANNON, layout::GUARDS - layout::SCREENED_CANNON, 3);
    for (attacker, kind) in ATTACKERS.into_iter().enumerate() {
        out.line(&format!("    // Guards against each enemy {kind:?}: rows 0-2 advisors, columns 0-2 elephants"));
        out.rows(layout::GUARDS + attacker * 9, 9, 3);
    }
    out.line("    // Tempo");
    out.rows(layout::TEMPO, 1, 1);
    out.line("];");
    text
}

/// Mean base value of a kind over the squares that have one.
pub fn mean_value(weights: &[[i16; 2]], kind: PieceType) -> [f64; 2] {
    let start = layout::BASE + kind.index() * FOLDED;
    let used: Vec<_> = weights[start..start + FOLDED].iter().filter(|&&pair| pair != [0, 0]).collect();
    [0, 1].map(|half| used.iter().map(|pair| f64::from(pair[half])).sum::<f64>() / used.len().max(1) as f64)
}

/// Writes rows of weights to a text.
struct Source<'a> {
    text: &'a mut String,
    weights: &'a [[i16; 2]],
}

impl Source<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn rows(&mut self, start: usize, count: usize, width: usize) {
        for row in self.weights[start..start + count].chunks(width) {
            self.text.push_str("   ");
            for [mg, eg] in row {
                // Writing to a string cannot fail.
                let _ = write!(self.text, " [{mg}, {eg}],");
            }
            self.text.push('\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers between the brackets of the array.
    fn parsed(source: &str) -> Weights {
        let body = source.split_once("COUNT] = [").expect("the array").1;
        let code: String = body.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let numbers: Vec<i16> = code
            .split(|c: char| !c.is_ascii_digit() && c != '-')
            .filter(|word| !word.is_empty())
            .map(|word| word.parse().expect("a number"))
            .collect();
        numbers.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect()
    }

    #[test]
    fn every_weight_is_written_in_its_place() {
        let weights: Weights = (0..layout::COUNT).map(|index| [index as i16, -(index as i16)]).collect();
        assert_eq!(parsed(&to_source(&weights, "a test")), weights);
    }

    #[test]
    fn the_committed_file_is_one_of_ours() {
        let committed = include_str!("../../../eval/src/weights.rs");
        let origin = committed.lines().find_map(|line| line.strip_prefix("//! Origin: ")).expect("an origin");
        assert_eq!(to_source(&chuhe_eval::WEIGHTS, origin), committed);
    }
}
