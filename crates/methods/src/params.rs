//! Parameters by name: one table per parameter struct.
//!
//! The table is the only list of a method's parameters. It reads and writes `method:key=value`, and
//! faces make their flags, JSON and documentation from it.
//!
//! ```
//! use unframe_methods::StreamParams;
//! use unframe_methods::params::{parse, spell};
//!
//! let params: StreamParams = parse(&[("df", "3"), ("separators", "table+div")])?;
//! assert_eq!(params.df, 3);
//! assert_eq!(spell(&params), ["df=3"]);
//! # Ok::<(), String>(())
//! ```

use std::fmt::Display;
use std::str::FromStr;

/// The parameters of one method. `Default` is the first preset.
pub trait Params: Clone + Default + PartialEq + Send + Sync + 'static {
    /// The method.
    const METHOD: &'static str;
    /// Every parameter.
    const TABLE: &'static [Param<Self>];
    /// Parameters that belong together under a name, the default first. Empty if there are none but
    /// the default.
    const PRESETS: &'static [Preset<Self>] = &[];

    /// What to write instead of a setting that earlier versions had.
    fn former(_key: &str) -> Option<&'static str> {
        None
    }

    /// Refuses values that make no sense.
    fn check(&self) -> Result<(), String>;
}

/// One parameter of `P`.
pub struct Param<P> {
    /// Its name and documentation.
    pub info: ParamInfo,
    get: fn(&P) -> Option<String>,
    set: fn(&mut P, &str) -> Result<(), String>,
}

/// What a face needs to know of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParamInfo {
    /// Its name in `method:key=value` and in JSON, after the paper's symbol.
    pub key: &'static str,
    /// The long flag of the command line, without the dashes; none if it has no flag.
    pub flag: Option<&'static str>,
    /// What its value is called in help texts; none for a switch, which `no-KEY` turns off.
    pub value: Option<&'static str>,
    /// What it means, for people; the default is added.
    pub help: &'static str,
}

/// A parameter with its default, and with what the presets change it to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamDoc {
    /// The parameter.
    pub info: ParamInfo,
    /// Its default as it is written; none if it is not set.
    pub default: Option<String>,
    /// Presets that differ, by name.
    pub presets: Vec<(&'static str, String)>,
}

impl ParamDoc {
    /// Of one parameter.
    pub fn of<P: Params>(param: &Param<P>) -> ParamDoc {
        let default = param.get(&P::default());
        let presets = P::PRESETS.iter().filter_map(|preset| {
            let own = param.get(&(preset.params)());
            let own = own.filter(|own| default.as_ref() != Some(own))?;
            Some((preset.name, own))
        });
        ParamDoc {
            info: param.info,
            presets: presets.collect(),
            default,
        }
    }

    /// One of its values for people: a switch is on or off.
    pub fn for_people<'a>(&self, value: &'a str) -> &'a str {
        match (self.info.value, value) {
            (None, ON) => "on",
            (None, OFF) => "off",
            (_, value) => value,
        }
    }
}

impl<P> Param<P> {
    /// A parameter with a value.
    pub const fn value(
        key: &'static str,
        value: &'static str,
        help: &'static str,
        get: fn(&P) -> Option<String>,
        set: fn(&mut P, &str) -> Result<(), String>,
    ) -> Self {
        Param::new(key, Some(value), help, get, set)
    }

    /// A parameter that is on or off.
    pub const fn switch(
        key: &'static str,
        help: &'static str,
        get: fn(&P) -> Option<String>,
        set: fn(&mut P, &str) -> Result<(), String>,
    ) -> Self {
        Param::new(key, None, help, get, set)
    }

    const fn new(
        key: &'static str,
        value: Option<&'static str>,
        help: &'static str,
        get: fn(&P) -> Option<String>,
        set: fn(&mut P, &str) -> Result<(), String>,
    ) -> Self {
        let info = ParamInfo {
            key,
            flag: Some(key),
            value,
            help,
        };
        Param { info, get, set }
    }

    /// The same with another flag.
    pub const fn flag(mut self, flag: &'static str) -> Self {
        self.info.flag = Some(flag);
        self
    }

    /// The same without a flag.
    pub const fn no_flag(mut self) -> Self {
        self.info.flag = None;
        self
    }

    /// Its value as it is written; none if it is not set.
    pub fn get(&self, params: &P) -> Option<String> {
        (self.get)(params)
    }
}

/// Parameters that belong together.
pub struct Preset<P> {
    /// Its name.
    pub name: &'static str,
    /// Whose they are, and what they are for.
    pub help: &'static str,
    /// The parameters.
    pub params: fn() -> P,
}

/// What a switch is set to.
pub const ON: &str = "";
/// The same, turned off.
pub const OFF: &str = "no";

/// Reads settings, `preset` among them, and checks the result.
pub fn parse<P: Params>(settings: &[(&str, &str)]) -> Result<P, String> {
    let params: P = apply(settings)?;
    params.check()?;
    Ok(params)
}

/// Reads settings that are not complete yet. The preset is what the others change, wherever it
/// stands.
pub fn apply<P: Params>(settings: &[(&str, &str)]) -> Result<P, String> {
    let preset = settings.iter().rfind(|(key, _)| *key == "preset");
    let mut params = match preset {
        Some((_, name)) => preset_named(name)?,
        None => P::default(),
    };
    for (key, value) in settings.iter().filter(|(key, _)| *key != "preset") {
        set(&mut params, key, value)?;
    }
    Ok(params)
}

/// Changes one parameter; it is not checked against the others yet.
pub fn set<P: Params>(params: &mut P, key: &str, value: &str) -> Result<(), String> {
    let find = |key: &str| P::TABLE.iter().find(|param| param.info.key == key);
    let is_switch = |param: &&Param<P>| param.info.value.is_none();
    if let Some(param) = find(key) {
        return (param.set)(params, value);
    }
    match key.strip_prefix("no-").and_then(find).filter(is_switch) {
        Some(param) => (param.set)(params, OFF),
        None => Err(format!("`{}` has no setting `{key}`", P::METHOD)),
    }
}

fn preset_named<P: Params>(name: &str) -> Result<P, String> {
    let found = P::PRESETS.iter().find(|preset| preset.name == name);
    found.map(|preset| (preset.params)()).ok_or_else(|| {
        let names: Vec<&str> = P::PRESETS.iter().map(|preset| preset.name).collect();
        match names.is_empty() {
            true => format!("`{}` has no presets", P::METHOD),
            false => format!(
                "`{}` has no preset `{name}`; there are {}",
                P::METHOD,
                names.join(", ")
            ),
        }
    })
}

/// The settings that [`parse`] makes the same parameters of: the nearest preset, unless it is the
/// default, and what differs from it.
pub fn spell<P: Params>(params: &P) -> Vec<String> {
    let mut shortest = differences(params, &P::default());
    for preset in P::PRESETS.iter().skip(1) {
        let others = differences(params, &(preset.params)());
        if others.len() < shortest.len() {
            shortest = vec![format!("preset={}", preset.name)];
            shortest.extend(others);
        }
    }
    shortest
}

fn differences<P: Params>(params: &P, usual: &P) -> Vec<String> {
    let mut found = Vec::new();
    for param in P::TABLE {
        let (own, usual) = ((param.get)(params), (param.get)(usual));
        if own == usual {
            continue;
        }
        let key = param.info.key;
        found.push(match (param.info.value, own) {
            (Some(_), Some(value)) => format!("{key}={}", value.replace(',', "+")),
            (None, Some(value)) if value == ON => key.to_string(),
            _ => format!("no-{key}"),
        });
    }
    found
}

/// Sets a field from its text.
pub fn put<T: FromStr>(field: &mut T, key: &str, value: &str) -> Result<(), String>
where
    T::Err: Display,
{
    *field = value
        .parse()
        .map_err(|_| format!("`{value}` is not a number; `{key}` takes one"))?;
    Ok(())
}

/// Sets a field from one of its words; the error names them.
pub fn put_word<T: FromStr<Err = String>>(field: &mut T, value: &str) -> Result<(), String> {
    *field = value.parse()?;
    Ok(())
}

/// Sets a switch.
pub fn put_switch(field: &mut bool, value: &str) -> Result<(), String> {
    *field = match value {
        ON | "yes" | "true" => true,
        OFF | "false" => false,
        _ => return Err(format!("`{value}` is neither yes nor no")),
    };
    Ok(())
}

/// What a switch is written as.
pub fn switch(on: bool) -> Option<String> {
    Some(if on { ON } else { OFF }.to_string())
}

/// `n=8,t=4` as settings.
pub fn split(text: &str) -> Vec<(&str, &str)> {
    let settings = text.split(',').filter(|setting| !setting.is_empty());
    settings
        .map(|setting| setting.split_once('=').unwrap_or((setting, ON)))
        .collect()
}
