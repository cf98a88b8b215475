//! What particular GUIs send, word by word, and what they need to see.

mod gui;

use std::time::{Duration, Instant};

use gui::{Gui, terminal_lines, word_after};

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";

#[test]
fn league() {
    let mut gui = Gui::new();
    gui.send_bytes(b"ucci\r\n");
    gui.read_until("ucciok");
    gui.send_bytes(b"setoption promotion false\r\nsetoption ponder false\r\nsetoption newgame\r\n");
    gui.send_bytes(b"setoption usemillisec true\r\nsetoption hashsize 2\r\n");
    for moves in ["", " moves h2e2 h9g7"] {
        gui.send_bytes(format!("position fen {START} w - - 0 1{moves}\r\nbanmoves h2e2 a0a9\r\n").as_bytes());
        let answer = gui.ask("go time 3000 increment 30 opptime 3000 oppincrement 30\r");
        assert!(answer.len() == 13 || answer.len() == 25, "{answer}");
    }
    assert!(!gui.ask("go draw time 300 increment 30").contains("resign"));
    assert_eq!(gui.script("quit"), ["bye"]);
}

#[test]
fn tchess_writes_without_waiting() {
    let mut gui = Gui::new();
    gui.send("uci");
    gui.read_until("uciok");
    gui.send("ucci");
    gui.read_until("ucciok");
    gui.send("setoption Threads 1\nsetoption Hash 2");
    // It stops before every analysis, whether anything runs or not.
    gui.send(&format!("stop\nposition fen {START} w - - 0 1 moves h2e2\ngo infinite"));
    assert_eq!(gui.answer(), "nobestmove");
    for moves in ["h2e2 h9g7", "h2e2 h9g7 h0g2", "h2e2 h9g7 h0g2 i9h9"] {
        gui.send(&format!("stop\nposition fen {START} w - - 0 1 moves {moves}\ngo infinite"));
        let lines = gui.read_answer();
        assert!(lines.last().unwrap().starts_with("bestmove "));
    }
    gui.send("stop\nposition startpos\ngo depth 4");
    gui.answer();
    let lines = gui.read_answer();
    let shown: Vec<_> = lines.iter().filter(|line| line.contains("nps")).collect();
    assert!(shown.len() >= 4);
    for line in shown {
        for keyword in ["depth", "score", "nodes", "nps", "time"] {
            assert!(word_after(line, keyword).is_some_and(|word| word.parse::<i64>().is_ok()), "{keyword}: {line}");
        }
        assert!(line.contains(" pv "), "{line}");
    }
}

#[test]
fn vinxiangqi_asks_for_both_dialects() {
    let mut gui = Gui::new();
    gui.send("uci\nucci");
    let lines = gui.read_until("ucciok");
    assert!(lines.iter().any(|line| line == "uciok"));
    gui.send(&format!("setoption hashsize 2\nposition fen {START} w\nbanmoves h2e2 b2e2\ngo movetime 50 depth 5"));
    let lines = gui.read_answer();
    let answer = lines.last().unwrap();
    assert!(matches!(answer.split(' ').count(), 2 | 4), "{answer}");
    for line in &lines {
        let mut keywords: Vec<_> =
            line.split(" pv ").next().unwrap().split(' ').filter(|w| w.parse::<i64>().is_err()).collect();
        let count = keywords.len();
        keywords.sort_unstable();
        keywords.dedup();
        assert_eq!(keywords.len(), count, "{line}");
    }
    gui.send("go ponder movetime 20 depth 2");
    gui.expect_no_answer();
    gui.ask("ponderhit");
}

#[test]
fn gmchess_writes_dashes_together() {
    let mut gui = Gui::new();
    gui.send(&format!(
        "ucci\nsetoption newgame\nsetoption usebook false\nsetoption hashsize 2\nposition fen {START} w -- 0 1  moves h2e2 h9g7\ngo depth 5 "
    ));
    assert!(gui.answer().starts_with("bestmove "));
    gui.send("ponderhit draw");
    gui.expect_silence();
    // A bare `go draw` has no limit, and it stops again every second.
    gui.send("go draw");
    gui.expect_no_answer();
    gui.send("stop");
    assert!(gui.answer().starts_with("bestmove "));
}

#[test]
fn sylvan_sends_every_position_twice() {
    let mut gui = Gui::ucci();
    gui.send(&format!("newgame\nisready\nposition fen {START} w - - 0 1 moves h2e2\nfen {START} w - - 0 1 moves h2e2"));
    assert_eq!(gui.read(), "readyok");
    assert!(gui.ask("go time 100").as_bytes()[10] >= b'6');
    assert!(gui.ask("startpos moves h2e2 h9g7\ngo wtime 500 btime 500 winc 10 binc 10").as_bytes()[10] <= b'3');
    gui.send("go ponder wtime 500 btime 500");
    gui.expect_no_answer();
    gui.ask("stop");
}

#[test]
fn ggchessgui_writes_its_profiles() {
    let mut gui = Gui::uci();
    gui.send(&format!("stop\nucinewgame\nusemillisec on\nfen {START} w - - 0 1 moves"));
    gui.send("go wtime 300 btime 300 winc 5 binc 5 movestogo 20 ponder");
    gui.expect_no_answer();
    assert!(gui.ask("ponderhit").starts_with("bestmove "));
    let mut gui = Gui::ucci();
    gui.send("stop\nuccinewgame\nsetoption usemillisec on\nsetoption usebook off");
    assert_eq!(gui.read(), "nobestmove");
    gui.send("go");
    gui.expect_no_answer();
    gui.ask("stop");
}

#[test]
fn uci2wb() {
    let mut gui = Gui::ucci();
    gui.send("setoption newgame\nuccinewgame");
    gui.send(&format!("position fen {START} w - - 0 1 moves b2e2 b9c7"));
    gui.ask("go draw time 300 opptime 500 movestogo 10 depth 6");
    gui.ask("go time 300 opptime 500 increment 10 oppincrement 10");
    let mut gui = Gui::uci();
    gui.send(&format!("fen {START} r moves h2e2"));
    assert!(gui.ask("go depth 3").as_bytes()[10] >= b'6');
    gui.send("go infinite searchmoves h9g7 h9i7");
    gui.expect_no_answer();
    let answer = gui.ask("stop");
    assert!(answer.starts_with("bestmove h9"), "{answer}");
}

#[test]
fn walker8088_sends_the_form_of_uci_and_double_carriage_returns() {
    let mut gui = Gui::new();
    gui.send_bytes(b"ucci\r\r\nsetoption name hashsize value 2\r\r\nsetoption name usebook value false\r\r\n");
    gui.read_until("ucciok");
    gui.send_bytes(format!("position fen {START} w - - 0 1\r\r\ngo depth 3 \r\r\n").as_bytes());
    let lines = gui.read_answer();
    assert!(lines.iter().all(|line| !line.is_empty()));
    assert!(lines.iter().filter(|line| line.contains(" score ")).all(|line| line.starts_with("info depth ")));
}

#[test]
fn tjuhe_gui_says_everything_at_once() {
    let mut gui = Gui::new();
    let start = Instant::now();
    gui.send("ucci\nisready\nposition startpos moves h2e2\ngo time 400");
    assert!(gui.answer().starts_with("bestmove "));
    assert!(start.elapsed() < Duration::from_secs(4));
    assert_eq!(gui.script("quit").last().map(String::as_str), Some("bye"));
}

#[test]
fn general_chess_guis_look_for_the_variant() {
    let lines = Gui::new().script("uci");
    assert!(lines.contains(&"option name UCI_Variant type combo default xiangqi var xiangqi".to_owned()));
    let mut gui = Gui::uci();
    gui.send("setoption name UCI_Variant value xiangqi\nposition startpos");
    assert!(gui.ask("go depth 3").starts_with("bestmove "));
}

#[test]
fn an_engine_that_hears_neither_isready_nor_a_position_plays() {
    let mut gui = Gui::new();
    assert!(gui.ask("go depth 2").starts_with("bestmove "));
}

#[test]
fn fens_of_every_kind() {
    let mut gui = Gui::uci();
    for fields in
        ["", " w", " r", " w -", " w --", " w - - -", " w - - 0", " w - - 0 0", " W - - 3 9 moves", " - - 0 1"]
    {
        gui.send(&format!("position fen {START}{fields}"));
        assert!(gui.ask("go depth 1").as_bytes()[10] <= b'3', "{fields}");
    }
    gui.send(&format!("position {START} b"));
    assert!(gui.ask("go depth 1").as_bytes()[10] >= b'6');
    let other_letters = START.replace('b', "e").replace('B', "E").replace('n', "h").replace('N', "H");
    gui.send(&format!("position fen {other_letters} b"));
    assert!(gui.ask("go depth 1").as_bytes()[10] >= b'6');
    // An extreme position that has stopped other engines.
    gui.send("position fen 4k1rr1/9/9/9/9/9/9/9/9/5K3 w - - 0 0 moves f0f1");
    assert!(gui.ask("go depth 4").starts_with("bestmove "));
}

#[test]
fn the_current_position_with_all_earlier_moves() {
    let mut gui = Gui::uci();
    gui.send("position fen rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2 moves h2e2 h9g7");
    assert!(gui.read().starts_with("info string illegal move h2e2"));
    assert!(gui.ask("go depth 2").starts_with("bestmove "));
}

#[test]
fn long_games_and_long_lines() {
    let mut gui = Gui::ucci();
    let cycle = "b0c2 b9c7 c2b0 c7b9 ";
    gui.send(&format!("position startpos moves {}", cycle.repeat(52_000)));
    gui.expect_idle();
    assert!(gui.ask("go depth 2").starts_with("bestmove "));
    // Longer than any game: the beginning counts, and that is said.
    gui.send(&format!("position startpos moves {}", cycle.repeat(100_000)));
    assert!(gui.read().starts_with("info message move 300001"));
    assert!(gui.ask("go depth 2").starts_with("bestmove "));
    gui.send(&"x".repeat(20 << 20));
    assert!(gui.read().starts_with("info message line of more than 16 MiB"));
    gui.send(&format!("isready {}", "x ".repeat(4 << 20)));
    assert_eq!(gui.read(), "readyok");
}

#[test]
fn a_position_in_many_small_writes() {
    let mut gui = Gui::uci();
    for piece in ["posi", "tion start", "pos mov", "es", " h2", "e2"] {
        gui.send_bytes(piece.as_bytes());
        gui.expect_silence();
    }
    assert!(gui.ask("\ngo depth 2").as_bytes()[10] >= b'6');
}

#[test]
fn a_flood_of_searches() {
    let lines = Gui::ucci().script(&"go depth 1\nposition startpos moves h2e2\n".repeat(300));
    assert_eq!(terminal_lines(&lines).len(), 300);
}
