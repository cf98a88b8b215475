//! Files for every command that writes them: whole or not at all, and what exists is kept unless `--overwrite` says
//! otherwise.

mod folder;

use chuhe_files::Existing;

pub(crate) use folder::OutputFolder;

/// The argument of commands that can write a file.
#[derive(clap::Args)]
pub(crate) struct OverwriteArgs {
    /// Replace existing files; otherwise stop at the first one
    #[arg(long, requires = "output")]
    overwrite: bool,
}

impl OverwriteArgs {
    /// What becomes of existing files.
    pub(crate) fn existing(&self) -> Existing {
        Existing::replaced_if(self.overwrite)
    }
}
