//! What the search does with tables of endgames.

use std::sync::LazyLock;

use chuhe_endgame::{Class, Tables, Value, build_in_memory};
use chuhe_engine::{Control, Engine, Event, Limits, Outcome, Score, Strength};
use chuhe_movegen::{Board, Color, Move};
use chuhe_rules::Game;
use serde_json::Value as Json;

/// Horse against two advisors, won in 43 plies, which is the longest mate of the class.
const WON: &str = "9/4a4/4ka3/8N/9/9/9/9/9/3K5 w";
/// Rook against two advisors and two elephants.
const DRAWN: &str = "2bak1b2/4a4/9/9/9/9/9/9/4R4/3K5 w";

fn game(fen: &str) -> Game {
    Game::new(Board::from_fen(fen).unwrap())
}

fn engine() -> Engine {
    let mut engine = Engine::new();
    engine.set_hash(1).unwrap();
    engine
}

fn search(engine: &mut Engine, game: &Game, nodes: u64) -> Outcome {
    engine.search(game, &Limits::nodes(nodes), &Control::new(), &mut |_| {})
}

/// Small classes with distances.
fn with_distances() -> Tables {
    static TABLES: LazyLock<Tables> = LazyLock::new(|| {
        let classes: Vec<Class> = ["KNvKA", "KRvKN", "KCAvKA"].map(|name| name.parse().unwrap()).to_vec();
        Tables::from_files(build_in_memory(&classes, &()).unwrap()).unwrap()
    });
    TABLES.clone()
}

/// Whether a piece, Red's in capitals, can ever come to this point, rows counted from Black's side.
fn may_stand(piece: char, row: usize, file: usize) -> bool {
    let rank = if piece.is_uppercase() { 9 - row } else { row };
    match piece.to_ascii_uppercase() {
        'K' => rank < 3 && (3..6).contains(&file),
        'A' => matches!((rank, file), (0 | 2, 3 | 5) | (1, 4)),
        'B' => matches!((rank, file), (0 | 4, 2 | 6) | (2, 0 | 4 | 8)),
        'P' => rank > 4 || (rank > 2 && file.is_multiple_of(2)),
        _ => true,
    }
}

/// Positions of a class by a fixed choice, legal ones with neither side mated.
fn samples(class: &str, count: usize) -> Vec<Board> {
    let (strong, weak) = class.split_once('v').unwrap();
    let pieces: Vec<char> = strong.chars().chain(weak.to_lowercase().chars()).collect();
    let mut seed = 1u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let mut boards = Vec::new();
    while boards.len() < count {
        let mut rows = [['1'; 9]; 10];
        for &piece in &pieces {
            let (mut row, mut file) = (random(10), random(9));
            while !may_stand(piece, row, file) || rows[row][file] != '1' {
                (row, file) = (random(10), random(9));
            }
            rows[row][file] = piece;
        }
        let placement = rows.map(|row| row.iter().collect::<String>()).join("/");
        let side = ["w", "b"][random(2)];
        if let Ok(board) = Board::from_fen(&format!("{placement} {side}"))
            && board.has_legal_move()
        {
            boards.push(board);
        }
    }
    boards
}

#[test]
fn proved_endgames_are_judged_rightly_at_once() {
    let text = include_str!("../../endgame/tests/data/proved.jsonl");
    let mut engine = engine();
    for case in text.lines().map(|line| serde_json::from_str::<Json>(line).unwrap()) {
        let game = game(case["fen"].as_str().unwrap());
        engine.new_game();
        let outcome = search(&mut engine, &game, 2000);
        let shown = chuhe_eval::shown(outcome.score.get());
        let sign = match case["result"].as_str().unwrap() {
            "red_win" => 1,
            "black_win" => -1,
            _ => 0,
        };
        let by_red = if game.board().side_to_move() == Color::Red { shown } else { -shown };
        let is_right = if sign == 0 { by_red.abs() <= 30 } else { by_red * sign >= 300 };
        assert!(is_right, "{}: {outcome:?}", case["id"]);
    }
}

#[test]
fn a_won_endgame_is_below_mates_and_above_evaluations_and_keeps_its_kind() {
    let win = -Score::table_loss(1);
    assert!(win > Score::new(chuhe_eval::EVAL_LIMIT) && win < -Score::rule_loss(100) && win < Score::mate_in(100));
    assert!(win.is_decided() && win.is_by_table() && !win.is_by_rule() && !win.is_mate());
    assert!(!Score::rule_loss(3).is_by_table() && !Score::mated_in(3).is_by_table() && !Score::ZERO.is_by_table());
}

#[test]
fn winning_moves_alone_are_played_and_the_win_is_told() {
    let mut engine = engine();
    let tables = Tables::embedded();
    let mut throwing_away = 0;
    for board in samples("KRvKAAB", 60).into_iter().chain(samples("KNPvKBB", 40)) {
        if tables.value(&board) != Some(Value::Win) {
            continue;
        }
        let others =
            board.legal_moves().iter().filter(|&&mv| tables.value(&board.make(mv)) != Some(Value::Loss)).count();
        throwing_away += others;
        let outcome = search(&mut engine, &Game::new(board.clone()), 500);
        assert!(outcome.score >= Score::TABLE_IN_MAX_PLY, "{}: {outcome:?}", board.to_fen());
        assert_eq!(tables.value(&board.make(outcome.best.unwrap())), Some(Value::Loss), "{}", board.to_fen());
    }
    assert!(throwing_away > 50, "only {throwing_away} moves would have thrown a win away");
}

#[test]
fn with_distances_every_win_is_brought_home_in_as_many_plies() {
    let tables = with_distances();
    let mut engine = engine();
    engine.set_tables(tables.clone());
    let mut won = 0;
    for board in ["KNvKA", "KRvKN", "KCAvKA"].into_iter().flat_map(|class| samples(class, 12)) {
        let Some(mut plies) = tables.probe(&board).unwrap().plies else { continue };
        won += 1;
        let mut game = Game::new(board.clone());
        while plies > 0 {
            let outcome = search(&mut engine, &game, 200);
            let is_winner = plies % 2 == 1;
            assert_eq!(
                outcome.score,
                if is_winner { Score::mate_in(plies.into()) } else { Score::mated_in(plies.into()) },
                "{}",
                game.board().to_fen()
            );
            game.play(outcome.best.unwrap()).unwrap();
            plies -= 1;
            assert_eq!(tables.probe(game.board()).unwrap().plies, Some(plies), "{}", game.board().to_fen());
        }
        assert!(!game.board().has_legal_move());
    }
    assert!(won > 20, "only {won} of the positions are won");
}

#[test]
fn a_mate_that_is_known_is_shown_to_its_end() {
    let mut engine = engine();
    engine.set_tables(with_distances());
    let game = game("3k5/4a4/9/9/9/9/9/4N4/9/4K4 w");
    let mut lines: Vec<(Score, Vec<Move>, u64)> = Vec::new();
    let outcome = engine.search(&game, &Limits::depth(3), &Control::new(), &mut |event| {
        if let Event::Line(report) = event {
            lines.push((report.score, report.pv.to_vec(), report.table_hits));
        }
    });
    let (score, pv, hits) = lines.last().unwrap();
    assert_eq!(*score, outcome.score);
    assert_eq!(score.mate_plies(), Some(pv.len() as i32));
    assert!(*hits >= game.board().legal_moves().len() as u64);
    let end = pv.iter().fold(game.board().clone(), |board, &mv| board.play(mv).unwrap());
    assert!(!end.has_legal_move());
}

#[test]
fn a_win_that_the_natural_limit_cuts_off_is_not_claimed() {
    let fen = |clock: u16| format!("{WON} - - {clock} 90");
    assert_eq!(Tables::embedded().value(game(WON).board()), Some(Value::Win));
    let mut engine = engine();
    // Without a distance the longest of the class counts: after a move from 75 the mate comes on ply 119 at the latest.
    for (clock, is_claimed) in [(0, true), (75, true), (76, false), (100, false)] {
        engine.new_game();
        let outcome = search(&mut engine, &game(&fen(clock)), 500);
        assert_eq!(outcome.score.is_by_table(), is_claimed, "{clock}: {outcome:?}");
    }
    engine.options.natural_limit = false;
    assert!(search(&mut engine, &game(&fen(100)), 500).score.is_by_table());
}

#[test]
fn levels_below_full_strength_and_a_switch_leave_tables_unasked() {
    let hits = |engine: &mut Engine| {
        let mut hits = 0;
        engine.search(&game(DRAWN), &Limits::nodes(2000), &Control::new(), &mut |event| {
            if let Event::Line(report) = event {
                hits = report.table_hits;
            }
        });
        hits
    };
    let mut engine = engine();
    assert!(hits(&mut engine) > 0);
    engine.options.strength = Strength::from_level(19);
    assert_eq!(hits(&mut engine), 0);
    engine.options.strength = Strength::Full;
    engine.options.use_tables = false;
    assert_eq!(hits(&mut engine), 0);
}

#[test]
fn the_search_sees_what_a_capture_leads_to() {
    // Black can give a piece to reach the fortress of two advisors and two elephants, which a search without tables
    // thinks lost.
    let game = game("2bakab2/9/9/9/9/9/4n4/9/4R4/3K5 w");
    let mut engine = engine();
    let outcome = search(&mut engine, &game, 20_000);
    engine.options.use_tables = false;
    engine.new_game();
    let blind = search(&mut engine, &game, 20_000);
    assert!(outcome.score.get() < blind.score.get(), "{outcome:?} {blind:?}");
}
