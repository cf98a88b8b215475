//! Building in a folder and probing from it.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;

use chuhe_endgame::{
    BuildError, Class, OpenError, TableInfo, Tables, Value, Watcher, build_in_folder, build_in_memory, pack_set, work,
};
use chuhe_movegen::Board;

/// All files of a folder.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    files.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap())).collect()
}

/// Keeps what it is told.
#[derive(Default)]
struct Log {
    started: Mutex<Vec<String>>,
    old: Mutex<Vec<String>>,
    work: Mutex<u64>,
}

impl Watcher for Log {
    fn started(&self, class: Class) {
        self.started.lock().unwrap().push(class.to_string());
    }
    fn worked(&self, work: u64) {
        *self.work.lock().unwrap() += work;
    }
    fn finished(&self, table: &TableInfo, is_old: bool) {
        if is_old {
            self.old.lock().unwrap().push(table.class.to_string());
        }
    }
}

#[test]
fn a_build_that_was_ended_goes_on_and_gives_the_same_bytes() {
    let classes = common::classes("RvAB CAvA");
    let whole = tempfile::tempdir().unwrap();
    let log = Log::default();
    let infos = build_in_folder(whole.path(), &classes, &log).unwrap();
    assert_eq!(log.started.lock().unwrap().len(), infos.len());
    assert_eq!(*log.work.lock().unwrap(), infos.iter().map(|info| work(info.class)).sum::<u64>());
    let expected = contents(whole.path());
    assert_eq!(expected.len(), infos.len());

    // As a run leaves it that is killed while it writes the third table.
    let ended = tempfile::tempdir().unwrap();
    for name in ["KCvK.cet", "KRvK.cet", "KRvKA.cet"] {
        fs::write(ended.path().join(name), &expected[name]).unwrap();
    }
    fs::write(ended.path().join(".chuhe-0123456789ab.unfinished"), b"CHUHEEGT").unwrap();
    let log = Log::default();
    build_in_folder(ended.path(), &classes, &log).unwrap();
    assert_eq!(*log.old.lock().unwrap(), ["KCvK", "KRvK", "KRvKA"]);
    assert_eq!(contents(ended.path()), expected);

    // In memory and with one thread, too.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let files = pool.install(|| build_in_memory(&classes, &())).unwrap();
    let mut sorted: Vec<&Vec<u8>> = expected.values().collect();
    sorted.sort();
    let mut files: Vec<&Vec<u8>> = files.iter().collect();
    files.sort();
    assert!(files == sorted);
}

#[test]
fn a_build_stops_at_a_damaged_file_and_touches_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let classes = common::classes("RvA");
    build_in_folder(folder.path(), &classes, &()).unwrap();
    let path = folder.path().join("KRvK.cet");
    let half = fs::read(&path).unwrap()[..100].to_vec();
    fs::write(&path, &half).unwrap();
    fs::remove_file(folder.path().join("KRvKA.cet")).unwrap();
    let before = contents(folder.path());
    let error = build_in_folder(folder.path(), &classes, &()).unwrap_err();
    assert!(matches!(error, BuildError::File { .. }));
    assert!(error.to_string().contains("KRvK.cet: cut off: 100 bytes, expected"), "{error}");
    assert_eq!(contents(folder.path()), before);
    let error = Tables::open(folder.path()).unwrap_err();
    assert!(matches!(error, OpenError::File { .. }) && error.to_string().contains("cut off"), "{error}");
}

#[test]
fn a_table_under_a_wrong_name_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    build_in_folder(folder.path(), &common::classes("Nv"), &()).unwrap();
    fs::rename(folder.path().join("KNvK.cet"), folder.path().join("KRvK.cet")).unwrap();
    let error = build_in_folder(folder.path(), &common::classes("RvA"), &()).unwrap_err().to_string();
    assert!(error.contains("not the table"), "{error}");
}

#[test]
fn a_folder_that_cannot_be_made_or_read_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, b"").unwrap();
    let error = build_in_folder(&file, &common::classes("Rv"), &()).unwrap_err();
    assert!(matches!(error, BuildError::Write(_)), "{error}");
    let error = Tables::open(&folder.path().join("nowhere")).unwrap_err();
    assert!(matches!(error, OpenError::Io { .. }) && error.to_string().contains("nowhere"), "{error}");
    let error = pack_set(folder.path(), &common::classes("Rv"), &folder.path().join("set")).unwrap_err();
    assert!(error.to_string().contains("KRvK.cet"), "{error}");
}

#[test]
fn a_class_that_is_too_big_is_told_before_anything_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new");
    let error = build_in_folder(&path, &common::classes("RCAABBvRAABB"), &()).unwrap_err();
    assert_eq!(error.to_string(), "KRCAABBvKRAABB is too big for a table");
    assert!(!path.exists());
}

#[test]
fn tables_of_a_folder_go_before_the_embedded_ones() {
    let folder = tempfile::tempdir().unwrap();
    build_in_folder(folder.path(), &common::classes("PvP"), &()).unwrap();
    let tables = Tables::open(folder.path()).unwrap();
    let probe = |fen| tables.probe(&Board::from_fen(fen).unwrap());
    // With distances from the folder, without from the program.
    let in_folder = probe("3k5/9/9/4P4/9/9/9/9/9/4K4 w").unwrap();
    assert_eq!((in_folder.value, in_folder.plies.is_some()), (Value::Win, true));
    let embedded = probe("4k4/9/9/9/9/9/9/9/R8/3K5 w").unwrap();
    assert_eq!((embedded.value, embedded.plies), (Value::Win, None));
    // Only in the folder.
    let pawns = "3k5/9/9/4P4/9/9/9/2p6/9/4K4 w";
    assert!(probe(pawns).is_some() && Tables::embedded().probe(&Board::from_fen(pawns).unwrap()).is_none());
    // In neither.
    assert_eq!(probe(Board::START_FEN), None);
    assert_eq!(probe("4k4/4r4/9/9/9/9/9/9/R8/3K5 w"), None);
}

#[test]
fn a_file_that_goes_away_after_opening_takes_its_class_away() {
    let folder = tempfile::tempdir().unwrap();
    build_in_folder(folder.path(), &common::classes("PvP"), &()).unwrap();
    let tables = Tables::open(folder.path()).unwrap();
    fs::remove_file(folder.path().join("KPvKP.cet")).unwrap();
    assert_eq!(tables.probe(&Board::from_fen("3k5/9/9/4P4/9/9/9/2p6/9/4K4 w").unwrap()), None);
}

#[test]
fn positions_that_no_game_reaches_are_in_no_table() {
    // An advisor and an elephant off their points: composed problems have such things.
    for fen in ["4k4/9/9/9/9/9/9/A8/8R/3K5 w", "4k4/9/9/9/9/9/9/1B7/8R/3K5 w", "4k4/9/9/9/9/9/9/9/4P4/3K5 w"] {
        let board = Board::from_composed_fen(fen).unwrap();
        assert_eq!(Tables::embedded().probe(&board), None, "{fen}");
    }
}

#[test]
fn any_number_of_threads_may_probe_at_once() {
    let tables = Tables::embedded();
    let board = Board::from_fen("2bak1b2/4a4/9/9/9/9/9/9/R8/3K5 w").unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| assert_eq!(tables.value(&board), Some(Value::Draw)));
        }
    });
    assert!(tables.unpacked_bytes() > 0);
}
