//! The TOML file that describes a tournament.

use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use chuhe_client::EngineSpec;
use chuhe_client::time_control::TimeControl;
use chuhe_rules::RuleSet;
use chuhe_text::nearest;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::ConfigError;
use super::system::SystemConfig;
use crate::adjudication::Adjudication;
use crate::openings::{OpeningOptions, OpeningOrder, OpeningSource};
use crate::stats::{EloModel, Sprt};

/// What a file says, or flags do; what is `None` is not said.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfigFile {
    /// The tournament's name.
    pub event: Option<String>,
    /// Where it is played.
    pub site: Option<String>,
    /// The system: a name, or a table with `kind` and settings.
    #[serde(default, deserialize_with = "text_or_table")]
    pub system: Option<SystemConfig>,
    /// Games per encounter; of a match: games in all.
    pub games: Option<u32>,
    /// Where games begin.
    #[serde(default, deserialize_with = "text_or_table")]
    pub openings: Option<OpeningsConfig>,
    /// The time control of engines without one of their own.
    pub tc: Option<TimeControl>,
    /// The rule set for repetitions.
    #[serde(default, deserialize_with = "parsed")]
    pub rules: Option<RuleSet>,
    /// Milliseconds by which an engine may exceed its time.
    pub margin: Option<u32>,
    /// Seconds to wait for an answer after its time is over.
    pub grace: Option<f64>,
    /// Seconds to wait for an answer that no clock limits.
    pub patience: Option<f64>,
    /// When scores end a game.
    pub adjudication: Option<Adjudication>,
    /// Whether draws can be agreed on.
    pub draws: Option<bool>,
    /// The half-move from which they can.
    pub draws_from: Option<u32>,
    /// Half-moves after which a game is drawn.
    pub max_plies: Option<u32>,
    /// Half-moves without a capture after which a game is drawn; 0: never.
    pub natural_limit: Option<u16>,
    /// Whether a game is drawn when nobody can win.
    pub dead_material: Option<bool>,
    /// Games at once.
    pub concurrency: Option<usize>,
    /// Whether engines are bound to cores.
    pub affinity: Option<bool>,
    /// Whether engines may think on the opponent's time.
    pub ponder: Option<bool>,
    /// Whether each game begins with fresh processes.
    pub restart: Option<bool>,
    /// A sequential test.
    #[serde(default, deserialize_with = "text_or_table")]
    pub sprt: Option<SprtConfig>,
    /// The file of games.
    pub pgn: Option<PathBuf>,
    /// The journal.
    pub journal: Option<PathBuf>,
    /// The report.
    pub html: Option<PathBuf>,
    /// The folder for what engines write to standard error.
    pub log: Option<PathBuf>,
    /// The engines.
    #[serde(default)]
    pub engine: Vec<EngineSpec>,
    /// The teams.
    #[serde(default)]
    pub team: Vec<TeamConfig>,
}

/// A team, its engines by board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TeamConfig {
    /// Its name.
    pub name: String,
    /// Names of engines; the first plays on the first board.
    pub engines: Vec<String>,
}

/// Where openings come from and in which order they are played; in a file a table, or a text with the source alone.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpeningsConfig {
    /// `book` (the embedded one), `random`, `startpos`, or a file; `book` without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// At most so many half-moves of each opening.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<usize>,
    /// The order of those in a file; random without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<OpeningOrderName>,
    /// Draws the order, or the moves; 0 without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Number of openings are passed over at the beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<u64>,
}

/// In which order the openings of a file are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OpeningOrderName {
    /// As in the file.
    Sequential,
    /// By lot, all before any comes again.
    Random,
}

impl OpeningsConfig {
    /// What it comes to.
    #[must_use]
    pub fn options(&self) -> OpeningOptions {
        OpeningOptions {
            source: self.source.as_deref().map_or_else(OpeningSource::default, OpeningSource::from_name),
            plies: self.plies,
            order: match self.order {
                Some(OpeningOrderName::Sequential) => OpeningOrder::Sequential,
                Some(OpeningOrderName::Random) | None => OpeningOrder::Shuffled,
            },
            seed: self.seed.unwrap_or(0),
            start: self.start.unwrap_or(0),
        }
    }
}

impl FromStr for OpeningsConfig {
    type Err = String;

    /// A source alone, or words such as `source=openings.txt plies=8 order=sequential seed=5 start=100`.
    fn from_str(text: &str) -> Result<OpeningsConfig, String> {
        const EXPECTED: &str = "source=, plies=, order=sequential, order=random, seed= or start=";
        if !text.contains('=') || Path::new(text).exists() {
            return Ok(OpeningsConfig { source: Some(text.to_owned()), ..OpeningsConfig::default() });
        }
        let mut config = OpeningsConfig::default();
        let words = shlex::split(text).ok_or_else(|| format!("`{text}`: unclosed quotation mark"))?;
        for word in words {
            let (key, value) = word.split_once('=').ok_or_else(|| format!("`{word}`: expected {EXPECTED}"))?;
            let number = || value.parse::<u64>().map_err(|_| format!("`{word}`: expected a number after {key}="));
            match (key, value) {
                ("source", _) => config.source = Some(value.to_owned()),
                ("plies", _) => config.plies = Some(usize::try_from(number()?).unwrap_or(usize::MAX)),
                ("order", "sequential") => config.order = Some(OpeningOrderName::Sequential),
                ("order", "random") => config.order = Some(OpeningOrderName::Random),
                ("seed", _) => config.seed = Some(number()?),
                ("start", _) => config.start = Some(number()?),
                _ => return Err(format!("`{word}`: expected {EXPECTED}")),
            }
        }
        Ok(config)
    }
}

/// A sequential test as it is written; what is left out is 0 Elo, 5 Elo more, 5 % errors, logistic.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(try_from = "SprtWords")]
pub struct SprtConfig(pub Sprt);

/// By how much `elo1` is above `elo0` when it is not given.
const DEFAULT_GAIN: f64 = 5.0;

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct SprtWords {
    elo0: Option<f64>,
    elo1: Option<f64>,
    alpha: Option<f64>,
    beta: Option<f64>,
    model: Option<EloModel>,
}

impl TryFrom<SprtWords> for SprtConfig {
    type Error = String;

    fn try_from(words: SprtWords) -> Result<SprtConfig, String> {
        let SprtWords { elo0, elo1, alpha, beta, model } = words;
        let model = model.unwrap_or(EloModel::Logistic);
        let elo0 = elo0.unwrap_or(0.0);
        Sprt::new(model, elo0, elo1.unwrap_or(elo0 + DEFAULT_GAIN), alpha.unwrap_or(0.05), beta.unwrap_or(0.05))
            .map(SprtConfig)
            .map_err(|error| error.to_string())
    }
}

impl FromStr for SprtConfig {
    type Err = String;

    /// `elo0=0 elo1=10 alpha=0.05 beta=0.05 model=normalized`, each word optional; commas serve as blanks.
    fn from_str(text: &str) -> Result<SprtConfig, String> {
        let mut words = SprtWords::default();
        for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
            let (key, value) = word
                .split_once('=')
                .ok_or_else(|| format!("`{word}`: expected words such as elo0=0 or model=logistic"))?;
            let number = || value.parse().map(Some).map_err(|_| format!("`{word}`: expected a number after {key}="));
            match key {
                "elo0" => words.elo0 = number()?,
                "elo1" => words.elo1 = number()?,
                "alpha" => words.alpha = number()?,
                "beta" => words.beta = number()?,
                "model" => {
                    words.model = Some(match value {
                        "logistic" => EloModel::Logistic,
                        "normalized" | "normalised" => EloModel::Normalized,
                        _ => return Err(format!("`{word}`: expected model=logistic or model=normalized")),
                    });
                }
                _ => return Err(format!("`{word}`: expected elo0, elo1, alpha, beta or model")),
            }
        }
        words.try_into()
    }
}

/// Reads a value that is a text with a meaning.
fn parsed<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(input: D) -> Result<Option<T>, D::Error> {
    let text = String::deserialize(input)?;
    text.parse().map(Some).map_err(serde::de::Error::custom)
}

/// Reads a value that is a text with a meaning, or a table.
fn text_or_table<'de, D, T>(input: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: Display> + Deserialize<'de>,
{
    struct Either<T>(PhantomData<T>);

    impl<'de, T: FromStr<Err: Display> + Deserialize<'de>> Visitor<'de> for Either<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a text or a table")
        }

        fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<T, E> {
            text.parse().map_err(E::custom)
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
            T::deserialize(MapAccessDeserializer::new(map))
        }
    }

    input.deserialize_any(Either(PhantomData)).map(Some)
}

/// Bytes of a file that are read at most.
const MAX_SIZE: u64 = 16 << 20;

impl ConfigFile {
    /// Reads a file.
    ///
    /// # Errors
    /// [`ConfigError`] with file and line.
    pub fn read(path: &Path) -> Result<ConfigFile, ConfigError> {
        let text = chuhe_files::read_text(path, MAX_SIZE)
            .map_err(|source| ConfigError::Unreadable { path: path.to_owned(), source })?;
        ConfigFile::parse(&text, path)
    }

    /// Reads the text of a file; the path is named in errors.
    ///
    /// # Errors
    /// [`ConfigError`] with file and line.
    pub fn parse(text: &str, path: &Path) -> Result<ConfigFile, ConfigError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        toml::from_str(text).map_err(|error| {
            let (line, place) = place(text, error.span().unwrap_or_default());
            let problem = plain(&error.message().split_whitespace().collect::<Vec<_>>().join(" "));
            ConfigError::Toml { path: path.to_owned(), line, place, problem }
        })
    }
}

/// A message about an unknown key or word, with the one that was probably meant in place of a list of them all.
fn misspelt(message: &str) -> Option<String> {
    let (unknown, expected) = message.split_once(", expected ")?;
    let (kind, word) = ["field", "variant"].iter().find_map(|kind| {
        let word = unknown.strip_prefix(&format!("unknown {kind} `"))?;
        Some((if *kind == "field" { "key" } else { "word" }, word.strip_suffix('`')?))
    })?;
    let meant = nearest(word, expected.split('`').skip(1).step_by(2))?;
    Some(format!("unknown {kind} `{word}`; did you mean `{meant}`?"))
}

/// A message about a value of the wrong type, in the words of the file instead of those of the program.
fn plain(message: &str) -> String {
    if let Some(short) = misspelt(message) {
        return short;
    }
    let found = message.strip_prefix("invalid type: ").or_else(|| message.strip_prefix("invalid value: "));
    let Some((found, expected)) = found.and_then(|found| found.rsplit_once(", expected ")) else {
        return message.to_owned();
    };
    let found = found.replace(" as i128", "").replace(" as u128", "");
    let found = match found.split_once(' ') {
        Some(("string", text)) => format!("the text {text}"),
        Some(("boolean", value)) => value.to_owned(),
        Some(("integer", value)) => format!("the number {value}"),
        Some(("floating", value)) => value.replacen("point", "the number", 1),
        _ => match found.as_str() {
            "map" => "a table".to_owned(),
            "sequence" => "a list".to_owned(),
            _ => found,
        },
    };
    let expected = match expected {
        "u16" => "a whole number from 0 to 65535",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" | "usize" => "a whole number, 0 or more",
        "i32" | "i64" => "a whole number",
        "f64" => "a number",
        "a boolean" => "true or false",
        "a string" | "path string" => "a text",
        "a sequence" => "a list",
        other => other,
    };
    format!("found {found}, expected {expected}")
}

/// The longest part of a line that is shown.
const SHOWN: usize = 60;

/// The line of an error, from 1, and what stands there.
fn place(text: &str, span: Range<usize>) -> (usize, String) {
    let before = text.get(..span.start).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let content = text.lines().nth(line - 1).unwrap_or_default().trim();
    (line, content.chars().take(SHOWN).collect())
}
