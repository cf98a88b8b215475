//! The file of a network.
//!
//! All numbers are little endian.
//!
//! | offset | bytes | content |
//! |---|---|---|
//! | 0 | 8 | [`MAGIC`] |
//! | 8 | 4 | [`FORMAT_VERSION`] |
//! | 12 | 2 | inputs of a bucket: 689 |
//! | 14 | 2 | input buckets: 1 or 6 |
//! | 16 | 2 | hidden units of one perspective |
//! | 18 | 2 | output buckets: 1 or 8 |
//! | 20 | 2 | scale |
//! | 22 | 2 | length of the description, `d`, at most [`DESCRIPTION_MAX`] |
//! | 24 | 4 | length of the weights, `w` |
//! | 28 | `d` | description in UTF-8: provenance and licence |
//! | 28 + `d` | `w` | feature weights `[input bucket][input][hidden]`, feature biases `[hidden]`, output weights `[output bucket][perspective][hidden]` (all i16), output biases `[output bucket]` (i32) |
//! | 28 + `d` + `w` | 8 | XXH3 (64 bits) of everything before; also the network's name in reports |
//!
//! Nothing follows. A file is read only if all of this holds and no sum can overflow (see [`NetworkError`]).

use std::io::{self, Read};

use twox_hash::XxHash3_64;

use super::architecture::{Architecture, ArchitectureError};
use super::block::numbers;
use super::features::INPUTS;
use super::model::{Network, NetworkHash, OUTPUT_WEIGHT_MAX, Parts, SCALE_MAX};

/// The first bytes of a network file.
pub const MAGIC: [u8; 8] = *b"CHUHENET";
/// The format written, and the only one read.
pub const FORMAT_VERSION: u32 = 1;
/// The longest description, in bytes.
pub const DESCRIPTION_MAX: usize = 4096;

/// Length of the header, without the description.
const HEADER_LEN: usize = 28;
/// Length of the checksum.
const CHECKSUM_LEN: usize = 8;

/// Why something is no network.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// It does not begin as a network does.
    #[error("not a network file: begins with \"{}\", expected \"{}\"", .found.escape_ascii(), MAGIC.escape_ascii())]
    Magic {
        /// The first bytes, as many as there are.
        found: Vec<u8>,
    },
    /// The format is another one.
    #[error("format version {found}, expected {FORMAT_VERSION}")]
    Version {
        /// The version.
        found: u32,
    },
    /// It was made for other inputs.
    #[error("{found} inputs, expected {INPUTS}")]
    Inputs {
        /// The number of inputs.
        found: u16,
    },
    /// The sizes of the layers are not supported.
    #[error("unsupported architecture: {0}")]
    Architecture(#[from] ArchitectureError),
    /// The scale is out of range.
    #[error("scale {found}, expected 1 to {SCALE_MAX}")]
    Scale {
        /// The scale.
        found: u16,
    },
    /// The description is too long.
    #[error("description of {found} bytes, expected at most {DESCRIPTION_MAX}")]
    DescriptionLength {
        /// Its length.
        found: usize,
    },
    /// The description is no text.
    #[error("description is not UTF-8 from byte {valid_up_to} on")]
    DescriptionText {
        /// Where the text ends.
        valid_up_to: usize,
    },
    /// The length of the weights does not agree with the architecture.
    #[error("{found} bytes of weights, expected {expected} for the architecture {architecture}")]
    PayloadLength {
        /// The length in the header.
        found: u32,
        /// The length that follows from the architecture.
        expected: u32,
        /// The architecture.
        architecture: Architecture,
    },
    /// The file ends too early.
    #[error("file ends within its {part}: {found} bytes, expected {expected}")]
    Truncated {
        /// What is cut.
        part: &'static str,
        /// Bytes of it that are there.
        found: usize,
        /// Its length.
        expected: usize,
    },
    /// The checksum does not agree with the content.
    #[error("damaged: the file states checksum {stored}, its content has {computed}")]
    Checksum {
        /// The checksum at the end of the file.
        stored: NetworkHash,
        /// The checksum of what was read.
        computed: NetworkHash,
    },
    /// Something follows the checksum.
    #[error("the file continues after its checksum")]
    Trailing,
    /// The number of weights does not agree with the architecture.
    #[error("{found} {part}, expected {expected}")]
    Count {
        /// Which weights.
        part: &'static str,
        /// Their number.
        found: usize,
        /// The number that follows from the architecture.
        expected: usize,
    },
    /// An output weight is out of range.
    #[error("output weight {index} is {found}, expected at most {OUTPUT_WEIGHT_MAX} either way")]
    OutputWeight {
        /// Its place among the output weights.
        index: usize,
        /// The weight.
        found: i16,
    },
    /// A sum of the hidden layer does not fit 16 bits in every position.
    #[error("hidden unit {unit} of input bucket {bucket} could be {lowest} to {highest}, expected to fit 16 bits")]
    Sum {
        /// The input bucket.
        bucket: usize,
        /// The hidden unit.
        unit: usize,
        /// The lowest sum, all pieces on their worst squares.
        lowest: i64,
        /// The highest sum, all pieces on their best squares.
        highest: i64,
    },
}

impl Network {
    /// Reads a network file to its end.
    ///
    /// # Errors
    /// [`NetworkError`] says what is wrong with it.
    pub fn read(source: &mut impl Read) -> Result<Network, NetworkError> {
        let mut content = Vec::new();
        take(source, &mut content, "header", HEADER_LEN)?;
        let header = Header::parse(&content)?;
        take(source, &mut content, "description", header.description_len)?;
        let payload_len = payload_len(header.architecture);
        take(source, &mut content, "weights", payload_len)?;
        let mut checksum = Vec::new();
        take(source, &mut checksum, "checksum", CHECKSUM_LEN)?;
        let stored = NetworkHash(u64::from_le_bytes(array(&checksum, 0)));
        let computed = NetworkHash(XxHash3_64::oneshot(&content));
        if stored != computed {
            return Err(NetworkError::Checksum { stored, computed });
        }
        if source.read(&mut [0])? != 0 {
            return Err(NetworkError::Trailing);
        }
        let (description, payload) = content[HEADER_LEN..].split_at(header.description_len);
        let description = std::str::from_utf8(description)
            .map_err(|error| NetworkError::DescriptionText { valid_up_to: error.valid_up_to() })?;
        Network::from_parts(&header.parts(description, payload))
    }

    /// The network file.
    pub fn to_bytes(&self) -> Vec<u8> {
        seal(self).0
    }
}

/// The file of a network, and the checksum in it.
pub(super) fn seal(network: &Network) -> (Vec<u8>, NetworkHash) {
    let architecture = network.architecture();
    let mut bytes = Vec::with_capacity(HEADER_LEN + DESCRIPTION_MAX + payload_len(architecture) + CHECKSUM_LEN);
    bytes.extend_from_slice(&MAGIC);
    bytes.extend_from_slice(&FORMAT_VERSION.to_le_bytes());
    for size in [
        INPUTS,
        architecture.input_buckets(),
        architecture.hidden(),
        architecture.output_buckets(),
        network.scale().into(),
        network.description().len(),
    ] {
        // All below 4097.
        bytes.extend_from_slice(&(size as u16).to_le_bytes());
    }
    bytes.extend_from_slice(&(payload_len(architecture) as u32).to_le_bytes());
    bytes.extend_from_slice(network.description().as_bytes());
    for blocks in [network.feature_weights(), network.feature_biases(), network.output_weights()] {
        bytes.extend(numbers(blocks).flat_map(i16::to_le_bytes));
    }
    bytes.extend(network.output_biases().iter().flat_map(|bias| bias.to_le_bytes()));
    let hash = XxHash3_64::oneshot(&bytes);
    bytes.extend_from_slice(&hash.to_le_bytes());
    (bytes, NetworkHash(hash))
}

/// Bytes of all weights; below 2^24.
fn payload_len(architecture: Architecture) -> usize {
    let short = architecture.feature_weights() + architecture.feature_biases() + architecture.output_weights();
    short * size_of::<i16>() + architecture.output_biases() * size_of::<i32>()
}

/// Reads so many bytes and no more.
fn take(
    source: &mut impl Read,
    content: &mut Vec<u8>,
    part: &'static str,
    expected: usize,
) -> Result<(), NetworkError> {
    let found = source.by_ref().take(expected as u64).read_to_end(content)?;
    // What is no network at all is better called so than truncated.
    if part == "header" && !content.starts_with(&MAGIC) {
        content.truncate(MAGIC.len());
        return Err(NetworkError::Magic { found: std::mem::take(content) });
    }
    if found < expected { Err(NetworkError::Truncated { part, found, expected }) } else { Ok(()) }
}

/// The bytes from `at` on; the caller knows that they are there.
fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(&bytes[at..at + N]);
    array
}

/// What the header says, once it is known to be right.
struct Header {
    architecture: Architecture,
    scale: u16,
    description_len: usize,
}

impl Header {
    fn parse(bytes: &[u8]) -> Result<Header, NetworkError> {
        let short = |at| u16::from_le_bytes(array(bytes, at));
        let version = u32::from_le_bytes(array(bytes, 8));
        if version != FORMAT_VERSION {
            return Err(NetworkError::Version { found: version });
        }
        if usize::from(short(12)) != INPUTS {
            return Err(NetworkError::Inputs { found: short(12) });
        }
        let architecture = Architecture::new(short(14).into(), short(16).into(), short(18).into())?;
        let description_len = usize::from(short(22));
        if description_len > DESCRIPTION_MAX {
            return Err(NetworkError::DescriptionLength { found: description_len });
        }
        let found = u32::from_le_bytes(array(bytes, 24));
        let expected = payload_len(architecture) as u32;
        if found != expected {
            return Err(NetworkError::PayloadLength { found, expected, architecture });
        }
        Ok(Header { architecture, scale: short(20), description_len })
    }

    fn parts(&self, description: &str, payload: &[u8]) -> Parts {
        let architecture = self.architecture;
        let mut rest = payload;
        let mut shorts = |count: usize| -> Vec<i16> {
            let (these, others) = rest.split_at(count * size_of::<i16>());
            rest = others;
            these.chunks_exact(size_of::<i16>()).map(|bytes| i16::from_le_bytes(array(bytes, 0))).collect()
        };
        let feature_weights = shorts(architecture.feature_weights());
        let feature_biases = shorts(architecture.feature_biases());
        let output_weights = shorts(architecture.output_weights());
        let output_biases = rest.chunks_exact(size_of::<i32>()).map(|bytes| i32::from_le_bytes(array(bytes, 0)));
        Parts {
            architecture,
            scale: self.scale,
            description: description.to_owned(),
            feature_weights,
            feature_biases,
            output_weights,
            output_biases: output_biases.collect(),
        }
    }
}
