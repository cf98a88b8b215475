//! The file from which an interrupted run goes on as if nothing had happened.
//!
//! | bytes | content (little endian) |
//! |---|---|
//! | 8 | `CHUHECKP` |
//! | 4 | format version |
//! | 4 | length of the header, `h` |
//! | `h` | header, TOML: what the run is, how far it is, its losses ([`RunRecord`]) |
//! | 12 a parameter | parameters, means of the gradient, means of its square, each f32 |
//! | 8 | XXH3 (64 bits) of everything before |

use std::hash::Hasher as _;
use std::io::{self, Read, Write};

use twox_hash::XxHash3_64;

use super::run_record::RunRecord;
use super::tensors::{Layout, Tensors};
use super::trainer::State;

const MAGIC: [u8; 8] = *b"CHUHECKP";
/// The format written, and the only one read.
const VERSION: u32 = 1;
/// The longest header that is believed.
const HEADER_MAX: u32 = 16 << 20;

/// Why a run cannot go on from a file.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The system refused.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Another kind of file.
    #[error("not a checkpoint: begins with \"{}\", expected \"{}\"", .0.escape_ascii(), MAGIC.escape_ascii())]
    Magic([u8; 8]),
    /// Another format.
    #[error("checkpoint format {0}, expected {VERSION}")]
    Version(u32),
    /// The header's length is not credible.
    #[error("header of {0} bytes, expected at most {HEADER_MAX}")]
    HeaderLength(u32),
    /// The header is not what it should be.
    #[error("header: {0}")]
    Header(String),
    /// The file was cut or changed.
    #[error("damaged: {0}")]
    Damaged(&'static str),
}

/// Writes all of a run that is not its data.
pub(crate) fn write(output: &mut impl Write, record: &RunRecord, state: &State) -> Result<(), CheckpointError> {
    let header = toml::to_string(record).map_err(|error| CheckpointError::Header(error.to_string()))?;
    let mut output = Hashing { inner: output, hash: XxHash3_64::new() };
    output.write_all(&MAGIC)?;
    output.write_all(&VERSION.to_le_bytes())?;
    output.write_all(&(header.len() as u32).to_le_bytes())?;
    output.write_all(header.as_bytes())?;
    for tensors in [&state.parameters, &state.first, &state.second] {
        let mut bytes = Vec::new();
        for row in tensors.rows() {
            bytes.clear();
            bytes.extend(row.0.iter().flat_map(|value| value.to_le_bytes()));
            output.write_all(&bytes)?;
        }
    }
    let checksum = output.hash.finish();
    output.inner.write_all(&checksum.to_le_bytes())?;
    Ok(output.inner.flush()?)
}

/// A checkpoint's header, with the rest of it still to be read.
#[derive(Debug)]
pub(crate) struct Reader<R> {
    pub(crate) record: RunRecord,
    input: Hashing<R>,
}

impl<R: Read> Reader<R> {
    /// Reads the header.
    pub(crate) fn new(input: R) -> Result<Reader<R>, CheckpointError> {
        let mut input = Hashing { inner: input, hash: XxHash3_64::new() };
        let magic = input.array()?;
        if magic != MAGIC {
            return Err(CheckpointError::Magic(magic));
        }
        let version = u32::from_le_bytes(input.array()?);
        if version != VERSION {
            return Err(CheckpointError::Version(version));
        }
        let length = u32::from_le_bytes(input.array()?);
        if length > HEADER_MAX {
            return Err(CheckpointError::HeaderLength(length));
        }
        let mut header = vec![0; length as usize];
        input.fill(&mut header)?;
        let header = String::from_utf8(header).map_err(|_| CheckpointError::Header("not UTF-8".into()))?;
        let record = toml::from_str(&header).map_err(|error| CheckpointError::Header(error.to_string()))?;
        Ok(Reader { record, input })
    }

    /// Reads the numbers, of which the layout says how many there are.
    pub(crate) fn state(mut self, layout: &Layout) -> Result<(RunRecord, State), CheckpointError> {
        let mut state = State { updates: self.record.updates(), ..State::zero(layout) };
        for tensors in [&mut state.parameters, &mut state.first, &mut state.second] {
            self.input.read_tensors(tensors)?;
        }
        let computed = self.input.hash.finish();
        if u64::from_le_bytes(self.input.array()?) != computed {
            return Err(CheckpointError::Damaged("the checksum does not agree with the content"));
        }
        Ok((self.record, state))
    }
}

/// Hashes what passes through.
struct Hashing<T> {
    inner: T,
    hash: XxHash3_64,
}

impl<T> std::fmt::Debug for Hashing<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hashing").finish_non_exhaustive()
    }
}

impl<T: Write> Hashing<T> {
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash.write(bytes);
        self.inner.write_all(bytes)
    }
}

impl<T: Read> Hashing<T> {
    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), CheckpointError> {
        self.inner.read_exact(bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => CheckpointError::Damaged("the file ends too early"),
            _ => CheckpointError::Io(error),
        })?;
        self.hash.write(bytes);
        Ok(())
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], CheckpointError> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn read_tensors(&mut self, tensors: &mut Tensors) -> Result<(), CheckpointError> {
        let mut bytes = [0; 4 * super::tensors::TILE];
        for row in tensors.rows_mut() {
            self.fill(&mut bytes)?;
            for (value, bytes) in row.0.iter_mut().zip(bytes.as_chunks().0) {
                *value = f32::from_le_bytes(*bytes);
            }
        }
        Ok(())
    }
}
