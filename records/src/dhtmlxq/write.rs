//! Writing.

use std::fmt::Write as _;

use chuhe_movegen::{Board, Square};

use super::FIELDS;
use crate::placement::Placement;
use crate::{GameResult, Record};

/// Writes a game as forum text, with an empty line behind it so that games can be put one after another.
///
/// The reader gives back the same start position, moves, variations, comments and result, but for blanks at the ends of
/// lines in comments. Tags that the format does not know are left out, and so are annotation glyphs.
#[must_use]
pub fn to_string(record: &Record) -> String {
    let mut out = String::from("[DhtmlXQ]\n");
    let mut tag = |name: &str, value: &str| {
        let _ = writeln!(out, "[DhtmlXQ_{name}]{value}[/DhtmlXQ_{name}]");
    };
    tag("ver", "www_dpxq_com");
    for (name, known) in FIELDS {
        if let Some(value) = record.tags.get(known).filter(|value| !value.is_empty()) {
            tag(name, &escaped(&value.replace(char::is_control, " ")));
        }
    }
    let result = match record.result {
        GameResult::RedWins => "红胜",
        GameResult::BlackWins => "黑胜",
        GameResult::Draw => "和局",
        GameResult::Unknown => "未知",
    };
    tag("result", result);
    let list = Placement::of(&record.start).to_list();
    let binit: Option<String> = list.map(|points| points.into_iter().map(point_or_none).collect());
    if let Some(binit) = &binit {
        tag("binit", binit);
    }
    // Who moves first shows the first move; where there is none, or the pieces are too many, it takes a FEN.
    if record.start != Board::startpos() {
        tag("fen", &record.start.to_fen());
    }
    let lines = record.tree.lines();
    for (number, line) in lines.iter().enumerate() {
        let moves: String = line
            .nodes
            .iter()
            .filter_map(|&id| record.tree.mv(id))
            .map(|mv| point(mv.from()) + &point(mv.to()))
            .collect();
        match line.parent {
            None => tag("movelist", &moves),
            Some(parent) => tag(&format!("move_{parent}_{}_{number}", line.first_ply), &moves),
        }
    }
    if !record.comment().is_empty() {
        tag("comment0", &comment(record.comment()));
    }
    for (number, line) in lines.iter().enumerate() {
        for (ply, &id) in (line.first_ply..).zip(&line.nodes) {
            let text = record.tree.comment(id);
            if !text.is_empty() {
                let line = if number == 0 { String::new() } else { format!("{number}_") };
                tag(&format!("comment{line}{ply}"), &comment(text));
            }
        }
    }
    out.push_str("[/DhtmlXQ]\n\n");
    out
}

fn point(square: Square) -> String {
    format!("{}{}", square.file(), 9 - square.rank())
}

fn point_or_none(square: Option<Square>) -> String {
    square.map_or_else(|| "99".to_owned(), point)
}

fn comment(text: &str) -> String {
    escaped(&text.replace('\r', "")).replace('|', "\\u007c").replace('\n', "||")
}

/// A text without what the format would take for its own marks.
fn escaped(text: &str) -> String {
    text.replace("\\u", "\\u005cu").replace('[', "\\u005b")
}
