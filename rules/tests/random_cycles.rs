//! Properties of the judge over random games that end by repetition.

mod cycles;

use chuhe_movegen::{Board, Color, Move};
use chuhe_rules::{Game, Judgement, Ply, RuleSet, Verdict, Window, find_cycle, find_repetition};
use cycles::json_line;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn random_cycles(count: usize, seed: u64) -> impl Iterator<Item = Game> {
    cycles::cycles(seed).take(count)
}

fn transformed(game: &Game, board: impl Fn(&Board) -> Board, turn: impl Fn(Move) -> Move) -> Game {
    let mut other = Game::new(board(game.start()));
    for mv in game.moves() {
        other.play(turn(mv)).unwrap();
    }
    other
}

const ALL: [RuleSet; 7] = [
    RuleSet::COMPUTER,
    RuleSet::ASIAN,
    RuleSet::CHINESE,
    RuleSet::CHINESE_1999,
    RuleSet::CHINESE_OLD,
    RuleSet::CHECK_ONLY,
    RuleSet::ALWAYS_DRAW,
];

#[test]
fn verdicts_do_not_depend_on_the_point_of_view() {
    for game in random_cycles(1_000, 1) {
        let mirrored = transformed(&game, Board::mirror_files, Move::mirror_file);
        let turned = transformed(&game, Board::swap_colors, Move::rotate);
        for rules in ALL {
            let verdict = game.verdict(&rules);
            assert_eq!(mirrored.verdict(&rules), verdict, "{}", json_line(rules.name(), &game));
            let swapped = match verdict {
                Verdict::Loses(color) => Verdict::Loses(!color),
                same => same,
            };
            assert_eq!(turned.verdict(&rules), swapped, "{}", json_line(rules.name(), &game));
        }
    }
}

#[test]
fn the_short_way_to_a_verdict_agrees() {
    let mut losses = [0; ALL.len()];
    for game in random_cycles(1_000, 2) {
        for (rules, losses) in ALL.iter().zip(&mut losses) {
            let ruling = game.ruling(rules);
            assert_eq!(game.verdict(rules), ruling.verdict, "{}", json_line(rules.name(), &game));
            *losses += u32::from(matches!(ruling.verdict, Verdict::Loses(_)));
            let judged = ruling.repetition.unwrap();
            // The classes and the pattern tell the same story.
            for color in Color::ALL {
                let own = || judged.moves.iter().filter(|judged| judged.mover == color);
                let is_check = own().all(|judged| judged.to_string() == "check");
                assert_eq!(judged.patterns[color.index()].is_perpetual_check(), is_check);
            }
        }
    }
    // The properties above must not hold for want of offences.
    assert!(losses[..6].iter().all(|&losses| losses >= 10), "{losses:?}");
    assert_eq!(losses[6], 0);
}

/// The same by its definition: the latest earlier occurrences, looked for from every position back.
fn repetition_by_walking_back(line: &[Ply]) -> Option<Window> {
    let mut twice = None;
    for last in 0..line.len() {
        let Some(second) = find_cycle(&line[..=last], 0) else { continue };
        if let Some(first) = find_cycle(&line[..=second.first], 0) {
            return Some(Window { first: first.first, second: second.first, third: Some(last) });
        }
        twice = twice.or(Some(Window { first: second.first, second: last, third: None }));
    }
    twice
}

#[test]
fn repetitions_are_found_in_games_that_wander() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let (mut twice, mut thrice) = (0, 0);
    for _ in 0..500 {
        // Few pieces, so that positions come again; now and then one is taken.
        let mut game = Game::new(Board::from_fen("3k5/9/5a3/9/9/9/2p6/9/4A4/4KC3 w - - 0 1").unwrap());
        for _ in 0..rng.random_range(20..120) {
            let moves = game.board().legal_moves();
            let slow: Vec<Move> = moves
                .iter()
                .copied()
                .filter(|mv| {
                    mv.from().file().abs_diff(mv.to().file()) <= 1 && mv.from().rank().abs_diff(mv.to().rank()) <= 1
                })
                .collect();
            let Some(&mv) = slow.get(rng.random_range(0..slow.len().max(1))) else { break };
            game.play(mv).unwrap();
        }
        let found = find_repetition(game.plies());
        assert_eq!(found, repetition_by_walking_back(game.plies()), "{:?}", game.moves().collect::<Vec<_>>());
        match found {
            Some(Window { third: Some(_), .. }) => thrice += 1,
            Some(_) => twice += 1,
            None => {}
        }
    }
    assert!(twice > 50 && thrice > 50, "{twice} {thrice}");
}

#[test]
fn perpetual_check_is_what_everybody_punishes() {
    for game in random_cycles(2_000, 3) {
        let by_checks = game.verdict(&RuleSet::CHECK_ONLY);
        if let Verdict::Loses(_) = by_checks {
            for rules in [RuleSet::COMPUTER, RuleSet::ASIAN, RuleSet::CHINESE, RuleSet::CHINESE_1999] {
                assert_eq!(game.verdict(&rules), by_checks, "{}", json_line(rules.name(), &game));
            }
        }
        let ending = game.ending(&RuleSet::CHECK_ONLY);
        let expected = match by_checks {
            Verdict::Loses(color) => Judgement::Loses(color),
            _ => Judgement::Draw,
        };
        assert_eq!(ending, Some(chuhe_rules::Ending::Repetition(expected)));
    }
}
