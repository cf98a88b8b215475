//! What generated games are like, seen from outside.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use chuhe_eval::Evaluation;
use chuhe_eval::network::{Architecture, DEFAULT_SCALE, Network, Parts};
use chuhe_rules::RuleSet;
use chuhe_trainer::Threads;
use chuhe_trainer::data::filter::Selection;
use chuhe_trainer::data::game::{GameFileError, Opening, PackedGame, Reader, Verdict};
use chuhe_trainer::data::{GameOutcome, Record};
use chuhe_trainer::datagen::{Settings, generate};
use chuhe_trainer::progress::{Progress, RunError};

fn settings(games: u32) -> Settings {
    Settings { soft_nodes: 100, games: Some(games), seed: 7, ..Settings::default() }
}

fn run(settings: &Settings, path: &Path) -> Progress {
    generate(settings, path, &AtomicBool::new(false), &mut |_| {}).expect("games")
}

/// The games of a file by their numbers.
fn games(path: &Path) -> BTreeMap<u32, PackedGame> {
    let bytes = fs::read(path).expect("the file");
    let games: Vec<PackedGame> = Reader::new(&bytes[..]).expect("a header").collect::<Result<_, _>>().expect("games");
    let count = games.len();
    let by_number: BTreeMap<u32, PackedGame> = games.into_iter().map(|game| (game.number, game)).collect();
    assert_eq!(by_number.len(), count, "no number comes twice");
    by_number
}

/// Same seed, same bytes for every game: however many threads there are, and whether or not the run was interrupted.
#[test]
fn games_depend_on_seed_and_number_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    run(&settings(8), &path("two"));
    run(&Settings { threads: Threads { count: 1, ..Threads::default() }, ..settings(8) }, &path("one"));
    let expected = games(&path("one"));
    assert_eq!(expected.keys().copied().collect::<Vec<_>>(), (0..8).collect::<Vec<_>>());
    assert_eq!(games(&path("two")), expected);

    // Interrupted after three games, killed within a write, and continued.
    let stop = AtomicBool::new(false);
    let mut count = 0;
    let mut observe = |_: &Progress| {
        count += 1;
        stop.store(count >= 3, Ordering::Relaxed);
    };
    generate(&settings(8), &path("cut"), &stop, &mut observe).expect("games");
    let whole = fs::read(path("cut")).expect("the file");
    fs::write(path("cut"), &whole[..whole.len() - 5]).expect("written");
    let progress = run(&settings(8), &path("cut"));
    assert!(progress.was_torn && progress.old_games >= 2);
    assert_eq!(games(&path("cut")), expected);

    let other = Settings { seed: 8, ..settings(8) };
    run(&other, &path("other"));
    assert!(games(&path("other")).iter().all(|(number, game)| game.start != expected[number].start));
    let refused = generate(&other, &path("one"), &AtomicBool::new(false), &mut |_| {});
    assert!(matches!(refused, Err(RunError::File { error: GameFileError::OtherRun { .. }, .. })), "{refused:?}");
}

#[test]
fn games_keep_the_rules_and_teach_what_they_should() {
    const GAMES: u32 = 150;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games");
    let progress = run(&settings(GAMES), &path);
    let games = games(&path);
    let statistics = &progress.statistics;
    assert_eq!(statistics.games(), u64::from(GAMES));
    assert_eq!(Verdict::ALL.iter().map(|&verdict| statistics.verdict(verdict)).sum::<u64>(), u64::from(GAMES));
    assert_eq!(GameOutcome::ALL.iter().map(|&outcome| statistics.outcome(outcome)).sum::<u64>(), u64::from(GAMES));

    let starts: HashSet<u64> = games.values().map(|game| game.start.key()).collect();
    assert_eq!(starts.len(), games.len(), "no opening comes twice");
    let from_the_array = games.values().filter(|game| game.opening == Opening::Initial).count();
    assert!((105..135).contains(&from_the_array), "{from_the_array} of {GAMES} games, expected about four fifths");

    let mut selection = Selection::default();
    let mut records: Vec<Record> = Vec::new();
    let mut mates = 0;
    for game in games.values() {
        assert_eq!(game.verify(&RuleSet::COMPUTER), Ok(()), "game {}", game.number);
        assert!((6..=11).contains(&game.start_ply));
        selection.select(game, &mut records).expect("legal moves");
        if game.verdict == Verdict::Checkmate {
            // Who moves last has seen the mate, and wins.
            let last = game.positions().last().expect("a move").expect("a legal move");
            assert_eq!((last.score, last.outcome), (31_999, GameOutcome::Win), "game {}", game.number);
            mates += 1;
        }
    }
    assert!(mates > 0, "no game ended by mate");
    assert_eq!(records.iter().map(|record| record.board().key()).collect::<HashSet<_>>().len(), records.len());
    assert!(records.len() as u64 <= statistics.positions());
    assert!(records.len() > GAMES as usize * 10, "{} positions", records.len());
    for record in &records {
        assert!(record.score().unsigned_abs() < 2500 && record.ply() >= 8 && record.halfmove_clock() < 100);
        assert!(!record.board().in_check());
    }
    // A side that is far ahead wins more often than it loses, even at so few nodes; scores of the wrong side would turn this round.
    let ahead: Vec<&Record> = records.iter().filter(|record| record.score() > 800).collect();
    let count = |outcome| ahead.iter().filter(|record| record.outcome() == outcome).count();
    let (won, lost) = (count(GameOutcome::Win), count(GameOutcome::Loss));
    assert!(ahead.len() > 20 && won * 2 > lost * 3, "{won} won and {lost} lost of {}", ahead.len());
}

/// A network that gives every position the value 0.
fn flat_network() -> Evaluation {
    let architecture = Architecture::new(1, 64, 1).expect("an architecture");
    let parts = Parts {
        architecture,
        scale: DEFAULT_SCALE,
        description: "flat".to_owned(),
        feature_weights: vec![0; architecture.feature_weights()],
        feature_biases: vec![0; architecture.feature_biases()],
        output_weights: vec![0; architecture.output_weights()],
        output_biases: vec![0],
    };
    Network::from_parts(&parts).expect("a network").into()
}

#[test]
fn games_are_played_with_the_network_that_was_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games");
    let flat = Settings { evaluation: flat_network(), ..settings(4) };
    run(&flat, &path);
    let bytes = fs::read(&path).expect("the file");
    let header = Reader::new(&bytes[..]).expect("a header").header().clone();
    let Evaluation::Network(network) = &flat.evaluation else { panic!("not a network") };
    assert_eq!(header.search.network, network.hash().to_string());
    // Nothing but mates and repetitions has a score that is not zero.
    let scores = games(&path).into_values().flat_map(|game| game.plies).map(|ply| i32::from(ply.red_score()));
    assert!(scores.filter(|score| score.abs() < 30_000).all(|score| score == 0));

    let other = generate(&settings(4), &path, &AtomicBool::new(false), &mut |_| {});
    assert!(matches!(other, Err(RunError::File { error: GameFileError::OtherRun { .. }, .. })), "{other:?}");
}

#[test]
fn a_run_ends_when_there_are_positions_enough() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games");
    let wanted = Settings { games: None, positions: Some(200), ..settings(0) };
    let first = run(&wanted, &path);
    assert!((200..1000).contains(&first.statistics.positions()), "{}", first.statistics.positions());
    let again = run(&wanted, &path);
    assert_eq!(again.statistics.games(), first.statistics.games(), "nothing is left to do");
}
