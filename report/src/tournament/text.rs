//! The tables of a report as text.

use chuhe_text::printable;

use super::input::TournamentReport;

/// Stands where there is no value.
pub(super) const NONE: &str = "-";

/// Everything that tables and sentences can say, for a terminal or a mail; each line with its end.
#[must_use]
pub fn to_text(report: &TournamentReport) -> String {
    let mut text = String::new();
    for standings in &report.standings {
        if !standings.stage.is_empty() {
            text.push_str(&format!("\n{}\n", printable(&standings.stage)));
        }
        text.push_str(&standings.table.to_text());
    }
    if !report.qualified.is_empty() {
        text.push_str(&format!("\nin the finals: {}\n", printable(&report.qualified.join(", "))));
    }
    let rounds = report.rounds.iter().map(|rounds| rounds.to_text());
    let cross_tables = report.cross_tables.iter().map(|table| table.to_text());
    let pairings = report.pairings.iter().map(|pairing| pairing.to_text());
    for part in rounds.chain(cross_tables).chain(pairings) {
        text.push('\n');
        text.push_str(&part);
    }
    for panel in &report.sprt {
        text.push_str(&panel.to_text());
    }
    if let Some(engines) = &report.engines {
        text.push('\n');
        text.push_str(&engines.to_text());
    }
    if !report.terminations.is_empty() {
        let counts: Vec<String> = report.terminations.iter().map(|(why, count)| format!("{count} {why}")).collect();
        text.push_str(&format!("\ngames ended by: {}\n", printable(&counts.join(", "))));
    }
    for warning in &report.warnings {
        text.push_str(&format!("warning: {}\n", printable(warning)));
    }
    text
}
