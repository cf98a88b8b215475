//! Writing games in any of the formats that are written, in any encoding.
//!
//! ```
//! use chuhe_records::export::{Export, ExportFormat};
//! use chuhe_records::{Notation, Record, TextEncoding};
//!
//! let mut record = Record::default();
//! record.tree.push("h2e2".parse()?);
//! let export = Export::new(ExportFormat::Line(Notation::Wxf), TextEncoding::Utf8)?;
//! assert_eq!(export.write(&record, &"game 1".into(), None)?.bytes, b"startpos moves C2=5\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::borrow::Cow;

use serde_json::Value;

use crate::json::About;
use crate::xqf::TooManyPieces;
use crate::{Notation, Record, TextEncoding, dhtmlxq, json, line, pgn, xqf};

/// A format to write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExportFormat {
    /// PGN with moves in this notation; everything that a record holds.
    Pgn(Notation),
    /// Files of XQStudio, one game each, in GBK.
    Xqf,
    /// Text for the forums of 东萍.
    DhtmlXq,
    /// Positions, one a line.
    Fen(Positions),
    /// The main line, one game a line, in this notation.
    Line(Notation),
    /// An object a line, in UTF-8; everything that a record holds.
    Json,
}

/// Which positions of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Positions {
    /// The one before the first move.
    Start,
    /// The one after the last move.
    End,
    /// All of the main line.
    All,
}

/// A format has an encoding of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{format} is always in {encoding}")]
pub struct FixedEncoding {
    format: &'static str,
    encoding: &'static str,
}

/// A format with an encoding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Export {
    format: ExportFormat,
    encoding: TextEncoding,
}

/// A game in its new format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exported {
    /// What stands in the file; games of a format that may have several in one can be written one behind the other.
    pub bytes: Vec<u8>,
    /// Whether `?` stands for characters that the encoding lacks.
    pub is_lossy: bool,
    /// A tag that is longer than the format has room for, and was cut short.
    pub cut_tag: Option<&'static str>,
}

impl Export {
    /// `encoding` is [`TextEncoding::Utf8`] for formats that have one of their own.
    ///
    /// # Errors
    /// Another encoding was asked for such a format.
    pub fn new(format: ExportFormat, encoding: TextEncoding) -> Result<Export, FixedEncoding> {
        let fixed = match format {
            ExportFormat::Json => Some(FixedEncoding { format: "JSON", encoding: "UTF-8" }),
            ExportFormat::Xqf => Some(FixedEncoding { format: "XQF", encoding: "GBK" }),
            ExportFormat::Pgn(_) | ExportFormat::DhtmlXq | ExportFormat::Fen(_) | ExportFormat::Line(_) => None,
        };
        match fixed {
            Some(fixed) if encoding != TextEncoding::Utf8 => Err(fixed),
            _ => Ok(Export { format, encoding }),
        }
    }

    /// The usual extension of its files.
    #[must_use]
    pub const fn extension(&self) -> &'static str {
        match self.format {
            ExportFormat::Pgn(_) => "pgn",
            ExportFormat::Xqf => "xqf",
            ExportFormat::DhtmlXq => "ubb",
            ExportFormat::Fen(_) => "fen",
            ExportFormat::Line(_) => "txt",
            ExportFormat::Json => "jsonl",
        }
    }

    /// Whether a file has room for one game only.
    #[must_use]
    pub const fn is_one_game_a_file(&self) -> bool {
        matches!(self.format, ExportFormat::Xqf)
    }

    /// Writes a game. What it is called, and what is wrong with it, is written where the format has a place for that.
    ///
    /// # Errors
    /// The format cannot hold the start position.
    pub fn write(&self, record: &Record, id: &Value, error: Option<&str>) -> Result<Exported, TooManyPieces> {
        let text = match self.format {
            ExportFormat::Xqf => {
                let bytes = xqf::to_bytes(record)?;
                return Ok(Exported { bytes, is_lossy: xqf::is_lossy(record), cut_tag: xqf::cut_tags(record).next() });
            }
            ExportFormat::Pgn(notation) => pgn::to_string_in(record, notation),
            ExportFormat::DhtmlXq => dhtmlxq::to_string(record),
            ExportFormat::Fen(positions) => fens(record, positions),
            ExportFormat::Line(notation) => line::to_string(record, notation) + "\n",
            ExportFormat::Json => json::to_string(record, About { id: Some(id), error }) + "\n",
        };
        let (bytes, is_lossy) = self.encoding.encode(&text);
        let bytes = match bytes {
            Cow::Borrowed(_) => text.into_bytes(),
            Cow::Owned(bytes) => bytes,
        };
        Ok(Exported { bytes, is_lossy, cut_tag: None })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Games;

    /// The initial array and two moves of a textbook.
    fn record() -> Record {
        let mut record = Record::default();
        for mv in ["h2e2", "h9g7"] {
            record.tree.push(mv.parse().unwrap());
        }
        record.tags.set("Red", "许银川");
        record
    }

    const ALL: [ExportFormat; 6] = [
        ExportFormat::Pgn(Notation::Iccs),
        ExportFormat::Xqf,
        ExportFormat::DhtmlXq,
        ExportFormat::Fen(Positions::All),
        ExportFormat::Line(Notation::Wxf),
        ExportFormat::Json,
    ];

    #[test]
    fn what_is_written_is_read_again() {
        for format in ALL {
            let written = Export::new(format, TextEncoding::Utf8).unwrap().write(&record(), &1.into(), None).unwrap();
            let mut games = Games::new(&written.bytes[..], None).unwrap();
            let game = games.next().expect("a game").unwrap().read().record.unwrap();
            assert!(!written.is_lossy && written.cut_tag.is_none(), "{format:?}");
            if !matches!(format, ExportFormat::Fen(_)) {
                assert!(game.main_line().map(|(mv, _)| mv).eq(record().main_line().map(|(mv, _)| mv)), "{format:?}");
            }
        }
    }

    #[test]
    fn formats_with_an_encoding_of_their_own_have_no_other() {
        for (format, message) in
            [(ExportFormat::Json, "JSON is always in UTF-8"), (ExportFormat::Xqf, "XQF is always in GBK")]
        {
            assert_eq!(Export::new(format, TextEncoding::Gbk).unwrap_err().to_string(), message);
        }
        let big5 = Export::new(ExportFormat::Pgn(Notation::Iccs), TextEncoding::Big5).unwrap();
        assert!(big5.write(&record(), &1.into(), None).unwrap().is_lossy, "Big5 has no simplified characters");
    }

    #[test]
    fn positions_are_those_before_between_and_after_the_moves() {
        let count = |positions| {
            let export = Export::new(ExportFormat::Fen(positions), TextEncoding::Utf8).unwrap();
            String::from_utf8(export.write(&record(), &1.into(), None).unwrap().bytes).unwrap()
        };
        let (start, end, all) = (count(Positions::Start), count(Positions::End), count(Positions::All));
        assert_eq!(all.lines().count(), 3);
        assert!(all.starts_with(&start) && all.ends_with(&end) && start != end);
        assert!(start.starts_with("rnbakabnr/9/1c5c1/") && end.contains("/1C2C4/"), "{all}");
    }
}
