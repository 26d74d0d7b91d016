//! The table of the parameters. The struct is the survey's, which clusters by them too.

use unframe_survey::mdl::{Cost, MdlParams, ModeRule, Search};

use crate::params::{Param, Params, Preset, put, put_switch, switch};

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

impl Params for MdlParams {
    const METHOD: &'static str = "mdl";
    const TABLE: &'static [Param<Self>] = &[
        Param::value(
            "mdl",
            "seed|delta",
            "What a description has to say: `seed`, templates and which page has which, as the \
             paper prints it (it never grows by a merge, so everything ends in one cluster); \
             `delta`, also where pages differ from their template",
            |params| name_of(COSTS, params.cost),
            |params, value| put_one_of(COSTS, &mut params.cost, "mdl", value),
        ),
        Param::value(
            "mode-rule",
            "RULE",
            "Which paths decide from how many pages on a path is essential: `literal`, all, as in \
             the paper; `ignore-singletons`, paths on two pages or more; `elements`, paths of \
             elements, not of texts",
            |params| name_of(MODE_RULES, params.mode_rule),
            |params, value| put_one_of(MODE_RULES, &mut params.mode_rule, "mode-rule", value),
        ),
        Param::switch(
            "room",
            "Pad matrices that would be more than half full",
            |params: &MdlParams| switch(params.room),
            |params: &mut MdlParams, value| put_switch(&mut params.room, value),
        )
        .no_flag(),
        Param::value(
            "search",
            "SEARCH",
            "How pairs to merge are found: `exact`, every pair; `lsh`, pairs that share a band of \
             their MinHash signatures; `estimate`, also costs from signatures; `auto`, exact for \
             few pages, lsh for many",
            |params| name_of(SEARCHES, params.search),
            |params, value| put_one_of(SEARCHES, &mut params.search, "search", value),
        ),
        Param::value(
            "exact-limit",
            "PAGES",
            "`--search auto` compares all pairs up to this many pages",
            |params| Some(params.exact_limit.to_string()),
            |params, value| put(&mut params.exact_limit, "exact-limit", value),
        ),
        Param::value(
            "hashes",
            "N",
            "Length of the signature of a page, for `lsh` and `estimate`",
            |params| Some(params.hashes.to_string()),
            |params, value| put(&mut params.hashes, "hashes", value),
        ),
        Param::value(
            "bands",
            "N",
            "Bands that a signature is cut into; more bands find pairs that are less similar",
            |params| Some(params.bands.to_string()),
            |params, value| put(&mut params.bands, "bands", value),
        ),
    ];
    const PRESETS: &'static [Preset<Self>] = &[
        Preset {
            name: "modern",
            help: "what works on today's pages",
            params: MdlParams::default,
        },
        Preset {
            name: "kim-shim",
            help: "the paper to the letter: all pages end in one cluster",
            params: MdlParams::kim_shim,
        },
    ];

    fn check(&self) -> Result<(), String> {
        MdlParams::check(self).map_err(|error| error.to_string())
    }
}

fn put_one_of<T: Copy>(
    values: &[(&str, T)],
    field: &mut T,
    key: &str,
    value: &str,
) -> Result<(), String> {
    let found = values.iter().find(|(name, _)| *name == value);
    let Some((_, found)) = found else {
        let names: Vec<&str> = values.iter().map(|(name, _)| *name).collect();
        return Err(format!(
            "`{key}={value}` is not known; it is one of {}",
            names.join(", ")
        ));
    };
    *field = *found;
    Ok(())
}

fn name_of<T: PartialEq>(values: &[(&str, T)], value: T) -> Option<String> {
    let found = values.iter().find(|(_, other)| *other == value);
    found.map(|(name, _)| name.to_string())
}
