//! Writes what fuzzing starts from: `seeds FOLDER` fills one folder a target in it.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use chuhe_book::{build, eleeye, obk, parse_lines};
use chuhe_eval::network::{Architecture, Network, Parts};
use chuhe_movegen::{Board, Move, Square};
use chuhe_trainer::data::game::{Adjudication, Header, Opening, PackedGame, PackedPly, SearchSettings, Verdict};
use chuhe_trainer::data::{GameOutcome, Record};
use rusqlite::types::Value;
use rusqlite::{Connection, MAIN_DB};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Positions written in ways that programs in the field write them.
const FENS: &[&str] = &[
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r",
    "rnbagabnr/9/1c5c1/s1s1s1s1s/9/9/S1S1S1S1S/1C5C1/9/RNBAGABNR b - - 3 7",
    "4k4/9/9/9/9/9/9/9/9/4K4/ w -- 0 1",
    "4k4/9/9/9/9/9/9/9/9/3K5 b --- 120",
    "3k5/11111111 1/9/9/9/9/9/9/9/5K3 w 0 1",
    "4k1rr1/9/9/9/9/9/9/9/9/5K3 w - - 0 0",
    "RRRRkRRRR/9/9/9/9/9/9/9/9/4K4 w",
];

/// Lines of GUIs in the field.
const COMMANDS: &[&str] = &[
    "ucci",
    "uci",
    "isready",
    "setoption newgame",
    "setoption hashsize 128",
    "setoption usemillisec true",
    "setoption usemillisec on",
    "setoption usebook off",
    "setoption batch true",
    "setoption bookfiles BOOK.DAT;book.obk",
    "setoption promotion false",
    "setoption loadbook",
    "setoption Threads 4",
    "setoption name Hash value 128",
    "setoption name Move Overhead value 30",
    "setoption name UCI_Variant value xiangqi",
    "setoption name EvalFile value <empty>",
    "setoption name Clear Hash",
    "uccinewgame",
    "ucinewgame",
    "newgame",
    "position startpos",
    "position startpos moves h2e2 H9-G7 b0c2",
    "position startpos moves a10a9 e1e2",
    "position fen 4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1 moves e0e1 e9e8",
    "position fen 4k4/9/4K4 w -- 0 1  moves e0e1",
    "position 4k4/9/9/9/9/9/9/9/9/4K4 r moves e0e1",
    "fen 4k4/9/9/9/9/9/9/9/9/3K5 r moves",
    "startpos moves h2e2",
    "banmoves h2e2 b2e2",
    "go",
    "go draw",
    "go infinite",
    "go depth 7 ",
    "go ponder time 60000 increment 0 opptime 50000 oppmovestogo 3",
    "go time 60000 opptime 50000 movestogo 40 increment 0 oppincrement 0 depth 9",
    "go wtime 800 btime 900 winc 1 binc 2 movestogo 9 ponder",
    "go movetime 3000",
    "go nodes 500 mate 3",
    "go perft 2",
    "go infinite searchmoves h2e2 b2e2",
    "ponderhit",
    "ponderhit draw",
    "stop",
    "probe",
    "probe startpos moves h2e2",
    "probe fen 4k4/9/9/9/9/9/9/9/9/3K5 w",
    "d",
    "eval",
    "bench 12",
    "quit",
];

/// Lines of engines.
const REPLIES: &[&str] = &[
    "id name ElephantEye 3.31",
    "id copyright 2004-2011 www.xqbase.com",
    "id author Morning Yellow",
    "option hashsize type spin min 16 max 1024 default 64",
    "option usemillisec type check default true",
    "option newgame type button",
    "option engine type label",
    "option bookfiles type string default BOOK.DAT",
    "option randomness type combo var none var tiny var small default none",
    "option name Hash type spin default 64 min 1 max 4096",
    "option name Repetition Rule type combo default computer axf var computer var axf",
    "option name EvalFile type string default <empty>",
    "ucciok",
    "uciok",
    "uccierror",
    "readyok",
    "info depth 9 score 31 pv h2e2 h9g7 h0g2",
    "info depth 9 score 29990 pv a10a9 A1-A2",
    "info depth 9 seldepth 12 multipv 2 score cp -31 upperbound wdl 20 930 50 nodes 100 nps 200 hashfull 3 tbhits 0 \
     time 500 pv h2e2 h9g7",
    "info depth 1 score mate -3 currmove h2e2 currmovenumber 4",
    "info message hello",
    "info string hello world",
    "bestmove h2e2 ponder h9g7 draw",
    "bestmove h2e2 resign",
    "bestmove (none)",
    "nobestmove",
    "pophash bestmove h2e2 lowerbound 5 depth 7 upperbound -3 depth 2",
    "bye",
];

/// Conversations.
const SESSIONS: &[&str] = &[
    "ucci\nsetoption newgame\nposition startpos\ngo depth 3\nposition startpos moves h2e2\ngo time 100 increment 1\n",
    "uci\nisready\nucinewgame\nposition startpos moves h2e2 h9g7\ngo wtime 100 btime 100\nstop\nquit\n",
    "ucci\nsetoption batch on\ngo depth 2\ngo nodes 50\nsetoption batch off\nprobe\nquit\n",
    "uci\ngo ponder movetime 5\nponderhit\ngo infinite\nposition startpos moves b2e2\ngo depth 1\nstop\nstop\n",
    "ucci\nbanmoves h2e2 b2e2\ngo draw depth 2\nponderhit draw\ngo depth 0\nstop\nquit\ngo depth 1\n",
    "uci\nsetoption name MultiPV value 3\nsetoption name UCI_ShowWDL value true\ngo nodes 100\nd\neval\ngo perft 2\n",
    "ucci\nposition fen 3k5/9/9/9/9/9/9/9/4r4/3rK4 w - - 0 1\ngo depth 2\nposition fen nonsense\ngo\nd\n",
    "uci\nsetoption name Skill Level value 3\nsetoption name UCI_LimitStrength value true\ngo depth 2\nucci\nstop\n",
    "fen 4k4/9/9/9/9/9/9/9/9/3K5 r moves\ngo mate 3\nisready\nprobe startpos\nsetoption debug true\ngo searchmoves d0d1\n",
    "uci\nposition startpos moves a10a9 b3e3\ngo depth 1 searchmoves h3e3\nsetoption usemillisec false\ngo time 0\n",
];

/// Game files that are not among the test cases.
const PGNS: &[&str] = &[
    "[Event \"1\"]\n[Red \"A\"]\n\n{game}\n1. h2e2 {c} (1. b2e2 b9c7) h9g7 $1 2. h0g2!? ; rest\n1-0\n====\n\n[Event \"2\"]\n*\n",
    "[FEN \"5k3/4P4/9/9/9/9/9/9/4r4/3K5 b - - 3 40\"]\r\n[White \"B\"]\r\n1. ... e1e8 (1. ... e1e2 （2. d0d1）) 2. d0d1 *\r\n",
    "h2e2 { no end\n\n[Game \"Chinese Chess\"]\nb2e2 {a\n[Red \"x\"]\n} h9g7 (h7e7 (b7e7 {x}) h0g2)\n%x\n[Site \"C:\\\"]\n",
    "1. Che2 Hg7 2. H0-G2 Rh9 3. Rh0 1/2-1/2",
];

/// Games on lines that are not among the test cases.
const GAME_LINES: &[&str] = &[
    "# remark\n\nh2e2 h9g7 h0g2\nposition startpos moves H2-E2 Hg7\nstartpos\n4k4/9/9/9/9/9/9/9/9/3K5 r moves d0d1\n",
    "炮二平五 马8进7\nC2=5 H8+7\nposition fen 3k5/9/9/9/9/9/9/9/R8/4K4 w - - 0 1 moves a1a2 d9d8\n",
    "{\"id\": null, \"start_fen\": \"3k5/9/9/9/9/9/9/9/R8/4K4 w\", \"moves\": \"a1a2 d9d8\", \"ruleset\": \"AsianRule\"}\n{\n[]\n{}\n",
    "{ \"fen\": \"3k5/9/9/9/9/9/9/9/R8/4K4 w\", \"moves\": [\"a1a2\", \"\\u8f66\", 7], \"ruleset\": 5, \"id\": [1, {}] }\n",
    "{ a comment } 1. h2e2 h9g7\n",
];

fn main() -> Outcome<()> {
    let folder = env::args().nth(1).ok_or("expected the folder of the corpora")?;
    let folder = Path::new(&folder);
    write(&folder.join("fen"), positions()?.into_iter().map(String::into_bytes))?;
    let lines = COMMANDS.iter().chain(REPLIES).map(|line| line.as_bytes().to_vec());
    write(&folder.join("protocol"), lines)?;
    write(&folder.join("session"), SESSIONS.iter().map(|text| text.as_bytes().to_vec()))?;
    write(&folder.join("book"), books()?.into_iter())?;
    write(&folder.join("pgn"), game_files()?.into_iter())?;
    write(&folder.join("formats"), files_of_every_format()?.into_iter())?;
    write(&folder.join("lines"), game_lines()?.into_iter().map(String::into_bytes))?;
    write(&folder.join("games"), packed_games()?.into_iter())?;
    write(&folder.join("network"), networks()?.into_iter())?;
    Ok(())
}

/// The beginnings of network files, up to their weights, and numbers to make networks of.
fn networks() -> Outcome<Vec<Vec<u8>>> {
    let mut files = Vec::new();
    for (input_buckets, hidden, output_buckets) in [(1, 64, 1), (6, 256, 8), (1, 1024, 8)] {
        let architecture = Architecture::new(input_buckets, hidden, output_buckets)?;
        let file = Network::from_parts(&Parts::random(architecture, 1))?.to_bytes();
        files.push(file[..200].to_vec());
    }
    files.push(b"\x00\x17\x05\x00abcd\x01\x02\x03\xff\xfe\xfd".to_vec());
    files.push(b"\x07\xff\x80\x09\xc3\xa4cd\x10\xf0\x7f\x80\x05".to_vec());
    files.push(b"\x05\x20\x7f\x01abcd\x7f".to_vec());
    Ok(files)
}

fn write(folder: &Path, seeds: impl Iterator<Item = Vec<u8>>) -> Outcome<()> {
    fs::create_dir_all(folder)?;
    for (index, seed) in seeds.enumerate() {
        fs::write(folder.join(format!("seed-{index:03}")), seed)?;
    }
    Ok(())
}

/// The positions of the test cases and those above.
fn positions() -> Outcome<Vec<String>> {
    let mut fens: Vec<String> = FENS.iter().map(|fen| (*fen).to_owned()).collect();
    for cases in ["perft.jsonl", "mates.jsonl"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data").join(cases);
        for line in fs::read_to_string(path)?.lines() {
            let case: serde_json::Value = serde_json::from_str(line)?;
            fens.push(case["fen"].as_str().ok_or("a case without a position")?.to_owned());
        }
    }
    Ok(fens)
}

/// The game files of the test cases and those above.
fn game_files() -> Outcome<Vec<Vec<u8>>> {
    let mut files: Vec<Vec<u8>> = PGNS.iter().map(|text| text.as_bytes().to_vec()).collect();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../records/tests/data"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "pgn") {
            files.push(fs::read(path)?);
        }
    }
    Ok(files)
}

/// Texts in formats of which the test cases have none, or few.
const TEXTS: &[&str] = &[
    "第一局\n红方：甲\n黑方：乙\n结果：红先胜\n\n1. 炮二平五 马8进7\n好棋\n2. 马二进三 (马八进七) 车9平8\n\n第二局\n1. 兵七进一\n",
    "FORMAT\tWXF\nRED\tA\nRESULT\t1-0\n\nSTART{\n1. C2.5 H8+7\n}END\n",
    "1.炮二平五马8进72.马二进三，车9平8\nFEN: 3k5/9/9/9/9/9/9/9/9/R3K4 w\n1. 车九进九",
    "3k5/9/9/9/9/9/9/9/9/R3K4 w - - bm a0a9; id \"one\"; c0 \"a note\"; hmvc 3;\n3k5/9/9/9/9/9/9/9/9/R3K4 b moves d9d8\n",
    "{\"id\":1,\"start_fen\":\"startpos\",\"moves\":[\"h2e2\",\"h9g7\"],\"result\":\"1-0\",\"tags\":{\"Red\":\"A\"},\
     \"comments\":[{\"line\":1,\"ply\":2,\"text\":\"x\",\"nags\":[1]}],\"variations\":[{\"line\":0,\"ply\":2,\"moves\":[\"b9c7\"]}]}",
    "<?xml version=\"1.0\"?><ChineseChessRecord><Head><Red>A &amp; B</Red><Black/><RecordResult>2</RecordResult><FEN/></Head>\
     <MoveList><Move value=\"00-00\">game</Move><Move value=\"77-47\"><![CDATA[<first>]]></Move><Move value=\"70-62\" end=\"1\"/>\
     </MoveList></ChineseChessRecord>",
    "[DHJHtmlXQ][DHJHtmlXQ_32]0[/DHJHtmlXQ_32][DHJHtmlXQ_33]4[/DHJHtmlXQ_33][DHJHtmlXQ_34]72427967[/DHJHtmlXQ_34][/DHJHtmlXQ]",
];

/// The game files of the test cases, shortened, a small library, and the texts above.
fn files_of_every_format() -> Outcome<Vec<Vec<u8>>> {
    const LONGEST: usize = 2900;
    let mut files: Vec<Vec<u8>> = TEXTS.iter().map(|text| text.as_bytes().to_vec()).collect();
    files.push("\u{feff}1. 炮二平五 马8进7".encode_utf16().flat_map(u16::to_le_bytes).collect());
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../records/tests/data"))? {
        let path = entry?.path();
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        if matches!(extension, "pgn" | "jsonl" | "md") {
            continue;
        }
        let mut file = fs::read(&path)?;
        if extension == "cbr" {
            files.push([b"CCBridgeLibrary\0", &file[..2300]].concat());
        }
        file.truncate(LONGEST);
        files.push(file);
    }
    Ok(files)
}

/// The games of the test cases, one a seed, and those above.
fn game_lines() -> Outcome<Vec<String>> {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/repetition.jsonl");
    let mut games: Vec<String> = GAME_LINES.iter().map(|text| (*text).to_owned()).collect();
    for line in fs::read_to_string(cases)?.lines() {
        let case: serde_json::Value = serde_json::from_str(line)?;
        let game: serde_json::Map<_, _> = ["id", "ruleset", "fen", "moves"]
            .iter()
            .filter_map(|&key| Some((key.to_owned(), case.get(key)?.clone())))
            .collect();
        games.push(serde_json::Value::Object(game).to_string());
    }
    Ok(games)
}

/// A few moves of the opening: the position is the initial one after the first list of moves.
const BOOK_MOVES: &[(&[&str], &str, u16)] = &[
    (&[], "h2e2", 60),
    (&[], "c3c4", 5000),
    (&[], "g3g4", 0),
    (&[], "i0i5", 80),
    (&["h2e2"], "h9g7", 40),
    (&["b2e2"], "b9c7", 41),
    (&["c3c4"], "b7c7", 30),
    (&["h2e2", "h9g7"], "h0g2", 9),
];

/// Small books of all formats.
fn books() -> Outcome<Vec<Vec<u8>>> {
    let openings = Path::new(env!("CARGO_MANIFEST_DIR")).join("../book/data/openings.txt");
    let lines = parse_lines(&fs::read_to_string(openings)?)?;
    Ok(vec![
        build(&[]),
        build(&lines[..1]),
        build(&lines[..lines.len().min(6)]),
        elephant_eye()?,
        elephant_eye()?[..8].to_vec(),
        obk_file("bhobk", "INTEGER", false)?,
        obk_file("bhobk", "INTEGER", true)?,
        obk_file("pfBook", "", false)?,
        obk_file("other", "", false)?,
    ])
}

/// A point of the 16 × 16 board of the older formats.
fn code(square: Square) -> u8 {
    ((9 - square.rank() + 3) << 4) | (square.file() + 3)
}

/// The moves above with their positions.
fn book_moves() -> Outcome<Vec<(Board, Move, u16)>> {
    let mut moves = Vec::new();
    for (line, mv, weight) in BOOK_MOVES {
        let mut board = Board::startpos();
        for mv in *line {
            board = board.play(mv.parse()?)?;
        }
        moves.push((board, mv.parse()?, *weight));
    }
    Ok(moves)
}

fn elephant_eye() -> Outcome<Vec<u8>> {
    let mut records: Vec<(u32, [u8; 8])> = Vec::new();
    for (board, mv, weight) in book_moves()? {
        let key = eleeye::key(&board);
        let mut record = [0; 8];
        record[..4].copy_from_slice(&key.to_le_bytes());
        record[4..6].copy_from_slice(&[code(mv.from()), code(mv.to())]);
        record[6..].copy_from_slice(&weight.to_le_bytes());
        records.push((key, record));
    }
    records.sort_unstable();
    Ok(records.into_iter().flat_map(|(_, record)| record).collect())
}

/// A database with pages as small as they can be.
fn obk_file(table: &str, kind: &str, indexed: bool) -> Outcome<Vec<u8>> {
    let mut connection = Connection::open_in_memory()?;
    connection.pragma_update(None, "page_size", 512)?;
    connection.execute_batch(&format!(
        "CREATE TABLE {table} (id INTEGER PRIMARY KEY, vkey {kind}, vmove {kind}, vscore {kind}, vvalid {kind})"
    ))?;
    if indexed {
        connection.execute_batch(&format!("CREATE INDEX k ON {table} (vkey)"))?;
    }
    for (board, mv, weight) in book_moves()? {
        let key = obk::key(&board);
        // As the writers of these files do.
        let key = if key < 0 { Value::Real(f64::from_bits(key as u64)) } else { Value::Integer(key) };
        let code = i64::from(code(mv.from())) * 256 + i64::from(code(mv.to()));
        connection.execute(
            &format!("INSERT INTO {table} (vkey, vmove, vscore, vvalid) VALUES (?1, ?2, ?3, 1)"),
            (key, code, weight),
        )?;
    }
    let bytes = connection.serialize(MAIN_DB)?.to_vec();
    Ok(bytes)
}

/// Short games that end in different ways: position, moves, result and verdict.
const GAMES: &[(&str, &str, GameOutcome, Verdict)] = &[
    ("3k5/R8/9/9/9/9/9/9/9/1R2K4 w - - 3 20", "b0b9", GameOutcome::Win, Verdict::Checkmate),
    (
        Board::START_FEN,
        "b0c2 b9c7 c2b0 c7b9 b0c2 b9c7 c2b0 c7b9",
        GameOutcome::Draw,
        Verdict::RepetitionDraw,
    ),
    ("3ak4/9/9/9/9/9/9/4r4/4K4/4n4 w - - 119 90", "e1d1", GameOutcome::Draw, Verdict::NaturalLimit),
    (Board::START_FEN, "h2e2 h9g7 e2e6 b9c7", GameOutcome::Loss, Verdict::AdjudicatedWin),
];

/// Packed game files whole and in parts, and records.
fn packed_games() -> Outcome<Vec<Vec<u8>>> {
    let search = SearchSettings {
        fingerprint: 1,
        network: "hce".to_owned(),
        soft_nodes: 1000,
        hard_nodes: 8000,
        hash_mib: 8,
        opening_nodes: 20_000,
        opening_limit: 300,
    };
    let header = Header {
        generator: "seeds".to_owned(),
        seed: 1,
        rules: "computer".to_owned(),
        search,
        adjudication: Adjudication::default(),
        rescored: Vec::new(),
    };
    let mut games: Vec<Vec<u8>> = Vec::new();
    let mut records: Vec<u8> = Vec::new();
    for (number, (fen, moves, outcome, verdict)) in (0..).zip(GAMES) {
        let start: Board = fen.parse()?;
        let mut board = start.clone();
        let mut plies = Vec::new();
        for mv in moves.split(' ') {
            let mv: Move = mv.parse()?;
            records.extend(Record::new(&board, *outcome, -30, 9).to_bytes());
            plies.push(PackedPly::new(&board, mv, 25));
            board = board.play(mv)?;
        }
        let start_ply = 2 * (start.fullmove_number() - 1);
        let (outcome, verdict, opening) = (*outcome, *verdict, Opening::Initial);
        games.push(PackedGame { number, start, start_ply, opening, plies, outcome, verdict }.to_bytes());
    }
    let file = [header.to_bytes()?, games.concat()].concat();
    Ok(vec![header.to_string().into_bytes(), file, games.concat(), games[0].clone(), records])
}
