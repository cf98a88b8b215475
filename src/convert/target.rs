//! What is written of a game.

use std::borrow::Cow;

use chuhe_records::json::About;
use chuhe_records::{ChineseStyle, Notation, Record, TextEncoding, dhtmlxq, json, line, pgn, xqf};
use serde_json::Value;

use super::{ConvertArgs, EncodingArg, NotationArg, Positions, ScriptArg, To};
use crate::failure::Failure;

/// A format with its options.
pub(super) struct Target {
    form: Form,
    encoding: TextEncoding,
}

enum Form {
    Pgn(Notation),
    Xqf,
    Dhtmlxq,
    Fen(Positions),
    Line(Notation),
    Json,
}

/// A game in its new format.
pub(super) struct Written {
    pub(super) bytes: Vec<u8>,
    /// Whether `?` stands for characters that the encoding lacks.
    pub(super) is_lossy: bool,
    /// A tag that is longer than the format has room for.
    pub(super) cut_tag: Option<&'static str>,
}

impl Target {
    pub(super) fn new(args: &ConvertArgs) -> Result<Target, Failure> {
        let is_big5 = args.encoding == EncodingArg::Big5;
        let writes_chinese = args.to == To::Chinese || args.to == To::Pgn && args.notation == NotationArg::Chinese;
        if is_big5 && writes_chinese && args.script == Some(ScriptArg::Simplified) {
            let message = "--encoding big5 lacks the simplified characters of moves: leave out --script simplified";
            return Err(Failure::Usage(message.to_owned()));
        }
        let script = args.script.unwrap_or(if is_big5 { ScriptArg::Traditional } else { ScriptArg::Simplified });
        let chinese = Notation::Chinese(ChineseStyle {
            script: script.into(),
            digits: args.digits.into(),
            pawns: args.pawns.into(),
            length: args.length(),
        });
        let form = match args.to {
            To::Pgn => Form::Pgn(match args.notation {
                NotationArg::Iccs => Notation::Iccs,
                NotationArg::Chinese => chinese,
                NotationArg::Wxf => Notation::Wxf,
                NotationArg::Winboard => Notation::WinBoard,
            }),
            To::Xqf => Form::Xqf,
            To::Dhtmlxq => Form::Dhtmlxq,
            To::Fen => Form::Fen(args.positions),
            To::Iccs => Form::Line(Notation::Iccs),
            To::Chinese => Form::Line(chinese),
            To::Wxf => Form::Line(Notation::Wxf),
            To::Json => Form::Json,
        };
        if args.encoding != EncodingArg::Utf8 && matches!(form, Form::Json | Form::Xqf) {
            let format = if matches!(form, Form::Json) { "JSON is always in UTF-8" } else { "XQF is always in GBK" };
            return Err(Failure::Usage(format!("--encoding: {format}")));
        }
        Ok(Target { form, encoding: args.encoding.into() })
    }

    /// Extension of files.
    pub(super) const fn extension(&self) -> &'static str {
        match self.form {
            Form::Pgn(_) => "pgn",
            Form::Xqf => "xqf",
            Form::Dhtmlxq => "ubb",
            Form::Fen(_) => "fen",
            Form::Line(_) => "txt",
            Form::Json => "jsonl",
        }
    }

    /// Whether a file has room for one game only.
    pub(super) const fn is_one_game_a_file(&self) -> bool {
        matches!(self.form, Form::Xqf)
    }

    /// Writes a game.
    ///
    /// # Errors
    /// What the format cannot hold.
    pub(super) fn write(&self, record: &Record, id: &Value, error: Option<&str>) -> Result<Written, String> {
        let text = match self.form {
            Form::Xqf => {
                let bytes = xqf::to_bytes(record).map_err(|error| error.to_string())?;
                let is_lossy = xqf::is_lossy(record);
                return Ok(Written { bytes, is_lossy, cut_tag: xqf::cut_tags(record).next() });
            }
            Form::Pgn(notation) => pgn::to_string_in(record, notation),
            Form::Dhtmlxq => dhtmlxq::to_string(record),
            Form::Fen(positions) => fens(record, positions),
            Form::Line(notation) => line::to_string(record, notation) + "\n",
            Form::Json => json::to_string(record, About { id: Some(id), error }) + "\n",
        };
        let (bytes, is_lossy) = self.encoding.encode(&text);
        let bytes = match bytes {
            Cow::Borrowed(_) => text.into_bytes(),
            Cow::Owned(bytes) => bytes,
        };
        Ok(Written { bytes, is_lossy, cut_tag: None })
    }
}

/// Positions of the main line, one a line.
fn fens(record: &Record, positions: Positions) -> String {
    let mut board = record.start.clone();
    let mut fens = board.to_fen() + "\n";
    if positions == Positions::Start {
        return fens;
    }
    for (mv, _) in record.main_line() {
        board = board.make(mv);
        if positions == Positions::All {
            fens += &board.to_fen();
            fens.push('\n');
        }
    }
    if positions == Positions::End { board.to_fen() + "\n" } else { fens }
}
