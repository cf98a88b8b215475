//! What a game costs beside the players' thinking.

use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use chuhe_arena::play::{PlayOptions, play_game};
use chuhe_arena::played::Opening;
use chuhe_arena::referee::GameRules;
use chuhe_client::player::{Answer, Decision, Fault, GameEnd, Player, SearchReport, Turn};
use chuhe_client::time_control::TimeControl;
use chuhe_movegen::{Board, Color, Move};
use chuhe_rules::Game;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Plays the moves of a list.
struct Replay<'a>(&'a [Move]);

impl Player for Replay<'_> {
    fn new_game(&mut self, _: &Game, _: Color) -> Result<(), Fault> {
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault> {
        Ok(Answer {
            decision: self.0.get(turn.game.plies().len() - 1).map_or(Decision::Resign, |&mv| Decision::Move(mv)),
            draw: false,
            expects: None,
            elapsed: Duration::ZERO,
            search: SearchReport::default(),
        })
    }

    fn ponder(&mut self, _: &Turn<'_>) {}

    fn end_game(&mut self, _: GameEnd) -> Vec<Fault> {
        Vec::new()
    }
}

/// A random game of so many half-moves; one that only shuffles captures nothing and comes back to positions often, which
/// is the dearest for the judge of repetitions.
fn moves(plies: usize, shuffles: bool) -> Vec<Move> {
    for seed in 0.. {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut game = Game::new(Board::startpos());
        while game.plies().len() <= plies {
            let board = game.board();
            let mut moves = board.legal_moves();
            if shuffles {
                let last = game.plies().iter().rev().nth(1).and_then(|ply| ply.mv);
                let back = last.and_then(|mv| Move::new(mv.to(), mv.from()));
                moves.retain(|&mut mv| !board.is_capture(mv));
                if rng.random_range(0..4) == 0 {
                    moves.retain(|&mut mv| Some(mv) == back);
                }
            }
            if moves.is_empty() || game.play(moves[rng.random_range(0..moves.len())]).is_err() {
                break;
            }
        }
        if game.plies().len() > plies {
            return game.moves().collect();
        }
    }
    Vec::new()
}

fn referee(c: &mut Criterion) {
    let opening = Opening { name: String::new(), game: Game::new(Board::startpos()) };
    let rules = GameRules { natural_limit: None, ..GameRules::default() };
    let time: TimeControl = "2+0.02".parse().expect("a time control");
    let options = PlayOptions::default();
    let cancel = AtomicBool::new(false);
    let mut group = c.benchmark_group("referee");
    group.sample_size(20);
    for (name, shuffles) in [("random", false), ("shuffling", true)] {
        let moves = moves(200, shuffles);
        group.throughput(Throughput::Elements(moves.len() as u64));
        group.bench_function(name, |b| {
            b.iter(|| {
                let (mut red, mut black) = (Replay(&moves), Replay(&moves));
                let players: [&mut dyn Player; 2] = [&mut red, &mut black];
                let played = play_game(players, &opening, &rules, [&time, &time], &options, &cancel, |_| ());
                let played = played.expect("nobody cancels");
                assert!(played.moves.len() == moves.len(), "{:?}", played.ending);
                black_box(played)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, referee);
criterion_main!(benches);
