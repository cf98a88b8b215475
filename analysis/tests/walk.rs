//! What is made of an analyst's answers, with one that says what it is told to say.

use std::ops::ControlFlow;

use chuhe_analysis::{
    Analyst, AnalystError, Chances, Decision, GameAnalysis, GameError, Judgement, Line, MateNote, PositionAnalysis,
    References, Score, accuracy, analyze_game,
};
use chuhe_book::Books;
use chuhe_movegen::{Board, Color, Move};
use chuhe_records::Record;
use chuhe_rules::{Ending, Game, RuleSet, Verdict};

/// Knows a best move and its score for each number of moves played.
struct Oracle {
    answers: Vec<(&'static str, Score)>,
    asked: Vec<usize>,
    games: usize,
}

impl Analyst for Oracle {
    fn name(&self) -> &str {
        "oracle"
    }

    fn new_game(&mut self, _: &RuleSet) -> Result<(), AnalystError> {
        self.games += 1;
        Ok(())
    }

    fn analyze(&mut self, game: &Game) -> Result<PositionAnalysis, AnalystError> {
        let played = game.moves().count();
        self.asked.push(played);
        let &(best, score) = self.answers.get(played).ok_or_else(|| AnalystError {
            name: self.name().to_owned(),
            source: format!("nothing to say after {played} moves").into(),
        })?;
        let moves: Vec<Move> = best.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
        let lines = match moves.is_empty() {
            true => Vec::new(),
            false => vec![Line { score, chances: score.chances(), depth: 9, moves }],
        };
        Ok(PositionAnalysis { lines, depth: 9, nodes: 100 })
    }
}

fn record(fen: &str, moves: &str) -> Record {
    let mut record = Record::new(Board::from_fen(fen).unwrap());
    for mv in moves.split_whitespace() {
        record.tree.push(mv.parse().unwrap());
    }
    record
}

fn run(record: &Record, oracle: &mut Oracle) -> Result<GameAnalysis, GameError> {
    let references = References { rules: &RuleSet::ASIAN, books: &Books::embedded() };
    analyze_game(record, references, oracle, &mut |_, _| ControlFlow::Continue(()))
}

fn analyze(fen: &str, moves: &str, answers: &[(&'static str, Score)]) -> GameAnalysis {
    let mut oracle = Oracle { answers: answers.to_vec(), asked: Vec::new(), games: 0 };
    run(&record(fen, moves), &mut oracle).unwrap()
}

#[test]
fn moves_are_judged_by_the_win_probability_they_lose() {
    // After h2e2 (the oracle's choice) Black answers something else, upon which Red is better.
    let game = analyze(
        Board::START_FEN,
        "h2e2 i9i8 a0a1",
        &[("h2e2 h9g7", Score::Cp(10)), ("h9g7", Score::Cp(-10)), ("h0g2", Score::Cp(60)), ("h9g7", Score::Cp(30))],
    );
    let probability = |cp| Score::Cp(cp).chances().win_probability();
    let [first, second, third] = &game.moves[..] else { panic!("{} moves", game.moves.len()) };

    assert_eq!((first.mover, first.judgement, first.loss), (Color::Red, Judgement::Best, 0.0));
    assert_eq!(first.score, Score::Cp(10), "of the best line, not of the search after it");
    assert!(first.is_book && !second.is_book);

    assert_eq!((second.mover, second.score), (Color::Black, Score::Cp(-60)));
    assert!((second.loss - (probability(-10) - probability(-60))).abs() < 1e-9);
    // By the model written down once more: half of the chance to win less that to lose, for scores 50 apart.
    let chance = |cp: f64| {
        let units = cp / 100.0 * f64::from(chuhe_eval::EVEN_CHANCE);
        1.0 / (1.0 + ((f64::from(chuhe_eval::EVEN_CHANCE) - units) / f64::from(chuhe_eval::SPREAD)).exp())
    };
    let balance = |cp: f64| (chance(cp) - chance(-cp)) / 2.0;
    assert!((second.loss - (balance(-10.0) - balance(-60.0))).abs() < 0.002, "{}", second.loss);
    assert_eq!(second.judgement, Judgement::Mistake);

    assert_eq!(third.score, Score::Cp(-30));
    assert_eq!(third.judgement, Judgement::Blunder);
    assert_eq!((third.cp_loss(), third.before.depth), (90, 9));

    assert_eq!(game.last_position.as_ref().and_then(|last| last.best()).map(|line| line.score), Some(Score::Cp(30)));
    let [red, black] = game.players;
    assert_eq!((red.moves, red.choices, black.moves), (2, 2, 1));
    assert_eq!((red.count(Judgement::Best), red.count(Judgement::Blunder), red.book_moves), (1, 1, 1));
    assert_eq!(red.average_cp_loss, Some(45.0));
    assert_eq!(red.average_loss, Some(third.loss / 2.0));
    assert_eq!(red.accuracy, Some((accuracy(0.0) + accuracy(third.loss)) / 2.0));
    assert_eq!(game.ruling.verdict, Verdict::None);
}

#[test]
fn a_move_that_proves_better_than_the_first_choice_is_best() {
    let game = analyze(Board::START_FEN, "b2e2", &[("h2e2", Score::Cp(10)), ("h9g7", Score::Cp(-20))]);
    assert_eq!((game.moves[0].judgement, game.moves[0].loss), (Judgement::Best, 0.0));
    assert_eq!(game.moves[0].score, Score::Cp(20));
    let game = analyze(Board::START_FEN, "b2e2", &[("h2e2", Score::Cp(10)), ("h9g7", Score::Cp(-9))]);
    assert_eq!(game.moves[0].judgement, Judgement::Good);
}

#[test]
fn positions_are_searched_from_the_last_and_not_where_the_game_is_over() {
    let mut oracle = Oracle { answers: vec![("h2e2", Score::Cp(0)); 3], asked: Vec::new(), games: 0 };
    run(&record(Board::START_FEN, "h2e2 h9g7"), &mut oracle).unwrap();
    assert_eq!((&oracle.asked[..], oracle.games), (&[2, 1, 0][..], 1));

    // The rook mates.
    let mate = record("4k4/9/R8/1R7/9/9/9/9/9/3K5 w - - 0 1", "b6b8 e9f9 a7a9");
    let mut oracle = Oracle { answers: vec![("a7a9", Score::Cp(0)); 3], asked: Vec::new(), games: 0 };
    let game = run(&mate, &mut oracle).unwrap();
    assert_eq!(oracle.asked, [2, 1, 0]);
    assert_eq!(game.ended_by, Some(Ending::Checkmate(Color::Black)));
    assert_eq!(game.last_position, None);
}

#[test]
fn the_end_of_a_game_is_worth_what_the_rules_say() {
    // The oracle does not see the mate, nor in the third game the draw, but the rules do.
    let fen = "4k4/9/R8/1R7/9/9/9/9/9/3K5 w - - 0 1";
    let blind = ("d0e0", Score::Cp(500));
    let game = analyze(fen, "b6b8 e9f9 a7a9", &[blind, ("e9f9", Score::Cp(-500)), blind]);
    let last = &game.moves[2];
    assert_eq!(last.score, Score::Win { by: Decision::Mate, plies: 1 });
    assert_eq!((last.mate, last.judgement, last.loss), (Some(MateNote::Found(1)), Judgement::Best, 0.0));

    // World Xiangqi Federation manual, diagram 1: the rook checks for ever and loses.
    let fen = "c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1";
    let cycle = "h8h9 f9f8 h9h8 f8f9 h8h9 f9f8 h9h8 f8f9";
    let even = [("e1e0", Score::Cp(0)), ("e8d8", Score::Cp(0))].repeat(4);
    let game = analyze(fen, cycle, &even);
    assert_eq!(game.ruling.verdict, Verdict::Loses(Color::Red));
    // Red, who is to move, has lost, so that Black's last move won.
    assert_eq!(game.moves[7].score, Score::Win { by: Decision::Rule, plies: 1 });
    assert_eq!(game.moves[7].mate, None);

    // A quiet repetition is a draw for certain.
    let cycle = "b0c2 b9c7 c2b0 c7b9 b0c2 b9c7 c2b0 c7b9";
    let game = analyze(Board::START_FEN, cycle, &[("h2e2", Score::Cp(40)), ("h9g7", Score::Cp(40))].repeat(4));
    assert_eq!((game.moves[7].score, game.moves[7].chances), (Score::Cp(0), Chances::DRAW));
    assert!(game.moves[7].loss > 0.0);
    // Not even when the move was the oracle's choice.
    let mut answers = [("h2e2", Score::Cp(40)), ("c7b9", Score::Cp(40))].repeat(4);
    answers[7].1 = Score::Win { by: Decision::Rule, plies: 1 };
    let game = analyze(Board::START_FEN, cycle, &answers);
    assert_eq!((game.moves[7].score, game.moves[7].judgement), (Score::Cp(0), Judgement::Best));
}

/// Knows nothing but how far back each game it is asked about goes.
struct Historian(Vec<(usize, u16)>);

impl Analyst for Historian {
    fn name(&self) -> &str {
        "historian"
    }

    fn new_game(&mut self, _: &RuleSet) -> Result<(), AnalystError> {
        Ok(())
    }

    fn analyze(&mut self, game: &Game) -> Result<PositionAnalysis, AnalystError> {
        self.0.push((game.moves().count(), game.board().halfmove_clock()));
        Ok(PositionAnalysis::default())
    }
}

#[test]
fn a_repetition_that_the_record_plays_through_ends_nothing() {
    // The perpetual check of diagram 1 again, but after the third occurrence Red goes elsewhere.
    let fen = "c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1";
    let cycle = "h8h9 f9f8 h9h8 f8f9 h8h9 f9f8 h9h8 f8f9";
    // Red is well off all the time.
    let red = ("h8i8", Score::Cp(80));
    let mut answers = [red, ("f9f8", Score::Cp(-80))].repeat(5);
    answers[7].1 = Score::Cp(-79);
    let game =
        analyze(fen, &format!("{cycle} h8i8 f9e9"), &answers[..].iter().copied().chain([red]).collect::<Vec<_>>());
    assert_eq!(game.ruling.verdict, Verdict::Loses(Color::Red));
    assert_eq!((game.ended_by, game.played_through()), (None, Some(8)));
    assert_eq!(game.moves[7].score, Score::Cp(-80), "what the search of the position after it says");
    assert_eq!(game.players.map(|player| player.count(Judgement::Blunder)), [0, 0]);
    assert!(game.last_position.is_some());

    // It has ended the game where the record ends, even if that is not the first time.
    for moves in [cycle.to_owned(), format!("{cycle} h8h9"), format!("{cycle} {cycle}")] {
        let rounds = moves.split_whitespace().count();
        let even = [("e1e0", Score::Cp(0)), ("e8d8", Score::Cp(0))].repeat(rounds);
        let game = analyze(fen, &moves, &even);
        assert!(matches!(game.ended_by, Some(Ending::Repetition(_))), "{moves}");
        assert_eq!((game.played_through(), game.last_position.is_some()), (None, false), "{moves}");
    }

    // Nor does what came before the second time count for what follows: no search can take the third for an end.
    let mut historian = Historian(Vec::new());
    let references = References { rules: &RuleSet::ASIAN, books: &Books::new() };
    let through = record(fen, &format!("{cycle} h8i8 f9e9"));
    analyze_game(&through, references, &mut historian, &mut |_, _| ControlFlow::Continue(())).unwrap();
    historian.0.reverse();
    let counted = (0..4).chain(0..7).map(|played| (usize::from(played), played));
    assert_eq!(historian.0, counted.collect::<Vec<_>>(), "from the second time of the position on");
}

#[test]
fn sixty_rounds_without_a_capture_are_gone_past() {
    let mut historian = Historian(Vec::new());
    let references = References { rules: &RuleSet::ASIAN, books: &Books::new() };
    let past = record("4k4/9/9/9/9/9/9/9/R8/5K3 w - - 118 80", "a1a2 e9e8 a2a3 e8e9");
    let game = analyze_game(&past, references, &mut historian, &mut |_, _| ControlFlow::Continue(())).unwrap();
    historian.0.reverse();
    assert_eq!(historian.0, [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)]);
    assert_eq!((game.ended_by, game.last_position.is_some()), (None, true));
}

#[test]
fn the_thresholds_are_exact() {
    // Black is to move after b2e2; what he has is what Red has kept.
    let judged = |kept: [u16; 3]| {
        struct Teller(Chances);
        impl Analyst for Teller {
            fn name(&self) -> &str {
                "teller"
            }
            fn new_game(&mut self, _: &RuleSet) -> Result<(), AnalystError> {
                Ok(())
            }
            fn analyze(&mut self, game: &Game) -> Result<PositionAnalysis, AnalystError> {
                let (mv, cp, chances) = match game.moves().count() {
                    0 => ("h2e2", 30, Chances { win: 300, draw: 500, loss: 200 }),
                    _ => ("h9g7", 30, self.0),
                };
                let line = Line { score: Score::Cp(cp), chances, depth: 1, moves: vec![mv.parse().unwrap()] };
                Ok(PositionAnalysis { lines: vec![line], depth: 1, nodes: 1 })
            }
        }
        let [win, draw, loss] = kept;
        let mut teller = Teller(Chances { win, draw, loss }.seen_by_other());
        let references = References { rules: &RuleSet::ASIAN, books: &Books::new() };
        let record = record(Board::START_FEN, "a0a1");
        let game = analyze_game(&record, references, &mut teller, &mut |_, _| ControlFlow::Continue(())).unwrap();
        (game.moves[0].judgement, game.moves[0].loss)
    };
    // Of 550 per mille, 50, 100 and 150 are lost, in all ways in which floating point could err; and half a one less.
    for draw in 0..=800 {
        for (lost, judgement, lesser) in [
            (50, Judgement::Inaccuracy, Judgement::Good),
            (100, Judgement::Mistake, Judgement::Inaccuracy),
            (150, Judgement::Blunder, Judgement::Mistake),
        ] {
            let points = 2 * (550 - lost);
            if (points - draw) % 2 == 0 && draw <= points && (points - draw) / 2 + draw <= 1000 {
                let win = (points - draw) / 2;
                assert_eq!(judged([win, draw, 1000 - win - draw]), (judgement, f64::from(lost) / 1000.0));
            }
            let points = points + 1;
            if (points - draw) % 2 == 0 && draw <= points && (points - draw) / 2 + draw <= 1000 {
                let win = (points - draw) / 2;
                assert_eq!(judged([win, draw, 1000 - win - draw]).0, lesser);
            }
        }
    }
}

#[test]
fn a_book_move_is_no_slip() {
    let game = analyze(Board::START_FEN, "h2e2", &[("b2e2", Score::Cp(90)), ("h9g7", Score::Cp(90))]);
    let played = &game.moves[0];
    assert!(played.is_book && played.loss > 0.3, "{played:?}");
    assert_eq!(played.judgement, Judgement::Good);
    let red = game.player(Color::Red);
    assert_eq!((red.count(Judgement::Good), red.count(Judgement::Blunder), red.book_moves), (1, 0, 1));
    assert_eq!(red.average_loss, Some(played.loss));
}

#[test]
fn a_king_that_can_be_taken_is_no_game() {
    let mut oracle = Oracle { answers: Vec::new(), asked: Vec::new(), games: 0 };
    let facing = Record::new(Board::from_composed_fen("4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1").unwrap());
    assert!(run(&facing, &mut oracle).unwrap_err().to_string().starts_with("start position: "));
}

#[test]
fn mates_missed_and_allowed() {
    let mates = |plies| Score::Win { by: Decision::Mate, plies };
    let game = analyze(
        Board::START_FEN,
        "a0a1 a9a8 a1a2",
        &[("h2e2", mates(5)), ("h9g7", Score::Cp(0)), ("h2e2", Score::Cp(0)), ("h9g7", mates(3))],
    );
    assert_eq!(
        game.moves.iter().map(|mv| mv.mate).collect::<Vec<_>>(),
        [Some(MateNote::Missed(3)), None, Some(MateNote::Allowed(2))]
    );
    assert_eq!(game.players.map(|player| player.missed_mates), [1, 0]);
    assert_eq!(game.moves[0].loss, 0.5);
    assert_eq!(game.moves[2].cp_loss(), 1000);
}

#[test]
fn a_forced_move_is_best_and_no_choice() {
    // Between two rooks the king can only step forward.
    let fen = "3k5/9/9/9/9/9/9/9/2R1R4/4K4 b - - 0 1";
    let game =
        analyze(fen, "d9d8 c1c2", &[("d9d8", Score::Cp(-800)), ("c1d1", Score::Cp(2000)), ("d8d7", Score::Cp(0))]);
    assert!(game.moves[0].is_forced && !game.moves[1].is_forced);
    assert_eq!((game.moves[0].judgement, game.moves[0].loss), (Judgement::Best, 0.0));
    let [red, black] = game.players;
    assert_eq!((black.moves, black.choices, black.accuracy), (1, 0, None));
    assert_eq!((red.moves, red.choices), (1, 1));
}

#[test]
fn an_analyst_that_says_nothing_spoils_no_judgement() {
    let game =
        analyze(Board::START_FEN, "h2e2 h9g7", &[("", Score::Cp(0)), ("h9g7", Score::Cp(-50)), ("", Score::Cp(0))]);
    assert_eq!(game.moves[0].score, Score::Cp(50));
    assert_eq!(game.moves.iter().map(|mv| mv.loss).collect::<Vec<_>>(), [0.0, 0.0]);
}

#[test]
fn what_ends_an_analysis() {
    let mut oracle = Oracle { answers: vec![("h2e2", Score::Cp(0))], asked: Vec::new(), games: 0 };
    let error = run(&record(Board::START_FEN, "h2e2 h9g7"), &mut oracle).unwrap_err();
    assert_eq!(error.to_string(), "oracle: nothing to say after 2 moves");
    let error = run(&record(Board::START_FEN, "h2e2 h2e2"), &mut oracle).unwrap_err();
    assert_eq!(error.to_string(), "ply 2: h2e2 is not a legal move here");

    let mut told = Vec::new();
    let mut watch = |done, all| {
        told.push((done, all));
        if done == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let mut oracle = Oracle { answers: vec![("h2e2", Score::Cp(0)); 4], asked: Vec::new(), games: 0 };
    let references = References { rules: &RuleSet::ASIAN, books: &Books::new() };
    let stopped = analyze_game(&record(Board::START_FEN, "h2e2 h9g7 h0g2"), references, &mut oracle, &mut watch);
    assert!(matches!(stopped, Err(GameError::Stopped)));
    assert_eq!(told, [(1, 4), (2, 4)]);
}

#[test]
fn a_position_alone() {
    let game = analyze(Board::START_FEN, "", &[("h2e2", Score::Cp(7))]);
    assert_eq!((game.moves.len(), game.players[0].accuracy), (0, None));
    assert_eq!(game.last_position.unwrap().lines[0].score, Score::Cp(7));
    let mated = analyze("3k5/9/9/9/9/9/9/9/4R4/3RK4 b - - 0 1", "", &[]);
    assert_eq!(mated.last_position, None);
}
