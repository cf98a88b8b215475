//! What the arena itself costs, in a process of its own so that nothing else is counted.
#![cfg(target_os = "linux")]

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use chuhe_arena::play::{PlayOptions, play_game};
use chuhe_arena::played::Opening;
use chuhe_arena::referee::GameRules;
use chuhe_client::time_control::TimeControl;
use chuhe_client::{Client, EngineSpec, Launch, Player, detect};
use chuhe_movegen::Board;
use chuhe_rules::Game;
use stub::stub;

#[path = "../../client/tests/stub/build.rs"]
mod stub;

const GAMES: usize = 150;
const WARM_UP: usize = 30;

/// CPU time of this process without its children.
fn own_cpu() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    // Fields 14 and 15 of the whole line, in hundredths of a second.
    let ticks: u64 = fields[11..13].iter().map(|field| field.parse::<u64>().unwrap()).sum();
    Duration::from_millis(10 * ticks)
}

/// Memory in use, in KiB.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

#[test]
fn a_move_costs_less_than_a_millisecond_and_games_leave_nothing_behind() {
    let client = |seed: &str, proto: &str| {
        let program = stub();
        let spec: EngineSpec = format!("cmd='{program}' proto={proto} option.Seed={seed}").parse().unwrap();
        let detected = detect(&spec, &Launch::default()).unwrap();
        Client::start(&spec, &detected, &Launch::default()).unwrap()
    };
    let mut one = client("1", "uci");
    let mut other = client("2", "ucci");
    let control: TimeControl = "10+0.1".parse().unwrap();
    let (mut moves, mut cpu, mut memory) = (0, Duration::ZERO, 0);
    let mut begun = Instant::now();
    for number in 0..GAMES + WARM_UP {
        if number == WARM_UP {
            (moves, cpu, memory, begun) = (0, own_cpu(), resident(), Instant::now());
        }
        let mut start = Game::new(Board::startpos());
        // Stubs always choose the same: each game needs a beginning of its own.
        for mv in 0..4 {
            let legal = start.board().legal_moves();
            start.play(legal[(number * (mv + 7)) % legal.len()]).unwrap();
        }
        let opening = Opening { name: String::new(), game: start };
        let players: [&mut dyn Player; 2] =
            if number % 2 == 0 { [&mut one, &mut other] } else { [&mut other, &mut one] };
        let played = play_game(
            players,
            &opening,
            &GameRules::default(),
            [&control, &control],
            &PlayOptions::default(),
            &AtomicBool::new(false),
            |_| {},
        )
        .unwrap();
        assert!(played.ending.fault.is_none() && played.minor_faults.is_empty(), "{:?}", played.ending);
        moves += u32::try_from(played.moves.len()).unwrap();
    }
    let took = begun.elapsed();
    let each = (own_cpu() - cpu) / moves;
    let growth = resident().saturating_sub(memory);
    eprintln!(
        "{GAMES} games, {moves} moves in {took:?}: {:.0} games a second, {each:?} of CPU a move, {growth} KiB more",
        GAMES as f64 / took.as_secs_f64(),
    );
    // A move is answered by one of the two, so that a pair of moves is allowed twice this.
    assert!(each < Duration::from_micros(500), "{each:?}");
    assert!(growth < 4096, "{growth} KiB");
}
