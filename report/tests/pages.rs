//! Pages as their source.

#[path = "common/chase.rs"]
mod chase;
mod common;

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chuhe_movegen::Board;
use chuhe_report::page::{
    self, GameResult, GameView, LineView, Mark, MoveStudy, MoveView, PlayerStudy, ShownScore, Study,
};
use chuhe_report::{Fact, Heading, Language, analysis, tournament};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// The data within a page.
fn data(document: &str) -> Value {
    let (_, rest) = document.split_once(r#"<script type="application/json" id="games">"#).expect("the data begin");
    let (text, _) = rest.split_once("</script>").expect("the data end");
    assert!(!text.contains(['<', '>', '&']), "nothing can end the data");
    serde_json::from_str(text).expect("JSON")
}

fn short_game() -> GameView {
    let moves = ["h2e2", "h9g7", "h0g2"].map(|mv| MoveView::from(mv.parse::<chuhe_movegen::Move>().expect("a move")));
    GameView {
        red: "Red </script><b>&amp; \u{2028}".to_owned(),
        black: "Black".to_owned(),
        result: GameResult::Draw,
        termination: String::new(),
        reason: String::new(),
        opening: String::new(),
        opening_plies: 0,
        start: Board::startpos(),
        moves: moves.to_vec(),
        study: None,
    }
}

#[test]
fn games_are_embedded_without_what_is_not_known() {
    let game = short_game();
    let document = page::render("Title", std::slice::from_ref(&game));
    // What separates lines becomes a blank; all else is as it was.
    let red = "Red </script><b>&amp;  ";
    let wanted = json!([{"red": red, "black": "Black", "result": "1/2-1/2", "moves": "h2e2h9g7h0g2"}]);
    assert_eq!(data(&document), wanted);
}

#[test]
fn scores_are_turned_to_reds_view() {
    let mut game = short_game();
    game.moves[0].score = Some(ShownScore::Cp(35));
    game.moves[1].score = Some(ShownScore::Cp(35));
    game.moves[1].time = Some(Duration::from_millis(1234));
    game.moves[1].comment = Some("!".to_owned());
    game.moves[2].score = Some(ShownScore::Mate(-2));
    let data = data(&page::render("Title", &[game]));
    assert_eq!(data[0]["scores"], json!([35, -35, "#-2"]));
    assert_eq!(data[0]["times"], json!([null, 1234]));
    assert_eq!(data[0]["comments"], json!([null, "!"]));
    assert_eq!(data[0].get("depths"), None);
}

/// The contents of all elements with this beginning.
fn contents<'a>(document: &'a str, start: &str, end: &str) -> Vec<&'a str> {
    document.split(start).skip(1).map(|rest| rest.split(end).next().unwrap_or_default()).collect()
}

/// The hashes are those of the content of the elements, byte for byte (CSP Level 3, section 8.4): a page shows itself, and
/// what comes in by some mistake is not obeyed.
#[test]
fn the_policy_of_a_page_allows_its_own_script_and_styles_and_nothing_else() {
    let tags = [("Red", "A")].into_iter().collect();
    let games = vec![common::studied(common::game("A", "B", Board::startpos(), 6, 1))];
    let pages = [
        (tournament::render(&common::tournament(&["A", "B", "C"], 3, 20)), 1, 1),
        (tournament::render(&tournament::TournamentReport::default()), 0, 1),
        (page::render("Title", &[short_game()]), 1, 1),
        (analysis::render(&analysis::AnalysisPage { games, ..analysis::AnalysisPage::default() }), 1, 1),
        (chase::chase(Language::English).sheet("Title", &tags), 0, 2),
    ];
    for (document, scripts, styles) in pages {
        let [policy] = contents(&document, "<meta http-equiv=\"Content-Security-Policy\" content=\"", "\">")[..] else {
            panic!("one policy")
        };
        let allowed = |directive: &str| -> Vec<String> {
            let sources = policy.split("; ").find_map(|part| part.strip_prefix(directive)).unwrap_or_default();
            sources.split_whitespace().map(str::to_owned).collect()
        };
        let hashes = |elements: &[&str]| -> Vec<String> {
            elements.iter().map(|text| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)))).collect()
        };
        let (own_scripts, own_styles) =
            (contents(&document, "<script>", "</script>"), contents(&document, "<style>", "</style>"));
        assert_eq!((own_scripts.len(), own_styles.len()), (scripts, styles));
        assert_eq!(allowed("script-src "), hashes(&own_scripts));
        assert_eq!(allowed("style-src "), hashes(&own_styles));
        assert_eq!(allowed("default-src "), ["'none'"]);
        assert!(!policy.contains("unsafe"), "{policy}");
        // What the policy would forbid: attributes with styles and programs.
        for forbidden in [" style=", " onclick=", " onload=", "javascript:"] {
            assert!(!document.contains(forbidden), "{forbidden}");
        }
    }
}

/// U+202E turns what follows it around; within `bdi` nothing reaches what stands beside it.
#[test]
fn names_are_isolated_and_cannot_turn_the_page() {
    let hostile = "Red\u{202e}(1-0)\u{1b}[31m";
    let shown = "<bdi>Red (1-0) [31m</bdi>";
    let turned = ['\u{202e}', '\u{1b}'];
    let tags = [("Red", hostile), ("Event", hostile)].into_iter().collect();
    let sheet = chase::chase(Language::Chinese).sheet(hostile, &tags);
    assert_eq!(sheet.matches(shown).count(), 2, "{sheet}");
    assert!(sheet.contains("<title>Red (1-0) [31m</title>") && sheet.contains("<h1>Red (1-0) [31m</h1>"));
    let mut report = common::tournament(&[hostile, "B", "C"], 3, 6);
    report.title = hostile.to_owned();
    report.facts.push(Fact::new("", "Site", hostile));
    let mut game = common::studied(common::game(hostile, "B", Board::startpos(), 6, 1));
    game.termination = hostile.to_owned();
    game.study.as_mut().expect("a study").event = hostile.to_owned();
    let analyzed = analysis::AnalysisPage {
        games: vec![game.clone(), game.clone()],
        faults: vec![(hostile.to_owned(), hostile.to_owned())],
        ..analysis::AnalysisPage::default()
    };
    // The names of this one are in its data alone, and isolated by its program.
    let viewer = page::render("Title", &[game]);
    assert_eq!(data(&viewer)[0]["red"], "Red (1-0)\u{1b}[31m");
    for document in [sheet, tournament::render(&report), analysis::render(&analyzed)] {
        assert!(document.contains(shown) && !document.contains(turned));
    }
    assert!(!viewer.contains(turned));
}

/// Columns stand under their headings, and what is on the page is in the text.
#[test]
fn a_report_as_text_says_what_its_page_says() {
    let mut report = common::tournament(&["楚河", "B\u{202e}b", "C"], 3, 6);
    report.qualified = vec!["楚河".to_owned(), "C".to_owned()];
    report.standings.push(tournament::Standings { stage: "group 1".to_owned(), ..report.standings[0].clone() });
    let standings = [
        "   name  points  games  won  drawn  lost  opponents  sonneborn–Berger",
        "1  楚河     6.5     12    6      3     0         31             24.75",
        "2  B b      4.5     12    4      3     1         31             24.75",
        "3  C        2.5     12    2      3     2         31             24.75",
        "",
    ]
    .join("\n");
    let sections = [
        standings.clone(),
        format!("group 1\n{standings}"),
        "in the finals: 楚河, C\n".to_owned(),
        "   name  1   2   3\n1  楚河  *   1½  1½\n2  B b   0½  *   1½\n3  C     0½  0½  *\n".to_owned(),
        "楚河 against B b: +3 =4 -1, 62.5 %\n  Elo +88.7 ± 60.1 (95 %), normalised +40.0 ± 30.0, likelihood of superiority \
         98.7 %\n  pairs of 0, ½, 1, 1½, 2 points: 0 1 1 1 1\n  SPRT of 5 against 0 Elo (normalised), errors 0.05 and \
         0.05: LLR 2.95 of -2.94 to 2.94, H1 accepted\n"
            .to_owned(),
    ];
    let text = tournament::to_text(&report);
    assert!(text.starts_with(&sections.join("\n")), "{text}");
    let end = "\ngames ended by: 61 checkmate, 29 natural limit\nwarning: A used more processors than B\n";
    assert!(text.ends_with(end) && text.contains("\nname  protocol  program"), "{text}");
    let page = tournament::render(&report);
    for part in ["Standings: group 1", "+88.7 ± 60.1", "H1 accepted", "checkmate", "A used more processors than B"] {
        assert!(page.contains(part), "{part}");
    }
}

/// The page is one file: it must not name another.
#[test]
fn pages_ask_for_nothing() {
    let document = tournament::render(&common::tournament(&["A", "B", "C"], 3, 20));
    let document = document.replace("http://www.w3.org/2000/svg", "");
    for forbidden in ["http:", "https:", " src=", "url(", "@import"] {
        assert!(!document.contains(forbidden), "{forbidden}");
    }
}

#[test]
fn a_page_of_a_thousand_games_stays_small() {
    let page = tournament::render(&common::tournament(&["A", "B", "C"], 1000, 100));
    assert_eq!(data(&page).as_array().map(Vec::len), Some(1000));
    assert!(page.len() < 3_500_000, "{}", page.len());
}

#[test]
fn empty_parts_are_left_out() {
    let document =
        tournament::render(&tournament::TournamentReport { title: "Empty".to_owned(), ..Default::default() });
    assert!(!document.contains("<h2>") && !document.contains("<script"));
    assert!(document.contains("<h1>Empty</h1>"));
}

/// A game file as other programs write it.
#[test]
fn a_record_with_comments_of_a_match_becomes_a_game() {
    let pgn = r#"[Game "Chinese Chess"]
[Red "A"]
[Black "B"]
[Result "1-0"]
[Opening "Central cannon"]
[Termination "resignation"]
[Format "ICCS"]

1. H2-E2 {book} H9-G7 {+0.12/9 0.5s, tl=9.5s} 2. H0-G2 {-0.12/8 1s, a pity} B9-C7 {+M3/5 0.1s, tl=9s, Black resigns} 1-0
"#;
    let mut games = chuhe_records::pgn::Reader::new(pgn.as_bytes());
    let record = games.next().expect("a game").expect("readable");
    let game = GameView::from(&record);
    assert_eq!((game.red.as_str(), game.black.as_str(), game.result), ("A", "B", GameResult::RedWins));
    assert_eq!((game.termination.as_str(), game.reason.as_str()), ("resignation", "Black resigns"));
    assert_eq!((game.opening.as_str(), game.opening_plies, game.moves.len()), ("Central cannon", 1, 4));
    assert_eq!(game.moves[1].score, Some(ShownScore::Cp(12)));
    assert_eq!(game.moves[1].clock, Some(Duration::from_millis(9500)));
    assert_eq!(game.moves[2].comment.as_deref(), Some("a pity"));
    assert_eq!(game.moves[3].score, Some(ShownScore::Mate(2)));
    assert_eq!(game.moves[3].comment, None);
}

/// Names come from the moves; a line ends where its moves are not legal.
#[test]
fn an_analyzed_game_has_names_chances_marks_and_lines() {
    let mv = |text: &str| text.parse::<chuhe_movegen::Move>().expect("a move");
    let line = |score, moves: &[&str]| LineView { score, depth: 9, moves: moves.iter().map(|text| mv(text)).collect() };
    let mut game = short_game();
    game.moves[0].study = Some(MoveStudy { red_chance: 0.5314, loss: 0.0, mark: Some(Mark::Book), lines: Vec::new() });
    game.moves[1].study = Some(MoveStudy {
        red_chance: 0.7,
        loss: 0.169,
        mark: Some(Mark::Blunder),
        lines: vec![line(ShownScore::Cp(-12), &["h9g7", "h0g2", "h9g7"]), line(ShownScore::Rule(4), &["b9c7"])],
    });
    let player = PlayerStudy { moves: 2, accuracy: Some(97.26), average_loss: Some(0.0123), ..PlayerStudy::default() };
    game.study = Some(Study {
        players: [player, PlayerStudy::default()],
        opening: Heading::new("B00 中炮局", "Central cannon"),
        last_lines: vec![line(ShownScore::Mate(2), &["b9c7"])],
        ..Study::default()
    });
    let document = analysis::render(&analysis::AnalysisPage {
        title: "Title".to_owned(),
        games: vec![game],
        ..analysis::AnalysisPage::default()
    });
    let study = &data(&document)[0]["study"];
    assert_eq!(study["names"], json!([["炮二平五", "马8进7", "马二进三"], ["C2=5", "H8+7", "H2+3"]]));
    assert_eq!((&study["chances"], &study["losses"]), (&json!([531, 700]), &json!([0, 169])));
    assert_eq!(study["marks"], json!(["book", "blunder"]));
    assert_eq!(
        study["lines"],
        json!([
            [],
            [
                [12, 9, "h9g7h0g2", [["马8进7", "马二进三"], ["H8+7", "H2+3"]]],
                ["=-4", 9, "b9c7", [["马2进3"], ["H2+3"]]],
            ],
            [],
            [["#-2", 9, "b9c7", [["马2进3"], ["H2+3"]]]],
        ])
    );
    assert_eq!((&study["players"][0]["accuracy"], &study["players"][0]["loss"]), (&json!("97.3 %"), &json!("1.2 %")));
    assert_eq!(study["players"][1]["accuracy"], Value::Null);
    assert_eq!(study["opening"], json!(["B00 中炮局", "Central cannon"]));
    assert!(!document.contains("class=\"index\""), "one game needs no index");
}

#[test]
fn a_page_of_a_hundred_analyzed_games_stays_small() {
    let games = (0..100).map(|seed| common::studied(common::game("A", "B", Board::startpos(), 100, seed))).collect();
    let page = analysis::render(&analysis::AnalysisPage { games, ..analysis::AnalysisPage::default() });
    assert_eq!(data(&page).as_array().map(Vec::len), Some(100));
    assert!(page.len() < 3_000_000, "{}", page.len());
}
