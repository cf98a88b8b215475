//! Engine clients against real processes: a stub that misbehaves in every way, and the engines of Debian.

use std::path::Path;
use std::time::{Duration, Instant};

use chuhe_client::player::{Answer, Decision, Fault, FaultKind, GameEnd, Player as _, Turn};
use chuhe_client::time_control::{ClockReading, SearchLimits};
use chuhe_client::{Client, Detected, EngineSpec, FenLetters, HistoryFrom, Launch, Protocol, TimeUnit, detect};
use chuhe_movegen::{Board, Color, Move};
use chuhe_protocol::{Ranks, Score};
use chuhe_rules::{Game, RuleSet};

/// Longer than anything takes that is meant to work.
const PATIENCE: Duration = Duration::from_secs(20);

/// The stub with these words on its command line.
fn stub(habits: &str) -> EngineSpec {
    let mut spec = EngineSpec::new("stub", vec![env!("CARGO_BIN_EXE_chuhe-stub-engine").to_owned()]);
    spec.command.extend(habits.split_whitespace().map(str::to_owned));
    spec
}

/// What detection would tell about the stub in this protocol.
fn known(protocol: Protocol) -> Detected {
    let letters = match protocol {
        Protocol::Xboard => FenLetters::HorseElephant,
        _ => FenLetters::KnightBishop,
    };
    let id = Some("Stub".to_owned());
    Detected { protocol, id, ranks: Ranks::FromZero, letters, takes_fen: true, unknown_options: Vec::new() }
}

fn start(spec: &EngineSpec, protocol: Protocol) -> Client {
    Client::start(spec, &known(protocol), &Launch::default()).expect("the stub starts")
}

fn game(moves: &str) -> Game {
    let mut game = Game::new(Board::startpos());
    for mv in moves.split_whitespace() {
        game.play(mv.parse().unwrap()).unwrap();
    }
    game
}

fn turn(game: &Game) -> Turn<'_> {
    Turn {
        game,
        clocks: [None, None],
        limits: SearchLimits { depth: Some(1), ..SearchLimits::default() },
        banned: &[],
        draw_offered: false,
        patience: PATIENCE,
    }
}

fn clock(millis: u64, increment: u64) -> Option<ClockReading> {
    let (left, increment) = (Duration::from_millis(millis), Duration::from_millis(increment));
    Some(ClockReading { left, increment, moves_to_go: None })
}

/// The first move of a game from the start position.
fn first_move(client: &mut Client) -> Result<Answer, Fault> {
    let game = game("");
    client.new_game(&game, Color::Red)?;
    client.choose(&turn(&game))
}

fn played(answer: &Answer) -> Move {
    match answer.decision {
        Decision::Move(mv) => mv,
        ref other => panic!("{other:?} is no move"),
    }
}

/// Plays up to `plies` moves, every one of which must be legal; tells how many were played.
fn play(red: &mut Client, black: &mut Client, mut game: Game, plies: usize) -> usize {
    red.new_game(&game, Color::Red).unwrap();
    black.new_game(&game, Color::Black).unwrap();
    let mut count = 0;
    while count < plies && game.ending(&RuleSet::ALWAYS_DRAW).is_none() {
        let mover = if game.board().side_to_move() == Color::Red { &mut *red } else { &mut *black };
        let answer = mover.choose(&turn(&game)).unwrap();
        game.play(played(&answer)).unwrap();
        count += 1;
    }
    assert_eq!(red.end_game(GameEnd::Drawn), []);
    assert_eq!(black.end_game(GameEnd::Drawn), []);
    count
}

fn fault<T>(result: Result<T, Fault>) -> Fault {
    result.err().expect("a fault")
}

#[test]
fn whole_games_in_every_protocol() {
    for protocol in [Protocol::Uci, Protocol::Ucci, Protocol::Xboard] {
        let mut one = start(&stub("--seed=1"), protocol);
        let mut other = start(&stub("--seed=2"), Protocol::Uci);
        for round in 0..3 {
            let plies = if round % 2 == 0 {
                play(&mut one, &mut other, game(""), 500)
            } else {
                play(&mut other, &mut one, game("h2e2 h9g7 h0g2"), 500)
            };
            assert!(plies > 30, "{protocol}: {plies}");
        }
        one.quit();
        assert!(!one.is_alive());
    }
}

#[test]
fn games_from_other_positions() {
    let fen = "r1bakab1r/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b - - 3 3";
    for protocol in [Protocol::Uci, Protocol::Ucci, Protocol::Xboard] {
        let mut one = start(&stub(""), protocol);
        let mut other = start(&stub("--seed=2"), Protocol::Uci);
        assert!(play(&mut one, &mut other, Game::new(Board::from_fen(fen).unwrap()), 200) > 20);
    }
    let mut refusing = start(&stub("--refuse-setboard"), Protocol::Xboard);
    let refused = fault(refusing.new_game(&Game::new(Board::from_fen(fen).unwrap()), Color::Black));
    assert_eq!((refused.kind, refused.detail.as_str()), (FaultKind::Refusal, "tellusererror Illegal position"));
}

#[test]
fn an_engine_shows_what_it_is() {
    let found = |habits: &str| detect(&stub(habits), &Launch::default()).unwrap();
    assert_eq!(found(""), known(Protocol::Uci));
    assert_eq!(found("--speaks=ucci,xboard --leaves-at-strange-word"), known(Protocol::Ucci));
    assert_eq!(found("--speaks=xboard --leaves-at-strange-word"), known(Protocol::Xboard));
    // One that says `done=0` is given a minute in place of three seconds.
    assert_eq!(found("--speaks=xboard --leaves-at-strange-word --slow-start=3500"), known(Protocol::Xboard));
    assert_eq!(found("--ranks-from-one --needs-variant"), Detected { ranks: Ranks::FromOne, ..known(Protocol::Uci) });
    let foreign = Detected { letters: FenLetters::HorseElephant, ..known(Protocol::Uci) };
    assert_eq!(found("--horse-elephant"), foreign);
    assert_eq!(found("--horse-elephant --ranks-from-one"), Detected { ranks: Ranks::FromOne, ..foreign });
    let refusing = Detected { takes_fen: false, ..known(Protocol::Xboard) };
    assert_eq!(found("--speaks=xboard --leaves-at-strange-word --refuse-setboard"), refusing);

    let mut spec = stub("--slow-start=5000 --speaks=ucci");
    spec.protocol = Some(Protocol::Ucci);
    spec.options = vec![("seed".to_owned(), "7".to_owned()), ("Hsah".to_owned(), "16".to_owned())];
    let found = detect(&spec, &Launch::default()).unwrap();
    assert_eq!(found, Detected { unknown_options: vec!["Hsah".to_owned()], ..known(Protocol::Ucci) });
}

/// `newgame` is what UCCI calls the button `Clear Hash` of UCI.
#[test]
fn a_standard_option_is_set_by_its_name_in_either_dialect() {
    let mut spec = stub("");
    spec.options = vec![("Clear Hash".to_owned(), String::new())];
    let unknown = |protocol| {
        let spec = EngineSpec { protocol: Some(protocol), ..spec.clone() };
        detect(&spec, &Launch::default()).unwrap().unknown_options
    };
    assert_eq!(unknown(Protocol::Ucci), [""; 0]);
    assert_eq!(unknown(Protocol::Uci), ["Clear Hash"], "the stub announces no such button in UCI");
    let game = game("h2e2");
    let lines = said(&spec, Protocol::Ucci, &turn(&game));
    assert!(!lines.iter().any(|line| line.contains("Clear Hash")), "{lines:?}");
}

#[test]
fn an_xboard_engine_is_sent_no_option_that_it_does_not_announce() {
    let mut spec = stub("--speaks=xboard --leaves-at-strange-word");
    let option = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    spec.options = vec![option("Seed", "7"), option("memory", "16"), option("UCI_ShowWDL", "true")];
    let detected = detect(&spec, &Launch::default()).unwrap();
    assert_eq!(detected, Detected { unknown_options: vec!["UCI_ShowWDL".to_owned()], ..known(Protocol::Xboard) });
    let mut client = start(&spec, Protocol::Xboard);
    client.new_game(&game("h2e2"), Color::Black).unwrap();
    assert!(client.choose(&turn(&game("h2e2"))).is_ok());
}

#[test]
fn what_is_detected_is_played() {
    for habits in ["--ranks-from-one", "--horse-elephant --ranks-from-one --needs-variant", "--horse-elephant"] {
        let spec = stub(habits);
        let detected = detect(&spec, &Launch::default()).unwrap();
        let mut client = Client::start(&spec, &detected, &Launch::default()).unwrap();
        let mut other = start(&stub("--seed=5"), Protocol::Ucci);
        let fen = "2bakab2/9/2n6/p3p3p/9/9/P3P3P/2N6/9/2BAKAB2 w - - 0 1";
        assert!(play(&mut client, &mut other, Game::new(Board::from_fen(fen).unwrap()), 100) > 15, "{habits}");
    }
}

#[test]
fn engines_that_cannot_play_are_told_in_one_line() {
    let refused = |spec: &EngineSpec| {
        let fault = fault(detect(spec, &Launch::default()));
        assert!(!fault.detail.contains('\n'), "{}", fault.detail);
        (fault.kind, fault.detail)
    };
    let missing = EngineSpec::new("A", vec!["no-such-engine".to_owned()]);
    let (kind, detail) = refused(&missing);
    assert_eq!(kind, FaultKind::NoStart);
    assert_eq!(detail, "there is no program no-such-engine on PATH or in /usr/games");
    let missing = EngineSpec::new("A", vec!["./no/such/engine".to_owned()]);
    assert_eq!(refused(&missing).1, "there is no program ./no/such/engine");
    let no_program = EngineSpec::new("A", vec![concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml").to_owned()]);
    assert_eq!(refused(&no_program).0, FaultKind::NoStart);
    let nowhere = EngineSpec { dir: Some("/no/such/folder".into()), ..stub("") };
    assert_eq!(refused(&nowhere).1, "its working folder /no/such/folder is not a folder");
    let unlogged = Launch { log: Some("/no/such/folder/log".into()), ..Launch::default() };
    assert_eq!(fault(detect(&stub(""), &unlogged)).kind, FaultKind::NoStart);

    let (kind, detail) = refused(&stub("--exit-at-start"));
    assert_eq!(kind, FaultKind::NoHandshake);
    assert!(detail.starts_with("answers none of `uci`, `ucci` and `xboard`"), "{detail}");
    let (kind, detail) = refused(&stub("--chess-only --speaks=uci --leaves-at-strange-word"));
    assert_eq!((kind, detail.as_str()), (FaultKind::Refusal, "its option UCI_Variant does not offer xiangqi"));
    let lone = EngineSpec { protocol: Some(Protocol::Uci), ..stub("--exit-at-start") };
    let (kind, detail) = refused(&lone);
    assert_eq!(kind, FaultKind::Crash);
    assert!(detail.contains("exit status: 1"), "{detail}");
}

#[test]
fn a_silent_engine_is_given_ten_seconds() {
    std::thread::scope(|scope| {
        for (habits, protocol) in [("--mute", None), ("--deaf --ignore-quit", Some(Protocol::Uci))] {
            scope.spawn(move || {
                let begin = Instant::now();
                let fault = fault(detect(&EngineSpec { protocol, ..stub(habits) }, &Launch::default()));
                let took = begin.elapsed();
                assert_eq!(fault.kind, FaultKind::NoHandshake, "{habits}");
                assert!(took >= Duration::from_secs(10) && took < Duration::from_secs(14), "{habits}: {took:?}");
                assert!(fault.dialogue.iter().any(|line| line.ends_with("> uci")), "{:?}", fault.dialogue);
            });
        }
    });
}

/// The leagues ask UCCI engines for `ucci`, `position`, `banmoves`, `go` and `quit` only.
#[test]
fn a_ucci_engine_need_not_know_isready() {
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut client = start(&stub("--no-isready"), Protocol::Ucci);
            let mut other = start(&stub("--seed=5"), Protocol::Uci);
            assert!(play(&mut client, &mut other, game(""), 500) > 30);
            assert!(play(&mut other, &mut client, game("h2e2"), 500) > 30);
        });
        scope.spawn(|| {
            let launch = Launch::default();
            let refused = Client::start(&stub("--no-isready"), &known(Protocol::Uci), &launch).map(drop);
            assert_eq!(fault(refused).kind, FaultKind::Silence);
        });
    });
}

#[test]
fn a_crash_comes_with_its_evidence() {
    for protocol in [Protocol::Uci, Protocol::Ucci, Protocol::Xboard] {
        let mut client = start(&stub("--crash-at=1"), protocol);
        let fault = fault(first_move(&mut client));
        assert_eq!(fault.kind, FaultKind::Crash);
        assert!(fault.detail.contains("exit status: 3"), "{}", fault.detail);
        assert!(fault.detail.ends_with("the stub crashes as it was told"), "{}", fault.detail);
        assert!(fault.dialogue.iter().any(|line| line.contains("> go")), "{:?}", fault.dialogue);
        assert!(!client.is_alive());
        // And so it stays.
        assert_eq!(self::fault(first_move(&mut client)).kind, FaultKind::Crash);
        assert_eq!(client.end_game(GameEnd::Won(Color::Black)), []);
    }
}

#[test]
fn silence_is_ended_by_a_stop_or_by_force() {
    for protocol in [Protocol::Uci, Protocol::Ucci, Protocol::Xboard] {
        for (habits, survives) in [("--hang-at=1", true), ("--hang-at=1 --ignore-stop", false)] {
            let mut client = start(&stub(habits), protocol);
            let game = game("");
            client.new_game(&game, Color::Red).unwrap();
            let begin = Instant::now();
            let turn = Turn { patience: Duration::from_millis(200), ..turn(&game) };
            let fault = fault(client.choose(&turn));
            assert!(begin.elapsed() < Duration::from_secs(3));
            assert_eq!(fault.kind, FaultKind::Silence);
            assert!(fault.detail.starts_with("no answer within 0.2 s"), "{}", fault.detail);
            assert_eq!(client.is_alive(), survives, "{protocol} {habits}");
            if survives {
                assert_eq!(client.end_game(GameEnd::Won(Color::Black)), []);
                client.new_game(&game, Color::Red).unwrap();
            }
        }
    }
}

#[test]
fn time_is_what_the_engine_took() {
    for protocol in [Protocol::Uci, Protocol::Ucci, Protocol::Xboard] {
        let mut client = start(&stub("--late=150"), protocol);
        let answer = first_move(&mut client).unwrap();
        let elapsed = answer.elapsed.as_millis();
        assert!((150..600).contains(&elapsed), "{protocol}: {elapsed} ms");
        client.quit();
        assert_eq!(client.time_used().thinking, answer.elapsed);
    }
}

#[test]
fn what_an_engine_tells_is_kept() {
    for protocol in [Protocol::Uci, Protocol::Ucci, Protocol::Xboard] {
        let mut client = start(&stub(""), protocol);
        let search = first_move(&mut client).unwrap().search;
        assert_eq!((search.score, search.depth, search.nodes), (Some(Score::Cp(7)), Some(1), Some(30)));
        assert_eq!(search.line.len(), 1);
    }
}

#[test]
fn no_babble_hides_an_answer() {
    for protocol in [Protocol::Uci, Protocol::Ucci] {
        let mut client = start(&stub("--babble"), protocol);
        let first = first_move(&mut client).unwrap();
        assert_eq!(played(&first), played(&first_move(&mut start(&stub(""), Protocol::Uci)).unwrap()));
        assert_eq!(first.search.score, Some(Score::Cp(7)));
        let second = first_move(&mut client).unwrap();
        assert_eq!(played(&first), played(&second));
        assert_eq!(client.end_game(GameEnd::Drawn), []);
    }
    let mut client = start(&stub("--gibberish"), Protocol::Uci);
    let game = game("");
    client.new_game(&game, Color::Red).unwrap();
    let fault = fault(client.choose(&Turn { patience: Duration::from_millis(300), ..turn(&game) }));
    assert_eq!(fault.kind, FaultKind::Silence);
    assert!(!client.is_alive());
    assert!(fault.dialogue.len() <= 40);
}

#[test]
fn answers_that_are_no_legal_moves() {
    let decision = |habits: &str, protocol| first_move(&mut start(&stub(habits), protocol)).unwrap().decision;
    for protocol in [Protocol::Uci, Protocol::Ucci] {
        assert_eq!(decision("--illegal-at=1", protocol), Decision::Move("e4a9".parse().unwrap()));
        assert!(matches!(decision("--unreadable-at=1", protocol), Decision::Unreadable(text) if text.contains("???")));
        assert_eq!(decision("--no-move-at=1", protocol), Decision::NoMove);
        assert_eq!(decision("--resign-at=1", protocol), Decision::Resign);
    }
    assert_eq!(decision("--illegal-at=1", Protocol::Xboard), Decision::Move("e4a9".parse().unwrap()));
    assert_eq!(decision("--unreadable-at=1", Protocol::Xboard), Decision::Unreadable("炮二平五".to_owned()));
    assert_eq!(decision("--resign-at=1", Protocol::Xboard), Decision::Resign);
    // In this protocol the engine says that it has lost.
    let black = game("h2e2");
    let mut client = start(&stub("--no-move-at=1"), Protocol::Xboard);
    client.new_game(&black, Color::Black).unwrap();
    let claim = fault(client.choose(&turn(&black)));
    assert_eq!((claim.kind, claim.detail.as_str()), (FaultKind::Refusal, "claims `0-1 {no move}` in place of a move"));
    assert_eq!(decision("--no-move-at=1", Protocol::Xboard), Decision::Resign);
    let claim = fault(first_move(&mut start(&stub("--claim-at=1"), Protocol::Xboard)));
    assert_eq!(claim.kind, FaultKind::Refusal);
}

#[test]
fn a_second_answer_is_reported_and_does_not_count() {
    for protocol in [Protocol::Uci, Protocol::Ucci, Protocol::Xboard] {
        let mut client = start(&stub("--double-at=1"), protocol);
        let mut game = game("");
        client.new_game(&game, Color::Red).unwrap();
        for _ in 0..3 {
            let answer = client.choose(&turn(&game)).unwrap();
            game.play(played(&answer)).unwrap();
            // The second answer may still be on its way.
            std::thread::sleep(Duration::from_millis(20));
            let reply = game.board().legal_moves()[0];
            game.play(reply).unwrap();
        }
        let faults = client.end_game(GameEnd::Drawn);
        assert_eq!(faults.len(), 1, "{protocol}: {faults:?}");
        assert_eq!(faults[0].kind, FaultKind::Stray);
        assert!(faults[0].detail.ends_with("came without being asked for"), "{}", faults[0].detail);
        assert_eq!(client.end_game(GameEnd::Drawn), []);
    }
}

#[test]
fn draws_are_offered_and_accepted() {
    for protocol in [Protocol::Ucci, Protocol::Xboard] {
        let mut client = start(&stub("--offer-at=1"), protocol);
        assert!(first_move(&mut client).unwrap().draw);

        for (habits, accepts) in [("--accept-draws", true), ("", false)] {
            let mut client = start(&stub(habits), protocol);
            let game = game("h2e2");
            client.new_game(&game, Color::Black).unwrap();
            let answer = client.choose(&Turn { draw_offered: true, ..turn(&game) }).unwrap();
            assert_eq!(answer.draw, accepts, "{protocol} {habits}");
            played(&answer);
        }
    }
}

#[test]
fn standard_error_goes_to_its_log() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("stub.log");
    let launch = Launch { log: Some(log.clone()), ..Launch::default() };
    let mut client = Client::start(&stub("--flood-stderr"), &known(Protocol::Uci), &launch).unwrap();
    for _ in 0..4 {
        first_move(&mut client).unwrap();
    }
    client.quit();
    let size = std::fs::metadata(&log).unwrap().len();
    assert!(size > 1_000_000 && size <= 4 * 1024 * 1024, "{size}");
    let mut client = Client::start(&stub("--crash-at=1"), &known(Protocol::Uci), &launch).unwrap();
    fault(first_move(&mut client));
    assert!(std::fs::read_to_string(&log).unwrap().ends_with("the stub crashes as it was told\n"));
}

#[test]
fn nobody_stays_who_is_to_leave() {
    for protocol in [Protocol::Uci, Protocol::Xboard] {
        let mut polite = start(&stub(""), protocol);
        let begin = Instant::now();
        polite.quit();
        assert!(begin.elapsed() < Duration::from_millis(900), "{:?}", begin.elapsed());
        let mut rude = start(&stub("--ignore-quit"), protocol);
        rude.quit();
        assert!(!rude.is_alive());
    }
}

/// A wrapper script may leave something running that does not hold on to the pipes.
#[test]
#[cfg(target_os = "linux")]
fn what_an_engine_has_started_ends_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("helper");
    for habits in ["", "--crash-at=1"] {
        let stub = stub(habits);
        let helper = format!("sleep 300 </dev/null >/dev/null 2>&1 & echo $! >'{}'", file.display());
        let script = format!("{helper}; exec {}", stub.command.join(" "));
        let spec = EngineSpec::new("wrapped", vec!["sh".to_owned(), "-c".to_owned(), script]);
        let mut client = start(&spec, Protocol::Uci);
        let helper = std::fs::read_to_string(&file).unwrap().trim().to_owned();
        // Whoever inherits orphans may not wait for them: then a zombie is left.
        let runs = || {
            let stat = std::fs::read_to_string(format!("/proc/{helper}/stat")).unwrap_or_default();
            stat.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with(['Z', 'X']))
        };
        assert!(runs(), "{helper}");
        if habits.is_empty() {
            client.quit();
        } else {
            fault(first_move(&mut client));
        }
        let deadline = Instant::now() + PATIENCE;
        while runs() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(!runs(), "`{habits}`: {helper} was left behind");
    }
}

/// Starts a game of which the engine, thinking of a reply it expects, is told that reply or another.
fn pondering(habits: &str, protocol: Protocol) -> (Client, Game, Move) {
    let spec = EngineSpec { ponder: Some(true), ..stub(&format!("--expects {habits}")) };
    let mut client = start(&spec, protocol);
    let mut game = game("");
    client.new_game(&game, Color::Red).unwrap();
    let answer = client.choose(&turn(&game)).unwrap();
    game.play(played(&answer)).unwrap();
    let expected = answer.expects.expect("the stub tells it");
    let mut hoped = game.clone();
    hoped.play(expected).unwrap();
    client.ponder(&Turn { clocks: [clock(5000, 100), None], ..turn(&hoped) });
    (client, game, expected)
}

#[test]
fn pondering_hits_and_misses() {
    for protocol in [Protocol::Uci, Protocol::Ucci] {
        for hits in [true, false] {
            let (mut client, mut game, expected) = pondering("", protocol);
            let legal = game.board().legal_moves();
            let other = legal.iter().copied().find(|&mv| mv != expected).unwrap();
            game.play(if hits { expected } else { other }).unwrap();
            std::thread::sleep(Duration::from_millis(250));
            let answer = client.choose(&turn(&game)).unwrap();
            game.play(played(&answer)).expect("an answer to the position on the board");
            assert!(answer.elapsed < Duration::from_millis(200), "the opponent's time is free: {:?}", answer.elapsed);
            // A game may end while an engine ponders.
            client.ponder(&turn(&game));
            assert_eq!(client.end_game(GameEnd::Drawn), [], "{protocol} {hits}");
            first_move(&mut client).unwrap();
        }
        // On a hit, a search that knows of no banned moves is not continued.
        let (mut client, mut game, expected) = pondering("", protocol);
        game.play(expected).unwrap();
        let legal: Vec<Move> = game.board().legal_moves().iter().copied().collect();
        client.choose(&Turn { banned: &legal[..3], ..turn(&game) }).unwrap();
        assert_eq!(client.end_game(GameEnd::Drawn), []);
    }
}

/// The words that follow a search on the opponent's time; a crash brings them to light.
#[test]
fn a_hit_continues_the_search_and_a_miss_stops_it() {
    for (protocol, accepts) in [(Protocol::Uci, "ponderhit"), (Protocol::Ucci, "ponderhit draw")] {
        for (hits, word) in [(true, accepts), (false, "stop")] {
            let (mut client, mut game, expected) = pondering("--crash-at=2", protocol);
            let legal = game.board().legal_moves();
            let other = legal.iter().copied().find(|&mv| mv != expected).unwrap();
            game.play(if hits { expected } else { other }).unwrap();
            let fault = fault(client.choose(&Turn { draw_offered: true, ..turn(&game) }));
            assert_eq!(fault.kind, FaultKind::Crash);
            let sent: Vec<&str> = fault.dialogue.iter().filter_map(|line| Some(line.split_once(" > ")?.1)).collect();
            let (go, after) = (sent[sent.len() - 2], sent[sent.len() - 1]);
            assert!(go.starts_with("go ponder "), "{sent:?}");
            assert_eq!(after, word);
        }
    }
}

/// In UCI the option says that an engine can; in UCCI it is about the use of time.
#[test]
fn only_those_who_can_are_asked_to_ponder() {
    for (protocol, ponders) in [(Protocol::Uci, false), (Protocol::Ucci, true)] {
        let (mut client, mut game, expected) = pondering("--no-ponder --crash-at=2", protocol);
        game.play(expected).unwrap();
        let crash = fault(client.choose(&turn(&game)));
        assert_eq!(crash.dialogue.iter().any(|line| line.contains(" > go ponder ")), ponders, "{:?}", crash.dialogue);
    }
}

/// An engine that ends its search in the same moment as it is told to stop answers both in UCCI.
#[test]
fn a_second_answer_to_a_miss_is_not_taken_for_the_next() {
    for protocol in [Protocol::Uci, Protocol::Ucci] {
        let (mut client, mut game, expected) = pondering("--double-at=2 --crash-at=4", protocol);
        let legal = game.board().legal_moves();
        game.play(legal.iter().copied().find(|&mv| mv != expected).unwrap()).unwrap();
        let answer = client.choose(&turn(&game)).unwrap();
        game.play(played(&answer)).expect("an answer to the position on the board");
        // Nobody can tell what such an engine is doing: it gets no more time of its opponent's.
        let reply = answer.expects.expect("the stub tells it");
        game.play(reply).unwrap();
        client.ponder(&turn(&game));
        let crash = fault(client.choose(&turn(&game)));
        let last = crash.dialogue.iter().rev().find(|line| line.contains(" > ")).unwrap();
        assert!(last.ends_with(" > go depth 1"), "{last}");
        let faults = client.end_game(GameEnd::Drawn);
        assert_eq!(faults.iter().map(|fault| fault.kind).collect::<Vec<_>>(), [FaultKind::Stray]);
    }
}

/// A game that was given up is followed by one that looks the same up to here.
#[test]
fn nothing_is_continued_from_a_game_that_was_given_up() {
    for protocol in [Protocol::Uci, Protocol::Ucci] {
        let (mut client, mut game, expected) = pondering("--crash-at=2", protocol);
        game.play(expected).unwrap();
        // The stub crashes when it is told to stop.
        let fault = fault(client.new_game(&game, Color::Red));
        assert_eq!(fault.kind, FaultKind::Crash);
        assert!(fault.dialogue.iter().any(|line| line.ends_with(" > stop")), "{:?}", fault.dialogue);
    }
}

#[test]
fn a_ponder_search_that_ends_by_itself_is_asked_again() {
    for protocol in [Protocol::Uci, Protocol::Ucci] {
        let (mut client, mut game, expected) = pondering("--ponders-briefly", protocol);
        std::thread::sleep(Duration::from_millis(100));
        game.play(expected).unwrap();
        let answer = client.choose(&turn(&game)).unwrap();
        game.play(played(&answer)).unwrap();
        let faults = client.end_game(GameEnd::Drawn);
        assert_eq!(faults.iter().map(|fault| fault.kind).collect::<Vec<_>>(), [FaultKind::Stray]);
    }
    let (mut client, mut game, expected) = pondering("--ignore-stop", Protocol::Uci);
    let legal = game.board().legal_moves();
    game.play(legal.iter().copied().find(|&mv| mv != expected).unwrap()).unwrap();
    let fault = fault(client.choose(&turn(&game)));
    assert_eq!(fault.kind, FaultKind::Silence);
    assert!(fault.detail.contains("while pondering"), "{}", fault.detail);
    assert!(!client.is_alive());
}

/// The lines sent to an engine for this turn, without their time.
fn said(spec: &EngineSpec, protocol: Protocol, turn: &Turn<'_>) -> Vec<String> {
    let mut spec = spec.clone();
    spec.command.push("--hang-at=1".to_owned());
    let mut client = start(&spec, protocol);
    client.new_game(turn.game, turn.game.board().side_to_move()).unwrap();
    let fault = fault(client.choose(&Turn { patience: Duration::from_millis(50), ..*turn }));
    let lines = fault.dialogue.iter().filter_map(|line| line.split_once(" > ")).map(|(_, line)| line.to_owned());
    lines.collect()
}

fn has(lines: &[String], wanted: &[&str]) {
    for line in wanted {
        assert!(lines.iter().any(|said| said == line), "no `{line}` in {lines:#?}");
    }
}

#[test]
fn engines_are_told_in_their_own_words() {
    let after_capture = game("h2e2 h9g7 e2e6");
    let mut timed = turn(&after_capture);
    timed.clocks = [clock(61_234, 20), clock(2_500, 1_000)];
    timed.limits.depth = None;
    timed.draw_offered = true;
    let banned: Vec<Move> = ["d9e8", "f9e8"].map(|mv| mv.parse().unwrap()).to_vec();

    let lines = said(&stub(""), Protocol::Uci, &timed);
    has(&lines, &["setoption name Ponder value false", "ucinewgame", "position startpos moves h2e2 h9g7 e2e6"]);
    has(&lines, &["go wtime 61234 btime 2500 winc 20 binc 1000"]);
    let lines = said(&stub("--no-usemillisec"), Protocol::Uci, &Turn { banned: &banned[..1], ..timed });
    let go = lines.iter().find(|line| line.starts_with("go ")).unwrap();
    let (_, others) = go.split_once(" searchmoves ").unwrap();
    let legal = after_capture.board().legal_moves();
    assert_eq!(others.split(' ').count(), legal.len() - usize::from(legal.contains(&banned[0])));
    assert!(!others.contains("d9e8"), "{others}");

    let fen = "rnbakab1r/9/1c4nc1/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 2";
    let lines = said(&stub(""), Protocol::Ucci, &Turn { banned: &banned, ..timed });
    has(&lines, &["setoption usemillisec true", "setoption newgame", &format!("position fen {fen}")]);
    has(&lines, &["banmoves d9e8 f9e8", "go draw time 2500 increment 1000 opptime 61234 oppincrement 20"]);
    let lines = said(&stub("--no-usemillisec"), Protocol::Ucci, &timed);
    has(&lines, &["go draw time 2 increment 1 opptime 61 oppincrement 0"]);

    let mut spec = stub("");
    spec.options = vec![("Seed".to_owned(), "7".to_owned())];
    let lines = said(&spec, Protocol::Xboard, &timed);
    has(&lines, &["option Seed=7", "variant xiangqi", "easy", "usermove e2e6", "level 0 0:03 1"]);
    has(&lines, &["time 250", "otim 6123", "draw", "go"]);

    let mut limited = turn(&after_capture);
    limited.limits = SearchLimits { move_time: Some(Duration::from_secs(1)), depth: Some(9), nodes: Some(5000) };
    has(&said(&stub(""), Protocol::Uci, &limited), &["go depth 9 nodes 5000 movetime 1000"]);
    has(&said(&stub(""), Protocol::Ucci, &limited), &["go depth 9 nodes 5000 time 1000 movestogo 1"]);
    has(&said(&stub(""), Protocol::Xboard, &limited), &["st 1", "sd 9"]);

    // Sudden death with nothing left. To UCCI engines, time without an increment would be for this move alone.
    let mut sudden = turn(&after_capture);
    sudden.clocks = [clock(5_000, 0), clock(0, 0)];
    sudden.limits.depth = None;
    has(&said(&stub(""), Protocol::Uci, &sudden), &["go wtime 5000 btime 1 winc 0 binc 0"]);
    has(&said(&stub(""), Protocol::Ucci, &sudden), &["go time 1 increment 0 opptime 5000 oppincrement 0"]);

    let mut periods = turn(&after_capture);
    let reading = ClockReading { left: Duration::from_secs(90), increment: Duration::ZERO, moves_to_go: Some(40) };
    periods.clocks = [None, Some(reading)];
    periods.limits.depth = None;
    has(&said(&stub(""), Protocol::Uci, &periods), &["go movestogo 40 btime 90000 binc 0"]);
    has(&said(&stub(""), Protocol::Ucci, &periods), &["go time 90000 movestogo 40"]);
    has(&said(&stub(""), Protocol::Xboard, &periods), &["level 40 1:30 0", "time 9000"]);

    let mut whole_minutes = turn(&after_capture);
    whole_minutes.clocks = [clock(299_001, 0), clock(300_000, 20)];
    whole_minutes.limits.depth = None;
    has(&said(&stub(""), Protocol::Xboard, &whole_minutes), &["level 0 5 0.02", "time 30000", "otim 29900"]);
}

#[test]
fn what_the_organiser_says_goes() {
    let after_capture = game("h2e2 h9g7 e2e6");
    let mut timed = turn(&after_capture);
    timed.clocks = [clock(61_234, 20), clock(2_500, 1_000)];
    timed.limits.depth = None;
    timed.draw_offered = true;

    let spec = EngineSpec { unit: Some(TimeUnit::Seconds), ponder: Some(true), ..stub("") };
    let lines = said(&spec, Protocol::Ucci, &timed);
    has(&lines, &["setoption usemillisec false", "setoption Ponder true"]);
    has(&lines, &["go draw time 2 increment 1 opptime 61 oppincrement 0"]);
    let spec = EngineSpec { unit: Some(TimeUnit::Milliseconds), ..stub("--no-usemillisec") };
    has(&said(&spec, Protocol::Ucci, &timed), &["go draw time 2500 increment 1000 opptime 61234 oppincrement 20"]);
    let fen = "rnbakab1r/9/1c4nc1/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 2";
    let spec = EngineSpec { history: Some(HistoryFrom::Capture), ..stub("") };
    has(&said(&spec, Protocol::Uci, &timed), &[&format!("position fen {fen}")]);
    let spec = EngineSpec { history: Some(HistoryFrom::Start), ..stub("") };
    has(&said(&spec, Protocol::Ucci, &timed), &["position startpos moves h2e2 h9g7 e2e6"]);

    let options = [("memory", "64"), ("cores", "2"), ("Clear", "")];
    let options = options.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let spec = EngineSpec { options, ponder: Some(true), ..stub("--untold") };
    let lines = said(&spec, Protocol::Xboard, &timed);
    has(&lines, &["memory 64", "cores 2", "option Clear", "hard", "level 0 0:03 1", "go"]);
    let unwanted = ["time", "otim", "draw", "easy"];
    assert!(!lines.iter().any(|line| line.split(' ').any(|word| unwanted.contains(&word))), "{lines:#?}");
}

#[test]
fn a_fresh_process_for_each_game_when_asked() {
    assert!(!start(&stub(""), Protocol::Xboard).wants_restart());
    assert!(start(&stub("--no-reuse"), Protocol::Xboard).wants_restart());
    assert!(start(&EngineSpec { restart: Some(true), ..stub("") }, Protocol::Uci).wants_restart());
}

#[test]
#[cfg(target_os = "linux")]
fn cpu_time_and_cores_are_those_of_the_process() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let script =
        format!("sleep 0.3; grep Cpus_allowed_list /proc/self/status >&2; exec {} --babble", stub("").command[0]);
    let spec = EngineSpec::new("bound", vec!["sh".to_owned(), "-c".to_owned(), script]);
    let launch = Launch { log: Some(log.clone()), cores: vec![0] };
    let mut client = Client::start(&spec, &known(Protocol::Uci), &launch).unwrap();
    for _ in 0..3 {
        first_move(&mut client).unwrap();
    }
    client.quit();
    let text = std::fs::read_to_string(&log).unwrap();
    assert_eq!(text.split_whitespace().last(), Some("0"), "{text}");
    let used = client.time_used();
    assert!(!used.cpu.is_zero() && used.cpu <= used.thinking + Duration::from_millis(200), "{used:?}");

    let nowhere = Launch { cores: vec![1000], ..Launch::default() };
    let fault = fault(Client::start(&spec, &known(Protocol::Uci), &nowhere).map(drop));
    assert_eq!(fault.kind, FaultKind::NoStart);
}

/// An engine of Debian's, if it is installed; under CI it must be.
fn peer(program: &str, protocol: Option<Protocol>) -> Option<(EngineSpec, Detected)> {
    let is_here = ["/usr/games", "/usr/bin", "/usr/local/bin"].iter().any(|dir| Path::new(dir).join(program).exists());
    if !is_here {
        assert!(std::env::var_os("CI").is_none(), "{program} is missing");
        eprintln!("skipped, since {program} is missing");
        return None;
    }
    let spec = EngineSpec { protocol, ..EngineSpec::new(program, vec![program.to_owned()]) };
    let detected = detect(&spec, &Launch::default()).unwrap_or_else(|fault| panic!("{program}: {fault}"));
    Some((spec, detected))
}

/// Plays a few moves from several openings against the stub, by clock, by depth and by time for each move.
fn try_peer((spec, detected): &(EngineSpec, Detected)) {
    let mut client = Client::start(spec, detected, &Launch::default()).unwrap();
    let mut other = start(&stub("--seed=3"), Protocol::Uci);
    let fen = "r1bakab1r/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b - - 3 3";
    let mut openings = vec![game(""), game("h2e2 h9g7 h0g2 i9h9 i0h0")];
    if detected.takes_fen {
        openings.push(Game::new(Board::from_fen(fen).unwrap()));
    }
    for (number, mut game) in openings.into_iter().enumerate() {
        client.new_game(&game, game.board().side_to_move()).unwrap();
        other.new_game(&game, game.board().side_to_move()).unwrap();
        for ply in 0..12 {
            // The stub can be mated in as few.
            if !game.board().has_legal_move() {
                break;
            }
            let is_clients = (ply + number) % 2 == 0;
            let mut turn = turn(&game);
            if number == 0 {
                turn.clocks = [clock(1000, 10), clock(1000, 10)];
                turn.limits.depth = None;
            } else {
                turn.limits.depth = Some(4);
            }
            let mover = if is_clients { &mut client } else { &mut other };
            let answer =
                mover.choose(&turn).unwrap_or_else(|fault| panic!("{}: {fault}: {:#?}", spec.name, fault.dialogue));
            if is_clients && number == 0 {
                assert!(answer.elapsed < Duration::from_millis(1000), "{}: {:?}", spec.name, answer.elapsed);
            }
            game.play(played(&answer)).unwrap_or_else(|error| panic!("{}: {error}", spec.name));
        }
        assert_eq!(client.end_game(GameEnd::Drawn), [], "{}", spec.name);
    }
    client.quit();
}

/// Plays against the stub while the engine thinks on the stub's time, which now and then plays what is expected.
fn try_pondering((spec, detected): &(EngineSpec, Detected)) {
    let spec = EngineSpec { ponder: Some(true), ..spec.clone() };
    let mut client = Client::start(&spec, detected, &Launch::default()).unwrap();
    let mut game = game("h2e2 h9g7");
    client.new_game(&game, Color::Red).unwrap();
    fn timed(game: &Game) -> Turn<'_> {
        Turn { clocks: [clock(1000, 20); 2], limits: SearchLimits::default(), ..turn(game) }
    }
    let mut hits = 0;
    for round in 0..8 {
        let answer = client.choose(&timed(&game)).unwrap();
        game.play(played(&answer)).unwrap();
        let expected = answer.expects.filter(|&mv| game.board().legal_moves().contains(&mv));
        if let Some(expected) = expected {
            let mut hoped = game.clone();
            hoped.play(expected).unwrap();
            client.ponder(&timed(&hoped));
            std::thread::sleep(Duration::from_millis(20));
        }
        let legal = game.board().legal_moves();
        let hit = expected.filter(|_| round % 2 == 0);
        hits += usize::from(hit.is_some());
        match hit.or_else(|| legal.iter().copied().find(|&mv| Some(mv) != expected)) {
            Some(reply) => game.play(reply).unwrap(),
            None => break,
        }
        if !game.board().has_legal_move() {
            break;
        }
    }
    assert!(hits > 0, "{}: never told what it expects", spec.name);
    assert_eq!(client.end_game(GameEnd::Drawn), [], "{}", spec.name);
}

fn depth(depth: u32) -> SearchLimits {
    SearchLimits { depth: Some(depth), ..SearchLimits::default() }
}

#[test]
fn positions_are_studied_in_any_order() {
    for protocol in [Protocol::Uci, Protocol::Ucci, Protocol::Xboard] {
        let mut client = start(&stub("--expects"), protocol);
        client.new_game(&game(""), Color::Red).unwrap();
        for moves in ["h2e2 h9g7 h0g2", "h2e2 h9g7", "h2e2", "", "b2e2 b9c7"] {
            let game = game(moves);
            let study = client.study(&game, depth(1), PATIENCE).unwrap();
            let best = study.best.expect("a move");
            assert!(game.board().legal_moves().contains(&best), "{protocol} {moves}: {best}");
            let [line] = &study.lines[..] else { panic!("{protocol}: {study:?}") };
            assert_eq!((line.rank, line.score, line.depth), (1, Score::Cp(7), 1), "{protocol}");
            assert_eq!(study.nodes, Some(30), "{protocol}");
        }
        let mut silent = start(&stub("--hang-at=2"), protocol);
        silent.new_game(&game(""), Color::Red).unwrap();
        assert!(silent.study(&game("h2e2"), depth(1), PATIENCE).is_ok());
        let hung = match protocol {
            // Each position is a new game to it.
            Protocol::Xboard => None,
            _ => Some(fault(silent.study(&game(""), depth(1), Duration::from_millis(50)))),
        };
        assert!(hung.is_none_or(|fault| fault.kind == FaultKind::Silence), "{protocol}");
    }
}

#[test]
fn fairy_stockfish_tells_several_lines() {
    let Some((spec, _)) = peer("fairy-stockfish", None) else { return };
    let option = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let spec = EngineSpec { options: vec![option("MultiPV", "4"), option("Hash", "16")], ..spec };
    let detected = detect(&spec, &Launch::default()).unwrap();
    assert!(detected.unknown_options.is_empty());
    let mut client = Client::start(&spec, &detected, &Launch::default()).unwrap();
    client.new_game(&game(""), Color::Red).unwrap();
    let game = game("h2e2 h9g7");
    let study = client.study(&game, depth(8), PATIENCE).unwrap();
    let last = study.lines.iter().rev().take(4).collect::<Vec<_>>();
    assert_eq!(last.iter().map(|line| (line.rank, line.depth)).collect::<Vec<_>>(), [(4, 8), (3, 8), (2, 8), (1, 8)]);
    assert_eq!(last[3].moves.first(), study.best.as_ref());
    for line in last {
        let mut game = game.clone();
        line.moves.iter().for_each(|&mv| game.play(mv).unwrap());
    }
    // Its rook mates.
    let mate = Game::new(Board::from_fen("4k4/R8/1R7/9/9/9/9/9/9/3K5 w - - 0 1").unwrap());
    let study = client.study(&mate, depth(6), PATIENCE).unwrap();
    assert!(study.lines.iter().any(|line| line.score == Score::Mate(1) && Some(line.moves[0]) == study.best));
    client.quit();
}

#[test]
fn fairy_stockfish_in_both_dialects() {
    if let Some(peer) = peer("fairy-stockfish", None) {
        let Detected { protocol, ranks, takes_fen, .. } = &peer.1;
        assert_eq!((*protocol, *ranks, *takes_fen), (Protocol::Uci, Ranks::FromOne, true));
        try_peer(&peer);
        try_pondering(&peer);
    }
    if let Some(peer) = peer("fairy-stockfish", Some(Protocol::Ucci)) {
        assert_eq!((peer.1.ranks, peer.1.takes_fen), (Ranks::FromZero, true));
        try_peer(&peer);
        try_pondering(&peer);
    }
}

#[test]
fn sjaak_in_three_protocols() {
    for protocol in [None, Some(Protocol::Ucci), Some(Protocol::Xboard)] {
        if let Some(peer) = peer("sjaakii", protocol) {
            assert_eq!((peer.1.letters, peer.1.takes_fen), (FenLetters::HorseElephant, true), "{protocol:?}");
            assert_eq!(peer.1.ranks == Ranks::FromOne, peer.1.protocol != Protocol::Xboard, "{protocol:?}");
            try_peer(&peer);
        }
    }
}

#[test]
fn hoixiangqi_in_xboard() {
    if let Some(peer) = peer("hoixiangqi", None) {
        assert_eq!((peer.1.protocol, peer.1.takes_fen), (Protocol::Xboard, false));
        try_peer(&peer);
    }
}
