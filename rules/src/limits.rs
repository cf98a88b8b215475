//! Limits of moves: the natural limit (自然限着) with its claim, and the arbiter's limit (限着).

use chuhe_movegen::{ByColor, Color};

use crate::{Game, Ply, Ruling};

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
    /// Who claims.
    pub claimant: Color,
    /// Half-moves since the last capture that count.
    pub counted: u32,
    /// Half-moves needed.
    pub required: u32,
    /// Moves after which the game was over already, if it was.
    pub over_after: Option<usize>,
}

/// What comes of a claim.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClaimOutcome {
    /// The game is drawn.
    Granted,
    /// Too few half-moves count.
    Refused,
    /// Nothing can be claimed, since the game was over after so many moves.
    Void(usize),
}

impl LimitClaim {
    /// What comes of it.
    pub fn outcome(&self) -> ClaimOutcome {
        match self.over_after {
            Some(moves) => ClaimOutcome::Void(moves),
            None if self.counted >= self.required => ClaimOutcome::Granted,
            None => ClaimOutcome::Refused,
        }
    }

    /// Whether the draw is given.
    pub fn is_granted(&self) -> bool {
        self.outcome() == ClaimOutcome::Granted
    }
}

impl Game {
    /// Half-moves since the last capture. A check that is not counted takes the answer to it along.
    ///
    /// Moves from before the start position count by its half-move clock, whatever they were.
    pub fn plies_without_capture(&self, counting: CheckCounting) -> u32 {
        let tail = self.reversible_tail();
        let mut counted = tail.first().map_or(0, |start| u32::from(start.board.halfmove_clock()));
        let mut checks = ByColor::default();
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

    /// Examines a claim by `claimant`, made after the last move, that no piece has been taken for `rounds` rounds
    /// (article 23.3): at most ten of the claimant's own checks count. `ruling` is this game's; what has ended the game
    /// before stands.
    pub fn claim_natural_limit(&self, ruling: &Ruling, claimant: Color, rounds: u16) -> LimitClaim {
        LimitClaim {
            claimant,
            counted: self.plies_without_capture(CheckCounting::TenOf(claimant)),
            required: 2 * u32::from(rounds),
            over_after: ruling.over_after,
        }
    }
}

/// Whether the move is a check that is not counted any more; counts it if it is a check.
fn is_beyond_count(ply: &Ply, counting: CheckCounting, checks: &mut ByColor<u32>) -> bool {
    let limited = match counting {
        CheckCounting::All => false,
        CheckCounting::TenOf(color) => ply.mover() == color,
        CheckCounting::TenOfEach => true,
    };
    if !limited || !ply.gives_check() {
        return false;
    }
    let count = &mut checks[ply.mover()];
    *count += 1;
    *count > COUNTED_CHECKS
}

#[cfg(test)]
mod tests {
    use chuhe_movegen::Board;

    use super::*;
    use crate::{Ending, RuleSet};

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
        let claim = |color| game.claim_natural_limit(&game.ruling(&RuleSet::CHECK_ONLY), color, 14);
        // The perpetual check has lost before; without that end the counts decide.
        assert_eq!(claim(Color::Black).outcome(), ClaimOutcome::Void(10));
        let without_end = |color| LimitClaim { over_after: None, ..claim(color) };
        assert_eq!(without_end(Color::Red).outcome(), ClaimOutcome::Refused);
        assert_eq!(without_end(Color::Black).outcome(), ClaimOutcome::Granted);
    }

    #[test]
    fn the_natural_limit_is_claimed_not_ruled() {
        let mut game = Game::new(Board::from_fen("3k5/9/9/9/9/9/9/9/R8/4K4 w - - 119 80").unwrap());
        assert_eq!(game.ruling(&RuleSet::ASIAN).may_claim_draw, [false, false]);
        game.play("a1a2".parse().unwrap()).unwrap();
        let ruling = game.ruling(&RuleSet::ASIAN);
        assert_eq!((ruling.ended_by, ruling.may_claim_draw), (None, [true, true]));
        assert!(game.claim_natural_limit(&ruling, Color::Black, 60).is_granted());
        assert_eq!(game.ending(&RuleSet::ASIAN), Some(Ending::NaturalLimit), "a referee of engines does not wait");
    }

    #[test]
    fn nothing_can_be_claimed_after_the_end() {
        let outcome = |fen: &str, moves: &str| {
            let mut game = Game::new(Board::from_fen(fen).unwrap());
            for mv in moves.split_whitespace() {
                game.play(mv.parse().unwrap()).unwrap();
            }
            let ruling = game.ruling(&RuleSet::ASIAN);
            assert_eq!(ruling.may_claim_draw, [false, false]);
            game.claim_natural_limit(&ruling, Color::Black, 1).outcome()
        };
        assert_eq!(outcome("3k5/4P4/9/9/9/9/9/9/9/R3K4 w - - 119 1", "a0a9"), ClaimOutcome::Void(1));
        // The capture of the last pawn leaves nobody who could win.
        let capture = "e0e1 d9d8 e1e0 d8d9";
        assert_eq!(outcome("3k5/9/9/9/9/9/9/9/4p4/4K4 w - - 0 1", capture), ClaimOutcome::Void(1));
    }

    #[test]
    fn moves_before_the_start_count_by_the_clock() {
        let mut game = Game::new(Board::from_fen("4k4/9/9/9/9/5R3/9/9/9/3K5 w - - 117 90").unwrap());
        game.play("f4g4".parse().unwrap()).unwrap();
        assert_eq!(game.plies_without_capture(CheckCounting::All), 118);
        assert_eq!(u32::from(game.board().halfmove_clock()), 118);
    }
}
