//! Two who met: what they scored, and the difference in strength that it shows.

use std::fmt::Write as _;

use chuhe_text::printable;

use super::input::{Difference, Pairing};
use super::text::NONE;
use crate::table::{Column, Heading, Table};

/// All of them in a table.
pub(super) fn table(pairings: &[Pairing]) -> Table {
    let rows = pairings.iter().map(|pairing| {
        let difference = pairing.difference.as_ref();
        let none = || NONE.to_owned();
        vec![
            pairing.first.clone(),
            pairing.second.clone(),
            pairing.score(),
            pairing.pairs.map(|count| count.to_string()).join(" "),
            difference.map_or_else(none, |difference| difference.elo.clone()),
            difference.map_or_else(none, |difference| format!("{:.1} %", 100.0 * difference.los)),
        ]
    });
    Table {
        title: Heading::new("两两成绩", "Pairings"),
        columns: vec![
            Column::words("引擎", "Engine"),
            Column::words("对手", "Opponent"),
            Column::words("胜和负", "Results"),
            Column::words("双局", "Pairs"),
            Column::numbers("等级分差", "Elo"),
            Column::numbers("优势概率", "LOS"),
        ],
        rows: rows.collect(),
        note: "Pairs: games on one opening with colours reversed that gave 0, ½, 1, 1½ and 2 points.".to_owned(),
    }
}

impl Pairing {
    fn score(&self) -> String {
        let [won, drawn, lost] = self.won_drawn_lost;
        format!("+{won} ={drawn} -{lost}")
    }

    /// One in sentences, each line with its end.
    pub(super) fn to_text(&self) -> String {
        let mut text = format!("{} against {}: {}", printable(&self.first), printable(&self.second), self.score());
        if let Some(Difference { elo, normalised, los }) = &self.difference {
            let [won, drawn, lost] = self.won_drawn_lost;
            let share = (won as f64 + drawn as f64 / 2.0) / (won + drawn + lost).max(1) as f64;
            let _ = write!(text, ", {:.1} %\n  Elo {elo} (95 %)", 100.0 * share);
            if !normalised.is_empty() {
                let _ = write!(text, ", normalised {normalised}");
            }
            let [a, b, c, d, e] = self.pairs;
            let _ = writeln!(text, ", likelihood of superiority {:.1} %", 100.0 * los);
            let _ = write!(text, "  pairs of 0, ½, 1, 1½, 2 points: {a} {b} {c} {d} {e}");
        }
        text + "\n"
    }
}
