//! CBF: one game as XML.

use chuhe_movegen::Move;
use chuhe_text::quoted;
use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};

use super::{result, square};
use crate::damage::{Damage, Flaw, Omitted};
use crate::draft::{Draft, Start};
use crate::fen;
use crate::text::tidy_comment;

/// The name of the outermost element.
pub(crate) const ROOT: &str = "ChineseChessRecord";

/// Elements of the head and their tags.
const FIELDS: [(&str, &str); 24] = [
    ("Name", "Title"),
    ("From", "Source"),
    ("ContestType", "EventType"),
    ("Contest", "Event"),
    ("Round", "Round"),
    ("Group", "Group"),
    ("Table", "Table"),
    ("Date", "Date"),
    ("Site", "Site"),
    ("TimeRule", "TimeControl"),
    ("Red", "Red"),
    ("RedTeam", "RedTeam"),
    ("RedTime", "RedTime"),
    ("RedRating", "RedElo"),
    ("Black", "Black"),
    ("BlackTeam", "BlackTeam"),
    ("BlackTime", "BlackTime"),
    ("BlackRating", "BlackElo"),
    ("Referee", "Referee"),
    ("Recorder", "Recorder"),
    ("Commentator", "Annotator"),
    ("Creator", "Author"),
    ("ECCO", "ECCO"),
    ("ResultType", "Termination"),
];

/// Reads a file.
///
/// # Errors
/// [`Damage`] when the start position is none. What else is wrong is noted in the draft.
pub(crate) fn read(text: &str) -> Result<Draft, Damage> {
    let mut parser = Parser::default();
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let flaw = loop {
        match reader.read_event() {
            Ok(Event::Eof) if parser.is_complete => break None,
            Ok(Event::Eof) => break Some(Flaw::Cut { len: text.len(), expected: "the end of the list of moves" }),
            Ok(event) => match parser.read(&event) {
                Ok(()) => {}
                Err(fault) => break Some(fault.at(reader.error_position())),
            },
            Err(error) => {
                let fault = Fault { found: error.to_string(), expected: "well-formed XML" };
                break Some(fault.at(reader.error_position()));
            }
        }
    };
    let Parser { mut draft, fen, ply, .. } = parser;
    if let Some(flaw) = flaw {
        draft.damage.get_or_insert(Damage::at(ply + 1, flaw));
    }
    if let Some(fen) = fen {
        draft.start = Start::Board(fen::read(&fen).map_err(Flaw::from)?);
    }
    Ok(draft)
}

/// What is wrong with an element.
struct Fault {
    found: String,
    expected: &'static str,
}

impl Fault {
    fn at(self, at: u64) -> Flaw {
        Flaw::Unexpected { at: usize::try_from(at).unwrap_or(usize::MAX), found: self.found, expected: self.expected }
    }
}

#[derive(Default)]
struct Parser {
    draft: Draft,
    fen: Option<String>,
    /// Moves so far.
    ply: usize,
    /// The text of the element that is being read.
    text: String,
    /// Whether the main line is over, by its mark or by a move that is none.
    is_over: bool,
    /// Whether the list of moves has been closed.
    is_complete: bool,
}

impl Parser {
    fn read(&mut self, event: &Event<'_>) -> Result<(), Fault> {
        match event {
            Event::Start(element) => {
                self.text.clear();
                if element.local_name().as_ref() == "Move" {
                    self.read_move(element)?;
                }
            }
            Event::Empty(element) => match element.local_name().as_ref() {
                "Move" => self.read_move(element)?,
                "MoveList" => self.is_complete = true,
                _ => {}
            },
            Event::Text(text) => self.text.push_str(&text.xml10_content()),
            Event::CData(text) => self.text.push_str(&text.xml10_content()),
            Event::GeneralRef(reference) => self.text.extend(character(reference)),
            Event::End(element) => {
                let text = std::mem::take(&mut self.text);
                self.end(element.local_name().as_ref(), &text);
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, name: &str, text: &str) {
        match name {
            "Move" => {
                let last = self.draft.tree.end();
                self.draft.tree.append_comment(last, &tidy_comment(text));
            }
            "MoveList" => self.is_complete = true,
            "FEN" => self.fen = Some(text.to_owned()).filter(|fen| !fen.trim().is_empty()),
            "RecordResult" => self.draft.result = result(text.trim().parse().unwrap_or_default()),
            _ => {
                let text = text.trim_ascii();
                if let Some((_, tag)) = FIELDS.iter().find(|(element, _)| *element == name && !text.is_empty()) {
                    self.draft.tags.set(*tag, text.replace(char::is_control, " "));
                }
            }
        }
    }

    /// Reads a move such as `77-47`: column and row, rows from Black's side. The first, from a point to itself, is none:
    /// its text is about the game.
    fn read_move(&mut self, element: &BytesStart<'_>) -> Result<(), Fault> {
        let attribute = |name| element.try_get_attribute(name).ok().flatten();
        let value = attribute("value").map(|attribute| attribute.value.into_owned()).unwrap_or_default();
        let digits: Vec<u8> = value.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
        let &[from_column, from_row, to_column, to_row] = &digits[..] else {
            return Err(Fault { found: format!("the move {:?}", quoted(&value)), expected: "one such as `77-47`" });
        };
        if self.ply == 0 && (from_column, from_row) == (to_column, to_row) {
            return Ok(());
        }
        let ply = self.ply + 1;
        let points = square(from_column, from_row).zip(square(to_column, to_row));
        match points.and_then(|(from, to)| Move::new(from, to)) {
            Some(mv) if !self.is_over => {
                self.draft.tree.push(mv);
                self.ply = ply;
            }
            Some(_) => Omitted::add(&mut self.draft.omitted, 1, ply),
            None => {
                Omitted::add(&mut self.draft.omitted, 1, ply);
                if !self.is_over {
                    self.draft.damage = Some(Damage::at(ply, Flaw::OffBoard));
                }
            }
        }
        let is_last = attribute("end").is_some_and(|attribute| attribute.value == "1");
        self.is_over |= is_last || self.draft.damage.is_some();
        Ok(())
    }
}

/// The character that a reference such as `&amp;` stands for.
fn character(reference: &BytesRef<'_>) -> Option<char> {
    match reference.resolve_char_ref() {
        Ok(Some(c)) => Some(c),
        _ => resolve_predefined_entity(&reference.xml10_content())?.chars().next(),
    }
}
