//! Making tables: each class after those that it converts into, each a file written whole or not at all.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use chuhe_files::{Existing, WriteError, make_folder, write};

use crate::file::{FileError, TableFile, TableInfo, set_of_tables};
use crate::layout::{ClassTooBig, Layout};
use crate::material::Class;
use crate::repetition;
use crate::solve::{self, TooDeep};
use crate::table::{Conversions, MissingClass, Table};
use crate::tables::{FILE_EXTENSION, layout_of};

/// Told how a build gets on. It is called from several threads.
pub trait Watcher: Sync {
    /// Begins with a class.
    fn started(&self, _class: Class) {}
    /// Has done so much of the [`work`] of the class it began last.
    fn worked(&self, _work: u64) {}
    /// A class is there: built now, or `is_old`, from an earlier build.
    fn finished(&self, _table: &TableInfo, _is_old: bool) {}
}

/// Nobody is watching.
impl Watcher for () {}

/// A build cannot go on. Tables that are there already stay.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A class cannot have a table.
    #[error(transparent)]
    TooBig(#[from] ClassTooBig),
    /// A table would be deeper than files can tell.
    #[error("{0}")]
    TooDeep(String),
    /// A smaller class is missing.
    #[error(transparent)]
    Missing(#[from] MissingClass),
    /// A file or folder cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A file cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file from an earlier build is not sound.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: FileError,
    },
}

impl From<TooDeep> for BuildError {
    fn from(error: TooDeep) -> BuildError {
        BuildError::TooDeep(error.to_string())
    }
}

/// These classes and all that they convert into, in the order in which they are built.
///
/// # Errors
/// [`ClassTooBig`] if one of them cannot have a table.
pub fn plan(classes: &[Class]) -> Result<Vec<Class>, ClassTooBig> {
    let mut plan: Vec<Class> = Vec::new();
    let mut open: Vec<Class> = classes.iter().copied().filter(|class| !class.is_dead()).collect();
    while let Some(class) = open.pop() {
        if !plan.contains(&class) {
            Layout::new(class)?;
            plan.push(class);
            open.extend(class.conversions());
        }
    }
    plan.sort();
    Ok(plan)
}

/// How much work a class makes, in no particular unit.
pub fn work(class: Class) -> u64 {
    Layout::new(class).map_or(0, |layout| solve::work(&layout))
}

/// Solves a class whose conversions are there.
fn solve<'a>(
    class: Class,
    table_of: impl Fn(Class) -> Option<&'a Table>,
    watcher: &dyn Watcher,
) -> Result<Table, BuildError> {
    let layout = Layout::new(class)?;
    let conversions = Conversions::new(&layout, table_of)?;
    let distances = solve::solve(&layout, &conversions, &|work| watcher.worked(work))?;
    let (values, rule_wins) = repetition::judge(&layout, &distances, &conversions);
    Ok(Table { layout, distances, values, rule_wins })
}

/// Where finished tables go and come from.
trait Store {
    /// The file of a class, if it is there.
    fn load(&self, class: Class) -> Result<Option<TableFile>, BuildError>;
    fn save(&mut self, class: Class, file: Vec<u8>) -> Result<(), BuildError>;
    /// For errors.
    fn path(&self, class: Class) -> PathBuf;
}

fn run(store: &mut impl Store, classes: &[Class], watcher: &dyn Watcher) -> Result<Vec<TableInfo>, BuildError> {
    let plan = plan(classes)?;
    let damaged = |store: &_, class, reason| BuildError::File {
        path: Store::path(store, class),
        error: FileError::Header(reason),
    };
    // Before anything is begun: what is there must be sound.
    let mut old = BTreeMap::new();
    for &class in &plan {
        if let Some(file) = store.load(class)? {
            if file.info.class != class || !file.info.has_distances {
                return Err(damaged(store, class, "it is not the table with distances of the class it is named after"));
            }
            old.insert(class, file.info);
        }
    }
    // How many classes still need each.
    let mut users: BTreeMap<Class, usize> = BTreeMap::new();
    for class in plan.iter().filter(|class| !old.contains_key(class)) {
        for conversion in class.conversions() {
            *users.entry(conversion).or_default() += 1;
        }
    }
    let mut tables: BTreeMap<Class, Table> = BTreeMap::new();
    let mut infos = Vec::new();
    for class in plan {
        if let Some(info) = old.remove(&class) {
            watcher.finished(&info, true);
            infos.push(info);
            continue;
        }
        watcher.started(class);
        for needed in class.conversions() {
            if let std::collections::btree_map::Entry::Vacant(entry) = tables.entry(needed) {
                let file = store.load(needed)?.ok_or(MissingClass { class, missing: needed })?;
                let table = Table::from_file(&file, Layout::new(needed)?)
                    .ok_or_else(|| damaged(store, needed, "a block cannot be unpacked"))?;
                entry.insert(table);
            }
        }
        let table = solve(class, |class| tables.get(&class), watcher)?;
        let (info, file) = table.to_file();
        store.save(class, file)?;
        watcher.finished(&info, false);
        infos.push(info);
        for needed in class.conversions() {
            if let Some(count) = users.get_mut(&needed) {
                *count -= 1;
                if *count == 0 {
                    tables.remove(&needed);
                }
            }
        }
        if users.get(&class).is_some_and(|&count| count > 0) {
            tables.insert(class, table);
        }
    }
    Ok(infos)
}

/// A folder of tables.
struct Folder<'a>(&'a Path);

impl Store for Folder<'_> {
    fn load(&self, class: Class) -> Result<Option<TableFile>, BuildError> {
        let path = self.path(class);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(BuildError::Read { path, error }),
        };
        read(bytes).map(Some).map_err(|error| BuildError::File { path, error })
    }

    fn save(&mut self, class: Class, file: Vec<u8>) -> Result<(), BuildError> {
        Ok(write(&self.path(class), &file, Existing::Replace)?)
    }

    fn path(&self, class: Class) -> PathBuf {
        self.0.join(format!("{class}.{FILE_EXTENSION}"))
    }
}

/// Tables in memory.
struct Memory(BTreeMap<Class, Vec<u8>>);

impl Store for Memory {
    fn load(&self, class: Class) -> Result<Option<TableFile>, BuildError> {
        let Some(bytes) = self.0.get(&class) else { return Ok(None) };
        read(bytes.clone()).map(Some).map_err(|error| BuildError::File { path: self.path(class), error })
    }

    fn save(&mut self, class: Class, file: Vec<u8>) -> Result<(), BuildError> {
        self.0.insert(class, file);
        Ok(())
    }

    fn path(&self, class: Class) -> PathBuf {
        PathBuf::from(class.to_string())
    }
}

fn read(bytes: Vec<u8>) -> Result<TableFile, FileError> {
    let layout = layout_of(&bytes)?;
    TableFile::new(Cow::Owned(bytes), &layout)
}

/// Builds these classes and all that they convert into, with distances, in a folder, on all threads of the current
/// rayon pool. The folder is made if need be. Classes whose files are there are not built again, so that a build
/// that was ended goes on where it was; the bytes are the same either way, and the same on every machine.
///
/// # Errors
/// [`BuildError`]; files that are there are not touched.
pub fn build_in_folder(folder: &Path, classes: &[Class], watcher: &dyn Watcher) -> Result<Vec<TableInfo>, BuildError> {
    plan(classes)?;
    make_folder(folder)?;
    run(&mut Folder(folder), classes, watcher)
}

/// As [`build_in_folder`], with the files in memory.
///
/// # Errors
/// [`BuildError`].
pub fn build_in_memory(classes: &[Class], watcher: &dyn Watcher) -> Result<Vec<Vec<u8>>, BuildError> {
    let mut store = Memory(BTreeMap::new());
    run(&mut store, classes, watcher)?;
    Ok(store.0.into_values().collect())
}

/// Puts the values of these classes and all that they convert into together in one file, without distances, from the
/// tables in a folder: what is embedded in the program.
///
/// # Errors
/// [`BuildError`].
pub fn pack_set(folder: &Path, classes: &[Class], output: &Path) -> Result<u64, BuildError> {
    let store = Folder(folder);
    let mut tables = Vec::new();
    for class in plan(classes)? {
        let not_found = || BuildError::Read { path: store.path(class), error: io::ErrorKind::NotFound.into() };
        tables.push(store.load(class)?.ok_or_else(not_found)?.without_distances());
    }
    let set = set_of_tables(&tables);
    write(output, &set, Existing::Replace)?;
    Ok(set.len() as u64)
}
