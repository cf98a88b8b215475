//! What a GUI says to an engine.

use crate::token::{Keyword, Tokens, lossy};
use crate::{Dialect, GoCommand, Position, PositionForm, SetOption, WireMove};

/// A line from a GUI to an engine.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Command {
    /// `ucci` or `uci`: introduce yourself in this dialect.
    Handshake(Dialect),
    /// `isready`: answer `readyok`, also during a search.
    IsReady,
    /// `setoption …`; the UCCI button `setoption newgame` is one of them.
    SetOption(SetOption),
    /// `uccinewgame`, `ucinewgame` or `newgame`. UCCI 3.0 itself has only `setoption newgame`.
    NewGame,
    /// `position …` in all its forms.
    Position(Position),
    /// `banmoves …`: moves that may not be played from the current position (禁着). Read them with
    /// [`decode_moves`](crate::decode_moves).
    BanMoves(Vec<WireMove>),
    /// `go …`.
    Go(Box<GoCommand>),
    /// `ponderhit [draw]`: the expected move was played.
    PonderHit {
        /// The opponent offers a draw.
        draw: bool,
    },
    /// `stop`: answer at once.
    Stop,
    /// `probe …`: what does the hash table know about this position? Without one, about the current position.
    Probe(Option<Position>),
    /// `quit`.
    Quit,
    /// `d`: show the board (not in any specification).
    Display,
    /// `eval`: show the static evaluation (not in any specification).
    Eval,
    /// `bench [<depth>]`: run the benchmark (not in any specification).
    Bench {
        /// Depth, if given.
        depth: Option<u64>,
    },
    /// A line without words.
    Empty,
    /// Anything else, as text. Engines pass it over in silence.
    Unknown(String),
}

impl Command {
    /// Reads a line, with or without its line end. Any bytes will do; no line is an error.
    ///
    /// Keywords match whole words in any case, whatever their dialect.
    pub fn parse(line: &[u8]) -> Command {
        let all = Tokens::new(line);
        let mut tokens = all.clone();
        let Some(verb) = tokens.next() else { return Command::Empty };
        let known = match Keyword::new(verb).as_str() {
            "ucci" => Some(Command::Handshake(Dialect::Ucci)),
            "uci" => Some(Command::Handshake(Dialect::Uci)),
            "isready" => Some(Command::IsReady),
            "setoption" => SetOption::parse(&mut tokens).map(Command::SetOption),
            "uccinewgame" | "ucinewgame" | "newgame" => Some(Command::NewGame),
            "position" => Position::parse(&mut tokens).map(Command::Position),
            "fen" | "startpos" => Position::parse(&mut all.clone())
                .map(|position| Command::Position(Position { form: PositionForm::Short, ..position })),
            "banmoves" => Some(Command::BanMoves(tokens.filter_map(WireMove::parse).collect())),
            "go" => Some(Command::Go(Box::new(GoCommand::parse(&mut tokens)))),
            "ponderhit" => Some(Command::PonderHit { draw: tokens.any(|token| token.eq_ignore_ascii_case(b"draw")) }),
            "stop" => Some(Command::Stop),
            "probe" => Some(Command::Probe(Position::parse(&mut tokens))),
            "quit" => Some(Command::Quit),
            "d" => Some(Command::Display),
            "eval" => Some(Command::Eval),
            "bench" => Some(Command::Bench { depth: tokens.take_number() }),
            _ => None,
        };
        known.unwrap_or_else(|| Command::Unknown(lossy(all.rest())))
    }

    /// Writes the command for an engine of this dialect, without a line end. Bytes, because option values are.
    pub fn to_line(&self, dialect: Dialect) -> Vec<u8> {
        let words = match self {
            Command::Handshake(dialect) => vec![dialect.name().to_owned()],
            Command::IsReady => vec!["isready".to_owned()],
            Command::SetOption(option) => return one_line(option.to_bytes(dialect)),
            Command::NewGame => vec![format!("{}newgame", dialect.name())],
            Command::Position(position) => position.words("position"),
            Command::BanMoves(moves) => {
                std::iter::once("banmoves".to_owned()).chain(moves.iter().map(WireMove::to_string)).collect()
            }
            Command::Go(go) => go.words(),
            Command::PonderHit { draw: false } => vec!["ponderhit".to_owned()],
            Command::PonderHit { draw: true } => vec!["ponderhit draw".to_owned()],
            Command::Stop => vec!["stop".to_owned()],
            Command::Probe(None) => vec!["probe".to_owned()],
            Command::Probe(Some(position)) => position.words("probe"),
            Command::Quit => vec!["quit".to_owned()],
            Command::Display => vec!["d".to_owned()],
            Command::Eval => vec!["eval".to_owned()],
            Command::Bench { depth: None } => vec!["bench".to_owned()],
            Command::Bench { depth: Some(depth) } => vec![format!("bench {depth}")],
            Command::Empty => Vec::new(),
            Command::Unknown(text) => vec![text.clone()],
        };
        one_line(words.join(" ").into_bytes())
    }
}

/// Values and FENs come from outside; none of them may end the line and begin another command.
fn one_line(mut bytes: Vec<u8>) -> Vec<u8> {
    for byte in &mut bytes {
        if matches!(byte, b'\r' | b'\n' | 0) {
            *byte = b' ';
        }
    }
    bytes
}
