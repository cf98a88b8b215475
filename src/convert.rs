//! `chuhe convert`: game files of any kind to other formats and encodings.

mod folder;
mod target;

use std::collections::HashMap;
use std::io::{self, IsTerminal as _, Write};
use std::path::PathBuf;

use chuhe_records::TextEncoding;
use chuhe_records::games::DamagedRecord;
use chuhe_records::notation::{Digits, Length, PawnNames, Script};
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use crate::failure::{CommandResult, Failure, say};
use crate::games::{Entry, Event, Item, Source, Stream, Unreadable};
use crate::screen::for_stdout;
use folder::Folder;
use target::{Target, Written};

/// Arguments of `chuhe convert`.
#[derive(clap::Args)]
#[command(after_help = "\
Read are PGN, XQF, CBR, CBL, CBF, DhtmlXQ (also in web pages), plain text, PlayOK's exports, CHE, CHN, MXQ, CCM, JSON lines,
lines of moves, FEN and EPD, in UTF-8, UTF-16, GB18030 (GBK) or Big5, whatever the files are called. In folders, files with
the usual extensions are read, in all folders below too.

Of a damaged game the moves before the damage are written; what is wrong is told, and the exit code is 1.")]
pub(crate) struct ConvertArgs {
    /// Game files and folders of them; standard input when there are none, or for `-`
    #[arg(value_name = "IN")]
    inputs: Vec<PathBuf>,
    /// The format to write
    #[arg(long, value_enum)]
    to: To,
    /// Write a file for each file into this folder, with the folders of the input below it; XQF a file for each game
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Replace files that are there already; without it they are left as they are, and the command ends
    #[arg(long, requires = "output")]
    overwrite: bool,
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
    let mut tally = Tally::default();
    let folder = args.output.as_deref();
    let mut sources = Source::all_in_folders(&args.inputs, folder, |unreadable| tally.add_unreadable(unreadable));
    sources.retain(|source| source.check().inspect_err(|unreadable| tally.add_unreadable(unreadable)).is_ok());
    let mut output = match folder {
        Some(path) => {
            let folder = Folder::create(path, &sources, &target, args.overwrite)?;
            Output::Folder(Box::new(folder))
        }
        None => Output::Standard { first: None, is_one_only: target.is_one_game_a_file() },
    };
    let bar = progress(sources.len(), folder.is_some());
    let games = Stream::start(sources);
    let mut out = io::BufWriter::new(io::stdout().lock());
    while let Some(batch) = games.next_batch() {
        let results: Vec<Outcome> = batch.into_par_iter().map(|event| Outcome::new(event, &target)).collect();
        for result in results {
            match &result {
                // Most games give nothing to tell.
                Outcome::Game(game) if game.fault.is_none() => tally.add(&result),
                _ => bar.suspend(|| tally.add(&result)),
            }
            let Outcome::Game(Converted { source, written: Some(written), .. }) = &result else { continue };
            output.write(*source, &written.bytes, &mut out)?;
            bar.set_position(*source as u64);
        }
        bar.set_message(games_of(tally.games));
        out.flush()?;
    }
    output.finish(&mut out)?;
    bar.finish_and_clear();
    tally.result()
}

/// What has come of an event.
enum Outcome {
    Game(Converted),
    Unreadable(Unreadable),
    /// A source without games.
    Empty(String),
}

impl Outcome {
    fn new(event: Event, target: &Target) -> Outcome {
        match event {
            Event::Game(item) => Outcome::Game(Converted::new(item, target)),
            Event::Unreadable(unreadable) => Outcome::Unreadable(unreadable),
            Event::Empty(title) => Outcome::Empty(title),
        }
    }
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
        let Entry { id, record, omitted, .. } = item.read();
        let omission = omitted.filter(|_| record.is_ok()).map(|omitted| omitted.to_string());
        let (record, error) = match record {
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
    Folder(Box<Folder>),
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

/// Faults of one file, and files without games, that are told one by one; the others are counted.
const MAX_TOLD: u64 = 20;

/// What has come of all games.
#[derive(Default)]
struct Tally {
    games: u64,
    written: u64,
    damaged: u64,
    /// Damaged games of each source.
    of_source: HashMap<usize, u64>,
    /// Games of which parts of variations are missing, and what of the first.
    omissions: u64,
    first_omission: Option<String>,
    /// Games with characters that the encoding lacks, and where the first is.
    lossy: u64,
    first_lossy: Option<String>,
    /// Games with tags that are cut short, and which of the first.
    cut: u64,
    first_cut: Option<String>,
    /// Sources without games.
    empty: u64,
    unreadable: u64,
}

impl Tally {
    /// Counts, and tells what is wrong.
    fn add(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Game(game) => self.add_game(game),
            Outcome::Unreadable(unreadable) => self.add_unreadable(unreadable),
            Outcome::Empty(title) => {
                self.empty += 1;
                if self.empty <= MAX_TOLD {
                    say(&format!("note: {title} holds no games"));
                }
            }
        }
    }

    fn add_game(&mut self, game: &Converted) {
        self.games += 1;
        self.written += u64::from(game.written.is_some());
        if let Some(fault) = &game.fault {
            self.damaged += 1;
            let count = self.of_source.entry(game.source).or_default();
            *count += 1;
            if *count <= MAX_TOLD {
                say(&format!("{}: {fault}", game.place));
            }
        }
        if let Some(omission) = &game.omission {
            self.omissions += 1;
            self.first_omission.get_or_insert_with(|| format!("{}: {omission}", game.place));
        }
        if let Some(tag) = game.written.as_ref().and_then(|written| written.cut_tag) {
            self.cut += 1;
            self.first_cut.get_or_insert_with(|| format!("{tag} of {}", game.place));
        }
        if game.written.as_ref().is_some_and(|written| written.is_lossy) {
            self.lossy += 1;
            self.first_lossy.get_or_insert_with(|| game.place.clone());
        }
    }

    /// A source that cannot be read is named at once and keeps no other from being read.
    fn add_unreadable(&mut self, unreadable: &Unreadable) {
        self.unreadable += 1;
        say(&unreadable.0);
    }

    /// Tells what was left out, and how the command ends.
    fn result(self) -> CommandResult {
        let untold: u64 = self.of_source.values().map(|count| count.saturating_sub(MAX_TOLD)).sum();
        if untold > 0 {
            say(&format!("{untold} more games are damaged in files with more than {MAX_TOLD} such games"));
        }
        if self.empty > MAX_TOLD {
            say(&format!("note: {} more files hold no games", self.empty - MAX_TOLD));
        }
        if let Some(first) = &self.first_omission {
            say(&format!(
                "note: variations of {} that cannot be played are not whole; {first}",
                games_of(self.omissions)
            ));
        }
        if let Some(first) = &self.first_lossy {
            let games = games_of(self.lossy);
            say(&format!(
                "note: {games} with characters that the encoding lacks, `?` stands for them; the first is {first}"
            ));
        }
        if let Some(first) = &self.first_cut {
            let games = games_of(self.cut);
            say(&format!("note: {games} with tags that XQF has no room for, cut short; the first is {first}"));
        }
        let failure = if self.damaged > 0 {
            Some(format!("{} of {} damaged, {} written", self.damaged, games_of(self.games), self.written))
        } else if self.games == 0 && self.unreadable == 0 {
            Some("no games found".to_owned())
        } else {
            None
        };
        match failure {
            Some(message) if self.unreadable == 0 => Err(Failure::Data(message)),
            Some(message) => {
                say(&message);
                Err(Failure::Unreadable)
            }
            None if self.unreadable == 0 => Ok(()),
            None => Err(Failure::Unreadable),
        }
    }
}

fn games_of(count: u64) -> String {
    format!("{count} {}", if count == 1 { "game" } else { "games" })
}

/// Files that have been dealt with, on a terminal where nothing else is to be seen.
fn progress(files: usize, is_silent: bool) -> ProgressBar {
    if !io::stderr().is_terminal() || !is_silent && io::stdout().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} files, {msg}");
    ProgressBar::new(files as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
