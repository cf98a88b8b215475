//! Game files of every format, read as anybody's tool should read them.

mod collection;

use std::collections::BTreeSet;
use std::fs;

use chuhe_records::games::{Entry, Format, Games};
use chuhe_records::{GameTree, Record};
use serde_json::Value;

use collection::cases;

fn read(bytes: &[u8], suggested: Option<Format>) -> (Format, Vec<Entry>) {
    let games = Games::new(bytes, suggested).unwrap();
    (games.format(), games.map(|game| game.unwrap().read()).collect())
}

fn words(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect()
}

fn main_line(record: &Record) -> Vec<String> {
    record.main_line().map(|(mv, _)| mv.to_string()).collect()
}

/// The lines from the start to the end of each variation.
fn lines(tree: &GameTree) -> BTreeSet<Vec<String>> {
    let ends = tree.walk().map(|(_, id)| id).filter(|&id| tree.next(id).is_none());
    ends.map(|id| tree.path_to(id).iter().map(ToString::to_string).collect()).collect()
}

fn placement_and_side(fen: &str) -> Vec<&str> {
    fen.split(' ').take(2).collect()
}

/// What a format is called in the cases.
fn is_called(format: Format, name: &str) -> bool {
    let known = match format {
        Format::Text => "PlayOK",
        format => format.name(),
    };
    name.starts_with(known)
}

/// Compares a game with what is expected of it.
fn check(entry: &Entry, case: &Value) {
    let illegal = case["illegal_at_ply"].as_u64();
    let record = match (&entry.record, illegal) {
        (Ok(record), None) => record,
        (Err(damaged), Some(ply)) => {
            let message = damaged.to_string();
            assert!(
                message.starts_with(&format!("ply {ply}: found {}", case["illegal_move"].as_str().unwrap())),
                "{message}"
            );
            damaged.salvaged.as_deref().unwrap()
        }
        (record, illegal) => panic!("{record:?}, illegal at ply {illegal:?}"),
    };
    assert_eq!(record.start.to_fen(), case["start_fen"].as_str().unwrap());
    assert_eq!(main_line(record), words(&case["moves"]));
    assert_eq!(record.result.as_str(), case["result"].as_str().unwrap());
    if let Some(last) = case["final_fen"].as_str() {
        let board = record.to_game().unwrap().board().to_fen();
        assert_eq!(placement_and_side(&board), placement_and_side(last));
    }
    let tags = &record.tags;
    for (name, found) in [
        ("red", tags.red()),
        ("black", tags.black()),
        ("event", tags.event()),
        ("date", tags.date()),
        ("title", tags.get("Title")),
    ] {
        assert!(case[name].is_null() || found.unwrap_or_default() == case[name].as_str().unwrap(), "{name}: {found:?}");
    }
    if let Some(kind) = case["xqf_type"].as_u64() {
        let found = tags.get("Type").unwrap_or_default();
        assert_eq!(found, ["", "opening", "middlegame", "endgame"][kind as usize]);
    }
}

/// Compares variations and comments, which libraries are expected to have without saying of which game.
fn check_asides(entry: &Entry, case: &Value) {
    let record = entry.record.as_ref().unwrap_or_else(|damaged| damaged.salvaged.as_ref().unwrap());
    let tree = &record.tree;
    let found = lines(tree);
    let variation = &case["variation"];
    if variation.is_null() {
        assert_eq!(found.len() as u64, 1 + case["variations"].as_u64().unwrap());
    } else {
        // The readers that were asked knew no variations.
        assert_eq!(found.len(), 2);
        let parent = tree.walk().nth(variation["at_ply"].as_u64().unwrap() as usize - 1).unwrap().1;
        let other = tree.children(parent).nth(1).unwrap();
        assert_eq!(tree.mv(other).unwrap().to_string(), variation["move"].as_str().unwrap());
    }
    if let Some(count) = case["line_count"].as_u64() {
        assert_eq!(found.len() as u64, count);
    }
    if let Some(lines) = case["lines"].as_array() {
        let plies = record.main_line().count();
        let mut expected: Vec<Vec<&str>> = lines.iter().map(words).collect();
        // The first is the main line with what is illegal in it.
        expected[0].truncate(plies);
        assert_eq!(found, expected.iter().map(|line| line.iter().map(|&word| word.to_owned()).collect()).collect());
    }
    let comments: usize = if case["format"].as_str().unwrap().starts_with("PGN") {
        // Several comments on one move stand on lines of their own.
        tree.walk().map(|(_, id)| tree.comment(id).lines().count()).sum()
    } else {
        tree.walk().filter(|&(_, id)| !tree.comment(id).is_empty()).count()
    };
    assert_eq!(comments as u64, case["comments"].as_u64().unwrap());
}

#[test]
fn every_file_is_read_as_expected() {
    let mut formats = BTreeSet::new();
    for (path, case) in cases() {
        println!("{}", path.display());
        let bytes = fs::read(&path).unwrap();
        let (format, entries) = read(&bytes, None);
        assert!(is_called(format, case["format"].as_str().unwrap()), "{format}");
        formats.insert(format.name());
        if let Some(games) = case["games"].as_array() {
            assert_eq!(entries.len(), games.len());
            entries.iter().zip(games).for_each(|(entry, game)| check(entry, game));
            continue;
        }
        let [entry] = &entries[..] else { panic!("{} games", entries.len()) };
        check(entry, &case);
        check_asides(entry, &case);
        // What a file is called makes no difference.
        for suggested in Format::ALL.into_iter().filter(|&suggested| suggested != format) {
            let is_forced = matches!(suggested, Format::Pgn | Format::Json | Format::Lines)
                && matches!(format, Format::Text | Format::Cbf | Format::Che | Format::DhtmlXq | Format::Pgn);
            let has_no_mark = matches!(format, Format::Text | Format::Chn | Format::Mxq | Format::Ccm);
            if !is_forced && !has_no_mark {
                assert_eq!(read(&bytes, Some(suggested)).0, format, "suggested {suggested}");
            }
        }
        let extension = path.extension().unwrap().to_str().unwrap();
        let (_, named) = read(&bytes, Format::of_extension(extension));
        assert_eq!(named[0].record, entry.record);
    }
    assert!(formats.len() >= 9, "{formats:?}");
}
