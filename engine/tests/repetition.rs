//! Repetitions as the search sees them: public reports rebuilt, and the cases of the rules.

use chuhe_engine::{Bound, Control, Engine, Event, Limits, Outcome, Score};
use chuhe_movegen::{Board, Color, Move};
use chuhe_rules::{Ending, Game, Judgement, RuleSet};

fn game(fen: &str, moves: &str) -> Game {
    // One diagram of the manual has a pawn where no game brings it.
    let mut game = Game::new(Board::from_fen(fen).or_else(|_| Board::from_composed_fen(fen)).unwrap());
    for mv in moves.split_whitespace() {
        game.play(mv.parse().unwrap()).unwrap();
    }
    game
}

fn engine(rules: RuleSet) -> Engine {
    let mut engine = Engine::new();
    engine.set_hash(4).unwrap();
    engine.options.rules = rules;
    engine
}

fn search(game: &Game, rules: RuleSet, depth: u32) -> Outcome {
    engine(rules).search(game, &Limits::depth(depth), &Control::new(), &mut |_| {})
}

fn mv(text: &str) -> Option<Move> {
    Some(text.parse().unwrap())
}

/// The scores of all iterations.
fn scores(fen: &str, rules: RuleSet, depth: u32) -> Vec<Score> {
    let mut scores = Vec::new();
    engine(rules).search(&game(fen, ""), &Limits::depth(depth), &Control::new(), &mut |event| {
        if let Event::Line(report) = event {
            scores.push(report.score);
        }
    });
    scores
}

/// Fairy-Stockfish issue 49: the side that is lost has checks for as long as it likes. They save nothing.
#[test]
fn a_perpetual_check_is_no_draw_at_any_depth() {
    let fen = "4k4/8R/9/9/9/9/9/9/9/rrBA1K3 w - - 0 1";
    for rules in [RuleSet::COMPUTER, RuleSet::ASIAN, RuleSet::CHINESE, RuleSet::CHECK_ONLY] {
        let scores = scores(fen, rules, 12);
        assert!(scores.iter().all(|score| score.get() < -100), "{rules}: {scores:?}");
    }
}

/// Fairy-Stockfish issue 635: a rule that knows only the mover as the one at fault is a move late and makes mates of
/// draws.
#[test]
fn no_mate_is_made_of_a_rule() {
    for fen in ["3aka3/4n4/9/9/9/9/9/7C1/7r1/3AK4 w - - 0 1", "5R3/4k4/9/4r4/9/9/5p3/5A3/5K3/9 b - - 0 1"] {
        for rules in RuleSet::ALL {
            let scores = scores(fen, rules, 14);
            assert!(scores.iter().all(|score| !score.is_decided()), "{rules}: {fen}: {scores:?}");
        }
    }
}

/// chessdb issue 15, Fairy-Stockfish issue 635: Black may chase the cannon for ever or check for ever, and loses by either
/// alone. By turns it may do both (World rule 12), so nothing is lost. Once every other move was seen to be no better, from
/// depth 30 or 32 on, the score was a loss by rule.
#[test]
fn two_forbidden_ways_of_repeating_make_a_permitted_one() {
    for fen in ["3aka3/4n4/9/9/9/9/2C6/9/6r2/3AK4 b - - 0 1", "3aka3/4n4/9/9/9/2C6/9/9/6r2/3AK4 b - - 0 1"] {
        let board = Board::from_fen(fen).unwrap();
        let mirrored = board.mirror_files();
        for board in [board.swap_colors(), mirrored.swap_colors(), mirrored, board] {
            for rules in [RuleSet::COMPUTER, RuleSet::ASIAN, RuleSet::CHINESE, RuleSet::CHINESE_1999] {
                let outcome = search(&Game::new(board.clone()), rules, 34);
                assert_eq!(outcome.score, Score::ZERO, "{rules}: {}: {outcome:?}", board.to_fen());
            }
        }
    }
}

/// Fairy-Stockfish issue 55: an elephant's attack on a rook, opened again and again by the cannon that stood in its eye.
#[test]
fn a_discovered_chase_is_given_up() {
    for (fen, start, last, depth) in [
        ("3ak4/4a4/9/9/2b6/nnrp2B2/1C1p5/B3N3C/3pA4/pp1A1K3 w - - 0 1", "b3b1 c4c0 b1b3 c0c4 b3b1 c4c0", "b1b3", 8),
        // From depth 7 or so on all other moves are seen to be mated.
        ("4k4/9/9/9/9/r1r6/3C5/4B4/9/5K3 w - - 0 1", "d3f3 c4g4 f3d3 g4c4 d3f3 c4g4", "f3d3", 5),
    ] {
        for rules in [RuleSet::COMPUTER, RuleSet::ASIAN] {
            let outcome = search(&game(fen, start), rules, depth);
            assert!(outcome.best.is_some() && outcome.best != mv(last), "{rules}: {fen}: {outcome:?}");
            assert!(!outcome.score.is_by_rule(), "{rules}: {fen}: {outcome:?}");
        }
    }
}

/// Fairy-Stockfish issue 570, first game: lost by Black, whose rook would not let a bare cannon go.
#[test]
fn a_rook_lets_a_bare_cannon_go() {
    let fen = "3a5/5k3/6nC1/p5p2/4R4/6P2/7r1/3AB4/4A4/4K1B2 w - - 1 49";
    let cycle = "h7i7 h3i3 i7h7 i3h3";
    for rules in [RuleSet::COMPUTER, RuleSet::ASIAN, RuleSet::CHINESE, RuleSet::CHINESE_1999] {
        let end = game(fen, &format!("{cycle} {cycle}"));
        assert_eq!(end.ending(&rules), Some(Ending::Repetition(Judgement::Loses(Color::Black))), "{rules}");
        let outcome = search(&game(fen, &format!("{cycle} h7i7 h3i3 i7h7")), rules, 8);
        assert!(outcome.best != mv("i3h3") && !outcome.score.is_by_rule(), "{rules}: {outcome:?}");
    }
}

/// Pikafish issue 27: a GUI gave the game to Black for a perpetual chase of the cannon. It was none: on i3 the horse on
/// h5 protects it, and only on i0 it is bare. Nobody has to fear the repetition.
#[test]
fn a_piece_that_is_protected_every_other_time_is_not_chased() {
    let fen = "4kab2/4a4/3rb4/2N1P3p/p2r3n1/2P2p3/P7c/4B4/R1C1A4/3AK1BR1 w - - 8 28";
    let cycle = "h0h3 i3i0 h3h0 i0i3";
    for rules in RuleSet::ALL {
        let end = game(fen, &format!("{cycle} {cycle}"));
        assert_eq!(end.ending(&rules), Some(Ending::Repetition(Judgement::Draw)), "{rules}");
        let outcome = search(&game(fen, &format!("{cycle} h0h3 i3i0")), rules, 8);
        assert!(!outcome.score.is_decided(), "{rules}: {outcome:?}");
    }
}

/// Fairy-Stockfish issue 938, part 4: a rook follows a bare horse. The horse's side wins by going back once more, the
/// rook's side has to do something else; neither is a mate.
#[test]
fn whoever_is_chased_takes_the_win_and_the_chaser_deviates() {
    let chased = game("3k4n/9/9/9/9/9/9/9/9/4K2R1 w - - 0 1", "h0i0 i9h7 i0h0 h7i9 h0i0 i9h7 i0h0");
    let chaser = game("3k4n/9/9/9/9/9/9/9/9/4K3R b - - 0 1", "i9h7 i0h0 h7i9 h0i0 i9h7 i0h0 h7i9");
    for rules in [RuleSet::COMPUTER, RuleSet::ASIAN, RuleSet::CHINESE, RuleSet::CHINESE_1999] {
        let outcome = search(&chased, rules, 6);
        assert_eq!(outcome.best, mv("h7i9"), "{rules}");
        assert!(outcome.score.is_by_rule() && outcome.score > Score::ZERO, "{rules}: {outcome:?}");
        let outcome = search(&chaser, rules, 6);
        assert_ne!(outcome.best, mv("h0i0"), "{rules}");
        assert!(outcome.score >= Score::ZERO, "{rules}: {outcome:?}");
    }
    assert_ne!(search(&chased, RuleSet::CHECK_ONLY, 6).score.get().signum(), 1, "nothing to win without a chase rule");
}

/// The cases of the rules that end with a loss, each stopped one move early: the one at fault does not repeat, the
/// other does.
#[test]
fn nobody_completes_a_losing_repetition() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/repetition.jsonl");
    let (mut avoided, mut won) = (0, 0);
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| case[key].as_str().unwrap();
        let rules: RuleSet = text("ruleset").parse().unwrap();
        let moves: Vec<&str> = case["moves"].as_array().unwrap().iter().filter_map(|mv| mv.as_str()).collect();
        let Some((last, moves)) = moves.split_last() else { continue };
        let before = game(text("fen"), &moves.join(" "));
        let mut after = before.clone();
        after.play(last.parse().unwrap()).unwrap();
        let Some(Ending::Repetition(Judgement::Loses(loser))) = after.ending(&rules) else { continue };
        let outcome = search(&before, rules, 4);
        if before.board().side_to_move() == loser {
            // Unless nothing else can be played.
            if before.losing_repetitions(&rules).len() < before.board().legal_moves().len() {
                assert_ne!(outcome.best, mv(last), "{}: {outcome:?}", text("id"));
                avoided += 1;
            }
        } else if [RuleSet::COMPUTER, RuleSet::ASIAN, RuleSet::CHECK_ONLY].contains(&rules) {
            assert!(outcome.score > Score::ZERO && outcome.score.is_decided(), "{}: {outcome:?}", text("id"));
            won += 1;
        }
        // One move earlier the side at fault still has the choice.
        let Some((last, moves)) = moves.split_last() else { continue };
        let earlier = game(text("fen"), &moves.join(" "));
        if earlier.board().side_to_move() == loser && rules != RuleSet::CHINESE && rules != RuleSet::CHINESE_1999 {
            let outcome = search(&earlier, rules, 6);
            assert!(outcome.best != mv(last) || outcome.score.is_decided(), "{}: {outcome:?}", text("id"));
        }
    }
    assert!(avoided > 10 && won > 40, "{avoided} avoided, {won} won");
}

/// One move mates Red next move; the other lets Black complete a repetition by which Red loses. Black must find that.
#[test]
fn a_repetition_that_may_be_missed_is_better_than_a_mate() {
    let fen = "5c3/8R/4k2P1/3P5/5P3/6P2/5pN2/5A3/4CK3/6rn1 w - - 0 1";
    let game = game(fen, "f5e5 f3e3 e5f5 e3f3 f5e5 f3e3");
    assert_eq!(game.moves_lost_by_repetition(&RuleSet::ASIAN).as_slice(), ["e5f5".parse().unwrap()]);
    let outcome = search(&game, RuleSet::ASIAN, 6);
    assert_eq!((outcome.best, outcome.score), (mv("e5f5"), Score::rule_loss(2)));
    let limits = Limits { banned_moves: vec!["e5f5".parse().unwrap()], ..Limits::depth(6) };
    let outcome = engine(RuleSet::ASIAN).search(&game, &limits, &Control::new(), &mut |_| {});
    assert_eq!((outcome.best, outcome.score), (mv("i8f8"), Score::mated_in(2)));
}

/// What a repetition is worth hangs on the game before it. The hash table knows positions only, and must not carry the
/// verdict on one game into another.
#[test]
fn what_hangs_on_the_game_stays_out_of_the_hash_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/repetition.jsonl");
    let (mut won, mut narrowed) = (0, 0);
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| case[key].as_str().unwrap();
        let rules: RuleSet = text("ruleset").parse().unwrap();
        let moves: Vec<&str> = case["moves"].as_array().unwrap().iter().filter_map(|mv| mv.as_str()).collect();
        for past in (1..=2).filter_map(|left| moves.len().checked_sub(left)) {
            let game = game(text("fen"), &moves[..past].join(" "));
            let mut engine = engine(rules);
            let outcome = engine.search(&game, &Limits::depth(5), &Control::new(), &mut |_| {});
            let known = engine.prober().probe(&game);
            let lost = game.moves_lost_by_repetition(&rules).len();
            if outcome.score.is_by_rule() {
                assert!(known.is_none_or(|known| !known.score.is_by_rule()), "{}: {known:?}", text("id"));
                won += 1;
            }
            if (1..game.board().legal_moves().len()).contains(&lost) {
                // The best of some moves is not the score of the position.
                assert!(known.is_none_or(|known| known.depth < 5), "{}: {known:?}", text("id"));
                narrowed += 1;
            }
        }
    }
    assert!(won > 40 && narrowed > 40, "{won} won, {narrowed} narrowed");
}

/// The same one move deeper: the one at fault is to move, and its best move is the one that it must not repeat in this
/// game. In others it may.
#[test]
fn bounds_that_hang_on_the_game_stay_out_of_the_hash_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/repetition.jsonl");
    let (mut changed, mut spoilt) = (0, 0);
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| case[key].as_str().unwrap();
        let rules: RuleSet = text("ruleset").parse().unwrap();
        let moves: Vec<&str> = case["moves"].as_array().unwrap().iter().filter_map(|mv| mv.as_str()).collect();
        let Some((past, next)) = moves.len().checked_sub(3).map(|at| (&moves[..at], moves[at])) else { continue };
        let end = game(text("fen"), &moves.join(" ")).ending(&rules);
        let game = game(text("fen"), &past.join(" "));
        let child = Game::new(game.board().make(next.parse().unwrap()));
        if end != Some(Ending::Repetition(Judgement::Loses(child.board().side_to_move()))) {
            continue;
        }
        let mut engine = engine(rules);
        let limits = Limits { search_moves: vec![next.parse().unwrap()], ..Limits::depth(7) };
        let here = -engine.search(&game, &limits, &Control::new(), &mut |_| {}).score;
        let outcome = search(&child, rules, 6);
        let elsewhere = outcome.score;
        if outcome.best == mv(moves[past.len() + 1]) && elsewhere > here + 100 {
            // What is remembered has to be what the position is worth to a search of the same depth that begins there, or
            // more. A search may overlook that move for reasons of its own, which do not hang on the game.
            let known = engine.prober().probe(&child).filter(|known| known.depth >= 5 && known.bound != Bound::Lower);
            spoilt +=
                usize::from(known.is_some_and(|known| known.score <= search(&child, rules, known.depth).score + -50));
            changed += 1;
        }
    }
    assert!(changed > 5 && 4 * spoilt < changed, "{spoilt} of {changed}");
}

/// Red is mated unless it checks, and by checking for ever it loses. The cycle closes on the position itself and rests on
/// nothing before it, and still the score is not the position's: had it come before without checks, the next repetition
/// would be a draw.
#[test]
fn a_loss_by_rule_is_not_remembered_into_another_game() {
    let fen = "4k4/8R/3P5/9/9/9/9/1r7/r8/3K5 w - - 0 1";
    for rules in [RuleSet::COMPUTER, RuleSet::ASIAN, RuleSet::CHINESE, RuleSet::CHECK_ONLY] {
        let first = game(fen, "");
        let mut engine = engine(rules);
        let outcome = engine.search(&first, &Limits::depth(12), &Control::new(), &mut |_| {});
        assert!(outcome.score.is_by_rule() && outcome.score < Score::ZERO, "{rules}: {outcome:?}");
        let known = engine.prober().probe(&first);
        assert!(known.is_none_or(|known| !known.score.is_by_rule()), "{rules}: {known:?}");
        // Black goes back to it, and nobody has checked since.
        let other = game(fen, "i8i7 b2b3 i7i8");
        let limits = Limits { search_moves: vec!["b3b2".parse().unwrap()], ..Limits::depth(8) };
        let score = engine.search(&other, &limits, &Control::new(), &mut |_| {}).score;
        assert_eq!(score, Score::ZERO, "{rules}");
    }
}

#[test]
fn a_move_is_played_when_every_move_loses_by_rule() {
    // World Xiangqi Federation manual, diagram 1, with no other move allowed than the one that completes the third
    // occurrence.
    let game = game("c2a1k1R1/2c1a4/b6P1/8p/9/9/9/9/4K4/9 b - - 0 1", "f9f8 h9h8 f8f9 h8h9 f9f8 h9h8 f8f9");
    assert_eq!(game.board().side_to_move(), Color::Red);
    let limits = Limits { search_moves: vec!["h8h9".parse().unwrap()], ..Limits::depth(4) };
    let outcome = engine(RuleSet::COMPUTER).search(&game, &limits, &Control::new(), &mut |_| {});
    assert_eq!(outcome.best, mv("h8h9"));
    assert!(outcome.score.is_by_rule() && outcome.score < Score::ZERO);
}
