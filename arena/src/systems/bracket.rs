//! Knock-out and double knock-out (淘汰制, article 11.1).

use serde::{Deserialize, Serialize};

use super::cross_table::CrossTable;
use super::ledger::{Ledger, Meeting};
use super::lots::{Purpose, coin};
use super::standings::{Standings, rank};
use super::{
    Encounter, EntrantId, Format, GameSlot, History, Next, Plan, System, SystemError, all_entrants, check_entrants,
};
use crate::outcome::Points;

/// When an entrant is out.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum KnockOutKind {
    /// After one lost encounter.
    Single {
        /// Whether the losers of the semi-finals play for the third place.
        third_place: bool,
    },
    /// After two lost encounters: whoever loses goes on among the losers, and the best of these meets the unbeaten one
    /// in the final, and once more if that is the unbeaten one's first loss.
    Double,
}

/// A knock-out tournament.
///
/// The strongest are drawn apart and are the ones who are free when the number is no power of two. Colours are drawn by
/// lot (article 13.4). An encounter without a winner goes on with more games, colours exchanged from game to game and an
/// even number of games in all, up to a limit; then lots decide (article 15.6).
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnockOut {
    entrants: usize,
    kind: KnockOutKind,
    format: Format,
    extra_games: u16,
    seed: u64,
}

/// Where one side of an encounter comes from.
#[derive(Copy, Clone, Debug)]
enum Source {
    /// The starting list, from 1.
    Seed(u16),
    WinnerOf(usize),
    LoserOf(usize),
}

/// A place in the bracket.
#[derive(Copy, Clone, Debug)]
struct Node {
    round: u16,
    table: u16,
    sides: [Source; 2],
    role: Role,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Role {
    Ordinary,
    ThirdPlace,
    /// Played only if the node named was won by its second side.
    Decider(usize),
}

/// Who stands in a place.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Occupant {
    Pending,
    Nobody,
    Entrant(EntrantId),
}

/// How a node came out.
#[derive(Copy, Clone, Debug)]
struct Fate {
    sides: [Occupant; 2],
    winner: Occupant,
    loser: Occupant,
}

const UNDECIDED: Fate = Fate { sides: [Occupant::Pending; 2], winner: Occupant::Pending, loser: Occupant::Pending };

/// How an encounter stands.
enum Progress {
    Open(Vec<GameSlot>),
    Won(EntrantId),
}

/// The order of the starting list in which neighbours meet: first and last, so that the first two meet in the final,
/// the first four in the semi-finals, and so on.
fn seeding(size: u16) -> Vec<u16> {
    let mut order = vec![1];
    while order.len() < usize::from(size) {
        let sum = 2 * order.len() as u16 + 1;
        order = order.into_iter().flat_map(|seed| [seed, sum - seed]).collect();
    }
    order
}

/// A bracket while it is drawn up.
#[derive(Default)]
struct Draft {
    nodes: Vec<Node>,
    round: u16,
}

impl Draft {
    /// A round of the given encounters; their numbers.
    fn round(&mut self, sides: impl IntoIterator<Item = [Source; 2]>) -> Vec<usize> {
        self.round += 1;
        let start = self.nodes.len();
        for (table, sides) in (1..).zip(sides) {
            self.nodes.push(Node { round: self.round, table, sides, role: Role::Ordinary });
        }
        (start..self.nodes.len()).collect()
    }
}

fn neighbours(sources: &[Source]) -> Vec<[Source; 2]> {
    sources.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect()
}

impl KnockOut {
    /// A knock-out with at most `extra_games` more games on each board for an encounter without a winner; the seed draws
    /// the lots.
    ///
    /// # Errors
    /// With fewer than two entrants, an empty format, or absurdly many extra games.
    pub fn new(
        entrants: usize,
        kind: KnockOutKind,
        format: Format,
        extra_games: u16,
        seed: u64,
    ) -> Result<KnockOut, SystemError> {
        check_entrants(entrants, 2)?;
        format.check()?;
        if extra_games > 1000 {
            return Err(SystemError::Setting {
                what: "the number of extra games",
                found: extra_games.into(),
                least: 0,
                most: 1000,
            });
        }
        Ok(KnockOut { entrants, kind, format, extra_games, seed })
    }

    fn nodes(&self) -> Vec<Node> {
        let size = (self.entrants as u16).next_power_of_two();
        let seeds: Vec<Source> = seeding(size).into_iter().map(Source::Seed).collect();
        match self.kind {
            KnockOutKind::Single { third_place } => single(&seeds, third_place),
            KnockOutKind::Double => double(&seeds),
        }
    }

    fn read(&self, history: &History) -> Result<Ledger, SystemError> {
        Ledger::of_announced(self.entrants, self.format, self.extra_games, history)
    }

    fn occupant(&self, source: Source, fates: &[Fate], history: &History) -> Occupant {
        match source {
            Source::Seed(number) => {
                let entrant = EntrantId(number);
                if usize::from(number) > self.entrants || history.left_before_start(entrant) {
                    Occupant::Nobody
                } else {
                    Occupant::Entrant(entrant)
                }
            }
            Source::WinnerOf(node) => fates[node].winner,
            Source::LoserOf(node) => fates[node].loser,
        }
    }

    /// How far an encounter is, whether it was begun or not.
    fn progress(&self, encounter: Encounter, meeting: Option<&Meeting>, history: &History) -> Progress {
        let Encounter { first, second, .. } = encounter;
        // The first to leave has lost what is not decided; who leaves later changes nothing.
        let left = history.withdrawals.iter().map(|withdrawal| withdrawal.entrant).find(|left| encounter.has(*left));
        let has_result = |slot: &GameSlot| {
            meeting.is_some_and(|meeting| meeting.games.iter().any(|game| game.slot == *slot && !game.by_withdrawal))
        };
        let limit = self.format.games.saturating_add(self.extra_games);
        let mut games = self.format.games;
        loop {
            let round = Format { games, ..self.format };
            let open: Vec<GameSlot> = round.slots(encounter).filter(|slot| !has_result(slot)).collect();
            if !open.is_empty() {
                return match left {
                    None => Progress::Open(open),
                    Some(left) => Progress::Won(if left == first { second } else { first }),
                };
            }
            // Games beyond are one half of a pair whose other half is still to come.
            let points = |entrant| -> Points {
                let played = meeting.iter().flat_map(|meeting| &meeting.games);
                played
                    .filter(|game| game.slot.game <= games)
                    .map(|game| game.outcome.points(game.color_of(entrant)))
                    .sum()
            };
            match points(first).cmp(&points(second)) {
                std::cmp::Ordering::Greater => return Progress::Won(first),
                std::cmp::Ordering::Less => return Progress::Won(second),
                std::cmp::Ordering::Equal => {}
            }
            // An even number of games is fair to both colours.
            let more = if games % 2 == 1 { 1 } else { 2 };
            if games + more > limit {
                let heads = coin(self.seed, Purpose::Winner, encounter.key());
                return Progress::Won(if heads { first } else { second });
            }
            games += more;
        }
    }

    /// Runs through the bracket: how each node came out, and the games that may be played.
    fn run(&self, nodes: &[Node], ledger: &Ledger, history: &History) -> (Vec<Fate>, Vec<GameSlot>) {
        let mut fates: Vec<Fate> = Vec::with_capacity(nodes.len());
        let mut open = Vec::new();
        for node in nodes {
            let key = (1, node.round, node.table);
            let meeting = ledger.meeting(key);
            let mut sides = node.sides.map(|source| self.occupant(source, &fates, history));
            if let Some(meeting) = meeting {
                // What was announced stands, whatever was corrected before it; in the order of the bracket if it can.
                let announced = [meeting.encounter.first, meeting.encounter.second].map(Occupant::Entrant);
                if !announced.iter().all(|entrant| sides.contains(entrant)) {
                    sides = announced;
                }
            }
            let mut fate = Fate { sides, ..UNDECIDED };
            if let Role::Decider(first_final) = node.role
                && meeting.is_none()
            {
                let before = fates[first_final];
                if before.winner == Occupant::Pending || before.winner == before.sides[0] {
                    fate = Fate { sides: before.sides, winner: before.winner, loser: before.loser };
                    fates.push(fate);
                    continue;
                }
            }
            match sides {
                [Occupant::Pending, _] | [_, Occupant::Pending] => {}
                [Occupant::Nobody, other] | [other, Occupant::Nobody] => {
                    fate.winner = other;
                    fate.loser = Occupant::Nobody;
                }
                // Only after corrections: someone who went on as the winner and came down as the loser, too.
                [Occupant::Entrant(a), Occupant::Entrant(b)] if a == b => {
                    fate.winner = sides[0];
                    fate.loser = Occupant::Nobody;
                }
                [Occupant::Entrant(a), Occupant::Entrant(b)] => {
                    let (stage, round, table) = key;
                    let encounter = meeting.map_or_else(
                        || {
                            let heads = coin(self.seed, Purpose::Colors, key);
                            let (first, second) = if heads { (a, b) } else { (b, a) };
                            Encounter { stage, round, table, first, second }
                        },
                        |meeting| meeting.encounter,
                    );
                    match self.progress(encounter, meeting, history) {
                        Progress::Open(slots) => open.extend(slots),
                        Progress::Won(winner) => {
                            fate.winner = Occupant::Entrant(winner);
                            fate.loser = Occupant::Entrant(if winner == a { b } else { a });
                            if went_on_otherwise(nodes, ledger, fates.len(), &fate) {
                                std::mem::swap(&mut fate.winner, &mut fate.loser);
                            }
                        }
                    }
                }
            }
            fates.push(fate);
        }
        (fates, open)
    }

    /// How far everyone got, more is better: by the round in which they were beaten for good.
    fn progress_of_all(&self, nodes: &[Node], fates: &[Fate], history: &History) -> Vec<u32> {
        let ahead = |entrant: EntrantId| {
            let me = Occupant::Entrant(entrant);
            let mut reached = if history.left_before_start(entrant) { 0 } else { u32::MAX - 1 };
            for (i, (node, fate)) in nodes.iter().zip(fates).enumerate() {
                let goes_on = nodes
                    .iter()
                    .any(|node| node.sides.iter().any(|side| matches!(side, Source::LoserOf(n) if *n == i)));
                let rank = u32::from(node.round) * 4;
                match node.role {
                    Role::ThirdPlace if fate.winner == me => reached = rank + 1,
                    Role::ThirdPlace if fate.loser == me => reached = rank,
                    Role::Ordinary | Role::Decider(_) if fate.loser == me && !goes_on => reached = rank + 2,
                    _ => {}
                }
            }
            let last = nodes.iter().zip(fates).rfind(|(node, _)| node.role != Role::ThirdPlace);
            if last.is_some_and(|(_, fate)| fate.winner == me) { u32::MAX } else { reached }
        };
        all_entrants(self.entrants).map(ahead).collect()
    }

    fn table(&self, history: &History) -> Result<(Ledger, Standings), SystemError> {
        let ledger = self.read(history)?;
        let nodes = self.nodes();
        let (fates, _) = self.run(&nodes, &ledger, history);
        let reached = self.progress_of_all(&nodes, &fates, history);
        let of = |entrant: EntrantId| entrant.index().and_then(|i| reached.get(i)).copied().unwrap_or(0);
        let mut standings = rank(&ledger, &[]);
        standings.rows.sort_by_key(|row| (std::cmp::Reverse(of(row.entrant)), row.entrant));
        for row in &mut standings.rows {
            let reached_by_row = of(row.entrant);
            row.place = 1 + reached.iter().filter(|other| **other > reached_by_row).count() as u32;
        }
        Ok((ledger, standings))
    }
}

/// Whether an encounter announced later shows that the loser of a node went on as its winner, or the winner as its
/// loser: its result was corrected when the next round was on.
fn went_on_otherwise(nodes: &[Node], ledger: &Ledger, node: usize, fate: &Fate) -> bool {
    let is_in = |encounter: &Encounter, occupant: Occupant| {
        [encounter.first, encounter.second].map(Occupant::Entrant).contains(&occupant)
    };
    nodes.iter().filter(|next| !matches!(next.role, Role::Decider(_))).any(|next| {
        let Some(meeting) = ledger.meeting((1, next.round, next.table)) else { return false };
        next.sides.iter().any(|side| match *side {
            Source::WinnerOf(n) if n == node => {
                is_in(&meeting.encounter, fate.loser) && !is_in(&meeting.encounter, fate.winner)
            }
            Source::LoserOf(n) if n == node => {
                is_in(&meeting.encounter, fate.winner) && !is_in(&meeting.encounter, fate.loser)
            }
            _ => false,
        })
    })
}

fn single(seeds: &[Source], third_place: bool) -> Vec<Node> {
    let mut draft = Draft::default();
    let mut sources = seeds.to_vec();
    let mut semi_finals = Vec::new();
    while sources.len() > 1 {
        let nodes = draft.round(neighbours(&sources));
        if nodes.len() == 2 {
            semi_finals.clone_from(&nodes);
        }
        sources = nodes.into_iter().map(Source::WinnerOf).collect();
    }
    if third_place && let [a, b] = semi_finals[..] {
        let sides = [Source::LoserOf(a), Source::LoserOf(b)];
        draft.nodes.push(Node { round: draft.round, table: 2, sides, role: Role::ThirdPlace });
    }
    draft.nodes
}

fn double(seeds: &[Source]) -> Vec<Node> {
    let mut draft = Draft::default();
    let mut winners = draft.round(neighbours(seeds));
    let mut losers: Vec<Source> = winners.iter().copied().map(Source::LoserOf).collect();
    let mut reverse = true;
    while winners.len() > 1 {
        // Losers among themselves, until they are as many as the next ones to come down.
        let next = winners.len() / 2;
        while losers.len() > next {
            losers = draft.round(neighbours(&losers)).into_iter().map(Source::WinnerOf).collect();
        }
        let sources: Vec<Source> = winners.into_iter().map(Source::WinnerOf).collect();
        winners = draft.round(neighbours(&sources));
        // Coming down in reverse every other time keeps those apart who met a round or two before.
        let mut down: Vec<Source> = winners.iter().copied().map(Source::LoserOf).collect();
        if reverse {
            down.reverse();
        }
        reverse = !reverse;
        let sides: Vec<[Source; 2]> = losers.iter().zip(down).map(|(low, high)| [high, *low]).collect();
        losers = draft.round(sides).into_iter().map(Source::WinnerOf).collect();
    }
    let (Some(&unbeaten), Some(&best_loser)) = (winners.first(), losers.first()) else { return draft.nodes };
    let first_final = draft.round([[Source::WinnerOf(unbeaten), best_loser]]);
    for node in first_final {
        let sides = [Source::WinnerOf(node), Source::LoserOf(node)];
        for decider in draft.round([sides]) {
            draft.nodes[decider].role = Role::Decider(node);
        }
    }
    draft.nodes
}

impl System for KnockOut {
    fn entrants(&self) -> usize {
        self.entrants
    }

    fn next(&self, history: &History) -> Result<Next, SystemError> {
        let ledger = self.read(history)?;
        let (_, games) = self.run(&self.nodes(), &ledger, history);
        Ok(if games.is_empty() {
            Next::Finished
        } else {
            Next::Play(Plan { games, byes: Vec::new(), qualified: Vec::new() })
        })
    }

    fn standings(&self, history: &History) -> Result<Standings, SystemError> {
        Ok(self.table(history)?.1)
    }

    fn cross_table(&self, history: &History) -> Result<CrossTable, SystemError> {
        let (ledger, standings) = self.table(history)?;
        Ok(CrossTable::new(&ledger, standings))
    }
}
