//! `links` as one word, with what differs from the usual: `links:preset=alarte-best,t=5`.

use unframe::links::Weights;
use unframe::{LinksParams, LinksPreset};

use crate::methods::{MethodSpec, number};

/// The method that the settings describe.
pub fn parse(settings: &[(&str, &str)]) -> Result<MethodSpec, String> {
    // The preset is what the others change, wherever it stands.
    let preset = settings.iter().rfind(|(key, _)| *key == "preset");
    let preset = preset.map_or(Ok(LinksPreset::Modern), |(_, name)| name.parse())?;
    let arrival = settings.iter().any(|(key, _)| *key == "arrival");
    let settings: Vec<_> = settings
        .iter()
        .copied()
        .filter(|(key, _)| !matches!(*key, "preset" | "arrival"))
        .collect();
    let params = change(preset.params(), &settings)?;
    MethodSpec::links(params, arrival).map_err(|error| error.to_string())
}

/// `n=8,t=4` as settings.
pub fn split(text: &str) -> Vec<(&str, &str)> {
    let settings = text.split(',').filter(|setting| !setting.is_empty());
    settings
        .map(|setting| setting.split_once('=').unwrap_or((setting, "")))
        .collect()
}

/// Parameters with some of them changed.
pub fn change(mut params: LinksParams, settings: &[(&str, &str)]) -> Result<LinksParams, String> {
    for (key, value) in settings {
        match *key {
            "n" => params.n = number(key, value)?,
            "t" => params.t = number(key, value)?,
            "keep" => params.keep = number(key, value)?,
            "pt" => params.threshold = number(key, value)?,
            "wc" => params.weights.classes = number(key, value)?,
            "wp" => params.weights.position = number(key, value)?,
            "wa" => params.weights.attributes = number(key, value)?,
            "wch" => params.weights.children = number(key, value)?,
            "pnc" => params.no_classes = number(key, value)?,
            "pna" => params.no_attributes = number(key, value)?,
            "pnch" => params.no_children = number(key, value)?,
            "ids" => params.ids = value.parse()?,
            "classes" => params.classes = value.parse()?,
            "texts" => params.texts = value.parse()?,
            "page-attributes" => params.page_attributes = true,
            "no-page-attributes" => params.page_attributes = false,
            _ => {
                return Err(format!(
                    "`links` has no setting `{key}`; it has preset, arrival, n, t, keep, pt, wc, \
                     wp, wa, wch, pnc, pna, pnch, ids, classes, texts, page-attributes and \
                     no-page-attributes, as in `links:preset=alarte-best,t=5`"
                ));
            }
        }
    }
    Ok(params)
}

/// The preset that is nearest, unless it is the usual one, and what differs from it.
pub fn settings(params: &LinksParams, arrival: bool) -> Vec<String> {
    let mut nearest = differences(params, &LinksPreset::Modern.params());
    for preset in [LinksPreset::Alarte2014, LinksPreset::AlarteBest] {
        let other = differences(params, &preset.params());
        if other.len() + 1 < nearest.len() {
            nearest = vec![format!("preset={preset}")];
            nearest.extend(other);
        }
    }
    if arrival {
        nearest.push("arrival".into());
    }
    nearest
}

fn differences(params: &LinksParams, usual: &LinksParams) -> Vec<String> {
    let weights = |params: &LinksParams| {
        let Weights {
            classes,
            position,
            attributes,
            children,
            ..
        } = params.weights;
        [classes, position, attributes, children]
    };
    let numbers = |params: &LinksParams| {
        let [wc, wp, wa, wch] = weights(params);
        [
            ("n", params.n.to_string()),
            ("t", params.t.to_string()),
            ("keep", params.keep.to_string()),
            ("pt", params.threshold.to_string()),
            ("wc", wc.to_string()),
            ("wp", wp.to_string()),
            ("wa", wa.to_string()),
            ("wch", wch.to_string()),
            ("pnc", params.no_classes.to_string()),
            ("pna", params.no_attributes.to_string()),
            ("pnch", params.no_children.to_string()),
            ("ids", params.ids.to_string()),
            ("classes", params.classes.to_string()),
            ("texts", params.texts.to_string()),
        ]
    };
    let mut found: Vec<String> = numbers(params)
        .into_iter()
        .zip(numbers(usual))
        .filter(|(own, usual)| own != usual)
        .map(|((key, value), _)| format!("{key}={value}"))
        .collect();
    if params.page_attributes != usual.page_attributes {
        let no = if params.page_attributes { "" } else { "no-" };
        found.push(format!("{no}page-attributes"));
    }
    found
}
