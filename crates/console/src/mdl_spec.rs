//! `mdl` as one word, with what differs from the usual: `mdl:mode-rule=literal,search=lsh`.

use clap::ValueEnum;
use unframe::Mdl;
use unframe::mdl::{Cost, MdlParams, ModeRule, Search};

use crate::mdl_args::MdlPreset;
use crate::methods::{MethodSpec, number};

const COSTS: &[(&str, Cost)] = &[("seed", Cost::Seed), ("delta", Cost::Delta)];

const MODE_RULES: &[(&str, ModeRule)] = &[
    ("literal", ModeRule::Literal),
    ("ignore-singletons", ModeRule::IgnoreSingletons),
    ("elements", ModeRule::Elements),
];

const SEARCHES: &[(&str, Search)] = &[
    ("auto", Search::Auto),
    ("exact", Search::Exact),
    ("lsh", Search::Lsh),
    ("estimate", Search::Estimate),
];

/// The method that the settings describe.
pub fn parse(settings: &[(&str, &str)]) -> Result<MethodSpec, String> {
    // The preset is what the others change, wherever it stands.
    let preset = settings.iter().rfind(|(key, _)| *key == "preset");
    let preset = preset.map_or(Ok(MdlPreset::default()), |(_, name)| parse_preset(name))?;
    let (mut params, mut arrival) = (preset.params(), false);
    for (key, value) in settings {
        match *key {
            "preset" => {}
            "arrival" => arrival = true,
            "mdl" => params.cost = one_of(COSTS, key, value)?,
            "mode-rule" => params.mode_rule = one_of(MODE_RULES, key, value)?,
            "room" => params.room = true,
            "no-room" => params.room = false,
            "search" => params.search = one_of(SEARCHES, key, value)?,
            "exact-limit" => params.exact_limit = number(key, value)?,
            "hashes" => params.hashes = number(key, value)?,
            "bands" => params.bands = number(key, value)?,
            _ => {
                return Err(format!(
                    "`mdl` has no setting `{key}`; it has preset, arrival, mdl, mode-rule, room, \
                     no-room, search, exact-limit, hashes and bands, as in `mdl:mode-rule=literal,search=lsh`"
                ));
            }
        }
    }
    let other = settings.iter().find(|(key, _)| *key != "arrival");
    match (arrival, other) {
        (true, None) => Ok(MethodSpec::mdl_at_arrival()),
        (true, Some((key, _))) => Err(format!(
            "`mdl:arrival` assigns pages as they come, and `{key}` is for clusters of all pages; \
             leave out arrival or `{key}`"
        )),
        (false, _) => MethodSpec::mdl(params).map_err(|error| error.to_string()),
    }
}

/// A preset by its name.
pub fn parse_preset(name: &str) -> Result<MdlPreset, String> {
    MdlPreset::from_str(name, false)
        .map_err(|_| format!("mdl has no preset `{name}`; it has kim-shim and modern"))
}

fn one_of<T: Copy>(values: &[(&str, T)], key: &str, value: &str) -> Result<T, String> {
    let found = values.iter().find(|(name, _)| *name == value);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = values.iter().map(|(name, _)| *name).collect();
        format!(
            "`{key}={value}` is not known; it is one of {}",
            names.join(", ")
        )
    })
}

/// What differs from the usual, or from the paper's preset if that is nearer.
pub fn settings(method: &Mdl, arrival: bool) -> Vec<String> {
    if arrival {
        return vec!["arrival".into()];
    }
    let params = method.params();
    let mut usual = differences(params, &MdlParams::default());
    let paper = differences(params, &MdlParams::kim_shim());
    if paper.len() < usual.len() {
        usual = std::iter::once("preset=kim-shim".to_string())
            .chain(paper)
            .collect();
    }
    usual
}

fn differences(params: &MdlParams, usual: &MdlParams) -> Vec<String> {
    let mut found = Vec::new();
    let mut note = |key: &str, value: String, usual: String| {
        if value != usual {
            found.push(format!("{key}={value}"));
        }
    };
    let both = |of: fn(&MdlParams) -> String| (of(params), of(usual));
    let (value, other) = both(|params| name_of(COSTS, params.cost));
    note("mdl", value, other);
    let (value, other) = both(|params| name_of(MODE_RULES, params.mode_rule));
    note("mode-rule", value, other);
    let (value, other) = both(|params| name_of(SEARCHES, params.search));
    note("search", value, other);
    let (value, other) = both(|params| params.exact_limit.to_string());
    note("exact-limit", value, other);
    let (value, other) = both(|params| params.hashes.to_string());
    note("hashes", value, other);
    let (value, other) = both(|params| params.bands.to_string());
    note("bands", value, other);
    if params.room != usual.room {
        found.push(if params.room { "room" } else { "no-room" }.into());
    }
    found
}

fn name_of<T: PartialEq>(values: &[(&str, T)], value: T) -> String {
    let found = values.iter().find(|(_, other)| *other == value);
    found.map_or(String::new(), |(name, _)| name.to_string())
}
