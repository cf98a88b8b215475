//! Mutated lines: no panic, no hang, and as many answers as questions.

mod gui;

use chuhe_protocol::{Command, Dialect};
use gui::{Gui, is_terminal};
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Lines from the reference of the protocol.
const SEEDS: &[&str] = &[
    "isready",
    "setoption usemillisec true",
    "setoption batch true",
    "setoption name Hash value 2",
    "setoption hashsize 1",
    "setoption threads 2",
    "setoption name MultiPV value 3",
    "setoption name Skill Level value 3",
    "setoption name Clear Hash",
    "setoption bookfiles \u{68cb}\u{8c31}.obk;x",
    "setoption name Repetition Rule value asianrule",
    "setoption randomness small",
    "setoption newgame",
    "ucinewgame",
    "newgame",
    "position startpos",
    "position startpos moves h2e2 h9g7 h0g2 i9h9",
    "position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves b0c2",
    "position fen 3k5/9/9/9/9/9/9/9/3r5/3rK4 w - - 0 1",
    "fen 4k1rr1/9/9/9/9/9/9/9/9/5K3 w - - 0 0 moves f0f1",
    "startpos moves a1a2 a10a9",
    "position fen foobar",
    "banmoves h2e2 b2e2 junk",
    "go depth 2",
    "go nodes 30",
    "go movetime 1",
    "go time 1 increment 0 opptime 100 oppincrement 3",
    "go wtime 10 btime 10 winc 1 binc 1 movestogo 5",
    "go ponder time 10",
    "go infinite searchmoves h2e2",
    "go draw depth 1",
    "go mate 2",
    "go perft 1",
    "go depth 0",
    "go",
    "ponderhit",
    "ponderhit draw",
    "stop",
    "probe startpos moves h2e2",
    "d",
    "eval",
    "",
];

fn mutate(rng: &mut impl Rng) -> Vec<u8> {
    let mut line = SEEDS.choose(rng).map(|seed| seed.as_bytes().to_vec()).unwrap_or_default();
    for _ in 0..rng.random_range(0..4) {
        let at = rng.random_range(0..=line.len());
        match rng.random_range(0..7) {
            0 => line.insert(at, rng.random()),
            1 => drop(line.drain(at..)),
            2 if at < line.len() => line[at] = rng.random(),
            3 if at < line.len() => drop(line.remove(at)),
            4 => {
                let other = SEEDS.choose(rng).map_or("", |seed| *seed);
                line.splice(at..at, other.bytes().chain(*b" "));
            }
            5 => line.splice(at..at, *b" -999999999999999999999 ").for_each(drop),
            _ => line.splice(at..at, *b"  \t").for_each(drop),
        }
    }
    line.retain(|&byte| byte != b'\n');
    line
}

/// Sends mutated lines and counts the answers. Lines that would end or change the session are left out.
fn survive(dialect: Dialect, seed: u64, count: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut gui = Gui::new();
    gui.send(&format!("{}\nsetoption hashsize 1", dialect.name()));
    gui.read_until(&format!("{}ok", dialect.name()));
    let (mut sent, mut asked, mut answered) = (0, 0, 0);
    while sent < count {
        let mut block = Vec::new();
        for _ in 0..50 {
            let line = mutate(&mut rng);
            let is_welcome = match Command::parse(&line) {
                Command::Quit | Command::Handshake(_) => false,
                // In UCCI an idle `stop` is answered like a search.
                Command::Stop => dialect == Dialect::Uci,
                // A table of gigabytes is legal and slow; so is a hundred threads on one processor.
                Command::SetOption(option) => option.value.to_int().is_none_or(|number| number.abs() < 4),
                Command::Go(go) => {
                    asked += 1;
                    go.perft.is_none_or(|depth| depth < 3)
                }
                _ => true,
            };
            if is_welcome {
                block.extend_from_slice(&line);
                block.push(b'\n');
                sent += 1;
            } else if matches!(Command::parse(&line), Command::Go(_)) {
                asked -= 1;
            }
        }
        // Whatever runs is ended: by the last search, which ends by itself.
        block.extend_from_slice(b"setoption batch off\nposition startpos\ngo depth 1\n");
        asked += 1;
        gui.send_bytes(&block);
        // Long searches are allowed, but not waited for.
        let mut stops = 0;
        while answered < asked {
            match gui.answer_within(std::time::Duration::from_millis(20)) {
                Some(line) => {
                    assert!(is_terminal(&line));
                    answered += 1;
                }
                None => {
                    gui.send("stop");
                    stops += 1;
                    assert!(stops < 3000, "no answer for {} searches", asked - answered);
                }
            }
        }
        gui.send("isready");
        let late = gui.read_until("readyok");
        let extra = late.iter().filter(|line| is_terminal(line)).count();
        assert!(extra <= if dialect == Dialect::Ucci { stops } else { 0 }, "{extra} answers too many");
    }
    let rest = gui.script("quit");
    assert_eq!(rest.iter().filter(|line| is_terminal(line)).count(), 0);
}

#[test]
fn mutated_lines_in_uci() {
    survive(Dialect::Uci, 1, 50_000);
}

#[test]
fn mutated_lines_in_ucci() {
    survive(Dialect::Ucci, 2, 50_000);
}

#[test]
fn every_answer_is_given_before_the_end() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for _ in 0..100 {
        let mut gui = Gui::uci();
        let mut asked = 0;
        for _ in 0..20 {
            let line = mutate(&mut rng);
            match Command::parse(&line) {
                Command::Quit | Command::Handshake(_) | Command::SetOption(_) => continue,
                Command::Go(go) if go.perft.is_some() => continue,
                Command::Go(_) => asked += 1,
                _ => {}
            }
            gui.send_bytes(&line);
            gui.send_bytes(b"\n");
        }
        let lines = gui.close();
        assert_eq!(lines.iter().filter(|line| is_terminal(line)).count(), asked, "{lines:#?}");
    }
}
