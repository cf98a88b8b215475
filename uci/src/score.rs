//! Scores as they are shown.

use chuhe_engine::{MAX_PLY, Score};
use chuhe_protocol::{Score as WireScore, Wdl};

/// A win by rule on the board. Such scores are no mates, because the side at fault can still deviate, but must not be
/// taken for evaluations either.
const RULE_WIN: i32 = 20_000;
/// A win known by tables of endgames, at the root.
const TABLE_WIN: i32 = 19_500;
/// Evaluations are shown below every win by rule or table.
const MAX_EVALUATION: i32 = 19_000;

/// The score as sent to a GUI.
pub(crate) fn to_wire(score: Score) -> WireScore {
    if let Some(plies) = score.mate_plies() {
        return WireScore::Mate(plies);
    }
    let units = score.get();
    if score.is_by_rule() {
        let plies = Score::RULE_IN_MAX_PLY.get() + MAX_PLY as i32 - units.abs();
        return WireScore::Cp(units.signum() * (RULE_WIN - plies));
    }
    if score.is_by_table() {
        let plies = Score::TABLE_IN_MAX_PLY.get() + MAX_PLY as i32 - units.abs();
        return WireScore::Cp(units.signum() * (TABLE_WIN - plies));
    }
    WireScore::Cp(shown_evaluation(units))
}

/// A static evaluation in the unit shown to users.
pub(crate) fn shown_evaluation(units: i32) -> i32 {
    chuhe_eval::shown(units).clamp(-MAX_EVALUATION, MAX_EVALUATION)
}

/// A score as one number, mates beyond everything else.
pub(crate) fn to_number(score: Score) -> i32 {
    const MATE: i32 = 30_000;
    match to_wire(score) {
        WireScore::Cp(cp) => cp,
        WireScore::Mate(plies) if plies > 0 => MATE - plies,
        WireScore::Mate(plies) => -MATE - plies,
    }
}

/// The chances behind a score.
pub(crate) fn to_wdl(score: Score) -> Wdl {
    let [win, draw, loss] = match score.get() {
        units if !score.is_decided() => chuhe_eval::wdl(units),
        1.. => [1000, 0, 0],
        _ => [0, 0, 1000],
    };
    Wdl { win: win.into(), draw: draw.into(), loss: loss.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_scores_stay_apart() {
        assert_eq!(to_wire(Score::mate_in(3)), WireScore::Mate(3));
        assert_eq!(to_wire(Score::mated_in(0)), WireScore::Mate(0));
        assert_eq!(to_wire(Score::rule_loss(4)), WireScore::Cp(-19_996));
        assert_eq!(to_wire(-Score::rule_loss(4)), WireScore::Cp(19_996));
        assert_eq!(to_wire(Score::table_loss(4)), WireScore::Cp(-19_496));
        assert_eq!(to_wdl(-Score::table_loss(4)), Wdl { win: 1000, draw: 0, loss: 0 });
        assert_eq!(to_wire(Score::ZERO), WireScore::Cp(0));
        assert_eq!((to_number(Score::mate_in(1)), to_number(Score::mated_in(2))), (29_999, -29_998));
        assert_eq!(to_wdl(Score::mated_in(0)), Wdl { win: 0, draw: 0, loss: 1000 });
    }
}
