//! Games as the viewer shows them.

use std::time::Duration;

use chuhe_movegen::{Board, Move};
use chuhe_records::{GameResult, Record};

use super::remark::Remark;
use super::study::{MoveStudy, Study};

/// A game.
#[derive(Clone, PartialEq, Debug)]
pub struct GameView {
    /// Red's name.
    pub red: String,
    /// Black's name.
    pub black: String,
    /// The result.
    pub result: GameResult,
    /// Why it ended, in a word or two; may be empty, as all texts.
    pub termination: String,
    /// The evidence, in a sentence.
    pub reason: String,
    /// What the opening is called.
    pub opening: String,
    /// How many of the moves the opening gave.
    pub opening_plies: usize,
    /// Where it begins.
    pub start: Board,
    /// The moves. They are shown as given: legality is the referee's business.
    pub moves: Vec<MoveView>,
    /// What an analysis adds. With it the page shows the moves in pairs, by their names in Chinese or WXF.
    pub study: Option<Study>,
}

impl From<&Record> for GameView {
    /// The main line of a record, with the comments that match programs write behind moves taken apart: scores, depths
    /// and times; words behind the last move are the reason of the result.
    fn from(record: &Record) -> GameView {
        let mut given = 0;
        let mut moves: Vec<MoveView> = Vec::new();
        for (index, (mv, comment)) in record.main_line().enumerate() {
            let remark = Remark::parse(comment);
            if remark.book && given == index {
                given += 1;
            }
            moves.push(MoveView {
                mv,
                name: None,
                score: remark.score,
                depth: remark.depth,
                time: remark.time,
                clock: remark.clock,
                study: None,
                comment: Some(remark.words).filter(|words| !words.is_empty()),
            });
        }
        let tag = |name| record.tags.get(name).unwrap_or_default().to_owned();
        GameView {
            red: tag("Red"),
            black: tag("Black"),
            result: record.result,
            termination: tag("Termination"),
            reason: moves.last_mut().and_then(|last| last.comment.take()).unwrap_or_default(),
            opening: tag("Opening"),
            opening_plies: given,
            start: record.start.clone(),
            moves,
            study: None,
        }
    }
}

/// A move, and what is known of it.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveView {
    /// The move.
    pub mv: Move,
    /// What it is called, where coordinates are not wanted (炮二平五).
    pub name: Option<String>,
    /// The score that the mover's engine told, from the mover's view; the page shows all scores from Red's.
    pub score: Option<ShownScore>,
    /// The depth of its search, in plies.
    pub depth: Option<u32>,
    /// Time used.
    pub time: Option<Duration>,
    /// What the clock showed after the move.
    pub clock: Option<Duration>,
    /// A remark.
    pub comment: Option<String>,
    /// What an analysis adds.
    pub study: Option<MoveStudy>,
}

impl From<Move> for MoveView {
    /// A move of which nothing more is known.
    fn from(mv: Move) -> MoveView {
        MoveView { mv, name: None, score: None, depth: None, time: None, clock: None, comment: None, study: None }
    }
}

/// What an engine thinks of a position, as pages show it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShownScore {
    /// In hundredths of a pawn.
    Cp(i32),
    /// Mate in so many moves of the mover; negative: the mover is mated.
    Mate(i32),
    /// A win by the rules of repetition in so many moves of the mover; negative: a loss.
    Rule(i32),
}
