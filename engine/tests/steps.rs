//! A search taken in steps is the same search.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use chuhe_engine::{Control, Engine, Event, Limits, Outcome, Slice, Strength};
use chuhe_movegen::{Board, Move};
use chuhe_rules::Game;

/// The opening, a middlegame, a mate by checks, an endgame.
const POSITIONS: [&str; 4] = [
    Board::START_FEN,
    "r2akab1r/3n5/1cn1b1c2/p1p1p1p1p/9/2P3P2/P3P3P/1CN1C1N2/9/R1BAKAB1R w - - 0 8",
    "3akab2/1C6c/N3b4/9/1N7/9/9/C8/n4p3/rc2K1p2 w - - 0 1",
    "5k3/9/9/2p6/9/9/4p4/3A5/3K5/5A3 w - - 0 1",
];

fn game(fen: &str) -> Game {
    Game::new(Board::from_composed_fen(fen).unwrap())
}

/// What a search tells, but for times.
#[derive(PartialEq, Debug)]
struct Told(Vec<(u32, u32, usize, i32, u64, Vec<Move>)>);

impl Told {
    fn hear(&mut self, event: &Event<'_>) {
        if let Event::Line(line) = event {
            let seen = (line.depth, line.seldepth, line.multipv, line.score.get(), line.nodes, line.pv.to_vec());
            self.0.push(seen);
        }
    }
}

fn at_once(mut engine: Engine, game: &Game, limits: &Limits) -> (Outcome, Told) {
    let mut told = Told(Vec::new());
    let outcome = engine.search(game, limits, &Control::new(), &mut |event| told.hear(event));
    (outcome, told)
}

fn in_slices(engine: Engine, game: &Game, limits: &Limits, slice: Slice) -> (Outcome, Told, u32) {
    let mut told = Told(Vec::new());
    let mut stepper = engine.begin(game, limits, &Control::new());
    for steps in 1.. {
        if let Some(outcome) = stepper.step(slice, &mut |event| told.hear(event)) {
            assert_eq!(stepper.step(slice, &mut |_| panic!("nothing more to tell")), Some(outcome.clone()));
            return (outcome, told, steps);
        }
    }
    unreachable!()
}

#[test]
fn one_call_and_a_thousand_slices_give_the_same() {
    for fen in POSITIONS {
        let game = game(fen);
        for limits in [Limits::depth(8), Limits::nodes(60_000), Limits::soft_nodes(30_000, 1 << 30)] {
            let expected = at_once(Engine::new(), &game, &limits);
            for slice in [Slice::Iteration, Slice::Nodes(100), Slice::Nodes(5_000)] {
                let (outcome, told, steps) = in_slices(Engine::new(), &game, &limits, slice);
                assert_eq!((&outcome, &told), (&expected.0, &expected.1), "{fen} {slice:?}");
                match slice {
                    Slice::Iteration => assert!(u64::from(steps) <= u64::from(outcome.depth) + 1),
                    // The search for mates takes its tenth in one piece.
                    Slice::Nodes(nodes) => assert!(u64::from(steps) >= outcome.nodes * 4 / 5 / nodes, "{steps}"),
                }
            }
        }
    }
}

#[test]
fn several_lines_and_weaker_levels_may_be_cut_too() {
    let game = game(POSITIONS[1]);
    let engine = |strength| {
        let mut engine = Engine::new();
        engine.options.multi_pv = 3;
        engine.options.strength = strength;
        engine.seed(7);
        engine
    };
    for strength in [Strength::Full, Strength::from_level(3)] {
        let expected = at_once(engine(strength), &game, &Limits::depth(7));
        let (outcome, told, _) = in_slices(engine(strength), &game, &Limits::depth(7), Slice::Nodes(777));
        assert_eq!((outcome, told), expected);
    }
}

#[test]
fn a_slice_is_as_long_as_asked() {
    let mut stepper = Engine::new().begin(&game(POSITIONS[1]), &Limits::default(), &Control::new());
    let mut nodes = Vec::new();
    for _ in 0..3 {
        assert_eq!(
            stepper.step(Slice::Iteration, &mut |event| {
                if let Event::Line(line) = event {
                    nodes.push((line.depth, line.nodes));
                }
            }),
            None
        );
    }
    let depths: Vec<u32> = nodes.iter().map(|&(depth, _)| depth).collect();
    assert_eq!(depths, [1, 2, 3]);
}

#[test]
fn a_search_is_stopped_between_steps() {
    let game = game(POSITIONS[1]);
    for slice in [Slice::Iteration, Slice::Nodes(20_000)] {
        let mut stepper = Engine::new().begin(&game, &Limits { infinite: true, ..Limits::default() }, &Control::new());
        let mut line = Vec::new();
        let mut hear = |event: &Event<'_>| {
            if let Event::Line(report) = event {
                line = report.pv.to_vec();
            }
        };
        for _ in 0..4 {
            assert_eq!(stepper.step(slice, &mut hear), None);
        }
        stepper.control().stop();
        let outcome = stepper.step(slice, &mut hear).expect("it was stopped");
        assert!(outcome.best.is_some() && outcome.best == line.first().copied());
        // The engine has learnt and can go on.
        let mut engine = stepper.into_engine();
        assert!(engine.search(&game, &Limits::depth(5), &Control::new(), &mut |_| {}).best.is_some());
    }
}

#[test]
fn a_search_is_dropped_between_steps() {
    let game = game(POSITIONS[1]);
    let unlimited = Limits { infinite: true, ..Limits::default() };
    // Before the first step, and in the midst.
    for steps in [0, 1, 5] {
        let mut stepper = Engine::new().begin(&game, &unlimited, &Control::new());
        for _ in 0..steps {
            stepper.step(Slice::Nodes(1_000), &mut |_| {});
        }
        let control = stepper.control().clone();
        drop(stepper);
        let start = Instant::now();
        while !control.is_stopped() {
            assert!(start.elapsed() < Duration::from_secs(20), "it goes on");
            std::thread::sleep(Duration::from_millis(1));
        }
        let mut stepper = Engine::new().begin(&game, &unlimited, &Control::new());
        for _ in 0..steps {
            stepper.step(Slice::Nodes(1_000), &mut |_| {});
        }
        assert!(stepper.into_engine().evaluation() == Engine::new().evaluation());
    }
}

#[test]
fn several_threads_wait_between_steps() {
    let mut engine = Engine::new();
    engine.options.threads = 3;
    let mut stepper = engine.begin(&game(POSITIONS[1]), &Limits::default(), &Control::new());
    let mut nodes = 0;
    let mut hear = |event: &Event<'_>| {
        if let Event::Line(line) = event {
            nodes = line.nodes;
        }
    };
    for _ in 0..8 {
        assert_eq!(stepper.step(Slice::Iteration, &mut hear), None);
    }
    stepper.control().stop();
    let outcome = stepper.step(Slice::Iteration, &mut hear).expect("it was stopped");
    assert!(outcome.best.is_some() && outcome.nodes > 0);
}

#[test]
fn a_side_without_moves_has_lost_at_once() {
    let game = game("3k5/9/9/9/9/9/9/9/4R4/3RK4 b - - 0 1");
    let mut stepper = Engine::new().begin(&game, &Limits { infinite: true, ..Limits::default() }, &Control::new());
    let outcome = stepper.step(Slice::Iteration, &mut |_| {}).expect("there is nothing to search");
    assert_eq!(outcome.best, None);
}

#[test]
fn a_host_without_threads_stops_a_search_from_its_poll() {
    let looks = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&looks);
    let control = Control::with_poll(move |control| {
        if counted.fetch_add(1, Ordering::Relaxed) == 20 {
            control.stop();
        }
    });
    let outcome = Engine::new().search(&game(POSITIONS[0]), &Limits::default(), &control, &mut |_| {});
    assert!(outcome.best.is_some());
    // The search for mates takes its tenth between two looks.
    assert!((20 * 1024..24 * 1024).contains(&outcome.nodes), "{} nodes", outcome.nodes);
    assert_eq!(looks.load(Ordering::Relaxed), 21);
}
