//! What an organiser says about an engine, and its two written forms.
//!
//! The short form is one line of words `KEY=VALUE`, quoted as in a shell:
//!
//! ```text
//! name=A cmd='chuhe --quiet' proto=uci tc=2+0.02 option.Hash=16
//! ```
//!
//! A bare command line (`chuhe --quiet`) will do where nothing else is to be said.
//!
//! The long form is a table of TOML with the same keys, in which `cmd` may also be an array and options are a table:
//!
//! ```toml
//! [[engine]]
//! name = "A"
//! cmd = ["chuhe", "--quiet"]
//! proto = "uci"
//! tc = "2+0.02"
//! options = { Hash = 16 } # or option.Hash = 16
//! ```
//!
//! | key | value |
//! |---|---|
//! | `cmd` | program and arguments; a program without a folder is looked for on `PATH`, then in `/usr/games` |
//! | `name` | what tables call it; the program's name if left out |
//! | `dir` | working folder |
//! | `proto` | `auto`, `ucci`, `uci`, `xboard` |
//! | `tc`, `movetime`, `depth`, `nodes` | its own time control; `movetime` without a unit is in milliseconds |
//! | `margin` | milliseconds by which it may overstep its time |
//! | `ranks` | what the engine calls the first rank: `auto`, `0`, `1` |
//! | `letters` | horse and elephant in FEN: `auto`, `NB`, `HE` |
//! | `history` | moves sent with a position: `auto`, `start` (of the game), `capture` (since the last) |
//! | `unit` | of times sent to a UCCI engine: `auto`, `ms`, `s` |
//! | `ponder` | whether it may think on the opponent's time: `on`, `off` |
//! | `restart` | whether each game begins with a fresh process: `on`, `off` |
//! | `option.NAME` | an option of the engine; empty for a button |

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use chuhe_protocol::Ranks;
use chuhe_text::{did_you_mean, printable};
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::name::{A_NAME, MAX_NAME, check_name};
use crate::time_control::{ParseTimeControlError, TimeControl};

/// Which protocol an engine speaks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// UCCI.
    Ucci,
    /// UCI, in the xiangqi dialects.
    Uci,
    /// CECP, the protocol of XBoard and WinBoard.
    Xboard,
}

impl Protocol {
    /// Its name in flags and files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Protocol::Ucci => "ucci",
            Protocol::Uci => "uci",
            Protocol::Xboard => "xboard",
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How an engine writes horse and elephant in a FEN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum FenLetters {
    /// `N` and `B`, as most xiangqi programs.
    #[default]
    KnightBishop,
    /// `H` and `E`, as XBoard and Sjaak II.
    HorseElephant,
}

impl FenLetters {
    /// Rewrites the placement of a FEN that has `N` and `B`.
    pub(crate) fn apply(self, fen: &str) -> String {
        if self == FenLetters::KnightBishop {
            return fen.to_owned();
        }
        let (placement, rest) = fen.split_once(' ').unwrap_or((fen, ""));
        let placement = placement.chars().map(|letter| match letter {
            'N' => 'H',
            'n' => 'h',
            'B' => 'E',
            'b' => 'e',
            other => other,
        });
        format!("{} {rest}", placement.collect::<String>())
    }
}

/// How much of the game a position is sent with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HistoryFrom {
    /// The start position and all moves, as UCI engines expect it.
    Start,
    /// The position after the last capture and the moves since, as UCCI asks.
    Capture,
}

/// Unit of the times sent to a UCCI engine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TimeUnit {
    /// Thousandths of a second.
    Milliseconds,
    /// Whole seconds, rounded down.
    Seconds,
}

/// An engine as the organiser describes it; what is `None` is found out by itself or left to the match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineSpec {
    /// What tables call it.
    pub name: String,
    /// The program and its arguments; never empty.
    pub command: Vec<String>,
    /// Working folder.
    pub dir: Option<PathBuf>,
    /// The protocol.
    pub protocol: Option<Protocol>,
    /// Options to set, in this order.
    pub options: Vec<(String, String)>,
    /// Its own time control, in place of that of the match.
    pub time_control: Option<TimeControl>,
    /// By how much it may overstep its time without losing.
    pub margin: Option<Duration>,
    /// How it counts ranks.
    pub ranks: Option<Ranks>,
    /// Its FEN letters.
    pub letters: Option<FenLetters>,
    /// The moves it is told.
    pub history: Option<HistoryFrom>,
    /// Unit of UCCI times.
    pub unit: Option<TimeUnit>,
    /// Whether it may think on the opponent's time; not unless this or the match says so.
    pub ponder: Option<bool>,
    /// Whether each game begins with a fresh process.
    pub restart: Option<bool>,
}

/// An engine description that cannot be understood.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpecError {
    /// A quote that is not closed.
    #[error("engine `{text}`: unclosed quotation mark")]
    Quoting {
        /// The description.
        text: String,
    },
    /// A word without `=`.
    #[error("engine `{engine}`: `{word}` is not KEY=VALUE")]
    NotKeyValue {
        /// Which engine.
        engine: String,
        /// The word.
        word: String,
    },
    /// A key that does not exist.
    #[error("engine `{engine}`: unknown key `{key}`: expected one of {}{}", KEYS.join(", "), did_you_mean(key, KEYS))]
    UnknownKey {
        /// Which engine.
        engine: String,
        /// The key.
        key: String,
    },
    /// A key given twice.
    #[error("engine `{engine}`: `{key}` is given twice")]
    Twice {
        /// Which engine.
        engine: String,
        /// The key.
        key: String,
    },
    /// No program.
    #[error("engine `{engine}`: `cmd` is missing or empty: expected a program and its arguments")]
    NoCommand {
        /// Which engine.
        engine: String,
    },
    /// A value that makes no sense.
    #[error("engine `{engine}`: {key}={value}: expected {expected}")]
    Value {
        /// Which engine.
        engine: String,
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// What it should be.
        expected: &'static str,
    },
    /// A time control that makes no sense.
    #[error("engine `{engine}`: {source}")]
    TimeControl {
        /// Which engine.
        engine: String,
        /// What is wrong.
        source: ParseTimeControlError,
    },
}

const KEYS: [&str; 16] = [
    "name",
    "cmd",
    "dir",
    "proto",
    "tc",
    "movetime",
    "depth",
    "nodes",
    "margin",
    "ranks",
    "letters",
    "history",
    "unit",
    "ponder",
    "restart",
    "option.NAME",
];

/// Whether a word is a key of the short form.
fn is_key(word: &str) -> bool {
    KEYS.contains(&word) || word.starts_with("option.")
}

impl EngineSpec {
    /// An engine with nothing said but its command.
    #[must_use]
    pub fn new(name: impl Into<String>, command: Vec<String>) -> EngineSpec {
        EngineSpec {
            name: name.into(),
            command,
            dir: None,
            protocol: None,
            options: Vec::new(),
            time_control: None,
            margin: None,
            ranks: None,
            letters: None,
            history: None,
            unit: None,
            ponder: None,
            restart: None,
        }
    }
}

impl FromStr for EngineSpec {
    type Err = SpecError;

    /// Reads the short form, or a bare command line: words of which none is `cmd=…` and the first is no `KEY=…`.
    fn from_str(text: &str) -> Result<EngineSpec, SpecError> {
        let words = shlex::split(text).ok_or_else(|| SpecError::Quoting { text: text.to_owned() })?;
        let mut draft = Draft::default();
        let has_key = |word: &String| word.split_once('=').is_some_and(|(key, _)| is_key(key));
        if !words.iter().any(|word| word.starts_with("cmd=")) && !words.first().is_some_and(has_key) {
            draft.set_command(CommandLine::Text(text.to_owned()))?;
            return draft.finish();
        }
        for word in &words {
            match word.split_once('=') {
                Some(("cmd", command)) => draft.set_command(CommandLine::Text(command.to_owned()))?,
                Some((key, value)) => match key.strip_prefix("option.") {
                    Some(option) => draft.set_option(option, value)?,
                    None => draft.set(key, value)?,
                },
                None => return Err(SpecError::NotKeyValue { engine: text.to_owned(), word: word.clone() }),
            }
        }
        draft.finish()
    }
}

/// `cmd` in either form.
#[derive(Clone)]
enum CommandLine {
    Text(String),
    Words(Vec<String>),
}

impl CommandLine {
    fn into_words(self) -> Option<Vec<String>> {
        match self {
            // A path with blanks or backslashes, as they are common on Windows, needs no quotes when nothing follows.
            CommandLine::Text(text) if Path::new(&text).is_file() => Some(vec![text]),
            CommandLine::Text(text) => shlex::split(&text),
            CommandLine::Words(words) => Some(words),
        }
    }
}

/// Keys and values as they come; they are understood at the end, when the name for messages is known.
#[derive(Default)]
struct Draft {
    command: Option<CommandLine>,
    values: Vec<(String, String)>,
    options: Vec<(String, String)>,
}

impl Draft {
    fn get(&self, key: &str) -> Option<&str> {
        self.values.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    /// What to call the engine in messages.
    fn label(&self) -> String {
        let command = || match self.command.as_ref()? {
            CommandLine::Text(text) => Some(text.clone()),
            CommandLine::Words(words) => words.first().cloned(),
        };
        printable(&self.get("name").map(ToOwned::to_owned).or_else(command).unwrap_or_default()).into_owned()
    }

    fn set_command(&mut self, command: CommandLine) -> Result<(), SpecError> {
        if self.command.is_some() {
            return Err(self.twice("cmd"));
        }
        self.command = Some(command);
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), SpecError> {
        if name.is_empty() {
            return Err(SpecError::UnknownKey { engine: self.label(), key: "option.".to_owned() });
        }
        self.options.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), SpecError> {
        if !KEYS.contains(&key) || key == "option.NAME" {
            return Err(SpecError::UnknownKey { engine: self.label(), key: key.to_owned() });
        }
        if self.get(key).is_some() {
            return Err(self.twice(key));
        }
        self.values.push((key.to_owned(), value.to_owned()));
        Ok(())
    }

    fn twice(&self, key: &str) -> SpecError {
        SpecError::Twice { engine: self.label(), key: key.to_owned() }
    }

    /// The value of a key as one of a few words; `auto` and a missing key are nothing.
    fn one_of<T: Copy>(&self, key: &str, expected: &'static str, words: &[(&str, T)]) -> Result<Option<T>, SpecError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        match words.iter().find(|(word, _)| word.eq_ignore_ascii_case(value)) {
            Some(&(_, meaning)) => Ok(Some(meaning)),
            None if value.eq_ignore_ascii_case("auto") && expected.starts_with("auto") => Ok(None),
            None => Err(self.bad(key, value, expected)),
        }
    }

    fn switch(&self, key: &str) -> Result<Option<bool>, SpecError> {
        self.one_of(key, "on or off", &[("on", true), ("off", false), ("true", true), ("false", false)])
    }

    fn bad(&self, key: &str, value: &str, expected: &'static str) -> SpecError {
        SpecError::Value { engine: self.label(), key: key.to_owned(), value: value.to_owned(), expected }
    }

    /// The keys of a time control are terms of its text form.
    fn time_control(&self) -> Result<Option<TimeControl>, SpecError> {
        let mut terms = Vec::new();
        for key in ["tc", "movetime", "depth", "nodes"] {
            let Some(value) = self.get(key) else { continue };
            let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
            terms.push(match key {
                "tc" => value.to_owned(),
                "movetime" if is_number => format!("{key}={value}ms"),
                _ => format!("{key}={value}"),
            });
        }
        if terms.is_empty() {
            return Ok(None);
        }
        let control = terms.join(",").parse().map_err(|source| SpecError::TimeControl { engine: self.label(), source });
        control.map(Some)
    }

    fn finish(self) -> Result<EngineSpec, SpecError> {
        let engine = self.label();
        let command = self.command.clone().and_then(CommandLine::into_words);
        let Some(command) = command.filter(|words| words.first().is_some_and(|program| !program.is_empty())) else {
            return Err(SpecError::NoCommand { engine });
        };
        let name = match self.get("name") {
            Some(name) if check_name(name).is_err() => return Err(self.bad("name", &printable(name), A_NAME)),
            Some(name) => name.to_owned(),
            None => {
                let stem = Path::new(&command[0]).file_stem();
                let name = stem.map_or(engine, |stem| stem.to_string_lossy().into_owned());
                printable(&name).chars().take(MAX_NAME).collect()
            }
        };
        let margin = match self.get("margin") {
            None => None,
            Some(text) => match text.strip_suffix("ms").unwrap_or(text).parse::<u32>() {
                Ok(millis) => Some(Duration::from_millis(millis.into())),
                Err(_) => return Err(self.bad("margin", text, "a whole number of milliseconds")),
            },
        };
        Ok(EngineSpec {
            protocol: self.one_of(
                "proto",
                "auto, ucci, uci or xboard",
                &[("ucci", Protocol::Ucci), ("uci", Protocol::Uci), ("xboard", Protocol::Xboard)],
            )?,
            dir: self.get("dir").map(PathBuf::from),
            time_control: self.time_control()?,
            margin,
            ranks: self.one_of("ranks", "auto, 0 or 1", &[("0", Ranks::FromZero), ("1", Ranks::FromOne)])?,
            letters: self.one_of(
                "letters",
                "auto, NB or HE",
                &[("NB", FenLetters::KnightBishop), ("HE", FenLetters::HorseElephant)],
            )?,
            history: self.one_of(
                "history",
                "auto, start or capture",
                &[("start", HistoryFrom::Start), ("capture", HistoryFrom::Capture)],
            )?,
            unit: self.one_of("unit", "auto, ms or s", &[("ms", TimeUnit::Milliseconds), ("s", TimeUnit::Seconds)])?,
            ponder: self.switch("ponder")?,
            restart: self.switch("restart")?,
            options: self.options,
            name,
            command,
        })
    }
}

/// A value of a TOML table as the short form would write it.
struct Scalar(String);

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Scalar, D::Error> {
        struct ScalarVisitor;

        impl Visitor<'_> for ScalarVisitor {
            type Value = Scalar;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string, a number, true or false")
            }

            fn visit_bool<E: de::Error>(self, value: bool) -> Result<Scalar, E> {
                Ok(Scalar(value.to_string()))
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Scalar, E> {
                Ok(Scalar(value.to_string()))
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Scalar, E> {
                Ok(Scalar(value.to_string()))
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Scalar, E> {
                Ok(Scalar(value.to_string()))
            }

            fn visit_str<E: de::Error>(self, value: &str) -> Result<Scalar, E> {
                Ok(Scalar(value.to_owned()))
            }
        }

        deserializer.deserialize_any(ScalarVisitor)
    }
}

impl<'de> Deserialize<'de> for CommandLine {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CommandLine, D::Error> {
        struct CommandVisitor;

        impl<'de> Visitor<'de> for CommandVisitor {
            type Value = CommandLine;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a command line, or an array with the program and its arguments")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<CommandLine, E> {
                Ok(CommandLine::Text(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<CommandLine, A::Error> {
                let mut words = Vec::new();
                while let Some(word) = sequence.next_element()? {
                    words.push(word);
                }
                Ok(CommandLine::Words(words))
            }
        }

        deserializer.deserialize_any(CommandVisitor)
    }
}

/// Options in the order they are written.
struct Options(Vec<(String, Scalar)>);

impl<'de> Deserialize<'de> for Options {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Options, D::Error> {
        struct OptionsVisitor;

        impl<'de> Visitor<'de> for OptionsVisitor {
            type Value = Options;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table of options such as { Hash = 16 }")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Options, A::Error> {
                let mut options = Vec::new();
                while let Some(option) = map.next_entry()? {
                    options.push(option);
                }
                Ok(Options(options))
            }
        }

        deserializer.deserialize_map(OptionsVisitor)
    }
}

impl<'de> Deserialize<'de> for EngineSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<EngineSpec, D::Error> {
        struct SpecVisitor;

        impl<'de> Visitor<'de> for SpecVisitor {
            type Value = EngineSpec;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table that describes an engine")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<EngineSpec, A::Error> {
                let mut draft = Draft::default();
                while let Some(key) = map.next_key::<String>()? {
                    match key.as_str() {
                        "cmd" => draft.set_command(map.next_value()?),
                        // `option.Hash = 16` is a table `option` for TOML, and in quotes a key with a dot.
                        "options" | "option" => map
                            .next_value::<Options>()?
                            .0
                            .iter()
                            .try_for_each(|(name, value)| draft.set_option(name, &value.0)),
                        key if key.starts_with("option.") => {
                            draft.set_option(&key["option.".len()..], &map.next_value::<Scalar>()?.0)
                        }
                        key => {
                            // An unknown key is worth a better message than one about the type of its value.
                            draft.set(key, "").map_err(de::Error::custom)?;
                            draft.values.pop();
                            draft.set(key, &map.next_value::<Scalar>()?.0)
                        }
                    }
                    .map_err(de::Error::custom)?;
                }
                draft.finish().map_err(de::Error::custom)
            }
        }

        deserializer.deserialize_map(SpecVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize, Debug)]
    struct File {
        engine: Vec<EngineSpec>,
    }

    fn toml(text: &str) -> Result<EngineSpec, String> {
        let file: Result<File, _> = toml::from_str(&format!("[[engine]]\n{text}"));
        file.map(|mut file| file.engine.remove(0)).map_err(|error| error.to_string())
    }

    #[test]
    fn both_forms_say_the_same() {
        let short: EngineSpec = "name='Big A' cmd=\"/opt/a b/run --x 'y z'\" proto=UCI dir=/tmp tc=2+0.02 depth=9 \
             movetime=1500 margin=80 ranks=1 letters=he history=capture unit=s ponder=on restart=off \
             option.Hash=16 option.Book=/a=b option.Clear="
            .replace("/opt/a b/run", "'/opt/a b/run'")
            .parse()
            .unwrap();
        let long = toml(
            "name = 'Big A'\ncmd = ['/opt/a b/run', '--x', 'y z']\nproto = 'uci'\ndir = '/tmp'\ntc = '2+0.02'\n\
             depth = 9\nmovetime = 1500\nmargin = 80\nranks = 1\nletters = 'HE'\nhistory = 'capture'\nunit = 's'\n\
             ponder = true\nrestart = 'off'\noptions = { Hash = 16, Book = '/a=b', Clear = '' }",
        );
        assert_eq!(Ok(&short), long.as_ref());
        for (table, keys) in [
            ("options = { Hash = 16, Clear = '' }", "option.Hash = 16\noption.Clear = ''"),
            ("options = { 'Skill Level' = 3 }", "\"option.Skill Level\" = 3"),
            ("options = { 'Skill Level' = 3 }", "option.'Skill Level' = 3"),
        ] {
            let [table, keys] = [table, keys].map(|text| toml(&format!("cmd = 'x'\n{text}")));
            assert!(table.is_ok());
            assert_eq!(table, keys);
        }
        assert_eq!(short.command, ["/opt/a b/run", "--x", "y z"]);
        assert_eq!(short.time_control, Some("2+0.02,movetime=1500ms,depth=9".parse().unwrap()));
        assert_eq!((short.ranks, short.ponder, short.restart), (Some(Ranks::FromOne), Some(true), Some(false)));
        assert_eq!(short.options.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["Hash", "Book", "Clear"]);
    }

    #[test]
    fn a_bare_command_line_describes_an_engine_too() {
        let bare = "engine --quiet 'a b'".parse::<EngineSpec>().unwrap();
        assert_eq!(bare, EngineSpec::new("engine", ["engine", "--quiet", "a b"].map(str::to_owned).to_vec()));
        let described = "cmd='engine --quiet' proto=ucci option.Hash=16".parse::<EngineSpec>().unwrap();
        assert_eq!(described.command, ["engine", "--quiet"]);
        assert_eq!(described.options, [("Hash".to_owned(), "16".to_owned())]);
        for (text, error) in [
            ("", "engine ``: `cmd` is missing or empty: expected a program and its arguments"),
            ("'", "engine `'`: unclosed quotation mark"),
        ] {
            assert_eq!(text.parse::<EngineSpec>().unwrap_err().to_string(), error);
        }
    }

    #[test]
    fn what_is_not_said_is_left_open() {
        let spec: EngineSpec = "cmd=/usr/bin/engine.exe proto=auto ranks=auto".parse().unwrap();
        assert_eq!(spec, EngineSpec::new("engine", vec!["/usr/bin/engine.exe".to_owned()]));
    }

    #[test]
    fn errors_name_engine_key_value_and_what_was_expected() {
        for (text, expected) in [
            ("name=A", "engine `A`: `cmd` is missing or empty: expected a program and its arguments"),
            ("name=A cmd=''", "engine `A`: `cmd` is missing or empty: expected a program and its arguments"),
            ("cmd=x name=A quick", "engine `cmd=x name=A quick`: `quick` is not KEY=VALUE"),
            ("cmd='x", "engine `cmd='x`: unclosed quotation mark"),
            ("cmd=x proto=usi name=A", "engine `A`: proto=usi: expected auto, ucci, uci or xboard"),
            ("cmd=x ponder=auto", "engine `x`: ponder=auto: expected on or off"),
            ("cmd=x margin=-5", "engine `x`: margin=-5: expected a whole number of milliseconds"),
            ("cmd=x name=A name=B", "engine `A`: `name` is given twice"),
            ("cmd=x cmd=y", "engine `x`: `cmd` is given twice"),
            ("cmd=x name=", "engine ``: name=: expected 1 to 80 printable characters"),
        ] {
            assert_eq!(text.parse::<EngineSpec>().unwrap_err().to_string(), expected, "{text}");
        }
        let unknown = "cmd=x hash=16".parse::<EngineSpec>().unwrap_err().to_string();
        assert!(unknown.starts_with("engine `x`: unknown key `hash`: expected one of name, cmd,"), "{unknown}");
        let misspelt = "cmd=x porto=uci".parse::<EngineSpec>().unwrap_err().to_string();
        assert!(misspelt.ends_with("; did you mean `proto`?"), "{misspelt}");
        let control = "cmd=x tc=fast".parse::<EngineSpec>().unwrap_err().to_string();
        assert!(control.starts_with("engine `x`: `fast` is not a time"), "{control}");
    }

    #[test]
    fn errors_in_a_file_come_with_their_line() {
        let unknown = toml("cmd = 'x'\nhsah = { a = 1 }").unwrap_err();
        assert!(unknown.contains("line 1") || unknown.contains("line 3"), "{unknown}");
        assert!(unknown.contains("unknown key `hsah`"), "{unknown}");
        let value = toml("cmd = 'x'\nletters = 'XY'").unwrap_err();
        assert!(value.contains("engine `x`: letters=XY: expected auto, NB or HE"), "{value}");
        assert!(toml("cmd = 5").unwrap_err().contains("a command line, or an array"));
        assert!(toml("cmd = 'x'\noptions = 5").unwrap_err().contains("a table of options"));
    }

    proptest::proptest! {
        #[test]
        fn any_words_are_a_description_or_an_error(
            words in proptest::collection::vec("(name|cmd|tc|margin|proto|ranks|option\\.|x)?=?[ -~\\p{Han}]{0,8}", 0..6),
        ) {
            // In quotes and bare: whatever is in them, it is no panic, and an error is one line.
            for text in [words.join(" "), words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ")] {
                match text.parse::<EngineSpec>() {
                    Ok(spec) => proptest::prop_assert!(!spec.command.is_empty() && !spec.name.is_empty()),
                    Err(error) => proptest::prop_assert!(!error.to_string().contains('\n')),
                }
            }
        }
    }

    #[test]
    fn letters_change_the_placement_only() {
        let fen = "rnbakabnr/9/9/9/9/9/9/9/9/RNBAKABNR b - - 3 7";
        assert_eq!(FenLetters::HorseElephant.apply(fen), "rheakaehr/9/9/9/9/9/9/9/9/RHEAKAEHR b - - 3 7");
        assert_eq!(FenLetters::KnightBishop.apply(fen), fen);
    }
}
