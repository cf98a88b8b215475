//! The search allocates nothing per node.

use chuhe_engine::{Control, Engine, Limits};
use chuhe_movegen::Board;
use chuhe_rules::Game;

#[test]
fn ten_times_the_nodes_allocate_no_more() {
    let game = Game::new(Board::startpos());
    let mut engine = Engine::new();
    let mut allocations = |nodes| {
        engine.new_game();
        let counted = allocation_counter::measure(|| {
            engine.search(&game, &Limits::nodes(nodes), &Control::new(), &mut |_| {});
        });
        counted.count_total
    };
    allocations(20_000);
    let (few, many) = (allocations(20_000), allocations(200_000));
    assert!(many < few + 50, "{few} allocations for 20,000 nodes, {many} for 200,000");
}
