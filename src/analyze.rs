//! `chuhe analyze`: what happened in games, move by move, and what positions are worth.

mod engine;

use std::fmt::Display;
use std::io::{self, Write as _};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use chuhe_analysis::batch::{
    BatchError, DoneGames, Earlier, Form, JournalError, Pool, Printer, ResultFolder, Results, RunSettings, Summary,
    Task, Telling, write_all,
};
use chuhe_analysis::write::Setup;
use chuhe_analysis::{Analyst, Limits};
use chuhe_book::{Book, Books, MAX_FILE_SIZE};
use chuhe_records::{ChineseStyle, Notation};
use chuhe_rules::RuleSet;

use crate::choice::choice;
use crate::failure::{CommandResult, Failure, say};
use crate::games::{InputArgs, Note, Source, Stream, Tally, games_of};
use crate::lang::Lang;
use crate::paths::readable;
use crate::platform::stop_on_signal;
use crate::progress;
use crate::screen::Screen;
use engine::{EngineArgs, EngineChoice};

/// Nodes for each position when no limit is given.
const DEFAULT_NODES: u64 = 100_000;

/// Arguments of `chuhe analyze`.
#[derive(clap::Args)]
#[command(after_help = "\
Reads the same game files as `chuhe convert`, also in folders and their subfolders. A line with a position and no moves (FEN) is
analyzed by itself: one line in, one line out.")]
pub(crate) struct AnalyzeArgs {
    #[command(flatten)]
    inputs: InputArgs,
    /// Read each line of standard input as a position or a game, whatever the first line looks like
    #[arg(long, conflicts_with = "inputs")]
    lines: bool,
    #[command(flatten)]
    limits: LimitArgs,
    /// Number of best lines per position
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=128))]
    multipv: u16,
    /// Games to analyze at once [default: one per available processor]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=512))]
    jobs: Option<u16>,
    #[command(flatten)]
    engine: EngineArgs,
    /// Rules that games are judged by: computer, axf, cxa, cxa1999, cxa_old, checkonly or alwaysdraw. A rule set named in
    /// the game takes precedence
    #[arg(long, value_name = "NAME", default_value = "axf")]
    rules: RuleSet,
    /// Opening books whose moves count as book moves, instead of the built-in one
    #[arg(long, value_name = "FILE")]
    book: Vec<PathBuf>,
    /// Notation of moves; on a page, the notation shown first [default: chinese, in PGN iccs]
    #[arg(long, value_enum)]
    notation: Option<NotationName>,
    /// Language of text, page and remarks in PGN
    #[arg(long, value_enum, default_value_t = Lang::En)]
    lang: Lang,
    /// Output format; with -o several, separated by commas
    #[arg(long, value_enum, value_delimiter = ',', default_value = "text")]
    format: Vec<FormName>,
    /// Write the results of each game to its own files in this folder
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Continue an interrupted run in this folder
    #[arg(long, requires = "output")]
    resume: bool,
    /// Start over in a folder that holds results, and replace existing files
    #[arg(long, requires = "output", conflicts_with = "resume")]
    overwrite: bool,
}

/// What each search may use. 100000 nodes when nothing is said.
#[derive(clap::Args)]
struct LimitArgs {
    /// Search depth in half-moves
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Nodes per position of a game [default: 100000 when no limit is given]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds per position of a game
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
}

impl LimitArgs {
    fn limits(&self) -> Limits {
        let limits =
            Limits { depth: self.depth, nodes: self.nodes, move_time: self.movetime.map(Duration::from_millis) };
        if limits.is_unlimited() { Limits { nodes: Some(DEFAULT_NODES), ..limits } } else { limits }
    }
}

choice! {
    /// A form of results.
    FormName => Form {
        /// For people
        Text => Form::Text,
        /// One JSON object per line, for each game or position (docs/analysis.md)
        Json => Form::Json,
        /// A row for each move
        Csv => Form::Csv,
        /// Games with evaluations, glyphs and better moves
        Pgn => Form::Pgn,
        /// A page to step through: one for all games, with -o one per game
        Html => Form::Html,
    }
}

choice! {
    /// Names of moves.
    NotationName => Notation {
        /// 炮二平五
        Chinese => Notation::Chinese(ChineseStyle::CUSTOMARY),
        /// C2=5
        Wxf => Notation::Wxf,
        /// H2-E2
        Iccs => Notation::Iccs,
    }
}

impl AnalyzeArgs {
    fn jobs(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        match self.jobs {
            Some(jobs) => jobs.into(),
            // Each search may have several threads already.
            None => (processors() / self.engine.threads()).max(1),
        }
    }
}

/// Runs the command.
pub(crate) fn run(args: &AnalyzeArgs) -> CommandResult {
    if args.output.is_none() && args.format.len() > 1 {
        return Err(Failure::Usage("several formats need a folder: choose one with -o".to_owned()));
    }
    let mut tally = Tally::default();
    let sources = match args.lines {
        true => vec![Source::lines()],
        false => args.inputs.sources(args.output.as_deref(), &mut tally),
    };
    if sources.is_empty() {
        return tally.result(None);
    }
    let limits = args.limits.limits();
    let choice = EngineChoice::new(&args.engine, limits, args.multipv.into())?;
    let setup = Setup { engine: choice.name(), limits, multi_pv: args.multipv.into() };
    let task = Arc::new(args.task(setup)?);
    let analysts = (0..args.jobs()).map(|_| choice.analyst()).collect::<Result<Vec<_>, Failure>>()?;
    let (summary, interrupted) = match &args.output {
        None => {
            let pool = start(sources, analysts, &task, DoneGames::new())?;
            let summary = collect(pool, &mut Printer::new(Screen, task), false, &mut tally)?;
            (summary, format!("interrupted after {} games", summary.analyzed))
        }
        Some(path) => {
            let stems: Vec<String> = sources.iter().map(|source| readable(&source.stem())).collect();
            let books = args.book.iter().map(|path| readable(path)).collect();
            let settings = RunSettings::new(choice.fingerprint(), &task, books);
            let mut folder = ResultFolder::open(path, &stems, &settings, &task.forms, args.earlier())?;
            let pool = start(sources, analysts, &task, folder.done())?;
            let summary = collect(pool, &mut folder, true, &mut tally)?;
            let games = summary.analyzed + summary.skipped;
            (summary, format!("interrupted: {} keeps {games} games; --resume continues", path.display()))
        }
    };
    if summary.was_stopped {
        return Err(Failure::Interrupted(interrupted));
    }
    tally.games = summary.games();
    let analyzed = summary.analyzed + summary.skipped;
    if let (Some(path), 1..) = (&args.output, analyzed) {
        let earlier = if summary.skipped > 0 { format!(" ({} earlier)", summary.skipped) } else { String::new() };
        writeln!(io::stdout(), "{} analyzed{earlier}, in {}", games_of(analyzed), readable(path))?;
    }
    tally.result(faults(&summary))
}

impl AnalyzeArgs {
    /// What is asked of every game.
    fn task(&self, setup: Setup) -> Result<Task, Failure> {
        Ok(Task {
            rules: self.rules,
            books: load_books(&self.book)?,
            forms: self.format.iter().map(|&form| form.into()).collect(),
            notation: self.notation.map(Notation::from),
            language: self.lang.into(),
            setup,
            share_page: self.output.is_none(),
        })
    }

    /// What becomes of what an earlier run has left in the folder.
    fn earlier(&self) -> Earlier {
        match (self.resume, self.overwrite) {
            (true, _) => Earlier::GoOn,
            (false, true) => Earlier::Replace,
            (false, false) => Earlier::Keep,
        }
    }
}

/// Reads the books; the embedded one when none is named.
fn load_books(paths: &[PathBuf]) -> Result<Books, Failure> {
    if paths.is_empty() {
        return Ok(Books::embedded());
    }
    let load = |path: &PathBuf| {
        let unusable = |error: &dyn Display| Failure::Input(format!("--book {}: {error}", readable(path)));
        let bytes = chuhe_files::read(path, MAX_FILE_SIZE).map_err(|error| unusable(&error))?;
        Book::from_bytes(&bytes).map_err(|error| unusable(&error))
    };
    paths.iter().map(load).collect()
}

/// Starts the work, which the first signal to end stops in good order.
fn start(
    sources: Vec<Source>,
    analysts: Vec<Box<dyn Analyst>>,
    task: &Arc<Task>,
    done: DoneGames,
) -> Result<Pool<Note>, Failure> {
    let pool = Pool::start(Stream::start(sources).jobs(), analysts, Arc::clone(task), done)
        .map_err(|error| Failure::Resources(format!("cannot start a thread: {error}")))?;
    stop_on_signal(pool.stopper());
    Ok(pool)
}

/// Has the results written as they come, and tells what is not seen in them.
fn collect(
    pool: Pool<Note>,
    results: &mut dyn Results,
    in_folder: bool,
    tally: &mut Tally,
) -> Result<Summary, Failure> {
    let template = "{wide_bar} {pos}/{len} positions, {msg} {elapsed}";
    let bar = progress::bar(Some(0), template, progress::has_room(in_folder));
    let summary = write_all(pool, results, &mut |telling| match telling {
        Telling::Note(note) => bar.suspend(|| tally.note(&note)),
        Telling::Fault(fault) => bar.suspend(|| say(&fault)),
        Telling::Kept(file) => {
            bar.suspend(|| say(&format!("note: {} already exists and is kept", readable(&file))));
        }
        Telling::Progress(progress) => {
            bar.set_length(progress.all);
            bar.set_position(progress.positions);
            bar.set_message(games_of(progress.games));
        }
    });
    bar.finish_and_clear();
    Ok(summary?)
}

/// What is wrong with the games, if something is.
fn faults(summary: &Summary) -> Option<String> {
    let all = games_of(summary.games());
    let faults = (summary.faults > 0).then(|| format!("{} of {all} could not be analyzed", summary.faults));
    let damaged = (summary.damaged > 0).then(|| {
        let verb = if summary.damaged == 1 { "is" } else { "are" };
        format!("{} of {all} {verb} damaged and analyzed up to the damage", summary.damaged)
    });
    let all: Vec<String> = faults.into_iter().chain(damaged).collect();
    (!all.is_empty()).then(|| all.join("; "))
}

impl From<BatchError> for Failure {
    fn from(error: BatchError) -> Failure {
        match error {
            BatchError::Stream(error) => Failure::Output(error),
            BatchError::File(error) => error.into(),
            BatchError::Journal(error @ JournalError::Exists { .. }) => {
                Failure::File(format!("{error}: continue it with --resume, or choose another folder"))
            }
            BatchError::Journal(error @ JournalError::OtherRun { .. }) => Failure::File(format!("--resume: {error}")),
            BatchError::Journal(error) => Failure::File(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_games_is_counted() {
        let summary = |analyzed, faults, damaged| Summary { analyzed, faults, damaged, ..Summary::default() };
        assert_eq!(super::faults(&summary(3, 0, 0)), None);
        let damaged = "1 of 3 games is damaged and analyzed up to the damage";
        assert_eq!(super::faults(&summary(3, 0, 1)).as_deref(), Some(damaged));
        let both = super::faults(&summary(3, 2, 2)).expect("faults");
        assert!(both.starts_with("2 of 5 games could not be analyzed; 2 of 5 games are damaged"), "{both}");
    }
}
