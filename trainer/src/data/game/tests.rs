use std::io::Write as _;

use chuhe_movegen::{PieceType, Square};
use proptest::prelude::*;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use super::*;

fn header() -> Header {
    Header {
        generator: "a test".to_owned(),
        seed: 42,
        rules: "computer".to_owned(),
        search: SearchSettings {
            fingerprint: 123_456,
            network: "hce".to_owned(),
            soft_nodes: 1000,
            hard_nodes: 8000,
            hash_mib: 8,
            opening_nodes: 20_000,
            opening_limit: 300,
        },
        adjudication: Adjudication::default(),
        rescored: Vec::new(),
    }
}

/// A game of random moves to its end by the rules, captures preferred so that it comes, with random scores.
pub(crate) fn random_game(seed: u64) -> PackedGame {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut game = Game::new(Board::startpos());
    for _ in 0..rng.random_range(0..10) {
        let moves = game.board().legal_moves();
        game.play(moves[rng.random_range(0..moves.len())]).expect("a legal move");
    }
    let start = game.board().clone();
    let start_ply = game.plies().len() as u16 - 1;
    let mut game = Game::new(start.clone());
    let mut plies = Vec::new();
    let ending = loop {
        if let Some(ending) = game.ending(&RuleSet::COMPUTER) {
            break ending;
        }
        let moves = game.board().legal_moves();
        let capture = moves.iter().copied().find(|&mv| game.board().is_capture(mv));
        let mv = capture.filter(|_| rng.random()).unwrap_or(moves[rng.random_range(0..moves.len())]);
        plies.push(PackedPly::new(game.board(), mv, rng.random()));
        game.play(mv).expect("a legal move");
    };
    PackedGame {
        number: rng.random(),
        start,
        start_ply,
        opening: Opening::ALL[rng.random_range(0..3)],
        plies,
        outcome: GameOutcome::of_loser(ending.loser()),
        verdict: Verdict::of(&ending),
    }
}

pub(crate) fn file_of(games: &[PackedGame]) -> Vec<u8> {
    let mut bytes = header().to_bytes().expect("a header");
    games.iter().for_each(|game| bytes.extend(game.to_bytes()));
    bytes
}

fn read(bytes: &[u8]) -> Result<Vec<PackedGame>, GameFileError> {
    Reader::new(bytes)?.collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_written_reads_back(seeds in prop::collection::vec(any::<u64>(), 0..4)) {
        let games: Vec<PackedGame> = seeds.into_iter().map(random_game).collect();
        let bytes = file_of(&games);
        let mut reader = Reader::new(&bytes[..]).expect("a header");
        prop_assert_eq!(reader.header(), &header());
        let again: Vec<PackedGame> = reader.by_ref().collect::<Result<_, _>>().expect("whole games");
        prop_assert_eq!(reader.offset(), bytes.len() as u64);
        for game in &again {
            prop_assert_eq!(game.verify(&RuleSet::COMPUTER), Ok(()));
            prop_assert_eq!(game.positions().count(), game.plies.len());
        }
        prop_assert_eq!(again, games);
    }

    #[test]
    fn a_file_cut_anywhere_loses_the_last_games_only(seed: u64, cut: prop::sample::Index) {
        let games = [random_game(seed), random_game(seed ^ 1), random_game(seed ^ 2)];
        let bytes = file_of(&games);
        let first = file_of(&[]).len();
        let cut = first + cut.index(bytes.len() - first);
        let mut reader = Reader::new(&bytes[..cut]).expect("a header");
        let mut whole = 0;
        let mut torn = false;
        for game in reader.by_ref() {
            match game {
                Ok(game) => {
                    prop_assert_eq!(&game, &games[whole]);
                    whole += 1;
                }
                Err(error) => {
                    prop_assert!(error.is_torn(), "{}", error);
                    torn = true;
                }
            }
        }
        let end = file_of(&games[..whole]).len();
        prop_assert_eq!(reader.offset() as usize, end);
        prop_assert_eq!(torn, cut > end);
        prop_assert!(whole == 3 || file_of(&games[..=whole]).len() > cut);
    }

    #[test]
    fn a_changed_bit_is_noticed(seed: u64, at: prop::sample::Index, bit in 0..8) {
        let game = random_game(seed);
        let mut bytes = file_of(&[game.clone(), game]);
        let at = at.index(bytes.len());
        bytes[at] ^= 1u8 << bit;
        prop_assert!(read(&bytes).is_err(), "bit {} of byte {}", bit, at);
    }
}

#[test]
fn headers_say_what_is_wrong_with_them() {
    let good = header().to_bytes().expect("a header");
    let message = |bytes: &[u8]| Reader::new(bytes).expect_err("a fault").to_string();
    assert_eq!(message(b"CHUHENET...."), "not a game file: it does not begin with CHUHEGAM");
    assert_eq!(message(b"CHU"), "not a game file: it does not begin with CHUHEGAM");
    assert_eq!(message(&good[..good.len() - 1]), "the file ends within its header");
    let changed = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        message(&bytes)
    };
    assert_eq!(changed(8, 9), "format version 9, expected 1");
    assert_eq!(changed(15, 1), format!("header of {} bytes, expected at most 65536", (1 << 24) + good.len() - 24));
    assert_eq!(changed(20, b'x'), "damaged header: the checksum does not match");
    assert!(header().to_string().starts_with("generator = \"a test\"\nseed = 42\n"));
}

/// The layout is a contract with files on disk.
#[test]
fn the_layout_is_the_documented_one() {
    let start = Board::from_fen("3k5/9/9/9/9/9/9/9/R8/4K4 b - - 7 30").expect("a position");
    let mv: Move = "d9d8".parse().expect("a move");
    let game = PackedGame {
        number: 0x0102_0304,
        plies: vec![PackedPly::new(&start, mv, 513)],
        start,
        start_ply: 59,
        opening: Opening::Endgame,
        outcome: GameOutcome::Win,
        verdict: Verdict::AdjudicatedWin,
    };
    let bytes = game.to_bytes();
    assert_eq!(bytes.len(), 32 + 4 + 12);
    assert_eq!(bytes[28..32], [59, 0, 7, 2]);
    // From d9 (84) to d8 (75), 84 × 128 + 75 = 0x2a4b; Black's 513 is Red's −513.
    assert_eq!(bytes[32..36], [0x4b, 0x2a, 0xff, 0xfd]);
    assert_eq!(bytes[36..44], [0, 0, 2, 6, 4, 3, 2, 1]);
    assert_eq!(read(&[header().to_bytes().expect("a header"), bytes].concat()).expect("a file"), [game]);
}

/// The classic mistake: a score from one side read as the other's.
#[test]
fn scores_and_results_belong_to_the_side_to_move() {
    // Red is a rook ahead, and Red wins.
    let start = Board::from_fen("3k5/9/9/9/9/9/9/9/R8/4K4 w - - 0 1").expect("a position");
    let [first, second] = ["a1a2", "d9d8"].map(|mv| mv.parse::<Move>().expect("a move"));
    let after = start.play(first).expect("a legal move");
    let game = PackedGame {
        number: 0,
        plies: vec![PackedPly::new(&start, first, 900), PackedPly::new(&after, second, -950)],
        start,
        start_ply: 8,
        opening: Opening::Endgame,
        outcome: GameOutcome::Win,
        verdict: Verdict::AdjudicatedWin,
    };
    assert_eq!(game.plies.iter().map(|ply| ply.red_score()).collect::<Vec<_>>(), [900, 950]);
    let positions: Vec<Position> = game.positions().collect::<Result<_, _>>().expect("legal moves");
    let seen: Vec<_> = positions.iter().map(|p| (p.board.side_to_move(), p.score, p.outcome, p.ply)).collect();
    assert_eq!(seen, [(Color::Red, 900, GameOutcome::Win, 8), (Color::Black, -950, GameOutcome::Loss, 9)]);
    for position in &positions {
        let record = position.record();
        assert_eq!((record.side_to_move(), record.score()), (position.board.side_to_move(), position.score));
        assert_eq!(record.outcome(), position.outcome);
        // Who has the rook expects to win.
        let rook = record.pieces().find(|(piece, _)| piece.kind == PieceType::Rook).expect("a rook").0;
        assert_eq!(record.score() > 0, rook.color == record.side_to_move());
    }
}

/// What only a writer with a mistake can write: every checksum is right.
#[test]
fn sealed_nonsense_is_refused() {
    let game = random_game(5);
    let fault = |at: usize, byte: u8| {
        let mut bytes = game.to_bytes();
        let end = bytes.len() - 4;
        let at = if at < START_SIZE { at } else { end - at + START_SIZE };
        bytes[at] = byte;
        let checksum = checksum(&bytes[..end]);
        bytes[end..].copy_from_slice(&checksum.to_le_bytes());
        match read(&[header().to_bytes().expect("a header"), bytes].concat()) {
            Err(GameFileError::Game { index: 0, fault, .. }) => fault.to_string(),
            other => panic!("{other:?}"),
        }
    };
    // Bytes of the start; beyond it, counted back from the number at the end.
    let tail = |back: usize| START_SIZE + 4 + back;
    assert_eq!(fault(11, 8), "start: unused bits are not zero");
    assert_eq!(fault(31, 3), "kind of opening 3, expected 0-2");
    assert_eq!(fault(tail(1), 8), "verdict 8, expected 0-7");
    assert_eq!(fault(tail(2), 3), "result 3, expected 0 (Black won), 1 (draw) or 2 (Red won)");
    assert_eq!(fault(tail(3), 0x80), "end mark 0x8000, expected 0");
    let parity = fault(28, (game.start_ply as u8) ^ 1);
    assert!(parity.starts_with("start: ") && parity.ends_with(" to move"), "{parity}");
}

#[test]
fn games_against_the_rules_are_refused() {
    let fault = |change: &dyn Fn(&mut PackedGame)| {
        let mut game = random_game(3);
        change(&mut game);
        game.verify(&RuleSet::COMPUTER).expect_err("a fault")
    };
    let nowhere = Move::new(Square::at(40), Square::at(41)).expect("a move");
    let illegal = fault(&|game| game.plies[2].code = nowhere.bits());
    assert_eq!(illegal, GameFault::IllegalMove { ply: 2, mv: nowhere });
    assert_eq!(fault(&|game| game.plies[1].code = 0x3fff), GameFault::NoMove { ply: 1, bits: 0x3fff });
    assert!(matches!(fault(&|game| game.plies[5].code ^= CAPTURE), GameFault::Flags { ply: 5, .. }));
    assert!(matches!(fault(&|game| game.plies[0].code ^= IN_CHECK), GameFault::Flags { ply: 0, .. }));
    assert!(matches!(
        fault(&|game| game.plies.truncate(game.plies.len() - 1)),
        GameFault::Ending { expected: None, .. }
    ));
    let other = |outcome| if outcome == GameOutcome::Draw { GameOutcome::Win } else { GameOutcome::Draw };
    let wrong_result = fault(&|game| game.outcome = other(game.outcome));
    assert!(matches!(wrong_result, GameFault::Ending { expected: Some(_), .. }));

    // Twice round and on: the repetition had ended the game.
    let start = Board::startpos();
    let mut board = start.clone();
    let mut plies = Vec::new();
    for mv in ["b0c2", "b9c7", "c2b0", "c7b9"].into_iter().cycle().take(10) {
        let mv = mv.parse().expect("a move");
        plies.push(PackedPly::new(&board, mv, 0));
        board = board.play(mv).expect("a legal move");
    }
    let game = PackedGame {
        number: 0,
        start,
        start_ply: 0,
        opening: Opening::Initial,
        plies,
        outcome: GameOutcome::Draw,
        verdict: Verdict::RepetitionDraw,
    };
    assert_eq!(game.verify(&RuleSet::COMPUTER), Err(GameFault::PlayedOn { ply: 8, verdict: Verdict::RepetitionDraw }));
}

#[test]
fn a_file_is_continued_behind_its_last_whole_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games");
    let games: Vec<PackedGame> = (0..4).map(random_game).collect();
    let resume = |header: &Header| {
        let mut seen = Vec::new();
        Writer::resume(&path, header, |game| seen.push(game)).map(|resumed| (resumed, seen))
    };
    let (mut begun, seen) = resume(&header()).expect("a new file");
    assert!(seen.is_empty() && !begun.was_torn);
    games[..2].iter().for_each(|game| begun.writer.write(game).expect("written"));
    assert!(matches!(resume(&header()), Err(GameFileError::Busy)), "one writer at a time");
    drop(begun);

    let mut file = std::fs::OpenOptions::new().append(true).open(&path).expect("the file");
    file.write_all(&games[2].to_bytes()[..77]).expect("written");
    drop(file);
    let (mut resumed, seen) = resume(&header()).expect("a torn file");
    assert!(resumed.was_torn && seen == games[..2]);
    resumed.writer.write(&games[3]).expect("written");
    drop(resumed);
    let bytes = std::fs::read(&path).expect("the file");
    assert_eq!(read(&bytes).expect("whole games"), [&games[0], &games[1], &games[3]].map(Clone::clone));

    // What had not reached the disk before a power failure reads as zeros.
    let mut after_power_failure = bytes.clone();
    after_power_failure.extend(&games[2].to_bytes()[..77]);
    after_power_failure.resize(after_power_failure.len().next_multiple_of(512) + 5000, 0);
    std::fs::write(&path, &after_power_failure).expect("written");
    let (resumed, seen) = resume(&header()).expect("a torn file");
    assert!(resumed.was_torn && seen.len() == 3);
    drop(resumed);
    assert_eq!(std::fs::read(&path).expect("the file"), bytes);
    // Damage that no end of a run leaves is refused.
    let mut damaged = bytes.clone();
    let middle = damaged.len() - 100;
    damaged[middle] ^= 1;
    std::fs::write(&path, &damaged).expect("written");
    assert!(matches!(resume(&header()), Err(GameFileError::Game { .. })));
    std::fs::write(&path, &bytes).expect("written");

    let mut other = header();
    other.search.soft_nodes = 2000;
    let error = resume(&other).expect_err("another run").to_string();
    assert_eq!(error, "the file was started with other settings: search.soft_nodes = 1000, now 2000");
    assert_eq!(std::fs::read(&path).expect("the file"), bytes, "a refusal changes nothing");
}
