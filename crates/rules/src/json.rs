//! Rules as JSON: the same data as in the native format, for programs.

use serde::{Deserialize, Serialize};

use crate::check::Score;
use crate::read::BadRules;
use crate::rule::{About, Evidence, HeldOut, Rule, RuleSet, SiteRules};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    site: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    method: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pages: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    score: Option<Score>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    held_out: Option<HeldOutScore>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    example_url: Option<String>,
    #[serde(default)]
    keep: Vec<AnyRule>,
    #[serde(default)]
    remove: Vec<AnyRule>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeldOutScore {
    pages: u64,
    #[serde(flatten)]
    score: Score,
}

/// A person may write a selector alone.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum AnyRule {
    Bare(String),
    Seen {
        selector: String,
        pages: u64,
        of_pages: u64,
        confidence: f64,
        #[serde(default)]
        example: String,
    },
    Named {
        selector: String,
    },
}

impl RuleSet {
    /// The rules as JSON, which [`RuleSet::parse`] reads: a list of sections.
    pub fn to_json(&self) -> String {
        let sections: Vec<Section> = self.sections.iter().map(Section::of).collect();
        let text = serde_json::to_string_pretty(&sections);
        text.unwrap_or_default() + "\n"
    }
}

impl Section {
    fn of(rules: &SiteRules) -> Section {
        let about = rules.about.as_ref();
        Section {
            site: rules.site.clone(),
            method: about.map(|about| about.method.clone()),
            pages: about.map(|about| about.pages),
            score: about.and_then(|about| about.score),
            held_out: about.and_then(|about| {
                let HeldOut { pages, score } = about.held_out?;
                Some(HeldOutScore { pages, score })
            }),
            example_url: about.and_then(|about| about.example_url.clone()),
            keep: rules.keep.iter().map(AnyRule::of).collect(),
            remove: rules.remove.iter().map(AnyRule::of).collect(),
        }
    }

    fn rules(self, text: &str) -> Result<SiteRules, BadRules> {
        let read = |rules: Vec<AnyRule>| {
            let rules = rules.into_iter().map(|rule| rule.rule(text));
            rules.collect::<Result<Vec<Rule>, BadRules>>()
        };
        let held_out = |found: HeldOutScore| HeldOut {
            pages: found.pages,
            score: found.score,
        };
        Ok(SiteRules {
            site: self.site,
            about: self.pages.map(|pages| About {
                method: self.method.unwrap_or_default(),
                pages,
                score: self.score,
                held_out: self.held_out.map(held_out),
                example_url: self.example_url,
            }),
            keep: read(self.keep)?,
            remove: read(self.remove)?,
        })
    }
}

impl AnyRule {
    fn of(rule: &Rule) -> AnyRule {
        let selector = rule.selector.to_string();
        match &rule.evidence {
            None => AnyRule::Named { selector },
            Some(seen) => AnyRule::Seen {
                selector,
                pages: seen.pages,
                of_pages: seen.of_pages,
                confidence: (1e4 * seen.confidence).round() / 1e4,
                example: seen.example.clone(),
            },
        }
    }

    fn rule(self, text: &str) -> Result<Rule, BadRules> {
        let (selector, evidence) = match self {
            AnyRule::Bare(selector) | AnyRule::Named { selector } => (selector, None),
            AnyRule::Seen {
                selector,
                pages,
                of_pages,
                confidence,
                example,
            } => {
                let evidence = Evidence {
                    pages,
                    of_pages,
                    confidence,
                    example,
                };
                (selector, Some(evidence))
            }
        };
        let selector = selector.parse().map_err(|error| {
            // Values have no lines, so the selector is looked for.
            let at = text.find(&*selector).unwrap_or(0);
            BadRules {
                line: text[..at].matches('\n').count() + 1,
                what: format!("{error}"),
            }
        })?;
        Ok(Rule { selector, evidence })
    }
}

/// Reads a list of sections, or one section.
pub(crate) fn parse(text: &str) -> Result<RuleSet, BadRules> {
    let bad = |error: serde_json::Error| {
        let how = "write [{\"site\": \"a.example\", \"keep\": [\"main\"], \"remove\": [\"nav\"]}]";
        BadRules {
            line: error.line().max(1),
            what: format!("{error}; {how}"),
        }
    };
    let sections: Vec<Section> = match text.trim_start().starts_with('{') {
        true => vec![serde_json::from_str(text).map_err(bad)?],
        false => serde_json::from_str(text).map_err(bad)?,
    };
    let sections = sections.into_iter().map(|section| section.rules(text));
    Ok(RuleSet {
        sections: sections.collect::<Result<_, _>>()?,
    })
}
