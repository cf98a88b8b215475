//! A folder with a file for each ruling.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::failure::{CommandResult, Failure};

/// Characters of an id that become part of a file's name.
const MAX_NAME: usize = 60;

/// A folder that is being filled.
pub(super) struct Folder {
    path: PathBuf,
    files: u64,
    /// Names of the files that have been written.
    written: HashSet<String>,
}

impl Folder {
    /// Makes the folder unless it is there.
    pub(super) fn create(path: &Path) -> Result<Folder, Failure> {
        fs::create_dir_all(path)
            .map_err(|error| Failure::Usage(format!("cannot make the folder {}: {error}", path.display())))?;
        Ok(Folder { path: path.to_owned(), files: 0, written: HashSet::new() })
    }

    /// Writes the next file. Its name begins with a number, so that no two are the same on any system.
    pub(super) fn write(&mut self, id: &Value, extension: &str, text: &str) -> CommandResult {
        self.files += 1;
        let name = format!("{:04}-{}.{extension}", self.files, safe_name(id));
        let file = self.path.join(&name);
        self.written.insert(name);
        fs::write(&file, text).map_err(|error| Failure::Usage(format!("cannot write {}: {error}", file.display())))
    }

    /// What to tell of rulings in the folder that look like this run's and are not.
    pub(super) fn note_on_others(&self, extension: &str) -> Option<String> {
        let names = fs::read_dir(&self.path).ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut others: Vec<String> =
            names.filter(|name| is_ruling(name, extension) && !self.written.contains(name)).collect();
        others.sort_unstable();
        let (count, first) = (others.len(), others.first()?);
        let folder = self.path.display();
        let rulings = if count == 1 { "ruling" } else { "rulings" };
        Some(format!(
            "{folder} also holds {count} {rulings} of another run: {first}{}",
            if count == 1 { "" } else { ", …" }
        ))
    }
}

/// Whether a file is named as [`Folder::write`] names them.
fn is_ruling(name: &str, extension: &str) -> bool {
    let is_number = |text: &str| text.len() >= 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    name.strip_suffix(extension).is_some_and(|stem| stem.ends_with('.'))
        && name.split_once('-').is_some_and(|(number, _)| is_number(number))
}

/// What of an id can stand in a file's name everywhere: the folders before it left out, all but letters, digits and
/// hyphens replaced.
fn safe_name(id: &Value) -> String {
    let text = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
    let last = text.rsplit(['/', '\\']).next().unwrap_or_default();
    last.chars().take(MAX_NAME).map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_their_folder() {
        for (id, name) in [
            (Value::from("axf-d-001"), "axf-d-001"),
            (Value::from("../../etc/passwd"), "passwd"),
            (Value::from("..\\con.pgn:3"), "con_pgn_3"),
            (Value::from("楚河 1\0"), "楚河_1_"),
            (Value::from(7), "7"),
            (Value::from("x".repeat(1000)), &*"x".repeat(MAX_NAME)),
        ] {
            assert_eq!(safe_name(&id), name);
        }
    }
}
