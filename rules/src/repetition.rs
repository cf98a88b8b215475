//! Repetition: finding that a position has come again, and judging the moves between.

use chuhe_movegen::Color;

use crate::{Ply, RuleSet};

/// The moves of a line between two occurrences of one position, the last of them the line's end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cycle {
    /// Index of the ply with the earlier occurrence.
    pub first: usize,
}

/// What a rule set says of a repetition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// Neither side is at fault, or both are alike.
    Draw,
    /// This side must not repeat: it loses.
    Loses(Color),
}

/// Finds the latest earlier occurrence, not before `from`, of the position the line ends in.
///
/// Walks back two plies at a time and stops at the last capture: no position before it can come again.
pub fn find_cycle(line: &[Ply], from: usize) -> Option<Cycle> {
    let last = line.len().checked_sub(1)?;
    let key = line[last].board.key();
    let mut at = last;
    while at > from && !line[at].is_irreversible() {
        at -= 1;
        if at == from || line[at].is_irreversible() {
            // The occurrence itself may have been reached by a capture.
            return ((last - at) % 2 == 0 && last - at >= 4 && line[at].board.key() == key)
                .then_some(Cycle { first: at });
        }
        at -= 1;
        if last - at >= 4 && line[at].board.key() == key {
            return Some(Cycle { first: at });
        }
    }
    None
}

/// Judges the moves from ply `first + 1` to the end of the line.
pub fn judge_cycle(line: &[Ply], first: usize, rules: &RuleSet) -> Judgement {
    if !rules.perpetual_check_loses {
        return Judgement::Draw;
    }
    let mut always_checks = [true; Color::NUM];
    for ply in &line[first + 1..] {
        always_checks[ply.mover().index()] &= ply.gives_check();
    }
    match always_checks {
        [true, false] => Judgement::Loses(Color::Red),
        [false, true] => Judgement::Loses(Color::Black),
        _ => Judgement::Draw,
    }
}
