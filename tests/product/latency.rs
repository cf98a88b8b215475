//! The times that are promised to a GUI. Each is allowed [`SLACK`] times over: test machines are slow and busy.

use std::time::{Duration, Instant};

use crate::alone;
use crate::client::Client;

const SLACK: u32 = 4;

const HANDSHAKE: Duration = Duration::from_millis(300);
const REPLY: Duration = Duration::from_millis(50);
const REPLY_WITH_512_THREADS: Duration = Duration::from_millis(500);
const EXIT: Duration = Duration::from_millis(200);

#[track_caller]
fn assert_within(took: Duration, promised: Duration, what: &str) {
    assert!(took <= promised * SLACK, "{what} took {took:?}, promised are {promised:?}");
}

#[test]
fn handshake() {
    let _alone = alone();
    for dialect in ["ucci", "uci"] {
        let mut client = Client::start();
        client.send(dialect);
        let done = client.expect(&format!("{dialect}ok"));
        assert_within(done - client.started, HANDSHAKE, dialect);
    }
}

/// Starts an endless search, waits until it is well under way, and measures `isready` and `stop`.
fn interrupt(client: &mut Client, promised: Duration, what: &str) {
    client.send("go infinite");
    std::thread::sleep(Duration::from_millis(400));
    let asked = Instant::now();
    let ready = client.sync();
    assert_within(ready - asked, promised, &format!("isready in a search with {what}"));
    let asked = Instant::now();
    client.send("stop");
    let (stopped, _) = client.expect_terminal();
    assert_within(stopped - asked, promised, &format!("stop with {what}"));
}

#[test]
fn stop_and_isready_in_a_search() {
    let _alone = alone();
    for dialect in ["ucci", "uci"] {
        for (threads, hash) in [(1, 256), (1, 1024), (2, 256), (2, 1024)] {
            let mut client = Client::start_in(dialect);
            client.set("Threads", threads);
            client.set("Hash", hash);
            client.sync();
            for position in ["startpos", "startpos moves h2e2 h9g7", "fen 3ak4/4a4/9/3P2R2/2r6/9/3p5/4B4/4A1p2/3A1K3 b"]
            {
                client.send(&format!("position {position}"));
                interrupt(
                    &mut client,
                    REPLY,
                    &format!("{threads} threads and {hash} MiB after {position} in {dialect}"),
                );
            }
        }
    }
}

#[test]
fn stop_and_isready_with_512_threads() {
    let _alone = alone();
    let mut client = Client::start_in("uci");
    client.set("Threads", 512);
    client.sync();
    client.send("position startpos");
    interrupt(&mut client, REPLY_WITH_512_THREADS, "512 threads");
    client.send("quit");
    let (took, status) = client.expect_exit();
    assert_within(took, EXIT, "quit with 512 threads");
    assert!(status.success());
}

#[test]
fn quit_and_end_of_input() {
    let _alone = alone();
    for dialect in ["ucci", "uci"] {
        for searching in [false, true] {
            for quit in [false, true] {
                let mut client = Client::start_in(dialect);
                client.set("Hash", 1024);
                client.sync();
                if searching {
                    client.send("position startpos");
                    client.send("go infinite");
                    std::thread::sleep(Duration::from_millis(400));
                }
                if quit {
                    client.send("quit");
                } else {
                    client.close_input();
                }
                let (took, status) = client.expect_exit();
                assert_within(took, EXIT, &format!("exit from {dialect}, searching: {searching}, quit: {quit}"));
                assert!(status.success(), "{status}");
                if quit && dialect == "ucci" {
                    assert_eq!(client.transcript.last().map(|(_, line)| line.as_str()), Some("bye"));
                }
                assert_eq!(client.errors(), "");
            }
        }
    }
}

/// Clearing a large table is what a GUI waits for between games.
#[test]
fn new_game_with_a_large_table() {
    let _alone = alone();
    for (dialect, new_game) in [("ucci", "setoption newgame"), ("uci", "ucinewgame")] {
        let mut client = Client::start_in(dialect);
        client.set("Hash", 1024);
        client.sync();
        client.send("position startpos");
        client.send("go depth 5");
        client.expect_terminal();
        let asked = Instant::now();
        client.send(new_game);
        let ready = client.sync();
        assert_within(ready - asked, Duration::from_secs(5), new_game);
    }
}

/// A move must come in time even when there is next to none.
#[test]
fn no_time_left() {
    let _alone = alone();
    let mut client = Client::start_in("ucci");
    client.send("setoption usemillisec true");
    client.sync();
    for time in [0, 1, 20] {
        client.send("position startpos moves h2e2");
        let asked = Instant::now();
        client.send(&format!("go time {time} increment 0 opptime 60000 oppincrement 0"));
        let (at, line) = client.expect_terminal();
        assert!(line.starts_with("bestmove "), "{line}");
        assert_within(at - asked, Duration::from_millis(20), &format!("a move with {time} ms left"));
    }
}

/// The engine keeps to its hash size and 64 MiB for all the rest.
#[test]
#[cfg(target_os = "linux")]
fn resident_memory() {
    let _alone = alone();
    const REST_MIB: u64 = 64;
    for hash in [16, 256] {
        let mut client = Client::start_in("uci");
        client.set("Hash", hash);
        client.set("Threads", 1);
        client.send("position startpos");
        client.send("go movetime 1500");
        client.expect_terminal();
        let status = std::fs::read_to_string(format!("/proc/{}/status", client.id())).expect("the process lives");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("Linux tells the peak");
        let kib: u64 = peak.trim().trim_end_matches("kB").trim().parse().expect("a number");
        assert!(kib <= (hash + REST_MIB) * 1024, "{kib} KiB resident with a hash table of {hash} MiB");
    }
}
