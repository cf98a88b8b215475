//! CBR: a header with texts in UTF-16, the board, and the moves depth first.

use chuhe_movegen::{Color, FILES, Move, Piece, PieceType, SQUARES, Square};

use super::{result, square};
use crate::damage::{Damage, Flaw};
use crate::draft::{Draft, Grower, Links, Start};
use crate::placement::Placement;
use crate::text::{tidy_comment, utf16le};

/// The first bytes of every record.
pub(crate) const MAGIC: &[u8; 16] = b"CCBridge Record\0";
/// Where the version stands.
const VERSION: usize = 19;

/// A text of the header: tag, place and bytes.
type Field = (&'static str, usize, usize);

/// Where things stand in a version.
struct Layout {
    fields: &'static [Field],
    result: usize,
    /// Side to move, number of the move, and the points of the board.
    board: usize,
    /// Whether points of moves are pairs of hexadecimal digits rather than numbers.
    is_packed: bool,
}

const VERSION_1: Layout = Layout {
    fields: &[
        ("Title", 52, 128),
        ("Source", 436, 64),
        ("EventType", 500, 64),
        ("Event", 564, 64),
        ("Round", 628, 64),
        ("Group", 692, 32),
        ("Table", 724, 32),
        ("Date", 756, 64),
        ("Site", 820, 64),
        ("TimeControl", 884, 64),
        ("Red", 948, 64),
        ("RedTeam", 1012, 64),
        ("RedTime", 1076, 64),
        ("RedElo", 1140, 32),
        ("Black", 1172, 64),
        ("BlackTeam", 1236, 64),
        ("BlackTime", 1300, 64),
        ("BlackElo", 1364, 32),
        ("Annotator", 1396, 64),
        ("Author", 1524, 64),
        ("Termination", 1824, 32),
    ],
    result: 1820,
    board: 1856,
    is_packed: true,
};

const VERSION_2: Layout = Layout {
    fields: &[
        ("Title", 180, 128),
        ("Source", 564, 64),
        ("EventType", 628, 64),
        ("Event", 692, 64),
        ("Round", 756, 64),
        ("Group", 820, 32),
        ("Table", 852, 32),
        ("Date", 884, 64),
        ("Site", 948, 64),
        ("TimeControl", 1012, 64),
        ("Red", 1076, 64),
        ("RedTeam", 1140, 64),
        ("RedTime", 1204, 64),
        ("RedElo", 1268, 32),
        ("Black", 1300, 64),
        ("BlackTeam", 1364, 64),
        ("BlackTime", 1428, 64),
        ("BlackElo", 1492, 32),
        ("Referee", 1524, 64),
        ("Recorder", 1588, 64),
        ("Annotator", 1652, 64),
        ("Author", 1780, 64),
        ("Termination", 2080, 32),
    ],
    result: 2076,
    board: 2112,
    is_packed: false,
};

impl Layout {
    /// From the side to move to the number of the move and to the points; then four bytes of ones follow.
    const MOVE_NUMBER: usize = 4;
    const POINTS: usize = 8;

    fn of(version: u8) -> Option<&'static Layout> {
        match version {
            1 => Some(&VERSION_1),
            2 => Some(&VERSION_2),
            _ => None,
        }
    }

    /// Where the moves begin.
    const fn moves(&self) -> usize {
        self.board + Layout::POINTS + SQUARES + 4
    }

    fn point(&self, byte: u8) -> Option<Square> {
        if self.is_packed { square(byte >> 4, byte & 15) } else { square(byte % FILES as u8, byte / FILES as u8) }
    }
}

/// Marks of a move.
mod flag {
    /// No move follows.
    pub(super) const LAST: u8 = 1;
    /// Another move in its place comes behind all that follows.
    pub(super) const SIBLING: u8 = 2;
    /// A comment comes before the next move.
    pub(super) const COMMENT: u8 = 4;
    /// There are no others.
    pub(super) const ALL: u8 = LAST | SIBLING | COMMENT;
}

/// Reads a record; bytes may follow it.
///
/// # Errors
/// [`Damage`] when there is no whole header, its version is unknown, or the board holds something else than pieces.
pub(crate) fn read(bytes: &[u8]) -> Result<Draft, Damage> {
    if !bytes.starts_with(MAGIC) {
        let found = format!("{:?}", String::from_utf8_lossy(&bytes[..bytes.len().min(MAGIC.len())]));
        return Err(Flaw::Unexpected { at: 0, found, expected: "`CCBridge Record`" }.into());
    }
    let cut = Flaw::Cut { len: bytes.len(), expected: "a header of about two thousand bytes" };
    let Some(&version) = bytes.get(VERSION) else { return Err(cut.into()) };
    let Some(layout) = Layout::of(version) else {
        return Err(Flaw::Unexpected { at: VERSION, found: format!("version {version}"), expected: "1 or 2" }.into());
    };
    let Some((header, moves)) = bytes.split_at_checked(layout.moves()) else { return Err(cut.into()) };
    let mut draft = Draft { result: result(header[layout.result]), start: start(header, layout)?, ..Draft::default() };
    for &(tag, at, room) in layout.fields {
        let text = utf16le(&header[at..at + room]);
        if !text.is_empty() {
            draft.tags.set(tag, text.replace(char::is_control, " "));
        }
    }
    let mut grower = Grower::default();
    let damage = grow(&mut grower, &mut Records { bytes: moves, at: 0, layout }).err();
    grower.finish(&mut draft, damage);
    Ok(draft)
}

/// Reads all moves. The first record holds none, but may hold the comment on the game.
fn grow(grower: &mut Grower, records: &mut Records<'_>) -> Result<(), Damage> {
    let Some(root) = records.next()? else { return Ok(()) };
    grower.begin(root.links.has_next, &root.comment);
    while !grower.is_over() {
        match records.next().map_err(|flaw| Damage::at(grower.next_ply(), flaw))? {
            Some(record) => grower.add(record.mv, record.links, &record.comment),
            // Libraries hold records without moves, in which nothing but zeros follows.
            None => return Ok(()),
        }
    }
    Ok(())
}

/// The moves of a record one by one.
struct Records<'b> {
    bytes: &'b [u8],
    at: usize,
    layout: &'static Layout,
}

/// A move as it stands in the file.
struct MoveRecord {
    /// `None` when it is off the board.
    mv: Option<Move>,
    links: Links,
    comment: String,
}

impl Records<'_> {
    /// The next move; `None` when there are only zeros.
    fn next(&mut self) -> Result<Option<MoveRecord>, Flaw> {
        let is_first = self.at == 0;
        let at = self.layout.moves() + self.at;
        let [flags, _, from, to] = self.take("a move of four bytes")?;
        if flags > flag::ALL {
            return Err(Flaw::Unexpected { at, found: format!("{flags}"), expected: "marks of a move, at most 7" });
        }
        if !is_first && (flags, from, to) == (0, 0, 0) {
            return Ok(None);
        }
        let links = Links { has_next: flags & flag::LAST == 0, has_sibling: flags & flag::SIBLING != 0 };
        let comment = if flags & flag::COMMENT != 0 { self.comment()? } else { String::new() };
        let points = self.layout.point(from).zip(self.layout.point(to));
        Ok(Some(MoveRecord { mv: points.and_then(|(from, to)| Move::new(from, to)), links, comment }))
    }

    fn comment(&mut self) -> Result<String, Flaw> {
        let at = self.layout.moves() + self.at;
        let len = u32::from_le_bytes(self.take("the length of a comment")?);
        let rest = &self.bytes[self.at..];
        let Some(text) = usize::try_from(len).ok().and_then(|len| rest.get(..len)) else {
            let found = format!("a comment of {len} bytes, of which {} are present", rest.len());
            return Err(Flaw::Unexpected { at, found, expected: "one that ends within the record" });
        };
        self.at += text.len();
        Ok(tidy_comment(&utf16le(text)))
    }

    fn take(&mut self, expected: &'static str) -> Result<[u8; 4], Flaw> {
        let Some(&bytes) = self.bytes[self.at..].first_chunk() else {
            return Err(Flaw::Cut { len: self.layout.moves() + self.bytes.len(), expected });
        };
        self.at += 4;
        Ok(bytes)
    }
}

fn start(header: &[u8], layout: &Layout) -> Result<Start, Flaw> {
    let side = if header[layout.board] == 2 { Color::Black } else { Color::Red };
    let number = layout.board + Layout::MOVE_NUMBER;
    let fullmove_number = u16::from_le_bytes([header[number], header[number + 1]]).max(1);
    let mut placement = Placement::empty();
    let points = layout.board + Layout::POINTS;
    for (index, &code) in header[points..points + SQUARES].iter().enumerate() {
        if code == 0 {
            continue;
        }
        let square = square((index % FILES) as u8, (index / FILES) as u8);
        let Some((square, piece)) = square.zip(piece(code)) else {
            let found = format!("{code:#04x}");
            return Err(Flaw::Unexpected {
                at: points + index,
                found,
                expected: "a piece, 0x11 to 0x17 or 0x21 to 0x27",
            });
        };
        placement.put(square, piece)?;
    }
    Ok(Start::Pieces { placement, side, fullmove_number })
}

fn piece(code: u8) -> Option<Piece> {
    let color = match code >> 4 {
        1 => Color::Red,
        2 => Color::Black,
        _ => return None,
    };
    let kind = match code & 15 {
        1 => PieceType::Rook,
        2 => PieceType::Horse,
        3 => PieceType::Elephant,
        4 => PieceType::Advisor,
        5 => PieceType::King,
        6 => PieceType::Cannon,
        7 => PieceType::Pawn,
        _ => return None,
    };
    Some(Piece::new(color, kind))
}
