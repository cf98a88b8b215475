//! `chuhe convert`: game files of any kind to other formats and encodings.

mod files;
mod target;
mod told;

use std::io::{self, Write};
use std::path::PathBuf;

use chuhe_records::TextEncoding;
use chuhe_records::games::DamagedRecord;
use chuhe_records::notation::{Digits, Length, PawnNames, Script};
use clap::ValueEnum;

use crate::failure::{CommandResult, Failure, say};
use crate::games::{Event, InputArgs, Item, Stream, Tally, games_of};
use crate::output::{OutputFolder, OverwriteArgs};
use crate::progress;
use crate::screen::for_stdout;
use files::Files;
use target::{Target, Written};
use told::Told;

/// Arguments of `chuhe convert`.
#[derive(clap::Args)]
#[command(after_help = "\
Read are PGN, XQF, CBR, CBL, CBF, DhtmlXQ (also in web pages), plain text, PlayOK's exports, CHE, CHN, MXQ, CCM, JSON lines,
lines of moves, FEN and EPD, in UTF-8, UTF-16, GB18030 (GBK) or Big5, whatever the files are called. In folders, files with
the usual extensions are read, in all folders below too.

Of a damaged game the moves before the damage are written; what is wrong is told, and the exit code is 1.")]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    inputs: InputArgs,
    /// The format to write
    #[arg(long, value_enum)]
    to: To,
    /// Write a file for each file into this folder, with the folders of the input below it; XQF a file for each game
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    overwrite: OverwriteArgs,
    /// How text is encoded; JSON is always in UTF-8 and XQF in GBK
    #[arg(long, value_enum, default_value_t = EncodingArg::Utf8)]
    encoding: EncodingArg,
    /// Names of moves in PGN
    #[arg(long, value_enum, default_value_t = NotationArg::Iccs)]
    notation: NotationArg,
    /// Which positions of a game to write as FEN
    #[arg(long, value_enum, default_value_t = Positions::Start)]
    positions: Positions,
    /// Characters of Chinese notation: simplified, or with --encoding big5, which lacks those, traditional
    #[arg(long, value_enum, help_heading = "Chinese notation")]
    script: Option<ScriptArg>,
    /// Digits
    #[arg(long, value_enum, default_value_t = DigitsArg::Customary, help_heading = "Chinese notation")]
    digits: DigitsArg,
    /// Names of pawns when two files hold several
    #[arg(long, value_enum, default_value_t = PawnsArg::ByFile, help_heading = "Chinese notation")]
    pawns: PawnsArg,
    /// Leave out directions where the rest tells the move: 炮25
    #[arg(long, help_heading = "Chinese notation")]
    short: bool,
}

/// Formats to write.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum To {
    /// With tags, variations and comments
    Pgn,
    /// XQStudio's files: one game each, with variations and comments
    Xqf,
    /// Text for the forums of 东萍, with variations and comments
    Dhtmlxq,
    /// A position on each line
    Fen,
    /// A game on each line: `H2-E2 H9-G7 …`, behind its position and `moves` if it begins elsewhere
    Iccs,
    /// The same in Chinese: `炮二平五 马8进7 …`
    Chinese,
    /// The same in WXF: `C2=5 H8+7 …`
    Wxf,
    /// An object on each line, with everything in it; docs/formats.md tells its keys
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum EncodingArg {
    #[value(name = "utf-8", alias = "utf8")]
    Utf8,
    /// For older programs; what it lacks becomes `?`
    Gbk,
    /// For traditional script
    Big5,
}

impl From<EncodingArg> for TextEncoding {
    fn from(encoding: EncodingArg) -> TextEncoding {
        match encoding {
            EncodingArg::Utf8 => TextEncoding::Utf8,
            EncodingArg::Gbk => TextEncoding::Gbk,
            EncodingArg::Big5 => TextEncoding::Big5,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum NotationArg {
    /// H2-E2
    Iccs,
    /// 炮二平五
    Chinese,
    /// C2=5
    Wxf,
    /// Che2
    Winboard,
}

/// Positions of a game.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Positions {
    /// The one before the first move
    Start,
    /// The one after the last move
    End,
    /// All of the main line
    All,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ScriptArg {
    /// 车马进
    Simplified,
    /// 車馬進
    Traditional,
}

impl From<ScriptArg> for Script {
    fn from(script: ScriptArg) -> Script {
        match script {
            ScriptArg::Simplified => Script::Simplified,
            ScriptArg::Traditional => Script::Traditional,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum DigitsArg {
    /// 一 for Red, 1 for Black
    Customary,
    /// 一 for Red, full-width １ for Black
    FullWidth,
    /// 一 for both
    Chinese,
    /// 1 for both
    Arabic,
}

impl From<DigitsArg> for Digits {
    fn from(digits: DigitsArg) -> Digits {
        match digits {
            DigitsArg::Customary => Digits::Customary,
            DigitsArg::FullWidth => Digits::FullWidth,
            DigitsArg::Chinese => Digits::Chinese,
            DigitsArg::Arabic => Digits::Arabic,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum PawnsArg {
    /// Place on the file and file: 前九平八
    ByFile,
    /// All by one number, from the right: 三兵平八
    Numbered,
}

impl From<PawnsArg> for PawnNames {
    fn from(pawns: PawnsArg) -> PawnNames {
        match pawns {
            PawnsArg::ByFile => PawnNames::ByFile,
            PawnsArg::Numbered => PawnNames::Numbered,
        }
    }
}

impl ConvertArgs {
    fn length(&self) -> Length {
        if self.short { Length::Short } else { Length::Full }
    }
}

/// Runs the command.
pub(crate) fn run(args: &ConvertArgs) -> CommandResult {
    let target = Target::new(args)?;
    let (mut tally, mut told) = (Tally::default(), Told::default());
    let folder = args.output.as_deref();
    let sources = args.inputs.sources(folder, &mut tally);
    let mut output = match folder {
        Some(path) => {
            let folder = OutputFolder::create(path, &sources, args.overwrite.existing())?;
            Output::Folder(Box::new(Files::new(folder, &sources, &target)))
        }
        None => Output::Standard { first: None, is_one_only: target.is_one_game_a_file() },
    };
    let template = "{wide_bar} {pos}/{len} files, {msg}";
    let bar = progress::bar(Some(sources.len() as u64), template, progress::has_room(folder.is_some()));
    let games = Stream::start(sources);
    let mut out = io::BufWriter::new(io::stdout().lock());
    while let Some(batch) = games.next_batch(|item| Converted::new(item, &target)) {
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
    output.finish(&mut out)?;
    bar.finish_and_clear();
    tally.result(told.close(tally.games))
}

/// A game that has been read and written.
struct Converted {
    source: usize,
    place: String,
    written: Option<Written>,
    /// What is wrong with it.
    fault: Option<String>,
    /// What of variations could not be kept.
    omission: Option<String>,
}

impl Converted {
    fn new(item: Item, target: &Target) -> Converted {
        let (source, place) = (item.source, item.place.clone());
        let (id, entry) = item.read();
        let omission = entry.omitted.filter(|_| entry.record.is_ok()).map(|omitted| omitted.to_string());
        let (record, error) = match entry.record {
            Ok(record) => (Some(record), None),
            Err(DamagedRecord { error, salvaged }) => (salvaged.map(|record| *record), Some(error.to_string())),
        };
        let result = record.map(|record| target.write(&record, &id, error.as_deref())).transpose();
        let (written, fault) = match result {
            Ok(written) => (written, error),
            Err(error) => (None, Some(error)),
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
                "a file of XQF holds one game, and there are several: name a folder with -o".to_owned(),
            )),
        }
    }

    fn finish(self, out: &mut impl Write) -> CommandResult {
        match self {
            Output::Folder(folder) => folder.finish(),
            Output::Standard { first, .. } => {
                if let Some(bytes) = first {
                    out.write_all(&bytes)?;
                    out.flush()?;
                }
                Ok(())
            }
        }
    }
}
