//! Pages as their source.

mod common;

use std::time::Duration;

use chuhe_movegen::Board;
use chuhe_report::page::{self, GameResult, GameView, LineView, Mark, MoveStudy, MoveView, PlayerStudy, Score, Study};
use chuhe_report::{Heading, analysis, tournament};
use serde_json::{Value, json};

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
    let wanted = json!([{"red": game.red, "black": "Black", "result": "1/2-1/2", "moves": "h2e2h9g7h0g2"}]);
    assert_eq!(data(&document), wanted);
}

#[test]
fn scores_are_turned_to_reds_view() {
    let mut game = short_game();
    game.moves[0].score = Some(Score::Cp(35));
    game.moves[1].score = Some(Score::Cp(35));
    game.moves[1].time = Some(Duration::from_millis(1234));
    game.moves[1].comment = Some("!".to_owned());
    game.moves[2].score = Some(Score::Mate(-2));
    let data = data(&page::render("Title", &[game]));
    assert_eq!(data[0]["scores"], json!([35, -35, "#-2"]));
    assert_eq!(data[0]["times"], json!([null, 1234]));
    assert_eq!(data[0]["comments"], json!([null, "!"]));
    assert_eq!(data[0].get("depths"), None);
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
    let document = tournament::render(&tournament::TournamentPage { title: "Empty".to_owned(), ..Default::default() });
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
    assert_eq!(game.moves[1].score, Some(Score::Cp(12)));
    assert_eq!(game.moves[1].clock, Some(Duration::from_millis(9500)));
    assert_eq!(game.moves[2].comment.as_deref(), Some("a pity"));
    assert_eq!(game.moves[3].score, Some(Score::Mate(2)));
    assert_eq!(game.moves[3].comment, None);
}

/// Names come from the moves; a line ends where its moves are not legal.
#[test]
fn an_analysed_game_has_names_chances_marks_and_lines() {
    let mv = |text: &str| text.parse::<chuhe_movegen::Move>().expect("a move");
    let line = |score, moves: &[&str]| LineView { score, depth: 9, moves: moves.iter().map(|text| mv(text)).collect() };
    let mut game = short_game();
    game.moves[0].study = Some(MoveStudy { red_chance: 0.5314, loss: 0.0, mark: Some(Mark::Book), lines: Vec::new() });
    game.moves[1].study = Some(MoveStudy {
        red_chance: 0.7,
        loss: 0.169,
        mark: Some(Mark::Blunder),
        lines: vec![line(Score::Cp(-12), &["h9g7", "h0g2", "h9g7"]), line(Score::Rule(4), &["b9c7"])],
    });
    let player = PlayerStudy { moves: 2, accuracy: Some(97.26), average_loss: Some(0.0123), ..PlayerStudy::default() };
    game.study = Some(Study {
        players: [player, PlayerStudy::default()],
        opening: Heading::new("B00 中炮局", "Central cannon"),
        last_lines: vec![line(Score::Mate(2), &["b9c7"])],
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
fn a_page_of_a_hundred_analysed_games_stays_small() {
    let games = (0..100).map(|seed| common::studied(common::game("A", "B", Board::startpos(), 100, seed))).collect();
    let page = analysis::render(&analysis::AnalysisPage { games, ..analysis::AnalysisPage::default() });
    assert_eq!(data(&page).as_array().map(Vec::len), Some(100));
    assert!(page.len() < 3_000_000, "{}", page.len());
}
