//! Games of the engine against itself, move by move through the pipe, refereed by the rules.

use chuhe_movegen::Board;
use chuhe_rules::{Game, RuleSet};

use crate::among_others;
use crate::client::{Client, best_move};

const MAX_PLIES: usize = 120;

#[test]
fn a_game_of_legal_moves() {
    let _machine = among_others();
    for dialect in ["ucci", "uci"] {
        let mut client = Client::start_in(dialect);
        client.send("setoption usebook false");
        let mut game = Game::new(Board::startpos());
        let mut moves = String::new();
        while game.ending(&RuleSet::COMPUTER).is_none() && game.plies().len() <= MAX_PLIES {
            client.transcript.clear();
            client.send(&format!("position startpos moves{moves}"));
            client.send("go nodes 4000");
            let (_, line) = client.expect_terminal();
            let best = best_move(&line).unwrap_or_else(|| panic!("no move in a running game: {line}\n{moves}"));
            let mv = best.parse().unwrap_or_else(|error| panic!("{best}: {error}"));
            game.play(mv).unwrap_or_else(|error| panic!("{error} after{moves}"));
            moves.push(' ');
            moves.push_str(best);
        }
        assert!(game.plies().len() > 20, "a very short game:{moves}");
    }
}
