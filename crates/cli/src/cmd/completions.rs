//! `unframe completions`: lets a shell complete commands and flags.

use std::io::Write;

use clap::Command;
use unframe_console::exit::Exit;

/// Print a completion script for a shell
#[derive(clap::Args)]
#[command(after_help = "Install it, then start a new shell:
  bash  unframe completions bash > ~/.local/share/bash-completion/completions/unframe
  zsh   unframe completions zsh > DIR/_unframe            DIR: a folder in $fpath
  fish  unframe completions fish > ~/.config/fish/completions/unframe.fish

Examples:
  unframe completions bash > unframe.bash && . ./unframe.bash    for this shell only")]
pub struct Args {
    /// The shell to complete for
    shell: clap_complete::Shell,
}

pub fn run(args: Args, mut program: Command) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "unframe", &mut script);
    std::io::stdout().write_all(&script)?;
    Ok(Exit::Done)
}
