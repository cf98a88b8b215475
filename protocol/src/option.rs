//! Options: how an engine announces them and how a GUI sets them.

use crate::Dialect;
use crate::line::{Line, MAX_REPLY_LEN, ascii};
use crate::token::{BLANKS, Keyword, Tokens, lossy, parse_int, trim};

/// What UCI writes for a string that is empty.
const EMPTY: &str = "<empty>";

/// The form in which option names are compared: lower case, without blanks and underscores.
///
/// `Clear Hash`, `Clear_Hash` and `clearhash` are one option; Fairy-Stockfish writes the second in UCCI.
pub fn canonical_name(name: &str) -> String {
    name.chars().filter(|c| !is_ignored_in_names(*c)).map(|c| c.to_ascii_lowercase()).collect()
}

/// Whether two option names are the same once case, blanks and underscores are ignored.
pub fn same_name(a: &str, b: &str) -> bool {
    let significant = |name| str::chars(name).filter(|c| !is_ignored_in_names(*c)).map(|c| c.to_ascii_lowercase());
    significant(a).eq(significant(b))
}

fn is_ignored_in_names(c: char) -> bool {
    c == '_' || c.is_ascii_whitespace()
}

/// The value a GUI gives an option: bytes, because paths come in the encoding of the system (GBK on Chinese Windows).
///
/// Empty for a button and for an empty string, which UCI writes as `<empty>`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct OptionValue(Vec<u8>);

impl OptionValue {
    /// The value without blanks around it.
    pub fn new(bytes: &[u8]) -> OptionValue {
        match trim(bytes) {
            value if value == EMPTY.as_bytes() => OptionValue::default(),
            value => OptionValue(value.to_vec()),
        }
    }

    /// The bytes as sent.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value as text, if it is UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.0).ok()
    }

    /// The value of a check option. `on` and `off` are as common as `true` and `false`.
    pub fn to_bool(&self) -> Option<bool> {
        match Keyword::new(&self.0).as_str() {
            "true" | "on" | "yes" | "1" => Some(true),
            "false" | "off" | "no" | "0" => Some(false),
            _ => None,
        }
    }

    /// The value of a spin option, saturating at ±[`MAX_NUMBER`](crate::MAX_NUMBER).
    pub fn to_int(&self) -> Option<i64> {
        parse_int(&self.0)
    }
}

impl From<&str> for OptionValue {
    fn from(text: &str) -> OptionValue {
        OptionValue::new(text.as_bytes())
    }
}

/// `setoption`: an option by the name the GUI uses, and its value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SetOption {
    /// The name as sent, in the words of either dialect; compare with [`same_name`].
    pub name: String,
    /// The value, empty for a button.
    pub value: OptionValue,
}

impl SetOption {
    /// Sets an option to a value; an empty value presses a button.
    pub fn new(name: impl Into<String>, value: impl Into<OptionValue>) -> SetOption {
        SetOption { name: name.into(), value: value.into() }
    }

    /// Reads what follows `setoption`: `<name> [<value>]` in UCCI, `name <name> [value <value>]` in UCI. The UCI form
    /// is also sent to UCCI engines.
    pub(crate) fn parse(tokens: &mut Tokens<'_>) -> Option<SetOption> {
        let is_uci = tokens.take_word("name");
        // Whatever the first word of a name is, it belongs to the name.
        let mut name = lossy(tokens.next()?);
        if is_uci {
            let others = tokens.take_until(|word| word == "value");
            tokens.next();
            if !others.is_empty() {
                name = name + " " + &others;
            }
        }
        Some(SetOption { name, value: OptionValue::new(tokens.rest()) })
    }

    pub(crate) fn to_bytes(&self, dialect: Dialect) -> Vec<u8> {
        let (name, separator): (_, &[u8]) = match dialect {
            // UCCI readers understand the form of UCI as well, which is the only one for this name.
            Dialect::Ucci if !self.name.eq_ignore_ascii_case("name") => (ucci_name(&self.name), b" "),
            _ => (format!("name {}", self.name), b" value "),
        };
        let mut line = format!("setoption {name}").into_bytes();
        if !self.value.is_empty() {
            line.extend_from_slice(separator);
            line.extend_from_slice(self.value.as_bytes());
        }
        line
    }
}

/// Names are single words in UCCI.
fn ucci_name(name: &str) -> String {
    name.split(BLANKS).filter(|word| !word.is_empty()).collect::<Vec<_>>().join("_")
}

/// The announcement of an option by an engine.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct OptionDecl {
    /// The name in the dialect of the session: one lower-case word in UCCI (`hashsize`), any words in UCI (`Hash`).
    pub name: String,
    /// What values it takes.
    pub kind: OptionKind,
}

/// The type of an option. Defaults and bounds are optional because not all engines announce them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum OptionKind {
    /// UCCI: shows a text, takes no value.
    Label,
    /// An action without a value.
    Button,
    /// True or false.
    Check {
        /// Value at start.
        default: Option<bool>,
    },
    /// A whole number.
    Spin {
        /// Smallest value.
        min: Option<i64>,
        /// Largest value.
        max: Option<i64>,
        /// Value at start.
        default: Option<i64>,
    },
    /// One of several words.
    Combo {
        /// Value at start.
        default: Option<String>,
        /// All values.
        vars: Vec<String>,
    },
    /// A text, often a path.
    String {
        /// Value at start, may be empty.
        default: String,
    },
}

impl OptionKind {
    /// A spin option with everything known.
    pub const fn spin(min: i64, max: i64, default: i64) -> OptionKind {
        OptionKind::Spin { min: Some(min), max: Some(max), default: Some(default) }
    }

    /// A check option with its default.
    pub const fn check(default: bool) -> OptionKind {
        OptionKind::Check { default: Some(default) }
    }

    /// A combo option with its default and its values.
    pub fn combo<'a>(default: &str, vars: impl IntoIterator<Item = &'a str>) -> OptionKind {
        OptionKind::Combo { default: Some(default.to_owned()), vars: vars.into_iter().map(ToOwned::to_owned).collect() }
    }

    /// A string option with its default.
    pub fn string(default: impl Into<String>) -> OptionKind {
        OptionKind::String { default: default.into() }
    }

    /// The word for the type.
    pub const fn type_name(&self) -> &'static str {
        match self {
            OptionKind::Label => "label",
            OptionKind::Button => "button",
            OptionKind::Check { .. } => "check",
            OptionKind::Spin { .. } => "spin",
            OptionKind::Combo { .. } => "combo",
            OptionKind::String { .. } => "string",
        }
    }

    /// The default as it is written, if there is one to write.
    fn default_text(&self, dialect: Dialect) -> Option<String> {
        match self {
            OptionKind::Label | OptionKind::Button => None,
            OptionKind::Check { default } => default.map(|value| value.to_string()),
            OptionKind::Spin { default, .. } => default.map(|value| value.to_string()),
            OptionKind::Combo { default, .. } => default.as_deref().map(ascii),
            OptionKind::String { default } => match (ascii(default), dialect) {
                // UCCI knows no word for the empty string, and `default` with nothing behind it kills the reader
                // thread of TCHESS.
                (text, Dialect::Ucci) if text.is_empty() => None,
                (text, Dialect::Uci) if text.is_empty() => Some(EMPTY.to_owned()),
                (text, _) => Some(text),
            },
        }
        .filter(|text| !text.is_empty())
    }
}

/// The attributes of an announcement, before the type says which of them count.
#[derive(Default)]
struct Attributes {
    min: Option<i64>,
    max: Option<i64>,
    vars: Vec<String>,
    default: Option<String>,
}

impl Attributes {
    /// Reads attributes in any order. The default of a string is the rest of the line, for it may hold anything.
    fn parse(tokens: &mut Tokens<'_>, is_string: bool) -> Attributes {
        let is_keyword = |word: &str| matches!(word, "min" | "max" | "var" | "default");
        let mut attributes = Attributes::default();
        while let Some(token) = tokens.next() {
            match Keyword::new(token).as_str() {
                "min" => attributes.min = tokens.take_int(),
                "max" => attributes.max = tokens.take_int(),
                "var" => attributes.vars.push(tokens.take_until(is_keyword)),
                "default" if is_string => {
                    attributes.default = Some(lossy(tokens.rest()));
                    break;
                }
                "default" => attributes.default = Some(tokens.take_until(is_keyword)),
                _ => {}
            }
        }
        attributes.vars.retain(|var| !var.is_empty());
        attributes.default = attributes.default.filter(|text| !text.is_empty());
        attributes
    }
}

impl OptionDecl {
    /// Announces an option.
    pub fn new(name: impl Into<String>, kind: OptionKind) -> OptionDecl {
        OptionDecl { name: name.into(), kind }
    }

    /// Reads what follows `option`: `<name> type <t> …` in UCCI, `name <name> type <t> …` in UCI.
    pub(crate) fn parse(tokens: &mut Tokens<'_>) -> Option<OptionDecl> {
        // A UCCI option might be called `name`, though none known is.
        let mut ahead = tokens.clone();
        if ahead.take_word("name") && !ahead.clone().take_word("type") {
            *tokens = ahead;
        }
        let name = tokens.take_until(|word| word == "type");
        tokens.next();
        let type_name = Keyword::new(tokens.next()?);
        let Attributes { min, max, vars, default } = Attributes::parse(tokens, type_name.as_str() == "string");
        let value = || OptionValue::from(default.as_deref().unwrap_or_default());
        let kind = match type_name.as_str() {
            "label" => OptionKind::Label,
            "button" => OptionKind::Button,
            "check" => OptionKind::Check { default: value().to_bool() },
            "spin" => OptionKind::Spin { min, max, default: value().to_int() },
            "combo" => OptionKind::Combo { default, vars },
            "string" => OptionKind::String { default: lossy(value().as_bytes()) },
            _ => return None,
        };
        (!name.is_empty()).then_some(OptionDecl { name, kind })
    }

    /// Attributes that do not fit into the line are left out; only absurd ones do not.
    pub(crate) fn to_line(&self, dialect: Dialect) -> String {
        let name = ascii(&self.name);
        let mut line = Line::new("option");
        match dialect {
            Dialect::Ucci => line.word(ucci_name(&name)),
            Dialect::Uci => line.field("name", name),
        };
        line.field("type", self.kind.type_name());
        let default = self.kind.default_text(dialect).map(|text| format!("default {text}"));
        // The specification of UCCI puts the default last, that of UCI directly behind the type.
        let (first, last) = match dialect {
            Dialect::Ucci => (None, default),
            Dialect::Uci => (default, None),
        };
        if let Some(default) = first {
            line.word(default);
        }
        line.reserve(last.as_ref().map_or(0, |text| text.len() + 1).min(MAX_REPLY_LEN));
        match &self.kind {
            OptionKind::Spin { min, max, .. } => {
                for (key, bound) in [("min", min), ("max", max)] {
                    if let Some(bound) = bound {
                        line.field(key, bound);
                    }
                }
            }
            OptionKind::Combo { vars, .. } => {
                for var in vars.iter().map(|var| ascii(var)).filter(|var| !var.is_empty()) {
                    line.field("var", var);
                }
            }
            _ => {}
        }
        line.release();
        if let Some(default) = last {
            line.word(default);
        }
        line.finish()
    }
}
