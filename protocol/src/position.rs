//! A position as a GUI describes it.

use chuhe_movegen::Move;

use crate::token::{Tokens, lossy};
use crate::wire_move::{Ranks, WireMove, excerpt};

/// Where the moves of a [`Position`] begin.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Start {
    /// The start position of the game.
    Startpos,
    /// A FEN text, not validated. Its fields are separated by single blanks, and the two unused fields are `- -`
    /// however the GUI wrote them (gmchess glues the dashes together, others write three).
    Fen(String),
}

/// How a [`Position`] was written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum PositionForm {
    /// `position fen …` or `position startpos …`.
    #[default]
    Full,
    /// `fen …` or `startpos …`, the short forms of UCI-Cyclone.
    Short,
    /// `position <FEN>`, the word `fen` left out.
    Bare,
}

/// A position and the moves that led on from it.
///
/// UCCI GUIs send the position after the last capture and the quiet moves since; others send the whole game or the
/// current position alone. All of them look alike here.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// Where the moves begin.
    pub start: Start,
    /// The moves up to the end of the list or to the first that could not be read. Legality is not checked.
    pub moves: Vec<Move>,
    /// The first word of the list that is not a move, shortened; the moves behind it were dropped.
    pub unreadable: Option<String>,
    /// How the list counts its ranks; answers should be given in kind.
    pub ranks: Ranks,
    /// How the command was written.
    pub form: PositionForm,
}

impl Position {
    /// A position to be sent in the full form with ranks 0–9.
    pub fn new(start: Start, moves: Vec<Move>) -> Position {
        Position { start, moves, unreadable: None, ranks: Ranks::FromZero, form: PositionForm::Full }
    }

    /// Reads what follows `position` or `probe`: `{fen <FEN> | startpos | <FEN>} [moves <m> …]`.
    pub(crate) fn parse(tokens: &mut Tokens<'_>) -> Option<Position> {
        let (start, form) = if tokens.take_word("startpos") {
            (Start::Startpos, PositionForm::Full)
        } else if tokens.take_word("fen") {
            (Start::Fen(String::new()), PositionForm::Full)
        } else if tokens.peek()?.contains(&b'/') {
            (Start::Fen(String::new()), PositionForm::Bare)
        } else {
            return None;
        };
        let fen = parse_fen(tokens);
        let start = match start {
            Start::Startpos => Start::Startpos,
            Start::Fen(_) => Start::Fen(fen),
        };
        let mut position = Position { form, ..Position::new(start, Vec::new()) };
        position.parse_moves(tokens);
        Some(position)
    }

    fn parse_moves(&mut self, tokens: &mut Tokens<'_>) {
        let moves: Vec<WireMove> = std::iter::from_fn(|| tokens.take_move()).collect();
        self.ranks = Ranks::of(&moves);
        self.moves = moves.iter().map_while(|mv| mv.decode(self.ranks)).collect();
        self.unreadable = match moves.get(self.moves.len()) {
            Some(mv) => Some(mv.to_string()),
            None => tokens.next().map(excerpt),
        };
    }

    /// The words of the command, `verb` (`position` or `probe`) included unless the form omits it.
    pub(crate) fn words(&self, verb: &str) -> Vec<String> {
        let mut words = Vec::with_capacity(self.moves.len() + 4);
        if self.form != PositionForm::Short {
            words.push(verb.to_owned());
        }
        match &self.start {
            Start::Startpos => words.push("startpos".to_owned()),
            Start::Fen(fen) => {
                if self.form != PositionForm::Bare {
                    words.push("fen".to_owned());
                }
                words.push(fen.clone());
            }
        }
        if !self.moves.is_empty() || self.unreadable.is_some() {
            words.push("moves".to_owned());
            words.extend(self.moves.iter().map(|&mv| WireMove::new(mv, self.ranks).to_string()));
            words.extend(self.unreadable.clone());
        }
        words
    }
}

/// Reads the fields of a FEN up to and including the word `moves`.
fn parse_fen(tokens: &mut Tokens<'_>) -> String {
    let mut fen = String::new();
    for field in tokens {
        if field.eq_ignore_ascii_case(b"moves") {
            break;
        }
        let is_unused = !fen.is_empty() && field.iter().all(|&byte| byte == b'-');
        if is_unused && fen.ends_with('-') {
            continue;
        }
        if !fen.is_empty() {
            fen.push(' ');
        }
        fen.push_str(&if is_unused { "- -".to_owned() } else { lossy(field) });
    }
    fen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Option<Position> {
        Position::parse(&mut Tokens::new(text.as_bytes()))
    }

    #[test]
    fn dashes_are_put_in_order() {
        for dashes in ["- -", "--", "-", "- - -", "---", " --  "] {
            let position = parse(&format!("fen 4k4/9/4K4 w {dashes} 0 1 moves"));
            assert_eq!(position.map(|p| p.start), Some(Start::Fen("4k4/9/4K4 w - - 0 1".to_owned())), "{dashes}");
        }
    }

    #[test]
    fn unreadable_moves_end_the_list() {
        let position = parse("startpos moves h2e2 H9-G7 oops b2e2").unwrap();
        assert_eq!(format!("{:?}", position.moves), "[h2e2, h9g7]");
        assert_eq!(position.unreadable.as_deref(), Some("oops"));
        let position = parse("startpos moves a10a9 e0e1 a1a2").unwrap();
        assert_eq!((position.moves.len(), position.unreadable.as_deref()), (1, Some("e0e1")));
        assert_eq!(position.ranks, Ranks::FromOne);
    }

    #[test]
    fn neither_fen_nor_startpos() {
        for text in ["", "moves h2e2", "midgamepos", "rnbakabnr"] {
            assert_eq!(parse(text), None, "{text}");
        }
        assert_eq!(parse("fen").map(|p| p.start), Some(Start::Fen(String::new())));
    }
}
