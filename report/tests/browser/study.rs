//! Analyzed games.

use chuhe_movegen::{Board, Color, Move, Square};
use chuhe_records::notation::{ChineseStyle, Notation};
use chuhe_report::analysis::{self, AnalysisPage};
use chuhe_report::page::{GameView, MoveNames, Reading};
use chuhe_report::{Fact, Heading, Language};
use serde_json::{Value, json};

use crate::common;
use crate::screen::{Page, expected, positions};

const CHINESE: Notation = Notation::Chinese(ChineseStyle::CUSTOMARY);

fn document(games: Vec<GameView>) -> String {
    document_in(Language::English, games)
}

fn document_in(language: Language, games: Vec<GameView>) -> String {
    let facts = vec![Fact::new("引擎", "Engine", "Chuhe")];
    let reading = Reading { language, ..Reading::default() };
    analysis::render(&AnalysisPage { title: "Analysis".to_owned(), reading, facts, games, faults: Vec::new() })
}

/// The drawn arrows, undermost first: whether it is the best move's, and the middle of the arrow on the board.
fn arrows(page: &mut Page) -> Vec<(bool, [i64; 2])> {
    let drawn = page.browser.eval(
        "[...document.querySelectorAll('.arrows path')].map((path) => {
            const { x, y, width, height } = path.getBBox();
            return [path.classList.contains('best'), Math.round(x + width / 2), Math.round(y + height / 2)];
        })",
    );
    let number = |value: &Value| value.as_i64().expect("a number");
    let arrows = drawn.as_array().expect("a list").iter();
    arrows.map(|arrow| (arrow[0] == true, [number(&arrow[1]), number(&arrow[2])])).collect()
}

/// The middle between a move's squares on the board.
fn middle(mv: Move, bottom: Color) -> [i64; 2] {
    let at = |square: Square| match bottom {
        Color::Red => [i64::from(square.file()), 9 - i64::from(square.rank())],
        Color::Black => [8 - i64::from(square.file()), i64::from(square.rank())],
    };
    let (from, to) = (at(mv.from()), at(mv.to()));
    [50 * (from[0] + to[0]), 50 * (from[1] + to[1])]
}

fn assert_arrows(page: &mut Page, game: &GameView, ply: usize, bottom: Color) {
    let lines = &game.moves[ply].study.as_ref().expect("a study").lines;
    let drawn = arrows(page);
    assert_eq!(drawn.len(), lines.len());
    for (line, (is_best, place)) in lines.iter().rev().zip(&drawn) {
        assert_eq!(*is_best, line == &lines[0]);
        // The shaft begins beside the piece and the head ends short of the centre.
        let wanted = middle(line.moves[0], bottom);
        let near = wanted.iter().zip(place).all(|(wanted, drawn)| (wanted - drawn).abs() <= 20);
        assert!(near, "{}: {place:?} instead of {wanted:?}", line.moves[0]);
    }
}

#[test]
fn moves_marks_chances_and_arrows_follow_the_board() {
    let game = common::studied(common::game("Alpha", "Beta", Board::startpos(), 40, 5));
    let boards = positions(&game);
    let Some(mut page) = Page::open(&document(vec![game.clone()]), 1280, 900) else { return };
    assert_eq!(page.text(".opening"), "Central cannon");
    assert_eq!(page.text(".kills"), "cannon behind the horse");
    assert_eq!(page.text(".event"), "Cup, 2026-03-01");
    assert_eq!(page.count(".moves [data-ply]"), 40);
    assert_eq!(page.count(".moves tr.pair"), 20);
    assert_arrows(&mut page, &game, 0, Color::Red);
    for ply in 1..=20 {
        page.browser.press("ArrowRight");
        assert_eq!(page.placement(), expected(&boards[ply], Color::Red));
        assert_eq!(page.text(".moves .current .name"), CHINESE.write(game.moves[ply - 1].mv, &boards[ply - 1]));
        assert_arrows(&mut page, &game, ply, Color::Red);
        let study = game.moves[ply - 1].study.as_ref().expect("a study");
        let chance = page.text(".moves .current .chance");
        let chance: f64 = chance.strip_suffix(" %").expect("percent").parse().expect("a number");
        assert!((chance - 100.0 * study.red_chance).abs() < 0.56, "{chance}");
        let share = page.browser.eval("document.querySelector('.red-share').style.width");
        let share: f64 = share.as_str().and_then(|width| width.strip_suffix('%')).expect("a width").parse().expect("%");
        assert!((share - 100.0 * study.red_chance).abs() < 0.06, "{share}");
        assert_eq!(page.count(".moves .current .mark"), u64::from(study.mark.is_some()));
    }
    // A blunder is told with what was better.
    page.browser.click(".moves [data-ply='5']");
    assert_eq!(page.placement(), expected(&boards[5], Color::Red));
    let (played, best) = (game.moves[4].mv, game.moves[4].study.as_ref().expect("a study").lines[0].moves[0]);
    assert_ne!(played, best);
    let name = |mv| CHINESE.write(mv, &boards[4]);
    assert_eq!(page.text(".judged"), format!("3. {} ?? blunder, −8 % · best: {} +0.34", name(played), name(best)));
    // That can be looked at, from where it would have been played, and left again.
    let before = page.placement();
    page.browser.click(".judged button");
    let better = boards[4].play(best).expect("a legal move");
    assert_eq!(page.placement(), expected(&better, Color::Red));
    let is_told = "!document.querySelector('.previewed').hidden";
    assert_eq!(page.browser.eval(is_told), true);
    page.browser.press("Escape");
    assert_eq!((page.placement(), page.browser.eval(is_told)), (before.clone(), json!(false)));
    page.browser.click(".judged button");
    page.browser.click("[data-do=return]");
    assert_eq!(page.placement(), before);
    // Arrows turn with the board, and go when they are not wanted.
    page.browser.click("[data-do=flip]");
    assert_arrows(&mut page, &game, 5, Color::Black);
    page.browser.click("[data-do=arrows]");
    assert_eq!(arrows(&mut page), []);
    page.browser.click("[data-do=arrows]");
    assert_arrows(&mut page, &game, 5, Color::Black);
    page.browser.press("End");
    assert_eq!(arrows(&mut page), [], "there are no lines at the end");
    page.close();
}

#[test]
fn moves_are_called_as_the_reader_likes() {
    let game = common::studied(common::game("Alpha", "Beta", Board::startpos(), 12, 6));
    let boards = positions(&game);
    let Some(mut page) = Page::open(&document(vec![game.clone()]), 1280, 900) else { return };
    page.browser.click(".moves [data-ply='7']");
    let line = &game.moves[7].study.as_ref().expect("a study").lines[0];
    let wxf = |mv, board: &Board| Notation::Wxf.write(mv, board);
    let chinese = |mv, board: &Board| CHINESE.write(mv, board);
    let iccs = |mv: Move, _: &Board| mv.to_string();
    type Name = dyn Fn(Move, &Board) -> String;
    let notations: [(&str, &Name); 3] = [("wxf", &wxf), ("iccs", &iccs), ("chinese", &chinese)];
    for (notation, name) in notations {
        page.browser.click(&format!("[data-do={notation}]"));
        assert_eq!(page.text(".moves .current .name"), name(game.moves[6].mv, &boards[6]), "{notation}");
        assert_eq!(page.text(".lines li button"), name(line.moves[0], &boards[7]), "{notation}");
        assert_eq!(page.placement(), expected(&boards[7], Color::Red), "the board stays");
        assert_eq!(page.count(".notations [aria-pressed=true]"), 1);
    }
    page.close();
}

/// What is written on a page beside the games' own: labels, hints, and what is read aloud.
const WORDS: &str = "[...document.querySelectorAll('main *')].flatMap((element) => [
        ...[...element.childNodes].filter((node) => node.nodeType === 3 && !element.closest('script')).map((node) => node.data),
        ...['aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name)),
    ]).filter(Boolean).join('\\n')";

#[test]
fn a_page_is_in_one_language() {
    let mut named = common::studied(common::game("甲", "乙", Board::startpos(), 20, 5));
    (named.termination, named.reason) = (String::new(), String::new());
    named.study.as_mut().expect("a study").event = String::new();
    let mut nameless = named.clone();
    (nameless.red, nameless.black) = (String::new(), String::new());
    // Keys and the letters of pieces are what they are.
    let own = [
        "甲",
        "乙",
        "Analysis",
        "Chuhe",
        "Home",
        "End",
        "f",
        "a",
        "p",
        "n",
        "N",
        "马 馬",
        "炮二平五",
        "C2=5",
        "h2e2",
        "cup.pgn:1",
        "Esc",
    ];
    for (language, named_red, kill) in
        [(Language::Chinese, "红方", "马后炮"), (Language::English, "Red", "cannon behind the horse")]
    {
        let document = document_in(language, vec![named.clone(), nameless.clone()]);
        let Some(mut page) = Page::open(&document, 1280, 900) else { return };
        page.browser.click("[data-do=iccs]");
        page.browser.click(".moves [data-ply='5']");
        let words = page.browser.eval(WORDS);
        let words = words.as_str().expect("a text");
        assert!(words.lines().count() > 100, "{words}");
        for word in words.lines().filter(|word| !own.contains(&word.trim()) && !word.contains("马 馬")) {
            let is_chinese = word.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c) && !"甲乙".contains(c));
            // Moves, numbers and scores belong to neither.
            let is_english = word.split(|c: char| !c.is_ascii_alphabetic()).any(|word| word.len() > 1);
            match language {
                Language::Chinese => assert!(!is_english || is_chinese, "{word}"),
                Language::English => assert!(!is_chinese, "{word}"),
            }
        }
        assert_eq!(page.text(".kills"), kill);
        assert_eq!(page.text(".index tbody td:last-child"), kill);
        page.browser.click(".index tbody tr:nth-child(2) a");
        assert_eq!(page.text(".names .red"), named_red);
        assert_eq!(page.browser.eval("document.documentElement.lang"), language.code());
        page.close();
    }
}

#[test]
fn moves_are_called_at_first_as_the_page_is_told() {
    let game = common::studied(common::game("Alpha", "Beta", Board::startpos(), 12, 6));
    let boards = positions(&game);
    let reading = Reading { notation: MoveNames::Wxf, ..Reading::default() };
    let document = analysis::render(&AnalysisPage { reading, games: vec![game.clone()], ..AnalysisPage::default() });
    let Some(mut page) = Page::open(&document, 1280, 900) else { return };
    assert_eq!(page.text(".moves [data-ply='7'] .name"), Notation::Wxf.write(game.moves[6].mv, &boards[6]));
    assert_eq!(page.text(".notations [aria-pressed=true]"), "C2=5");
    page.close();
}

/// The graph is there, its points are the chances, and a click on it goes to the move.
#[test]
fn the_graph_shows_the_chances() {
    let game = common::studied(common::game("Alpha", "Beta", Board::startpos(), 30, 7));
    let boards = positions(&game);
    let Some(mut page) = Page::open(&document(vec![game.clone()]), 1280, 900) else { return };
    let course = page.browser.eval("document.querySelector('.curve .course').getAttribute('d')");
    let points: Vec<f64> = course
        .as_str()
        .expect("a path")
        .trim_start_matches('M')
        .split(['L', ' '])
        .map(|number| number.parse().expect("a number"))
        .collect();
    let points: Vec<&[f64]> = points.chunks(2).collect();
    assert_eq!(points.len(), 31, "the start and each move");
    for (point, mv) in points[1..].iter().zip(&game.moves) {
        let chance = mv.study.as_ref().expect("a study").red_chance;
        assert!((point[1] - (100.0 - 100.0 * chance)).abs() < 0.11, "{point:?} {chance}");
    }
    // Every move that lost something has its point: four of six of the invented marks.
    assert_eq!(page.count(".curve .dot"), 20);
    page.browser.click(".curve");
    assert_eq!(page.placement(), expected(&boards[15], Color::Red));
    assert_eq!(page.browser.eval("document.querySelector('.curve .cursor').getAttribute('x1')"), "200.0");
    page.close();
}

#[test]
fn a_line_can_be_looked_at_and_the_game_goes_on() {
    let game = common::studied(common::game("Alpha", "Beta", Board::startpos(), 12, 8));
    let boards = positions(&game);
    let Some(mut page) = Page::open(&document(vec![game.clone()]), 1280, 900) else { return };
    page.browser.press("ArrowRight");
    let line = &game.moves[1].study.as_ref().expect("a study").lines[1];
    assert_eq!(page.text(".lines li:nth-child(2) .score"), "+M2", "Black is mated in Red's eyes");
    page.browser.click(".lines li:nth-child(2) button:nth-of-type(2)");
    let ahead = line.moves.iter().fold(boards[1].clone(), |board, &mv| board.play(mv).expect("legal"));
    assert_eq!(page.placement(), expected(&ahead, Color::Red));
    assert_eq!(
        page.text(".lines .current"),
        CHINESE.write(line.moves[1], &boards[1].play(line.moves[0]).expect("legal"))
    );
    // The keys go along the line; before it is the game, and behind it nothing.
    page.browser.press("ArrowRight");
    assert_eq!(page.placement(), expected(&ahead, Color::Red));
    page.browser.press("ArrowLeft");
    assert_eq!(page.placement(), expected(&boards[1].play(line.moves[0]).expect("legal"), Color::Red));
    page.browser.press("ArrowLeft");
    assert_eq!(page.placement(), expected(&boards[1], Color::Red));
    page.browser.press("ArrowRight");
    assert_eq!(page.placement(), expected(&boards[2], Color::Red));
    page.close();
}

#[test]
fn an_index_leads_to_each_game_with_its_summary() {
    let games: Vec<GameView> = (0..3)
        .map(|seed| common::studied(common::game(&format!("Red{seed}"), "Black", Board::startpos(), 20, seed)))
        .collect();
    let Some(mut page) = Page::open(&document(games.clone()), 1280, 900) else { return };
    assert_eq!(page.count(".index tbody tr"), 3);
    page.browser.click(".index tbody tr:nth-child(3) .who");
    assert_eq!(page.text(".names .red"), "Red2");
    page.browser.press("End");
    assert_eq!(page.placement(), expected(&positions(&games[2])[20], Color::Red));
    page.browser.click(".index tbody tr:nth-child(2) a");
    assert_eq!(page.text(".names .red"), "Red1");
    assert_eq!(page.text(".index .current .who"), "Red1 91 %");
    let rows = page.browser.eval("[...document.querySelectorAll('.summary tr')].map((row) => row.innerText)");
    assert_eq!(rows[0], "\tRed1\tBlack");
    assert_eq!(rows[1], "Accuracy\t91.2 %\t78.0 %");
    assert_eq!(rows[3], "Average centipawn loss\t–\t–");
    assert_eq!(rows[8], "Blunders ??\t3\t3");
    page.browser.click(".filter");
    page.browser.type_text("马后炮 red2");
    assert_eq!(page.count(".index tbody tr:not([hidden])"), 1, "games are found by their kills too");
    page.close();
}

/// Board, buttons and graph are in sight at once, on whatever is in use.
#[test]
fn the_board_its_buttons_and_the_graph_are_in_sight() {
    let game = common::studied(common::game("Alpha", "Beta", Board::startpos(), 20, 3));
    for (width, height) in [(1366, 768), (768, 1024), (390, 844), (844, 390)] {
        let Some(mut page) = Page::open(&document(vec![game.clone()]), width, height) else { return };
        let lowest = "Math.max(...['.board', '.controls', '.curve'].map(
            (name) => document.querySelector(name).getBoundingClientRect().bottom))";
        let lowest = page.browser.eval(lowest).as_f64().expect("a number");
        assert!(lowest <= f64::from(height), "{width} × {height}: {lowest}");
        assert_eq!(page.browser.eval("document.documentElement.scrollWidth <= innerWidth"), true);
        page.close();
    }
}

#[test]
fn a_game_without_names_is_called_by_its_source_and_a_damaged_one_says_so() {
    let mut game = common::studied(common::game("", "", Board::startpos(), 6, 3));
    game.study.as_mut().expect("a study").damage = "ply 7: found x".to_owned();
    let Some(mut page) = Page::open(&document(vec![game.clone(), game]), 1280, 900) else { return };
    assert_eq!(page.text(".index tbody .source"), "cup.pgn:1");
    assert_eq!((page.text(".record .source"), page.text(".damage")), ("cup.pgn:1".into(), "ply 7: found x".into()));
    page.close();
}

#[test]
fn an_analyzed_game_fits_a_phone() {
    let mut game = common::studied(common::game("Alpha", "Beta", Board::startpos(), 20, 3));
    let study = game.study.as_mut().expect("a study");
    study.opening =
        Heading::new("C44 中炮过河车互进七兵对屏风马平炮兑车——红左马盘河对黑退边炮上右士", "Central cannon");
    let boards = positions(&game);
    let Some(mut page) = Page::open(&document(vec![game.clone(), game]), 390, 844) else { return };
    page.browser.swipe(".board", 0.8, 0.8);
    assert_eq!(page.placement(), expected(&boards[1], Color::Red));
    assert_eq!(page.browser.eval("document.documentElement.scrollWidth"), 390, "nothing sticks out");
    // Every button can be hit with a finger.
    let small = "[...document.querySelectorAll('.controls button, .notations button')]
        .filter((button) => Math.min(button.offsetWidth, button.offsetHeight) < 30).length";
    assert_eq!(page.browser.eval(small), 0);
    page.close();
}

#[test]
fn hostile_texts_of_an_analysis_are_shown_and_not_obeyed() {
    const HOSTILE: &str = "</script><img src=x onerror=window.hacked=1>";
    let mut game = common::studied(common::game(HOSTILE, "Beta", Board::startpos(), 6, 3));
    let study = game.study.as_mut().expect("a study");
    study.event = HOSTILE.to_owned();
    study.opening = Heading::new(HOSTILE, HOSTILE);
    study.kills = vec![Heading::new(HOSTILE, HOSTILE)];
    let Some(mut page) = Page::open(&document(vec![game.clone(), game]), 1280, 900) else { return };
    page.browser.press("ArrowRight");
    assert_eq!(page.text(".event"), HOSTILE);
    assert_eq!(page.text(".index tbody td:nth-child(2)"), HOSTILE);
    assert_eq!(page.browser.eval("window.hacked ?? null"), Value::Null);
    assert_eq!(page.count("img, [onerror]"), 0);
    assert_eq!(page.browser.eval("[...document.scripts].length"), json!(3));
    page.close();
}
