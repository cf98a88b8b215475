//! `chuhe solve`: how many mate puzzles of a file the engine solves.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use chuhe_analysis::puzzle::{Attempt, Puzzle};
use chuhe_engine::{DEFAULT_HASH_MIB, Engine, MAX_THREADS};
use chuhe_text::printable;
use serde::Serialize;

use crate::failure::{CommandResult, Failure, say};
use crate::format::Format;
use crate::progress;
use crate::screen::write_json;

/// Bytes of a file of puzzles that are read at most.
const MAX_FILE_SIZE: u64 = 256 << 20;

/// Arguments of `chuhe solve`.
#[derive(clap::Args)]
pub(crate) struct SolveArgs {
    /// Puzzles, one JSON object per line: "fen", "mate_in" (moves of the side to move), "first_moves", and optionally "id"
    file: PathBuf,
    /// Milliseconds per puzzle
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    movetime: u64,
    /// Search threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: u16,
    /// Hash table in MiB
    #[arg(long, default_value_t = DEFAULT_HASH_MIB as u32, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// The result of one line of the file. In JSON a line without a puzzle has only its number and the error.
#[derive(Serialize)]
struct Record {
    line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(flatten)]
    attempt: Option<Attempt>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Runs the command.
pub(crate) fn run(args: &SolveArgs) -> CommandResult {
    let text = read(&args.file)?;
    let lines: Vec<(usize, &str)> =
        text.lines().enumerate().map(|(i, line)| (i + 1, line)).filter(|(_, line)| !line.trim().is_empty()).collect();

    let mut engine = Engine::new();
    engine.options.threads = args.threads.into();
    engine.set_hash(args.hash as usize)?;
    engine.prepare();

    let bar = progress::bar(Some(lines.len() as u64), "{wide_bar} {pos}/{len} {elapsed} (about {eta} to go)", true);
    let start = Instant::now();
    let (mut puzzles, mut solved) = (0, 0);
    for &(line, text) in &lines {
        let record = match Puzzle::parse(text) {
            Ok(puzzle) => {
                let attempt = puzzle.attempt(&mut engine, Duration::from_millis(args.movetime));
                puzzles += 1;
                solved += usize::from(attempt.solved);
                Record { line, id: puzzle.id, attempt: Some(attempt), error: None }
            }
            Err(reason) => Record { line, id: None, attempt: None, error: Some(reason) },
        };
        bar.suspend(|| print(&record, args))?;
        bar.inc(1);
    }
    bar.finish_and_clear();

    if args.format == Format::Text {
        let mut out = io::stdout().lock();
        writeln!(out, "{solved} of {puzzles} solved in {:.1} s", start.elapsed().as_secs_f64())?;
    }
    match lines.len() - puzzles {
        0 => Ok(()),
        bad => Err(Failure::Data(format!("{}: {bad} of {} lines are not puzzles", args.file.display(), lines.len()))),
    }
}

/// Reads the file; bytes that are not UTF-8 (names in GBK) do not matter to a puzzle.
fn read(path: &Path) -> Result<String, Failure> {
    let bytes = chuhe_files::read(path, MAX_FILE_SIZE).map_err(Failure::unreadable(path))?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
}

fn print(record: &Record, args: &SolveArgs) -> CommandResult {
    let mut out = io::stdout().lock();
    if let Some(error) = &record.error {
        say(&format!("{}:{}: {error}", args.file.display(), record.line));
    }
    if args.format == Format::Json {
        write_json(&mut out, record)?;
    } else if let Some(attempt) = &record.attempt {
        let name = record.id.clone().unwrap_or_else(|| format!("line {}", record.line));
        let verdict = if attempt.solved { "solved" } else { "FAILED" };
        let found = attempt.found_mate_in.map_or_else(|| "no mate".to_owned(), |moves| format!("mate in {moves}"));
        let best = attempt.best.as_deref().unwrap_or("no move");
        let Attempt { mate_in, depth, nodes, time_ms, .. } = attempt;
        writeln!(
            out,
            "{}: {verdict}, {best} {found} (stated {mate_in}), depth {depth}, {nodes} nodes, {time_ms} ms",
            printable(&name)
        )?;
    }
    Ok(())
}
