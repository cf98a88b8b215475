//! The terms of the evaluation, written once for every use: the sum, the trace and the breakdown.
//!
//! A term reports to a [`Sink`] *which weight, how many times*; Red's features count positive and Black's negative.
//! What becomes of the report is the sink's affair and is settled at compile time.

use chuhe_movegen::attacks::{between, horse_attacks, rook_and_cannon_attacks, rook_attacks};
use chuhe_movegen::{Board, Color, PieceType};

use crate::layout::{self, FILE_LINE, RANK_LINE, seen_by};
use crate::tapered::Tapered;
use crate::weights::WEIGHTS;

/// Receiver of features.
pub(crate) trait Sink {
    /// The weight `index` counts `count` times in Red's favour.
    fn add(&mut self, index: usize, count: i32);
}

impl Sink for Tapered {
    #[inline(always)]
    fn add(&mut self, index: usize, count: i32) {
        Tapered::add(self, WEIGHTS[index], count);
    }
}

/// Makes a sink of a closure.
struct Trace<F>(F);

impl<F: FnMut(usize, i32)> Sink for Trace<F> {
    #[inline(always)]
    fn add(&mut self, index: usize, count: i32) {
        (self.0)(index, count);
    }
}

/// Tells `report` every feature of a position as (index of the weight, count), Red's positive and Black's negative.
///
/// The evaluation from Red's side is the sum of `count *` [`WEIGHTS`]`[index]`, tapered by
/// [`phase`](crate::phase); from Black's side it is the negative of that. An index may be reported several times.
pub fn features(board: &Board, report: &mut impl FnMut(usize, i32)) {
    let mut sink = Trace(report);
    for color in Color::ALL {
        pieces(board, color, &mut sink);
    }
    positional(board, &mut sink);
}

/// +1 for Red and −1 for Black.
#[inline(always)]
pub(crate) const fn sign(color: Color) -> i32 {
    match color {
        Color::Red => 1,
        Color::Black => -1,
    }
}

/// The piece-square features of a side; the evaluator keeps their sum incrementally instead.
fn pieces<S: Sink>(board: &Board, us: Color, sink: &mut S) {
    let own_king = seen_by(us, board.king(us));
    let enemy_king = seen_by(us, board.king(!us));
    for kind in PieceType::ALL {
        for square in board.pieces(us, kind) {
            let square = seen_by(us, square);
            sink.add(layout::base(kind, square), sign(us));
            sink.add(layout::own_king(own_king, kind, square), sign(us));
            sink.add(layout::enemy_king(enemy_king, kind, square), sign(us));
        }
    }
}

/// Everything that is computed anew for each position.
#[inline]
pub(crate) fn positional<S: Sink>(board: &Board, sink: &mut S) {
    activity(board, Color::Red, sink);
    activity(board, Color::Black, sink);
    guards(board, Color::Red, sink);
    guards(board, Color::Black, sink);
    sink.add(layout::TEMPO, sign(board.side_to_move()));
}

/// Mobility of rooks, horses and cannons, and the lines of cannons to the enemy king.
#[inline(always)]
fn activity<S: Sink>(board: &Board, us: Color, sink: &mut S) {
    let occupied = board.occupied();
    let ours = board.color(us);
    let theirs = board.color(!us);
    let king = board.king(!us);

    for square in board.pieces(us, PieceType::Rook) {
        let moves = rook_attacks(square, occupied) & !ours;
        sink.add(layout::ROOK_MOBILITY + moves.count() as usize, sign(us));
    }
    for square in board.pieces(us, PieceType::Horse) {
        let moves = horse_attacks(square, occupied) & !ours;
        sink.add(layout::HORSE_MOBILITY + moves.count() as usize, sign(us));
    }
    for square in board.pieces(us, PieceType::Cannon) {
        let (reach, beyond) = rook_and_cannon_attacks(square, occupied);
        let moves = (reach & !occupied) | (beyond & theirs);
        sink.add(layout::CANNON_MOBILITY + moves.count() as usize, sign(us));

        let line = if square.file() == king.file() {
            FILE_LINE
        } else if square.rank() == king.rank() {
            RANK_LINE
        } else {
            continue;
        };
        let points = between(square, king);
        let screens = points & occupied;
        // One screen is a check, which is for search to see, not for the evaluation.
        match screens.count() {
            0 => sink.add(layout::HOLLOW_CANNON + line * 9 + points.count() as usize, sign(us)),
            2 => sink.add(layout::SCREENED_CANNON + line * 3 + (screens & ours).count() as usize, sign(us)),
            _ => {}
        }
    }
}

/// What is left of the advisors and elephants of a side, for every enemy piece that they are there to stop.
#[inline(always)]
fn guards<S: Sink>(board: &Board, us: Color, sink: &mut S) {
    let advisors = board.pieces(us, PieceType::Advisor).count();
    let elephants = board.pieces(us, PieceType::Elephant).count();
    for (attacker, kind) in layout::ATTACKERS.into_iter().enumerate() {
        let count = board.pieces(!us, kind).count() as i32;
        sink.add(layout::guards(attacker, advisors, elephants), sign(us) * count);
    }
}
