//! Openings from every source, and that their numbers mean the same in every run.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use chuhe_arena::openings::{OpeningOptions, OpeningOrder, OpeningSource, Openings, OpeningsError};
use chuhe_arena::played::Opening;
use chuhe_book::Book;
use chuhe_movegen::{Board, Color, PieceType};

fn sequential(path: &Path) -> OpeningOptions {
    OpeningOptions {
        source: OpeningSource::File(path.to_owned()),
        order: OpeningOrder::Sequential,
        ..OpeningOptions::default()
    }
}

fn moves(opening: &Opening) -> String {
    opening.game.moves().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
}

/// Name, start position and moves of every opening in a file of this content.
fn read(name: &str, content: impl AsRef<[u8]>, plies: Option<usize>) -> Result<Vec<(String, String, String)>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    let openings = Openings::load(&OpeningOptions { plies, ..sequential(&path) }).map_err(|error| {
        let text = error.to_string();
        text.strip_prefix(&*folder.path().to_string_lossy()).map_or(text.clone(), |text| text[1..].to_owned())
    })?;
    let all = (0..openings.count().unwrap() as u64).map(|index| openings.opening(index));
    Ok(all.map(|opening| (opening.name.clone(), opening.game.start().to_fen(), moves(&opening))).collect())
}

fn line(name: &str, start: &str, moves: &str) -> (String, String, String) {
    (name.to_owned(), start.to_owned(), moves.to_owned())
}

const ENDING: &str = "3k5/9/9/9/9/9/9/9/R8/4K4";

#[test]
fn lists_of_lines_are_read() {
    let content = "\u{feff}# comment\r\n\r\nA10\t飞相局\t\t4\tg0e2 b9a7 | b0c2\r\nh2e2 H9-G7\r\nC\tx/y\tChe2\r\n";
    let start = Board::START_FEN;
    assert_eq!(
        read("list.txt", content, None).unwrap(),
        [line("A10 飞相局", start, "g0e2 b9a7 b0c2"), line("line 4", start, "h2e2 h9g7"), line("C x/y", start, "h2e2")]
    );
    // Cut to one ply the second and the third are the same.
    assert_eq!(
        read("list.txt", content, Some(1)).unwrap(),
        [line("A10 飞相局", start, "g0e2"), line("line 4", start, "h2e2")]
    );
}

#[test]
fn lists_of_positions_are_read() {
    let content = format!(
        "{ENDING} w - - 5 9\n{ENDING} b\tname\nrook\t{ENDING} w - - 0 1 moves a1a9 d9d8\n\
         {ENDING} w - - bm a1a9; id \"test 7\";\n{ENDING} r - - 0 2\n"
    );
    assert_eq!(
        read("positions.epd", content, None).unwrap(),
        [
            line("line 1", &format!("{ENDING} w - - 5 9"), ""),
            line("name", &format!("{ENDING} b - - 0 1"), ""),
            line("rook", &format!("{ENDING} w - - 0 1"), "a1a9 d9d8"),
            line("test 7", &format!("{ENDING} w - - 0 1"), ""),
            line("line 5", &format!("{ENDING} w - - 0 2"), ""),
        ]
    );
}

#[test]
fn pgn_is_cut_to_the_opening() {
    let content = format!(
        "[Red \"A\"]\n[Opening \"Central Cannon\"]\n[Variation \"Screen Horses\"]\n1. h2e2 h9g7 2. h0g2 *\n\n\
         [Red \"B\"]\n1. h2e2 {{comment}} h9g7 2. b0c2 *\n\n[FEN \"{ENDING} w - - 0 1\"]\n1. a1a9 *\n"
    );
    let start = Board::START_FEN;
    let ending = format!("{ENDING} w - - 0 1");
    assert_eq!(
        read("games.pgn", &content, None).unwrap(),
        [
            line("Central Cannon Screen Horses", start, "h2e2 h9g7 h0g2"),
            line("game 2", start, "h2e2 h9g7 b0c2"),
            line("game 3", &ending, "a1a9"),
        ]
    );
    // Known by its content too, and equal after cutting.
    assert_eq!(
        read("games.txt", &content, Some(2)).unwrap(),
        [line("Central Cannon Screen Horses", start, "h2e2 h9g7"), line("game 3", &ending, "a1a9")]
    );
}

#[test]
fn the_embedded_book_has_all_its_lines_in_it() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../book/data/openings.txt");
    let openings = Openings::load(&sequential(&path)).unwrap();
    assert!(openings.count().unwrap() >= 300);
    assert!((0..400).all(|index| openings.opening(index).game.plies().len() > 4));
}

#[test]
fn faults_name_file_line_and_what_was_expected() {
    let fault = |name: &str, content: &str| read(name, content, Some(1)).unwrap_err();
    assert_eq!(
        fault("a.txt", "h2e2\n\nx\th2e2 h2e2\n"),
        "a.txt, line 3: ply 2: found `h2e2`, expected a legal move of Black"
    );
    assert_eq!(
        fault("a.txt", "hello world"),
        "a.txt, line 1: ply 1: found `hello`, expected a move in Chinese (`炮二平五`), WXF (`C2=5`), ICCS (`H2-E2`) or \
         WinBoard notation (`Che2`)"
    );
    assert_eq!(
        fault("a.txt", "name\trnbakabnr/9/1c5c1/p1p1p1p1p/9/9 w"),
        "a.txt, line 1: board field: found 6 ranks, expected 10"
    );
    assert_eq!(
        fault("a.epd", "3k5/9/9/9/9/9/9/9/4R4/3RK4 b - - 0 1"),
        "a.epd, line 1: the side to move has no legal move, expected a position that can be played"
    );
    assert_eq!(
        fault("a.pgn", "[Event \"1\"]\nh2e2\n[Event \"2\"]\nh2e2 h2e2\n"),
        "a.pgn, game 2, line 4, ply 2: found `h2e2`, expected a legal move of Black"
    );
    assert_eq!(fault("a.txt", "# nothing\n"), "a.txt: no openings, expected at least one");
    assert_eq!(
        read("a.bin", b"\0\xff", None).unwrap_err(),
        "a.bin: neither a list of openings in UTF-8 nor PGN nor a book"
    );

    let missing = PathBuf::from("no/such/file.txt");
    let error = Openings::load(&sequential(&missing)).unwrap_err();
    assert!(matches!(&error, OpeningsError::Read { path, .. } if *path == missing));
    assert!(error.to_string().starts_with("cannot read no/such/file.txt: "), "{error}");
    let random = OpeningOptions { source: OpeningSource::Random, plies: Some(41), ..OpeningOptions::default() };
    assert_eq!(Openings::load(&random).unwrap_err().to_string(), "41 random plies, expected at most 40");
}

#[test]
fn a_number_means_the_same_opening_in_every_run() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../book/data/openings.txt");
    for source in [OpeningSource::File(path), OpeningSource::EmbeddedBook, OpeningSource::Random] {
        let load = |seed, start| {
            let options = OpeningOptions { source: source.clone(), seed, start, ..OpeningOptions::default() };
            Openings::load(&options).unwrap()
        };
        let keys = |openings: &Openings, numbers: &[u64]| {
            numbers.iter().map(|&number| openings.opening(number).game.board().key()).collect::<Vec<_>>()
        };
        let forward = keys(&load(7, 0), &[0, 1, 2, 3, 4, 5, 6, 7]);
        let mut backward = keys(&load(7, 0), &[7, 6, 5, 4, 3, 2, 1, 0]);
        backward.reverse();
        assert_eq!(forward, backward, "{source:?}");
        assert_eq!(keys(&load(7, 3), &[0, 1]), forward[3..5], "{source:?}");
        assert_ne!(keys(&load(8, 0), &[0, 1, 2, 3, 4, 5, 6, 7]), forward, "{source:?}");
        assert!(forward.iter().collect::<HashSet<_>>().len() > 4, "{source:?}");
    }
}

#[test]
fn a_file_is_shuffled_whole_and_begins_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list");
    let first_moves: Vec<String> = Board::startpos().legal_moves().iter().map(ToString::to_string).collect();
    std::fs::write(&path, first_moves.join("\n")).unwrap();
    let options = OpeningOptions { order: OpeningOrder::Shuffled, start: 5, ..sequential(&path) };
    let openings = Openings::load(&options).unwrap();
    let handed_out: Vec<String> = (0..44).map(|index| moves(&openings.opening(index))).collect();
    assert_ne!(handed_out, first_moves);
    assert_eq!(handed_out.iter().collect::<HashSet<_>>(), first_moves.iter().collect());
    assert_eq!(moves(&openings.opening(44)), handed_out[0]);
}

#[test]
fn a_book_is_walked_move_by_move() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.bin");
    let lines = chuhe_book::parse_lines("A\tb\t\t3\th2e2 h9g7 h0g2\nA\tb\t\t1\th2e2 b9c7 h0g2 c6c5").unwrap();
    std::fs::write(&path, chuhe_book::build(&lines)).unwrap();
    let openings = Openings::load(&sequential(&path)).unwrap();
    let seen: HashSet<String> = (0..200).map(|index| moves(&openings.opening(index))).collect();
    let expected = ["h2e2 h9g7 h0g2", "h2e2 b9c7 h0g2 c6c5"];
    assert_eq!(seen, expected.iter().map(ToString::to_string).collect());

    let embedded = Openings::load(&OpeningOptions { plies: Some(6), ..OpeningOptions::default() }).unwrap();
    let book = Book::embedded();
    for index in 0..50 {
        let opening = embedded.opening(index);
        assert!(opening.game.plies().len() <= 7);
        for pair in opening.game.plies().windows(2) {
            assert!(book.probe(&pair[0].board).iter().any(|entry| Some(entry.mv) == pair[1].mv));
        }
    }
}

#[test]
fn random_openings_are_balanced() {
    for plies in [0, 1, 8, 20] {
        let options = OpeningOptions { source: OpeningSource::Random, plies: Some(plies), ..OpeningOptions::default() };
        let openings = Openings::load(&options).unwrap();
        for index in 0..30 {
            let game = openings.opening(index).game;
            assert_eq!(game.plies().len(), plies + 1);
            let board = game.board();
            assert!(!board.in_check() && board.has_legal_move());
            for kind in PieceType::ALL {
                assert_eq!(board.pieces(Color::Red, kind).count(), board.pieces(Color::Black, kind).count());
            }
            // Nobody mates at once.
            assert!(board.legal_moves().iter().all(|&mv| board.make(mv).has_legal_move()));
        }
    }
}

#[test]
fn names_of_sources() {
    assert_eq!(OpeningSource::from_name("book"), OpeningSource::EmbeddedBook);
    assert_eq!(OpeningSource::from_name("random"), OpeningSource::Random);
    assert_eq!(OpeningSource::from_name("book.txt"), OpeningSource::File("book.txt".into()));
    let source = OpeningSource::from_name("startpos");
    let openings = Openings::load(&OpeningOptions { source, ..OpeningOptions::default() }).unwrap();
    assert_eq!((openings.count(), openings.opening(9).game.plies().len()), (Some(1), 1));
}
