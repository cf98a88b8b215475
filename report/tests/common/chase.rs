//! A ruling to show.

use chuhe_movegen::Board;
use chuhe_report::Language;
use chuhe_report::ruling::Explanation;
use chuhe_rules::{Game, RuleSet};

/// A perpetual chase, explained: case axf-d-017 of the case file.
pub(crate) fn chase(language: Language) -> Explanation {
    let start = Board::from_fen("2ba1k3/4a4/b8/7R1/9/9/1r2p4/9/4A4/2B1KAB1c w - - 0 1").expect("a legal position");
    let mut game = Game::new(start);
    for mv in ["h6i6", "i0h0", "i6h6", "h0i0"].repeat(2) {
        game.play(mv.parse().expect("a move")).expect("legal");
    }
    Explanation::new(&game, &game.ruling(&RuleSet::ASIAN), language)
}
