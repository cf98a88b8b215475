//! `chuhe analyze`: what happened in games, move by move, and what positions are worth.

mod engine;
mod folder;
mod form;
mod journal;
mod pool;
mod queue;
mod results;
mod work;

use std::io::{self, IsTerminal as _};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use chuhe_analysis::Limits;
use chuhe_analysis::write::Setup;
use chuhe_records::{ChineseStyle, Notation};
use chuhe_rules::RuleSet;
use indicatif::ProgressBar;

use crate::failure::{CommandResult, Failure, say};
use crate::games::Source;
use crate::lang::Lang;
use engine::{EngineArgs, EngineChoice};
use folder::{Folder, Run};
use form::Form;
use pool::{DoneGames, Finished, News, Outcome, Pool};
use results::{Printer, Results};
use work::Task;

/// Nodes for each position when no limit is given.
const DEFAULT_NODES: u64 = 100_000;

/// Arguments of `chuhe analyze`.
#[derive(clap::Args)]
#[command(after_help = "\
Game files of every kind are read that `chuhe convert` reads, and those in folders, in all folders below too. A line that is a
position without moves (FEN) is analysed by itself: one line in, one line out.")]
pub(crate) struct AnalyzeArgs {
    /// Game files and folders of them; standard input when there are none, or for `-`
    #[arg(value_name = "IN")]
    inputs: Vec<PathBuf>,
    /// Take each line of standard input for a position or a game, even if the first looks like neither
    #[arg(long, conflicts_with = "inputs")]
    lines: bool,
    #[command(flatten)]
    limits: LimitArgs,
    /// Lines to find in each position
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=128))]
    multipv: u16,
    /// Games to analyse at once; all processors unless said otherwise
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=512))]
    jobs: Option<u16>,
    #[command(flatten)]
    engine: EngineArgs,
    /// Rules that games are judged by: computer, axf, cxa, cxa1999, cxa_old, checkonly or alwaysdraw; what a game names
    /// goes before it
    #[arg(long, value_name = "NAME", default_value = "axf")]
    rules: RuleSet,
    /// Opening books whose moves are book moves, in place of the built-in one
    #[arg(long, value_name = "FILE")]
    book: Vec<PathBuf>,
    /// How moves are named: chinese, except in PGN, unless said otherwise; on a page at first
    #[arg(long, value_enum)]
    notation: Option<NotationName>,
    /// Language of text, page and remarks in PGN
    #[arg(long, value_enum, default_value_t = Lang::En)]
    lang: Lang,
    /// How to write the results; several, separated by commas, with -o
    #[arg(long, value_enum, value_delimiter = ',', default_value = "text")]
    format: Vec<Form>,
    /// Write each game into files of its own in this folder
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Go on with what an interrupted run has left in the folder
    #[arg(long, requires = "output")]
    resume: bool,
}

/// What each search may use. 100000 nodes when nothing is said.
#[derive(clap::Args)]
struct LimitArgs {
    /// Half-moves to look ahead
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Positions to search for each position of a game (100000 when no limit is given)
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds for each position of a game
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

/// A notation on the command line.
#[derive(Clone, Copy, clap::ValueEnum)]
enum NotationName {
    /// 炮二平五
    Chinese,
    /// C2=5
    Wxf,
    /// H2-E2
    Iccs,
}

impl From<NotationName> for Notation {
    fn from(name: NotationName) -> Notation {
        match name {
            NotationName::Chinese => Notation::Chinese(ChineseStyle::CUSTOMARY),
            NotationName::Wxf => Notation::Wxf,
            NotationName::Iccs => Notation::Iccs,
        }
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

/// What has come of all games.
#[derive(Default)]
struct Tally {
    analysed: u64,
    /// Done by an earlier run.
    skipped: u64,
    /// Of both these, games whose record is damaged.
    damaged: u64,
    /// Nothing could be made of.
    faults: u64,
    unreadable: u64,
}

impl Tally {
    fn games(&self) -> u64 {
        self.analysed + self.skipped + self.faults
    }

    /// A source that cannot be read is named at once and keeps no other from being analysed.
    fn add_unreadable(&mut self, message: &str) {
        self.unreadable += 1;
        say(message);
    }

    fn result(&self) -> CommandResult {
        let all = match self.games() {
            1 => "1 game".to_owned(),
            games => format!("{games} games"),
        };
        let is_or_are = |number| if number == 1 { "is" } else { "are" };
        let faults = (self.faults > 0).then(|| format!("{} of {all} could not be analysed", self.faults));
        let damaged = (self.damaged > 0).then(|| {
            let (number, verb) = (self.damaged, is_or_are(self.damaged));
            format!("{number} of {all} {verb} damaged, and analysed as far as could be read")
        });
        let fault = match (faults, damaged) {
            (None, None) if self.games() == 0 && self.unreadable == 0 => Some("no games found".to_owned()),
            (None, None) => None,
            (faults, damaged) => Some(faults.into_iter().chain(damaged).collect::<Vec<_>>().join("; ")),
        };
        match fault {
            None if self.unreadable == 0 => Ok(()),
            Some(message) if self.unreadable == 0 => Err(Failure::Data(message)),
            message => {
                message.iter().for_each(|message| say(message));
                Err(Failure::Unreadable)
            }
        }
    }
}

/// Runs the command.
pub(crate) fn run(args: &AnalyzeArgs) -> CommandResult {
    if args.output.is_none() && args.format.len() > 1 {
        return Err(Failure::Usage("several formats need a folder to be written to: name it with -o".to_owned()));
    }
    let mut tally = Tally::default();
    let mut sources = if args.lines {
        vec![Source::lines()]
    } else {
        Source::all_in_folders(&args.inputs, args.output.as_deref(), |unreadable| tally.add_unreadable(&unreadable.0))
    };
    sources.retain(|source| source.check().inspect_err(|unreadable| tally.add_unreadable(&unreadable.0)).is_ok());
    if sources.is_empty() {
        return tally.result();
    }
    let limits = args.limits.limits();
    let choice = EngineChoice::new(&args.engine, limits, args.multipv.into())?;
    let setup = Setup { engine: choice.name(), limits, multi_pv: args.multipv.into() };
    let task = Task {
        rules: args.rules,
        books: work::load_books(&args.book)?,
        forms: args.format.clone(),
        notation: args.notation.map(Notation::from),
        language: args.lang.into(),
        setup,
        share_page: args.output.is_none(),
    };
    let task = Arc::new(task);
    let analysts = (0..args.jobs()).map(|_| choice.analyst()).collect::<Result<Vec<_>, Failure>>()?;
    match &args.output {
        None => {
            let pool = Pool::start(sources, analysts, Arc::clone(&task), DoneGames::new())?;
            collect(pool, &mut Printer::new(task), !io::stdout().is_terminal(), tally)
        }
        Some(path) => {
            let run = Run::new(choice.fingerprint(), &task, &args.book);
            let mut folder = Folder::open(path, &sources, &run, &args.format, args.resume)?;
            collect(Pool::start(sources, analysts, task, folder.done())?, &mut folder, true, tally)
        }
    }
}

/// Has the results written as they come.
fn collect(mut pool: Pool, results: &mut dyn Results, is_silent: bool, mut tally: Tally) -> CommandResult {
    let bar = pool.progress_bar(is_silent);
    loop {
        match pool.next() {
            News::Unreadable(message) => bar.suspend(|| tally.add_unreadable(&message)),
            News::Empty(title) => bar.suspend(|| say(&format!("note: {title} holds no games"))),
            News::Finished(finished) => {
                for game in results.ready(*finished) {
                    pool.release();
                    write(game, results, &mut tally, &bar)?;
                }
            }
            News::Nothing => {}
            News::Stopped => {
                bar.finish_and_clear();
                // What is done is kept.
                results.left_over().into_iter().try_for_each(|game| write(game, results, &mut tally, &bar))?;
                results.finish()?;
                return Err(Failure::Usage(results.interrupted(tally.analysed + tally.skipped)));
            }
            News::End => {
                bar.finish_and_clear();
                results.finish()?;
                return tally.result();
            }
        }
        pool.show(&bar);
    }
}

/// Writes what has come of a game.
fn write(mut game: Finished, results: &mut dyn Results, tally: &mut Tally, bar: &ProgressBar) -> CommandResult {
    match std::mem::replace(&mut game.outcome, Outcome::DoneBefore) {
        Outcome::DoneBefore => {
            tally.skipped += 1;
            if let Some(damage) = results.damage_before(&game) {
                tally.damaged += 1;
                bar.suspend(|| say(&work::fault_line(&game.id, &damage)));
            }
        }
        Outcome::Analysed(written) => {
            let damage = written.damage.clone();
            results.write(&game, written)?;
            tally.analysed += 1;
            if let Some(damage) = damage {
                tally.damaged += 1;
                if results.are_out_of_sight() {
                    bar.suspend(|| say(&work::fault_line(&game.id, &damage)));
                }
            }
        }
        Outcome::Fault(fault) => {
            tally.faults += 1;
            if !results.write_fault(&game.id, &fault)? {
                bar.suspend(|| say(&work::fault_line(&game.id, &fault)));
            }
        }
    }
    Ok(())
}
