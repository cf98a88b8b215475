//! The organiser's hand: decisions about a tournament, written into its journal with their reason.

use std::io::{self, Write as _};
use std::path::PathBuf;

use chuhe_arena::config::ConfigFile;
use chuhe_arena::journal::{self, Act};
use chuhe_arena::organisation::decisions::{self, Decided, DecisionError, Refused, entrant, replay};
use chuhe_arena::outcome::Outcome;
use chuhe_arena::report::{Results, decision_text, redraw};
use chuhe_arena::tournament::Tournament;
use chuhe_files::Existing;

use super::show::print;
use crate::failure::{CommandResult, Failure, say};
use crate::format::Format;

#[derive(clap::Subcommand)]
pub(super) enum OrganiserCommand {
    /// Change the result of a game
    Correct(CorrectArgs),
    /// Forfeit a game, or the remaining games of a round, for an engine or team
    Forfeit(ForfeitArgs),
    /// Withdraw an engine or team from the tournament
    Withdraw(WithdrawArgs),
    /// Replay a game; its result becomes void
    Replay(ReplayArgs),
    /// Show the current tables of a tournament
    Standings(StandingsArgs),
}

/// Where a tournament is kept.
#[derive(clap::Args)]
struct FilesArgs {
    /// The journal of the tournament, which may be running
    #[arg(long, value_name = "FILE", required_unless_present = "config")]
    journal: Option<PathBuf>,
    /// The TOML file of the tournament, which names its journal and game file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl FilesArgs {
    /// The journal, and the game file if the TOML file names one.
    fn find(&self) -> Result<(PathBuf, Option<PathBuf>), Failure> {
        let Some(path) = &self.config else { return Ok((self.journal.clone().unwrap_or_default(), None)) };
        let file = ConfigFile::read(path).map_err(|error| Failure::Input(error.to_string()))?;
        let nameless = || Failure::Usage(format!("{} names no journal: expected --journal FILE", path.display()));
        Ok((self.journal.clone().or(file.journal).ok_or_else(nameless)?, file.pgn))
    }
}

/// What every decision needs.
#[derive(clap::Args)]
struct Decision {
    #[command(flatten)]
    files: FilesArgs,
    /// The reason for the decision
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

#[derive(clap::Args)]
pub(super) struct CorrectArgs {
    #[command(flatten)]
    decision: Decision,
    /// The number of the game, as printed
    #[arg(long)]
    game: u32,
    /// 1-0, 0-1 or 1/2-1/2; for a game not played +-- (Red wins), --+ or ---
    #[arg(long, value_parser = parse_result, allow_hyphen_values = true)]
    result: Outcome,
}

#[derive(clap::Args)]
pub(super) struct ForfeitArgs {
    #[command(flatten)]
    decision: Decision,
    /// The engine or team that forfeits
    #[arg(long, value_name = "NAME")]
    engine: String,
    /// A game that has been played, by its number
    #[arg(long, required_unless_present = "round", conflicts_with = "round")]
    game: Option<u32>,
    /// An announced round: all its remaining games
    #[arg(long)]
    round: Option<u16>,
    /// The stage of the round; 2 for finals
    #[arg(long, default_value_t = 1)]
    stage: u16,
}

#[derive(clap::Args)]
pub(super) struct WithdrawArgs {
    #[command(flatten)]
    decision: Decision,
    /// The engine or team that withdraws
    #[arg(long, value_name = "NAME")]
    engine: String,
}

#[derive(clap::Args)]
pub(super) struct ReplayArgs {
    #[command(flatten)]
    decision: Decision,
    /// The number of the game
    #[arg(long)]
    game: u32,
}

#[derive(clap::Args)]
pub(super) struct StandingsArgs {
    #[command(flatten)]
    files: FilesArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write the report to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Replace an existing report
    #[arg(long, requires = "html")]
    overwrite: bool,
    /// The tournament's game file, for the report
    #[arg(long, value_name = "FILE", requires = "html")]
    pgn: Option<PathBuf>,
}

fn parse_result(text: &str) -> Result<Outcome, String> {
    Outcome::from_score_text(text).ok_or_else(|| "expected 1-0, 0-1, 1/2-1/2, +--, --+ or ---".to_owned())
}

/// Runs the command.
pub(super) fn run(command: &OrganiserCommand) -> CommandResult {
    match command {
        OrganiserCommand::Correct(CorrectArgs { decision, game, result }) => {
            decide(decision, |_| Ok(Act::Correct { game: *game, outcome: *result }))
        }
        OrganiserCommand::Forfeit(args) => decide(&args.decision, |tournament| {
            let entrant = entrant(tournament, &args.engine)?;
            Ok(match args.game {
                Some(game) => Act::ForfeitGame { game, entrant },
                // One of both is there: without a game there is a round.
                None => Act::ForfeitRound { stage: args.stage, round: args.round.unwrap_or_default(), entrant },
            })
        }),
        OrganiserCommand::Withdraw(args) => decide(&args.decision, |tournament| {
            let before_start = !tournament.has_begun();
            Ok(Act::Withdraw { entrant: entrant(tournament, &args.engine)?, before_start })
        }),
        OrganiserCommand::Replay(ReplayArgs { decision, game }) => {
            decide(decision, |_| Ok(Act::Replay { game: *game }))
        }
        OrganiserCommand::Standings(args) => standings(args),
    }
}

/// Has a decision written into the journal, or left for the run that has the journal open, and says so.
fn decide(decision: &Decision, act: impl Fn(&Tournament) -> Result<Act, DecisionError>) -> CommandResult {
    let Decision { files, reason } = decision;
    if reason.trim().is_empty() {
        return Err(Failure::Usage("--reason is empty: expected the reason for the decision".to_owned()));
    }
    let Decided { act, tournament, is_left, has_later_rounds, refused } =
        decisions::decide(&files.find()?.0, reason, act)?;
    for refused in refused {
        let problem = match refused {
            Refused::Act(left, error) => format!("{}: {error}", decision_text(&left.act, &tournament)),
            Refused::Unreadable(problem) => problem,
        };
        say(&format!("an earlier decision in the queue is rejected: {problem}"));
    }
    let stays = if has_later_rounds { "; later rounds already announced are not changed" } else { "" };
    let left = if is_left { "; queued for the running tournament" } else { "" };
    writeln!(io::stdout(), "{}{stays}{left}", decision_text(&act, &tournament))?;
    Ok(())
}

impl From<DecisionError> for Failure {
    fn from(error: DecisionError) -> Failure {
        match error {
            DecisionError::Journal(error) => error.into(),
            DecisionError::History { .. } => Failure::Input(error.to_string()),
            DecisionError::UnknownName { .. } | DecisionError::Act(_) => Failure::Usage(error.to_string()),
        }
    }
}

fn standings(args: &StandingsArgs) -> CommandResult {
    let existing = Existing::replaced_if(args.overwrite);
    args.html.iter().try_for_each(|html| existing.check(html))?;
    let (journal, named) = args.files.find()?;
    let contents = journal::read(&journal)?;
    let (mut tournament, setup) = replay(&contents, &journal)?;
    let is_over = tournament.is_over();
    let finished = is_over.map_err(|error| Failure::Input(format!("{}: {error}", journal.display())))?;
    let results = Results::of(&setup.event, setup.system.kind, &tournament, finished)?;
    if let Some(html) = &args.html {
        let pgn = args.pgn.as_deref().or(named.as_deref());
        redraw(html, &contents, &setup, &tournament, &results, pgn, existing)?;
    }
    print(&results, args.format)
}
