//! `--help-methods`: the parameters of the methods. `--help` leaves them out, because most people never
//! need one of them.

use std::ffi::OsString;
use std::io;

use clap::{Arg, ArgAction, ArgMatches, Command, Parser};

const FLAG: &str = "help-methods";

/// Parses the arguments of a program, the first of which is its name. `None` if they ask for the
/// parameters of the methods, which are printed then.
pub fn parse<C: Parser>(args: impl IntoIterator<Item = OsString>) -> io::Result<Option<C>> {
    let mut command = C::command();
    let matches = command.try_get_matches_from_mut(args);
    let mut matches = matches.unwrap_or_else(|error| error.exit());
    if let Some(asked) = asked(&command, &matches) {
        return methods_only(asked).print_long_help().map(|()| None);
    }
    let parsed = C::from_arg_matches_mut(&mut matches);
    Ok(Some(
        parsed.unwrap_or_else(|error| error.format(&mut command).exit()),
    ))
}

/// The flag, unless the command has it already.
pub(crate) fn add_flag(command: Command) -> Command {
    if command.get_arguments().any(|arg| arg.get_id() == FLAG) {
        return command;
    }
    command.arg(
        Arg::new(FLAG)
            .long(FLAG)
            .action(ArgAction::SetTrue)
            .exclusive(true)
            .help_heading("Method")
            .help("Print the parameters of the methods, which have flags of their own"),
    )
}

/// The parameter of a method as a flag that only `--help-methods` shows.
pub(crate) fn of_method(arg: Arg, method: &str) -> Arg {
    arg.help_heading(format!("{HEADING}{method}")).hide(true)
}

const HEADING: &str = "Parameters of ";

/// The command with all of its flags shown.
pub fn with_methods(command: Command) -> Command {
    let subcommands: Vec<String> = command
        .get_subcommands()
        .map(|own| own.get_name().to_string())
        .collect();
    let mut command = command.mut_args(|arg| match is_of_method(&arg) {
        true => arg.hide(false),
        false => arg,
    });
    for name in subcommands {
        command = command.mut_subcommand(name, with_methods);
    }
    command
}

fn is_of_method(arg: &Arg) -> bool {
    let heading = arg.get_help_heading();
    heading.is_some_and(|heading| heading.starts_with(HEADING))
}

/// The command whose parameters are asked for.
fn asked<'a>(command: &'a Command, matches: &ArgMatches) -> Option<&'a Command> {
    let (name, matches) = matches.subcommand()?;
    let command = command.find_subcommand(name)?;
    match matches.try_get_one::<bool>(FLAG) {
        Ok(Some(true)) => Some(command),
        _ => asked(command, matches),
    }
}

/// The command with the parameters of methods only.
fn methods_only(command: &Command) -> Command {
    let name = command.get_bin_name().unwrap_or(command.get_name());
    let mut help = Command::new(name.to_string())
        .bin_name(name)
        .about("Parameters of the methods; `--help` lists all other options")
        .override_usage(format!("{name} [OPTIONS] --method METHOD"))
        .max_term_width(100)
        .disable_help_flag(true)
        .disable_version_flag(true)
        .after_help(
            "They can also follow the name of the method, as in `--method stream:df=3`. `unframe \
             methods METHOD` describes\na method with its presets.",
        );
    for arg in command.get_arguments().filter(|arg| is_of_method(arg)) {
        // What it conflicts with is not here.
        let mut shown = Arg::new(arg.get_id().clone()).hide(false);
        shown = shown
            .action(arg.get_action().clone())
            .help_heading(arg.get_help_heading().unwrap_or_default().to_string());
        if let Some(long) = arg.get_long() {
            shown = shown.long(long.to_string());
        }
        for alias in arg.get_visible_aliases().unwrap_or_default() {
            shown = shown.visible_alias(alias.to_string());
        }
        if let Some(names) = arg.get_value_names() {
            shown = shown.value_names(names.to_vec());
        }
        if let Some(about) = arg.get_help() {
            shown = shown.help(about.clone());
        }
        help = help.arg(shown);
    }
    help
}
