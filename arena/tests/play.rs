//! Games between scripted players: every way a game can end, from both chairs, and what the players are told.

use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use chuhe_arena::adjudication::{Adjudication, DrawByScore, WinByScore};
use chuhe_arena::outcome::Outcome;
use chuhe_arena::play::{Cancelled, GameEvent, PlayOptions, play_game};
use chuhe_arena::played::{Opening, PlayedGame, Termination};
use chuhe_arena::referee::{DrawOffers, GameRules};
use chuhe_client::player::{Answer, Decision, Fault, FaultKind, GameEnd, Player, SearchReport, Turn};
use chuhe_client::time_control::{ClockReading, TimeControl};
use chuhe_movegen::{Board, Color, Move, Square};
use chuhe_protocol::Score;
use chuhe_rules::{Game, RuleSet};

const START: &str = Board::START_FEN;
/// Red mates with a1d1.
const MATE_IN_ONE: &str = "3k5/9/9/9/9/9/9/9/R8/4K4 w - - 0 1";

/// A player that answers from a list. Answers are separated by `;`; each is a move, `resign`, `none`, `?word` or `!fault`,
/// then any of `draw`, `<n>us` (time used), `cp:<n>`, `mate:<n>`, `expects:<move>`.
#[derive(Default)]
struct Script {
    answers: VecDeque<String>,
    /// Turns all moves round, for the game from the other chair.
    rotated: bool,
    not_ready: Option<FaultKind>,
    late: Vec<Fault>,
    seated: bool,
    asked: Vec<Asked>,
    pondered: Vec<Asked>,
    told: Option<GameEnd>,
}

/// What a turn told.
#[derive(Clone, PartialEq, Debug)]
struct Asked {
    fen: String,
    banned: Vec<Move>,
    draw_offered: bool,
    clocks: [Option<ClockReading>; 2],
    patience: Duration,
}

impl Asked {
    fn new(turn: &Turn<'_>) -> Asked {
        Asked {
            fen: turn.game.board().to_fen(),
            banned: turn.banned.to_vec(),
            draw_offered: turn.draw_offered,
            clocks: turn.clocks,
            patience: turn.patience,
        }
    }
}

fn fault(kind: FaultKind) -> Fault {
    Fault { kind, detail: "as the script says".to_owned(), dialogue: vec!["> go".to_owned()] }
}

fn fault_kind(word: &str) -> FaultKind {
    match word {
        "nostart" => FaultKind::NoStart,
        "nohandshake" => FaultKind::NoHandshake,
        "crash" => FaultKind::Crash,
        "silence" => FaultKind::Silence,
        "refusal" => FaultKind::Refusal,
        "stray" => FaultKind::Stray,
        _ => panic!("no fault {word}"),
    }
}

impl Script {
    fn new(answers: &str) -> Script {
        let answers = answers.split(';').map(|answer| answer.trim().to_owned()).filter(|answer| !answer.is_empty());
        Script { answers: answers.collect(), ..Script::default() }
    }

    fn mv(&self, text: &str) -> Move {
        let mv: Move = text.parse().unwrap_or_else(|_| panic!("{text}"));
        if self.rotated { mv.rotate() } else { mv }
    }
}

impl Player for Script {
    fn new_game(&mut self, _: &Game, _: Color) -> Result<(), Fault> {
        self.seated = true;
        self.not_ready.map_or(Ok(()), |kind| Err(fault(kind)))
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault> {
        self.asked.push(Asked::new(turn));
        let script =
            self.answers.pop_front().unwrap_or_else(|| panic!("the game goes on: {}", turn.game.board().to_fen()));
        let mut words = script.split_whitespace();
        let decision = match words.next().unwrap() {
            "resign" => Decision::Resign,
            "none" => Decision::NoMove,
            word if word.starts_with('?') => Decision::Unreadable(word[1..].to_owned()),
            word if word.starts_with('!') => return Err(fault(fault_kind(&word[1..]))),
            word => Decision::Move(self.mv(word)),
        };
        let mut answer = Answer {
            decision,
            draw: false,
            expects: None,
            elapsed: Duration::from_millis(1),
            search: SearchReport::default(),
        };
        for word in words {
            if word == "draw" {
                answer.draw = true;
            } else if let Some(micros) = word.strip_suffix("us") {
                answer.elapsed = Duration::from_micros(micros.parse().unwrap());
            } else if let Some(score) = word.strip_prefix("cp:") {
                answer.search.score = Some(Score::Cp(score.parse().unwrap()));
            } else if let Some(plies) = word.strip_prefix("mate:") {
                answer.search.score = Some(Score::Mate(plies.parse().unwrap()));
            } else if let Some(mv) = word.strip_prefix("expects:") {
                answer.expects = Some(self.mv(mv));
            } else {
                panic!("no word {word}");
            }
        }
        Ok(answer)
    }

    fn ponder(&mut self, turn: &Turn<'_>) {
        self.pondered.push(Asked::new(turn));
    }

    fn end_game(&mut self, end: GameEnd) -> Vec<Fault> {
        assert!(self.told.is_none(), "told twice");
        self.told = Some(end);
        std::mem::take(&mut self.late)
    }
}

/// A game and how it is to be played.
struct Scenario {
    game: Game,
    rules: GameRules,
    time: &'static str,
    options: PlayOptions,
    red: Script,
    black: Script,
}

/// A game that was played, and the players afterwards.
struct Done {
    played: PlayedGame,
    red: Script,
    black: Script,
}

fn scenario(fen: &str, red: &str, black: &str) -> Scenario {
    Scenario {
        game: Game::new(Board::from_fen(fen).unwrap()),
        rules: GameRules::default(),
        time: "2+0",
        options: PlayOptions::default(),
        red: Script::new(red),
        black: Script::new(black),
    }
}

impl Scenario {
    fn rules(mut self, change: impl FnOnce(&mut GameRules)) -> Scenario {
        change(&mut self.rules);
        self
    }

    /// The same scenario from the other chair: colours exchanged, the board turned round.
    fn swapped(&self) -> Scenario {
        let mut game = Game::new(self.game.start().swap_colors());
        for mv in self.game.moves() {
            game.play(mv.rotate()).unwrap();
        }
        let script = |script: &Script| Script {
            answers: script.answers.clone(),
            rotated: true,
            not_ready: script.not_ready,
            ..Script::default()
        };
        Scenario {
            game,
            rules: self.rules.clone(),
            time: self.time,
            options: self.options,
            red: script(&self.black),
            black: script(&self.red),
        }
    }

    fn play(mut self) -> Done {
        let time: TimeControl = self.time.parse().unwrap();
        let opening = Opening { name: "test".to_owned(), game: self.game };
        let played = play_game(
            [&mut self.red, &mut self.black],
            &opening,
            &self.rules,
            [&time, &time],
            &self.options,
            &AtomicBool::new(false),
            |_| (),
        )
        .unwrap();
        assert_eq!(played.moves.len(), played.game.moves().count() - played.opening_plies);
        Done { played, red: self.red, black: self.black }
    }

    /// Plays from both chairs and compares ending and reason; returns the game as written.
    #[track_caller]
    fn ends(self, outcome: Outcome, termination: Termination, reason: &str) -> Done {
        let swapped = self.swapped().play();
        let done = self.play();
        let ending = &done.played.ending;
        assert_eq!((ending.outcome, ending.termination, ending.reason.as_str()), (outcome, termination, reason));
        assert_eq!(ending.fault.is_some(), reason.contains(" failed: "));
        for player in [&done.red, &done.black] {
            assert!(player.answers.is_empty(), "left: {:?}", player.answers);
            assert_eq!(player.told, player.seated.then_some(outcome.told()));
        }
        let ending = swapped.played.ending;
        let other = match outcome {
            Outcome::RedWins => Outcome::BlackWins,
            Outcome::BlackWins => Outcome::RedWins,
            Outcome::RedForfeits => Outcome::BlackForfeits,
            Outcome::BlackForfeits => Outcome::RedForfeits,
            same => same,
        };
        assert_eq!((ending.outcome, ending.termination), (other, termination));
        if outcome != Outcome::BothForfeit {
            assert_eq!(ending.reason, from_the_other_chair(reason));
        }
        done
    }
}

/// A reason with colours and moves exchanged.
fn from_the_other_chair(reason: &str) -> String {
    let victim = |text: &str| {
        let &[piece, file, rank] = text.as_bytes() else { panic!("no victim: {text}") };
        format!("chase:{}{}", char::from(piece ^ 0x20), Square::from_ascii(file, rank).unwrap().rotate())
    };
    let word = |word: &str| {
        if let Some(text) = word.strip_prefix("chase:") {
            let (text, tail) = text.split_at(3);
            return victim(text) + tail;
        }
        let (core, tail) = word.split_at(word.find(['\'', ',', ':', ';']).unwrap_or(word.len()));
        let core = match core {
            "Red" => "Black".to_owned(),
            "Black" => "Red".to_owned(),
            _ => core.parse::<Move>().map_or_else(|_| core.to_owned(), |mv| mv.rotate().to_string()),
        };
        core + tail
    };
    reason.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

fn no_draws(rules: &mut GameRules) {
    rules.natural_limit = None;
    rules.dead_material = false;
}

#[test]
fn checkmate_wins() {
    scenario(MATE_IN_ONE, "a1d1", "").ends(
        Outcome::RedWins,
        Termination::Checkmate,
        "Black is in check and has no legal move after Red's a1d1 on ply 1",
    );
}

#[test]
fn stalemate_loses_for_the_side_without_moves() {
    scenario("3k5/9/4P4/9/9/9/9/9/9/4K4 w - - 0 1", "e7e8", "").ends(
        Outcome::RedWins,
        Termination::Stalemate,
        "Black, not in check, has no legal move after Red's e7e8 on ply 1, which loses",
    );
}

/// The project's mates, each line played to its end: the referee ends the game with the last move, not before.
#[test]
fn published_mates_are_mates() {
    let file = std::fs::read_to_string("../tests/data/mates.jsonl").unwrap();
    let mut lines = 0;
    for line in file.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let Some(pv) = case["pv"].as_array() else { continue };
        let moves: Vec<&str> = pv.iter().map(|mv| mv.as_str().unwrap()).collect();
        if moves.len() != case["mate_in"].as_u64().unwrap() as usize * 2 - 1 {
            continue;
        }
        let every_second = |from: usize| moves.iter().skip(from).step_by(2).copied().collect::<Vec<_>>().join(";");
        let (attacker, defender) = (every_second(0), every_second(1));
        let red_attacks = case["side"] == "red";
        let (red, black) = if red_attacks { (&attacker, &defender) } else { (&defender, &attacker) };
        let done = scenario(case["fen"].as_str().unwrap(), red, black).rules(no_draws).play();
        let ending = done.played.ending;
        assert!(matches!(ending.termination, Termination::Checkmate | Termination::Stalemate), "{case}: {ending:?}");
        assert_eq!(ending.outcome, if red_attacks { Outcome::RedWins } else { Outcome::BlackWins }, "{case}");
        assert_eq!(done.played.moves.len(), moves.len(), "{case}");
        lines += 1;
    }
    assert!(lines > 100, "{lines}");
}

/// World Xiangqi Federation manual, diagram 1.
#[test]
fn perpetual_check_loses() {
    let fen = "c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1";
    let done = scenario(fen, "h8h9;h9h8;h8h9;h9h8", "f9f8;f8f9;f9f8;f8f9").ends(
        Outcome::BlackWins,
        Termination::Repetition,
        "after Black's f8f9 on ply 8 the position of plies 0 and 4 occurs for the third time; under `computer` (step 1) \
         Red had to deviate from ply 1 on, and loses; Red: check check; Black: chase:Rh9 chase:Rh8",
    );
    assert!(done.red.asked.iter().chain(&done.black.asked).all(|asked| asked.banned.is_empty()));
    scenario(fen, "h8h9;h9h8;h8h9;h9h8", "f9f8;f8f9;f9f8;f8f9").rules(|rules| rules.repetition = RuleSet::ALWAYS_DRAW).ends(
        Outcome::Draw,
        Termination::Repetition,
        "after Black's f8f9 on ply 8 the position of plies 0 and 4 occurs for the third time; under `alwaysdraw` neither \
         side has to deviate: a draw; Red: check check; Black: chase:Rh9 chase:Rh8",
    );
}

/// The same, begun half a move later: now it is Red's own move that completes the third occurrence, and it is banned.
#[test]
fn banned_moves_are_told_before_they_lose() {
    let fen = "c2a1k1R1/2c1a4/b6P1/8p/9/9/9/9/4K4/9 b - - 0 1";
    let done = scenario(fen, "h9h8;h8h9;h9h8;h8h9", "f9f8;f8f9;f9f8;f8f9").ends(
        Outcome::BlackWins,
        Termination::Repetition,
        "after Red's h8h9 on ply 8 the position of plies 0 and 4 occurs for the third time; under `computer` (step 1) \
         Red had to deviate from ply 2 on, and loses; Black: chase:Rh9 chase:Rh8; Red: check check",
    );
    let banned: Vec<_> = done.red.asked.iter().map(|asked| asked.banned.clone()).collect();
    assert_eq!(banned, [vec![], vec![], vec![], vec!["h8h9".parse().unwrap()]]);
    assert!(done.black.asked.iter().all(|asked| asked.banned.is_empty()));

    let done = scenario(fen, "h9h8;h8h9;h9h8;h8h9", "f9f8;f8f9;f9f8;f8f9")
        .rules(|rules| rules.repetition = RuleSet::ALWAYS_DRAW);
    let done = done.play();
    assert_eq!(done.played.ending.outcome, Outcome::Draw);
    assert!(done.red.asked.iter().all(|asked| asked.banned.is_empty()), "what draws is not forbidden");
}

/// World Xiangqi Federation manual, diagram 17: a rook chases a bare cannon. What the classes are, and whether the chaser
/// has to deviate, is the rule set's business.
#[test]
fn a_perpetual_chase_loses_where_the_rules_say_so() {
    let fen = "2ba1k3/4a4/b8/7R1/9/9/1r2p4/9/4A4/2B1KAB1c w - - 0 1";
    let moves = ("h6i6;i6h6;h6i6;i6h6", "i0h0;h0i0;i0h0;h0i0");
    let by = |rules: RuleSet| scenario(fen, moves.0, moves.1).rules(|game| game.repetition = rules);
    let head = "after Black's h0i0 on ply 8 the position of plies 0 and 4 occurs for the third time; under";
    let tail = "Red had to deviate from ply 1 on, and loses; Red: chase:ci0 chase:ch0; Black: idle idle";
    for (rules, words) in [
        (RuleSet::COMPUTER, "`computer` (step 3)"),
        (RuleSet::ASIAN, "`axf` (rule 18)"),
        (RuleSet::CHINESE, "`cxa` (article 26.4)"),
        (RuleSet::CHINESE_1999, "`cxa1999` (article 26.4)"),
    ] {
        let done = by(rules).ends(Outcome::BlackWins, Termination::Repetition, &format!("{head} {words} {tail}"));
        assert!(done.red.asked.iter().chain(&done.black.asked).all(|asked| asked.banned.is_empty()));
    }
    for rules in [RuleSet::CHECK_ONLY, RuleSet::ALWAYS_DRAW] {
        assert_eq!(by(rules).play().played.ending.outcome, Outcome::Draw);
    }
}

/// The same, begun half a move later: the chaser is told what it must not play.
#[test]
fn a_chase_is_banned_before_it_loses() {
    let fen = "2ba1k3/4a4/b8/8R/9/9/1r2p4/9/4A4/2B1KAB1c b - - 0 1";
    let done = scenario(fen, "i6h6;h6i6;i6h6;h6i6", "i0h0;h0i0;i0h0;h0i0").play();
    assert_eq!(done.played.ending.outcome, Outcome::BlackWins);
    let banned: Vec<_> = done.red.asked.iter().map(|asked| asked.banned.clone()).collect();
    assert_eq!(banned, [vec![], vec![], vec![], vec!["h6i6".parse().unwrap()]]);
}

/// Whoever is told and deviates plays on.
#[test]
fn a_banned_move_can_be_avoided() {
    let fen = "c2a1k1R1/2c1a4/b6P1/8p/9/9/9/9/4K4/9 b - - 0 1";
    scenario(fen, "h9h8;h8h9;h9h8;h8i8", "f9f8;f8f9;f9f8;f8f9;resign").ends(
        Outcome::RedWins,
        Termination::Resignation,
        "Black resigned instead of ply 9",
    );
}

/// Both sides parry a check with a check (test list of user xiangqishare, Fairy-Stockfish discussions): nobody loses.
#[test]
fn mutual_perpetual_check_draws() {
    let fen = "9/4c4/3k5/3r5/9/9/4C4/9/4K4/3R5 w - - 0 1";
    let done = scenario(fen, "e3d3;d3e3;e3d3;d3e3", "d6e6;e6d6;d6e6;e6d6").ends(
        Outcome::Draw,
        Termination::Repetition,
        "after Black's e6d6 on ply 8 the position of plies 0 and 4 occurs for the third time; under `computer` (step 1) \
         neither side has to deviate: a draw; Red: check check; Black: check check",
    );
    assert!(done.red.asked.iter().chain(&done.black.asked).all(|asked| asked.banned.is_empty()));
}

#[test]
fn quiet_repetition_draws_at_the_third_time() {
    scenario(START, "b0c2;c2b0;b0c2;c2b0", "b9c7;c7b9;b9c7;c7b9").ends(
        Outcome::Draw,
        Termination::Repetition,
        "after Black's c7b9 on ply 8 the position of plies 0 and 4 occurs for the third time; under `computer` (step 3) \
         neither side has to deviate: a draw; Red: idle idle; Black: idle idle",
    );
}

#[test]
fn the_natural_limit_draws_but_a_mate_comes_first() {
    let fen = "3k5/9/9/9/9/9/9/9/R8/4K4 w - - 119 80";
    let reason = "120 half-moves without a capture after Red's a1a2 on ply 1";
    scenario(fen, "a1a2", "").ends(Outcome::Draw, Termination::NaturalLimit, reason);
    scenario(fen, "a1d1", "").ends(
        Outcome::RedWins,
        Termination::Checkmate,
        "Black is in check and has no legal move after Red's a1d1 on ply 1",
    );
    let reason = "80 half-moves without a capture after Red's a1a2 on ply 1";
    scenario(&fen.replace("119", "79"), "a1a2", "").rules(|rules| rules.natural_limit = Some(80)).ends(
        Outcome::Draw,
        Termination::NaturalLimit,
        reason,
    );
    scenario(fen, "a1a2;resign", "d9d8").rules(|rules| rules.natural_limit = None).ends(
        Outcome::BlackWins,
        Termination::Resignation,
        "Red resigned instead of ply 3",
    );
}

#[test]
fn dead_material_draws_if_so_chosen() {
    let fen = "3k1a3/9/9/9/9/6p2/9/4B4/9/4K4 w - - 0 1";
    scenario(fen, "e2g4", "").ends(
        Outcome::Draw,
        Termination::DeadMaterial,
        "no piece is left that can cross the river after Red's e2g4 on ply 1",
    );
    // The rules' own limit must not hide behind the one that is switched off.
    let late = fen.replace("- - 0 1", "- - 120 90").replace("6p2", "9");
    scenario(&late, "", "").rules(|rules| rules.natural_limit = None).ends(
        Outcome::Draw,
        Termination::DeadMaterial,
        "no piece is left that can cross the river at the start",
    );
    scenario(fen, "e2g4", "resign").rules(|rules| rules.dead_material = false).ends(
        Outcome::RedWins,
        Termination::Resignation,
        "Black resigned instead of ply 2",
    );
}

#[test]
fn a_draw_offer_is_accepted_with_the_next_answer() {
    let done = scenario(START, "b0c2 draw", "b9c7 draw").ends(
        Outcome::Draw,
        Termination::Agreement,
        "Red offered a draw and Black accepted it after Black's b9c7 on ply 2",
    );
    assert!(!done.red.asked[0].draw_offered);
    assert!(done.black.asked[0].draw_offered);
    assert!(done.played.moves.iter().all(|played| played.draw_offer));
}

#[test]
fn an_answer_without_the_word_declines() {
    // The capture declines; Black's own offer comes too late for Red's first and is declined in turn.
    let done = scenario(START, "h2h9 draw;b0c2;resign", "i9h9;b9c7 draw").ends(
        Outcome::BlackWins,
        Termination::Resignation,
        "Red resigned instead of ply 5",
    );
    assert_eq!(done.black.asked.iter().map(|asked| asked.draw_offered).collect::<Vec<_>>(), [true, false]);
    assert_eq!(done.red.asked.iter().map(|asked| asked.draw_offered).collect::<Vec<_>>(), [false, false, true]);
    let done = scenario(START, "h2h9 draw", "i9h9 draw").ends(
        Outcome::Draw,
        Termination::Agreement,
        "Red offered a draw and Black accepted it after Black's i9h9 on ply 2",
    );
    assert_eq!(done.played.game.moves().count(), 2, "the accepting move stands on the board");
}

#[test]
fn acceptance_needs_no_move_but_does_not_save_an_illegal_one() {
    scenario(START, "b0c2 draw", "none draw").ends(
        Outcome::Draw,
        Termination::Agreement,
        "Red offered a draw and Black accepted it after Red's b0c2 on ply 1",
    );
    scenario(START, "b0c2 draw", "b9b8 draw").ends(
        Outcome::RedWins,
        Termination::IllegalMove,
        "Black's move b9b8 is illegal: the piece does not move like that",
    );
    scenario(START, "none draw", "").ends(
        Outcome::BlackWins,
        Termination::NoMove,
        "Red claims to have no move, but has 44 legal moves",
    );
}

#[test]
fn mate_on_the_board_comes_before_agreement() {
    let fen = MATE_IN_ONE.replace(" w ", " b ");
    scenario(&fen, "a1d1 draw", "d9d8 draw").ends(
        Outcome::RedWins,
        Termination::Checkmate,
        "Black is in check and has no legal move after Red's a1d1 on ply 2",
    );
}

#[test]
fn draw_offers_can_be_switched_off_or_put_off() {
    for (offers, asked) in [(DrawOffers::Never, false), (DrawOffers::FromPly(2), false), (DrawOffers::FromPly(1), true)]
    {
        let script = scenario(START, "b0c2 draw", "resign").rules(|rules| rules.draw_offers = offers);
        let done = script.ends(Outcome::RedWins, Termination::Resignation, "Black resigned instead of ply 2");
        assert_eq!(done.black.asked[0].draw_offered, asked, "{offers:?}");
    }
    scenario(START, "b0c2 draw;resign", "b9c7 draw").rules(|rules| rules.draw_offers = DrawOffers::Never).ends(
        Outcome::BlackWins,
        Termination::Resignation,
        "Red resigned instead of ply 3",
    );
}

#[test]
fn resignation_counts_before_an_offer_that_comes_with_it() {
    let done = scenario(START, "b0c2 draw", "resign draw").ends(
        Outcome::RedWins,
        Termination::Resignation,
        "Black resigned instead of ply 2",
    );
    assert_eq!(done.played.moves.len(), 1);
}

fn adjudicated(rules: &mut GameRules) {
    rules.adjudication = Adjudication {
        win: Some(WinByScore { score: 800, moves: 2 }),
        draw: Some(DrawByScore { score: 10, moves: 2, from_ply: 6 }),
    };
}

#[test]
fn scores_of_both_sides_end_a_game() {
    scenario(START, "b0c2 cp:800;c2b0 mate:9", "b9c7 cp:-801;c7b9 mate:-8").rules(adjudicated).ends(
        Outcome::RedWins,
        Termination::Adjudication,
        "both sides have seen Red ahead by 8.00 or more for 2 moves each",
    );
    scenario(START, "b0c2 cp:0;c2b0 cp:5;b2c2 cp:0", "b9c7 cp:0;c7b9 cp:-10;b9c7 cp:0").rules(adjudicated).ends(
        Outcome::Draw,
        Termination::Adjudication,
        "both sides have seen a score within 0.10 of even for 2 moves each",
    );
}

#[test]
fn mate_on_the_board_comes_before_scores() {
    let fen = "5k3/9/9/9/9/9/9/9/R8/4K4 b - - 0 1";
    let both_wrong = "f9f8 cp:900;f8f9 cp:900";
    scenario(fen, "a1a2 cp:-900;a2f2 cp:-900", both_wrong).rules(adjudicated).ends(
        Outcome::RedWins,
        Termination::Checkmate,
        "Black is in check and has no legal move after Red's a2f2 on ply 4",
    );
}

#[test]
fn a_game_of_the_maximal_length_is_drawn() {
    scenario(START, "b0c2", "b9c7").rules(|rules| rules.max_plies = Some(2)).ends(
        Outcome::Draw,
        Termination::MaxLength,
        "the game has 2 half-moves and is drawn at 2",
    );
    scenario(MATE_IN_ONE, "a1d1", "").rules(|rules| rules.max_plies = Some(1)).ends(
        Outcome::RedWins,
        Termination::Checkmate,
        "Black is in check and has no legal move after Red's a1d1 on ply 1",
    );
}

#[test]
fn time_may_be_overstepped_by_the_margin_and_no_more() {
    let done = scenario(START, "b0c2;resign", "b9c7 2050000us").ends(
        Outcome::BlackWins,
        Termination::Resignation,
        "Red resigned instead of ply 3",
    );
    assert_eq!(done.played.moves[1].overstep, Duration::from_millis(50));
    assert_eq!(done.played.moves[1].left_after, Some(Duration::ZERO));
    scenario(START, "b0c2", "b9c7 2050001us").ends(
        Outcome::RedWins,
        Termination::Time,
        "Black overstepped by 50.1 ms on ply 2: 2.050 s used, 2.000 s left, margin 50 ms",
    );
    let done = scenario(START, "b0c2 1000000us;c2b0 1063000us", "b9c7")
        .rules(|rules| rules.margins = [Duration::ZERO; 2])
        .ends(
            Outcome::BlackWins,
            Termination::Time,
            "Red overstepped by 63 ms on ply 3: 1.063 s used, 1.000 s left, margin 0 ms",
        );
    assert_eq!(done.played.moves.len(), 2, "the late move is not played");
}

/// Article 22.5 saves a mate made before the flag fell; an answer that comes late is no such mate.
#[test]
fn a_late_mate_loses_on_time() {
    scenario(MATE_IN_ONE, "a1d1 2060000us", "").ends(
        Outcome::BlackWins,
        Termination::Time,
        "Red overstepped by 60 ms on ply 1: 2.060 s used, 2.000 s left, margin 50 ms",
    );
    scenario(MATE_IN_ONE, "a1d1 2050000us", "").ends(
        Outcome::RedWins,
        Termination::Checkmate,
        "Black is in check and has no legal move after Red's a1d1 on ply 1",
    );
}

#[test]
fn illegal_moves_lose() {
    let illegal = |fen: &str, mv: &str, why: &str| {
        let reason = format!("Red's move {mv} is illegal: {why}");
        let done = scenario(fen, mv, "").ends(Outcome::BlackWins, Termination::IllegalMove, &reason);
        assert!(done.played.moves.is_empty());
    };
    illegal(START, "e4e5", "there is no piece to move");
    illegal(START, "b9c7", "the piece is the opponent's");
    illegal(START, "a0a3", "its own piece is in the way");
    illegal(START, "a0a4", "the piece does not move like that");
    illegal("3kr4/9/9/9/9/4R4/9/9/9/4K4 w - - 0 1", "e4d4", "it leaves its own king in check");
    illegal("3k5/9/9/9/9/9/9/9/4r4/4K4 w - - 0 1", "e0d0", "it leaves the kings facing each other");
    illegal("4k4/9/9/9/9/4N4/9/9/9/4K4 w - - 0 1", "e4f6", "it leaves the kings facing each other");
}

#[test]
fn no_move_and_babble_lose() {
    scenario(MATE_IN_ONE, "none", "").ends(
        Outcome::BlackWins,
        Termination::NoMove,
        "Red claims to have no move, but has 19 legal moves",
    );
    scenario(START, "b0c2", "?Pikafish").ends(
        Outcome::RedWins,
        Termination::NoMove,
        "Black answered `Pikafish`, which is not a move",
    );
}

#[test]
fn faults_lose() {
    for (word, termination, kind) in [
        ("crash", Termination::Crash, "crash"),
        ("silence", Termination::Silence, "silence"),
        ("refusal", Termination::Refusal, "refusal"),
        ("nostart", Termination::Refusal, "does not start"),
        ("stray", Termination::IllegalMove, "stray answer"),
    ] {
        let reason = format!("Black failed: {kind}: as the script says");
        let done = scenario(START, "b0c2", &format!("!{word}")).ends(Outcome::RedWins, termination, &reason);
        assert_eq!(done.played.ending.fault, Some(fault(fault_kind(word))));
        assert_eq!(done.played.moves.len(), 1);
    }
}

/// Article 21.4: who is not there has not played.
#[test]
fn a_player_that_is_not_ready_forfeits() {
    let mut absent = scenario(START, "", "");
    absent.black.not_ready = Some(FaultKind::NoHandshake);
    let reason = "Black failed: no handshake: as the script says";
    let done = absent.ends(Outcome::BlackForfeits, Termination::Refusal, reason);
    assert!(done.played.moves.is_empty());
    assert_eq!(done.red.told, Some(GameEnd::Won(Color::Red)), "the other is told that it is over");

    let mut both = scenario(START, "", "");
    both.red.not_ready = Some(FaultKind::Crash);
    both.black.not_ready = Some(FaultKind::NoStart);
    let reason = "Red failed: crash: as the script says; Black failed: does not start: as the script says";
    let ending = both.play().played.ending;
    assert_eq!((ending.outcome, ending.reason.as_str()), (Outcome::BothForfeit, reason));
}

#[test]
fn an_opening_that_is_over_gives_its_result_at_once() {
    let mut mated = scenario(MATE_IN_ONE, "", "");
    mated.game.play("a1d1".parse().unwrap()).unwrap();
    let done = mated.ends(
        Outcome::RedWins,
        Termination::Checkmate,
        "Black is in check and has no legal move after Red's a1d1 on ply 1",
    );
    assert_eq!((done.played.opening_plies, done.played.moves.len()), (1, 0));
    assert_eq!((done.red.told, done.black.told), (None, None), "nobody is asked");
    scenario("3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1", "", "").ends(
        Outcome::RedWins,
        Termination::Stalemate,
        "Black, not in check, has no legal move at the start, which loses",
    );
    scenario("3k1a3/9/9/9/9/9/9/4B4/9/4K4 w - - 0 1", "", "").ends(
        Outcome::Draw,
        Termination::DeadMaterial,
        "no piece is left that can cross the river at the start",
    );
}

#[test]
fn players_are_told_both_clocks_and_how_long_they_are_waited_for() {
    let mut game = scenario(START, "b0c2 500000us;resign", "b9c7 250000us");
    game.time = "2+0.25";
    let done = game.ends(Outcome::BlackWins, Termination::Resignation, "Red resigned instead of ply 3");
    let left = |asked: &Asked| asked.clocks.map(|clock| clock.unwrap().left.as_millis());
    assert_eq!(left(&done.red.asked[0]), [2000, 2000]);
    assert_eq!(left(&done.black.asked[0]), [1750, 2000]);
    assert_eq!(left(&done.red.asked[1]), [1750, 2000]);
    assert_eq!(done.red.asked[1].patience, Duration::from_millis(1750 + 50 + 5000));
    let [red, black] = &done.played.moves[..] else { panic!("two moves") };
    assert_eq!((red.left_before, red.left_after), (Some(Duration::from_secs(2)), Some(Duration::from_millis(1750))));
    assert_eq!((black.left_before, black.left_after), (Some(Duration::from_secs(2)), Some(Duration::from_secs(2))));

    let mut game = scenario(START, "b0c2 500000us;resign", "b9c7 250000us");
    game.time = "depth=3";
    let done = game.ends(Outcome::BlackWins, Termination::Resignation, "Red resigned instead of ply 3");
    assert_eq!(done.red.asked[1].patience, Duration::from_secs(60));
    assert_eq!(done.red.asked[1].clocks, [None, None]);
    assert_eq!(done.played.moves[0].left_after, None);
}

#[test]
fn pondering_is_offered_to_those_who_may_and_expect_a_legal_reply() {
    let script = "b0c2 expects:b9c7;c2b0 expects:b9c7;resign";
    let mut game = scenario(START, script, "b9c7 expects:a0a1;c7b9");
    game.options.ponder = [true, false];
    let done = game.play();
    let mut expected = Game::new(Board::startpos());
    for mv in ["b0c2", "b9c7"] {
        expected.play(mv.parse().unwrap()).unwrap();
    }
    let fens: Vec<_> = done.red.pondered.iter().map(|asked| asked.fen.as_str()).collect();
    assert_eq!(fens, [expected.board().to_fen()], "the second reply expected is illegal");
    assert!(done.black.pondered.is_empty());
    // Nothing to think about when the reply ends the game.
    let mut game = scenario("3k5/9/9/9/9/9/9/9/R8/4K4 b - - 0 1", "resign", "d9d8 expects:a1d1");
    game.options.ponder = [true, true];
    assert!(game.play().black.pondered.is_empty());
}

#[test]
fn late_faults_do_not_change_the_result() {
    let mut game = scenario(MATE_IN_ONE, "a1d1", "");
    game.red.late = vec![fault(FaultKind::Stray), fault(FaultKind::Crash)];
    game.black.late = vec![fault(FaultKind::Crash)];
    let done = game.play();
    assert_eq!(done.played.ending.outcome, Outcome::RedWins);
    let minor: Vec<_> = done.played.minor_faults.iter().map(|(side, fault)| (*side, fault.kind)).collect();
    assert_eq!(
        minor,
        [(Color::Red, FaultKind::Stray), (Color::Red, FaultKind::Crash), (Color::Black, FaultKind::Crash)]
    );
}

#[test]
fn watchers_see_every_move_and_a_game_can_be_cancelled() {
    let (mut red, mut black) = (Script::new("b0c2;resign"), Script::new("b9c7"));
    let opening = Opening { name: String::new(), game: Game::new(Board::startpos()) };
    let time: TimeControl = "2+0".parse().unwrap();
    let cancel = AtomicBool::new(false);
    let mut seen = Vec::new();
    let played = play_game(
        [&mut red, &mut black],
        &opening,
        &GameRules::default(),
        [&time, &time],
        &PlayOptions::default(),
        &cancel,
        |event| {
            seen.push(match event {
                GameEvent::Begun(game) => format!("begun {}", game.plies().len()),
                GameEvent::Moved { game, played } => format!("{} {}", played.mv, game.plies().len()),
                GameEvent::Ended(ending) => ending.termination.to_string(),
            });
        },
    );
    assert!(played.is_ok());
    assert_eq!(seen, ["begun 1", "b0c2 2", "b9c7 3", "resignation"]);

    let (mut red, mut black) = (Script::new("b0c2"), Script::new("b9c7"));
    let played = play_game(
        [&mut red, &mut black],
        &opening,
        &GameRules::default(),
        [&time, &time],
        &PlayOptions::default(),
        &cancel,
        |event| {
            if matches!(event, GameEvent::Moved { .. }) {
                cancel.store(true, std::sync::atomic::Ordering::Relaxed);
            }
        },
    );
    assert_eq!(played.err(), Some(Cancelled));
    assert_eq!(black.answers.len(), 1, "Black was not asked any more");
}
