//! Plays a tournament.

use std::sync::Arc;
use std::thread::available_parallelism;

use chuhe_arena::config::{Config, ConfigError};
use chuhe_arena::journal::JournalError;
use chuhe_arena::organisation::files::{self, FilesError, Opened, Policy};
use chuhe_arena::organisation::hall::{HallError, Prepared, prepare};
use chuhe_arena::report::{Page, ReportError, Results, facts_of_run, write_page};
use chuhe_arena::tournament::{self, EngineTable, RunEnd, RunError, Stop};

use super::PlayArgs;
use super::show::{Keeping, Show, print};
use crate::failure::{CommandResult, Failure, say};
use crate::platform::{is_closed_pipe, stop_on_signal};

/// Plays from the first game, or goes on.
pub(super) fn run(args: &PlayArgs) -> CommandResult {
    let processors = available_parallelism().map_or(1, usize::from);
    let config = Config::new(args.config_file()?, processors)?;
    let stop = Stop::new();
    let stopper = stop.clone();
    stop_on_signal(move || {
        say("stopping: games in progress are abandoned; press again to quit at once");
        stopper.ask();
    });
    let Prepared { hall, tables, unknown_options } = prepare(&config, processors, &stop)?;
    for (engine, option) in unknown_options {
        say(&format!("warning: engine {engine} has no option {option}"));
    }
    let hall = Arc::new(hall);
    let tables = tables.into_iter().map(|cores| EngineTable::new(Arc::clone(&hall), cores)).collect();
    let policy = Policy { go_on: args.resume, overwrite: args.overwrite };
    let Opened { mut files, entries, report } = files::open(&config, policy)?;
    let mut tournament = config.tournament()?;
    // Without a file of games the report has what is seen of them.
    let keeps_games = config.html.is_some() && config.pgn.is_none();
    let is_kept = config.journal.is_some() || config.pgn.is_some() || config.html.is_some();
    let keeping = if is_kept { Keeping::Files } else { Keeping::Nothing };
    let mut show = Show::new(args.format, &tournament, keeps_games, keeping);
    for entry in entries {
        tournament.apply(&entry.event).map_err(|error| {
            let journal = config.journal.as_deref().unwrap_or(std::path::Path::new("journal"));
            Failure::Input(format!("{}: {error}", journal.display()))
        })?;
        show.replayed(&tournament, &entry);
    }
    let end = tournament::run(&mut tournament, &mut files, tables, &stop, &mut show);
    let (seen, lost) = show.close();
    // What was played is shown whatever ended the run; the report first, which does not depend on anybody watching.
    let results = Results::of(&config.event, config.system.kind, &tournament, matches!(end, Ok(RunEnd::Finished)))?;
    let page = match &config.html {
        Some(path) => {
            let facts = facts_of_run(&config, &hall);
            let page = Page { facts, tournament: &tournament, results: &results, seen: &seen };
            write_page(path, &page, files.pgn.as_mut(), report).map_err(Failure::from)
        }
        None => Ok(()),
    };
    let printed = match lost {
        None => print(&results, args.format),
        Some(error) => Err(Failure::Output(error)),
    };
    match end {
        Ok(end) => {
            if end == RunEnd::Stopped {
                say(if config.journal.is_some() { "stopped; --resume continues" } else { "stopped" });
            }
            page.and(printed)
        }
        // Whatever broke the run off matters more than a page that it may have spoilt too.
        Err(RunError::Observer(error)) if is_closed_pipe(&error) => Err(Failure::Interrupted(format!(
            "the reader of the output is gone: stopped after {} games, which are in no file (use --journal FILE)",
            tournament.history().games.len()
        ))),
        Err(RunError::Observer(error)) => Err(Failure::Output(error)),
        Err(error) => Err(Failure::File(error.to_string())),
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Failure {
        Failure::Usage(error.to_string())
    }
}

impl From<JournalError> for Failure {
    fn from(error: JournalError) -> Failure {
        Failure::File(error.to_string())
    }
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Failure {
        match error {
            ReportError::Setup(error) => error.into(),
            ReportError::Journal(error) => error.into(),
            ReportError::Write(error) => error.into(),
            ReportError::Unreadable { .. } => Failure::Data(error.to_string()),
            ReportError::History(_) | ReportError::Read { .. } | ReportError::Changed { .. } => {
                Failure::Input(error.to_string())
            }
        }
    }
}

impl From<HallError> for Failure {
    fn from(error: HallError) -> Failure {
        match error {
            HallError::Log(error) => error.into(),
            HallError::Openings(_) => Failure::Input(error.to_string()),
            HallError::Engine { .. } => Failure::Resources(error.to_string()),
            HallError::Position { .. } | HallError::Processors { .. } => Failure::Usage(error.to_string()),
        }
    }
}

impl From<FilesError> for Failure {
    fn from(error: FilesError) -> Failure {
        match error {
            FilesError::NoJournal => Failure::Usage("--resume needs --journal FILE".to_owned()),
            FilesError::Twice { .. } => Failure::Usage(error.to_string()),
            FilesError::Log(error) => error.into(),
            FilesError::Report(error) => error.into(),
            FilesError::Openings { .. } => Failure::Input(error.to_string()),
        }
    }
}
