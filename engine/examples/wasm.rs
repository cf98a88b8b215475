//! The engine in WebAssembly, without threads, clock or system, to be called by `scripts/wasm_bench.mjs`: there every
//! search must visit the nodes that it visits elsewhere.

use std::sync::atomic::{AtomicU64, Ordering};

use chuhe_engine::{Control, Engine, Limits, Slice};
use chuhe_movegen::Board;
use chuhe_rules::Game;

#[path = "../../src/bench/positions.rs"]
mod positions;

/// Sums up the nodes of a search of every position of `chuhe bench`, each by a new game.
fn sum(mut search: impl FnMut(Engine, &Game) -> (Engine, u64)) -> u64 {
    let mut engine = Engine::new();
    // The smallest memory will do.
    let _ = engine.set_hash(16);
    let mut total = 0;
    for fen in positions::FENS {
        let Ok(board) = Board::from_fen(fen) else { return 0 };
        engine.new_game();
        let (searched, nodes) = search(engine, &Game::new(board));
        engine = searched;
        total += nodes;
    }
    total
}

/// Nodes of `chuhe bench` at this depth.
#[unsafe(no_mangle)]
pub extern "C" fn bench(depth: u32) -> u64 {
    sum(|mut engine, game| {
        let nodes = engine.search(game, &Limits::depth(depth), &Control::new(), &mut |_| {}).nodes;
        (engine, nodes)
    })
}

/// The same with each search taken in steps.
#[unsafe(no_mangle)]
pub extern "C" fn stepped_bench(depth: u32) -> u64 {
    sum(|engine, game| {
        let mut stepper = engine.begin(game, &Limits::depth(depth), &Control::new());
        let outcome = loop {
            if let Some(outcome) = stepper.step(Slice::Nodes(1_000), &mut |_| {}) {
                break outcome;
            }
        };
        (stepper.into_engine(), outcome.nodes)
    })
}

/// Nodes of an endless search that the host stops when it looks in for this many a time.
#[unsafe(no_mangle)]
pub extern "C" fn stopped(looks: u64) -> u64 {
    let seen = AtomicU64::new(0);
    let control = Control::with_poll(move |control| {
        if seen.fetch_add(1, Ordering::Relaxed) + 1 >= looks {
            control.stop();
        }
    });
    let limits = Limits { infinite: true, ..Limits::default() };
    Engine::new().search(&Game::new(Board::startpos()), &limits, &control, &mut |_| {}).nodes
}
