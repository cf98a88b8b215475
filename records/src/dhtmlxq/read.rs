//! Reading.

use std::collections::HashMap;

use chuhe_movegen::{Board, Color, FILES, Move, Piece, PieceType, Square};
use chuhe_text::quoted;

use super::{ALIASES, FIELDS, PREFIXES};
use crate::damage::{Damage, Flaw, Omitted};
use crate::draft::{Draft, Start};
use crate::placement::Placement;
use crate::text::tidy_comment;
use crate::{GameResult, MAX_DEPTH, NodeId, fen};

/// What a text holds that holds such games.
pub(crate) const MARKS: [&str; 2] = ["[DhtmlXQ", "[DHJHtmlXQ"];

/// The games of a text, one after another.
#[derive(Debug)]
pub(crate) struct Games {
    text: String,
    at: usize,
}

impl Games {
    pub(crate) fn new(text: String) -> Games {
        Games { text, at: 0 }
    }
}

impl Iterator for Games {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        let rest = &self.text[self.at..];
        // The outer tag may be missing: then all tags are of one game.
        let start = brackets(rest).find(|&at| after_prefix(&rest[at + 1..]).is_some())?;
        let opening = start + rest[start..].find(']').map_or(1, |len| len + 1);
        let ends = brackets(&rest[opening..]).filter_map(|at| {
            let behind = &rest[opening + at + 1..];
            let (name, is_closing) = behind.strip_prefix('/').map_or((behind, false), |name| (name, true));
            let (variant, _) = after_prefix(name)?.split_once(']')?;
            if !variant.bytes().all(|byte| byte.is_ascii_alphabetic()) {
                return None;
            }
            let behind_bracket = after_prefix(name)?.len() - variant.len() - 1;
            Some(if is_closing { rest.len() - behind_bracket } else { opening + at })
        });
        let end = { ends }.next().unwrap_or(rest.len());
        let game = rest[start..end].to_owned();
        self.at += end;
        Some(game)
    }
}

/// Where brackets open.
fn brackets(text: &str) -> impl Iterator<Item = usize> {
    memchr::memchr_iter(b'[', text.as_bytes())
}

/// What follows the first word of a tag, if it is one of this format's.
fn after_prefix(tag: &str) -> Option<&str> {
    PREFIXES.iter().find_map(|prefix| tag.strip_prefix(prefix))
}

/// The tags of a game: names in lower case without what stands in front of them, and values.
fn tags(text: &str) -> impl Iterator<Item = (String, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            rest = &rest[brackets(rest).next()? + 1..];
            let Some(name) = after_prefix(rest) else { continue };
            let Some(end) = name.find(['[', ']']).filter(|&end| name[end..].starts_with(']')) else { continue };
            let (name, value) = (&name[..end], &name[end + 1..]);
            let Some(name) = name.strip_prefix('_') else { continue };
            let is_mark = |&at: &usize| {
                let tag = &value[at + 1..];
                after_prefix(tag.strip_prefix('/').unwrap_or(tag)).is_some()
            };
            let end = brackets(value).find(is_mark).unwrap_or(value.len());
            rest = &value[end..];
            return Some((name.trim().to_ascii_lowercase(), &value[..end]));
        }
    })
}

/// A variation as its tag tells it.
struct Variation<'t> {
    /// The line that it leaves; 0 is the main line.
    parent: u64,
    /// Which move it replaces, counted from the start of the game.
    ply: usize,
    number: u64,
    moves: &'t str,
}

/// Everything of a game.
#[derive(Default)]
struct Parts<'t> {
    binit: Option<&'t str>,
    fen: Option<&'t str>,
    moves: &'t str,
    variations: Vec<Variation<'t>>,
    /// Line, ply and text.
    comments: Vec<(u64, usize, &'t str)>,
    /// 打虎将's ninety points, side and half-moves before the first.
    points: Option<&'t str>,
    is_black: bool,
    halfmoves: u16,
    /// Whether rows of moves are counted from Red's side.
    is_flipped: bool,
    /// Tags by their other names.
    aliases: Vec<(&'static str, String)>,
}

/// Reads a game.
///
/// # Errors
/// [`Damage`] when the start position is none. What else is wrong is noted in the draft.
pub(crate) fn read(text: &str) -> Result<Draft, Damage> {
    let mut draft = Draft::default();
    let mut parts = Parts::default();
    for (name, value) in tags(text) {
        parts.take(&name, value, &mut draft);
    }
    for (tag, value) in std::mem::take(&mut parts.aliases) {
        if draft.tags.get(tag).is_none() {
            draft.tags.set(tag, value);
        }
    }
    draft.start = parts.start()?;
    let mut lines = Lines::default();
    lines.add_main(&mut draft, parts.moves, parts.is_flipped);
    lines.add_variations(&mut draft, &parts.variations, parts.is_flipped);
    for (line, ply, comment) in parts.comments {
        let id = lines.node(line, ply).unwrap_or(NodeId::ROOT);
        draft.tree.append_comment(id, &comment_text(comment));
    }
    Ok(draft)
}

impl<'t> Parts<'t> {
    fn take(&mut self, name: &str, value: &'t str, draft: &mut Draft) {
        let trimmed = value.trim();
        match name {
            "binit" => self.binit = Some(trimmed).filter(|value| !value.is_empty()),
            "fen" => self.fen = Some(trimmed).filter(|value| !value.is_empty()),
            "movelist" => self.moves = trimmed,
            // What the program of 东萍 calls the main line inside.
            "move_0_1_0" if self.moves.is_empty() => self.moves = trimmed,
            "result" => draft.result = GameResult::of_words(trimmed),
            "31" => self.points = Some(trimmed).filter(|value| !value.is_empty()),
            "32" => self.is_black = trimmed == "1",
            "33" => self.halfmoves = trimmed.parse().unwrap_or_default(),
            "34" => (self.moves, self.is_flipped) = (trimmed, true),
            _ => {
                if let Some(variation) = name.strip_prefix("move_").and_then(|name| Variation::of(name, trimmed)) {
                    self.variations.push(variation);
                } else if let Some(place) = name.trim_start_matches("game_").strip_prefix("comment") {
                    if let Some((line, ply)) = place_of_comment(place) {
                        self.comments.push((line, ply, value));
                    }
                } else if let Some(&(_, tag)) = FIELDS.iter().find(|(known, _)| *known == name && !trimmed.is_empty()) {
                    draft.tags.set(tag, in_one_line(trimmed));
                } else if let Some(&(_, tag)) = ALIASES.iter().find(|(known, _)| *known == name && !trimmed.is_empty())
                {
                    self.aliases.push((tag, in_one_line(trimmed)));
                }
            }
        }
    }

    fn start(&self) -> Result<Start, Flaw> {
        if let Some(fen) = self.fen {
            return Ok(Start::Board(fen::read(fen)?));
        }
        let placement = match (self.binit, self.points) {
            (Some(points), _) => listed_pieces(points)?,
            (None, Some(points)) => drawn_pieces(points)?,
            (None, None) => return Ok(Start::Board(Board::startpos())),
        };
        let side = if self.is_black { Color::Black } else { Color::Red };
        Ok(Start::Pieces { placement, side, fullmove_number: self.halfmoves / 2 + 1 })
    }
}

impl<'t> Variation<'t> {
    /// From a name such as `0_5_1` and the moves.
    fn of(name: &str, moves: &'t str) -> Option<Variation<'t>> {
        let mut numbers = name.split('_').map(|number| number.trim().parse::<u64>());
        let (parent, ply, number) = (numbers.next()?.ok()?, numbers.next()?.ok()?, numbers.next()?.ok()?);
        Some(Variation { parent, ply: usize::try_from(ply).ok()?, number, moves })
    }
}

/// Line and ply from what follows `comment` in a name: `5`, `1_5`, or in 打虎将's tags `_0_5`.
fn place_of_comment(name: &str) -> Option<(u64, usize)> {
    let name = name.trim_start_matches('_');
    let (line, ply) = name.split_once('_').unwrap_or(("0", name));
    Some((line.trim().parse().ok()?, ply.trim().parse().ok()?))
}

/// The pieces of `binit`: column and row for each, rows from Black's side, 99 for none.
fn listed_pieces(text: &str) -> Result<Placement, Flaw> {
    let mut points = [None; 32];
    let (pairs, _) = text.as_bytes().as_chunks::<2>();
    if pairs.len() < points.len() {
        return Err(Flaw::Unexpected { at: 0, found: length(text), expected: "64 digits in `binit`" });
    }
    for (point, &[column, row]) in points.iter_mut().zip(pairs) {
        *point = match (column, row) {
            (b'9', b'9') => None,
            (b'0'..=b'8', b'0'..=b'9') => Square::from_coords(column - b'0', b'9' - row),
            _ => {
                let found = format!("{:?}", String::from_utf8_lossy(&[column, row]));
                return Err(Flaw::Unexpected { at: 0, found, expected: "a column, a row or 99 in `binit`" });
            }
        };
    }
    Placement::from_list(points)
}

/// 打虎将's board: a letter for each point, row by row from Black's side; what is no piece is empty.
fn drawn_pieces(text: &str) -> Result<Placement, Flaw> {
    if text.chars().count() != Square::NUM {
        return Err(Flaw::Unexpected { at: 0, found: length(text), expected: "90 points of a board" });
    }
    let mut placement = Placement::empty();
    for (index, letter) in text.chars().enumerate() {
        let kind = match letter.to_ascii_uppercase() {
            'H' => Some(PieceType::Horse),
            'E' => Some(PieceType::Elephant),
            letter => PieceType::ALL.into_iter().find(|kind| kind.letter() == letter),
        };
        let color = if letter.is_ascii_uppercase() { Color::Red } else { Color::Black };
        let square = Square::from_coords((index % FILES) as u8, 9 - (index / FILES) as u8);
        if let Some((square, kind)) = square.zip(kind) {
            placement.put(square, Piece::new(color, kind))?;
        }
    }
    Ok(placement)
}

fn length(text: &str) -> String {
    format!("{} characters", text.chars().count())
}

/// A move of four digits: column and row of both points.
enum Word {
    Move(Move),
    /// From or to no point of the board.
    OffBoard,
    /// Something else than four digits.
    Fault(String),
}

/// The moves of a list. Blanks between them do not matter.
fn words(text: &str, is_flipped: bool) -> impl Iterator<Item = Word> {
    let mut characters = text.chars().filter(|c| !c.is_whitespace()).peekable();
    std::iter::from_fn(move || {
        characters.peek()?;
        let word: String = characters.by_ref().take(4).collect();
        let &[from_column, from_row, to_column, to_row] = word.as_bytes() else { return Some(Word::Fault(word)) };
        if !word.bytes().all(|byte| byte.is_ascii_digit()) {
            return Some(Word::Fault(word));
        }
        let square =
            |column: u8, row: u8| Square::from_coords(column - b'0', if is_flipped { row - b'0' } else { b'9' - row });
        let points = square(from_column, from_row).zip(square(to_column, to_row));
        Some(points.and_then(|(from, to)| Move::new(from, to)).map_or(Word::OffBoard, Word::Move))
    })
}

/// The nodes of all lines.
#[derive(Default)]
struct Lines {
    lines: Vec<Line>,
    /// Their places in the list, by number.
    by_number: HashMap<u64, usize>,
}

struct Line {
    /// The line that it leaves, by its place in the list.
    parent: Option<usize>,
    /// Its first move, counted from the start of the game and from 1.
    first_ply: usize,
    nodes: Vec<NodeId>,
    /// Lines around it.
    depth: usize,
}

impl Lines {
    fn add_main(&mut self, draft: &mut Draft, text: &str, is_flipped: bool) {
        let mut nodes = Vec::new();
        let mut words = words(text, is_flipped);
        for word in &mut words {
            let ply = nodes.len() + 1;
            let flaw = match word {
                Word::Move(mv) => {
                    nodes.push(draft.tree.push(mv));
                    continue;
                }
                Word::OffBoard => Flaw::OffBoard,
                Word::Fault(word) => {
                    let found = format!("{:?}", quoted(&word));
                    Flaw::Unexpected { at: 4 * nodes.len(), found, expected: "a move of four digits in `movelist`" }
                }
            };
            draft.damage = Some(Damage::at(ply, flaw));
            Omitted::add(&mut draft.omitted, 1, ply);
            break;
        }
        let rest = words.count() as u64;
        if rest > 0 {
            Omitted::add(&mut draft.omitted, rest, nodes.len() + 1);
        }
        self.lines.push(Line { parent: None, first_ply: 1, nodes, depth: 0 });
        self.by_number.insert(0, 0);
    }

    /// Adds all variations, each behind the one that it leaves, which may stand later in the file.
    fn add_variations(&mut self, draft: &mut Draft, variations: &[Variation<'_>], is_flipped: bool) {
        let mut leaving: HashMap<u64, Vec<&Variation<'_>>> = HashMap::new();
        for variation in variations {
            leaving.entry(variation.parent).or_default().push(variation);
        }
        let mut numbers = vec![0];
        let mut index = 0;
        while let Some(&number) = numbers.get(index) {
            index += 1;
            let (Some(&parent), Some(variations)) = (self.by_number.get(&number), leaving.remove(&number)) else {
                continue;
            };
            for variation in variations {
                match self.add(draft, parent, variation, is_flipped) {
                    Some(place) if !self.by_number.contains_key(&variation.number) => {
                        self.by_number.insert(variation.number, place);
                        numbers.push(variation.number);
                    }
                    _ => {}
                }
            }
        }
        // What is left leaves lines that do not exist.
        let mut lost: Vec<&Variation<'_>> = leaving.into_values().flatten().collect();
        lost.sort_unstable_by_key(|variation| variation.ply);
        for variation in lost {
            Omitted::add(&mut draft.omitted, words(variation.moves, is_flipped).count() as u64, variation.ply);
        }
    }

    /// Adds a variation and gives its place in the list.
    fn add(&mut self, draft: &mut Draft, parent: usize, variation: &Variation<'_>, is_flipped: bool) -> Option<usize> {
        let &Variation { ply, moves, .. } = variation;
        let depth = self.lines[parent].depth + 1;
        let mut words = words(moves, is_flipped);
        let start = ply.checked_sub(1).and_then(|ply| self.node_of(parent, ply));
        let Some(mut node) = start.filter(|_| depth <= MAX_DEPTH) else {
            Omitted::add(&mut draft.omitted, words.count() as u64, ply);
            return None;
        };
        let mut nodes = Vec::new();
        // Where the main line is over it does not go on with a variation.
        if node != draft.tree.end() {
            for word in &mut words {
                let Word::Move(mv) = word else {
                    Omitted::add(&mut draft.omitted, 1, ply + nodes.len());
                    break;
                };
                node = draft.tree.add(node, mv);
                nodes.push(node);
            }
        }
        let rest = words.count() as u64;
        if rest > 0 {
            Omitted::add(&mut draft.omitted, rest, ply + nodes.len());
        }
        self.lines.push(Line { parent: Some(parent), first_ply: ply, nodes, depth });
        Some(self.lines.len() - 1)
    }

    /// The place after so many moves of a line; the last one if a comment is about moves that are not there.
    fn node(&self, number: u64, ply: usize) -> Option<NodeId> {
        let &line = self.by_number.get(&number)?;
        self.node_of(line, ply).or_else(|| self.lines[line].nodes.last().copied())
    }

    /// The place after so many moves of a line; moves before its first are those of the line that it leaves.
    fn node_of(&self, line: usize, ply: usize) -> Option<NodeId> {
        if ply == 0 {
            return Some(NodeId::ROOT);
        }
        let mut lines = std::iter::successors(Some(&self.lines[line]), |line| Some(&self.lines[line.parent?]));
        let line = lines.find(|line| line.first_ply <= ply)?;
        line.nodes.get(ply - line.first_ply).copied()
    }
}

fn comment_text(text: &str) -> String {
    tidy_comment(&unescaped(&text.trim_end().trim_end_matches('|').replace("||", "\n")))
}

fn in_one_line(text: &str) -> String {
    unescaped(text).replace(char::is_control, " ")
}

/// A text in which `\uXXXX` stands for a character.
fn unescaped(text: &str) -> String {
    if !text.contains("\\u") {
        return text.to_owned();
    }
    let mut units = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\\u") {
        units.extend(rest[..at].encode_utf16());
        let digits = rest.get(at + 2..at + 6).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        match digits.and_then(|digits| u16::from_str_radix(digits, 16).ok()) {
            Some(unit) => {
                units.push(unit);
                rest = &rest[at + 6..];
            }
            None => {
                units.extend("\\u".encode_utf16());
                rest = &rest[at + 2..];
            }
        }
    }
    units.extend(rest.encode_utf16());
    String::from_utf16_lossy(&units)
}
