//! Reading.

use chuhe_movegen::{Color, Move, Square};

use super::cipher::Keys;
use super::header::{self, FIELDS, LEN};
use super::{MAGIC, PLAIN_VERSION, ROTATED_VERSION, flag, offset};
use crate::damage::{Damage, Flaw};
use crate::draft::{Draft, Grower, Links, Start};
use crate::placement::Placement;
use crate::text::{gb, tidy_comment};
use crate::{GameResult, NodeId};

/// Reads a file.
///
/// # Errors
/// [`Damage`] when there is no whole header, or pieces stand on each other. What is wrong behind the header is noted in
/// the draft.
pub(crate) fn read(bytes: &[u8]) -> Result<Draft, Damage> {
    let Some((header, body)) = bytes.split_first_chunk::<LEN>() else {
        return Err(Flaw::Cut { len: bytes.len(), expected: "a header of 1,024 bytes" }.into());
    };
    if !header.starts_with(MAGIC) {
        let found = format!("{:?}", String::from_utf8_lossy(&header[..MAGIC.len()]));
        return Err(Flaw::Unexpected { at: 0, found, expected: "`XQ`" }.into());
    }
    let keys = Keys::of(header);
    let mut draft = Draft { result: result(header[header::RESULT]), ..Draft::default() };
    for field in &FIELDS {
        let text = text(header, field.at, field.room);
        if !text.is_empty() {
            draft.tags.set(field.tag, text);
        }
    }
    if let Some(&kind) = header::TYPES.get(usize::from(header[header::TYPE])).filter(|kind| !kind.is_empty()) {
        draft.tags.set(header::TYPE_TAG, kind);
    }
    let mut grower = Grower::default();
    let mut records = Records { body, at: 0, keys: &keys, is_plain: header[header::VERSION] <= PLAIN_VERSION };
    let damage = grow(&mut grower, &mut records).err();
    grower.finish(&mut draft, damage);
    draft.start = start(header, &keys, &draft)?;
    Ok(draft)
}

/// Reads all moves. The first record holds none, but may hold the comment on the game.
fn grow(grower: &mut Grower, records: &mut Records<'_>) -> Result<(), Damage> {
    let root = records.next()?;
    grower.begin(root.links.has_next, &root.comment);
    while !grower.is_over() {
        let record = records.next().map_err(|flaw| Damage::at(grower.next_ply(), flaw))?;
        grower.add(record.mv, record.links, &record.comment);
    }
    Ok(())
}

/// The moves of a file one by one.
struct Records<'b> {
    body: &'b [u8],
    at: usize,
    keys: &'b Keys,
    is_plain: bool,
}

/// A move as it stands in the file.
struct MoveRecord {
    /// `None` when it is off the board.
    mv: Option<Move>,
    links: Links,
    comment: String,
}

impl Records<'_> {
    fn next(&mut self) -> Result<MoveRecord, Flaw> {
        let [from, to, flags, _] = self.take("a move of four bytes")?;
        let (links, has_comment) = if self.is_plain {
            (Links { has_next: flags & 0xf0 != 0, has_sibling: flags & 0x0f != 0 }, true)
        } else {
            let links = Links { has_next: flags & flag::NEXT != 0, has_sibling: flags & flag::SIBLING != 0 };
            (links, flags & flag::COMMENT != 0)
        };
        let comment = if has_comment { self.comment()? } else { String::new() };
        let from = point(from.wrapping_sub(offset::FROM).wrapping_sub(self.keys.from));
        let to = point(to.wrapping_sub(offset::TO).wrapping_sub(self.keys.to));
        let mv = from.zip(to).and_then(|(from, to)| Move::new(from, to));
        Ok(MoveRecord { mv, links, comment })
    }

    fn comment(&mut self) -> Result<String, Flaw> {
        let at = LEN + self.at;
        let len = u32::from_le_bytes(self.take("the length of a comment")?).wrapping_sub(self.keys.comment);
        let rest = &self.body[self.at..];
        let Some(text) = usize::try_from(len).ok().and_then(|len| rest.get(..len)) else {
            let found = format!("a comment of {len} bytes, of which {} are present", rest.len());
            return Err(Flaw::Unexpected { at, found, expected: "one that ends within the file" });
        };
        let text: Vec<u8> = (self.at..).zip(text).map(|(index, &byte)| self.keys.decrypt(index, byte)).collect();
        self.at += text.len();
        Ok(tidy_comment(&gb(&text)))
    }

    fn take(&mut self, expected: &'static str) -> Result<[u8; 4], Flaw> {
        let Some(bytes) = self.body[self.at..].first_chunk::<4>() else {
            return Err(Flaw::Cut { len: LEN + self.body.len(), expected });
        };
        let at = self.at;
        self.at += 4;
        Ok(std::array::from_fn(|index| self.keys.decrypt(at + index, bytes[index])))
    }
}

/// The start position. Whether the order of pieces depends on the key in version 11 shows the first move.
fn start(header: &[u8; LEN], keys: &Keys, draft: &Draft) -> Result<Start, Flaw> {
    let version = header[header::VERSION];
    let placement = if version < ROTATED_VERSION {
        let plain = placement(header, keys, false);
        let first = draft.tree.next(NodeId::ROOT).and_then(|id| draft.tree.mv(id));
        let explains = |placement: &Placement| {
            [Color::Red, Color::Black]
                .into_iter()
                .any(|side| placement.board(side, 1).is_ok_and(|board| first.is_none_or(|mv| board.play(mv).is_ok())))
        };
        match &plain {
            Ok(plain) if version <= PLAIN_VERSION || explains(plain) => {}
            _ => {
                if let Some(rotated) = placement(header, keys, true).ok().filter(explains) {
                    return Ok(start_with(rotated, header));
                }
            }
        }
        plain?
    } else {
        placement(header, keys, true)?
    };
    Ok(start_with(placement, header))
}

fn start_with(placement: Placement, header: &[u8; LEN]) -> Start {
    let side = if header[header::SIDE] == 1 { Color::Black } else { Color::Red };
    Start::Pieces { placement, side, fullmove_number: 1 }
}

fn placement(header: &[u8; LEN], keys: &Keys, is_rotated: bool) -> Result<Placement, Flaw> {
    let mut points = [None; 32];
    for (index, &byte) in header[header::PIECES].iter().enumerate() {
        let slot = if is_rotated { (usize::from(keys.pieces) + 1 + index) % points.len() } else { index };
        points[slot] = point(byte.wrapping_sub(keys.pieces));
    }
    Placement::from_list(points)
}

/// Ten times the file, from Red's left, and the rank.
fn point(byte: u8) -> Option<Square> {
    Square::from_coords(byte / 10, byte % 10)
}

fn result(byte: u8) -> GameResult {
    match byte {
        1 => GameResult::RedWins,
        2 => GameResult::BlackWins,
        3 | 4 => GameResult::Draw,
        _ => GameResult::Unknown,
    }
}

/// A text of the header.
fn text(header: &[u8; LEN], at: usize, room: usize) -> String {
    let len = usize::from(header[at]).min(room);
    let bytes = &header[at + 1..at + 1 + len];
    let len = bytes.iter().position(|&byte| byte == 0).unwrap_or(len);
    let text = gb(&bytes[..len]);
    // Long texts are cut in the middle of a character.
    text.trim_end_matches(char::REPLACEMENT_CHARACTER).replace(char::is_control, " ")
}
