//! Games of the engine against itself, written as positions with results: the data that [`crate::hce`] and
//! [`crate::wdl`] read.

use std::io::{self, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use chuhe_engine::{Control, Engine, Limits};
use chuhe_movegen::{Board, Color};
use chuhe_rules::{Ending, Game};
use clap::Args;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Plies after which scores near zero end a game as a draw.
const DRAW_FROM_PLY: usize = 80;
/// Such scores in a row end it.
const DRAW_COUNT: u32 = 12;
/// Scores within this are near zero.
const DRAW_SCORE: i32 = 12;
/// Scores beyond this, `WIN_COUNT` times in a row, end a game as won.
const WIN_SCORE: i32 = 2000;
const WIN_COUNT: u32 = 4;
/// Games whose random opening leaves one side further ahead than this are not played.
const OPENING_SCORE: i32 = 500;
/// Positions with scores beyond this teach nothing.
const LARGEST_SCORE: i32 = 2500;

/// How the games are played.
#[derive(Args, Clone, Debug)]
pub struct SelfplayOptions {
    /// Games to play
    #[arg(long, default_value_t = 10_000)]
    games: u64,
    /// Nodes a move
    #[arg(long, default_value_t = 1000)]
    nodes: u64,
    /// Seed of the random openings; each game depends on it and its own number only
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Plays the games on `threads` threads and writes their positions, game by game. Returns how many were written.
///
/// # Errors
/// When the output cannot be written.
pub fn run(options: &SelfplayOptions, threads: usize, output: impl Write + Send) -> io::Result<u64> {
    let output = Mutex::new(output);
    let next = AtomicU64::new(0);
    let written = AtomicU64::new(0);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| -> io::Result<()> {
                    let mut engine = Engine::new();
                    // Eight MiB are plenty for so few nodes; a refusal keeps the default.
                    let _ = engine.set_hash(8);
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= options.games {
                            return Ok(());
                        }
                        let lines = play(&mut engine, options, number);
                        written.fetch_add(lines.len() as u64, Ordering::Relaxed);
                        let text: String = lines.concat();
                        let mut output = output.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                        output.write_all(text.as_bytes())?;
                    }
                })
            })
            .collect();
        workers.into_iter().try_for_each(|worker| worker.join().unwrap_or(Ok(())))
    })?;
    Ok(written.into_inner())
}

/// Plays one game; gives its data lines, none when the opening was too one-sided.
fn play(engine: &mut Engine, options: &SelfplayOptions, number: u64) -> Vec<String> {
    let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
    rng.set_stream(number);
    let Some(mut game) = opening(&mut rng) else { return Vec::new() };
    engine.new_game();
    let rules = engine.options.rules;
    // One game in ten is played to its end, so that endings are seen.
    let adjudicate = rng.next_u32() % 10 != 0;
    let mut positions: Vec<(String, i32)> = Vec::new();
    let (mut drawish, mut winning) = (0, 0);
    let start = game.plies().len();
    let loser = loop {
        if let Some(ending) = game.ending(&rules) {
            break Ok(match ending {
                Ending::Repetition(_) | Ending::NaturalLimit | Ending::DeadMaterial => ending.loser(),
                Ending::Checkmate(side) | Ending::Stalemate(side) => Some(side),
            });
        }
        let outcome = engine.search(&game, &Limits::nodes(options.nodes), &Control::new(), &mut |_| {});
        let Some(mv) = outcome.best else { break Err(()) };
        let board = game.board();
        let side = board.side_to_move();
        let score = outcome.score.get();
        if game.plies().len() == start && score.abs() > OPENING_SCORE {
            break Err(());
        }
        if !board.in_check() && !board.is_capture(mv) && score.abs() < LARGEST_SCORE && board.halfmove_clock() < 100 {
            let red = if side == Color::Red { score } else { -score };
            positions.push((board.to_fen(), red));
        }
        drawish = if score.abs() <= DRAW_SCORE { drawish + 1 } else { 0 };
        winning = if score.abs() >= WIN_SCORE { winning + 1 } else { 0 };
        if adjudicate {
            if winning >= WIN_COUNT {
                break Ok(Some(if score > 0 { !side } else { side }));
            }
            if drawish >= DRAW_COUNT && game.plies().len() > DRAW_FROM_PLY {
                break Ok(None);
            }
        }
        if game.play(mv).is_err() {
            break Err(());
        }
    };
    let Ok(loser) = loser else { return Vec::new() };
    let result = match loser {
        None => "0.5",
        Some(Color::Red) => "0",
        Some(Color::Black) => "1",
    };
    positions.into_iter().map(|(fen, score)| format!("{fen};{result};{score}\n")).collect()
}

/// Six to ten random moves from the start position: first a piece, then one of its moves, which spreads them better
/// than choosing among all moves alike. Moves that hang more than a minor piece are passed over.
fn opening(rng: &mut ChaCha8Rng) -> Option<Game> {
    let mut game = Game::new(Board::startpos());
    let plies = 6 + rng.next_u32() % 5;
    let mut tries = 0;
    let mut played = 0;
    while played < plies {
        tries += 1;
        if tries > 1000 {
            return None;
        }
        let board = game.board();
        let moves = board.legal_moves();
        let origins: Vec<_> = {
            let mut origins: Vec<_> = moves.iter().map(|mv| mv.from()).collect();
            origins.dedup();
            origins
        };
        let from = *origins.get(rng.next_u32() as usize % origins.len().max(1))?;
        let own: Vec<_> = moves.iter().filter(|mv| mv.from() == from).collect();
        let mv = **own.get(rng.next_u32() as usize % own.len().max(1))?;
        if board.see_at_least(mv, -450) {
            game.play(mv).ok()?;
            played += 1;
        }
    }
    game.board().has_legal_move().then_some(game)
}
