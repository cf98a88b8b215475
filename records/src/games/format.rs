//! What a file holds, and how that shows.

use std::fmt;

use memchr::memmem;

use super::line::{looks_like_json, looks_like_moves};
use crate::ccbridge::{cbf, cbl, cbr};
use crate::programs::{ccm, che, chn, mxq};
use crate::{dhtmlxq, page, xqf};

/// A format of game files.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// Games in PGN; the tag [`super::RULE_SET_TAG`] says what `ruleset` says in JSON.
    Pgn,
    /// On each line an object such as `{"id": …, "start_fen": …, "moves": ["h2e2", …], "ruleset": …}`. Only `moves` or a
    /// position must be there; moves may be one text. Without `start_fen`, for which `fen` may stand, the game begins from the start position.
    /// See [`crate::json`] for the other keys.
    Json,
    /// On each line a game such as `position fen FEN moves h2e2 h9g7`, of which everything may be missing but a position
    /// or a move; or a position in EPD.
    Lines,
    /// Moves in any notation with headings, PlayOK's exports among them.
    Text,
    /// 东萍's forum text, in files of its own or in web pages, and 打虎将's.
    DhtmlXq,
    /// XQStudio's files.
    Xqf,
    /// CCBridge's files of one game.
    Cbr,
    /// CCBridge's libraries.
    Cbl,
    /// CCBridge's files in XML.
    Cbf,
    /// QQ's files.
    Che,
    /// Ourgame's (联众) files.
    Chn,
    /// Yitian's (弈天) files.
    Mxq,
    /// Files of the China Game Center (中游).
    Ccm,
}

/// What shows in the beginning of a file.
pub(super) enum Finding {
    /// It is certainly of this format.
    Certain(Format),
    /// It is a page of the web or the like: the whole must be looked at.
    Markup,
    /// It is text in no format that is easily told.
    Text,
    /// It is not text: the whole must be looked at.
    Binary,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 13] = [
        Format::Pgn,
        Format::Json,
        Format::Lines,
        Format::Text,
        Format::DhtmlXq,
        Format::Xqf,
        Format::Cbr,
        Format::Cbl,
        Format::Cbf,
        Format::Che,
        Format::Chn,
        Format::Mxq,
        Format::Ccm,
    ];

    /// What people call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Format::Pgn => "PGN",
            Format::Json => "JSON lines",
            Format::Lines => "lines of moves",
            Format::Text => "plain text",
            Format::DhtmlXq => "DhtmlXQ",
            Format::Xqf => "XQF",
            Format::Cbr => "CBR",
            Format::Cbl => "CBL",
            Format::Cbf => "CBF",
            Format::Che => "CHE",
            Format::Chn => "CHN",
            Format::Mxq => "MXQ",
            Format::Ccm => "CCM",
        }
    }

    /// Extensions of such files, in lower case, the usual one first.
    #[must_use]
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            Format::Pgn => &["pgn", "pgns"],
            Format::Json => &["jsonl", "json", "ndjson"],
            Format::Lines => &["epd", "fen"],
            Format::Text => &["txt", "wxf"],
            Format::DhtmlXq => &["ubb", "dhtmlxq", "html", "htm"],
            Format::Xqf => &["xqf"],
            Format::Cbr => &["cbr"],
            Format::Cbl => &["cbl"],
            Format::Cbf => &["cbf"],
            Format::Che => &["che"],
            Format::Chn => &["chn"],
            Format::Mxq => &["mxq"],
            Format::Ccm => &["ccm"],
        }
    }

    /// What a file with this extension usually holds. Case does not matter.
    #[must_use]
    pub fn of_extension(extension: &str) -> Option<Format> {
        let extension = extension.to_ascii_lowercase();
        Format::ALL.into_iter().find(|format| format.extensions().contains(&extension.as_str()))
    }

    /// Whether such files are text that may begin with anything.
    pub(super) const fn is_text(self) -> bool {
        matches!(self, Format::Pgn | Format::Json | Format::Lines | Format::Text | Format::DhtmlXq)
    }

    /// What shows in the first line that is neither blank nor a remark, or is known beforehand. Nothing more need be read of
    /// games that are sent one by one.
    pub(super) fn of_first_line(start: &[u8], line: &str, suggested: Option<Format>) -> Option<Format> {
        if memchr::memchr(0, start).is_some() || start.starts_with(xqf::MAGIC) {
            return None;
        }
        let shown = if looks_like_json(line) {
            Some(Format::Json)
        } else if looks_like_tag(line) {
            Some(Format::Pgn)
        } else if dhtmlxq::MARKS.iter().any(|mark| line.contains(mark)) {
            return None;
        } else if looks_like_moves(line) {
            Some(Format::Lines)
        } else {
            None
        };
        match suggested {
            // Lists of positions are called `.fen`, too, when they are in PGN.
            Some(Format::Json | Format::Lines) if shown == Some(Format::Pgn) => shown,
            Some(Format::Json | Format::Lines | Format::Pgn) => suggested,
            _ => shown,
        }
    }

    /// What shows in the beginning of a file, of some thousand bytes, that does not show in its first line.
    pub(super) fn find(start: &[u8]) -> Finding {
        let is_binary = memchr::memchr(0, start).is_some();
        if start.starts_with(cbl::MAGIC) {
            return Finding::Certain(Format::Cbl);
        }
        if start.starts_with(cbr::MAGIC) {
            return Finding::Certain(Format::Cbr);
        }
        if is_binary && start.starts_with(xqf::MAGIC) {
            return Finding::Certain(Format::Xqf);
        }
        let has = |mark: &str| memmem::find(start, mark.as_bytes()).is_some();
        if dhtmlxq::MARKS.into_iter().any(has) {
            return Finding::Certain(Format::DhtmlXq);
        }
        if is_binary {
            return Finding::Binary;
        }
        if has(cbf::ROOT) {
            return Finding::Certain(Format::Cbf);
        }
        // Marks are ASCII, which stands for itself in every encoding at the beginning of a line.
        let text = String::from_utf8_lossy(start);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        if text.starts_with('<') {
            return Finding::Markup;
        }
        if has_tag(text) {
            return Finding::Certain(Format::Pgn);
        }
        if che::is_likely(text) {
            return Finding::Certain(Format::Che);
        }
        Finding::Text
    }

    /// What a page of the web holds.
    pub(super) fn of_markup(page: &[u8]) -> Format {
        if dhtmlxq::MARKS.iter().any(|mark| memmem::find(page, mark.as_bytes()).is_some()) {
            Format::DhtmlXq
        } else if has_tag(&page::text(&String::from_utf8_lossy(page)).replace(page::BREAK, "\n")) {
            Format::Pgn
        } else {
            Format::Text
        }
    }

    /// What bytes hold that are not text and begin with nothing that shows it.
    pub(super) fn of_bytes(bytes: &[u8]) -> Option<Format> {
        if mxq::is_likely(bytes) {
            Some(Format::Mxq)
        } else if chn::is_likely(bytes) {
            Some(Format::Chn)
        } else if ccm::is_likely(bytes) {
            Some(Format::Ccm)
        } else {
            None
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Whether one of the lines of a text is a tag of PGN.
fn has_tag(text: &str) -> bool {
    text.split(['\n', '\r']).any(|line| looks_like_tag(line.trim_start_matches('\u{feff}').trim()))
}

/// Whether a line is a tag of PGN: `[Red "…`.
fn looks_like_tag(line: &str) -> bool {
    let Some(inner) = line.strip_prefix('[') else { return false };
    let inner = inner.trim_start();
    let name = inner.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    name.len() < inner.len() && name.trim_start().starts_with('"')
}
