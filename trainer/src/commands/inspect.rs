//! `chuhe-train inspect`.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Write as _};
use std::path::{Path, PathBuf};

use chuhe_rules::RuleSet;
use chuhe_trainer::data::filter::Repeats;
use chuhe_trainer::data::game::Reader;
use chuhe_trainer::data::statistics::Statistics;

use crate::failure::{CommandResult, Failure, say};

/// Faults of games that are told one by one.
const TOLD_FAULTS: u64 = 10;

/// Arguments of `chuhe-train inspect`.
#[derive(clap::Args)]
pub(crate) struct InspectArgs {
    /// Game files, in the order in which positions count as repeated
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(args: &InspectArgs) -> CommandResult {
    let mut repeats = Repeats::new();
    let mut seeds: HashMap<u64, &Path> = HashMap::new();
    let mut faults = 0;
    for path in &args.files {
        let (seed, found) = inspect(path, &mut repeats)?;
        faults += found;
        repeats.next_file();
        if let Some(other) = seeds.insert(seed, path) {
            say(&format!(
                "{} and {} have the same seed: most of their openings are the same",
                other.display(),
                path.display()
            ));
        }
    }
    if args.files.len() > 1 {
        writeln!(io::stdout(), "{} different positions in all files", repeats.distinct())?;
    }
    if faults > 0 { Err(Failure::Faults(format!("{faults} faults"))) } else { Ok(()) }
}

/// Shows one file; gives its seed and the number of faults.
fn inspect(path: &Path, repeats: &mut Repeats) -> Result<(u64, u64), Failure> {
    let failure = |error| Failure::GameFile { path: path.to_path_buf(), error };
    let file = File::open(path).map_err(|error| failure(error.into()))?;
    let mut reader = Reader::new(BufReader::with_capacity(1 << 20, file)).map_err(failure)?;
    let header = reader.header().clone();
    let mut faults = 0;
    let mut tell = |message: String| {
        faults += 1;
        if faults <= TOLD_FAULTS {
            say(&format!("{}: {message}", path.display()));
        }
    };
    let rules = header.rules.parse::<RuleSet>().map_err(|error| tell(error.to_string())).ok();
    let (mut all, mut distinct) = (Statistics::default(), Statistics::default());
    for (index, game) in reader.by_ref().enumerate() {
        let game = match game {
            Ok(game) => game,
            Err(error) if error.is_torn() => {
                say(&format!("{}: {error}; continuing the file drops that game", path.display()));
                break;
            }
            Err(error) => {
                tell(error.to_string());
                break;
            }
        };
        let checked = rules.map_or(Ok(()), |rules| game.verify(&rules));
        let counted = checked.and_then(|()| all.add(&game)).and_then(|()| distinct.add_with_repeats(&game, repeats));
        if let Err(fault) = counted {
            tell(format!("game {index} (number {}): {fault}", game.number));
        }
    }
    let mut out = io::stdout().lock();
    writeln!(out, "{}: {} bytes", path.display(), reader.offset())?;
    for line in header.to_string().lines() {
        writeln!(out, "  {line}")?;
    }
    writeln!(out, "{all}")?;
    writeln!(out, "repeated   {} of the kept positions are left when repetitions are dropped", distinct.positions())?;
    Ok((header.seed, faults))
}
