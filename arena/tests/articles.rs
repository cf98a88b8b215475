//! Worked tables for the articles of the competition rules. What is expected was computed by hand from their text.

mod common;

use chuhe_arena::systems::{
    Criterion, CrossCell, Cycles, Encounter, EntrantId, Format, GameRecord, GameSlot, History, Next, RoundRobin,
    Standings, Swiss, System, Withdrawal, places_by_members,
};
use chuhe_arena::{Outcome, Points};
use common::{bye, encounter, games, id, play_all};

/// Sets the result of first against second in a list of single games, as first's mark.
fn outcome(red: u16, black: u16, results: &[(u16, u16, char)]) -> Outcome {
    let mark = |a, b| results.iter().find(|(x, y, _)| (*x, *y) == (a, b)).map(|(_, _, mark)| *mark);
    match (mark(red, black), mark(black, red)) {
        (Some('1'), _) | (_, Some('0')) => Outcome::RedWins,
        (Some('0'), _) | (_, Some('1')) => Outcome::BlackWins,
        (Some('='), _) | (_, Some('=')) => Outcome::Draw,
        _ => panic!("no result of {red} and {black}"),
    }
}

fn round_robin(entrants: usize) -> RoundRobin {
    RoundRobin::new(entrants, Cycles::Single, Format::SINGLE_GAME).unwrap()
}

/// A round robin with these results.
fn played(entrants: usize, results: &[(u16, u16, char)]) -> (RoundRobin, History) {
    let system = round_robin(entrants);
    let history = play_all(&system, |slot| outcome(slot.red().number(), slot.black().number(), results));
    (system, history)
}

/// (place, entrant) of each line.
fn places(standings: &Standings) -> Vec<(u32, u16)> {
    standings.rows.iter().map(|row| (row.place, row.entrant.number())).collect()
}

fn value(standings: &Standings, entrant: u16, criterion: Criterion) -> String {
    let row = standings.row(id(entrant)).unwrap();
    row.criteria.iter().find(|(c, _)| *c == criterion).map(|(_, value)| value.to_string()).unwrap()
}

fn points(standings: &Standings, entrant: u16) -> String {
    standings.row(id(entrant)).unwrap().points.to_string()
}

/// Article 15.1, 小分. 1 beat 2 and drew with 4: 2 + ½·1 = 2½. 3 beat 1 and drew with 4: 1½ + ½·1 = 2.
#[test]
fn equal_points_are_told_apart_by_the_small_score() {
    let results = [(1, 2, '1'), (1, 3, '0'), (1, 4, '='), (2, 3, '1'), (2, 4, '1'), (3, 4, '=')];
    let (system, history) = played(4, &results);
    let table = system.standings(&history).unwrap();
    assert_eq!(places(&table), [(1, 2), (2, 1), (3, 3), (4, 4)]);
    assert_eq!((points(&table, 1), points(&table, 3)), ("1.5".into(), "1.5".into()));
    assert_eq!(value(&table, 1, Criterion::SmallScore), "2.5");
    assert_eq!(value(&table, 3, Criterion::SmallScore), "2");
}

/// Article 15.1, 胜局. 2 and 4 have 2½ points and a small score of 4¼ each; 4 won two games, 2 one.
#[test]
fn then_by_games_won() {
    let results = [
        (1, 2, '='),
        (1, 3, '='),
        (1, 4, '0'),
        (1, 5, '1'),
        (2, 3, '1'),
        (2, 4, '='),
        (2, 5, '='),
        (3, 4, '0'),
        (3, 5, '='),
        (4, 5, '0'),
    ];
    let (system, history) = played(5, &results);
    let table = system.standings(&history).unwrap();
    for entrant in [2, 4] {
        assert_eq!(points(&table, entrant), "2.5");
        assert_eq!(value(&table, entrant, Criterion::SmallScore), "4.25");
    }
    assert_eq!(value(&table, 4, Criterion::Wins), "2");
    assert_eq!(value(&table, 2, Criterion::Wins), "1");
    assert_eq!(places(&table)[..2], [(1, 4), (2, 2)]);
}

/// Article 15.1, 直胜. 2 and 5 have 2½ points, a small score of 4½ and two wins each; 5 beat 2.
#[test]
fn then_by_the_game_between_them() {
    let results = [
        (1, 2, '0'),
        (1, 3, '1'),
        (1, 4, '='),
        (1, 5, '='),
        (2, 3, '='),
        (2, 4, '1'),
        (2, 5, '0'),
        (3, 4, '='),
        (3, 5, '0'),
        (4, 5, '1'),
    ];
    let (system, history) = played(5, &results);
    let table = system.standings(&history).unwrap();
    for entrant in [2, 5] {
        assert_eq!(points(&table, entrant), "2.5");
        assert_eq!(value(&table, entrant, Criterion::SmallScore), "4.5");
        assert_eq!(value(&table, entrant, Criterion::Wins), "2");
    }
    assert_eq!(places(&table)[..2], [(1, 5), (2, 2)]);
}

/// Article 15.1, 犯规, and equal places. 1, 2 and 3 beat each other in a circle and all beat 4: nothing but fouls tells
/// them apart, and 1 has one; 2 and 3 share the first place and nobody is second.
#[test]
fn then_by_fouls_and_then_not_at_all() {
    let results = [(1, 2, '1'), (2, 3, '1'), (3, 1, '1'), (1, 4, '1'), (2, 4, '1'), (3, 4, '1')];
    let (system, mut history) = played(4, &results);
    let table = system.standings(&history).unwrap();
    assert_eq!(places(&table), [(1, 1), (1, 2), (1, 3), (4, 4)]);
    let game = history.games.iter_mut().find(|game| game.slot.red() == id(1)).unwrap();
    game.fouls = [1, 0];
    let table = system.standings(&history).unwrap();
    assert_eq!(places(&table), [(1, 2), (1, 3), (3, 1), (4, 4)]);
}

/// Article 15.2: a Swiss of three rounds of five, with a bye each round.
///
/// | | R1 | R2 | R3 | points |
/// |---|---|---|---|---|
/// | 1 | 3 won | 2 drawn | 4 drawn | 2 |
/// | 2 | 4 won | 1 drawn | bye | 2½ |
/// | 3 | 1 lost | bye | 5 won | 2 |
/// | 4 | 2 lost | 5 won | 1 drawn | 1½ |
/// | 5 | bye | 4 lost | 3 lost | 1 |
///
/// 对手分 of 1: 2 + 2½ + 1½ = 6. Of 3: 2 + 1, and the bye counts as the fewest points, 1: 4.
#[test]
fn swiss_places_by_opponents_scores() {
    let swiss = Swiss::new(5, 3, Format::SINGLE_GAME, 1).unwrap();
    let history = History {
        games: games(&[
            (1, 1, 1, 3, Outcome::RedWins),
            (1, 2, 2, 4, Outcome::RedWins),
            (2, 1, 2, 1, Outcome::Draw),
            (2, 2, 4, 5, Outcome::RedWins),
            (3, 1, 1, 4, Outcome::Draw),
            (3, 2, 5, 3, Outcome::BlackWins),
        ]),
        byes: vec![bye(1, 5), bye(2, 3), bye(3, 2)],
        ..History::default()
    };
    let table = swiss.standings(&history).unwrap();
    assert_eq!(places(&table), [(1, 2), (2, 1), (3, 3), (4, 4), (5, 5)]);
    assert_eq!(value(&table, 1, Criterion::OpponentScore), "6");
    assert_eq!(value(&table, 3, Criterion::OpponentScore), "4");
    assert_eq!(swiss.next(&history).unwrap(), Next::Finished);
}

/// Article 15.2, 胜局: after two rounds 1 (won, lost) and 2 (drawn, drawn) have one point and opponents with 2; then
/// fouls.
#[test]
fn swiss_then_by_games_won_and_fouls() {
    let swiss = Swiss::new(6, 2, Format::SINGLE_GAME, 1).unwrap();
    let mut history = History {
        games: games(&[
            (1, 1, 1, 4, Outcome::RedWins),
            (1, 2, 2, 5, Outcome::Draw),
            (1, 3, 3, 6, Outcome::RedWins),
            (2, 1, 3, 1, Outcome::RedWins),
            (2, 2, 6, 2, Outcome::Draw),
            (2, 3, 4, 5, Outcome::BlackWins),
        ]),
        ..History::default()
    };
    // 1: 4 has 0, 3 has 2. 2: 5 has 1½, 6 has ½.
    let table = swiss.standings(&history).unwrap();
    for entrant in [1, 2] {
        assert_eq!(points(&table, entrant), "1");
        assert_eq!(value(&table, entrant, Criterion::OpponentScore), "2");
    }
    assert_eq!(places(&table), [(1, 3), (2, 5), (3, 1), (4, 2), (5, 6), (6, 4)]);

    // After one round of draws only fouls differ: 2 and 1 in the first game.
    history.games = games(&[(1, 1, 1, 2, Outcome::Draw), (1, 2, 3, 4, Outcome::Draw)]);
    let swiss = Swiss::new(4, 1, Format::SINGLE_GAME, 1).unwrap();
    history.games[0].fouls = [2, 1];
    assert_eq!(places(&swiss.standings(&history).unwrap()), [(1, 3), (1, 4), (3, 2), (4, 1)]);
}

/// Articles 13.1 and 13.2: whose number stands first on the table has Red; in team matches Red on the odd boards.
#[test]
fn colors_of_boards() {
    let format = Format { boards: 4, games: 1 };
    let slots: Vec<GameSlot> = format.slots(encounter(1, 1, 3, 7)).collect();
    let reds: Vec<u16> = slots.iter().map(|slot| slot.red().number()).collect();
    let blacks: Vec<u16> = slots.iter().map(|slot| slot.black().number()).collect();
    assert_eq!((reds, blacks), (vec![3, 7, 3, 7], vec![7, 3, 7, 3]));
}

/// Article 13.5: in the second of two games colours are exchanged, in team matches on every board.
#[test]
fn colors_of_the_second_game() {
    let reds =
        |format: Format| -> Vec<u16> { format.slots(encounter(1, 1, 3, 7)).map(|slot| slot.red().number()).collect() };
    assert_eq!(reds(Format::TWO_GAMES), [3, 7]);
    assert_eq!(reds(Format { boards: 2, games: 2 }), [3, 7, 7, 3]);
}

/// Results of a team match as board outcomes.
fn team_match(round: u16, table: u16, first: u16, second: u16, outcomes: [Outcome; 4]) -> Vec<GameRecord> {
    let encounter = encounter(round, table, first, second);
    let slots = Format { boards: 4, games: 1 }.slots(encounter);
    slots.zip(outcomes).map(|(slot, outcome)| GameRecord { slot, outcome, fouls: [0, 0] }).collect()
}

/// Articles 14.2 and 15.3: match points 2, 1, 0; then board points, then games won, then the match between them.
///
/// 1 beat 2 by 2½ : 1½ (won 1, drawn 3), 2 beat 3 by 3 : 1 (won 2, drawn 2), 3 beat 1 by 2½ : 1½ (won 1, drawn 3).
/// Match points 2 each; board points 4, 4½, 3½.
#[test]
fn teams_by_match_points_and_board_points() {
    use Outcome::{BlackWins, Draw, RedWins};
    let system = RoundRobin::new(3, Cycles::Single, Format { boards: 4, games: 1 }).unwrap();
    // Berger for three: 2–3, then 1 with Red against 2, then 3 with Red against 1.
    let mut history = History::default();
    history.games.extend(team_match(1, 1, 2, 3, [RedWins, BlackWins, Draw, Draw]));
    history.games.extend(team_match(2, 1, 1, 2, [RedWins, Draw, Draw, Draw]));
    history.games.extend(team_match(3, 1, 3, 1, [Draw, BlackWins, Draw, Draw]));
    let table = system.standings(&history).unwrap();
    assert_eq!(places(&table), [(1, 2), (2, 1), (3, 3)]);
    for (entrant, boards) in [(1, "4"), (2, "4.5"), (3, "3.5")] {
        assert_eq!(points(&table, entrant), "2");
        assert_eq!(value(&table, entrant, Criterion::BoardPoints), boards);
    }

    // Three matches won by 2½ : 1½ leave 4 board points each.
    history.games.clear();
    history.games.extend(team_match(1, 1, 2, 3, [RedWins, Draw, Draw, Draw]));
    history.games.extend(team_match(2, 1, 1, 2, [RedWins, Draw, Draw, Draw]));
    history.games.extend(team_match(3, 1, 3, 1, [RedWins, RedWins, RedWins, Draw]));
    let table = system.standings(&history).unwrap();
    // Games won are 2, 1 and 2; the match between 1 and 3 went to 3.
    assert!(table.rows.iter().all(|row| row.points == Points::from_halves(4)));
    assert!((1..=3).all(|entrant| value(&table, entrant, Criterion::BoardPoints) == "4"));
    assert_eq!(places(&table), [(1, 3), (2, 1), (3, 2)]);
    assert_eq!(value(&table, 2, Criterion::Wins), "1");
}

/// Article 15.4: match points; then the opponents' match points.
#[test]
fn teams_in_a_swiss() {
    use Outcome::{Draw, RedWins};
    let swiss = Swiss::new(4, 2, Format { boards: 4, games: 1 }, 1).unwrap();
    let mut history = History::default();
    // 1 and 2 win their first matches, 1 beats 2, 3 draws with 4.
    history.games.extend(team_match(1, 1, 1, 3, [RedWins, Draw, Draw, Draw]));
    history.games.extend(team_match(1, 2, 2, 4, [RedWins, Draw, RedWins, Draw]));
    history.games.extend(team_match(2, 1, 1, 2, [RedWins, Draw, Draw, Draw]));
    history.games.extend(team_match(2, 2, 3, 4, [Draw, Draw, Draw, Draw]));
    let table = swiss.standings(&history).unwrap();
    // 3 met 1 (4) and 4 (1): 5. 4 met 2 (2) and 3 (1): 3.
    assert_eq!(places(&table), [(1, 1), (2, 2), (3, 3), (4, 4)]);
    assert_eq!((points(&table, 1), points(&table, 2), points(&table, 3)), ("4".into(), "2".into(), "1".into()));
    assert_eq!(value(&table, 3, Criterion::OpponentScore), "5");
    assert_eq!(value(&table, 4, Criterion::OpponentScore), "3");
    assert_eq!(value(&table, 2, Criterion::MatchWins), "1");
}

/// Article 15.5: the smaller sum of members' places; then the best member, the second best, and fouls.
#[test]
fn teams_by_the_places_of_their_members() {
    let teams = [
        (vec![1, 8, 9], 0),  // 18, best 1, second 8
        (vec![2, 3, 12], 0), // 17
        (vec![1, 7, 10], 0), // 18, best 1, second 7
        (vec![4, 5, 9], 0),  // 18, best 4
        (vec![4, 5, 9], 1),  // as before, with a foul
    ];
    assert_eq!(places_by_members(&teams), [3, 1, 2, 4, 5]);
    assert_eq!(places_by_members(&[(vec![1, 4], 0), (vec![4, 1], 0)]), [1, 1], "no difference: equal places");
}

/// Article 20.2: six of seven remain, an even number, and draw anew: five rounds without byes.
#[test]
fn leaving_before_the_start_of_a_round_robin() {
    let system = round_robin(7);
    let mut history = History::default();
    history.withdrawals.push(Withdrawal { entrant: id(3), before_start: true });
    let Next::Play(plan) = system.next(&history).unwrap() else { panic!("nothing to play") };
    assert_eq!(plan.games.len(), 15);
    assert!(plan.byes.is_empty());
    assert_eq!(plan.games.iter().map(|slot| slot.encounter.round).max(), Some(5));
    assert!(plan.games.iter().all(|slot| !slot.encounter.has(id(3))));

    // Of six, five remain, an odd number: the table stays and the empty seat is the bye.
    let system = round_robin(6);
    let Next::Play(plan) = system.next(&history).unwrap() else { panic!("nothing to play") };
    assert_eq!(plan.games.len(), 10);
    assert_eq!(plan.byes.len(), 5);
    let pairs: Vec<_> = plan.games[..2].iter().map(|slot| (slot.red().number(), slot.black().number())).collect();
    assert_eq!(pairs, [(1, 6), (2, 5)]);
    let table = system.standings(&history).unwrap();
    assert!(table.row(id(3)).unwrap().unranked);
    assert_eq!(table.rows.last().unwrap().entrant, id(3));
}

/// The first `rounds` rounds of a round robin in which the smaller number always wins.
fn rounds_of(system: &RoundRobin, rounds: u16) -> History {
    let mut history =
        play_all(system, |slot| if slot.red() < slot.black() { Outcome::RedWins } else { Outcome::BlackWins });
    history.games.retain(|game| game.slot.encounter.round <= rounds);
    history
}

/// Article 20.3: of seven opponents 1 has met three, fewer than half: everything is struck.
#[test]
fn leaving_a_round_robin_early() {
    let system = round_robin(8);
    let mut history = rounds_of(&system, 3);
    history.withdrawals.push(Withdrawal { entrant: id(1), before_start: false });
    let table = system.standings(&history).unwrap();
    // 1 beat 8, 2 and 3 (rounds 1 to 3 of the Berger table); it is as if they had not met.
    assert!(table.row(id(1)).unwrap().unranked);
    assert_eq!(table.row(id(1)).unwrap().games, 0);
    assert_eq!(table.row(id(2)).unwrap().games, 2);
    let cross = system.cross_table(&history).unwrap();
    assert!(
        cross
            .rows
            .last()
            .unwrap()
            .cells
            .iter()
            .all(|cell| matches!(cell, CrossCell::Own) || *cell == CrossCell::Games(String::new()))
    );
    let Next::Play(plan) = system.next(&history).unwrap() else { panic!("nothing to play") };
    assert!(plan.games.iter().all(|slot| !slot.encounter.has(id(1))));
}

/// Article 20.3: of seven opponents 1 has met four, more than half: the results stand, the others win without a game.
#[test]
fn leaving_a_round_robin_late() {
    let system = round_robin(8);
    let mut history = rounds_of(&system, 4);
    history.withdrawals.push(Withdrawal { entrant: id(1), before_start: false });
    let table = system.standings(&history).unwrap();
    let row = table.row(id(1)).unwrap();
    assert!(!row.unranked);
    assert_eq!((row.points.to_string(), row.games, row.won_drawn_lost), ("4".into(), 7, [4, 0, 3]));
    let cross = system.cross_table(&history).unwrap();
    let line = cross.rows.iter().find(|line| line.standing.entrant == id(1)).unwrap();
    let marks: String = line
        .cells
        .iter()
        .map(|cell| match cell {
            CrossCell::Own => "",
            CrossCell::Games(marks) => marks.as_str(),
        })
        .collect();
    assert_eq!(marks.chars().filter(|mark| *mark == '1').count(), 4);
    assert_eq!(marks.chars().filter(|mark| *mark == '-').count(), 3);
    // Half is enough: of four opponents, two.
    let system = round_robin(5);
    let mut history = rounds_of(&system, 2);
    history.withdrawals.push(Withdrawal { entrant: id(3), before_start: false });
    assert_eq!(history.games.iter().filter(|game| game.slot.encounter.has(id(3))).count(), 2);
    assert!(!system.standings(&history).unwrap().row(id(3)).unwrap().unranked);
}

/// Article 20.4: in a Swiss whoever leaves keeps the results, loses the game at hand and is not paired any more.
#[test]
fn leaving_a_swiss() {
    let swiss = Swiss::new(6, 3, Format::SINGLE_GAME, 3).unwrap();
    let mut history = History::default();
    let Next::Play(plan) = swiss.next(&history).unwrap() else { panic!("nothing to play") };
    history.announce(&plan);
    for slot in &plan.games[1..] {
        history.games.push(GameRecord { slot: *slot, outcome: Outcome::Draw, fouls: [0, 0] });
    }
    let gone = plan.games[0].red();
    let other = plan.games[0].black();
    history.withdrawals.push(Withdrawal { entrant: gone, before_start: false });
    let table = swiss.standings(&history).unwrap();
    assert_eq!(points(&table, gone.number()), "0");
    assert_eq!(points(&table, other.number()), "1");
    assert!(!table.row(gone).unwrap().unranked);
    let Next::Play(plan) = swiss.next(&history).unwrap() else { panic!("nothing to play") };
    assert_eq!((plan.games.len(), plan.byes.len()), (2, 1));
    assert!(plan.games.iter().all(|slot| !slot.encounter.has(gone) && slot.encounter.round == 2));
    assert_ne!(plan.byes[0].entrant, other, "a win without a game stands for a bye");
}

/// Articles 21.1 to 21.4: who is late loses, both if both are; marks + and -.
#[test]
fn games_not_played() {
    let system = round_robin(2);
    for (outcome, marks, points_of_first) in [
        (Outcome::RedForfeits, ["-", "+"], "0"),
        (Outcome::BlackForfeits, ["+", "-"], "1"),
        (Outcome::BothForfeit, ["-", "-"], "0"),
    ] {
        let history = play_all(&system, |_| outcome);
        let table = system.standings(&history).unwrap();
        assert_eq!(points(&table, 1), points_of_first);
        let cross = system.cross_table(&history).unwrap();
        for line in &cross.rows {
            let own = usize::from(line.standing.entrant.number()) - 1;
            let cell = line.cells.iter().find(|cell| **cell != CrossCell::Own).unwrap();
            assert_eq!(*cell, CrossCell::Games(marks[own].into()), "{outcome:?}");
        }
    }
}

/// Article 21.4: a team that stays away loses the match, which gives 2 match points.
#[test]
fn a_team_stays_away() {
    let system = RoundRobin::new(2, Cycles::Single, Format { boards: 2, games: 1 }).unwrap();
    let history =
        play_all(&system, |slot| if slot.red() == id(1) { Outcome::RedForfeits } else { Outcome::BlackForfeits });
    let table = system.standings(&history).unwrap();
    assert_eq!((points(&table, 1), points(&table, 2)), ("0".into(), "2".into()));
}

/// The cross table of the first example, as it is printed.
#[test]
fn cross_table_as_data() {
    let results = [(1, 2, '1'), (1, 3, '0'), (1, 4, '='), (2, 3, '1'), (2, 4, '1'), (3, 4, '=')];
    let (system, history) = played(4, &results);
    let cross = system.cross_table(&history).unwrap();
    let lines: Vec<String> = cross
        .rows
        .iter()
        .map(|line| {
            let cells: Vec<&str> = line
                .cells
                .iter()
                .map(|cell| match cell {
                    CrossCell::Own => "x",
                    CrossCell::Games(marks) => marks,
                })
                .collect();
            format!("{} {} {}", line.standing.entrant, cells.join(""), line.standing.points)
        })
        .collect();
    assert_eq!(lines, ["2 x011 2", "1 1x0½ 1.5", "3 01x½ 1.5", "4 0½½x 1"]);
    let text = serde_json::to_string(&cross).unwrap();
    assert_eq!(serde_json::from_str::<chuhe_arena::systems::CrossTable>(&text).unwrap(), cross);
}

/// What does not belong to a tournament is refused with its name.
#[test]
fn histories_of_other_tournaments() {
    let system = round_robin(4);
    let slot = |encounter: Encounter, board, game| GameSlot { encounter, board, game };
    let record = |slot| GameRecord { slot, outcome: Outcome::Draw, fouls: [0, 0] };
    let history = |games: Vec<GameRecord>| History { games, ..History::default() };
    let refuse = |history: &History| system.next(history).unwrap_err().to_string();

    let strange = history(vec![record(slot(encounter(1, 1, 1, 2), 1, 1))]);
    assert_eq!(
        refuse(&strange),
        "a result for stage 1, round 1, table 1 (1 against 2): expected an encounter that was announced"
    );
    let game = slot(encounter(1, 1, 1, 4), 2, 1);
    assert_eq!(
        refuse(&history(vec![record(game)])),
        "a result for board 2, game 1 of stage 1, round 1, table 1 (1 against 4): expected boards up to 1 and games up to 1"
    );
    let game = record(slot(encounter(1, 1, 1, 4), 1, 1));
    assert_eq!(
        refuse(&history(vec![game, game])),
        "a second result for board 1, game 1 of stage 1, round 1, table 1 (1 against 4): expected one"
    );
    let mut gone = History::default();
    gone.withdrawals.push(Withdrawal { entrant: EntrantId::new(9), before_start: false });
    assert_eq!(refuse(&gone), "entrant 9 in a withdrawal: expected a number from 1 to 4");
    let swiss = Swiss::new(4, 2, Format::SINGLE_GAME, 0).unwrap();
    let mut twice = history(vec![record(slot(encounter(1, 1, 1, 2), 1, 1))]);
    twice.encounters.push(encounter(1, 1, 3, 4));
    assert!(
        swiss.next(&twice).unwrap_err().to_string().contains("expected two different entrants at a table of their own")
    );
    assert!(Swiss::new(4, 4, Format::SINGLE_GAME, 0).unwrap_err().to_string().contains("expected 1 to 3"));
    assert!(RoundRobin::new(1, Cycles::Single, Format::SINGLE_GAME).is_err());
    assert!(RoundRobin::new(4, Cycles::Single, Format { boards: 0, games: 1 }).is_err());
}
