//! A ruling as plain text.

use std::fmt::Write as _;

use chuhe_movegen::Color;
use chuhe_text::{aligned, printable};

use super::{Explanation, Language};
use crate::board::{TextStyle, text};

impl Explanation {
    /// The ruling for a terminal or a mail, headed by `title`, which becomes one [`printable`] line. Every
    /// line ends with a newline.
    #[must_use]
    pub fn text(&self, title: &str) -> String {
        let style = match self.language {
            Language::English => TextStyle::Ascii,
            Language::Chinese => TextStyle::Characters,
        };
        let mut out = self.language.tongue().headline(&printable(title), &self.verdict, &self.rules);
        let _ = writeln!(out, "\n{}", printable(&self.sentence));
        if let Some(claim) = &self.claim {
            let _ = writeln!(out, "{claim}");
        }
        if let Some(contradiction) = &self.contradiction {
            let _ = writeln!(out, "{contradiction}");
        }
        let Some(position) = self.position.as_ref().filter(|_| !self.moves.is_empty()) else { return out };
        let _ = write!(out, "\n{}\n\n{}\n", self.caption, text(position, style, Color::Red));
        self.write_moves(&mut out);
        out.push('\n');
        for pattern in &self.patterns {
            let _ = writeln!(out, "{pattern}");
        }
        out
    }

    fn write_moves(&self, out: &mut String) {
        let tongue = self.language.tongue();
        let rows: Vec<[&str; 5]> = self
            .moves
            .iter()
            .map(|mv| [mv.number.as_str(), tongue.side(mv.mover), &mv.name, &mv.class, &mv.details])
            .collect();
        for line in aligned(&rows, &[]).lines() {
            let _ = writeln!(out, "  {line}");
        }
    }
}
