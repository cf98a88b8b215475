//! Opening books from files.

use std::path::{Path, PathBuf};

use chuhe_book::{Book, Books};

/// Reads books, and says of each that cannot be read why. Without any the embedded book serves.
pub(crate) fn load(paths: &[PathBuf]) -> (Books, Vec<String>) {
    let mut books = Books::new();
    let mut troubles = Vec::new();
    for path in paths {
        match read(path) {
            Ok(book) => books.push(book),
            Err(reason) => troubles.push(format!("opening book `{}` refused: {reason}", path.display())),
        }
    }
    (if books.is_empty() { Books::embedded() } else { books }, troubles)
}

fn read(path: &Path) -> Result<Book, String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    Book::from_bytes(&bytes).map_err(|error| error.to_string())
}
