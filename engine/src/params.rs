//! All tunable numbers of the search.
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

    /// Reverse futility: deepest depth.
    rfp_depth = 8, 3..=12;
    /// Reverse futility: margin a depth.
    rfp_margin = 70, 30..=150;
    /// Razoring: deepest depth.
    razor_depth = 3, 0..=6;
    /// Razoring: margin a depth.
    razor_margin = 250, 100..=500;

    /// Null move: least depth.
    null_depth = 3, 2..=6;
    /// Null move: constant reduction.
    null_base = 3, 2..=5;
    /// Null move: depth divisor of the reduction.
    null_divisor = 3, 2..=6;
    /// Null move: evaluation above beta a further ply of reduction costs.
    null_eval = 200, 80..=400;
    /// Null move: depth from which a fail high is verified.
    null_verify_depth = 12, 8..=20;

    /// ProbCut: margin above beta.
    probcut_margin = 180, 80..=400;
    /// ProbCut: least depth.
    probcut_depth = 5, 3..=8;

    /// Late move pruning: base count.
    lmp_base = 4, 1..=10;
    /// Quiet futility: deepest reduced depth.
    futility_depth = 7, 3..=12;
    /// Quiet futility: base margin.
    futility_base = 120, 20..=300;
    /// Quiet futility: margin a depth.
    futility_margin = 90, 30..=200;
    /// SEE pruning: deepest depth.
    see_depth = 8, 3..=12;
    /// SEE pruning of quiets: loss allowed a squared reduced depth.
    see_quiet = 25, 5..=80;
    /// SEE pruning of captures: loss allowed a depth.
    see_capture = 100, 30..=250;

    /// Late move reductions: base, in hundredths of a ply.
    lmr_base = 70, 0..=200;
    /// Late move reductions: divisor of ln(depth)·ln(count), in hundredths.
    lmr_divisor = 230, 120..=400;
    /// Late move reductions: history that is worth one ply.
    lmr_history = 8192, 2048..=20000;

    /// Singular extensions: least depth.
    singular_depth = 7, 4..=10;
    /// Singular extensions: margin a depth.
    singular_margin = 2, 1..=6;
    /// Double extensions: margin below the singular bound.
    double_margin = 25, 5..=80;

    /// Quiescence: margin of futility.
    qs_futility = 180, 50..=400;

    /// History bonus a depth.
    history_bonus = 170, 50..=400;
    /// History bonus: cap.
    history_cap = 1700, 500..=4000;
}
