//! One game.

use std::sync::atomic::{AtomicBool, Ordering};

use chuhe_endgame::Tables;
use chuhe_engine::{Control, Engine};
use chuhe_movegen::Color;
use chuhe_rules::Game;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::data::GameOutcome;
use crate::data::game::{PackedGame, PackedPly, SearchSettings, Verdict};
use crate::datagen::adjudicate::{Adjudicator, known_result};
use crate::datagen::{Settings, opening};
use crate::progress::RunError;

/// Plays the game with this number; nothing when told to stop before its end.
///
/// # Errors
/// [`RunError::NoOpening`].
pub(super) fn play(
    engine: &mut Engine,
    settings: &Settings,
    search: &SearchSettings,
    number: u32,
    stop: &AtomicBool,
) -> Result<Option<PackedGame>, RunError> {
    let mut rng = ChaCha8Rng::seed_from_u64(settings.seed);
    rng.set_stream(number.into());
    engine.new_game();
    let start =
        opening::draw(engine, &mut rng, search, &settings.rules).ok_or(RunError::NoOpening(search.opening_limit))?;
    let is_adjudicated = rng.random_range(0..settings.adjudication.unadjudicated_one_in.max(1)) > 0;
    let mut adjudicator = Adjudicator::new(&settings.adjudication);
    let tables = if settings.adjudication.tables { Tables::embedded() } else { Tables::none() };
    let mut game = Game::new(start.board.clone());
    let mut plies = Vec::with_capacity(256);
    let (verdict, loser) = loop {
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let outcome = engine.search(&game, &settings.limits(), &Control::new(), &mut |_| {});
        // The game is not over, so there is a move, and it is legal.
        let Some(mv) = outcome.best else { return Ok(None) };
        let score = outcome.score.get();
        let red_score = if game.board().side_to_move() == Color::Red { score } else { -score };
        let ply = u32::from(start.ply) + plies.len() as u32;
        let is_capture = game.board().is_capture(mv);
        // Every score fits.
        let stored = score.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        plies.push(PackedPly::new(game.board(), mv, stored));
        if game.play(mv).is_err() {
            return Ok(None);
        }
        // What the rules say comes before what the scores say.
        if let Some(ending) = game.ending(&settings.rules) {
            break (Verdict::of(&ending), ending.loser());
        }
        if is_adjudicated && let Some(end) = known_result(&tables, game.board()) {
            break end;
        }
        if let Some(end) = adjudicator.see(ply, red_score, is_capture)
            && is_adjudicated
        {
            break end;
        }
    };
    Ok(Some(PackedGame {
        number,
        start: start.board,
        start_ply: start.ply,
        opening: start.opening,
        plies,
        outcome: GameOutcome::of_loser(loser),
        verdict,
    }))
}
