//! The parameters of a method as flags, made from its table.

use clap::{Arg, ArgAction, ArgMatches, Command};
use unframe::methods::params::{OFF, ON, ParamDoc};
use unframe::methods::{MethodEntry, MethodSpec};

/// A flag that was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenFlag {
    /// As it was typed, without its value.
    pub flag: String,
    /// The parameter that it sets.
    pub key: &'static str,
    /// Its value.
    pub value: String,
}

/// Adds a flag for every parameter of a method that has one.
pub fn add_flags(mut command: Command, entry: &MethodEntry, heading: &'static str) -> Command {
    for doc in entry.params() {
        let Some(flag) = doc.info.flag else {
            continue;
        };
        let mut arg = Arg::new(flag).long(flag).help_heading(heading);
        if flag != doc.info.key {
            arg = arg.visible_alias(doc.info.key);
        }
        arg = arg.help(format!("{}{}", doc.info.help, defaults(&doc)));
        match doc.info.value {
            Some(value) => {
                // Their values are checked together, when the method is built.
                command = command.arg(arg.value_name(value).action(ArgAction::Set));
            }
            None => {
                let no = format!("no-{flag}");
                let off = Arg::new(no.clone())
                    .long(no.clone())
                    .help_heading(heading)
                    .help(format!("Turn --{flag} off"))
                    .action(ArgAction::SetTrue);
                let on = arg.overrides_with(no).action(ArgAction::SetTrue);
                command = command.arg(on).arg(off);
            }
        }
    }
    command
}

/// ` [default: 3; alarte-best: 8]`.
fn defaults(doc: &ParamDoc) -> String {
    let spell = |value: &str| match (doc.info.value, value) {
        (None, ON) => "on".to_string(),
        (None, OFF) => "off".to_string(),
        (_, value) => value.to_string(),
    };
    let Some(default) = &doc.default else {
        return String::new();
    };
    let presets = doc.presets.iter();
    let presets: String = presets
        .map(|(name, value)| format!("; {name}: {}", spell(value)))
        .collect();
    format!(" [default: {}{presets}]", spell(default))
}

/// The flags of a method that were given, in the order of its table.
pub fn given_flags(matches: &ArgMatches, entry: &MethodEntry) -> Vec<GivenFlag> {
    let mut found = Vec::new();
    for doc in entry.params() {
        let Some(flag) = doc.info.flag else {
            continue;
        };
        let mut add = |flag: &str, value: &str| {
            found.push(GivenFlag {
                flag: format!("--{flag}"),
                key: doc.info.key,
                value: value.to_string(),
            });
        };
        let is_on = |flag: &str| matches.get_flag(flag);
        match doc.info.value {
            Some(_) => {
                if let Some(value) = matches.get_one::<String>(flag) {
                    add(flag, value);
                }
            }
            None => {
                let no = format!("no-{flag}");
                if is_on(&no) {
                    add(&no, OFF);
                } else if is_on(flag) {
                    add(flag, ON);
                }
            }
        }
    }
    found
}

/// A method with its flags as settings.
pub fn build(
    name: &str,
    preset: Option<&str>,
    flags: &[GivenFlag],
    more: &[(&str, &str)],
) -> Result<MethodSpec, String> {
    let mut settings: Vec<(&str, &str)> = more.to_vec();
    settings.extend(preset.map(|preset| ("preset", preset)));
    settings.extend(flags.iter().map(|flag| (flag.key, flag.value.as_str())));
    MethodSpec::new(name, &settings)
}
