//! `chuhe completions` and `chuhe man`: the grammar of the command line for shells and as manual pages.

use std::io::{self, Write as _};
use std::path::PathBuf;

use clap_complete::Shell;
use clap_mangen::Man;

use crate::arguments::grammar;
use crate::failure::CommandResult;
use crate::output::{OutputFolder, OverwriteArgs};
use crate::paths::readable;

/// Arguments of `chuhe completions`.
#[derive(clap::Args)]
#[command(after_help = "\
bash: chuhe completions bash > ~/.local/share/bash-completion/completions/chuhe
zsh:  chuhe completions zsh > _chuhe, in a folder of $fpath
fish: chuhe completions fish > ~/.config/fish/completions/chuhe.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Arguments of `chuhe man`.
#[derive(clap::Args)]
#[command(after_help = "To read the page: chuhe man | man -l -")]
pub(crate) struct ManArgs {
    /// Write the pages of the program and of all its commands into this folder
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    overwrite: OverwriteArgs,
}

/// Prints the completions of a shell.
pub(crate) fn completions(args: &CompletionsArgs) -> CommandResult {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut grammar(), "chuhe", &mut script);
    io::stdout().write_all(&script)?;
    Ok(())
}

/// Prints the manual page, or writes all of them.
pub(crate) fn man(args: &ManArgs) -> CommandResult {
    let mut program = grammar().disable_help_subcommand(true);
    program.build();
    let Some(path) = &args.output else {
        Man::new(program).render(&mut io::stdout())?;
        return Ok(());
    };
    let mut folder = OutputFolder::create(path, &[], args.overwrite.existing())?;
    write_pages(program, "", &mut folder)?;
    writeln!(io::stdout(), "{} pages in {}", folder.files(), readable(path))?;
    Ok(())
}

/// Writes the page of a command, `chuhe-match-standings.1`, and those of its subcommands.
fn write_pages(command: clap::Command, parent: &str, folder: &mut OutputFolder) -> CommandResult {
    let name = format!("{parent}{}", command.get_name());
    let prefix = format!("{name}-");
    for subcommand in command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()) {
        write_pages(subcommand.clone(), &prefix, folder)?;
    }
    let mut page = Vec::new();
    Man::new(command.name(name.clone())).render(&mut page)?;
    folder.write(name.as_ref(), "1", &page)
}
