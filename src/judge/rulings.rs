//! A folder with a file for each ruling.

use std::collections::HashSet;
use std::fs;

use serde_json::Value;

use crate::failure::CommandResult;
use crate::output::OutputFolder;
use crate::paths::readable;

/// Characters of an id that become part of a file's name.
const MAX_NAME: usize = 60;

/// A folder that is being filled with rulings.
pub(super) struct Rulings {
    folder: OutputFolder,
    extension: &'static str,
    files: u64,
    /// Names of the files that have been written.
    written: HashSet<String>,
}

impl Rulings {
    /// Nothing is written yet.
    pub(super) fn new(folder: OutputFolder, extension: &'static str) -> Rulings {
        Rulings { folder, extension, files: 0, written: HashSet::new() }
    }

    /// Writes the next file. Its name begins with a number, so that no two are the same on any system.
    pub(super) fn write(&mut self, id: &Value, text: &str) -> CommandResult {
        self.files += 1;
        let stem = format!("{:04}-{}", self.files, safe_name(id));
        self.written.insert(format!("{stem}.{}", self.extension));
        self.folder.write(stem.as_ref(), self.extension, text.as_bytes())
    }

    /// What has been written, on one line.
    pub(super) fn summary(&self) -> String {
        let rulings = if self.files == 1 { "ruling" } else { "rulings" };
        format!("{} {rulings} in {}", self.files, readable(self.folder.path()))
    }

    /// What to tell of rulings in the folder that look like this run's and are not.
    pub(super) fn note_on_others(&self) -> Option<String> {
        let path = self.folder.path();
        let names = fs::read_dir(path).ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut others: Vec<String> =
            names.filter(|name| is_ruling(name, self.extension) && !self.written.contains(name)).collect();
        others.sort_unstable();
        let (count, first) = (others.len(), others.first()?);
        let (rulings, more) = if count == 1 { ("ruling", "") } else { ("rulings", ", …") };
        Some(format!("{} also holds {count} {rulings} of another run: {first}{more}", path.display()))
    }
}

/// Whether a file is named as [`Rulings::write`] names them.
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
