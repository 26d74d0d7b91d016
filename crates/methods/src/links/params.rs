//! The parameters, and presets with those of the thesis.

use std::fmt;
use std::str::FromStr;

use crate::out_of_range::OutOfRange;
use crate::params::{Param, Params, Preset, put, put_switch, put_word, switch};

/// The parameters of the thesis. `Default` is [`LinksPreset::Modern`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LinksParams {
    /// How many pages the key page is compared with: the size of the complete subdigraph (*n* in
    /// §2.3; Table 5.2 tries 1 to 8). More pages cost more loads and make votes more certain.
    pub n: u32,
    /// Votes that make a node template (*t* in §3.4): the number of pages on which it has a
    /// counterpart. At most `n`. Raising it makes fewer nodes template.
    pub t: u32,
    /// The weight of each partial similarity of two nodes (§3.2).
    pub weights: Weights,
    /// *Pnc*: similarity of the classes of two nodes that have none. The thesis prints the range
    /// 0.75–1; 0.85 here.
    pub no_classes: f64,
    /// *Pna*: similarity of the attributes of two nodes that have none.
    pub no_attributes: f64,
    /// *Pnch*: similarity of the child counts of two nodes that have none.
    pub no_children: f64,
    /// *Pt*: two nodes can be counterparts only if their similarity is above this. The thesis never
    /// prints it. Two plain equal nodes at the same position reach 0.775, so it must be below that.
    pub threshold: f64,
    /// When equal ids make two elements counterparts.
    pub ids: IdRule,
    /// Which class names count.
    pub classes: ClassRule,
    /// When two texts are equal.
    pub texts: TextRule,
    /// Whether the attributes of `html` and `body` count. They often name the type of the page, and
    /// if they differ, no node of the page has a counterpart.
    pub page_attributes: bool,
    /// Maximum number of links of the key page that are considered, most relevant first. Default
    /// 2,000.
    pub max_links: usize,
    /// Maximum number of pages loaded in search of the subdigraph. Default: 20 times `n`.
    pub max_loads: Option<usize>,
    /// Where links to follow are collected.
    pub menu: MenuRule,
    /// Whether a page that does not follow the template is replaced by the next (future work of the
    /// thesis).
    pub replace_atypical: bool,
    /// Whether the main content is excluded before the trees are compared (future work of the
    /// thesis). It is recognised by its share of the text outside links.
    pub drop_main_content: bool,
    /// Number of pages per site whose trees [`LinksMethod`](super::LinksMethod) stores to compare
    /// others with. At least `n` + 1. More cost memory. Default 24.
    pub keep: u32,
}

/// The weight of each partial similarity of two nodes; the sum is 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// *wc*: classes.
    pub classes: f64,
    /// *wp*: position among the siblings.
    pub position: f64,
    /// *wa*: names of the other attributes.
    pub attributes: f64,
    /// *wch*: number of children.
    pub children: f64,
}

impl Weights {
    /// The initial weights of the thesis (§3.2).
    pub const INITIAL: Weights = Weights {
        classes: 0.4,
        position: 0.4,
        attributes: 0.1,
        children: 0.1,
    };
    /// The weights after training (§5.2.3).
    pub const FINAL: Weights = Weights {
        classes: 0.5,
        position: 0.2,
        attributes: 0.2,
        children: 0.1,
    };
}

/// When equal ids make two elements of the same tag counterparts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdRule {
    /// Always, as in the thesis.
    Faithful,
    /// If the id is unique on both pages and looks hand-written: modern ids are often generated or
    /// repeated.
    UniqueStable,
}

/// Which class names count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassRule {
    /// All, as in the thesis.
    All,
    /// Those that do not change between deployments.
    Stable,
}

/// When a text is template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextRule {
    /// If there is a text at the same position, whatever its content, as in the thesis.
    Structural,
    /// If the counterpart of its parent has the same text.
    Equal,
}

/// Where links to follow are collected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MenuRule {
    /// In the whole page.
    Page,
    /// First in the element with the highest density of links, which is most likely the menu, so
    /// that fewer pages are loaded (future work of the thesis).
    Density,
}

/// Named sets of parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinksPreset {
    /// Alarte 2014: n = 3, t = 2, the final weights; the defaults of the thesis.
    Alarte2014,
    /// Its best (Table 5.2): n = 8, t = 4.
    AlarteBest,
    /// For modern pages: stable classes, unique stable ids, equal texts, attributes of `html` and
    /// `body` ignored.
    Modern,
}

impl LinksPreset {
    /// All presets, in the order of a table.
    pub const ALL: [LinksPreset; 3] = [
        LinksPreset::Alarte2014,
        LinksPreset::AlarteBest,
        LinksPreset::Modern,
    ];

    /// The parameters.
    pub fn params(self) -> LinksParams {
        let (n, t) = match self {
            LinksPreset::AlarteBest => (8, 4),
            _ => (3, 2),
        };
        let modern = self == LinksPreset::Modern;
        LinksParams {
            n,
            t,
            weights: Weights::FINAL,
            no_classes: 0.85,
            no_attributes: 0.25,
            no_children: 1.0,
            threshold: 0.7,
            ids: if modern {
                IdRule::UniqueStable
            } else {
                IdRule::Faithful
            },
            classes: if modern {
                ClassRule::Stable
            } else {
                ClassRule::All
            },
            texts: if modern {
                TextRule::Equal
            } else {
                TextRule::Structural
            },
            page_attributes: !modern,
            max_links: 2_000,
            max_loads: None,
            menu: MenuRule::Page,
            replace_atypical: false,
            drop_main_content: false,
            keep: 24,
        }
    }
}

impl Default for LinksParams {
    fn default() -> Self {
        LinksPreset::Modern.params()
    }
}

impl LinksParams {
    /// Votes that make a node template if only `pages` pages were compared: *t* of *n* in
    /// proportion, and at least one.
    pub fn votes_of(&self, pages: usize) -> u32 {
        let share = (pages as u64 * u64::from(self.t)).div_ceil(u64::from(self.n.max(1)));
        u32::try_from(share).unwrap_or(u32::MAX).min(self.t).max(1)
    }

    /// The parameters that determine how trees are built and stored, in command line syntax.
    pub(super) fn tree_rules(&self) -> String {
        let page = if self.page_attributes {
            ",page-attributes"
        } else {
            ""
        };
        format!(
            "ids={},classes={}{page},keep={}",
            self.ids, self.classes, self.keep
        )
    }

    /// Maximum number of pages to load.
    pub fn loads(&self) -> usize {
        self.max_loads.unwrap_or(20 * self.n as usize)
    }

    /// Refuses what makes no sense.
    pub fn check_ranges(&self) -> Result<(), OutOfRange> {
        let refuse = |name, value: String, range| Err(OutOfRange { name, value, range });
        if !(1..=MOST_PAGES).contains(&self.n) {
            return refuse("n", self.n.to_string(), "at least 1 and at most 64");
        }
        if self.t < 1 || self.t > self.n {
            return refuse("t", self.t.to_string(), "at least 1 and at most n");
        }
        let shares = [
            ("pnc", self.no_classes),
            ("pna", self.no_attributes),
            ("pnch", self.no_children),
            ("weight-classes", self.weights.classes),
            ("weight-position", self.weights.position),
            ("weight-attributes", self.weights.attributes),
            ("weight-children", self.weights.children),
        ];
        for (name, value) in shares {
            if !(0.0..=1.0).contains(&value) {
                return refuse(name, value.to_string(), "from 0 to 1");
            }
        }
        let Weights {
            classes,
            position,
            attributes,
            children,
        } = self.weights;
        let sum = classes + position + attributes + children;
        if (sum - 1.0).abs() > 1e-6 {
            return refuse("the sum of the weights", sum.to_string(), "1");
        }
        if !(0.0..1.0).contains(&self.threshold) {
            return refuse("pt", self.threshold.to_string(), "at least 0 and below 1");
        }
        if !(self.n + 1..=10_000).contains(&self.keep) {
            return refuse(
                "keep",
                self.keep.to_string(),
                "more than n and at most 10000",
            );
        }
        if self.max_links == 0 {
            return refuse("max-links", "0".into(), "at least 1");
        }
        if self.max_loads == Some(0) {
            return refuse("max-loads", "0".into(), "at least 1");
        }
        Ok(())
    }
}

impl Params for LinksParams {
    const METHOD: &'static str = "links";
    const TABLE: &'static [Param<Self>] = &[
        Param::value(
            "n",
            "PAGES",
            "Compare with this many other pages",
            |params| Some(params.n.to_string()),
            |params, value| put(&mut params.n, "n", value),
        ),
        Param::value(
            "t",
            "PAGES",
            "A part of the page is template if it has a counterpart on this many of them",
            |params| Some(params.t.to_string()),
            |params, value| put(&mut params.t, "t", value),
        ),
        Param::value(
            "keep",
            "PAGES",
            "Keep the trees of this many pages of a site, to compare others with",
            |params: &LinksParams| Some(params.keep.to_string()),
            |params: &mut LinksParams, value| put(&mut params.keep, "keep", value),
        )
        .no_flag(),
        Param::value(
            "menu",
            "page|density",
            "Follow links first: anywhere in the page, as far from each other as possible, or in the menu, where they are densest",
            |params| Some(params.menu.to_string()),
            |params, value| put_word(&mut params.menu, value),
        ),
        Param::switch(
            "replace-atypical",
            "Replace pages that do not follow the template by others",
            |params| switch(params.replace_atypical),
            |params, value| put_switch(&mut params.replace_atypical, value),
        ),
        Param::switch(
            "drop-main-content",
            "Drop the main content, where most of the text is, before pages are compared",
            |params| switch(params.drop_main_content),
            |params, value| put_switch(&mut params.drop_main_content, value),
        ),
        Param::value(
            "max-loads",
            "PAGES",
            "Load at most this many pages; not set: 20 times n",
            |params| params.max_loads.map(|value| value.to_string()),
            |params, value| put(params.max_loads.insert(0), "max-loads", value),
        ),
        Param::value(
            "max-links",
            "LINKS",
            "Consider this many links of the page, the most relevant first",
            |params| Some(params.max_links.to_string()),
            |params, value| put(&mut params.max_links, "max-links", value),
        ),
        Param::value(
            "wc",
            "SHARE",
            "Weight of equal classes when two elements are compared; the four weights sum to 1",
            |params: &LinksParams| Some(params.weights.classes.to_string()),
            |params: &mut LinksParams, value| put(&mut params.weights.classes, "wc", value),
        )
        .flag("weight-classes"),
        Param::value(
            "wp",
            "SHARE",
            "Weight of the position among the siblings",
            |params: &LinksParams| Some(params.weights.position.to_string()),
            |params: &mut LinksParams, value| put(&mut params.weights.position, "wp", value),
        )
        .flag("weight-position"),
        Param::value(
            "wa",
            "SHARE",
            "Weight of the names of other attributes",
            |params: &LinksParams| Some(params.weights.attributes.to_string()),
            |params: &mut LinksParams, value| put(&mut params.weights.attributes, "wa", value),
        )
        .flag("weight-attributes"),
        Param::value(
            "wch",
            "SHARE",
            "Weight of the number of children",
            |params: &LinksParams| Some(params.weights.children.to_string()),
            |params: &mut LinksParams, value| put(&mut params.weights.children, "wch", value),
        )
        .flag("weight-children"),
        Param::value(
            "pnc",
            "SHARE",
            "Similarity of the classes of two elements without classes",
            |params| Some(params.no_classes.to_string()),
            |params, value| put(&mut params.no_classes, "pnc", value),
        ),
        Param::value(
            "pna",
            "SHARE",
            "Similarity of the attributes of two elements without attributes",
            |params| Some(params.no_attributes.to_string()),
            |params, value| put(&mut params.no_attributes, "pna", value),
        ),
        Param::value(
            "pnch",
            "SHARE",
            "Similarity of the child counts of two elements without children",
            |params| Some(params.no_children.to_string()),
            |params, value| put(&mut params.no_children, "pnch", value),
        ),
        Param::value(
            "pt",
            "SHARE",
            "Two elements can match only if their similarity is above this",
            |params| Some(params.threshold.to_string()),
            |params, value| put(&mut params.threshold, "pt", value),
        ),
        Param::value(
            "ids",
            "all|unique-stable",
            "Which equal ids make two elements match",
            |params| Some(params.ids.to_string()),
            |params, value| put_word(&mut params.ids, value),
        ),
        Param::value(
            "classes",
            "all|stable",
            "Which class names count",
            |params| Some(params.classes.to_string()),
            |params, value| put_word(&mut params.classes, value),
        ),
        Param::value(
            "texts",
            "structural|equal",
            "When a text is template: if there is any text at the same place, or if it is the same text",
            |params| Some(params.texts.to_string()),
            |params, value| put_word(&mut params.texts, value),
        ),
        Param::switch(
            "page-attributes",
            "The attributes of html and body count",
            |params| switch(params.page_attributes),
            |params, value| put_switch(&mut params.page_attributes, value),
        ),
    ];
    const PRESETS: &'static [Preset<Self>] = &[
        Preset {
            name: "modern",
            help: "stable classes, unique stable ids, equal texts",
            params: || LinksPreset::Modern.params(),
        },
        Preset {
            name: "alarte-2014",
            help: "the thesis: n = 3, t = 2",
            params: || LinksPreset::Alarte2014.params(),
        },
        Preset {
            name: "alarte-best",
            help: "its best: n = 8, t = 4",
            params: || LinksPreset::AlarteBest.params(),
        },
    ];

    fn check(&self) -> Result<(), String> {
        self.check_ranges().map_err(|error| error.to_string())
    }
}

/// Cliques are searched in sets of 64 pages.
const MOST_PAGES: u32 = 64;

/// Formats a choice in command line syntax, and parses it.
macro_rules! words {
    ($type:ident, $what:literal, $($value:ident $word:literal),+) => {
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $($type::$value => $word),+ })
            }
        }

        impl FromStr for $type {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                match text {
                    $($word => Ok($type::$value),)+
                    _ => {
                        let words = [$($word),+].join(", ");
                        Err(format!("unknown {} `{text}`; available are {words}", $what))
                    }
                }
            }
        }
    };
}

words!(LinksPreset, "preset", Alarte2014 "alarte-2014", AlarteBest "alarte-best", Modern "modern");
words!(IdRule, "rule for ids", Faithful "all", UniqueStable "unique-stable");
words!(ClassRule, "rule for classes", All "all", Stable "stable");
words!(TextRule, "rule for texts", Structural "structural", Equal "equal");
words!(MenuRule, "rule for menus", Page "page", Density "density");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_presets_are_those_of_the_thesis() {
        let of = |preset: LinksPreset| preset.params();
        assert_eq!(
            (of(LinksPreset::Alarte2014).n, of(LinksPreset::Alarte2014).t),
            (3, 2)
        );
        assert_eq!(
            (of(LinksPreset::AlarteBest).n, of(LinksPreset::AlarteBest).t),
            (8, 4)
        );
        for preset in LinksPreset::ALL {
            preset.params().check_ranges().unwrap();
            assert_eq!(preset.to_string().parse(), Ok(preset));
            assert_eq!(preset.params().weights, Weights::FINAL);
        }
    }

    #[test]
    fn fewer_pages_need_fewer_votes() {
        let with = |n, t| LinksParams {
            n,
            t,
            ..LinksParams::default()
        };
        for (n, t, pages, votes) in [
            (3, 2, 3, 2),
            (3, 2, 2, 2),
            (3, 2, 1, 1),
            (8, 4, 8, 4),
            (8, 4, 5, 3),
            (8, 4, 1, 1),
            (3, 1, 2, 1),
            (3, 2, 9, 2),
        ] {
            assert_eq!(with(n, t).votes_of(pages), votes, "{n} {t} {pages}");
        }
    }

    #[test]
    fn nonsense_is_refused() {
        let refused = |change: fn(&mut LinksParams), hint: &str| {
            let mut params = LinksParams::default();
            change(&mut params);
            let error = params.check_ranges().unwrap_err().to_string();
            assert!(error.contains(hint), "{error}");
        };
        refused(|p| p.n = 0, "n is 0");
        refused(|p| p.n = 65, "at most 64");
        refused(|p| (p.n, p.keep) = (24, 24), "more than n");
        refused(|p| p.t = 4, "at most n");
        refused(|p| p.t = 0, "t is 0");
        refused(|p| p.threshold = 1.0, "below 1");
        refused(|p| p.weights.classes = 0.9, "sum of the weights");
        refused(|p| p.weights.children = -0.1, "from 0 to 1");
        refused(|p| p.no_classes = f64::NAN, "from 0 to 1");
        refused(|p| p.keep = 3, "more than n");
        refused(|p| p.max_links = 0, "max-links");
        refused(|p| p.max_loads = Some(0), "max-loads");
        assert!(
            "moder"
                .parse::<LinksPreset>()
                .unwrap_err()
                .contains("alarte-2014")
        );
    }
}
