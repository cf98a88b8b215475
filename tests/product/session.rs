//! Whole sessions: what is said, and that it is said once. Times are in `latency`.

use std::time::Duration;

use crate::among_others;
use crate::client::{Client, best_move};

const DIALECTS: [&str; 2] = ["ucci", "uci"];

/// Ends a session in good order and checks what holds for all of them.
fn finish(mut client: Client) {
    client.send("quit");
    let (_, status) = client.expect_exit();
    assert!(status.success(), "{status}");
    for (_, line) in &client.transcript {
        assert!(line.len() < 1000 && line.bytes().all(|byte| matches!(byte, b' '..=b'~')), "unfit for GUIs: {line:?}");
    }
    assert_eq!(client.errors(), "");
}

#[test]
fn nothing_is_said_unasked() {
    let _machine = among_others();
    let mut client = Client::start();
    assert_eq!(client.line(Duration::from_millis(300)), None);
    client.close_input();
    let (_, status) = client.expect_exit();
    assert!(status.success(), "{status}");
    assert_eq!(client.said(), "");
    assert_eq!(client.errors(), "");
}

#[test]
fn handshake_names_the_engine_and_its_options() {
    let _machine = among_others();
    for dialect in DIALECTS {
        let mut client = Client::start();
        // Both words, as GUIs that look for the dialect send them.
        for word in ["uci", "ucci", dialect] {
            client.send(word);
            client.expect(&format!("{word}ok"));
        }
        let said = client.said();
        assert!(said.contains("id name Chuhe"), "{said}");
        assert!(said.contains("option "), "{said}");
        finish(client);
    }
}

#[test]
fn every_go_has_one_terminal_line() {
    let _machine = among_others();
    // (go, what must follow before the terminal line comes)
    let searches = [
        ("go depth 5", None),
        ("go nodes 5000", None),
        ("go movetime 50", None),
        ("go time 500 increment 0", None),
        ("go wtime 500 btime 500 winc 10 binc 10", None),
        ("go depth 3 movetime 1000 nodes 1000000", None),
        ("go infinite", Some("stop")),
        ("go", Some("stop")),
        ("go ponder depth 3", Some("ponderhit")),
        ("go ponder time 400 increment 0", Some("ponderhit")),
        ("go ponder movetime 10", Some("stop")),
        ("go infinite searchmoves b2e2", Some("stop")),
        ("go depth 0", None),
    ];
    for dialect in DIALECTS {
        let mut client = Client::start_in(dialect);
        client.send("setoption usemillisec true");
        for (go, then) in searches {
            client.transcript.clear();
            client.send("position startpos moves h2e2 h9g7");
            client.send(go);
            if let Some(then) = then {
                std::thread::sleep(Duration::from_millis(100));
                client.sync();
                assert!(client.terminals().is_empty(), "{go} ended by itself: {}", client.said());
                client.send(then);
            }
            client.expect_terminal();
            client.sync();
            assert_eq!(client.terminals().len(), 1, "{dialect}, {go}: {}", client.said());
        }
        finish(client);
    }
}

#[test]
fn idle_stop() {
    let _machine = among_others();
    for (dialect, answer) in [("ucci", vec!["nobestmove"]), ("uci", vec![])] {
        let mut client = Client::start_in(dialect);
        client.send("stop");
        client.sync();
        assert_eq!(client.terminals(), answer, "{dialect}");
        finish(client);
    }
}

#[test]
fn no_move_to_play() {
    let _machine = among_others();
    let positions = [
        ("mate", "R2k5/1R7/9/9/9/9/9/9/9/4K4 b - - 0 1"),
        ("stalemate", "3k5/R8/9/9/9/9/9/9/9/4K4 b - - 0 1"),
        ("nonsense", "foobar"),
        ("no general", "9/9/9/9/9/9/9/9/9/4K4 w - - 0 1"),
    ];
    for (dialect, answer) in [("ucci", "nobestmove"), ("uci", "bestmove (none)")] {
        let mut client = Client::start_in(dialect);
        for (what, fen) in positions {
            client.send(&format!("position fen {fen}"));
            client.send("go depth 3");
            assert_eq!(client.expect_terminal().1, answer, "{dialect}, {what}");
        }
        // And the next position is played as if nothing had been.
        client.send("position startpos");
        client.send("go depth 3");
        assert!(best_move(&client.expect_terminal().1).is_some());
        finish(client);
    }
}

#[test]
fn commands_sent_ahead_are_kept() {
    let _machine = among_others();
    for dialect in DIALECTS {
        let mut client = Client::start_in(dialect);
        client.send_bytes(b"position startpos\ngo depth 5\nposition startpos moves h2e2\ngo depth 4\nisready\n");
        client.expect_terminal();
        client.expect_terminal();
        // A GUI that stops, sets up and starts in one write.
        client.send_bytes(b"position startpos\ngo infinite\n");
        std::thread::sleep(Duration::from_millis(50));
        client.send_bytes(b"stop\nposition startpos moves b2e2\ngo depth 3\n");
        client.expect_terminal();
        client.expect_terminal();
        client.sync();
        assert_eq!(client.terminals().len(), 4, "{}", client.said());
        finish(client);
    }
}

#[test]
fn line_ends_and_blanks_of_all_kinds() {
    let _machine = among_others();
    let mut client = Client::start();
    client.send_bytes(b"\xef\xbb\xbf  UCCI\r\r\n");
    client.expect("ucciok");
    client.send_bytes(b"\r\n\n \t \nposition\tstartpos  moves   h2e2 \r\n  go   depth  3 \r\n");
    assert!(best_move(&client.expect_terminal().1).is_some());
    client.send_bytes(b"isready\0\r\n");
    client.expect("readyok");
    finish(client);
}

#[test]
fn unknown_words_are_passed_over() {
    let _machine = among_others();
    let mut client = Client::start_in("uci");
    client.transcript.clear();
    for line in
        ["xboard", "protover 2", "stopxyz", "hello", "setoption", "setoption name", "position", "go depth x y z"]
    {
        client.send(line);
    }
    client.send("stop");
    client.sync();
    assert!(client.transcript.iter().all(|(_, line)| !line.to_lowercase().contains("unknown")), "{}", client.said());
    finish(client);
}

#[test]
fn a_line_of_ten_megabytes() {
    let _machine = among_others();
    let mut client = Client::start_in("ucci");
    let mut line = b"position startpos moves".to_vec();
    while line.len() < 10_000_000 {
        line.extend_from_slice(b" h2e2");
    }
    line.push(b'\n');
    client.send_bytes(&line);
    client.send_bytes(&[b'x'; 10_000_000]);
    client.send("");
    client.send("position startpos");
    client.send("go depth 2");
    assert!(best_move(&client.expect_terminal().1).is_some());
    finish(client);
}

#[test]
fn bytes_that_are_no_utf8() {
    let _machine = among_others();
    // 开局库.obk and 象棋 in GBK.
    let book = b"\xbf\xaa\xbe\xd6\xbf\xe2.obk";
    let word = b"\xcf\xf3\xc6\xe5";
    for dialect in DIALECTS {
        let mut client = Client::start_in(dialect);
        for line in [
            [b"setoption bookfiles D:\\".as_slice(), word, b"\\", book].concat(),
            [b"setoption name bookfiles value ".as_slice(), book].concat(),
            [b"position fen ".as_slice(), word, b" w - - 0 1"].concat(),
            [b"go ".as_slice(), word].concat(),
            word.to_vec(),
        ] {
            client.send_bytes(&line);
            client.send("");
        }
        client.send("stop");
        client.sync();
        client.send("position startpos");
        client.send("go depth 2");
        client.expect_where("move", |line| best_move(line).is_some());
        client.send("quit");
        assert!(client.expect_exit().1.success());
    }
}

/// A GUI that dies in a search leaves no process behind, and one that reads no more does not make the engine complain.
#[test]
fn the_gui_goes_away() {
    let _machine = among_others();
    let mut client = Client::start_in("uci");
    client.send("position startpos");
    client.send("go infinite");
    client.close_input();
    let (_, status) = client.expect_exit();
    assert!(status.success(), "{status}");
    assert_eq!(client.errors(), "");
}

#[test]
fn banned_moves_are_not_played() {
    let _machine = among_others();
    let mut client = Client::start_in("ucci");
    client.send("position fen 3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1");
    client.send("banmoves e0e1");
    client.send("go depth 4");
    assert_eq!(best_move(&client.expect_terminal().1), Some("e0f0"));
    client.send("banmoves e0e1 e0f0");
    client.send("go depth 4");
    assert_eq!(client.expect_terminal().1, "nobestmove");
    client.send("position fen 3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1");
    client.send("go depth 4");
    assert!(best_move(&client.expect_terminal().1).is_some());
    finish(client);
}

/// Ctrl-C in the terminal of a GUI reaches the engine too, which must leave the end to the GUI.
#[test]
#[cfg(unix)]
fn interrupt_is_left_to_the_gui() {
    let _machine = among_others();
    let mut client = Client::start_in("uci");
    client.send("position startpos");
    client.send("go infinite");
    client.sync();
    client.signal("INT");
    std::thread::sleep(Duration::from_millis(100));
    client.sync();
    client.send("stop");
    client.expect_terminal();
    finish(client);
}

/// A system that shuts down needs no words.
#[test]
#[cfg(unix)]
fn terminate_is_obeyed_quietly() {
    let _machine = among_others();
    let mut client = Client::start_in("uci");
    client.send("position startpos");
    client.send("go infinite");
    client.sync();
    client.signal("TERM");
    client.expect_exit();
    assert!(client.terminals().is_empty());
    assert_eq!(client.errors(), "");
}
