//! The text of a game that grows by a move or two between requests.

use chuhe_movegen::{Board, Move};
use chuhe_protocol::{Command, Dialect, Position, Ranks, Start, WireMove};
use chuhe_rules::Game;

use crate::{FenLetters, HistoryFrom};

/// The `position` command of a game, of which only what is new is written each time.
pub(crate) struct PositionText {
    dialect: Dialect,
    ranks: Ranks,
    letters: FenLetters,
    history: HistoryFrom,
    /// Where the moves begin: which ply, and the key of its position.
    root: Option<(usize, u64)>,
    text: Vec<u8>,
    moves: Vec<Move>,
    /// The length of the text before each move.
    ends: Vec<usize>,
}

impl PositionText {
    pub(crate) fn new(dialect: Dialect, ranks: Ranks, letters: FenLetters, history: HistoryFrom) -> PositionText {
        PositionText {
            dialect,
            ranks,
            letters,
            history,
            root: None,
            text: Vec::new(),
            moves: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// Forgets the game.
    pub(crate) fn clear(&mut self) {
        self.root = None;
    }

    /// The command for the current position of `game`, without a line end.
    pub(crate) fn update(&mut self, game: &Game) -> &[u8] {
        let plies = match self.history {
            HistoryFrom::Start => game.plies(),
            HistoryFrom::Capture => game.reversible_tail(),
        };
        let board = &plies[0].board;
        let root = Some((game.plies().len() - plies.len(), board.key()));
        if self.root != root {
            self.root = root;
            self.moves.clear();
            self.ends.clear();
            self.text = Command::Position(Position::new(self.start(board), Vec::new())).to_line(self.dialect);
        }
        let moves = || plies.iter().filter_map(|ply| ply.mv).skip(usize::from(plies[0].mv.is_some()));
        let common = self.moves.iter().zip(moves()).take_while(|&(&known, mv)| known == mv).count();
        if let Some(&end) = self.ends.get(common) {
            self.text.truncate(end);
            self.moves.truncate(common);
            self.ends.truncate(common);
        }
        for mv in moves().skip(common) {
            self.ends.push(self.text.len());
            let word = if self.moves.is_empty() { " moves " } else { " " };
            self.text.extend_from_slice(word.as_bytes());
            self.text.extend_from_slice(WireMove::new(mv, self.ranks).to_string().as_bytes());
            self.moves.push(mv);
        }
        &self.text
    }

    fn start(&self, board: &Board) -> Start {
        let fen = board.to_fen();
        // UCCI interfaces send a FEN even here, and some engines know nothing else.
        if self.history == HistoryFrom::Start && fen == Board::START_FEN {
            Start::Startpos
        } else {
            Start::Fen(self.letters.apply(&fen))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(position: &mut PositionText, game: &Game) -> String {
        String::from_utf8(position.update(game).to_vec()).unwrap()
    }

    fn play(game: &mut Game, moves: &str) {
        for mv in moves.split_whitespace() {
            game.play(mv.parse().unwrap()).unwrap();
        }
    }

    #[test]
    fn uci_gets_the_whole_game() {
        let mut position =
            PositionText::new(Dialect::Uci, Ranks::FromOne, FenLetters::KnightBishop, HistoryFrom::Start);
        let mut game = Game::new(Board::startpos());
        assert_eq!(text(&mut position, &game), "position startpos");
        play(&mut game, "h2e2 h9g7");
        assert_eq!(text(&mut position, &game), "position startpos moves h3e3 h10g8");
        // A reply that was expected, and another that came.
        let mut expected = game.clone();
        play(&mut expected, "h0g2 g6g5");
        assert_eq!(text(&mut position, &expected), "position startpos moves h3e3 h10g8 h1g3 g7g6");
        play(&mut game, "h0g2 i9h9");
        assert_eq!(text(&mut position, &game), "position startpos moves h3e3 h10g8 h1g3 i10h10");
        // A new game that begins in the same way.
        position.clear();
        let mut game = Game::new(Board::startpos());
        play(&mut game, "h2e2");
        assert_eq!(text(&mut position, &game), "position startpos moves h3e3");
    }

    #[test]
    fn ucci_gets_what_came_after_the_last_capture() {
        let mut position =
            PositionText::new(Dialect::Ucci, Ranks::FromZero, FenLetters::KnightBishop, HistoryFrom::Capture);
        let mut game = Game::new(Board::startpos());
        play(&mut game, "h2e2");
        assert_eq!(text(&mut position, &game), format!("position fen {} moves h2e2", Board::START_FEN));
        let mut other = game.clone();
        play(&mut game, "h9g7 e2e6");
        let fen = "rnbakab1r/9/1c4nc1/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 2";
        assert_eq!(text(&mut position, &game), format!("position fen {fen}"));
        play(&mut game, "g7e6 b2e2");
        let fen = "rnbakab1r/9/1c5c1/p1p1n1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR w - - 0 3";
        assert_eq!(text(&mut position, &game), format!("position fen {fen} moves b2e2"));
        // Another capture at the same place of the game.
        play(&mut other, "b9c7 e2e6");
        let fen = "r1bakabnr/9/1cn4c1/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 2";
        assert_eq!(text(&mut position, &other), format!("position fen {fen}"));
    }

    #[test]
    fn letters_are_those_of_the_engine() {
        let mut position =
            PositionText::new(Dialect::Uci, Ranks::FromOne, FenLetters::HorseElephant, HistoryFrom::Start);
        let game = Game::new(Board::from_fen("3k5/9/n8/9/9/9/9/4B4/9/4K4 b - - 2 9").unwrap());
        assert_eq!(text(&mut position, &game), "position fen 3k5/9/h8/9/9/9/9/4E4/9/4K4 b - - 2 9");
    }
}
