//! The organiser's hand: decisions about a tournament, written into its journal with their reason.

use std::fmt::Display;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use chuhe_arena::config::{Setup, SystemKind};
use chuhe_arena::journal::{self, Act, Contents, Event, Journal, JournalError, OrganiserAct};
use chuhe_arena::outcome::Outcome;
use chuhe_arena::systems::EntrantId;
use chuhe_arena::tournament::{ActsFile, Tournament};
use chuhe_files::Existing;

use super::page::decision_text;
use super::redraw::redraw;
use super::results::Results;
use crate::failure::{CommandResult, Failure, say};
use crate::format::Format;

#[derive(clap::Subcommand)]
pub(super) enum OrganiserCommand {
    /// Give a game another result
    Correct(CorrectArgs),
    /// Let an engine or team lose a game, or what it has left of a round, without playing
    Forfeit(ForfeitArgs),
    /// Take an engine or team out of the tournament
    Withdraw(WithdrawArgs),
    /// Have a game played again; its result is void
    Replay(ReplayArgs),
    /// Show the tables of a tournament as they stand
    Standings(StandingsArgs),
}

/// What every decision needs.
#[derive(clap::Args)]
struct Decision {
    /// The journal of the tournament, which may be running
    #[arg(long, value_name = "FILE")]
    journal: PathBuf,
    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

#[derive(clap::Args)]
pub(super) struct CorrectArgs {
    #[command(flatten)]
    decision: Decision,
    /// The number of the game, as its line of output has it
    #[arg(long)]
    game: u32,
    /// 1-0, 0-1 or 1/2-1/2; of a game that was not played +-- (Red wins), --+ or ---
    #[arg(long, value_parser = parse_result, allow_hyphen_values = true)]
    result: Outcome,
}

#[derive(clap::Args)]
pub(super) struct ForfeitArgs {
    #[command(flatten)]
    decision: Decision,
    /// Who loses
    #[arg(long, value_name = "NAME")]
    engine: String,
    /// A game that was played, by its number
    #[arg(long, required_unless_present = "round", conflicts_with = "round")]
    game: Option<u32>,
    /// A round that was announced: all games that are left of it
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
    /// Who leaves
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
    /// The journal of the tournament, which may be running
    #[arg(long, value_name = "FILE")]
    journal: PathBuf,
    /// How to print the tables
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write the report to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Replace a report that is there already
    #[arg(long, requires = "html")]
    overwrite: bool,
    /// The tournament's file of games, for the report
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
            match (args.game, args.round) {
                (Some(game), _) => Ok(Act::ForfeitGame { game, entrant }),
                (None, Some(round)) => Ok(Act::ForfeitRound { stage: args.stage, round, entrant }),
                (None, None) => Err(Failure::Usage("expected --game or --round".to_owned())),
            }
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

fn entrant(tournament: &Tournament, name: &str) -> Result<EntrantId, Failure> {
    let roster = tournament.roster();
    roster.entrant(name).ok_or_else(|| {
        let names: Vec<&str> = roster.entrants().iter().map(|entrant| entrant.name.as_str()).collect();
        Failure::Usage(format!("nobody is called {name:?}: expected one of {}", names.join(", ")))
    })
}

/// The tournament of a journal as it stands, and its setup.
fn read(contents: &Contents, path: &Path) -> Result<(Tournament, Setup), Failure> {
    let wrong = |error: &dyn Display| Failure::Input(format!("{}: {error}", path.display()));
    let begin = contents.begin.as_ref().ok_or_else(|| wrong(&"nothing has begun"))?;
    let setup = Setup::read(&begin.setup).map_err(|error| wrong(&error))?;
    let mut tournament = setup.tournament().map_err(|error| wrong(&error))?;
    for entry in &contents.entries {
        tournament.apply(&entry.event).map_err(|error| wrong(&error))?;
    }
    Ok((tournament, setup))
}

/// Writes a decision into the journal, or leaves it for the run that has the journal open.
fn decide(decision: &Decision, act: impl Fn(&Tournament) -> Result<Act, Failure>) -> CommandResult {
    let Decision { journal: path, reason } = decision;
    if reason.trim().is_empty() {
        return Err(Failure::Usage("--reason is empty: expected the reason of the decision".to_owned()));
    }
    // Opening would make a file that is not there.
    journal::read(path)?;
    let said = match Journal::open(path) {
        Ok((mut journal, contents)) => {
            let (mut tournament, setup) = read(&contents, path)?;
            // What was left for a run that has ended since comes first.
            if let Some(left) = ActsFile::of(path).look()? {
                for act in left.acts() {
                    carry_out(act, &mut tournament, &mut journal)?;
                }
                left.done()?;
            }
            let act = checked(&tournament, act)?;
            journal.append(&Event::Act(OrganiserAct { act, reason: reason.clone(), left_at: None }))?;
            format!("{}{}", decision_text(&act, &tournament), what_stays(&act, &tournament, setup.system.kind))
        }
        Err(JournalError::InUse { .. }) => {
            let (tournament, setup) = read(&journal::read(path)?, path)?;
            let act = checked(&tournament, act)?;
            let left_at = Some(journal::milliseconds(SystemTime::now()));
            ActsFile::of(path).leave(&OrganiserAct { act, reason: reason.clone(), left_at })?;
            let stays = what_stays(&act, &tournament, setup.system.kind);
            format!("{}{stays}; left for the running tournament", decision_text(&act, &tournament))
        }
        Err(error) => return Err(error.into()),
    };
    writeln!(io::stdout(), "{said}")?;
    Ok(())
}

/// Says so when rounds that rest on the result of a game are announced already: they are not paired anew.
fn what_stays(act: &Act, tournament: &Tournament, system: SystemKind) -> &'static str {
    let (Act::Correct { game, .. } | Act::ForfeitGame { game, .. } | Act::Replay { game }) = *act else { return "" };
    let Some(entry) = (game as usize).checked_sub(1).and_then(|i| tournament.played().get(i)) else { return "" };
    let own = entry.slot.encounter;
    let announced = tournament.history().encounters.iter();
    let rest_on_it = match system {
        SystemKind::KnockOut | SystemKind::DoubleKnockOut | SystemKind::Swiss => {
            announced.filter(|later| (later.stage, later.round) > (own.stage, own.round)).count()
        }
        SystemKind::Groups => announced.filter(|later| later.stage > own.stage).count(),
        SystemKind::Match | SystemKind::RoundRobin | SystemKind::DoubleRoundRobin | SystemKind::Gauntlet => 0,
    };
    if rest_on_it > 0 { "; later rounds that are announced stay as they are" } else { "" }
}

/// Writes a decision that was left before into the journal if it is not there yet, or tells why it cannot be carried out.
fn carry_out(
    left: &Result<OrganiserAct, String>,
    tournament: &mut Tournament,
    journal: &mut Journal,
) -> Result<(), Failure> {
    if left.as_ref().is_ok_and(|left| tournament.has_carried_out(left)) {
        return Ok(());
    }
    let possible = left.clone().and_then(|left| match tournament.check(&left.act) {
        Ok(()) => Ok(Event::Act(left)),
        Err(error) => Err(format!("{}: {error}", decision_text(&left.act, tournament))),
    });
    match possible {
        Ok(event) => {
            journal.append(&event)?;
            tournament.apply(&event).map_err(|error| Failure::Input(error.to_string()))?;
        }
        Err(problem) => say(&format!("a decision that was left before is refused: {problem}")),
    }
    Ok(())
}

/// A decision that can be carried out.
fn checked(tournament: &Tournament, act: impl Fn(&Tournament) -> Result<Act, Failure>) -> Result<Act, Failure> {
    let act = act(tournament)?;
    tournament.check(&act).map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(act)
}

fn standings(args: &StandingsArgs) -> CommandResult {
    let existing = Existing::replaced_if(args.overwrite);
    args.html.iter().try_for_each(|html| existing.check(html))?;
    let contents = journal::read(&args.journal)?;
    let (mut tournament, setup) = read(&contents, &args.journal)?;
    let is_over = tournament.is_over();
    let finished = is_over.map_err(|error| Failure::Input(format!("{}: {error}", args.journal.display())))?;
    let results = Results::of(&setup.event, setup.system.kind, &tournament, finished)?;
    if let Some(html) = &args.html {
        redraw(html, &contents, &setup, &tournament, &results, args.pgn.as_deref(), existing)?;
    }
    results.print(args.format)
}
