//! Places (article 15): points first, then one criterion after the other, then equal places.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::ledger::{Ledger, Meeting};
use super::{EntrantId, all_entrants};
use crate::outcome::{NoPoints, Points};

/// What decides between entrants with equal points (article 15).
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Criterion {
    /// 小分: the points of every opponent beaten and half the points of every opponent drawn with (the
    /// Sonneborn–Berger score).
    SmallScore,
    /// 对手分: the points of all opponents; a bye counts as an opponent with the fewest points of all.
    OpponentScore,
    /// 胜局: games won, forfeits by the opponent among them, byes not.
    Wins,
    /// 直胜: points from the encounters of those who are still equal.
    DirectEncounter,
    /// 犯规: fouls, the fewer the better.
    Fouls,
    /// 总局分: points on the boards of team matches.
    BoardPoints,
    /// 全队胜场: team matches won.
    MatchWins,
}

impl Criterion {
    /// Round robin of single engines (article 15.1).
    pub const ROUND_ROBIN: &'static [Criterion] =
        &[Criterion::SmallScore, Criterion::Wins, Criterion::DirectEncounter, Criterion::Fouls];
    /// Swiss of single engines (article 15.2).
    pub const SWISS: &'static [Criterion] = &[Criterion::OpponentScore, Criterion::Wins, Criterion::Fouls];
    /// Round robin of teams (article 15.3).
    pub const TEAM_ROUND_ROBIN: &'static [Criterion] =
        &[Criterion::BoardPoints, Criterion::Wins, Criterion::DirectEncounter, Criterion::Fouls];
    /// Swiss of teams (article 15.4).
    pub const TEAM_SWISS: &'static [Criterion] =
        &[Criterion::OpponentScore, Criterion::BoardPoints, Criterion::MatchWins, Criterion::Fouls];
}

/// The value of a criterion, counted in quarters because half the points of a draw are halved again. Written as a number
/// such as 12.25.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(into = "f64", try_from = "f64")]
pub struct CriterionValue(u64);

impl From<CriterionValue> for f64 {
    fn from(value: CriterionValue) -> f64 {
        value.0 as f64 / 4.0
    }
}

impl TryFrom<f64> for CriterionValue {
    type Error = NoPoints;

    fn try_from(number: f64) -> Result<CriterionValue, NoPoints> {
        let quarters = 4.0 * number;
        let is_whole = (0.0..=f64::from(u32::MAX)).contains(&quarters) && quarters.fract() == 0.0;
        if is_whole { Ok(CriterionValue(quarters as u64)) } else { Err(NoPoints(number)) }
    }
}

impl CriterionValue {
    const fn whole(count: u32) -> CriterionValue {
        CriterionValue(count as u64 * 4)
    }

    const fn halves(halves: u32) -> CriterionValue {
        CriterionValue(halves as u64 * 2)
    }

    /// The value in quarters.
    #[must_use]
    pub const fn quarters(self) -> u64 {
        self.0
    }
}

impl fmt::Display for CriterionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.0 / 4, ["", ".25", ".5", ".75"][(self.0 % 4) as usize])
    }
}

/// One line of a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlaceRow {
    /// The place; equals share the highest of theirs.
    pub place: u32,
    /// Who.
    pub entrant: EntrantId,
    /// Points of single engines, match points of teams (whole points).
    pub points: Points,
    /// Games with a result, byes not among them.
    pub games: u32,
    /// Games won, drawn and lost, forfeits among them.
    pub won_drawn_lost: [u32; 3],
    /// Byes that give the points of a win.
    #[serde(default)]
    pub byes: u32,
    /// Of teams: matches won, drawn and lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matches: Option<[u32; 3]>,
    /// The criteria that decide between equals, in order.
    pub criteria: Vec<(Criterion, CriterionValue)>,
    /// Not placed: left before the start or with too few games (articles 20.2 and 20.3).
    pub unranked: bool,
}

/// A table.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Standings {
    /// Best first; equals in the order of the starting list.
    pub rows: Vec<PlaceRow>,
}

impl Standings {
    /// The line of an entrant.
    #[must_use]
    pub fn row(&self, entrant: EntrantId) -> Option<&PlaceRow> {
        self.rows.iter().find(|row| row.entrant == entrant)
    }
}

/// Points that decide: those of the games for single engines, those of the matches for teams.
pub(super) fn primary(ledger: &Ledger, meeting: &Meeting, entrant: EntrantId) -> Points {
    if ledger.format.is_team() {
        Points::from_halves(2 * meeting.match_points(entrant))
    } else {
        meeting.points(entrant)
    }
}

/// What a win of an encounter, or a bye, is worth.
pub(super) fn full_points(ledger: &Ledger) -> Points {
    if ledger.format.is_team() {
        Points::from_halves(4)
    } else {
        Points::from_halves(2 * ledger.format.games_per_encounter())
    }
}

/// Points of everyone, by index.
pub(super) fn points_of_all(ledger: &Ledger) -> Vec<Points> {
    all_entrants(ledger.entrants)
        .map(|entrant| {
            let byes = ledger.byes.iter().filter(|bye| bye.entrant == entrant).count();
            let played: Points = ledger.meetings_of(entrant).map(|meeting| primary(ledger, meeting, entrant)).sum();
            (0..byes).fold(played, |points, _| points + full_points(ledger))
        })
        .collect()
}

/// The table of a ledger.
pub(super) fn rank(ledger: &Ledger, criteria: &[Criterion]) -> Standings {
    let points = points_of_all(ledger);
    let fewest = points.iter().copied().min().unwrap_or_default();
    let points_of = |entrant: EntrantId| entrant.index().and_then(|i| points.get(i)).copied().unwrap_or_default();
    let mut rows: Vec<PlaceRow> = all_entrants(ledger.entrants)
        .map(|entrant| {
            let mut row = PlaceRow {
                place: 0,
                entrant,
                points: points_of(entrant),
                games: 0,
                won_drawn_lost: [0; 3],
                byes: ledger.byes.iter().filter(|bye| bye.entrant == entrant).count() as u32,
                matches: ledger.format.is_team().then(|| matches(ledger, entrant)),
                criteria: Vec::new(),
                unranked: ledger.unranked.contains(&entrant),
            };
            for game in ledger.meetings_of(entrant).flat_map(|meeting| &meeting.games) {
                let points = game.outcome.points(game.color_of(entrant));
                row.games += 1;
                row.won_drawn_lost[2 - points.halves() as usize] += 1;
            }
            row
        })
        .collect();
    for row in &mut rows {
        row.criteria =
            criteria.iter().map(|&criterion| (criterion, value(ledger, criterion, row, &points_of, fewest))).collect();
    }
    let mut placed = Vec::new();
    let (mut ranked, unranked): (Vec<PlaceRow>, Vec<PlaceRow>) = rows.into_iter().partition(|row| !row.unranked);
    ranked.sort_by_key(|row| std::cmp::Reverse(row.points));
    for equals in split(ranked, |a, b| a.points == b.points) {
        settle(ledger, equals, criteria, 0, &mut placed);
    }
    let last = placed.len() as u32 + 1;
    placed.extend(unranked.into_iter().map(|row| PlaceRow { place: last, ..row }));
    Standings { rows: placed }
}

/// Team matches won, drawn and lost. When both teams stayed away both have lost.
fn matches(ledger: &Ledger, entrant: EntrantId) -> [u32; 3] {
    let mut counts = [0; 3];
    for meeting in ledger.meetings_of(entrant).filter(|meeting| meeting.complete) {
        counts[2 - meeting.match_points(entrant) as usize] += 1;
    }
    counts
}

/// Places entrants who are equal so far, by the criteria from the given one on.
fn settle(ledger: &Ledger, mut equals: Vec<PlaceRow>, criteria: &[Criterion], from: usize, placed: &mut Vec<PlaceRow>) {
    if equals.len() > 1
        && let Some(&criterion) = criteria.get(from)
    {
        if criterion == Criterion::DirectEncounter {
            let group: Vec<EntrantId> = equals.iter().map(|row| row.entrant).collect();
            for row in &mut equals {
                let points: Points = ledger
                    .meetings_of(row.entrant)
                    .filter(|meeting| group.contains(&meeting.opponent(row.entrant)))
                    .map(|meeting| primary(ledger, meeting, row.entrant))
                    .sum();
                row.criteria[from].1 = CriterionValue::halves(points.halves());
            }
        }
        if criterion == Criterion::Fouls {
            equals.sort_by_key(|row| row.criteria[from].1);
        } else {
            equals.sort_by_key(|row| std::cmp::Reverse(row.criteria[from].1));
        }
        for still in split(equals, |a, b| a.criteria[from].1 == b.criteria[from].1) {
            settle(ledger, still, criteria, from + 1, placed);
        }
        return;
    }
    let place = placed.len() as u32 + 1;
    placed.extend(equals.into_iter().map(|row| PlaceRow { place, ..row }));
}

/// Cuts a sorted list where neighbours differ.
fn split(rows: Vec<PlaceRow>, same: impl Fn(&PlaceRow, &PlaceRow) -> bool) -> Vec<Vec<PlaceRow>> {
    let mut groups: Vec<Vec<PlaceRow>> = Vec::new();
    for row in rows {
        match groups.last_mut() {
            Some(group) if group.last().is_some_and(|last| same(last, &row)) => group.push(row),
            _ => groups.push(vec![row]),
        }
    }
    groups
}

fn value(
    ledger: &Ledger,
    criterion: Criterion,
    row: &PlaceRow,
    points_of: &impl Fn(EntrantId) -> Points,
    fewest: Points,
) -> CriterionValue {
    let entrant = row.entrant;
    let meetings = || ledger.meetings_of(entrant);
    match criterion {
        Criterion::SmallScore => CriterionValue(
            meetings()
                .map(|meeting| {
                    u64::from(meeting.points(entrant).halves())
                        * u64::from(points_of(meeting.opponent(entrant)).halves())
                })
                .sum(),
        ),
        Criterion::OpponentScore => {
            let met: Points = meetings()
                .filter(|meeting| !meeting.games.is_empty())
                .map(|meeting| points_of(meeting.opponent(entrant)))
                .sum();
            let byes = ledger.byes.iter().filter(|bye| bye.entrant == entrant).count() as u32;
            CriterionValue::halves(met.halves() + byes * fewest.halves())
        }
        Criterion::Wins => CriterionValue::whole(row.won_drawn_lost[0]),
        // Known only once it is known who is equal.
        Criterion::DirectEncounter => CriterionValue(0),
        Criterion::Fouls => CriterionValue::whole(
            meetings()
                .flat_map(|meeting| &meeting.games)
                .map(|game| u32::from(game.fouls[game.color_of(entrant) as usize]))
                .sum(),
        ),
        Criterion::BoardPoints => {
            let boards: Points = meetings().map(|meeting| meeting.points(entrant)).sum();
            let byes = ledger.byes.iter().filter(|bye| bye.entrant == entrant).count() as u32;
            // A bye is a match won without playing: all its boards.
            CriterionValue::halves(boards.halves() + byes * 2 * ledger.format.games_per_encounter())
        }
        Criterion::MatchWins => {
            CriterionValue::whole(meetings().filter(|meeting| meeting.match_points(entrant) == 2).count() as u32)
        }
    }
}

/// Places of teams by the places of their members in an individual tournament (队员总分制, articles 12.5 and 15.5).
///
/// The smaller sum of places is better; equals are told apart by the best place of a member, then the second best,
/// then fewer fouls. Each team is its members' places and its fouls; the answer is each team's place, in the same order.
#[must_use]
pub fn places_by_members(teams: &[(Vec<u32>, u32)]) -> Vec<u32> {
    let keys: Vec<_> = teams
        .iter()
        .map(|(places, fouls)| {
            let mut sorted = places.clone();
            sorted.sort_unstable();
            let nth = |i: usize| sorted.get(i).copied().unwrap_or(u32::MAX);
            (places.iter().map(|place| u64::from(*place)).sum::<u64>(), nth(0), nth(1), *fouls)
        })
        .collect();
    keys.iter().map(|key| 1 + keys.iter().filter(|other| *other < key).count() as u32).collect()
}
