//! Which thread's move is played: the threads vote.
//!
//! A vote weighs as much as its search is deep and its score is high, as in Stockfish (`Thread::get_best_thread`). A
//! proved win goes before all votes, so that none is lost that only one thread has found.

use chuhe_movegen::Move;

use crate::Score;

/// What even the worst score weighs, in units of evaluation: depth must count among equals.
const LEAST: i64 = 14;

/// What a thread has come to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ballot {
    /// Its best move.
    pub(crate) mv: Move,
    /// The score of that move.
    pub(crate) score: Score,
    /// Iterations completed.
    pub(crate) depth: i32,
}

/// The index of the ballot that wins: of the move with most votes the one that was searched deepest. Among equals the
/// first.
pub(crate) fn elect(ballots: &[Ballot]) -> Option<usize> {
    let best = |rank: &dyn Fn(&Ballot) -> (i64, i64)| {
        ballots.iter().enumerate().rev().max_by_key(|(_, ballot)| rank(ballot)).map(|(index, _)| index)
    };
    let worst = ballots.iter().map(|ballot| ballot.score).min()?;
    let is_won = |ballot: &Ballot| ballot.score > Score::ZERO && ballot.score.is_decided();
    if ballots.iter().any(is_won) {
        return best(&|ballot| (ballot.score.get().into(), 0));
    }
    let votes = |mv: Move| -> i64 {
        let cast = ballots.iter().filter(|ballot| ballot.mv == mv);
        cast.map(|ballot| (i64::from(ballot.score - worst) + LEAST) * i64::from(ballot.depth)).sum()
    };
    best(&|ballot| (votes(ballot.mv), ballot.depth.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elected(ballots: &[(&str, Score, i32)]) -> Option<usize> {
        let ballots: Vec<Ballot> =
            ballots.iter().map(|&(mv, score, depth)| Ballot { mv: mv.parse().unwrap(), score, depth }).collect();
        elect(&ballots)
    }

    #[test]
    fn two_agree_against_one() {
        let score = Score::new(30);
        assert_eq!(elected(&[("h2e2", score, 10), ("b2e2", score, 10), ("b2e2", score, 10)]), Some(1));
        assert_eq!(elected(&[("h2e2", score, 10), ("b2e2", score, 9), ("b2e2", score, 11)]), Some(2));
    }

    #[test]
    fn the_first_is_not_overruled_by_an_equal() {
        assert_eq!(elected(&[("h2e2", Score::new(30), 10), ("b2e2", Score::new(30), 10)]), Some(0));
        assert_eq!(elected(&[]), None);
    }

    #[test]
    fn depth_and_score_count() {
        assert_eq!(elected(&[("h2e2", Score::new(30), 10), ("b2e2", Score::new(30), 12)]), Some(1));
        assert_eq!(elected(&[("h2e2", Score::new(30), 10), ("b2e2", Score::new(60), 10)]), Some(1));
    }

    #[test]
    fn a_mate_is_never_outvoted() {
        let mate = Score::mate_in(9);
        assert_eq!(
            elected(&[("h2e2", Score::new(300), 20), ("h2e2", Score::new(300), 20), ("b2e2", mate, 8)]),
            Some(2)
        );
        assert_eq!(elected(&[("h2e2", mate, 20), ("b2e2", Score::mate_in(5), 8)]), Some(1));
        // Mated all the same: later is better.
        let lost = [("h2e2", Score::mated_in(4), 10), ("b2e2", Score::mated_in(12), 10)];
        assert_eq!(elected(&lost), Some(1));
    }
}
