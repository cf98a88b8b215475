//! Writing games.

use std::fmt::Write as _;

use chuhe_movegen::{Board, Color};

use super::{is_name_byte, is_structural};
use crate::notation::{self, Notation};
use crate::{NodeId, Record};

/// Writes a game in ICCS, one pair of moves a line, with an empty line behind it so that games can be put one after
/// another.
///
/// The reader gives back the same record, provided that its moves are legal, with these exceptions for what PGN cannot
/// hold: `}` in a comment becomes a full-width `｝`, blanks at the ends of its lines go, line breaks in values become
/// blanks, and characters that the name of a tag cannot hold go.
#[must_use]
pub fn to_string(record: &Record) -> String {
    to_string_in(record, Notation::Iccs)
}

/// Writes a game as [`to_string`] does, with its moves in any notation. A move that is not legal has no name but its
/// coordinates; it and what follows it are written in ICCS.
#[must_use]
pub fn to_string_in(record: &Record, notation: Notation) -> String {
    let mut out = String::with_capacity(256 + record.tree.len() * 12);
    write_tag(&mut out, "Game", "Chinese Chess");
    for (name, value) in record.tags.iter().filter(|(name, _)| !is_structural(name)) {
        write_tag(&mut out, name, value);
    }
    write_tag(&mut out, "Result", record.result.as_str());
    if record.start != Board::startpos() {
        write_tag(&mut out, "FEN", &record.start.to_fen());
    }
    write_tag(&mut out, "Format", format_name(notation));
    out.push('\n');
    if !tidy(record.comment()).is_empty() {
        write_comment(&mut out, record.comment());
        out.push('\n');
    }
    MoveWriter { record, notation, out: &mut out, is_line_start: true, needs_number: true }.write();
    if !out.ends_with('\n') {
        out.push(' ');
    }
    out.push_str(record.result.as_str());
    out.push_str("\n\n");
    out
}

/// What the tag `Format` says.
fn format_name(notation: Notation) -> &'static str {
    match notation {
        Notation::Iccs => "ICCS",
        Notation::WinBoard => "WinBoard",
        Notation::Wxf => "WXF",
        Notation::Chinese(_) => "Chinese",
    }
}

fn write_tag(out: &mut String, name: &str, value: &str) {
    let name: String = name.chars().filter(|c| !c.is_ascii() || is_name_byte(*c as u8)).collect();
    if name.is_empty() {
        return;
    }
    let _ = write!(out, "[{name} \"");
    for c in value.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push_str("\"]\n");
}

fn tidy(comment: &str) -> &str {
    comment.trim_ascii()
}

fn write_comment(out: &mut String, comment: &str) {
    out.push('{');
    for (index, line) in tidy(comment).split('\n').map(str::trim_ascii).enumerate() {
        if index > 0 {
            out.push('\n');
            // Readers must not take it for the first tag of another game.
            if line.starts_with('[') {
                out.push(' ');
            }
        }
        out.extend(line.chars().map(|c| if c == '}' { '｝' } else { c }));
    }
    out.push('}');
}

/// What is still to be written, the next on top of a stack.
enum Task {
    /// A move, its variations, and the rest of its line.
    Move(Place),
    /// A variation that begins with this move.
    Variation(Place),
    /// The end of a variation.
    End,
}

/// A move and where it stands.
struct Place {
    id: NodeId,
    /// Moves before it.
    ply: usize,
    /// Variations around it.
    depth: usize,
    /// The position before it; `None` when nobody needs to know, or behind an illegal move.
    board: Option<Board>,
}

struct MoveWriter<'r, 'o> {
    record: &'r Record,
    notation: Notation,
    out: &'o mut String,
    /// Whether nothing stands before the next word, so that it needs no blank.
    is_line_start: bool,
    /// Whether a move of Black needs its number too.
    needs_number: bool,
}

impl MoveWriter<'_, '_> {
    fn write(&mut self) {
        let tree = &self.record.tree;
        let mut tasks = Vec::new();
        let board = (self.notation != Notation::Iccs).then(|| self.record.start.clone());
        tasks.extend(tree.next(NodeId::ROOT).map(|id| Task::Move(Place { id, ply: 0, depth: 0, board })));
        while let Some(task) = tasks.pop() {
            match task {
                Task::Move(place) => {
                    self.write_move(&place);
                    let Place { id, ply, depth, board } = place;
                    let after = board.as_ref().zip(tree.mv(id)).and_then(|(board, mv)| board.play(mv).ok());
                    let next = tree.next(id).map(|id| Place { id, ply: ply + 1, depth, board: after });
                    tasks.extend(next.map(Task::Move));
                    let parent = tree.parent(id).unwrap_or(NodeId::ROOT);
                    // Only the move that goes on with a line has the variations in its place behind it.
                    if tree.next(parent) == Some(id) {
                        let first = tasks.len();
                        let variations = tree.children(parent).skip(1);
                        let variations = variations.map(|id| Place { id, ply, depth: depth + 1, board: board.clone() });
                        tasks.extend(variations.map(Task::Variation));
                        tasks[first..].reverse();
                    }
                }
                Task::Variation(place) => {
                    self.out.push_str(" (");
                    self.is_line_start = true;
                    self.needs_number = true;
                    tasks.push(Task::End);
                    tasks.push(Task::Move(place));
                }
                Task::End => {
                    self.out.push(')');
                    self.needs_number = true;
                }
            }
        }
    }

    fn write_move(&mut self, place: &Place) {
        let tree = &self.record.tree;
        let &Place { id, ply, depth, ref board } = place;
        let Some(mv) = tree.mv(id) else { return };
        let is_black_first = self.record.start.side_to_move() == Color::Black;
        let half_moves = ply + usize::from(is_black_first);
        let is_red = half_moves.is_multiple_of(2);
        if !std::mem::take(&mut self.is_line_start) {
            self.out.push(if is_red && depth == 0 { '\n' } else { ' ' });
        }
        if is_red || std::mem::take(&mut self.needs_number) {
            let _ = write!(self.out, "{}. {}", half_moves / 2 + 1, if is_red { "" } else { "... " });
        }
        self.needs_number = false;
        let word = match board {
            Some(board) if board.is_pseudo_legal(mv) && board.is_legal(mv) => self.notation.write(mv, board),
            _ => notation::iccs(mv),
        };
        self.out.push_str(&word);
        for nag in tree.nags(id) {
            let _ = write!(self.out, " ${nag}");
        }
        if !tidy(tree.comment(id)).is_empty() {
            self.out.push(' ');
            write_comment(self.out, tree.comment(id));
        }
    }
}
