//! Tables together: found by material, probed by position.

use std::borrow::Cow;
#[cfg(feature = "files")]
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, OnceLock};

use chuhe_movegen::{Board, Color};

use crate::file::{FileError, TableFile, TableInfo, cell, tables_of_set};
use crate::layout::Layout;
use crate::material::{CODE_BITS, Class, material_key, piece_key};
use crate::value::{RuleWins, Value};

/// The values of the standard set; see `docs/endgames.md` for how it is made.
static EMBEDDED: &[u8] = include_bytes!("../tables/standard.cets");

/// What a table says of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Probe {
    /// The value for the side to move.
    pub value: Value,
    /// Half-moves to mate or stalemate, when the position is decided and the table has distances: odd if the side to
    /// move wins, even if it loses.
    pub plies: Option<u16>,
    /// The longest mate of the class, in half-moves: no distance is greater.
    pub longest: u16,
    /// Where the rules of repetition decide: whether the side to move may win by them, and whether it may lose. In
    /// doubt both.
    pub by_rules: ByRules,
}

/// What the rules of repetition may bring the side to move, where they decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ByRules {
    /// It may win: the other side may have to check or chase for ever.
    pub may_win: bool,
    /// It may lose.
    pub may_lose: bool,
}

impl Probe {
    fn new(value: Value, plies: Option<u16>, longest: u16, rule_wins: RuleWins, side: Color) -> Probe {
        let by_rules = match value {
            Value::RulesDecide => ByRules { may_win: rule_wins.of(side), may_lose: rule_wins.of(!side) },
            _ => ByRules::default(),
        };
        Probe { value, plies, longest, by_rules }
    }
}

/// Where the bytes of a table come from.
enum Source {
    /// They are in memory already.
    Memory,
    #[cfg(feature = "files")]
    File(PathBuf),
}

/// One table, read when it is first needed.
struct Entry {
    info: TableInfo,
    layout: Layout,
    source: Source,
    file: OnceLock<Option<TableFile>>,
}

impl Entry {
    fn new(bytes: Cow<'static, [u8]>, source: Source) -> Result<Entry, FileError> {
        let layout = layout_of(&bytes)?;
        let file = TableFile::new(bytes, &layout)?;
        let info = file.info.clone();
        let file = match source {
            Source::Memory => OnceLock::from(Some(file)),
            // Checked now, read again when it is needed.
            #[cfg(feature = "files")]
            Source::File(_) => OnceLock::new(),
        };
        Ok(Entry { info, layout, source, file })
    }

    #[inline]
    fn file(&self) -> Option<&TableFile> {
        self.file.get_or_init(|| self.read()).as_ref()
    }

    fn read(&self) -> Option<TableFile> {
        match &self.source {
            Source::Memory => None,
            #[cfg(feature = "files")]
            Source::File(path) => TableFile::new(Cow::Owned(std::fs::read(path).ok()?), &self.layout)
                .ok()
                .filter(|file| file.info == self.info),
        }
    }
}

/// The numbering of the class that the table in these bytes is of.
pub(crate) fn layout_of(bytes: &[u8]) -> Result<Layout, FileError> {
    let class = TableFile::class_of(bytes)?;
    Layout::new(class).map_err(|_| FileError::Header("the class is too big"))
}

/// A folder of tables cannot be used.
#[cfg(feature = "files")]
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It cannot be read, or a file in it cannot.
    #[error("cannot read {}: {error}", path.display())]
    Io {
        /// The folder or file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A file in it is no table, of another version, cut off or damaged.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: FileError,
    },
}

/// How files of tables end.
#[cfg(feature = "files")]
pub const FILE_EXTENSION: &str = "cet";

/// A set of tables, to be probed by any number of threads.
///
/// Nothing is unpacked before it is probed, and what has been unpacked stays. Clones share it.
#[derive(Clone)]
pub struct Tables {
    entries: Vec<Arc<Entry>>,
    by_material: Arc<[Slot]>,
    /// How far the hash of a material is shifted down.
    shift: u32,
    max_pieces: u32,
}

/// Where a material leads: an open-addressed hash table.
#[derive(Clone, Copy)]
struct Slot {
    key: u64,
    entry: u16,
    /// The colour of the strong side.
    strong: Color,
}

/// No material: more pawns than there can be.
const VACANT: u64 = u64::MAX;

/// Bits of a material key that count attackers: the first four counts of each army.
const ATTACKER_BITS: u64 = 0xffff | 0xffff << CODE_BITS;

/// Spreads material keys over a table (Fibonacci hashing).
#[inline]
fn hash(key: u64, shift: u32) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> shift) as usize
}

impl Tables {
    /// No tables.
    pub fn none() -> Tables {
        Tables::new(Vec::new())
    }

    /// The tables inside the program: values of the standard set, without distances.
    pub fn embedded() -> Tables {
        static TABLES: LazyLock<Tables> = LazyLock::new(|| {
            let tables = tables_of_set(EMBEDDED).unwrap_or_default();
            let entries = tables
                .into_iter()
                .filter_map(|range| Entry::new(Cow::Borrowed(&EMBEDDED[range]), Source::Memory).ok().map(Arc::new));
            Tables::new(entries.collect())
        });
        TABLES.clone()
    }

    /// The tables in these bytes, each a file.
    ///
    /// # Errors
    /// [`FileError`] when one is no sound table.
    pub fn from_files(files: Vec<Vec<u8>>) -> Result<Tables, FileError> {
        let entries = files.into_iter().map(|bytes| Entry::new(Cow::Owned(bytes), Source::Memory).map(Arc::new));
        Ok(Tables::new(entries.collect::<Result<_, _>>()?))
    }

    /// The tables of a folder, and of the embedded ones those that it has not.
    ///
    /// # Errors
    /// [`OpenError`] when a file cannot be read or is no sound table: all are read once and checked.
    #[cfg(feature = "files")]
    pub fn open(folder: &Path) -> Result<Tables, OpenError> {
        Tables::embedded().with_folder(folder)
    }

    /// These tables and those of a folder, which go before.
    ///
    /// # Errors
    /// As [`Tables::open`].
    #[cfg(feature = "files")]
    pub fn with_folder(&self, folder: &Path) -> Result<Tables, OpenError> {
        let mut entries = Vec::new();
        for path in table_files(folder)? {
            let bytes = std::fs::read(&path).map_err(|error| OpenError::Io { path: path.clone(), error })?;
            let entry = Entry::new(Cow::Owned(bytes), Source::File(path.clone()))
                .map_err(|error| OpenError::File { path, error })?;
            entries.push(Arc::new(entry));
        }
        entries.extend(self.entries.iter().cloned());
        Ok(Tables::new(entries))
    }

    /// Of several tables of a class the first stays.
    fn new(mut entries: Vec<Arc<Entry>>) -> Tables {
        let mut known = Vec::new();
        entries.retain(|entry| {
            let is_new = !known.contains(&entry.info.class);
            known.push(entry.info.class);
            is_new
        });
        entries.sort_by_key(|entry| entry.info.class);
        let size = (entries.len() * 4).next_power_of_two().max(2);
        let shift = u64::BITS - size.ilog2();
        let mut slots = vec![Slot { key: VACANT, entry: 0, strong: Color::Red }; size];
        for (at, entry) in entries.iter().enumerate() {
            let (strong, weak) = (entry.info.class.strong(), entry.info.class.weak());
            for (key, color) in [(material_key(strong, weak), Color::Red), (material_key(weak, strong), Color::Black)] {
                let mut slot = hash(key, shift);
                while slots[slot].key != VACANT && slots[slot].key != key {
                    slot = (slot + 1) % size;
                }
                if slots[slot].key == VACANT {
                    slots[slot] = Slot { key, entry: at as u16, strong: color };
                }
            }
        }
        let max_pieces = entries.iter().map(|entry| entry.info.class.pieces()).max().unwrap_or(0);
        Tables { entries, by_material: slots.into(), shift, max_pieces }
    }

    /// The most pieces, kings included, that a position in a table has.
    pub fn max_pieces(&self) -> u32 {
        self.max_pieces
    }

    /// What is known of the tables, smaller classes first.
    pub fn infos(&self) -> impl Iterator<Item = &TableInfo> {
        self.entries.iter().map(|entry| &entry.info)
    }

    /// What is known of the table of a class.
    pub fn info(&self, class: Class) -> Option<&TableInfo> {
        self.infos().find(|info| info.class == class)
    }

    /// Bytes that probing has unpacked so far.
    pub fn unpacked_bytes(&self) -> usize {
        self.entries.iter().filter_map(|entry| Some(entry.file.get()?.as_ref()?.unpacked_bytes())).sum()
    }

    #[inline]
    fn find(&self, key: u64) -> Option<(&Entry, Color)> {
        let mut at = hash(key, self.shift);
        loop {
            let slot = self.by_material[at];
            if slot.key == key {
                return Some((&self.entries[usize::from(slot.entry)], slot.strong));
            }
            if slot.key == VACANT {
                return None;
            }
            at = (at + 1) % self.by_material.len();
        }
    }

    /// What the tables know of a position; nothing if its class is in none of them.
    ///
    /// The value is that of the position by itself, as it is after a capture. It is blind to the game before: the
    /// natural limit and positions that have occurred already are the caller's business.
    #[inline]
    pub fn probe(&self, board: &Board) -> Option<Probe> {
        self.look_up(board, true)
    }

    /// As [`Tables::probe`], but without the distance, which is quicker.
    #[inline]
    pub fn probe_value(&self, board: &Board) -> Option<Probe> {
        self.look_up(board, false)
    }

    /// The value of a position, as [`Tables::probe`] gives it.
    #[inline]
    pub fn value(&self, board: &Board) -> Option<Value> {
        self.look_up(board, false).map(|probe| probe.value)
    }

    #[inline]
    fn look_up(&self, board: &Board, with_distance: bool) -> Option<Probe> {
        // Ordinary positions end here.
        if board.occupied().count() > self.max_pieces {
            return None;
        }
        self.look_up_few(board, with_distance)
    }

    fn look_up_few(&self, board: &Board, with_distance: bool) -> Option<Probe> {
        let key = board.occupied().into_iter().filter_map(|square| board.piece_at(square)).map(piece_key).sum::<u64>();
        let side = board.side_to_move();
        if key & ATTACKER_BITS == 0 {
            return Some(Probe::new(Value::Draw, None, 0, RuleWins::default(), side));
        }
        let (entry, strong) = self.find(key)?;
        let file = entry.file()?;
        let placement = entry.layout.placement_of(board, strong)?;
        let side = if strong == Color::Red { side } else { !side };
        let cell = cell(&entry.layout, entry.layout.index(&placement).index, side);
        let value = file.value(cell)?;
        let plies = if with_distance { file.plies(cell, value) } else { None };
        Some(Probe::new(value, plies, entry.info.longest, entry.info.rule_wins, side))
    }
}

impl std::fmt::Debug for Tables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tables").field("classes", &self.entries.len()).finish_non_exhaustive()
    }
}

/// The files of tables in a folder, by name.
#[cfg(feature = "files")]
pub(crate) fn table_files(folder: &Path) -> Result<Vec<PathBuf>, OpenError> {
    let io_error = |error| OpenError::Io { path: folder.to_owned(), error };
    let mut paths = Vec::new();
    for file in std::fs::read_dir(folder).map_err(io_error)? {
        let path = file.map_err(io_error)?.path();
        if path.extension().is_some_and(|extension| extension == FILE_EXTENSION) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}
