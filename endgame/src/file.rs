//! Files of tables.
//!
//! All numbers are little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 0–7 | `CHUHEEGT` |
//! | 8–9 | version of the format |
//! | 10–11 | flags: 1 distances are there, 2 the strong side may win by the rules of repetition, 4 the weak side |
//! | 12–19 | the two armies, strong side first: four bits a count, of R N C P A B from the low end |
//! | 20–23 | number of placements, unused ones included |
//! | 24–25 | the longest mate in plies |
//! | 26–27 | nothing yet |
//! | 28–59 | legal positions, wins, losses, rules-decide: with the strong side to move, then with the weak side |
//! | 60–67 | XXH3-64 of the values, uncompressed |
//! | 68–75 | XXH3-64 of the distances, uncompressed; 0 without |
//! | 76– | compressed length of each block of values, then of distances, four bytes each; then the blocks |
//! | last 8 | XXH3-64 of all before |
//!
//! *Cells* are numbered as placements are, but every row (the combinations of the last group of attackers) begins at a
//! multiple of four, and the cells with the weak side to move follow those with the strong side to move. A value takes
//! two bits, the first cell of a byte in the low ones; a distance one byte, in moves of the winner less one (of the
//! loser, if he is to move). Cells without a position repeat the one before, and so do distances where there is none.
//! Both are cut into blocks of 64 KiB, each a raw deflate stream.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use chuhe_movegen::Color;
use twox_hash::XxHash3_64;

use crate::layout::{CELLS_PER_BYTE, Layout};
use crate::material::Class;
use crate::value::{RuleWins, Value};

/// How files of tables begin.
const MAGIC: [u8; 8] = *b"CHUHEEGT";
/// How sets of tables begin.
const SET_MAGIC: [u8; 8] = *b"CHUHEEGS";
/// Version of both.
pub(crate) const VERSION: u16 = 1;

const HEADER: usize = 76;
const TRAILER: usize = 8;
const SET_HEADER: usize = 12;

/// Uncompressed length of a block.
pub(crate) const BLOCK: usize = 1 << 16;

/// Why bytes are no table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FileError {
    /// The beginning is wrong.
    #[error("not an endgame table")]
    NotATable,
    /// Made by another version of the program.
    #[error("version {found} of the format, expected {VERSION}")]
    Version {
        /// The version found.
        found: u16,
    },
    /// Too short.
    #[error("cut off: {found} bytes, expected {expected}")]
    Truncated {
        /// Bytes there.
        found: usize,
        /// Bytes there should be, at least.
        expected: usize,
    },
    /// Something in it has changed.
    #[error("damaged: the checksum does not match")]
    Checksum,
    /// The header contradicts itself, though the checksum is right.
    #[error("damaged: {0}")]
    Header(&'static str),
}

/// Numbers of positions with one side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Legal positions, mirror images counted once.
    pub legal: u32,
    /// Won for the side to move.
    pub wins: u32,
    /// Lost for the side to move.
    pub losses: u32,
    /// Left to the rules of repetition.
    pub rules_decide: u32,
}

impl Counts {
    /// Drawn under every rule set.
    pub fn draws(&self) -> u32 {
        self.legal.saturating_sub(self.wins).saturating_sub(self.losses).saturating_sub(self.rules_decide)
    }
}

/// What a file says of its table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableInfo {
    /// The class.
    pub class: Class,
    /// Number of placements, unused numbers included; each has two values, one for each side to move.
    pub placements: u32,
    /// Whether distances are there.
    pub has_distances: bool,
    /// The longest mate, in plies.
    pub longest: u16,
    /// Who may win by the rules of repetition where these decide.
    pub rule_wins: RuleWins,
    /// With the strong side to move, with the weak side to move.
    pub counts: [Counts; Color::NUM],
    /// Checksum of the values as they are after unpacking.
    pub values_hash: u64,
    /// Checksum of the distances as they are after unpacking.
    pub distances_hash: u64,
}

/// Reads little-endian numbers one after another; zeros beyond the end.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        if let Some((head, rest)) = self.0.split_at_checked(N) {
            bytes.copy_from_slice(head);
            self.0 = rest;
        }
        bytes
    }
    fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.take())
    }
    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }
    fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }
}

const HAS_DISTANCES: u16 = 1;
const STRONG_MAY_WIN: u16 = 2;
const WEAK_MAY_WIN: u16 = 4;

impl TableInfo {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        let flag = |is_set, flag| if is_set { flag } else { 0 };
        let flags = flag(self.has_distances, HAS_DISTANCES)
            | flag(self.rule_wins.strong, STRONG_MAY_WIN)
            | flag(self.rule_wins.weak, WEAK_MAY_WIN);
        bytes.extend(flags.to_le_bytes());
        let [strong, weak] = self.class.codes();
        for number in [strong, weak, self.placements] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.longest.to_le_bytes());
        bytes.extend(0u16.to_le_bytes());
        for counts in self.counts {
            for number in [counts.legal, counts.wins, counts.losses, counts.rules_decide] {
                bytes.extend(number.to_le_bytes());
            }
        }
        bytes.extend(self.values_hash.to_le_bytes());
        bytes.extend(self.distances_hash.to_le_bytes());
        bytes
    }

    /// Reads a header; whether the rest of the file is whole is not looked at.
    fn from_bytes(bytes: &[u8]) -> Result<TableInfo, FileError> {
        let mut reader = Reader(bytes);
        if reader.take() != MAGIC {
            return Err(FileError::NotATable);
        }
        let found = reader.u16();
        if found != VERSION {
            return Err(FileError::Version { found });
        }
        if bytes.len() < HEADER {
            return Err(FileError::Truncated { found: bytes.len(), expected: HEADER + TRAILER });
        }
        let flags = reader.u16();
        let codes = [reader.u32(), reader.u32()];
        let class = Class::from_codes(codes).ok_or(FileError::Header("there is no such class"))?;
        let placements = reader.u32();
        let longest = reader.u16();
        reader.u16();
        let counts = [(); Color::NUM].map(|()| Counts {
            legal: reader.u32(),
            wins: reader.u32(),
            losses: reader.u32(),
            rules_decide: reader.u32(),
        });
        Ok(TableInfo {
            class,
            placements,
            has_distances: flags & HAS_DISTANCES != 0,
            longest,
            rule_wins: RuleWins { strong: flags & STRONG_MAY_WIN != 0, weak: flags & WEAK_MAY_WIN != 0 },
            counts,
            values_hash: reader.u64(),
            distances_hash: reader.u64(),
        })
    }
}

/// A block after unpacking; nothing if that was impossible.
type Unpacked = Option<Box<[u8]>>;

/// Blocks of a file, unpacked when they are first asked for.
struct Section {
    /// Where each compressed block is in the file.
    blocks: Vec<Range<usize>>,
    /// Uncompressed length of all.
    len: usize,
    unpacked: Box<[OnceLock<Unpacked>]>,
}

impl Section {
    fn new(blocks: Vec<Range<usize>>, len: usize) -> Section {
        let unpacked = blocks.iter().map(|_| OnceLock::new()).collect();
        Section { blocks, len, unpacked }
    }

    fn unpack(&self, file: &[u8], block: usize) -> Unpacked {
        let len = BLOCK.min(self.len - block * BLOCK);
        let bytes =
            miniz_oxide::inflate::decompress_to_vec_with_limit(file.get(self.blocks[block].clone())?, len).ok()?;
        (bytes.len() == len).then(|| bytes.into_boxed_slice())
    }

    #[inline]
    fn get(&self, file: &[u8], at: usize) -> Option<u8> {
        let block = self.unpacked.get(at / BLOCK)?.get_or_init(|| self.unpack(file, at / BLOCK));
        block.as_ref()?.get(at % BLOCK).copied()
    }

    /// All bytes, kept nowhere.
    fn bytes(&self, file: &[u8]) -> Option<Vec<u8>> {
        let mut bytes = Vec::with_capacity(self.len);
        for block in 0..self.blocks.len() {
            bytes.extend(self.unpack(file, block)?);
        }
        Some(bytes)
    }
}

/// A table in its file's form, unpacked block by block as it is probed.
pub(crate) struct TableFile {
    pub(crate) info: TableInfo,
    bytes: Cow<'static, [u8]>,
    values: Section,
    distances: Option<Section>,
}

/// Number of cells of a class.
pub(crate) fn cells(layout: &Layout) -> usize {
    layout.cells() * Color::NUM
}

/// The cell of a position.
#[inline]
pub(crate) fn cell(layout: &Layout, index: u32, side: Color) -> usize {
    side.index() * layout.cells() + layout.cell(index)
}

/// Plies from what a file says of a decided position.
fn plies(value: Value, moves: u8) -> Option<u16> {
    match value {
        Value::Win => Some(u16::from(moves) * 2 + 1),
        Value::Loss => Some(u16::from(moves) * 2),
        Value::Draw | Value::RulesDecide => None,
    }
}

/// Cuts off the trailer if it is right.
fn checked(bytes: &[u8]) -> Result<&[u8], FileError> {
    let (body, trailer) = bytes
        .split_last_chunk::<TRAILER>()
        .ok_or(FileError::Truncated { found: bytes.len(), expected: HEADER + TRAILER })?;
    if XxHash3_64::oneshot(body) == u64::from_le_bytes(*trailer) { Ok(body) } else { Err(FileError::Checksum) }
}

impl TableFile {
    /// Reads a file, without unpacking it. `layout` must be that of the class in the header, see [`TableFile::class_of`].
    pub(crate) fn new(bytes: Cow<'static, [u8]>, layout: &Layout) -> Result<TableFile, FileError> {
        let info = TableInfo::from_bytes(&bytes)?;
        if layout.class() != info.class || layout.size() != info.placements {
            return Err(FileError::Header("the number of placements is wrong"));
        }
        let values_len = cells(layout) / CELLS_PER_BYTE;
        let distances_len = if info.has_distances { cells(layout) } else { 0 };
        let [value_blocks, distance_blocks] = [values_len, distances_len].map(|len| len.div_ceil(BLOCK));
        let mut start = HEADER + 4 * (value_blocks + distance_blocks);
        if bytes.len() < start + TRAILER {
            return Err(FileError::Truncated { found: bytes.len(), expected: start + TRAILER });
        }
        let mut reader = Reader(&bytes[HEADER..start]);
        let mut next = || {
            let end = start.saturating_add(reader.u32() as usize);
            let range = start..end;
            start = end;
            range
        };
        let values = Section::new((0..value_blocks).map(|_| next()).collect(), values_len);
        let distances: Vec<Range<usize>> = (0..distance_blocks).map(|_| next()).collect();
        let distances = info.has_distances.then(|| Section::new(distances, distances_len));
        let expected = start.saturating_add(TRAILER);
        if bytes.len() < expected {
            return Err(FileError::Truncated { found: bytes.len(), expected });
        }
        checked(&bytes)?;
        if bytes.len() > expected {
            return Err(FileError::Header("something stands behind the last block"));
        }
        Ok(TableFile { info, bytes, values, distances })
    }

    /// The class of the table in these bytes.
    pub(crate) fn class_of(bytes: &[u8]) -> Result<Class, FileError> {
        TableInfo::from_bytes(bytes).map(|info| info.class)
    }

    #[inline]
    pub(crate) fn value(&self, cell: usize) -> Option<Value> {
        let byte = self.values.get(&self.bytes, cell / CELLS_PER_BYTE)?;
        Some(Value::from_bits(byte >> (cell % CELLS_PER_BYTE * 2)))
    }

    /// Plies to mate of a cell with this value.
    pub(crate) fn plies(&self, cell: usize, value: Value) -> Option<u16> {
        let moves = self.distances.as_ref()?.get(&self.bytes, cell)?;
        plies(value, moves)
    }

    /// All values and distances as they are after unpacking.
    pub(crate) fn unpack(&self) -> Option<(Vec<u8>, Vec<u8>)> {
        let distances = match &self.distances {
            Some(distances) => distances.bytes(&self.bytes)?,
            None => Vec::new(),
        };
        Some((self.values.bytes(&self.bytes)?, distances))
    }

    /// Bytes of this table in memory beyond its file.
    pub(crate) fn unpacked_bytes(&self) -> usize {
        let section = |section: &Section| -> usize {
            section.unpacked.iter().filter_map(|block| block.get()?.as_ref().map(|bytes| bytes.len())).sum()
        };
        section(&self.values) + self.distances.as_ref().map_or(0, section)
    }
}

/// The tables of a set: the bytes of each.
pub(crate) fn tables_of_set(bytes: &[u8]) -> Result<Vec<Range<usize>>, FileError> {
    let mut reader = Reader(bytes);
    if reader.take() != SET_MAGIC {
        return Err(FileError::NotATable);
    }
    let found = reader.u16();
    if found != VERSION {
        return Err(FileError::Version { found });
    }
    let count = usize::from(reader.u16());
    let mut start = SET_HEADER + 4 * count;
    let mut tables = Vec::with_capacity(count);
    for _ in 0..count {
        let end = start.saturating_add(reader.u32() as usize);
        if end > bytes.len() {
            return Err(FileError::Truncated { found: bytes.len(), expected: end });
        }
        tables.push(start..end);
        start = end;
    }
    Ok(tables)
}

#[cfg(feature = "build")]
mod write {
    use miniz_oxide::deflate::compress_to_vec;
    use rayon::prelude::*;
    use twox_hash::XxHash3_64;

    use super::{BLOCK, Counts, HEADER, SET_HEADER, SET_MAGIC, TableFile, TableInfo, VERSION, cell, cells, plies};
    use crate::layout::{CELLS_PER_BYTE, Layout};
    use crate::table::{Depth, Distances, PackedValues, Table};
    use crate::value::Value;
    use chuhe_movegen::Color;

    /// How hard to pack: the most that deflate offers without trying for ever.
    const LEVEL: u8 = 9;

    /// Calls `visit` with every cell in order and its slot, if it has one.
    fn for_each_cell(layout: &Layout, mut visit: impl FnMut(usize, Option<usize>)) {
        let (row, padded) = layout.row();
        let rows = layout.size() / row;
        let (mut cell, mut slot) = (0, 0);
        for _ in 0..rows as usize * Color::NUM {
            for at in 0..padded {
                visit(cell, (at < row).then_some(slot));
                cell += 1;
                slot += usize::from(at < row);
            }
        }
    }

    fn compressed(bytes: &[u8]) -> Vec<Vec<u8>> {
        bytes.par_chunks(BLOCK).map(|block| compress_to_vec(block, LEVEL)).collect()
    }

    impl Table {
        /// Numbers of positions, by the side to move.
        pub(crate) fn counts(&self) -> [Counts; Color::NUM] {
            let mut counts = [Counts::default(); Color::NUM];
            let size = self.layout.size() as usize;
            for (slot, depth) in self.distances.iter().enumerate() {
                let counts = &mut counts[usize::from(slot >= size)];
                counts.legal += u32::from(depth != Depth::Void);
                match (depth, self.values.get(slot)) {
                    (Depth::Void, _) => {}
                    (_, Value::Win) => counts.wins += 1,
                    (_, Value::Loss) => counts.losses += 1,
                    (_, Value::RulesDecide) => counts.rules_decide += 1,
                    (_, Value::Draw) => {}
                }
            }
            counts
        }

        /// The file of the table, and what it says of it.
        pub(crate) fn to_file(&self) -> (TableInfo, Vec<u8>) {
            let cells = cells(&self.layout);
            let mut values = vec![0u8; cells / CELLS_PER_BYTE];
            let mut moves = vec![0u8; cells];
            let mut last_value = Value::Draw;
            let mut last_moves = 0;
            let mut longest = 0;
            for_each_cell(&self.layout, |cell, slot| {
                match slot.map(|slot| (slot, self.distances.get(slot))) {
                    None | Some((_, Depth::Void)) => {}
                    Some((slot, depth)) => {
                        last_value = self.values.get(slot);
                        if let Depth::Plies(plies) = depth {
                            longest = longest.max(plies);
                            last_moves = (plies / 2) as u8;
                        }
                    }
                }
                values[cell / CELLS_PER_BYTE] |= (last_value as u8) << (cell % CELLS_PER_BYTE * 2);
                moves[cell] = last_moves;
            });
            let info = TableInfo {
                class: self.layout.class(),
                placements: self.layout.size(),
                has_distances: true,
                longest,
                rule_wins: self.rule_wins,
                counts: self.counts(),
                values_hash: XxHash3_64::oneshot(&values),
                distances_hash: XxHash3_64::oneshot(&moves),
            };
            let file = assemble(&info, &compressed(&values), &compressed(&moves));
            (info, file)
        }

        /// The table of a file with distances.
        pub(crate) fn from_file(file: &TableFile, layout: Layout) -> Option<Table> {
            let (values, moves) = file.unpack()?;
            let slots = layout.size() as usize * Color::NUM;
            let value = |slot: usize| {
                let side = if slot < slots / 2 { Color::Red } else { Color::Black };
                let cell = cell(&layout, (slot % (slots / 2)) as u32, side);
                (cell, Value::from_bits(values[cell / CELLS_PER_BYTE] >> (cell % CELLS_PER_BYTE * 2)))
            };
            let packed = PackedValues::pack((0..slots).map(|slot| value(slot).1));
            let depths = (0..slots).map(|slot| {
                let (cell, value) = value(slot);
                plies(value, moves[cell]).map_or(Depth::Undecided, Depth::Plies)
            });
            let distances = Distances::pack(depths, file.info.longest);
            Some(Table { distances, values: packed, rule_wins: file.info.rule_wins, layout })
        }
    }

    /// Puts a file together.
    fn assemble(info: &TableInfo, values: &[Vec<u8>], distances: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = info.to_bytes();
        debug_assert_eq!(bytes.len(), HEADER);
        for block in values.iter().chain(distances) {
            bytes.extend((block.len() as u32).to_le_bytes());
        }
        for block in values.iter().chain(distances) {
            bytes.extend(block);
        }
        bytes.extend(XxHash3_64::oneshot(&bytes).to_le_bytes());
        bytes
    }

    impl TableFile {
        /// The file without its distances.
        pub(crate) fn without_distances(&self) -> Vec<u8> {
            let info = TableInfo { has_distances: false, distances_hash: 0, ..self.info.clone() };
            let values: Vec<Vec<u8>> =
                self.values.blocks.iter().map(|range| self.bytes[range.clone()].to_vec()).collect();
            assemble(&info, &values, &[])
        }
    }

    /// Puts files together to a set.
    pub(crate) fn set_of_tables(tables: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(SET_HEADER);
        bytes.extend(SET_MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((tables.len() as u16).to_le_bytes());
        for table in tables {
            bytes.extend((table.len() as u32).to_le_bytes());
        }
        for table in tables {
            bytes.extend(table);
        }
        bytes
    }
}

#[cfg(feature = "build")]
pub(crate) use write::set_of_tables;
