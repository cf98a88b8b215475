//! What a score means: chances to win, draw and lose, and the number shown to users.
//!
//! The chance to win is a logistic curve of the score, the chance to lose the same curve of its negative, and a draw is
//! the rest: the model that Stockfish and Pikafish show. For display only: search never sees these numbers.

/// The score at which the chance to win outright is one half (`a` of the model). Fitted by `chuhe-train fit-wdl`.
pub const EVEN_CHANCE: i32 = 416;

/// The spread of the curve (`b` of the model): the smaller, the steeper. Fitted by `chuhe-train fit-wdl`.
pub const SPREAD: i32 = 205;

/// The score shown to users for an internal score: 100 = an even chance to win outright.
pub fn shown(internal: i32) -> i32 {
    let scaled = 100 * i64::from(internal);
    let half = i64::from(EVEN_CHANCE) / 2 * scaled.signum();
    // Scaling can only overflow for inputs far beyond any score.
    ((scaled + half) / i64::from(EVEN_CHANCE)).clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

/// Win, draw and loss chances in per mille for an internal score; they add up to 1000.
pub fn wdl(internal: i32) -> [u16; 3] {
    let win = chance(internal.into());
    let loss = chance(-i64::from(internal));
    // Both curves rounded up may leave less than nothing for the draw.
    let (win, loss) = if win < loss { (win.min(1000 - loss), loss) } else { (win, loss.min(1000 - win)) };
    [win, 1000 - win - loss, loss]
}

/// The chance to win with this score, in per mille.
fn chance(score: i64) -> u16 {
    let exponent = (f64::from(EVEN_CHANCE) - score as f64) / f64::from(SPREAD);
    // The same on every system, which the function of the system does not promise.
    (1000.0 / (1.0 + libm::exp(exponent))).round() as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_is_an_even_chance_to_win() {
        assert_eq!(shown(0), 0);
        assert_eq!(shown(EVEN_CHANCE), 100);
        assert_eq!(shown(-EVEN_CHANCE), -100);
        assert_eq!(wdl(EVEN_CHANCE)[0], 500);
        assert_eq!(wdl(-EVEN_CHANCE)[2], 500);
    }

    #[test]
    fn chances_are_symmetric_monotone_and_complete() {
        let mut last = wdl(-30_001);
        for score in -30_000..=30_000 {
            let [win, draw, loss] = wdl(score);
            assert_eq!(win + draw + loss, 1000);
            assert!(win >= last[0] && loss <= last[2], "at {score}");
            assert_eq!(wdl(-score), [loss, draw, win]);
            assert_eq!(shown(-score), -shown(score));
            last = [win, draw, loss];
        }
    }

    #[test]
    fn extremes_do_not_overflow() {
        assert_eq!(wdl(i32::MAX), [1000, 0, 0]);
        assert_eq!(wdl(i32::MIN), [0, 0, 1000]);
        assert!(shown(i32::MAX) > 0 && shown(i32::MIN) < 0);
    }
}
