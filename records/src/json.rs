//! Games as lines of JSON.
//!
//! A game is one object on one line; `docs/formats.md` describes every key. `comments`, `variations` and `error` are left
//! out when there are none. When a game is read, `moves` or a position must be there; moves of the main line may be in any
//! notation and in one text, the position may stand under `fen`, and `ruleset` names the rules of repetition (as the tag
//! `Ruleset` does). A game with an `error` is read as a damaged one. Unknown keys are ignored.

use std::fmt;

use chuhe_movegen::{Board, Move};
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::ser::{SerializeMap as _, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::error::Category;
use serde_json::{Map, Value};

use crate::damage::Omitted;
use crate::draft::{Draft, Start, Verified};
use crate::games::{Entry, GameError, RULE_SET_TAG, play};
use crate::pgn::{MAX_TAGS, is_structural};
use crate::{GameResult, NodeId, Record, Tags};

/// Why a line of JSON tells no game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum JsonFault {
    /// Something else than an object.
    #[error("found {0:?}, expected a JSON object such as {{\"fen\": …, \"moves\": [\"h2e2\", …]}}")]
    NoObject(
        /// The beginning of the line.
        String,
    ),
    /// The object does not end on its line.
    #[error("the JSON is cut off after column {column}")]
    Cut {
        /// Bytes of the line.
        column: usize,
    },
    /// The line cannot be read as JSON.
    #[error("the JSON is faulty at column {column}: {fault}")]
    Syntax {
        /// Byte of the line, from 1.
        column: usize,
        /// What is wrong there or was expected.
        fault: String,
    },
    /// There are neither moves nor a position.
    #[error("\"moves\" is missing, expected a list of moves or a text of them, or a position as \"fen\"")]
    NoMoves,
    /// A value is of the wrong kind.
    #[error("\"{key}\": found {found}, expected {expected}")]
    Value {
        /// The key.
        key: &'static str,
        /// What kind of value was found.
        found: JsonKind,
        /// What kind may stand there.
        expected: &'static str,
    },
}

/// Kinds of values in JSON.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum JsonKind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool,
    /// A number.
    Number,
    /// A text.
    Text,
    /// A list.
    List,
    /// An object.
    Object,
}

impl JsonKind {
    fn of(value: &Value) -> JsonKind {
        match value {
            Value::Null => JsonKind::Null,
            Value::Bool(_) => JsonKind::Bool,
            Value::Number(_) => JsonKind::Number,
            Value::String(_) => JsonKind::Text,
            Value::Array(_) => JsonKind::List,
            Value::Object(_) => JsonKind::Object,
        }
    }
}

impl fmt::Display for JsonKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            JsonKind::Null => "null",
            JsonKind::Bool => "true or false",
            JsonKind::Number => "a number",
            JsonKind::Text => "a text",
            JsonKind::List => "a list",
            JsonKind::Object => "an object",
        })
    }
}

/// What is said of a game besides the record.
#[derive(Clone, Copy, Debug, Default)]
pub struct About<'a> {
    /// What it is called.
    pub id: Option<&'a Value>,
    /// What is wrong with it, if it is not whole.
    pub error: Option<&'a str>,
}

/// Writes a game as one object on one line, without the end of line.
#[must_use]
pub fn to_string(record: &Record, about: About<'_>) -> String {
    serde_json::to_string(&Object::of(record, about)).expect("texts and numbers can be written")
}

/// The object that is written.
#[derive(Serialize)]
struct Object<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'r Value>,
    start_fen: String,
    moves: Vec<String>,
    result: &'static str,
    #[serde(serialize_with = "serialize_tags")]
    tags: &'r Tags,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comments: Vec<Comment>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variations: Vec<Variation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'r str>,
}

/// What is said about a move.
#[derive(Serialize, Deserialize)]
struct Comment {
    line: usize,
    ply: usize,
    #[serde(default)]
    text: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    nags: Vec<u8>,
}

#[derive(Serialize, Deserialize)]
struct Variation {
    line: usize,
    ply: usize,
    moves: Vec<String>,
}

fn serialize_tags<S: Serializer>(tags: &Tags, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(tags.len()))?;
    for (name, value) in tags.iter() {
        map.serialize_entry(name, value)?;
    }
    map.end()
}

impl<'r> Object<'r> {
    fn of(record: &'r Record, about: About<'r>) -> Object<'r> {
        let tree = &record.tree;
        let mut lines = tree.lines();
        let words = |nodes: &[NodeId]| nodes.iter().filter_map(|&id| tree.mv(id)).map(|mv| mv.to_string()).collect();
        let comment = |line: usize, ply: usize, id: NodeId| {
            let (text, nags) = (tree.comment(id), tree.nags(id));
            let is_there = !text.is_empty() || !nags.is_empty();
            is_there.then(|| Comment { line, ply, text: text.to_owned(), nags: nags.to_vec() })
        };
        let mut comments: Vec<Comment> = comment(0, 0, NodeId::ROOT).into_iter().collect();
        for (number, line) in lines.iter().enumerate() {
            let places = (line.first_ply..).zip(&line.nodes);
            comments.extend(places.filter_map(|(ply, &id)| comment(number, ply, id)));
        }
        let variations = lines.split_off(1).into_iter();
        Object {
            id: about.id,
            start_fen: record.start.to_fen(),
            moves: lines.first().map_or_else(Vec::new, |main| words(&main.nodes)),
            result: record.result.as_str(),
            tags: &record.tags,
            comments,
            variations: variations
                .map(|line| Variation {
                    line: line.parent.unwrap_or_default(),
                    ply: line.first_ply,
                    moves: words(&line.nodes),
                })
                .collect(),
            error: about.error,
        }
    }
}

/// A game from a line of JSON.
pub(crate) fn read(text: &str) -> Entry {
    let mut object = match object(text) {
        Ok(object) => object,
        Err(fault) => return Entry::damaged(fault.into()),
    };
    let id = object.others.remove("id").filter(|id| !id.is_null());
    match read_object(object) {
        Err(error) => Entry { id, ..Entry::damaged(error) },
        Ok(entry) => Entry { id, ..entry },
    }
}

/// A game from the keys of an object.
fn read_object(object: Keys) -> Result<Entry, GameError> {
    let Keys { tags, others: mut object } = object;
    let object = &mut object;
    let ruleset = optional_text(object, "ruleset")?;
    let fen = match optional_text(object, "start_fen")? {
        Some(fen) => Some(fen),
        None => optional_text(object, "fen")?,
    };
    let stated = object.remove("error").and_then(|error| error.as_str().map(|text| GameError::Stated(text.to_owned())));
    let moves = match object.remove("moves") {
        None if fen.is_none() => return Err(stated.unwrap_or(JsonFault::NoMoves.into())),
        None => Vec::new(),
        Some(moves) => moves_text(moves)?,
    };
    let start = match fen.as_deref().map(str::trim) {
        None | Some("startpos") => Board::startpos(),
        Some(fen) => Board::from_composed_fen(fen)?,
    };
    let (mut record, error) = play(start, moves.iter().map(String::as_str));
    record.tags = tags;
    if let Some(ruleset) = ruleset {
        record.tags.set(RULE_SET_TAG, ruleset);
    }
    if let Some(Value::String(result)) = object.remove("result") {
        record.result = GameResult::of_words(&result);
    }
    let (record, omitted) = add_asides(record, &asides(object, "variations"), &asides(object, "comments"));
    Ok(Entry::new(Some(record), omitted, error.or(stated)))
}

/// A list of asides; what does not look like one is another program's key of the same name.
fn asides<T: for<'de> Deserialize<'de>>(object: &mut Map<String, Value>, key: &str) -> Vec<T> {
    object.remove(key).and_then(|value| serde_json::from_value(value).ok()).unwrap_or_default()
}

/// Adds variations and comments.
fn add_asides(mut record: Record, variations: &[Variation], comments: &[Comment]) -> (Record, Option<Omitted>) {
    let mut omitted = None;
    let mut lines =
        vec![(1, std::iter::successors(record.tree.next(NodeId::ROOT), |&id| record.tree.next(id)).collect())];
    let node_at = |lines: &[(usize, Vec<NodeId>)], line: usize, ply: usize| -> Option<NodeId> {
        let (first_ply, nodes) = lines.get(line)?;
        nodes.get(ply.checked_sub(*first_ply)?).copied()
    };
    for Variation { line, ply, moves } in variations {
        let parent = node_at(&lines, *line, *ply).and_then(|id| record.tree.parent(id));
        let mut nodes = Vec::new();
        if let Some(mut node) = parent {
            for mv in moves.iter().map_while(|word| word.parse::<Move>().ok()) {
                node = record.tree.add(node, mv);
                nodes.push(node);
            }
        }
        if nodes.len() < moves.len() {
            Omitted::add(&mut omitted, (moves.len() - nodes.len()) as u64, ply + nodes.len());
        }
        lines.push((*ply, nodes));
    }
    for Comment { line, ply, text, nags } in comments {
        let id = if *ply == 0 { Some(NodeId::ROOT) } else { node_at(&lines, *line, *ply) };
        let Some(id) = id else { continue };
        record.tree.append_comment(id, text);
        nags.iter().for_each(|&nag| record.tree.add_nag(id, nag));
    }
    if record.tree.len() == lines[0].1.len() {
        return (record, omitted);
    }
    let Record { tags, start, tree, result } = record;
    let draft = Draft { tags, start: Start::Board(start), tree, result, omitted, damage: None };
    match draft.verify() {
        Ok(Verified { record, omitted, .. }) => (record, omitted),
        Err(_) => unreachable!("the main line has been played from this position"),
    }
}

/// An object, of which the tags keep their order.
#[derive(Debug, Default)]
struct Keys {
    tags: Tags,
    others: Map<String, Value>,
}

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Keys, D::Error> {
        struct KeysVisitor;

        impl<'de> Visitor<'de> for KeysVisitor {
            type Value = Keys;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Keys, A::Error> {
                let mut keys = Keys::default();
                while let Some(key) = map.next_key::<String>()? {
                    if key == "tags" {
                        if let AnyTags::Tags(tags) = map.next_value()? {
                            keys.tags = tags.0;
                        }
                    } else {
                        keys.others.insert(key, map.next_value()?);
                    }
                }
                Ok(keys)
            }
        }

        deserializer.deserialize_map(KeysVisitor)
    }
}

/// What stands under `tags`, if it is what we write there.
#[derive(Deserialize)]
#[serde(untagged)]
enum AnyTags {
    Tags(OrderedTags),
    Other(IgnoredAny),
}

struct OrderedTags(Tags);

impl<'de> Deserialize<'de> for OrderedTags {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OrderedTags, D::Error> {
        struct TagsVisitor;

        impl<'de> Visitor<'de> for TagsVisitor {
            type Value = OrderedTags;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of texts")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<OrderedTags, A::Error> {
                let mut tags = Tags::new();
                while let Some((name, value)) = map.next_entry::<String, Value>()? {
                    if let Value::String(value) = value
                        && !is_structural(&name)
                        && tags.len() < MAX_TAGS
                    {
                        tags.set(name, value);
                    }
                }
                Ok(OrderedTags(tags))
            }
        }

        deserializer.deserialize_map(TagsVisitor)
    }
}

fn object(text: &str) -> Result<Keys, JsonFault> {
    if !text.starts_with('{') {
        return Err(JsonFault::NoObject(chuhe_text::quoted(text)));
    }
    serde_json::from_str(text).map_err(|error| match error.classify() {
        Category::Eof => JsonFault::Cut { column: error.column() },
        _ => JsonFault::Syntax { column: error.column(), fault: syntax(&error) },
    })
}

/// What the parser says, without the place and its own terms.
fn syntax(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    let message = match message {
        "expected ident" => "expected null, true or false",
        "expected value" => "expected a value",
        "key must be a string" => "expected a key in quotation marks",
        other => other,
    };
    chuhe_text::excerpt(message, MAX_MESSAGE_LEN)
}

/// Characters of what the parser says that are passed on.
const MAX_MESSAGE_LEN: usize = 160;

/// The text under a key; null is as good as no such key.
fn optional_text(object: &mut Map<String, Value>, key: &'static str) -> Result<Option<String>, JsonFault> {
    match object.remove(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(JsonFault::Value { key, found: JsonKind::of(&other), expected: "a text" }),
    }
}

/// Moves one by one or in one text.
fn moves_text(value: Value) -> Result<Vec<String>, JsonFault> {
    let fault = |value: &Value, expected| JsonFault::Value { key: "moves", found: JsonKind::of(value), expected };
    match value {
        Value::String(text) => Ok(text.split_whitespace().map(str::to_owned).collect()),
        Value::Array(list) => list
            .into_iter()
            .map(|item| match item {
                Value::String(word) => Ok(word.trim().to_owned()),
                other => Err(fault(&other, "a move in each place of the list")),
            })
            .collect(),
        other => Err(fault(&other, "a list of moves or a text of them")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_keeps_the_id_of_what_it_cannot_use() {
        let entry = read(r#"{"id": 7, "fen": "3k5/9/9/9/9/9/9/9/R8/4K4 w", "moves": "a1a2 d9d8", "ruleset": "cxa"}"#);
        assert_eq!((entry.id, entry.ruleset.as_deref()), (Some(Value::from(7)), Some("cxa")));
        assert_eq!(entry.record.map(|record| record.main_line().count()), Ok(2));
        for (line, id, expected) in [
            ("{", None, "cut off after column 1"),
            (r#"{"id": "a"}"#, Some("a"), "\"moves\" is missing"),
            (r#"{"id": "a", "fen": "3k5", "moves": 5}"#, Some("a"), "\"moves\": found a number, expected a list"),
            (r#"{"id": "a", "moves": ["h2e2", null]}"#, Some("a"), "\"moves\": found null, expected a move"),
            (r#"{"id": "a", "moves": "", "fen": []}"#, Some("a"), "\"fen\": found a list, expected a text"),
            (r#"{"id": "a", "moves": "", "ruleset": {}}"#, Some("a"), "\"ruleset\": found an object"),
            (r#"{"id": null, "fen": "3k5", "moves": []}"#, None, "start position: "),
            ("[1, 2]", None, "found \"[1, 2]\", expected a JSON object such as {\"fen\": …"),
            ("not json", None, "found \"not json\", expected a JSON object"),
            ("{ a comment }", None, "column 3: expected a key in quotation marks"),
            (r#"{"id": nil}"#, None, "column 9: expected null, true or false"),
        ] {
            let entry = read(line);
            let error = entry.record.expect_err(line).to_string();
            assert!(error.contains(expected), "{line}: {error}");
            assert_eq!(entry.id, id.map(Value::from), "{line}");
        }
    }

    #[test]
    fn a_game_that_is_said_to_be_damaged_is() {
        let (record, error) = play(Board::startpos(), ["h2e2", "h9g7", "e2e9"]);
        let error = error.expect("the third move is illegal").to_string();
        let line = to_string(&record, About { id: None, error: Some(&error) });
        let damaged = read(&line).record.expect_err("it says so");
        assert_eq!((damaged.error.to_string(), damaged.salvaged.as_deref()), (error, Some(&record)));
        // What is wrong with the moves of the line itself comes first.
        let damaged = read(r#"{"moves": "h2e2 e2e9", "error": "old"}"#).record.expect_err("it says so");
        assert!(damaged.error.to_string().starts_with("move 2: "), "{damaged}");
        assert_eq!(read(r#"{"id": 1, "error": "no game"}"#).record.expect_err("it says so").to_string(), "no game");
    }

    #[test]
    fn a_position_needs_no_moves() {
        let record = read(r#"{"id": 1, "fen": "3k5/9/9/9/9/9/9/9/R8/4K4 b"}"#).record.expect("a position");
        assert_eq!((record.start.to_fen().as_str(), record.tree.len()), ("3k5/9/9/9/9/9/9/9/R8/4K4 b - - 0 1", 0));
    }

    #[test]
    fn json_without_a_position_begins_from_the_start() {
        for fen in ["", r#""fen": null,"#, r#""fen": "startpos","#, r#""start_fen": " startpos ","#] {
            let entry = read(&format!(r#"{{{fen} "moves": ["h2e2"]}}"#));
            let record = entry.record.unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert_eq!((record.start.to_fen().as_str(), record.main_line().count()), (Board::START_FEN, 1), "{fen}");
        }
        assert!(read(r#"{"fen": "", "moves": []}"#).record.is_err(), "an empty position is a mistake");
    }

    #[test]
    fn messages_are_short_whatever_the_line() {
        let long = "x".repeat(10_000);
        for line in [&long, &format!("{{\"{long}"), &format!("{{{long}"), &format!("{{\"moves\": [\"{long}\"]}}")] {
            let error = read(line).record.expect_err("no game").to_string();
            assert!(error.chars().count() <= 2 * MAX_MESSAGE_LEN, "{error}");
        }
    }
}
