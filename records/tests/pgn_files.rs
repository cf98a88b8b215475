//! The names of moves, compared with those in game files of other programs.

mod collection;

use std::fs;
use std::path::{Path, PathBuf};

use chuhe_records::notation::{ChineseStyle, Digits, PawnNames, Script};
use chuhe_records::pgn::Reader;
use chuhe_records::{Notation, Record};
use encoding_rs::{BIG5, GB18030, UTF_8};
use serde_json::Value;

use collection::cases;

/// Those in PGN.
fn pgn_cases() -> impl Iterator<Item = (PathBuf, Value)> {
    cases().filter(|(path, _)| path.extension().is_some_and(|extension| extension == "pgn"))
}

fn read(path: &Path) -> Record {
    let bytes = fs::read(path).unwrap();
    Reader::new(&bytes[..]).next().unwrap().unwrap()
}

/// The text of a file, with what the writers of WXF do differently made alike.
fn text(path: &Path, case: &Value) -> String {
    let encoding = match case["encoding"].as_str().unwrap() {
        "GBK" => GB18030,
        "Big5" => BIG5,
        _ => UTF_8,
    };
    let bytes = fs::read(path).unwrap();
    let text = encoding.decode(&bytes).0.into_owned();
    if !case["format"].as_str().unwrap().contains("WXF") {
        return text;
    }
    let half_width = |c: char| match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap(),
        _ => c,
    };
    let spell = |c: char| match c {
        '.' => '=',
        'N' => 'H',
        'B' => 'E',
        _ => c,
    };
    text.chars().map(half_width).map(spell).collect()
}

/// A text without its tags, comments and variations.
fn without_asides(text: &str) -> String {
    let mut depth = 0;
    let is_outside = |c: &char| {
        let was_inside = depth > 0;
        match c {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth -= 1,
            _ => {}
        }
        !was_inside && depth == 0
    };
    text.chars().filter(is_outside).collect()
}

/// The moves are written with the very words of the file.
#[test]
fn moves_are_written_as_other_programs_write_them() {
    let mut compared = 0;
    for (path, case) in pgn_cases() {
        let text = text(&path, &case);
        let format = case["format"].as_str().unwrap();
        let notation = if format.contains("WXF") {
            Notation::Wxf
        } else if format.contains("Chinese") {
            Notation::Chinese(ChineseStyle {
                script: if text.contains('進') { Script::Traditional } else { Script::Simplified },
                digits: if text.contains('１') { Digits::FullWidth } else { Digits::Customary },
                pawns: PawnNames::Numbered,
                ..ChineseStyle::CUSTOMARY
            })
        } else {
            continue;
        };
        println!("{}", path.display());
        let bare = without_asides(&text);
        let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
        let game = read(&path).to_game().unwrap();
        let words: Vec<String> =
            game.plies().windows(2).map(|pair| notation.write(pair[1].mv.unwrap(), &pair[0].board)).collect();
        let found: Vec<&str> = bare.split_whitespace().filter(|word| !is_number(word)).take(words.len()).collect();
        assert_eq!(words, found);
        compared += words.len();
    }
    assert!(compared >= 300, "{compared} moves");
}
