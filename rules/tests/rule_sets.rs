//! Where the written rules differ: one repetition, judged by each of them; and what the classes are made of.

mod common;

use chuhe_movegen::Color::{Black, Red};
use chuhe_rules::{
    ChaseWay, Ending, Game, Ground, IdleKind, JudgedMove, Judgement, MoveClass, Protection, RuleSet, Verdict,
};

use crate::common::game_of;

/// In the order of the table below.
const RULES: [RuleSet; 5] =
    [RuleSet::COMPUTER, RuleSet::ASIAN, RuleSet::CHINESE, RuleSet::CHINESE_1999, RuleSet::CHINESE_OLD];

const RED: Verdict = Verdict::Loses(Red);
const BLACK: Verdict = Verdict::Loses(Black);
const DRAW: Verdict = Verdict::Draw;

#[test]
fn each_text_in_its_own_way() {
    // What, an example, and the verdict by computer, axf, cxa, cxa1999 and cxa_old.
    let table = [
        ("perpetual check", "axf-d-001", [RED, RED, RED, RED, RED]),
        // Older text, forbidden 2: two checks against one check back are excused.
        ("two checks, one check back", "axf-d-005", [RED, RED, RED, RED, DRAW]),
        // Articles 25.2 and 26.4 forbid what Asian rules 9 and 12 allow.
        ("perpetual mate threat", "axf-d-006", [DRAW, DRAW, RED, RED, RED]),
        ("check and mate threat in turn", "axf-d-010", [DRAW, DRAW, RED, RED, RED]),
        // Asian rule 32 allows it, article 26.4 does not.
        ("chases of two pieces in turn", "axf-h-004", [DRAW, DRAW, RED, RED, RED]),
        // Older text, permitted 4: one of the two attacks parries.
        ("two attacks, one back", "cxa-s-003", [RED, RED, RED, RED, DRAW]),
        // Article 27.2 of 1999 counts pawn attacks in a mutual fight.
        ("pawn attacks in a mutual fight", "axf-h-006", [BLACK, BLACK, BLACK, DRAW, BLACK]),
        ("the king alone", "axf-d-059", [DRAW, DRAW, DRAW, DRAW, DRAW]),
        ("the king with another piece", "axf-p-010", [BLACK, BLACK, BLACK, BLACK, BLACK]),
        ("a really protected piece", "axf-h-001", [DRAW, DRAW, DRAW, DRAW, DRAW]),
        // Any check makes the computer rule look away.
        ("chase against check and chase", "axf-d-033", [DRAW, RED, DRAW, DRAW, DRAW]),
        // Asian rule 19.
        ("a rook pinned by a horse", "axf-d-035", [DRAW, RED, DRAW, DRAW, DRAW]),
    ];
    for (what, id, expected) in table {
        let game = game_of(id);
        for (rules, expected) in RULES.iter().zip(expected) {
            assert_eq!(game.verdict(rules), expected, "{what} ({id}) under {rules}");
        }
        assert_eq!(game.verdict(&RuleSet::ALWAYS_DRAW), DRAW, "{what} ({id})");
    }
}

#[test]
fn rulings_name_their_ground_and_article() {
    for (id, rules, ground, article) in [
        ("axf-d-001", RuleSet::ASIAN, Ground::PerpetualCheck, "6"),
        ("axf-d-004", RuleSet::ASIAN, Ground::MutualPerpetualCheck, "7"),
        ("axf-d-005", RuleSet::ASIAN, Ground::PerpetualCheckAgainstChecks, "8"),
        ("axf-d-006", RuleSet::ASIAN, Ground::PermittedMateThreats, "9"),
        ("axf-d-014", RuleSet::ASIAN, Ground::PermittedCheckAndChase, "12"),
        ("axf-d-031", RuleSet::ASIAN, Ground::ChaseAgainstAttacks, "18"),
        ("axf-d-035", RuleSet::ASIAN, Ground::ChaseOfLegPinnedRook, "19"),
        ("axf-h-004", RuleSet::ASIAN, Ground::PermittedChaseOfSeveral, "32"),
        ("axf-d-001", RuleSet::CHINESE, Ground::PerpetualCheck, "26.1"),
        ("axf-h-004", RuleSet::CHINESE, Ground::PerpetualAttack, "26.4"),
        ("axf-h-005", RuleSet::CHINESE, Ground::MutualOffence, "26.3"),
        ("axf-h-001", RuleSet::CHINESE, Ground::NoOffence, "26.2"),
        ("axf-h-006", RuleSet::CHINESE_1999, Ground::PawnFight, "27.2"),
        ("axf-d-033", RuleSet::COMPUTER, Ground::ChecksVoidChases, "2"),
    ] {
        let ruling = game_of(id).ruling(&rules);
        assert_eq!(ruling.repetition.as_ref().map(|repetition| repetition.ground), Some(ground), "{id} under {rules}");
        assert_eq!(ruling.article(), Some(article), "{id} under {rules}");
    }
}

#[test]
fn a_loser_is_named_with_the_move_it_began_with() {
    // The first move leads in; Red's chase begins with the third half-move.
    let ruling = game_of("axf-d-031").ruling(&RuleSet::ASIAN);
    let repetition = ruling.repetition.as_ref().unwrap();
    assert_eq!(ruling.verdict, RED);
    assert_eq!((ruling.loser(), ruling.must_deviate()), (Some(Red), Some(Red)));
    assert_eq!(ruling.ended_by, Some(Ending::Repetition(Judgement::Loses(Red))));
    assert_eq!(repetition.offence_begins().map(|judged| judged.ply), Some(repetition.window.first + 2));
}

#[test]
fn nothing_recurred_or_only_twice() {
    let mut game = Game::new(chuhe_movegen::Board::startpos());
    assert_eq!(game.ruling(&RuleSet::ASIAN).verdict, Verdict::None);
    for mv in ["b0c2", "b9c7", "c2b0", "c7b9"] {
        game.play(mv.parse().unwrap()).unwrap();
    }
    let ruling = game.ruling(&RuleSet::ASIAN);
    assert_eq!(ruling.verdict, Verdict::Undecided);
    assert_eq!((ruling.loser(), ruling.must_deviate(), ruling.ended_by), (None, None, None));
    assert_eq!(ruling.repetition.unwrap().window.cycle_len(), 4);
}

fn judged_move(id: &str, rules: &RuleSet, mv: &str) -> JudgedMove {
    let repetition = game_of(id).ruling(rules).repetition.unwrap();
    repetition.cycle().iter().find(|judged| judged.mv.to_string() == mv).unwrap().clone()
}

#[test]
fn chases_of_every_way() {
    use ChaseWay::*;
    for (id, mv, way, protection) in [
        ("axf-p-003", "d3c3", Direct, Some(Protection::None)),
        ("axf-d-018", "f3f7", Direct, Some(Protection::Real)),
        ("axf-p-005", "e7g5", Discovered, Some(Protection::None)),
        ("cxa-g-013", "f6e6", Unpinned, Some(Protection::None)),
        ("axf-d-092", "c6b6", ProtectorBlocked, Some(Protection::None)),
        ("axf-p-018", "e3g4", ProtectorPinned, Some(Protection::False)),
        ("axf-p-008", "h2h0", KingDenied, Some(Protection::False)),
        ("cxa-d-022", "h6h3", Reinforced, Some(Protection::Insufficient)),
        ("cxa-d-022", "i6i3", ThroughChecks, None),
    ] {
        let judged = judged_move(id, &RuleSet::CHINESE, mv);
        assert_eq!(judged.class, MoveClass::Chase, "{id} {mv}");
        let found: Vec<_> = judged.chases.iter().map(|chase| (chase.way, chase.protection)).collect();
        assert!(found.contains(&(way, protection)), "{id} {mv}: {found:?}");
    }
}

#[test]
fn idle_moves_of_every_kind() {
    for (id, mv, kind) in [
        ("axf-h-002", "c2c6", IdleKind::ExchangeOffer),
        ("axf-d-091", "c7b7", IdleKind::Sacrifice),
        ("cxa-s-004", "b2c2", IdleKind::Block),
        ("axf-h-001", "b5c5", IdleKind::Follow),
        ("axf-d-002", "e8f8", IdleKind::Plain),
    ] {
        assert_eq!(judged_move(id, &RuleSet::CHINESE, mv).class, MoveClass::Idle(kind), "{id} {mv}");
    }
}
