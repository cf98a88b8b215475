//! The course of whole tournaments.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use chuhe_arena::Outcome;
use chuhe_arena::systems::{
    CrossCell, Cycles, Encounter, EntrantId, FinalStage, Format, GameRecord, GameSlot, Gauntlet, Groups, History,
    KnockOut, KnockOutKind, Next, Plan, RoundRobin, Standings, Swiss, System, Withdrawal, berger_round,
};
use common::{favourite, id, play_all, play_on};
use proptest::prelude::*;

fn plan(system: &dyn System, history: &History) -> Plan {
    match system.next(history).unwrap() {
        Next::Play(plan) => plan,
        Next::Finished => panic!("the tournament is over"),
    }
}

fn pairs(plan: &Plan) -> Vec<(u16, u16)> {
    let mut pairs: Vec<_> =
        plan.games.iter().map(|slot| (slot.encounter.first.number(), slot.encounter.second.number())).collect();
    pairs.dedup();
    pairs
}

/// Pairs without colours, in order.
fn unordered(plan: &Plan) -> Vec<(u16, u16)> {
    let mut pairs: Vec<_> = pairs(plan).into_iter().map(|(a, b)| (a.min(b), a.max(b))).collect();
    pairs.sort_unstable();
    pairs
}

fn places(standings: &Standings) -> Vec<(u32, u16)> {
    standings.rows.iter().map(|row| (row.place, row.entrant.number())).collect()
}

/// The tables of FIDE Handbook C.05, annex 1, for 3 or 4, 5 or 6, and 7 or 8 players.
#[test]
fn berger_tables_are_the_published_ones() {
    let table = |text: &str| -> Vec<Vec<(u16, u16)>> {
        text.lines()
            .map(|line| {
                line.split_whitespace()
                    .map(|pair| pair.split_once('-').map(|(a, b)| (a.parse().unwrap(), b.parse().unwrap())).unwrap())
                    .collect()
            })
            .collect()
    };
    for (entrants, text) in [
        (4, "1-4 2-3\n4-3 1-2\n2-4 3-1"),
        (6, "1-6 2-5 3-4\n6-4 5-3 1-2\n2-6 3-1 4-5\n6-5 1-4 2-3\n3-6 4-2 5-1"),
        (
            8,
            "1-8 2-7 3-6 4-5\n8-5 6-4 7-3 1-2\n2-8 3-1 4-7 5-6\n8-6 7-5 1-4 2-3\n\
             3-8 4-2 5-1 6-7\n8-7 1-6 2-5 3-4\n4-8 5-3 6-2 7-1",
        ),
    ] {
        for (round, expected) in (1..).zip(table(text)) {
            assert_eq!(berger_round(entrants, round), expected, "{entrants} entrants, round {round}");
            assert_eq!(berger_round(entrants - 1, round), expected, "{} entrants, round {round}", entrants - 1);
        }
        assert!(berger_round(entrants, entrants).is_empty());
    }
}

#[test]
fn everyone_meets_everyone_with_both_colors() {
    for entrants in 2..=17u16 {
        for cycles in [Cycles::Single, Cycles::Double] {
            let system = RoundRobin::new(entrants.into(), cycles, Format::SINGLE_GAME).unwrap();
            let plan = plan(&system, &History::default());
            let mut met: BTreeMap<(u16, u16), u16> = BTreeMap::new();
            let mut reds: BTreeMap<u16, i32> = BTreeMap::new();
            let mut busy = BTreeSet::new();
            for slot in &plan.games {
                let (red, black) = (slot.red().number(), slot.black().number());
                *met.entry((red, black)).or_default() += 1;
                *reds.entry(red).or_default() += 1;
                *reds.entry(black).or_default() -= 1;
                for entrant in [red, black] {
                    assert!(busy.insert((slot.encounter.round, entrant)), "{entrant} plays twice in a round");
                }
            }
            for a in 1..=entrants {
                for b in a + 1..=entrants {
                    let (one, other) = (met.get(&(a, b)), met.get(&(b, a)));
                    match cycles {
                        Cycles::Single => assert!(one.is_some() != other.is_some()),
                        Cycles::Double => assert!(one == Some(&1) && other == Some(&1)),
                    }
                }
            }
            assert!(reds.values().all(|difference| difference.abs() <= 1), "{entrants} {cycles:?}");
            assert_eq!(
                plan.byes.len(),
                if entrants % 2 == 0 { 0 } else { usize::from(entrants) * plan_cycles(cycles) }
            );
        }
    }
}

fn plan_cycles(cycles: Cycles) -> usize {
    if cycles == Cycles::Double { 2 } else { 1 }
}

#[test]
fn a_gauntlet_is_run_by_the_first() {
    let system = Gauntlet::new(5, 2, Format::TWO_GAMES).unwrap();
    let plan = plan(&system, &History::default());
    assert_eq!(plan.games.len(), 2 * 3 * 2);
    assert_eq!(unordered(&plan), [(1, 3), (1, 4), (1, 5), (2, 3), (2, 4), (2, 5)]);
    let reds = plan.games.iter().filter(|slot| slot.red() == id(1)).count();
    assert_eq!(reds, 3);
    let many = Gauntlet::new(5, 4, Format::SINGLE_GAME).unwrap();
    assert_eq!(pairs(&self::plan(&many, &History::default())), [(1, 5), (5, 2), (3, 5), (5, 4)]);
    assert!(Gauntlet::new(5, 5, Format::SINGLE_GAME).is_err());
}

fn knock_out(entrants: usize, kind: KnockOutKind, extra_games: u16) -> KnockOut {
    KnockOut::new(entrants, kind, Format::SINGLE_GAME, extra_games, 42).unwrap()
}

/// Six: the first two are free in the first round, and cannot meet before the final.
#[test]
fn knock_out_with_byes() {
    let system = knock_out(6, KnockOutKind::Single { third_place: true }, 2);
    let mut history = History::default();
    let mut rounds = Vec::new();
    while let Next::Play(plan) = system.next(&history).unwrap() {
        rounds.push(unordered(&plan));
        history.announce(&plan);
        for slot in &plan.games {
            history.games.push(GameRecord { slot: *slot, outcome: favourite(slot), fouls: [0, 0] });
        }
    }
    assert_eq!(rounds, [vec![(3, 6), (4, 5)], vec![(1, 4), (2, 3)], vec![(1, 2), (3, 4)]]);
    let table = system.standings(&history).unwrap();
    assert_eq!(places(&table), [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (5, 6)]);

    let system = knock_out(6, KnockOutKind::Single { third_place: false }, 2);
    let table = system.standings(&play_all(&system, favourite)).unwrap();
    assert_eq!(places(&table), [(1, 1), (2, 2), (3, 3), (3, 4), (5, 5), (5, 6)]);
}

/// Article 13.4: colours by lot; 13.5 and 15.6: more games with colours exchanged until one is ahead.
#[test]
fn drawn_encounters_go_on() {
    let system = knock_out(2, KnockOutKind::Single { third_place: false }, 3);
    let mut history = History::default();
    let mut seen = Vec::new();
    // Drawn, then drawn, then 1 wins and draws.
    for outcome in ["draw", "draw", "1", "draw"] {
        let plan = plan(&system, &history);
        history.announce(&plan);
        let slot = plan.games[0];
        seen.push((slot.game, slot.red().number(), plan.games.len()));
        let outcome = match outcome {
            "draw" => Outcome::Draw,
            _ if slot.red() == id(1) => Outcome::RedWins,
            _ => Outcome::BlackWins,
        };
        history.games.push(GameRecord { slot, outcome, fouls: [0, 0] });
    }
    let red = seen[0].1;
    let other = 3 - red;
    // One game, a second with colours exchanged, then two at a time.
    assert_eq!(seen, [(1, red, 1), (2, other, 1), (3, red, 2), (4, other, 1)]);
    assert_eq!(system.next(&history).unwrap(), Next::Finished);
    assert_eq!(places(&system.standings(&history).unwrap()), [(1, 1), (2, 2)]);
}

#[test]
fn lots_decide_when_nothing_else_does() {
    let mut winners = BTreeSet::new();
    for seed in 0..20 {
        let kind = KnockOutKind::Single { third_place: false };
        let system = KnockOut::new(2, kind, Format::TWO_GAMES, 4, seed).unwrap();
        let history = play_all(&system, |_| Outcome::Draw);
        assert_eq!(history.games.len(), 6);
        let table = system.standings(&history).unwrap();
        assert_eq!(table, system.standings(&history).unwrap());
        winners.insert(table.rows[0].entrant);
    }
    assert_eq!(winners.len(), 2);
}

/// Eight in a double knock-out, the smaller number winning: losers come down and go on among themselves.
#[test]
fn double_knock_out() {
    let system = knock_out(8, KnockOutKind::Double, 2);
    let history = play_all(&system, favourite);
    assert_eq!(history.games.len(), 14, "everyone but the first loses twice, the first never");
    let rounds: BTreeMap<u16, Vec<(u16, u16)>> = history.games.iter().fold(BTreeMap::new(), |mut rounds, game| {
        let (a, b) = (game.slot.red().number(), game.slot.black().number());
        rounds.entry(game.slot.encounter.round).or_insert_with(Vec::new).push((a.min(b), a.max(b)));
        rounds
    });
    assert_eq!(rounds[&1], [(1, 8), (4, 5), (2, 7), (3, 6)]);
    let table = system.standings(&history).unwrap();
    assert_eq!(table.rows[..4].iter().map(|row| row.entrant.number()).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(table.rows.iter().map(|row| row.place).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 5, 7, 7]);
}

/// The unbeaten one loses the first final: one more game decides.
#[test]
fn the_final_is_played_again() {
    let system = knock_out(4, KnockOutKind::Double, 2);
    let mut finals = 0;
    let history = play_all(&system, |slot| {
        let is_final = slot.encounter.has(id(1)) && slot.encounter.has(id(2)) && slot.encounter.round >= 5;
        if is_final {
            finals += 1;
        }
        match (is_final && finals == 1, favourite(slot)) {
            (true, Outcome::RedWins) => Outcome::BlackWins,
            (true, _) => Outcome::RedWins,
            (false, outcome) => outcome,
        }
    });
    assert_eq!(finals, 2);
    assert_eq!(history.games.len(), 7);
    assert_eq!(places(&system.standings(&history).unwrap()), [(1, 1), (2, 2), (3, 3), (4, 4)]);
}

/// For every size everyone loses once or twice, and the champion less.
#[test]
fn knock_outs_of_all_sizes() {
    for entrants in 2..=33 {
        for (kind, losses) in [(KnockOutKind::Single { third_place: false }, 1), (KnockOutKind::Double, 2)] {
            let system = knock_out(entrants, kind, 2);
            let history = play_all(&system, favourite);
            let mut lost: BTreeMap<EntrantId, usize> = BTreeMap::new();
            for game in &history.games {
                *lost.entry(game.slot.red().max(game.slot.black())).or_default() += 1;
            }
            assert_eq!(lost.len(), entrants - 1, "{entrants} {kind:?}");
            assert!(lost.values().all(|count| *count == losses), "{entrants} {kind:?}: {lost:?}");
            assert_eq!(system.standings(&history).unwrap().rows[0].entrant, id(1));
        }
    }
}

/// Article 20: whoever leaves a knock-out loses the encounter; before the start, the place is empty.
#[test]
fn leaving_a_knock_out() {
    let system = knock_out(4, KnockOutKind::Single { third_place: false }, 2);
    let mut history = History::default();
    history.withdrawals.push(Withdrawal { entrant: id(4), before_start: true });
    assert_eq!(unordered(&plan(&system, &history)), [(2, 3)]);
    history.withdrawals.push(Withdrawal { entrant: id(2), before_start: false });
    assert_eq!(unordered(&plan(&system, &history)), [(1, 3)]);
    let history = play_on(&system, history, favourite);
    assert_eq!(places(&system.standings(&history).unwrap()), [(1, 1), (2, 3), (3, 2), (4, 4)]);
}

/// Whoever leaves after winning has won; whoever went on stays, even when the result is corrected afterwards.
#[test]
fn decided_encounters_stay_decided() {
    for kind in [KnockOutKind::Single { third_place: false }, KnockOutKind::Double] {
        let system = knock_out(4, kind, 2);
        let mut history = History::default();
        let first = plan(&system, &history);
        history.announce(&first);
        for slot in &first.games {
            history.games.push(GameRecord { slot: *slot, outcome: favourite(slot), fouls: [0, 0] });
        }
        let second = plan(&system, &history);

        let mut left = history.clone();
        left.withdrawals.push(Withdrawal { entrant: id(1), before_start: false });
        left = play_on(&system, left, favourite);
        assert_eq!(system.standings(&left).unwrap().rows[0].entrant, id(2));
        assert!(!left.games.iter().any(|game| game.slot.encounter.round > 1 && game.slot.encounter.has(id(1))));

        history.announce(&second);
        for game in &mut history.games {
            game.outcome = if game.outcome == Outcome::RedWins { Outcome::BlackWins } else { Outcome::RedWins };
        }
        assert_eq!(unordered(&plan(&system, &history)), unordered(&second));
        let history = play_on(&system, history, favourite);
        assert_eq!(places(&system.standings(&history).unwrap())[..2], [(1, 1), (2, 2)]);
    }
}

fn groups(finals: FinalStage) -> Groups {
    Groups::new(9, 2, 2, Cycles::Single, finals, Format::SINGLE_GAME).unwrap()
}

/// Article 11.3: nine in two groups, dealt to and fro, the best two of each in a final round robin.
#[test]
fn groups_and_a_final_round_robin() {
    let system = groups(FinalStage::RoundRobin(Cycles::Single));
    let numbers = |group: &Vec<EntrantId>| group.iter().map(|entrant| entrant.number()).collect::<Vec<_>>();
    assert_eq!(system.members().iter().map(numbers).collect::<Vec<_>>(), [vec![1, 4, 5, 8, 9], vec![2, 3, 6, 7]]);
    let first = plan(&system, &History::default());
    assert_eq!(first.games.len(), 10 + 6);
    assert_eq!(first.byes.len(), 5, "the group of five");
    let keys: BTreeSet<_> = first.games.iter().map(|slot| slot.encounter.key()).collect();
    assert_eq!(keys.len(), 16, "every encounter has a table of its own");

    let history = play_all(&system, favourite);
    assert_eq!(history.games.len(), 16 + 6);
    // Winners of the groups first, then the seconds.
    assert_eq!(history.qualified, [id(1), id(2), id(4), id(3)].map(|entrant| entrant));
    let table = system.standings(&history).unwrap();
    assert_eq!(places(&table), [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (5, 6), (7, 7), (7, 8), (9, 9)]);
    let cross = system.cross_table(&history).unwrap();
    // 1 and 4 met in their group and in the finals, 1 and 6 never.
    let cell = |entrant: u16, opponent: u16| {
        let column = cross.rows.iter().position(|row| row.standing.entrant == id(opponent)).unwrap();
        cross.rows.iter().find(|row| row.standing.entrant == id(entrant)).unwrap().cells[column].clone()
    };
    assert_eq!(cell(1, 4), CrossCell::Games("11".into()));
    assert_eq!(cell(4, 1), CrossCell::Games("00".into()));
    assert_eq!(cell(1, 6), CrossCell::Games(String::new()));
}

#[test]
fn groups_and_a_final_knock_out() {
    let kind = KnockOutKind::Single { third_place: true };
    let system = groups(FinalStage::KnockOut { kind, extra_games: 2, seed: 5 });
    let mut history = play_all(&system, favourite);
    assert_eq!(history.games.len(), 16 + 4);
    assert_eq!(places(&system.standings(&history).unwrap())[..4], [(1, 1), (2, 2), (3, 3), (4, 4)]);

    // A result of a group is corrected during the finals: who plays there was announced and stays.
    let before = system.next(&history).unwrap();
    for game in history.games.iter_mut().filter(|game| game.slot.encounter.stage == 1) {
        game.outcome = Outcome::Draw;
    }
    assert_eq!(system.next(&history).unwrap(), before);
    assert_eq!(places(&system.standings(&history).unwrap())[..4], [(1, 1), (2, 2), (3, 3), (4, 4)]);
}

/// Whoever leaves during the groups does not reach the finals.
#[test]
fn leaving_the_groups() {
    let system = groups(FinalStage::RoundRobin(Cycles::Single));
    let mut history = History::default();
    let first = plan(&system, &history);
    history.announce(&first);
    for slot in &first.games {
        history.games.push(GameRecord { slot: *slot, outcome: favourite(slot), fouls: [0, 0] });
    }
    history.withdrawals.push(Withdrawal { entrant: id(1), before_start: false });
    let finals = plan(&system, &history);
    assert_eq!(finals.qualified, [id(4), id(2), id(5), id(3)]);
    assert_eq!(finals.games.len(), 6);
    assert!(finals.games.iter().all(|slot| slot.encounter.stage == 2));
}

/// A correction after a round was announced changes the table, not the round.
#[test]
fn what_was_announced_stays() {
    let swiss = Swiss::new(6, 3, Format::SINGLE_GAME, 9).unwrap();
    let mut history = History::default();
    let first = plan(&swiss, &history);
    history.announce(&first);
    for slot in &first.games {
        history.games.push(GameRecord { slot: *slot, outcome: Outcome::RedWins, fouls: [0, 0] });
    }
    let second = plan(&swiss, &history);
    history.announce(&second);
    history.games[0].outcome = Outcome::BlackWins;
    assert_eq!(plan(&swiss, &history).games, second.games);
    assert_eq!(swiss.standings(&history).unwrap().row(first.games[0].red()).unwrap().points.to_string(), "0");
}

/// Two games each time: scores are points of games, a bye is worth both.
#[test]
fn swiss_of_two_games() {
    let swiss = Swiss::new(5, 3, Format::TWO_GAMES, 2).unwrap();
    let history = play_all(&swiss, favourite);
    assert_eq!(history.games.len(), 3 * 2 * 2);
    let table = swiss.standings(&history).unwrap();
    assert_eq!(table.rows[0].entrant, id(1));
    assert_eq!(table.rows[0].points.to_string(), "6");
    let all: u32 = table.rows.iter().map(|row| row.points.halves()).sum();
    assert_eq!(all, 3 * (2 * 4 + 4), "two encounters and a bye in every round");
}

fn any_system() -> impl Strategy<Value = Box<dyn System>> {
    let format = (1..=3u16, 1..=2u16).prop_map(|(boards, games)| Format { boards, games });
    (0..5u8, 4..=9usize, format, any::<u64>()).prop_map(|(kind, entrants, format, seed)| -> Box<dyn System> {
        match kind {
            0 => Box::new(RoundRobin::new(entrants, Cycles::Double, format).unwrap()),
            1 => Box::new(Gauntlet::new(entrants, 2, format).unwrap()),
            2 => Box::new(Swiss::new(entrants, 3, format, seed).unwrap()),
            3 => Box::new(KnockOut::new(entrants, KnockOutKind::Double, format, 3, seed).unwrap()),
            _ => {
                let finals =
                    FinalStage::KnockOut { kind: KnockOutKind::Single { third_place: true }, extra_games: 2, seed };
                Box::new(Groups::new(entrants, 2, 1, Cycles::Single, finals, format).unwrap())
            }
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever happens, and whoever leaves, a tournament ends, plays no game twice, and goes on from its written
    /// history as if it had never stopped.
    #[test]
    fn tournaments_end_and_go_on_from_their_records(
        system in any_system(),
        choices in prop::collection::vec(0..6usize, 1..200),
        leave in prop::collection::vec((1..=9u16, 0..60usize), 0..3),
    ) {
        let mut history = History::default();
        let mut played: BTreeSet<GameSlot> = BTreeSet::new();
        let mut steps = 0;
        while let Next::Play(plan) = system.next(&history).unwrap() {
            steps += 1;
            prop_assert!(steps < 3000);
            let text = serde_json::to_string(&history).unwrap();
            let read: History = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(system.next(&read).unwrap(), Next::Play(plan.clone()));
            history.announce(&plan);
            prop_assert!(!plan.games.is_empty());
            // One game at a time, not always the first one.
            let slot = plan.games[steps % plan.games.len()];
            prop_assert!(slot.red() != slot.black());
            prop_assert!(played.insert(slot));
            history.games.push(GameRecord { slot, outcome: Outcome::ALL[choices[steps % choices.len()]], fouls: [0, 0] });
            // The organiser corrects a result now and then.
            if steps % 7 == 6 {
                let corrected = choices[steps % choices.len()] % history.games.len();
                history.games[corrected].outcome = Outcome::ALL[choices[(steps / 7) % choices.len()]];
            }
            for &(entrant, step) in &leave {
                if step == steps && usize::from(entrant) <= system.entrants() {
                    history.withdrawals.push(Withdrawal { entrant: id(entrant), before_start: false });
                }
            }
        }
        let table = system.standings(&history).unwrap();
        prop_assert_eq!(table.rows.len(), system.entrants());
        let entrants: BTreeSet<_> = table.rows.iter().map(|row| row.entrant).collect();
        prop_assert_eq!(entrants.len(), system.entrants());
        prop_assert!(table.rows.windows(2).all(|rows| rows[0].place <= rows[1].place));
        let cross = system.cross_table(&history).unwrap();
        prop_assert!(cross.rows.iter().all(|row| row.cells.len() == system.entrants()));
    }

    /// Histories full of nonsense are refused or read, and never more.
    #[test]
    fn nonsense_does_no_harm(
        system in any_system(),
        list in prop::collection::vec((0..4u16, 0..6u16, 0..6u16, 0..12u16, 0..12u16, 0..4u16, 0..4u16, 0..6usize), 0..12),
        leave in prop::collection::vec((0..12u16, any::<bool>()), 0..3),
        qualified in prop::collection::vec(0..12u16, 0..4),
    ) {
        let mut history = History::default();
        for (stage, round, table, first, second, board, game, outcome) in list {
            let encounter = Encounter { stage, round, table, first: id(first), second: id(second) };
            history.encounters.push(encounter);
            let slot = GameSlot { encounter, board, game };
            history.games.push(GameRecord { slot, outcome: Outcome::ALL[outcome], fouls: [0, 1] });
        }
        history.withdrawals.extend(
            leave.into_iter().map(|(entrant, before_start)| Withdrawal { entrant: id(entrant), before_start }),
        );
        history.qualified.extend(qualified.into_iter().map(id));
        let _ = system.next(&history);
        let _ = system.standings(&history);
        let _ = system.cross_table(&history);
    }
}

/// Whoever comes down to the losers does not soon meet again those met a short time before; only the last rounds, with
/// few left, cannot help it.
#[test]
fn losers_meet_new_opponents() {
    for entrants in [16, 32] {
        let system = knock_out(entrants, KnockOutKind::Double, 2);
        for start in 0..40 {
            let mut n = start;
            let history = play_all(&system, |_| {
                n = (n * 7 + 3) % 101;
                if n % 2 == 0 { Outcome::RedWins } else { Outcome::BlackWins }
            });
            let last = 4 * entrants.ilog2() as u16 - 4;
            let mut met: BTreeMap<(EntrantId, EntrantId), u16> = BTreeMap::new();
            for game in &history.games {
                let Encounter { round, first, second, .. } = game.slot.encounter;
                let before = met.insert((first.min(second), first.max(second)), round);
                if let Some(before) = before.filter(|_| round + 4 <= last) {
                    assert!(round - before >= 5, "{entrants}: {first} and {second} in rounds {before} and {round}");
                }
            }
        }
    }
}
