//! The parameters of a method as flags, generated from its table.

use std::marker::PhantomData;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use unframe::methods::params::{OFF, ON, ParamDoc, Params, apply};

use crate::exit::UsageError;
use crate::method_help::{add_flag, of_method};

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

/// The flags of one parameter struct.
#[derive(Clone, Debug)]
pub struct ParamArgs<P> {
    /// Those that were given.
    pub given: Vec<GivenFlag>,
    params: PhantomData<P>,
}

impl<P: Params> ParamArgs<P> {
    /// The first of the flags that was given.
    pub fn first(&self) -> Option<&str> {
        self.given.first().map(|given| given.flag.as_str())
    }

    /// The parameters of the preset, changed by the flags; not validated yet.
    pub fn params(&self, preset: Option<&str>) -> Result<P, UsageError> {
        let given = self.given.iter().map(|flag| (flag.key, &*flag.value));
        let preset = preset.map(|preset| ("preset", preset));
        let settings: Vec<(&str, &str)> = preset.into_iter().chain(given).collect();
        apply(&settings).map_err(UsageError)
    }

    fn table() -> Vec<ParamDoc> {
        P::TABLE.iter().map(ParamDoc::of).collect()
    }
}

impl<P: Params> Args for ParamArgs<P> {
    fn augment_args(command: Command) -> Command {
        let command = add_flag(command);
        add_flags(command, &Self::table(), |arg| of_method(arg, P::METHOD))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<P: Params> FromArgMatches for ParamArgs<P> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(ParamArgs {
            given: given_flags(matches, &Self::table()),
            params: PhantomData,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Adds a flag for every parameter that has one; `place` says where the help shows it.
pub fn add_flags(mut command: Command, table: &[ParamDoc], place: impl Fn(Arg) -> Arg) -> Command {
    for doc in table {
        let Some(flag) = doc.info.flag else {
            continue;
        };
        let mut arg = place(Arg::new(flag).long(flag));
        if flag != doc.info.key {
            arg = arg.visible_alias(doc.info.key);
        }
        arg = arg.help(format!("{}{}", doc.info.help, defaults(doc)));
        match doc.info.value {
            Some(value) => {
                // Values are validated together, when the method is built.
                command = command.arg(arg.value_name(value).action(ArgAction::Set));
            }
            None => {
                let no = format!("no-{flag}");
                let off = place(Arg::new(no.clone()).long(no.clone()))
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
    let Some(default) = &doc.default else {
        return String::new();
    };
    let presets = doc.presets.iter();
    let presets: String = presets
        .map(|(name, value)| format!("; {name}: {}", doc.for_people(value)))
        .collect();
    format!(" [default: {}{presets}]", doc.for_people(default))
}

/// The flags that were given, in the order of the table.
pub fn given_flags(matches: &ArgMatches, table: &[ParamDoc]) -> Vec<GivenFlag> {
    let mut found = Vec::new();
    for doc in table {
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
