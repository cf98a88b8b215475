//! Time controls (articles 6.1 to 6.5, and the per-move time with a personal reserve of older rules) and their text.
//!
//! A time control is written as one word: terms separated by commas (blanks are read too), at most one clock and any
//! number of limits.
//!
//! | term | meaning |
//! |---|---|
//! | `2+0.02` | 2 seconds, and 0.02 seconds after each move |
//! | `10:00+5` | 10 minutes, and 5 seconds after each move |
//! | `300`, `5:00` | sudden death (6.5) |
//! | `40/90:00,10/15:00` | 40 moves in 90 minutes, then 10 in every 15 minutes: the last period is repeated (6.1 to 6.4) |
//! | `article6.1` … `article6.4` | the periods of that article |
//! | `2:00/move+30:00` | 2 minutes for each move, and a reserve of 30 minutes for the game (时间分计制) |
//! | `movetime=100ms` | this time for each move |
//! | `depth=8` | depth in plies |
//! | `nodes=10000` | positions |
//!
//! A time is a number of seconds (`90`, `0.02`, `1.5s`), of milliseconds (`100ms`), or `m:ss`, or `h:mm:ss`, with up to
//! nine decimals.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use chuhe_text::quoted;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// No time may be longer than this, so that sums of times never overflow.
const LONGEST: Duration = Duration::from_secs(1000 * 60 * 60);

/// How the time of one side is limited. What is set applies together. Its text is described in the
/// [module](self).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TimeControl {
    /// A clock.
    pub clock: Option<ClockRule>,
    /// Limits on each search.
    pub limits: SearchLimits,
}

/// Limits on each search beside the clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchLimits {
    /// Exactly this time for each move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub move_time: Option<Duration>,
    /// Depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// How a clock runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClockRule {
    /// A base, and an increment after each move; an increment of zero is sudden death (article 6.5).
    Increment {
        /// Time at the start.
        base: Duration,
        /// Time added after each move.
        increment: Duration,
    },
    /// Periods with a number of moves each, the last repeated to the end of the game (articles 6.1 to 6.4). Never
    /// empty.
    ///
    /// A period lasts until its time is used up, and by then its moves must have been made. Moves made beyond their
    /// number do not count for the next period (每一个时限内都可以多走着数，但均不能挪到下一个时限内累计).
    Periods(Vec<Period>),
    /// A time for each move, and a reserve for the whole game that moves beyond it eat up (时间分计制). What a move
    /// leaves of its time is lost.
    Reserve {
        /// For each move.
        per_move: Duration,
        /// For the game.
        reserve: Duration,
    },
}

/// So many moves in so much time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Period {
    /// Moves to be made.
    pub moves: u32,
    /// In this time.
    pub time: Duration,
}

/// What a clock shows, in the terms that engines know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockReading {
    /// Time left.
    pub left: Duration,
    /// Time that will be added after each move.
    pub increment: Duration,
    /// Moves to be made in the time left, this one included; `None`: all the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// A text is not a time control.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseTimeControlError {
    /// Nothing limits the time.
    #[error("empty time control: expected for example `2+0.02`, `5:00`, `40/90:00,10/15:00` or `movetime=100ms`")]
    Empty,
    /// Not a time.
    #[error("`{0}` is not a time: expected seconds such as `2` or `0.02`, or `100ms`, `5:00`, `1:30:00`")]
    Time(String),
    /// A time of zero where there must be some, or one beyond any sense.
    #[error("the {what} `{text}` is out of range: expected more than 0 and at most 1000 hours")]
    Range {
        /// Which time.
        what: &'static str,
        /// As written.
        text: String,
    },
    /// Not a number of moves, plies or positions.
    #[error("`{text}` is not a number of {what}: expected a whole number from 1 to {max}")]
    Count {
        /// What is counted.
        what: &'static str,
        /// As written.
        text: String,
        /// The largest allowed.
        max: u64,
    },
    /// An article that has no periods, or does not exist.
    #[error("`{0}` names no periods: expected article6.1, article6.2, article6.3 or article6.4")]
    Article(String),
    /// An unknown limit.
    #[error("unknown limit `{0}`: expected movetime, depth or nodes")]
    Limit(String),
    /// A limit given twice.
    #[error("`{0}` is given twice")]
    Twice(&'static str),
    /// A second clock.
    #[error("`{0}` is a second clock: only periods such as `40/90:00,10/15:00` may follow each other")]
    SecondClock(String),
}

impl ClockRule {
    /// The periods of articles 6.1 to 6.4, given the number behind the point.
    fn article(number: &str) -> Option<ClockRule> {
        let periods: &[(u32, u64)] = match number {
            "1" => &[(40, 90), (10, 15)],
            "2" => &[(30, 60), (10, 10)],
            "3" => &[(40, 10), (30, 5)],
            "4" => &[(30, 5)],
            _ => return None,
        };
        let period = |&(moves, minutes)| Period { moves, time: Duration::from_secs(minutes * 60) };
        Some(ClockRule::Periods(periods.iter().map(period).collect()))
    }

    /// Reads one term. Periods come one by one.
    fn parse(term: &str) -> Result<ClockRule, ParseTimeControlError> {
        if let Some(article) = term.strip_prefix("article") {
            return article
                .strip_prefix("6.")
                .and_then(ClockRule::article)
                .ok_or_else(|| ParseTimeControlError::Article(quoted(term)));
        }
        let (term, increment) = match term.split_once('+') {
            Some((term, increment)) => (term, parse_time(increment)?),
            None => (term, Duration::ZERO),
        };
        if let Some(per_move) = term.strip_suffix("/move") {
            let per_move = parse_positive_time("time for each move", per_move)?;
            return Ok(ClockRule::Reserve { per_move, reserve: increment });
        }
        if let Some((moves, time)) = term.split_once('/') {
            if !increment.is_zero() {
                // Periods with an increment are in no rules of xiangqi, and engines have no words for all of it.
                return Err(ParseTimeControlError::Time(quoted(&format!("{time}+{}", Clocked(increment)))));
            }
            let moves = parse_count("moves", moves)?;
            return Ok(ClockRule::Periods(vec![Period { moves, time: parse_positive_time("period", time)? }]));
        }
        Ok(ClockRule::Increment { base: parse_positive_time("base", term)?, increment })
    }
}

impl FromStr for TimeControl {
    type Err = ParseTimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, ParseTimeControlError> {
        let mut control = TimeControl::default();
        let mut empty = true;
        for term in text.split([',', ' ', '\t']).filter(|term| !term.is_empty()) {
            empty = false;
            match term.split_once('=') {
                Some((name, value)) => control.limits.set(name, value)?,
                None => match (&mut control.clock, ClockRule::parse(term)?) {
                    (clock @ None, rule) => *clock = Some(rule),
                    (Some(ClockRule::Periods(periods)), ClockRule::Periods(more)) => periods.extend(more),
                    _ => return Err(ParseTimeControlError::SecondClock(quoted(term))),
                },
            }
        }
        if empty { Err(ParseTimeControlError::Empty) } else { Ok(control) }
    }
}

impl SearchLimits {
    fn set(&mut self, name: &str, value: &str) -> Result<(), ParseTimeControlError> {
        fn once<T>(slot: &mut Option<T>, name: &'static str, value: T) -> Result<(), ParseTimeControlError> {
            match slot.replace(value) {
                None => Ok(()),
                Some(_) => Err(ParseTimeControlError::Twice(name)),
            }
        }
        match name {
            "movetime" => once(&mut self.move_time, "movetime", parse_positive_time("movetime", value)?),
            "depth" => once(&mut self.depth, "depth", parse_count("plies", value)?),
            "nodes" => once(&mut self.nodes, "nodes", parse_count("positions", value)?),
            _ => Err(ParseTimeControlError::Limit(quoted(name))),
        }
    }
}

fn parse_count<T: TryFrom<u64> + Into<u64>>(what: &'static str, text: &str) -> Result<T, ParseTimeControlError> {
    // One largest number for all counts that every protocol can carry.
    let max = u64::from(u32::MAX);
    digits(text)
        .filter(|count| (1..=max).contains(count))
        .and_then(|count| T::try_from(count).ok())
        .ok_or_else(|| ParseTimeControlError::Count { what, text: quoted(text), max })
}

fn parse_positive_time(what: &'static str, text: &str) -> Result<Duration, ParseTimeControlError> {
    let time = parse_time(text)?;
    if time.is_zero() {
        return Err(ParseTimeControlError::Range { what, text: quoted(text) });
    }
    Ok(time)
}

fn parse_time(text: &str) -> Result<Duration, ParseTimeControlError> {
    let time = read_time(text).ok_or_else(|| ParseTimeControlError::Time(quoted(text)))?;
    if time > LONGEST {
        return Err(ParseTimeControlError::Range { what: "time", text: quoted(text) });
    }
    Ok(time)
}

/// A number without sign; `None` for anything else, and for what is too large to be meant.
fn digits(text: &str) -> Option<u64> {
    let plain = !text.is_empty() && text.len() <= 12 && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok())?
}

fn read_time(text: &str) -> Option<Duration> {
    if let Some(millis) = text.strip_suffix("ms") {
        // A thousandth of a second each; three of the nine decimals are spent by the unit.
        let nanos = decimal(millis)? / 1000;
        return from_nanos(nanos);
    }
    let mut parts = text.strip_suffix('s').filter(|rest| !rest.contains(':')).unwrap_or(text).rsplit(':');
    let mut nanos = decimal(parts.next()?)?;
    let mut unit = 60 * NANOS;
    for (place, part) in parts.enumerate() {
        // `m:ss` and `h:mm:ss`: whole numbers, two digits and less than 60 below the first.
        if place > 1 || nanos >= unit {
            return None;
        }
        nanos += u128::from(digits(part)?) * unit;
        unit *= 60;
    }
    from_nanos(nanos)
}

const NANOS: u128 = 1_000_000_000;

fn from_nanos(nanos: u128) -> Option<Duration> {
    Some(Duration::new(u64::try_from(nanos / NANOS).ok()?, (nanos % NANOS) as u32))
}

/// Reads `12.345` in billionths.
fn decimal(text: &str) -> Option<u128> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    if fraction.len() > 9 {
        return None;
    }
    let scale = 10_u128.pow(9 - fraction.len() as u32);
    Some(u128::from(digits(whole)?) * NANOS + u128::from(digits(fraction)?) * scale)
}

/// Prints a time as `m:ss` from a minute on, below in seconds.
struct Clocked(Duration);

impl fmt::Display for Clocked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (minutes, seconds) = (self.0.as_secs() / 60, self.0.as_secs() % 60);
        match minutes {
            0 => write!(f, "{seconds}")?,
            _ => write!(f, "{minutes}:{seconds:02}")?,
        }
        write_fraction(f, self.0)
    }
}

fn write_fraction(f: &mut fmt::Formatter<'_>, time: Duration) -> fmt::Result {
    match time.subsec_nanos() {
        0 => Ok(()),
        nanos => write!(f, ".{}", format!("{nanos:09}").trim_end_matches('0')),
    }
}

/// Prints a time as milliseconds, or as seconds when it is none.
struct Millis(Duration);

impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.subsec_nanos().is_multiple_of(1_000_000) {
            return write!(f, "{}ms", self.0.as_millis());
        }
        write!(f, "{}", self.0.as_secs())?;
        write_fraction(f, self.0)?;
        f.write_str("s")
    }
}

impl fmt::Display for ClockRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClockRule::Increment { base, increment } if increment.is_zero() => write!(f, "{}", Clocked(*base)),
            ClockRule::Increment { base, increment } => write!(f, "{}+{}", Clocked(*base), Clocked(*increment)),
            ClockRule::Periods(periods) => {
                for (index, period) in periods.iter().enumerate() {
                    let comma = if index == 0 { "" } else { "," };
                    write!(f, "{comma}{}/{}", period.moves, Clocked(period.time))?;
                }
                Ok(())
            }
            ClockRule::Reserve { per_move, reserve } => write!(f, "{}/move+{}", Clocked(*per_move), Clocked(*reserve)),
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limits = &self.limits;
        let terms = [
            self.clock.as_ref().map(ClockRule::to_string),
            limits.move_time.map(|time| format!("movetime={}", Millis(time))),
            limits.depth.map(|depth| format!("depth={depth}")),
            limits.nodes.map(|nodes| format!("nodes={nodes}")),
        ];
        f.write_str(&terms.into_iter().flatten().collect::<Vec<_>>().join(","))
    }
}

impl Serialize for TimeControl {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TimeControl {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TimeControl, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    fn clock(text: &str) -> ClockRule {
        let control: TimeControl = text.parse().unwrap();
        assert_eq!(control.limits, SearchLimits::default(), "{text}");
        control.clock.unwrap()
    }

    #[test]
    fn clocks_are_read() {
        let increment = |base, increment| ClockRule::Increment { base: seconds(base), increment: seconds(increment) };
        assert_eq!(clock("2+0.02"), increment(2.0, 0.02));
        assert_eq!(clock("10:00+5"), increment(600.0, 5.0));
        assert_eq!(clock("1:30:00+0:30"), increment(5400.0, 30.0));
        assert_eq!(clock("300"), increment(300.0, 0.0));
        assert_eq!(clock("5:00"), increment(300.0, 0.0));
        assert_eq!(clock("1500ms+20ms"), increment(1.5, 0.02));
        assert_eq!(clock("2:00/move+30:00"), ClockRule::Reserve { per_move: seconds(120.0), reserve: seconds(1800.0) });
        assert_eq!(clock("10/move"), ClockRule::Reserve { per_move: seconds(10.0), reserve: Duration::ZERO });
    }

    /// Articles 6.1 to 6.4.
    #[test]
    fn articles_are_periods() {
        let table = [
            ("article6.1", "40/90:00,10/15:00"),
            ("article6.2", "30/60:00,10/10:00"),
            ("article6.3", "40/10:00,30/5:00"),
            ("article6.4", "30/5:00"),
        ];
        for (name, periods) in table {
            assert_eq!(clock(name), clock(periods), "{name}");
            assert_eq!(clock(name).to_string(), periods);
        }
        let period = |moves, minutes: f64| Period { moves, time: seconds(minutes * 60.0) };
        assert_eq!(clock("article6.1"), ClockRule::Periods(vec![period(40, 90.0), period(10, 15.0)]));
    }

    #[test]
    fn limits_combine() {
        let control: TimeControl = "2+0.02 depth=8,nodes=10000  movetime=100ms".parse().unwrap();
        assert_eq!(control.clock, Some(clock("2+0.02")));
        let limits = SearchLimits { move_time: Some(seconds(0.1)), depth: Some(8), nodes: Some(10_000) };
        assert_eq!(control.limits, limits);
        assert_eq!(control.to_string(), "2+0.02,movetime=100ms,depth=8,nodes=10000");
    }

    #[test]
    fn text_comes_back_as_written() {
        for text in [
            "2+0.02",
            "10:00+5",
            "5:00",
            "59.5",
            "1:01.000000001+1:00",
            "0.000000001",
            "40/90:00,10/15:00",
            "2:00/move+30:00",
            "2:00/move+0",
            "movetime=1500ms",
            "movetime=0.0001s",
            "depth=8",
            "40/1:00,movetime=5000ms,depth=1,nodes=4294967295",
        ] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string(), text);
            let json = serde_json::to_string(&control).unwrap();
            assert_eq!(json, format!("\"{text}\""));
            assert_eq!(serde_json::from_str::<TimeControl>(&json).unwrap(), control);
        }
    }

    #[test]
    fn errors_name_the_culprit() {
        use ParseTimeControlError as E;
        let table = [
            ("", E::Empty),
            (" , ", E::Empty),
            ("fast", E::Time("fast".into())),
            ("2+", E::Time(String::new())),
            ("-2", E::Time("-2".into())),
            ("1e3", E::Time("1e3".into())),
            ("5:60", E::Time("5:60".into())),
            ("5:00:00:00", E::Time("5:00:00:00".into())),
            ("1.0000000001", E::Time("1.0000000001".into())),
            ("40/60+1", E::Time("60+1".into())),
            ("0", E::Range { what: "base", text: "0".into() }),
            ("0+1", E::Range { what: "base", text: "0".into() }),
            ("0/move+1", E::Range { what: "time for each move", text: "0".into() }),
            ("999999:00:00", E::Range { what: "time", text: "999999:00:00".into() }),
            ("40/0", E::Range { what: "period", text: "0".into() }),
            ("0/60", E::Count { what: "moves", text: "0".into(), max: 4_294_967_295 }),
            ("depth=4294967296", E::Count { what: "plies", text: "4294967296".into(), max: 4_294_967_295 }),
            ("nodes=ten", E::Count { what: "positions", text: "ten".into(), max: 4_294_967_295 }),
            ("article6.5", E::Article("article6.5".into())),
            ("article6", E::Article("article6".into())),
            ("mate=3", E::Limit("mate".into())),
            ("depth=3,depth=4", E::Twice("depth")),
            ("2+1,3+1", E::SecondClock("3+1".into())),
            ("40/60,5:00", E::SecondClock("5:00".into())),
        ];
        for (text, error) in table {
            assert_eq!(text.parse::<TimeControl>(), Err(error), "`{text}`");
        }
        let error = serde_json::from_str::<TimeControl>("\"fast\"").unwrap_err().to_string();
        assert!(error.contains("`fast` is not a time"), "{error}");
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,40}") {
            let _ = text.parse::<TimeControl>();
        }

        #[test]
        fn what_is_printed_is_read(
            base in 1_u64..3_600_000_000_000_000,
            increment in 0_u64..1_000_000_000_000,
            moves in 1_u32..,
            nodes in proptest::option::of(1_u64..=4_294_967_295),
        ) {
            let (base, increment) = (Duration::from_nanos(base), Duration::from_nanos(increment));
            let limits = SearchLimits { nodes, move_time: nodes.map(|_| base), depth: None };
            for clock in [
                ClockRule::Increment { base, increment },
                ClockRule::Reserve { per_move: base, reserve: increment },
                ClockRule::Periods(vec![Period { moves, time: base }; 3]),
            ] {
                let control = TimeControl { clock: Some(clock), limits };
                proptest::prop_assert_eq!(control.to_string().parse(), Ok(control));
            }
        }
    }
}
