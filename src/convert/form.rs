//! The format to write, with its options.

use chuhe_records::export::{Export, ExportFormat, Positions};
use chuhe_records::notation::{Digits, Length, PawnNames, Script};
use chuhe_records::{ChineseStyle, Notation, TextEncoding};

use crate::choice::choice;
use crate::failure::Failure;

/// Arguments of the format.
#[derive(clap::Args)]
pub(super) struct FormArgs {
    /// The format to write
    #[arg(long, value_enum)]
    to: To,
    /// Encoding of text; JSON is always UTF-8, XQF always GBK
    #[arg(long, value_enum, default_value_t = EncodingName::Utf8)]
    encoding: EncodingName,
    /// Notation of moves in PGN
    #[arg(long, value_enum, default_value_t = NotationName::Iccs)]
    notation: NotationName,
    /// Positions of a game to write as FEN
    #[arg(long, value_enum, default_value_t = PositionsName::Start)]
    positions: PositionsName,
    /// Characters [default: simplified, with --encoding big5 traditional]
    #[arg(long, value_enum, help_heading = "Chinese notation")]
    script: Option<ScriptName>,
    /// Digits
    #[arg(long, value_enum, default_value_t = DigitsName::Customary, help_heading = "Chinese notation")]
    digits: DigitsName,
    /// Names of pawns when two files hold two or more each
    #[arg(long, value_enum, default_value_t = PawnsName::ByFile, help_heading = "Chinese notation")]
    pawns: PawnsName,
    /// Leave out the direction where the move is clear without it: 炮25
    #[arg(long, help_heading = "Chinese notation")]
    short: bool,
}

/// Formats to write.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum To {
    /// With tags, variations and comments
    Pgn,
    /// XQStudio's files: one game each, with variations and comments
    Xqf,
    /// Text for the forums of 东萍, with variations and comments
    Dhtmlxq,
    /// A position on each line
    Fen,
    /// A game on each line: `H2-E2 H9-G7 …`, after its position and `moves` if it begins elsewhere
    Iccs,
    /// The same in Chinese: `炮二平五 马8进7 …`
    Chinese,
    /// The same in WXF: `C2=5 H8+7 …`
    Wxf,
    /// An object on each line, with everything in it (docs/formats.md lists its keys)
    Json,
}

/// Names of moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum NotationName {
    /// H2-E2
    Iccs,
    /// 炮二平五
    Chinese,
    /// C2=5
    Wxf,
    /// Che2
    Winboard,
}

choice! {
    /// Encodings of text.
    EncodingName => TextEncoding {
        #[value(name = "utf-8", alias = "utf8")]
        Utf8 => TextEncoding::Utf8,
        /// For older programs; missing characters become `?`
        Gbk => TextEncoding::Gbk,
        /// For traditional script
        Big5 => TextEncoding::Big5,
    }
}

choice! {
    /// Positions of a game.
    PositionsName => Positions {
        /// The one before the first move
        Start => Positions::Start,
        /// The one after the last move
        End => Positions::End,
        /// All of the main line
        All => Positions::All,
    }
}

choice! {
    /// Characters of Chinese notation.
    ScriptName => Script {
        /// 车马进
        Simplified => Script::Simplified,
        /// 車馬進
        Traditional => Script::Traditional,
    }
}

choice! {
    /// Digits of Chinese notation.
    DigitsName => Digits {
        /// 一 for Red, 1 for Black
        Customary => Digits::Customary,
        /// 一 for Red, full-width １ for Black
        FullWidth => Digits::FullWidth,
        /// 一 for both
        Chinese => Digits::Chinese,
        /// 1 for both
        Arabic => Digits::Arabic,
    }
}

choice! {
    /// Names of pawns.
    PawnsName => PawnNames {
        /// Place on the file and file: 前九平八
        ByFile => PawnNames::ByFile,
        /// All by one number, from the right: 三兵平八
        Numbered => PawnNames::Numbered,
    }
}

impl FormArgs {
    /// What is asked for.
    ///
    /// # Errors
    /// The format or the notation cannot be written in the encoding.
    pub(super) fn export(&self) -> Result<Export, Failure> {
        let is_big5 = self.encoding == EncodingName::Big5;
        let writes_chinese = self.to == To::Chinese || self.to == To::Pgn && self.notation == NotationName::Chinese;
        if is_big5 && writes_chinese && self.script == Some(ScriptName::Simplified) {
            let message = "--encoding big5 lacks the simplified characters of moves: leave out --script simplified";
            return Err(Failure::Usage(message.to_owned()));
        }
        let script = self.script.unwrap_or(if is_big5 { ScriptName::Traditional } else { ScriptName::Simplified });
        let chinese = Notation::Chinese(ChineseStyle {
            script: script.into(),
            digits: self.digits.into(),
            pawns: self.pawns.into(),
            length: if self.short { Length::Short } else { Length::Full },
        });
        let notation = match self.notation {
            NotationName::Iccs => Notation::Iccs,
            NotationName::Chinese => chinese,
            NotationName::Wxf => Notation::Wxf,
            NotationName::Winboard => Notation::WinBoard,
        };
        let format = match self.to {
            To::Pgn => ExportFormat::Pgn(notation),
            To::Xqf => ExportFormat::Xqf,
            To::Dhtmlxq => ExportFormat::DhtmlXq,
            To::Fen => ExportFormat::Fen(self.positions.into()),
            To::Iccs => ExportFormat::Line(Notation::Iccs),
            To::Chinese => ExportFormat::Line(chinese),
            To::Wxf => ExportFormat::Line(Notation::Wxf),
            To::Json => ExportFormat::Json,
        };
        Export::new(format, self.encoding.into()).map_err(|error| Failure::Usage(format!("--encoding: {error}")))
    }
}
