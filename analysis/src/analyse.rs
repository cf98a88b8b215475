//! Walking through a game.

use std::ops::ControlFlow;

use chuhe_book::Books;
use chuhe_movegen::{Board, Color, Move};
use chuhe_records::{IllegalPly, Record};
use chuhe_rules::{Game, RuleSet, Ruling};

use crate::{
    Analyst, AnalystError, Chances, Decision, GameAnalysis, Judgement, Kill, MateNote, MoveAnalysis, Opening,
    PlayerSummary, PositionAnalysis, Score,
};

/// What a game is held against.
#[derive(Clone, Copy, Debug)]
pub struct References<'a> {
    /// The rules that it is judged by.
    pub rules: &'a RuleSet,
    /// The books whose moves are book moves.
    pub books: &'a Books,
}

/// Why there is no analysis of a game.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// The main line of the record holds an illegal move.
    #[error(transparent)]
    Illegal(#[from] IllegalPly),
    /// The analyst failed.
    #[error(transparent)]
    Analyst(#[from] AnalystError),
    /// It was told to stop.
    #[error("stopped")]
    Stopped,
}

/// Analyses the main line of a record. `watch` is told after each search how many of how many positions are done, and can
/// end the work.
///
/// Positions are searched from the last to the first, so that what follows a move is still in the analyst's hash table
/// when the position before it is searched: a move that is refuted later is not taken for the best.
///
/// # Errors
/// [`GameError`].
pub fn analyse_game(
    record: &Record,
    references: References<'_>,
    analyst: &mut dyn Analyst,
    watch: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
) -> Result<GameAnalysis, GameError> {
    let game = record.to_game()?;
    let ruling = game.ruling(references.rules);
    let ending = value_of_ending(&game, &ruling);
    let positions = search_backwards(&game, ending.is_some(), references.rules, analyst, watch)?;

    // Each position is worth something to the one who moved before it.
    let mut outcomes: Vec<Outcome> = positions.iter().map(|position| Outcome::Searched(value(position))).collect();
    outcomes.extend(ending.map(|(score, chances)| Outcome::Over(score, chances)));
    let mut positions = positions.into_iter();
    let boards = game.plies().iter().map(|ply| &ply.board);
    let moves: Vec<MoveAnalysis> = boards
        .zip(game.moves())
        .zip(outcomes.into_iter().skip(1))
        .zip(&mut positions)
        .map(|(((board, mv), after), before)| judge(board, mv, before, after, references.books))
        .collect();
    let players = Color::ALL.map(|color| PlayerSummary::of(moves.iter().filter(|played| played.mover == color)));
    Ok(GameAnalysis {
        tags: record.tags.clone(),
        result: record.result,
        start: record.start.clone(),
        moves,
        last_position: positions.next(),
        players,
        ruling,
        opening: Opening::of_game(&game),
        kills: Kill::of_game(&game),
    })
}

/// What the last position is worth to the side to move when the game is over there.
fn value_of_ending(game: &Game, ruling: &Ruling) -> Option<(Score, Chances)> {
    let board = game.board();
    let by_rule = |is_lost: bool| match is_lost {
        true => Score::Loss { by: Decision::Rule, plies: 0 },
        false => Score::Win { by: Decision::Rule, plies: 0 },
    };
    if !board.has_legal_move() {
        let mated = Score::Loss { by: Decision::Mate, plies: 0 };
        return Some((mated, mated.chances()));
    }
    let ended_by = ruling.ended_by.filter(|_| ruling.over_after == Some(game.plies().len() - 1))?;
    Some(match ended_by.loser() {
        None => (Score::Cp(0), Chances::DRAW),
        Some(loser) => {
            let score = by_rule(loser == board.side_to_move());
            (score, score.chances())
        }
    })
}

/// The positions of a game, the first one first; without the last when the game is over there.
fn search_backwards(
    game: &Game,
    is_over: bool,
    rules: &RuleSet,
    analyst: &mut dyn Analyst,
    watch: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
) -> Result<Vec<PositionAnalysis>, GameError> {
    let mut game = game.clone();
    if is_over && game.take_back().is_none() {
        return Ok(Vec::new());
    }
    analyst.new_game(rules)?;
    let all = game.plies().len();
    let mut positions = Vec::with_capacity(all);
    loop {
        positions.push(analyst.analyse(&game)?);
        if watch(positions.len(), all).is_break() {
            return Err(GameError::Stopped);
        }
        if game.take_back().is_none() {
            positions.reverse();
            return Ok(positions);
        }
    }
}

/// What came of a move, seen by the side to move after it.
#[derive(Clone, Copy)]
enum Outcome {
    /// A position that was searched, and what that told.
    Searched(Option<(Score, Chances)>),
    /// The end of the game.
    Over(Score, Chances),
}

/// What a position is worth to the side to move.
fn value(position: &PositionAnalysis) -> Option<(Score, Chances)> {
    position.best().map(|line| (line.score, line.chances))
}

/// Judges a move by the search before it, and by what came of it.
fn judge(board: &Board, mv: Move, before: PositionAnalysis, outcome: Outcome, books: &Books) -> MoveAnalysis {
    let for_mover = |(score, chances): (Score, Chances)| (score.before_move(), chances.seen_by_other());
    let best = value(&before);
    let is_first_choice = before.best().is_some_and(|line| line.moves.first() == Some(&mv));
    // An analyst that says nothing of a position leaves it open what a move has lost.
    let known = match outcome {
        Outcome::Over(score, chances) => Some(for_mover((score, chances))),
        Outcome::Searched(after) if is_first_choice => best.or(after.map(for_mover)),
        Outcome::Searched(after) => after.map(for_mover).or(best),
    };
    let (score, chances) = known.unwrap_or((Score::Cp(0), Score::Cp(0).chances()));
    let (best_score, best_chances) = best.unwrap_or((score, chances));
    let is_forced = board.legal_moves().len() == 1;
    let is_best = is_first_choice || is_forced || score >= best_score;
    let loss = if is_best { 0.0 } else { (best_chances.win_probability() - chances.win_probability()).max(0.0) };
    MoveAnalysis {
        mv,
        mover: board.side_to_move(),
        score,
        chances,
        loss,
        judgement: if is_best { Judgement::Best } else { Judgement::of_loss(loss) },
        mate: MateNote::new(best_score, score),
        is_book: books.probe(board).iter().any(|entry| entry.mv == mv),
        is_forced,
        before,
    }
}
