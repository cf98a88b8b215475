//! The header of a game file: how its games were made.

use std::io::{self, Read};

use chuhe_text::excerpt;
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use crate::data::game::{GameFileError, HeaderFault, MAGIC, VERSION};

/// No header is longer, in bytes.
pub(super) const MAX_SIZE: u32 = 1 << 16;

/// How the games of a file were made: all that is needed to make them again. Stored as TOML.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Program and version.
    pub generator: String,
    /// Seed of the run; at most `i64::MAX`, as TOML knows no more.
    pub seed: u64,
    /// Rule set by which games ended ([`chuhe_rules::RuleSet::name`]).
    pub rules: String,
    /// The searches that chose the moves and gave the scores.
    pub search: SearchSettings,
    /// When games were broken off.
    pub adjudication: Adjudication,
    /// Searches that have replaced the scores since, the last one last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rescored: Vec<Rescoring>,
}

/// The searches of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchSettings {
    /// Nodes of fixed searches: tells one engine from another ([`crate::datagen::fingerprint`]).
    pub fingerprint: u64,
    /// Short hash of the network, or `hce` for the hand-written evaluation.
    pub network: String,
    /// Nodes after which no iteration begins.
    pub soft_nodes: u64,
    /// Nodes that end a search.
    pub hard_nodes: u64,
    /// Size of the hash table, which each game finds empty, in MiB.
    pub hash_mib: u64,
    /// Nodes of the search that examines an opening.
    pub opening_nodes: u64,
    /// The score beyond which an opening is not played, in internal units.
    pub opening_limit: i32,
}

/// When games are broken off. Plies count from the start of the game, the opening included.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// A win: scores of at least this for the same side …
    pub win_score: i32,
    /// … for so many plies in a row …
    pub win_plies: u32,
    /// … of which none is before this one.
    pub win_from_ply: u32,
    /// A draw: scores of at most this for either side …
    pub draw_score: i32,
    /// … for so many plies in a row …
    pub draw_plies: u32,
    /// … of which none is before this one.
    pub draw_from_ply: u32,
    /// A draw as well: scores of at most this for either side …
    #[serde(default, skip_serializing_if = "is_zero")]
    pub quiet_score: i32,
    /// … for so many plies in a row without a capture; 0, as in older files: never.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub quiet_plies: u32,
    /// Whether a capture into an endgame whose result is known ends the game with that result; older files: no.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tables: bool,
    /// One game in so many is played to its end whatever the scores.
    pub unadjudicated_one_in: u32,
}

/// Whether a setting that older files lack is off.
fn is_zero<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Default for Adjudication {
    /// The rules of generation of this project.
    fn default() -> Adjudication {
        Adjudication {
            win_score: 1500,
            win_plies: 4,
            win_from_ply: 40,
            draw_score: 10,
            draw_plies: 12,
            draw_from_ply: 80,
            quiet_score: 300,
            quiet_plies: 66,
            tables: true,
            unadjudicated_one_in: 10,
        }
    }
}

/// A replacement of all scores.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rescoring {
    /// Program and version.
    pub generator: String,
    /// As in [`SearchSettings::fingerprint`].
    pub fingerprint: u64,
    /// As in [`SearchSettings::network`].
    pub network: String,
    /// Nodes after which no iteration begins.
    pub soft_nodes: u64,
    /// Nodes that end a search.
    pub hard_nodes: u64,
}

impl std::fmt::Display for Header {
    /// As in the file.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&toml::to_string(self).unwrap_or_default())
    }
}

impl Header {
    /// The bytes with which a file begins.
    ///
    /// # Errors
    /// [`HeaderFault::Text`] when the seed is beyond what TOML can hold.
    pub fn to_bytes(&self) -> Result<Vec<u8>, HeaderFault> {
        let text = toml::to_string(self).map_err(|error| HeaderFault::Text(error.to_string()))?;
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
        if length > MAX_SIZE {
            return Err(HeaderFault::Length(length));
        }
        let mut bytes = Vec::with_capacity(text.len() + 24);
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&length.to_le_bytes());
        bytes.extend_from_slice(text.as_bytes());
        bytes.extend_from_slice(&XxHash3_64::oneshot(text.as_bytes()).to_le_bytes());
        Ok(bytes)
    }

    /// Reads a header; gives its length in bytes too.
    pub(super) fn read(input: &mut impl Read) -> Result<(Header, u64), GameFileError> {
        let mut magic = [0; MAGIC.len()];
        read_exact(input, &mut magic, HeaderFault::Magic)?;
        if magic != MAGIC {
            return Err(HeaderFault::Magic.into());
        }
        let mut word = [0; 4];
        read_exact(input, &mut word, HeaderFault::Torn)?;
        let version = u32::from_le_bytes(word);
        if version != VERSION {
            return Err(HeaderFault::Version(version).into());
        }
        read_exact(input, &mut word, HeaderFault::Torn)?;
        let length = u32::from_le_bytes(word);
        if length > MAX_SIZE {
            return Err(HeaderFault::Length(length).into());
        }
        let mut text = vec![0; length as usize];
        read_exact(input, &mut text, HeaderFault::Torn)?;
        let mut checksum = [0; 8];
        read_exact(input, &mut checksum, HeaderFault::Torn)?;
        if u64::from_le_bytes(checksum) != XxHash3_64::oneshot(&text) {
            return Err(HeaderFault::Checksum.into());
        }
        let text = String::from_utf8(text).map_err(|error| HeaderFault::Text(error.to_string()))?;
        let header = toml::from_str(&text).map_err(|error| HeaderFault::Text(excerpt(error.message(), 200)))?;
        Ok((header, (MAGIC.len() + 8 + text.len() + checksum.len()) as u64))
    }

    /// The first entry in which this header and that of a file to be continued differ.
    pub(super) fn difference(&self, file: &Header) -> Option<GameFileError> {
        let [mine, found] = [self, file].map(|header| toml::Table::try_from(header).unwrap_or_default());
        let (field, found, expected) = first_difference("", &toml::Value::Table(found), &toml::Value::Table(mine))?;
        Some(GameFileError::OtherRun { field, found, expected })
    }
}

/// The path and both sides of the first difference.
fn first_difference(path: &str, found: &toml::Value, expected: &toml::Value) -> Option<(String, String, String)> {
    let (toml::Value::Table(a), toml::Value::Table(b)) = (found, expected) else {
        return (found != expected).then(|| (path.to_owned(), found.to_string(), expected.to_string()));
    };
    let nothing = toml::Value::String(String::new());
    let mut keys: Vec<&String> = a.keys().chain(b.keys()).collect();
    keys.dedup();
    keys.into_iter().find_map(|key| {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        first_difference(&path, a.get(key).unwrap_or(&nothing), b.get(key).unwrap_or(&nothing))
    })
}

fn read_exact(input: &mut impl Read, buffer: &mut [u8], short: HeaderFault) -> Result<(), GameFileError> {
    input.read_exact(buffer).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => short.into(),
        _ => error.into(),
    })
}
