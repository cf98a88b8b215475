//! Walking through a game.

use std::ops::ControlFlow;

use chuhe_book::Books;
use chuhe_movegen::{Board, Color, FenError, Move, Square};
use chuhe_records::{IllegalPly, Record};
use chuhe_rules::{Ending, Game, NATURAL_LIMIT, RuleSet, find_cycle};

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
    /// The side to move could take the king: no game comes to that, and no engine can be asked.
    #[error("start position: {0}")]
    Position(FenError),
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

/// Analyzes the main line of a record. `watch` is told after each search how many of how many positions are done, and can
/// end the work.
///
/// Positions are searched from the last to the first, so that what follows a move is still in the analyst's hash table
/// when the position before it is searched: a move that is refuted later is not taken for the best.
///
/// Where a position comes for the third time and the record goes on all the same, nobody has applied the rules. That is no
/// end of the game, and what came before the second time does not count from there on; nor do most of the moves without a
/// capture where a record goes past sixty rounds of them.
///
/// # Errors
/// [`GameError`].
pub fn analyze_game(
    record: &Record,
    references: References<'_>,
    analyst: &mut dyn Analyst,
    watch: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
) -> Result<GameAnalysis, GameError> {
    if let Err(error @ FenError::KingCapturable { .. }) = Board::from_fen(&record.start.to_fen()) {
        return Err(GameError::Position(error));
    }
    let game = record.to_game()?;
    let ended_by = ending(&game, references.rules);
    let (stretches, went_on) = stretches(&game, references.rules);
    let end = ended_by.map(|ending| value_of_ending(game.board().side_to_move(), ending));
    let positions = search_backwards(&game, &stretches, end.is_some(), references.rules, analyst, watch)?;

    // Each position is worth something to the one who moved before it.
    let searched =
        positions.iter().enumerate().map(|(played, position)| match went_on.binary_search(&played).is_ok() {
            true => Aftermath::WentOn(value(position)),
            false => Aftermath::Searched(value(position)),
        });
    let mut outcomes: Vec<Aftermath> = searched.collect();
    outcomes.extend(end.map(|(score, chances)| Aftermath::Over(score, chances)));
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
        ruling: game.ruling(references.rules),
        ended_by,
        damage: None,
        opening: Opening::of_game(&game),
        kills: Kill::of_game(&game),
    })
}

/// How the last position ends the game. The natural limit does not: a player must claim it.
fn ending(game: &Game, rules: &RuleSet) -> Option<Ending> {
    game.ending(rules).filter(|ending| *ending != Ending::NaturalLimit)
}

/// What an ending is worth to the side that would be to move.
fn value_of_ending(side: Color, ending: Ending) -> (Score, Chances) {
    let by = match ending {
        Ending::Checkmate(_) | Ending::Stalemate(_) => Decision::Mate,
        Ending::Repetition(_) | Ending::NaturalLimit | Ending::DeadMaterial => Decision::Rule,
    };
    let score = match ending.loser() {
        None => return (Score::Cp(0), Chances::DRAW),
        Some(loser) if loser == side => Score::Loss { by, plies: 0 },
        Some(_) => Score::Win { by, plies: 0 },
    };
    (score, score.chances())
}

/// A part of a game, up to the next one, whose positions are searched as if the game had begun there.
struct Stretch {
    /// How many moves of the game were played before.
    start: usize,
    board: Board,
}

/// The stretches of a game, and after how many moves it went on although repetition or the natural limit would have ended
/// it. The game, not what was before, then counts from the second occurrence, so that no search takes the third for a threat;
/// at the natural limit, from so far back that none sees the limit coming.
fn stretches(game: &Game, rules: &RuleSet) -> (Vec<Stretch>, Vec<usize>) {
    let moves: Vec<Move> = game.moves().collect();
    let (mut stretches, mut went_on) = (vec![Stretch { start: 0, board: game.start().clone() }], Vec::new());
    let mut start = 0;
    let mut current = Game::new(game.start().clone());
    for played in 1..moves.len() {
        // The moves are legal: they are a game's.
        if current.play(moves[played - 1]).is_err() {
            break;
        }
        start += match current.ending(rules) {
            Some(Ending::Repetition(_)) => find_cycle(current.plies(), 0).map_or(played - start, |cycle| cycle.first),
            Some(Ending::NaturalLimit) => (played - start).saturating_sub(usize::from(NATURAL_LIMIT) / 2),
            _ => continue,
        };
        went_on.push(played);
        let board = without_clock(&game.plies()[start].board);
        current = Game::new(board.clone());
        let _ = moves[start..played].iter().try_for_each(|&mv| current.play(mv));
        stretches.pop_if(|stretch| stretch.start == start);
        stretches.push(Stretch { start, board });
    }
    (stretches, went_on)
}

/// The same position as if a piece had just been taken.
fn without_clock(board: &Board) -> Board {
    let pieces = Square::all().filter_map(|square| Some((board.piece_at(square)?, square)));
    // Composed positions, which the game does not know, keep their clock.
    Board::from_pieces(pieces, board.side_to_move(), 0, board.fullmove_number()).unwrap_or_else(|_| board.clone())
}

/// The positions of a game, the first one first; without the last when the game is over there.
fn search_backwards(
    game: &Game,
    stretches: &[Stretch],
    is_over: bool,
    rules: &RuleSet,
    analyst: &mut dyn Analyst,
    watch: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
) -> Result<Vec<PositionAnalysis>, GameError> {
    let all = game.plies().len() - usize::from(is_over);
    let mut positions = Vec::with_capacity(all);
    if all > 0 {
        analyst.new_game(rules)?;
    }
    let moves: Vec<Move> = game.moves().collect();
    let mut end = all;
    for &Stretch { start, ref board } in stretches.iter().rev() {
        let mut stretch = Game::new(board.clone());
        for &mv in moves.get(start..end.saturating_sub(1)).unwrap_or_default() {
            // The moves are legal: they are a game's.
            let _ = stretch.play(mv);
        }
        while positions.len() < all - start {
            positions.push(analyst.analyze(&stretch)?);
            if watch(positions.len(), all).is_break() {
                return Err(GameError::Stopped);
            }
            stretch.take_back();
        }
        end = start;
    }
    positions.reverse();
    Ok(positions)
}

/// What came of a move, seen by the side to move after it.
#[derive(Clone, Copy)]
enum Aftermath {
    /// A position that was searched, and what that told.
    Searched(Option<(Score, Chances)>),
    /// The same where the rules would have ended the game. What the search before the move thought of that does not hold.
    WentOn(Option<(Score, Chances)>),
    /// The end of the game.
    Over(Score, Chances),
}

/// What a position is worth to the side to move.
fn value(position: &PositionAnalysis) -> Option<(Score, Chances)> {
    position.best().map(|line| (line.score, line.chances))
}

/// Judges a move by the search before it, and by what came of it.
fn judge(board: &Board, mv: Move, before: PositionAnalysis, outcome: Aftermath, books: &Books) -> MoveAnalysis {
    let for_mover = |(score, chances): (Score, Chances)| (score.before_move(), chances.seen_by_other());
    let best = value(&before);
    let is_first_choice = before.best().is_some_and(|line| line.moves.first() == Some(&mv));
    // An analyst that says nothing of a position leaves it open what a move has lost.
    let known = match outcome {
        Aftermath::Over(score, chances) => Some(for_mover((score, chances))),
        Aftermath::Searched(after) if is_first_choice => best.or(after.map(for_mover)),
        Aftermath::Searched(after) | Aftermath::WentOn(after) => after.map(for_mover).or(best),
    };
    let (score, chances) = known.unwrap_or((Score::Cp(0), Score::Cp(0).chances()));
    let (best_score, best_chances) = best.unwrap_or((score, chances));
    let is_forced = board.legal_moves().len() == 1;
    let points = best_chances.points().saturating_sub(chances.points());
    let is_best = is_first_choice || is_forced || score >= best_score && points == 0;
    let points = if is_best { 0 } else { points };
    let is_book = books.probe(board).iter().any(|entry| entry.mv == mv);
    let judgement = match Judgement::of_loss(points) {
        _ if is_best => Judgement::Best,
        // Theory knows more of it than one search.
        _ if is_book => Judgement::Good,
        judgement => judgement,
    };
    MoveAnalysis {
        mv,
        mover: board.side_to_move(),
        score,
        chances,
        loss: f64::from(points) / f64::from(Chances::MOST_POINTS),
        judgement,
        mate: MateNote::new(best_score, score),
        is_book,
        is_forced,
        before,
    }
}
