//! The contract of [`Engine::search`], seen from outside.

use std::collections::HashSet;
use std::thread;
use std::time::{Duration, Instant};

use chuhe_engine::{Bound, Clock, Control, Engine, Event, Limits, Outcome, Score, Strength};
use chuhe_movegen::{Board, Move};
use chuhe_rules::Game;

const MIDDLEGAME: &str = "r2akab1r/3n5/1cn1b1c2/p1p1p1p1p/9/2P3P2/P3P3P/1CN1C1N2/9/R1BAKAB1R w - - 0 8";

fn game(fen: &str) -> Game {
    Game::new(Board::from_fen(fen).unwrap())
}

fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|mv| mv.parse().unwrap()).collect()
}

fn search(fen: &str, limits: Limits) -> Outcome {
    Engine::new().search(&game(fen), &limits, &Control::new(), &mut |_| {})
}

#[test]
fn the_same_search_visits_the_same_nodes() {
    for fen in [Board::START_FEN, MIDDLEGAME] {
        let first = search(fen, Limits::depth(9));
        assert_eq!(first, search(fen, Limits::depth(9)));
        assert!(first.nodes > 1000);
        let mut engine = Engine::new();
        let run = |engine: &mut Engine| engine.search(&game(fen), &Limits::depth(9), &Control::new(), &mut |_| {});
        run(&mut engine);
        engine.new_game();
        assert_eq!(run(&mut engine), first, "a new game forgets the old one");
    }
}

#[test]
fn one_thread_keeps_its_node_limit_exactly() {
    for limit in [1_000, 12_345, 50_000] {
        let nodes = search(MIDDLEGAME, Limits::nodes(limit)).nodes;
        // The search for mates takes its share at the end of an iteration.
        assert!((limit..limit + limit / 8).contains(&nodes), "{nodes} of {limit}");
    }
}

#[test]
fn a_soft_node_limit_completes_the_iteration() {
    for soft in [1, 500, 1_000, 20_000] {
        let outcome = search(MIDDLEGAME, Limits::soft_nodes(soft, 1 << 20));
        assert_eq!(outcome, search(MIDDLEGAME, Limits::depth(outcome.depth)), "as if only the depth had been limited");
        assert!(outcome.nodes >= soft);
        let shallower = search(MIDDLEGAME, Limits::depth(outcome.depth - 1));
        assert!(outcome.depth == 1 || shallower.nodes < soft, "{} nodes were enough for {soft}", shallower.nodes);
    }
    let nodes = search(MIDDLEGAME, Limits::soft_nodes(1_000_000, 10_000)).nodes;
    assert!((10_000..12_000).contains(&nodes), "{nodes} nodes, of which the hard limit allows 10000");
}

#[test]
fn lines_are_legal_ordered_and_complete() {
    let game = game(MIDDLEGAME);
    for multi_pv in [1, 4, 500] {
        let mut engine = Engine::new();
        engine.options.multi_pv = multi_pv;
        let lines = multi_pv.min(game.board().legal_moves().len());
        let mut seen: Vec<(usize, Score, Move)> = Vec::new();
        let mut depths = HashSet::new();
        let outcome = engine.search(&game, &Limits::depth(6), &Control::new(), &mut |event| {
            let Event::Line(report) = event else { return };
            assert_eq!(report.bound, Bound::Exact);
            assert!(report.seldepth >= 1 && report.nodes > 0 && report.hashfull <= 1000);
            let mut line = game.clone();
            report.pv.iter().for_each(|&mv| line.play(mv).expect("a legal line"));
            if report.multipv == 1 {
                seen.clear();
                depths.insert(report.depth);
            }
            seen.push((report.multipv, report.score, report.pv[0]));
        });
        assert_eq!(depths.len(), 6);
        assert_eq!(seen.len(), lines);
        assert!(seen.windows(2).all(|pair| pair[0].0 + 1 == pair[1].0 && pair[0].1 >= pair[1].1));
        assert_eq!(seen.iter().map(|line| line.2).collect::<HashSet<_>>().len(), lines);
        assert_eq!(outcome.best, Some(seen[0].2));
        assert_eq!(outcome.score, seen[0].1);
    }
}

#[test]
fn there_is_always_a_move_when_one_is_allowed() {
    let control = Control::new();
    control.stop();
    let outcome = Engine::new().search(&game(MIDDLEGAME), &Limits::default(), &control, &mut |_| {});
    assert!(game(MIDDLEGAME).board().legal_moves().contains(&outcome.best.unwrap()));

    let only = Limits { search_moves: moves("a0a1"), ..Limits::depth(4) };
    assert_eq!(search(MIDDLEGAME, only).best, moves("a0a1").first().copied());
    let free = search(MIDDLEGAME, Limits::depth(4)).best.unwrap();
    let banned = Limits { banned_moves: vec![free], ..Limits::depth(4) };
    assert_ne!(search(MIDDLEGAME, banned).best, Some(free));
    let all = game(MIDDLEGAME).board().legal_moves().to_vec();
    assert_eq!(search(MIDDLEGAME, Limits { banned_moves: all, ..Limits::depth(4) }).best, None);
}

#[test]
fn a_side_without_moves_has_lost() {
    // Checkmate by rook and rook, and a king that a pawn shuts in without giving check (困毙).
    for fen in ["3k5/9/9/9/9/9/9/9/4R4/3RK4 b - - 0 1", "3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1"] {
        let outcome = search(fen, Limits::depth(3));
        assert_eq!((outcome.best, outcome.score), (None, Score::mated_in(0)));
    }
    // Stalemating wins as mating does: a step of the pawn leaves Black no move.
    let fen = "3k5/9/4P4/9/9/9/9/9/9/4K4 w - - 0 1";
    let outcome = search(fen, Limits::depth(4));
    assert_eq!(outcome.score, Score::mate_in(1));
    let next = game(fen).board().make(outcome.best.unwrap());
    assert!(!next.has_legal_move() && !next.in_check());
}

#[test]
fn perpetual_check_is_not_a_refuge() {
    // World Xiangqi Federation manual, diagram 1: the rook could check for ever; by rule that loses.
    let mut game = game("c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1");
    for mv in moves("h8h9 f9f8 h9h8 f8f9 h8h9 f9f8") {
        game.play(mv).unwrap();
    }
    let outcome = Engine::new().search(&game, &Limits::depth(10), &Control::new(), &mut |_| {});
    assert_ne!(outcome.best, moves("h9h8").first().copied(), "the move that completes the perpetual check");
}

#[test]
fn endless_checks_fit_the_stack() {
    // The rook may check for ever, so both searches go as deep as they can.
    let limits = Limits::nodes(3_000_000);
    let fen = "c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1";
    let run = move || Engine::new().search(&game(fen), &limits, &Control::new(), &mut |_| {});
    // Whatever little stack the caller has.
    let outcome = thread::Builder::new().stack_size(128 << 10).spawn(run).unwrap().join().unwrap();
    assert!(outcome.best.is_some());
}

#[test]
fn move_time_is_kept() {
    let start = Instant::now();
    search(MIDDLEGAME, Limits::move_time(Duration::from_millis(200)));
    let elapsed = start.elapsed();
    assert!(elapsed >= Duration::from_millis(150) && elapsed < Duration::from_millis(800), "{elapsed:?}");
}

#[test]
fn a_bare_clock_gets_an_answer_at_once() {
    for remaining in [0, 1, 20] {
        let clock = Clock { remaining: Duration::from_millis(remaining), ..Clock::default() };
        let mut engine = Engine::new();
        engine.prepare();
        let start = Instant::now();
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        let outcome = engine.search(&game(MIDDLEGAME), &limits, &Control::new(), &mut |_| {});
        assert!(outcome.best.is_some() && start.elapsed() < Duration::from_millis(80), "{:?}", start.elapsed());
    }
}

/// Runs a search on another thread; gives its control and a handle for its outcome.
fn spawn(fen: &'static str, limits: Limits) -> (Control, thread::JoinHandle<Outcome>) {
    let control = Control::new();
    let shared = control.clone();
    let handle = thread::spawn(move || Engine::new().search(&game(fen), &limits, &shared, &mut |_| {}));
    (control, handle)
}

const MATE_IN_ONE: &str = "3k5/9/9/9/9/9/9/8R/4R4/4K4 w - - 0 1";

#[test]
fn infinite_and_ponder_searches_wait() {
    let (control, handle) = spawn(MATE_IN_ONE, Limits { infinite: true, ..Limits::default() });
    thread::sleep(Duration::from_millis(100));
    assert!(!handle.is_finished());
    control.stop();
    assert!(handle.join().unwrap().score.is_mate());

    for limits in [Limits::depth(2), Limits::move_time(Duration::ZERO), Limits::nodes(10), Limits::default()] {
        let (control, handle) = spawn(MATE_IN_ONE, Limits { ponder: true, ..limits });
        thread::sleep(Duration::from_millis(50));
        assert!(!handle.is_finished());
        control.ponder_hit();
        handle.join().unwrap();
    }
}

#[test]
fn many_threads_end_together() {
    let control = Control::new();
    let shared = control.clone();
    let handle = thread::spawn(move || {
        let mut engine = Engine::new();
        engine.options.threads = 8;
        engine.search(&game(MIDDLEGAME), &Limits { infinite: true, ..Limits::default() }, &shared, &mut |_| {})
    });
    thread::sleep(Duration::from_millis(300));
    control.stop();
    let outcome = handle.join().unwrap();
    assert!(game(MIDDLEGAME).board().legal_moves().contains(&outcome.best.unwrap()));
    assert!(outcome.nodes > 0);
}

#[test]
fn a_refused_hash_size_keeps_the_old_table() {
    let mut engine = Engine::new();
    engine.set_hash(8).unwrap();
    let refused = engine.set_hash(usize::MAX >> 21).unwrap_err();
    assert_eq!(refused.kept_mib, 8);
    let outcome = engine.search(&game(MIDDLEGAME), &Limits::depth(4), &Control::new(), &mut |_| {});
    assert!(outcome.best.is_some());
    let known = engine.prober().probe(&game(MIDDLEGAME)).expect("the root is in the table");
    assert_eq!(known.best, outcome.best);
}

#[test]
fn weak_levels_do_not_hang_the_rook_from_level_three_on() {
    // Red's rook on h4 stands under attack by the cannon's rook-like neighbour: it must move or be protected.
    let fens = [
        "r2akab2/9/2n1b1n2/p1p1p1p1p/7r1/2P4R1/P3P1P1P/1C2C1N2/9/RNBAKAB2 w - - 0 10",
        "2bakab1r/9/n1c4c1/p1p1p1p1p/9/2P2N3/P3P1P1P/1C2B3C/4A4/RN1AK1B1R w - - 0 10",
    ];
    for fen in fens {
        for level in [3, 6, 10, 15, 19] {
            for seed in 0..if level < 10 { 20 } else { 3 } {
                let mut engine = Engine::new();
                engine.options.strength = Strength::from_level(level);
                engine.seed(seed);
                let game = game(fen);
                let best = engine
                    .search(&game, &Limits::move_time(Duration::from_secs(1)), &Control::new(), &mut |_| {})
                    .best
                    .unwrap();
                let next = game.board().make(best);
                let loses_rook = next.legal_moves().iter().any(|&reply| {
                    next.piece_at(reply.to()).is_some_and(|piece| piece.kind == chuhe_movegen::PieceType::Rook)
                        && next.see_at_least(reply, 500)
                });
                assert!(!loses_rook, "level {level} seed {seed}: {best} in {fen}");
            }
        }
    }
}
