//! `unframe methods`: the methods and their parameters, from their own tables.

use std::io::Write;

use serde_json::{Value, json};
use unframe::methods::params::ParamDoc;
use unframe::methods::{ALL, MethodEntry};
use unframe_console::exit::{Exit, UsageError};

/// List the methods, or the parameters of one
///
/// Parameters are written `METHOD:KEY=VALUE,…`, as in `stream:arrival,df=3`. Those that have a flag
/// can be set with it.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  unframe methods                 all methods
  unframe methods links           the parameters of one
  unframe methods --json")]
pub struct Args {
    /// The method to describe
    #[arg(value_name = "METHOD")]
    method: Option<String>,

    /// One JSON object per method
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    let chosen: Vec<&MethodEntry> = match &args.method {
        None => ALL.iter().collect(),
        Some(name) => match MethodEntry::named(name) {
            Some(entry) => vec![entry],
            None => {
                let names: Vec<&str> = ALL.iter().map(|entry| entry.name).collect();
                let names = names.join(", ");
                let message = format!("there is no method `{name}`; choose one of {names}");
                return Err(UsageError(message).into());
            }
        },
    };
    let mut out = std::io::stdout().lock();
    for entry in &chosen {
        if args.json {
            writeln!(out, "{}", as_json(entry))?;
        } else if args.method.is_none() {
            writeln!(out, "{:8} {}{}", entry.name, entry.summary, source(entry))?;
        } else {
            describe(&mut out, entry)?;
        }
    }
    Ok(Exit::Done)
}

fn source(entry: &MethodEntry) -> String {
    match entry.source {
        "" => String::new(),
        source => format!(" ({source})"),
    }
}

fn describe(out: &mut impl Write, entry: &MethodEntry) -> std::io::Result<()> {
    writeln!(out, "{}: {}{}", entry.name, entry.summary, source(entry))?;
    let keys: Vec<&str> = entry.run_keys.iter().map(|key| key.name()).collect();
    if !keys.is_empty() {
        writeln!(out, "\nAlso accepts: {}", keys.join(", "))?;
    }
    let presets = entry.presets();
    if !presets.is_empty() {
        writeln!(out, "\nPresets (preset=NAME, the default first):")?;
        for (name, help) in presets {
            writeln!(out, "  {name:18} {help}")?;
        }
    }
    let params = entry.params();
    if !params.is_empty() {
        writeln!(out, "\nParameters:")?;
    }
    for doc in &params {
        let key = match doc.info.value {
            Some(value) => format!("{}={value}", doc.info.key),
            None => format!("{0}, no-{0}", doc.info.key),
        };
        let default = default(doc).map_or(String::new(), |value| format!(" [default: {value}]"));
        writeln!(out, "  {key}\n      {}{default}", doc.info.help)?;
    }
    Ok(())
}

fn default(doc: &ParamDoc) -> Option<&str> {
    let value = doc.default.as_deref();
    value.map(|value| doc.for_people(value))
}

fn as_json(entry: &MethodEntry) -> Value {
    let params = entry.params();
    let params = params.iter().map(|doc| {
        json!({
            "key": doc.info.key,
            "flag": doc.info.flag.map(|flag| format!("--{flag}")),
            "value": doc.info.value,
            "default": default(doc),
            "help": doc.info.help,
        })
    });
    let presets = entry.presets();
    let presets = presets
        .iter()
        .map(|(name, help)| json!({"name": name, "help": help}));
    json!({
        "method": entry.name,
        "summary": entry.summary,
        "source": entry.source,
        "run": entry.run_keys.iter().map(|key| key.name()).collect::<Vec<_>>(),
        "presets": presets.collect::<Vec<_>>(),
        "params": params.collect::<Vec<_>>(),
    })
}
