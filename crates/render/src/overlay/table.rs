//! The reasons of all regions as data for the program of the overlay. What many regions share is
//! stored once, and the regions that fit are described.

use foldhash::HashMap;
use serde::Serialize;
use unframe_labels::{Label, Slot};

use crate::explained::{ExplainedRegion, Votes};

/// Bytes for the description of regions, beside those that the page itself allows for.
const ROOM: usize = 1 << 20;
/// How many times the page the description of its regions and their tags may take.
const SHARE: usize = 2;
/// Bytes of the tags around a text.
const TAGS: usize = 48;

/// Evidence to show per region, strongest first.
const MOST_EVIDENCE: usize = 12;
/// Bytes of a selector to show; of a longer one the end.
const MOST_CSS: usize = 300;

/// The data of the program.
#[derive(Default, Serialize)]
pub(crate) struct Table<'a> {
    /// The name of the page.
    pub name: &'a str,
    /// The method gives probabilities.
    sure: bool,
    /// What the reader should know of the page.
    pub notes: Vec<String>,
    rules: Vec<&'a str>,
    evidence: Vec<&'static str>,
    /// The first regions of the page.
    regions: Vec<Row<'a>>,
}

/// A region.
#[derive(Serialize)]
struct Row<'a> {
    frame: bool,
    rule: usize,
    css: String,
    bytes: (usize, usize),
    #[serde(skip_serializing_if = "Option::is_none")]
    template: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    boilerplate: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seen: Option<(u32, u32)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cluster: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    design: Option<(u32, u32)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    slot: Option<Slot>,
    #[serde(skip_serializing_if = "Option::is_none")]
    votes: Option<&'a Votes>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    evidence: Vec<(usize, f32)>,
}

impl<'a> Table<'a> {
    /// Describes the regions of a page of this many bytes, as far as there is room for them.
    pub(crate) fn of(regions: &'a [ExplainedRegion], bytes: usize) -> Table<'a> {
        let is_sure = |region: &ExplainedRegion| region.why.probability.is_some();
        let mut table = Table {
            sure: regions.iter().any(is_sure),
            ..Table::default()
        };
        let (mut rules, mut names) = (HashMap::default(), HashMap::default());
        let mut room = SHARE * bytes + ROOM;
        for region in regions {
            let known = table.rules.len();
            let row = Row {
                rule: number(&mut rules, &mut table.rules, &region.why.rule),
                evidence: (region.why.evidence.iter().take(MOST_EVIDENCE))
                    .map(|(name, weight)| {
                        let name = number(&mut names, &mut table.evidence, name);
                        (name, rounded(*weight))
                    })
                    .collect(),
                ..Row::of(region)
            };
            let rule = table.rules[known..].iter().map(|rule| rule.len() + 3);
            let length = serde_json::to_string(&row).map_or(0, |json| json.len());
            let cost = length + rule.sum::<usize>() + region.texts.len() * TAGS;
            let Some(left) = room.checked_sub(cost) else {
                table.rules.truncate(known);
                break;
            };
            room = left;
            table.regions.push(row);
        }
        let described = table.regions.len();
        if described < regions.len() {
            table.notes.push(format!(
                "Of {} regions the first {described} are tinted and explained; `unframe why --json` \
                 lists all.",
                regions.len()
            ));
        }
        table
    }

    /// How many regions are described.
    pub(crate) fn described(&self) -> usize {
        self.regions.len()
    }
}

impl<'a> Row<'a> {
    fn of(region: &'a ExplainedRegion) -> Row<'a> {
        let why = &region.why;
        Row {
            frame: why.label == Label::Template,
            rule: 0,
            css: end_of(&region.css),
            bytes: (region.start, region.end),
            template: why.template.map(rounded),
            boilerplate: why.boilerplate.map(rounded),
            seen: why.seen,
            cluster: why.cluster,
            design: why.design,
            slot: why.slot.map(|slot| Slot {
                repeats: rounded(slot.repeats),
                linked: rounded(slot.linked),
                words: rounded(slot.words),
                ..slot
            }),
            votes: region.votes.as_ref(),
            evidence: Vec::new(),
        }
    }
}

/// The number of a text in the list, to which it is added if it is new.
fn number<'a>(
    known: &mut HashMap<&'a str, usize>,
    list: &mut Vec<&'a str>,
    text: &'a str,
) -> usize {
    *known.entry(text).or_insert_with(|| {
        list.push(text);
        list.len() - 1
    })
}

fn rounded(number: f32) -> f32 {
    (number * 1000.0).round() / 1000.0
}

fn end_of(css: &str) -> String {
    match css.len() <= MOST_CSS {
        true => css.into(),
        false => format!("… {}", &css[css.ceil_char_boundary(css.len() - MOST_CSS)..]),
    }
}
