//! `chuhe endgame`: makes endgame tables, checks them, lists them, and asks them about positions.

use std::fmt;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

use chuhe_endgame::{
    BuildError, Class, ClassSet, Extent, Probe, TableInfo, Tables, Value, Watcher, build_in_folder, pack_set, plan,
    verify, work,
};
use chuhe_movegen::{Board, Move};
use chuhe_text::{Align, aligned};
use clap::Subcommand;
use indicatif::ProgressBar;
use serde::Serialize;

use crate::failure::{CommandResult, Failure};
use crate::format::Format;
use crate::paths::readable;
use crate::progress;

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
    /// The position
    #[arg(long)]
    fen: String,
    /// Moves from that position, such as h2e2
    #[arg(long, num_args = 0..)]
    moves: Vec<String>,
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

/// What is known of a table, in JSON.
#[derive(Serialize)]
struct Listed {
    class: String,
    placements: u32,
    longest_plies: u16,
    has_distances: bool,
    strong_to_move: Numbers,
    weak_to_move: Numbers,
    strong_may_win_by_rule: bool,
    weak_may_win_by_rule: bool,
    values_xxh3: String,
}

/// Numbers of positions with one side to move.
#[derive(Serialize)]
struct Numbers {
    legal: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    rules_decide: u32,
}

fn listed(info: &TableInfo) -> Listed {
    let [strong_to_move, weak_to_move] = info.counts.map(|counts| Numbers {
        legal: counts.legal,
        wins: counts.wins,
        draws: counts.draws(),
        losses: counts.losses,
        rules_decide: counts.rules_decide,
    });
    Listed {
        class: info.class.to_string(),
        placements: info.placements,
        longest_plies: info.longest,
        has_distances: info.has_distances,
        strong_to_move,
        weak_to_move,
        strong_may_win_by_rule: info.rule_wins.strong,
        weak_may_win_by_rule: info.rule_wins.weak,
        values_xxh3: format!("{:016x}", info.values_hash),
    }
}

fn run_list(args: &ListArgs) -> CommandResult {
    let tables = open(args.tables.as_deref())?;
    let mut out = io::stdout().lock();
    if args.format == Format::Json {
        for info in tables.infos() {
            serde_json::to_writer(&mut out, &listed(info)).map_err(io::Error::from)?;
            writeln!(out)?;
        }
        return Ok(());
    }
    let heads = ["class", "placements", "wins", "draws", "rules", "losses", "draws", "rules", "longest", "distances"];
    let mut rows = vec![heads.map(str::to_owned)];
    for info in tables.infos() {
        let [strong, weak] = &info.counts;
        let numbers = [info.placements, strong.wins, strong.draws(), strong.rules_decide];
        let [placements, wins, strong_draws, strong_rules] = numbers.map(|number| number.to_string());
        let numbers = [weak.losses, weak.draws(), weak.rules_decide, u32::from(info.longest)];
        let [losses, weak_draws, weak_rules, longest] = numbers.map(|number| number.to_string());
        let distances = if info.has_distances { "yes" } else { "no" };
        let [class, distances] = [info.class.to_string(), distances.to_owned()];
        rows.push([
            class,
            placements,
            wins,
            strong_draws,
            strong_rules,
            losses,
            weak_draws,
            weak_rules,
            longest,
            distances,
        ]);
    }
    let mut aligns = [Align::Right; 10];
    aligns[0] = Align::Left;
    write!(out, "{}", aligned(&rows, &aligns))?;
    writeln!(out, "wins to rules: the strong side to move; losses to rules: the weak side to move; longest: plies to mate")?;
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
    Ok(())
}

/// What the tables know about a position, in JSON.
#[derive(Serialize)]
struct Answer {
    fen: String,
    class: String,
    #[serde(flatten)]
    position: Known,
    moves: Vec<KnownMove>,
}

/// A value for the side to move, and the plies to mate where they are known.
#[derive(Serialize)]
struct Known {
    value: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<u16>,
}

/// A move and its value for the side that makes it; none where it leads out of the tables.
#[derive(Serialize)]
struct KnownMove {
    #[serde(rename = "move")]
    mv: String,
    #[serde(flatten)]
    known: Option<Known>,
}

/// The value in a word.
fn word(value: Value) -> &'static str {
    match value {
        Value::Win => "won",
        Value::Draw => "drawn",
        Value::Loss => "lost",
        Value::RulesDecide => "rules decide",
    }
}

/// A value, and the plies to mate where they are known.
#[derive(Clone, Copy)]
struct Outcome {
    value: Value,
    plies: Option<u16>,
}

impl Outcome {
    /// What a probe of the position after a move says for the side that has moved.
    fn before(Probe { value, plies, .. }: Probe) -> Outcome {
        let value = match value {
            Value::Win => Value::Loss,
            Value::Loss => Value::Win,
            other => other,
        };
        Outcome { value, plies: plies.map(|plies| plies + 1) }
    }

    fn known(self) -> Known {
        Known { value: word(self.value), plies: self.plies }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(word(self.value))?;
        self.plies.map_or(Ok(()), |plies| write!(f, " in {plies} plies"))
    }
}

/// The best moves first: wins, the sooner the better, then draws and what the rules decide, then losses, the later the
/// better.
fn rank(outcome: Option<Outcome>) -> (u8, i32) {
    let Some(Outcome { value, plies }) = outcome else { return (2, 0) };
    let plies = i32::from(plies.unwrap_or(0));
    match value {
        Value::Win => (0, plies),
        Value::Draw | Value::RulesDecide => (1, 0),
        Value::Loss => (3, -plies),
    }
}

fn run_probe(args: &ProbeArgs) -> CommandResult {
    let tables = open(args.tables.as_deref())?;
    let mut board = Board::from_fen(&args.fen).map_err(|error| Failure::Usage(format!("--fen: {error}")))?;
    for word in args.moves.iter().flat_map(|words| words.split_whitespace()) {
        let mv: Move = word.parse().map_err(|error| Failure::Usage(format!("--moves: {error}")))?;
        board = board.play(mv).map_err(|error| Failure::Usage(format!("--moves: {error}")))?;
    }
    let class = Class::of(&board).0;
    let probe = tables.probe(&board).ok_or_else(|| Failure::Usage(format!("--fen: no table has the class {class}")))?;
    let outcome = Outcome { value: probe.value, plies: probe.plies };
    let mut moves: Vec<(Move, Option<Outcome>)> =
        board.legal_moves().into_iter().map(|mv| (mv, tables.probe(&board.make(mv)).map(Outcome::before))).collect();
    moves.sort_by_key(|&(mv, outcome)| (rank(outcome), mv));
    print(&board, class, outcome, &moves, args.format)
}

fn print(
    board: &Board,
    class: Class,
    outcome: Outcome,
    moves: &[(Move, Option<Outcome>)],
    format: Format,
) -> CommandResult {
    let mut out = io::stdout().lock();
    match format {
        Format::Json => {
            let of_move = |&(mv, outcome): &(Move, Option<Outcome>)| KnownMove {
                mv: mv.to_string(),
                known: outcome.map(Outcome::known),
            };
            let answer = Answer {
                fen: board.to_fen(),
                class: class.to_string(),
                position: outcome.known(),
                moves: moves.iter().map(of_move).collect(),
            };
            serde_json::to_writer(&mut out, &answer).map_err(io::Error::from)?;
            writeln!(out)?;
        }
        Format::Text => {
            writeln!(out, "{class}, {} to move: {outcome}", board.side_to_move())?;
            for (mv, outcome) in moves {
                match outcome {
                    Some(outcome) => writeln!(out, "{mv} {outcome}")?,
                    None => writeln!(out, "{mv} not in the tables")?,
                }
            }
        }
    }
    Ok(())
}
