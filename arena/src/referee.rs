//! The referee of one game: which moves are forbidden, what an answer is worth, when and why the game is over.
//!
//! Decisions are made in the order of the table in `docs/tournaments.md`, and the first that applies stands.
//!
//! Article 22.5 lets a mate stand that was on the board before the flag fell, though the clock was pressed too late. An
//! engine's answer is move and clock in one, so a mate that comes late comes after the flag; the way of the answer
//! through the pipe is what the margin is for, and within it a move counts as made in time.

use std::time::Duration;

use chuhe_client::player::{Answer, Decision, Fault, FaultKind};
use chuhe_movegen::{Board, Color, Move, MoveList};
use chuhe_rules::{Ending, Game, Judgement, NATURAL_LIMIT, Repetition, RuleSet, is_dead_material};

use crate::adjudication::{Adjudication, Agreed, ScoreKeeper};
use crate::clock::Spent;
use crate::outcome::Outcome;
use crate::played::{GameEnding, Termination};

/// The rules a game is played by.
#[derive(Clone, Debug)]
pub struct GameRules {
    /// Which repetitions lose.
    pub repetition: RuleSet,
    /// Half-moves without a capture after which the game is drawn (自然限着); the counter of the start position's FEN
    /// counts.
    pub natural_limit: Option<u16>,
    /// Whether the game is drawn when no piece is left that can cross the river.
    pub dead_material: bool,
    /// Half-moves, those of the opening among them, after which the game is drawn.
    pub max_plies: Option<u32>,
    /// When scores end the game.
    pub adjudication: Adjudication,
    /// Whether draws can be agreed on.
    pub draw_offers: DrawOffers,
    /// How far Red, Black may overstep the time without losing.
    pub margins: [Duration; Color::NUM],
}

impl Default for GameRules {
    /// Repetitions by the rule of engine matches (`computer`), 60 rounds without a capture and dead material draw, draws can be agreed on, 50 ms margin,
    /// no adjudication, no maximal length.
    fn default() -> GameRules {
        GameRules {
            repetition: RuleSet::COMPUTER,
            natural_limit: Some(NATURAL_LIMIT),
            dead_material: true,
            max_plies: None,
            adjudication: Adjudication::default(),
            draw_offers: DrawOffers::FromPly(0),
            margins: [Duration::from_millis(50); Color::NUM],
        }
    }
}

/// Whether draws can be agreed on. As in the UCCI leagues a game is drawn when both sides say `draw` with answers that
/// follow each other; an answer without the word declines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrawOffers {
    /// Offers are neither passed on nor counted.
    Never,
    /// Offers count from this half-move on, those of the opening counted.
    FromPly(u32),
}

/// What the referee says to an answer.
#[derive(Clone, PartialEq, Debug)]
pub struct TurnRuling {
    /// The move played on the board, if one was.
    pub played: Option<Move>,
    /// How the game is over, if it is.
    pub ending: Option<GameEnding>,
}

/// The referee of one game.
#[derive(Clone, Debug)]
pub struct Referee<'a> {
    rules: &'a GameRules,
    game: Game,
    scores: ScoreKeeper,
    /// Whether the last answer offered a draw.
    draw_offered: bool,
}

impl<'a> Referee<'a> {
    /// A referee for the game that goes on from `game`.
    #[must_use]
    pub fn new(rules: &'a GameRules, game: Game) -> Referee<'a> {
        Referee { rules, game, scores: ScoreKeeper::new(rules.adjudication), draw_offered: false }
    }

    /// The game so far.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The game so far, when the referee has done its work.
    #[must_use]
    pub fn into_game(self) -> Game {
        self.game
    }

    /// Whether a draw is offered to the side to move.
    #[must_use]
    pub fn draw_offered(&self) -> bool {
        self.draw_offered
    }

    /// The moves with which the side to move would lose at once by repetition (禁着). None when there is no other move:
    /// then the rules take their course.
    #[must_use]
    pub fn banned(&self) -> MoveList {
        let losing = self.game.losing_repetitions(&self.rules.repetition);
        if losing.len() == self.game.board().legal_moves().len() { MoveList::new() } else { losing }
    }

    /// How the game is over by what stands on the board; for openings that are finished before they begin.
    #[must_use]
    pub fn standing(&self) -> Option<GameEnding> {
        self.ending_by_rule().or_else(|| self.ending_by_length())
    }

    /// Plays a move that is only expected; whether it is legal and the game goes on after it.
    pub(crate) fn expect(&mut self, mv: Move) -> bool {
        self.game.play(mv).is_ok() && self.standing().is_none()
    }

    /// Judges an answer of the side to move. A legal move given in time is played.
    pub fn judge(&mut self, answer: &Answer, spent: Spent) -> TurnRuling {
        match self.play(answer, spent) {
            Ok(mv) => TurnRuling { played: Some(mv), ending: self.after(answer) },
            Err(ending) => TurnRuling { played: None, ending: Some(ending) },
        }
    }

    /// The ending that a fault brings: the side that committed it loses.
    #[must_use]
    pub fn fault(side: Color, fault: Fault) -> GameEnding {
        let termination = match fault.kind {
            FaultKind::NoStart | FaultKind::NoHandshake | FaultKind::Refusal => Termination::Refusal,
            FaultKind::Crash => Termination::Crash,
            FaultKind::Silence => Termination::Silence,
            // A move out of turn.
            FaultKind::Stray => Termination::IllegalMove,
        };
        let reason = format!("{side} failed: {fault}");
        GameEnding { outcome: win_of(!side), termination, reason, fault: Some(fault) }
    }

    /// Plays the move of an answer, or says how the game is over without it.
    fn play(&mut self, answer: &Answer, spent: Spent) -> Result<Move, GameEnding> {
        let side = self.game.board().side_to_move();
        let lost = |termination, reason| ending(win_of(!side), termination, reason);
        if spent.overstep() > self.rules.margins[side.index()] {
            return Err(lost(Termination::Time, self.time_reason(side, spent)));
        }
        match answer.decision {
            Decision::Resign => {
                Err(lost(Termination::Resignation, format!("{side} resigned instead of ply {}", self.ply() + 1)))
            }
            // Some programs leave out the move that an acceptance still needs.
            Decision::NoMove if answer.draw && self.draw_offered => Err(self.agreement(side)),
            Decision::NoMove => {
                let moves = self.game.board().count_legal_moves();
                let reason = format!("{side} claims to have no move, but has {moves} legal moves");
                Err(lost(Termination::NoMove, reason))
            }
            Decision::Unreadable(ref word) => {
                Err(lost(Termination::NoMove, format!("{side} answered `{word}`, which is not a move")))
            }
            Decision::Move(mv) => {
                let why = why_illegal(self.game.board(), mv);
                match self.game.play(mv) {
                    Ok(()) => Ok(mv),
                    Err(_) => Err(lost(
                        Termination::IllegalMove,
                        format!("{side}'s move {mv} is illegal: {}", why.unwrap_or("the rules forbid it")),
                    )),
                }
            }
        }
    }

    /// Whether the game is over now that the move of `answer` stands on the board.
    fn after(&mut self, answer: &Answer) -> Option<GameEnding> {
        let mover = !self.game.board().side_to_move();
        let accepted = self.draw_offered && answer.draw;
        self.draw_offered = answer.draw
            && match self.rules.draw_offers {
                DrawOffers::Never => false,
                DrawOffers::FromPly(ply) => self.ply() >= ply as usize,
            };
        let agreed = self.scores.add(mover, answer.search.score, self.ply());
        self.ending_by_rule()
            .or_else(|| accepted.then(|| self.agreement(mover)))
            .or_else(|| agreed.map(ending_by_score))
            .or_else(|| self.ending_by_length())
    }

    fn ending_by_rule(&self) -> Option<GameEnding> {
        let board = self.game.board();
        let rules = self.rules;
        let moment = self.moment();
        match self.game.ending(&rules.repetition) {
            Some(Ending::Checkmate(side)) => {
                let reason = format!("{side} is in check and has no legal move {moment}");
                return Some(ending(win_of(!side), Termination::Checkmate, reason));
            }
            Some(Ending::Stalemate(side)) => {
                let reason = format!("{side}, not in check, has no legal move {moment}, which loses");
                return Some(ending(win_of(!side), Termination::Stalemate, reason));
            }
            Some(Ending::Repetition(judgement)) => return Some(self.ending_by_repetition(judgement)),
            // The limits are this game's own, not those that the rules know.
            Some(Ending::NaturalLimit | Ending::DeadMaterial) | None => {}
        }
        let plies = board.halfmove_clock();
        if rules.natural_limit.is_some_and(|limit| plies >= limit) {
            let reason = format!("{plies} half-moves without a capture {moment}");
            return Some(ending(Outcome::Draw, Termination::NaturalLimit, reason));
        }
        (rules.dead_material && is_dead_material(board)).then(|| {
            let reason = format!("no piece is left that can cross the river {moment}");
            ending(Outcome::Draw, Termination::DeadMaterial, reason)
        })
    }

    fn ending_by_repetition(&self, judgement: Judgement) -> GameEnding {
        let outcome = match judgement {
            Judgement::Draw => Outcome::Draw,
            Judgement::Loses(side) => win_of(!side),
        };
        let ruling = self.game.ruling(&self.rules.repetition);
        let reason = match &ruling.repetition {
            Some(repetition) => format!("{} {}", self.moment(), repetition_reason(&ruling, repetition)),
            None => self.moment(),
        };
        ending(outcome, Termination::Repetition, reason)
    }

    fn ending_by_length(&self) -> Option<GameEnding> {
        let limit = self.rules.max_plies.filter(|&limit| self.ply() >= limit as usize)?;
        let reason = format!("the game has {} half-moves and is drawn at {limit}", self.ply());
        Some(ending(Outcome::Draw, Termination::MaxLength, reason))
    }

    fn agreement(&self, side: Color) -> GameEnding {
        let reason = format!("{} offered a draw and {side} accepted it {}", !side, self.moment());
        ending(Outcome::Draw, Termination::Agreement, reason)
    }

    fn time_reason(&self, side: Color, spent: Spent) -> String {
        format!(
            "{side} overstepped by {} on ply {}: {:.3} s used, {:.3} s left, margin {}",
            millis(spent.overstep()),
            self.ply() + 1,
            spent.used.as_secs_f64(),
            spent.allowed.unwrap_or_default().as_secs_f64(),
            millis(self.rules.margins[side.index()]),
        )
    }

    /// Half-moves so far, those of the opening among them.
    fn ply(&self) -> usize {
        self.game.plies().len() - 1
    }

    /// The last move, for a sentence.
    fn moment(&self) -> String {
        let last = &self.game.plies()[self.ply()];
        match last.mv {
            Some(mv) => format!("after {}'s {mv} on ply {}", last.mover(), self.ply()),
            None => "at the start".to_owned(),
        }
    }
}

fn ending(outcome: Outcome, termination: Termination, reason: String) -> GameEnding {
    GameEnding { outcome, termination, reason, fault: None }
}

const fn win_of(side: Color) -> Outcome {
    match side {
        Color::Red => Outcome::RedWins,
        Color::Black => Outcome::BlackWins,
    }
}

fn ending_by_score(agreed: Agreed) -> GameEnding {
    match agreed {
        Agreed::Win(side, rule) => {
            let reason = format!(
                "both sides have seen {side} ahead by {} or more for {} moves each",
                hundredths(rule.score),
                rule.moves
            );
            ending(win_of(side), Termination::Adjudication, reason)
        }
        Agreed::Draw(rule) => {
            let reason = format!(
                "both sides have seen a score within {} of even for {} moves each",
                hundredths(rule.score),
                rule.moves
            );
            ending(Outcome::Draw, Termination::Adjudication, reason)
        }
    }
}

fn hundredths(score: u32) -> String {
    format!("{}.{:02}", score / 100, score % 100)
}

/// Tenths of a millisecond, rounded up: what is more than the margin does not look like the margin.
fn millis(time: Duration) -> String {
    let tenths = time.as_nanos().div_ceil(100_000);
    match tenths % 10 {
        0 => format!("{} ms", tenths / 10),
        tenth => format!("{}.{tenth} ms", tenths / 10),
    }
}

/// What the judge says, as the end of a sentence: where the position came before, who had to deviate and since when,
/// under which article, and what every move of the cycle did.
fn repetition_reason(ruling: &chuhe_rules::Ruling, repetition: &Repetition) -> String {
    let window = repetition.window;
    let mut text = format!(
        "the position of plies {} and {} occurs for the third time; under `{}`",
        window.first, window.second, ruling.rules
    );
    if let Some(article) = ruling.article() {
        text += &format!(" ({} {article})", ruling.rules.article_word());
    }
    match (repetition.loser, repetition.offence_begins()) {
        (Some(side), Some(offence)) => {
            text += &format!(" {side} had to deviate from ply {} on, and loses", offence.ply);
        }
        (Some(side), None) => text += &format!(" {side} had to deviate and loses"),
        (None, _) => text += " neither side has to deviate: a draw",
    }
    if !repetition.is_certain {
        text += ", for all that is known: a search for kills has reached its limit";
    }
    // Whoever moved first comes first.
    if let Some(first) = repetition.moves.first() {
        for side in [first.mover, !first.mover] {
            text += &format!("; {side}: {}", classes_of(repetition, side));
        }
    }
    text
}

/// The classes of one side's moves: those of one loop, if the other loop is the same.
fn classes_of(repetition: &Repetition, side: Color) -> String {
    let length = repetition.window.cycle_len();
    let (first, second) = repetition.moves.split_at(length.min(repetition.moves.len()));
    let same = first.len() == second.len() && first.iter().zip(second).all(|(a, b)| a.mv == b.mv);
    let moves = if same { first } else { &repetition.moves[..] };
    let classes: Vec<String> =
        moves.iter().filter(|judged| judged.mover == side).map(|judged| judged.to_string()).collect();
    classes.join(" ")
}

/// What is wrong with a move; `None` for a legal one.
fn why_illegal(board: &Board, mv: Move) -> Option<&'static str> {
    let side = board.side_to_move();
    match board.piece_at(mv.from()) {
        None => return Some("there is no piece to move"),
        Some(piece) if piece.color != side => return Some("the piece is the opponent's"),
        Some(_) => {}
    }
    if board.piece_at(mv.to()).is_some_and(|piece| piece.color == side) {
        return Some("its own piece is in the way");
    }
    if !board.is_pseudo_legal(mv) {
        return Some("the piece does not move like that");
    }
    if board.is_legal(mv) {
        return None;
    }
    let after = board.make(mv);
    let (red, black) = (after.king(Color::Red), after.king(Color::Black));
    let faces = red.file() == black.file()
        && !after
            .occupied()
            .into_iter()
            .any(|square| square.file() == red.file() && red.rank() < square.rank() && square.rank() < black.rank());
    Some(if faces { "it leaves the kings facing each other" } else { "it leaves its own king in check" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn illegal_moves_are_explained() {
        let board = Board::from_fen("3nk4/9/9/9/9/4N4/9/9/4A4/3AK4 w - - 0 1").unwrap();
        let table = [
            ("e4f6", None),
            ("e5e4", Some("there is no piece to move")),
            ("d9c7", Some("the piece is the opponent's")),
            ("e0e1", Some("its own piece is in the way")),
            ("e4e5", Some("the piece does not move like that")),
            ("e1f2", None),
        ];
        for (mv, why) in table {
            let mv = mv.parse().unwrap();
            assert_eq!(why_illegal(&board, mv), why, "{mv}");
            assert_eq!(board.play(mv).is_ok(), why.is_none(), "{mv}");
        }
        let facing = Board::from_fen("4k4/9/9/9/9/4N4/9/9/9/4K4 w - - 0 1").unwrap();
        assert_eq!(why_illegal(&facing, "e4f6".parse().unwrap()), Some("it leaves the kings facing each other"));
        let check = Board::from_fen("3k5/9/9/9/9/9/9/9/4r4/4K4 w - - 0 1").unwrap();
        assert_eq!(why_illegal(&check, "e0f0".parse().unwrap()), None);
        let pinned = Board::from_fen("3kr4/9/9/9/9/4R4/9/9/9/4K4 w - - 0 1").unwrap();
        assert_eq!(why_illegal(&pinned, "e4d4".parse().unwrap()), Some("it leaves its own king in check"));
    }

    #[test]
    fn an_overstep_never_looks_like_the_margin() {
        assert_eq!(millis(Duration::from_millis(63)), "63 ms");
        assert_eq!(millis(Duration::from_micros(50_001)), "50.1 ms");
        assert_eq!(millis(Duration::from_secs(2)), "2000 ms");
        assert_eq!(millis(Duration::ZERO), "0 ms");
    }
}
