//! Games analyzed by our engine, against what is known of them otherwise.

use std::collections::HashSet;
use std::ops::ControlFlow;

use chuhe_analysis::{
    Analyst, Decision, EngineSettings, GameAnalysis, Judgement, Limits, MateNote, OwnEngine, References, Score,
    analyze_game,
};
use chuhe_book::Books;
use chuhe_movegen::{Board, Color, Move};
use chuhe_records::Record;
use chuhe_rules::{Ending, Game, RuleSet};
use serde_json::Value;

const MATES: &str = include_str!("../../tests/data/mates.jsonl");

fn engine(nodes: u64, multi_pv: usize) -> OwnEngine {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    OwnEngine::new(EngineSettings { limits, multi_pv, hash_mib: 8, ..EngineSettings::default() }).unwrap()
}

fn analyze(fen: &str, moves: impl IntoIterator<Item = Move>, engine: &mut OwnEngine) -> GameAnalysis {
    let mut record = Record::new(Board::from_fen(fen).unwrap());
    for mv in moves {
        record.tree.push(mv);
    }
    let references = References { rules: &RuleSet::ASIAN, books: &Books::embedded() };
    analyze_game(&record, references, engine, &mut |_, _| ControlFlow::Continue(())).unwrap()
}

fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|mv| mv.parse().unwrap()).collect()
}

/// Mates of old manuals and of tournaments, each proved by others.
fn puzzles(longest: u64) -> impl Iterator<Item = (Value, u64)> {
    let all = MATES.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    all.map(|puzzle| {
        let mate_in = puzzle["mate_in"].as_u64().unwrap();
        (puzzle, mate_in)
    })
    .filter(move |&(_, mate_in)| mate_in <= longest)
}

/// The perpetual check of diagram 1 of the World Xiangqi Federation's manual, after which the game went on.
#[test]
fn a_repetition_that_was_played_through_is_nobodys_blunder() {
    let fen = "c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1";
    let cycle = "h8h9 f9f8 h9h8 f8f9";
    for loops in [2, 3, 5] {
        let played = [&vec![cycle; loops].join(" "), " h8i8 f9e9 i8h8"].concat();
        let game = analyze(fen, moves(&played), &mut engine(3_000, 1));
        assert_eq!((game.ended_by, game.played_through()), (None, Some(8)));
        for (index, played) in game.moves.iter().enumerate() {
            let decided = played.score.decided_in();
            assert!(!matches!(decided, Some((Decision::Rule, _))), "{loops}, {index}: {played:?}");
        }
    }
    // Where it ends the game, it is lost.
    let game = analyze(fen, moves(&[cycle; 2].join(" ")), &mut engine(3_000, 1));
    assert_eq!(game.moves[7].score, Score::Win { by: Decision::Rule, plies: 1 });
}

#[test]
fn a_mate_that_is_played_out_is_found_at_every_move() {
    let mut engine = engine(50_000, 1);
    let mut played = 0;
    for (puzzle, mate_in) in puzzles(3).filter(|(puzzle, _)| puzzle["pv"].is_array()) {
        let line: Vec<Move> =
            puzzle["pv"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap().parse().unwrap()).collect();
        if line.len() as u64 != 2 * mate_in - 1 {
            continue;
        }
        let id = puzzle["id"].as_str().unwrap();
        let game = analyze(puzzle["fen"].as_str().unwrap(), line, &mut engine);
        for (index, played) in game.moves.iter().step_by(2).enumerate() {
            // No longer than stated: puzzles whose length is not exact may have shorter ones.
            let left = (mate_in as usize - index) as u32;
            assert!(matches!(played.mate, Some(MateNote::Found(moves)) if moves <= left), "{id}: {played:?}");
            assert_eq!((played.judgement, played.loss), (Judgement::Best, 0.0), "{id}");
        }
        assert_eq!(game.moves.last().unwrap().mate, Some(MateNote::Found(1)), "{id}");
        assert_eq!(game.last_position, None, "{id}");
        played += 1;
    }
    assert!(played >= 20, "{played} puzzles");
}

#[test]
fn a_mate_that_is_not_played_is_missed() {
    // A rook mates at b9. Instead it is given away for nothing; what is left, rook against rook, mates nobody.
    let game = analyze("4k4/R8/1R7/8r/9/9/9/9/9/3K5 w - - 0 1", moves("b7i7 i6i7"), &mut engine(50_000, 1));
    let missed = &game.moves[0];
    assert_eq!((missed.mate, missed.judgement), (Some(MateNote::Missed(1)), Judgement::Blunder));
    assert_eq!(missed.before.lines[0].moves, moves("b7b9"));
    assert_eq!(game.players[Color::Red.index()].missed_mates, 1);
}

#[test]
fn a_move_that_allows_mate_is_a_blunder() {
    // Black could take a rook; he lets it mate at c9 instead.
    let game = analyze("4k4/R8/9/4p4/2r6/9/9/9/9/2R1K4 b - - 0 1", moves("c5i5 c0c9"), &mut engine(50_000, 1));
    let [blunder, mate] = &game.moves[..] else { panic!("two moves") };
    assert_eq!((blunder.mate, blunder.judgement), (Some(MateNote::Allowed(1)), Judgement::Blunder));
    assert_eq!(blunder.before.lines[0].moves[0], "c5c0".parse().unwrap());
    assert_eq!((mate.mate, mate.loss), (Some(MateNote::Found(1)), 0.0));
    assert_eq!(game.ruling.ended_by, Some(Ending::Checkmate(Color::Black)));
}

#[test]
fn results_depend_on_the_game_alone() {
    let line = moves("h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 h0h4 c6c5");
    let mut fresh = engine(5_000, 3);
    let first = analyze(Board::START_FEN, line.clone(), &mut fresh);
    let mut used = engine(5_000, 3);
    analyze("4k4/R8/1R7/2r6/9/9/9/9/9/3K5 w - - 0 1", moves("b7c7 c6c7"), &mut used);
    let second = analyze(Board::START_FEN, line, &mut used);
    assert_eq!(first.moves, second.moves);
    assert_eq!(first.last_position, second.last_position);
    for played in &first.moves {
        assert_eq!(played.before.lines.len(), 3);
        assert!(played.before.nodes <= 5_000 + 100);
        let heads: HashSet<Move> = played.before.lines.iter().map(|line| line.moves[0]).collect();
        assert_eq!(heads.len(), 3, "each line has a first move of its own");
    }
}

#[test]
fn as_many_lines_as_there_are_moves() {
    let board = Board::from_fen("3k5/9/9/9/9/9/9/4p4/9/5K3 w - - 0 1").unwrap();
    let legal = board.legal_moves().len();
    let position = engine(2_000, 100).analyze(&Game::new(board)).unwrap();
    assert_eq!(position.lines.len(), legal);
    assert!(position.depth > 0);
}
