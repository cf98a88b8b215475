//! Numbers of positions, and what the tables say of well-known endgames.

mod common;

use chuhe_endgame::{Class, ClassSet, Tables, Value, plan};
use chuhe_movegen::Board;

/// Placements; legal positions and wins with the strong side to move; the longest mate in plies.
///
/// From a prototype that was written before this program and shares no code with it.
const TOTALS: [(&str, [u32; 4]); 10] = [
    ("RvAABB", [578_340, 359_766, 295_047, 64]),
    ("RvN", [437_400, 174_105, 173_250, 26]),
    ("RvPP", [7_217_100, 2_879_859, 2_862_499, 34]),
    ("NPvBB", [4_276_800, 2_347_842, 2_065_653, 56]),
    ("NPvAA", [1_692_900, 981_426, 979_335, 42]),
    ("PPvAB", [1_844_370, 1_102_575, 253_062, 39]),
    ("PPvAA", [507_870, 295_092, 253_434, 56]),
    ("NNvBB", [3_460_320, 1_939_209, 1_933_572, 31]),
    ("CAvAA", [136_800, 90_407, 90_350, 48]),
    ("CAvAABB", [2_570_400, 1_813_746, 72_622, 51]),
];

/// Legal positions and losses with the weak side to move, by the same prototype.
const WEAK_TO_MOVE: [(&str, [u32; 2]); 2] = [("RvAABB", [420_543, 216_351]), ("RvN", [206_220, 185_594])];

/// Positions that the rules of repetition decide, with the strong and with the weak side to move, by the same prototype.
/// It looked at checks by pieces and at new attacks only; that mate threats and checks by pawns count as well here adds
/// some in R v CAA and R v PP.
const RULES_DECIDE: [(&str, u32, u32); 4] =
    [("RvN", 312, 1_285), ("RvNB", 1_892, 7_715), ("RvNA", 1_356, 5_557), ("RvCA", 27, 243)];

/// Compares the totals of the classes that are there, and tells how many these are.
fn check_totals(tables: &Tables) -> usize {
    let info = |name: &str| tables.info(name.parse().unwrap());
    for (name, expected) in WEAK_TO_MOVE {
        if let Some(info) = info(name) {
            assert_eq!([info.counts[1].legal, info.counts[1].losses], expected, "{name}");
        }
    }
    let known = TOTALS.into_iter().filter_map(|(name, expected)| {
        let info = info(name)?;
        let strong = info.counts[0];
        assert_eq!([info.placements, strong.legal, strong.wins, u32::from(info.longest)], expected, "{name}");
        Some(())
    });
    known.count()
}

#[test]
fn totals_of_the_embedded_tables_are_those_of_the_reference() {
    let tables = Tables::embedded();
    assert_eq!(check_totals(&tables), TOTALS.len());
    for (name, strong, weak) in RULES_DECIDE {
        let counts = tables.info(name.parse().unwrap()).unwrap().counts;
        assert_eq!(counts.map(|counts| counts.rules_decide), [strong, weak], "{name}");
    }
    // Against advisors and elephants alone every draw stands, by the prototype as well.
    for info in tables.infos().filter(|info| !info.class.weak().has_attackers()) {
        assert_eq!(info.counts.map(|counts| counts.rules_decide), [0, 0], "{}", info.class);
    }
}

#[test]
fn classes_built_anew_have_the_embedded_values() {
    let built = common::built("RvAABB RvN CAvAA");
    assert_eq!(check_totals(&built), 3);
    let embedded = Tables::embedded();
    for info in built.infos() {
        let other = embedded.info(info.class).unwrap();
        assert_eq!(info.values_hash, other.values_hash, "{}", info.class);
        assert_eq!((info.counts, info.rule_wins, info.longest), (other.counts, other.rule_wins, other.longest));
    }
}

#[test]
fn the_standard_set_is_embedded_and_small() {
    let tables = Tables::embedded();
    let embedded: Vec<Class> = tables.infos().map(|info| info.class).collect();
    assert_eq!(embedded, plan(&ClassSet::Standard.classes()).unwrap());
    let set = include_bytes!("../tables/standard.cets");
    assert!(set.len() <= 1 << 20, "{}", set.len());
    // Two values for each placement, four to a byte.
    let unpacked: u64 = tables.infos().map(|info| u64::from(info.placements) / 2).sum();
    assert!(unpacked <= 32_000_000, "{unpacked}");
}

#[test]
fn practical_endgames_are_judged_as_the_books_have_them() {
    let tables = Tables::embedded();
    for (fen, value) in [
        // 单车例和士象全, 单马例胜单士, 单炮例和, 单兵对单将: 高兵胜, 底兵和.
        ("2bak1b2/4a4/9/9/9/9/9/9/4R4/3K5 w", Value::Draw),
        ("4k4/9/3a5/9/4N4/9/9/9/9/3K5 w", Value::Win),
        ("2bak1b2/4a4/9/9/9/9/9/3C5/9/4K4 w", Value::Draw),
        ("3k5/9/9/4P4/9/9/9/9/9/4K4 w", Value::Win),
        ("P8/4k4/9/9/9/9/9/9/9/5K3 w", Value::Draw),
        // Nobody can win without attackers.
        ("4k4/4a4/9/9/9/9/9/9/9/3K5 b", Value::Draw),
    ] {
        assert_eq!(tables.value(&Board::from_fen(fen).unwrap()), Some(value), "{fen}");
    }
}
