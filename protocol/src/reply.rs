//! What an engine says to a GUI.

use crate::line::{Line, without_trigger_words};
use crate::token::{Keyword, Tokens, lossy};
use crate::wire_move::excerpt;
use crate::{Dialect, Info, OptionDecl, WireMove};

/// Which fact about itself an engine tells with `id`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IdField {
    /// The name of the engine.
    Name,
    /// Its version, where it is not part of the name (ElephantEye).
    Version,
    /// Who holds the rights (UCCI).
    Copyright,
    /// Who wrote it.
    Author,
    /// Who may use it (UCCI).
    User,
}

impl IdField {
    const ALL: [IdField; 5] = [IdField::Name, IdField::Version, IdField::Copyright, IdField::Author, IdField::User];

    const fn keyword(self) -> &'static str {
        match self {
            IdField::Name => "name",
            IdField::Version => "version",
            IdField::Copyright => "copyright",
            IdField::Author => "author",
            IdField::User => "user",
        }
    }
}

/// What an engine chose to play.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Choice {
    /// A move.
    Move(WireMove),
    /// No move: `nobestmove`, `bestmove (none)`, `bestmove null`, `bestmove 0000` …
    None,
    /// The answer is not a move at all; this is the word, shortened.
    Unreadable(String),
}

/// The line that ends a search.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BestMove {
    /// The move to play.
    pub choice: Choice,
    /// The answer the engine expects and would like to ponder on.
    pub ponder: Option<WireMove>,
    /// The engine offers a draw or accepts one.
    pub draw: bool,
    /// The engine resigns.
    pub resign: bool,
}

impl BestMove {
    /// There is no move to play.
    pub const NONE: BestMove = BestMove { choice: Choice::None, ponder: None, draw: false, resign: false };

    /// A move, and the reply expected.
    pub fn new(mv: WireMove, ponder: Option<WireMove>) -> BestMove {
        BestMove { choice: Choice::Move(mv), ponder, ..BestMove::NONE }
    }

    /// Reads what follows `bestmove`.
    fn parse(tokens: &mut Tokens<'_>) -> BestMove {
        let mut best = BestMove::NONE;
        match tokens.peek().map(Keyword::new).as_ref().map_or("", Keyword::as_str) {
            // Some engines put the flag where the move should be.
            "draw" | "resign" => {}
            "(none)" | "none" | "null" | "(null)" | "nullmove" | "0000" => {
                tokens.next();
            }
            _ => {
                if let Some(token) = tokens.next() {
                    best.choice =
                        WireMove::parse(token).map_or_else(|| Choice::Unreadable(excerpt(token)), Choice::Move);
                }
            }
        }
        while let Some(token) = tokens.next() {
            match Keyword::new(token).as_str() {
                "ponder" => best.ponder = tokens.take_move(),
                "draw" => best.draw = true,
                "resign" => best.resign = true,
                _ => {}
            }
        }
        best
    }

    fn to_line(&self, dialect: Dialect) -> String {
        if dialect == Dialect::Ucci && *self == BestMove::NONE {
            return "nobestmove".to_owned();
        }
        let mut line = Line::new("bestmove");
        match &self.choice {
            Choice::Move(mv) => line.text(&mv.to_string()),
            Choice::None => line.text("(none)"),
            Choice::Unreadable(text) => line.text(&excerpt(text.as_bytes())),
        };
        if let Some(ponder) = self.ponder {
            line.field("ponder", ponder);
        }
        for (word, set) in [("draw", self.draw), ("resign", self.resign)] {
            if set {
                line.word(word);
            }
        }
        line.finish()
    }
}

/// A bound on the value of a position and the depth it was found at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PopHashBound {
    /// The bound.
    pub value: i32,
    /// The depth in plies.
    pub depth: u32,
}

impl PopHashBound {
    /// Reads `<value> depth <depth>`.
    fn parse(tokens: &mut Tokens<'_>) -> Option<PopHashBound> {
        let value = i32::try_from(tokens.take_int()?).ok()?;
        let depth = if tokens.take_word("depth") { tokens.take_u32()? } else { 0 };
        Some(PopHashBound { value, depth })
    }
}

/// UCCI: what the hash table holds about a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PopHash {
    /// The best move.
    pub best: Option<WireMove>,
    /// The value is at least this.
    pub lower: Option<PopHashBound>,
    /// The value is at most this.
    pub upper: Option<PopHashBound>,
}

impl PopHash {
    fn parse(tokens: &mut Tokens<'_>) -> PopHash {
        let mut entry = PopHash::default();
        while let Some(token) = tokens.next() {
            match Keyword::new(token).as_str() {
                "bestmove" => entry.best = tokens.take_move(),
                "lowerbound" => entry.lower = PopHashBound::parse(tokens),
                "upperbound" => entry.upper = PopHashBound::parse(tokens),
                _ => {}
            }
        }
        entry
    }

    fn to_line(self) -> String {
        let mut line = Line::new("pophash");
        if let Some(best) = self.best {
            line.field("bestmove", best);
        }
        for (keyword, bound) in [("lowerbound", self.lower), ("upperbound", self.upper)] {
            if let Some(PopHashBound { value, depth }) = bound {
                line.field(keyword, format_args!("{value} depth {depth}"));
            }
        }
        line.finish()
    }
}

/// A line from an engine to a GUI.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Reply {
    /// `id …`.
    Id(IdField, String),
    /// `option …`.
    Option(OptionDecl),
    /// `ucciok` or `uciok`: the introduction is complete.
    HandshakeOk(Dialect),
    /// `uccierror`: the engine cannot start.
    UcciError,
    /// `readyok`.
    ReadyOk,
    /// `info …`.
    Info(Box<Info>),
    /// `bestmove …` or `nobestmove`: the one line that ends a search.
    BestMove(BestMove),
    /// `pophash …`, the answer to `probe`.
    PopHash(PopHash),
    /// `bye`: the last line of a UCCI engine.
    Bye,
    /// Any other line.
    Text(String),
}

impl From<Info> for Reply {
    fn from(info: Info) -> Reply {
        Reply::Info(Box::new(info))
    }
}

impl Reply {
    /// A line that shows a text to the user.
    pub fn message(text: impl Into<String>) -> Reply {
        Info::message(text).into()
    }

    /// Reads a line of an engine of either dialect, with or without its line end. Any bytes will do; no line is an
    /// error.
    pub fn parse(line: &[u8]) -> Reply {
        let all = Tokens::new(line);
        let mut tokens = all.clone();
        let known = match tokens.next().map(Keyword::new).as_ref().map_or("", Keyword::as_str) {
            "id" => Reply::parse_id(&mut tokens),
            "option" => OptionDecl::parse(&mut tokens).map(Reply::Option),
            "ucciok" => Some(Reply::HandshakeOk(Dialect::Ucci)),
            "uciok" => Some(Reply::HandshakeOk(Dialect::Uci)),
            "uccierror" => Some(Reply::UcciError),
            "readyok" => Some(Reply::ReadyOk),
            "info" => Some(Info::parse(&mut tokens).into()),
            "bestmove" => Some(Reply::BestMove(BestMove::parse(&mut tokens))),
            "nobestmove" => Some(Reply::BestMove(BestMove::NONE)),
            "pophash" => Some(Reply::PopHash(PopHash::parse(&mut tokens))),
            "bye" => Some(Reply::Bye),
            _ => None,
        };
        known.unwrap_or_else(|| Reply::Text(lossy(all.rest())))
    }

    fn parse_id(tokens: &mut Tokens<'_>) -> Option<Reply> {
        let field = IdField::ALL.into_iter().find(|field| tokens.take_word(field.keyword()))?;
        Some(Reply::Id(field, lossy(tokens.rest())))
    }

    /// Writes the reply in a dialect, without a line end: one line of printable ASCII of at most
    /// [`MAX_REPLY_LEN`](crate::MAX_REPLY_LEN) bytes, whatever the reply contains.
    pub fn to_line(&self, dialect: Dialect) -> String {
        match self {
            Reply::Id(field, text) => {
                let mut line = Line::new("id");
                line.word(field.keyword());
                line.text(&without_trigger_words(text));
                line.finish()
            }
            Reply::Option(option) => option.to_line(dialect),
            Reply::HandshakeOk(dialect) => format!("{}ok", dialect.name()),
            Reply::UcciError => "uccierror".to_owned(),
            Reply::ReadyOk => "readyok".to_owned(),
            Reply::Info(info) => info.to_line(dialect),
            Reply::BestMove(best) => best.to_line(dialect),
            Reply::PopHash(entry) => entry.to_line(),
            Reply::Bye => "bye".to_owned(),
            Reply::Text(text) => {
                let mut line = Line::new("");
                line.text(text);
                line.finish().trim_start().to_owned()
            }
        }
    }
}
