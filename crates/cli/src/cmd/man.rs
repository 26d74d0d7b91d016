//! `unframe man`: manual pages, made from the same definitions as the help.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use unframe_console::exit::{Exit, UsageError, say};
use unframe_console::method_help::with_methods;

/// Print a manual page, or write all of them
///
/// The pages also describe the parameters of the methods, which `--help` leaves out.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  unframe man clean | man -l -                              read a page
  unframe man -o ~/.local/share/man/man1 && man unframe-clean   install all pages")]
pub struct Args {
    /// The command, as in `clean` or `state show` [default: unframe itself]
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    command: Vec<String>,

    /// Write the pages of all commands into this folder, as unframe.1, unframe-clean.1, …
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub fn run(args: Args, program: Command) -> anyhow::Result<Exit> {
    let mut program = with_methods(program).disable_help_subcommand(true);
    program.build();
    let Some(folder) = &args.out else {
        let page = page(named(&program, &args.command)?)?;
        io::stdout().write_all(&page)?;
        return Ok(Exit::Done);
    };
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot create folder {}", folder.display()))?;
    let mut commands = vec![&program];
    let mut written = 0;
    while let Some(command) = commands.pop() {
        write_page(folder, command)?;
        written += 1;
        commands.extend(command.get_subcommands().filter(|own| !own.is_hide_set()));
    }
    say(format_args!(
        "{written} manual pages in {}\n",
        folder.display()
    ));
    Ok(Exit::Done)
}

/// The command with these words.
fn named<'a>(program: &'a Command, words: &[String]) -> Result<&'a Command, UsageError> {
    let mut found = program;
    for word in words {
        found = found.find_subcommand(word).ok_or_else(|| {
            let known = found.get_subcommands().map(Command::get_name);
            let known = known.collect::<Vec<_>>().join(", ");
            let name = display_name(found);
            match known.is_empty() {
                true => UsageError(format!("`{name}` has no commands; leave out `{word}`")),
                false => UsageError(format!("`{name}` has no command `{word}`; it has {known}")),
            }
        })?;
    }
    Ok(found)
}

/// `unframe-state-show`.
fn display_name(command: &Command) -> &str {
    command.get_display_name().unwrap_or(command.get_name())
}

fn write_page(folder: &Path, command: &Command) -> anyhow::Result<()> {
    let file = folder.join(format!("{}.1", display_name(command)));
    let written = unframe_console::atomic_file::AtomicFile::create(&file).and_then(|mut out| {
        out.file().write_all(&page(command)?)?;
        out.commit()
    });
    written.with_context(|| format!("cannot write {}", file.display()))
}

/// A page as roff.
fn page(command: &Command) -> io::Result<Vec<u8>> {
    let man = Man::new(command.clone());
    let mut out = Vec::new();
    man.render_title(&mut out)?;
    man.render_name_section(&mut out)?;
    man.render_synopsis_section(&mut out)?;
    man.render_description_section(&mut out)?;
    man.render_options_section(&mut out)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut out)?;
    }
    // Tables and examples keep their lines.
    if let Some(more) = command.get_after_long_help().or(command.get_after_help()) {
        let mut roff = Roff::new();
        roff.control("SH", ["NOTES AND EXAMPLES"]).control("nf", []);
        for line in more.to_string().lines() {
            roff.text([roman(line)]);
        }
        roff.control("fi", []);
        roff.to_writer(&mut out)?;
    }
    Ok(out)
}
