//! Books of games.

use chuhe_book::{Book, GameCounts};
use chuhe_movegen::{Board, Move};

fn moves(text: &str) -> impl Iterator<Item = Move> {
    text.split(' ').map(|word| word.parse().expect("a move"))
}

#[test]
fn a_move_weighs_as_many_games_as_chose_it() {
    let start = Board::startpos();
    let mut counts = GameCounts::default();
    // The second game is the mirror image of the first, the fourth begins with an illegal move.
    for game in ["h2e2 h9g7", "b2e2 b9c7", "h2e2 b9c7 h0g2", "a0a5 h9g7"] {
        counts.add(&start, moves(game));
    }
    let weights = |board: &Board, least: u32| {
        let book = Book::from_bytes(&counts.build(least)).expect("our own book");
        book.probe(board).iter().map(|entry| (entry.mv.to_string(), entry.weight)).collect::<Vec<_>>()
    };
    assert_eq!(weights(&start, 1).iter().map(|(_, weight)| weight).max(), Some(&3));
    let after = start.play("h2e2".parse().expect("a move")).expect("legal");
    assert_eq!(weights(&after, 1), [("h9g7".to_owned(), 2), ("b9c7".to_owned(), 1)]);
    assert_eq!(weights(&after, 2), [("h9g7".to_owned(), 2)]);
    assert!(weights(&after, 3).is_empty());
}
