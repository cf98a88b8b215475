//! Game files of other programs.

use std::fs;
use std::path::{Path, PathBuf};

use chuhe_records::pgn::Reader;
use serde_json::Value;

/// The files of the crate, and the larger collection where it lies beside the project.
fn folders() -> Vec<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let collection = here.join("../../shared/cases/games");
    let mut folders = vec![here.join("tests/data")];
    if collection.is_dir() {
        folders.push(collection);
    } else {
        println!("skipped: no collection of game files beside the project");
    }
    folders
}

fn cases() -> impl Iterator<Item = (PathBuf, Value)> {
    folders().into_iter().flat_map(|folder| {
        let text = fs::read_to_string(folder.join("expected.jsonl")).unwrap();
        let cases: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let cases = cases.into_iter().map(move |case| (folder.join(case["file"].as_str().unwrap()), case));
        cases.filter(|(path, _)| path.extension().is_some_and(|extension| extension == "pgn"))
    })
}

#[test]
fn games_of_other_programs_are_read_to_the_last_move() {
    let mut read = 0;
    for (path, case) in cases() {
        println!("{}", path.display());
        let bytes = fs::read(&path).unwrap();
        let games: Vec<_> = Reader::new(&bytes[..]).collect();
        let [game] = &games[..] else { panic!("{} games", games.len()) };
        let record = game.as_ref().unwrap();
        let moves: Vec<String> = record.main_line().map(|(mv, _)| mv.to_string()).collect();
        let expected: Vec<&str> = case["moves"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
        assert_eq!(moves, expected);
        let placement_and_side = |fen: &str| fen.split(' ').take(2).collect::<Vec<_>>().join(" ");
        let last = record.to_game().unwrap().board().to_fen();
        assert_eq!(placement_and_side(&last), placement_and_side(case["final_fen"].as_str().unwrap()));
        assert_eq!(record.start.to_fen(), case["start_fen"].as_str().unwrap());
        assert_eq!(record.result.as_str(), case["result"].as_str().unwrap());
        let tags = &record.tags;
        for (found, name) in
            [(tags.red(), "red"), (tags.black(), "black"), (tags.event(), "event"), (tags.date(), "date")]
        {
            assert!(case[name].is_null() || found == case[name].as_str(), "{name}: {found:?}");
        }
        // Comments on one move stand on lines of their own; none of these has several lines.
        let comments: usize = record.tree.walk().map(|(_, id)| record.tree.comment(id).lines().count()).sum();
        assert_eq!(comments as u64, case["comments"].as_u64().unwrap());
        let variation = &case["variation"];
        assert_eq!(record.tree.len(), moves.len() + usize::from(!variation.is_null()));
        if let Some(ply) = variation["at_ply"].as_u64() {
            let parent = record.tree.walk().nth(ply as usize - 1).unwrap().1;
            let moves: Vec<String> =
                record.tree.children(parent).skip(1).map(|id| record.tree.mv(id).unwrap().to_string()).collect();
            assert_eq!(moves, [variation["move"].as_str().unwrap()]);
        }
        read += 1;
    }
    assert!(read >= 10, "{read} files");
}
