//! What rescoring changes, and what it leaves alone.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use chuhe_rules::RuleSet;
use chuhe_trainer::Threads;
use chuhe_trainer::data::game::{PackedGame, Reader};
use chuhe_trainer::datagen::{Settings, generate};
use chuhe_trainer::progress::Progress;
use chuhe_trainer::rescore::{RescoreSettings, rescore};

fn run(settings: &RescoreSettings, input: &Path, output: &Path) -> Progress {
    rescore(settings, input, output, &AtomicBool::new(false), &mut |_| {}).expect("new scores")
}

fn games(path: &Path) -> BTreeMap<u32, PackedGame> {
    let bytes = fs::read(path).expect("the file");
    let games = Reader::new(&bytes[..]).expect("a header");
    games.map(|game| game.expect("a game")).map(|game| (game.number, game)).collect()
}

#[test]
fn scores_are_replaced_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let [old, new, again] = ["old", "new", "again"].map(|name| folder.path().join(name));
    let settings = Settings { soft_nodes: 50, games: Some(4), ..Settings::default() };
    generate(&settings, &old, &AtomicBool::new(false), &mut |_| {}).expect("games");

    let settings = RescoreSettings { soft_nodes: 300, ..RescoreSettings::default() };
    run(&settings, &old, &new);
    let (before, after) = (games(&old), games(&new));
    assert_eq!(before.len(), 4);
    assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());
    let (mut changed, mut kept) = (0, 0);
    for (old, new) in before.values().zip(after.values()) {
        assert_eq!(new.verify(&RuleSet::COMPUTER), Ok(()));
        assert_eq!((&new.start, new.outcome, new.verdict), (&old.start, old.outcome, old.verdict));
        assert_eq!(old.plies.len(), new.plies.len());
        for (old, new) in old.plies.iter().zip(&new.plies) {
            assert_eq!((old.mv(), old.in_check(), old.is_capture()), (new.mv(), new.in_check(), new.is_capture()));
            if old.in_check() || old.is_capture() {
                assert_eq!(old.red_score(), new.red_score(), "nothing is learnt from it");
                kept += 1;
            } else if old.red_score() != new.red_score() {
                changed += 1;
            }
        }
    }
    assert!(changed > 50 && kept > 10, "{changed} scores changed, {kept} kept");

    // One thread, the file cut off in between: the same games.
    run(&RescoreSettings { threads: Threads { count: 1, ..Threads::default() }, ..settings.clone() }, &old, &again);
    let bytes = fs::read(&again).expect("the file");
    fs::write(&again, &bytes[..bytes.len() - 30]).expect("written");
    let progress = run(&settings, &old, &again);
    assert_eq!((progress.was_torn, progress.new_games()), (true, 1));
    assert_eq!(games(&again), after);

    let header = Reader::new(&bytes[..]).expect("a header").header().clone();
    assert_eq!((header.seed, header.search.soft_nodes), (1, 50));
    assert_eq!(header.rescored.iter().map(|rescoring| rescoring.soft_nodes).collect::<Vec<_>>(), [300]);
}
