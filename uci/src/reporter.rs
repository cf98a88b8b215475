//! From the events of a search to the lines of a session.

use std::sync::Arc;
use std::time::{Duration, Instant};

use chuhe_book::{Entries, Entry};
use chuhe_engine::{Bound, Event, Outcome, Report};
use chuhe_movegen::Move;
use chuhe_protocol::{Bound as WireBound, Dialect, Info, Ranks, WireMove};

use crate::output::Output;
use crate::score;

/// Short searches are told by their results alone: no moves under study and no bounds before this time.
const QUIET_TIME: Duration = Duration::from_secs(3);
/// At most five moves under study a second.
const CURRENT_MOVE_INTERVAL: Duration = Duration::from_millis(200);

/// Prints what one search tells.
pub(crate) struct Reporter {
    output: Arc<Output>,
    dialect: Dialect,
    ranks: Ranks,
    multi_pv: usize,
    show_wdl: bool,
    started: Instant,
    /// The last exact report on the best line, and its first move.
    best_line: Option<(Move, Info)>,
    /// Whether that was the last line printed.
    is_best_line_last: bool,
    book: Entries,
    last_current_move: Option<Instant>,
}

impl Reporter {
    pub(crate) fn new(
        output: Arc<Output>,
        dialect: Dialect,
        ranks: Ranks,
        multi_pv: usize,
        show_wdl: bool,
        started: Instant,
    ) -> Reporter {
        Reporter {
            output,
            dialect,
            ranks,
            multi_pv,
            show_wdl,
            started,
            best_line: None,
            is_best_line_last: false,
            book: Entries::new(),
            last_current_move: None,
        }
    }

    /// Prints an event, if it is worth a line.
    pub(crate) fn report(&mut self, event: &Event<'_>) {
        match *event {
            Event::Line(ref report) => self.line(report),
            Event::CurrentMove { depth, mv, number } => self.current_move(depth, mv, number),
        }
    }

    /// Takes note of what the books know of the position, to be told with the answer.
    pub(crate) fn set_book(&mut self, entries: Entries) {
        self.book = entries;
    }

    /// Prints what must stand before the terminal line: last a variation that begins with the move to play, for that is
    /// what simple callers show, and in UCCI the totals.
    pub(crate) fn conclude(&mut self, outcome: &Outcome) {
        let Some(best) = outcome.best else { return };
        let elapsed = self.started.elapsed();
        self.tell_book();
        let best_line = self.best_line.take().filter(|(head, _)| *head == best);
        if best_line.is_none() || !self.is_best_line_last {
            let pv: Vec<Move> = [best].into_iter().chain(outcome.ponder).collect();
            let known = self.line_info(outcome.score, outcome.nodes, elapsed, &pv);
            self.send(match best_line {
                Some((_, line)) => Info { nodes: known.nodes, nps: known.nps, time: known.time, ..line },
                None => Info { depth: Some(outcome.depth), ..known },
            });
        }
        if self.dialect == Dialect::Ucci {
            self.send(Info { time: Some(millis(elapsed)), nodes: Some(outcome.nodes), ..Info::default() });
        }
    }

    /// Book moves are told as text: a weight in place of a score, as ElephantEye prints it, would look like a won game.
    fn tell_book(&mut self) {
        for Entry { mv, weight } in std::mem::take(&mut self.book) {
            self.output.tell(format!("book {} weight {weight}", WireMove::new(mv, self.ranks)));
        }
    }

    fn line(&mut self, report: &Report<'_>) {
        let bound = match report.bound {
            Bound::Exact => WireBound::Exact,
            Bound::Lower => WireBound::Lower,
            Bound::Upper => WireBound::Upper,
        };
        let is_worth_it = match (bound, self.dialect) {
            (WireBound::Exact, _) => true,
            (_, Dialect::Uci) => report.elapsed >= QUIET_TIME,
            // UCCI cannot tell a bound from a score.
            (_, Dialect::Ucci) => false,
        };
        // A score without a variation breaks callers that expect both.
        let Some(&head) = report.pv.first() else { return };
        if !is_worth_it {
            return;
        }
        // In UCCI, where it is a foreign word, the number is printed only to tell lines apart.
        let is_numbered = self.dialect == Dialect::Uci || self.multi_pv > 1;
        let line = Info {
            depth: Some(report.depth),
            seldepth: Some(report.seldepth),
            multipv: is_numbered.then(|| u32::try_from(report.multipv).unwrap_or(u32::MAX)),
            bound,
            hashfull: Some(report.hashfull.into()),
            tbhits: Some(report.table_hits),
            ..self.line_info(report.score, report.nodes, report.elapsed, report.pv)
        };
        if report.multipv == 1 && bound == WireBound::Exact {
            self.send_best_line(head, line);
        } else {
            self.send(line);
        }
    }

    fn current_move(&mut self, depth: u32, mv: Move, number: usize) {
        let is_due = self.last_current_move.is_none_or(|last| last.elapsed() >= CURRENT_MOVE_INTERVAL);
        if !is_due || self.started.elapsed() < QUIET_TIME {
            return;
        }
        self.last_current_move = Some(Instant::now());
        self.send(Info {
            depth: Some(depth),
            currmove: Some(WireMove::new(mv, self.ranks)),
            currmovenumber: Some(u32::try_from(number).unwrap_or(u32::MAX)),
            ..Info::default()
        });
    }

    fn line_info(&self, score: chuhe_engine::Score, nodes: u64, elapsed: Duration, pv: &[Move]) -> Info {
        let micros = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX).max(1);
        Info {
            score: Some(score::to_wire(score)),
            wdl: self.show_wdl.then(|| score::to_wdl(score)),
            nodes: Some(nodes),
            nps: Some(nodes.saturating_mul(1_000_000) / micros),
            time: Some(millis(elapsed)),
            pv: self.wire_moves(pv),
            ..Info::default()
        }
    }

    fn wire_moves(&self, moves: &[Move]) -> Vec<WireMove> {
        moves.iter().map(|&mv| WireMove::new(mv, self.ranks)).collect()
    }

    fn send_best_line(&mut self, head: Move, line: Info) {
        self.send(line.clone());
        self.best_line = Some((head, line));
        self.is_best_line_last = true;
    }

    fn send(&mut self, info: Info) {
        self.is_best_line_last = false;
        self.output.send(&info.into());
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
