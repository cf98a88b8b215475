//! Everything that must be in order before the first game.

use chuhe_client::player::Fault;
use chuhe_client::{Launch, detect};
use chuhe_files::{WriteError, make_folder};
use chuhe_movegen::Board;

use crate::config::Config;
use crate::openings::{Openings, OpeningsError};
use crate::tournament::{Hall, Participant, Stop};

/// What is not in order.
#[derive(Debug, thiserror::Error)]
pub enum HallError {
    /// The openings cannot be used.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// The folder for what engines write to standard error cannot be made.
    #[error(transparent)]
    Log(#[from] WriteError),
    /// An engine does not work, or not with its time control.
    #[error("engine {name}: {fault}")]
    Engine {
        /// What it is called.
        name: String,
        /// What is wrong.
        fault: Box<Fault>,
    },
    /// An engine cannot be given an opening.
    #[error("engine {name} accepts only the initial position, but opening {opening} begins elsewhere")]
    Position {
        /// What it is called.
        name: String,
        /// The name or number of the opening.
        opening: String,
    },
    /// Engines cannot be bound to processors of their own.
    #[error("affinity: {games} games at once with {each} processors each need more than the {there} processors here")]
    Processors {
        /// Games at once.
        games: usize,
        /// Processors that each needs.
        each: usize,
        /// Processors of this machine.
        there: usize,
    },
}

/// What the hall and its tables are like.
#[derive(Debug)]
pub struct Prepared {
    /// What the tables share.
    pub hall: Hall,
    /// The processors of each table; none where engines are not bound.
    pub tables: Vec<Vec<usize>>,
    /// Options that an engine was given and does not announce: engine and option.
    pub unknown_options: Vec<(String, String)>,
}

/// Checks openings and starts each engine once, on a machine with so many processors.
///
/// # Errors
/// [`HallError`].
pub fn prepare(config: &Config, processors: usize, stop: &Stop) -> Result<Prepared, HallError> {
    let openings = Openings::load(&config.openings.options())?;
    if let Some(folder) = &config.log {
        make_folder(folder)?;
    }
    let tables = tables(config, processors)?;
    let (mut engines, mut unknown_options) = (Vec::with_capacity(config.engines.len()), Vec::new());
    for (spec, time) in config.engines.iter().zip(&config.times) {
        let launch = Launch { log: None, cores: tables.first().cloned().unwrap_or_default() };
        let wrong = |fault| HallError::Engine { name: spec.name.clone(), fault: Box::new(fault) };
        let detected = detect(spec, &launch).map_err(wrong)?;
        detected.check_time_control(time).map_err(wrong)?;
        if !detected.takes_fen
            && let Some(opening) = position_elsewhere(&openings)
        {
            return Err(HallError::Position { name: spec.name.clone(), opening });
        }
        let unknown = detected.unknown_options.iter().map(|option| (spec.name.clone(), option.clone()));
        unknown_options.extend(unknown);
        engines.push(Participant { spec: spec.clone(), detected, time: time.clone() });
    }
    let hall = Hall {
        event: config.event.clone(),
        site: config.site.clone(),
        engines,
        openings,
        rules: config.rules.clone(),
        options: config.options,
        log: config.log.clone(),
        stop: stop.clone(),
    };
    Ok(Prepared { hall, tables, unknown_options })
}

/// The first opening that does not begin with the initial array; only lists have such.
fn position_elsewhere(openings: &Openings) -> Option<String> {
    let start = Board::startpos();
    let listed = openings.count().unwrap_or(0) as u64;
    let elsewhere = (0..listed).map(|index| (index, openings.opening(index)));
    let mut elsewhere = elsewhere.filter(|(_, opening)| *opening.game.start() != start);
    elsewhere.next().map(|(index, opening)| match opening.name.as_str() {
        "" => (index + 1).to_string(),
        name => format!("{name:?}"),
    })
}

/// The processors of each table.
fn tables(config: &Config, there: usize) -> Result<Vec<Vec<usize>>, HallError> {
    let (games, each) = (config.concurrency, config.cores_of_a_game());
    if !config.affinity {
        return Ok(vec![Vec::new(); games]);
    }
    if games.saturating_mul(each) > there {
        return Err(HallError::Processors { games, each, there });
    }
    Ok((0..games).map(|table| (table * each..(table + 1) * each).collect()).collect())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::config::ConfigFile;

    fn config(more: &str) -> Config {
        let engines = "[[engine]]\nname = 'A'\ncmd = 'a'\n[[engine]]\nname = 'B'\ncmd = 'b'\n";
        let file = ConfigFile::parse(&format!("{more}\n{engines}"), Path::new("test.toml")).unwrap();
        Config::new(file, 8).unwrap()
    }

    #[test]
    fn tables_that_are_bound_share_no_processor() {
        let tables = tables(&config("concurrency = 3\naffinity = true"), 8).unwrap();
        let mut all: Vec<usize> = tables.iter().flatten().copied().collect();
        let bound = all.len();
        all.dedup();
        assert!(tables.len() == 3 && bound >= 3 && all.len() == bound && all.iter().all(|&core| core < 8));
        let free = super::tables(&config("concurrency = 3"), 1).unwrap();
        assert_eq!(free, vec![Vec::<usize>::new(); 3]);
        let error = super::tables(&config("concurrency = 3\naffinity = true"), 2).unwrap_err().to_string();
        assert!(error.starts_with("affinity: 3 games at once with "), "{error}");
    }
}
