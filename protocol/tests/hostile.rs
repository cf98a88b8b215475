//! Input that nobody should send.

use std::time::{Duration, Instant};

use chuhe_protocol::{
    BestMove, Choice, Command, Dialect, IdField, Info, MAX_REPLY_LEN, OptionDecl, OptionKind, Reply, Score, WireMove,
};

/// SplitMix64: enough to make the same mess on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

const COMMANDS: [&str; 16] = [
    "ucci",
    "isready",
    "setoption hashsize 128",
    "setoption name Move Overhead value 30",
    "setoption name BookFile value <empty>",
    "position fen 4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1 moves e0e1 e9e8",
    "position startpos moves h2e2 H9-G7 a10a9",
    "fen 4k4/9 r moves e0e1",
    "startpos moves h2e2",
    "banmoves h2e2 b2e2",
    "go ponder time 60000 increment 0 opptime 5 oppmovestogo 3",
    "go wtime 1 btime -2 winc 3 binc 4 movestogo 0 draw",
    "go infinite searchmoves h2e2 depth 99999999999999999999",
    "ponderhit draw",
    "probe fen 4k4/9 b - -",
    "bench 12",
];

const REPLIES: [&str; 12] = [
    "id name Engine 1",
    "option hashsize type spin min 16 max 1024 default 64",
    "option name Rule type combo default A B var A B var C",
    "option name EvalFile type string default <empty>",
    "ucciok",
    "info depth 9 seldepth 12 multipv 2 score cp -31 upperbound wdl 20 930 50 nodes 100 time 500 pv h2e2 h9g7",
    "info depth 9 score 29990 pv a10a9 A1-A2",
    "info depth 1 score mate -3 currmove h2e2 currmovenumber 4 string hello world",
    "info message hello",
    "bestmove h2e2 ponder h9g7 draw",
    "bestmove (none)",
    "pophash bestmove h2e2 lowerbound 5 depth 7 upperbound -3 depth 2",
];

const PIECES: [&[u8]; 12] = [
    b" ",
    b"\t\r",
    b"\0",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"-",
    b"99999999999999999999999",
    b" moves ",
    b" default ",
    b"10",
    b"\xc6\xe5",
    b" value ",
];

/// A line with up to six random changes: bytes flipped, pieces put in, parts doubled or cut out.
fn mutate(line: &str, random: &mut Random) -> Vec<u8> {
    let mut bytes = line.as_bytes().to_vec();
    for _ in 0..random.below(7) {
        let at = random.below(bytes.len() + 1);
        let end = (at + random.below(12)).min(bytes.len());
        match random.below(4) {
            0 if at < bytes.len() => bytes[at] = random.next() as u8,
            1 => drop(bytes.splice(at..at, random.pick(&PIECES).iter().copied())),
            2 => bytes.extend_from_within(at..end),
            _ => drop(bytes.drain(at..end)),
        }
    }
    bytes
}

fn assert_safe(line: &str) {
    assert!(line.len() <= MAX_REPLY_LEN, "{} bytes", line.len());
    assert!(line.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{line:?}");
}

#[test]
fn mutated_lines_are_only_lines() {
    let mut random = Random(1);
    for _ in 0..100_000 {
        let bytes = mutate(random.pick(&COMMANDS), &mut random);
        for dialect in Dialect::ALL {
            let line = Command::parse(&bytes).to_line(dialect);
            assert!(!line.iter().any(|byte| b"\r\n\0".contains(byte)));
        }
        // Canonical text stays as it is.
        let canonical = Command::parse(&bytes).to_line(Dialect::Uci);
        let again = Command::parse(&canonical).to_line(Dialect::Uci);
        assert_eq!(String::from_utf8_lossy(&again), String::from_utf8_lossy(&canonical));

        let bytes = mutate(random.pick(&REPLIES), &mut random);
        for dialect in Dialect::ALL {
            let line = Reply::parse(&bytes).to_line(dialect);
            assert_safe(&line);
            assert_eq!(Reply::parse(line.as_bytes()).to_line(dialect), line);
        }
    }
}

#[test]
fn options_named_like_keywords() {
    for (line, ucci, uci) in [
        ("setoption value 30", "setoption value 30", "setoption name value value 30"),
        ("setoption name value value 30", "setoption value 30", "setoption name value value 30"),
        ("setoption name name value 30", "setoption name name value 30", "setoption name name value 30"),
        ("setoption name Name", "setoption name Name", "setoption name Name"),
        ("setoption \u{c} 30", "setoption \u{c} 30", "setoption name \u{c} value 30"),
    ] {
        let command = Command::parse(line.as_bytes());
        for (dialect, expected) in [(Dialect::Ucci, ucci), (Dialect::Uci, uci)] {
            assert_eq!(String::from_utf8_lossy(&command.to_line(dialect)), expected);
            assert_eq!(Command::parse(expected.as_bytes()), command, "{expected:?}");
        }
    }
}

#[test]
fn replies_are_short_ascii_whatever_they_hold() {
    let texts = [
        "draw bestmove h2e2 resign".to_owned(),
        "\u{8c61}\u{68cb}\nquit\r\0\t\u{1b}[2J \u{7f}\u{feff}".to_owned(),
        "x".repeat(100_000),
        "\u{5c06}".repeat(100_000),
        "word ".repeat(10_000),
        " ".repeat(5000) + "x",
        String::new(),
    ];
    let long_pv: Vec<WireMove> = (0..5000).filter_map(|_| "a10a9".parse().ok()).collect();
    for text in texts {
        let many = vec![text.clone(); 500];
        let replies = [
            Reply::Id(IdField::Name, text.clone()),
            Reply::Text(text.clone()),
            Reply::message(text.clone()),
            Reply::from(Info { message: Some(text.clone()), pv: long_pv.clone(), ..Info::default() }),
            Reply::Option(OptionDecl::new(text.clone(), OptionKind::Button)),
            Reply::Option(OptionDecl::new("x", OptionKind::string(text.clone()))),
            Reply::Option(OptionDecl::new("x", OptionKind::Combo { default: Some(text.clone()), vars: many })),
            Reply::BestMove(BestMove { choice: Choice::Unreadable(text.clone()), ..BestMove::NONE }),
        ];
        for reply in replies {
            for dialect in Dialect::ALL {
                let line = reply.to_line(dialect);
                assert_safe(&line);
                assert!(!line.ends_with(' '), "{line:?}");
                assert!(!line.ends_with("default"), "{line:?}");
                if let Reply::Info(_) | Reply::Id(..) = reply {
                    for word in ["bestmove", "draw", "resign"] {
                        assert!(!line.contains(word), "{line:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_long_variation_is_cut_between_moves() {
    let pv: Vec<WireMove> = (0..1000).filter_map(|_| "h2e2".parse().ok()).collect();
    let info = Info {
        depth: Some(u32::MAX),
        score: Some(Score::Cp(-28_000)),
        time: Some(u64::MAX),
        nodes: Some(u64::MAX),
        nps: Some(u64::MAX),
        pv,
        ..Info::default()
    };
    for dialect in Dialect::ALL {
        let line = Reply::from(info.clone()).to_line(dialect);
        assert_safe(&line);
        assert!(line.ends_with(" h2e2") && line.len() > MAX_REPLY_LEN - 5);
    }
}

#[test]
fn long_lines_take_linear_time() {
    const SIZE: usize = 10 << 20;
    let fill = |head: &str, unit: &str| {
        let mut line = head.as_bytes().to_vec();
        while line.len() < SIZE {
            line.extend_from_slice(unit.as_bytes());
        }
        line
    };
    let lines = [
        fill("position startpos moves", " h2e2"),
        fill("position fen", " x"),
        fill("position fen", " -"),
        fill("position startpos moves h2e2 ", "x"),
        fill("go", " depth"),
        fill("go searchmoves", " h2e2"),
        fill("go depth ", "9"),
        fill("setoption name", " x"),
        fill("setoption x ", "y "),
        fill("info pv", " h2e2"),
        fill("info", " score"),
        fill("option x type combo", " var a"),
        fill("option name", " name"),
        fill("id name ", "x"),
        fill("", " "),
        fill("", "x"),
        fill("", "\u{feff}"),
    ];
    // Generous for a busy machine; quadratic time would take hours.
    let start = Instant::now();
    for line in &lines {
        Command::parse(line).to_line(Dialect::Ucci);
        Reply::parse(line).to_line(Dialect::Ucci);
    }
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}
