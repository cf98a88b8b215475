//! The twenty rules of the protocol, one transcript or more each.

mod gui;

use std::time::{Duration, Instant};

use gui::{Gui, begins_with_words, is_terminal, shortest_of, terminal_lines, word_after};

/// Red is mated.
const MATED: &str = "position fen 3k5/9/9/9/9/9/9/9/3r5/3rK4 w - - 0 1";
/// One legal move: the king has to step aside.
const FORCED: &str = "position fen 3k5/9/9/9/9/9/9/9/r8/4K4 w - - 0 1";

#[test]
fn rule_1_the_first_word_selects_the_dialect() {
    let mut gui = Gui::new();
    gui.send("xboard\nprotover 2\nhello");
    gui.expect_silence();
    gui.send("ucci");
    let lines = gui.read_until("ucciok");
    assert!(lines[0].starts_with("id name Chuhe"), "{lines:?}");
    assert!(lines.iter().any(|line| line == "option usemillisec type check default true"));
    gui.send("UCI");
    let lines = gui.read_until("uciok");
    assert!(lines.iter().any(|line| line.starts_with("option name Hash type spin default 64 ")));
    gui.send("ucci");
    gui.read_until("ucciok");
}

#[test]
fn rule_2_unknown_input_is_passed_over() {
    let mut gui = Gui::new();
    gui.send("\n\nfoo bar\nstopxyz\nposition\nposition nowhere\nsetoption\nsetoption name\ngoo\n\t \r");
    gui.send_bytes(b"\xff\xfe\x00\x01\n\x80setoption\n");
    gui.expect_silence();
    gui.expect_idle();
}

#[test]
fn rule_3_blanks_and_case_do_not_matter() {
    let mut gui = Gui::new();
    gui.send_bytes(b"\xef\xbb\xbf\tUcCi \r\r\n\0setoption  HashSize\t2\r\n");
    gui.read_until("ucciok");
    gui.send_bytes(b"  POSITION  StartPos   MOVES  H2-E2  h9g7\0\r\n go   Depth\t1 \r\r\n");
    assert!(gui.answer().starts_with("bestmove "));
    gui.send("d");
    assert!(gui.read().contains("rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2"));
}

#[test]
fn rule_4_one_answer_for_each_go() {
    for gui in [Gui::ucci(), Gui::uci()] {
        let lines =
            gui.script("go depth 2\ngo depth 1\nposition startpos moves h2e2\ngo nodes 50\ngo movetime 5\nquit");
        assert_eq!(terminal_lines(&lines).len(), 4, "{lines:#?}");
    }
}

#[test]
fn rule_5_stop_when_idle() {
    let mut gui = Gui::ucci();
    gui.send("stop");
    assert_eq!(gui.read(), "nobestmove");
    gui.expect_silence();
    let mut gui = Gui::uci();
    gui.send("stop");
    gui.expect_silence();
    gui.ask("go depth 1");
    gui.send("stop");
    gui.expect_silence();
}

#[test]
fn rule_6_nothing_behind_stop_is_lost() {
    let mut gui = Gui::ucci();
    gui.send("position startpos\ngo infinite\nstop\nposition startpos moves h2e2\nbanmoves h9g7\ngo depth 2\nisready");
    let first = gui.answer();
    assert!(first.as_bytes()[10] <= b'3', "{first}: Red moves first, from ranks 0 to 3");
    let second = gui.answer();
    assert!(second.as_bytes()[10] >= b'6', "{second}: then Black");
    assert_ne!(&second[9..13], "h9g7");
}

#[test]
fn rule_6a_a_go_during_a_finite_search_waits() {
    let mut gui = Gui::uci();
    let start = Instant::now();
    gui.send("go movetime 300\nposition startpos moves h2e2\ngo depth 1");
    gui.answer();
    assert!(start.elapsed() >= Duration::from_millis(250));
    let black = gui.answer();
    assert!(black.as_bytes()[10] >= b'6', "{black}");
}

#[test]
fn rule_6a_a_go_during_an_endless_search_ends_it() {
    for dialect in ["ucci", "uci"] {
        for endless in ["go infinite", "go", "go ponder time 1000", "go ponder depth 1", "go mate 200"] {
            let mut gui = Gui::new();
            gui.send(&format!("{dialect}\nsetoption hashsize 2\n{endless}\nposition startpos\ngo depth 1"));
            gui.answer();
            gui.answer();
            gui.expect_idle();
        }
    }
}

#[test]
fn rule_6a_stop_is_meant_for_everything_before_it() {
    let mut gui = Gui::ucci();
    let start = Instant::now();
    gui.send("go movetime 20000\ngo movetime 20000\ngo movetime 20000\nstop\ngo movetime 300");
    for _ in 0..3 {
        gui.answer();
    }
    assert!(start.elapsed() < Duration::from_millis(5000));
    // The last one was sent after the stop and takes its time.
    gui.answer();
    assert!(start.elapsed() > Duration::from_millis(250));
    gui.expect_silence();
}

#[test]
fn rule_6a_settings_made_during_a_search_hold_for_the_next() {
    let mut gui = Gui::uci();
    gui.send("go infinite\nsetoption name MultiPV value 3\nnewgame\nuci\nstop\ngo depth 1");
    gui.answer();
    gui.read_until("uciok");
    let lines = gui.read_answer();
    assert!(lines.iter().any(|line| line.contains(" multipv 3 ")), "{lines:#?}");
}

#[test]
fn batch_mode_answers_a_file_in_order() {
    let script = "setoption batch true\ngo depth 3\nstop\nposition startpos moves h2e2\ngo depth 4\nquit";
    let lines = Gui::ucci().script(script);
    assert_eq!(terminal_lines(&lines).len(), 2, "{lines:#?}");
    assert_eq!(lines.last().map(String::as_str), Some("bye"));
    for depth in ["info depth 3 ", "info depth 4 "] {
        assert!(lines.iter().any(|line| line.starts_with(depth)), "{depth} in {lines:#?}");
    }
}

#[test]
fn batch_mode_hears_stop_and_quit_in_an_endless_search() {
    let mut gui = Gui::ucci();
    gui.send("setoption batch true\ngo ponder depth 3");
    gui.expect_no_answer();
    gui.ask("stop");
    let lines = gui.script("go ponder\nquit");
    assert_eq!(terminal_lines(&lines).len(), 1);
}

#[test]
fn rule_7_lines_are_short_plain_text() {
    let mut gui = Gui::uci();
    let long = "x".repeat(5000);
    gui.send(&format!("position fen {long}\nsetoption name EvalFile value {long}\u{68cb}\nfen {long}\ngo"));
    gui.send(
        "setoption name MultiPV value 5\nposition startpos\ngo depth 9\nsetoption name Repetition Rule value \u{68cb}",
    );
    gui.answer();
    gui.answer();
    for line in gui.close() {
        assert!(line.len() < 1000 && line.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{line}");
    }
}

#[test]
fn rule_8_no_word_that_ends_a_game_outside_the_answer() {
    let mut gui = Gui::new();
    gui.send("ucci\nsetoption debug true\nsetoption hashsize 2\nposition fen draw/resign/bestmove");
    gui.send("go draw depth 1\nsetoption repetition alwaysdrawn\nposition startpos moves bestmove\ngo depth 2\nquit");
    for line in gui.close() {
        if !is_terminal(&line) {
            assert!(!line.contains("bestmove") && !line.contains("draw") && !line.contains("resign"), "{line}");
        }
    }
}

#[test]
fn rule_9_moves_have_four_characters() {
    for mut gui in [Gui::ucci(), Gui::uci()] {
        let answer = gui.ask("go depth 3");
        for mv in [word_after(&answer, "bestmove"), word_after(&answer, "ponder")].into_iter().flatten() {
            let bytes = mv.as_bytes();
            assert!(bytes.len() == 4 && bytes[0].is_ascii_lowercase() && bytes[1].is_ascii_digit(), "{answer}");
        }
    }
}

#[test]
fn rule_9_but_ranks_from_1_are_answered_in_kind() {
    let mut gui = Gui::uci();
    gui.send("position startpos moves a1a2 a10a9 a2a1\nbanmoves a9a10\ngo depth 2");
    let lines = gui.read_answer();
    let answer = lines.last().unwrap();
    let mv = word_after(answer, "bestmove").unwrap();
    assert!(
        mv.ends_with("10") || mv.as_bytes()[1] >= b'4' || mv.contains("10"),
        "{answer}: Black moves, from ranks 4 to 10"
    );
    assert_ne!(mv, "a9a10");
    let pv_head = lines.iter().rev().find_map(|line| word_after(line, "pv"));
    assert_eq!(pv_head, Some(mv));
    // The next position speaks for itself.
    let answer = gui.ask("position startpos moves a0a1\ngo depth 2");
    assert!(!answer.contains("10"), "{answer}");
}

#[test]
fn rule_10_scores() {
    let mate_in_one = "position fen 3k5/9/9/9/9/9/9/9/4R4/R3K4 w - - 0 1\ngo depth 4";
    let mut gui = Gui::ucci();
    gui.send(mate_in_one);
    let lines = gui.read_answer();
    assert!(lines.iter().any(|line| word_after(line, "score") == Some("29999")), "{lines:#?}");
    assert!(lines.iter().all(|line| !line.contains(" cp ") && !line.contains(" mate ")));
    let mut gui = Gui::uci();
    gui.send(mate_in_one);
    let lines = gui.read_answer();
    assert!(lines.iter().any(|line| line.contains(" score mate 1 ")), "{lines:#?}");
    gui.send("position startpos\ngo depth 2");
    assert!(gui.read_answer().iter().any(|line| line.contains(" score cp ")));
}

#[test]
fn rule_11_seconds_and_milliseconds() {
    let mut gui = Gui::ucci();
    let mut elapsed = |line: &str| {
        let start = Instant::now();
        gui.ask(line);
        start.elapsed()
    };
    assert!(elapsed("go time 200") < Duration::from_millis(900));
    let seconds = elapsed("setoption usebook off\nsetoption usemillisec off\ngo time 1 movestogo 1");
    assert!(seconds > Duration::from_millis(500) && seconds < Duration::from_millis(2000), "{seconds:?}");
    let nothing_left = elapsed("go time 0 increment 5");
    assert!(nothing_left > Duration::from_millis(100) && nothing_left < Duration::from_millis(900), "{nothing_left:?}");
    assert!(elapsed("go wtime 300 btime 300") < Duration::from_millis(900));
    assert!(elapsed("setoption usemillisec true\ngo time 0") < Duration::from_millis(900));
}

#[test]
fn rule_12_draws_are_answered_only_when_offered() {
    // Red is a rook down.
    let worse = "position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/1NBAKABNR w - - 0 1";
    let better = "position fen 1nbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    for mut gui in [Gui::ucci(), Gui::uci()] {
        assert!(gui.ask(&format!("{worse}\ngo draw depth 6")).ends_with(" draw"));
        assert!(!gui.ask(&format!("{worse}\ngo depth 6")).contains("draw"));
        assert!(!gui.ask(&format!("{better}\ngo draw depth 6")).contains("draw"));
        gui.send(&format!("{worse}\ngo ponder depth 6"));
        gui.expect_no_answer();
        assert!(gui.ask("ponderhit draw").ends_with(" draw"));
        gui.send("go movetime 200\nponderhit draw");
        assert!(gui.answer().ends_with(" draw"));
    }
}

#[test]
fn rule_12_the_engine_gives_up_only_when_allowed() {
    let lost = "position fen 2rakar2/9/9/9/9/9/9/9/4A4/3A1K3 w - - 0 1\ngo depth 8";
    let mut gui = Gui::ucci();
    for _ in 0..5 {
        assert!(!gui.ask(lost).contains("resign"));
    }
    gui.send("setoption allowgiveup true\nsetoption newgame");
    let answers: Vec<_> = (0..5).map(|_| gui.ask(lost)).collect();
    assert!(!answers[0].contains("resign") && answers[4].ends_with(" resign"), "{answers:?}");
}

#[test]
fn rule_13_no_legal_move() {
    for (mut gui, none, info) in
        [(Gui::ucci(), "nobestmove", None), (Gui::uci(), "bestmove (none)", Some("info depth 0 score mate 0"))]
    {
        for position in [MATED, "position startpos moves x0x1\nfen bad"] {
            for go in ["go depth 3", "go time 1000 increment 10", "go movetime 10000", "go draw nodes 5"] {
                gui.send(&format!("{position}\n{go}"));
                let lines = gui.read_answer();
                assert_eq!(lines.last().map(String::as_str), Some(none));
                // Nobody is mated where there is no position.
                let mates = lines.iter().filter(|line| info == Some(line.as_str())).count();
                assert_eq!(mates, usize::from(info.is_some() && position == MATED));
            }
        }
    }
}

#[test]
fn rule_13_repetition_is_no_reason_not_to_move() {
    let mut gui = Gui::ucci();
    let cycle = "b0c2 b9c7 c2b0 c7b9 ".repeat(5);
    assert!(gui.ask(&format!("position startpos moves {cycle}\ngo depth 3")).starts_with("bestmove "));
    let full = "position fen 4k4/9/9/9/9/9/R8/9/9/3K5 w - - 200 150";
    assert!(gui.ask(&format!("{full}\ngo depth 3")).starts_with("bestmove "));
    let bare = "position fen 4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 0";
    assert!(gui.ask(&format!("{bare}\ngo depth 3")).starts_with("bestmove "));
}

#[test]
fn rule_14_the_position_before_an_illegal_move_stands() {
    let mut gui = Gui::ucci();
    for moves in ["h2e2 h9g7 e2e9 a0a1", "h2e2 h9g7 oops a0a1", "h2e2 h9g7 e5e5", "h2e2 h9g7 a0a1x"] {
        gui.send(&format!("position startpos moves {moves}"));
        let line = gui.read();
        assert!(line.starts_with("info message "), "{line}");
        let reached = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2";
        assert!(line.contains(reached), "{line}");
        gui.expect_idle();
        assert!(gui.ask("go depth 1").starts_with("bestmove "));
    }
}

#[test]
fn rule_15_an_unusable_position_is_answered_at_once() {
    let mut gui = Gui::uci();
    for fen in ["foobar", "", "9/9/9/9/9/9/9/9/9/9 w", "RRR1k4/9/9/9/9/9/9/9/9/4K4 w", "4k4/9/9/9/9/9/9/9/9/4K4 w"] {
        gui.send(&format!("position fen {fen} moves h2e2"));
        assert!(gui.read().starts_with("info string invalid position: "));
        for go in ["go depth 5", "go infinite", "go ponder time 100"] {
            gui.send(go);
            assert_eq!(gui.read_answer(), ["bestmove (none)"]);
        }
    }
    assert!(gui.ask("startpos\ngo depth 1").len() > "bestmove h2e2".len() - 1);
}

#[test]
fn rule_16_bans_last_until_the_next_position() {
    for mut gui in [Gui::ucci(), Gui::uci()] {
        gui.send(&format!("{FORCED}\nbanmoves junk e0f0 a0a9"));
        for _ in 0..2 {
            gui.send("go depth 2");
            let answer = gui.answer();
            assert!(answer == "nobestmove" || answer == "bestmove (none)", "{answer}");
        }
        assert!(gui.ask(&format!("{FORCED}\ngo depth 2")).starts_with("bestmove e0f0"));
        let first = gui.ask("position startpos\ngo depth 4")[9..13].to_owned();
        let second = gui.ask(&format!("banmoves {first}\ngo depth 4"))[9..13].to_owned();
        let third = gui.ask(&format!("banmoves {second}\ngo depth 4"))[9..13].to_owned();
        assert!(first != second && second != third && third != first);
        assert_eq!(gui.ask(&format!("position startpos\ngo depth 1 searchmoves {first}"))[9..13], first);
    }
}

#[test]
fn rule_18_pondering_ends_by_a_word_only() {
    for dialect in ["ucci", "uci"] {
        for limit in ["depth 1", "nodes 10", "movetime 5", "time 1 increment 1", "infinite", ""] {
            let mut gui = Gui::new();
            gui.send(&format!("{dialect}\nsetoption hashsize 2\ngo ponder {limit}"));
            gui.expect_no_answer();
            gui.send("stop");
            assert!(gui.answer().starts_with("bestmove "));
            gui.expect_silence();
        }
    }
}

#[test]
fn rule_18_a_hit_starts_the_limits() {
    let mut gui = Gui::ucci();
    for limit in ["depth 1", "nodes 10", "time 100 increment 1"] {
        gui.send(&format!("go ponder {limit}"));
        gui.expect_no_answer();
        gui.ask("ponderhit");
    }
    gui.send("go ponder");
    gui.expect_no_answer();
    gui.send("ponderhit");
    gui.expect_no_answer();
    gui.ask("stop");
    // Mated while pondering, and evaluating while pondering.
    gui.send(&format!("{MATED}\ngo ponder time 100"));
    gui.expect_no_answer();
    assert_eq!(gui.ask("ponderhit"), "nobestmove");
    gui.send("position startpos\ngo ponder depth 0");
    gui.expect_no_answer();
    assert_eq!(gui.ask("ponderhit"), "nobestmove");
    gui.send("ponderhit\nponderhit draw");
    gui.expect_silence();
}

#[test]
fn rule_19_the_handshake_does_not_wait_for_anything() {
    let time = shortest_of(5, || {
        let start = Instant::now();
        let mut gui = Gui::new();
        gui.send("setoption hashsize 512\nucci");
        gui.read_until("ucciok");
        start.elapsed()
    });
    assert!(time < Duration::from_millis(300), "{time:?}");
}

#[test]
fn rule_20_quit_in_every_state() {
    for (state, answers) in [
        ("", 0),
        ("go infinite", 1),
        ("go ponder", 1),
        ("go movetime 100000", 1),
        ("go perft 9", 1),
        ("position fen bad", 0),
        ("setoption hashsize 512\nisready\nnewgame", 0),
        ("go infinite\nposition startpos moves h2e2\ngo infinite\ngo depth 50\nsetoption batch on", 3),
    ] {
        for dialect in ["ucci", "uci"] {
            let time = shortest_of(3, || {
                let mut gui = Gui::new();
                gui.send(&format!("{dialect}\nsetoption hashsize 2\n{state}"));
                gui.read_until(&format!("{dialect}ok"));
                std::thread::sleep(Duration::from_millis(20));
                let start = Instant::now();
                let lines = gui.script("quit\ngo depth 1\nisready");
                let time = start.elapsed();
                assert_eq!(terminal_lines(&lines).len(), answers, "{state}: {lines:#?}");
                assert_eq!(lines.last().is_some_and(|line| line == "bye"), dialect == "ucci", "{state}: {lines:#?}");
                time
            });
            assert!(time < Duration::from_millis(200), "{state}: {time:?}");
        }
    }
}

#[test]
fn the_end_of_input_ends_the_session() {
    for state in ["", "go infinite", "go ponder", "go perft 9", "go depth 100"] {
        let time = shortest_of(3, || {
            let mut gui = Gui::uci();
            gui.send(state);
            let start = Instant::now();
            let lines = gui.close();
            assert_eq!(terminal_lines(&lines).len(), usize::from(!state.is_empty()));
            start.elapsed()
        });
        assert!(time < Duration::from_millis(200), "{state}: {time:?}");
    }
    // A last line without a line end counts.
    let mut gui = Gui::ucci();
    gui.send_bytes(b"go depth 1");
    let lines = gui.close();
    assert_eq!(terminal_lines(&lines).len(), 1);
}

#[test]
fn a_broken_output_ends_the_session() {
    let mut gui = Gui::ucci();
    gui.send("go infinite");
    gui.go_away();
    let mut gui = Gui::ucci();
    gui.send("isready");
    gui.go_away();
}

#[test]
fn isready_is_answered_during_a_search() {
    for go in ["go infinite", "go ponder depth 1", "go perft 9", "go movetime 100000"] {
        let mut gui = Gui::ucci();
        gui.send(go);
        let time = shortest_of(5, || {
            let start = Instant::now();
            gui.send("isready");
            gui.read_until("readyok");
            start.elapsed()
        });
        assert!(time < Duration::from_millis(50), "{go}: {time:?}");
        assert!(gui.ask("stop").len() > 5);
    }
}

#[test]
fn stop_is_obeyed_at_once() {
    let mut gui = Gui::uci();
    gui.send("setoption name Hash value 256\nsetoption name Threads value 4\nisready");
    gui.read_until("readyok");
    let time = shortest_of(5, || {
        gui.send("go infinite");
        std::thread::sleep(Duration::from_millis(30));
        let start = Instant::now();
        gui.ask("stop");
        start.elapsed()
    });
    assert!(time < Duration::from_millis(50), "{time:?}");
}

#[test]
fn no_time_left() {
    let mut gui = Gui::ucci();
    gui.expect_idle();
    for go in
        ["go time 0", "go time 1", "go time -500 increment 0", "go wtime 0 btime 0", "go movetime 0", "go nodes 0"]
    {
        let time = shortest_of(5, || {
            let start = Instant::now();
            assert!(gui.ask(go).starts_with("bestmove "));
            start.elapsed()
        });
        assert!(time < Duration::from_millis(20), "{go}: {time:?}");
    }
}

#[test]
fn a_static_evaluation_has_no_move() {
    let mut gui = Gui::ucci();
    gui.send("go depth 0");
    let lines = gui.read_answer();
    assert!(lines.len() == 2 && lines[0].starts_with("info depth 0 score ") && lines[1] == "nobestmove", "{lines:?}");
    assert!(Gui::uci().ask("go depth 0").starts_with("bestmove "));
}

#[test]
fn perft_counts() {
    for (mut gui, none) in [(Gui::ucci(), "nobestmove"), (Gui::uci(), "bestmove (none)")] {
        gui.send("go perft 2");
        let lines = gui.read_answer();
        assert_eq!(lines.len(), 44 + 3, "{lines:#?}");
        assert!(lines.iter().any(|line| line.starts_with("h2e2: 4")));
        assert_eq!(&lines[44..], ["", "Nodes searched: 1920", none]);
        gui.send("go perft 0");
        assert_eq!(gui.read_answer(), ["", "Nodes searched: 1", none]);
    }
}

#[test]
fn probe_is_answered_in_every_state() {
    let mut gui = Gui::ucci();
    gui.send("probe startpos");
    assert_eq!(gui.read(), "pophash");
    gui.ask("go depth 4");
    gui.send("probe");
    let line = gui.read();
    assert!(begins_with_words(&line, "pophash bestmove"), "{line}");
    gui.send("probe fen bad");
    assert!(gui.read().starts_with("info message invalid position"));
    assert_eq!(gui.read(), "pophash");
    gui.send("go infinite\nprobe startpos moves h2e2");
    gui.read_until("pophash");
    gui.ask("stop");
}

#[test]
fn the_last_words_before_the_answer() {
    for dialect in ["ucci", "uci"] {
        for go in ["go depth 5", "go nodes 1", "go movetime 20", "go time 1", "go depth 6 searchmoves a0a1"] {
            for option in ["setoption skilllevel 20", "setoption skilllevel 3", "setoption randomness huge"] {
                let mut gui = Gui::new();
                gui.send(&format!("{dialect}\nsetoption hashsize 2\nsetoption usebook off\n{option}\n{go}"));
                let lines = gui.read_answer();
                let answer = lines.last().unwrap();
                let mut infos: Vec<_> = lines.iter().filter(|line| line.starts_with("info ")).collect();
                if dialect == "ucci" {
                    let totals = infos.pop().unwrap();
                    assert!(totals.starts_with("info time ") && totals.contains(" nodes "), "{totals}");
                }
                let last = infos.pop().unwrap();
                for keyword in ["depth", "score", "nodes", "nps", "time", "pv"] {
                    assert!(last.contains(&format!(" {keyword} ")), "{keyword} in {last}");
                }
                assert_eq!(word_after(last, "pv"), word_after(answer, "bestmove"), "{last}, {answer}");
                for info in infos {
                    assert!(!info.contains(" score ") || info.contains(" pv "), "{info}");
                }
            }
        }
    }
}

#[test]
fn the_last_line_is_the_best_one_after_others_too() {
    for (option, go) in [("setoption multipv 4", "go depth 5"), ("setoption threads 2", "go movetime 3600")] {
        let mut gui = Gui::uci();
        gui.send(&format!("{option}\n{go}"));
        let lines = gui.read_answer();
        let [.., last, answer] = lines.as_slice() else { panic!("{lines:?}") };
        assert_eq!(word_after(last, "pv"), word_after(answer, "bestmove"), "{last}, {answer}");
        assert_eq!(word_after(last, "multipv"), Some("1"), "{last}");
    }
}
