//! The clock of one side: runs by its time control, shows what is left, and tells by how much it was overstepped.

use std::time::Duration;

use chuhe_client::time_control::{ClockReading, ClockRule, Period, TimeControl};

/// The clock of one side, and the time allowed for each move if that is limited too.
///
/// Time overstepped is not charged twice: after a move that was late but forgiven the clock stands at zero,
/// before the increment.
#[derive(Clone, Debug)]
pub struct Clock {
    state: Option<State>,
    move_time: Option<Duration>,
}

/// What a move cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spent {
    /// Time used.
    pub used: Duration,
    /// Time there was; `None` when nothing limits it.
    pub allowed: Option<Duration>,
}

impl Spent {
    /// How far the time allowed was overstepped.
    #[must_use]
    pub fn overstep(&self) -> Duration {
        self.allowed.map_or(Duration::ZERO, |allowed| self.used.saturating_sub(allowed))
    }
}

#[derive(Clone, Debug)]
enum State {
    Increment { left: Duration, increment: Duration },
    Periods { now: Running, later: std::vec::IntoIter<Period> },
    Reserve { per_move: Duration, reserve: Duration },
}

/// The period that a clock is in.
#[derive(Clone, Copy, Debug)]
struct Running {
    period: Period,
    left: Duration,
    /// Moves still to be made before the time is up; 0 when there were enough.
    due: u32,
}

impl Running {
    const fn start(period: Period) -> Running {
        Running { period, left: period.time, due: period.moves }
    }
}

impl Clock {
    /// The clock at the start of the game.
    #[must_use]
    pub fn new(control: &TimeControl) -> Clock {
        let state = control.clock.as_ref().and_then(|rule| match *rule {
            ClockRule::Increment { base, increment } => Some(State::Increment { left: base, increment }),
            ClockRule::Periods(ref periods) => {
                let mut later = periods.clone().into_iter();
                Some(State::Periods { now: Running::start(later.next()?), later })
            }
            ClockRule::Reserve { per_move, reserve } => Some(State::Reserve { per_move, reserve }),
        });
        Clock { state, move_time: control.limits.move_time }
    }

    /// What to tell an engine before its move; `None` without a clock. The time left is always what this one move may
    /// take before it is late.
    ///
    /// - In a *period* whose moves have been made, what is left of its time still runs, and the next period follows:
    ///   the reading is the sum of both and the moves of the next. That is exact: the move that uses up the old
    ///   period's time is the first to count in the new one.
    /// - A time *for each move with a reserve* reads as both together and an increment of the time for each move. That
    ///   is exact while moves take their time or longer; what a move leaves of its time is lost, which the next reading
    ///   shows.
    #[must_use]
    pub fn reading(&self) -> Option<ClockReading> {
        Some(match self.state.as_ref()? {
            State::Increment { left, increment } => {
                ClockReading { left: *left, increment: *increment, moves_to_go: None }
            }
            State::Periods { now, later } => {
                let (left, moves) = match now.due {
                    0 => {
                        let next = next_period(now, later);
                        (now.left.saturating_add(next.time), next.moves)
                    }
                    due => (now.left, due),
                };
                ClockReading { left, increment: Duration::ZERO, moves_to_go: Some(moves) }
            }
            State::Reserve { per_move, reserve } => {
                ClockReading { left: per_move.saturating_add(*reserve), increment: *per_move, moves_to_go: None }
            }
        })
    }

    /// How long the next move may take; `None` when nothing limits it.
    #[must_use]
    pub fn budget(&self) -> Option<Duration> {
        let left = self.reading().map(|reading| reading.left);
        [left, self.move_time].into_iter().flatten().min()
    }

    /// Charges a move.
    pub fn spend(&mut self, used: Duration) -> Spent {
        let spent = Spent { used, allowed: self.budget() };
        match &mut self.state {
            None => {}
            Some(State::Increment { left, increment }) => *left = left.saturating_sub(used).saturating_add(*increment),
            Some(State::Reserve { per_move, reserve }) => {
                *reserve = reserve.saturating_sub(used.saturating_sub(*per_move));
            }
            Some(State::Periods { now, later }) => {
                let mut used = used;
                if now.due == 0 && used > now.left {
                    used -= now.left;
                    *now = Running::start(later.next().unwrap_or(now.period));
                }
                now.left = now.left.saturating_sub(used);
                now.due = now.due.saturating_sub(1);
                if now.due == 0 && now.left.is_zero() {
                    *now = Running::start(later.next().unwrap_or(now.period));
                }
            }
        }
        spent
    }
}

/// The period after this one: the last is repeated.
fn next_period(now: &Running, later: &std::vec::IntoIter<Period>) -> Period {
    later.as_slice().first().copied().unwrap_or(now.period)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn clock(text: &str) -> Clock {
        Clock::new(&text.parse().unwrap())
    }

    /// Seconds left, increment, moves to go.
    fn shown(clock: &Clock) -> (f64, f64, Option<u32>) {
        let reading = clock.reading().unwrap();
        (reading.left.as_secs_f64(), reading.increment.as_secs_f64(), reading.moves_to_go)
    }

    /// Makes moves of the given seconds, all in time.
    fn moves(clock: &mut Clock, times: impl IntoIterator<Item = f64>) {
        for seconds in times {
            let spent = clock.spend(Duration::from_secs_f64(seconds));
            assert_eq!(spent.overstep(), Duration::ZERO, "{spent:?}");
        }
    }

    /// Makes a last move that is late; returns by how many seconds.
    fn late(clock: &mut Clock, seconds: f64) -> f64 {
        clock.spend(Duration::from_secs_f64(seconds)).overstep().as_secs_f64()
    }

    fn times(count: usize, seconds: f64) -> impl Iterator<Item = f64> {
        std::iter::repeat_n(seconds, count)
    }

    #[test]
    fn increment_is_added_after_the_move() {
        let mut clock = clock("2+0.5");
        assert_eq!(shown(&clock), (2.0, 0.5, None));
        moves(&mut clock, [1.25]);
        assert_eq!(shown(&clock), (1.25, 0.5, None));
        moves(&mut clock, [1.25]);
        assert_eq!(shown(&clock), (0.5, 0.5, None));
        assert_eq!(late(&mut clock, 0.75), 0.25);
        assert_eq!(shown(&clock), (0.5, 0.5, None), "what is forgiven is not charged");
    }

    /// Article 6.5: all the time for all the moves.
    #[test]
    fn sudden_death() {
        let mut clock = clock("5:00");
        moves(&mut clock, times(60, 4.0));
        assert_eq!(shown(&clock), (60.0, 0.0, None));
        moves(&mut clock, [60.0]);
        assert_eq!(shown(&clock), (0.0, 0.0, None));
        assert_eq!(late(&mut clock, 0.001), 0.001);
    }

    /// Article 6.1: 40 moves in 90 minutes, then 10 in every 15, to the end of the game.
    #[test]
    fn article_6_1_exactly_used() {
        let mut clock = clock("article6.1");
        assert_eq!(shown(&clock), (5400.0, 0.0, Some(40)));
        moves(&mut clock, times(39, 135.0));
        assert_eq!(shown(&clock), (135.0, 0.0, Some(1)));
        moves(&mut clock, [135.0]);
        for _ in 0..3 {
            assert_eq!(shown(&clock), (900.0, 0.0, Some(10)));
            moves(&mut clock, times(10, 90.0));
        }
    }

    /// Article 6.1 with document 000: moves beyond the 40 do not count for the second period, which begins when the
    /// 90 minutes are used up.
    #[test]
    fn article_6_1_moves_beyond_do_not_count_for_the_next_period() {
        let mut clock = clock("article6.1");
        moves(&mut clock, times(40, 60.0));
        // 40 minutes used. 50 are left and belong to the first period still; ten more moves use 30 of them.
        assert_eq!(shown(&clock), (3000.0 + 900.0, 0.0, Some(10)));
        moves(&mut clock, times(10, 180.0));
        assert_eq!(shown(&clock), (1200.0 + 900.0, 0.0, Some(10)), "none of the ten counts");
        // This move ends 5 minutes into the second period and is its first.
        moves(&mut clock, [1500.0]);
        assert_eq!(shown(&clock), (600.0, 0.0, Some(9)));
        // Nine more must be made in the ten minutes left.
        moves(&mut clock, times(8, 60.0));
        assert_eq!(shown(&clock), (120.0, 0.0, Some(1)));
        assert_eq!(late(&mut clock, 121.0), 1.0);
    }

    /// Article 6.1: a move that takes all that is left of the first period and all of the second is late, for the
    /// second period has then passed without its ten moves.
    #[test]
    fn article_6_1_no_period_can_be_skipped() {
        let mut clock = clock("article6.1");
        moves(&mut clock, times(40, 60.0));
        assert_eq!(clock.budget(), Some(Duration::from_secs(3900)));
        assert_eq!(late(&mut clock, 3901.0), 1.0);
    }

    /// Article 6.2: the flag falls with 29 of 30 moves made.
    #[test]
    fn article_6_2_too_few_moves() {
        let mut clock = clock("article6.2");
        moves(&mut clock, times(29, 120.0));
        assert_eq!(shown(&clock), (120.0, 0.0, Some(1)));
        assert_eq!(late(&mut clock, 120.5), 0.5);
        // Forgiven, it was the thirtieth, and the next period begins.
        assert_eq!(shown(&clock), (600.0, 0.0, Some(10)));
    }

    /// Article 6.3: 40 moves in 10 minutes, then 30 in every 5.
    #[test]
    fn article_6_3_with_time_to_spare() {
        let mut clock = clock("article6.3");
        moves(&mut clock, times(40, 14.0));
        assert_eq!(shown(&clock), (40.0 + 300.0, 0.0, Some(30)));
        // 41st to 44th move in the 40 seconds left of the first period.
        moves(&mut clock, times(4, 10.0));
        assert_eq!(shown(&clock), (300.0, 0.0, Some(30)));
        moves(&mut clock, times(29, 10.0));
        assert_eq!(shown(&clock), (10.0, 0.0, Some(1)));
        moves(&mut clock, [9.0]);
        assert_eq!(shown(&clock), (1.0 + 300.0, 0.0, Some(30)));
    }

    /// Article 6.4: 30 moves in every 5 minutes; a move that is late and forgiven leaves no time for those due.
    #[test]
    fn article_6_4_late_and_forgiven() {
        let mut clock = clock("article6.4");
        moves(&mut clock, times(28, 10.0));
        assert_eq!(shown(&clock), (20.0, 0.0, Some(2)));
        assert_eq!(late(&mut clock, 20.5), 0.5);
        assert_eq!(shown(&clock), (0.0, 0.0, Some(1)));
        assert_eq!(late(&mut clock, 0.25), 0.25);
        assert_eq!(shown(&clock), (300.0, 0.0, Some(30)));
    }

    /// Document 000, 时间总计制 for lesser events: 30 moves in the first hour; when the hour is used up, 10 in every 10
    /// minutes; moves beyond do not count later either.
    #[test]
    fn document_000_hour_then_ten_minutes() {
        let mut clock = clock("30/60:00,10/10:00");
        moves(&mut clock, times(50, 72.0));
        // 50 moves in exactly an hour: the next ten minutes ask for ten again.
        assert_eq!(shown(&clock), (600.0, 0.0, Some(10)));
    }

    /// Document 000, 时间分计制: 2 minutes for each move, 30 minutes of reserve to use at once or bit by bit; when it is
    /// gone, a move beyond 2 minutes loses.
    #[test]
    fn document_000_reserve() {
        let mut clock = clock("2:00/move+30:00");
        assert_eq!(shown(&clock), (1920.0, 120.0, None));
        moves(&mut clock, [5.0, 120.0]);
        assert_eq!(shown(&clock), (1920.0, 120.0, None), "time a move leaves is lost, none was borrowed");
        moves(&mut clock, [300.0]);
        assert_eq!(shown(&clock), (1740.0, 120.0, None));
        moves(&mut clock, [1740.0]);
        assert_eq!(shown(&clock), (120.0, 120.0, None));
        moves(&mut clock, times(5, 120.0));
        assert_eq!(late(&mut clock, 121.0), 1.0);
    }

    #[test]
    fn move_time_limits_each_move_and_shows_no_clock() {
        let mut clock = clock("movetime=100ms");
        assert_eq!(clock.reading(), None);
        moves(&mut clock, times(3, 0.1));
        assert_eq!(clock.budget(), Some(SECOND / 10));
        assert_eq!(late(&mut clock, 0.125), 0.025);
        let both = self::clock("5+1,movetime=1s");
        assert_eq!(both.budget(), Some(SECOND));
        assert_eq!(shown(&both), (5.0, 1.0, None));
    }

    #[test]
    fn without_time_nothing_is_late() {
        let mut clock = clock("depth=8");
        assert_eq!((clock.reading(), clock.budget()), (None, None));
        assert_eq!(clock.spend(Duration::MAX), Spent { used: Duration::MAX, allowed: None });
        assert_eq!(late(&mut clock, 1e6), 0.0);
    }

    proptest::proptest! {
        /// Whoever never takes more than its share of what the reading says is never late; a move that takes all that
        /// is shown is in time, one that takes more is not.
        #[test]
        fn readings_tell_the_truth(
            rule in 0_usize..4,
            shares in proptest::collection::vec(0.0_f64..=1.0, 1..200),
        ) {
            let mut clock = clock(["3/2:00,2/60", "1/10", "20+1", "10/move+60"][rule]);
            for share in shares {
                let reading = clock.reading().unwrap();
                let moves = reading.moves_to_go.unwrap_or(1);
                proptest::prop_assert!(moves > 0);
                let most = reading.left;
                proptest::prop_assert_eq!(clock.clone().spend(most).overstep(), Duration::ZERO);
                proptest::prop_assert_eq!(clock.clone().spend(most + SECOND).overstep(), SECOND);
                clock.spend(most.mul_f64(share / f64::from(moves)));
                proptest::prop_assert!(!clock.budget().unwrap().is_zero() || share == 1.0);
            }
        }
    }
}
