//! What an engine reports while it thinks.

use crate::line::{Line, without_trigger_words};
use crate::token::{Keyword, Tokens, lossy};
use crate::{Dialect, WireMove};

/// In UCCI a mate in `k` plies is written 30000 − `k`: the specification has no form for mates, so that a bare number
/// must do.
const UCCI_MATE: i32 = 30_000;
/// Mates are never written smaller than this in UCCI, however long.
const UCCI_MATE_FLOOR: i32 = 29_000;
/// Scores that are no mates stay within this in UCCI.
const UCCI_MAX_CP: i32 = 28_000;

/// The value of a position for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Score {
    /// In hundredths of the unit of the engine.
    Cp(i32),
    /// The game ends by force in this many plies: positive if the side to move mates, negative or zero if it is
    /// mated (0: it is mated already).
    Mate(i32),
}

impl Score {
    fn to_text(self, dialect: Dialect) -> String {
        match (self, dialect) {
            (Score::Cp(cp), Dialect::Ucci) => cp.clamp(-UCCI_MAX_CP, UCCI_MAX_CP).to_string(),
            (Score::Mate(plies), Dialect::Ucci) => {
                let longest = (UCCI_MATE - UCCI_MATE_FLOOR).unsigned_abs();
                let value = UCCI_MATE.saturating_sub_unsigned(plies.unsigned_abs().min(longest));
                (if plies > 0 { value } else { -value }).to_string()
            }
            (Score::Cp(cp), Dialect::Uci) => format!("cp {cp}"),
            (Score::Mate(plies), Dialect::Uci) => {
                let moves = plies.unsigned_abs().div_ceil(2);
                // No sign before the 0 of a side that is mated already.
                format!("mate {}{moves}", if plies < 0 { "-" } else { "" })
            }
        }
    }

    /// Reads `cp <n>`, `mate <n>` or a bare number, in either dialect: Fairy-Stockfish writes the UCI forms in UCCI.
    /// A bare number is a mate where this crate would have written one.
    fn parse(tokens: &mut Tokens<'_>) -> Option<Score> {
        let is_mate = tokens.take_word("mate");
        let is_bare = !is_mate && !tokens.take_word("cp");
        let value = tokens.take_int()?;
        let value = i32::try_from(value).unwrap_or(if value > 0 { i32::MAX } else { -i32::MAX });
        Some(match value {
            1.. if is_mate => Score::Mate(value.saturating_mul(2).saturating_sub(1)),
            _ if is_mate => Score::Mate(value.saturating_mul(2)),
            UCCI_MATE_FLOOR..UCCI_MATE if is_bare => Score::Mate(UCCI_MATE - value),
            _ if is_bare && (-UCCI_MATE..=-UCCI_MATE_FLOOR).contains(&value) => Score::Mate(-UCCI_MATE - value),
            _ => Score::Cp(value),
        })
    }
}

/// Whether a score is exact.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Bound {
    /// The score itself.
    #[default]
    Exact,
    /// The true score is at least this (fail high).
    Lower,
    /// The true score is at most this (fail low).
    Upper,
}

/// Chances of the side to move in per mille; the three add up to 1000.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Wdl {
    /// Wins.
    pub win: u32,
    /// Draws.
    pub draw: u32,
    /// Losses.
    pub loss: u32,
}

impl Wdl {
    fn parse(tokens: &mut Tokens<'_>) -> Option<Wdl> {
        Some(Wdl { win: tokens.take_u32()?, draw: tokens.take_u32()?, loss: tokens.take_u32()? })
    }
}

/// The content of an `info` line, each part optional.
///
/// UCCI lines carry `depth`, `multipv`, `score` (always exact), `time`, `nodes`, `nps`, `currmove`,
/// `currmovenumber`, `pv` and the message; the rest is printed in UCI only.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Info {
    /// Depth of the iteration in plies.
    pub depth: Option<u32>,
    /// Deepest line reached in plies.
    pub seldepth: Option<u32>,
    /// Number of the line in multi-PV mode, counted from 1.
    pub multipv: Option<u32>,
    /// Score for the side to move.
    pub score: Option<Score>,
    /// Whether the score is a bound. Meaningless without a score.
    pub bound: Bound,
    /// Chances to win, draw and lose.
    pub wdl: Option<Wdl>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// Fill of the hash table in per mille.
    pub hashfull: Option<u32>,
    /// Hits in endgame tables.
    pub tbhits: Option<u64>,
    /// Time since the search began, always in milliseconds.
    pub time: Option<u64>,
    /// The move being searched at the root.
    pub currmove: Option<WireMove>,
    /// Its number, counted from 1.
    pub currmovenumber: Option<u32>,
    /// The principal variation.
    pub pv: Vec<WireMove>,
    /// Text for the user: `message` in UCCI, `string` in UCI.
    pub message: Option<String>,
}

impl Info {
    /// A line that only shows a text to the user.
    pub fn message(text: impl Into<String>) -> Info {
        Info { message: Some(text.into()), ..Info::default() }
    }

    /// Reads what follows `info`. Unknown words are passed over.
    pub(crate) fn parse(tokens: &mut Tokens<'_>) -> Info {
        let mut info = Info::default();
        while let Some(token) = tokens.next() {
            match Keyword::new(token).as_str() {
                "depth" => info.depth = tokens.take_u32(),
                "seldepth" => info.seldepth = tokens.take_u32(),
                "multipv" => info.multipv = tokens.take_u32(),
                "score" => info.score = Score::parse(tokens),
                "lowerbound" => info.bound = Bound::Lower,
                "upperbound" => info.bound = Bound::Upper,
                "wdl" => info.wdl = Wdl::parse(tokens),
                "nodes" => info.nodes = tokens.take_number(),
                "nps" => info.nps = tokens.take_number(),
                "hashfull" => info.hashfull = tokens.take_u32(),
                "tbhits" => info.tbhits = tokens.take_number(),
                "time" => info.time = tokens.take_number(),
                "currmove" => info.currmove = tokens.take_move(),
                "currmovenumber" => info.currmovenumber = tokens.take_u32(),
                "pv" => info.pv = std::iter::from_fn(|| tokens.take_move()).collect(),
                "string" | "message" => {
                    info.message = Some(lossy(tokens.rest()));
                    break;
                }
                _ => {}
            }
        }
        info
    }

    /// The value behind a keyword as it is written.
    fn value(&self, keyword: &str, dialect: Dialect) -> Option<String> {
        fn text(value: Option<impl ToString>) -> Option<String> {
            value.map(|value| value.to_string())
        }
        match keyword {
            "depth" => text(self.depth),
            "seldepth" => text(self.seldepth),
            "multipv" => text(self.multipv),
            "score" => self.score.map(|score| {
                let bound = match (self.bound, dialect) {
                    (Bound::Exact, _) | (_, Dialect::Ucci) => "",
                    (Bound::Lower, Dialect::Uci) => " lowerbound",
                    (Bound::Upper, Dialect::Uci) => " upperbound",
                };
                score.to_text(dialect) + bound
            }),
            "wdl" => self.wdl.map(|wdl| format!("{} {} {}", wdl.win, wdl.draw, wdl.loss)),
            "nodes" => text(self.nodes),
            "nps" => text(self.nps),
            "hashfull" => text(self.hashfull),
            "tbhits" => text(self.tbhits),
            "time" => text(self.time),
            "currmove" => text(self.currmove),
            "currmovenumber" => text(self.currmovenumber),
            _ => None,
        }
    }

    /// The depth comes first and everything stands in one line, because that is where GUIs look for it; the
    /// variation is cut where the line is full.
    pub(crate) fn to_line(&self, dialect: Dialect) -> String {
        let (keywords, message): (&[&str], _) = match dialect {
            Dialect::Ucci => {
                (&["depth", "multipv", "score", "time", "nodes", "nps", "currmove", "currmovenumber"], "message")
            }
            Dialect::Uci => (
                &[
                    "depth",
                    "seldepth",
                    "multipv",
                    "score",
                    "wdl",
                    "nodes",
                    "nps",
                    "hashfull",
                    "tbhits",
                    "time",
                    "currmove",
                    "currmovenumber",
                ],
                "string",
            ),
        };
        let mut line = Line::new("info");
        for keyword in keywords {
            if let Some(value) = self.value(keyword, dialect) {
                line.field(keyword, value);
            }
        }
        if let Some((first, others)) = self.pv.split_first() {
            let _ = line.field("pv", first) && others.iter().all(|mv| line.word(mv));
        }
        if let Some(text) = &self.message
            && line.word(message)
        {
            line.text(&without_trigger_words(text));
        }
        line.finish()
    }
}
