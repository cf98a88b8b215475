//! What a tournament comes to: places, differences in strength, how the engines behaved.
//!
//! Plain values, for whoever shows them; as JSON they are what `chuhe match --format json` ends with.

use std::collections::BTreeMap;

use chuhe_client::player::FaultKind;
use serde::Serialize;

use crate::outcome::Points;
use crate::played::Termination;
use crate::stats::{Estimate, Frequencies, MatchTally, Pentanomial, Sprt, SprtState, Trinomial};
use crate::systems::{CrossTable, EntrantId, Round, Standings};
use crate::tournament::{Conduct, EngineId, Roster, Tournament, TournamentError};

/// Everything that tables show.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Results that count.
    pub games: u64,
    /// The names of the entrants, by number.
    pub entrants: Vec<String>,
    /// Places.
    pub standings: Standings,
    /// The tables of groups, whose games alone count in them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Standings>,
    /// Who came from the groups into the finals, best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub qualified: Vec<EntrantId>,
    /// The rounds announced so far; a match has none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<RoundSummary>,
    /// Everyone against everyone.
    #[serde(skip)]
    pub cross_table: CrossTable,
    /// Each two engines that met.
    pub pairings: Vec<PairingSummary>,
    /// The engines in the order of the list.
    pub engines: Vec<EngineSummary>,
    /// How games ended.
    pub terminations: BTreeMap<Termination, u64>,
    /// The sequential test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtSummary>,
    /// What an organiser ought to look at.
    pub warnings: Vec<String>,
}

/// A round.
#[derive(Clone, Debug, Serialize)]
pub struct RoundSummary {
    /// The stage: 2 is that of finals.
    pub stage: u16,
    /// The round, counted from 1.
    pub round: u16,
    /// Its encounters by table.
    pub encounters: Vec<EncounterSummary>,
    /// Who was free.
    pub byes: Vec<String>,
}

/// An encounter of a round.
#[derive(Clone, Debug, Serialize)]
pub struct EncounterSummary {
    /// The table, counted from 1.
    pub table: u16,
    /// The one from whose view this is.
    pub first: String,
    /// The other.
    pub second: String,
    /// Points of the games, of the first and of the second.
    pub points: [Points; 2],
    /// The marks of the games in the order of play.
    pub marks: String,
    /// Whether every game has a result.
    pub complete: bool,
}

/// Two engines that met.
#[derive(Clone, Debug, Serialize)]
pub struct PairingSummary {
    /// The one from whose view this is.
    pub first: String,
    /// The other.
    pub second: String,
    /// Games won, drawn and lost on the board.
    pub won_drawn_lost: [u64; 3],
    /// Pairs of games that gave 0, ½, 1, 1½ and 2 points.
    pub pairs: Pentanomial,
    /// The difference in strength.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Estimate>,
}

/// What an engine did.
#[derive(Clone, Debug, Serialize)]
pub struct EngineSummary {
    /// Its name.
    pub name: String,
    /// Games it played.
    pub games: u64,
    /// Its strength against all opponents together, taken as one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against_field: Option<Estimate>,
    /// Moves it made.
    pub moves: u64,
    /// Mean time for a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_time_ms: Option<f64>,
    /// Mean depth, as it told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_depth: Option<f64>,
    /// Positions a second, as it told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes_per_second: Option<f64>,
    /// Moves for which it took longer than allowed.
    pub oversteps: u64,
    /// The largest excess.
    pub overstep_max_ms: f64,
    /// Processor seconds for each second of its own thinking.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_per_second: Option<f64>,
    /// Games it lost by failing, by how.
    pub failures: BTreeMap<Termination, u64>,
    /// Faults that decided no game, by kind.
    pub minor_faults: BTreeMap<FaultKind, u64>,
}

/// Where a sequential test stands.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SprtSummary {
    /// The test.
    #[serde(flatten)]
    pub test: Sprt,
    /// Its state.
    #[serde(flatten)]
    pub state: SprtState,
}

/// Own thinking below this says little about the use of processors.
const LEAST_THINKING_MS: f64 = 5_000.0;
/// Engines whose use of processors differs by more than this factor did not play under equal conditions.
const UNEVEN: f64 = 1.25;

impl Summary {
    /// What a tournament comes to so far.
    ///
    /// # Errors
    /// When its history is refused by its own system.
    pub fn of(tournament: &Tournament) -> Result<Summary, TournamentError> {
        let roster = tournament.roster();
        let history = tournament.history();
        let tallies = tournament.meetings().tallies();
        let pairings = tallies.iter().map(|((first, second), tally)| {
            let [lost, drawn, won] = *tally.games().counts();
            PairingSummary {
                first: roster.engine(*first).to_owned(),
                second: roster.engine(*second).to_owned(),
                won_drawn_lost: [won, drawn, lost],
                pairs: *tally.pairs(),
                estimate: tally.estimate(),
            }
        });
        let engines = roster.engines().iter().zip(tournament.conduct()).enumerate();
        let engines: Vec<EngineSummary> = engines
            .map(|(i, (name, conduct))| engine_summary(name, conduct, against_field(tallies, EngineId(i))))
            .collect();
        let sprt = tournament.test().map(|test| {
            let none = MatchTally::new();
            let state = test.state(tallies.values().next().unwrap_or(&none));
            SprtSummary { test: *test.sprt(), state }
        });
        Ok(Summary {
            games: history.games.len() as u64,
            entrants: roster.entrants().iter().map(|entrant| entrant.name.clone()).collect(),
            standings: tournament.course().standings(history)?,
            groups: tournament.course().groups(history)?,
            qualified: history.qualified.clone(),
            rounds: tournament.course().rounds(history).iter().map(|round| round_summary(round, roster)).collect(),
            cross_table: tournament.course().cross_table(history)?,
            pairings: pairings.collect(),
            warnings: warnings(&engines, tournament.conduct()),
            engines,
            terminations: tournament.terminations().clone(),
            sprt,
        })
    }
}

fn round_summary(round: &Round, roster: &Roster) -> RoundSummary {
    let encounters = round.encounters.iter().map(|result| EncounterSummary {
        table: result.encounter.table,
        first: roster.name(result.encounter.first),
        second: roster.name(result.encounter.second),
        points: result.points,
        marks: result.marks.clone(),
        complete: result.complete,
    });
    RoundSummary {
        stage: round.stage,
        round: round.number,
        encounters: encounters.collect(),
        byes: round.byes.iter().map(|entrant| roster.name(*entrant)).collect(),
    }
}

fn engine_summary(name: &str, conduct: &Conduct, against_field: Option<Estimate>) -> EngineSummary {
    let usage = &conduct.usage;
    EngineSummary {
        name: name.to_owned(),
        games: conduct.games,
        against_field,
        moves: usage.moves,
        mean_time_ms: usage.mean_time_ms(),
        mean_depth: usage.mean_depth(),
        nodes_per_second: usage.nodes_per_second(),
        oversteps: usage.oversteps,
        overstep_max_ms: usage.overstep_max_ms,
        cpu_per_second: usage.cpu_per_second(),
        failures: conduct.failures.clone(),
        minor_faults: conduct.minor_faults.clone(),
    }
}

/// The strength of an engine against all it met, their games counted together.
fn against_field(tallies: &BTreeMap<(EngineId, EngineId), MatchTally>, engine: EngineId) -> Option<Estimate> {
    let mut pairs = [0; 5];
    let mut games = [0; 3];
    for ((first, second), tally) in tallies {
        let (own_pairs, own_games) = if *first == engine {
            (*tally.pairs(), *tally.games())
        } else if *second == engine {
            (tally.pairs().reversed(), tally.games().reversed())
        } else {
            continue;
        };
        add(&mut pairs, &own_pairs);
        add(&mut games, &own_games);
    }
    Estimate::from_results(&Pentanomial::new(pairs)).or_else(|| Estimate::from_results(&Trinomial::new(games)))
}

fn add<const N: usize>(sum: &mut [u64; N], more: &Frequencies<N>) {
    for (sum, more) in sum.iter_mut().zip(more.counts()) {
        *sum += more;
    }
}

fn warnings(engines: &[EngineSummary], conduct: &[Conduct]) -> Vec<String> {
    let mut warnings = Vec::new();
    let measured: Vec<(&str, f64)> = engines
        .iter()
        .zip(conduct)
        .filter(|(_, conduct)| conduct.usage.cpu_time_ms >= LEAST_THINKING_MS)
        .filter_map(|(engine, _)| Some((engine.name.as_str(), engine.cpu_per_second?)))
        .collect();
    let most = measured.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1));
    let least = measured.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1));
    if let (Some((most_name, most)), Some((least_name, least))) = (most, least)
        && most > least * UNEVEN
    {
        warnings.push(format!(
            "uneven use of processors: {most_name} had {most:.2} processor seconds for each second of its own thinking, \
             {least_name} {least:.2}"
        ));
    }
    for engine in engines.iter().filter(|engine| !engine.failures.is_empty()) {
        let kinds: Vec<String> = engine.failures.iter().map(|(kind, count)| format!("{count} by {kind}")).collect();
        warnings.push(format!("{} lost games by failing: {}", engine.name, kinds.join(", ")));
    }
    warnings
}
