//! Writing.

use chuhe_movegen::{Color, Move, Square};

use super::header::{self, FIELDS, Field, LEN};
use super::{MAGIC, PLAIN_VERSION, offset};
use crate::placement::Placement;
use crate::{GameResult, NodeId, Record, TextEncoding};

/// A start position has more pieces of a kind than XQF has room for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the start position has more pieces than a set of xiangqi, which XQF cannot hold")]
pub struct TooManyPieces;

/// Writes a game as version 1.0, which is not encrypted.
///
/// The reader gives back the same start position, moves, variations, comments and result. Tags that XQF has no room for
/// are left out, long ones cut short, and so are annotation glyphs; characters that GBK does not have become `?`.
///
/// # Errors
/// [`TooManyPieces`].
pub fn to_bytes(record: &Record) -> Result<Vec<u8>, TooManyPieces> {
    let mut out = vec![0; LEN];
    out[..MAGIC.len()].copy_from_slice(MAGIC);
    out[header::VERSION] = PLAIN_VERSION;
    let points = Placement::of(&record.start).to_list().ok_or(TooManyPieces)?;
    for (byte, point) in out[header::PIECES].iter_mut().zip(points) {
        *byte = point.map_or(OFF_BOARD, point_byte);
    }
    out[header::SIDE] = u8::from(record.start.side_to_move() == Color::Black);
    out[header::RESULT] = match record.result {
        GameResult::Unknown => 0,
        GameResult::RedWins => 1,
        GameResult::BlackWins => 2,
        GameResult::Draw => 3,
    };
    let kind = record.tags.get(header::TYPE_TAG).unwrap_or_default();
    out[header::TYPE] = header::TYPES.iter().position(|&name| name == kind).unwrap_or_default() as u8;
    for &Field { tag, at, room } in &FIELDS {
        let text = gbk(record.tags.get(tag).unwrap_or_default(), room);
        out[at] = text.len() as u8;
        out[at + 1..at + 1 + text.len()].copy_from_slice(&text);
    }
    let tree = &record.tree;
    for (_, id) in tree.walk() {
        let [from, to] = tree.mv(id).map_or([0; 2], |mv: Move| [point_byte(mv.from()), point_byte(mv.to())]);
        let next = if tree.next(id).is_some() { 0xf0 } else { 0 };
        let sibling = if tree.next_sibling(id).is_some() { 0x0f } else { 0 };
        out.extend([from.wrapping_add(offset::FROM), to.wrapping_add(offset::TO), next | sibling, 0]);
        let comment = gbk(&tree.comment(id).replace('\n', "\r\n"), u32::MAX as usize);
        out.extend((comment.len() as u32).to_le_bytes());
        out.extend(comment);
    }
    debug_assert_eq!(tree.walk().next().map(|(_, id)| id), Some(NodeId::ROOT));
    Ok(out)
}

/// Tags that are longer than XQF has room for, so that [`to_bytes`] cuts them short.
pub fn cut_tags(record: &Record) -> impl Iterator<Item = &'static str> {
    let is_cut = |field: &&Field| {
        let text = record.tags.get(field.tag).unwrap_or_default();
        TextEncoding::Gbk.encode(text).0.len() > field.room
    };
    FIELDS.iter().filter(is_cut).map(|field| field.tag)
}

/// Whether a game has characters that GBK does not have, for which [`to_bytes`] writes `?`.
pub fn is_lossy(record: &Record) -> bool {
    let lacks = |text: &str| TextEncoding::Gbk.encode(text).1;
    FIELDS.iter().filter_map(|field| record.tags.get(field.tag)).any(lacks)
        || record.tree.walk().any(|(_, id)| lacks(record.tree.comment(id)))
}

/// A point that stands for a piece that is not there.
const OFF_BOARD: u8 = 0xff;

fn point_byte(square: Square) -> u8 {
    10 * square.file() + square.rank()
}

/// A text in GBK, of as many whole characters as there is room for.
fn gbk(text: &str, room: usize) -> Vec<u8> {
    let (all, _) = TextEncoding::Gbk.encode(text);
    if all.len() <= room {
        return all.into_owned();
    }
    let lengths = text.char_indices().map(|(at, c)| TextEncoding::Gbk.encode(&text[at..at + c.len_utf8()]).0.len());
    let ends = lengths.scan(0, |end, len| {
        *end += len;
        Some(*end)
    });
    all[..ends.take_while(|&end| end <= room).last().unwrap_or_default()].to_vec()
}
