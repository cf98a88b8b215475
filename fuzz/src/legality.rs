//! What holds of every record that has been read.

use chuhe_movegen::Board;
use chuhe_records::{NodeId, Record};

/// Every move of every line is legal.
pub(crate) fn check_legality(record: &Record) {
    let mut boards: Vec<Board> = Vec::new();
    for (depth, id) in record.tree.walk() {
        boards.truncate(depth);
        boards.push(match record.tree.mv(id) {
            Some(mv) => boards[depth - 1].play(mv).expect("a legal move"),
            None => record.start.clone(),
        });
    }
    let game = record.to_game().expect("legal moves");
    assert_eq!(game.plies().len(), record.main_line().count() + 1);
    assert_eq!(record.tree.path_to(record.tree.end()).len() + 1, game.plies().len());
    assert_eq!(record.tree.parent(NodeId::ROOT), None);
}
