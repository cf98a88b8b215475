//! The forms in which commands print their results.

/// Form of output.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// One JSON object per line
    Json,
}
