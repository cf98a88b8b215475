//! From `go` to the limits of a search.

use std::time::{Duration, Instant};

use chuhe_engine::{Clock, Limits, MAX_PLY};
use chuhe_movegen::{Board, Color};
use chuhe_protocol::{Dialect, GoCommand, decode_moves};

use crate::perft::MAX_PERFT_DEPTH;
use crate::position::CurrentPosition;
use crate::settings::Settings;

/// Longer times are no different from this one (115 days), and sums of times stay within what a clock can hold.
const MAX_MILLIS: u64 = 10_000_000_000;

/// What may be used when a clock that counts whole seconds shows none: up to 0.9 s are left.
const LAST_SECOND: Duration = Duration::from_millis(200);

/// What a `go` asks for.
#[derive(Clone, Debug)]
pub(crate) enum Task {
    /// A move.
    Search {
        /// What the search is allowed.
        limits: Box<Limits>,
        /// Answer from the opening books if they know the position.
        use_book: bool,
    },
    /// The static evaluation (UCCI `go depth 0`).
    StaticEvaluation,
    /// The number of leaves at a depth.
    Perft(u32),
}

impl Task {
    /// Understands a `go` that was read at `start`.
    pub(crate) fn new(
        go: &GoCommand,
        board: &Board,
        position: &CurrentPosition,
        settings: &Settings,
        dialect: Dialect,
        start: Instant,
    ) -> Task {
        if let Some(depth) = go.perft {
            return Task::Perft(u32::try_from(depth).unwrap_or(u32::MAX).min(MAX_PERFT_DEPTH));
        }
        if go.depth == Some(0) && dialect == Dialect::Ucci {
            return Task::StaticEvaluation;
        }
        let mut limits = Limits {
            start,
            depth: go.depth.map(|depth| depth.clamp(1, MAX_PLY as u64) as u32),
            nodes: go.nodes,
            soft_nodes: None,
            mate: go.mate.map(|moves| u32::try_from(moves).unwrap_or(u32::MAX)),
            move_time: go.movetime.map(duration),
            clock: clock(go, board.side_to_move(), settings.milliseconds),
            infinite: is_infinite(go, dialect),
            ponder: go.ponder,
            search_moves: decode_moves(&go.searchmoves, position.ranks),
            banned_moves: position.banned.clone(),
        };
        if go.time == Some(0) && !settings.milliseconds {
            limits.clock = None;
            limits.move_time = Some(limits.move_time.map_or(LAST_SECOND, |time| time.min(LAST_SECOND)));
        }
        // Illegal moves do not count, and without any left there is no restriction.
        let legal = board.legal_moves();
        limits.search_moves.retain(|mv| legal.contains(mv));
        let use_book = settings.use_book && is_for_a_game(&limits) && settings.engine.multi_pv == 1;
        Task::Search { limits: Box::new(limits), use_book }
    }

    /// Whether nothing but `stop`, or a mate that may not be there, ends it.
    pub(crate) fn is_endless(&self) -> bool {
        matches!(self, Task::Search { limits, .. } if !has_end(limits))
    }
}

/// A search that only `stop` ends. In UCCI an unlimited search also ends by itself, on a proven mate, but after
/// pondering it waits for its `stop` like any other.
fn is_infinite(go: &GoCommand, dialect: Dialect) -> bool {
    match dialect {
        Dialect::Uci => go.infinite || go.is_unlimited(),
        Dialect::Ucci => go.ponder && go.is_unlimited(),
    }
}

/// Whether the search ends by itself for certain.
fn has_end(limits: &Limits) -> bool {
    let has_time = limits.clock.is_some() || limits.move_time.is_some();
    !limits.infinite && (has_time || limits.depth.is_some() || limits.nodes.is_some())
}

/// Whether the move is wanted for a game, so that a book may give it. Who sets a depth or an exact time wants to see
/// a search.
fn is_for_a_game(limits: &Limits) -> bool {
    let wants_search = limits.depth.is_some() || limits.nodes.is_some() || limits.move_time.is_some();
    limits.clock.is_some()
        && !(wants_search || limits.infinite || limits.ponder || limits.mate.is_some())
        && limits.search_moves.is_empty()
}

/// The clock of the side to move.
fn clock(go: &GoCommand, side: Color, milliseconds: bool) -> Option<Clock> {
    let moves_to_go = go.movestogo.map(|moves| u32::try_from(moves).unwrap_or(u32::MAX));
    if let Some(time) = go.time {
        let unit = if milliseconds { 1 } else { 1000 };
        return Some(Clock {
            remaining: duration(time * unit),
            increment: duration(go.increment.unwrap_or(0) * unit),
            // Without a word on how the game goes on, the time is for this move alone; GUIs rely on that.
            moves_to_go: moves_to_go.or(if go.increment.is_none() { Some(1) } else { None }),
        });
    }
    let (own, other, increment) = match side {
        Color::Red => (go.wtime, go.btime, go.winc),
        Color::Black => (go.btime, go.wtime, go.binc),
    };
    // Somebody who sends one clock only must not wait for ever on the other.
    own.or(other).map(|time| Clock {
        remaining: duration(time),
        increment: duration(increment.unwrap_or(0)),
        moves_to_go,
    })
}

fn duration(millis: u64) -> Duration {
    Duration::from_millis(millis.min(MAX_MILLIS))
}

#[cfg(test)]
mod tests {
    use chuhe_protocol::Command;

    use super::*;

    fn task_in(dialect: Dialect, line: &str, milliseconds: bool) -> Task {
        let Command::Go(go) = Command::parse(line.as_bytes()) else { panic!("{line} is no go") };
        let settings = Settings { milliseconds, ..Settings::new(None) };
        Task::new(&go, &Board::startpos(), &CurrentPosition::default(), &settings, dialect, Instant::now())
    }

    fn limits(dialect: Dialect, line: &str, milliseconds: bool) -> Limits {
        match task_in(dialect, line, milliseconds) {
            Task::Search { limits, .. } => *limits,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn ucci(line: &str) -> Limits {
        limits(Dialect::Ucci, line, true)
    }

    fn uci(line: &str) -> Limits {
        limits(Dialect::Uci, line, true)
    }

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn time_alone_is_for_one_move() {
        let clock = |remaining, increment, moves_to_go| Some(Clock { remaining, increment, moves_to_go });
        assert_eq!(ucci("go time 3000").clock, clock(ms(3000), ms(0), Some(1)));
        assert_eq!(ucci("go time 3000 movestogo 20").clock, clock(ms(3000), ms(0), Some(20)));
        assert_eq!(ucci("go time 3000 movestogo 0").clock, clock(ms(3000), ms(0), Some(1)));
        assert_eq!(ucci("go time 3000 increment 0 opptime 1").clock, clock(ms(3000), ms(0), None));
        assert_eq!(ucci("go wtime 3000 btime 1 winc 7 binc 9").clock, clock(ms(3000), ms(7), None));
        assert_eq!(uci("go btime 500").clock, clock(ms(500), ms(0), None));
    }

    #[test]
    fn seconds_on_request() {
        let seconds = limits(Dialect::Ucci, "go time 60 increment 2", false);
        assert_eq!(seconds.clock, Some(Clock { remaining: ms(60_000), increment: ms(2000), moves_to_go: None }));
        let last = limits(Dialect::Ucci, "go time 0 increment 2", false);
        assert_eq!((last.clock, last.move_time), (None, Some(LAST_SECOND)));
        let always_millis = limits(Dialect::Ucci, "go wtime 60 btime 60 movetime 100", false);
        assert_eq!(always_millis.clock.map(|clock| clock.remaining), Some(ms(60)));
        assert_eq!(always_millis.move_time, Some(ms(100)));
    }

    #[test]
    fn endless_searches() {
        assert!(uci("go").infinite && uci("go infinite").infinite && uci("go ponder").infinite);
        assert!(uci("go infinite depth 5").infinite && !uci("go depth 5").infinite);
        assert!(!ucci("go").infinite && !ucci("go infinite").infinite && ucci("go ponder infinite").infinite);
        let pondering = ucci("go ponder time 100");
        assert!(pondering.ponder && !pondering.infinite);
    }

    #[test]
    fn depths() {
        assert!(matches!(task_in(Dialect::Ucci, "go depth 0", true), Task::StaticEvaluation));
        assert_eq!(uci("go depth 0").depth, Some(1));
        assert_eq!(uci("go depth 99999999999999").depth, Some(MAX_PLY as u32));
        assert!(matches!(task_in(Dialect::Uci, "go perft 99999999999999", true), Task::Perft(MAX_PERFT_DEPTH)));
    }

    #[test]
    fn absurd_numbers() {
        let seconds = limits(Dialect::Ucci, "go time 99999999999999999999 increment 99999999999999999999", false);
        assert_eq!(seconds.clock.map(|clock| clock.remaining), Some(ms(MAX_MILLIS)));
        assert_eq!(uci("go mate 99999999999 movetime 99999999999999999999").mate, Some(u32::MAX));
    }

    #[test]
    fn illegal_searchmoves_do_not_count() {
        assert_eq!(uci("go infinite searchmoves h2e2 h2h9 a0a9").search_moves.len(), 2);
        assert!(uci("go infinite searchmoves a0a9 e5e6").search_moves.is_empty());
    }
}
