//! EPD: a position with operations, such as `FEN w - - bm h2e2; id "first";`.

use chuhe_movegen::{Board, FenError};
use serde_json::Value;

use super::Entry;
use crate::pgn::is_structural;
use crate::{NodeId, Record, fen};

/// Operations that have a name of their own among tags; the others keep theirs.
const TAGS: [(&str, &str); 3] = [("bm", "BestMove"), ("am", "AvoidMove"), ("id", "Id")];

/// Whether operations stand behind a position, rather than moves.
pub(super) fn looks_like_operations(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    text.contains(';') || TAGS.iter().any(|(opcode, _)| *opcode == first)
}

/// A position with operations. What they say becomes tags, but for comments (`c0` to `c9`) and counters of moves.
pub(super) fn read(board: &str, operations: &str) -> Result<Entry, FenError> {
    let mut record = Record::default();
    let (mut halfmoves, mut fullmoves) = (None, None);
    let mut id = None;
    for (opcode, operand) in Operations(operations) {
        match (opcode, operand.parse::<u16>()) {
            ("hmvc", Ok(number)) => halfmoves = Some(number),
            ("fmvn", Ok(number)) => fullmoves = Some(number),
            // `FEN ; 第001局：月上柳梢` is a title.
            _ if !opcode.is_ascii() => record.tags.set("Title", format!("{opcode} {operand}").trim_end()),
            _ if matches!(opcode.as_bytes(), [b'c', b'0'..=b'9']) => {
                record.tree.append_comment(NodeId::ROOT, &operand);
            }
            _ => {
                if opcode == "id" {
                    id = Some(Value::String(operand.clone()));
                }
                let tag = TAGS.iter().find(|(known, _)| *known == opcode).map_or(opcode, |(_, tag)| tag);
                if !is_structural(tag) {
                    record.tags.set(tag, operand);
                }
            }
        }
    }
    let start = fen::read(board)?;
    record.start = if halfmoves.is_some() || fullmoves.is_some() {
        let fen = start.to_fen();
        let position = fen.split(" - - ").next().unwrap_or_default();
        let halfmoves = halfmoves.unwrap_or(start.halfmove_clock());
        let fullmoves = fullmoves.unwrap_or(start.fullmove_number());
        Board::from_composed_fen(&format!("{position} - - {halfmoves} {fullmoves}"))?
    } else {
        start
    };
    Ok(Entry { id, ..Entry::new(Some(record), None, None) })
}

/// Opcodes and operands, which may stand in quotation marks.
struct Operations<'t>(&'t str);

impl<'t> Iterator for Operations<'t> {
    type Item = (&'t str, String);

    fn next(&mut self) -> Option<(&'t str, String)> {
        let text = self.0.trim_start_matches(|c: char| c.is_whitespace() || c == ';');
        if text.is_empty() {
            return None;
        }
        let (opcode, rest) = text.split_at(text.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(text.len()));
        let mut is_quoted = false;
        let end = rest.find(|c: char| {
            is_quoted ^= c == '"';
            c == ';' && !is_quoted
        });
        let (operand, rest) = rest.split_at(end.unwrap_or(rest.len()));
        self.0 = rest;
        Some((opcode, operand.trim().replace('"', "")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_become_tags_comments_and_counters() {
        let board = "3k5/9/9/9/9/9/9/9/9/R3K4 w - -";
        let operations = r#"bm a0a9 a0d0; id "mate; first"; c0 "a note"; hmvc 7; fmvn 30; acd 12; draw_accept;"#;
        assert!(looks_like_operations(operations) && looks_like_operations("bm a0a9"));
        assert!(!looks_like_operations("moves a0a9") && !looks_like_operations("a0a9 d9d8"));
        let entry = read(board, operations).expect("a position");
        assert_eq!(entry.id, Some(Value::from("mate; first")));
        let record = entry.record.expect("a game");
        assert_eq!(record.start.to_fen(), "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 7 30");
        assert_eq!(record.comment(), "a note");
        let tags: Vec<_> = record.tags.iter().collect();
        let expected = [("BestMove", "a0a9 a0d0"), ("Id", "mate; first"), ("acd", "12"), ("draw_accept", "")];
        assert_eq!(tags, expected);
        let entry = read(board, "; 第001局：月上柳梢").expect("a position");
        assert_eq!(entry.record.expect("a game").tags.iter().collect::<Vec<_>>(), [("Title", "第001局：月上柳梢")]);
    }
}
