//! What a game file holds, whatever its format.

use std::fmt;
use std::str::FromStr;

use chuhe_movegen::{Board, Color, IllegalMove, Move};
use chuhe_rules::Game;

use crate::{GameTree, NodeId, Tags};

/// One game as written down.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// What is said about the game as a whole.
    pub tags: Tags,
    /// The position before the first move.
    pub start: Board,
    /// The moves, with variations and comments.
    pub tree: GameTree,
    /// The result as stated, whatever the moves say.
    pub result: GameResult,
}

impl Record {
    /// A record without moves.
    #[must_use]
    pub fn new(start: Board) -> Record {
        Record { tags: Tags::new(), start, tree: GameTree::new(), result: GameResult::Unknown }
    }

    /// The moves of a game, without tags, comments or result.
    #[must_use]
    pub fn from_game(game: &Game) -> Record {
        let mut record = Record::new(game.start().clone());
        for mv in game.moves() {
            record.tree.push(mv);
        }
        record
    }

    /// The moves of the main line with their comments.
    pub fn main_line(&self) -> impl Iterator<Item = (Move, &str)> {
        self.tree.main_line()
    }

    /// What is said about the whole game, before its first move; empty if nothing.
    #[must_use]
    pub fn comment(&self) -> &str {
        self.tree.comment(NodeId::ROOT)
    }

    /// Sets the comment on the whole game.
    pub fn set_comment(&mut self, comment: impl Into<String>) {
        self.tree.set_comment(NodeId::ROOT, comment);
    }

    /// Plays the main line.
    ///
    /// # Errors
    /// [`IllegalPly`] names the first illegal move. Records that the PGN reader gave have none.
    pub fn to_game(&self) -> Result<Game, IllegalPly> {
        let mut game = Game::new(self.start.clone());
        for (index, (mv, _)) in self.main_line().enumerate() {
            game.play(mv).map_err(|source| IllegalPly { ply: index + 1, source })?;
        }
        Ok(game)
    }
}

impl Default for Record {
    /// A record without moves from the initial array.
    fn default() -> Record {
        Record::new(Board::startpos())
    }
}

/// The main line of a record holds an illegal move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("ply {ply}: {source}")]
pub struct IllegalPly {
    /// Which move, from 1.
    pub ply: usize,
    /// The move.
    pub source: IllegalMove,
}

/// The result of a game as records state it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum GameResult {
    /// Red won.
    RedWins,
    /// Black won.
    BlackWins,
    /// Drawn.
    Draw,
    /// Unknown, or the game was not finished.
    #[default]
    Unknown,
}

impl GameResult {
    /// Whether there is a result.
    #[must_use]
    pub fn is_known(self) -> bool {
        self != GameResult::Unknown
    }

    /// Who won; `None` for a draw and when nothing is known.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            GameResult::RedWins => Some(Color::Red),
            GameResult::BlackWins => Some(Color::Black),
            GameResult::Draw | GameResult::Unknown => None,
        }
    }

    /// The result that words or signs mean in files of other programs: 红胜, 先负, 黑方超时负, 和棋, `W`, `0-1` …
    pub(crate) fn of_words(text: &str) -> GameResult {
        let text = text.trim();
        if let Ok(result) = text.parse() {
            return result;
        }
        match text {
            "W" | "w" => GameResult::RedWins,
            "L" | "l" => GameResult::BlackWins,
            "D" | "d" => GameResult::Draw,
            _ if text.contains('和') => GameResult::Draw,
            _ => won_in_words(text).map_or(GameResult::Unknown, |winner| match winner {
                Color::Red => GameResult::RedWins,
                Color::Black => GameResult::BlackWins,
            }),
        }
    }

    /// As PGN writes it: `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            GameResult::RedWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        }
    }
}

/// Who won by words that name a side and, a few characters behind it, what became of it.
fn won_in_words(text: &str) -> Option<Color> {
    const FURTHEST: usize = 4;
    let side = |c| match c {
        '红' | '紅' => Some(Color::Red),
        '黑' => Some(Color::Black),
        _ => None,
    };
    let has_won = |c| match c {
        '胜' | '勝' | '赢' | '贏' => Some(true),
        '负' | '負' | '输' | '輸' => Some(false),
        _ => None,
    };
    let winner = |side: Color, rest: &str| {
        let has_won = rest.chars().take(FURTHEST).find_map(has_won)?;
        Some(if has_won { side } else { !side })
    };
    // Not yet won.
    let text = &text.replace("胜势", "").replace("勝勢", "");
    let named = text.char_indices().find_map(|(at, c)| winner(side(c)?, &text[at + c.len_utf8()..]));
    // The one who moves first is Red.
    named.or_else(|| winner(Color::Red, text.split_once('先')?.1))
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A text is not a result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is not a result: expected `1-0`, `0-1`, `1/2-1/2` or `*`")]
pub struct UnknownResult(pub String);

impl FromStr for GameResult {
    type Err = UnknownResult;

    /// Reads what PGN writes; `½-½` is accepted too.
    fn from_str(text: &str) -> Result<GameResult, UnknownResult> {
        Ok(match text {
            "1-0" => GameResult::RedWins,
            "0-1" => GameResult::BlackWins,
            "1/2-1/2" | "½-½" => GameResult::Draw,
            "*" => GameResult::Unknown,
            _ => return Err(UnknownResult(chuhe_text::quoted(text))),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_played_to_its_first_illegal_move() {
        let mut game = Game::new(Board::startpos());
        for mv in ["h2e2", "h9g7"] {
            game.play(mv.parse().unwrap()).unwrap();
        }
        let mut record = Record::from_game(&game);
        assert_eq!(record.to_game().unwrap().board(), game.board());
        record.tree.push("e2e9".parse().unwrap());
        assert_eq!(record.to_game().unwrap_err().to_string(), "ply 3: e2e9 is not a legal move here");
    }

    #[test]
    fn results_read_back() {
        for result in [GameResult::RedWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown] {
            assert_eq!(result.to_string().parse(), Ok(result));
        }
        assert!("1-1".parse::<GameResult>().is_err());
    }

    #[test]
    fn words_for_results() {
        for (words, result) in [
            ("红胜 红方胜 紅勝 先胜 红先胜 黑负 W 1-0 红方获胜 黑方超时负 黑认输 红胜（黑负）", GameResult::RedWins),
            ("黑胜 黑方勝 先负 红负 黑先胜 l 0-1 黑方获胜 红方负 红认负 红黑大战黑胜", GameResult::BlackWins),
            ("和局 和棋 红先和 D 1/2-1/2", GameResult::Draw),
            ("未知 * 胜负 红方 黑优 红方多子胜势 先手", GameResult::Unknown),
        ] {
            for word in words.split(' ') {
                assert_eq!(GameResult::of_words(word), result, "{word}");
            }
        }
        assert_eq!(GameResult::of_words(""), GameResult::Unknown);
    }
}
