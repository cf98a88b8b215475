//! `chuhe convert`: game files of any kind to other formats and encodings.

mod files;
mod form;
mod told;

use std::io::{self, IsTerminal as _, Write};
use std::path::PathBuf;

use chuhe_records::export::{Export, Exported};
use chuhe_records::games::DamagedRecord;

use crate::failure::{CommandResult, Failure, say};
use crate::games::{Event, InputArgs, Item, Stream, Tally, games_of};
use crate::output::{OutputFolder, OverwriteArgs};
use crate::paths::readable;
use crate::progress;
use crate::screen::for_stdout;
use files::Files;
use form::FormArgs;
use told::Told;

/// Arguments of `chuhe convert`.
#[derive(clap::Args)]
#[command(after_help = "\
Reads PGN, XQF, CBR, CBL, CBF, DhtmlXQ (also in web pages), plain text, PlayOK's exports, CHE, CHN, MXQ, CCM, JSON lines,
lines of moves, FEN and EPD, in UTF-8, UTF-16, GB18030 (GBK) or Big5, whatever the files are called. In folders and their
subfolders, files with the usual extensions are read.

For a damaged game the moves before the damage are written, the fault is reported, and the exit code is 1.")]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    inputs: InputArgs,
    #[command(flatten)]
    form: FormArgs,
    /// Write the games of each input file to a file in this folder, keeping subfolders; for XQF a file per game
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    overwrite: OverwriteArgs,
}

/// Runs the command.
pub(crate) fn run(args: &ConvertArgs) -> CommandResult {
    let export = args.form.export()?;
    let (mut tally, mut told) = (Tally::default(), Told::default());
    let folder = args.output.as_deref();
    let sources = args.inputs.sources(folder, &mut tally);
    let mut output = match folder {
        Some(path) => {
            let folder = OutputFolder::create(path, &sources, args.overwrite.existing())?;
            Output::Folder(Box::new(Files::new(folder, &sources, &export)))
        }
        None if export.is_one_game_a_file() && io::stdout().is_terminal() => {
            return Err(Failure::Usage("XQF is no text for a terminal: choose a folder with -o".to_owned()));
        }
        None => Output::Standard { first: None, is_one_only: export.is_one_game_a_file() },
    };
    let template = "{wide_bar} {pos}/{len} files, {msg}";
    let bar = progress::bar(Some(sources.len() as u64), template, progress::has_room(folder.is_some()));
    let games = Stream::start(sources);
    let mut out = io::BufWriter::new(io::stdout().lock());
    while let Some(batch) = games.next_batch(|item| Converted::new(item, &export)) {
        for event in batch {
            let game = match event {
                Event::Game(game) => game,
                Event::Note(note) => {
                    bar.suspend(|| tally.note(&note));
                    continue;
                }
            };
            tally.games += 1;
            if let Some(fault) = told.add(&game) {
                bar.suspend(|| say(&fault));
            }
            if let Some(written) = &game.written {
                output.write(game.source, &written.bytes, &mut out)?;
                bar.set_position(game.source as u64);
            }
        }
        bar.set_message(games_of(tally.games));
        out.flush()?;
    }
    let files = output.finish(&mut out)?;
    bar.finish_and_clear();
    if let Some((path, files)) = folder.zip(files) {
        writeln!(out, "{} in {files} {} in {}", games_of(told.written()), plural(files), readable(path))?;
        out.flush()?;
    }
    tally.result(told.close(tally.games))
}

/// A game that has been read and written.
struct Converted {
    source: usize,
    place: String,
    written: Option<Exported>,
    /// What is wrong with it.
    fault: Option<String>,
    /// What of variations could not be kept.
    omission: Option<String>,
}

impl Converted {
    fn new(item: Item, export: &Export) -> Converted {
        let (source, place) = (item.source, item.place.clone());
        let (id, entry) = item.read();
        let omission = entry.omitted.filter(|_| entry.record.is_ok()).map(|omitted| omitted.to_string());
        let (record, error) = match entry.record {
            Ok(record) => (Some(record), None),
            Err(DamagedRecord { error, salvaged }) => (salvaged.map(|record| *record), Some(error.to_string())),
        };
        let result = record.map(|record| export.write(&record, &id, error.as_deref())).transpose();
        let (written, fault) = match result {
            Ok(written) => (written, error),
            Err(error) => (None, Some(error.to_string())),
        };
        Converted { source, place, written, fault, omission }
    }
}

/// Where the results go.
enum Output {
    Folder(Box<Files>),
    Standard {
        /// The only game of a format that has one game a file.
        first: Option<Vec<u8>>,
        is_one_only: bool,
    },
}

impl Output {
    fn write(&mut self, source: usize, bytes: &[u8], out: &mut impl Write) -> CommandResult {
        match self {
            Output::Folder(folder) => folder.write(source, bytes),
            Output::Standard { is_one_only: false, .. } => Ok(out.write_all(&for_stdout(bytes))?),
            Output::Standard { first: first @ None, .. } => {
                *first = Some(bytes.to_vec());
                Ok(())
            }
            Output::Standard { first: Some(_), .. } => Err(Failure::Usage(
                "an XQF file holds one game, and there are several: choose a folder with -o".to_owned(),
            )),
        }
    }

    /// Writes the rest; says how many files there are in a folder.
    fn finish(self, out: &mut impl Write) -> Result<Option<usize>, Failure> {
        match self {
            Output::Folder(folder) => Ok(Some(folder.finish()?)),
            Output::Standard { first, .. } => {
                if let Some(bytes) = first {
                    out.write_all(&bytes)?;
                    out.flush()?;
                }
                Ok(None)
            }
        }
    }
}

fn plural(files: usize) -> &'static str {
    if files == 1 { "file" } else { "files" }
}
