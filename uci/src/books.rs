//! The opening books of a session: they are asked before the engine.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};

use chuhe_book::{Book, Books, Entries, pick};
use chuhe_movegen::{Board, Move};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Books, and the chance by which one of their moves is chosen.
pub(crate) struct Repertoire {
    books: Books,
    rng: ChaCha8Rng,
}

impl Repertoire {
    /// The embedded book, and a different game each time.
    pub(crate) fn new() -> Repertoire {
        Repertoire { books: Books::embedded(), rng: ChaCha8Rng::seed_from_u64(RandomState::new().hash_one(0)) }
    }

    /// Reads other books, and says of each that cannot be read why. Without any the embedded book serves.
    pub(crate) fn load(&mut self, paths: &[PathBuf]) -> Vec<String> {
        let mut books = Books::new();
        let mut troubles = Vec::new();
        for path in paths {
            match read(path) {
                Ok(book) => books.push(book),
                Err(reason) => troubles.push(format!("opening book `{}` rejected: {reason}", path.display())),
            }
        }
        self.books = if books.is_empty() { Books::embedded() } else { books };
        troubles
    }

    /// Chooses a move among those `allowed` in a position, and tells what it was chosen from.
    pub(crate) fn choose(&mut self, board: &Board, allowed: &[Move]) -> Option<(Move, Entries)> {
        let entries: Entries =
            self.books.probe(board).into_iter().filter(|entry| allowed.contains(&entry.mv)).collect();
        let chosen = pick(&entries, &mut self.rng)?;
        Some((chosen, entries))
    }
}

fn read(path: &Path) -> Result<Book, String> {
    let bytes = chuhe_files::read(path, chuhe_book::MAX_FILE_SIZE).map_err(|error| error.to_string())?;
    Book::from_bytes(&bytes).map_err(|error| error.to_string())
}
