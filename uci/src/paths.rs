//! File names as GUIs send them.

use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};

/// There is no such file, under any reading of its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NotFound {
    name: String,
    /// There is something else of this name.
    is_there: bool,
    wanted: Wanted,
}

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wanted {
    File,
    Folder,
}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.wanted, self.is_there) {
            (Wanted::File, true) => write!(f, "`{}` is not an ordinary file", self.name),
            (Wanted::File, false) => write!(f, "cannot find file `{}`", self.name),
            (Wanted::Folder, true) => write!(f, "`{}` is not a folder", self.name),
            (Wanted::Folder, false) => write!(f, "cannot find folder `{}`", self.name),
        }
    }
}

/// A file name as text: UTF-8, or GBK as on Chinese Windows. The first is the more likely.
fn readings(name: &[u8]) -> impl Iterator<Item = Cow<'_, str>> {
    let utf8 = std::str::from_utf8(name).ok().map(Cow::Borrowed);
    let gbk = encoding_rs::GBK.decode_without_bom_handling_and_without_replacement(name);
    utf8.into_iter().chain(gbk)
}

/// The name of a file that need not exist.
pub(crate) fn decode(name: &[u8]) -> PathBuf {
    readings(name).next().unwrap_or_else(|| String::from_utf8_lossy(name)).into_owned().into()
}

/// Finds a file beside the program, then as given: the current folder of a GUI says nothing.
pub(crate) fn find(name: &[u8], program_folder: Option<&Path>) -> Result<PathBuf, NotFound> {
    find_wanted(name, program_folder, Wanted::File)
}

/// Finds a folder, as [`find`] does a file.
pub(crate) fn find_folder(name: &[u8], program_folder: Option<&Path>) -> Result<PathBuf, NotFound> {
    find_wanted(name, program_folder, Wanted::Folder)
}

fn find_wanted(name: &[u8], program_folder: Option<&Path>, wanted: Wanted) -> Result<PathBuf, NotFound> {
    let is_wanted = |path: &PathBuf| match wanted {
        Wanted::File => path.is_file(),
        Wanted::Folder => path.is_dir(),
    };
    let candidates = || {
        readings(name).flat_map(|name| {
            let beside = program_folder.map(|folder| folder.join(&*name));
            beside.into_iter().chain([PathBuf::from(&*name)])
        })
    };
    candidates().find(is_wanted).ok_or_else(|| NotFound {
        name: decode(name).display().to_string(),
        is_there: !name.is_empty() && candidates().any(|path| path.exists()),
        wanted,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_encodings_beside_the_program() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("棋谱.obk");
        std::fs::write(&path, b"").unwrap();
        let gbk = b"\xc6\xe5\xc6\xd7.obk";
        for name in ["棋谱.obk".as_bytes(), gbk, path.to_str().unwrap().as_bytes()] {
            assert_eq!(find(name, Some(folder.path())), Ok(path.clone()));
        }
        assert!(find(gbk, None).is_err());
        assert!(find(b"\xff\xff", Some(folder.path())).is_err());
        assert!(find(b"", Some(folder.path())).is_err());
        let folder_itself = folder.path().to_str().unwrap();
        let error = find(folder_itself.as_bytes(), None).unwrap_err().to_string();
        assert_eq!(error, format!("`{folder_itself}` is not an ordinary file"));
        assert_eq!(find_folder(folder_itself.as_bytes(), None).as_deref(), Ok(folder.path()));
        let error = find_folder(path.to_str().unwrap().as_bytes(), None).unwrap_err().to_string();
        assert_eq!(error, format!("`{}` is not a folder", path.display()));
        assert_eq!(find_folder(b"nowhere", None).unwrap_err().to_string(), "cannot find folder `nowhere`");
        assert_eq!(find(b"no\0file", None).unwrap_err().to_string(), "cannot find file `no\0file`");
    }
}
