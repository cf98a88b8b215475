//! `chuhe-train train`.

use std::fs::{self, File};
use std::io::{self, BufReader, IsTerminal as _, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use chuhe_eval::network::MAGIC;
use chuhe_files::{Existing, WholeFile, WriteError};
use chuhe_trainer::data::filter::Filter;
use chuhe_trainer::training::benchmark;
use chuhe_trainer::training::dataset::Dataset;
use chuhe_trainer::training::plot;
use chuhe_trainer::training::quantise::Fidelity;
use chuhe_trainer::training::recipe::{Recipe, Schedule};
use chuhe_trainer::training::run::{Progress, Run};
use chuhe_trainer::training::run_record::{Epoch, NetworkRecord};
use chuhe_trainer::training::trainer::TrainerError;
use chuhe_trainer::wait_while_locked;

use super::write_file;
use crate::failure::{CommandResult, Failure};

/// Held-out positions on which the integers are compared with the floating-point network.
const FIDELITY_SAMPLE: usize = 20_000;

/// What a network says of itself if nothing else is told.
const DESCRIPTION: &str = "Trained by chuhe-train on games of self-play.";

/// Arguments of `chuhe-train train`.
#[derive(clap::Args)]
pub(crate) struct TrainArgs {
    /// Game files
    #[arg(required_unless_present = "benchmark")]
    data: Vec<PathBuf>,
    /// The network's file; a run record (.toml), a picture of the losses (.svg) and a checkpoint (.checkpoint) are
    /// written beside it after every epoch
    #[arg(short, long, required_unless_present = "benchmark")]
    output: Option<PathBuf>,
    /// Continue from the checkpoint of an interrupted run, if there is one
    #[arg(long)]
    resume: bool,
    /// Replace an existing network
    #[arg(long, conflicts_with = "resume")]
    overwrite: bool,
    /// The description of origin and licence in the network file
    #[arg(long, default_value = DESCRIPTION)]
    description: String,
    /// Revision of the sources, for the run record
    #[arg(long, default_value = "unknown")]
    revision: String,
    /// Only measure for this many seconds how fast the recipe trains, on random positions
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "10", conflicts_with_all = ["data", "output"])]
    benchmark: Option<f64>,
    /// Pause while another process holds a lock on this file, as `scripts/with-lock.sh` does
    #[arg(long, value_name = "FILE")]
    yield_to: Option<PathBuf>,
    #[command(flatten)]
    recipe: RecipeArgs,
}

/// The recipe, as far as it is not the default one.
#[derive(clap::Args)]
#[command(next_help_heading = "Recipe")]
struct RecipeArgs {
    /// TOML file with a recipe, all or part of it; the options below override it
    #[arg(long)]
    recipe: Option<PathBuf>,
    /// Sets of input weights by the own king's place: 1 or 6 [default: 1]
    #[arg(long)]
    input_buckets: Option<usize>,
    /// Width of the hidden layer, per side [default: 256]
    #[arg(long)]
    hidden: Option<usize>,
    /// Output layers by the material left: 1 or 8 [default: 1]
    #[arg(long)]
    output_buckets: Option<usize>,
    /// Passes over the data [default: 16]
    #[arg(long)]
    epochs: Option<u32>,
    /// Positions per update [default: 4096]
    #[arg(long)]
    batch: Option<usize>,
    /// Learning rate at its highest [default: 0.001]
    #[arg(long)]
    learning_rate: Option<f64>,
    /// How it falls [default: step]
    #[arg(long, value_enum)]
    schedule: Option<Schedule>,
    /// Updates over which it rises at the start [default: 200]
    #[arg(long)]
    warm_up: Option<u64>,
    /// Weight of the game's result in the target, at the start [default: 0]
    #[arg(long)]
    lambda_start: Option<f64>,
    /// The same at the end [default: 0.3]
    #[arg(long)]
    lambda_end: Option<f64>,
    /// Weight decay [default: 0.01]
    #[arg(long)]
    weight_decay: Option<f64>,
    /// With several input buckets, learn weights that all of them share [default: true]
    #[arg(long, value_name = "BOOL")]
    factoriser: Option<bool>,
    /// Mirror positions at random [default: true]
    #[arg(long, value_name = "BOOL")]
    mirror: Option<bool>,
    /// Seed of all random choices [default: 1]
    #[arg(long)]
    seed: Option<u64>,
    /// Threads; the network depends on their number [default: 2]
    #[arg(long)]
    threads: Option<usize>,
}

impl RecipeArgs {
    fn recipe(&self) -> Result<Recipe, Failure> {
        let mut recipe = match &self.recipe {
            None => Recipe::default(),
            Some(path) => {
                let unreadable = |message: String| Failure::Recipe { path: path.clone(), message };
                let text = fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
                toml::from_str(&text).map_err(|error| unreadable(error.to_string()))?
            }
        };
        macro_rules! take {
            ($($name:ident)*) => { $(if let Some(value) = self.$name { recipe.$name = value; })* };
        }
        take!(input_buckets hidden output_buckets epochs batch learning_rate schedule warm_up lambda_start lambda_end);
        take!(weight_decay factoriser mirror seed threads);
        Ok(recipe)
    }
}

/// Runs the command.
pub(crate) fn run(args: &TrainArgs) -> CommandResult {
    let recipe = args.recipe.recipe()?;
    if let Some(seconds) = args.benchmark {
        let speed = benchmark::measure(&recipe, seconds)?;
        return Ok(writeln!(io::stdout(), "{speed:.0} positions/s")?);
    }
    let Some(output) = &args.output else { return Ok(()) };
    // Before the data is read, which takes long.
    recipe.validate().map_err(TrainerError::from)?;
    spare_other_files(output, args)?;
    let data = Dataset::load(&args.data, Filter::default())?;
    let mut run = Run::new(recipe, &data, &args.revision)?;
    let checkpoint = output.with_extension("checkpoint");
    if args.resume && checkpoint.exists() {
        run.resume(BufReader::new(open(&checkpoint)?))?;
    }
    announce(&run, &data)?;

    let bar = progress_bar();
    // Nothing else stops a run but the system, which does not ask.
    let never = AtomicBool::new(false);
    let mut waited = Ok(());
    while let Some(epoch) = run.next_epoch(|progress| {
        show(&bar, progress);
        if let Some(path) = &args.yield_to
            && waited.is_ok()
        {
            waited = wait_while_locked(path, &never);
        }
    })? {
        std::mem::replace(&mut waited, Ok(()))?;
        let line = describe(epoch);
        bar.suspend(|| writeln!(io::stdout(), "{line}"))?;
        save(&mut run, &data, output, &args.description)?;
    }
    bar.finish_and_clear();
    let record = save(&mut run, &data, output, &args.description)?;
    let NetworkRecord { architecture, hash, fidelity, .. } = record;
    writeln!(
        io::stdout(),
        "{}: network {hash}, {architecture}; integers differ by {:.2} % ({:.1} of {:.0} on {} positions, at most {:.0})",
        output.display(),
        100.0 * fidelity.relative(),
        fidelity.difference,
        fidelity.evaluation,
        fidelity.positions,
        fidelity.largest
    )?;
    Ok(())
}

/// Refuses to write where a file of another kind is, game files above all, or a network that nobody wants replaced, or where
/// there is no folder.
fn spare_other_files(output: &Path, args: &TrainArgs) -> CommandResult {
    let unwritable = |source| WriteError::Io { path: output.into(), source };
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::metadata(folder).map_err(unwritable)?;
    let mut start = Vec::new();
    match File::open(output) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        file => file.and_then(|file| file.take(MAGIC.len() as u64).read_to_end(&mut start)).map_err(unwritable)?,
    };
    let same = |path: &PathBuf| matches!((path.canonicalize(), output.canonicalize()), (Ok(a), Ok(b)) if a == b);
    if !start.is_empty() && start != MAGIC || args.data.iter().any(same) {
        return Err(unwritable(io::Error::other("already exists and is not a network; it is kept")).into());
    }
    if !(args.overwrite || args.resume) {
        let message = "already exists: --overwrite replaces it, --resume continues it";
        return Err(unwritable(io::Error::other(message)).into());
    }
    Ok(())
}

fn announce(run: &Run<'_>, data: &Dataset) -> CommandResult {
    let record = run.record();
    let mut out = io::stdout().lock();
    for file in &data.summary.files {
        writeln!(out, "{}: {} games, {} of {} positions kept", file.name, file.games, file.kept, file.positions)?;
    }
    writeln!(
        out,
        "{} positions to learn from, {} held out, of {} games",
        data.summary.training, data.summary.held_out, data.summary.games
    )?;
    if !record.epochs.is_empty() {
        writeln!(out, "going on after epoch {}", record.epochs.len())?;
    }
    Ok(())
}

fn describe(epoch: &Epoch) -> String {
    let held_out = epoch.held_out_loss.map_or("none".into(), |loss| format!("{loss:.6}"));
    format!(
        "epoch {:>3}  loss {:.6}  held out {held_out}  rate {:.6}  lambda {:.2}  {:.0} positions/s",
        epoch.epoch, epoch.loss, epoch.learning_rate, epoch.lambda, epoch.positions_per_second
    )
}

fn progress_bar() -> indicatif::ProgressBar {
    if !io::stderr().is_terminal() {
        return indicatif::ProgressBar::hidden();
    }
    let style = indicatif::ProgressStyle::with_template("{prefix} {wide_bar} {percent} % {msg}");
    indicatif::ProgressBar::new(1).with_style(style.unwrap_or_else(|_| indicatif::ProgressStyle::default_bar()))
}

fn show(bar: &indicatif::ProgressBar, progress: Progress) {
    bar.set_length(progress.total as u64);
    bar.set_position(progress.done as u64);
    bar.set_prefix(format!("epoch {}", progress.epoch));
    let speed = progress.done as f64 / progress.seconds.max(1e-9);
    bar.set_message(format!("loss {:.6} {speed:.0} positions/s", progress.loss));
}

/// Writes the network as it is, its record, the picture of its losses and the checkpoint.
fn save(run: &mut Run<'_>, data: &Dataset, output: &Path, description: &str) -> Result<NetworkRecord, Failure> {
    let network = run.trainer().quantise(description)?;
    let sample = if data.held_out.is_empty() { &data.training } else { &data.held_out };
    let sample = &sample[..sample.len().min(FIDELITY_SAMPLE)];
    let network_record = NetworkRecord {
        architecture: network.architecture().to_string(),
        hash: network.hash().to_string(),
        description: description.into(),
        fidelity: Fidelity::measure(run.trainer(), &network, sample),
    };
    run.set_network(network_record.clone());
    let name = output.file_name().map_or_else(|| "network".into(), |name| name.to_string_lossy());
    let picture = plot::losses(&format!("{name}: {}", network_record.architecture), &run.record().epochs);
    write_file(&output.with_extension("svg"), &picture)?;
    write_file(&output.with_extension("toml"), &run.record().to_toml()?)?;
    chuhe_files::write(output, &network.to_bytes(), Existing::Replace)?;
    let mut checkpoint = WholeFile::create(&output.with_extension("checkpoint"), Existing::Replace)?;
    run.save(&mut checkpoint).map_err(|error| checkpoint.error(io::Error::other(error)))?;
    checkpoint.finish()?;
    Ok(network_record)
}

fn open(path: &Path) -> Result<File, Failure> {
    File::open(path).map_err(|source| Failure::Unreadable { path: path.into(), source })
}
