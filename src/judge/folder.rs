//! A folder with a file for each ruling.

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
}

impl Folder {
    /// Makes the folder unless it is there.
    pub(super) fn create(path: &Path) -> Result<Folder, Failure> {
        fs::create_dir_all(path)
            .map_err(|error| Failure::Usage(format!("cannot make the folder {}: {error}", path.display())))?;
        Ok(Folder { path: path.to_owned(), files: 0 })
    }

    /// Writes the next file. Its name begins with a number, so that no two are the same on any system.
    pub(super) fn write(&mut self, id: &Value, extension: &str, text: &str) -> CommandResult {
        self.files += 1;
        let file = self.path.join(format!("{:04}-{}.{extension}", self.files, safe_name(id)));
        fs::write(&file, text).map_err(|error| Failure::Usage(format!("cannot write {}: {error}", file.display())))
    }
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
