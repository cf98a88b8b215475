//! What tables of endgames say of the positions that a search meets.
//!
//! A table knows a position by itself: neither the counter of the natural limit nor what occurred before. After a capture
//! the counter is zero and nothing can be repeated, so there its word holds. At the root both are looked at here.

use std::cmp::Reverse;

use chuhe_endgame::{Probe, Tables, Value};
use chuhe_movegen::{Board, Move};
use chuhe_rules::{Game, NATURAL_LIMIT};

use crate::root::{PvLine, RootMove};
use crate::{MAX_PLY, Score};

/// Between which scores a node lies for certain.
///
/// A table knows who wins and not how: a win may be a mate as well, which a search can find, and a loss the reverse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Extent {
    /// The score is at least this.
    pub(crate) least: Score,
    /// It is at most this.
    pub(crate) most: Score,
}

impl Extent {
    /// Nothing is known.
    pub(crate) const UNKNOWN: Extent = Extent { least: Score::LEAST, most: Score::INFINITE };

    fn new(value: Value, ply: usize) -> Extent {
        match value {
            Value::Win => Extent { least: -Score::table_loss(ply), ..Extent::UNKNOWN },
            Value::Draw => Extent { least: Score::ZERO, most: Score::ZERO },
            Value::Loss => Extent { most: Score::table_loss(ply), ..Extent::UNKNOWN },
            Value::RulesDecide => Extent::UNKNOWN,
        }
    }

    /// Whether nothing within this window is left to find out.
    #[inline]
    pub(crate) fn settles(self, alpha: Score, beta: Score) -> bool {
        self.least >= beta || self.most <= alpha || self.least == self.most
    }

    /// What is known as one score, mates aside.
    pub(crate) fn score(self) -> Option<Score> {
        [self.least, self.most].into_iter().find(|score| score.get().abs() < Score::INFINITE.get())
    }
}

/// What is known of a position just after a capture, at this ply from the root.
pub(crate) fn after_capture(tables: &Tables, board: &Board, ply: usize, natural_limit: bool) -> Extent {
    let Some(mut probe) = tables.probe_value(board) else { return Extent::UNKNOWN };
    if natural_limit && probe.longest >= NATURAL_LIMIT {
        // Only a class with wins as long as this needs to be asked for the distance.
        probe = tables.probe(board).unwrap_or(probe);
    }
    if natural_limit && !is_in_time(&probe, 0) { Extent::UNKNOWN } else { Extent::new(probe.value, ply) }
}

/// Whether a win or loss comes before the natural limit with the counter at `clock`: by the distance, or, where that is
/// not known, by the longest of the class. Captures on the way, which set the counter back, are not counted on.
fn is_in_time(probe: &Probe, clock: u16) -> bool {
    match probe.value {
        Value::Win | Value::Loss => clock.saturating_add(probe.plies.unwrap_or(probe.longest)) < NATURAL_LIMIT,
        Value::Draw | Value::RulesDecide => true,
    }
}

/// What the tables say of a root move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Standing {
    /// Moves of higher rank are better for certain. Of a rank the search chooses.
    pub(crate) rank: i32,
    /// The score of the move, without the mates that a search may find.
    pub(crate) score: Option<Score>,
}

impl Standing {
    /// Wins with a known distance, the shorter the better.
    const WON: i32 = 10_000;
    /// Wins without a distance, behind them all.
    const WON_SOMEHOW: i32 = 5_000;
    /// Won by the table, perhaps too late for the natural limit.
    const WON_LATE: i32 = 1;

    /// Of a move that leads to a position of which this is known, and the half-moves to a mate that comes in time, the
    /// move itself included.
    fn new(after: &Probe, clock: u16, natural_limit: bool) -> (Standing, Option<u16>) {
        let is_in_time = !natural_limit || is_in_time(after, clock);
        let plies = after.plies.filter(|_| is_in_time).map(|plies| plies + 1);
        let score = Extent::new(after.value, 1).score().filter(|_| is_in_time).map(|score| -score);
        let rank = match (after.value, plies) {
            (Value::Draw | Value::RulesDecide, _) => 0,
            (_, Some(plies)) => Standing::WON - i32::from(plies),
            (_, None) if is_in_time => Standing::WON_SOMEHOW,
            (_, None) => Standing::WON_LATE,
        };
        (Standing { rank: if after.value == Value::Win { -rank } else { rank }, score }, plies)
    }
}

/// Makes root moves of these moves, best first by the tables, and gives how many of them were found there. Of the first
/// `lines` the whole line to mate is shown where distances are known.
pub(crate) fn rank(
    tables: &Tables,
    game: &Game,
    moves: &[Move],
    natural_limit: bool,
    lines: usize,
) -> (Vec<RootMove>, u64) {
    let mut roots: Vec<(RootMove, Option<u16>)> = moves.iter().map(|&mv| (RootMove::new(mv), None)).collect();
    let mut hits = 0;
    // Where the root is in a table, the positions that captures lead to are so as well, as a rule.
    if tables.probe_value(game.board()).is_some() {
        for (root, plies) in &mut roots {
            let board = game.board().make(root.mv);
            // The judge has something to say of a position that comes again, and the search hears it.
            let recurs = game.reversible_tail().iter().any(|ply| ply.board.key() == board.key());
            if !recurs && let Some(probe) = tables.probe(&board) {
                hits += 1;
                (root.standing, *plies) = Standing::new(&probe, board.halfmove_clock(), natural_limit);
            }
        }
        roots.sort_by_key(|(root, _)| Reverse(root.standing.rank));
        // Moves that are as good as one of the lines may take its place.
        let least = roots.get(lines.saturating_sub(1)).map_or(i32::MIN, |(root, _)| root.standing.rank);
        for (root, plies) in roots.iter_mut().take_while(|(root, _)| root.standing.rank >= least) {
            root.line_to_mate = plies.map(|plies| (mate_after(plies), line_to_mate(tables, game.board(), root.mv)));
        }
    }
    (roots.into_iter().map(|(root, _)| root).collect(), hits)
}

/// The score of a mate after so many half-moves: the side to move gives it when their number is odd.
fn mate_after(plies: u16) -> Score {
    let plies = usize::from(plies).min(MAX_PLY);
    if plies % 2 == 1 { Score::mate_in(plies) } else { Score::mated_in(plies) }
}

/// The line that begins with `mv`, the winner hurrying and the loser delaying; it ends where distances do.
fn line_to_mate(tables: &Tables, board: &Board, mv: Move) -> PvLine {
    let mut line = PvLine::new();
    let mut board = board.clone();
    let mut next = Some(mv);
    while let Some(mv) = next
        && !line.is_full()
    {
        line.push(mv);
        board = board.make(mv);
        next = tables.probe(&board).and_then(|here| {
            let plies = here.plies?.checked_sub(1)?;
            let leads_on = |mv: &Move| tables.probe(&board.make(*mv)).is_some_and(|next| next.plies == Some(plies));
            board.legal_moves().into_iter().find(leads_on)
        });
    }
    line
}
