//! `chuhe book`: makes opening books from lines of play, and asks books about positions.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use chuhe_book::{Book, Books, Entries, MAX_FILE_SIZE, build, parse_lines};
use chuhe_movegen::{Board, Move};
use clap::Subcommand;
use serde::Serialize;

use crate::failure::{CommandResult, Failure};
use crate::format::Format;
use crate::output::OverwriteArgs;

/// Arguments of `chuhe book`.
#[derive(clap::Args)]
pub(crate) struct BookArgs {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Subcommand)]
enum BookCommand {
    /// Make a book from opening lines
    Build(BuildArgs),
    /// Print the book moves of a position
    Probe(ProbeArgs),
}

#[derive(clap::Args)]
struct BuildArgs {
    /// Files of opening lines: ECCO code, opening, variation, number of games and moves (h2e2 …) between tabs
    #[arg(required = true)]
    lines: Vec<PathBuf>,
    /// The book to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    overwrite: OverwriteArgs,
}

#[derive(clap::Args)]
struct ProbeArgs {
    /// Books to use instead of the built-in one, in this order: Chuhe's own, BOOK.DAT or OBK
    #[arg(long = "book", value_name = "FILE")]
    books: Vec<PathBuf>,
    /// The position as FEN [default: the start position]
    #[arg(long, default_value = Board::START_FEN, hide_default_value = true)]
    fen: String,
    /// Moves from that position, such as h2e2
    #[arg(long, num_args = 0..)]
    moves: Vec<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Runs the command.
pub(crate) fn run(args: &BookArgs) -> CommandResult {
    match &args.command {
        BookCommand::Build(args) => run_build(args),
        BookCommand::Probe(args) => run_probe(args),
    }
}

fn run_build(args: &BuildArgs) -> CommandResult {
    let existing = args.overwrite.existing();
    existing.check(&args.output)?;
    let mut lines = Vec::new();
    for path in &args.lines {
        let text = chuhe_files::read_text(path, MAX_FILE_SIZE).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => Failure::Data(format!("{}: {error}", path.display())),
            _ => Failure::unreadable(path)(error),
        })?;
        lines.extend(parse_lines(&text).map_err(|error| Failure::Data(format!("{}: {error}", path.display())))?);
    }
    let bytes = build(&lines);
    let book = load(&bytes, &args.output)?;
    chuhe_files::write(&args.output, &bytes, existing)?;
    let mut out = io::stdout().lock();
    writeln!(out, "{} lines, {} moves of positions, {} bytes", lines.len(), book.len(), bytes.len())?;
    Ok(())
}

fn run_probe(args: &ProbeArgs) -> CommandResult {
    let books = if args.books.is_empty() {
        Books::embedded()
    } else {
        args.books.iter().map(|path| load(&read(path)?, path)).collect::<Result<Books, Failure>>()?
    };
    let mut board = Board::from_composed_fen(&args.fen).map_err(|error| Failure::Usage(format!("--fen: {error}")))?;
    for word in args.moves.iter().flat_map(|words| words.split_whitespace()) {
        let mv: Move = word.parse().map_err(|error| Failure::Usage(format!("--moves: {error}")))?;
        board = board.play(mv).map_err(|error| Failure::Usage(format!("--moves: {error}")))?;
    }
    print(&board, &books.probe(&board), args.format)
}

/// What a book says about a position, in JSON.
#[derive(Serialize)]
struct Answer {
    fen: String,
    entries: Vec<Weighted>,
}

/// A move of an answer.
#[derive(Serialize)]
struct Weighted {
    #[serde(rename = "move")]
    mv: String,
    weight: u32,
}

fn print(board: &Board, entries: &Entries, format: Format) -> CommandResult {
    let mut out = io::stdout().lock();
    match format {
        Format::Json => {
            let weighted = |entry: &chuhe_book::Entry| Weighted { mv: entry.mv.to_string(), weight: entry.weight };
            let answer = Answer { fen: board.to_fen(), entries: entries.iter().map(weighted).collect() };
            serde_json::to_writer(&mut out, &answer).map_err(io::Error::from)?;
            writeln!(out)?;
        }
        Format::Text if entries.is_empty() => writeln!(out, "not in book")?,
        Format::Text => {
            let total: u64 = entries.iter().map(|entry| u64::from(entry.weight)).sum();
            for entry in entries {
                let share = 100.0 * f64::from(entry.weight) / total.max(1) as f64;
                writeln!(out, "{} {:>7} {share:>5.1} %", entry.mv, entry.weight)?;
            }
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    chuhe_files::read(path, MAX_FILE_SIZE).map_err(Failure::unreadable(path))
}

fn load(bytes: &[u8], path: &Path) -> Result<Book, Failure> {
    Book::from_bytes(bytes).map_err(|error| Failure::Data(format!("{}: {error}", path.display())))
}
