//! `chuhe endgame`: makes endgame tables, checks them, lists them, and asks them about positions.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

use chuhe_endgame::{
    BuildError, Class, ClassSet, Extent, Listed, TableInfo, Tables, Watcher, build_in_folder, list, pack_set, plan,
    verify, work,
};
use clap::Subcommand;
use indicatif::ProgressBar;

use crate::failure::{CommandResult, Failure};
use crate::format::Format;
use crate::paths::readable;
use crate::position::PositionArgs;
use crate::progress;
use crate::screen::write_json;

/// Arguments of `chuhe endgame`.
#[derive(clap::Args)]
pub(crate) struct EndgameArgs {
    #[command(subcommand)]
    command: EndgameCommand,
}

#[derive(Subcommand)]
enum EndgameCommand {
    /// List tables: how many positions are won, drawn, or decided by the rules of repetition
    List(ListArgs),
    /// Make the tables of classes and of all classes they convert into; continues an interrupted run
    Build(BuildArgs),
    /// Check every position of the tables against its successors
    Verify(VerifyArgs),
    /// Print what the tables say about a position and its moves
    Probe(ProbeArgs),
}

#[derive(clap::Args)]
struct ListArgs {
    /// Folder of tables, which take precedence over the built-in ones
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(clap::Args)]
struct BuildArgs {
    /// Classes, such as KRvKAABB or `R+C v AABB` [default: the standard set]
    classes: Vec<String>,
    /// A set of classes: standard (embedded; a minute) or large (hours)
    #[arg(long, value_name = "NAME", value_parser = set)]
    set: Option<ClassSet>,
    /// Folder for the tables
    #[arg(short, long, value_name = "DIR", default_value = "endgames")]
    output: PathBuf,
    /// Also pack the values of all tables into one file, in the form that the program embeds
    #[arg(long, value_name = "FILE")]
    pack: Option<PathBuf>,
    /// Threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

#[derive(clap::Args)]
struct VerifyArgs {
    /// Classes [default: all tables]
    classes: Vec<String>,
    /// Folder of tables, which take precedence over the built-in ones; if no class is given, only these are checked
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Check only this many placements of each class
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    sample: Option<u32>,
}

#[derive(clap::Args)]
struct ProbeArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Folder of tables, which take precedence over the built-in ones
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// The set of this name.
fn set(name: &str) -> Result<ClassSet, String> {
    ClassSet::ALL
        .into_iter()
        .find(|set| set.to_string() == name)
        .ok_or_else(|| format!("expected {}", ClassSet::ALL.map(|set| set.to_string()).join(" or ")))
}

/// Runs the command.
pub(crate) fn run(args: &EndgameArgs) -> CommandResult {
    match &args.command {
        EndgameCommand::List(args) => run_list(args),
        EndgameCommand::Build(args) => run_build(args),
        EndgameCommand::Verify(args) => run_verify(args),
        EndgameCommand::Probe(args) => run_probe(args),
    }
}

fn open(folder: Option<&Path>) -> Result<Tables, Failure> {
    folder.map_or_else(|| Ok(Tables::embedded()), Tables::open).map_err(|error| Failure::Input(error.to_string()))
}

fn parse_classes(names: &[String]) -> Result<Vec<Class>, Failure> {
    names.iter().map(|name| name.parse::<Class>().map_err(|error| Failure::Usage(error.to_string()))).collect()
}

fn run_list(args: &ListArgs) -> CommandResult {
    let tables = open(args.tables.as_deref())?;
    let mut out = io::stdout().lock();
    match args.format {
        Format::Json => tables.infos().try_for_each(|info| write_json(&mut out, &Listed::from(info)))?,
        Format::Text => write!(out, "{}", list(&tables))?,
    }
    Ok(())
}

/// A bar with an estimate.
fn progress_bar(length: u64) -> ProgressBar {
    progress::bar(Some(length), "{wide_bar} {percent} % {elapsed} (about {eta} to go) {msg}", true)
}

/// Shows how a build gets on.
struct BuildBar(ProgressBar);

impl Watcher for BuildBar {
    fn started(&self, class: Class) {
        self.0.set_message(class.to_string());
    }
    fn worked(&self, work: u64) {
        self.0.inc(work);
    }
    fn finished(&self, table: &TableInfo, is_old: bool) {
        if is_old {
            self.0.dec_length(work(table.class));
        }
    }
}

/// How a build fails.
fn failure(error: BuildError) -> Failure {
    let message = error.to_string();
    match error {
        BuildError::Write(error) => error.into(),
        BuildError::Read { .. } | BuildError::File { .. } => Failure::Input(message),
        BuildError::TooBig(_) | BuildError::TooDeep(_) | BuildError::Missing(_) => Failure::Usage(message),
    }
}

fn run_build(args: &BuildArgs) -> CommandResult {
    let mut classes = parse_classes(&args.classes)?;
    match args.set {
        Some(set) => classes.extend(set.classes()),
        None if classes.is_empty() => classes = ClassSet::Standard.classes(),
        None => {}
    }
    let planned = plan(&classes).map_err(|error| failure(error.into()))?;
    let bar = BuildBar(progress_bar(planned.iter().map(|&class| work(class)).sum()));
    let started = Instant::now();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.map_or(0, usize::from))
        .build()
        .map_err(|error| Failure::Resources(format!("cannot start threads: {error}")))?;
    let built = pool.install(|| build_in_folder(&args.output, &classes, &bar));
    bar.0.finish_and_clear();
    let built = built.map_err(failure)?;
    let mut out = io::stdout().lock();
    let seconds = started.elapsed().as_secs_f64();
    writeln!(out, "{} tables in {}, {seconds:.1} s", built.len(), readable(&args.output))?;
    if let Some(path) = &args.pack {
        let bytes = pack_set(&args.output, &classes, path).map_err(failure)?;
        writeln!(out, "{} values packed, {bytes} bytes in {}", built.len(), readable(path))?;
    }
    Ok(())
}

fn run_verify(args: &VerifyArgs) -> CommandResult {
    let tables = open(args.tables.as_deref())?;
    let mut classes = parse_classes(&args.classes)?;
    if classes.is_empty() {
        let in_folder = |info: &&TableInfo| args.tables.is_none() || info.has_distances;
        classes = tables.infos().filter(in_folder).map(|info| info.class).collect();
    }
    let extent = |class| {
        let placements = tables.info(class).map_or(0, |info| info.placements);
        args.sample.filter(|&sample| sample < placements).map_or(Extent::Full, Extent::Sample)
    };
    let looks = |class: Class| match extent(class) {
        Extent::Full => u64::from(tables.info(class).map_or(0, |info| info.placements)),
        Extent::Sample(sample) => u64::from(sample),
    };
    let bar = progress_bar(classes.iter().map(|&class| looks(class)).sum());
    let mut out = io::stdout().lock();
    let mut unsound = 0;
    for &class in &classes {
        bar.set_message(class.to_string());
        let report = verify(&tables, class, extent(class), &|looks| bar.inc(looks))
            .map_err(|error| Failure::Usage(error.to_string()))?;
        let part = if extent(class) == Extent::Full { "all" } else { "a sample of" };
        unsound += usize::from(!report.is_sound());
        bar.suspend(|| -> io::Result<()> {
            writeln!(out, "{class}: {part} {} positions checked, {} wrong", report.positions, report.wrong)?;
            if !report.counts_agree {
                writeln!(out, "  the numbers of positions differ from those in the file")?;
            }
            report.faults.iter().try_for_each(|fault| writeln!(out, "  {fault}"))
        })?;
    }
    bar.finish_and_clear();
    if unsound > 0 {
        return Err(Failure::Data(format!("{unsound} of {} tables are wrong", classes.len())));
    }
    writeln!(out, "{} tables checked, none wrong", classes.len())?;
    Ok(())
}

fn run_probe(args: &ProbeArgs) -> CommandResult {
    let tables = open(args.tables.as_deref())?;
    let board = args.position.board()?;
    let answer = tables
        .answer(&board)
        .ok_or_else(|| Failure::Usage(format!("--fen: no table has the class {}", Class::of(&board).0)))?;
    let mut out = io::stdout().lock();
    match args.format {
        Format::Json => write_json(&mut out, &answer)?,
        Format::Text => write!(out, "{answer}")?,
    }
    Ok(())
}
