//! `chuhe book`: makes opening books from games and lines of play, and looks positions up in them.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use chuhe_book::{Book, Books, Entries, GameCounts, MAX_FILE_SIZE, build, is_lines, parse_lines};
use chuhe_files::Existing;
use chuhe_movegen::Board;
use clap::Subcommand;
use serde::Serialize;

use crate::failure::{CommandResult, Failure};
use crate::format::Format;
use crate::games::{Event, InputArgs, Stream, Tally, games_of};
use crate::output::OverwriteArgs;
use crate::position::PositionArgs;
use crate::progress;
use crate::screen::write_json;

/// Bytes of a file that show whether it holds opening lines.
const HEAD: u64 = 4096;

/// Arguments of `chuhe book`.
#[derive(clap::Args)]
pub(crate) struct BookArgs {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Subcommand)]
enum BookCommand {
    /// Make a book from games or opening lines
    Build(BuildArgs),
    /// Print the book moves of a position
    Probe(ProbeArgs),
}

#[derive(clap::Args)]
#[command(after_help = "\
A book of games holds the moves that were played, each with the number of games that chose it. Opening lines are text with five
columns between tabs: ECCO code, opening, variation, number of games, and moves (h2e2 …).")]
struct BuildArgs {
    #[command(flatten)]
    inputs: InputArgs,
    /// The book to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    overwrite: OverwriteArgs,
    /// Half-moves of each game to take
    #[arg(long, value_name = "N", default_value_t = 24)]
    plies: usize,
    /// Leave out moves that were played in fewer games
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_games: u32,
}

#[derive(clap::Args)]
struct ProbeArgs {
    /// Books to use instead of the built-in one, in this order: Chuhe's own, BOOK.DAT or OBK
    #[arg(long = "book", value_name = "FILE")]
    books: Vec<PathBuf>,
    #[command(flatten)]
    position: PositionArgs,
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
    if args.inputs.paths().iter().any(|path| is_table(path)) {
        let (lines, bytes) = build_of_lines(args.inputs.paths())?;
        return write(&args.output, &bytes, existing, &format!("{lines} lines"));
    }
    let mut tally = Tally::default();
    let sources = args.inputs.sources(None, &mut tally);
    let bar = progress::bar(None, "{spinner} {pos} games", true);
    let games = Stream::start(sources);
    let (mut counts, mut damaged) = (GameCounts::default(), 0_u64);
    while let Some(batch) = games.next_batch(|item| item.read().1.record) {
        for event in batch {
            let record = match event {
                Event::Game(Ok(record)) => Some(record),
                Event::Game(Err(fault)) => {
                    damaged += 1;
                    fault.salvaged.map(|record| *record)
                }
                Event::Note(note) => {
                    bar.suspend(|| tally.note(&note));
                    continue;
                }
            };
            tally.games += 1;
            bar.inc(1);
            if let Some(record) = record {
                counts.add(&record.start, record.main_line().map(|(mv, _)| mv).take(args.plies));
            }
        }
    }
    bar.finish_and_clear();
    if tally.games > 0 {
        write(&args.output, &counts.build(args.min_games), existing, &games_of(tally.games))?;
    }
    let fault = format!("{damaged} of {} damaged and used up to the damage", games_of(tally.games));
    tally.result((damaged > 0).then_some(fault))
}

/// Whether a file holds opening lines rather than games.
fn is_table(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    read.is_ok() && is_lines(&String::from_utf8_lossy(&head))
}

/// The book of files of opening lines, and how many lines they have.
fn build_of_lines(paths: &[PathBuf]) -> Result<(usize, Vec<u8>), Failure> {
    let mut lines = Vec::new();
    for path in paths {
        let text = chuhe_files::read_text(path, MAX_FILE_SIZE).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => Failure::Data(format!("{}: {error}", path.display())),
            _ => Failure::unreadable(path)(error),
        })?;
        lines.extend(parse_lines(&text).map_err(|error| Failure::Data(format!("{}: {error}", path.display())))?);
    }
    Ok((lines.len(), build(&lines)))
}

/// Writes a book, and says what it was made of and what it holds.
fn write(path: &Path, bytes: &[u8], existing: Existing, made_of: &str) -> CommandResult {
    let book = load(bytes, path)?;
    chuhe_files::write(path, bytes, existing)?;
    writeln!(io::stdout(), "{made_of}, {} moves of positions, {} bytes", book.len(), bytes.len())?;
    Ok(())
}

fn run_probe(args: &ProbeArgs) -> CommandResult {
    let books = if args.books.is_empty() {
        Books::embedded()
    } else {
        args.books.iter().map(|path| load(&read(path)?, path)).collect::<Result<Books, Failure>>()?
    };
    let board = args.position.board()?;
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
            write_json(&mut out, &answer)?;
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
