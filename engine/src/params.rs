//! All tunable numbers of the search and of its time management.
//!
//! Normally each is a constant function; with the feature `tune` each is a variable that `set` changes, so that a
//! tuner can drive them as options.

/// A tunable number as a tuner sees it.
#[cfg(feature = "tune")]
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Name, in snake case.
    pub name: &'static str,
    /// Current value.
    pub value: i32,
    /// Smallest sensible value.
    pub min: i32,
    /// Largest sensible value.
    pub max: i32,
}

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $default:literal, $min:literal..=$max:literal;)*) => {
        $(
            $(#[$doc])*
            #[cfg(not(feature = "tune"))]
            #[inline]
            pub(crate) const fn $name() -> i32 {
                $default
            }
            $(#[$doc])*
            #[cfg(feature = "tune")]
            #[inline]
            pub(crate) fn $name() -> i32 {
                values::$name.load(std::sync::atomic::Ordering::Relaxed)
            }
            const _: () = assert!($min <= $default && $default <= $max);
        )*

        #[cfg(feature = "tune")]
        #[allow(non_upper_case_globals)]
        mod values {
            use std::sync::atomic::AtomicI32;
            $(pub(super) static $name: AtomicI32 = AtomicI32::new($default);)*
        }

        /// All tunable numbers with their present values.
        #[cfg(feature = "tune")]
        pub fn all() -> Vec<Param> {
            vec![$(Param { name: stringify!($name), value: $name(), min: $min, max: $max }),*]
        }

        /// Sets a number; `false` when there is none of this name.
        #[cfg(feature = "tune")]
        pub fn set(name: &str, value: i32) -> bool {
            match name {
                $(stringify!($name) => values::$name.store(value, std::sync::atomic::Ordering::Relaxed),)*
                _ => return false,
            }
            true
        }
    };
}

params! {
    /// Half-width of the first aspiration window.
    aspiration_delta = 18, 5..=60;
    /// Iteration from which aspiration windows are used.
    aspiration_depth = 4, 1..=10;
    /// Aspiration: part of the width by which a window grows.
    aspiration_growth = 2, 1..=8;
    /// Aspiration: what a window grows by besides.
    aspiration_step = 5, 0..=40;
    /// Aspiration: half-width from which the window is opened entirely.
    aspiration_most = 600, 200..=2000;
    /// Aspiration: most plies that a search is reduced by after failing high.
    aspiration_reduction = 3, 0..=6;

    /// Half-moves before the natural limit from which stored scores are not trusted.
    natural_margin = 20, 4..=60;

    /// Reverse futility: deepest depth.
    rfp_depth = 8, 3..=12;
    /// Reverse futility: margin per ply of depth.
    rfp_margin = 70, 30..=150;
    /// Razoring: deepest depth.
    razor_depth = 3, 0..=6;
    /// Razoring: margin per ply of depth.
    razor_margin = 250, 100..=500;

    /// Null move: least depth.
    null_depth = 3, 2..=6;
    /// Null move: how far the static evaluation may be below beta at depth 0; negative where it must be above.
    null_margin = 60, -200..=300;
    /// Null move: by how much less per ply of depth.
    null_depth_margin = 20, -10..=60;
    /// Null move: constant reduction.
    null_base = 3, 2..=5;
    /// Null move: depth divisor of the reduction.
    null_divisor = 3, 2..=6;
    /// Null move: evaluation above beta for each further ply of reduction.
    null_eval = 200, 80..=400;
    /// Null move: most plies of reduction that the evaluation brings.
    null_eval_most = 3, 1..=6;
    /// Null move: depth from which a fail high is verified.
    null_verify_depth = 12, 8..=20;
    /// Null move: quarters of the reduced depth in which a verification does not pass again.
    null_verify_quarters = 3, 1..=4;

    /// ProbCut: margin above beta.
    probcut_margin = 180, 80..=400;
    /// ProbCut: least depth.
    probcut_depth = 5, 3..=8;
    /// ProbCut: reduction of the search that confirms.
    probcut_reduction = 4, 2..=6;
    /// ProbCut: plies by which a stored score may be shallower and still speak against trying.
    probcut_hash = 3, 1..=6;

    /// Internal iterative reduction: least depth.
    iir_depth = 4, 2..=8;

    /// Late move pruning: base count.
    lmp_base = 4, 1..=10;
    /// Late move pruning: moves that are always tried.
    lmp_least = 2, 1..=6;
    /// Quiet futility: deepest reduced depth.
    futility_depth = 7, 3..=12;
    /// Quiet futility: base margin.
    futility_base = 120, 20..=300;
    /// Quiet futility: margin per ply of reduced depth.
    futility_margin = 90, 30..=200;
    /// Quiet futility: history that is worth one unit of margin.
    futility_history = 128, 32..=512;
    /// SEE pruning: deepest depth.
    see_depth = 8, 3..=12;
    /// SEE pruning of quiets: loss allowed, times the square of the reduced depth.
    see_quiet = 25, 5..=80;
    /// SEE pruning of captures: loss allowed per ply of depth.
    see_capture = 100, 30..=250;

    /// Late move reductions: least depth.
    lmr_depth = 2, 1..=5;
    /// Late move reductions: base, in hundredths of a ply.
    lmr_base = 70, 0..=200;
    /// Late move reductions: divisor of ln(depth)·ln(count), in hundredths.
    lmr_divisor = 230, 120..=400;
    /// Late move reductions: less where the position was in a principal variation, in hundredths of a ply.
    lmr_pv = 100, 0..=300;
    /// Late move reductions: less for a check, in hundredths of a ply.
    lmr_check = 100, 0..=300;
    /// Late move reductions: more where the evaluation does not improve, in hundredths of a ply.
    lmr_worse = 100, 0..=300;
    /// Late move reductions: more where the node is expected to fail high, in hundredths of a ply.
    lmr_cut = 100, 0..=300;
    /// Late move reductions: history that is worth one ply.
    lmr_history = 8192, 2048..=20000;

    /// Singular extensions: least depth.
    singular_depth = 7, 4..=10;
    /// Singular extensions: margin per ply of depth.
    singular_margin = 2, 1..=6;
    /// Singular extensions: plies by which the stored score may be shallower.
    singular_hash = 3, 1..=6;
    /// Singular extensions: divisor of the depth.
    singular_divisor = 2, 2..=4;
    /// Double extensions: margin below the singular bound.
    double_margin = 25, 5..=80;
    /// Extensions: only to this many times the depth of the iteration.
    extension_limit = 2, 1..=4;

    /// Quiescence: margin of futility.
    qs_futility = 180, 50..=400;

    /// History bonus per ply of depth.
    history_bonus = 170, 50..=400;
    /// History bonus: cap.
    history_cap = 1700, 500..=4000;
    /// Corrections of the evaluation: divisor of error times depth.
    correction_divisor = 8, 2..=32;

    /// Move ordering: weight of the victim's value.
    order_victim = 16, 4..=64;
    /// Move ordering: divisor of the history of captures.
    order_capture_history = 4, 1..=32;

    /// Mates by checks alone: of so many nodes one is spent on them.
    mate_share = 10, 4..=100;
    /// A mate is settled at this many times its plies …
    mate_depth_factor = 2, 1..=4;
    /// … and so many iterations more.
    mate_depth = 8, 0..=20;
    /// In a game a mate is settled so many iterations after its plies.
    mate_depth_game = 1, 0..=10;
    /// Iterations given to a forced move in a game.
    forced_depth = 6, 1..=20;

    /// Time: latency of pipes and GUIs that each move is assumed to cost, in milliseconds.
    time_latency = 30, 0..=500;
    /// Time: what a clock should not fall below while moves are to come, in milliseconds.
    time_reserve = 250, 0..=2000;
    /// Time: moves still to be made that a sudden-death clock is divided by.
    time_horizon = 35, 15..=60;
    /// Time: share of a fixed time for a move, in per cent.
    move_time_share = 98, 80..=100;
    /// Time: share of the increment that each move may use, in per cent.
    time_increment_share = 75, 30..=100;
    /// Time: what a move may use of its share where the engine ponders, in per cent.
    time_ponder_share = 125, 100..=200;
    /// Time: the most of a clock that one move may take, in per cent.
    time_most_share = 40, 10..=60;
    /// Time: the hard limit as a multiple of the soft one.
    time_hard_factor = 4, 2..=8;
    /// Time: stretch of the soft limit when the best move has taken none of the nodes, in hundredths.
    time_share_base = 210, 120..=300;
    /// Time: what is subtracted when it has taken all, in hundredths.
    time_share_factor = 160, 0..=250;
    /// Time: stretch when the best move has just changed, in hundredths.
    time_stability_base = 130, 100..=200;
    /// Time: what is subtracted for each iteration since, in hundredths.
    time_stability_factor = 7, 0..=15;
    /// Time: most iterations that count for that.
    time_stability_most = 8, 2..=12;
    /// Time: fall of the score that doubles the soft limit.
    time_drop_divisor = 200, 50..=800;
    /// Time: the largest fall that counts.
    time_drop_most = 160, 0..=400;
    /// Time: the largest rise that counts.
    time_rise_most = 40, 0..=100;
    /// Time: least stretch, in hundredths.
    time_least_stretch = 20, 10..=80;
    /// Time: greatest stretch, in hundredths.
    time_most_stretch = 300, 150..=500;
}
