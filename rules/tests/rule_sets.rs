//! Where the written rules differ: for each line of that table in `docs/rules.md` a repetition made by hand, judged by
//! every text, with the article that each rests on; and what the classes are made of.

mod common;

use chuhe_movegen::Board;
use chuhe_movegen::Color::{Black, Red};
use chuhe_rules::{
    ChaseWay, Ending, Game, Ground, IdleKind, JudgedMove, Judgement, MoveClass, Procedure, Protection, RuleSet, Ruling,
    ThreatOrigin, Verdict,
};

use crate::common::{cases, doc_table, game_of, played};

/// The texts, in the order of the columns: the older Chinese one, 1999, 2020, Asian and World, engines.
const TEXTS: [RuleSet; 5] =
    [RuleSet::CHINESE_OLD, RuleSet::CHINESE_1999, RuleSet::CHINESE, RuleSet::ASIAN, RuleSet::COMPUTER];

const RED: Verdict = Verdict::Loses(Red);
const BLACK: Verdict = Verdict::Loses(Black);
const DRAW: Verdict = Verdict::Draw;

/// A line of the table.
struct Row {
    topic: &'static str,
    /// Red is to move.
    fen: &'static str,
    cycle: &'static str,
    /// What the moves are by the rules of 2020.
    classes: &'static str,
    /// What each text says, and where.
    verdicts: [(Verdict, &'static str); 5],
}

/// Articles: of the older text by its lists of forbidden (禁止着法) and permitted (允许着法) moves, of the Chinese rules by
/// the numbers of 1999, of the Asian rules by those of the detail rules, of the engines' rule by its steps.
const TABLE: [Row; 17] = [
    Row {
        topic: "perpetual kill",
        // The rook threatens to mate on the last rank, now on the one file, now on the other.
        fen: "3k5/9/3P5/1r2p3c/9/1R7/9/9/9/4K4",
        cycle: "b4c4 b6c6 c4b4 c6b6",
        classes: "kill idle kill idle",
        verdicts: [(RED, "forbidden 1"), (RED, "26.4"), (RED, "26.4"), (DRAW, "9"), (DRAW, "3")],
    },
    Row {
        topic: "check and kill in turn",
        // The rook threatens mate on h9, and checks when the king has stepped aside.
        fen: "4k4/3P5/9/9/5R3/9/9/9/9/3K5",
        cycle: "f5h5 e9f9 h5f5 f9e9",
        classes: "kill idle check idle",
        verdicts: [(RED, "forbidden 1"), (RED, "26.4"), (RED, "26.4"), (DRAW, "9"), (DRAW, "2")],
    },
    Row {
        topic: "check and chase in turn",
        // After the check the king is too far away to protect the cannon.
        fen: "4kc3/9/9/9/9/5R3/9/4B4/9/4K4",
        cycle: "f4e4 e9d9 e4f4 d9e9",
        classes: "check idle chase:cf9 idle",
        verdicts: [(RED, "forbidden 1"), (RED, "26.4"), (RED, "26.4"), (DRAW, "12"), (DRAW, "2")],
    },
    Row {
        topic: "kill and chase in turn",
        // Mate threatens on h9; when the king has stepped aside the cannon is bare.
        fen: "4k4/3Pc2R1/9/9/9/9/9/9/9/3K5",
        cycle: "h8h5 e9f9 h5h8 f9e9",
        classes: "kill idle chase:ce8 idle",
        verdicts: [(RED, "forbidden 1"), (RED, "26.4"), (RED, "26.4"), (DRAW, "9"), (DRAW, "3")],
    },
    Row {
        topic: "chases of different pieces in turn",
        // The black rook can protect one cannon at a time (一子分捉二子).
        fen: "3k5/1r7/9/1c5c1/9/9/9/1R7/9/3AKA3",
        cycle: "b2h2 b8h8 h2b2 h8b8",
        classes: "chase:ch6 idle chase:cb6 idle",
        verdicts: [(RED, "forbidden 1"), (RED, "26.4"), (RED, "26.4"), (DRAW, "32"), (DRAW, "3")],
    },
    Row {
        topic: "two attacks on one piece, one back that is parried",
        // The rook strikes at the horse, which moves away and attacks again (两打一还打).
        fen: "3k5/9/9/6r2/9/9/5N3/9/9/3AKA3",
        cycle: "f3e5 g6g5 e5f3 g5g6",
        classes: "chase:rg6 chase:Ne5 chase:rg5 idle",
        verdicts: [(DRAW, "permitted 4"), (RED, "26.4"), (RED, "26.4"), (RED, "15"), (RED, "3")],
    },
    Row {
        topic: "two attacks on two pieces, one back that is parried",
        // The horse attacks the rook, then the cannon that the rook has left.
        fen: "3k5/9/9/3c2r2/9/2N6/9/9/9/3AKA3",
        cycle: "c4e5 g6g5 e5c4 g5g6",
        classes: "chase:rg6 chase:Ne5 chase:cd6 idle",
        verdicts: [(DRAW, "permitted 4"), (RED, "26.4"), (RED, "26.4"), (DRAW, "32"), (DRAW, "3")],
    },
    Row {
        topic: "two attacks, one back that is not parried",
        // On g3 the cannon attacks the elephant over the horse. Red does not mind.
        fen: "4k4/7R1/9/9/9/9/6c2/6N2/9/3K2B2",
        cycle: "h8g8 g3h3 g8h8 h3g3",
        classes: "chase:cg3 idle chase:ch3 chase:Bg0",
        verdicts: [(RED, "forbidden 1"), (RED, "26.4"), (RED, "26.4"), (RED, "18"), (RED, "3")],
    },
    Row {
        topic: "two checks, one check back",
        // The king leaves the cannon's file: check. The horse interposes with check (二将一还将).
        fen: "4c4/4k4/9/4N4/9/9/4P4/9/9/4K4",
        cycle: "e6g7 e8f8 g7e6 f8e8",
        classes: "check check check chase:Ne6",
        verdicts: [(DRAW, "forbidden 2"), (RED, "26.1"), (RED, "26.1"), (RED, "8"), (RED, "1")],
    },
    Row {
        topic: "attacks on the hunter of a trapped piece",
        // The elephant on a2 has both eyes blocked and nothing can protect it from the rook.
        fen: "3k5/9/9/r1p6/2b1C4/9/1p7/B8/1p7/5K3",
        cycle: "e5e6 a6a5 e6e5 a5a6",
        classes: "chase:ra6 idle chase:ra5 idle",
        verdicts: [(DRAW, "permitted 5"), (RED, "26.4"), (RED, "26.4"), (RED, "15"), (RED, "3")],
    },
    Row {
        topic: "chase, answered by the attacks of a pawn",
        // Rook and cannon chase the horse by turns, the pawn steps in and attacks the rook: article 27.2.
        fen: "2c1k4/9/9/1r7/2P6/9/9/2N6/4A4/4KA3",
        cycle: "c5b5 b6c6 b5c5 c6b6",
        classes: "idle chase:Nc2 idle chase:Nc2",
        verdicts: [(BLACK, "forbidden 1"), (DRAW, "27.2"), (BLACK, "26.4"), (BLACK, "25"), (BLACK, "3")],
    },
    Row {
        topic: "the king alone",
        // Article 27.1, Asian rule 28.
        fen: "3k5/9/9/9/9/9/9/9/5c3/4K4",
        cycle: "e0e1 f1f0 e1e0 f0f1",
        classes: "idle idle idle idle",
        verdicts: [(DRAW, "permitted 1"), (DRAW, "26.2"), (DRAW, "26.2"), (DRAW, "5"), (DRAW, "3")],
    },
    Row {
        topic: "the king with another piece",
        // Each step of the king sets one of the horses free (article 27.1, 借帅之力).
        fen: "3rk4/9/9/9/3N5/4N4/9/5c3/9/4K4",
        cycle: "e0d0 f2f4 d0e0 f4f2",
        classes: "chase:cf2 idle chase:cf4 idle",
        verdicts: [(RED, "forbidden 1"), (RED, "26.4"), (RED, "26.4"), (RED, "3"), (RED, "3")],
    },
    Row {
        topic: "chase of an insufficiently protected piece",
        // Two rooks against one (article 29.3); Asian rule 35 looks at the first taking back only.
        fen: "3aka3/9/9/R6cr/9/9/9/6R2/9/3K5",
        cycle: "g2h2 h6g6 h2g2 g6h6",
        classes: "chase:ch6 idle chase:cg6 idle",
        verdicts: [(RED, "forbidden 1"), (RED, "26.4"), (RED, "26.4"), (DRAW, "5"), (DRAW, "3")],
    },
    Row {
        topic: "chase through an exchange",
        // Rook and elephant against two rooks: Red gives rook and elephant for cannon and rook (article 29.1).
        fen: "3aka3/6R2/9/9/9/rrc6/9/4B4/4A4/2BAK4",
        cycle: "g8c8 c4g4 c8g8 g4c4",
        classes: "chase:cc4 idle chase:cg4 idle",
        verdicts: [(RED, "forbidden 1"), (RED, "26.4"), (RED, "26.4"), (DRAW, "5"), (DRAW, "3")],
    },
    Row {
        topic: "check and chase through checks in turn",
        // The horse threatens to give check by the rook behind it and to take the cannon (一将一要抽吃子, article 29.1).
        fen: "3ak4/9/1c7/9/9/4N4/9/5R3/4A4/4KA3",
        cycle: "f2e2 e9f9 e2f2 f9e9",
        classes: "chase:cb7 idle check idle",
        verdicts: [(RED, "forbidden 1"), (RED, "26.4"), (RED, "26.4"), (DRAW, "5"), (DRAW, "3")],
    },
    Row {
        topic: "chase of an elephant",
        // Article 27.3 would call it idle if it came with the set-up of a simple draw. That is for the arbiter to say.
        fen: "4k4/9/b8/9/9/2R6/9/9/9/3K5",
        cycle: "c4a4 a7c9 a4c4 c9a7",
        classes: "chase:ba7 idle chase:bc9 idle",
        verdicts: [(RED, "forbidden 1"), (RED, "26.4"), (RED, "26.4"), (RED, "3"), (RED, "3")],
    },
];

impl Row {
    fn game(&self, loops: usize) -> Game {
        played(&format!("{} w - - 0 1", self.fen), self.cycle, loops)
    }
}

#[test]
fn each_text_judges_in_its_own_way() {
    for row in &TABLE {
        let game = row.game(2);
        for (rules, (verdict, article)) in TEXTS.iter().zip(row.verdicts) {
            let ruling = game.ruling(rules);
            assert_eq!((ruling.verdict, ruling.article()), (verdict, Some(article)), "{} under {rules}", row.topic);
            assert_eq!(game.verdict(rules), verdict, "{} under {rules}, the short way", row.topic);
        }
        let classes = game.ruling(&RuleSet::CHINESE).repetition.unwrap();
        let classes: Vec<String> = classes.cycle().iter().map(ToString::to_string).collect();
        assert_eq!(classes.join(" "), row.classes, "{}", row.topic);
        assert_eq!(game.verdict(&RuleSet::ALWAYS_DRAW), DRAW, "{}", row.topic);
    }
}

/// The last line of the reference's table: all texts rule at the third occurrence.
#[test]
fn nothing_is_ruled_before_the_third_occurrence() {
    for row in &TABLE {
        for rules in TEXTS {
            assert_eq!(row.game(1).verdict(&rules), Verdict::Undecided, "{} under {rules}", row.topic);
        }
    }
}

#[test]
fn the_table_in_the_documentation_is_this_one() {
    let written = doc_table("repetition");
    let topics: Vec<&str> = written.iter().map(|cells| cells[0].as_str()).collect();
    assert_eq!(topics, TABLE.map(|row| row.topic));
    for (row, cells) in TABLE.iter().zip(&written) {
        let verdicts = row.verdicts.map(|(verdict, _)| if verdict == DRAW { "draw" } else { "loses" });
        assert_eq!(cells[1..], verdicts, "{}", row.topic);
    }
}

fn ruling_of_old(fen: &str, cycle: &str) -> Ruling {
    played(&format!("{fen} w - - 0 1"), cycle, 2).ruling(&RuleSet::CHINESE_OLD)
}

/// Permitted moves 5 of the older text: a piece that cannot flee (无法逃跑), cannot be protected (无子可保) and has no way
/// out (陷于绝境).
#[test]
fn the_trapped_piece_must_be_beyond_help() {
    let cycle = "e5e6 a6a5 e6e5 a5a6";
    let ground = |ruling: &Ruling| ruling.repetition.as_ref().unwrap().ground;
    let trapped = ruling_of_old("3k5/9/9/r1p6/2b1C4/9/1p7/B8/1p7/5K3", cycle);
    assert_eq!((trapped.verdict, ground(&trapped)), (DRAW, Ground::TrappedPiece));
    // With the lower eye open the elephant can go home.
    let free = ruling_of_old("3k5/9/9/r1p6/2b1C4/9/1p7/B8/9/5K3", cycle);
    assert_eq!((free.verdict, ground(&free)), (RED, Ground::PerpetualChase));
    // A rook can come to its help.
    let helped = ruling_of_old("3k5/9/9/r1p6/2b1C4/9/1p7/B8/1p7/5K2R", cycle);
    assert_eq!((helped.verdict, ground(&helped)), (RED, Ground::PerpetualChase));
    // Without the elephant there is no hunter: the same chase of the same rook.
    let nothing_hunted = ruling_of_old("3k5/9/9/r1p6/2b1C4/9/1p7/9/1p7/5K3", cycle);
    assert_eq!((nothing_hunted.verdict, ground(&nothing_hunted)), (RED, Ground::PerpetualChase));
    // Without its screen on c6 the cannon strikes at the hunter with every other move only.
    let once = ruling_of_old("3k5/9/9/r8/2b1C4/9/1p7/B8/1p7/5K3", cycle);
    assert_eq!((once.verdict, ground(&once)), (DRAW, Ground::NoOffence));
}

/// Permitted moves 4 of the older text: one of the two attacks must have been made to parry one (其中有一步是为了解“打”).
#[test]
fn two_attacks_are_excused_by_the_attack_that_one_of_them_parries() {
    let judged = |topic: &str| {
        let row = TABLE.iter().find(|row| row.topic == topic).unwrap();
        let ruling = row.game(2).ruling(&RuleSet::CHINESE_OLD);
        (ruling.verdict, ruling.repetition.unwrap().ground)
    };
    for topic in
        ["two attacks on one piece, one back that is parried", "two attacks on two pieces, one back that is parried"]
    {
        assert_eq!(judged(topic), (DRAW, Ground::AttackParried), "{topic}");
    }
    assert_eq!(judged("two attacks, one back that is not parried"), (RED, Ground::PerpetualChase));
    // No attack back at all.
    assert_eq!(judged("chases of different pieces in turn"), (RED, Ground::PerpetualAttack));
}

/// Where the decision tables of the rule sets differ, beside the texts: diagrams of the Asian manual.
#[test]
fn each_rule_set_has_its_own_levels() {
    for (what, id, expected) in [
        // Asian rule 19 weighs more than the chase in return.
        ("a rook pinned by a horse's leg", "axf-d-035", [DRAW, DRAW, DRAW, RED, DRAW]),
        // Any check makes the engines' rule look away; for the Chinese ones both sides are at fault.
        ("chase against check and chase", "axf-d-033", [DRAW, DRAW, DRAW, RED, DRAW]),
        ("perpetual check", "axf-d-001", [RED; 5]),
        ("a really protected piece", "axf-h-001", [DRAW; 5]),
    ] {
        let game = game_of(id);
        for (rules, expected) in TEXTS.iter().zip(expected) {
            assert_eq!(game.verdict(rules), expected, "{what} ({id}) under {rules}");
        }
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
        ("axf-d-014", RuleSet::COMPUTER, Ground::PermittedCheckAndChase, "2"),
        ("axf-d-033", RuleSet::COMPUTER, Ground::ChecksVoidChases, "2"),
    ] {
        let ruling = game_of(id).ruling(&rules);
        assert_eq!(ruling.repetition.as_ref().map(|repetition| repetition.ground), Some(ground), "{id} under {rules}");
        assert_eq!(ruling.article(), Some(article), "{id} under {rules}");
    }
}

#[test]
fn every_text_has_an_article_for_every_ruling() {
    for case in cases() {
        let game = case.game();
        for rules in TEXTS {
            let ruling = game.ruling(&rules);
            let is_ruled = matches!(ruling.verdict, Verdict::Loses(_) | Verdict::Draw);
            assert_eq!(ruling.article().is_some(), is_ruled, "{} under {rules}: {ruling:?}", case.id);
        }
    }
}

/// The diagrams of the Asian manual stand under their rules, so each must be judged by its own.
#[test]
fn diagrams_are_judged_by_the_rule_they_stand_under() {
    let mut judged = 0;
    for case in cases().iter().filter(|case| case.verdict.ends_with("loses") && case.id.starts_with("axf-d")) {
        let Some(diagram) = case.title.as_deref().and_then(|title| title.strip_prefix("worked diagram ")) else {
            continue;
        };
        let rule = match diagram.parse() {
            Ok(1..=3) => "6",
            Ok(5) => "8",
            Ok(18..=25) => "15",
            Ok(32..=38) => "18",
            Ok(51..=55) => "24",
            Ok(56..=60) => "25",
            Ok(81..=82) => "33",
            _ => continue,
        };
        assert_eq!(case.game().ruling(&RuleSet::ASIAN).article(), Some(rule), "{}, diagram {diagram}", case.id);
        judged += 1;
    }
    assert!(judged >= 15, "{judged}");
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
    let mut game = Game::new(Board::startpos());
    assert_eq!(game.ruling(&RuleSet::ASIAN).verdict, Verdict::None);
    for mv in ["b0c2", "b9c7", "c2b0", "c7b9"] {
        game.play(mv.parse().unwrap()).unwrap();
    }
    let ruling = game.ruling(&RuleSet::ASIAN);
    assert_eq!(ruling.verdict, Verdict::Undecided);
    assert_eq!((ruling.loser(), ruling.must_deviate(), ruling.ended_by), (None, None, None));
    assert_eq!(ruling.repetition.unwrap().window.cycle_len(), 4);
}

/// Article 24 and its kin: who loses at once, who must deviate, and who has not.
#[test]
fn an_offence_has_its_procedure() {
    use Procedure::{HasNotDeviated, LosesAtOnce, MustDeviate, OneMoreRound};
    let told = |topic: &str, rules: RuleSet, loops: usize| {
        let row = TABLE.iter().find(|row| row.topic == topic).unwrap();
        row.game(loops).ruling(&rules).repetition.unwrap().procedure
    };
    for loops in 2..=4 {
        for rules in TEXTS {
            assert_eq!(told("the king alone", rules, loops), None);
        }
        let perpetual = game_of("axf-d-001").start().to_fen();
        let game = played(&perpetual, "h8h9 f9f8 h9h8 f8f9", loops);
        for rules in TEXTS {
            assert_eq!(game.ruling(&rules).repetition.unwrap().procedure, Some(LosesAtOnce), "{rules}");
        }
        let kill = |rules| told("perpetual kill", rules, loops);
        let expected = if loops == 2 { OneMoreRound } else { HasNotDeviated };
        assert_eq!([kill(RuleSet::CHINESE), kill(RuleSet::CHINESE_1999)], [Some(expected); 2], "{loops}");
        let chase = |rules| told("chase of an elephant", rules, loops);
        assert_eq!([chase(RuleSet::CHINESE_OLD), chase(RuleSet::ASIAN)], [Some(MustDeviate); 2]);
        assert_eq!(chase(RuleSet::COMPUTER), Some(LosesAtOnce));
    }
    let numbers =
        |rules: RuleSet| [None, Some(LosesAtOnce), Some(OneMoreRound)].map(|of| rules.article_on_procedure(of));
    assert_eq!(numbers(RuleSet::CHINESE), [Some("24.2"), Some("24.1"), Some("24.3")]);
    assert_eq!(numbers(RuleSet::ASIAN), [None; 3]);
}

fn judged_move(id: &str, rules: &RuleSet, mv: &str) -> JudgedMove {
    let repetition = game_of(id).ruling(rules).repetition.unwrap();
    repetition.cycle().iter().find(|judged| judged.mv.to_string() == mv).unwrap().clone()
}

/// A mate threat that stands makes a kill only of moves that have a part in it.
#[test]
fn a_threat_is_the_work_of_some_moves() {
    use ThreatOrigin::{Move, Standing};
    for (fen, cycle, expected) in [
        // The rook's threat on the king's file stands while elephants step. The rook itself keeps it up.
        ("3k2b2/9/9/9/9/7R1/9/9/9/2B1K4 w", "c0a2 g9i7 a2c0 i7g9", Standing),
        ("3k2b2/9/9/9/9/7R1/9/9/9/4K4 w", "h4h5 g9i7 h5h4 i7g9", Move),
        // The elephant opens the rank for the second rook; then it answers a check, with mate threatening again.
        ("1rb6/4k4/4b3r/9/9/9/9/9/2R2K3/3A5 b", "e7c5 c1e1 c5e7 e1c1", Move),
        ("1rb6/4k4/8r/9/2b6/9/9/9/4RK3/3A5 b", "c5e7 e1c1 e7c5 c1e1", Move),
    ] {
        let ruling = played(&format!("{fen} - - 0 1"), cycle, 2).ruling(&RuleSet::CHINESE);
        let first = &ruling.repetition.as_ref().unwrap().moves[0];
        assert_eq!(first.origin, Some(expected), "{fen} {cycle}: {first:?}");
        assert_eq!(first.class == MoveClass::Kill, expected == Move, "{fen} {cycle}: {first:?}");
    }
}

#[test]
fn chases_of_every_way() {
    use ChaseWay::*;
    for (id, mv, way, protection) in [
        ("axf-p-003", "d3c3", Direct, Some(Protection::None)),
        ("axf-d-018", "f3f7", Direct, Some(Protection::Real)),
        ("axf-p-005", "e7g5", Discovered, Some(Protection::None)),
        ("cxa-g-034", "e8d8", Unpinned, Some(Protection::None)),
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
        ("axf-d-002", "e8f8", IdleKind::CheckAnswer),
        ("axf-d-059", "e1f1", IdleKind::KingAttack),
        ("cxa-h-003", "d5c5", IdleKind::PawnAttack),
        ("cxa-d-025", "h0h1", IdleKind::KeptAttack),
        ("axf-d-017", "i0h0", IdleKind::Escape),
        ("cxa-d-025", "h4h3", IdleKind::Plain),
    ] {
        assert_eq!(judged_move(id, &RuleSet::CHINESE, mv).class, MoveClass::Idle(kind), "{id} {mv}");
    }
}
