//! A position as a picture or as text.

mod glyphs;
mod svg;
mod text;

use chuhe_movegen::{Color, Move};

pub(crate) use svg::interactive;
pub use svg::svg;
pub use text::{TextStyle, text};

/// What stands on the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Script {
    /// Simplified characters: 帅仕相马车炮兵 and 将士象马车炮卒.
    #[default]
    Simplified,
    /// Traditional characters: 帥仕相馬車炮兵 and 將士象馬車砲卒.
    Traditional,
    /// The letters of FEN: K A B N R C P, as western players write them.
    Letters,
}

/// Which coordinates stand around the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Coordinates {
    /// None.
    None,
    /// The numbers of the files: 一 to 九 on Red's side, 1 to 9 on Black's, each from its player's right.
    Files,
    /// Letters a to i and numbers 0 to 9, as in ICCS moves.
    Iccs,
    /// Both.
    #[default]
    Both,
}

impl Coordinates {
    const fn has_files(self) -> bool {
        matches!(self, Coordinates::Files | Coordinates::Both)
    }

    const fn has_iccs(self) -> bool {
        matches!(self, Coordinates::Iccs | Coordinates::Both)
    }
}

/// How a board is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoardStyle {
    /// What stands on the pieces.
    pub script: Script,
    /// The side at the bottom.
    pub bottom: Color,
    /// The coordinates around the board.
    pub coordinates: Coordinates,
}

impl Default for BoardStyle {
    fn default() -> BoardStyle {
        BoardStyle { script: Script::default(), bottom: Color::Red, coordinates: Coordinates::default() }
    }
}

/// What is marked on a board.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Marks {
    /// The move that led to the position.
    pub last_move: Option<Move>,
    /// Moves shown as arrows, such as the best line's first.
    pub arrows: Vec<Move>,
}
