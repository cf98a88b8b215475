//! Rulings in words.

#[path = "common/chase.rs"]
mod chase;

use std::path::Path;

use chuhe_movegen::{Board, Color};
use chuhe_report::Language;
use chuhe_report::ruling::{ExplainedMove, Explanation};
use chuhe_rules::{Game, Ground, Procedure, RuleSet, Verdict};
use serde_json::Value;

use crate::chase::chase;

const LANGUAGES: [Language; 2] = [Language::English, Language::Chinese];

fn play(fen: &str, moves: &[&str]) -> Game {
    let mut game = Game::new(Board::from_composed_fen(fen).expect(fen));
    for mv in moves {
        game.play(mv.parse().expect(mv)).expect(mv);
    }
    game
}

/// The games of the case file with the rule set of each.
fn cases() -> Vec<(Game, RuleSet)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/repetition.jsonl");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let case = |line| {
        let case: Value = serde_json::from_str(line).expect("JSON");
        let moves: Vec<&str> = case["moves"].as_array().expect("moves").iter().filter_map(Value::as_str).collect();
        let rules = case["ruleset"].as_str().and_then(|name| name.parse().ok()).expect("a rule set");
        (play(case["fen"].as_str().expect("a position"), &moves), rules)
    };
    text.lines().map(case).collect()
}

#[test]
fn a_chase_is_told_with_its_target() {
    let english = chase(Language::English);
    assert_eq!(english.verdict, "Red loses");
    assert_eq!(
        english.sentence,
        "Red loses unless it deviates: Red chases the black cannon with every move, while Black does nothing forbidden \
         (rule 18 of the Asian rules)."
    );
    assert_eq!(english.caption, "The start position, Red to move; repeated after half-moves 4 and 8");
    let told: Vec<[&str; 4]> = english
        .moves
        .iter()
        .map(|ExplainedMove { number, name, class, details, .. }| [number.as_str(), name, class, details])
        .collect();
    assert_eq!(
        told,
        [
            ["1.", "h6-i6", "chase", "rook i6 chases unprotected cannon i0"],
            ["1…", "i0-h0", "idle (escape)", ""],
            ["2.", "i6-h6", "chase", "rook h6 chases unprotected cannon h0"],
            ["2…", "h0-i0", "idle (escape)", ""],
        ]
    );
    assert_eq!(english.patterns, ["Red chases the black cannon with every move.", "Black plays idle moves only."]);

    let chinese = chase(Language::Chinese);
    assert_eq!(chinese.verdict, "红方负");
    assert_eq!(
        chinese.sentence,
        "判红方负：红方长捉黑炮，黑方为允许着法，红方须变着，不变作负（亚洲象棋规则细则第18条）。"
    );
    let names: Vec<&str> = chinese.moves.iter().map(|mv| mv.name.as_str()).collect();
    assert_eq!(names, ["车二平一", "炮9平8", "车一平二", "炮8平9"]);
    assert_eq!(chinese.moves[0].details, "红一路车捉无根黑9路炮");
    assert_eq!(chinese.patterns, ["红方长捉黑炮。", "黑方均为闲着。"]);
}

/// One sentence that begins with the verdict, whatever the case, the rules and the language.
#[test]
fn every_case_is_told_in_one_sentence() {
    for (game, _) in cases() {
        for rules in RuleSet::ALL.into_iter().chain([RuleSet::CHINESE_OLD]) {
            let ruling = game.ruling(&rules);
            for language in LANGUAGES {
                let explanation = Explanation::new(&game, &ruling, language);
                let sentence = &explanation.sentence;
                let last_chance = ruling.repetition.as_ref().and_then(|repetition| repetition.procedure)
                    == Some(Procedure::OneMoreRound);
                let (beginning, end) = match (language, ruling.verdict) {
                    (Language::English, Verdict::Loses(Color::Red)) if last_chance => ("Red must deviate, ", '.'),
                    (Language::English, Verdict::Loses(Color::Black)) if last_chance => ("Black must deviate, ", '.'),
                    (Language::Chinese, Verdict::Loses(Color::Red)) if last_chance => {
                        ("红方须变着，再循环一次即判负：", '。')
                    }
                    (Language::Chinese, Verdict::Loses(Color::Black)) if last_chance => {
                        ("黑方须变着，再循环一次即判负：", '。')
                    }
                    (Language::English, Verdict::Loses(Color::Red)) => ("Red loses", '.'),
                    (Language::English, Verdict::Loses(Color::Black)) => ("Black loses", '.'),
                    (Language::English, Verdict::Draw) => ("The repetition is a draw: ", '.'),
                    (Language::English, Verdict::Undecided) => ("A position has come twice", '.'),
                    (Language::Chinese, Verdict::Loses(Color::Red)) => ("判红方负：", '。'),
                    (Language::Chinese, Verdict::Loses(Color::Black)) => ("判黑方负：", '。'),
                    (Language::Chinese, Verdict::Draw) => ("判和：", '。'),
                    (Language::Chinese, Verdict::Undecided) => ("同一局面", '。'),
                    (_, Verdict::None) => panic!("every case has a repetition"),
                };
                assert!(sentence.starts_with(beginning), "{sentence}");
                let inner = sentence.strip_suffix(end).expect(sentence);
                assert!(!inner.contains(". ") && !inner.contains('。'), "{sentence}");
                assert!(
                    !sentence.contains("  ") && !sentence.contains("()") && !sentence.contains("chases  "),
                    "{sentence}"
                );
                assert!(explanation.moves.len() >= 4 && explanation.patterns.len() == 2);
            }
        }
    }
}

#[test]
fn without_a_third_occurrence_there_is_no_ruling() {
    let checks = ["h8h9", "f9f8", "h9h8", "f8f9"];
    let fen = "c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1";
    let once = play(fen, &checks);
    let told = |game: &Game, language| Explanation::new(game, &game.ruling(&RuleSet::ASIAN), language);
    assert_eq!(
        told(&once, Language::English).sentence,
        "A position has come twice, and if it comes for the third time in this way, Red loses: Red gives check with \
         every move, Black never does (rule 6 of the Asian rules)."
    );
    let none = play(fen, &checks[..2]);
    let explanation = told(&none, Language::Chinese);
    assert_eq!(explanation.sentence, "没有重复局面，无需裁定。");
    assert!(explanation.moves.is_empty() && explanation.position.as_ref() == Some(none.board()));
    let mate = play("3k5/9/9/9/9/9/9/9/R3R4/4K4 w - - 0 1", &["a1d1"]);
    assert_eq!(told(&mate, Language::English).sentence, "No position is repeated; Black is checkmated and has lost.");
}

#[test]
fn numbers_of_moves_follow_the_start_position() {
    let game = play("3k5/9/9/9/9/9/9/9/R8/4K4 b - - 0 31", &["d9d8", "a1a2", "d8d9", "a2a1"]);
    let explanation = Explanation::new(&game, &game.ruling(&RuleSet::ASIAN), Language::English);
    let numbers: Vec<&str> = explanation.moves.iter().map(|mv| mv.number.as_str()).collect();
    assert_eq!(numbers, ["31…", "32.", "32…", "33."]);
}

#[test]
fn text_has_a_line_for_each_move_and_nothing_behind_it() {
    for language in LANGUAGES {
        let text = chase(language).text("axf-d-017");
        assert!(text.lines().all(|line| line == line.trim_end()), "{text}");
        let moves = text.lines().filter(|line| line.starts_with("  1") || line.starts_with("  2")).count();
        // Two rows of the board begin in the same way, but for the rank's number.
        assert_eq!(moves, 4, "{text}");
        assert!(text.starts_with("axf-d-017") && text.contains(&chase(language).sentence), "{text}");
    }
}

#[test]
fn sheets_carry_a_whole_picture_and_no_markup_of_others() {
    let hostile = "</style><script>alert(1)</script>";
    for language in LANGUAGES {
        let tags = [("Red", hostile), ("Event", hostile)].into_iter().collect();
        for explanation in [chase(language), Explanation::unjudged(hostile, language)] {
            let sheet = explanation.sheet(hostile, &tags);
            assert!(!sheet.contains("<script") && sheet.ends_with("</html>"), "{sheet}");
            let Some((_, rest)) = sheet.split_once("<svg") else { continue };
            let (picture, _) = rest.split_once("</svg>").expect("the picture ends");
            roxmltree::Document::parse(&format!("<svg{picture}</svg>")).expect("well-formed");
        }
    }
}

/// A rook's shuffle whose last moves bring the count without a capture to 120.
fn limit_reached(start_clock: u16) -> Game {
    play(&format!("3k5/9/9/9/9/9/9/9/R8/4K4 w - - {start_clock} 80"), &["a1a2"])
}

#[test]
fn claims_are_answered_with_their_count() {
    let game = limit_reached(119);
    let ruling = game.ruling(&RuleSet::ASIAN);
    let told = |color, rounds, language| {
        let claim = game.claim_natural_limit(&ruling, color, rounds);
        Explanation::with_claim(&game, &ruling, Some(&claim), language)
    };
    let granted = told(Color::Red, 60, Language::English);
    assert_eq!((granted.verdict.as_str(), granted.sentence.as_str()), ("Draw", "No position is repeated."));
    assert_eq!(
        granted.claim.as_deref(),
        Some(
            "The claim by Red of 60 rounds without a capture is granted, and the game is drawn: 120 half-moves count, 120 \
             are needed (Red's own checks count ten times at most, article 23.3 of the Chinese rules of 1999)."
        )
    );
    let sheet = granted.sheet("a game", &[("Red", "A")].into_iter().collect());
    assert!(sheet.contains("Ruling on a claim of the natural limit") && sheet.contains("is granted"), "{sheet}");
    assert!(!sheet.contains("No repetition"), "{sheet}");
    let refused = told(Color::Black, 70, Language::Chinese);
    assert_eq!(refused.verdict, "提和不属实");
    let answer = refused.claim.expect("an answer");
    assert!(answer.contains("不属实") && answer.contains("1999年版中国象棋竞赛规则第23.3款"), "{answer}");
    assert!(!refused.sentence.contains("判和"), "{}", refused.sentence);
}

#[test]
fn the_natural_limit_waits_for_a_claim() {
    let told = |clock, language| {
        let game = limit_reached(clock);
        Explanation::new(&game, &game.ruling(&RuleSet::ASIAN), language).sentence
    };
    assert_eq!(
        told(119, Language::English),
        "No position is repeated; 60 rounds have passed without a capture, and the game is drawn when a player claims it."
    );
    assert_eq!(told(119, Language::Chinese), "没有重复局面；已满自然限着（60回合），一方提出即判和。");
    assert_eq!(told(118, Language::Chinese), "没有重复局面，无需裁定。");
}

/// An end before the claim stands, whether by repetition or by mate.
#[test]
fn a_claim_after_the_end_is_void() {
    let checks = ["d4e4", "e9d9", "e4d4", "d9e9"].repeat(2);
    let cases = [
        (play("4k4/9/9/9/9/3R5/9/9/9/5K3 w - - 96 60", &checks), "Red loses", "红方负", 8),
        (play("3k5/4P4/9/9/9/9/9/9/9/R3K4 w - - 119 1", &["a0a9"]), "Black loses", "黑方负", 1),
    ];
    for (game, english, chinese, moves) in cases {
        let ruling = game.ruling(&RuleSet::ASIAN);
        let claim = game.claim_natural_limit(&ruling, Color::Black, 40);
        for (language, verdict, void) in [
            (Language::English, english, format!("is void: the game was over after half-move {moves}.")),
            (Language::Chinese, chinese, format!("无效：第{moves}着后对局已告结束。")),
        ] {
            let told = Explanation::with_claim(&game, &ruling, Some(&claim), language);
            assert_eq!(told.verdict, verdict);
            let text = told.text("game");
            assert!(text.contains(&void) && !text.contains("drawn") && !text.contains("判和"), "{text}");
        }
    }
}

/// What the innocent side does is told as it is.
#[test]
fn idle_moves_only_or_idle_moves_too() {
    let kills = play("4k4/3P5/9/9/5R3/9/9/9/9/3K5 w - - 0 1", &["f5h5", "e9f9", "h5f5", "f9e9"].repeat(2));
    let told = Explanation::new(&kills, &kills.ruling(&RuleSet::CHINESE), Language::English);
    assert!(
        told.sentence.contains("(one check, one mate threat), while Black plays idle moves only ("),
        "{}",
        told.sentence
    );
    assert!(told.moves.iter().any(|mv| mv.class == "kill"), "{:?}", told.moves);
}

/// Point 2 of the older text's forbidden moves forbids perpetual check but for checks that answer checks.
#[test]
fn a_draw_by_an_exception_says_so() {
    let mutual = cases().into_iter().map(|(game, _)| game).find(|game| {
        let repetition = game.ruling(&RuleSet::CHINESE_OLD).repetition;
        repetition.is_some_and(|repetition| repetition.ground == Ground::MutualPerpetualCheck)
    });
    let game = mutual.expect("the case file has checks against checks");
    let told = |language| Explanation::new(&game, &game.ruling(&RuleSet::CHINESE_OLD), language).sentence;
    let english = told(Language::English);
    assert!(english.contains("(the exception to forbidden moves, point 2, in the older Chinese rules)"), "{english}");
    let chinese = told(Language::Chinese);
    assert!(chinese.contains("“禁止着法”第2项的例外"), "{chinese}");
}

fn told(id: &str, language: Language, loops: Option<usize>) -> Explanation {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/repetition.jsonl");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let line = text.lines().find(|line| line.contains(&format!("\"{id}\""))).expect(id);
    let case: Value = serde_json::from_str(line).expect("JSON");
    let mut moves: Vec<&str> = case["moves"].as_array().expect("moves").iter().filter_map(Value::as_str).collect();
    if let Some(loops) = loops {
        let cycle = case["cycle_len"].as_u64().expect("a length") as usize;
        moves = moves[..cycle].repeat(loops);
    }
    let game = play(case["fen"].as_str().expect("a position"), &moves);
    let rules: RuleSet = case["ruleset"].as_str().and_then(|name| name.parse().ok()).expect("a rule set");
    Explanation::new(&game, &game.ruling(&rules), language)
}

/// Article 24: perpetual check loses at once, the rest must be changed and loses by one more round.
#[test]
fn the_procedure_is_told_as_it_is() {
    let check = told("cxa-d-001", Language::Chinese, None);
    assert_eq!(check.verdict, "红方负");
    assert_eq!(
        check.sentence,
        "判红方负：红方单方面长将，立即判负（2020年版中国象棋竞赛规则，原则见1999年版第24.1、26.1款）。"
    );
    let attack = told("cxa-d-008", Language::Chinese, None);
    assert_eq!(attack.verdict, "红方须变着");
    assert_eq!(
        attack.sentence,
        "红方须变着，再循环一次即判负：红方一将一杀，属长打，黑方均为闲着（2020年版中国象棋竞赛规则，\
         原则见1999年版第24.3、26.4款）。"
    );
    assert_eq!(attack.patterns, ["红方一将一杀，属长打。", "黑方均为闲着。"]);
    let again = told("cxa-d-008", Language::Chinese, Some(3));
    assert_eq!(again.verdict, "红方负");
    assert!(
        again.sentence.starts_with("判红方负：") && again.sentence.contains("须变着而未变，又循环一次"),
        "{again:?}"
    );
    let english = told("cxa-d-008", Language::English, None);
    assert_eq!(english.verdict, "Red must deviate");
    assert!(english.sentence.contains("(one check, one mate threat)"), "{english:?}");
    assert!(english.sentence.ends_with("the principles of articles 24.3 and 26.4 of 1999)."), "{english:?}");
    let draw = told("cxa-h-001", Language::Chinese, None);
    assert!(draw.sentence.ends_with("原则见1999年版第24.2、26.2款）。"), "{draw:?}");
    let by_one_rule = told("axf-d-092", Language::Chinese, None);
    assert!(by_one_rule.sentence.ends_with("（亚洲象棋规则总则第3条）。"), "{by_one_rule:?}");
}

/// What an arbiter of the game calls things, by cases that were told otherwise once.
#[test]
fn plays_are_called_by_their_names() {
    let chinese = |id: &str| told(id, Language::Chinese, None);
    for (id, sentence) in [
        ("cxa-d-019", "红方长捉（一车分捉黑炮、黑卒、黑马）"),
        ("axf-d-065", "红方长捉黑方双炮，黑方长捉红车，均为禁止着法"),
        ("axf-d-037", "红方长捉因绊红方马腿而不能离开的黑方车，较黑方长捉为重"),
        ("axf-d-012", "红方一将一杀，属允许着法，黑方亦无禁止着法，双方不变作和（亚洲象棋规则细则第9条）"),
        ("cx9-h-001", "双方相互长打，兵的捉吃计为捉"),
    ] {
        let told = chinese(id).sentence;
        assert!(told.contains(sentence), "{id}: {told}");
    }
    assert_eq!(chinese("cxa-g-031").patterns, ["红方一将一闲。", "黑方一将一闲。"]);
    assert_eq!(chinese("cx9-h-001").patterns[0], "红方长捉（兵捉，互打时计为捉，第27.2款）。");
    let english = told("axf-d-065", Language::English, None);
    assert!(english.sentence.contains("Red chases both black cannons with every move"), "{english:?}");
}

#[test]
fn moves_are_called_by_their_names() {
    for (id, mv, class, details) in [
        ("cxa-g-031", "d1e1", "闲（应将）", ""),
        ("axf-d-003", "d8e8", "杀", "应将，下一着即可将死"),
        ("cxa-h-003", "d5c5", "闲（兵捉）", "红七路兵捉无根黑3路炮，按闲处理（第27.2款）"),
        ("cxa-d-017", "f1e1", "闲（帅捉）", "红帅捉无根黑5路炮，按闲处理（第27.1款）"),
        ("cxa-d-019", "e4f4", "闲（避捉）", ""),
        ("cxa-d-025", "h0h1", "闲（从捉到捉）", "红二路车原已捉着无根黑8路炮（第29.2款）"),
        ("cxa-d-025", "h4h3", "闲", ""),
        ("cxa-d-022", "h6h3", "捉", "红二路车捉少根黑9路炮；红一路车联合捉少根黑9路炮"),
        ("cxa-d-022", "i6i3", "捉", "黑9路炮可借连续照将得红一路车（第29.1款）"),
        ("axf-d-037", "a6b8", "捉", "红九路炮闪露捉无根黑6路车"),
        ("axf-d-092", "c6b6", "捉", "断其根，红六路车捉无根黑3路马"),
        ("cxa-d-019", "f3g3", "捉", "红三路车捉无根黑7路前卒"),
    ] {
        let explanation = told(id, Language::Chinese, None);
        let found = explanation.moves.iter().find(|told| told.mv.to_string() == mv).expect(id);
        assert_eq!((found.class.as_str(), found.details.as_str()), (class, details), "{id} {mv}");
    }
}
