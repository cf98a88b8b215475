//! Limits of moves: the natural limit (自然限着) with its claim, and the arbiter's limit (限着).

use chuhe_movegen::Color;

use crate::{Game, Ply};

/// Half-moves without a capture after which the game is drawn (自然限着, 60 rounds, article 4.2.4).
pub const NATURAL_LIMIT: u16 = 120;

/// Half-moves that an arbiter usually sets as a limit (限着, 40 rounds). Never applied without being asked for.
pub const ARBITER_LIMIT: u16 = 80;

/// No more checks of one side than this are counted.
const COUNTED_CHECKS: u32 = 10;

/// Which checks count towards a limit of moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CheckCounting {
    /// All, as when neither side has been examined (article 23.3, last sentence).
    All,
    /// At most ten of this side's, as when it claims the draw (article 23.3).
    TenOf(Color),
    /// At most ten of each side's, as engines count.
    TenOfEach,
}

/// A claim of the natural limit, examined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LimitClaim {
    /// Half-moves since the last capture that count.
    pub counted: u32,
    /// Half-moves needed.
    pub required: u32,
}

impl LimitClaim {
    /// Whether the draw is given.
    pub fn is_granted(&self) -> bool {
        self.counted >= self.required
    }
}

impl Game {
    /// Half-moves since the last capture. A check that is not counted takes the answer to it along.
    ///
    /// Moves from before the start position count by its half-move clock, whatever they were.
    pub fn plies_without_capture(&self, counting: CheckCounting) -> u32 {
        let tail = self.reversible_tail();
        let mut counted = tail.first().map_or(0, |start| u32::from(start.board.halfmove_clock()));
        let mut checks = [0; Color::NUM];
        let mut answers_uncounted = false;
        for ply in tail.iter().skip(1) {
            let is_uncounted = is_beyond_count(ply, counting, &mut checks);
            if !is_uncounted && !answers_uncounted {
                counted += 1;
            }
            answers_uncounted = is_uncounted;
        }
        counted
    }

    /// Examines a claim by `claimant` that no piece has been taken for `rounds` rounds (article 23.3): at most ten of
    /// the claimant's own checks count.
    pub fn claim_natural_limit(&self, claimant: Color, rounds: u16) -> LimitClaim {
        LimitClaim {
            counted: self.plies_without_capture(CheckCounting::TenOf(claimant)),
            required: 2 * u32::from(rounds),
        }
    }
}

/// Whether the move is a check that is not counted any more; counts it if it is a check.
fn is_beyond_count(ply: &Ply, counting: CheckCounting, checks: &mut [u32; Color::NUM]) -> bool {
    let limited = match counting {
        CheckCounting::All => false,
        CheckCounting::TenOf(color) => ply.mover() == color,
        CheckCounting::TenOfEach => true,
    };
    if !limited || !ply.gives_check() {
        return false;
    }
    let count = &mut checks[ply.mover().index()];
    *count += 1;
    *count > COUNTED_CHECKS
}

#[cfg(test)]
mod tests {
    use chuhe_movegen::Board;

    use super::*;

    /// A rook captures, then checks `checks` times in a row.
    fn checking_game(checks: usize) -> Game {
        let mut game = Game::new(Board::from_fen("4k4/9/9/9/9/3p1R3/9/9/9/5K3 w - - 30 1").unwrap());
        let mut play = |mv: &str| game.play(mv.parse().unwrap()).unwrap();
        play("f4d4");
        play("e9e8");
        let cycle = ["d4e4", "e8d8", "e4d4", "d8e8"];
        for mv in cycle.into_iter().cycle().take(2 * checks) {
            play(mv);
        }
        game
    }

    #[test]
    fn ten_checks_count() {
        // The reference's worked figure: of 14 checks and answers, 20 half-moves count; here one quiet answer to the
        // capture comes before them.
        let game = checking_game(14);
        assert_eq!(game.plies_without_capture(CheckCounting::All), 29);
        assert_eq!(game.plies_without_capture(CheckCounting::TenOfEach), 21);
        assert_eq!(game.plies_without_capture(CheckCounting::TenOf(Color::Red)), 21);
        assert_eq!(game.plies_without_capture(CheckCounting::TenOf(Color::Black)), 29);
    }

    #[test]
    fn a_claim_counts_the_claimants_checks_only() {
        let game = checking_game(14);
        assert!(!game.claim_natural_limit(Color::Red, 14).is_granted());
        assert!(game.claim_natural_limit(Color::Black, 14).is_granted());
    }

    #[test]
    fn moves_before_the_start_count_by_the_clock() {
        let mut game = Game::new(Board::from_fen("4k4/9/9/9/9/5R3/9/9/9/3K5 w - - 117 90").unwrap());
        game.play("f4g4".parse().unwrap()).unwrap();
        assert_eq!(game.plies_without_capture(CheckCounting::All), 118);
        assert_eq!(u32::from(game.board().halfmove_clock()), 118);
    }
}
