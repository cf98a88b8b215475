//! Games of matches, reports of tournaments, and rulings.

use chuhe_movegen::{Board, Color};
use chuhe_report::page::{self, GameResult, GameView, MoveView, ShownScore};
use chuhe_report::tournament::{self, Act, EloBar};
use chuhe_report::{Fact, Language};
use serde_json::{Value, json};

use crate::chase::chase;
use crate::common;
use crate::screen::{Page, expected, positions};

#[test]
fn the_board_follows_keys_buttons_list_and_flip() {
    let games = [
        common::game("Alpha", "Beta", Board::startpos(), 60, 1),
        common::game("Gamma", "Alpha", Board::startpos(), 31, 2),
    ];
    let Some(mut page) = Page::open(&page::render("Two games", &games), 1280, 900) else { return };
    let boards = positions(&games[0]);
    assert_eq!(expected(&boards[0], Color::Red), boards[0].to_fen().split(' ').next().unwrap());
    assert_eq!(page.placement(), expected(&boards[0], Color::Red));
    for board in &boards[1..] {
        page.browser.press("ArrowRight");
        assert_eq!(page.placement(), expected(board, Color::Red));
    }
    page.browser.press("ArrowRight");
    assert_eq!(page.placement(), expected(&boards[60], Color::Red), "there is nothing after the end");
    page.browser.press("ArrowLeft");
    assert_eq!(page.placement(), expected(&boards[59], Color::Red));
    page.browser.press("Home");
    assert_eq!(page.placement(), expected(&boards[0], Color::Red));
    page.browser.press("End");
    assert_eq!(page.placement(), expected(&boards[60], Color::Red));
    for (button, ply) in [("first", 0), ("forward", 1), ("forward", 2), ("back", 1), ("last", 60)] {
        page.browser.click(&format!("[data-do={button}]"));
        assert_eq!(page.placement(), expected(&boards[ply], Color::Red), "{button}");
    }
    page.browser.click(".moves tbody tr:nth-child(17)");
    assert_eq!(page.placement(), expected(&boards[17], Color::Red));
    assert!(page.text(".moves .current").contains(&games[0].moves[16].mv.to_string()));
    page.browser.click("[data-do=flip]");
    assert_eq!(page.placement(), expected(&boards[17], Color::Black));
    assert_eq!(page.browser.eval("location.hash"), "#game=1&ply=17");
    for script in ["traditional", "letters", "simplified"] {
        page.browser.click("[data-do=script]");
        let shown = "['simplified', 'traditional', 'letters'].filter((name) =>
            getComputedStyle(document.querySelector(`#piece-N .${name}`)).display !== 'none')";
        assert_eq!(page.browser.eval(shown), json!([script]));
    }

    page.browser.click(".games li:nth-child(2) button");
    page.browser.press("End");
    assert_eq!(page.placement(), expected(&positions(&games[1])[31], Color::Black));
    assert_eq!(page.text(".names"), format!("Gamma {} Alpha", games[1].result.as_str().replace("1/2", "½")));
    page.browser.click("[data-do=previous-game]");
    assert_eq!(page.placement(), expected(&boards[0], Color::Black));
    page.close();
}

#[test]
fn a_phone_shows_a_board_as_wide_as_itself_and_a_finger_turns_it() {
    let game = common::game("Alpha", "Beta", Board::startpos(), 20, 3);
    let boards = positions(&game);
    let Some(mut page) = Page::open(&page::render("On a phone", &[game]), 390, 844) else { return };
    // A tap on the right half, a tap on the left half, a swipe to the left, one to the right.
    for (from, to, ply) in [(0.8, 0.8, 1), (0.8, 0.8, 2), (0.2, 0.2, 1), (0.9, 0.2, 2), (0.2, 0.9, 1)] {
        page.browser.swipe(".board", from, to);
        assert_eq!(page.placement(), expected(&boards[ply], Color::Red), "from {from} to {to}");
    }
    let width = page.browser.eval("document.querySelector('.board').getBoundingClientRect().width");
    assert!(width.as_f64().is_some_and(|width| (350.0..=390.0).contains(&width)), "{width}");
    assert_eq!(page.browser.eval("document.documentElement.scrollWidth"), 390, "nothing sticks out");
    page.close();
}

#[test]
fn scores_are_shown_from_reds_side_and_black_may_begin() {
    let start = Board::from_fen("4k4/9/9/9/9/P8/9/9/4r4/3K5 b - - 0 1").expect("a legal position");
    let first = start.legal_moves()[0];
    let second = start.play(first).expect("legal").legal_moves()[0];
    let told = |mv, score| MoveView { score: Some(score), depth: Some(7), ..MoveView::from(mv) };
    let game = GameView {
        red: "R".to_owned(),
        black: "B".to_owned(),
        result: GameResult::BlackWins,
        termination: "checkmate".to_owned(),
        reason: "no move".to_owned(),
        opening: String::new(),
        opening_plies: 0,
        start,
        moves: vec![told(first, ShownScore::Cp(250)), told(second, ShownScore::Mate(-3))],
        study: None,
    };
    let boards = positions(&game);
    let Some(mut page) = Page::open(&page::render("Black begins", &[game]), 1000, 800) else { return };
    page.browser.press("End");
    assert_eq!(page.placement(), expected(&boards[2], Color::Red));
    let table = page.browser.eval("[...document.querySelectorAll('.moves tbody tr')].map((row) => row.innerText)");
    assert_eq!(table, json!([format!("1…\t{first}\t−2.50\t7"), format!("2.\t{second}\t−M3\t7")]));
    assert_eq!(page.text(".ending"), "checkmate: no move");
    page.close();
}

#[test]
fn the_report_shows_tables_and_a_cell_chooses_its_games() {
    let names = ["Chuhe", "Fairy", "Hoi", "Sjaak"];
    let report = common::tournament(&names, 24, 30);
    let Some(mut page) = Page::open(&tournament::render(&report), 1280, 900) else { return };
    assert_eq!(page.count(".standings tbody tr"), 4);
    assert_eq!(page.count(".cross tbody tr"), 4);
    assert_eq!(page.count(".cross tbody td.own"), 4);
    assert_eq!(page.count(".elo .estimate"), 4);
    assert_eq!(page.count(".games li"), 24);
    page.browser.click(".cross tbody tr:nth-child(1) [data-other=Fairy]");
    let of_the_two =
        |game: &&GameView| [&game.red, &game.black].iter().all(|name| ["Chuhe", "Fairy"].contains(&name.as_str()));
    let games = report.games.iter().filter(of_the_two).count();
    assert!(games > 0 && games < 24);
    assert_eq!(page.count(".games li"), games as u64);
    page.browser.click(".filter");
    page.browser.type_text("sjaak");
    let games = report.games.iter().filter(|game| game.red == "Sjaak" || game.black == "Sjaak").count();
    assert_eq!(page.count(".games li"), games as u64);
    page.close();
}

/// A wide cross table is wider than a page. Laid out for paper, no table may reach beyond its edge.
#[test]
fn nothing_is_cut_off_on_paper() {
    let names: Vec<String> = (1..=60).map(|index| format!("Entrant{index}WithANameThatHasNoBlanksAtAll")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let report = common::tournament(&names, 1, 80);
    let Some(mut page) = Page::open(&tournament::render(&report), 1280, 900) else { return };
    assert_eq!(page.count(".cross"), 3, "24, 24 and 12 columns");
    let print = page.browser.print();
    assert!(print.as_str().is_some_and(|data| data.starts_with("JVBERi")), "base64 of %PDF-");
    // A4 without its margins, upright or across; the moves stand in two columns.
    let expectations =
        [(".cross", 273.0, 273.0), ("table:not(.cross)", 186.0, 186.0), (".moves tbody tr", 186.0, 90.0)];
    for (selector, paper, room) in expectations {
        let widest = page.browser.size_on_paper(selector, paper)[0];
        assert!(widest <= room, "{selector}: {widest} of {room} mm");
    }
    page.close();
}

const HOSTILE: [&str; 6] = [
    "<script>window.hacked=1</script>",
    "</script><script>window.hacked=2</script>",
    "<img src=x onerror=window.hacked=3>",
    "\"><svg onload=window.hacked=4>",
    "<!--<script>",
    "' autofocus onfocus='window.hacked=5' \u{2028}&lt;b&gt;]]>",
];

#[test]
fn hostile_texts_are_shown_and_not_obeyed() {
    let mut report = common::tournament(&HOSTILE, 12, 20);
    report.title = HOSTILE[1].to_owned();
    report.facts.push(Fact::new(HOSTILE[0], HOSTILE[2], HOSTILE[3]));
    report.acts.push(Act { when: HOSTILE[0].into(), what: HOSTILE[2].into(), reason: HOSTILE[4].into() });
    for (game, text) in report.games.iter_mut().zip(HOSTILE.iter().cycle()) {
        for field in [&mut game.termination, &mut game.reason, &mut game.opening] {
            *field = (*text).to_owned();
        }
        for mv in &mut game.moves {
            mv.comment = Some((*text).to_owned());
            mv.name = Some((*text).to_owned());
        }
    }
    let Some(mut page) = Page::open(&tournament::render(&report), 1280, 900) else { return };
    assert_eq!(page.text("h1"), HOSTILE[1]);
    for (index, game) in report.games.iter().enumerate() {
        page.browser.click(&format!(".games li:nth-child({}) button", index + 1));
        page.browser.press("ArrowRight");
        // What separates lines becomes a blank.
        assert_eq!(page.text(".comment"), game.opening.replace('\u{2028}', " "));
        assert_eq!(page.text(".red-player .name"), game.red.replace('\u{2028}', " "));
    }
    page.browser.click("[data-one]");
    assert_eq!(page.browser.eval("window.hacked ?? null"), Value::Null);
    assert_eq!(page.count("img, [onload], [onerror], [onfocus]"), 0);
    page.close();
}

#[test]
fn a_script_that_comes_in_by_mistake_does_not_run() {
    let game = common::game("Alpha", "Beta", Board::startpos(), 6, 1);
    let Some(mut page) = Page::open(&page::render("Title", &[game]), 1280, 900) else { return };
    assert_eq!(page.browser.complaints, Vec::<String>::new());
    page.browser.eval(
        "document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.hacked = 1'}))",
    );
    page.browser.eval("document.querySelector('h1').setAttribute('onclick', 'window.hacked = 2')");
    page.browser.click("h1");
    assert_eq!(page.browser.eval("window.hacked ?? null"), Value::Null);
    let refused = page.browser.complaints.iter().filter(|complaint| complaint.contains("Content Security Policy"));
    assert!(refused.count() >= 2, "{:?}", page.browser.complaints);
}

/// A name in letters written from right to left stands where a name stands, and the result between the two.
#[test]
fn names_from_right_to_left_stay_in_their_place() {
    for name in ["שחמט", "A\u{202e}B"] {
        let game = common::game(name, name, Board::startpos(), 6, 1);
        let Some(mut page) = Page::open(&page::render(name, &[game]), 1280, 900) else { return };
        for selector in [".names", ".games li:first-child button"] {
            let places = page.browser.eval(&format!(
                "[...document.querySelectorAll('{selector} > *')].map((part) => part.getBoundingClientRect().left)"
            ));
            let places: Vec<f64> = places.as_array().expect("a list").iter().filter_map(Value::as_f64).collect();
            assert!(places.len() >= 3 && places.is_sorted(), "{selector}: {places:?}");
        }
        page.close();
    }
}

/// Infinities, nothing at all and a thousand games.
#[test]
fn extremes_are_shown() {
    let mut report = common::tournament(&["A", "B"], 1000, 100);
    report.elo = vec![
        EloBar { name: "won all".into(), elo: f64::INFINITY, low: 50.0, high: f64::INFINITY, games: 9, los: Some(1.0) },
        EloBar { name: "lost all".into(), elo: f64::NEG_INFINITY, low: f64::NAN, high: -50.0, games: 9, los: None },
    ];
    let Some(mut page) = Page::open(&tournament::render(&report), 1280, 900) else { return };
    assert_eq!(page.count(".games li"), 1000);
    let ready = page.browser.eval("performance.getEntriesByType('navigation')[0].domComplete");
    assert!(ready.as_f64().is_some_and(|ready| ready < 5000.0), "{ready} ms");
    let elo = page.text(".elo");
    assert!(elo.contains("all won, ≥ +50") && elo.contains("all lost, ≤ -50"), "{elo}");
    assert_eq!((page.count(".elo .error"), page.count(".elo .estimate")), (2, 0));
    page.close();

    let Some(page) = Page::open(&page::render("Nothing", &[]), 1280, 900) else { return };
    page.close();
}

/// A ruling is one page of A4, in both languages, with every move and the verdict on it.
#[test]
fn a_ruling_fits_one_page() {
    for language in [Language::English, Language::Chinese] {
        let explanation = chase(language);
        let tags = [("Red", "Hu <i>Ronghua</i> 胡荣华"), ("Event", "Cup")].into_iter().collect();
        let Some(mut page) = Page::open(&explanation.sheet("axf-d-017 <b>", &tags), 1000, 800) else { return };
        assert_eq!(page.text("h1"), "axf-d-017 <b>");
        assert!(page.text(".facts").contains("Hu <i>Ronghua</i> 胡荣华"));
        assert_eq!(page.text(".verdict p"), explanation.sentence);
        assert_eq!(page.count(".ruling tbody tr"), explanation.moves.len() as u64);
        assert_eq!(page.text(".ruling tbody tr:first-child td:nth-child(3)"), explanation.moves[0].name);
        let print = page.browser.print();
        assert!(print.as_str().is_some_and(|data| data.starts_with("JVBERi")), "base64 of %PDF-");
        // A4 without the margins that the style sheet asks for.
        let [width, height] = page.browser.size_on_paper("html", 186.0);
        assert!(width <= 186.5 && height <= 269.0, "{width} x {height} mm");
        page.close();
    }
}
