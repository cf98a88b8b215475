//! The words of the xiangqi engine protocols as typed messages.
//!
//! Two dialects are spoken: UCCI 3.0 (中国象棋通用引擎协议, with the habits of its older versions) and UCI with its
//! xiangqi short forms ("UCI-Cyclone"). Both ends of the pipe use the same types: an engine parses [`Command`]s and
//! prints [`Reply`]s, a GUI or referee does the reverse.
//!
//! Reading is generous and never fails: whatever cannot be understood becomes [`Command::Unknown`] or
//! [`Reply::Text`], and every command of one dialect is understood in the other. Writing is strict: what goes out
//! follows the specification of the dialect and stays within what the parsers of common GUIs survive.
//!
//! ```
//! use chuhe_protocol::{Command, Dialect, Reply};
//!
//! let command = Command::parse(b"  GO  depth 5 movetime 1000\r\n");
//! assert_eq!(command.to_line(Dialect::Uci), b"go depth 5 movetime 1000");
//!
//! let reply = Reply::parse(b"bestmove H2-E2 ponder h9g7");
//! assert_eq!(reply.to_line(Dialect::Ucci), "bestmove h2e2 ponder h9g7");
//! ```

#![forbid(unsafe_code)]

mod command;
mod go;
mod info;
mod line;
mod option;
mod position;
mod reply;
mod token;
mod wire_move;

pub use command::Command;
pub use go::GoCommand;
pub use info::{Bound, Info, Score, Wdl};
pub use line::MAX_REPLY_LEN;
pub use option::{OptionDecl, OptionKind, OptionValue, SetOption, canonical_name, same_name};
pub use position::{Position, PositionForm, Start};
pub use reply::{BestMove, Choice, IdField, PopHash, PopHashBound, Reply};
pub use token::MAX_NUMBER;
pub use wire_move::{ParseWireMoveError, Ranks, WireMove, decode_moves};

/// Which protocol a session speaks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dialect {
    /// The Universal Chinese Chess Protocol, version 3.0 and older.
    Ucci,
    /// The Universal Chess Interface as xiangqi programs use it.
    Uci,
}

impl Dialect {
    /// Both dialects.
    pub const ALL: [Dialect; 2] = [Dialect::Ucci, Dialect::Uci];

    /// The word that selects the dialect: `ucci` or `uci`.
    pub const fn name(self) -> &'static str {
        match self {
            Dialect::Ucci => "ucci",
            Dialect::Uci => "uci",
        }
    }
}
