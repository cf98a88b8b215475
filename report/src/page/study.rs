//! What an analysis adds to a game.

use chuhe_movegen::{Color, Move};

use super::game::ShownScore;
use crate::Language;
use crate::table::Heading;

/// What is known of a game as a whole.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Study {
    /// Where its record comes from, such as the name of its file with its number there; may be empty.
    pub source: String,
    /// Where and when it was played; may be empty.
    pub event: String,
    /// That its record is not whole, and why, in a sentence; else empty.
    pub damage: String,
    /// What the opening is called, with its code; may be empty.
    pub opening: Heading,
    /// How each side played, Red first.
    pub players: [PlayerStudy; Color::NUM],
    /// What the final mate is called, the most telling name first; empty when there is none.
    pub kills: Vec<Heading>,
    /// The best lines in the last position; none when the game is over there.
    pub last_lines: Vec<LineView>,
}

/// How a side played.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PlayerStudy {
    /// Its moves.
    pub moves: u32,
    /// Mean accuracy of a move in percent; `None` where it never had a choice, as with the other means.
    pub accuracy: Option<f64>,
    /// Mean win probability lost by a move, 0 to 1.
    pub average_loss: Option<f64>,
    /// Mean loss of a move in hundredths.
    pub average_cp_loss: Option<f64>,
    /// Moves that were the engine's choice.
    pub best: u32,
    /// Other moves that lost little.
    pub good: u32,
    /// Moves that lost something.
    pub inaccuracies: u32,
    /// Moves that lost much.
    pub mistakes: u32,
    /// Moves that lost nearly everything.
    pub blunders: u32,
    /// Mates that it did not see.
    pub missed_mates: u32,
    /// Moves that a book knows.
    pub book: u32,
}

/// What is known of a move.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveStudy {
    /// Red's win probability after the move, 0 to 1.
    pub red_chance: f64,
    /// The win probability that the mover lost by it, 0 to 1.
    pub loss: f64,
    /// What is remarkable about it.
    pub mark: Option<Mark>,
    /// The best lines in the position before it, the best first.
    pub lines: Vec<LineView>,
}

/// What a move is marked with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mark {
    /// A book knows it (谱着).
    Book,
    /// It lost something (缓着).
    Inaccuracy,
    /// It lost much (错着).
    Mistake,
    /// It lost nearly everything (漏着).
    Blunder,
    /// There was a mate, and after it there is none (漏杀).
    MissedMate,
}

impl Mark {
    /// All of them.
    pub const ALL: [Mark; 5] = [Mark::Book, Mark::Inaccuracy, Mark::Mistake, Mark::Blunder, Mark::MissedMate];

    /// What it is called.
    #[must_use]
    pub fn name(self, language: Language) -> &'static str {
        let (chinese, english) = match self {
            Mark::Book => ("谱着", "book move"),
            Mark::Inaccuracy => ("缓着", "inaccuracy"),
            Mark::Mistake => ("错着", "mistake"),
            Mark::Blunder => ("漏着", "blunder"),
            Mark::MissedMate => ("漏杀", "missed mate"),
        };
        language.choose(chinese, english)
    }

    /// The sign behind a move.
    pub(super) fn sign(self, language: Language) -> &'static str {
        match self {
            Mark::Book => language.choose("谱", "book"),
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
            Mark::MissedMate => "#",
        }
    }

    /// Its name in the page's data and styles.
    pub(super) const fn key(self) -> &'static str {
        match self {
            Mark::Book => "book",
            Mark::Inaccuracy => "inaccuracy",
            Mark::Mistake => "mistake",
            Mark::Blunder => "blunder",
            Mark::MissedMate => "missed-mate",
        }
    }
}

/// A line of play that an engine found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineView {
    /// What it leads to, seen by the side that begins it.
    pub score: ShownScore,
    /// Half-moves searched.
    pub depth: u32,
    /// Its moves. The page shows the first twelve, and none from the first that is not legal.
    pub moves: Vec<Move>,
}
