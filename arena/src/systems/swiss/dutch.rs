//! One round of the FIDE (Dutch) system, C.04.3 in the version approved on 13 April 2024.
//!
//! Numbers such as C.6 are those of the criteria in section C of that rule. The rule builds pairings one after the
//! other and keeps the first that is best; here the best one is found directly. A bracket and everything below it is
//! one graph: an edge counts for the round to be completed (C.4), and its further components say what the pair is
//! worth to each criterion. Among the pairings that are equally good, the rule's order of building them (exchanges,
//! then transpositions) is followed by adding one more component and solving again with what is settled taken out.

use chuhe_movegen::Color;

use super::super::EntrantId;
use super::matching::{Weight, greatest_matching};

/// Whether the opponent of a past round had a different score (A.4).
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Float {
    /// An equal score, or nothing gained without playing.
    #[default]
    None,
    /// The opponent had less, or points were given without a game.
    Down,
    /// The opponent had more.
    Up,
}

/// What the pairing of a round must know of an entrant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Card {
    /// The entrant; its number is the pairing number.
    pub entrant: EntrantId,
    /// The score, in any unit in which [`RoundRules::win`] is stated.
    pub score: u32,
    /// Colours of the games played, oldest first.
    pub colors: Vec<Color>,
    /// Opponents met in games that were played.
    pub opponents: Vec<EntrantId>,
    /// Floats of the last round and of the one before.
    pub floats: [Float; 2],
    /// Whether a bye or a forfeit gave a win before (C.2).
    pub won_without_playing: bool,
    /// Rounds without a game (C.9).
    pub unplayed: u32,
}

/// What the pairing of a round must know of the tournament.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct RoundRules {
    /// Rounds before this one.
    pub rounds_played: u32,
    /// Whether this is the last round, in which colours give way to scores for the top half (A.7).
    pub last_round: bool,
    /// The worth of a win.
    pub win: u32,
    /// The colour of number 1 in the first round, drawn by lot (E.5).
    pub initial_color: Color,
}

/// A round's pairs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoundPairing {
    /// Red and Black of each pair, the highest scores first.
    pub pairs: Vec<(EntrantId, EntrantId)>,
    /// Who is free when the number is odd.
    pub bye: Option<EntrantId>,
    /// How many pairs had to break the rules against meeting twice, against a third equal colour or against a second
    /// bye because nothing else was left.
    pub irregular: usize,
}

/// How strongly a colour is due (A.6).
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Due {
    Nothing,
    Mild,
    Strong,
    Absolute,
}

/// An entrant as the criteria see it.
struct Player<'a> {
    card: &'a Card,
    /// Games as Red less games as Black.
    difference: i32,
    due: Due,
    color: Option<Color>,
    /// Whether the last two games had one colour.
    repeated: bool,
    topscorer: bool,
}

impl<'a> Player<'a> {
    fn new(card: &'a Card, rules: &RoundRules) -> Player<'a> {
        let difference = card.colors.iter().map(|color| if *color == Color::Red { 1 } else { -1 }).sum::<i32>();
        let (last, before) = (card.colors.last(), card.colors.iter().rev().nth(1));
        let repeated = last.is_some() && last == before;
        let due = if difference.abs() > 1 || repeated {
            Due::Absolute
        } else if difference != 0 {
            Due::Strong
        } else if last.is_some() {
            Due::Mild
        } else {
            Due::Nothing
        };
        let color = match (difference, last) {
            (_, None) => None,
            (2.., _) => Some(Color::Black),
            (..=-2, _) => Some(Color::Red),
            (_, Some(&last)) if repeated || difference == 0 => Some(!last),
            (1, _) => Some(Color::Black),
            (_, _) => Some(Color::Red),
        };
        // More than half of what could be had; only the last round asks.
        let topscorer =
            rules.last_round && 2 * u64::from(card.score) > u64::from(rules.rounds_played) * u64::from(rules.win);
        Player { card, difference, due, color, repeated, topscorer }
    }

    fn same_color_due(&self, other: &Player<'_>) -> bool {
        self.color.is_some() && self.color == other.color
    }

    /// C.3: both must have the same colour.
    fn colors_clash(&self, other: &Player<'_>) -> bool {
        self.due == Due::Absolute
            && other.due == Due::Absolute
            && self.same_color_due(other)
            && !self.topscorer
            && !other.topscorer
    }

    /// What a pair costs by C.10 to C.13.
    fn color_costs(&self, other: &Player<'_>) -> [i64; 4] {
        if !self.same_color_due(other) {
            return [0; 4];
        }
        let both_absolute = self.due == Due::Absolute && other.due == Due::Absolute;
        let both_unbalanced = self.difference.abs() > 1 && other.difference.abs() > 1;
        // The smaller difference gives way (E.2).
        let repeats = match self.difference.abs().cmp(&other.difference.abs()) {
            std::cmp::Ordering::Less => self.repeated,
            std::cmp::Ordering::Equal => self.repeated && other.repeated,
            std::cmp::Ordering::Greater => other.repeated,
        };
        let both_strong = self.due >= Due::Strong && other.due >= Due::Strong;
        [
            i64::from(both_absolute && both_unbalanced),
            i64::from(both_absolute && repeats),
            1,
            i64::from(both_strong && !both_absolute),
        ]
    }
}

/// Components of a weight, in order.
mod part {
    pub(super) const EDGE: usize = 0;
    pub(super) const IRREGULAR: usize = 1;
    pub(super) const BYE_SCORE: usize = 2; // C.5
    pub(super) const PAIRS: usize = 3; // C.6
    pub(super) const FLOATER_SCORES: usize = 4; // C.7
    pub(super) const NEXT_PAIRS: usize = 5; // C.8
    pub(super) const NEXT_FLOATER_SCORES: usize = 6; // C.8
    pub(super) const BYE_UNPLAYED: usize = 7; // C.9
    pub(super) const COLORS: usize = 8; // C.10 to C.13
    pub(super) const DOWN_LAST: usize = 12; // C.14
    pub(super) const UP_LAST: usize = 13; // C.15
    pub(super) const DOWN_BEFORE: usize = 14; // C.16
    pub(super) const UP_BEFORE: usize = 15; // C.17
    pub(super) const DOWN_LAST_SCORES: usize = 16; // C.18
    pub(super) const UP_LAST_SCORES: usize = 17; // C.19
    pub(super) const DOWN_BEFORE_SCORES: usize = 18; // C.20
    pub(super) const UP_BEFORE_SCORES: usize = 19; // C.21
    pub(super) const EXCHANGES: usize = 20;
    pub(super) const ORDER: usize = 21;
    pub(super) const COUNT: usize = 22;
}

/// Where a player stands in the bracket being paired.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Place {
    /// Moved down from a higher bracket; the score counts as this much in a list of scores, highest first.
    MovedDown(i64),
    Resident,
    /// In the score group below.
    Next,
    /// Further down.
    Below,
}

/// Largest sum that the numbers packed into one component may reach; the algorithm needs some room above.
const PACKED_LIMIT: i64 = 1 << 50;

/// Costs of irregular pairs, so that a second meeting is the last resort and a colour the first.
const COLOR_COST: i64 = 1;
const SECOND_BYE_COST: i64 = 1 << 10;
const SECOND_MEETING_COST: i64 = 1 << 20;

/// Pairs a round by the Dutch system.
///
/// When no pairing obeys C.1 to C.3, which the rule leaves to the arbiter, as few pairs as possible break them: colours
/// first, then a second bye, then a second meeting.
#[must_use]
pub fn pair_round(cards: &[Card], rules: &RoundRules) -> RoundPairing {
    let mut players: Vec<Player<'_>> = cards.iter().map(|card| Player::new(card, rules)).collect();
    players.sort_by_key(|player| (std::cmp::Reverse(player.card.score), player.card.entrant));
    let graph = Graph::new(&players);

    let mut unpaired_above: Vec<usize> = Vec::new();
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let mut start = 0;
    while start < players.len() {
        let score = players[start].card.score;
        let end = start + players[start..].iter().take_while(|player| player.card.score == score).count();
        let bracket = Bracket::new(&graph, unpaired_above, start, end);
        let found = bracket.pair();
        unpaired_above =
            bracket.members().filter(|&v| !found.iter().any(|&(a, b)| a == v || b == v)).collect::<Vec<_>>();
        pairs.extend(found);
        start = end;
    }

    pairs.sort_by_key(|&(a, b)| {
        let (high, low) = (players[a].card.score, players[b].card.score);
        (std::cmp::Reverse((high, low)), a)
    });
    let irregular = pairs.iter().filter(|&&(a, b)| graph.cost(a, b) > Some(0)).count();
    let bye = (players.len() % 2 == 1).then(|| unpaired_above.first().copied()).flatten();
    let irregular = irregular + usize::from(bye.is_some_and(|v| graph.cost(v, players.len()) > Some(0)));
    RoundPairing {
        pairs: pairs.into_iter().map(|(a, b)| allocate_colors(&players[a], &players[b], rules)).collect(),
        bye: bye.map(|v| players[v].card.entrant),
        irregular,
    }
}

/// Red and Black of a pair (section E); the first is the higher ranked.
fn allocate_colors(high: &Player<'_>, low: &Player<'_>, rules: &RoundRules) -> (EntrantId, EntrantId) {
    let color = color_of_higher(high, low, rules);
    let (high, low) = (high.card.entrant, low.card.entrant);
    if color == Color::Red { (high, low) } else { (low, high) }
}

fn color_of_higher(high: &Player<'_>, low: &Player<'_>, rules: &RoundRules) -> Color {
    // E.1: both can have what is due to them.
    match (high.color, low.color) {
        (Some(color), None) => return color,
        (None, Some(color)) => return !color,
        (Some(color), Some(other)) if color != other => return color,
        _ => {}
    }
    if let Some(color) = high.color {
        // E.2: the stronger claim; between absolute ones the larger difference.
        let claims =
            |player: &Player<'_>| (player.due, if player.due == Due::Absolute { player.difference.abs() } else { 0 });
        match claims(high).cmp(&claims(low)) {
            std::cmp::Ordering::Greater => return color,
            std::cmp::Ordering::Less => return !color,
            std::cmp::Ordering::Equal => {}
        }
        // E.3: the opposite of the last time their colours differed. E.4: what the higher ranked is due.
        return high
            .card
            .colors
            .iter()
            .rev()
            .zip(low.card.colors.iter().rev())
            .find(|(a, b)| a != b)
            .map_or(color, |(&last, _)| !last);
    }
    // E.5.
    if high.card.entrant.number() % 2 == 1 { rules.initial_color } else { !rules.initial_color }
}

/// Who may meet whom; players by rank, and one more vertex for the bye when their number is odd.
struct Graph<'a> {
    players: &'a [Player<'a>],
    vertices: usize,
    /// Whether irregular pairs are allowed.
    relaxed: bool,
}

impl<'a> Graph<'a> {
    fn new(players: &'a [Player<'a>]) -> Graph<'a> {
        let vertices = players.len() + players.len() % 2;
        let mut graph = Graph { players, vertices, relaxed: false };
        let mates = greatest_matching(vertices, |a, b| graph.cost(a, b).map(|_| Weight([1])));
        graph.relaxed = mates.contains(&None);
        graph
    }

    /// 0 for a pair that the rules allow, more for one that they allow only in need, `None` for one they never allow.
    fn cost(&self, a: usize, b: usize) -> Option<i64> {
        let cost = if b < self.players.len() {
            let (first, second) = (&self.players[a], &self.players[b]);
            let met = first.card.opponents.contains(&second.card.entrant);
            (if met { SECOND_MEETING_COST } else { 0 }) + (if first.colors_clash(second) { COLOR_COST } else { 0 })
        } else if self.players[a].card.won_without_playing {
            SECOND_BYE_COST
        } else {
            0
        };
        (cost == 0 || self.relaxed).then_some(cost)
    }
}

/// A score group, those moved down to it, and all that lies below.
struct Bracket<'a> {
    graph: &'a Graph<'a>,
    /// Ranks of those moved down, highest first.
    moved_down: Vec<usize>,
    start: usize,
    end: usize,
    /// Places of the vertices that are still to be paired.
    places: Vec<Option<Place>>,
}

/// Pairs already decided against, by vertices.
struct Excluded(Vec<bool>, usize);

impl Excluded {
    fn set(&mut self, a: usize, b: usize) {
        let (a, b) = (a.min(b), a.max(b));
        self.0[a * self.1 + b] = true;
    }

    fn contains(&self, a: usize, b: usize) -> bool {
        self.0[a * self.1 + b]
    }
}

impl<'a> Bracket<'a> {
    fn new(graph: &'a Graph<'a>, moved_down: Vec<usize>, start: usize, end: usize) -> Bracket<'a> {
        let players = graph.players;
        let mut places = vec![None; graph.vertices];
        let next_score = players.get(end).map(|player| player.card.score);
        for (v, player) in players.iter().enumerate().skip(start) {
            places[v] = Some(match v {
                v if v < end => Place::Resident,
                _ if Some(player.card.score) == next_score => Place::Next,
                _ => Place::Below,
            });
        }
        // A list of scores, highest first, as one number: each score counts more than all lower ones together.
        let mut unit = (end - start + 1) as i64;
        let mut rest = moved_down.as_slice();
        while let Some(&lowest) = rest.last() {
            let score = players[lowest].card.score;
            let equal = rest.iter().rev().take_while(|&&v| players[v].card.score == score).count();
            let (higher, level) = rest.split_at(rest.len() - equal);
            for &v in level {
                places[v] = Some(Place::MovedDown(unit));
            }
            unit = (unit * (equal as i64 + 1)).min(PACKED_LIMIT / graph.vertices as i64);
            rest = higher;
        }
        if graph.vertices > players.len() {
            places[players.len()] = Some(Place::Below);
        }
        Bracket { graph, moved_down, start, end, places }
    }

    fn members(&self) -> impl Iterator<Item = usize> {
        self.moved_down.iter().copied().chain(self.start..self.end)
    }

    fn is_member(&self, v: usize) -> bool {
        matches!(self.places[v], Some(Place::MovedDown(_) | Place::Resident))
    }

    /// Whether a pair would be made in this bracket: those moved down meet residents only.
    fn is_inside(&self, a: usize, b: usize) -> bool {
        self.is_member(a) && self.places[b] == Some(Place::Resident)
    }

    /// What a pair of ranks `a < b` is worth, all but the last two components.
    fn weight(&self, a: usize, b: usize) -> Option<Weight<{ part::COUNT }>> {
        let (place_a, place_b) = (self.places[a]?, self.places[b]?);
        let cost = self.graph.cost(a, b)?;
        let mut w = [0; part::COUNT];
        w[part::EDGE] = 1;
        w[part::IRREGULAR] = -cost;
        let players = self.graph.players;
        let first = &players[a];
        if b == players.len() {
            w[part::BYE_SCORE] = -i64::from(first.card.score);
            if self.is_member(a) {
                w[part::BYE_UNPLAYED] = -i64::from(first.card.unplayed);
            }
            return Some(Weight(w));
        }
        let second = &players[b];
        match (place_a, place_b) {
            // Those who were left over together have no place in which they could meet.
            (Place::MovedDown(_), Place::MovedDown(_)) => return None,
            (Place::MovedDown(_) | Place::Resident, Place::Resident) => {
                w[part::PAIRS] = 1;
                for (i, cost) in first.color_costs(second).into_iter().enumerate() {
                    w[part::COLORS + i] = -cost;
                }
                let floated = |player: &Player<'_>, round: usize, float| i64::from(player.card.floats[round] == float);
                for (round, down, up, down_scores, up_scores) in [
                    (0, part::DOWN_LAST, part::UP_LAST, part::DOWN_LAST_SCORES, part::UP_LAST_SCORES),
                    (1, part::DOWN_BEFORE, part::UP_BEFORE, part::DOWN_BEFORE_SCORES, part::UP_BEFORE_SCORES),
                ] {
                    // A resident who is paired does not float down again.
                    w[down] = floated(second, round, Float::Down);
                    if let Place::MovedDown(unit) = place_a {
                        w[up] = -floated(second, round, Float::Up);
                        w[down_scores] = unit * floated(first, round, Float::Down);
                        w[up_scores] = unit * w[up];
                    } else {
                        w[down] += floated(first, round, Float::Down);
                    }
                }
                if let Place::MovedDown(unit) = place_a {
                    w[part::FLOATER_SCORES] = unit;
                }
            }
            (Place::MovedDown(unit), Place::Next) => {
                w[part::NEXT_PAIRS] = 1;
                w[part::NEXT_FLOATER_SCORES] = unit;
            }
            (Place::Resident, Place::Next) => {
                w[part::NEXT_PAIRS] = 1;
                w[part::NEXT_FLOATER_SCORES] = 1;
            }
            (Place::Next, Place::Next) => w[part::NEXT_PAIRS] = 1,
            _ => {}
        }
        Some(Weight(w))
    }

    /// The best matching of all vertices left, with two more components for the pairs inside the bracket.
    fn solve(&self, excluded: &Excluded, last: impl Fn(usize, usize) -> [i64; 2]) -> Vec<Option<usize>> {
        let live: Vec<usize> = (0..self.graph.vertices).filter(|&v| self.places[v].is_some()).collect();
        let mates = greatest_matching(live.len(), |i, j| {
            let (a, b) = (live[i], live[j]);
            if excluded.contains(a, b) {
                return None;
            }
            let mut weight = self.weight(a, b)?;
            if self.is_inside(a, b) {
                [weight.0[part::EXCHANGES], weight.0[part::ORDER]] = last(a, b);
            }
            Some(weight)
        });
        let mut by_vertex = vec![None; self.graph.vertices];
        for (i, mate) in mates.into_iter().enumerate() {
            by_vertex[live[i]] = mate.map(|j| live[j]);
        }
        by_vertex
    }

    /// The pairs of the bracket, the higher ranked first.
    fn pair(&self) -> Vec<(usize, usize)> {
        let n = self.graph.vertices;
        let mut excluded = Excluded(vec![false; n * n], n);
        let mates = self.solve(&excluded, |_, _| [0, 0]);
        let inside =
            |mates: &[Option<usize>], v: usize| mates[v].filter(|&mate| self.is_inside(v.min(mate), v.max(mate)));

        // Those moved down who are paired: as few changes against the order of rank as the criteria allow.
        let moved_down = &self.moved_down;
        let pairable = moved_down.iter().filter(|&&v| inside(&mates, v).is_some()).count();
        let mut chosen: Vec<usize> = moved_down.clone();
        if pairable < moved_down.len() {
            chosen = self.choose(&mut excluded, moved_down, pairable);
        }
        self.transpose(&mut excluded, &chosen, &(self.start..self.end).collect::<Vec<_>>());

        // The rest of the residents as a bracket of its own.
        let mates = self.solve(&excluded, |_, _| [0, 0]);
        let rest: Vec<usize> =
            (self.start..self.end).filter(|&v| inside(&mates, v).is_none_or(|mate| mate >= self.start)).collect();
        let pairs = rest.iter().filter(|&&v| inside(&mates, v).is_some()).count() / 2;
        let mates = self.pair_remainder(&mut excluded, &rest, pairs);
        self.members().filter_map(|v| inside(&mates, v).filter(|&mate| v < mate).map(|mate| (v, mate))).collect()
    }

    /// Which `count` of those moved down are paired: the highest ranked that the criteria allow.
    fn choose(&self, excluded: &mut Excluded, moved_down: &[usize], count: usize) -> Vec<usize> {
        let mut chosen = Vec::new();
        for chunk in moved_down.chunks(40) {
            let value = |v: usize| chunk.iter().rev().position(|&x| x == v).map_or(0, |i| 1i64 << i);
            let mates = self.solve(excluded, |a, _| [0, value(a)]);
            for &v in chunk {
                let paired = mates[v].is_some_and(|mate| self.is_inside(v.min(mate), v.max(mate)));
                for other in 0..self.graph.vertices {
                    if other != v && self.is_inside(v.min(other), v.max(other)) != paired {
                        excluded.set(v, other);
                    }
                }
                if paired {
                    chosen.push(v);
                }
            }
        }
        debug_assert_eq!(chosen.len(), count, "the criteria fix how many are paired");
        chosen
    }

    /// Settles the partners of `first` in order, each the highest ranked of `second` that the criteria allow.
    fn transpose(&self, excluded: &mut Excluded, first: &[usize], second: &[usize]) {
        let radix = second.len() as i64 + 1;
        let mut per_solve = 1;
        while radix.pow(per_solve + 1) < PACKED_LIMIT / (self.graph.vertices as i64) && per_solve < 12 {
            per_solve += 1;
        }
        for chunk in first.chunks(per_solve as usize) {
            let mates = self.solve(excluded, |a, b| {
                let unit = |v: usize| chunk.iter().rev().position(|&x| x == v).map(|i| radix.pow(i as u32));
                let cost = unit(a)
                    .map_or(0, |unit| unit * second.iter().position(|&x| x == b).map_or(0, |place| place as i64));
                [0, -cost]
            });
            for &v in chunk {
                let Some(mate) = mates[v] else { continue };
                for other in 0..self.graph.vertices {
                    if other != v && other != mate {
                        excluded.set(v, other);
                        excluded.set(mate, other);
                    }
                }
            }
        }
    }

    /// Pairs players of one score: the upper half against the lower one, changed as little as the criteria ask.
    ///
    /// Within a pairing, the higher ranked of each pair is its S1 player. Then as many change from S1 to S2 as the
    /// other way, and the sum of the numbers of the S1 players says how far: both are sums over the pairs, so they
    /// make one component of the weight.
    fn pair_remainder(&self, excluded: &mut Excluded, rest: &[usize], pairs: usize) -> Vec<Option<usize>> {
        let place = |v: usize| rest.iter().position(|&x| x == v);
        let many = (rest.len() * rest.len() + 1) as i64;
        // Only pairs with both in the remainder are still open.
        let exchange = |a: usize, b: usize| match (place(a), place(b)) {
            (Some(i), Some(_)) => -(if i >= pairs { many } else { 0 } + i as i64),
            _ => 0,
        };
        let is_led_by =
            |mates: &[Option<usize>], v: usize| mates[v].is_some_and(|mate| v < mate && place(mate).is_some());

        let mates = self.solve(excluded, |a, b| [exchange(a, b), 0]);
        let leaders: Vec<usize> = rest.iter().copied().filter(|&v| is_led_by(&mates, v)).collect();
        let mut leaders = leaders;
        if leaders != rest[..pairs] {
            // Of those who leave S1 the lowest ranked, of those who enter it the highest ranked.
            for chunk in rest[..pairs].rchunks(40) {
                let mates = self.solve(excluded, |a, b| {
                    let value = chunk.iter().position(|&x| x == a).map_or(0, |i| -(1i64 << i));
                    [exchange(a, b), if place(b).is_some() { value } else { 0 }]
                });
                self.settle_leaders(excluded, rest, chunk, |v| is_led_by(&mates, v));
            }
            for chunk in rest[pairs..].chunks(40) {
                let mates = self.solve(excluded, |a, b| {
                    let value = chunk.iter().rev().position(|&x| x == a).map_or(0, |i| 1i64 << i);
                    [exchange(a, b), if place(b).is_some() { value } else { 0 }]
                });
                self.settle_leaders(excluded, rest, chunk, |v| is_led_by(&mates, v));
            }
            let mates = self.solve(excluded, |a, b| [exchange(a, b), 0]);
            leaders = rest.iter().copied().filter(|&v| is_led_by(&mates, v)).collect();
        }
        self.settle_leaders(excluded, rest, rest, |v| leaders.contains(&v));
        let followers: Vec<usize> = rest.iter().copied().filter(|v| !leaders.contains(v)).collect();
        self.transpose(excluded, &leaders, &followers);
        self.solve(excluded, |_, _| [0, 0])
    }

    /// Leaves to each of `settled` only pairs in which it leads, or only pairs in which it does not.
    fn settle_leaders(
        &self,
        excluded: &mut Excluded,
        rest: &[usize],
        settled: &[usize],
        leads: impl Fn(usize) -> bool,
    ) {
        for &v in settled {
            for &other in rest {
                if other != v && (v < other) != leads(v) {
                    excluded.set(v, other);
                }
            }
        }
    }
}
